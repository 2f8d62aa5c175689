//! How F comes to E: the direction, and the pose at first touch.

use polycontact::contact::{
    ContactParameters, ContactSurface, Method, Outcome, RawParameters, RelativeMotion, Workspace, evaluate,
    visit_pieces_while,
};
use polycontact::math::{Aabb, Pose, Vector};
use polycontact::mesh::TriangleMesh;

use crate::contact_pair::{ContactPair, extent};

/// Steps in which the way of F is searched for the first touch: features smaller than this part of the way may be
/// stepped over.
const SEARCH_STEPS: usize = 400;

/// Halvings of the step that holds the touch: to rounding.
const BISECTIONS: usize = 50;

/// Contacts of more pieces than this take seconds, and up to minutes.
pub const MOST_PIECES: usize = 200_000;

/// Two surfaces and the parameters of their contact.
pub struct Pair {
    /// Surface E.
    pub e: ContactSurface,
    /// Surface F.
    pub f: ContactSurface,
    /// As in the configuration.
    pub raw: RawParameters,
}

impl Pair {
    /// Of a configuration with two rigid bodies; the error is a message for people.
    pub fn of(pair: &ContactPair) -> Result<Self, String> {
        if pair.configuration.flexible.is_some() {
            return Err(
                "this pair has a flexible body, which has no layers; the verb is for rigid bodies with layers, \
                        see docs/flexible.md"
                    .to_owned(),
            );
        }
        Ok(Pair {
            e: ContactSurface::new(pair.surface_e.shape.clone()),
            f: ContactSurface::new(pair.surface_f.shape.clone()),
            raw: pair.configuration.parameters,
        })
    }

    /// The checked parameters; the error is a message for people.
    pub fn parameters(&self) -> Result<ContactParameters, String> {
        ContactParameters::new(&self.raw).map_err(|error| error.to_string())
    }

    /// The outcome in a pose, at rest; an error for people where that would take minutes.
    fn outcome_in_few_pieces(&self, pose: &Pose) -> Result<Outcome, String> {
        let (parameters, motion) = (self.parameters()?, RelativeMotion::at_rest(*pose));
        let mut workspace = Workspace::default();
        let mut count = 0;
        visit_pieces_while(&self.e, &self.f, &parameters, &motion, &mut workspace, &mut |_| {
            count += 1;
            count <= MOST_PIECES
        });
        if MOST_PIECES < count {
            return Err(format!(
                "the bodies are so deep in each other in this pose that their contact has more than {MOST_PIECES} pieces; \
                 give the direction of F with `--approach x,y,z`, or another pose"
            ));
        }
        Ok(evaluate(&self.e, &self.f, &parameters, &motion, &mut workspace))
    }

    /// Shortest side of the boxes around both bodies in m, sheets left out.
    pub fn smallest_size(&self) -> f64 {
        let sides = [&self.e, &self.f].map(|surface| Aabb::of(surface.mesh().vertices.iter()).size());
        let largest = sides.iter().map(|size| size.amax()).fold(0.0, f64::max);
        sides.iter().flat_map(|size| size.iter()).copied().filter(|side| 1e-3 * largest < *side).fold(largest, f64::min)
    }
}

/// The way of F into E.
#[derive(Clone, Debug)]
pub struct Approach {
    /// Pose of M_f seen from M_e at first touch.
    pub touch: Pose,
    /// Unit vector along which F moves into E, resolved in M_e.
    pub direction_e: Vector,
    /// How both were found, for people.
    pub explanation: String,
    /// Depth of the pose that was asked for; none where that pose has no contact.
    pub asked_depth: Option<f64>,
    /// Where other ways are about as short, for people.
    pub warning: Option<String>,
}

impl Approach {
    /// Shows the warning.
    pub fn print_warning(&self) {
        self.warning.iter().for_each(|warning| eprintln!("warning: {warning}"));
    }

