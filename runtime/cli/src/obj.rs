//! Wavefront files (`.obj`): triangles with their attributes.

/// The triangles of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Object {
    /// Three coordinates for each vertex.
    pub positions: Vec<f32>,
    /// Three vertices for each triangle.
    pub indices: Vec<u32>,
}

/// Attributes of the vertices of triangles, three vertices for each triangle; those that the file
/// does not have are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Positions; w is 1.
    pub positions: Vec<[f32; 4]>,
    /// Normals; w is 0.
    pub normals: Vec<[f32; 4]>,
    /// Texture coordinates in x and y.
    pub coordinates: Vec<[f32; 4]>,
    /// Colors; alpha is 1.
    pub colors: Vec<[f32; 4]>,
}

/// Reads the objects of a file.
///
/// # Errors
///
/// The text is not a Wavefront file.
pub fn objects(text: &[u8]) -> Result<Vec<Object>, String> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    let objects = load(text, &options)?.into_iter().map(|model| Object {
        positions: model.mesh.positions,
        indices: model.mesh.indices,
    });
    Ok(objects.collect())
}

/// Reads the triangles of all objects of a file.
///
/// # Errors
///
/// The text is not a Wavefront file, or has no triangles.
pub fn mesh(text: &[u8]) -> Result<Mesh, String> {
    let options = tobj::LoadOptions {
        triangulate: true,
        single_index: true,
        ignore_points: true,
        ignore_lines: true,
    };
    let models = load(text, &options)?;
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
    Ok(mesh)
}

/// Reads a file without its materials, which say nothing of where triangles are.
fn load(mut text: &[u8], options: &tobj::LoadOptions) -> Result<Vec<tobj::Model>, String> {
    check_indices(text)?;
    let without_materials = |_: &std::path::Path| Ok((Vec::new(), Default::default()));
    let (models, _) = tobj::load_obj_buf(&mut text, options, without_materials)
        .map_err(|error| error.to_string())?;
    Ok(models)
}

/// Refuses indices that tobj multiplies before it compares them with the number of vertices: those
/// that count back beyond the first vertex, and those beyond 32 bits.
fn check_indices(text: &[u8]) -> Result<(), String> {
    // Positions, texture coordinates and normals, in the order of a face's indices.
    let mut counts = [0i64; 3];
    for line in String::from_utf8_lossy(text).lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => counts[0] += 1,
            Some("vt") => counts[1] += 1,
            Some("vn") => counts[2] += 1,
            Some("f" | "l" | "p") => {
                for word in words {
                    for (index, count) in word.split('/').zip(counts) {
                        // tobj refuses what is not a number.
                        let index: i128 = index.parse().unwrap_or(0);
                        if index < -i128::from(count) || index > i128::from(u32::MAX) {
                            return Err(format!("the index {index} names no vertex"));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_that_name_no_vertex_are_refused() {
        let with_face = |face: &str| {
            let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf {face}\n");
            (objects(text.as_bytes()), mesh(text.as_bytes()))
        };
        for face in ["1 2 3", "-3 -2 -1", "1//1 2//1 3//-1"] {
            let (objects, mesh) = with_face(face);
            assert_eq!(
                (objects.unwrap().len(), mesh.unwrap().positions.len()),
                (1, 3)
            );
        }
        // Three times one of these is beyond 64 bits.
        for face in [
            "1 2 4",
            "1 2 -4",
            "1//1 2//1 3//-2",
            "1 2 6148914691236517206",
            "1//1 2//1 3//12297829382473034411",
        ] {
            let (objects, mesh) = with_face(face);
            assert!(objects.is_err() && mesh.is_err(), "{face}");
        }
    }
}
