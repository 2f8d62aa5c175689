//! Many motions of one pair, shared among threads.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use polycontact::fmu::{Choice, Evaluator};

/// Motions that a thread takes at a time: few, so that all threads end together.
const MOTIONS_AT_A_TIME: usize = 16;

/// How often progress is shown.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// Evaluates all motions, each as if it were the only one. `progress` hears how many are done, and ends the work with an
/// error; the error of a motion names it.
pub fn sweep<E: From<String>>(
    evaluator: &Evaluator,
    inputs: &[f64],
    choice: &Choice,
    threads: usize,
    progress: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    let (width, count) = (evaluator.input_count(), choice.count());
    let motions = inputs.len() / width;
    let mut numbers = vec![0.0; motions * count];
    let runs = numbers.chunks_mut((MOTIONS_AT_A_TIME * count).max(1)).zip(inputs.chunks(MOTIONS_AT_A_TIME * width));
    let runs = Mutex::new(runs.enumerate());
    let (done, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |mut evaluator: Evaluator| -> Result<(), String> {
        while !is_over.load(Ordering::Relaxed) {
            // A thread that panicked holds no part of the results.
            let next = runs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some((run, (numbers, inputs))) = next else { break };
            for (k, (numbers, inputs)) in numbers.chunks_mut(count).zip(inputs.chunks(width)).enumerate() {
                evaluator.evaluate(inputs, choice, numbers).map_err(|error| {
                    is_over.store(true, Ordering::Relaxed);
                    format!("motion {}: {error}", run * MOTIONS_AT_A_TIME + k)
                })?;
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let twins: Range<usize> = 0..threads.clamp(1, motions.div_ceil(MOTIONS_AT_A_TIME).max(1));
        let workers: Vec<_> = twins.map(|_| scope.spawn(|| work(evaluator.twin()))).collect();
        let mut shown = Ok(());
        while shown.is_ok() && workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(PROGRESS_EVERY.min(Duration::from_millis(1 + done.load(Ordering::Relaxed) as u64)));
            shown = progress(done.load(Ordering::Relaxed));
        }
        is_over.store(true, Ordering::Relaxed);
        let failed = |_| "an evaluation panicked; please report it with the motion".to_owned();
        let ends: Result<Vec<()>, String> =
            workers.into_iter().map(|worker| worker.join().map_err(failed).flatten()).collect();
        shown.and(ends.map(drop).map_err(E::from))
    })?;
    progress(motions)?;
    Ok(numbers)
}
