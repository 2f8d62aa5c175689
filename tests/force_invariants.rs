//! What holds in every pose: 5,000 random poses per pair of shapes, POLYCONTACT_POSES of them if set.

use crate::support::brute_force::{intersections, is_inside, triangles};
use crate::support::random::{Random, pose_count};
use crate::support::{STIFFNESS, assert_same_bits, assert_vector_eq, checked, elastic_raw, numbers, surface};
use polycontact::contact::{
    ContactParameters, ElementScheme, Method, Outcome, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, gear, icosphere, moved, regular_prism, revolve_solid, torus};

const POSES: usize = 200;

/// Two shapes, the middles of their bodies, and the largest distance of the middles that may touch.
struct Pair {
    mesh_e: TriangleMesh,
    mesh_f: TriangleMesh,
    middle_e: Vector,
    middle_f: Vector,
    reach: f64,
    size: f64,
}

impl Pair {
    fn new(mesh_e: TriangleMesh, mesh_f: TriangleMesh) -> Self {
        let middle = |mesh: &TriangleMesh| {
            let low = mesh.vertices.iter().fold(mesh.vertices[0], |low, x| low.inf(x));
            let high = mesh.vertices.iter().fold(mesh.vertices[0], |high, x| high.sup(x));
            0.5 * (low + high)
        };
        let extent = |mesh: &TriangleMesh, middle: &Vector| {
            mesh.vertices.iter().map(|x| (x - middle).norm()).fold(0.0, f64::max)
        };
        let (middle_e, middle_f) = (middle(&mesh_e), middle(&mesh_f));
        let (extent_e, extent_f) = (extent(&mesh_e, &middle_e), extent(&mesh_f, &middle_f));
        Pair { mesh_e, mesh_f, middle_e, middle_f, reach: extent_e + extent_f, size: extent_e.max(extent_f) }
    }

    /// A pose with the middles at a random distance below `reach`.
    fn pose(&self, random: &mut Random) -> Pose {
        let pose = random.pose_around(self.middle_e, self.reach);
        Pose::from_parts((pose.translation.vector - pose.rotation * self.middle_f).into(), pose.rotation)
    }
}

/// Methods in turn; of each, half of the poses elastic, a quarter with damping and friction, a quarter with these and
/// the centroid scheme.
fn raw_parameters(i: usize) -> RawParameters {
    let methods = [Method::Auto, Method::TwoPass, Method::MasterE, Method::MasterF];
    let elastic = elastic_raw(methods[i % 4]);
    if i / 4 % 4 < 2 {
        return elastic;
    }
    RawParameters {
        areal_damping: 1e5,
        damping_transition_depth: 1e-3,
        friction_coefficient: 0.3,
        friction_regularization_velocity: 0.1,
        elements: if i / 4 % 4 == 2 { ElementScheme::Potential } else { ElementScheme::Centroid },
        ..elastic
    }
}

fn swapped_parameters(raw: &RawParameters) -> ContactParameters {
    let method = match raw.method {
        Method::MasterE => Method::MasterF,
        Method::MasterF => Method::MasterE,
        other => other,
    };
    checked(&RawParameters { layer_e: raw.layer_f, layer_f: raw.layer_e, method, ..*raw })
}

/// The motion of E as seen from F.
fn inverse_motion(motion: &RelativeMotion) -> RelativeMotion {
    let pose = motion.pose_ef();
    let back = pose.rotation.inverse();
    let velocity_at_origin = motion.velocity_at(Vector::zeros());
    RelativeMotion::new(pose.inverse(), back * -velocity_at_origin, back * -motion.angular_velocity_e())
        .expect("finite")
}

/// Checks one outcome on its own.
fn check_outcome(outcome: &Outcome, pose: &Pose, lines: usize, polygons: usize) {
    for (name, x) in numbers(outcome) {
        assert!(x.is_finite(), "{name} is {x}");
    }
    assert_eq!((outcome.line_count as usize, outcome.polygon_count as usize), (lines, polygons), "lines, polygons");
    assert_eq!(outcome.in_contact, 0 < lines);
    assert!(!outcome.border_in_contact, "an open polygon on closed surfaces");
    if lines == 0 {
        for (name, x) in numbers(outcome) {
            assert_eq!(x, 0.0, "{name} without contact");
        }
        assert_eq!((outcome.patch_count, outcome.element_count), (0, 0));
    } else {
        assert!(1 <= outcome.patch_count && outcome.patch_count <= outcome.polygon_count && !outcome.enclosed);
    }
    assert!(0.0 <= outcome.dissipated_power, "dissipated power {}", outcome.dissipated_power);
    assert!(0.0 <= outcome.elastic_energy && 0.0 <= outcome.contact_area && 0.0 <= outcome.mean_penetration);
    let (mean, max) = (outcome.mean_penetration, outcome.max_penetration);
    assert!(mean <= max * (1.0 + 1e-9), "mean penetration {mean:e} above the largest {max:e}");

    // Action equals reaction: opposite forces, opposite torques about one point, here the origin of M_f.
    let (force, torque_at_f) = (outcome.wrenches.on_e.force, outcome.wrenches.torque_on_e_at_f);
    let arm = pose.translation.vector;
    assert_vector_eq("reaction", pose.rotation * outcome.wrenches.on_f.force, -force, 1e-12 * force.norm());
    let tolerance = 1e-12 * (torque_at_f.norm() + arm.norm() * force.norm());
    assert_vector_eq("reaction torque", pose.rotation * outcome.wrenches.on_f.torque, -torque_at_f, tolerance);
    assert_vector_eq("torque on E", outcome.wrenches.on_e.torque, torque_at_f + arm.cross(&force), tolerance);
}

