//! The page in a real browser. Needs Chromium, so it runs only when asked for:
//! `cargo test -p polycontact-packaging browser -- --ignored`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::test_support::{default_configuration, parsed, root};

/// Milliseconds of the page's own clock after which it is looked at.
const PATIENCE: u32 = 20_000;

/// The browser that the variable CHROMIUM names.
fn browser() -> PathBuf {
    std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("chromium"), PathBuf::from)
}

/// The browser without a window and without a network of its own, for a page in a file; `folder` is for its profile.
fn headless(browser: &Path, folder: &Path) -> Command {
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .args(["--window-size=1280,800", &format!("--virtual-time-budget={PATIENCE}")]);
    command
}

/// The document after its scripts ran, as text.
fn document(browser: &Path, page: &Path, hash: &str, folder: &Path) -> String {
    let mut command = headless(browser, folder);
    let output = command.arg("--dump-dom").arg(format!("file://{}#{hash}", page.display())).output();
    String::from_utf8_lossy(&output.expect("the browser starts").stdout).into_owned()
}

/// The command, with a line of arguments.
fn write_page(line: &str) {
    let surroundings = Surroundings { outputs: PathBuf::new(), kit: &|| Err("no FMU is made here".to_owned()) };
    run(&parsed(line).unwrap(), &surroundings).unwrap();
}

/// The value of an attribute `data-NAME` of the body.
fn attribute<'a>(document: &'a str, name: &str) -> &'a str {
    let body = document.split("<body").nth(1).and_then(|rest| rest.split('>').next()).unwrap_or("");
    body.split(&format!("data-{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("none")
}

#[test]
#[ignore = "needs Chromium: cargo test -p polycontact-packaging browser -- --ignored"]
fn the_page_draws_itself_in_chromium() {
    let browser = browser();
    let folder = std::env::temp_dir().join(format!("polycontact-view-{}", std::process::id()));
    let page = folder.join("page.html");
    write_page(&format!("{} -o {}", default_configuration().display(), page.display()));
    for (hash, renderers) in [("check", &["webgl", "2d"][..]), ("check&renderer=2d", &["2d"])] {
        let document = document(&browser, &page, hash, &folder);
        let [state, renderer, painted] = ["state", "renderer", "painted"].map(|name| attribute(&document, name));
        println!("{hash}: {state}, drawn with {renderer}, {painted} of the scene painted");
        assert_eq!(state, "ready", "{}", attribute(&document, "error"));
        assert!(renderers.contains(&renderer), "{renderer}");
        // Both bodies fill a good part of the scene, but not all of it.
        let painted: f64 = painted.parse().unwrap();
        assert!((0.05..0.95).contains(&painted), "{painted}");
        for text in ["contact area", "elastic energy", "largest pressure"] {
            assert!(document.contains(text), "no row `{text}`");
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A picture to look at, of the example with most to see, is left in target/view.
#[test]
#[ignore = "needs Chromium: cargo test -p polycontact-packaging browser -- --ignored"]
fn a_screenshot_shows_both_bodies_and_the_contact_in_chromium() {
    let browser = browser();
    let folder = std::env::temp_dir().join(format!("polycontact-screenshot-{}", std::process::id()));
    let [page, picture] = ["cam.html", "cam.png"].map(|name| root().join("target/view").join(name));
    let config = root().join("examples/cam-follower/contact.toml");
    // The cam turned so that its nose meets the follower.
    let pose = "0.0399,0,0,0,1.5707963267948966,0";
    write_page(&format!("{} --pose={pose} -o {}", config.display(), page.display()));
    let mut command = headless(&browser, &folder);
    command.arg(format!("--screenshot={}", picture.display())).arg(format!("file://{}", page.display()));
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
    println!("{}: {orange} orange, {blue} blue, {yellow} yellow pixels", picture.display());
    assert!(5000 < orange && 5000 < blue && 20 < yellow, "{orange}, {blue}, {yellow}");
    fs::remove_dir_all(&folder).unwrap();
}