    /// The pose at a depth along the approach, and moved aside.
    pub fn pose(&self, depth: f64, aside_e: Vector) -> Pose {
        let mut pose = self.touch;
        pose.translation.vector += self.direction_e * depth + aside_e;
        pose
    }

    /// Finds the way of F.
    ///
    /// The pose is the one asked for or the one of the files. The direction is the one asked for, else against the
    /// contact force on F where the pose has contact. Else, where F lies between parts of E without contact, it is the
    /// axis of M_e along which it touches first; else that along which the boxes around the bodies overlap least. Touch
    /// is the last free place before the contact.
    pub fn find(pair: &Pair, pose: Option<Pose>, direction: Option<Vector>) -> Result<Approach, String> {
        let start = pose.unwrap_or_else(Pose::identity);
        let touching = Touching::new(pair)?;
        let asked_contact = pose.is_some() && touching.in_contact(&start);
        let choice = match direction {
            Some(direction) => {
                let direction = direction.try_normalize(0.0).ok_or("`--approach` is 0,0,0, but must be a direction")?;
                Choice::only(direction, "along the given direction", pose.is_some())
            }
            None if asked_contact => {
                let outcome = pair.outcome_in_few_pieces(&start)?;
                let direction = outcome.wrenches.on_e.force.try_normalize(0.0).ok_or(
                    "the bodies intersect in this pose, but there is no force; give the direction with `--approach`",
                )?;
                Choice::only(direction, "against the contact force in the given pose", false)
            }
            None => touching
                .nearest_contact(&start)
                .unwrap_or_else(|| Choice::between_boxes(&pair.e, &pair.f, &start, pose.is_some())),
        };
        let Choice { direction_e, words, goes_on, .. } = &choice;
        let (direction_e, warning) = (*direction_e, choice.warning());
        let reach = reach(&pair.e, &pair.f, &start, direction_e);
        let at = |way: f64| moved_by(&start, direction_e * way);
        if asked_contact {
            let free = touching.bracket(at, 0.0, -reach, true).ok_or(
                "F cannot be drawn out of E against the approach direction; give another one with `--approach`",
            )?;
            let explanation = format!("F is pressed {words}; the given pose is in contact");
            return Ok(Approach { touch: at(free), direction_e, explanation, asked_depth: Some(-free), warning });
        }
        // F may be inside a bore: look ahead before coming from outside.
        let touch = goes_on
            .then(|| touching.bracket(at, 0.0, reach, false))
            .flatten()
            .or_else(|| touching.bracket(at, -reach, reach, false))
            .ok_or_else(|| {
                let [e, f] = [&pair.e, &pair.f].map(|body| extent(Aabb::of(body.mesh().vertices.iter()).size()));
                format!(
                    "F passes E without touching it; give a pose in which the bodies meet with `--pose x,y,z`, or a \
                     direction with `--approach x,y,z`. E is {e}, F is {f}: if one is in another unit, set its `scale`"
                )
            })?;
        let explanation = format!("F moves {words} until it touches E, and is pressed on");
        Ok(Approach { touch: at(touch), direction_e, explanation, asked_depth: None, warning })
    }
}

fn moved_by(pose: &Pose, way_e: Vector) -> Pose {
    let mut moved = *pose;
    moved.translation.vector += way_e;
    moved
}

/// A direction that was chosen.
struct Choice {
    /// Unit vector from F towards E.
    direction_e: Vector,
    /// For people.
    words: String,
    /// Names of other directions that are about as good.
    others: Vec<String>,
    /// Whether F goes on from where it is, or comes from outside.
    goes_on: bool,
}

/// Ways up to this much longer than the shortest are about as short.
const ABOUT_AS_SHORT: f64 = 1.1;

/// An axis of M_e and a sign.
#[derive(Clone, Copy, PartialEq)]
struct Sense {
    axis: usize,
    sign: f64,
}

impl Sense {
    fn all() -> impl Iterator<Item = Sense> {
        (0..3).flat_map(|axis| [1.0, -1.0].map(|sign| Sense { axis, sign }))
    }

