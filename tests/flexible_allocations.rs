//! Warm evaluations and steps of a flexible pair do not allocate.
#![allow(unsafe_code)] // A global allocator that counts cannot be written without; nothing else here is unsafe.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use polycontact::contact::RelativeMotion;
use polycontact::flexible::{BodyModel, FlexiblePair, RawFlexibleParameters, Submodel, Workspace};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::icosphere;
use support::flexible::{checked, flexible, random_body};
use support::random::Random;

struct CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises of `realloc`.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn warm_steps_and_evaluations_do_not_allocate() {
    let radius = 0.01;
    let mut random = Random::new(6);
    let mut ball = || flexible(random_body(&icosphere(radius, 2), radius, (6, 10), 2.0e-8, &mut random));
    for pair in [FlexiblePair::new(ball(), ball()), FlexiblePair::new(ball(), BodyModel::Rigid(icosphere(radius, 3)))] {
        let pair = pair.expect("a pair");
        for submodel in [Submodel::QuasiStatic, Submodel::Damped, Submodel::Modal] {
            let parameters =
                checked(&RawFlexibleParameters { submodel, penalty_stiffness: 1.0e6, ..Default::default() });
            let motion = |t: f64| {
                let pose = Pose::translation(2.0 * radius - 1.0e-4 - t, 1.0e-3, 0.0);
                RelativeMotion::new(pose, -Vector::x(), Vector::zeros())
            };
            let mut workspace = Workspace::default();
            let mut run = || {
                let mut state = pair.initial_state();
                let before = ALLOCATIONS.with(Cell::get);
                for k in 0..40 {
                    let shifted = |t: f64| motion(t + 5.0e-6 * f64::from(k));
                    let end = shifted(5.0e-6).expect("a motion");
                    pair.advance(&parameters, &shifted, 5.0e-6, &mut state, &mut workspace).expect("a step");
                    pair.evaluate(&parameters, &end, &state, &mut workspace).expect("an evaluation");
                }
                ALLOCATIONS.with(Cell::get) - before
            };
            assert!(run() > 0, "a cold run allocates");
            assert_eq!(run(), 0, "{submodel:?}");
        }
    }
}
