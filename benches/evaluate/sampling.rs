//! Times of calls that alternate, so that noise hits all of them alike.

use std::hint::black_box;

/// Calls shorter than this are timed in batches, in s: reading the clock takes some 0.3 µs.
const SHORTEST_TIMED: f64 = 3e-5;

/// A call keeps the core for about this long before the next one has its turn, in s: long enough to be warm, short
/// against the disturbances of a shared machine.
const TURN: f64 = 1e-3;

/// Fewest turns of each call.
const FEWEST_TURNS: usize = 5;

/// Time that the calling thread has had a core for, in s: what other processes take does not count.
#[cfg(unix)]
pub fn thread_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Wall clock in s, where threads have no clock of their own.
#[cfg(not(unix))]
pub fn thread_time() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Sorted times per call in s.
pub struct Samples(Vec<f64>);

impl Samples {
    /// From times in any order.
    pub fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Samples(times)
    }

    /// The time that a fraction of the samples stays below, in µs; NaN without a sample.
    pub fn quantile(&self, fraction: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((fraction * last as f64) as usize).map_or(f64::NAN, |time| 1e6 * time)
    }

    /// The time that one call in twenty stays below, in µs: what the code takes where nothing disturbs it. The very
    /// smallest time may be a slip of the clock.
    pub fn low(&self) -> f64 {
        self.quantile(0.05)
    }

    /// Median in µs.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Quartiles in µs, as text.
    pub fn quartiles(&self) -> String {
        format!("{:.2} … {:.2}", self.quantile(0.25), self.quantile(0.75))
    }
}

/// A call to be timed; its argument counts the calls, so that the pose can move.
pub type Call<'a> = Box<dyn FnMut(usize) + 'a>;

/// Times every call for about `seconds`, in turns.
pub fn alternate(calls: &mut [Call], seconds: f64) -> Vec<Samples> {
    let mut turns: Vec<Turns> = calls.iter_mut().map(Turns::prepare).collect();
    let longest = turns.iter().map(|turns| turns.seconds).fold(TURN, f64::max);
    let rounds = ((seconds / longest) as usize).max(FEWEST_TURNS);
    for _ in 0..rounds {
        for (turns, call) in turns.iter_mut().zip(calls.iter_mut()) {
            turns.take(call);
        }
    }
    turns.into_iter().map(|turns| Samples::new(turns.times)).collect()
}

/// How many calls must be timed together.
pub fn batch_of(call: &mut impl FnMut(usize)) -> usize {
    batch_for(quickest(call))
}

fn batch_for(per_call: f64) -> usize {
    (SHORTEST_TIMED / per_call).ceil().clamp(1.0, 1000.0) as usize
}

/// Time of a warm call in s.
fn quickest(call: &mut impl FnMut(usize)) -> f64 {
    let times = (0..6).map(|index| {
        let started = thread_time();
        call(index);
        thread_time() - started
    });
    // Never zero, whatever the clock says.
    times.fold(f64::INFINITY, f64::min).max(1e-8)
}

struct Turns {
    batch: usize,
    batches: usize,
    /// Expected duration of a turn in s.
    seconds: f64,
    index: usize,
    times: Vec<f64>,
}

impl Turns {
    fn prepare(call: &mut Call) -> Self {
        let per_call = quickest(call);
        let batch = batch_for(per_call);
        let per_batch = batch as f64 * per_call;
        let batches = ((TURN / per_batch) as usize).max(1);
        Turns { batch, batches, seconds: batches as f64 * per_batch, index: 0, times: Vec::new() }
    }

    /// The first batch of a turn only warms up.
    fn take(&mut self, call: &mut Call) {
        for number in 0..=self.batches {
            let started = thread_time();
            for _ in 0..self.batch {
                black_box(&mut *call)(self.index);
                self.index += 1;
            }
            let seconds = (thread_time() - started) / self.batch as f64;
            if number != 0 {
                self.times.push(seconds);
            }
        }
    }
}
