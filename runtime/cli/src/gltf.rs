//! glTF 2.0 files (`.gltf`, `.glb`): the triangles of their scene, with the transformations of the
//! nodes applied.
//!
//! Section numbers are those of the glTF 2.0 specification. Skins, morph targets, sparse accessors
//! and compressed meshes are refused or ignored as the specification allows: a file whose
//! `extensionsRequired` is not empty is refused (3.12).

use std::cell::Cell;
use std::path::{Component as PathPart, Path};

use serde_json::Value;

use crate::files;
use crate::obj::Mesh;

/// `glTF` as a little-endian number: the magic of binary files (4.4.2).
const MAGIC: u32 = 0x4654_6C67;

/// Type of the chunk with the JSON text, and of that with the first buffer (4.4.3).
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// Nesting of nodes; the specification has no limit, and its graphs are trees (3.5.2).
const MAX_DEPTH: u32 = 64;

/// Maximum number of vertices that are drawn.
const MAX_VERTICES: usize = 1 << 24;

/// Maximum number of components that are read, some of them several times.
const MAX_COMPONENTS: usize = 1 << 28;

/// A matrix by columns.
type Matrix = [[f32; 4]; 4];

const IDENTITY: Matrix = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.0, 0.0, 0.0, 1.0],
];

/// Returns whether the bytes look like a glTF file: a binary one, or a JSON object. No Wavefront
/// file begins so.
pub fn is_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF") || bytes.trim_ascii_start().starts_with(b"{")
}

/// Reads the triangles of the file's scene. `path` is the file's own, for buffers in other files of
/// its folder.
///
/// # Errors
///
/// The bytes are not a glTF 2.0 file, it needs an extension, or it has no triangles.
pub fn mesh(bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    let (text, binary) = chunks(bytes)?;
    let json: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let version = json["asset"]["version"].as_str().unwrap_or_default();
    if !version.starts_with("2.") {
        return Err(format!("glTF {version} is not 2.0"));
    }
    if let Some([first, ..]) = json["extensionsRequired"].as_array().map(Vec::as_slice) {
        return Err(format!("it needs the extension {first}"));
    }
    let buffers = json["buffers"].as_array().map_or(&[][..], Vec::as_slice);
    let buffers = buffers.iter().enumerate().map(|(index, buffer)| {
        match (buffer["uri"].as_str(), binary) {
            (Some(uri), _) => buffer_of(uri, path),
            // Only the first buffer is that of the binary chunk (4.4.3.3).
            (None, Some(binary)) if index == 0 => Ok(binary.to_vec()),
            (None, _) => Err(format!("buffer {index} has no contents")),
        }
    });
    let file = File {
        buffers: buffers.collect::<Result<_, _>>()?,
        components: Cell::new(MAX_COMPONENTS),
        nodes: Cell::new(json["nodes"].as_array().map_or(0, Vec::len)),
        json,
    };
    let mut mesh = Mesh::default();
    // Without a default scene the first one is drawn; a file without scenes is a library (3.5.1).
    let scene = file.json["scene"].as_u64().unwrap_or(0);
    for root in indices(&file.item("scenes", scene)?["nodes"]) {
        file.add_node(root, &IDENTITY, MAX_DEPTH, &mut mesh)?;
    }
    if mesh.positions.is_empty() {
        return Err("there are no triangles in its scene".into());
    }
    Ok(mesh)
}

/// Returns the JSON text and the binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let word = |at: usize| {
        let word = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    if word(0) != Some(MAGIC) {
        return Ok((bytes, None));
    }
    let (mut at, mut text, mut binary) = (12, None, None);
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let start = at + 8;
        let end = start.saturating_add(length as usize);
        let chunk = bytes.get(start..end).ok_or("a chunk is cut off")?;
        match kind {
            JSON_CHUNK => text = text.or(Some(chunk)),
            BINARY_CHUNK => binary = binary.or(Some(chunk)),
            // Clients must ignore chunks of other types.
            _ => {}
        }
        at = end;
    }
    Ok((text.ok_or("there is no JSON chunk")?, binary))
}

