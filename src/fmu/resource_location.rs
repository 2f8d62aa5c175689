//! `fmuResourceLocation` becomes a folder, whatever way the host writes it.

use std::path::PathBuf;

use thiserror::Error;

/// Why no folder was found.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ResourceLocationError {
    /// Another scheme than `file`.
    #[error("fmuResourceLocation `{location}` is no file: only `file:` locations and plain paths can be read")]
    Scheme {
        /// As the host gave it.
        location: String,
    },
    /// None of the readings is a folder.
    #[error("fmuResourceLocation `{location}` is no folder; tried {tried}")]
    NoSuchFolder {
        /// As the host gave it.
        location: String,
        /// The paths that were tried.
        tried: String,
    },
}

/// The folder that a resource location means.
///
/// Hosts disagree about slashes, authority and encoding: `file:/…`, `file:///…`,
/// `file://localhost/…`, four slashes, percent-encoded or not, and plain paths. Each reading is
/// tried, the standard's first; the first that is a folder wins.
pub fn resource_folder(location: &[u8]) -> Result<PathBuf, ResourceLocationError> {
    let shown = String::from_utf8_lossy(location).into_owned();
    let readings = readings(location).ok_or_else(|| ResourceLocationError::Scheme { location: shown.clone() })?;
    let candidates: Vec<PathBuf> = readings.iter().filter_map(|bytes| path_from_bytes(bytes)).collect();
    candidates.iter().find(|path| path.is_dir()).cloned().ok_or_else(|| {
        let tried: Vec<String> = candidates.iter().map(|path| format!("`{}`", path.display())).collect();
        ResourceLocationError::NoSuchFolder { location: shown, tried: tried.join(", ") }
    })
}

/// The paths that a location may mean, best first; none for a scheme other than `file`.
fn readings(location: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut undecoded: Vec<Vec<u8>> = Vec::new();
    match strip_file_scheme(location) {
        None if has_scheme(location) => return None,
        None => {
            // A plain path is meant literally before anything else.
            let plain = location.to_vec();
            return Some(vec![plain, percent_decoded(location)]);
        }
        Some(rest) => {
            if let Some(with_authority) = rest.strip_prefix(b"//") {
                let slash = with_authority.iter().position(|byte| *byte == b'/').unwrap_or(with_authority.len());
                let (authority, path) = with_authority.split_at(slash);
                undecoded.push(one_leading_slash(path));
                if !authority.is_empty() && !authority.eq_ignore_ascii_case(b"localhost") {
                    // `file://tmp/x` by hosts that forget a slash.
                    undecoded.push(one_leading_slash(with_authority));
                }
            } else if rest.starts_with(b"/") {
                undecoded.push(rest.to_vec());
            } else {
                // `file:C:/x`, `file:x`.
                undecoded.push(rest.to_vec());
            }
        }
    }
    let decoded = undecoded.iter().map(|bytes| percent_decoded(bytes));
    let mut all: Vec<Vec<u8>> = decoded.collect();
    all.extend(undecoded);
    Some(all)
}

fn strip_file_scheme(location: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = location.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case(b"file:").then_some(rest)
}

/// `name:` with at least two letters: a single one is a drive of Windows.
fn has_scheme(location: &[u8]) -> bool {
    let colon = location.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte)));
    colon.is_some_and(|at| 2 <= at && location[at] == b':')
}

/// Exactly one leading slash; none before a drive of Windows.
fn one_leading_slash(path: &[u8]) -> Vec<u8> {
    let bare = &path[path.iter().take_while(|byte| **byte == b'/').count()..];
    let is_drive =
        cfg!(windows) && bare.len() >= 2 && bare[0].is_ascii_alphabetic() && (bare[1] == b':' || bare[1] == b'|');
    if is_drive { bare.to_vec() } else { [b"/", bare].concat() }
}

/// `%41` becomes `A`; what is no such escape stays.
fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let digit = |byte: &u8| (*byte as char).to_digit(16).map(|digit| digit as u8);
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        if let (b'%', Some([high, low])) = (first, tail.first_chunk())
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            decoded.push(16 * high + low);
            rest = &tail[2..];
        } else {
            decoded.push(*first);
            rest = tail;
        }
    }
    decoded
}

/// A path from the bytes that a C interface carries; none where the system has no such paths.
pub(crate) fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    {
        std::str::from_utf8(bytes).ok().map(PathBuf::from)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A folder with everything that hosts stumble over in its name.
    fn folder() -> PathBuf {
        let folder = std::env::temp_dir()
            .join(format!("polycontact {}", std::process::id()))
            .join("tmp with späce+{braces} 100%41")
            .join("resources");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn encoded(path: &str) -> String {
        let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
        path.bytes().map(|byte| if keep(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") }).collect()
    }

    #[test]
    fn every_spelling_of_a_location_finds_the_folder() {
        let folder = folder();
        let path = folder.to_str().unwrap();
        let coded = encoded(path);
        let lower = coded.replace("%C3%A4", "%c3%a4");
        for location in [
            format!("file://{coded}"),
            format!("file://{lower}"),
            format!("file:{coded}"),
            format!("file://localhost{coded}"),
            format!("file:///{coded}"),
            format!("file:////{coded}"),
            format!("FILE://{coded}"),
            format!("file://{coded}/"),
            format!("file://{path}"),
            format!("file:///{path}"),
            format!("file:/{coded}"),
            format!("file:/{}", &coded[1..]),
            format!("file://{}", &coded[1..]),
            path.to_owned(),
            format!("{path}/"),
            coded.clone(),
        ] {
            let found = resource_folder(location.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(found.canonicalize().unwrap(), folder.canonicalize().unwrap(), "{location}");
        }
        std::fs::remove_dir_all(folder.parent().and_then(|parent| parent.parent()).unwrap()).unwrap();
    }

    #[test]
    fn a_missing_folder_and_a_foreign_scheme_are_named() {
        let error = resource_folder(b"file:///no/such%20folder").unwrap_err();
        assert!(error.to_string().contains("`/no/such folder`"), "{error}");
        let error = resource_folder(b"https://example.org/resources").unwrap_err();
        assert!(matches!(error, ResourceLocationError::Scheme { .. }), "{error}");
        for odd in ["", "file:", "file://", "file:%", "%", "file:///%f", ":", "\u{7f}"] {
            let _ = resource_folder(odd.as_bytes());
        }
    }

    #[test]
    fn only_complete_escapes_are_decoded() {
        assert_eq!(percent_decoded(b"a%20b%2"), b"a b%2");
        assert_eq!(percent_decoded(b"%zz%%41"), b"%zz%A");
    }
}
