//! The way in for other finite-element programs: mass and stiffness as Matrix Market files, nodes and surface as text.

mod error;
mod matrix_market;
mod text_tables;

use std::path::Path;

pub use error::{MatrixFileError, Problem};
pub use matrix_market::read_matrix_market;
pub use text_tables::{read_nodes, read_surface};

use crate::finite_element_model::FiniteElementModel;

/// Largest file that is read, in bytes: matrices of half a million unknowns as text.
const SIZE_LIMIT: u64 = 8 << 30;

/// Reads the four files. Positions are multiplied by `scale`, matrices are taken as they are (N/m and kg).
pub fn read_model(
    mass: &Path,
    stiffness: &Path,
    nodes: &Path,
    surface: &Path,
    scale: f64,
) -> Result<FiniteElementModel, MatrixFileError> {
    let node_list = with_file(nodes, read_nodes)?;
    let (numbers, node_positions) = (node_list.numbers, node_list.positions);
    let surface = with_file(surface, |bytes| read_surface(bytes, &numbers, node_positions.len()))?;
    let [mass, stiffness] = [mass, stiffness].map(|path| {
        with_file(path, |bytes| {
            let matrix = read_matrix_market(bytes)?;
            let (size, expected) = (matrix.size(), 3 * node_positions.len());
            if size != expected {
                return Err(Problem::WrongSize { size, nodes: node_positions.len(), expected }.at(0));
            }
            Ok(matrix)
        })
    });
    let node_positions = node_positions.iter().map(|position| position.map(|x| scale * x)).collect();
    Ok(FiniteElementModel {
        node_positions,
        stiffness: stiffness?,
        mass: mass?,
        surface,
        node_groups: Default::default(),
    })
}

fn with_file<T>(path: &Path, read: impl FnOnce(&[u8]) -> Result<T, error::Located>) -> Result<T, MatrixFileError> {
    let file = path.display().to_string();
    let unreadable = |reason: String| Problem::Unreadable { reason }.at(0).within(&file);
    let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if SIZE_LIMIT < size {
        return Err(unreadable(format!("it has {size} bytes, more than {SIZE_LIMIT}")));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    read(&bytes).map_err(|error| error.within(&file))
}
