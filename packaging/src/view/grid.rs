//! All poses of a page: as many as time and memory allow.

use std::time::Instant;

use polycontact::contact::Workspace;
use polycontact::math::Vector;

use super::samples::{Motion, Sample};
use crate::approach::{Approach, Pair};

/// Depths from touch to the largest, and positions from one side to the other: odd, so that the middle is one.
const DEPTHS: usize = 25;
const POSITIONS: usize = 9;

/// A page begins with few poses and goes on as long as time and memory last; each level has the poses of the one before.
const LEVELS: [Level; 6] = [
    Level { depths: 7, positions: 1 },
    Level { depths: 13, positions: 1 },
    Level { depths: DEPTHS, positions: 1 },
    Level { depths: DEPTHS, positions: 3 },
    Level { depths: DEPTHS, positions: 5 },
    Level { depths: DEPTHS, positions: POSITIONS },
];

/// Most bytes of patches in a page. Browsers take several times as much.
pub const MOST_BYTES: usize = 16 << 20;

/// Time in s that all poses may take.
const MOST_SECONDS: f64 = 60.0;

/// How often the largest depth is halved until its pose can be shown.
const MOST_HALVINGS: usize = 12;

/// Poses over depth and position.
pub struct Grid {
    /// Along the approach, from touch at 0, in m.
    pub depths: Vec<f64>,
    /// Across it, in m.
    pub positions: Vec<f64>,
    /// Position by position, each with all depths.
    pub samples: Vec<Sample>,
    /// Which depth and position the page opens with.
    pub start: [usize; 2],
    /// Whether deeper poses were asked for, but have too many pieces.
    pub is_shortened: bool,
}

/// What is to be shown.
pub struct Wanted<'a> {
    /// The bodies.
    pub bodies: &'a Pair,
    /// How F comes to E.
    pub approach: &'a Approach,
    /// Unit vector of the positions, in M_e.
    pub across_e: Vector,
    /// In m.
    pub largest_depth: f64,
    /// Largest way to either side in m.
    pub range: f64,
    /// The velocity in all poses.
    pub motion: Motion,
    /// Poses with more pieces are left out.
    pub most_pieces: usize,
    /// Of patches in the page.
    pub most_bytes: usize,
}

/// Numbers of depths and positions, evenly chosen from all.
#[derive(Clone, Copy, Debug)]
struct Level {
    depths: usize,
    positions: usize,
}

impl Level {
    fn depths(&self) -> impl Iterator<Item = usize> + Clone {
        (0..DEPTHS).step_by((DEPTHS - 1) / (self.depths - 1))
    }

    fn positions(&self) -> impl Iterator<Item = usize> {
        match self.positions {
            1 => (POSITIONS / 2..POSITIONS / 2 + 1).step_by(1),
            count => (0..POSITIONS).step_by((POSITIONS - 1) / (count - 1)),
        }
    }

    /// Position by position, each with all depths.
    fn places(&self) -> impl Iterator<Item = [usize; 2]> {
        let depths = self.depths();
        self.positions().flat_map(move |position| depths.clone().map(move |depth| [depth, position]))
    }

    fn count(&self) -> usize {
        self.depths * self.positions
    }
}

impl Grid {
    /// Evaluates the poses; fewer where the patches have very many parts or take long. `progress` hears of every
    /// evaluated pose: how many are done, and of how many.
    pub fn evaluate(wanted: &Wanted, progress: &mut dyn FnMut(usize, usize)) -> Result<Grid, String> {
        let Wanted { bodies, approach, across_e, range, motion, most_pieces, most_bytes, .. } = *wanted;
        let mut workspace = Workspace::default();
        let mut at = |depth: f64, position: f64| {
            Sample::evaluate(bodies, approach.pose(depth, across_e * position), &motion, most_pieces, &mut workspace)
        };
        let mut largest_depth = wanted.largest_depth;
        let mut halvings = 0;
        while at(largest_depth, 0.0)?.is_none() {
            if halvings == MOST_HALVINGS {
                return Err("the contact has too many parts to be shown, however shallow; coarser meshes help".into());
            }
            largest_depth *= 0.5;
            halvings += 1;
        }
        let depths = depths(largest_depth, approach.asked_depth);
        let half = POSITIONS / 2;
        let positions: Vec<f64> = (0..POSITIONS).map(|k| range * (k as f64 - half as f64) / half as f64).collect();

        let mut found: Vec<Option<Sample>> = (0..DEPTHS * POSITIONS).map(|_| None).collect();
        let mut budget = Budget { started: Instant::now(), bytes: 0, most_bytes };
        let mut reached = None;
        'levels: for level in LEVELS {
            if reached.is_some_and(|known: Level| !budget.suffices_for(known.count(), level.count())) {
                break;
            }
            for (done, [depth, position]) in level.places().enumerate() {
                let place = &mut found[position * DEPTHS + depth];
                if place.is_none() {
                    *place = at(depths[depth], positions[position])?;
                    budget.bytes += place.as_ref().map_or(0, Sample::bytes);
                    if place.is_none() || (reached.is_some() && !budget.is_kept()) {
                        break 'levels;
                    }
                }
                progress(done + 1, level.count());
            }
            reached = Some(level);
        }
        let level = reached.ok_or("the contact has too many parts to be shown; a smaller `--depth` helps")?;
        let depths: Vec<f64> = level.depths().map(|depth| depths[depth]).collect();
        let positions: Vec<f64> = level.positions().map(|position| positions[position]).collect();
        let samples = level.places().filter_map(|[depth, position]| found[position * DEPTHS + depth].take()).collect();
        // The pose that was asked for; else two thirds of the way.
        let start_depth = match approach.asked_depth {
            Some(asked) => nearest(&depths, asked),
            None => 2 * (depths.len() - 1) / 3,
        };
        let start = [start_depth, positions.len() / 2];
        Ok(Grid { depths, positions, samples, start, is_shortened: 0 < halvings })
    }

    /// The pose with which the page opens.
    pub fn start_sample(&self) -> &Sample {
        &self.samples[self.start[1] * self.depths.len() + self.start[0]]
    }
}

