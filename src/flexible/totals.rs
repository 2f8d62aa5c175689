//! Contact forces become wrenches.

use super::node_to_surface::Contacts;
use super::outcome::FlexibleOutcome;
use crate::math::{Body, Pose, Vector, Wrench, Wrenches};

impl FlexibleOutcome {
    /// Adds up the contacts; energies of the bodies are the caller's.
    pub(super) fn of_contacts(contacts: &Contacts, pose_ef: &Pose) -> Self {
        let mut outcome = FlexibleOutcome {
            contact_count: contacts.list.len() as u32,
            in_contact: !contacts.list.is_empty(),
            border_in_contact: contacts.border,
            max_penetration: contacts.max_depth(),
            penalty_energy: contacts.energy(),
            ..Default::default()
        };
        let (mut position, mut sum) = (Vector::zeros(), 0.0);
        for contact in &contacts.list {
            // The force acts along the normal on the slave and against it on the master.
            let force = if contact.master == Body::E { -contact.force() } else { contact.force() };
            let [on_e, on_f] = [force * contact.normals[0], -force * contact.normals[1]];
            outcome.wrenches += Wrenches {
                on_e: Wrench::of_force_at(on_e, contact.points[0]),
                on_f: Wrench::of_force_at(on_f, contact.points[1]),
                torque_on_e_at_f: (contact.points[0] - pose_ef.translation.vector).cross(&on_e),
            };
            position += contact.force() * contact.points[0];
            sum += contact.force();
        }
        if sum > 0.0 {
            outcome.contact_position_e = position / sum;
        }
        let force_on_e = outcome.wrenches.on_e.force;
        let size = force_on_e.norm();
        if size > 0.0 {
            outcome.contact_normal_e = force_on_e / size;
        }
        outcome
    }

    /// All energy that is stored in bodies and penalty springs, in J.
    pub(super) fn stored_energy(&self) -> f64 {
        self.strain_energy.iter().sum::<f64>() + self.kinetic_energy.iter().sum::<f64>() + self.penalty_energy
    }
}
