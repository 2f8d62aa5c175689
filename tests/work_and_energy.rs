//! The work of the contact wrench along any path of poses is the change of the elastic energy.
//!
//! `cargo test --test contact work_and_energy:: -- --nocapture` prints the table; POLYCONTACT_POSES is the number of paths.

use crate::support::poses::pose_at_depth;
use crate::support::random::{Random, pose_count};
use crate::support::{assert_close, at_rest, checked, elastic_raw, surface, translation};
use polycontact::contact::{
    ContactParameters, ContactSurface, Method, Outcome, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{
    bush, chain_link, comb, cuboid, filleted_bar, gear, icosphere, l_profile, latch_hook, moved, regular_prism,
    subdivided_cuboid, torus, u_profile,
};

/// Work and energy may differ by this part of the largest energy on the path.
const TOLERANCE: f64 = 1e-9;

/// Of these pairs, which are convex, the energy is exact at every depth of the paths. So is that of the filleted bar, but for
/// what is too small for a cut around its 0.5 mm fillets.
const EXACT: [&str; 4] = ["sphere – sphere", "box – box", "cylinder – box", "sheet – box"];

/// What work and energy may differ by on the others, which have inner edges: next to these ends of ways are curved surfaces,
/// and there is a quadrature. The worst of 12 paths of each pair with each law was 3e-6.
const INNER_TOLERANCE: f64 = 1e-5;

/// Error of the quadrature per segment, over the largest energy on the path.
const QUADRATURE: f64 = 1e-12;

/// Halvings of a segment at most: a kink lies somewhere in the last one.
const LEVELS: usize = 16;

/// Points and weights of Gauss and Legendre's rule of order 10 on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// A smooth path of F in the frame of E for times from 0 to 1: there, aside, and turning all the way.
struct Path<'a> {
    e: &'a ContactSurface,
    f: &'a ContactSurface,
    parameters: ContactParameters,
    start: Pose,
    /// Position is a cubic polynomial of the time.
    coefficients: [Vector; 3],
    /// Rotation vector of the whole path, in E.
    turn: Vector,
    workspace: Workspace,
    evaluations: usize,
}

impl Path<'_> {
    fn pose(&self, time: f64) -> Pose {
        let [a, b, c] = self.coefficients;
        let position = self.start.translation.vector + a * time + b * time.powi(2) + c * time.powi(3);
        Pose::from_parts(position.into(), Rotation::new(self.turn * time) * self.start.rotation)
    }

    fn outcome(&mut self, time: f64, without_energy: bool) -> Outcome {
        let motion = RelativeMotion::at_rest(self.pose(time));
        self.workspace.without_energy = without_energy;
        self.evaluations += 1;
        evaluate(self.e, self.f, &self.parameters, &motion, &mut self.workspace)
    }

    fn energy(&mut self, time: f64) -> f64 {
        self.outcome(time, false).elastic_energy
    }

    /// Power of the wrench on F, per time of the path.
    fn power(&mut self, time: f64) -> f64 {
        let [a, b, c] = self.coefficients;
        let velocity = a + 2.0 * b * time + 3.0 * c * time.powi(2);
        let (rotation, on_f) = (self.pose(time).rotation, self.outcome(time, true).wrenches.on_f);
        (rotation * on_f.force).dot(&velocity) + (rotation * on_f.torque).dot(&self.turn)
    }

    fn gauss(&mut self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        GAUSS.iter().map(|(at, weight)| half * weight * self.power(middle + half * at)).sum()
    }

    /// Work of the wrench on F, halving segments until both halves agree with the whole.
    fn work(&mut self, from: f64, to: f64, whole: f64, tolerance: f64, levels: usize) -> f64 {
        let middle = 0.5 * (from + to);
        let halves = [self.gauss(from, middle), self.gauss(middle, to)];
        if levels == 0 || (halves[0] + halves[1] - whole).abs() <= tolerance {
            return halves[0] + halves[1];
        }
        self.work(from, middle, halves[0], tolerance, levels - 1)
            + self.work(middle, to, halves[1], tolerance, levels - 1)
    }
}

