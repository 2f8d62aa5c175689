//! `polycontact new`: a commented `contact.toml` for two mesh files.

use std::path::{Path, PathBuf};

use polycontact::configuration::{Configuration, FILE_NAME};
use polycontact::contact::{ContactSurface, RawLayer, RawParameters};
use polycontact::math::{Aabb, Vector};
use polycontact::mesh::{self, ReadOptions, TriangleMesh};

use crate::approach::{Approach, Pair};
use crate::contact_pair::extent;
use crate::files::{ending_in, shown, write};
use crate::numbers::{positive, rounded, significant};

/// What `new` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// Mesh of surface E, which gets an elastic layer: .obj, .stl, .ply or .off
    #[arg(value_name = "E")]
    mesh_e: PathBuf,
    /// Mesh of surface F, which is rigid at first
    #[arg(value_name = "F")]
    mesh_f: PathBuf,
    /// Factor from the unit of both files to metres; without it a guess from the size, which the file tells
    #[arg(long, value_name = "S", value_parser = positive)]
    scale: Option<f64>,
    /// Name of the FMU; without it the names of both files
    #[arg(long)]
    name: Option<String>,
    /// Where the configuration goes
    #[arg(short, long = "output", value_name = "FILE.toml", value_parser = ending_in("toml"), default_value = FILE_NAME)]
    output: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

/// Bodies larger than this in m are taken for files in millimetres.
const LARGEST_BODY: f64 = 5.0;

/// Part of the shortest side of E that its layer is thick.
const LAYER_PART: f64 = 0.05;

/// Part of the layer's thickness by which the bodies are apart at the start.
const CLEARANCE_PART: f64 = 0.1;

/// Modulus of the layer in Pa: rubber-like, so that first forces are small and first steps may be large.
const FIRST_MODULUS: f64 = 1e7;

/// Writes the configuration.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let path = &arguments.output;
    if path.exists() && !arguments.force {
        return Err(format!(
            "`{}` exists; name another file with `-o`, or write over it with `--force`",
            path.display()
        ));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let surfaces = [&arguments.mesh_e, &arguments.mesh_f].map(|file| Surface::read(file, folder, arguments.scale));
    let [e, f] = surfaces;
    let (e, f) = (e?, f?);
    let name = match &arguments.name {
        Some(name) => name.clone(),
        None => default_name(&arguments.mesh_e, &arguments.mesh_f),
    };
    let text = text(&name, &e, &f);
    // What is written can be read again, and what the reader refuses, such as a name, is said before.
    Configuration::parse(&text, &path.display().to_string()).map_err(|error| error.to_string())?;
    write(path, text.as_bytes())?;
    println!("{}", shown(path));
    for (title, surface) in [("surface E", &e), ("surface F", &f)] {
        println!("  {title}  {}, {}{}", surface.file, extent(surface.size()), surface.doubt());
    }
    println!("Next: read the comments in it, then `polycontact view {}`", shown(path));
    Ok(())
}

/// A mesh and what is known about its unit.
struct Surface {
    /// As the configuration names it.
    file: String,
    scale: f64,
    /// Whether the unit is a guess.
    is_guessed: bool,
    /// In m.
    mesh: TriangleMesh,
}

impl Surface {
    fn read(file: &Path, folder: &Path, scale: Option<f64>) -> Result<Surface, String> {
        let read = |scale: f64| {
            let options = ReadOptions { scale, ..ReadOptions::default() };
            mesh::read(file, options).map(|(mesh, _)| mesh).map_err(|error| error.to_string())
        };
        let mut mesh = read(scale.unwrap_or(1.0))?;
        let size = Aabb::of(mesh.vertices.iter()).size().max();
        let is_guessed = scale.is_none() && LARGEST_BODY < size;
        let scale = if is_guessed { 1e-3 } else { scale.unwrap_or(1.0) };
        if is_guessed {
            mesh = read(scale)?;
        }
        Ok(Surface { file: seen_from(folder, file)?, scale, is_guessed, mesh })
    }

    fn size(&self) -> Vector {
        Aabb::of(self.mesh.vertices.iter()).size()
    }

    fn doubt(&self) -> &'static str {
        if self.is_guessed { " if the file is in millimetres" } else { "" }
    }

    fn scale_line(&self) -> String {
        let size = extent(self.size());
        let comment = match self.is_guessed {
            true => format!("taken for millimetres: {size}. Check it"),
            false => format!("from the unit of the file to metres: {size}. 0.001 where it is in millimetres"),
        };
        format!("scale = {:?}   # {comment}", self.scale)
    }
}

