//! Flexible bodies in time: oscillators, impacts, energy, states.

use std::f64::consts::{PI, TAU};

use crate::support::assert_close;
use crate::support::flexible::{
    add_mode, ball_cap, checked, flexible, half_space_patch, height_field, model_of_mesh, random_body,
};
use crate::support::random::Random;
use polycontact::contact::{MotionError, RelativeMotion};
use polycontact::flexible::{
    BodyModel, FlexibleError, FlexiblePair, FlexibleParameters, PairState, RawFlexibleParameters, ReducedModel,
    StepOutcome, Submodel, Workspace,
};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::icosphere;

/// A motion without anything in reach.
fn far_away(_: f64) -> Result<RelativeMotion, MotionError> {
    Ok(RelativeMotion::at_rest(Pose::translation(0.0, 0.0, 1.0)))
}

/// One mode of a small patch, and a rigid plate.
fn oscillator(omega: f64, xi: f64, is_low: bool) -> FlexiblePair {
    let mut model = model_of_mesh(&height_field(1, 0.01, false, |_, _| 0.0));
    add_mode(&mut model, omega, xi, |_| Vector::z());
    model.low_frequency_modes = usize::from(is_low);
    FlexiblePair::new(flexible(model), BodyModel::Rigid(height_field(1, 0.01, true, |_, _| 0.0))).expect("a pair")
}

/// The state with coordinate and velocity of the only mode.
fn state_of(pair: &FlexiblePair, q: f64, v: f64) -> PairState {
    let mut numbers = pair.initial_state().as_numbers().to_vec();
    (numbers[0], numbers[1]) = (q, v);
    PairState::from_numbers(pair, &numbers).expect("a state")
}

#[test]
fn low_frequency_modes_move_exactly() {
    let (omega, time) = (3.0e4, 1.0e-4);
    for submodel in [Submodel::QuasiStatic, Submodel::Damped, Submodel::Modal] {
        for xi in [0.0, 0.02, 0.7, 1.0 - 1e-12, 1.0, 1.5] {
            let pair = oscillator(omega, xi, true);
            let mut state = state_of(&pair, 1.0e-5, 0.2);
            let parameters = checked(&RawFlexibleParameters { submodel, internal_step: 3.0e-6, ..Default::default() });
            let outcome =
                pair.advance(&parameters, &far_away, time, &mut state, &mut Workspace::default()).expect("a step");
            // Solution of q̈ + 2ξω q̇ + ω² q = 0 with complex roots, their limit, or real roots.
            let decay = xi * omega;
            let expected = if xi < 1.0 - 1e-6 {
                let damped = omega * (1.0 - xi * xi).sqrt();
                let (s, c) = (damped * time).sin_cos();
                (-decay * time).exp() * (1.0e-5 * c + (0.2 + decay * 1.0e-5) / damped * s)
            } else if xi < 1.0 + 1e-6 {
                (-decay * time).exp() * (1.0e-5 + (0.2 + decay * 1.0e-5) * time)
            } else {
                let spread = omega * (xi * xi - 1.0).sqrt();
                let (a, b) = (-decay + spread, -decay - spread);
                let (ca, cb) = ((0.2 - b * 1.0e-5) / (a - b), (a * 1.0e-5 - 0.2) / (a - b));
                ca * (a * time).exp() + cb * (b * time).exp()
            };
            let q = state.as_numbers()[0];
            assert!((q - expected).abs() < 1e-10 * 1.0e-5, "ξ {xi}, {submodel:?}: {q:e} instead of {expected:e}");
            assert_eq!(outcome.internal_steps, 34);
            let start = 0.5 * (0.2 * 0.2 + (omega * 1.0e-5) * (omega * 1.0e-5));
            // Energy that is gone has been booked as dissipated.
            assert!(outcome.end.energy_balance.abs() < 1e-12 * start, "{outcome:?}");
        }
    }
}