/// A random path of some centimetres and degrees.
fn random_path<'a>([e, f]: [&'a ContactSurface; 2], raw: &RawParameters, start: Pose, random: &mut Random) -> Path<'a> {
    Path {
        e,
        f,
        parameters: checked(raw),
        start,
        coefficients: [0.01, 0.01, 0.008].map(|size| random.direction() * size),
        turn: random.direction() * random.between(0.05, 0.3),
        workspace: Workspace::default(),
        evaluations: 0,
    }
}

/// The largest |work + change of energy| since the start over the largest energy on the path, and the number of evaluations.
fn imbalance(path: &mut Path) -> (f64, usize) {
    const SEGMENTS: usize = 8;
    let times = |i: usize| i as f64 / SEGMENTS as f64;
    let energies: Vec<f64> = (0..=SEGMENTS).map(|i| path.energy(times(i))).collect();
    let swing = energies.iter().fold(0.0, |swing: f64, energy| swing.max(energy.abs()));
    let (mut work, mut worst): (f64, f64) = (0.0, 0.0);
    for i in 0..SEGMENTS {
        let whole = path.gauss(times(i), times(i + 1));
        work += path.work(times(i), times(i + 1), whole, QUADRATURE * swing, LEVELS);
        worst = worst.max((work + energies[i + 1] - energies[0]).abs() / swing);
    }
    (worst, path.evaluations)
}

/// Prints what random paths of a pair show, and returns the worst.
fn worst_imbalance(name: &str, meshes: [&TriangleMesh; 2], raw: &RawParameters) -> f64 {
    let [e, f] = meshes.map(|mesh| surface(mesh.clone()));
    let mut random = Random::new(17);
    let (mut worst, mut evaluations): (f64, usize) = (0.0, 0);
    let count = pose_count(1);
    for _ in 0..count {
        let depth = random.between(0.004, 0.012);
        let start = pose_at_depth(&e, &f, depth, &mut random);
        let mut path = random_path([&e, &f], raw, start, &mut random);
        let (imbalance, count) = imbalance(&mut path);
        assert!(imbalance.is_finite(), "{name}: {imbalance} from {start:?}");
        worst = worst.max(imbalance);
        evaluations += count;
    }
    println!("{name:20} {worst:8.1e}  {:6} evaluations per path", evaluations / count);
    worst
}

/// All pairs with parameters; panics with those that lose or gain energy.
#[track_caller]
fn assert_work_is_energy(raw: &RawParameters) {
    let cube = cuboid(Vector::new(0.1, 0.08, 0.06));
    let angle = l_profile(0.08, 0.03, 0.1);
    let sphere = icosphere(0.06, 2);
    let wheel = gear(8, 0.04, 0.06, 0.03);
    let ring = torus(0.05, 0.02, 16, 8);
    let link = chain_link(0.06, 0.03, 0.012, 6, 8);
    let pairs = [
        ("sphere – sphere", &sphere, &sphere),
        ("box – box", &cube, &cube),
        ("cylinder – box", &regular_prism(0.05, 0.08, 16), &cube),
        ("sheet – box", &cuboid(Vector::new(0.2, 0.2, 0.002)), &cube),
        ("filleted bar – box", &filleted_bar(0.03, 0.04, 0.1, 0.0005, 3), &cube),
        ("L – box", &angle, &cube),
        ("L – L", &angle, &angle),
        ("U – L", &u_profile(0.1, 0.08, 0.02, 0.1), &angle),
        ("hook – L", &latch_hook(0.12, 0.015, 0.01, 0.03), &angle),
        ("gear – gear", &wheel, &wheel),
        ("comb – L", &comb(4, 0.015, 0.03, 0.02, 0.04), &angle),
        ("torus – torus", &ring, &ring),
        ("link – link", &link, &link),
        ("bush – pin", &bush(0.03, 0.05, 0.06, 72), &regular_prism(0.028, 0.1, 48)),
        ("fine torus – box", &torus(0.05, 0.02, 80, 64), &cube),
    ];
    let worst = pairs.map(|(name, e, f)| (name, worst_imbalance(name, [e, f], raw)));
    let is_off = |(name, imbalance): &&(&str, f64)| {
        let tolerance = if EXACT.contains(name) { TOLERANCE } else { INNER_TOLERANCE };
        tolerance < *imbalance
    };
    let failures: Vec<_> = worst.iter().filter(is_off).collect();
    assert!(failures.is_empty(), "work is not energy: {failures:?}");
}

