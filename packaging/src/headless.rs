//! Pages in a real browser, for tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Milliseconds of the page's own clock after which it is looked at.
const PATIENCE: u32 = 20_000;

/// The browser that the variable CHROMIUM names.
pub fn browser() -> PathBuf {
    std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("chromium"), PathBuf::from)
}

/// The browser without a window and without a network of its own, for a page in a file; `folder` is for its profile.
pub fn headless(browser: &Path, folder: &Path) -> Command {
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
pub fn document(browser: &Path, page: &Path, hash: &str, folder: &Path) -> String {
    let mut command = headless(browser, folder);
    let output = command.arg("--dump-dom").arg(format!("file://{}#{hash}", page.display())).output();
    String::from_utf8_lossy(&output.expect("the browser starts").stdout).into_owned()
}

/// The value of an attribute `data-NAME` of the body.
pub fn attribute<'a>(document: &'a str, name: &str) -> &'a str {
    let body = document.split("<body").nth(1).and_then(|rest| rest.split('>').next()).unwrap_or("");
    body.split(&format!("data-{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("none")
}
