//! Whole archives, with a stub in place of the library where its content does not matter.

use std::io::Cursor;

use super::archive::Files;
use super::*;
use crate::test_support::{default_configuration, parsed, root};

/// An ELF file that exports `names` and can do nothing: a header and four sections, of which the
/// dynamic symbols and their strings are read.
fn stub(names: &[&str]) -> Vec<u8> {
    let mut strings = vec![0u8];
    let mut symbols = vec![0u8; 24];
    for name in names {
        symbols.extend((strings.len() as u32).to_le_bytes());
        // Global function, default visibility, in section 1, at address 4096.
        symbols.extend([0x12, 0, 1, 0]);
        symbols.extend(4096u64.to_le_bytes());
        symbols.extend(16u64.to_le_bytes());
        strings.extend(name.bytes());
        strings.push(0);
    }
    const NAMES: &[u8] = b"\0.dynsym\0.dynstr\0.shstrtab\0";
    let symbols_at = 64;
    let strings_at = symbols_at + symbols.len();
    let names_at = strings_at + strings.len();
    let table_at = (names_at + NAMES.len()).next_multiple_of(8);
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    // A shared object for x86-64; the program headers are missing.
    file.extend([3, 0, 62, 0, 1, 0, 0, 0]);
    file.extend([0u64, 0, table_at as u64].iter().flat_map(|value| value.to_le_bytes()));
    file.extend(0u32.to_le_bytes());
    file.extend([64u16, 56, 0, 64, 4, 3].iter().flat_map(|value| value.to_le_bytes()));
    file.extend(symbols.iter().chain(&strings).chain(NAMES));
    file.resize(table_at, 0);
    let mut section = |name: u32, kind: u32, at: usize, size: usize, link: u32, info: u32, entry: u64| {
        file.extend(name.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend([0u64, 0, at as u64, size as u64].iter().flat_map(|value| value.to_le_bytes()));
        file.extend([link, info].iter().flat_map(|value| value.to_le_bytes()));
        file.extend([8u64, entry].iter().flat_map(|value| value.to_le_bytes()));
    };
    section(0, 0, 0, 0, 0, 0, 0);
    section(1, 11, symbols_at, symbols.len(), 2, 1, 24);
    section(9, 3, strings_at, strings.len(), 0, 0, 0);
    section(17, 3, names_at, NAMES.len(), 0, 0, 0);
    file
}

fn linux() -> &'static Platform {
    library::find_platform("linux64").unwrap()
}

fn archive_with(library: Vec<u8>) -> Vec<u8> {
    let model = FmuModel::read(&default_configuration()).unwrap();
    entries(&model, &kit_with(library)).unwrap().to_zip().unwrap()
}

/// A kit whose library can do nothing.
pub fn stub_kit() -> LibraryKit {
    kit_with(stub(&library::FUNCTIONS))
}

fn kit_with(library: Vec<u8>) -> LibraryKit {
    let licenses = [("license.txt".to_owned(), b"Licences".to_vec())].into();
    LibraryKit { libraries: vec![(linux(), library)], licenses }
}

#[test]
fn the_same_pair_gives_the_same_bytes_and_passes_its_check() {
    let first = archive_with(stub(&library::FUNCTIONS));
    assert!(first == archive_with(stub(&library::FUNCTIONS)));
    let files = archive::read_zip(Cursor::new(first)).unwrap();
    check::check(&files).unwrap();
    for path in [
        "modelDescription.xml",
        "model.png",
        "binaries/linux64/PolygonalContact.so",
        "resources/contact.toml",
        "resources/sphere.obj",
        "resources/plate.obj",
        "documentation/index.html",
        "documentation/licenses/license.txt",
    ] {
        assert!(files.contains_key(path), "{path}");
    }
}

#[test]
fn the_library_serves_a_body_under_another_name() {
    let model = FmuModel::read(&root().join("examples/landing-sphere/free-body.toml")).unwrap();
    let files = fmu(&model, &stub_kit()).unwrap();
    let mut files = archive::read_zip(Cursor::new(files)).unwrap();
    for path in ["binaries/linux64/FreeBody.so", "resources/free-body.toml", "documentation/index.html"] {
        assert!(files.contains_key(path), "{path}");
    }
    let text = String::from_utf8(files["resources/free-body.toml"].clone()).unwrap();
    files.insert("resources/free-body.toml".to_owned(), text.replace("4.19", "4.2").into_bytes());
    assert!(check::check(&files).unwrap_err().contains("the guid is"));
}

