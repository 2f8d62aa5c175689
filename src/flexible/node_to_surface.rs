//! Node-to-surface contact: which nodes of either body penetrate the faces of the other.

use super::closest_point::{Closest, Feature, Shape};
use super::contact_body::ContactBody;
use super::error::FlexibleError;
use crate::math::{Body, Pose, Vector};
use crate::tree::OverlapStack;

/// A node deeper than the credible depth is searched for up to this many times the depth, and then refused: within
/// an iteration, nodes go deeper than in equilibrium. Further away lies another side of the body, not the contact.
pub(super) const SEARCH_DEPTHS: f64 = 4.0;

/// A node of the slave behind a face of the master.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// Which body has the face.
    pub(super) master: Body,
    /// Node of the other body.
    pub(super) node: u32,
    /// Nodes of the face, and the barycentric coordinates of the closest point.
    pub(super) corners: [u32; 3],
    pub(super) weights: [f64; 3],
    /// Direction of the force on the slave, out of the master: unit vector in the frames of E and F.
    pub(super) normals: [Vector; 2],
    /// Where the force acts on E and on F, in the frame of either.
    pub(super) points: [Vector; 2],
    /// Penetration g in m, positive.
    pub(super) depth: f64,
    /// Penalty stiffness times pass weight in N/m.
    pub(super) stiffness: f64,
}

impl Contact {
    /// Magnitude of the contact force in N.
    pub(super) fn force(&self) -> f64 {
        self.stiffness * self.depth
    }

    /// Order of contacts, and what makes two of them the same.
    pub(super) fn key(&self) -> (Body, u32) {
        (self.master, self.node)
    }

    /// Calls `visit` with each degree of freedom of `body` that the depth depends on, and the derivative of the depth.
    #[inline]
    pub(super) fn for_each_derivative(&self, body: Body, mut visit: impl FnMut(usize, f64)) {
        let normal = &self.normals[body];
        if body == self.master {
            for (corner, weight) in self.corners.iter().zip(self.weights) {
                for axis in 0..3 {
                    visit(3 * *corner as usize + axis, weight * normal[axis]);
                }
            }
        } else {
            for axis in 0..3 {
                visit(3 * self.node as usize + axis, -normal[axis]);
            }
        }
    }
}

/// What the search depends on besides the shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchSettings {
    /// Maps coordinates in F to coordinates in E.
    pub(super) pose_ef: Pose,
    /// Penalty stiffness times pass weight with E and with F as master.
    pub(super) stiffness: [f64; 2],
    /// Credible depths with E and with F as master in m.
    pub(super) limits: [f64; 2],
    /// What rounding of positions makes of a depth, in m.
    pub(super) depth_rounding: f64,
}

impl SearchSettings {
    /// How deep nodes are searched for, with E and with F as master.
    pub(super) fn reaches(&self) -> [f64; 2] {
        self.limits.map(|limit| SEARCH_DEPTHS * limit)
    }

    /// Maps coordinates of the other body to those of a body.
    pub(super) fn pose_to(&self, body: Body) -> Pose {
        match body {
            Body::E => self.pose_ef,
            Body::F => self.pose_ef.inverse(),
        }
    }
}

/// All contacts, sorted by [`Contact::key`], with the memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub(super) list: Vec<Contact>,
    /// Whether a node penetrates at a border.
    pub(super) border: bool,
    candidates: Vec<u32>,
    stack: OverlapStack,
}

