//! What fits into a page: fewer frames, and coarser meshes.

use std::collections::HashMap;

use polycontact::record::RecordedBody;

/// Leaves every second frame until they cost no more than `most`; of two neighbours the stronger one stays.
pub fn thinned(mut frames: Vec<usize>, strength: &[f64], cost: impl Fn(usize) -> usize, most: usize) -> Vec<usize> {
    while 1 < frames.len() && most < frames.iter().map(|frame| cost(*frame)).sum::<usize>() {
        let stronger = |pair: &[usize]| match pair {
            [first, second] if strength[*first] < strength[*second] => *second,
            _ => pair[0],
        };
        frames = frames.chunks(2).map(stronger).collect();
    }
    frames
}

/// Bytes of a body.
pub fn body_bytes(body: &RecordedBody) -> usize {
    12 * (body.vertices.len() + body.faces.len())
}

/// Cells along the longest side of a body with which its simplification begins.
const FINEST: f32 = 1024.0;

/// The body, or one with less detail that has no more than `most` bytes: vertices in one cell of a grid become one.
pub fn simplified(body: &RecordedBody, most: usize) -> RecordedBody {
    let mut simple = body.clone();
    let mut cells = FINEST;
    while most < body_bytes(&simple) && 2.0 < cells {
        simple = clustered(body, cells);
        cells *= 0.75;
    }
    simple
}

fn clustered(body: &RecordedBody, cells: f32) -> RecordedBody {
    let bound =
        |axis: usize, pick: fn(f32, f32) -> f32| body.vertices.iter().map(|v| v[axis]).reduce(pick).unwrap_or(0.0);
    let low: [f32; 3] = std::array::from_fn(|axis| bound(axis, f32::min));
    let longest = (0..3).map(|axis| bound(axis, f32::max) - low[axis]).fold(f32::MIN_POSITIVE, f32::max);
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut sums: Vec<([f64; 3], f64)> = Vec::new();
    let number = |vertex: &[f32; 3]| {
        let cell = std::array::from_fn(|axis| ((vertex[axis] - low[axis]) / longest * cells) as u32);
        let number = *numbers.entry(cell).or_insert_with(|| {
            sums.push(([0.0; 3], 0.0));
            sums.len() as u32 - 1
        });
        let (sum, count) = &mut sums[number as usize];
        (0..3).for_each(|axis| sum[axis] += f64::from(vertex[axis]));
        *count += 1.0;
        number
    };
    let of_vertex: Vec<u32> = body.vertices.iter().map(number).collect();
    let faces = body.faces.iter().map(|face| face.map(|vertex| of_vertex[vertex as usize]));
    let faces = faces.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    let vertices = sums.iter().map(|(sum, count)| sum.map(|x| (x / count) as f32)).collect();
    RecordedBody { name: body.name.clone(), vertices, faces }
}

#[cfg(test)]
mod tests {
    use polycontact::shapes;

    use super::*;

    #[test]
    fn thinning_keeps_the_strongest_frame_and_the_order() {
        let strength: Vec<f64> = (0..1000).map(|k| if k == 613 { 1e3 } else { f64::from(k % 7) }).collect();
        let kept = thinned((0..1000).collect(), &strength, |_| 10, 700);
        assert!((32..=70).contains(&kept.len()), "{}", kept.len());
        assert!(kept.is_sorted() && kept.contains(&613));
        assert_eq!(thinned(vec![3, 5], &strength, |_| 10, 20), [3, 5]);
    }

    /// The vertices of a cell become their mean, which is at most the diagonal of the cell away from the surface.
    #[test]
    fn a_simplified_ball_is_still_a_ball() {
        let body = RecordedBody::new("ball", &shapes::icosphere(0.1, 5));
        let most = body_bytes(&body) / 8;
        let simple = simplified(&body, most);
        assert!(body_bytes(&simple) <= most && most / 4 < body_bytes(&simple), "{}", body_bytes(&simple));
        for vertex in &simple.vertices {
            let radius = vertex.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((0.08..0.1001).contains(&radius), "{radius}");
        }
        assert_eq!(simplified(&body, usize::MAX), body);
    }
}
