//! `contact.toml` and `free-body.toml`: what is read, what is refused, and how it is said.

use std::path::{Path, PathBuf};

use polycontact::configuration::{
    BODY_VECTORS, Configuration, ConfigurationError, FreeBodyConfiguration, NUMBER_PARAMETERS, OrientationInput,
    StartPose, StepOutput, SurfaceConfiguration,
};
use polycontact::contact::{ElementScheme, FrictionModel, Method, RawParameters};
use polycontact::flexible::{RawFlexibleParameters, Solver, Submodel};
use polycontact::free_body::RawBody;
use polycontact::mesh::Repair;

const MINIMAL: &str =
    "[surface-e]\nmesh = \"e.obj\"\nyoungs-modulus = 1e7\n[surface-f]\nmesh = \"f.stl\"\nyoungs-modulus = 0\n";

fn parse(text: &str) -> Result<Configuration, ConfigurationError> {
    Configuration::parse(text, "pair/contact.toml")
}

/// The message for a text, which must be refused.
fn refusal(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

#[test]
fn everything_but_meshes_and_moduli_has_the_default_of_the_force_element_and_friction_has_bristles() {
    let configuration = parse(MINIMAL).unwrap();
    let expected = RawParameters { friction_model: FrictionModel::Bristle, ..RawParameters::default() };
    assert_eq!(configuration.parameters, expected);
    assert_eq!(configuration.orientation, OrientationInput::Matrix);
    assert_eq!((configuration.surface_e.scale, configuration.surface_e.reversed), (1.0, false));
    assert_eq!((configuration.surface_e.file.as_str(), configuration.surface_f.file.as_str()), ("e.obj", "f.stl"));
}

#[test]
fn every_key_is_read() {
    let text = r#"
        name = "Gear_2"
        description = "Zahnräder"
        orientation = "cardan"
        [surface-e]
        mesh = "sub/e.STL"
        scale = 1e-3
        reversed = true
        youngs-modulus = 2e9
        poissons-ratio = 0.25
        layer-thickness = 0.02
        [surface-f]
        mesh = "/abs/f.obj"
        youngs-modulus = 1_000_000
        poissons-ratio = -0.1
        layer-thickness = 3
        [contact]
        method = "master-e"
        elements = "centroid"
        areal-damping = 5
        damping-transition-depth = 0
        friction-coefficient = 0.7
        friction-regularization-velocity = 2e-3
        friction-model = "bristle"
        static-friction-coefficient = 0.8
        stribeck-velocity = 0.03
        viscous-friction = 0.01
        tangential-stiffness = 1e8
        tangential-damping = 2e4
        step-output = "mean"
        extrapolation-steps = 1.5
    "#;
    let read = parse(text).unwrap();
    assert_eq!((read.step_output, read.extrapolation_steps), (StepOutput::Mean, 1.5));
    assert_eq!((read.name.as_str(), read.description.as_str()), ("Gear_2", "Zahnräder"));
    assert_eq!(read.orientation, OrientationInput::Cardan);
    assert_eq!(
        (read.surface_e.file.as_str(), read.surface_e.scale, read.surface_e.reversed),
        ("sub/e.STL", 1e-3, true)
    );
    assert_eq!((read.parameters.method, read.parameters.elements), (Method::MasterE, ElementScheme::Centroid));
    let numbers: Vec<f64> = NUMBER_PARAMETERS.iter().map(|number| number.value(&read.parameters)).collect();
    assert_eq!(numbers, [2e9, 0.25, 0.02, 1e6, -0.1, 3.0, 5.0, 0.0, 0.7, 2e-3, 0.8, 0.03, 0.01, 1e8, 2e4]);
    assert_eq!(read.parameters.friction_model, FrictionModel::Bristle);
    assert_eq!(read.file_path_e(Path::new("a")), Path::new("a/sub/e.STL"));
    assert_eq!(read.file_path_f(Path::new("a")), Path::new("/abs/f.obj"));
}

#[test]
fn a_missing_modulus_is_an_error_that_offers_typical_ones() {
    let message = refusal(&MINIMAL.replace("youngs-modulus = 0\n", ""));
    for part in ["`surface-f.youngs-modulus` is missing", "2.1e11 for steel", "plastic", "rubber", "0 for a rigid"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_pose_has_a_position_and_an_orientation() {
    let pose = |text: &str| parse(&format!("{MINIMAL}[pose]\n{text}")).map(|configuration| configuration.pose.unwrap());
    let turned = pose("position = [1, 2, 3]\norientation = [0, 0, 1, 0]").unwrap();
    assert_eq!(turned.position, [1.0, 2.0, 3.0]);
    // Half a turn about y.
    assert!((turned.pose().rotation.matrix()[(0, 0)] + 1.0).abs() < 1e-15);
    assert_eq!(pose("").unwrap().pose(), polycontact::math::Pose::identity());
    assert_eq!(parse(MINIMAL).unwrap().pose, None);
    for (text, part) in [
        ("position = [1, 2]", "3 numbers in brackets"),
        ("orientation = [1, 1, 0, 0]", "unit quaternion"),
        ("angles = [0, 0, 0]", "did you mean"),
    ] {
        let message = pose(text).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut configuration = parse(MINIMAL).unwrap();
    configuration.pose = Some(StartPose { position: [0.1, -0.2, 1e-17], orientation: vec![0.1, 0.2, 0.3] });
    configuration.surface_e.merge_distance = Some(1e-7);
    configuration.surface_e.repair = Repair::None;
    configuration.surface_f.parts = vec!["a \"b\"".to_owned(), "c".to_owned()];
    configuration.surface_f.shells = vec![1, 7];
    configuration.description = "quotes \" and \\ and ä".to_owned();
    configuration.orientation = OrientationInput::Quaternion;
    configuration.surface_f.file = "with \"quotes\".obj".to_owned();
    configuration.parameters.method = Method::CollisionOnly;
    configuration.parameters.elements = ElementScheme::Centroid;
    for (i, number) in NUMBER_PARAMETERS.iter().enumerate() {
        // 0.1 and its multiples have no short decimals in binary; all of them are allowed everywhere.
        *(number.field)(&mut configuration.parameters) = 0.1 * (1.0 + i as f64 / 3.0);
    }
    assert_eq!(parse(&configuration.to_toml()).unwrap(), configuration);
    for surface in [&mut configuration.surface_e, &mut configuration.surface_f] {
        let file = std::mem::take(&mut surface.file);
        *surface = SurfaceConfiguration { file, ..SurfaceConfiguration::default() };
    }
    let default = Configuration {
        surface_e: configuration.surface_e.clone(),
        surface_f: configuration.surface_f.clone(),
        ..Configuration::default()
    };
    assert_eq!(parse(&default.to_toml()).unwrap(), default);
}

#[test]
fn bundled_meshes_lie_beside_the_configuration_under_distinct_names() {
    let bundled = |e: &str, f: &str| {
        let mut configuration = parse(MINIMAL).unwrap();
        (configuration.surface_e.file, configuration.surface_f.file) = (e.to_owned(), f.to_owned());
        let bundled = configuration.bundled();
        (bundled.surface_e.file, bundled.surface_f.file)
    };
    let expect = |e: &str, f: &str| (e.to_owned(), f.to_owned());
    assert_eq!(bundled("../a/x.obj", "/b/y.stl"), expect("x.obj", "y.stl"));
    assert_eq!(bundled("a/x.obj", "b/X.obj"), expect("e-x.obj", "f-X.obj"));
    assert_eq!(bundled("a/x.obj", "a/x.obj"), expect("x.obj", "x.obj"));
}

#[test]
fn unknown_keys_are_named_with_line_and_nearest_key() {
    let message = refusal(&format!("{MINIMAL}\n[contact]\nfriction-coeficient = 0.3"));
    assert_eq!(
        message,
        "pair/contact.toml, line 9: unknown key `contact.friction-coeficient`; did you mean `friction-coefficient`? \
         Known here: method, elements, friction-model, step-output, extrapolation-steps, threads, areal-damping, damping-transition-depth, friction-coefficient, \
         friction-regularization-velocity, static-friction-coefficient, stribeck-velocity, viscous-friction, \
         tangential-stiffness, tangential-damping"
    );
    let message = refusal(&format!("orientaton = \"matrix\"\n{MINIMAL}"));
    assert!(message.contains("line 1: unknown key `orientaton`; did you mean `orientation`?"), "{message}");
    let message = refusal("[surface-e]\nmesh = \"a.obj\"\n[surface-g]\nmesh = \"b.obj\"");
    assert!(message.contains("line 3: unknown key `surface-g`; did you mean `surface-"), "{message}");
    let message = refusal("[surface-e]\nmesh = \"a.obj\"\nyoungs_modulus = 1.0\n[surface-f]\nmesh = \"b.obj\"");
    assert!(
        message.contains("line 3: unknown key `surface-e.youngs_modulus`; did you mean `youngs-modulus`?"),
        "{message}"
    );
}

#[test]
fn wrong_types_say_what_was_found_and_what_is_needed() {
    for (text, expected) in [
        ("name = 3\n", "line 1: `name` is integer (3), but must be a text in quotes"),
        ("surface-e = 3\n", "line 1: `surface-e` is integer (3), but must be a section"),
        ("[surface-e]\nmesh = [\"a.obj\"]\n", "line 2: `surface-e.mesh` is array"),
        (
            "[surface-e]\nmesh = \"a.obj\"\nscale = \"1\"\n",
            "line 3: `surface-e.scale` is string (\"1\"), but must be a number",
        ),
        (
            "[surface-e]\nmesh = \"a.obj\"\nreversed = 1\n",
            "line 3: `surface-e.reversed` is integer (1), but must be true or false",
        ),
    ] {
        let message = refusal(text);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn values_out_of_range_are_named_with_what_is_allowed() {
    let with_contact = |line: &str| refusal(&format!("{MINIMAL}[contact]\n{line}"));
    for (line, expected) in [
        (
            "friction-coefficient = -0.1",
            "line 8: `contact.friction-coefficient` is -0.1, but must be a finite number, 0 or above",
        ),
        ("areal-damping = nan", "`contact.areal-damping` is NaN"),
        ("threads = 0", "line 8: `contact.threads` is 0.0, but must be a whole number from 1 to 64"),
        ("threads = 1.5", "`contact.threads` is 1.5"),
        ("threads = 65", "`contact.threads` is 65"),
        ("areal-damping = inf", "`contact.areal-damping` is inf"),
        ("areal-damping = 1e999", "`contact.areal-damping` is inf"),
        ("method = \"both\"", "one of \"auto\", \"collision-only\", \"two-pass\", \"master-e\", \"master-f\""),
        ("elements = \"Potential\"", "one of \"potential\", \"centroid\""),
        ("elements = \"clipped\"", "line 8: `contact.elements` is \"clipped\", which is gone: use \"potential\""),
    ] {
        let message = with_contact(line);
        assert!(message.contains(expected), "{message}");
    }
    let with_surface = |line: &str| {
        refusal(&format!("[surface-e]\nmesh = \"e.obj\"\n{line}\n[surface-f]\nmesh = \"f.obj\"\nyoungs-modulus = 0"))
    };
    for (line, expected) in [
        ("poissons-ratio = 0.5", "line 3: `surface-e.poissons-ratio` is 0.5, but must be between -1 and 0.5"),
        ("scale = 0", "`surface-e.scale` is 0.0, but must be a finite number above 0"),
        ("youngs-modulus = -1", "`surface-e.youngs-modulus` is -1.0"),
        (
            "youngs-modulus = 1\nlayer-thickness = 0",
            "`surface-e.layer-thickness` is 0, but must be a finite thickness above 0 m",
        ),
        ("youngs-modulus = 0", "both 0"),
    ] {
        let message = with_surface(line);
        assert!(message.contains(expected), "{message}");
    }
    let message = with_contact("friction-model = \"regularized\"\nfriction-regularization-velocity = 0");
    assert!(message.contains("above 0 m/s where there is friction"), "{message}");
}

#[test]
fn names_must_be_identifiers() {
    for name in ["", "2Gears", "a b", "a-b", "a.b", "ä", "../a", &"a".repeat(101)] {
        let message = refusal(&format!("name = \"{name}\"\n{MINIMAL}"));
        assert!(message.contains("`name`") && message.contains("an identifier"), "{message}");
    }
    for name in ["a", "_", "SphereOnPlate", &"a".repeat(100)] {
        assert_eq!(parse(&format!("name = \"{name}\"\n{MINIMAL}")).unwrap().name, name);
    }
    let message = refusal(&format!("description = \"two\\nlines\"\n{MINIMAL}"));
    assert!(message.contains("`description`"), "{message}");
}

#[test]
fn missing_meshes_are_named() {
    assert!(refusal("").contains("`surface-e.mesh` is missing; give it the path of an .obj, .stl, .ply or .off file"));
    let message = refusal("name = \"a\"\n[surface-e]\nmesh = \"e.obj\"\nyoungs-modulus = 1\n[surface-f]\nscale = 1");
    assert!(message.contains("line 5: `surface-f.mesh` is missing"), "{message}");
    for mesh in ["", "e.step", "e", "e.obj.gz", "obj", "e\\u0000.obj"] {
        let message = refusal(&format!("[surface-e]\nmesh = \"{mesh}\""));
        assert!(message.contains("line 2: `surface-e.mesh` is"), "{message}");
    }
}

#[test]
fn broken_toml_is_located() {
    let message = refusal("name = \"a\"\n[surface-e\nmesh = 3");
    assert!(message.contains("pair/contact.toml, line 2: not valid TOML"), "{message}");
    assert!(refusal("name = \"a\"\nname = \"b\"").contains("line 2"));
    parse(&format!("\u{feff}{MINIMAL}")).unwrap();
    parse(&MINIMAL.replace('\n', "\r\n")).unwrap();
}

#[test]
fn files_are_looked_for_beside_the_configuration() {
    let folder: PathBuf = std::env::temp_dir().join(format!("polycontact configuration {}", std::process::id()));
    std::fs::create_dir_all(folder.join("d.obj")).unwrap();
    let path = folder.join("contact.toml");
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        Configuration::read(&path)
    };
    std::fs::write(folder.join("e.obj"), "").unwrap();
    let message = read(MINIMAL).unwrap_err().to_string();
    assert!(message.contains("line 5: `surface-f.mesh` names") && message.contains("f.stl"), "{message}");
    std::fs::write(folder.join("f.stl"), "").unwrap();
    read(MINIMAL).unwrap();
    let message = read(&MINIMAL.replace("e.obj", "d.obj")).unwrap_err().to_string();
    assert!(message.contains("it is not a file"), "{message}");
    std::fs::write(&path, [0x66, 0xff]).unwrap();
    assert!(Configuration::read(&path).unwrap_err().to_string().contains("UTF-8"));
    std::fs::write(&path, vec![b'#'; 2 << 20]).unwrap();
    assert!(Configuration::read(&path).unwrap_err().to_string().contains("bytes"));
    std::fs::remove_dir_all(&folder).unwrap();
    let message = Configuration::read(&path).unwrap_err().to_string();
    assert!(message.contains("cannot read the configuration") && message.contains("contact.toml"), "{message}");
}

const FLEXIBLE: &str = "[surface-e]\nflexible = \"ball.npz\"\n[surface-f]\nmesh = \"f.stl\"\n";

#[test]
fn a_flexible_pair_has_penalty_contact_instead_of_layers() {
    let read = parse(FLEXIBLE).unwrap();
    assert_eq!(read.flexible, Some(RawFlexibleParameters::default()));
    assert_eq!(read.step_output, StepOutput::Mean);
    assert!(read.surface_e.is_flexible && !read.surface_f.is_flexible);
    let text = format!(
        "{FLEXIBLE}scale = 0.1\n[contact]\nstep-output = \"extrapolate\"\n[flexible]\npenalty-stiffness = 1e6\n\
         pass-weight = 1\nsubmodel = \"damped\"\nsolver = \"broyden\"\ntolerance = 1e-6\niteration-limit = 7\n\
         internal-step = 1e-7\nmaximal-penetration = 1e-5\ndamped-period = 2e-6\ntransition-damping = 0.1\n"
    );
    let read = parse(&text).unwrap();
    let expected = RawFlexibleParameters {
        penalty_stiffness: 1e6,
        pass_weight: 1.0,
        submodel: Submodel::Damped,
        solver: Solver::Broyden,
        tolerance: 1e-6,
        iteration_limit: 7,
        internal_step: 1e-7,
        maximal_penetration: 1e-5,
        damped_period: 2e-6,
        transition_damping: 0.1,
    };
    assert_eq!(read.flexible, Some(expected));
    assert_eq!((read.step_output, read.surface_f.scale), (StepOutput::Extrapolate, 0.1));
    assert_eq!(parse(&read.to_toml()).unwrap(), read);
}

#[test]
fn keys_without_meaning_in_the_pair_are_refused() {
    let rigid = format!("{MINIMAL}[flexible]\npass-weight = 0.5\n");
    for (text, start) in [
        (format!("{FLEXIBLE}layer-thickness = 0.1\n"), "line 5: `surface-f.layer-thickness` has no meaning here"),
        (format!("{FLEXIBLE}[contact]\nfriction-coefficient = 0\n"), "line 6: `contact.friction-coefficient` has no"),
        (FLEXIBLE.replace("[surface-f]", "scale = 2\n[surface-f]"), "line 3: `surface-e.scale` has no meaning here"),
        (FLEXIBLE.replace("[surface-f]", "mesh = \"e.obj\"\n[surface-f]"), "line 3: `surface-e.mesh` has no meaning"),
        (rigid, "line 8: `flexible.pass-weight` has no meaning here: neither body is flexible"),
        (
            FLEXIBLE.replace("ball.npz", "ball.msh"),
            "line 2: `surface-e.flexible` is \"ball.msh\", but must be the path",
        ),
        (format!("{FLEXIBLE}[flexible]\niteration-limit = 1.5\n"), "line 6: `flexible.iteration-limit` is 1.5, but"),
        (format!("{FLEXIBLE}[flexible]\npass-weight = 1.5\n"), "line 6: `flexible.pass-weight` is 1.5, but must be"),
        (format!("{FLEXIBLE}[flexible]\ntolerance = 0.5\n"), "`flexible.tolerance` is 0.5"),
    ] {
        let message = refusal(&text);
        assert!(message.contains(start), "{message}");
    }
}

/// A body with every key away from its default.
const BODY: &str = r#"
name = "Brick"
description = "A \"brick\""
wrenches = 3
[body]
mass = 2
moments-of-inertia = [0.02, 0.05, 6e-2]
products-of-inertia = [0.001, -0.002, 0.003]
centre-of-mass = [0.1, 0.2, 0.3]
gravity = [1, 2, -3]
initial-position = [0.5, 0.6, 0.7]
initial-angles = [0.1, 0.2, 0.3]
initial-velocity = [4.0, 5.0, 6.0]
initial-angular-velocity = [7.0, 8.0, 9.0]
"#;

#[test]
fn a_body_is_read_with_every_key_and_written_so_that_it_reads_the_same() {
    let body = FreeBodyConfiguration::parse(BODY, "b.toml").unwrap();
    assert_eq!((body.name.as_str(), body.description.as_str(), body.wrenches), ("Brick", "A \"brick\"", 3));
    assert_eq!((body.body.mass, body.body.gravity.z, body.body.initial_angular_velocity.y), (2.0, -3.0, 8.0));
    let default = RawBody::default();
    for vector in &BODY_VECTORS {
        assert_ne!(vector.value(&body.body), vector.value(&default), "{}", vector.key);
    }
    assert_eq!(FreeBodyConfiguration::parse(&body.to_toml(), "b.toml").unwrap(), body);
    assert!(FreeBodyConfiguration::is_meant_by(BODY) && !FreeBodyConfiguration::is_meant_by("[surface-e]\n"));
}

#[test]
fn wrong_bodies_are_refused_with_line_and_reason() {
    let refused = |from: &str, to: &str| {
        assert!(BODY.contains(from), "{from}");
        FreeBodyConfiguration::parse(&BODY.replace(from, to), "b.toml").unwrap_err().to_string()
    };
    for (from, to, message) in [
        ("mass = 2", "", "b.toml, line 5: `body.mass` is missing"),
        ("mass = 2", "mass = -2", "b.toml, line 6: `body.mass` is -2.0, but must be a finite number above 0"),
        ("gravity", "gravitation", "unknown key `body.gravitation`; did you mean `gravity`?"),
        ("[1, 2, -3]", "[1, 2]", "`body.gravity` is array ([1, 2]), but must be 3 numbers in brackets"),
        ("[1, 2, -3]", "-3", "but must be 3 numbers in brackets"),
        ("[1, 2, -3]", "[1, 2, inf]", "`body.gravity` is inf, but must be a finite number"),
        ("wrenches = 3", "wrenches = 0", "`wrenches` is 0.0, but must be a whole number from 1 to 100"),
        ("6e-2]", "8e-2]", "none can exceed the sum"),
        ("[0.001,", "[0.05,", "all of them must be finite and above 0"),
    ] {
        let found = refused(from, to);
        assert!(found.contains(message), "{found}");
    }
}