/// The path of a file for a configuration in a folder, with slashes on every system.
fn seen_from(folder: &Path, file: &Path) -> Result<String, String> {
    let absolute =
        |path: &Path| std::path::absolute(path).map_err(|error| format!("`{}` is no path: {error}", path.display()));
    let (folder, file) = (absolute(folder)?, absolute(file)?);
    let path = file.strip_prefix(&folder).unwrap_or(&file);
    let text = path.to_str().ok_or_else(|| format!("the name of `{}` is not UTF-8; rename it", path.display()))?;
    Ok(text.replace('\\', "/"))
}

/// `BallOnBlock` of `ball.stl` and `block.stl`.
fn default_name(e: &Path, f: &Path) -> String {
    let word = |path: &Path| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let words = stem.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>()
    };
    let name = format!("{}On{}", word(e), word(f));
    // A name may not begin with a digit.
    if name.starts_with(|letter: char| letter.is_ascii_digit()) { format!("Contact{name}") } else { name }
}

/// A place from which F moves into E: almost touching it.
fn start(e: &Surface, f: &Surface, layer_thickness: f64) -> Option<Vector> {
    let layer_e = RawLayer { youngs_modulus: FIRST_MODULUS, poissons_ratio: 0.3, layer_thickness };
    let raw = RawParameters { layer_e, layer_f: RawLayer::RIGID, ..RawParameters::default() };
    let pair = Pair { e: ContactSurface::new(e.mesh.clone()), f: ContactSurface::new(f.mesh.clone()), raw };
    let approach = Approach::find(&pair, None, None).ok()?;
    Some(approach.pose(-CLEARANCE_PART * layer_thickness, Vector::zeros()).translation.vector)
}

