//! `--vertices`: the vertices of a draw, from a Wavefront file, a glTF file or a NumPy array.

use std::path::Path;

use dxil_frontend::dxil::SignatureElement;
use dxil_jit::files;
use dxil_jit::gltf;
use dxil_jit::npy::Array;
use dxil_jit::obj::{self, Mesh};

use crate::failure::{Failure, Result};

/// Vertices in the order in which they are drawn.
pub(crate) enum Vertices {
    /// Of a Wavefront or glTF file: three for each triangle, with their attributes by semantic.
    Mesh(Mesh),
    /// Of an array: the numbers of each vertex, for the inputs in their order.
    Rows {
        /// Numbers of a vertex.
        width: usize,
        /// All numbers.
        numbers: Vec<f32>,
    },
}

impl Vertices {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// Fails where the file is not a mesh of triangles, and no array of 32-bit floats with a row
    /// for each vertex.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = files::read(path).map_err(|error| {
            // Their number is that of the draw.
            match path.to_str().and_then(|text| text.parse::<u32>().ok()) {
                Some(count) => Failure::usage(format!(
                    "--vertices takes a file (mesh.obj, rows.npy); --draw {count} draws {count} generated vertices"
                )),
                None => Failure::file(path, &error),
            }
        })?;
        let bad = |why: String| Failure::malformed(format!("--vertices {}: {why}", path.display()));
        match Array::read(&bytes) {
            Some(array) => Self::rows(&array.map_err(bad)?).map_err(bad),
            None if gltf::is_gltf(&bytes) => {
                gltf::mesh(&bytes, path).map(Vertices::Mesh).map_err(bad)
            }
            None => obj::mesh(&bytes).map(Vertices::Mesh).map_err(bad),
        }
    }

    fn rows(array: &Array) -> Result<Self, String> {
        let [count, width] = array.shape[..] else {
            return Err("an array of vertices has the shape (vertices, numbers)".into());
        };
        let words = array.data.chunks_exact(4);
        if !array.is_plain_f32() || words.len() != count * width || width == 0 {
            return Err("an array of vertices has the dtype '<f4'".into());
        }
        let numbers = words.map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        Ok(Vertices::Rows {
            width,
            numbers: numbers.collect(),
        })
    }

    /// Returns the number of vertices.
    pub(crate) fn count(&self) -> usize {
        match self {
            Vertices::Mesh(mesh) => mesh.positions.len(),
            Vertices::Rows { width, numbers } => numbers.len() / width,
        }
    }

    /// Returns the positions; of rows their first three numbers.
    pub(crate) fn positions(&self) -> Vec<[f32; 3]> {
        match self {
            Vertices::Mesh(mesh) => {
                let positions = mesh.positions.iter();
                positions.map(|[x, y, z, _]| [*x, *y, *z]).collect()
            }
            Vertices::Rows { width, numbers } => {
                let number = |row: &[f32], axis: usize| row.get(axis).copied().unwrap_or(0.0);
                let rows = numbers.chunks_exact(*width);
                rows.map(|row| [0, 1, 2].map(|axis| number(row, axis)))
                    .collect()
            }
        }
    }

    /// Checks that rows have the numbers of all inputs, or those of the first ones; of the first
    /// input they may have a part. Inputs are given by name and number of components.
    pub(crate) fn check(&self, inputs: &[(String, usize)]) -> Result<()> {
        let Vertices::Rows { width, .. } = self else {
            return Ok(());
        };
        if inputs.first().is_some_and(|(_, columns)| width <= columns) {
            return Ok(());
        }
        let mut ends = inputs.iter().scan(0, |end, (_, columns)| {
            *end += columns;
            Some(*end)
        });
        if ends.any(|end| end == *width) {
            return Ok(());
        }
        let all: Vec<String> = inputs
            .iter()
            .map(|(name, columns)| format!("{columns} of {name}"))
            .collect();
        Err(Failure::usage(format!(
            "--vertices: a row has {width} number(s); the inputs take {}",
            all.join(", ")
        )))
    }

    /// Returns the value of a vertex for an input; `None` if the file has nothing for it. `first`
    /// is the number of components of all inputs in front of it.
    pub(crate) fn value(
        &self,
        vertex: usize,
        input: &SignatureElement,
        first: usize,
    ) -> Option<[f32; 4]> {
        match self {
            Vertices::Rows { width, numbers } => {
                let row = numbers.get(vertex * width..(vertex + 1) * width)?;
                let found = row.get(first..)?.iter().take(input.columns as usize);
                let mut all = [0.0, 0.0, 0.0, 1.0];
                let mut any = false;
                for (to, from) in all.iter_mut().zip(found) {
                    *to = *from;
                    any = true;
                }
                any.then_some(all)
            }
            Vertices::Mesh(mesh) => {
                let name = input.name.to_ascii_uppercase();
                let attribute = match name.trim_start_matches("SV_") {
                    "POSITION" => &mesh.positions,
                    "NORMAL" => &mesh.normals,
                    "TEXCOORD" | "UV" => &mesh.coordinates,
                    "COLOR" | "COLOUR" => &mesh.colors,
                    _ => return None,
                };
                attribute.get(vertex).copied()
            }
        }
    }
}
