//! Flexible bodies made from formulas, without finite elements.
#![allow(dead_code)]

use nalgebra::{DMatrix, SymmetricEigen};
use polycontact::contact::RelativeMotion;
use polycontact::flexible::{
    BodyModel, FlexibleBody, FlexibleOutcome, FlexiblePair, FlexibleParameters, PairState, RawFlexibleParameters,
    ReducedModel, Workspace,
};
use polycontact::math::{Matrix, Pose, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};

use super::random::Random;

/// A model without modes; mass and inertia are placeholders that the contact does not use.
pub fn model_of_mesh(mesh: &TriangleMesh) -> ReducedModel {
    ReducedModel {
        mass: 1.0,
        inertia: Matrix::identity(),
        centre_of_mass: Vector::zeros(),
        contact_nodes: mesh.vertices.clone(),
        contact_faces: mesh.faces.iter().map(|face| face.map(|corner| corner.0)).collect(),
        modes: Vec::new(),
        angular_frequencies: Vec::new(),
        damping_ratios: Vec::new(),
        low_frequency_modes: 0,
        outline_nodes: Vec::new(),
        outline_faces: Vec::new(),
    }
}

/// Adds a mode whose shape is a function of the node.
pub fn add_mode(model: &mut ReducedModel, omega: f64, xi: f64, shape: impl Fn(&Vector) -> Vector) {
    for node in &model.contact_nodes {
        model.modes.extend(shape(node).iter());
    }
    model.angular_frequencies.push(omega);
    model.damping_ratios.push(xi);
}

pub fn flexible(model: ReducedModel) -> BodyModel {
    BodyModel::Flexible(FlexibleBody::new(model).expect("a good model"))
}

pub fn checked(raw: &RawFlexibleParameters) -> FlexibleParameters {
    FlexibleParameters::new(raw).expect("good parameters")
}

/// A square grid of nodes at heights above the xy-plane, `cells` cells of size `spacing` along each side, centred.
/// The faces look up, or down where `is_reversed`.
pub fn height_field(cells: usize, spacing: f64, is_reversed: bool, height: impl Fn(f64, f64) -> f64) -> TriangleMesh {
    let side = cells + 1;
    let place = |k: usize| spacing * (k as f64 - 0.5 * cells as f64);
    let mut vertices = Vec::new();
    for j in 0..side {
        for i in 0..side {
            vertices.push(Vector::new(place(i), place(j), height(place(i), place(j))));
        }
    }
    let mut faces = Vec::new();
    for j in 0..cells {
        for i in 0..cells {
            let [a, b, c, d] = [j * side + i, j * side + i + 1, (j + 1) * side + i, (j + 1) * side + i + 1];
            // Diagonals alternate, so that the patch has no preferred direction.
            let corners = if (i + j) % 2 == 0 { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] };
            for [p, q, r] in corners {
                let face = if is_reversed { [p, r, q] } else { [p, q, r] };
                faces.push(face.map(|corner| VertexIndex(corner as u32)));
            }
        }
    }
    TriangleMesh { vertices, faces }
}

/// The lower cap of a rigid ball whose lowest point is the origin.
pub fn ball_cap(radius: f64, cells: usize, spacing: f64) -> TriangleMesh {
    height_field(cells, spacing, true, |x, y| radius - (radius * radius - x * x - y * y).sqrt())
}

/// A patch of an elastic half-space below z = 0 as high-frequency modes: nodes on a grid yield to normal forces as
/// Boussinesq's solution says, 1/(π E* r), and their own cell as under a uniform pressure. `offset` moves the nodes.
pub fn half_space_patch(cells: usize, spacing: f64, effective_modulus: f64, offset: Vector) -> ReducedModel {
    let mut mesh = height_field(cells, spacing, false, |_, _| 0.0);
    mesh.vertices.iter_mut().for_each(|node| *node += offset);
    let count = mesh.vertices.len();
    // The centre of a uniformly loaded square of side b yields 4 ln(1 + √2) b / (π E*) per pressure.
    let own = 4.0 * (1.0 + 2.0_f64.sqrt()).ln() / (std::f64::consts::PI * spacing * effective_modulus);
    let compliance = DMatrix::from_fn(count, count, |i, j| {
        let distance = (mesh.vertices[i] - mesh.vertices[j]).norm();
        if i == j { own } else { 1.0 / (std::f64::consts::PI * effective_modulus * distance) }
    });
    let eigen = SymmetricEigen::new(compliance);
    let mut order: Vec<usize> = (0..count).collect();
    // Softest first; the frequencies are free, since only φ²/ω² counts statically.
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let mut model = model_of_mesh(&mesh);
    for (k, &index) in order.iter().enumerate() {
        let omega = 1.0e7 * (1.0 + 0.01 * k as f64);
        let softness = eigen.eigenvalues[index];
        assert!(softness > 0.0, "the compliance of the patch is positive definite");
        for node in 0..count {
            let displacement = omega * softness.sqrt() * eigen.eigenvectors[(node, index)];
            model.modes.extend([0.0, 0.0, displacement]);
        }
        model.angular_frequencies.push(omega);
        model.damping_ratios.push(0.0);
    }
    model
}

/// A body with smooth random modes: polynomials of second degree in the coordinates over `size`. `compliance` is the
/// displacement of a node per force in one mode, in m/N, about.
pub fn random_body(
    mesh: &TriangleMesh,
    size: f64,
    (low, high): (usize, usize),
    compliance: f64,
    random: &mut Random,
) -> ReducedModel {
    let mut model = model_of_mesh(mesh);
    for k in 0..low + high {
        let omega = if k < low { 1.0e4 * (1.0 + 0.1 * k as f64) } else { 1.0e6 * (1.0 + 0.1 * k as f64) };
        let scale = omega * compliance.sqrt();
        let mut vector = || random.direction();
        let coefficients: [Vector; 7] = std::array::from_fn(|_| vector());
        add_mode(&mut model, omega, 0.0, |node| {
            let x = node / size;
            let terms = [1.0, x.x, x.y, x.z, x.x * x.y, x.y * x.z, x.z * x.x];
            scale * terms.iter().zip(&coefficients).map(|(term, coefficient)| *term * coefficient).sum::<Vector>()
        });
    }
    model.low_frequency_modes = low;
    model
}

/// Evaluates at a pose with the initial state and fresh memory.
pub fn at_rest(pair: &FlexiblePair, parameters: &FlexibleParameters, pose_ef: &Pose) -> FlexibleOutcome {
    evaluated(pair, parameters, pose_ef, &pair.initial_state())
}

pub fn evaluated(
    pair: &FlexiblePair,
    parameters: &FlexibleParameters,
    pose_ef: &Pose,
    state: &PairState,
) -> FlexibleOutcome {
    pair.evaluate(parameters, &RelativeMotion::at_rest(*pose_ef), state, &mut Workspace::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// All energy that depends on the pose: bodies and penalty springs.
pub fn potential(outcome: &FlexibleOutcome) -> f64 {
    outcome.strain_energy.iter().sum::<f64>() + outcome.penalty_energy
}
