//! Tables of a TOML document with their lines, for messages that point at the culprit.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigurationError, Place};

/// A parsed document.
pub struct Document<'t> {
    text: &'t str,
    file: &'t str,
    table: Spanned<DeTable<'t>>,
}

/// A table of the document, whose keys are all known; empty where the document lacks it.
pub struct Section<'d> {
    document: &'d Document<'d>,
    name: &'static str,
    line: usize,
    table: Option<&'d DeTable<'d>>,
}

impl<'t> Document<'t> {
    /// Parses a text; `file` names it in messages.
    pub fn parse(text: &'t str, file: &'t str) -> Result<Self, ConfigurationError> {
        // Editors on Windows may start a file with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let table = DeTable::parse(text).map_err(|error| ConfigurationError::Syntax {
            place: Place { file: file.to_owned(), line: line_of(text, error.span().map_or(0, |span| span.start)) },
            reason: error.message().to_owned(),
        })?;
        Ok(Document { text, file, table })
    }

    /// Whether the document has a key at its top.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.get_ref().contains_key(key)
    }

    /// The document itself as a section; an unknown key is an error.
    pub fn root<'d>(&'d self, known: &[&'static str]) -> Result<Section<'d>, ConfigurationError>
    where
        't: 'd,
    {
        let section = Section { document: self, name: "", line: 1, table: Some(self.table.get_ref()) };
        section.refuse_unknown_keys(known)?;
        Ok(section)
    }
}

