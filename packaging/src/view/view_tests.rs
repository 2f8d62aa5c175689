//! The page and the files hold what the library computes.

use polycontact::contact::{RelativeMotion, Workspace, evaluate};

use super::*;
use crate::test_support::{default_configuration, parsed};

fn view(options: &str) -> View {
    View::read(&arguments(options).unwrap()).unwrap()
}

fn arguments(options: &str) -> Result<Arguments, String> {
    parsed(&format!("{} {options}", default_configuration().display()))
}

fn decode(text: &str) -> Vec<u8> {
    BASE64.decode(text).expect("base64")
}

fn data_of(page: &str) -> serde_json::Value {
    let text = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    serde_json::from_str(text).expect("JSON")
}

fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

fn bytes(value: &serde_json::Value) -> Vec<u8> {
    decode(value.as_str().expect("text in base64"))
}

#[test]
fn the_page_holds_both_meshes_and_no_address() {
    let view = view("--depth 0.004");
    let page = page::html(&view, &view.grid().unwrap());
    for word in ["http:", "https:", "//cdn", "@import", "url("] {
        assert!(!page.contains(word), "the page contains `{word}`");
    }
    assert!(!page.contains("{{"), "a place of the template is left");
    let data = data_of(&page);
    for (index, surface) in [&view.bodies.e, &view.bodies.f].into_iter().enumerate() {
        let mesh = surface.mesh();
        let faces = bytes(&data["meshes"][index]["faces"]);
        let expected: Vec<u8> = mesh.faces.iter().flatten().flat_map(|vertex| vertex.0.to_le_bytes()).collect();
        assert_eq!(faces, expected);
        let vertices = bytes(&data["meshes"][index]["vertices"]);
        assert_eq!(vertices.len(), 12 * mesh.vertices.len());
        let last = f32::from_le_bytes(vertices[vertices.len() - 4..].try_into().unwrap());
        assert_eq!(last, mesh.vertices.last().unwrap().z as f32);
    }
}

#[test]
fn numbers_in_the_page_are_those_of_the_library() {
    let view = view("--velocity 0.2,0,-0.1 --depth 0.004 --range 0.03");
    let grid = view.grid().unwrap();
    let data = data_of(&page::html(&view, &grid));
    let numbers = doubles(&bytes(&data["numbers"]));
    let column = |name: &str| page::NUMBERS.iter().position(|known| *known == name).unwrap();
    assert_eq!(numbers.len(), page::NUMBERS.len() * grid.depths.len() * grid.positions.len());
    let parameters = view.bodies.parameters().unwrap();
    let velocity = Vector::new(0.2, 0.0, -0.1);
    for (depth, position) in [(0, 4), (24, 4), (16, 0), (9, 8)] {
        let mut pose = view.approach.touch;
        pose.translation.vector +=
            Vector::z() * (0.004 * depth as f64 / 24.0) + Vector::x() * (0.03 * (position as f64 - 4.0) / 4.0);
        let motion = RelativeMotion::new(pose, velocity, Vector::zeros()).unwrap();
        let outcome = evaluate(&view.bodies.e, &view.bodies.f, &parameters, &motion, &mut Workspace::default());
        let of = |name: &str| numbers[(position * 25 + depth) * page::NUMBERS.len() + column(name)];
        // 1e-9: the pose is the same up to rounding.
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * outcome.wrenches.on_e.force.norm().max(1.0);
        assert!(near(of("forceZ"), outcome.wrenches.on_e.force.z) && near(of("forceX"), outcome.wrenches.on_e.force.x));
        assert!(near(of("torqueY"), outcome.wrenches.on_e.torque.y) && near(of("energy"), outcome.elastic_energy));
        assert!(near(of("area"), outcome.contact_area) && near(of("power"), outcome.dissipated_power));
        assert!(depth == 0 || 0.0 < of("forceZ"));
    }
}