/// A stiff mode of the damped submodel swings with the period T_d, however high its frequency; between Ω and 1/T_d it
/// decays with ξ_t.
#[test]
fn high_frequency_modes_have_the_damped_period() {
    let period = 1.0e-6;
    for omega in [1.05 * TAU / period, 1.3 * TAU / period] {
        let pair = oscillator(omega, 0.0, false);
        let raw = RawFlexibleParameters {
            submodel: Submodel::Damped,
            damped_period: period,
            internal_step: 2.0e-10,
            ..Default::default()
        };
        let mut state = state_of(&pair, 0.0, 1.0);
        let mut workspace = Workspace::default();
        let mut crossings = Vec::new();
        let step = 2.0e-9;
        for k in 0..1600 {
            let before = state.as_numbers()[0];
            pair.advance(&checked(&raw), &far_away, step, &mut state, &mut workspace).expect("a step");
            let after = state.as_numbers()[0];
            if before * after < 0.0 {
                crossings.push(step * (k as f64 + before / (before - after)));
            }
        }
        // Half a period between zero crossings; linear interpolation over 0.2 % of a period.
        for pair in crossings.windows(2) {
            assert_close("half the period", pair[1] - pair[0], 0.5 * period, 1e-3);
        }
        assert!(crossings.len() >= 2);
    }
    // Longer periods: the logarithmic decrement is 2π ξ/√(1 − ξ²).
    let (omega, xi) = (0.2 * TAU / period, 0.05_f64);
    let pair = oscillator(omega, 0.0, false);
    let raw = RawFlexibleParameters { submodel: Submodel::Damped, internal_step: 1.0e-9, ..Default::default() };
    let mut state = state_of(&pair, 1.0e-6, 0.0);
    let damped_period = TAU / (omega * (1.0 - xi * xi).sqrt());
    pair.advance(&checked(&raw), &far_away, damped_period, &mut state, &mut Workspace::default()).expect("a step");
    assert_close("the decay", state.as_numbers()[0], 1.0e-6 * (-TAU * xi / (1.0 - xi * xi).sqrt()).exp(), 1e-3);
}

/// Aluminium rod of 1 m with 28 longitudinal modes up to 72 kHz, and a patch at its end that yields as two half-spaces.
struct Rod {
    mass: f64,
    frequencies: Vec<f64>,
    /// Displacement of the end in every mode.
    end: f64,
    effective_modulus: f64,
}

const BALL_MASS: f64 = 0.110;
const BALL_RADIUS: f64 = 0.015;
const IMPACT_VELOCITY: f64 = 0.3;

impl Rod {
    fn new() -> Self {
        let (modulus, density, radius) = (72.8e9_f64, 2789.0, 0.01);
        let mass = density * PI * radius * radius;
        let speed = (modulus / density).sqrt();
        let effective_modulus = 1.0 / ((1.0 - 0.33 * 0.33) / modulus + (1.0 - 0.3 * 0.3) / 210.0e9);
        let frequencies = (1..=28).map(|k| k as f64 * PI * speed).collect();
        Rod { mass, frequencies, end: (2.0 / mass).sqrt(), effective_modulus }
    }

    fn model(&self, cells: usize, spacing: f64) -> ReducedModel {
        let patch = half_space_patch(cells, spacing, self.effective_modulus, Vector::new(0.0, 0.0, 0.5));
        let mut model = ReducedModel { modes: Vec::new(), angular_frequencies: Vec::new(), ..patch.clone() };
        model.damping_ratios.clear();
        for &omega in &self.frequencies {
            add_mode(&mut model, omega, 0.0, |_| self.end * Vector::z());
        }
        model.low_frequency_modes = self.frequencies.len();
        model.modes.extend(&patch.modes);
        model.angular_frequencies.extend(&patch.angular_frequencies);
        model.damping_ratios.extend(&patch.damping_ratios);
        model
    }
}

/// What an impact leaves behind.
#[derive(Debug)]
struct Impact {
    peak_force: f64,
    duration: f64,
    ball_velocity: f64,
    rod_velocity: f64,
}

impl Impact {
    fn restitution(&self) -> f64 {
        (self.ball_velocity - self.rod_velocity) / IMPACT_VELOCITY
    }
}

