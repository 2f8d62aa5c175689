//! The page in a real browser. Needs Chromium, so it runs only when asked for:
//! `cargo test -p xtask browser -- --ignored`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;
use crate::project::root;

const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Milliseconds of the page's own clock after which it is looked at.
const PATIENCE: &str = "20000";

/// The browser in PATH, or the one that `CHROMIUM` names.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| PROGRAMS.map(|program| folder.join(program)))
        .find(|file| file.is_file())
}

/// The document after its scripts ran, as text.
fn document(browser: &Path, page: &Path, hash: &str, folder: &Path) -> String {
    let profile = folder.join("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--window-size=1280,800", &format!("--virtual-time-budget={PATIENCE}"), "--dump-dom"])
        .arg(format!("file://{}#{hash}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The value of an attribute `data-NAME` of the body.
fn attribute<'a>(document: &'a str, name: &str) -> &'a str {
    let body = document.split("<body").nth(1).and_then(|rest| rest.split('>').next()).unwrap_or("");
    body.split(&format!("data-{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("none")
}

#[test]
#[ignore = "needs Chromium: cargo test -p xtask browser -- --ignored"]
fn the_page_draws_itself_in_chromium() {
    let Some(browser) = browser() else {
        println!("skipped: no Chromium in PATH; install it, or name it in CHROMIUM");
        return;
    };
    let folder = std::env::temp_dir().join(format!("polycontact-view-{}", std::process::id()));
    let page = folder.join("page.html");
    let config = root().join("resources/contact.toml").display().to_string();
    run(&[config, "-o".into(), page.display().to_string()]).unwrap();
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
