//! The sections of an MSH file, one function each.

use super::element_types::{ElementType, unsupported_name};
use super::error::MshError;
use super::raw::{RawElement, RawMsh};
use super::scanner::{Encoding, Scanner};

/// Reads all sections; unknown ones are skipped.
pub(super) fn read(bytes: &[u8]) -> Result<RawMsh, MshError> {
    let mut scanner = Scanner::new(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    if scanner.word() != Some(b"$MeshFormat") {
        return Err(MshError::NotMsh);
    }
    let encoding = read_format(&mut scanner)?;
    let mut raw = RawMsh::default();
    let (mut has_nodes, mut has_elements) = (false, false);
    while let Some(word) = scanner.word() {
        let Some(name) = word.strip_prefix(b"$") else {
            scanner.section = "a gap between sections".into();
            return Err(scanner.unexpected(word, "the start of a section"));
        };
        scanner.section = String::from_utf8_lossy(name).chars().take(40).collect();
        match name {
            b"PhysicalNames" => read_physical_names(&mut scanner, &mut raw)?,
            b"Entities" => in_encoding(&mut scanner, encoding, |scanner| read_entities(scanner, &mut raw))?,
            b"Nodes" => {
                in_encoding(&mut scanner, encoding, |scanner| read_nodes(scanner, &mut raw))?;
                has_nodes = true;
            }
            b"Elements" => {
                in_encoding(&mut scanner, encoding, |scanner| read_elements(scanner, &mut raw))?;
                has_elements = true;
            }
            b"PartitionedEntities" => return Err(MshError::Partitioned),
            _ => {
                let end = [b"$End", name].concat();
                if !scanner.skip_past(&end) {
                    return Err(scanner.truncated("the end of the section"));
                }
                continue;
            }
        }
        read_end(&mut scanner, name)?;
    }
    match (has_nodes, has_elements) {
        (false, _) => Err(MshError::MissingSection { section: "Nodes" }),
        (_, false) => Err(MshError::MissingSection { section: "Elements" }),
        _ => Ok(raw),
    }
}

fn read_format(scanner: &mut Scanner) -> Result<Encoding, MshError> {
    let Some(version) = scanner.word() else {
        return Err(scanner.truncated("the version"));
    };
    if version != b"4.1" {
        return Err(MshError::Version { version: String::from_utf8_lossy(version).chars().take(20).collect() });
    }
    let binary: i64 = scanner.text_number("0 for text or 1 for binary")?;
    let size: i64 = scanner.text_number("the size of numbers")?;
    if size != 8 {
        return Err(MshError::DataSize { size });
    }
    let mut encoding = Encoding::Text;
    if binary != 0 {
        scanner.skip_line_end();
        let one: [u8; 4] = scanner.take("the number 1 that shows the byte order")?;
        encoding = match (u32::from_le_bytes(one), u32::from_be_bytes(one)) {
            (1, _) => Encoding::LittleEndian,
            (_, 1) => Encoding::BigEndian,
            _ => return Err(scanner.unexpected(&one, "the number 1 that shows the byte order")),
        };
    }
    read_end(scanner, b"MeshFormat")?;
    Ok(encoding)
}

fn read_end(scanner: &mut Scanner, name: &[u8]) -> Result<(), MshError> {
    match scanner.word() {
        Some(word) if word.strip_prefix(b"$End") == Some(name) => Ok(()),
        Some(word) => Err(scanner.unexpected(word, "the end of the section")),
        None => Err(scanner.truncated("the end of the section")),
    }
}

fn in_encoding(
    scanner: &mut Scanner,
    encoding: Encoding,
    read_section: impl FnOnce(&mut Scanner) -> Result<(), MshError>,
) -> Result<(), MshError> {
    if encoding != Encoding::Text {
        scanner.skip_line_end();
    }
    scanner.encoding = encoding;
    read_section(scanner)?;
    scanner.encoding = Encoding::Text;
    Ok(())
}

fn read_physical_names(scanner: &mut Scanner, raw: &mut RawMsh) -> Result<(), MshError> {
    let count: u64 = scanner.text_number("the number of names")?;
    for _ in 0..count {
        let dimension = scanner.text_number("the dimension of a physical group")?;
        let tag = scanner.text_number("the number of a physical group")?;
        let line = scanner.rest_of_line().trim_ascii();
        let Some(name) = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")) else {
            return Err(scanner.unexpected(line, "a name in quotation marks"));
        };
        raw.physical_names.insert((dimension, tag), String::from_utf8_lossy(name).into_owned());
    }
    Ok(())
}

