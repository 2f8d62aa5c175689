//! Contact forces become wrenches.

use super::node_to_surface::Contacts;
use super::outcome::{FlexibleOutcome, MeanWrench};
use crate::math::{Body, Pose, Vector};

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
            outcome.force_on_e += on_e;
            outcome.torque_on_e += contact.points[0].cross(&on_e);
            outcome.torque_on_e_at_f += (contact.points[0] - pose_ef.translation.vector).cross(&on_e);
            outcome.force_on_f += on_f;
            outcome.torque_on_f += contact.points[1].cross(&on_f);
            position += contact.force() * contact.points[0];
            sum += contact.force();
        }
        if sum > 0.0 {
            outcome.contact_position_e = position / sum;
        }
        let size = outcome.force_on_e.norm();
        if size > 0.0 {
            outcome.contact_normal_e = outcome.force_on_e / size;
        }
        outcome
    }

    /// All energy that is stored in bodies and penalty springs, in J.
    pub(super) fn stored_energy(&self) -> f64 {
        self.strain_energy.iter().sum::<f64>() + self.kinetic_energy.iter().sum::<f64>() + self.penalty_energy
    }

    pub(super) fn wrench(&self) -> MeanWrench {
        MeanWrench {
            force_on_e: self.force_on_e,
            torque_on_e: self.torque_on_e,
            force_on_f: self.force_on_f,
            torque_on_f: self.torque_on_f,
            torque_on_e_at_f: self.torque_on_e_at_f,
        }
    }
}

impl MeanWrench {
    /// Adds a part of another wrench.
    pub(super) fn add(&mut self, part: f64, wrench: &MeanWrench) {
        self.force_on_e += part * wrench.force_on_e;
        self.torque_on_e += part * wrench.torque_on_e;
        self.force_on_f += part * wrench.force_on_f;
        self.torque_on_f += part * wrench.torque_on_f;
        self.torque_on_e_at_f += part * wrench.torque_on_e_at_f;
    }
}
