//! What derivatives cost: in the library beside the bare evaluation, and column by column through the C interface.

use std::hint::black_box;
use std::path::Path;

use polycontact::contact::{
    ContactParameters, ElementScheme, Method, Workspace, evaluate_with_all_derivatives, evaluate_with_derivatives,
};
use polycontact::fmu::{contact_variables, guid_of_folder};
use polycontact::lanes::Width;

use crate::fmi_library::{FmiInstance, FmiLibrary};
use crate::fmi_path::{INPUTS, c_text, input_values, references, surface_files};
use crate::sampling::{Call, alternate};
use crate::scenes::{Scene, parameters};

/// Columns by the motion: pose and velocity.
const BY_MOTION: f64 = 12.0;

/// With those by the numbers of the law.
const ALL_COLUMNS: f64 = 18.0;

/// Prints the table of the library.
pub fn print(scenes: &[Scene], seconds: f64, registers: Width) {
    println!("\n## Derivatives\n");
    println!(
        "Method `auto`, scheme `potential`; low times in µs. By the motion: of wrenches, energy, area, power, centre of"
    );
    println!(
        "pressure and mean stresses by pose and velocity, 12 columns. All: of velocities and extremes too, and by the 6"
    );
    println!("numbers of the law. A central difference takes two evaluations per column.\n");
    println!("| scene | evaluation | by the motion | times | per column | all | times | per column |");
    println!("|---|---|---|---|---|---|---|---|");
    for scene in scenes.iter().filter(|scene| 0.0 < scene.overlap) {
        eprintln!("derivatives: {}", scene.name);
        let parameters = parameters(Method::Auto, ElementScheme::Potential);
        let (e, f, motions) = (&scene.e.surface, &scene.f.surface, scene.motions());
        let mut workspaces: [Workspace; 2] = Default::default();
        workspaces.iter_mut().for_each(|workspace| workspace.registers = registers);
        let [first, second] = &mut workspaces;
        let mut calls: Vec<Call> = vec![
            Box::new(scene.evaluation(parameters, registers)),
            Box::new(|index| {
                let motion = &motions[index % motions.len()];
                black_box(evaluate_with_derivatives(e, f, &parameters, motion, first));
            }),
            Box::new(|index| {
                let motion = &motions[index % motions.len()];
                black_box(evaluate_with_all_derivatives(e, f, &parameters, motion, second));
            }),
        ];
        let samples = alternate(&mut calls, seconds);
        let [bare, by_motion, all] = [0, 1, 2].map(|call| samples[call].low());
        println!(
            "| {} | {bare:.2} | {by_motion:.2} | {:.2} | {:.3} | {all:.2} | {:.2} | {:.3} |",
            scene.name,
            by_motion / bare,
            (by_motion - bare) / BY_MOTION,
            all / bare,
            (all - bare) / ALL_COLUMNS,
        );
    }
}

/// Prints the table of the packaged library: `fmu` is the folder of an unpacked FMU with inputs as a matrix.
pub fn print_fmi(fmu: &Path, library: &Path, meshes: &Path, scenes: &[Scene], seconds: f64) -> Result<(), String> {
    println!("\n### Through the C interface\n");
    println!("18 inputs set, then the 12 components of both wrenches by each of the 18 inputs, one column per call of");
    println!("`fmi2GetDirectionalDerivative`. Low times in µs; method and scheme as in the FMU.\n");
    println!("| scene | bare evaluation | 18 columns | times | per column |");
    println!("|---|---|---|---|---|");
    let library = FmiLibrary::load(library)?;
    let resources = fmu.join("resources");
    let (configuration, guid) = guid_of_folder(&resources).map_err(|error| error.to_string())?;
    let table = contact_variables(&configuration);
    let parameters = ContactParameters::new(&configuration.parameters).map_err(|error| error.to_string())?;
    let (guid, location) = (c_text(guid)?, c_text(format!("file://{}", resources.display()))?);
    let inputs = references(&table, INPUTS);
    let wrenches = references(&table, &["forceOnE", "torqueOnE", "forceOnF", "torqueOnF"]);
    for scene in scenes.iter().filter(|scene| 0.0 < scene.overlap) {
        let instance = FmiInstance::new(&library, &guid, &location, &surface_files(&table, scene, meshes)?)?;
        let numbers: Vec<[f64; 18]> = scene.motions().iter().map(input_values).collect();
        let mut column = vec![0.0; wrenches.len()];
        let mut calls: Vec<Call> = vec![
            Box::new(scene.evaluation(parameters, Width::default())),
            Box::new(|index| {
                instance.set(&inputs, &numbers[index % numbers.len()]);
                inputs.iter().for_each(|input| instance.derivatives(&wrenches, *input, &mut column));
            }),
        ];
        let samples = alternate(&mut calls, seconds);
        let [bare, all] = [0, 1].map(|call| samples[call].low());
        let per_column = all / inputs.len() as f64;
        println!("| {} | {bare:.2} | {all:.2} | {:.2} | {per_column:.3} |", scene.name, all / bare);
    }
    Ok(())
}