/// The oracle: Hertz's spring between the ball and a bar with modes, by velocity Verlet.
fn hertz_on_bar(rod: &Rod) -> Impact {
    let step = 1.0e-8;
    let (mut ball, mut bar) = ([0.0, -IMPACT_VELOCITY], [0.0, 0.0]);
    let mut modes = vec![[0.0, 0.0]; rod.frequencies.len()];
    let (mut peak, mut duration) = (0.0_f64, 0.0);
    let mut time = 0.0;
    while time < 4.0e-4 {
        ball[0] += 0.5 * step * ball[1];
        bar[0] += 0.5 * step * bar[1];
        modes.iter_mut().for_each(|[q, v]| *q += 0.5 * step * *v);
        let approach = bar[0] + modes.iter().map(|[q, _]| rod.end * q).sum::<f64>() - ball[0];
        let force = if approach > 0.0 {
            4.0 / 3.0 * rod.effective_modulus * BALL_RADIUS.sqrt() * approach.powf(1.5)
        } else {
            0.0
        };
        ball[1] += step * force / BALL_MASS;
        bar[1] -= step * force / rod.mass;
        for ([q, v], omega) in modes.iter_mut().zip(&rod.frequencies) {
            *v -= step * (omega * omega * *q + rod.end * force);
            *q += 0.5 * step * *v;
        }
        ball[0] += 0.5 * step * ball[1];
        bar[0] += 0.5 * step * bar[1];
        time += step;
        if force > 0.0 {
            peak = peak.max(force);
            duration = time;
        }
    }
    Impact { peak_force: peak, duration, ball_velocity: ball[1], rod_velocity: bar[1] }
}

/// Ball and rod as rigid bodies of a host that takes the mean wrench over each step; returns the impact, the largest
/// error of the total energy after it, and the largest balance that the library reports, relative to the first energy.
fn impact(pair: &FlexiblePair, parameters: &FlexibleParameters, rod: &Rod, step: f64) -> (Impact, f64, f64) {
    let (mut state, mut workspace) = (pair.initial_state(), Workspace::default());
    let (mut ball, mut bar) = ([0.0, -IMPACT_VELOCITY], [0.0, 0.0]);
    let (mut peak, mut first, mut last) = (0.0_f64, None, 0.0);
    let mut balance = 0.0_f64;
    let start = 0.5 * BALL_MASS * IMPACT_VELOCITY * IMPACT_VELOCITY;
    let mut energy = 0.0;
    let steps = (2.5e-4 / step).round() as usize;
    for k in 0..steps {
        let (distance, velocity) = (0.5 + ball[0] - bar[0], ball[1] - bar[1]);
        let motion = |t: f64| {
            let pose = Pose::translation(0.0, 0.0, distance + velocity * t);
            RelativeMotion::new(pose, Vector::z() * velocity, Vector::zeros())
        };
        let outcome: StepOutcome = pair
            .advance(parameters, &motion, step, &mut state, &mut workspace)
            .unwrap_or_else(|error| panic!("{error}"));
        let (on_ball, on_bar) = (outcome.mean.on_f.force.z, outcome.mean.on_e.force.z);
        for (body, force, mass) in [(&mut ball, on_ball, BALL_MASS), (&mut bar, on_bar, rod.mass)] {
            body[0] += step * (body[1] + 0.5 * step * force / mass);
            body[1] += step * force / mass;
        }
        peak = peak.max(on_ball);
        if on_ball > 0.0 {
            first.get_or_insert(k as f64 * step);
            last = (k + 1) as f64 * step;
        }
        let stored = outcome.end.strain_energy[0] + outcome.end.kinetic_energy[0] + outcome.end.penalty_energy;
        energy = stored + 0.5 * (BALL_MASS * ball[1] * ball[1] + rod.mass * bar[1] * bar[1]);
        balance = balance.max(outcome.end.energy_balance.abs());
    }
    let duration = last - first.unwrap_or(last);
    let impact = Impact { peak_force: peak, duration, ball_velocity: ball[1], rod_velocity: bar[1] };
    (impact, energy / start - 1.0, balance / start)
}

