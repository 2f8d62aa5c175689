//! The benchmarks; `cargo xtask bench` runs them.
//!
//! Times are those of the calling thread, of calls that alternate: compare ratios within one run.

mod bristles;
mod counting_allocator;
mod derivatives;
mod evaluation_table;
mod flexible;
mod fmi_library;
mod fmi_path;
mod growth;
mod machine_scenes;
mod peers;
mod sampling;
mod scenes;
mod start_up;
mod threads;

use std::path::PathBuf;
use std::process::ExitCode;

use polycontact::contact::{ElementScheme, Method};
use polycontact::lanes::Width;
use scenes::{Scene, parameters, scenes};

/// Subdivisions of the icosahedron: 1280, 5120, 20480 and 81920 faces.
const SIZES: [u32; 4] = [3, 4, 5, 6];

/// What the command line asks for.
#[derive(Default)]
struct Request {
    is_quick: bool,
    /// Folder for mesh files.
    meshes: PathBuf,
    /// Folder of an unpacked FMU, and its library.
    fmu: Option<PathBuf>,
    library: Option<PathBuf>,
    /// Interpreter and script of the peers; nothing else is measured then.
    peers: Option<(PathBuf, PathBuf)>,
    /// Evaluate the one selected scene this often and print nothing: for counting instructions.
    calls: Option<usize>,
    /// Only this table.
    only: Option<String>,
    /// Print the names of the selected scenes.
    names: bool,
    /// The widest vector registers.
    registers: Width,
    words: Vec<String>,
}

fn main() -> ExitCode {
    match parse().and_then(|request| run(&request)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Result<Request, String> {
    let mut request = Request::default();
    let mut words = std::env::args().skip(1);
    let mut python = None;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            // `cargo bench` says so.
            "--bench" => {}
            "--quick" => request.is_quick = true,
            "--names" => request.names = true,
            "--meshes" => request.meshes = value()?.into(),
            "--fmu" => request.fmu = Some(value()?.into()),
            "--library" => request.library = Some(value()?.into()),
            "--only" => request.only = Some(value()?),
            "--registers" => request.registers = width_of(&value()?)?,
            "--python" => python = Some(PathBuf::from(value()?)),
            "--peers" => {
                let script = value()?.into();
                request.peers = Some((python.take().ok_or("`--python` comes before `--peers`")?, script));
            }
            "--calls" => request.calls = Some(value()?.parse().map_err(|_| "`--calls` needs a number")?),
            _ if word.starts_with("--") => return Err(format!("unknown option `{word}`")),
            _ => request.words.push(word),
        }
    }
    Ok(request)
}

fn width_of(name: &str) -> Result<Width, String> {
    match name {
        "portable" => Ok(Width::Portable),
        "avx2" => Ok(Width::Avx2),
        "avx512" => Ok(Width::Avx512),
        _ => Err(format!("there are no registers `{name}`, but portable, avx2 and avx512")),
    }
}

fn run(request: &Request) -> Result<(), String> {
    let sizes = if request.is_quick { &SIZES[..2] } else { &SIZES };
    let scenes = scenes(sizes, &request.words);
    if scenes.is_empty() {
        return Err(format!("no scene contains all of: {}", request.words.join(", ")));
    }
    if request.names {
        scenes.iter().for_each(|scene| println!("{}", scene.name));
        return Ok(());
    }
    if let Some(calls) = request.calls {
        return count_calls(&scenes, calls, request.registers);
    }
    let seconds = if request.is_quick { 0.03 } else { 0.15 };
    if let Some((python, script)) = &request.peers {
        return peers::print(python, script, &request.meshes, &scenes, 5.0 * seconds, request.registers);
    }
    println!("# Benchmarks\n");
    println!("Sphere of radius 0.1 m, friction 0.3, moving by about 1 µm from call to call. The sphere, and the first");
    println!("part that is named, are soft, their counterparts rigid.");
    println!("Times are those of the calling thread, of calls that take turns.");
    // Words are for looking at a few scenes closely.
    let by_default = |name: &str| request.words.is_empty() || name == "evaluations";
    let wants = |name: &str| request.only.as_deref().map_or_else(|| by_default(name), |only| only == name);
    if wants("evaluations") {
        evaluation_table::print(&scenes, seconds, request.registers);
    }
    if wants("derivatives") {
        derivatives::print(&scenes, seconds, request.registers);
    }
    if wants("bristles") {
        bristles::print(seconds, request.registers);
    }
    if wants("growth") {
        growth::print(seconds, request.is_quick, request.registers);
    }
    if wants("threads") {
        threads::print(10.0 * seconds, request.is_quick, request.registers);
    }
    if wants("flexible") {
        flexible::print(seconds, request.registers)?;
    }
    if wants("start-up") {
        start_up::print(request.is_quick);
    }
    if let (Some(fmu), Some(library)) = (&request.fmu, &request.library) {
        // The interface costs the same in every scene: spheres of the smallest and the next size do.
        let is_small = |scene: &Scene| scene.name.starts_with("sphere") && scene.f.faces() <= 5120;
        let small: Vec<Scene> = scenes.into_iter().filter(is_small).collect();
        if wants("derivatives") {
            derivatives::print_fmi(fmu, library, &request.meshes, &small, seconds)?;
        }
        if wants("fmi") {
            fmi_path::print(fmu, library, &request.meshes, &small, seconds)?;
        }
    }
    Ok(())
}

/// Evaluates one scene this often, after a warm-up; the difference of two runs is the cost of the calls.
fn count_calls(scenes: &[Scene], calls: usize, registers: Width) -> Result<(), String> {
    let [scene] = scenes else {
        return Err(format!("{} scenes have these words in their names; one is needed", scenes.len()));
    };
    let mut call = scene.evaluation(parameters(Method::Auto, ElementScheme::Potential), registers);
    (0..3 + calls).for_each(&mut call);
    Ok(())
}
