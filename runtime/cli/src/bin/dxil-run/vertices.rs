//! `--vertices`: the vertices of a draw, from a Wavefront file or a NumPy array.

use std::path::Path;

use dxil_frontend::dxil::SignatureElement;
use dxil_jit::files;

use crate::failure::{Failure, Result};
use crate::npy::Array;

/// Vertices in the order in which they are drawn.
pub(crate) enum Vertices {
    /// Of a Wavefront file: three for each triangle, with their attributes by semantic.
    Mesh(Mesh),
    /// Of an array: the numbers of each vertex, for the inputs in their order.
    Rows {
        /// Numbers of a vertex.
        width: usize,
        /// All numbers.
        numbers: Vec<f32>,
    },
}

/// Attributes of the vertices of a mesh; those that the file does not have are empty.
#[derive(Default)]
pub(crate) struct Mesh {
    positions: Vec<[f32; 4]>,
    normals: Vec<[f32; 4]>,
    coordinates: Vec<[f32; 4]>,
    colors: Vec<[f32; 4]>,
}

impl Vertices {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// Fails where the file is no mesh of triangles, and no array of 32-bit floats with a row for
    /// each vertex.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = files::read(path).map_err(|error| Failure::file(path, &error))?;
        let bad = |why: String| Failure::malformed(format!("--vertices {}: {why}", path.display()));
        match Array::read(&bytes) {
            Some(array) => Self::rows(&array.map_err(bad)?).map_err(bad),
            None => Self::mesh(&bytes).map_err(bad),
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

    fn mesh(bytes: &[u8]) -> Result<Self, String> {
        let options = tobj::LoadOptions {
            triangulate: true,
            single_index: true,
            ignore_points: true,
            ignore_lines: true,
        };
        let (models, _) = tobj::load_obj_buf(&mut &bytes[..], &options, |_| {
            Ok((Vec::new(), Default::default()))
        })
        .map_err(|error| error.to_string())?;
        let mut mesh = Mesh::default();
        for tobj::Model { mesh: part, .. } in &models {
            for index in &part.indices {
                let index = *index as usize;
                let take = |values: &[f32], width: usize, rest: [f32; 4]| {
                    let found = values.get(index * width..(index + 1) * width)?;
                    let mut all = rest;
                    all.iter_mut().zip(found).for_each(|(to, from)| *to = *from);
                    Some(all)
                };
                let position = take(&part.positions, 3, [0.0, 0.0, 0.0, 1.0]);
                mesh.positions.extend(position);
                mesh.normals.extend(take(&part.normals, 3, [0.0; 4]));
                mesh.coordinates.extend(take(&part.texcoords, 2, [0.0; 4]));
                let color = take(&part.vertex_color, 3, [0.0, 0.0, 0.0, 1.0]);
                mesh.colors.extend(color);
            }
        }
        if mesh.positions.is_empty() {
            return Err("there are no triangles in it".into());
        }
        Ok(Vertices::Mesh(mesh))
    }

    /// Returns the number of vertices.
    pub(crate) fn count(&self) -> usize {
        match self {
            Vertices::Mesh(mesh) => mesh.positions.len(),
            Vertices::Rows { width, numbers } => numbers.len() / width,
        }
    }

    /// Returns what a vertex has for an input; `None` where the file has nothing for it. `first` is
    /// the number of components of all inputs in front of it.
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