/// Returns the bytes that a URI names: a data URI, or a file beside the glTF file.
fn buffer_of(uri: &str, path: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
        let decoded = encoded.and_then(base64);
        return decoded.ok_or_else(|| "a data URI is not base64".into());
    }
    let name = Path::new(uri);
    // Nothing but a file of the folder: neither schemes nor ways out of it.
    let mut parts = name.components();
    if uri.contains([':', '%']) || !parts.all(|part| matches!(part, PathPart::Normal(_))) {
        return Err(format!("the buffer `{uri}` is not a file of its folder"));
    }
    let file = path.parent().unwrap_or(Path::new("")).join(name);
    files::read(&file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Decodes base64 (RFC 4648, section 4).
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

struct File {
    json: Value,
    buffers: Vec<Vec<u8>>,
    /// Components that may still be read.
    components: Cell<usize>,
    /// Nodes that were not visited: each has one parent at most (3.5.2).
    nodes: Cell<usize>,
}

impl File {
    fn item(&self, list: &str, index: u64) -> Result<&Value, String> {
        let item = usize::try_from(index).ok();
        item.and_then(|index| self.json[list].get(index))
            .ok_or_else(|| format!("there is no {list}[{index}]"))
    }

    fn add_node(&self, node: u64, outer: &Matrix, depth: u32, to: &mut Mesh) -> Result<(), String> {
        let node = self.item("nodes", node)?;
        let left = self.nodes.get().checked_sub(1);
        self.nodes.set(left.ok_or("a node has several parents")?);
        let depth = depth.checked_sub(1).ok_or("nodes are nested too deeply")?;
        let matrix = product(outer, &transformation(node));
        if let Some(mesh) = node["mesh"].as_u64() {
            let primitives = self.item("meshes", mesh)?["primitives"].as_array();
            for primitive in primitives.into_iter().flatten() {
                self.add_primitive(primitive, &matrix, to)?;
            }
        }
        for child in indices(&node["children"]) {
            self.add_node(child, &matrix, depth, to)?;
        }
        Ok(())
    }

    fn add_primitive(
        &self,
        primitive: &Value,
        matrix: &Matrix,
        to: &mut Mesh,
    ) -> Result<(), String> {
        // 4 are triangles, the default (5.24). Points and lines are not drawn.
        match primitive["mode"].as_u64().unwrap_or(4) {
            4 => {}
            mode @ (5 | 6) => return Err(format!("strips and fans (mode {mode}) are not read")),
            _ => return Ok(()),
        }
        let attribute = |name: &str, rest: [f32; 4]| -> Result<Vec<[f32; 4]>, String> {
            match primitive["attributes"][name].as_u64() {
                Some(accessor) => self.vectors(accessor, rest),
                None => Ok(Vec::new()),
            }
        };
        let positions = attribute("POSITION", [0.0, 0.0, 0.0, 1.0])?;
        let normals = attribute("NORMAL", [0.0; 4])?;
        let coordinates = attribute("TEXCOORD_0", [0.0; 4])?;
        let colors = attribute("COLOR_0", [0.0, 0.0, 0.0, 1.0])?;
        let mut order = match primitive["indices"].as_u64() {
            Some(accessor) => self.numbers(accessor)?,
            None => (0..positions.len()).collect(),
        };
        order.truncate(order.len() / 3 * 3);
        let cofactors = cofactors(matrix);
        // A mirror turns the order of the vertices round (3.7.4).
        let is_mirror = (0..3).map(|i| cofactors[0][i] * matrix[0][i]).sum::<f32>() < 0.0;
        if is_mirror {
            order
                .chunks_exact_mut(3)
                .for_each(|corners| corners.swap(1, 2));
        }
        if to.positions.len() + order.len() > MAX_VERTICES {
            return Err(format!("it has more than {MAX_VERTICES} vertices"));
        }
        // Attributes that only some primitives have are 0 in the others.
        let before = to.positions.len();
        let add =
            |to: &mut Vec<[f32; 4]>, from: &[[f32; 4]], change: &dyn Fn([f32; 4]) -> [f32; 4]| {
                if from.is_empty() && to.is_empty() {
                    return;
                }
                to.resize(before, [0.0; 4]);
                to.extend(
                    order
                        .iter()
                        .map(|&index| from.get(index).map_or([0.0; 4], |v| change(*v))),
                );
            };
        if let Some(index) = order.iter().find(|index| **index >= positions.len()) {
            return Err(format!("the index {index} names no vertex"));
        }
        add(&mut to.positions, &positions, &|v| times(matrix, v));
        let sign = if is_mirror { -1.0 } else { 1.0 };
        add(&mut to.normals, &normals, &|v| {
            unit(times(&cofactors, v.map(|v| v * sign)))
        });
        add(&mut to.coordinates, &coordinates, &|v| v);
        add(&mut to.colors, &colors, &|v| v);
        Ok(())
    }

    /// Returns the vectors of an accessor; `rest` fills the components that it lacks.
    fn vectors(&self, accessor: u64, rest: [f32; 4]) -> Result<Vec<[f32; 4]>, String> {
        let all = self.components(accessor)?;
        Ok(all
            .chunks(|component| component.as_float())
            .map(|found| {
                let mut vector = rest;
                vector
                    .iter_mut()
                    .zip(found)
                    .for_each(|(to, from)| *to = from);
                vector
            })
            .collect())
    }

    /// Returns the indices of an accessor.
    fn numbers(&self, accessor: u64) -> Result<Vec<usize>, String> {
        let all = self.components(accessor)?;
        let first = all.chunks(|component| component.as_index());
        Ok(first.filter_map(|found| found.first().copied()).collect())
    }

    fn components(&self, accessor: u64) -> Result<Components<'_>, String> {
        let about = |what: &str| format!("accessors[{accessor}]: {what}");
        let json = self.item("accessors", accessor)?;
        if !json["sparse"].is_null() {
            return Err(about("sparse accessors are not read"));
        }
        let kind = match json["componentType"].as_u64() {
            Some(5120) => Kind::I8,
            Some(5121) => Kind::U8,
            Some(5122) => Kind::I16,
            Some(5123) => Kind::U16,
            Some(5125) => Kind::U32,
            Some(5126) => Kind::F32,
            _ => return Err(about("no such component type")),
        };
        let width = match json["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => return Err(about("not a vector")),
        };
        let number =
            |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
        let count = number(&json["count"]);
        let size = kind.bytes() * width;
        let view = json["bufferView"]
            .as_u64()
            .ok_or_else(|| about("no buffer view"))?;
        let view = self.item("bufferViews", view)?;
        let buffer = self.buffers.get(number(&view["buffer"]));
        let start = number(&view["byteOffset"]);
        let end = start.saturating_add(number(&view["byteLength"]));
        let bytes = buffer.and_then(|buffer| buffer.get(start..end));
        let bytes = bytes.and_then(|bytes| bytes.get(number(&json["byteOffset"])..));
        let stride = match number(&view["byteStride"]) {
            0 => size,
            stride => stride,
        };
        // The last element needs no padding after it.
        let needed = count
            .saturating_sub(1)
            .saturating_mul(stride)
            .saturating_add(size);
        let bytes = bytes.filter(|bytes| count == 0 || bytes.len() >= needed);
        let left = self
            .components
            .get()
            .checked_sub(count.saturating_mul(width));
        self.components
            .set(left.ok_or_else(|| about("its components are too many"))?);
        Ok(Components {
            bytes: bytes.ok_or_else(|| about("it lies beyond its buffer"))?,
            kind,
            width,
            stride,
            count,
            normalized: json["normalized"].as_bool().unwrap_or(false),
        })
    }
}