/// All invariants over random poses.
fn assert_invariants(pair: &Pair, seed: u64, errors: &Errors) {
    let (e, f) = (surface(pair.mesh_e.clone()), surface(pair.mesh_f.clone()));
    // A rigid motion of body E within its frame, so that all its coordinates change.
    let shift = Pose::new(pair.middle_e * 0.3 + Vector::new(0.1, -0.2, 0.3) * pair.size, Vector::new(0.4, 1.1, -0.6));
    let moved_e = surface(moved(&pair.mesh_e, &shift));
    let faces_e = triangles(&pair.mesh_e, &Pose::identity());
    let mut random = Random::new(seed);
    let mut workspace = Workspace::default();
    let mut contacts = 0;
    // The slope of the force over a shift is at most c_l times the active area, some size². Walls between cells are found
    // to EQUAL_DEPTH, 1e-12 of the size, and a cut that is off by as much changes the force by its square.
    let rounding_of_forces = 1e3 * errors.rounding * STIFFNESS * pair.size.powi(3);

    let count = pose_count(POSES);
    for i in 0..count {
        let raw = raw_parameters(i);
        let parameters = checked(&raw);
        let pose = pair.pose(&mut random);
        // Up to 1 m/s and 10 rad/s about the middle of F.
        let (velocity, spin) = (random.direction() * random.unit(), random.direction() * (10.0 * random.unit()));
        let velocity = velocity + spin.cross(&(pose.rotation * -pair.middle_f));
        let motion = RelativeMotion::new(pose, velocity, spin).expect("finite");
        let context = || println!("pose {i}, seed {seed}, {:?}, {:?}, {pose:?}", raw.method, raw.elements);
        let guard = OnPanic(&context);

        let outcome = evaluate(&e, &f, &parameters, &motion, &mut workspace);
        let expected = intersections(&pair.mesh_e, &pair.mesh_f, &pose);
        check_outcome(&outcome, &pose, expected.lines, expected.polygons);
        if 0 < expected.lines {
            contacts += 1;
        } else if i % 16 == 0 {
            let faces_f = triangles(&pair.mesh_f, &pose);
            let f_in_e = is_inside(&faces_f[0][0], &faces_e, &mut random);
            let e_in_f = is_inside(&faces_e[0][0], &faces_f, &mut random);
            assert_eq!(outcome.enclosed, f_in_e || e_in_f, "enclosed");
        }

        // The same inputs give the same bits, here after the evaluations of another pose and with fresh memory.
        if i % 4 == 0 {
            assert_same_bits(&outcome, &evaluate(&e, &f, &parameters, &motion, &mut Workspace::default()));
            assert_same_bits(&outcome, &evaluate(&e, &f, &parameters, &motion, &mut workspace));
        }

        // Only the potential is continuous, so that rounding cannot matter.
        if raw.elements == ElementScheme::Potential {
            let has_quadrature = raw.friction_coefficient != 0.0;
            let quadrature = if has_quadrature { errors.quadrature * outcome.wrenches.on_e.force.norm() } else { 0.0 };
            // Curved walls, next to reflex edges, are followed up to 1e-9 of the load, by cuts that rounding decides.
            let load = outcome.normal_stress.mean * outcome.contact_area;
            let tolerance = rounding_of_forces + 1e-9 * load + quadrature;
            let swapped = evaluate(&f, &e, &swapped_parameters(&raw), &inverse_motion(&motion), &mut workspace);
            assert_eq!(outcome.patch_count, swapped.patch_count, "patches after swapping");
            assert_vector_eq(
                "force after swapping",
                swapped.wrenches.on_f.force,
                outcome.wrenches.on_e.force,
                tolerance,
            );
            let middle_torque = |torque: Vector, force: Vector| torque - pair.middle_e.cross(&force);
            let torque = middle_torque(outcome.wrenches.on_e.torque, outcome.wrenches.on_e.force);
            let swapped_torque = middle_torque(swapped.wrenches.on_f.torque, swapped.wrenches.on_f.force);
            assert_vector_eq("torque after swapping", swapped_torque, torque, tolerance * pair.size);

            let moved_motion =
                RelativeMotion::new(shift * pose, shift.rotation * velocity, shift.rotation * spin).expect("finite");
            let moved = evaluate(&moved_e, &f, &parameters, &moved_motion, &mut workspace);
            assert_eq!(outcome.patch_count, moved.patch_count, "patches after a rigid motion");
            let force = shift.rotation.inverse() * moved.wrenches.on_e.force;
            assert_vector_eq("force after a rigid motion", force, outcome.wrenches.on_e.force, tolerance);
            assert_vector_eq("torque on F after it", moved.wrenches.on_f.torque, outcome.wrenches.on_f.torque, {
                tolerance * (pair.size + pair.middle_f.norm())
            });
        }
        std::mem::forget(guard);
    }
    println!("{contacts} of {count} poses in contact");
    assert!(count / 5 < contacts, "only {contacts} of {count} poses in contact");
}

