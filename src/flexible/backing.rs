//! What lies behind the contact faces of a flexible body: nodes found there have come through unseen.

use super::reduced_model::ReducedModel;
use crate::math::{Aabb, Vector};

/// The solid behind a contact patch, as a cylinder along its mean normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Backing {
    centre: Vector,
    /// Outward unit vector.
    normal: Vector,
    /// In m: no node of the patch is farther from the axis.
    radius: f64,
    /// In m, from the centre to the far side of the body.
    depth: f64,
}

/// A patch whose mean normal is shorter than this wraps around its body: nothing is simply behind it.
const SHORTEST_MEAN_NORMAL: f64 = 0.5;

impl Backing {
    /// None where the patch wraps around the body.
    pub(super) fn of(model: &ReducedModel) -> Option<Backing> {
        let nodes = &model.contact_nodes;
        let (mut area, mut vector, mut moment) = (0.0, Vector::zeros(), Vector::zeros());
        for [a, b, c] in model.contact_faces.iter().map(|face| face.map(|corner| nodes[corner as usize])) {
            let of_face = 0.5 * (b - a).cross(&(c - a));
            area += of_face.norm();
            vector += of_face;
            moment += (a + b + c) * (of_face.norm() / 3.0);
        }
        if vector.norm() <= SHORTEST_MEAN_NORMAL * area {
            return None;
        }
        let (centre, normal) = (moment / area, vector.normalize());
        let from_axis = |node: &Vector| (node - centre - normal * normal.dot(&(node - centre))).norm();
        let radius = nodes.iter().map(from_axis).fold(0.0, f64::max);
        let behind = |node: &Vector| normal.dot(&(centre - node));
        let far_side = model.outline_nodes.iter().map(behind).fold(0.0, f64::max);
        // Without an outline a body is taken to be as thick as its patch is wide.
        let depth = if model.outline_nodes.is_empty() { 2.0 * radius } else { far_side };
        Some(Backing { centre, normal, radius, depth })
    }

    /// A box around the cylinder.
    pub(super) fn bounds(&self) -> Aabb {
        let far = self.centre - self.normal * self.depth;
        Aabb::of(&[self.centre, far]).inflated(self.radius)
    }

    /// Whether a node of the other body, with its outward normal, lies in the cylinder farther behind the patch than
    /// `reach`, and faces it.
    pub(super) fn contains(&self, node: &Vector, node_normal: &Vector, reach: f64) -> bool {
        let offset = node - self.centre;
        let behind = -self.normal.dot(&offset);
        let from_axis = offset + self.normal * behind;
        reach < behind
            && behind < self.depth
            && from_axis.norm_squared() < self.radius * self.radius
            && node_normal.dot(&self.normal) < 0.0
    }
}
