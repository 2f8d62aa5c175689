//! Flexible contact at rest, against formulas.

use crate::support::flexible::{
    add_mode, at_rest, ball_cap, checked, evaluated, flexible, half_space_patch, height_field, model_of_mesh,
};
use crate::support::{assert_close, assert_vector_eq};
use polycontact::flexible::{
    BodyModel, FlexibleError, FlexiblePair, PairError, RawFlexibleParameters, Solver, Submodel,
};
use polycontact::math::{Pose, Vector};

/// A triangle of 3 nodes on one spring of stiffness `stiffness` along z.
fn triangle_on_spring(stiffness: f64) -> polycontact::flexible::ReducedModel {
    let mesh = polycontact::mesh::TriangleMesh {
        vertices: vec![Vector::new(0.0, 0.0, 0.0), Vector::new(0.01, 0.0, 0.0), Vector::new(0.0, 0.01, 0.0)],
        faces: vec![[0, 1, 2].map(polycontact::mesh::VertexIndex)],
    };
    let mut model = model_of_mesh(&mesh);
    let omega = 1.0e5;
    add_mode(&mut model, omega, 0.0, |_| Vector::z() * omega / stiffness.sqrt());
    model
}

/// A rigid plate that looks down, with its middle at the origin.
fn plate() -> BodyModel {
    BodyModel::Rigid(height_field(2, 0.05, true, |_, _| 0.0))
}

/// Three penalty springs in parallel, in series with the spring of the body.
#[test]
fn springs_in_series_share_the_approach() {
    let (stiffness, penalty, approach) = (3.0e6, 2.0e6, 1.0e-4);
    let pair = FlexiblePair::new(flexible(triangle_on_spring(stiffness)), plate()).expect("a pair");
    for solver in [Solver::Newton, Solver::Broyden] {
        let parameters = checked(&RawFlexibleParameters {
            penalty_stiffness: penalty,
            pass_weight: 0.0,
            solver,
            ..Default::default()
        });
        let outcome = at_rest(&pair, &parameters, &Pose::translation(0.0, 0.0, -approach));
        let force = approach / (1.0 / (3.0 * penalty) + 1.0 / stiffness);
        // Linear springs: exact but for the tolerance and rounding of the depth.
        assert_close("the force", outcome.wrenches.on_e.force.z, -force, 1e-9);
        assert_vector_eq("the force on F", outcome.wrenches.on_f.force, Vector::new(0.0, 0.0, force), 1e-9 * force);
        assert_close("the penetration", outcome.max_penetration, force / (3.0 * penalty), 1e-9);
        assert_close("the strain energy", outcome.strain_energy[0], 0.5 * force * force / stiffness, 1e-8);
        assert_close("the penalty energy", outcome.penalty_energy, 0.5 * force * force / (3.0 * penalty), 1e-8);
        assert_close("the amplitude", outcome.largest_amplitude, force / stiffness, 1e-8);
        assert_eq!(outcome.contact_count, 3);
        assert!(outcome.in_contact && !outcome.border_in_contact);
    }
}

/// In the submodel without high-frequency modes the body is as rigid as its low-frequency coordinates.
#[test]
fn without_high_frequency_modes_only_the_penalty_springs_yield() {
    let (penalty, approach) = (2.0e6, 1.0e-4);
    let pair = FlexiblePair::new(flexible(triangle_on_spring(3.0e6)), plate()).expect("a pair");
    let raw = RawFlexibleParameters { penalty_stiffness: penalty, pass_weight: 0.0, ..Default::default() };
    for submodel in [Submodel::Modal, Submodel::Damped] {
        let parameters = checked(&RawFlexibleParameters { submodel, ..raw });
        let outcome = at_rest(&pair, &parameters, &Pose::translation(0.0, 0.0, -approach));
        assert_close("the force", outcome.wrenches.on_e.force.z, -3.0 * penalty * approach, 1e-10);
    }
}