/// What has been used of time and memory.
struct Budget {
    started: Instant,
    bytes: usize,
    most_bytes: usize,
}

impl Budget {
    fn is_kept(&self) -> bool {
        self.suffices_for(1, 1)
    }

    /// Whether more poses fit, if they are like those that are done.
    fn suffices_for(&self, done: usize, wanted: usize) -> bool {
        let growth = wanted as f64 / done as f64;
        self.bytes as f64 * growth <= self.most_bytes as f64
            && self.started.elapsed().as_secs_f64() * growth <= MOST_SECONDS
    }
}

/// Depths from 0 to the largest; the one that was asked for, where it lies between, is one of them on every level.
fn depths(largest: f64, asked: Option<f64>) -> Vec<f64> {
    let last = DEPTHS - 1;
    let Some(asked) = asked.filter(|asked| 0.0 < *asked && *asked < largest) else {
        return (0..DEPTHS).map(|k| largest * k as f64 / last as f64).collect();
    };
    let coarsest = last / (LEVELS[0].depths - 1);
    let middle = coarsest * ((asked / largest * (last / coarsest) as f64).round() as usize);
    let middle = middle.clamp(coarsest, last - coarsest);
    let before = (0..middle).map(|k| asked * k as f64 / middle as f64);
    let after = (middle..DEPTHS).map(|k| asked + (largest - asked) * (k - middle) as f64 / (last - middle) as f64);
    before.chain(after).collect()
}

fn nearest(values: &[f64], wanted: f64) -> usize {
    let distance = |index: &usize| (values[*index] - wanted).abs();
    (0..values.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use polycontact::contact::{ContactSurface, RawParameters};
    use polycontact::shapes::{cuboid, icosphere};

    use super::*;

    #[test]
    fn every_level_has_the_poses_of_the_one_before() {
        for pair in LEVELS.windows(2) {
            let known: Vec<_> = pair[1].places().collect();
            assert_eq!(known.len(), pair[1].count());
            assert!(pair[0].places().all(|place| known.contains(&place)), "{:?}", pair[0]);
        }
        assert_eq!(LEVELS[3].positions().collect::<Vec<_>>(), [0, 4, 8]);
        assert_eq!(LEVELS[0].places().last(), Some([24, 4]));
    }

    #[test]
    fn the_asked_depth_is_one_of_the_depths() {
        assert_eq!(depths(24.0, None), (0..25).map(f64::from).collect::<Vec<_>>());
        for asked in [0.1, 9.0, 23.9] {
            let depths = depths(24.0, Some(asked));
            for level in LEVELS {
                assert!(level.depths().any(|depth| depths[depth] == asked), "{asked} with {level:?}");
            }
            assert!(depths.windows(2).all(|pair| pair[0] < pair[1]) && depths[24] == 24.0);
        }
        assert_eq!(depths(24.0, Some(30.0)), depths(24.0, None));
        assert_eq!(nearest(&[0.0, 1.0, 2.0], 1.4), 1);
    }

    fn shown(most_pieces: usize, most_bytes: usize) -> Grid {
        let bodies = Pair {
            e: ContactSurface::new(icosphere(0.1, 3)),
            f: ContactSurface::new(cuboid(Vector::new(0.4, 0.4, 0.1))),
            raw: RawParameters::default(),
        };
        let approach = Approach::find(&bodies, None, Some(Vector::z())).unwrap();
        let (across_e, motion) = (Vector::x(), Motion::default());
        let (bodies, approach, largest_depth, range) = (&bodies, &approach, 0.02, 0.01);
        let wanted = Wanted { bodies, approach, across_e, largest_depth, range, motion, most_pieces, most_bytes };
        Grid::evaluate(&wanted, &mut |_, _| ()).unwrap()
    }

    #[test]
    fn small_patches_have_all_poses() {
        let grid = shown(usize::MAX, usize::MAX);
        assert_eq!((grid.depths.len(), grid.positions.len()), (DEPTHS, POSITIONS));
        assert_eq!(grid.samples.len(), DEPTHS * POSITIONS);
        assert!(!grid.is_shortened && grid.depths[DEPTHS - 1] == 0.02);
    }

    #[test]
    fn poses_with_too_many_pieces_are_left_out() {
        let all = shown(usize::MAX, usize::MAX);
        let most = all.samples.iter().map(|sample| sample.outcome.element_count as usize).max().unwrap();
        let grid = shown(most / 2, usize::MAX);
        assert!(grid.is_shortened && grid.depths[grid.depths.len() - 1] < 0.02);
        assert!(grid.samples.iter().all(|sample| sample.outcome.element_count as usize <= most / 2));
        assert_eq!(grid.samples.len(), grid.depths.len() * grid.positions.len());
    }

    #[test]
    fn pages_end_where_their_bytes_do() {
        let bytes = |grid: &Grid| grid.samples.iter().map(Sample::bytes).sum::<usize>();
        let all = shown(usize::MAX, usize::MAX);
        let mut last = all.samples.len() + 1;
        for part in [1, 3, 9, 20] {
            let grid = shown(usize::MAX, bytes(&all) / part);
            assert!(bytes(&grid) <= bytes(&all) / part, "a part in {part}");
            assert!(grid.samples.len() < last);
            last = grid.samples.len();
        }
        // There are always some.
        assert_eq!(shown(usize::MAX, 0).samples.len(), LEVELS[0].count());
    }
}
