//! Dormand and Prince's embedded Runge-Kutta pair of orders 5 and 4, with error control.

/// Nodes are not needed: the equations do not depend on time.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Difference of both orders.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Integrates y' = f(y) in steps of its own choice.
pub struct Integrator<const N: usize> {
    pub state: [f64; N],
    pub step: f64,
    slope: [f64; N],
    /// What an error of 1 is in each component.
    scale: [f64; N],
    tolerance: f64,
    smallest_step: f64,
    largest_step: f64,
}

impl<const N: usize> Integrator<N> {
    /// Starts from a state with steps within the given range; `tolerance` is the largest error per step over `scale`.
    pub fn new(
        state: [f64; N],
        scale: [f64; N],
        tolerance: f64,
        [smallest_step, largest_step]: [f64; 2],
        slope: impl FnOnce(&[f64; N]) -> [f64; N],
    ) -> Self {
        let slope = slope(&state);
        Integrator { state, step: largest_step, slope, scale, tolerance, smallest_step, largest_step }
    }

    /// One step that keeps the tolerance, or the smallest. Returns its length.
    ///
    /// The slope at the end of the step is asked for last among the stages of that step.
    pub fn advance(&mut self, mut slope: impl FnMut(&[f64; N]) -> [f64; N]) -> f64 {
        loop {
            let step = self.step;
            let mut slopes = [self.slope; 7];
            let mut state = self.state;
            for (stage, weights) in STAGES.iter().enumerate() {
                state = self.state;
                for (weight, slope) in weights.iter().zip(&slopes) {
                    for k in 0..N {
                        state[k] += step * weight * slope[k];
                    }
                }
                slopes[stage + 1] = slope(&state);
            }
            let error = (0..N)
                .map(|k| {
                    let error: f64 = ERROR.iter().zip(&slopes).map(|(weight, slope)| weight * slope[k]).sum();
                    (step * error / self.scale[k]).abs()
                })
                .fold(0.0, f64::max);
            let factor = (0.9 * (self.tolerance / error.max(1e-300)).powf(0.2)).clamp(0.2, 3.0);
            self.step = (step * factor).clamp(self.smallest_step, self.largest_step);
            if error <= self.tolerance || step <= self.smallest_step {
                self.state = state;
                self.slope = slopes[6];
                return step;
            }
        }
    }
}
