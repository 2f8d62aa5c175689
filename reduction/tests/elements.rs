//! Stiffness and mass of every kind of element against exact solutions.

use crate::support::{Random, block_of_each_kind, dot, field, product};
use polycontact_reduction::assembly::assemble;
use polycontact_reduction::finite_element_model::FiniteElementModel;
use polycontact_reduction::material::{Material, MaterialError};
use polycontact_reduction::volume_mesh::VolumeMesh;

const LENGTHS: [f64; 3] = [0.3, 0.2, 0.25];

/// Moves the nodes inside the cuboid by up to this fraction of an element.
fn distort(mesh: &mut VolumeMesh) {
    let mut random = Random(42);
    for position in &mut mesh.node_positions {
        let inside = position[0].abs() < 0.499 * LENGTHS[0]
            && position[1].abs() < 0.499 * LENGTHS[1]
            && -0.999 * LENGTHS[2] < position[2]
            && position[2] < -0.001 * LENGTHS[2];
        if inside {
            for coordinate in position {
                *coordinate += 0.006 * random.signed();
            }
        }
    }
}

fn distorted_models() -> Vec<(VolumeMesh, FiniteElementModel)> {
    let meshes = block_of_each_kind(LENGTHS, [1, 1, 2]);
    meshes
        .into_iter()
        .map(|mut mesh| {
            distort(&mut mesh);
            let model = assemble(&mesh, &Material::STEEL).unwrap();
            (mesh, model)
        })
        .collect()
}

/// A field with constant strain is in equilibrium inside, and its energy is that of the continuum, on distorted
/// elements; those of the quadratic tetrahedra are curved.
#[test]
fn constant_strain_is_exact_on_distorted_meshes() {
    let gradient = [[3e-3, 1e-3, -2e-3], [0.5e-3, -1e-3, 4e-3], [2.5e-3, -0.7e-3, 1.5e-3]];
    let displacement = |position: [f64; 3]| gradient.map(|row| 1e-4 + dot(&row, &position));
    let (lambda, mu) = Material::STEEL.lame_constants();
    let strain = |i: usize, j: usize| 0.5 * (gradient[i][j] + gradient[j][i]);
    let trace: f64 = (0..3).map(|i| strain(i, i)).sum();
    let squares: f64 = (0..9).map(|entry| strain(entry / 3, entry % 3).powi(2)).sum();
    let energy = LENGTHS.iter().product::<f64>() * (lambda * trace * trace + 2.0 * mu * squares);
    for (mesh, model) in distorted_models() {
        let kind = mesh.elements[0].kind();
        let displacements = field(&model, displacement);
        let forces = product(&model.stiffness, &displacements);
        let largest = forces.iter().fold(0.0, |largest: f64, force| largest.max(force.abs()));
        let mut inside = vec![true; model.node_positions.len()];
        for &node in model.surface.iter().flatten() {
            inside[node as usize] = false;
        }
        assert!(inside.contains(&true), "{kind}: the patch has nodes inside");
        for (node, _) in inside.iter().enumerate().filter(|(_, inside)| **inside) {
            for axis in 0..3 {
                let force = forces[3 * node + axis];
                assert!(force.abs() < 1e-10 * largest, "{kind}: force {force} N at node {node} of at most {largest} N");
            }
        }
        let found = dot(&displacements, &forces);
        assert!((found / energy - 1.0).abs() < 1e-10, "{kind}: energy {found} instead of {energy}");
    }
}

#[test]
fn rigid_motions_need_no_force() {
    for (mesh, model) in distorted_models() {
        let kind = mesh.elements[0].kind();
        let stiffest = model.stiffness.values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        for motion in 0..6 {
            let displacements = field(&model, |position| rigid_motion(motion, position));
            let forces = product(&model.stiffness, &displacements);
            // About a hundred rounded terms per row, displacements of at most 1.
            assert!(forces.iter().all(|force| force.abs() < 1e-12 * stiffest), "{kind}: motion {motion}");
        }
    }
}

