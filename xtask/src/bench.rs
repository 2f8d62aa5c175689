//! `cargo xtask bench`: the benchmarks, with tables in Markdown.

mod instructions;

use std::fs;
use std::path::Path;
use std::process::Command;

use polycontact_packaging::package::unpack;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec, nearest};
use crate::library::kit;
use crate::package::package;
use crate::project::{cargo, default_configuration, output, root, run as run_program, target};
use crate::python::{python, venv};

pub const VERB: Verb = Verb {
    name: "bench",
    summary: "measures time per evaluation, derivatives, growth, start-up, the FMI path; compares with other libraries",
    usage: "
Usage: cargo xtask bench [--quick] [--registers WIDTH] [--peers | --instructions | --only TABLE] [WORD…]

  --quick          short measurements with the two smaller sizes of mesh: to see that all works
  --peers          compares with Drake (hydroelastic contact) and coal, which are installed below
                   `target/python`; takes some minutes
  --instructions   counts instructions per evaluation with valgrind instead of measuring times:
                   the same on a busy machine
  --only TABLE     only one table: evaluations, derivatives, bristles, growth, threads, flexible, start-up or fmi
  --registers WIDTH
                   holds the evaluations to narrower vector registers than the processor has: portable,
                   avx2 or avx512; not those of the FMI path
  WORD             only scenes whose name contains all words, such as `bench 5120 sphere '5 mm'`;
                   growth, start-up and the FMI path are left out then

Spheres of 1280 to 81920 faces in a box of 12 faces, a box of 24576 faces and an equal sphere; 5 mm and
1 mm deep, 0.1 mm and 50 mm clear. Parts of machines: gears of 20 and 30 teeth, gears of about 20000 faces each, a peg
in a hole, a pin in a bush, hooks, fingers of a gripper; `bench gear`, `bench finger` and so on choose them. Tables go
to standard output, progress to standard error. Machines are shared and noisy: compare figures of one run, which are
measured in turns.",
    run,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "--quick", takes_value: false },
    OptionSpec { name: "--peers", takes_value: false },
    OptionSpec { name: "--instructions", takes_value: false },
    OptionSpec { name: "--only", takes_value: true },
    OptionSpec { name: "--registers", takes_value: true },
];

/// What to measure.
#[derive(Debug, PartialEq)]
struct Request {
    is_quick: bool,
    registers: Option<String>,
    kind: Kind,
    words: Vec<String>,
}

#[derive(Debug, PartialEq)]
enum Kind {
    /// One table or all.
    Times(Option<String>),
    Peers,
    Instructions,
}

const TABLES: [&str; 8] =
    ["evaluations", "derivatives", "bristles", "growth", "threads", "flexible", "start-up", "fmi"];

const WIDTHS: [&str; 3] = ["portable", "avx2", "avx512"];

impl Request {
    fn parse(words: &[String]) -> Result<Self, String> {
        let arguments = Arguments::parse(words, OPTIONS)?;
        let only = arguments.value("--only").map(str::to_owned);
        if let Some(table) = only.as_deref().filter(|table| !TABLES.contains(table)) {
            return Err(format!("there is no table `{table}`{}", nearest(table, TABLES.into_iter())));
        }
        let kind = match (arguments.has("--peers"), arguments.has("--instructions"), only) {
            (false, false, only) => Kind::Times(only),
            (true, false, None) => Kind::Peers,
            (false, true, None) => Kind::Instructions,
            _ => return Err("`--peers`, `--instructions` and `--only` exclude each other".to_owned()),
        };
        let registers = arguments.value("--registers").map(str::to_owned);
        if let Some(width) = registers.as_deref().filter(|width| !WIDTHS.contains(width)) {
            return Err(format!("there are no registers `{width}`{}", nearest(width, WIDTHS.into_iter())));
        }
        Ok(Request { is_quick: arguments.has("--quick"), registers, kind, words: arguments.free })
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let request = Request::parse(words)?;
    let folder = target().join("bench");
    let meshes = folder.join("meshes");
    let mut arguments: Vec<String> = request.is_quick.then(|| "--quick".to_owned()).into_iter().collect();
    arguments.extend(request.registers.into_iter().flat_map(|width| ["--registers".to_owned(), width]));
    match request.kind {
        Kind::Instructions => return instructions::print(&arguments, &request.words),
        Kind::Peers => {
            let peers = venv("peers", Path::new("xtask/python/peers.txt"))?;
            let script = root().join("benches/peers/peers.py");
            arguments.extend(["--python".to_owned(), text(&python(&peers))?, "--peers".to_owned(), text(&script)?]);
        }
        Kind::Times(only) => {
            if only.as_deref().map_or(request.words.is_empty(), |table| ["fmi", "derivatives"].contains(&table)) {
                let fmu = package(&default_configuration(), Some(&folder.join("bench.fmu")), &kit)?;
                let unpacked = folder.join("fmu");
                let library = unpack(&fmu, &unpacked)?;
                arguments.extend(["--fmu".to_owned(), text(&unpacked)?, "--library".to_owned(), text(&library)?]);
            }
            arguments.extend(only.into_iter().flat_map(|table| ["--only".to_owned(), table]));
        }
    }
    arguments.extend(["--meshes".to_owned(), text(&meshes)?]);
    println!("{}\n", machine());
    run_program(cargo().args(BENCH).arg("--").args(arguments).args(request.words))
}

/// How Cargo builds the benchmarks.
const BENCH: [&str; 5] = ["bench", "--package", "polycontact", "--bench", "evaluate"];

fn text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| format!("the path `{}` is not UTF-8", path.display()))
}

/// Processor, number of cores, load and compiler, on one line.
fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpu_info = read("/proc/cpuinfo");
    let model = cpu_info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned();
    let compiler = output(Command::new("rustc").arg("--version")).unwrap_or_default();
    format!("Machine: {model}, {cores} cores, load {load} at the start; {}.", compiler.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, String> {
        Request::parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_and_words_mix() {
        let request = parse("5120 --quick sphere").unwrap();
        assert_eq!(
            request,
            Request {
                is_quick: true,
                registers: None,
                kind: Kind::Times(None),
                words: vec!["5120".into(), "sphere".into()],
            }
        );
        assert_eq!(parse("--only start-up").unwrap().kind, Kind::Times(Some("start-up".into())));
        assert_eq!(parse("--peers").unwrap().kind, Kind::Peers);
        assert_eq!(parse("--instructions").unwrap().kind, Kind::Instructions);
    }

    #[test]
    fn what_cannot_be_measured_together_is_refused() {
        assert!(parse("--peers --instructions").unwrap_err().contains("exclude each other"));
        assert!(parse("--only growth --peers").unwrap_err().contains("exclude each other"));
        assert_eq!(parse("--only grwth").unwrap_err(), "there is no table `grwth`; did you mean `growth`?");
        assert_eq!(parse("--registers avx2").unwrap().registers.as_deref(), Some("avx2"));
        assert_eq!(parse("--registers avx1").unwrap_err(), "there are no registers `avx1`; did you mean `avx2`?");
        assert_eq!(parse("--quik").unwrap_err(), "unknown option `--quik`; did you mean `--quick`?");
    }

    #[test]
    fn machine_is_one_line() {
        let machine = machine();
        assert!(machine.starts_with("Machine: ") && !machine.contains('\n'), "{machine}");
    }
}
