//! What a page consists of: prose, blocks of code, and the commands in both.

/// A part of a page, in its order.
#[derive(Debug, PartialEq)]
pub enum Item {
    /// Text between blocks.
    Prose(String),
    /// Lines between fences, without the indentation of the fence.
    Block {
        /// What follows the opening fence, such as `text`, `sh` or `python`.
        language: String,
        text: String,
    },
}

/// Takes a page apart.
pub fn items(page: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut prose = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.trim_start().strip_prefix("```") else {
            prose += line;
            prose.push('\n');
            continue;
        };
        items.push(Item::Prose(std::mem::take(&mut prose)));
        let indentation = line.len() - line.trim_start().len();
        let inside = lines.by_ref().take_while(|line| line.trim() != "```");
        let text = inside.map(|line| line.get(indentation..).unwrap_or("").to_owned() + "\n").collect();
        items.push(Item::Block { language: language.trim().to_owned(), text });
    }
    items.push(Item::Prose(prose));
    items
}

/// Programs with which a line of a command block may begin.
const PROGRAMS: [&str; 6] = ["cargo", "polycontact", "cd", "unzip", "omc", "OMSimulator"];

/// The lines of a block of commands, without comments; none where it is something else.
pub fn commands(block: &str) -> Option<Vec<Vec<String>>> {
    let lines: Vec<Vec<String>> = block.lines().map(words).filter(|words| !words.is_empty()).collect();
    let is_command = |words: &Vec<String>| PROGRAMS.contains(&words[0].as_str());
    (!lines.is_empty() && lines.iter().all(is_command)).then_some(lines)
}

/// Commands between single backticks.
pub fn quoted_commands(prose: &str) -> Vec<Vec<String>> {
    let quoted = prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    quoted.filter(|text| text.starts_with("cargo ") || text.starts_with("polycontact ")).map(words).collect()
}

/// Words of a line as a shell would see them: quotes hold words together, `#` begins a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_also_in_lists() {
        let page = "a\n```text\nb\n\nc\n```\n1. d\n\n   ```sh\n   cargo xtask e\n   ```\nf\n";
        let block = |language: &str, text: &str| Item::Block { language: language.to_owned(), text: text.to_owned() };
        let prose = |text: &str| Item::Prose(text.to_owned());
        let expected =
            [prose("a\n"), block("text", "b\n\nc\n"), prose("1. d\n\n"), block("sh", "cargo xtask e\n"), prose("f\n")];
        assert_eq!(items(page), expected);
    }

    #[test]
    fn commands_are_told_from_output() {
        let two = commands("cargo xtask a 'b c'   # why\n\ncd \"d e\"\n").unwrap();
        assert_eq!(two, [vec!["cargo", "xtask", "a", "b c"], vec!["cd", "d e"]]);
        assert_eq!(commands("target/fmu/A.fmu\n  model  A\n"), None);
        assert_eq!(commands("\n"), None);
    }

    #[test]
    fn commands_in_prose_are_found() {
        let found =
            quoted_commands("| `cargo xtask a --b` | `c` |\nby `cargo test --test d -- --nocapture`, `polycontact e`");
        assert_eq!(
            found,
            [
                vec!["cargo", "xtask", "a", "--b"],
                vec!["cargo", "test", "--test", "d", "--", "--nocapture"],
                vec!["polycontact", "e"]
            ]
        );
    }
}
