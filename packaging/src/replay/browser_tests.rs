//! The page of a recording in a real browser. Needs Chromium, so it runs only when asked for:
//! `cargo test -p polycontact-packaging browser -- --ignored`.

use std::fs;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::replay_tests::swing;
use super::{Replay, page};
use crate::headless::{attribute, browser, document, headless};

fn page_of(replay: &Replay) -> String {
    page::page(&replay.recording, &replay.explanation).html
}

/// Bytes of a text in base64.
fn decode(text: &str) -> Vec<u8> {
    BASE64.decode(text).expect("base64")
}

#[test]
#[ignore = "needs Chromium: cargo test -p polycontact-packaging browser -- --ignored"]
fn a_recording_plays_in_chromium() {
    let browser = browser();
    let folder = std::env::temp_dir().join(format!("polycontact-replay-browser-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let page = folder.join("replay.html");
    let replay = swing(30);
    fs::write(&page, page_of(&replay)).unwrap();
    // At rest in the first frame, in both ways to draw, and seen from F.
    for hash in ["check", "check&renderer=2d", "check&from=F&frame=strongest"] {
        let document = document(&browser, &page, hash, &folder);
        let [state, renderer, painted, frame] =
            ["state", "renderer", "painted", "frame"].map(|name| attribute(&document, name));
        println!("{hash}: {state}, drawn with {renderer}, frame {frame}, {painted} of the scene painted");
        assert_eq!(state, "ready", "{}", attribute(&document, "error"));
        assert_eq!(frame == "0", !hash.contains("strongest"));
        let painted: f64 = painted.parse().unwrap();
        assert!((0.05..0.95).contains(&painted), "{painted}");
        for text in ["|forceOnE| / N", "normalStress.max / Pa", "contact area", "position of M_f"] {
            assert!(document.contains(text), "no `{text}`");
        }
    }
    // Played to its end; and pictures of some frames.
    let played = document(&browser, &page, "play", &folder);
    assert_eq!(attribute(&played, "frame"), "29", "{}", attribute(&played, "error"));
    let saved = document(&browser, &page, "pictures=3", &folder);
    assert_eq!(attribute(&saved, "pictures"), "3", "{}", attribute(&saved, "error"));
    let archive = decode(attribute(&saved, "archive"));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    assert_eq!(archive.len(), 3);
    let mut pictures = Vec::new();
    for index in 0..3 {
        let mut bytes = Vec::new();
        std::io::copy(&mut archive.by_index(index).unwrap(), &mut bytes).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pictures.push(pixels);
    }
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2], "the bodies do not move");
    fs::remove_dir_all(&folder).unwrap();
}

/// A picture to look at is left in target/view.
#[test]
#[ignore = "needs Chromium: cargo test -p polycontact-packaging browser -- --ignored"]
fn a_screenshot_shows_the_strongest_moment_in_chromium() {
    let folder = std::env::temp_dir().join(format!("polycontact-replay-picture-{}", std::process::id()));
    let pictures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/view");
    fs::create_dir_all(&folder).and_then(|()| fs::create_dir_all(&pictures)).unwrap();
    let (page, picture) = (folder.join("replay.html"), pictures.join("replay.png"));
    fs::write(&page, page_of(&swing(60))).unwrap();
    let mut command = headless(&browser(), &folder);
    command.arg(format!("--screenshot={}", picture.display()));
    command.arg(format!("file://{}#frame=strongest", page.display()));
    assert!(command.output().expect("the browser starts").status.success());
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&picture).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let count = |is: fn(i32, i32, i32) -> bool| {
        let of_pixel = |pixel: &[u8]| is(pixel[0].into(), pixel[1].into(), pixel[2].into());
        pixels[..info.buffer_size()].chunks(info.color_type.samples()).filter(|pixel| of_pixel(pixel)).count()
    };
    // Orange E, blue F, and the yellow of the highest pressure.
    let [orange, blue, yellow] = [
        count(|r, g, b| g + 40 < r && b < g),
        count(|r, g, b| r < g && g + 15 < b),
        count(|r, g, b| 180 < r && 180 < g && b < 90),
    ];
    assert!(2000 < orange && 2000 < blue && 20 < yellow, "{orange}, {blue}, {yellow}");
    fs::remove_dir_all(&folder).unwrap();
}