impl<'d> Section<'d> {
    /// A table below this one; an unknown key in it is an error.
    pub fn section(&self, name: &'static str, known: &[&'static str]) -> Result<Section<'d>, ConfigurationError> {
        let section = match self.value(name) {
            None => Section { document: self.document, name, line: 1, table: None },
            Some(value) => {
                let DeValue::Table(table) = value.get_ref() else {
                    return Err(self.wrong_type(name, value, "a section with its own keys"));
                };
                Section { document: self.document, name, line: self.place_of(name).line, table: Some(table) }
            }
        };
        section.refuse_unknown_keys(known)?;
        Ok(section)
    }

    /// Name of the section; empty for the document itself.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the document has this section.
    pub fn is_given(&self) -> bool {
        self.table.is_some()
    }

    /// Whether a key is given.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Refuses the keys that are known, but pointless beside others; the reason ends the message.
    pub fn refuse_all_but(&self, meaningful: &[&str], reason: &str) -> Result<(), ConfigurationError> {
        let keys = self.table.into_iter().flat_map(|table| table.keys());
        let pointless = keys.filter(|key| !meaningful.contains(&key.get_ref().as_ref()));
        let Some(key) = pointless.min_by_key(|key| key.span().start) else { return Ok(()) };
        Err(ConfigurationError::Pointless {
            place: self.place_of(key.get_ref()),
            key: self.full_key(key.get_ref()),
            reason: reason.to_owned(),
        })
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<&'d str>, ConfigurationError> {
        self.value(key)
            .map(|value| match value.get_ref() {
                DeValue::String(text) => Ok(text.as_ref()),
                _ => Err(self.wrong_type(key, value, "a text in quotes")),
            })
            .transpose()
    }

    /// Yes or no.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, ConfigurationError> {
        self.value(key)
            .map(|value| value.get_ref().as_bool().ok_or_else(|| self.wrong_type(key, value, "true or false")))
            .transpose()
    }

    /// A number, written as a float or as an integer.
    pub fn number(&self, key: &str) -> Result<Option<f64>, ConfigurationError> {
        self.value(key)
            .map(|value| number_of(value.get_ref()).ok_or_else(|| self.wrong_type(key, value, "a number")))
            .transpose()
    }

    /// So many numbers in brackets.
    pub fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, ConfigurationError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let numbers: Option<Vec<f64>> =
            value.get_ref().as_array().and_then(|array| array.iter().map(|item| number_of(item.get_ref())).collect());
        let numbers = numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok());
        numbers.map(Some).ok_or_else(|| self.wrong_type(key, value, &format!("{N} numbers in brackets")))
    }

    /// Any number of numbers in brackets.
    pub fn list(&self, key: &str) -> Result<Option<Vec<f64>>, ConfigurationError> {
        self.items(key, "numbers in brackets", number_of)
    }

    /// Any number of texts in brackets.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<String>>, ConfigurationError> {
        self.items(key, "texts in quotes, in brackets", |item| match item {
            DeValue::String(text) => Some(text.as_ref().to_owned()),
            _ => None,
        })
    }

    fn items<T>(
        &self,
        key: &str,
        expected: &str,
        item_of: impl Fn(&DeValue<'_>) -> Option<T>,
    ) -> Result<Option<Vec<T>>, ConfigurationError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let items = value.get_ref().as_array();
        let items: Option<Vec<T>> = items.and_then(|array| array.iter().map(|item| item_of(item.get_ref())).collect());
        items.map(Some).ok_or_else(|| self.wrong_type(key, value, expected))
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&'static str, T)]) -> Result<Option<T>, ConfigurationError> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        let chosen = choices.iter().find(|(name, _)| *name == word);
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        self.require(key, word, chosen.is_some(), &format!("one of {}", names.join(", ")))?;
        Ok(chosen.map(|(_, value)| *value))
    }

    /// An error where the value is one of an earlier version.
    pub fn refuse_gone(&self, key: &str, gone: &str, successor: &str) -> Result<(), ConfigurationError> {
        if self.text(key)? != Some(gone) {
            return Ok(());
        }
        Err(ConfigurationError::Gone {
            place: self.place_of(key),
            key: self.full_key(key),
            value: format!("{gone:?}"),
            successor: successor.to_owned(),
        })
    }

    /// An error unless the value is allowed.
    pub fn require(
        &self,
        key: &str,
        value: impl std::fmt::Debug,
        is_allowed: bool,
        allowed: &str,
    ) -> Result<(), ConfigurationError> {
        if is_allowed {
            return Ok(());
        }
        Err(ConfigurationError::NotAllowed {
            place: self.place_of(key),
            key: self.full_key(key),
            value: format!("{value:?}"),
            allowed: allowed.to_owned(),
        })
    }

    /// The error for a key that must be given.
    pub fn missing(&self, key: &str, expected: &str) -> ConfigurationError {
        let place = Place { file: self.document.file.to_owned(), line: self.line };
        ConfigurationError::Missing { place, key: self.full_key(key), expected: expected.to_owned() }
    }

    /// The line of a key; that of the section where the key is not there.
    pub fn place_of(&self, key: &str) -> Place {
        let entry = self.table.and_then(|table| table.get_key_value(key));
        let line = entry.map_or(self.line, |(key, _)| line_of(self.document.text, key.span().start));
        Place { file: self.document.file.to_owned(), line }
    }

    /// A key with its section.
    pub fn full_key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn value(&self, key: &str) -> Option<&'d Spanned<DeValue<'d>>> {
        self.table.and_then(|table| table.get(key))
    }

    fn refuse_unknown_keys(&self, known: &[&'static str]) -> Result<(), ConfigurationError> {
        let keys = self.table.into_iter().flat_map(|table| table.keys());
        let unknown = keys.filter(|key| !known.contains(&key.get_ref().as_ref()));
        // The table is sorted by key; people read from the top.
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let nearest = known.iter().min_by_key(|candidate| edit_distance(candidate, key.get_ref()));
        Err(ConfigurationError::UnknownKey {
            place: Place { file: self.document.file.to_owned(), line: line_of(self.document.text, key.span().start) },
            key: self.full_key(key.get_ref()),
            nearest: nearest.expect("every section has keys").to_string(),
            known: known.join(", "),
        })
    }

    fn wrong_type(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> ConfigurationError {
        let written = self.document.text.get(value.span()).unwrap_or_default();
        let line = written.lines().next().unwrap_or_default();
        let shown: String = line.chars().take(40).collect();
        ConfigurationError::WrongType {
            place: self.place_of(key),
            key: self.full_key(key),
            found: format!("{} ({shown})", value.get_ref().type_str()),
            expected: expected.to_owned(),
        }
    }
}

/// A float or an integer.
fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse::<f64>().ok(),
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
        }
        _ => None,
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

/// Number of letters to insert, delete or replace (Levenshtein), computed row by row.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(100).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter_a) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, letter_b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter_a != *letter_b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn edit_distance_counts_insertions_deletions_and_replacements() {
        assert_eq!(edit_distance("scale", "scale"), 0);
        assert_eq!(edit_distance("mesh", ""), 4);
        assert_eq!(edit_distance("", "mesh"), 4);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
