//! An explicit integrator with error control: Bogacki and Shampine's pair of orders 3 and 2.

/// Share of the estimated best step that is taken, and limits of its change from step to step.
const SAFETY: f64 = 0.9;
const SMALLEST_FACTOR: f64 = 0.2;
const LARGEST_FACTOR: f64 = 3.0;
/// Step in s below which the integration has failed.
const SMALLEST_STEP: f64 = 1e-12;

/// State of an integration.
pub struct Integration<const N: usize> {
    /// In s.
    pub time: f64,
    /// At that time.
    pub state: [f64; N],
    /// At that time.
    pub derivative: [f64; N],
    /// To be tried next, in s.
    pub next_step: f64,
    /// Steps whose error was too large.
    pub rejected: usize,
}

/// What the integrator has to keep.
pub struct Control {
    /// Largest error of a step, absolute, and as a part of the value.
    pub tolerance: f64,
    /// Components from the first on whose error counts.
    pub components: usize,
    /// In s.
    pub largest_step: f64,
}

/// Derivative of a state.
type Rate<'a, const N: usize> = dyn FnMut(&[f64; N]) -> Result<[f64; N], String> + 'a;

impl<const N: usize> Integration<N> {
    /// One accepted step, not beyond `stop`. The last call of `rate` is that of the accepted state.
    pub fn advance(&mut self, stop: f64, control: &Control, rate: &mut Rate<'_, N>) -> Result<(), String> {
        loop {
            let step = self.next_step.min(control.largest_step).min(stop - self.time);
            if step < SMALLEST_STEP {
                return Err(format!(
                    "the error cannot be kept at {} s: the step is below {SMALLEST_STEP} s",
                    self.time
                ));
            }
            let at = |weights: &[(&[f64; N], f64)]| -> [f64; N] {
                std::array::from_fn(|i| self.state[i] + step * weights.iter().map(|(k, w)| k[i] * w).sum::<f64>())
            };
            let first = self.derivative;
            let second = rate(&at(&[(&first, 0.5)]))?;
            let third = rate(&at(&[(&second, 0.75)]))?;
            let state = at(&[(&first, 2.0 / 9.0), (&second, 1.0 / 3.0), (&third, 4.0 / 9.0)]);
            let fourth = rate(&state)?;
            let error = |i: usize| {
                let difference = -5.0 / 72.0 * first[i] + second[i] / 12.0 + third[i] / 9.0 - fourth[i] / 8.0;
                (step * difference).abs() / (control.tolerance * (1.0 + state[i].abs()))
            };
            let largest = (0..control.components).map(error).fold(0.0, f64::max);
            let factor = SAFETY * largest.max(1e-9).powf(-1.0 / 3.0);
            let is_last = step < self.next_step && step == stop - self.time;
            if !is_last || 1.0 < largest {
                self.next_step = step * factor.clamp(SMALLEST_FACTOR, LARGEST_FACTOR);
            }
            if largest <= 1.0 {
                self.time = if step == stop - self.time { stop } else { self.time + step };
                (self.state, self.derivative) = (state, fourth);
                return Ok(());
            }
            self.rejected += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An oscillator over ten periods: the error falls with the tolerance.
    #[test]
    fn an_oscillator_keeps_its_tolerance() {
        let stop = 20.0 * std::f64::consts::PI;
        let error = |tolerance: f64| {
            let mut rate = |state: &[f64; 2]| Ok([state[1], -state[0]]);
            let (state, derivative) = ([1.0, 0.0], [0.0, -1.0]);
            let mut run = Integration { time: 0.0, state, derivative, next_step: 0.1, rejected: 0 };
            let control = Control { tolerance, components: 2, largest_step: 1.0 };
            while run.time < stop {
                run.advance(stop, &control, &mut rate).unwrap();
            }
            (run.state[0] - 1.0).hypot(run.state[1])
        };
        let (coarse, fine) = (error(1e-5), error(1e-8));
        // Errors of steps add up: a hundred to a few thousand steps.
        assert!(coarse < 1e-2 && fine < 1e-4 && fine < 0.05 * coarse, "{coarse} {fine}");
    }

    #[test]
    fn a_failed_evaluation_ends_the_integration() {
        let mut run = Integration { time: 0.0, state: [0.0], derivative: [1.0], next_step: 0.1, rejected: 0 };
        let control = Control { tolerance: 1e-3, components: 1, largest_step: 1.0 };
        let error = run.advance(1.0, &control, &mut |_| Err("broken".to_owned())).unwrap_err();
        assert_eq!((error.as_str(), run.time), ("broken", 0.0));
    }
}
