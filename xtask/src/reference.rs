//! `cargo xtask reference`: the page of every key and every variable, from the tables that readers and FMUs use.

use std::fmt::Write;

use polycontact::configuration::{
    BODY_VECTORS, Configuration, FreeBodyConfiguration, OrientationInput, SECTIONS, key_descriptions,
};
use polycontact::fmu::{
    Causality, Kind, Value, Variability, Variable, VariableTable, contact_variables, free_body_variables,
};

use crate::Verb;
use crate::arguments::Arguments;
use crate::project::{root, shown};

pub const VERB: Verb = Verb {
    name: "reference",
    summary: "writes docs/reference.md: every key of the configuration and every variable of the FMUs",
    usage: "
Usage: cargo xtask reference

Writes docs/reference.md from the tables of keys and variables. A test fails when the page is stale.",
    run,
};

const FILE: &str = "docs/reference.md";

fn run(words: &[String]) -> Result<(), String> {
    if let Some(word) = Arguments::parse(words, &[])?.free.first() {
        return Err(format!("`{word}` is not expected; the verb takes no argument"));
    }
    let path = root().join(FILE);
    std::fs::write(&path, page()).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!("{}", shown(&path));
    Ok(())
}

const INTRODUCTION: &str = "\
# Reference

This page is made from the code by `cargo xtask reference`: it has every key of `contact.toml` and every variable of the FMUs.
All units are SI; where none is given, the number has none.
`polycontact new` writes a file with the most common keys, each with a comment.

## `contact.toml`

An unknown key is an error that names the nearest known one.
[Meshes](meshes.md) says more about the keys of meshes, [Smooth surfaces](smooth.md) about `smooth-angle` and `sag`, [Parameters](parameters.md) helps to choose numbers, [Coupling](coupling.md) is about steps, [Flexible bodies](flexible.md) about `flexible`.
";

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (section, meaning) in SECTIONS {
        let title = if section.is_empty() { "Top of the file".to_owned() } else { format!("`[{section}]`") };
        let _ = write!(page, "\n### {title}\n\n{meaning}\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
        for key in key_descriptions(section) {
            let _ = writeln!(page, "| `{}` | {} | {} | {} |", key.name, key.values, key.default, key.meaning);
        }
    }
    page += "\n## `free-body.toml`\n\nA file with a section `[body]` makes the FMU of a rigid body ([Whole systems](system.md)).\n\n\
             | key | value | default | meaning |\n|---|---|---|---|\n\
             | `name`, `description` | as above | | |\n\
             | `wrenches` | a whole number | 1 | wrenches that act on the body |\n\
             | `body.mass` | above 0; kg | required | mass |\n";
    for vector in &BODY_VECTORS {
        let default = match vector.key {
            "moments-of-inertia" => "required".to_owned(),
            _ => {
                let numbers = vector.value(&FreeBodyConfiguration::default().body);
                format!("[{}, {}, {}]", numbers.x, numbers.y, numbers.z)
            }
        };
        let (components, unit) = (vector.components.join(", "), vector.unit);
        let _ =
            writeln!(page, "| `body.{}` | ({components}); {unit} | {default} | {} |", vector.key, vector.description);
    }
    page += "\n## Variables of a contact FMU\n\n\
             Fixed parameters are set before or in initialization mode, tunable ones at any communication point.\n\
             The starts are those of a file that has only the meshes and their moduli, 1e7 Pa and 0.\n";
    let pair = layers();
    let table = contact_variables(&pair);
    add_variables(&mut page, &table, "###", &[]);
    page += &other_orientations(&pair, &table);
    let flexible = "[surface-e]\nflexible = \"e.npz\"\n[surface-f]\nflexible = \"f.npz\"\n";
    let flexible = Configuration::parse(flexible, "contact.toml").expect("a pair of flexible bodies");
    let flexible_table = contact_variables(&flexible);
    page += "\n## Variables that only an FMU with a flexible body has\n";
    add_variables(&mut page, &flexible_table, "###", table.variables());
    page += "\n## Variables of a free body\n";
    add_variables(&mut page, &free_body_variables(&FreeBodyConfiguration::default()), "###", &[]);
    page += "\n## Enumerations\n\nBy number in the FMU; the configuration has their names, in small letters with hyphens.\n";
    for enumeration in table.enumerations().into_iter().chain(flexible_table.enumerations()) {
        if page.contains(&format!("\n### {}\n", enumeration.name)) {
            continue;
        }
        let _ = write!(
            page,
            "\n### {}\n\n{}.\n\n| number | name | meaning |\n|---|---|---|\n",
            enumeration.name, enumeration.description
        );
        for item in enumeration.items {
            let _ = writeln!(page, "| {} | `{}` | {} |", item.value, item.name, item.description);
        }
    }
    page
}