#[test]
fn patches_in_the_page_carry_the_force() {
    let view = view("--depth 0.004");
    let grid = view.grid().unwrap();
    let data = data_of(&page::html(&view, &grid));
    let (numbers, sizes) = (doubles(&bytes(&data["numbers"])), bytes(&data["polygonSizes"]));
    let counts: Vec<usize> = bytes(&data["polygonCounts"])
        .chunks_exact(4)
        .map(|chunk| u32::from_le_bytes(chunk.try_into().unwrap()) as usize)
        .collect();
    let corners: Vec<f64> = bytes(&data["corners"])
        .chunks_exact(2)
        .map(|chunk| f64::from(u16::from_le_bytes(chunk.try_into().unwrap())) / 65535.0)
        .collect();
    let sample = 4 * 25 + 24;
    let first_polygon: usize = counts[..sample].iter().sum();
    let mut corner: usize = sizes[..first_polygon].iter().map(|&size| size as usize).sum();
    let row = &numbers[sample * page::NUMBERS.len()..][..page::NUMBERS.len()];
    let (origin, size, top) = (&row[17..20], &row[20..23], row[23]);
    let mut force = 0.0;
    for &count in &sizes[first_polygon..first_polygon + counts[sample]] {
        let points: Vec<(Vector, f64)> = (corner..corner + count as usize)
            .map(|k| {
                let at = |axis: usize| origin[axis] + size[axis] * corners[4 * k + axis];
                (Vector::new(at(0), at(1), at(2)), top * corners[4 * k + 3])
            })
            .collect();
        corner += count as usize;
        // The pressure is linear: its integral over a triangle is the mean of its corners.
        for pair in points[1..].windows(2) {
            let area = 0.5 * (pair[0].0 - points[0].0).cross(&(pair[1].0 - points[0].0)).norm();
            force += area * (points[0].1 + pair[0].1 + pair[1].1) / 3.0;
        }
    }
    // The plate is rigid, so that only its faces carry pressure, and flat, so all of the pressure is along z; 1e-3: corners are rounded to 16 bits.
    assert!((force / row[2] - 1.0).abs() < 1e-3, "{force} N of {} N", row[2]);
}

#[test]
fn a_given_pose_is_where_the_page_opens() {
    let view = view("--pose 0.01,0,-0.096,0,0,0.2");
    let grid = view.grid().unwrap();
    let start = grid.start_sample().pose;
    assert!((start.translation.vector - Vector::new(0.01, 0.0, -0.096)).norm() < 1e-9, "{start}");
    assert!((start.rotation.angle() - 0.2).abs() < 1e-9);
}

#[test]
fn vtp_files_hold_all_cells_with_their_values() {
    let view = view("--velocity 0.2,0,0");
    let grid = view.grid().unwrap();
    let [(_, e), (_, f), (name, patches)] = vtp::files(&view, &grid);
    assert_eq!(name, "patches.vtp");
    assert!(e.contains("NumberOfPolys=\"1280\"") && f.contains("NumberOfPolys=\"12\""));
    let array = |text: &str, name: &str| -> Vec<f64> {
        let start = text.rsplit(&format!("Name=\"{name}\"")).next().unwrap();
        let content = decode(start.split('>').nth(1).unwrap().split('<').next().unwrap());
        let length = u64::from_le_bytes(content[..8].try_into().unwrap()) as usize;
        assert_eq!(length, content.len() - 8);
        doubles(&content[8..])
    };
    let sample = grid.start_sample();
    let pressures = array(&patches, "pressure");
    assert_eq!(pressures.len(), sample.pieces.len());
    let (areas, weights) = (array(&patches, "area"), array(&patches, "weight"));
    let force: f64 = (0..pressures.len()).map(|k| pressures[k] * areas[k] * weights[k]).sum();
    // The pressure is linear over a cell, and the plate, which is rigid and carries all of it, is flat.
    assert!((force / sample.outcome.wrenches.on_e.force.z - 1.0).abs() < 1e-9, "{force}");
    let slips = array(&patches, "slip_velocity");
    assert!(slips.chunks_exact(3).all(|slip| (slip[0] - 0.2).abs() < 1e-12 && slip[1] == 0.0));
}

#[test]
fn errors_say_what_to_give() {
    for (line, part) in [
        ("other.toml", "other.toml"),
        ("--pose 1,2", "2 number(s)"),
        ("--pose 1,2,x", "must be a number"),
        ("--depth 0", "above 0"),
        ("--pose 9,0,0 --approach 0,0,1", "--pose x,y,z"),
        ("--pose 9,0,0 --approach 0,0,0", "0,0,0"),
        ("--across 0,0,1", "across"),
        ("--poze 1,2,3", "'--pose'"),
        ("--plot force.png", "name it `force.svg`"),
    ] {
        let error = arguments(line).and_then(|arguments| View::read(&arguments).map(drop)).unwrap_err();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn the_curve_is_that_of_the_middle_position() {
    let view = view("--depth 0.004");
    let grid = view.grid().unwrap();
    let table = curve::csv(&grid);
    let rows: Vec<Vec<f64>> =
        table.lines().skip(1).map(|line| line.split(',').map(|word| word.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), grid.depths.len());
    let parameters = view.bodies.parameters().unwrap();
    for row in &rows {
        let motion = RelativeMotion::at_rest(view.approach.pose(row[0], Vector::zeros()));
        let outcome = evaluate(&view.bodies.e, &view.bodies.f, &parameters, &motion, &mut Workspace::default());
        for (found, expected) in [(row[3], outcome.wrenches.on_e.force.z), (row[7], outcome.contact_area)] {
            assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
        }
    }
    assert!(0.0 < rows[rows.len() - 1][3]);
    assert_eq!(curve::svg(&grid).matches("<polyline").count(), 2);
}