    fn direction(&self) -> Vector {
        Vector::ith(self.axis, self.sign)
    }

    fn name(&self) -> String {
        format!("{}{}", if 0.0 < self.sign { "+" } else { "−" }, ["x", "y", "z"][self.axis])
    }
}

impl Choice {
    /// Where nothing else was to choose from.
    fn only(direction_e: Vector, words: &str, goes_on: bool) -> Self {
        Choice { direction_e, words: words.to_owned(), others: Vec::new(), goes_on }
    }

    fn warning(&self) -> Option<String> {
        (!self.others.is_empty()).then(|| {
            format!(
                "F could come as well along {} of M_e, where the first contact is about as near; choose with \
                 `--approach x,y,z`, or give a pose",
                self.others.join(", ")
            )
        })
    }

    /// The axis of M_e along which the boxes overlap least, or are farthest apart, from F towards E.
    fn between_boxes(e: &ContactSurface, f: &ContactSurface, pose: &Pose, goes_on: bool) -> Self {
        let (box_e, box_f) = (Aabb::of(e.mesh().vertices.iter()), posed_box(f.mesh(), pose));
        let overlap = |axis: usize| (box_e.max[axis] - box_f.min[axis]).min(box_f.max[axis] - box_e.min[axis]);
        // Of equal ones the last: z is up in most models.
        let axis = (0..3).fold(2, |best, axis| if overlap(axis) < overlap(best) * (1.0 - 1e-9) { axis } else { best });
        let offset = 0.5 * (box_e.min + box_e.max - box_f.min - box_f.max)[axis];
        let sense = Sense { axis, sign: if 0.0 < offset { 1.0 } else { -1.0 } };
        // F that comes along +x was drawn out to −x, until its high end left the low end of E.
        let way = |other: &Sense| match 0.0 < other.sign {
            true => box_f.max[other.axis] - box_e.min[other.axis],
            false => box_e.max[other.axis] - box_f.min[other.axis],
        };
        let is_near =
            |other: &Sense| *other != sense && 0.0 < overlap(axis) && way(other) <= ABOUT_AS_SHORT * overlap(axis);
        Choice {
            direction_e: sense.direction(),
            words: format!("along {} of M_e, where the boxes around the bodies overlap least,", sense.name()),
            others: Sense::all().filter(is_near).map(|other| other.name()).collect(),
            goes_on,
        }
    }
}

/// Tells poses with contact from those without.
struct Touching<'a> {
    pair: &'a Pair,
    parameters: ContactParameters,
    workspace: std::cell::RefCell<Workspace>,
}

impl<'a> Touching<'a> {
    fn new(pair: &'a Pair) -> Result<Self, String> {
        let raw = RawParameters { method: Method::CollisionOnly, ..pair.raw };
        let parameters = ContactParameters::new(&raw).map_err(|error| error.to_string())?;
        Ok(Touching { pair, parameters, workspace: Default::default() })
    }

    fn in_contact(&self, pose: &Pose) -> bool {
        self.outcome(pose).in_contact
    }

    fn outcome(&self, pose: &Pose) -> Outcome {
        let motion = RelativeMotion::at_rest(*pose);
        evaluate(&self.pair.e, &self.pair.f, &self.parameters, &motion, &mut self.workspace.borrow_mut())
    }

