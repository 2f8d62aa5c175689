//! Set inputs, step, get outputs through the C interface of the packaged library, against the bare evaluation.

use std::ffi::CString;
use std::path::Path;
use std::time::Instant;

use polycontact::contact::{ContactParameters, RelativeMotion};
use polycontact::fmu::{VariableTable, contact_variables, guid_of_folder};
use polycontact::lanes::Width;

use crate::fmi_library::{FmiInstance, FmiLibrary};
use crate::sampling::{Call, alternate};
use crate::scenes::Scene;

/// Communication step in s.
const STEP: f64 = 1e-5;

/// Prints the table. `fmu` is the folder of an unpacked FMU with inputs as a matrix, `library` its library, and
/// `meshes` a folder for mesh files.
pub fn print(fmu: &Path, library: &Path, meshes: &Path, scenes: &[Scene], seconds: f64) -> Result<(), String> {
    println!("\n## FMI path\n");
    println!("18 inputs set, one step, the 12 components of both wrenches (or all Real outputs) read, through");
    println!("`fmi2SetReal`, `fmi2DoStep` and `fmi2GetReal` of the packaged library. Times in µs; method and");
    println!("scheme as in the FMU. The overhead is the difference to the bare evaluation in the same run.\n");
    println!(
        "| scene | bare, low | median | FMI wrenches, low | median | overhead, low | median | FMI all outputs, median | overhead, median |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let library = FmiLibrary::load(library)?;
    let resources = fmu.join("resources");
    let (configuration, guid) = guid_of_folder(&resources).map_err(|error| error.to_string())?;
    let table = contact_variables(&configuration);
    let parameters = ContactParameters::new(&configuration.parameters).map_err(|error| error.to_string())?;
    let guid = c_text(guid)?;
    let location = c_text(format!("file://{}", resources.display()))?;
    let inputs = references(&table, INPUTS);
    let wrenches = references(&table, &["forceOnE", "torqueOnE", "forceOnF", "torqueOnF"]);
    let all = real_outputs(&table);
    let mut second_instance = None;
    for scene in scenes {
        eprintln!("FMI path: {}", scene.name);
        let strings = surface_files(&table, scene, meshes)?;
        let started = Instant::now();
        let first = FmiInstance::new(&library, &guid, &location, &strings)?;
        let first_time = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let second = FmiInstance::new(&library, &guid, &location, &strings)?;
        second_instance = Some((scene, first_time, started.elapsed().as_secs_f64()));
        let mut calls: Vec<Call> = vec![
            Box::new(scene.evaluation(parameters, Width::default())),
            Box::new(stepping(scene, &first, &inputs, &wrenches)),
            Box::new(stepping(scene, &second, &inputs, &all)),
        ];
        let samples = alternate(&mut calls, seconds);
        println!(
            "| {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            scene.name,
            samples[0].low(),
            samples[0].median(),
            samples[1].low(),
            samples[1].median(),
            samples[1].low() - samples[0].low(),
            samples[1].median() - samples[0].median(),
            samples[2].median(),
            samples[2].median() - samples[0].median()
        );
    }
    if let Some((scene, first, second)) = second_instance {
        println!(
            "\nInstantiation and initialization with the meshes of \"{}\": {:.1} ms for the first instance, {:.1} ms \
             for a second one, which shares the surfaces.",
            scene.name,
            1e3 * first,
            1e3 * second
        );
    }
    Ok(())
}

/// Names of the inputs, without indices.
pub const INPUTS: &[&str] = &["relativePosition", "relativeOrientation", "relativeVelocity", "relativeAngularVelocity"];

fn stepping<'a>(
    scene: &'a Scene,
    instance: &'a FmiInstance,
    inputs: &'a [u32],
    outputs: &'a [u32],
) -> impl FnMut(usize) + 'a {
    let numbers: Vec<[f64; 18]> = scene.motions().iter().map(input_values).collect();
    let mut values = vec![0.0; outputs.len()];
    let mut time = 0.0;
    move |index| {
        instance.step((inputs, &numbers[index % numbers.len()]), time, STEP, (outputs, &mut values));
        time += STEP;
    }
}

/// Position, orientation row by row, velocity, angular velocity.
pub fn input_values(motion: &RelativeMotion) -> [f64; 18] {
    let pose = motion.pose_ef();
    let mut numbers = [0.0; 18];
    numbers[..3].copy_from_slice(pose.translation.vector.as_slice());
    numbers[3..12].copy_from_slice(pose.rotation.matrix().transpose().as_slice());
    numbers[12..15].copy_from_slice(motion.velocity_e().as_slice());
    numbers[15..].copy_from_slice(motion.angular_velocity_e().as_slice());
    numbers
}

/// Value references of variables by the part of the name before the indices, in the order of the table.
pub fn references(table: &VariableTable, names: &[&str]) -> Vec<u32> {
    let mut found = Vec::new();
    for name in names {
        let variables = table.variables().iter().enumerate();
        found.extend(variables.filter_map(|(reference, variable)| {
            (variable.name.split('[').next() == Some(*name)).then_some(reference as u32)
        }));
    }
    found
}

fn real_outputs(table: &VariableTable) -> Vec<u32> {
    use polycontact::fmu::{Causality, Kind};
    let variables = table.variables().iter().enumerate();
    variables
        .filter(|(_, variable)| variable.causality == Causality::Output && matches!(variable.kind, Kind::Real { .. }))
        .map(|(reference, _)| reference as u32)
        .collect()
}

/// The meshes of a scene as files, for the String parameters of the FMU.
pub fn surface_files(table: &VariableTable, scene: &Scene, meshes: &Path) -> Result<Vec<(u32, CString)>, String> {
    let files = [("surfaceE.file", &scene.e), ("surfaceF.file", &scene.f)];
    let mut strings = Vec::new();
    for (name, body) in files {
        let path = body.write_obj(meshes)?;
        strings.push((references(table, &[name])[0], c_text(path.display().to_string())?));
    }
    Ok(strings)
}

/// As C wants it.
pub fn c_text(text: String) -> Result<CString, String> {
    CString::new(text).map_err(|error| error.to_string())
}