#[derive(Clone, Copy)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::U32 | Kind::F32 => 4,
        }
    }
}

/// The components of an accessor in their buffer.
struct Components<'a> {
    bytes: &'a [u8],
    kind: Kind,
    width: usize,
    stride: usize,
    count: usize,
    normalized: bool,
}

/// A component: its bytes, as a number of 32 bits.
struct Component {
    raw: [u8; 4],
    kind: Kind,
    normalized: bool,
}

impl Components<'_> {
    /// Returns the elements, each with its components.
    fn chunks<T>(&self, read: impl Fn(&Component) -> T) -> impl Iterator<Item = Vec<T>> {
        let size = self.kind.bytes();
        (0..self.count).map(move |element| {
            let components = (0..self.width).map(|component| {
                let start = element * self.stride + component * size;
                let mut raw = [0; 4];
                let found = self.bytes.get(start..start + size).unwrap_or_default();
                raw.iter_mut().zip(found).for_each(|(to, from)| *to = *from);
                read(&Component {
                    raw,
                    kind: self.kind,
                    normalized: self.normalized,
                })
            });
            components.collect()
        })
    }
}

impl Component {
    fn as_index(&self) -> usize {
        u32::from_le_bytes(self.raw) as usize
    }

    /// Returns the number; integers that are normalized are fractions (3.11).
    fn as_float(&self) -> f32 {
        let [a, b, ..] = self.raw;
        let (value, most) = match self.kind {
            Kind::F32 => return f32::from_le_bytes(self.raw),
            Kind::I8 => (f32::from(a.cast_signed()), 127.0),
            Kind::U8 => (f32::from(a), 255.0),
            Kind::I16 => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
            Kind::U16 => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
            Kind::U32 => return u32::from_le_bytes(self.raw) as f32,
        };
        if self.normalized {
            (value / most).max(-1.0)
        } else {
            value
        }
    }
}

