//! Many instances in many threads share nothing that can be seen.

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, fmi2OK};
use polycontact::math::Vector;

const INSTANCES: usize = 64;
const THREADS: usize = 8;

fn run(instance: &Instance, variant: usize) -> Vec<Vec<u64>> {
    assert_eq!(instance.set_integer("stepOutput", 1 + (variant % 3) as i32), fmi2OK);
    let steps = (0..30).map(|i| {
        let t = 1e-3 * f64::from(i);
        let z = -0.1 + 1e-3 * (variant as f64 + 100.0 * t).sin();
        assert_eq!(instance.set_vector("relativePosition", Vector::new(0.01 * variant as f64, t, z)), fmi2OK);
        assert_eq!(instance.set_vector("relativeVelocity", Vector::new(0.1, 1.0, 0.1)), fmi2OK);
        assert_eq!(instance.step(t, 1e-3), fmi2OK);
        instance.all_bits()
    });
    steps.collect()
}

/// Instances are created in one thread, stepped in others and freed in a third.
#[test]
fn instances_in_threads_give_the_bits_of_a_single_thread() {
    let fmus = ["", "[contact]\nmethod = \"two-pass\"\n", "[contact]\nelements = \"centroid\"\n"]
        .map(|contact| Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}\n{contact}")));
    let fmu = |i: usize| &fmus[i % fmus.len()];
    let expected: Vec<_> = (0..INSTANCES).map(|i| run(&fmu(i).initialized(), i / 3)).collect();
    assert!(expected[0] != expected[1] && expected[0] != expected[3]);
    let instances: Vec<Instance> = (0..INSTANCES).map(|i| fmu(i).initialized()).collect();
    std::thread::scope(|scope| {
        for (thread, part) in instances.chunks(INSTANCES / THREADS).enumerate() {
            let expected = &expected;
            scope.spawn(move || {
                for (j, instance) in part.iter().enumerate() {
                    let i = thread * (INSTANCES / THREADS) + j;
                    assert!(run(instance, i / 3) == expected[i], "instance {i}");
                }
            });
        }
    });
    std::thread::spawn(move || drop(instances)).join().unwrap();
}
