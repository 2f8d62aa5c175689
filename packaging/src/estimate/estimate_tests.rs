//! The command as a whole.

use super::*;
use crate::test_support::{parsed, root};

fn printed(line: &str) -> String {
    tried(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn tried(line: &str) -> Result<String, String> {
    parsed(line).and_then(|arguments| estimate(&arguments))
}

/// The numbers in the row that begins with a name.
fn row(text: &str, name: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.trim_start().starts_with(name));
    let rest = line.and_then(|line| line.split_once(name)).unwrap_or_else(|| panic!("no row `{name}` in:\n{text}")).1;
    rest.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_trial_on_meshes_reaches_what_was_asked() {
    for line in
        ["", "--restitution 0.5 --youngs-modulus 2.1e11 --poissons-ratio 0.3 --youngs-modulus-f 2.1e11 --step 1e-6"]
    {
        let text = printed(line);
        let wanted = row(&text, "restitution (wanted)");
        // 1 %: the facets of the cap take 0.2 % off the force, the rest is the time step.
        assert!((wanted[1] / wanted[0] - 1.0).abs() < 0.01, "{text}");
        for name in ["peak force / N", "contact time / s", "largest depth / m"] {
            let [expected, came, ..] = row(&text, name)[..] else { panic!("{text}") };
            assert!((came / expected - 1.0).abs() < 0.02, "{name}: {text}");
        }
    }
}

#[test]
fn pasted_lines_are_a_configuration_with_the_suggested_numbers() {
    let text = printed("--friction 0.2");
    let lines = text.split("Lines to paste\n").nth(1).unwrap().split("\nTried").next().unwrap();
    let with_meshes = lines
        .replace("[surface-e]\n", "[surface-e]\nmesh = \"e.obj\"\n")
        .replace("[surface-f]\n", "[surface-f]\nmesh = \"f.obj\"\n");
    let configuration = polycontact::configuration::Configuration::parse(&with_meshes, "pasted").unwrap();
    let parameters = configuration.parameters;
    assert_eq!((parameters.layer_e.youngs_modulus, parameters.layer_f.youngs_modulus), (2e9, 0.0));
    assert_eq!(parameters.friction_coefficient, 0.2);
    let stiffness = polycontact::contact::ContactParameters::new(&parameters).unwrap().combined_layer_stiffness();
    assert!((row(&text, "layer stiffness c_l")[0] / stiffness - 1.0).abs() < 1e-3);
}

#[test]
fn a_configuration_brings_its_meshes_and_materials() {
    let config = root().join("resources/contact.toml");
    let text = printed(&format!("{} --mass 4 --speed 1", config.display()));
    // A ball of 0.1 m; its 1280 faces displace less than the smooth one, so the radius looks smaller.
    let radius = row(&text, "effective radius R")[0];
    assert!((0.07..0.1).contains(&radius), "{text}");
    assert!(text.contains("the meshes of SphereOnPlate") && text.contains("youngs-modulus = 1e7"), "{text}");
    let wanted = row(&text, "restitution (wanted)");
    // The mesh is coarse against the patch, so the ball of the formulas only resembles it.
    assert!((wanted[1] / wanted[0] - 1.0).abs() < 0.05, "{text}");
}

#[test]
fn large_steps_and_blurred_friction_are_pointed_out() {
    let text = printed("--step 1e-4");
    assert!(text.contains("meets the contact only") && text.contains("step-output = \"energy\""), "{text}");
    assert!(text.contains("creep rather than stick"), "{text}");
    assert!(printed("--step 1e-2").contains("will explode"));
    assert!(printed("--depth 0.02").contains("times the reference depth"));
}

#[test]
fn errors_say_what_to_give() {
    for (line, part) in [
        ("--youngs-modulus 0", "`--youngs-modulus-f`"),
        ("--poissons-ratio 0.5", "for rubber take 0.45"),
        ("--restitution 1.2", "from 0.01 to 1"),
        ("--mass 0", "above 0"),
        ("--mass x", "must be a number"),
        ("--match forces", "energy, force, least-squares"),
        ("--radios 1", "'--radius'"),
        ("--mass 1e300 --speed 1e200", "check their units"),
        ("a.toml b.toml", "unexpected argument 'b.toml'"),
        ("missing.toml", "missing.toml"),
    ] {
        let error = tried(line).unwrap_err();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn tiny_steps_end_soon() {
    assert!(!printed("--step 1e-300 --friction 0").contains("exchanged every"));
}

/// The table of restitutions by step is what the command prints.
#[test]
fn the_table_of_steps_on_the_page_is_what_the_command_prints() {
    let page = std::fs::read_to_string(root().join("docs/parameters.md")).unwrap();
    let mut compared = 0;
    for line in page.lines().filter(|line| line.starts_with("| `--step ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let output = printed(cells[0].trim_matches('`'));
        let lines = output.lines().skip_while(|line| !line.contains("exchanged every")).skip(1).take(cells.len() - 1);
        let values: Vec<&str> = lines.filter_map(|line| line.split_whitespace().last()).collect();
        assert_eq!(values, cells[1..], "{}", cells[0]);
        compared += 1;
    }
    assert_eq!(compared, 4);
}

/// Every command on the page that is followed by its output prints just that.
#[test]
fn the_worked_example_of_the_page_is_what_the_command_prints() {
    let page = std::fs::read_to_string(root().join("docs/parameters.md")).unwrap();
    let blocks: Vec<&str> =
        page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("text\n")).collect();
    let mut compared = 0;
    for pair in blocks.windows(2) {
        let Some(command) = pair[0].trim().strip_prefix("polycontact estimate ") else { continue };
        if command.contains('\n') || !pair[1].starts_with("Layers") {
            continue;
        }
        let output = printed(command);
        assert!(output == pair[1], "the page is stale; the command prints:\n{output}");
        compared += 1;
    }
    assert_eq!(compared, 1);
}
