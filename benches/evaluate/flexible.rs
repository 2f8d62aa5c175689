//! What flexible bodies cost, beside the rigid element.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use polycontact::contact::{ElementScheme, Method, RelativeMotion};
use polycontact::flexible::{
    BodyModel, FlexibleBody, FlexiblePair, FlexibleParameters, PairState, RawFlexibleParameters, Workspace,
};
use polycontact::lanes::Width;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::cuboid;

use crate::sampling::{Call, alternate};
use crate::scenes::{self, BOX, in_box, parameters};

/// The ball is pressed so far into the rod, in m: the depth at the peak of an impact of 0.3 m/s.
const DEPTH: f64 = 1.3e-5;

/// Internal steps per timed step.
const INTERNAL_STEPS: f64 = 4.0;

/// Prints the table; bodies that `cargo xtask validate flexible` has made are measured too.
pub fn print(seconds: f64, registers: Width) -> Result<(), String> {
    println!("\n## Flexible bodies\n");
    println!(
        "Ball pressed {:.0} µm into the end of a rod, quasi-static, default parameters; low times in µs. The rigid \
         element beside it: sphere of 5120 faces, 1 mm deep in a box of 12 faces, `auto`, `potential`.\n",
        DEPTH * 1e6
    );
    println!(
        "| bodies | contact nodes | modes | nodes in contact | iterations | evaluation | internal step in contact | apart | rigid element | factor |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = root.join("examples/ball-on-rod");
    print_row("example", [example.join("rod.npz"), example.join("ball.npz")], seconds, registers)?;
    let fine = ["rod-fine.npz", "ball-fine.npz"].map(|name| root.join("target/flexible").join(name));
    if fine.iter().all(|path| path.exists()) {
        print_row("fine", fine, seconds, registers)?;
    }
    Ok(())
}

fn print_row(name: &str, paths: [PathBuf; 2], seconds: f64, registers: Width) -> Result<(), String> {
    let [rod, ball] = paths.map(|path| FlexibleBody::read(&path).map_err(|error| error.to_string()));
    let (rod, ball) = (rod?, ball?);
    let count = |rod: usize, ball: usize| format!("{rod} + {ball}");
    let nodes = count(rod.model().contact_nodes.len(), ball.model().contact_nodes.len());
    let modes = count(rod.mode_count(), ball.mode_count());
    let touching = ball.model().centre_of_mass - rod.model().centre_of_mass;
    let at = |depth: f64| {
        let position = touching - Vector::z() * depth;
        RelativeMotion::at_rest(Pose::from_parts(position.into(), Rotation::identity()))
    };
    let pair =
        FlexiblePair::new(BodyModel::Flexible(rod), BodyModel::Flexible(ball)).map_err(|error| error.to_string())?;
    let parameters_flexible =
        FlexibleParameters::new(&RawFlexibleParameters::default()).map_err(|error| error.to_string())?;
    let step = INTERNAL_STEPS * parameters_flexible.internal_step();
    let advance = |depth: f64, state: &mut PairState, workspace: &mut Workspace| {
        pair.advance(&parameters_flexible, &|_| Ok(at(depth)), step, state, workspace)
            .map_err(|error| error.to_string())
    };
    // Warm, as in the middle of an impact.
    let mut workspace = Workspace::default();
    let mut state = pair.initial_state();
    advance(0.97 * DEPTH, &mut state, &mut workspace)?;
    let state = state;
    let outcome = pair.evaluate(&parameters_flexible, &at(DEPTH), &state, &mut workspace);
    let outcome = outcome.map_err(|error| error.to_string())?;

    let rigid = in_box(&scenes::Body::new("box", cuboid(Vector::from(BOX))), &scenes::Body::sphere(4), 1e-3);
    let rigid = Rc::new(rigid);
    let mut workspaces: [Workspace; 3] = Default::default();
    let [first, second, third] = &mut workspaces;
    let mut calls: Vec<Call> = vec![
        Box::new(|_| {
            let _ = pair.evaluate(&parameters_flexible, &at(DEPTH), &state, first);
        }),
        Box::new(|_| {
            let _ = advance(DEPTH, &mut state.clone(), second);
        }),
        Box::new(|_| {
            let _ = advance(-1e-2, &mut state.clone(), third);
        }),
        Box::new(rigid.evaluation(parameters(Method::Auto, ElementScheme::Potential), registers)),
    ];
    let samples = alternate(&mut calls, seconds);
    let [evaluation, touching, apart, rigid] = [0, 1, 2, 3].map(|call| samples[call].low());
    println!(
        "| {name} | {nodes} | {modes} | {} | {} | {evaluation:.0} | {:.0} | {:.1} | {rigid:.1} | {:.0} |",
        outcome.contact_count,
        outcome.iterations,
        touching / INTERNAL_STEPS,
        apart / INTERNAL_STEPS,
        evaluation / rigid
    );
    Ok(())
}
