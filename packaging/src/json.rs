//! Writes JSON.

use std::fmt;

/// A JSON value.
pub enum Json {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A count.
    Count(usize),
    /// A number; null if it is not finite, since JSON has no word for that.
    Number(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// Named values, in order.
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// Text from anything that prints.
    pub fn text(value: impl fmt::Display) -> Self {
        Json::Text(value.to_string())
    }

    /// The value, or null.
    pub fn or_null<T>(value: Option<T>, convert: impl FnOnce(T) -> Json) -> Self {
        value.map_or(Json::Null, convert)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, 0)
    }
}

fn write(f: &mut fmt::Formatter<'_>, value: &Json, depth: usize) -> fmt::Result {
    let line = |f: &mut fmt::Formatter<'_>, depth: usize| write!(f, "\n{:width$}", "", width = 2 * depth);
    match value {
        Json::Null => f.write_str("null"),
        Json::Bool(value) => write!(f, "{value}"),
        Json::Count(value) => write!(f, "{value}"),
        // `Debug` prints the shortest digits that read back to the same number, as JSON allows them.
        Json::Number(value) if value.is_finite() => write!(f, "{value:?}"),
        Json::Number(_) => f.write_str("null"),
        Json::Text(text) => write_text(f, text),
        Json::List(items) if items.iter().all(|item| matches!(item, Json::Number(_) | Json::Count(_))) => {
            f.write_str("[")?;
            for (index, item) in items.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                write(f, item, depth)?;
            }
            f.write_str("]")
        }
        Json::List(items) => {
            f.write_str("[")?;
            for (index, item) in items.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "," })?;
                line(f, depth + 1)?;
                write(f, item, depth + 1)?;
            }
            line(f, depth)?;
            f.write_str("]")
        }
        Json::Object(members) => {
            f.write_str("{")?;
            for (index, (name, member)) in members.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "," })?;
                line(f, depth + 1)?;
                write!(f, "\"{name}\": ")?;
                write(f, member, depth + 1)?;
            }
            line(f, depth)?;
            f.write_str("}")
        }
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            control if control < ' ' => write!(f, "\\u{:04x}", control as u32)?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_keep_their_digits() {
        assert_eq!(Json::text("a\"b\\c\n\u{1}é").to_string(), r#""a\"b\\c\n\u0001é""#);
        let numbers = Json::List(vec![Json::Number(0.1), Json::Number(1e300), Json::Number(f64::NAN)]);
        assert_eq!(numbers.to_string(), "[0.1, 1e300, null]");
    }
}