fn read_entities(scanner: &mut Scanner, raw: &mut RawMsh) -> Result<(), MshError> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = scanner.size("the number of entities")?;
    }
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            let tag = scanner.int("the number of an entity")?;
            // A point has its place, the others have a bounding box.
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                scanner.double("a coordinate of an entity")?;
            }
            let physical = scanner.size("the number of physical groups")?;
            for _ in 0..physical {
                let group = scanner.int("the number of a physical group")?;
                // A minus sign stands for a turned entity.
                raw.physical_tags.entry((dimension, tag)).or_default().push(group.saturating_abs());
            }
            if 0 < dimension {
                let bounding = scanner.size("the number of bounding entities")?;
                for _ in 0..bounding {
                    scanner.int("the number of a bounding entity")?;
                }
            }
        }
    }
    Ok(())
}

fn read_nodes(scanner: &mut Scanner, raw: &mut RawMsh) -> Result<(), MshError> {
    let blocks = scanner.size("the number of blocks of nodes")?;
    for expected in ["the number of nodes", "the lowest node number", "the highest node number"] {
        scanner.size(expected)?;
    }
    for _ in 0..blocks {
        let dimension = scanner.int("the dimension of an entity")?;
        scanner.int("the number of an entity")?;
        let parametric = scanner.int("0 or 1 for parametric nodes")?;
        let count = scanner.size("the number of nodes in a block")?;
        // Parametric coordinates follow the place: as many as the entity has dimensions.
        let parameters = if parametric == 0 { 0 } else { dimension.clamp(0, 3) };
        if (scanner.remaining() as u64) < count {
            return Err(scanner.truncated("as many nodes as the block announces"));
        }
        for _ in 0..count {
            raw.node_tags.push(scanner.size("a node number")?);
        }
        for _ in 0..count {
            let mut position = [0.0; 3];
            for coordinate in &mut position {
                *coordinate = scanner.double("a coordinate of a node")?;
            }
            for _ in 0..parameters {
                scanner.double("a parameter of a node")?;
            }
            raw.positions.push(position);
        }
    }
    Ok(())
}

fn read_elements(scanner: &mut Scanner, raw: &mut RawMsh) -> Result<(), MshError> {
    let blocks = scanner.size("the number of blocks of elements")?;
    for expected in ["the number of elements", "the lowest element number", "the highest element number"] {
        scanner.size(expected)?;
    }
    for _ in 0..blocks {
        let dimension = scanner.int("the dimension of an entity")?;
        let tag = scanner.int("the number of an entity")?;
        let type_number = scanner.int("the type of elements")?;
        let count = scanner.size("the number of elements in a block")?;
        let Some(element_type) = ElementType::from_number(type_number) else {
            let place = scanner.place();
            let element = if 0 < count { scanner.size("an element number")? } else { 0 };
            return Err(MshError::UnsupportedElement { element, place, kind: unsupported_name(type_number) });
        };
        for _ in 0..count {
            let element_tag = scanner.size("an element number")?;
            let mut node_tags = [0; 10];
            for node in &mut node_tags[..element_type.node_count()] {
                *node = scanner.size("a node number of an element")?;
            }
            raw.elements.push(RawElement { tag: element_tag, entity: (dimension, tag), element_type, node_tags });
        }
    }
    Ok(())
}