/// Hertz: F = 4/3 E* √R δ^1.5 for a rigid ball on the half-space, contact radius √(R δ).
#[test]
fn a_ball_on_a_half_space_follows_hertz() {
    let (modulus, radius, spacing) = (5.0e10, 0.015, 7.5e-5);
    let patch = half_space_patch(18, spacing, modulus, Vector::zeros());
    let pair = FlexiblePair::new(flexible(patch), BodyModel::Rigid(ball_cap(radius, 28, 5.0e-5))).expect("a pair");
    // So stiff that the penalty springs take below 1 % of the approach.
    let raw = RawFlexibleParameters { penalty_stiffness: 1.0e9, ..Default::default() };
    for contact_radius in [4.0e-4_f64, 5.5e-4] {
        let approach = contact_radius * contact_radius / radius;
        let expected = 4.0 / 3.0 * modulus * radius.sqrt() * approach.powf(1.5);
        for pass_weight in [0.0, 0.5] {
            let parameters = checked(&RawFlexibleParameters { pass_weight, ..raw });
            let outcome = at_rest(&pair, &parameters, &Pose::translation(0.0, 0.0, -approach));
            println!(
                "a {contact_radius:e}, weight {pass_weight}: {} N, Hertz {expected} N, {:+.2} %, {} iterations, {} contacts",
                outcome.wrenches.on_f.force.z,
                100.0 * (outcome.wrenches.on_f.force.z / expected - 1.0),
                outcome.iterations,
                outcome.contact_count
            );
            // 5 to 7 nodes over the contact radius: the edge of the contact is uncertain by half a spacing, and the
            // force by (spacing / a)² or so.
            assert_close("the force", outcome.wrenches.on_f.force.z, expected, 0.03);
            // Linear elasticity: stored energy is 2/5 F δ.
            let energy = outcome.strain_energy[0] + outcome.penalty_energy;
            assert_close("the energy", energy, 0.4 * expected * approach, 0.03);
        }
    }
}

#[test]
fn penetration_falls_with_the_penalty_stiffness_and_the_force_converges() {
    let (modulus, radius) = (5.0e10, 0.015);
    let patch = half_space_patch(12, 1.0e-4, modulus, Vector::zeros());
    let pair = FlexiblePair::new(flexible(patch), BodyModel::Rigid(ball_cap(radius, 48, 2.5e-5))).expect("a pair");
    let at = |penalty_stiffness: f64| {
        let raw = RawFlexibleParameters { penalty_stiffness, pass_weight: 0.0, ..Default::default() };
        at_rest(&pair, &checked(&raw), &Pose::translation(0.0, 0.0, -1.0e-5))
    };
    let outcomes = [1.0e8, 1.0e9, 1.0e10].map(at);
    let forces = outcomes.map(|outcome| outcome.wrenches.on_f.force.z);
    let changes = [forces[1] - forces[0], forces[2] - forces[1]];
    // The change of the force is first order in 1/c_P: a tenth for ten times the stiffness, while nodes come and go.
    assert!(0.0 < changes[1] && changes[1] < 0.2 * changes[0], "{forces:?}");
    for pair in outcomes.windows(2) {
        // Penetration is force over stiffness, and forces on nodes hardly change.
        let expected = 0.1 * pair[0].max_penetration * pair[1].wrenches.on_f.force.z / pair[0].wrenches.on_f.force.z;
        assert_close("the penetration", pair[1].max_penetration, expected, 0.1);
    }
}

/// A node that moves over an edge between faces keeps its force.
#[test]
fn the_force_is_continuous_over_edges_and_vertices() {
    let pair = FlexiblePair::new(
        flexible(triangle_on_spring(3.0e6)),
        // A wavy rigid surface with convex and concave edges.
        BodyModel::Rigid(height_field(20, 0.004, true, |x, y| 2.0e-4 * ((300.0 * x).sin() + (200.0 * y).cos()))),
    )
    .expect("a pair");
    let parameters = checked(&RawFlexibleParameters {
        penalty_stiffness: 2.0e6,
        pass_weight: 0.0,
        maximal_penetration: 2.0e-3,
        ..Default::default()
    });
    let force_at = |t: f64| {
        let pose = Pose::translation(0.012 * t - 0.006, 0.007 * t, -6.0e-4);
        at_rest(&pair, &parameters, &pose).wrenches.on_f.force.norm()
    };
    let steps = 20_000;
    let mut previous = force_at(0.0);
    let mut largest = 0.0_f64;
    for k in 1..=steps {
        let force = force_at(k as f64 / steps as f64);
        largest = largest.max((force - previous).abs());
        previous = force;
    }
    // Depths change by at most the slope (below 0.1) times the step of 0.7 µm, on three nodes of 2e6 N/m each, plus
    // the change of direction of the forces, of the same order.
    assert!(largest < 3.0 * 2.0e6 * 0.2 * 0.7e-6 * 2.0, "a jump of {largest} N");
}