#[test]
fn work_is_energy_over_a_soft_plate() {
    let plate = moved(&cuboid(Vector::new(1.0, 1.0, 0.4)), &translation(0.0, 0.0, -0.2));
    let raw = RawParameters { layer_f: RawLayer::RIGID, ..elastic_raw(Method::Auto) };
    for (name, mesh) in [("sphere", icosphere(0.06, 2)), ("box", cuboid(Vector::new(0.1, 0.08, 0.06)))] {
        let (e, f) = (surface(plate.clone()), surface(mesh));
        let mut random = Random::new(23);
        for _ in 0..pose_count(2) {
            let height = random.between(0.03, 0.05);
            let start = Pose::from_parts(Vector::new(0.1, 0.05, height).into(), random.rotation());
            let (imbalance, _) = imbalance(&mut random_path([&e, &f], &raw, start, &mut random));
            assert!(imbalance <= TOLERANCE, "{name}: {imbalance:e}");
        }
    }
}

#[test]
fn work_is_energy_where_both_bodies_are_soft() {
    let raw = elastic_raw(Method::Auto);
    let layer_e = RawLayer { youngs_modulus: 3.0 * raw.layer_e.youngs_modulus, ..raw.layer_e };
    assert_work_is_energy(&RawParameters { layer_e, ..raw });
}

#[test]
fn work_is_energy_where_one_body_is_rigid() {
    assert_work_is_energy(&RawParameters { layer_e: RawLayer::RIGID, ..elastic_raw(Method::Auto) });
    assert_work_is_energy(&RawParameters { layer_f: RawLayer::RIGID, ..elastic_raw(Method::Auto) });
}

#[test]
fn work_is_energy_in_one_pass_and_in_two() {
    for method in [Method::TwoPass, Method::MasterE, Method::MasterF] {
        assert_work_is_energy(&elastic_raw(method));
    }
}

/// A face in the middle plane of a soft cube, along edges of its mesh: half of ∫ of the distance to the surface of a cube,
/// which is a⁴/8, as the cube is (a − 2t)³ large at the depth t; and the force is that on the middle, a pyramid of a³/6.
#[test]
fn half_a_cube_has_half_its_energy_whatever_edges_its_middle_has() {
    let (size, side) = (0.1, 1.0);
    let raw = RawParameters { layer_f: RawLayer::RIGID, ..elastic_raw(Method::Auto) };
    let parameters = checked(&raw);
    let stiffness = parameters.combined_layer_stiffness();
    for cells in [1, 2, 3, 4] {
        let e = surface(subdivided_cuboid(Vector::repeat(size), [cells; 3]));
        for of_block in [1, 2] {
            let f = surface(subdivided_cuboid(Vector::repeat(side), [of_block; 3]));
            for (axis, sign) in [0, 1, 2].into_iter().flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
                let [x, y, z] = Vector::ith(axis, sign * 0.5 * side).into();
                let outcome = at_rest(&e, &f, &parameters, &translation(x, y, z));
                let what = |what: &str| format!("{what}, {cells} and {of_block} cells, axis {axis}, {sign}");
                let force = outcome.wrenches.on_e.force[axis];
                assert_close(&what("the force"), -sign * force, stiffness * size.powi(3) / 6.0, TOLERANCE);
                assert_close(&what("the energy"), outcome.elastic_energy, stiffness * size.powi(4) / 16.0, TOLERANCE);
            }
        }
    }
}