impl Contacts {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.border = false;
    }

    /// Finds all contacts of two shapes.
    pub(super) fn find(&mut self, settings: &SearchSettings, shapes: &[Shape; 2]) {
        self.clear();
        for master in Body::BOTH {
            if settings.stiffness[master] > 0.0 {
                self.find_pass(settings, shapes, master);
            }
        }
    }

    fn find_pass(&mut self, settings: &SearchSettings, shapes: &[Shape; 2], master: Body) {
        let (faces, nodes) = (&shapes[master], &shapes[master.other()]);
        let reach = settings.reaches()[master];
        let to_master = settings.pose_to(master);
        let region = faces.tree.root().volume.inflated(reach);
        self.candidates.clear();
        match &nodes.body.node_tree {
            Some(tree) => {
                let region = region.moved(&to_master.inverse());
                let candidates = &mut self.candidates;
                tree.items_touching(&mut self.stack, |bounds| bounds.overlaps(&region), |node| candidates.push(node));
                candidates.sort_unstable();
            }
            None => self.candidates.extend(0..nodes.positions.len() as u32),
        }
        for &node in &self.candidates {
            let point = to_master.rotation * nodes.positions[node as usize] + to_master.translation.vector;
            if !region.contains(&point) {
                continue;
            }
            let node_normal = to_master.rotation * nodes.body.normals[node as usize];
            let Some(closest) = faces.closest(&point, reach, &mut self.stack) else { continue };
            let (outward, is_border) = faces.normal_at(&closest);
            // Surfaces that face the same way do not touch: one is the far side of its body.
            if node_normal.dot(&outward) >= 0.0 {
                continue;
            }
            let Some((normal, depth)) = penetration(&closest, &point, &outward) else { continue };
            if is_border {
                self.border = true;
                continue;
            }
            let (mut normals, mut points) = ([normal; 2], [closest.point; 2]);
            normals[master.other()] = to_master.rotation.inverse() * normal;
            points[master.other()] = nodes.positions[node as usize];
            self.list.push(Contact {
                master,
                node,
                corners: faces.body.faces[closest.face as usize].map(|corner| corner.0),
                weights: closest.weights,
                normals,
                points,
                depth,
                stiffness: settings.stiffness[master],
            });
        }
    }

    /// Whether a node of either undeformed body lies behind the contact faces of the other, deeper than contacts are
    /// looked for.
    pub(super) fn any_behind(&mut self, settings: &SearchSettings, bodies: &[ContactBody; 2]) -> bool {
        Body::BOTH.into_iter().any(|master| {
            let reach = settings.reaches()[master];
            let Some(backing) = &bodies[master].backing else { return false };
            let slave = &bodies[master.other()];
            let to_master = settings.pose_to(master);
            let is_behind = |node: u32| {
                let point = to_master.rotation * slave.nodes[node as usize] + to_master.translation.vector;
                backing.contains(&point, &(to_master.rotation * slave.normals[node as usize]), reach)
            };
            match &slave.node_tree {
                None => (0..slave.nodes.len() as u32).any(is_behind),
                Some(tree) => {
                    let region = backing.bounds().moved(&to_master.inverse());
                    let mut found = false;
                    tree.items_touching(
                        &mut self.stack,
                        |bounds| bounds.overlaps(&region),
                        |node| found |= is_behind(node),
                    );
                    found
                }
            }
        })
    }

    /// Energy of the penalty springs in J.
    pub(super) fn energy(&self) -> f64 {
        self.list.iter().fold(0.0, |sum, contact| sum + 0.5 * contact.stiffness * contact.depth * contact.depth)
    }

    /// Deepest penetration in m.
    pub(super) fn max_depth(&self) -> f64 {
        self.list.iter().fold(0.0, |deepest, contact| contact.depth.max(deepest))
    }

    /// Refuses depths that are not credible.
    pub(super) fn check_depths(&self, settings: &SearchSettings) -> Result<(), FlexibleError> {
        match self.list.iter().find(|contact| contact.depth > settings.limits[contact.master]) {
            None => Ok(()),
            Some(contact) => Err(FlexibleError::TooDeep {
                body: contact.master.other(),
                node: contact.node as usize,
                penetration: contact.depth,
                limit: settings.limits[contact.master],
                position_e: contact.points[0].into(),
            }),
        }
    }
}

/// Direction out of the master and depth of a point; none where it is outside.
fn penetration(closest: &Closest, point: &Vector, outward: &Vector) -> Option<(Vector, f64)> {
    let back = closest.point - point;
    if closest.feature == Feature::Inside {
        // The normal of the face is exact where the point almost touches it.
        let depth = back.dot(outward);
        return (depth > 0.0).then_some((*outward, depth));
    }
    let depth = back.norm();
    (depth > 0.0 && back.dot(outward) > 0.0).then(|| (back / depth, depth))
}
