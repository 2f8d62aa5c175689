//! A reduced elastic body as plain data, and the rules that it must obey.

use super::archive::{ArchiveDefect, bad_value};
use crate::math::{Matrix, Vector};

/// The content of an archive, not yet checked; units m, kg, s.
///
/// The body frame is the Buckens frame: origin in the undeformed centre of mass, axes of the finite-element mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducedModel {
    /// Mass.
    pub mass: f64,
    /// Inertia about the centre of mass.
    pub inertia: Matrix,
    /// Origin of the body frame in the coordinates of the finite-element mesh.
    pub centre_of_mass: Vector,
    /// Undeformed contact nodes in the body frame.
    pub contact_nodes: Vec<Vector>,
    /// Triangles on contact nodes, counter-clockwise seen from outside.
    pub contact_faces: Vec<[u32; 3]>,
    /// Mass-normalised displacement shapes at the contact nodes, 1/√kg: mode by mode, node by node, x y z.
    pub modes: Vec<f64>,
    /// ω of every mode in rad/s, ascending.
    pub angular_frequencies: Vec<f64>,
    /// Damping ratio of every mode.
    pub damping_ratios: Vec<f64>,
    /// That many first modes are low-frequency.
    pub low_frequency_modes: usize,
    /// Nodes of the whole surface in the body frame, for pictures; may be empty.
    pub outline_nodes: Vec<Vector>,
    /// Triangles on the nodes of the outline.
    pub outline_faces: Vec<[u32; 3]>,
}

/// Most contact nodes: the compliance of all of them is one dense matrix, 288 MB for this many.
pub const MOST_CONTACT_NODES: usize = 2000;

/// Most modes: three for each of the most contact nodes, and as many again.
pub const MOST_MODES: usize = 6 * MOST_CONTACT_NODES;

/// A face whose area is below this part of the square of its longest edge is a line, its normal rounding.
const DEGENERATE_AREA: f64 = 1.0e-10;

/// Moments of inertia that should be equal may differ by this part of the largest: single-precision archives.
const INERTIA_SYMMETRY: f64 = 1.0e-6;

/// Coordinates in m beyond this make no body, and products of them could overflow.
const LARGEST_COORDINATE: f64 = 1.0e6;

impl ReducedModel {
    /// Checks every rule; the error names the array and the place.
    pub(super) fn check(&self) -> Result<(), ArchiveDefect> {
        self.check_mass()?;
        check_points("contact_nodes", &self.contact_nodes)?;
        check_points("outline_nodes", &self.outline_nodes)?;
        if self.contact_nodes.len() > MOST_CONTACT_NODES {
            let problem = format!(
                "has {} nodes, but at most {MOST_CONTACT_NODES} are allowed; choose a smaller contact patch",
                self.contact_nodes.len()
            );
            return Err(bad_value("contact_nodes", &[], problem));
        }
        if self.contact_faces.is_empty() {
            return Err(bad_value("contact_faces", &[], "has no faces: without them there is no contact"));
        }
        check_faces("contact_faces", &self.contact_faces, &self.contact_nodes)?;
        check_manifold(&self.contact_faces)?;
        let outline = |face: &[u32; 3]| face.iter().all(|&corner| (corner as usize) < self.outline_nodes.len());
        if let Some(face) = self.outline_faces.iter().position(|face| !outline(face)) {
            return Err(bad_value("outline_faces", &[face], "refers to a node that does not exist"));
        }
        self.check_modes()
    }

    fn check_mass(&self) -> Result<(), ArchiveDefect> {
        if !(self.mass.is_finite() && self.mass > 0.0) {
            return Err(bad_value("mass", &[], format!("is {}, but must be a finite number above 0", self.mass)));
        }
        let inertia = &self.inertia;
        let is_symmetric = (inertia - inertia.transpose()).amax() <= INERTIA_SYMMETRY * inertia.amax();
        if !(inertia.iter().all(|x| x.is_finite()) && is_symmetric && inertia.cholesky().is_some()) {
            return Err(bad_value("inertia", &[], "must be symmetric and positive definite"));
        }
        check_points("centre_of_mass", &[self.centre_of_mass])
    }

