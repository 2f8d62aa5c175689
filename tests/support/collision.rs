//! Free collisions of two rigid bodies without damping and friction: how much energy the contact keeps.

use nalgebra::{Quaternion, UnitQuaternion};
use polycontact::contact::{ContactParameters, ContactSurface, Outcome, RelativeMotion, Workspace, evaluate};
use polycontact::math::{Matrix, Pose, Vector, Wrench};
use polycontact::mesh::{FaceIndex, TriangleMesh};
use polycontact::shapes::moved;

use super::integrator::Integrator;
use super::radius;
use super::random::Random;

/// Mass of every body in kg.
const MASS: f64 = 2.0;

/// Approach in m/s.
const SPEED: f64 = 1.0;

/// Largest spin of a body about each axis in rad/s.
const SPIN: f64 = 3.0;

/// Distance from which bodies fly towards the first contact, in m.
const GAP: f64 = 1e-3;

/// A collision is over when bodies have been apart for this long, in s.
const APART: f64 = 5e-4;

/// Error per step over the size of the motion.
const TOLERANCE: f64 = 2e-10;

/// The repetition that shows the error of the integration has a tolerance smaller by this factor, so steps of half the
/// length.
const STRICTER: f64 = 1.0 / 32.0;

/// Steps in s: a collision lasts some milliseconds.
const STEPS: [f64; 2] = [1e-9, 2e-4];

/// Evaluations after which a collision is left as it is.
const MOST_EVALUATIONS: usize = 60_000;

/// A rigid body whose frame is at its centre of mass.
pub struct RigidBody {
    pub surface: ContactSurface,
    /// Inverse of the inertia tensor, in the body's frame.
    inverse_inertia: Matrix,
    /// Largest distance of a vertex from the centre of mass.
    radius: f64,
    /// Centre of mass in the frame of the mesh that was given.
    centre: Vector,
}

impl RigidBody {
    /// A body of constant density filling a closed mesh.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let (mut volume, mut first, mut second) = (0.0, Vector::zeros(), Matrix::zeros());
        for face in 0..mesh.faces.len() as u32 {
            let corners = mesh.corners(FaceIndex(face));
            let [a, b, c] = corners;
            let part = a.dot(&b.cross(&c)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += part / 4.0 * sum;
            // ∫ x xᵀ over the tetrahedron from the origin.
            let squares: Matrix = corners.iter().map(|x| x * x.transpose()).sum();
            second += part / 20.0 * (squares + sum * sum.transpose());
        }
        let centre = first / volume;
        let second = MASS / volume * (second - volume * centre * centre.transpose());
        let inertia = Matrix::identity() * second.trace() - second;
        let mesh = moved(mesh, &Pose::translation(-centre.x, -centre.y, -centre.z));
        let inverse_inertia = inertia.try_inverse().expect("a body with a volume");
        let radius = radius(&mesh);
        RigidBody { surface: ContactSurface::new(mesh), inverse_inertia, radius, centre }
    }
}

/// Two bodies and what is between them.
pub struct Pair {
    pub name: &'static str,
    pub bodies: [RigidBody; 2],
    /// Where F starts in E's frame, for bodies that meet inside a hollow; none where they come from outside.
    start_e: Option<Vector>,
}

impl Pair {
    /// Bodies that meet from outside.
    pub fn new(name: &'static str, e: &TriangleMesh, f: &TriangleMesh) -> Self {
        Pair { name, bodies: [RigidBody::new(e), RigidBody::new(f)], start_e: None }
    }

    /// Bodies that meet inside a hollow of E: the centre of F starts at a point in the frame of E's mesh.
    pub fn inside(name: &'static str, e: &TriangleMesh, f: &TriangleMesh, start: Vector) -> Self {
        let pair = Self::new(name, e, f);
        Pair { start_e: Some(start - pair.bodies[0].centre), ..pair }
    }
}

/// One body: position, orientation (w, i, j, k), velocity, angular momentum.
const PART: usize = 13;
type State = [f64; 2 * PART];

/// What a collision did to the energy, over the energy before.
#[derive(Clone, Copy, Debug)]
pub struct Collision {
    /// Energy after, minus one: kinetic, and elastic where the bodies have not come apart.
    pub change: f64,
    /// By how much `change` differs when the integration is stricter.
    pub integration_error: f64,
    /// Largest deviation of kinetic and elastic energy together from the start, on the way.
    pub drift: f64,
    /// Largest depth in m.
    pub depth: f64,
    /// Whether the bodies came apart again.
    pub came_apart: bool,
    pub evaluations: usize,
}