#[test]
fn a_ball_on_a_rod_rebounds_as_hertz_and_waves_say() {
    let rod = Rod::new();
    let oracle = hertz_on_bar(&rod);
    println!("oracle {oracle:?}, e {}", oracle.restitution());
    // The values of the literature for this oracle.
    assert_close("the oracle's contact time", oracle.duration, 189.0e-6, 0.01);
    assert_close("the oracle's peak force", oracle.peak_force, 482.0, 0.01);
    assert_close("the oracle's restitution", oracle.restitution(), 0.644, 0.01);

    let body = flexible(rod.model(16, 7.5e-5));
    let pair = FlexiblePair::new(body, BodyModel::Rigid(ball_cap(BALL_RADIUS, 20, 7.0e-5))).expect("a pair");
    let raw = RawFlexibleParameters::default();
    let (found, energy, balance) = impact(&pair, &checked(&raw), &rod, 1.0e-6);
    println!("{found:?}, e {}, energy {energy:e}, balance {balance:e}", found.restitution());
    // The patch is stiffer than the half-space by about 2 %, with six nodes over the contact radius; time and peak
    // follow its 0.4th power, restitution hardly.
    assert_close("the contact time", found.duration, oracle.duration, 0.02);
    assert_close("the peak force", found.peak_force, oracle.peak_force, 0.02);
    assert_close("the restitution", found.restitution(), oracle.restitution(), 0.01);
    let momentum = BALL_MASS * (found.ball_velocity + IMPACT_VELOCITY) + rod.mass * found.rod_velocity;
    assert!(momentum.abs() < 1e-12 * BALL_MASS * IMPACT_VELOCITY);
    // Undamped: the total is kept.
    assert!(energy.abs() < 1e-3, "the total energy changes by {energy:e}");
    assert!(balance < 1e-3, "the balance reaches {balance:e}");
}

/// Along a given smooth motion, work becomes stored and dissipated energy; the error falls with the square of the step.
#[test]
fn the_energy_balance_converges() {
    let mut random = Random::new(3);
    for submodel in [Submodel::QuasiStatic, Submodel::Damped, Submodel::Modal] {
        let radius = 0.01;
        let mut model = random_body(&icosphere(radius, 2), radius, (6, 10), 2.0e-8, &mut random);
        model.damping_ratios.fill(0.03);
        let pair = FlexiblePair::new(flexible(model), BodyModel::Rigid(icosphere(radius, 3))).expect("a pair");
        let motion = |t: f64| {
            let x = 2.0 * radius + 1.0e-5 - 1.0e-4 * (PI * t / 4.0e-4).sin();
            RelativeMotion::new(Pose::translation(x, 2.0 * t, 0.0), Vector::zeros(), Vector::zeros())
        };
        let balance = |internal_step: f64| {
            let raw = RawFlexibleParameters { submodel, internal_step, penalty_stiffness: 1.0e6, ..Default::default() };
            let (mut state, mut workspace) = (pair.initial_state(), Workspace::default());
            let step = 2.0e-5;
            let (mut worst, mut work) = (0.0_f64, 0.0_f64);
            for k in 0..20 {
                let shifted = |t: f64| motion(t + step * k as f64);
                let outcome =
                    pair.advance(&checked(&raw), &shifted, step, &mut state, &mut workspace).expect("a step").end;
                worst = worst.max(outcome.energy_balance.abs());
                work = work.max(outcome.work.abs());
            }
            worst / work
        };
        let (coarse, fine) = (balance(2.0e-6), balance(5.0e-7));
        println!("{submodel:?}: {coarse:e}, {fine:e}");
        assert!(fine < 1e-3 && fine < 0.3 * coarse, "{submodel:?}: balance {coarse:e}, then {fine:e}");
    }
}