fn indices(list: &Value) -> impl Iterator<Item = u64> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_u64)
}

fn floats<const N: usize>(value: &Value, default: [f32; N]) -> [f32; N] {
    let mut numbers = default;
    let found = value.as_array().into_iter().flatten();
    for (to, from) in numbers.iter_mut().zip(found) {
        *to = from.as_f64().unwrap_or(0.0) as f32;
    }
    numbers
}

/// Returns the transformation of a node: its matrix, by columns, or translation, rotation (a
/// quaternion x, y, z, w) and scale, of which the scale comes first (3.5.3).
fn transformation(node: &Value) -> Matrix {
    if node["matrix"].is_array() {
        let all = floats(
            &node["matrix"],
            IDENTITY.concat().try_into().unwrap_or([0.0; 16]),
        );
        return [0, 4, 8, 12].map(|at| [all[at], all[at + 1], all[at + 2], all[at + 3]]);
    }
    let [tx, ty, tz] = floats(&node["translation"], [0.0; 3]);
    let [x, y, z, w] = floats(&node["rotation"], [0.0, 0.0, 0.0, 1.0]);
    let [sx, sy, sz] = floats(&node["scale"], [1.0; 3]);
    let columns = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + z * w),
            2.0 * (x * z - y * w),
        ],
        [
            2.0 * (x * y - z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + x * w),
        ],
        [
            2.0 * (x * z + y * w),
            2.0 * (y * z - x * w),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    let scaled = |[a, b, c]: [f32; 3], by: f32| [a * by, b * by, c * by, 0.0];
    [
        scaled(columns[0], sx),
        scaled(columns[1], sy),
        scaled(columns[2], sz),
        [tx, ty, tz, 1.0],
    ]
}

fn times(matrix: &Matrix, vector: [f32; 4]) -> [f32; 4] {
    let mut sum = [0.0; 4];
    for (column, by) in matrix.iter().zip(vector) {
        sum.iter_mut()
            .zip(column)
            .for_each(|(to, from)| *to += from * by);
    }
    sum
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| times(a, column))
}

/// Returns the cofactors of the upper 3x3 part: normals go with them, whatever the scale.
fn cofactors(m: &Matrix) -> Matrix {
    let cross = |a: [f32; 4], b: [f32; 4]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
            0.0,
        ]
    };
    [
        cross(m[1], m[2]),
        cross(m[2], m[0]),
        cross(m[0], m[1]),
        [0.0; 4],
    ]
}

