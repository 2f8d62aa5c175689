//! Other contact libraries on the same meshes and poses, in turns with ours.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use polycontact::contact::{ElementScheme, Method, Workspace, evaluate};
use polycontact::lanes::Width;
use polycontact::mesh::TriangleMesh;

use crate::sampling::{Samples, batch_of, thread_time};
use crate::scenes::{Body, Scene, parameters, write_text};

/// A library that `benches/peers/peers.py` knows, and how its result differs from ours.
struct Peer {
    name: &'static str,
    differs: &'static str,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "drake",
        differs: "compliant volume mesh on rigid mesh: surface with pressures, no friction, damping or sum",
    },
    Peer { name: "coal", differs: "intersecting pairs of triangles only, no areas, depths or forces" },
];

/// Each of ours and theirs takes turns of about this long, in s.
const TURN: f64 = 0.02;

/// Prints the table.
pub fn print(
    python: &Path,
    script: &Path,
    meshes: &Path,
    scenes: &[Scene],
    seconds: f64,
    registers: Width,
) -> Result<(), String> {
    let mut server = Server::start(python, script)?;
    println!("\n## Peers\n");
    println!(
        "Thread times in µs, measured in turns in the same run; ours with method `auto`, scheme `potential`, with"
    );
    println!(
        "friction and damping. Low: 5 % of the calls are faster. A ratio above 1 means that ours is faster. The peers are called from Python;"
    );
    println!("what an empty call takes there is in the table below, and is not taken off.\n");
    println!(
        "| scene | peer | ours, low | median | peer, low | median | ratio of lows | of medians | ours finds | peer finds | how the peer's model differs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut summary = Summary::default();
    for (number, scene) in scenes.iter().enumerate() {
        eprintln!("[{}/{}] {}", number + 1, scenes.len(), scene.name);
        compare(&mut server, meshes, scene, seconds, registers, &mut summary)?;
    }
    summary.print();
    println!("\n| peer | version | empty call from Python, median in µs |");
    println!("|---|---|---|");
    for peer in PEERS {
        let version = server.ask(&format!("version\t{}", peer.name))?;
        let empty = server.times(&format!("overhead\t{}\t2000", peer.name))?;
        println!("| {} | {version} | {:.2} |", peer.name, Samples::new(empty).median());
    }
    Ok(())
}

/// Cells of the short table: by what the sphere is in, and by its size; and the other scenes.
#[derive(Default)]
struct Summary {
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
    others: Vec<String>,
}

impl Summary {
    /// Scenes with spheres are called `sphere SIZE in COUNTERPART, DISTANCE`.
    fn push(&mut self, scene: &str, ours: f64, ratios: &[(&str, f64)]) {
        let number = |ratio: f64| if ratio < 100.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") };
        let cell = |ratios: Vec<String>| format!("{ours:.2} µs: {}", ratios.join(", "));
        let Some((size, row)) = scene.strip_prefix("sphere ").and_then(|rest| rest.split_once(" in ")) else {
            let named = ratios.iter().map(|&(name, ratio)| format!("{name} {}", number(ratio)));
            return self.others.push(format!("| {scene} | {} |", cell(named.collect())));
        };
        let cell = cell(ratios.iter().map(|&(_, ratio)| number(ratio)).collect());
        if !self.columns.iter().any(|column| column == size) {
            self.columns.push(size.to_owned());
        }
        match self.rows.iter_mut().find(|(name, _)| name == row) {
            Some((_, cells)) => cells.push(cell),
            None => self.rows.push((row.to_owned(), vec![cell])),
        }
    }

    fn print(&self) {
        let names: Vec<&str> = PEERS.iter().map(|peer| peer.name).collect();
        println!("\nIn short: median time of ours, and how many times as long {} take.", names.join(" and "));
        if !self.rows.is_empty() {
            println!("\n| sphere in | {} |", self.columns.join(" faces | ") + " faces");
            println!("|---{}|", "|---".repeat(self.columns.len()));
        }
        for (name, cells) in &self.rows {
            println!("| {name} | {} |", cells.join(" | "));
        }
        if !self.others.is_empty() {
            println!("\n| scene | ours and peers |\n|---|---|");
        }
        self.others.iter().for_each(|row| println!("{row}"));
    }
}

fn compare(
    server: &mut Server,
    meshes: &Path,
    scene: &Scene,
    seconds: f64,
    registers: Width,
    summary: &mut Summary,
) -> Result<(), String> {
    let (e, f) = (scene.e.write_obj(meshes)?, scene.f.write_obj(meshes)?);
    // Drake needs a volume mesh.
    let volume = write_volume(&scene.f, meshes)?;
    let peers: Vec<&Peer> = PEERS.iter().filter(|peer| volume.is_some() || peer.name != "drake").collect();
    let volume = volume.unwrap_or_default();
    let mut request = format!("scene\t{}\t{}\t{}", e.display(), f.display(), volume.display());
    let rows = scene.rotation.matrix().transpose();
    for number in scene.position.iter().chain(rows.iter()) {
        let _ = write!(request, "\t{number}");
    }
    server.ask(&request)?;

    let parameters = parameters(Method::Auto, ElementScheme::Potential);
    let mut workspace = Workspace::default();
    let found = evaluate(&scene.e.surface, &scene.f.surface, &parameters, &scene.motion(0), &mut workspace);
    let mut ours = Turns::default();
    let mut call = scene.evaluation(parameters, registers);
    // As for the peers one call at a time, unless it is so short that reading the clock would count.
    let batch = batch_of(&mut call);
    let mut our_turn = |index: usize| -> Result<f64, String> {
        let started = thread_time();
        (0..batch).for_each(|k| call(index * batch + k));
        Ok((thread_time() - started) / batch as f64)
    };
    let mut theirs: Vec<Turns> = peers.iter().map(|_| Turns::default()).collect();
    let rounds = ((seconds / TURN) as usize).max(3);
    for _ in 0..rounds {
        ours.take(|first, count| (first..first + count).map(&mut our_turn).collect())?;
        for (peer, turns) in peers.iter().zip(&mut theirs) {
            turns.take(|first, count| server.times(&format!("time\t{}\t{first}\t{count}", peer.name)))?;
        }
    }
    let ours = ours.samples();
    let mut ratios = Vec::new();
    for (peer, turns) in peers.iter().zip(theirs) {
        let samples = turns.samples();
        ratios.push((peer.name, samples.median() / ours.median()));
        println!(
            "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1} | {} elements | {} | {} |",
            scene.name,
            peer.name,
            ours.low(),
            ours.median(),
            samples.low(),
            samples.median(),
            samples.low() / ours.low(),
            samples.median() / ours.median(),
            found.element_count,
            server.ask(&format!("result\t{}", peer.name))?,
            peer.differs
        );
    }
    summary.push(&scene.name, ours.median(), &ratios);
    Ok(())
}

/// Turns of one library.
struct Turns {
    index: usize,
    /// Calls per turn; the first turn is one call.
    count: usize,
    times: Vec<f64>,
}

impl Default for Turns {
    fn default() -> Self {
        Turns { index: 0, count: 1, times: Vec::new() }
    }
}

impl Turns {
    fn take(&mut self, time: impl FnOnce(usize, usize) -> Result<Vec<f64>, String>) -> Result<(), String> {
        let times = time(self.index, self.count)?;
        self.index += self.count;
        let quickest = times.iter().copied().fold(f64::INFINITY, f64::min);
        // The first calls of a turn are cold, unless there is nothing else.
        let cold = if 10 < times.len() { times.len() / 10 } else { 0 };
        if self.count != 1 || TURN < quickest {
            self.times.extend_from_slice(&times[cold..]);
        }
        self.count = ((TURN / quickest) as usize).clamp(2, 5000);
        Ok(())
    }

    fn samples(self) -> Samples {
        Samples::new(self.times)
    }
}

/// A tetrahedron with less volume than this part of the cube around the body has none.
const FLAT: f64 = 1e-12;

/// The volume mesh for Drake: tetrahedra between the faces of a body that is star-shaped about its origin and that
/// origin, as legacy VTK; none for other bodies.
fn write_volume(body: &Body, folder: &Path) -> Result<Option<PathBuf>, String> {
    let TriangleMesh { vertices, faces } = body.surface.mesh();
    let size = vertices.iter().map(|vertex| vertex.amax()).fold(0.0, f64::max);
    let is_star = faces.iter().all(|face| {
        let [a, b, c] = face.map(|vertex| vertices[vertex.index()]);
        FLAT * size.powi(3) < a.dot(&b.cross(&c))
    });
    if !is_star {
        return Ok(None);
    }
    let mut text = "# vtk DataFile Version 3.0\nstar about the origin\nASCII\nDATASET UNSTRUCTURED_GRID\n".to_owned();
    let _ = writeln!(text, "POINTS {} double", vertices.len() + 1);
    for vertex in vertices {
        let _ = writeln!(text, "{} {} {}", vertex.x, vertex.y, vertex.z);
    }
    let _ = writeln!(text, "0 0 0\nCELLS {} {}", faces.len(), 5 * faces.len());
    for [a, b, c] in faces {
        let _ = writeln!(text, "4 {} {} {} {}", vertices.len(), a.0, b.0, c.0);
    }
    let _ = writeln!(text, "CELL_TYPES {}", faces.len());
    text += &"10\n".repeat(faces.len());
    let path = folder.join(format!("{}.vtk", body.name));
    write_text(&path, &text)?;
    Ok(Some(path))
}

/// The Python process; it ends with its input.
struct Server {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Server {
    fn start(python: &Path, script: &Path) -> Result<Self, String> {
        let started = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| format!("cannot start `{}`: {error}", python.display()))?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take());
        let answers = BufReader::new(answers.ok_or("no output of the peers")?);
        Ok(Server { child, requests, answers })
    }

    fn ask(&mut self, request: &str) -> Result<String, String> {
        let requests = self.requests.as_mut().ok_or("the peers have ended")?;
        writeln!(requests, "{request}").and_then(|()| requests.flush()).map_err(|error| format!("peers: {error}"))?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(|error| format!("peers: {error}"))?;
        match answer.split_once(' ') {
            Some(("ok", rest)) => Ok(rest.trim().to_owned()),
            _ => Err(format!("the peers answer `{}` to `{request}`", answer.trim())),
        }
    }

    /// Times in s.
    fn times(&mut self, request: &str) -> Result<Vec<f64>, String> {
        let answer = self.ask(request)?;
        let times = answer.split(' ').map(|word| word.parse::<f64>().map(|nanoseconds| 1e-9 * nanoseconds));
        times.collect::<Result<_, _>>().map_err(|error| format!("peers: {error} in `{answer}`"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
