//! The pipelines of a library, as every source gives them.

use std::sync::Arc;

use crate::draw_state::DrawState;

/// Bytes of a container or of a serialized root signature; pipelines share them.
pub type Blob = Arc<[u8]>;

/// A pipeline of a library.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// The name in reports: files, or the key in the database.
    pub name: String,
    /// Serialized root signature; `None` takes the one that a shader's container holds.
    pub root: Option<Blob>,
    /// Its shaders and their state.
    pub shape: Shape,
}

/// The kind of a pipeline, with its shaders.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A compute shader, the stages of a draw, or one of them alone.
    Stages {
        /// Containers or bitcode, in any order.
        shaders: Vec<Blob>,
        /// State of a draw; `None` for compute shaders and lone stages.
        draw: Option<Box<DrawState>>,
    },
    /// A state object: the shaders of libraries, for ray tracing or work graphs.
    Object(StateObject),
}

/// A state object (`D3D12_STATE_OBJECT_DESC`), as far as translations depend on it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StateObject {
    /// Its kind.
    pub kind: ObjectKind,
    /// DXIL libraries.
    pub libraries: Vec<Library>,
    /// Local root signatures, with the exports that they are for; none is all others.
    pub local_roots: Vec<(Blob, Vec<String>)>,
    /// Hit groups.
    pub hit_groups: Vec<HitGroup>,
    /// Maximum number of bytes of a payload and of attributes.
    pub shader_config: Option<(u32, u32)>,
    /// Deepest recursion, and flags (`D3D12_RAYTRACING_PIPELINE_FLAGS`).
    pub pipeline_config: Option<(u32, u32)>,
    /// Number of generic programs, which are not translated.
    pub generic_programs: u64,
}

/// `D3D12_STATE_OBJECT_TYPE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ObjectKind {
    /// A collection: shaders for other state objects.
    Collection,
    /// A ray tracing pipeline.
    #[default]
    RayTracing,
    /// An executable: work graphs and generic programs.
    Executable,
}

/// A DXIL library of a state object.
#[derive(Debug, Clone, PartialEq)]
pub struct Library {
    /// The container.
    pub bytes: Blob,
    /// Exports by the name in the state object and that in the library; none is all.
    pub exports: Vec<(String, String)>,
}

/// A hit group (`D3D12_HIT_GROUP_DESC`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitGroup {
    /// Its export.
    pub name: String,
    /// Whether its geometry are boxes with an intersection shader.
    pub procedural: bool,
    /// Any-hit shader.
    pub any_hit: Option<String>,
    /// Closest-hit shader.
    pub closest_hit: Option<String>,
    /// Intersection shader.
    pub intersection: Option<String>,
}

impl Pipeline {
    /// Returns the hash of everything but the name: equal contents have equal hashes in every run
    /// and on every machine.
    pub fn content_hash(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("dxil-precompile pipeline");
        let mut bytes = |bytes: &[u8]| {
            // The length first: bytes of one part cannot pass for those of the next one.
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        bytes(self.root.as_deref().unwrap_or_default());
        match &self.shape {
            Shape::Stages { shaders, draw } => {
                // The order of stages in a source means nothing.
                let mut hashes: Vec<[u8; 32]> = shaders
                    .iter()
                    .map(|shader| *blake3::hash(shader).as_bytes())
                    .collect();
                hashes.sort_unstable();
                bytes(hashes.as_flattened());
                // The text of `Debug` tells states apart, which is all that is asked of it.
                bytes(format!("{draw:?}").as_bytes());
            }
            Shape::Object(object) => {
                // How many of each: a library cannot pass for a root signature.
                bytes(&(object.libraries.len() as u64).to_le_bytes());
                for library in &object.libraries {
                    bytes(&library.bytes);
                    bytes(format!("{:?}", library.exports).as_bytes());
                }
                for (root, exports) in &object.local_roots {
                    bytes(root);
                    bytes(format!("{exports:?}").as_bytes());
                }
                let rest = (
                    object.kind,
                    &object.hit_groups,
                    object.shader_config,
                    object.pipeline_config,
                    object.generic_programs,
                );
                bytes(format!("{rest:?}").as_bytes());
            }
        }
        *hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, root: Option<&[u8]>, shaders: &[&[u8]]) -> [u8; 32] {
        let pipeline = Pipeline {
            name: name.into(),
            root: root.map(Blob::from),
            shape: Shape::Stages {
                shaders: shaders.iter().map(|bytes| Blob::from(*bytes)).collect(),
                draw: None,
            },
        };
        pipeline.content_hash()
    }

    #[test]
    fn the_hash_depends_on_contents_alone() {
        let one = of("a", None, &[b"xy", b"z"]);
        assert_eq!(one, of("b", None, &[b"z", b"xy"]));
        assert_ne!(one, of("a", None, &[b"x", b"yz"]));
        assert_ne!(one, of("a", Some(b"xy"), &[b"z"]));
        assert_ne!(one, of("a", Some(b"r"), &[b"xy", b"z"]));
    }
}
