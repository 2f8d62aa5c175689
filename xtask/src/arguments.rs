//! Command line arguments of a verb.

use polycontact::configuration::reader::edit_distance;

/// An option that a verb knows.
pub struct OptionSpec {
    /// Its name with the dashes.
    pub name: &'static str,
    /// Whether a value follows, as `--name VALUE` or `--name=VALUE`.
    pub takes_value: bool,
}

/// Arguments, taken apart.
#[derive(Debug, Default, PartialEq)]
pub struct Arguments {
    /// Words that are not options.
    pub free: Vec<String>,
    options: Vec<(&'static str, String)>,
}

impl Arguments {
    /// Takes the words apart; after `--` everything is free. The error names the word.
    pub fn parse(words: &[String], specs: &[OptionSpec]) -> Result<Self, String> {
        let mut arguments = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                arguments.free.extend(words.by_ref().cloned());
                break;
            }
            if !word.starts_with('-') || word == "-" {
                arguments.free.push(word.clone());
                continue;
            }
            let (name, attached) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (word.as_str(), None),
            };
            let spec = specs.iter().find(|spec| spec.name == name).ok_or_else(|| {
                format!("unknown option `{name}`{}", nearest(name, specs.iter().map(|spec| spec.name)))
            })?;
            let value = match (spec.takes_value, attached) {
                (true, Some(value)) => value,
                (true, None) => words.next().cloned().ok_or_else(|| format!("`{name}` needs a value"))?,
                (false, None) => String::new(),
                (false, Some(value)) => return Err(format!("`{name}` takes no value, but got `{value}`")),
            };
            arguments.options.push((spec.name, value));
        }
        Ok(arguments)
    }

    /// Whether an option was given.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The value of an option; the last one counts.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).last()
    }

    /// The values of an option that may be repeated, in their order.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |(option, _)| *option == name).map(|(_, value)| value.as_str())
    }
}

/// `; did you mean …` for the known word nearest to an unknown one, or what else there is.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let closest = known.iter().min_by_key(|candidate| edit_distance(word, candidate));
    match closest {
        Some(closest) if edit_distance(word, closest) <= 1 + word.len() / 3 => format!("; did you mean `{closest}`?"),
        Some(_) => format!("; known: {}", known.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[OptionSpec] =
        &[OptionSpec { name: "--json", takes_value: false }, OptionSpec { name: "--scale", takes_value: true }];

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(&line.split(' ').map(String::from).collect::<Vec<_>>(), SPECS)
    }

    #[test]
    fn options_and_files_mix() {
        let arguments = parse("a.obj --scale 2 --json b.obj --scale=3 -- --c.obj").unwrap();
        assert_eq!(arguments.free, ["a.obj", "b.obj", "--c.obj"]);
        assert_eq!((arguments.has("--json"), arguments.value("--scale")), (true, Some("3")));
    }

    #[test]
    fn errors_name_the_word_and_the_nearest_option() {
        assert_eq!(parse("--jsom").unwrap_err(), "unknown option `--jsom`; did you mean `--json`?");
        assert_eq!(parse("--xyzzy").unwrap_err(), "unknown option `--xyzzy`; known: --json, --scale");
        assert_eq!(parse("--scale").unwrap_err(), "`--scale` needs a value");
        assert_eq!(parse("--json=1").unwrap_err(), "`--json` takes no value, but got `1`");
    }
}
