//! Base64 (RFC 4648), as browsers and VTK read it.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text for these bytes, padded.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |word, k| word << 8 | u32::from(chunk.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let is_padding = chunk.len() < k;
            text.push(if is_padding { '=' } else { LETTERS[(word >> (18 - 6 * k) & 63) as usize] as char });
        }
    }
    text
}

/// The bytes of a text; for tests.
#[cfg(test)]
pub fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in text.trim_end_matches('=').as_bytes().chunks(4) {
        let value = |letter: &u8| LETTERS.iter().position(|known| known == letter).expect("a letter of base64") as u32;
        let word = (0..4).fold(0u32, |word, k| word << 6 | chunk.get(k).map_or(0, value));
        bytes.extend((0..chunk.len() - 1).map(|k| (word >> (16 - 8 * k)) as u8));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_standard() {
        for (plain, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode(plain.as_bytes()), text);
            assert_eq!(decode(text), plain.as_bytes());
        }
    }
}