    /// The axis along which F touches E first, from a free place where the boxes around the bodies overlap, as a peg in
    /// its hole; none elsewhere.
    fn nearest_contact(&self, start: &Pose) -> Option<Choice> {
        let (e, f) = (&self.pair.e, &self.pair.f);
        let (box_e, box_f) = (Aabb::of(e.mesh().vertices.iter()), posed_box(f.mesh(), start));
        let outcome = self.outcome(start);
        if outcome.in_contact || outcome.enclosed || !box_e.overlaps(&box_f) {
            return None;
        }
        let ways: Vec<(f64, Sense)> = Sense::all()
            .filter_map(|sense| {
                let at = |way: f64| moved_by(start, sense.direction() * way);
                let way = self.bracket(at, 0.0, reach(e, f, start, sense.direction()), false)?;
                Some((way, sense))
            })
            .collect();
        let &(nearest, sense) = ways.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let others = ways.iter().filter(|(way, other)| *other != sense && *way <= ABOUT_AS_SHORT * nearest);
        Some(Choice {
            direction_e: sense.direction(),
            words: format!("along {} of M_e, where the first contact is nearest,", sense.name()),
            others: others.map(|(_, other)| other.name()).collect(),
            goes_on: true,
        })
    }

    /// The free end of the first change along the way, from `is_contact` to its opposite.
    fn bracket(&self, at: impl Fn(f64) -> Pose, from: f64, to: f64, is_contact: bool) -> Option<f64> {
        let place = |step: usize| from + (to - from) * step as f64 / SEARCH_STEPS as f64;
        // A small body may lie wholly inside a large one a step after it was free. Around a surface that is inside out
        // everything counts as inside: then only intersecting faces tell.
        let counts_enclosed = !self.outcome(&at(from)).enclosed;
        let meets = |way: f64| {
            let outcome = self.outcome(&at(way));
            outcome.in_contact || (counts_enclosed && outcome.enclosed)
        };
        let changed = (1..=SEARCH_STEPS).find(|&step| meets(place(step)) != is_contact)?;
        let (mut before, mut after) = (place(changed - 1), place(changed));
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (before + after);
            if meets(middle) == is_contact {
                before = middle;
            } else {
                after = middle;
            }
        }
        Some(if is_contact { after } else { before })
    }
}

/// Way along the direction beyond which the boxes are apart, in m.
fn reach(e: &ContactSurface, f: &ContactSurface, pose: &Pose, direction_e: Vector) -> f64 {
    let extent = |mesh: &TriangleMesh, pose: &Pose| {
        let heights = mesh.vertices.iter().map(|v| direction_e.dot(&(pose.rotation * v + pose.translation.vector)));
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| (low.min(h), high.max(h)))
    };
    let (low_e, high_e) = extent(e.mesh(), &Pose::identity());
    let (low_f, high_f) = extent(f.mesh(), pose);
    // A little more than needed, so that the search starts clear of faces that touch.
    1.01 * (high_e - low_f).abs().max((high_f - low_e).abs())
}

fn posed_box(mesh: &TriangleMesh, pose: &Pose) -> Aabb {
    let points: Vec<Vector> = mesh.vertices.iter().map(|v| pose.rotation * v + pose.translation.vector).collect();
    Aabb::of(points.iter())
}

#[cfg(test)]
mod tests {
    use polycontact::math::Rotation;
    use polycontact::shapes::{bush, cuboid, icosphere, moved, regular_prism};

    use super::*;

    fn pair(e: TriangleMesh, f: TriangleMesh) -> Pair {
        Pair { e: ContactSurface::new(e), f: ContactSurface::new(f), raw: RawParameters::default() }
    }

    #[test]
    fn a_plate_below_a_ball_comes_up_to_its_lowest_vertex() {
        let mut plate = cuboid(Vector::new(0.4, 0.4, 0.1));
        plate.vertices.iter_mut().for_each(|vertex| vertex.z -= 0.05);
        let ball = icosphere(0.1, 3);
        let lowest = ball.vertices.iter().map(|vertex| vertex.z).fold(0.0, f64::min);
        let approach = Approach::find(&pair(ball, plate), None, None).unwrap();
        assert_eq!(approach.direction_e, Vector::z());
        assert!((approach.touch.translation.vector.z - lowest).abs() < 1e-12, "{approach:?}");
        assert!(
            (approach.pose(0.01, Vector::x()).translation.vector - Vector::new(1.0, 0.0, lowest + 0.01)).norm() < 1e-12
        );
    }