/// A file with nothing but what is required.
fn layers() -> Configuration {
    let text = "[surface-e]\nmesh = \"e.obj\"\nyoungs-modulus = 1.0e7\n\
                [surface-f]\nmesh = \"f.obj\"\nyoungs-modulus = 0.0\n";
    Configuration::parse(text, "contact.toml").expect("a pair of meshes")
}

/// The inputs that stand in for the matrix.
fn other_orientations(pair: &Configuration, table: &VariableTable) -> String {
    let mut text = "\nWith `orientation = \"quaternion\"` or `\"cardan\"` the FMU has these inputs in place of `relativeOrientation`:\n\n"
        .to_owned();
    text += HEADER_OF_INPUTS;
    for orientation in [OrientationInput::Quaternion, OrientationInput::Cardan] {
        let other = contact_variables(&Configuration { orientation, ..pair.clone() });
        let new = other.variables().iter().filter(|variable| table.find(&variable.name).is_none());
        for group in groups(&new.collect::<Vec<_>>()) {
            text += &row(&group);
        }
    }
    text
}

const HEADER_OF_INPUTS: &str = "| variable | type | start | meaning |\n|---|---|---|---|\n";

/// Tables by causality, without the variables that are known already.
fn add_variables(page: &mut String, table: &VariableTable, level: &str, known: &[Variable]) {
    let is_new = |variable: &&Variable| known.iter().all(|other| other.name != variable.name);
    for (causality, variability, title) in [
        (Causality::Input, None, "Inputs"),
        (Causality::Output, None, "Outputs"),
        (Causality::Parameter, Some(Variability::Tunable), "Tunable parameters"),
        (Causality::Parameter, Some(Variability::Fixed), "Fixed parameters"),
        (Causality::CalculatedParameter, None, "Calculated parameters"),
        (Causality::Local, None, "Local variables"),
    ] {
        let wanted = |variable: &&Variable| {
            variable.causality == causality && variability.is_none_or(|wanted| variable.variability == wanted)
        };
        let variables: Vec<&Variable> = table.variables().iter().filter(wanted).filter(is_new).collect();
        if variables.is_empty() {
            continue;
        }
        let _ = write!(page, "\n{level} {title}\n\n{HEADER_OF_INPUTS}");
        for group in groups(&variables) {
            *page += &row(&group);
        }
    }
}

/// Entries of one vector or matrix together.
fn groups<'v>(variables: &[&'v Variable]) -> Vec<Vec<&'v Variable>> {
    let mut groups: Vec<Vec<&Variable>> = Vec::new();
    for variable in variables {
        match groups.last_mut() {
            Some(group) if variable.name.contains('[') && base(group[0]) == base(variable) => group.push(variable),
            _ => groups.push(vec![variable]),
        }
    }
    groups
}

fn base(variable: &Variable) -> &str {
    variable.name.split('[').next().unwrap_or(&variable.name)
}

