//! Many evaluations, shared among threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use polycontact::contact::{
    ContactParameters, ContactSurface, RelativeMotion, Workspace, evaluate, evaluate_with_derivatives,
};
use polycontact::fmu::stiffness_and_damping;

use crate::columns::{DERIVATIVES, row, width};

/// Poses that a thread takes at a time: long enough to leave the others alone, short enough to end together.
const BLOCK: usize = 32;

/// Poses up to which no thread is started.
const FEW: usize = 4;

/// How often the watch is asked.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Two surfaces and the law between them.
pub struct Bodies {
    pub e: ContactSurface,
    pub f: ContactSurface,
    pub parameters: ContactParameters,
}

/// What is asked for.
pub struct Sweep<'a> {
    pub bodies: &'a Bodies,
    pub motions: &'a [RelativeMotion],
    /// Also stiffness and damping.
    pub derivatives: bool,
    pub threads: usize,
}

/// The place of a pose and what is wrong there.
type Fault = (usize, String);

impl Sweep<'_> {
    /// Rows of all poses, in their order; the same bits with any number of threads. `watch` hears how many are done, and
    /// says whether to go on.
    pub fn run(&self, watch: &mut dyn FnMut(usize) -> bool) -> Result<Vec<f64>, String> {
        let width = width() + if self.derivatives { DERIVATIVES } else { 0 };
        let mut table = vec![0.0; width * self.motions.len()];
        let fault = if self.motions.len() <= FEW || self.threads <= 1 && self.motions.len() <= BLOCK {
            self.rows(0, &mut table, &mut Workspace::default()).err()
        } else {
            self.share(&mut table, width, watch)
        };
        match fault {
            None => Ok(table),
            Some((_, message)) if self.motions.len() == 1 => Err(message),
            Some((place, message)) => Err(format!("pose {place}: {message}")),
        }
    }

    /// The first fault, where there is one.
    fn share(&self, table: &mut [f64], width: usize, watch: &mut dyn FnMut(usize) -> bool) -> Option<Fault> {
        let blocks = Mutex::new(table.chunks_mut(width * BLOCK).enumerate());
        let goes_on = AtomicBool::new(true);
        let next = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                let (next, goes_on) = (&next, &goes_on);
                scope.spawn(move || {
                    let mut workspace = Workspace::default();
                    while goes_on.load(Ordering::Relaxed)
                        && let Some((index, rows)) = next()
                    {
                        let done = rows.len() / width;
                        let report = self.rows(BLOCK * index, rows, &mut workspace).map(|()| done);
                        // Who listens ends before the threads only by a panic.
                        let _ = sender.send(report);
                    }
                });
            }
            drop(sender);
            let (mut done, mut fault): (usize, Option<Fault>) = (0, None);
            loop {
                match receiver.recv_timeout(BETWEEN_LOOKS) {
                    Ok(Ok(more)) => {
                        done += more;
                        continue;
                    }
                    Ok(Err(found)) => {
                        goes_on.store(false, Ordering::Relaxed);
                        fault = Some(fault.filter(|known| known.0 < found.0).unwrap_or(found));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        if !watch(done) {
                            goes_on.store(false, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        watch(done);
                        return fault;
                    }
                }
            }
        })
    }

    /// Rows of the poses from one on.
    fn rows(&self, start: usize, rows: &mut [f64], workspace: &mut Workspace) -> Result<(), Fault> {
        let width = width() + if self.derivatives { DERIVATIVES } else { 0 };
        for (place, numbers) in (start..).zip(rows.chunks_exact_mut(width)) {
            let found = self.row(&self.motions[place], workspace).map_err(|message| (place, message))?;
            numbers.copy_from_slice(&found);
        }
        Ok(())
    }

    fn row(&self, motion: &RelativeMotion, workspace: &mut Workspace) -> Result<Vec<f64>, String> {
        let Bodies { e, f, parameters } = self.bodies;
        let beyond = |quantity: &str| {
            format!("{quantity} is beyond the range of numbers: an input or a parameter is far too large")
        };
        if !self.derivatives {
            let outcome = evaluate(e, f, parameters, motion, workspace);
            return outcome.not_finite().map_or(Ok(row(&outcome)), |quantity| Err(beyond(quantity)));
        }
        // The wrench as without derivatives, bit by bit.
        let outcome = evaluate(e, f, parameters, motion, workspace);
        let (_, derivatives) = evaluate_with_derivatives(e, f, parameters, motion, workspace);
        let mut numbers = row(&outcome);
        for matrix in stiffness_and_damping(&derivatives, motion) {
            numbers.extend(matrix.transpose().iter());
        }
        match outcome.not_finite() {
            None if numbers.iter().all(|number| number.is_finite()) => Ok(numbers),
            None => Err(beyond("a derivative")),
            Some(quantity) => Err(beyond(quantity)),
        }
    }
}