fn unit(vector: [f32; 4]) -> [f32; 4] {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.map(|v| v / length)
    } else {
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles with 16-bit indices, 0 1 2 and 2 1 3, of a square around the origin, with
    /// 8-bit colors, as one buffer.
    fn square() -> Vec<u8> {
        let mut buffer = Vec::new();
        let corners = [
            [-1.0f32, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [-1.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
        ];
        buffer.extend(corners.iter().flatten().flat_map(|v| v.to_le_bytes()));
        buffer.extend([0u16, 1, 2, 2, 1, 3].iter().flat_map(|v| v.to_le_bytes()));
        buffer.extend([
            255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 51, 51, 51, 255,
        ]);
        buffer
    }

    fn json(nodes: &str, uri: &str) -> String {
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
            "nodes": {nodes},
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "COLOR_0": 2}}, "indices": 1}}]}}],
            "accessors": [
              {{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}},
              {{"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}},
              {{"bufferView": 2, "componentType": 5121, "count": 4, "type": "VEC4", "normalized": true}}],
            "bufferViews": [
              {{"buffer": 0, "byteLength": 48}}, {{"buffer": 0, "byteOffset": 48, "byteLength": 12}},
              {{"buffer": 0, "byteOffset": 60, "byteLength": 16, "byteStride": 4}}],
            "buffers": [{{"byteLength": 76{uri}}}]}}"#
        )
    }

    fn binary(text: &str, buffer: &[u8]) -> Vec<u8> {
        let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, chunk) in [(JSON_CHUNK, text.as_bytes()), (BINARY_CHUNK, buffer)] {
            file.extend((chunk.len() as u32).to_le_bytes());
            file.extend(kind.to_le_bytes());
            file.extend(chunk);
        }
        file
    }

    fn of(nodes: &str) -> Result<Mesh, String> {
        mesh(&binary(&json(nodes, ""), &square()), Path::new("x.glb"))
    }

    #[test]
    fn nodes_move_turn_and_scale_their_meshes() {
        let still = of(r#"[{"mesh": 0}]"#).unwrap();
        assert_eq!(still.positions[3], [-1.0, 1.0, 0.0, 1.0]);
        assert_eq!(still.colors[5], [0.2, 0.2, 0.2, 1.0]);
        assert!(still.normals.is_empty());
        // A quarter turn around z takes (-1, 1) to (-1, -1); then three times as large, then moved.
        let half = 0.5f32.sqrt();
        let turned = of(&format!(
            r#"[{{"children": [1], "translation": [10, 0, 5]}},
            {{"mesh": 0, "rotation": [0, 0, {half}, {half}], "scale": [3, 3, 3]}}]"#
        ));
        let [x, y, z, _] = turned.unwrap().positions[3];
        let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
        assert!(
            close(x, 7.0) && close(y, -3.0) && close(z, 5.0),
            "{x} {y} {z}"
        );
        let matrix = of(r#"[{"mesh": 0, "matrix": [2,0,0,0, 0,1,0,0, 0,0,1,0, 4,5,6,1]}]"#);
        assert_eq!(matrix.unwrap().positions[3], [2.0, 6.0, 6.0, 1.0]);
        // Mirrored triangles keep their outside.
        let mirrored = of(r#"[{"mesh": 0, "scale": [-1, 1, 1]}]"#).unwrap();
        let x: Vec<f32> = mirrored.positions.iter().map(|p| p[0]).collect();
        assert_eq!(x, [1.0, 1.0, -1.0, 1.0, -1.0, -1.0]);
    }

    #[test]
    fn buffers_are_chunks_data_or_files() {
        let bytes = square();
        let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut encoded = String::new();
        for three in bytes.chunks(3) {
            let bits = three
                .iter()
                .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
            let bits = bits << (8 * (3 - three.len()));
            for digit in 0..=three.len() {
                encoded.push(char::from(
                    letters[(bits >> (18 - 6 * digit) & 63) as usize],
                ));
            }
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("square.bin"), &bytes).unwrap();
        let path = folder.path().join("x.gltf");
        let nodes = r#"[{"mesh": 0}]"#;
        let with = |uri: &str| {
            mesh(
                json(nodes, &format!(", \"uri\": \"{uri}\"")).as_bytes(),
                &path,
            )
        };
        let chunk = of(nodes).unwrap();
        let data = format!("data:application/octet-stream;base64,{encoded}");
        assert_eq!(with(&data).unwrap(), chunk);
        assert_eq!(with("square.bin").unwrap(), chunk);
        for outside in [
            "../square.bin",
            "/etc/hostname",
            "file:square.bin",
            "http://x/y",
        ] {
            assert!(
                with(outside).unwrap_err().contains("of its folder"),
                "{outside}"
            );
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        for (nodes, why) in [
            (r#"[{"mesh": 1}]"#, "there is no meshes[1]"),
            (r#"[{"children": [0]}]"#, "several parents"),
            (r#"[{"children": [1, 1]}, {"mesh": 0}]"#, "several parents"),
            (r#"[{}]"#, "no triangles"),
        ] {
            assert!(of(nodes).unwrap_err().contains(why), "{nodes}");
        }
        let whole = binary(&json(r#"[{"mesh": 0}]"#, ""), &square());
        for end in 0..whole.len() {
            mesh(&whole[..end], Path::new("x.glb")).unwrap_err();
        }
        // Each byte of the text changed: an error or a mesh, and no panic.
        for at in 20..whole.len() - 84 {
            let mut other = whole.clone();
            other[at] = b'9';
            let _either = mesh(&other, Path::new("x.glb"));
        }
    }
}