    /// Between two steps of the search the whole ball goes into the block.
    #[test]
    fn a_small_ball_is_not_stepped_over() {
        let mut block = cuboid(Vector::new(1.0, 1.0, 1.0));
        block.vertices.iter_mut().for_each(|vertex| vertex.z -= 0.4975);
        let ball = icosphere(0.0015, 3);
        let lowest = ball.vertices.iter().map(|vertex| vertex.z).fold(0.0, f64::min);
        let approach = Approach::find(&pair(ball, block), None, Some(Vector::z())).unwrap();
        // The upper side of the block is at z = 0.0025.
        assert!((approach.touch.translation.vector.z - (lowest - 0.0025)).abs() < 1e-12, "{approach:?}");
    }

    #[test]
    fn a_given_pose_in_contact_is_kept_and_its_depth_found() {
        let (ball, plate) = (icosphere(0.1, 3), cuboid(Vector::new(0.4, 0.4, 0.1)));
        let lowest = ball.vertices.iter().map(|vertex| vertex.z).fold(0.0, f64::min);
        let pose = Pose::translation(0.0, 0.0, lowest - 0.05 + 0.004);
        let approach = Approach::find(&pair(ball, plate), Some(pose), None).unwrap();
        // The force of a ball with a vertex at the bottom has no side.
        assert!((approach.direction_e - Vector::z()).norm() < 1e-3, "{approach:?}");
        assert!((approach.asked_depth.unwrap() - 0.004).abs() < 1e-5, "{approach:?}");
    }

    #[test]
    fn a_shaft_in_a_bush_moves_sideways_to_its_wall() {
        let bodies = pair(bush(0.05, 0.08, 0.1, 64), regular_prism(0.04, 0.2, 64));
        let approach = Approach::find(&bodies, Some(Pose::identity()), Some(Vector::new(2.0, 0.0, 0.0))).unwrap();
        // The clearance is 10 mm; polygons with 64 sides are within 0.1 mm of their circles.
        assert!((approach.touch.translation.vector.x - 0.01).abs() < 1.5e-4, "{approach:?}");
    }

    /// Without any word about direction or pose, the shaft is pressed to the wall of the bush that it stands nearest to,
    /// not to the outside of the bush.
    #[test]
    fn a_shaft_that_lies_in_its_bush_is_not_drawn_out() {
        let shaft = moved(&regular_prism(0.04, 0.2, 64), &Pose::translation(0.0, -0.004, 0.0));
        let approach = Approach::find(&pair(bush(0.05, 0.08, 0.1, 64), shaft), None, None).unwrap();
        assert_eq!(approach.direction_e, -Vector::y(), "{approach:?}");
        // 10 mm of clearance, of which 4 mm are gone.
        assert!((approach.touch.translation.vector.y + 0.006).abs() < 1.5e-4, "{approach:?}");
        assert!(approach.explanation.contains("−y") && approach.warning.is_none(), "{approach:?}");
        let centred =
            Approach::find(&pair(bush(0.05, 0.08, 0.1, 64), regular_prism(0.04, 0.2, 64)), None, None).unwrap();
        assert_eq!(centred.warning.unwrap().matches(['+', '−']).count(), 3);
    }

    #[test]
    fn a_way_past_the_other_body_is_an_error_that_says_what_to_give() {
        let bodies = pair(icosphere(0.1, 2), icosphere(0.1, 2));
        let aside = Pose::from_parts(Vector::new(0.5, 0.0, 0.0).into(), Rotation::identity());
        let error = Approach::find(&bodies, Some(aside), Some(Vector::z())).unwrap_err();
        assert!(error.contains("--pose") && error.contains("--approach"), "{error}");
        assert!(error.contains("E is 0.2 × ") && error.contains("`scale`"), "{error}");
        assert!(Approach::find(&bodies, None, Some(Vector::zeros())).unwrap_err().contains("0,0,0"));
    }
}