#[test]
fn every_contradiction_in_an_archive_is_found() {
    let files = archive::read_zip(Cursor::new(archive_with(stub(&library::FUNCTIONS)))).unwrap();
    let problem = |change: &dyn Fn(&mut Files)| {
        let mut changed = files.clone();
        change(&mut changed);
        check::check(&changed).unwrap_err()
    };
    let replace = |path: &'static str, from: &'static str, to: &'static str| {
        problem(&|files| {
            let text = String::from_utf8(files[path].clone()).unwrap();
            assert!(text.contains(from), "{path} has no {from}");
            files.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
        })
    };
    for (path, part) in [
        ("modelDescription.xml", "lacks `modelDescription.xml`"),
        ("resources/contact.toml", "lacks `resources/contact.toml`"),
        ("resources/plate.obj", "lacks `resources/plate.obj`"),
        ("model.png", "lacks `model.png`"),
        ("binaries/linux64/PolygonalContact.so", "0 libraries"),
        ("documentation/licenses/license.txt", "refers to `licenses/license.txt`"),
    ] {
        let message = problem(&|files| drop(files.remove(path)));
        assert!(message.contains(part), "{message}");
    }
    assert!(replace("resources/plate.obj", "0.2", "0.3").contains("the guid is"));
    assert!(replace("resources/contact.toml", "0.3", "0.4").contains("the guid is"));
    assert!(replace("modelDescription.xml", "guid=\"{", "guid=\"").contains("the guid is"));
    assert!(replace("modelDescription.xml", "start=\"plate.obj\"", "start=\"x.obj\"").contains("surfaceF.file"));
    assert!(replace("modelDescription.xml", "<Unit name=\"Pa\"", "<Unit name=\"psi\"").contains("unit `Pa`"));
    assert!(replace("modelDescription.xml", "<SimpleType name=\"M", "<SimpleType name=\"N").contains("`Method`"));
    assert!(replace("modelDescription.xml", "dependencies=\"", "dependencies=\"999 ").contains("variable 999"));
    assert!(replace("modelDescription.xml", "</Unit>", "").contains("cannot be read"));
    let renamed = problem(&|files| {
        let bytes = files.remove("binaries/linux64/PolygonalContact.so").unwrap();
        files.insert("binaries/linux64/polycontact.so".into(), bytes);
    });
    assert!(renamed.contains("0 libraries"), "{renamed}");
}

#[test]
fn a_library_exports_the_functions_of_fmi_and_nothing_else() {
    assert_eq!(library::check(&stub(&library::FUNCTIONS), linux(), "x.so"), Ok(()));
    let lacking = library::check(&stub(&library::FUNCTIONS[1..]), linux(), "x.so").unwrap_err();
    assert!(lacking.contains("lacks 1 of the 44 functions of FMI, such as fmi2CancelStep;"), "{lacking}");
    let too_much = library::check(&stub(&[&library::FUNCTIONS[..], &["leak"]].concat()), linux(), "x.so").unwrap_err();
    assert!(too_much.contains("exports more than FMI: leak;"), "{too_much}");
}

#[test]
fn a_refused_archive_leaves_the_earlier_file_and_no_draft() {
    let folder = std::env::temp_dir().join(format!("polycontact-package-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("x.fmu");
    fs::write(&path, "earlier").unwrap();
    let error = write_checked(&path, &archive_with(stub(&["fmi2DoStep"])), check::check).unwrap_err();
    assert!(error.contains("lacks 43 of the 44 functions"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "earlier");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_arguments_say_what_is_allowed() {
    let surroundings = Surroundings { outputs: PathBuf::new(), kit: &|| Err("no kit".to_owned()) };
    let error = |line: &str| parsed(line).and_then(|arguments: Arguments| run(&arguments, &surroundings)).unwrap_err();
    assert!(error("a.toml b.toml").contains("unexpected argument 'b.toml'"));
    assert!(error("--binary win64").contains("PLATFORM=FILE, with PLATFORM one of linux64"));
    assert!(error("--binary win=x.dll").contains("no platform `win`; it is one of linux64"));
    let pair = default_configuration().display().to_string();
    let output = std::env::temp_dir().join("polycontact-wrong-arguments.fmu").display().to_string();
    assert!(error(&format!("{pair} -o {output} --binary win64=missing.dll")).contains("cannot read `missing.dll`"));
    assert!(error(&format!("{pair} -o {output}")).contains("no kit"));
    let folder = std::env::temp_dir();
    assert!(error(&format!("{pair} -o {}", folder.display())).contains("it is a folder"));
    assert!(error("missing.toml").contains("missing.toml"));
}

#[test]
fn a_library_that_is_handed_in_replaces_the_one_in_the_kit() {
    let folder = std::env::temp_dir().join(format!("polycontact-handed-in-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("x.so");
    let mut other = stub(&library::FUNCTIONS);
    other.push(0);
    fs::write(&file, &other).unwrap();
    let surroundings = Surroundings { outputs: PathBuf::new(), kit: &|| Ok(stub_kit()) };
    let handed_in = HandedIn { platform: linux(), file };
    let found = kit(std::slice::from_ref(&handed_in), &surroundings).unwrap();
    assert!(found.libraries.len() == 1 && found.libraries[0].1 == other);
    let twice = kit(&[handed_in.clone(), handed_in], &surroundings).err().unwrap();
    assert!(twice.contains("names linux64 twice"), "{twice}");
    fs::remove_dir_all(&folder).unwrap();
}