fn bouncing() -> (FlexiblePair, impl Fn(f64) -> Result<RelativeMotion, MotionError>) {
    let mut random = Random::new(4);
    let radius = 0.01;
    let ball = |random: &mut Random| flexible(random_body(&icosphere(radius, 2), radius, (6, 10), 2.0e-8, random));
    let pair = FlexiblePair::new(ball(&mut random), ball(&mut random)).expect("a pair");
    let motion = move |t: f64| {
        let pose = Pose::translation(2.0 * radius - 1.5e-4 - t, 1.0e-3, 0.0);
        RelativeMotion::new(pose, Vector::new(-1.0, 0.0, 0.0), Vector::zeros())
    };
    (pair, motion)
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    let (pair, motion) = bouncing();
    for submodel in [Submodel::QuasiStatic, Submodel::Damped, Submodel::Modal] {
        let parameters = checked(&RawFlexibleParameters { submodel, penalty_stiffness: 1.0e6, ..Default::default() });
        let step = 5.0e-6;
        let (mut state, mut workspace) = (pair.initial_state(), Workspace::default());
        let mut halfway = None;
        let mut was_in_contact = false;
        for k in 0..40 {
            if k == 20 {
                halfway = Some(state.as_numbers().to_vec());
            }
            let outcome = pair
                .advance(&parameters, &|t| motion(t + step * k as f64), step, &mut state, &mut workspace)
                .expect("a step");
            // The end of a step is an evaluation of the new state.
            let end = motion(step * k as f64 + step).expect("a motion");
            let evaluated = pair.evaluate(&parameters, &end, &state, &mut Workspace::default());
            assert_eq!(evaluated, Ok(outcome.end));
            was_in_contact |= outcome.end.in_contact;
        }
        let mut restored = PairState::from_numbers(&pair, &halfway.expect("halfway")).expect("a state");
        let mut workspace = Workspace::default();
        for k in 20..40 {
            pair.advance(&parameters, &|t| motion(t + step * k as f64), step, &mut restored, &mut workspace)
                .expect("a step");
        }
        let bits = |state: &PairState| state.as_numbers().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&restored), bits(&state));
        assert!(was_in_contact);
    }
}

#[test]
fn a_failed_step_leaves_the_state() {
    let (pair, motion) = bouncing();
    let parameters = checked(&RawFlexibleParameters { penalty_stiffness: 1.0e6, ..Default::default() });
    let (mut state, mut workspace) = (pair.initial_state(), Workspace::default());
    pair.advance(&parameters, &motion, 5.0e-5, &mut state, &mut workspace).expect("a step");
    let before = state.clone();
    // Far too deep at the end of this step.
    let plunge = |t: f64| motion(5.0e-5 + 100.0 * t);
    let refused = pair.advance(&parameters, &plunge, 1.0e-4, &mut state, &mut workspace);
    assert!(matches!(refused, Err(FlexibleError::TooDeep { .. })), "{refused:?}");
    assert_eq!(state, before);
    let broken = |t: f64| motion(if t > 1.0e-5 { f64::NAN } else { t });
    let refused = pair.advance(&parameters, &broken, 1.0e-4, &mut state, &mut workspace);
    assert!(matches!(refused, Err(FlexibleError::Motion(_))), "{refused:?}");
    for step in [-1.0e-6, f64::NAN, f64::INFINITY, 1.0e9] {
        let refused = pair.advance(&parameters, &motion, step, &mut state, &mut workspace);
        assert!(matches!(refused, Err(FlexibleError::BadStep { .. })), "{refused:?}");
    }
    assert_eq!(state, before);
}

/// The mean wrench over a step is the mean of the wrenches of shorter steps.
#[test]
fn mean_wrenches_add_up() {
    let (pair, motion) = bouncing();
    let parameters = checked(&RawFlexibleParameters { penalty_stiffness: 1.0e6, ..Default::default() });
    let run = |count: usize| {
        let (mut state, mut workspace) = (pair.initial_state(), Workspace::default());
        let step = 1.0e-4 / count as f64;
        let mut force = Vector::zeros();
        for k in 0..count {
            let shifted = |t: f64| motion(t + step * k as f64);
            let outcome = pair.advance(&parameters, &shifted, step, &mut state, &mut workspace).expect("a step");
            force += outcome.mean.on_e.force / count as f64;
        }
        force
    };
    let (whole, parts) = (run(1), run(20));
    assert!(whole.norm() > 1.0);
    // The same internal steps but for rounding and the tolerance of 1e-8 in every equilibrium.
    assert!((whole - parts).norm() < 1e-6 * whole.norm(), "{whole:?} and {parts:?}");
}