fn text(name: &str, e: &Surface, f: &Surface) -> String {
    let shortest = e.size().iter().copied().filter(|side| 0.0 < *side).fold(f64::INFINITY, f64::min);
    let layer = rounded(LAYER_PART * shortest, 2);
    let pose = match start(e, f, layer) {
        Some(place) => {
            let [x, y, z] = [place.x, place.y, place.z].map(|value| format!("{:?}", rounded(value, 6)));
            format!(
                "# Where F starts, seen from E: here almost touching it. Your simulation tool sets it anew.\n\
                 [pose]\nposition = [{x}, {y}, {z}]   # m\norientation = [0.0, 0.0, 0.0]   # rad about x, y, z"
            )
        }
        None => "# Where F starts, seen from E; without this section as the files have it.\n\
                 # [pose]\n# position = [0.0, 0.0, 0.0]   # m\n# orientation = [0.0, 0.0, 0.0]   # rad about x, y, z"
            .to_owned(),
    };
    let [file_e, file_f] = [e, f].map(|surface| quoted(&surface.file));
    let damping = significant(1e-3 * FIRST_MODULUS, 3);
    format!(
        "# A contact pair: two meshes and what lies between them. `polycontact package` makes an FMU of it.
# All units are SI.

name = {name}   # of the FMU: letters, digits and underscores
description = {description}
orientation = \"matrix\"   # how the FMU takes the orientation of F: \"matrix\", \"quaternion\" or \"cardan\"

{pose}

[surface-e]
mesh = {file_e}   # its coordinate frame is M_e
{scale_e}
# reversed = true   # where the faces look inwards
# merge-distance = 1e-6   # m; vertices nearer than this are one; without it from the resolution of the file
# repair = \"none\"   # \"safe\" (default) closes cracks and turns faces over; \"none\" changes nothing
# parts = [\"housing\"]   # read only these objects, groups or solids of the file
# shells = [1]   # keep only these connected parts, as `polycontact check-mesh` numbers them
youngs-modulus = {FIRST_MODULUS:e}   # Pa: rubber-like, to start with. Steel 2.1e11, plastics 2.5e9, rubber 5e6; 0 = rigid
poissons-ratio = 0.3
layer-thickness = {layer:?}   # m: depth that gives way; `polycontact estimate` helps to choose it

[surface-f]
mesh = {file_f}   # its coordinate frame is M_f
{scale_f}
youngs-modulus = 0.0   # rigid: all elasticity is in the layer of E

[contact]
areal-damping = {damping}   # N s/m3: 0 = none; `polycontact estimate` finds it from a restitution
damping-transition-depth = {transition:?}   # m: up to here damping fades in
friction-coefficient = 0.3
friction-model = \"bristle\"   # sticks below the limit; \"regularized\" has no memory, and creeps
# method = \"auto\"   # which surfaces carry pressure: \"auto\", \"two-pass\", \"master-e\", \"master-f\", \"collision-only\"
# elements = \"potential\"   # \"centroid\" is the published scheme, for comparisons
# step-output = \"energy\"   # outputs after a step: \"energy\" suits every master; \"hold\", \"extrapolate\", \"mean\"
# extrapolation-steps = 1.0   # for \"extrapolate\": steps by which the pose is advanced
# threads = 1   # that may work on a large contact; the result is the same
",
        name = quoted(name),
        description = quoted(&format!("Contact between {} and {}", e.file, f.file)),
        scale_e = e.scale_line(),
        scale_f = f.scale_line(),
        transition = rounded(0.01 * layer, 2),
    )
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use polycontact::contact::{RelativeMotion, Workspace, evaluate};

    use super::*;
    use crate::contact_pair::ContactPair;
    use crate::test_support::{parsed, root};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("polycontact-new-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn new(line: &str) -> Result<(), String> {
        parsed(line).and_then(|arguments| run(&arguments))
    }

    #[test]
    fn the_file_is_a_pair_that_starts_apart_and_meets_when_pressed() {
        let folder = folder("pair");
        for name in ["sphere.obj", "plate.obj"] {
            fs::copy(root().join("resources").join(name), folder.join(name)).unwrap();
        }
        let path = folder.join("contact.toml");
        let line = format!("{0}/sphere.obj {0}/plate.obj -o {1}", folder.display(), path.display());
        new(&line).unwrap();
        assert!(new(&line).unwrap_err().contains("`--force`"));
        new(&format!("{line} --force")).unwrap();
        let pair = ContactPair::read(&path).unwrap();
        assert_eq!(pair.configuration.name, "SphereOnPlate");
        assert_eq!((pair.surface_e.name.as_str(), pair.configuration.surface_e.scale), ("sphere.obj", 1.0));
        // 5 % of the sphere of 0.2 m.
        assert!((pair.configuration.parameters.layer_e.layer_thickness - 0.01).abs() < 5e-4);
        let bodies = Pair::of(&pair).unwrap();
        let parameters = bodies.parameters().unwrap();
        let start = pair.configuration.pose.as_ref().unwrap().pose();
        let force = |depth: f64| {
            let mut pose = start;
            pose.translation.vector.z += depth;
            let motion = RelativeMotion::at_rest(pose);
            evaluate(&bodies.e, &bodies.f, &parameters, &motion, &mut Workspace::default()).wrenches.on_e.force.z
        };
        assert_eq!(force(0.0), 0.0);
        assert!(0.0 < force(0.002), "{}", force(0.002));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn large_bodies_are_taken_for_millimetres_and_the_file_says_so() {
        let folder = folder("millimetres");
        let ball = polycontact::shapes::icosphere(25.0, 2);
        let lines = ball.vertices.iter().map(|v| format!("v {} {} {}\n", v.x, v.y, v.z));
        let faces = ball.faces.iter().map(|f| format!("f {} {} {}\n", f[0].0 + 1, f[1].0 + 1, f[2].0 + 1));
        fs::write(folder.join("2 big-ball.obj"), lines.chain(faces).collect::<String>()).unwrap();
        let files = [folder.join("2 big-ball.obj"), root().join("resources/plate.obj")];
        let [e, f] = files.each_ref().map(|file| Surface::read(file, &folder, None).unwrap());
        assert!(e.is_guessed && e.scale == 1e-3 && !f.is_guessed);
        assert!((e.size().x - 0.05).abs() < 1e-3);
        let name = default_name(&files[0], &files[1]);
        assert_eq!(name, "Contact2BigBallOnPlate");
        let text = text(&name, &e, &f);
        assert!(text.contains("scale = 0.001   # taken for millimetres: 0.05 × 0.05 × 0.05 m. Check it"), "{text}");
        assert!(Configuration::parse(&text, "x").is_ok(), "{text}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_commented_out_can_be_switched_on() {
        let folder = root().join("resources");
        let [e, f] = ["sphere.obj", "plate.obj"].map(|name| Surface::read(&folder.join(name), &folder, None).unwrap());
        let switched_on: String = text("X", &e, &f)
            .lines()
            .map(|line| match line.strip_prefix("# ").filter(|rest| rest.contains(" = ")) {
                Some(rest) => rest.to_owned() + "\n",
                None => line.to_owned() + "\n",
            })
            .collect();
        Configuration::parse(&switched_on, "x").unwrap_or_else(|error| panic!("{error}\n{switched_on}"));
    }

    #[test]
    fn a_wrong_file_or_name_is_refused_before_anything_is_written() {
        let folder = folder("wrong");
        let [e, f] = ["sphere.obj", "plate.obj"].map(|name| root().join("resources").join(name));
        let output = folder.join("contact.toml");
        let error = new(&format!("{} missing.stl -o {}", e.display(), output.display())).unwrap_err();
        assert!(error.contains("missing.stl"), "{error}");
        let error = new(&format!("{} {} --name 1x -o {}", e.display(), f.display(), output.display())).unwrap_err();
        assert!(error.contains("name") && !output.exists(), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