#[test]
fn deep_nodes_are_refused_and_borders_are_reported() {
    let pair = FlexiblePair::new(flexible(triangle_on_spring(1.0e12)), plate()).expect("a pair");
    let raw = RawFlexibleParameters { pass_weight: 0.0, maximal_penetration: 1.0e-3, ..Default::default() };
    let at = |z: f64, x: f64| {
        let motion = polycontact::contact::RelativeMotion::at_rest(Pose::translation(x, 0.0, z));
        pair.evaluate(&checked(&raw), &motion, &pair.initial_state(), &mut Default::default())
    };
    let shallow = at(-0.9e-3, 0.0).expect("credible");
    assert!(shallow.in_contact);
    match at(-1.1e-3, 0.0) {
        Err(FlexibleError::TooDeep { penetration, limit, node: 0, .. }) => {
            // Three penalty springs of 2e7 N/m against 1e12 N/m.
            assert_close("the penetration", penetration, 1.1e-3, 1e-4);
            assert_close("the limit", limit, 1.0e-3, 1e-12);
        }
        other => panic!("{other:?}"),
    }
    let far = at(-5.0e-3, 0.0).expect("not a contact");
    assert!(!far.in_contact);
    // The plate reaches from -0.05 to 0.05: with its border above the triangle, nodes beyond it are behind the border.
    let border = at(-0.9e-3, -0.043).expect("credible");
    assert!(border.border_in_contact && border.in_contact);
    let apart = at(1.0e-6, 0.0).expect("apart");
    assert!(!apart.in_contact && !apart.border_in_contact && apart.wrenches.on_e.force == Vector::zeros());
}

#[test]
fn a_solve_that_does_not_converge_is_an_error() {
    let patch = half_space_patch(8, 1.5e-4, 5.0e10, Vector::zeros());
    let pair = FlexiblePair::new(flexible(patch), BodyModel::Rigid(ball_cap(0.015, 40, 2.5e-5))).expect("a pair");
    for solver in [Solver::Newton, Solver::Broyden] {
        let raw = RawFlexibleParameters {
            penalty_stiffness: 1.0e9,
            iteration_limit: 1,
            tolerance: 1e-12,
            solver,
            ..Default::default()
        };
        let motion = polycontact::contact::RelativeMotion::at_rest(Pose::translation(0.0, 0.0, -1.0e-5));
        match pair.evaluate(&checked(&raw), &motion, &pair.initial_state(), &mut Default::default()) {
            Err(FlexibleError::NotConverged { iterations: 1, contacts, residual, .. }) => {
                assert!(contacts > 0 && residual > 1e-12);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn two_rigid_bodies_make_no_flexible_pair() {
    assert_eq!(FlexiblePair::new(plate(), plate()).err(), Some(PairError::BothRigid));
}

/// Low-frequency coordinates of the state move the nodes.
#[test]
fn low_frequency_coordinates_shift_the_contact() {
    let mut model = triangle_on_spring(3.0e6);
    model.low_frequency_modes = 1;
    let shape = model.modes[2];
    let pair = FlexiblePair::new(flexible(model), plate()).expect("a pair");
    let raw = RawFlexibleParameters { penalty_stiffness: 2.0e6, pass_weight: 0.0, ..Default::default() };
    let mut numbers = pair.initial_state().as_numbers().to_vec();
    numbers[0] = 4.0e-5 / shape;
    let state = polycontact::flexible::PairState::from_numbers(&pair, &numbers).expect("a state");
    let outcome = evaluated(&pair, &checked(&raw), &Pose::translation(0.0, 0.0, -1.0e-5), &state);
    assert_close("the force", outcome.wrenches.on_e.force.z, -3.0 * 2.0e6 * 5.0e-5, 1e-9);
}
