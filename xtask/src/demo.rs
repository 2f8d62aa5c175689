//! `cargo xtask demo`: scenes with packaged FMUs.

use std::path::PathBuf;

use crate::Verb;
use crate::arguments::{Arguments, nearest};
use crate::library::kit;
use crate::package::package;
use crate::project::{root, run as run_program, target, workspace_program};
use crate::python::libclang_variables;
use crate::storyboard;

pub const VERB: Verb = Verb {
    name: "demo",
    summary: "drops a sphere on a plate, or shows an example, with packaged FMUs; prints a summary, writes plots",
    usage: "
Usage: cargo xtask demo [SCENE]

  drop      a sphere that spins and drifts falls on the plate and rebounds (default)
  wheel     the wheel on ground of the dissertation: force and area over the depth
  spheres   its two spheres: force over the depth, next to Hertz and the elastic foundation
  cam       a cam below a flat follower: force over the angle, with both element schemes
  rod       a flexible ball hits a flexible rod: force over the time, next to theory
  bubbles   its bouncing bubbles: three bodies, a funnel, six FMU instances

Packages the FMUs of the scene and drives them through their C interface. The demo integrates the
motion of the bodies; the forces come from the FMUs. Writes plots, and tables of motions, to
target/demo. `bubbles` also draws a storyboard.

The demo's host, the crate `fmi`, needs libclang: the first run installs it into
target/python/libclang, for which Python 3 is needed.",
    run,
};

/// Scenes with the configurations of their FMUs.
const SCENES: [(&str, &[&str]); 6] = [
    ("drop", &["resources/contact.toml"]),
    ("wheel", &["examples/wheel-on-ground/contact.toml"]),
    ("spheres", &["examples/two-spheres/contact.toml"]),
    ("cam", &["examples/cam-follower/contact.toml"]),
    ("rod", &["examples/ball-on-rod/contact.toml"]),
    ("bubbles", &["examples/bouncing-bubbles/bubble-funnel.toml", "examples/bouncing-bubbles/bubble-bubble.toml"]),
];

fn run(words: &[String]) -> Result<(), String> {
    let (scene, configurations) = parse(words)?;
    let kit = kit()?;
    let fmus = configurations
        .iter()
        .map(|configuration| package(&root().join(configuration), None, &|| Ok(kit.clone())))
        .collect::<Result<Vec<PathBuf>, _>>()?;
    let folder = target().join("demo");
    let mut command = workspace_program("polycontact-demo", "polycontact-demo");
    command.arg(scene).arg(&folder).args(fmus);
    command.envs(libclang_variables()?);
    eprintln!("Building and running the demo; the first build takes minutes");
    run_program(&mut command)?;
    if scene == "bubbles" {
        storyboard::write(&folder)?;
    }
    Ok(())
}

/// The scene that is asked for, and its configurations.
fn parse(words: &[String]) -> Result<(&'static str, &'static [&'static str]), String> {
    let free = Arguments::parse(words, &[])?.free;
    if let Some(word) = free.get(1) {
        return Err(format!("`{word}` is not expected; the verb takes one scene"));
    }
    let name = free.first().map_or("drop", String::as_str);
    let scene = SCENES.into_iter().find(|(scene, _)| *scene == name);
    scene.ok_or_else(|| format!("no scene `{name}`{}", nearest(name, SCENES.iter().map(|(scene, _)| *scene))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<(&'static str, &'static [&'static str]), String> {
        parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn scenes_are_found_by_name() {
        assert_eq!(parsed("").unwrap().0, "drop");
        assert_eq!(parsed("bubbles").unwrap().1.len(), 2);
        assert!(parsed("buble").unwrap_err().contains("bubbles"));
        assert!(parsed("cam wheel").unwrap_err().contains("`wheel`"));
    }

    #[test]
    fn every_scene_has_its_configurations_and_is_explained() {
        for (scene, configurations) in SCENES {
            assert!(VERB.usage.contains(&format!("\n  {scene} ")), "{scene}");
            assert!(configurations.iter().all(|configuration| root().join(configuration).exists()), "{scene}");
        }
    }
}
