//! What the border of the contact adds to derivatives: it moves, and some quantities do not vanish there.
//!
//! The border lies on the intersection lines. With the field's body moved by w, its plane with the normal n moves by n · w,
//! and the line on a face with the normal m by n · w / |n × m| across itself, outwards. So the area of the contact
//! changes by the integral of that along the lines. Where damping does not fade in, the pressure at the border is that of
//! the dampers, and comes in with the new area.

use super::Law;
use crate::contact::detect::IntersectionLine;
use crate::contact::integrate::derivatives::{
    AREA, CLOSING_VELOCITY, Column, DIRECTION, DerivativeScope, DerivativeSums, FORCE, MAGNITUDE, NORMAL, POSITION,
    POWER, ROWS, SHEAR, SLIP_SPEED, TORQUE,
};
use crate::contact::pieces::FacesInField;
use crate::contact::relative_motion::RelativeMotion;
use crate::math::Vector;

/// Gauss' points between 0 and 1, three of them, and their weights: exact for polynomials of degree 5.
const GAUSS_THREE: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// The border of the contact on the faces of a body.
pub struct Border<'a> {
    /// The law for these faces.
    pub law: &'a Law,
    /// Relative motion.
    pub motion: &'a RelativeMotion,
    /// The point that torques and rotations are about, in E.
    pub reference_e: Vector,
}

impl Border<'_> {
    /// Adds all lines.
    pub fn add(&self, faces: &FacesInField, sums: &mut DerivativeSums) {
        for line in faces.lines {
            let normal = faces.surface.normal(line.face_of(faces.body));
            let of_field = faces.field.normal(line.face_of(faces.body.other()));
            let sine = normal.cross(&of_field).norm();
            // Faces in one plane have no border that is known to move.
            if 0.0 < sine {
                // Faces of F see the body E move the other way.
                let outwards = of_field * (-self.law.into_e * self.law.weight / sine);
                self.add_line(line, &normal, &outwards, sums);
            }
        }
    }

    fn add_line(&self, line: &IntersectionLine, normal: &Vector, outwards: &Vector, sums: &mut DerivativeSums) {
        let ends = [line.start.position_e, line.end.position_e];
        let length = (ends[1] - ends[0]).norm();
        let mut of_area = [0.0; ROWS];
        of_area[AREA] = length;
        add_moved(&((ends[0] + ends[1]) * 0.5 - self.reference_e), outwards, &of_area, sums);
        if self.law.is_moving && sums.scope == DerivativeScope::Everything {
            for (part, weight) in GAUSS_THREE {
                let at = ends[0] + (ends[1] - ends[0]) * part;
                let velocity = self.motion.velocity_at(at);
                let mut of_velocity = [0.0; ROWS];
                of_velocity[CLOSING_VELOCITY] = self.law.into_e * normal.dot(&velocity) * length * weight;
                of_velocity[SLIP_SPEED] = (velocity - normal * normal.dot(&velocity)).norm() * length * weight;
                add_moved(&(at - self.reference_e), outwards, &of_velocity, sums);
            }
        }
        if self.law.damping == 0.0 || 0.0 < self.law.transition_depth {
            return;
        }
        // The part of the line where the dampers push.
        let closing = ends.map(|end| self.law.into_e * normal.dot(&self.motion.velocity_at(end)));
        let (mut from, mut to) = (0.0, 1.0);
        if closing[0] <= 0.0 && closing[1] <= 0.0 {
            return;
        } else if closing[0] < 0.0 {
            from = closing[0] / (closing[0] - closing[1]);
        } else if closing[1] < 0.0 {
            to = closing[0] / (closing[0] - closing[1]);
        }
        for (part, weight) in GAUSS_THREE {
            let at = ends[0] + (ends[1] - ends[0]) * (from + part * (to - from));
            let density = self.density(at, normal);
            let rows = density.map(|number| number * length * weight * (to - from));
            add_moved(&(at - self.reference_e), outwards, &rows, sums);
        }
    }

    /// What there is per area at a point of the border.
    fn density(&self, at: Vector, normal: &Vector) -> Column {
        let law = self.law;
        let velocity = self.motion.velocity_at(at);
        let closing = law.into_e * normal.dot(&velocity);
        let pressure = (law.damping * closing).max(0.0);
        let along = |vector: Vector| vector - normal * normal.dot(&vector);
        let slip = along(velocity);
        let speed = slip.norm();
        let mut tangential = Vector::zeros();
        if let Some(friction) = law.friction {
            tangential = slip * (friction.per_velocity(0.0, speed) * pressure);
        } else if let Some(bristles) = law.bristles {
            let trial = along(self.motion.deflection().at(at)) * bristles.stiffness + slip * bristles.damping;
            let limit = bristles.coefficient_at(0.0, speed * speed) * pressure;
            tangential = trial.cap_magnitude(limit);
        }
        let stress = normal * (law.into_e * pressure) + tangential;
        let position = at - self.reference_e;
        let torque = position.cross(&stress);
        // That of bristles acts where the pressure does.
        let magnitude = if law.bristles.is_some() { pressure } else { stress.norm() };
        let mut rows = [0.0; ROWS];
        for axis in 0..3 {
            rows[FORCE + axis] = stress[axis];
            rows[TORQUE + axis] = torque[axis];
            rows[POSITION + axis] = magnitude * position[axis];
            rows[DIRECTION + axis] = magnitude * law.into_e * normal[axis];
        }
        rows[MAGNITUDE] = magnitude;
        rows[POWER] = pressure * closing + tangential.dot(&slip);
        rows[NORMAL] = pressure;
        rows[SHEAR] = tangential.norm();
        rows
    }
}

/// Adds quantities at a point that is `position` from the reference point, times how far motions move it outwards.
fn add_moved(position: &Vector, outwards: &Vector, rows: &Column, sums: &mut DerivativeSums) {
    let turning = position.cross(outwards);
    for (column, sums) in sums.by_pose.iter_mut().enumerate() {
        let way = if column < 3 { outwards[column] } else { turning[column - 3] };
        sums.iter_mut().zip(rows).for_each(|(sum, row)| *sum += way * row);
    }
}