fn row(group: &[&Variable]) -> String {
    let (first, last) = (group[0], group[group.len() - 1]);
    let mut units: Vec<&str> = Vec::new();
    for variable in group {
        if let Kind::Real { unit, .. } = variable.kind
            && !units.contains(&unit)
        {
            units.push(unit);
        }
    }
    let kind = match first.kind {
        Kind::Real { unit: "1", .. } => "Real".to_owned(),
        // Those of a matrix of forces and torques, row by row.
        Kind::Real { .. } => format!("Real, {}", units.join(" or ")),
        Kind::Enumeration(enumeration) => enumeration.name.to_owned(),
        _ => first.kind.name().to_owned(),
    };
    let starts: Vec<String> = group.iter().filter_map(|variable| variable.start.as_ref().map(start)).collect();
    let start = match starts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    };
    format!("| `{}` | {kind} | {start} | {} |\n", name(first, last), meaning(first, last))
}

fn start(value: &Value) -> String {
    match value {
        // Without the sign of a zero.
        Value::Real(number) => format!("{:?}", number + 0.0),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::String(text) => text.to_string_lossy().into_owned(),
    }
}

/// `a[1..3,1..3]` of `a[1,1]` and `a[3,3]`.
fn name(first: &Variable, last: &Variable) -> String {
    let parts = |variable: &'_ Variable| -> Option<(Vec<String>, String)> {
        let (inside, behind) = variable.name.split_once('[')?.1.split_once(']')?;
        Some((inside.split(',').map(str::to_owned).collect(), behind.to_owned()))
    };
    match (parts(first), parts(last)) {
        (Some((from, behind)), Some((to, _))) if first.name != last.name => {
            let ranges = from.iter().zip(&to).map(|(from, to)| format!("{from}..{to}"));
            format!("{}[{}]{behind}", base(first), ranges.collect::<Vec<_>>().join(","))
        }
        _ => first.name.clone(),
    }
}

/// What the descriptions of the first and the last entry have in common.
fn meaning(first: &Variable, last: &Variable) -> String {
    let [a, b] = [first, last].map(|variable| {
        let text = &variable.description;
        text.rsplit_once(" [").map_or(text.as_str(), |(text, _)| text)
    });
    let mut words: Vec<String> = Vec::new();
    for (a, b) in a.split(' ').zip(b.split(' ')) {
        let ends = a.chars().last().filter(|end| b.ends_with(*end) && [':', ';', ','].contains(end));
        let [bare_a, bare_b] = [a, b].map(|word| word.trim_end_matches([':', ';', ',']));
        let end = ends.map(String::from).unwrap_or_default();
        let symbols = [bare_a, bare_b].map(|word| word.rsplit_once(',').map(|(symbol, _)| symbol));
        match (symbols, words.last_mut()) {
            _ if a == b => words.push(a.to_owned()),
            // `r_EF,x:` and `r_EF,z:`.
            ([Some(a), Some(b)], _) if a == b => words.push(a.to_owned() + &end),
            // A component of its own between commas.
            (_, Some(before)) if before.ends_with(',') => *before = before.trim_end_matches(',').to_owned() + &end,
            _ => words.push(format!("{bare_a} … {bare_b}{end}")),
        }
    }
    words.join(" ").trim_end_matches(',').replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_current() {
        let committed = std::fs::read_to_string(root().join(FILE)).unwrap_or_default();
        assert!(committed == page(), "{FILE} is stale; run `cargo xtask reference`");
    }

    #[test]
    fn every_key_and_every_variable_is_on_the_page() {
        let page = page();
        for (section, _) in SECTIONS {
            assert!(key_descriptions(section).iter().all(|key| page.contains(&format!("| `{}` |", key.name))));
        }
        let table = contact_variables(&layers());
        assert!(table.variables().iter().all(|variable| page.contains(&format!("| `{}", base(variable)))));
        assert!(page.contains("| `relativePosition[1..3]` | Real, m |") && page.contains("`stiffness[1..6,1..6]`"));
        assert!(
            page.contains("`der(state.position[1..3])`")
                && page.contains("| `relativeAngles[1..3]` | Real, rad | (0.0,")
        );
        assert!(page.contains("| q_w … q_z of the unit quaternion"));
        assert!(page.contains("| r_EF: origin of M_f seen from M_e, resolved in M_e |"), "{page}");
    }
}
