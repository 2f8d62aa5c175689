//! Lines of a text file, numbered from 1.

/// Iterates over lines that end in `\n`, `\r\n` or `\r`; the last may lack its end.
pub(super) struct TextLines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> TextLines<'a> {
    /// Starts at the beginning; a UTF-8 byte order mark is skipped.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        TextLines { rest: bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), number: 0 }
    }
}

impl<'a> Iterator for TextLines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(self.rest.len());
        let (line, tail) = self.rest.split_at(end);
        let ending = if tail.starts_with(b"\r\n") { 2 } else { tail.len().min(1) };
        self.rest = &tail[ending..];
        Some((self.number, line))
    }
}

/// The words of the file with their lines.
pub(super) struct TextWords<'a> {
    lines: TextLines<'a>,
    /// Line of the last word, from 1.
    pub(super) line: usize,
    rest: &'a [u8],
}

impl<'a> TextWords<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        TextWords { lines: TextLines::new(bytes), line: 0, rest: &[] }
    }

    pub(super) fn next(&mut self) -> Option<(usize, &'a [u8])> {
        loop {
            if let Some((word, rest)) = first_word(self.rest) {
                self.rest = rest;
                return Some((self.line, word));
            }
            (self.line, self.rest) = self.lines.next()?;
        }
    }

    pub(super) fn skip_line(&mut self) {
        self.rest = &[];
    }

    /// What is left of the line; the next word comes from the following one.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }
}

/// The words of a line, separated by ASCII white space.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(is_space).filter(|word| !word.is_empty())
}

/// The first word of a line and what follows it.
pub(super) fn first_word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = line.iter().position(|byte| !is_space(byte))?;
    let length = line[start..].iter().position(is_space).unwrap_or(line.len() - start);
    Some(line[start..].split_at(length))
}

fn is_space(byte: &u8) -> bool {
    // Also the vertical tab, which `is_ascii_whitespace` leaves out.
    byte.is_ascii_whitespace() || *byte == 0x0B
}

/// Reads a number; `nan` and `inf` in the spellings of common programs are numbers that are not finite.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    text.parse().ok().or_else(|| {
        let unsigned = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
        ["nan", "inf", "1.#"].iter().any(|start| unsigned.starts_with(start)).then_some(f64::NAN)
    })
}

/// A word for use in a message: in backticks, printable and short.
pub(super) fn quoted(word: &[u8]) -> String {
    format!("`{}`", shortened(word))
}

/// Text for use in a message: printable and short.
pub(super) fn shortened(text: &[u8]) -> String {
    const SHOWN: usize = 60;
    let start: String = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN)]).chars().take(SHOWN).collect();
    let ellipsis = if start.len() < text.len() { "…" } else { "" };
    format!("{}{ellipsis}", start.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_common_way() {
        let lines: Vec<_> = TextLines::new(b"\xEF\xBB\xBFa\r\nb\rc\n\nd").collect();
        assert_eq!(lines, [(1, &b"a"[..]), (2, b"b"), (3, b"c"), (4, b""), (5, b"d")]);
    }

    #[test]
    fn numbers_that_are_not_finite_are_told_from_words() {
        assert_eq!(number(b"-1.5E+2"), Some(-150.0));
        for word in [&b"nan"[..], b"-nan(ind)", b"1.#QNAN", b"-1.#INF", b"Infinity", b"1e999"] {
            assert!(!number(word).unwrap().is_finite(), "{}", quoted(word));
        }
        for word in [&b"1,5"[..], b"x", b"", b"\xFF", b"0x10"] {
            assert_eq!(number(word), None, "{}", quoted(word));
        }
    }
}