/// Prints where a check failed.
struct OnPanic<'a>(&'a dyn Fn());

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// What rounding may change.
struct Errors {
    /// Error of a vertex position over the size of the bodies.
    rounding: f64,
    /// Relative error of forces with friction or damping, which a quadrature integrates.
    quadrature: f64,
}

/// Positions in ordinary poses are off by a few units in the last place. The quadrature of friction takes other
/// triangles where rounding decides whether a corner is straight; 1.1e-5 was seen once in 20,000 poses.
const ORDINARY: Errors = Errors { rounding: 1e-15, quadrature: 1e-4 };

/// 10⁴ times the size away, positions lose four digits. A corner on a straight side then looks like a true corner, so
/// that the quadrature takes other triangles: 1.1e-4 was seen.
const FAR_AWAY: Errors = Errors { rounding: 1e-11, quadrature: 1e-3 };

#[test]
fn box_with_box() {
    let pair = Pair::new(cuboid(Vector::new(0.1, 0.12, 0.15)), cuboid(Vector::new(0.2, 0.05, 0.1)));
    assert_invariants(&pair, 1, &ORDINARY);
}

#[test]
fn ball_with_box() {
    assert_invariants(&Pair::new(icosphere(0.1, 1), cuboid(Vector::new(0.2, 0.15, 0.1))), 2, &ORDINARY);
}

#[test]
fn torus_with_torus() {
    assert_invariants(&Pair::new(torus(0.1, 0.04, 8, 5), torus(0.12, 0.03, 7, 5)), 3, &ORDINARY);
}

#[test]
fn comb_with_comb() {
    assert_invariants(&Pair::new(comb(2, 0.02, 0.05, 0.03, 0.1), comb(2, 0.03, 0.04, 0.02, 0.08)), 4, &ORDINARY);
}

#[test]
fn dumb_bell_with_box() {
    let profile = [[0.07, -0.17], [0.1, -0.1], [0.05, 0.0], [0.1, 0.1], [0.07, 0.17]];
    let dumb_bell = revolve_solid(&profile, [-0.2, 0.2], 7);
    assert_invariants(&Pair::new(cuboid(Vector::new(0.3, 0.2, 0.1)), dumb_bell), 5, &ORDINARY);
}

#[test]
fn gear_with_gear() {
    assert_invariants(&Pair::new(gear(4, 0.07, 0.1, 0.04), gear(3, 0.06, 0.1, 0.05)), 6, &ORDINARY);
}

#[test]
fn long_rod_with_torus() {
    assert_invariants(&Pair::new(regular_prism(0.01, 1.0, 5), torus(0.3, 0.1, 10, 6)), 7, &ORDINARY);
}

#[test]
fn coarse_box_with_fine_ball() {
    assert_invariants(&Pair::new(cuboid(Vector::new(0.15, 0.15, 0.15)), icosphere(0.05, 2)), 8, &ORDINARY);
}

#[test]
fn bodies_far_from_the_origins_of_their_frames() {
    let far_e = Pose::new(Vector::new(600.0, -500.0, 620.0), Vector::new(0.1, 0.2, 0.3));
    let far_f = Pose::new(Vector::new(-700.0, 300.0, 650.0), Vector::new(-0.5, 0.2, 0.1));
    let pair = Pair::new(moved(&cuboid(Vector::new(0.1, 0.12, 0.15)), &far_e), moved(&icosphere(0.08, 0), &far_f));
    assert_invariants(&pair, 9, &FAR_AWAY);
}