/// A collision under way.
struct Flight<'a> {
    bodies: &'a [RigidBody; 2],
    parameters: &'a ContactParameters,
    workspace: Workspace,
    /// The last evaluation.
    outcome: Outcome,
    evaluations: usize,
}

impl Flight<'_> {
    /// Time derivatives of the state.
    fn slope(&mut self, state: &State) -> State {
        let poses = [0, 1].map(|body| pose(state, body));
        let pose_ef = poses[0].inverse() * poses[1];
        let motion = RelativeMotion::at_rest(pose_ef);
        let [e, f] = self.bodies;
        self.outcome = evaluate(&e.surface, &f.surface, self.parameters, &motion, &mut self.workspace);
        self.evaluations += 1;
        let wrenches = [self.outcome.wrenches.on_e, self.outcome.wrenches.on_f];
        let mut slope = [0.0; 2 * PART];
        for (body, Wrench { force, torque }) in wrenches.into_iter().enumerate() {
            let spin = self.spin(state, body);
            let part = &mut slope[body * PART..(body + 1) * PART];
            let turning = Quaternion::from_imag(0.5 * spin) * quaternion(state, body);
            part[..3].copy_from_slice(vector(state, body, 7).as_slice());
            part[3..7].copy_from_slice(&[turning.w, turning.i, turning.j, turning.k]);
            part[7..10].copy_from_slice((poses[body].rotation * force / MASS).as_slice());
            part[10..].copy_from_slice((poses[body].rotation * torque).as_slice());
        }
        slope
    }

    /// Angular velocity in the world.
    fn spin(&self, state: &State, body: usize) -> Vector {
        let rotation = pose(state, body).rotation;
        rotation * (self.bodies[body].inverse_inertia * (rotation.inverse() * vector(state, body, 10)))
    }

    fn kinetic_energy(&self, state: &State) -> f64 {
        let of_body = |body| {
            let momentum = vector(state, body, 10);
            0.5 * MASS * vector(state, body, 7).norm_squared() + 0.5 * momentum.dot(&self.spin(state, body))
        };
        of_body(0) + of_body(1)
    }
}

fn vector(state: &State, body: usize, at: usize) -> Vector {
    Vector::from_column_slice(&state[body * PART + at..body * PART + at + 3])
}

fn quaternion(state: &State, body: usize) -> Quaternion<f64> {
    let part = &state[body * PART + 3..body * PART + 7];
    Quaternion::new(part[0], part[1], part[2], part[3])
}

fn pose(state: &State, body: usize) -> Pose {
    let rotation = UnitQuaternion::from_quaternion(quaternion(state, body)).to_rotation_matrix();
    Pose::from_parts(vector(state, body, 0).into(), rotation)
}

/// The energy of the layers is looked at once in so many steps: next to inner edges it costs several evaluations.
const STEPS_PER_ENERGY: usize = 8;

/// Follows a collision from apart until apart.
fn collide(bodies: &[RigidBody; 2], parameters: &ContactParameters, start: &State, tolerance: f64) -> Collision {
    let mut flight =
        Flight { bodies, parameters, workspace: Workspace::default(), outcome: Outcome::default(), evaluations: 0 };
    let before = flight.kinetic_energy(start);
    let size = 0.1;
    let mut scale = [1.0; 2 * PART];
    for part in scale.chunks_mut(PART) {
        part[..3].fill(size);
        part[7..10].fill(SPEED);
        part[10..].fill(MASS * size * SPEED);
    }
    let mut integrator = Integrator::new(*start, scale, tolerance, STEPS, |state| flight.slope(state));
    let mut collision =
        Collision { change: 0.0, integration_error: 0.0, drift: 0.0, depth: 0.0, came_apart: false, evaluations: 0 };
    let (mut has_touched, mut apart, mut steps) = (false, 0.0, 0);
    while flight.evaluations < MOST_EVALUATIONS && !collision.came_apart {
        flight.workspace.without_energy = true;
        let step = integrator.advance(|state| flight.slope(state));
        steps += 1;
        // The last stage is evaluated at the end of the step; now and then again, with the energy.
        if steps % STEPS_PER_ENERGY == 0 && flight.outcome.in_contact {
            flight.workspace.without_energy = false;
            flight.slope(&integrator.state);
        }
        let outcome = &flight.outcome;
        let is_touching = outcome.in_contact || outcome.enclosed;
        has_touched |= is_touching;
        apart = if is_touching { 0.0 } else { apart + step };
        collision.came_apart = APART < apart && (has_touched || 10.0 * GAP / SPEED < apart);
        collision.depth = collision.depth.max(outcome.max_penetration);
        if let Some(energy) = outcome.layer_energy {
            collision.change = (flight.kinetic_energy(&integrator.state) + energy) / before - 1.0;
            collision.drift = collision.drift.max(collision.change.abs());
        }
    }
    collision.evaluations = flight.evaluations;
    collision
}