    fn check_modes(&self) -> Result<(), ArchiveDefect> {
        let (nodes, modes) = (self.contact_nodes.len(), self.angular_frequencies.len());
        if modes > MOST_MODES {
            let problem = format!("has {modes} modes, but at most {MOST_MODES} are allowed");
            return Err(bad_value("angular_frequencies", &[], problem));
        }
        if self.modes.len() != 3 * nodes * modes {
            let problem = format!("must have 3 numbers for each of {nodes} nodes in each of {modes} modes");
            return Err(bad_value("modes", &[], problem));
        }
        if let Some(place) = self.modes.iter().position(|x| !x.is_finite()) {
            let index = [place / (3 * nodes), place / 3 % nodes, place % 3];
            return Err(bad_value("modes", &index, "is not a finite number"));
        }
        let mut previous = 0.0;
        for (mode, &omega) in self.angular_frequencies.iter().enumerate() {
            if !(omega.is_finite() && omega > 0.0) {
                let problem = format!("is {omega}, but must be above 0: remove rigid-body modes");
                return Err(bad_value("angular_frequencies", &[mode], problem));
            }
            if omega < previous {
                let problem = format!("is {omega} after {previous}: sort the modes by frequency");
                return Err(bad_value("angular_frequencies", &[mode], problem));
            }
            previous = omega;
        }
        if self.damping_ratios.len() != modes {
            return Err(bad_value("damping_ratios", &[], format!("must have one number for each of {modes} modes")));
        }
        let is_good = |ratio: &f64| ratio.is_finite() && *ratio >= 0.0;
        if let Some(mode) = self.damping_ratios.iter().position(|ratio| !is_good(ratio)) {
            let problem = format!("is {}, but must be 0 or above", self.damping_ratios[mode]);
            return Err(bad_value("damping_ratios", &[mode], problem));
        }
        if self.low_frequency_modes > modes {
            let problem = format!("is {}, but there are {modes} modes", self.low_frequency_modes);
            return Err(bad_value("low_frequency_modes", &[], problem));
        }
        Ok(())
    }
}

fn check_points(array: &'static str, points: &[Vector]) -> Result<(), ArchiveDefect> {
    match points.iter().position(|p| p.iter().any(|x| !x.is_finite() || x.abs() > LARGEST_COORDINATE)) {
        None => Ok(()),
        Some(place) => {
            let problem = format!("is {:?}: coordinates must be finite, at most 1e6 m", points[place].as_slice());
            Err(bad_value(array, &[place], problem))
        }
    }
}

fn check_faces(array: &'static str, faces: &[[u32; 3]], nodes: &[Vector]) -> Result<(), ArchiveDefect> {
    for (index, face) in faces.iter().enumerate() {
        if let Some(corner) = face.iter().position(|&corner| corner as usize >= nodes.len()) {
            let problem = format!("is {}, but there are {} nodes, counted from 0", face[corner], nodes.len());
            return Err(bad_value(array, &[index, corner], problem));
        }
        let [a, b, c] = face.map(|corner| nodes[corner as usize]);
        let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
        if 0.5 * (b - a).cross(&(c - a)).norm() <= DEGENERATE_AREA * longest {
            return Err(bad_value(array, &[index], format!("has no area: its nodes are {face:?}")));
        }
    }
    Ok(())
}

/// Every edge has one face, or two that run along it in opposite directions.
fn check_manifold(faces: &[[u32; 3]]) -> Result<(), ArchiveDefect> {
    let mut edges: Vec<(u32, u32, bool, usize)> = Vec::with_capacity(3 * faces.len());
    for (index, face) in faces.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (face[k], face[(k + 1) % 3]);
            edges.push((from.min(to), from.max(to), from < to, index));
        }
    }
    edges.sort_unstable();
    for edge in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (low, high, _, first) = edge[0];
        let last = edge[edge.len() - 1].3;
        let problem = match edge {
            [_] => continue,
            [a, b] if a.2 != b.2 => continue,
            [_, _] => format!("and face {last} run along the edge {low}-{high} alike: turn one of them around"),
            _ => format!("and {} other faces share the edge {low}-{high}; at most 2 may", edge.len() - 1),
        };
        return Err(bad_value("contact_faces", &[first], problem));
    }
    Ok(())
}