/// Translations along the axes, then unit rotations about them.
fn rigid_motion(motion: usize, [x, y, z]: [f64; 3]) -> [f64; 3] {
    match motion {
        0 => [1.0, 0.0, 0.0],
        1 => [0.0, 1.0, 0.0],
        2 => [0.0, 0.0, 1.0],
        3 => [0.0, -z, y],
        4 => [z, 0.0, -x],
        _ => [-y, x, 0.0],
    }
}

/// The consistent mass moves rigidly like the cuboid: mass, centre of mass and moments of inertia.
#[test]
fn mass_and_inertia_are_those_of_the_cuboid() {
    let [a, b, c] = LENGTHS;
    let mass = Material::STEEL.density() * a * b * c;
    // About the origin, in the middle of the upper face.
    let inertia =
        [mass * (b * b / 12.0 + c * c / 3.0), mass * (a * a / 12.0 + c * c / 3.0), mass * (a * a + b * b) / 12.0];
    for mesh in block_of_each_kind(LENGTHS, [1, 1, 2]) {
        let kind = mesh.elements[0].kind();
        let model = assemble(&mesh, &Material::STEEL).unwrap();
        let motions: Vec<Vec<f64>> =
            (0..6).map(|motion| field(&model, |position| rigid_motion(motion, position))).collect();
        let coupling = |i: usize, j: usize| dot(&motions[i], &product(&model.mass, &motions[j]));
        for (axis, inertia) in inertia.iter().enumerate() {
            assert!((coupling(axis, axis) / mass - 1.0).abs() < 1e-12, "{kind}: mass along axis {axis}");
            let found = coupling(3 + axis, 3 + axis);
            assert!((found / inertia - 1.0).abs() < 1e-12, "{kind}: inertia {found}, not {inertia}");
        }
        // The centre of mass is half the height below the origin: m z couples x to the rotation about y.
        assert!((coupling(0, 4) / (-0.5 * c * mass) - 1.0).abs() < 1e-12, "{kind}: centre of mass");
        assert!(coupling(0, 1).abs() < 1e-12 * mass && coupling(0, 3).abs() < 1e-12 * mass, "{kind}: coupling");
    }
}

/// The distorted quadratic tetrahedra have curved faces inside only, so together they have the mass of the cuboid.
#[test]
fn curved_elements_fill_the_cuboid() {
    for (mesh, model) in distorted_models() {
        let up = field(&model, |_| [0.0, 0.0, 1.0]);
        let mass = Material::STEEL.density() * LENGTHS.iter().product::<f64>();
        let found = dot(&up, &product(&model.mass, &up));
        assert!((found / mass - 1.0).abs() < 1e-12, "{}: {found} instead of {mass}", mesh.elements[0].kind());
        assert!((mesh.quality().volume / LENGTHS.iter().product::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn matrices_are_lower_triangles_with_ascending_rows() {
    for (_, model) in distorted_models() {
        for matrix in [&model.stiffness, &model.mass] {
            assert_eq!(matrix.size(), 3 * model.node_positions.len());
            assert_eq!(matrix.column_starts.last(), Some(&matrix.rows.len()));
            for column in 0..matrix.size() {
                let rows = &matrix.rows[matrix.column_starts[column]..matrix.column_starts[column + 1]];
                assert_eq!(rows.first(), Some(&column));
                assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}

#[test]
fn impossible_materials_are_refused_by_name() {
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Material::new(value, 0.3, 7800.0), Err(MaterialError::YoungsModulus { .. })));
        assert!(matches!(Material::new(2e11, 0.3, value), Err(MaterialError::Density { .. })));
    }
    for value in [-1.0, 0.5, 0.7, f64::NAN] {
        assert!(matches!(Material::new(2e11, value, 7800.0), Err(MaterialError::PoissonsRatio { .. })));
    }
    let message = Material::new(2e11, 0.5, 7800.0).unwrap_err().to_string();
    assert!(message.contains("0.5") && message.contains("Poisson"), "{message}");
    assert!(Material::new(2e11, 0.0, 7800.0).is_ok());
}