/// Places both bodies shortly before they meet; none where they miss each other.
fn random_start(pair: &Pair, parameters: &ContactParameters, random: &mut Random) -> Option<State> {
    let reach = pair.bodies[0].radius + pair.bodies[1].radius;
    let rotations = [random.rotation(), random.rotation()];
    let direction = random.direction();
    let aside = direction.cross(&random.direction()).normalize() * random.between(0.0, 0.4 * reach);
    let start = match pair.start_e {
        Some(start_e) => rotations[0] * start_e,
        None => aside - direction * 1.1 * reach,
    };
    let mut workspace = Workspace::default();
    let mut touches = |distance: f64| {
        let position = start + direction * distance;
        let pose_e = Pose::from_parts(Vector::zeros().into(), rotations[0]);
        let pose_ef = pose_e.inverse() * Pose::from_parts(position.into(), rotations[1]);
        let [e, f] = &pair.bodies;
        let motion = RelativeMotion::at_rest(pose_ef);
        let outcome = evaluate(&e.surface, &f.surface, parameters, &motion, &mut workspace);
        outcome.in_contact || outcome.enclosed
    };
    let steps = (2.2 * reach / GAP) as usize;
    let first = (0..steps).find(|step| touches(*step as f64 * GAP)).filter(|first| 0 < *first)?;
    let mut state = [0.0; 2 * PART];
    for (body, sign) in [(0, -0.5), (1, 0.5)] {
        let part = &mut state[body * PART..(body + 1) * PART];
        let position = if body == 0 { Vector::zeros() } else { start + direction * (first as f64 - 1.0) * GAP };
        let orientation = UnitQuaternion::from_rotation_matrix(&rotations[body]);
        let spin = Vector::from_fn(|_, _| random.between(-SPIN, SPIN));
        // In the body's frame, as the orientation is random anyway.
        let inertia = pair.bodies[body].inverse_inertia.try_inverse().expect("a body with a volume");
        part[..3].copy_from_slice(position.as_slice());
        part[3..7].copy_from_slice(&[orientation.w, orientation.i, orientation.j, orientation.k]);
        part[7..10].copy_from_slice((direction * (sign * SPEED)).as_slice());
        part[10..].copy_from_slice((rotations[body] * (inertia * spin)).as_slice());
    }
    Some(state)
}

/// What many collisions of a pair did to the energy, over the energy before each.
#[derive(Clone, Debug)]
pub struct Statistics {
    pub median: f64,
    pub ninety_per_cent: f64,
    pub worst: f64,
    /// The largest gain, or 0.
    pub largest_gain: f64,
    /// The worst error of the integration.
    pub integration_error: f64,
    /// The worst deviation on the way.
    pub drift: f64,
    /// The largest depth in m.
    pub depth: f64,
    /// Collisions that did not come apart within the evaluations allowed.
    pub unfinished: usize,
    /// Evaluations, mean per collision.
    pub evaluations: usize,
}

/// Lets a pair collide `count` times, from random orientations and offsets with random spins.
pub fn random_collisions(pair: &Pair, parameters: &ContactParameters, count: usize, seed: u64) -> Statistics {
    let mut random = Random::new(seed);
    let starts = std::iter::from_fn(|| Some(random_start(pair, parameters, &mut random)));
    let collisions: Vec<Collision> = starts
        .take(100 * count)
        .flatten()
        .take(count)
        .map(|start| {
            let coarse = collide(&pair.bodies, parameters, &start, TOLERANCE);
            let fine = collide(&pair.bodies, parameters, &start, STRICTER * TOLERANCE);
            Collision { integration_error: (fine.change - coarse.change).abs(), ..fine }
        })
        .collect();
    assert_eq!(collisions.len(), count, "{}: bodies that never meet", pair.name);
    let largest = |of: &dyn Fn(&Collision) -> f64| collisions.iter().map(of).fold(0.0, f64::max);
    let mut sizes: Vec<f64> = collisions.iter().map(|collision| collision.change.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    Statistics {
        median: sizes[count / 2],
        ninety_per_cent: sizes[(9 * count / 10).min(count - 1)],
        worst: sizes[count - 1],
        largest_gain: largest(&|collision| collision.change),
        integration_error: largest(&|collision| collision.integration_error),
        drift: largest(&|collision| collision.drift),
        depth: largest(&|collision| collision.depth),
        unfinished: collisions.iter().filter(|collision| !collision.came_apart).count(),
        evaluations: collisions.iter().map(|collision| collision.evaluations).sum::<usize>() / count,
    }
}
