//! Random poses in which two bodies overlap by a given depth.

use polycontact::contact::{ContactSurface, Method, RelativeMotion, Workspace, evaluate};
use polycontact::math::{Pose, Vector};

use super::random::Random;
use super::{elastic, radius};

/// Steps of the search in m.
const STEP: f64 = 1e-3;

/// A random orientation of F, moved towards E from outside in a random direction until it is `depth` beyond the first
/// contact.
pub fn pose_at_depth(e: &ContactSurface, f: &ContactSurface, depth: f64, random: &mut Random) -> Pose {
    let parameters = elastic(Method::CollisionOnly);
    let middle = |surface: &ContactSurface| {
        surface.mesh().vertices.iter().sum::<Vector>() / surface.mesh().vertices.len() as f64
    };
    let reach = radius(e.mesh()) + radius(f.mesh());
    let mut workspace = Workspace::default();
    loop {
        let (rotation, direction) = (random.rotation(), random.direction());
        let aside = direction.cross(&random.direction()) * random.between(0.0, 0.3 * reach);
        let centre = middle(e) - rotation * middle(f) + aside;
        let pose = |distance: f64| Pose::from_parts((centre - direction * (2.1 * reach - distance)).into(), rotation);
        let mut touches = |distance: f64| {
            evaluate(e, f, &parameters, &RelativeMotion::at_rest(pose(distance)), &mut workspace).in_contact
        };
        let steps = (4.2 * reach / STEP) as usize;
        if let Some(first) = (0..steps).find(|step| touches(*step as f64 * STEP)) {
            return pose(first as f64 * STEP + depth);
        }
    }
}
