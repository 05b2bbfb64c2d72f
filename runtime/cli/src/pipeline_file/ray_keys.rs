//! Keys of pipeline files for ray tracing: acceleration structures, hit groups and the shader
//! table.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::scalar::Scalar;

/// Geometry for ray tracing.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccelerationStructures {
    /// Bottom level.
    #[serde(rename = "BLAS", default)]
    pub bottom: Vec<BottomLevel>,
    /// Top level.
    #[serde(rename = "TLAS", default)]
    pub top: Vec<TopLevel>,
}

/// A bottom-level acceleration structure.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BottomLevel {
    /// Name.
    #[serde(rename = "Name")]
    pub name: String,
    /// Triangles.
    #[serde(rename = "Triangles", default)]
    pub triangles: Vec<Triangles>,
    /// Boxes.
    #[serde(rename = "AABBs", default)]
    pub boxes: Vec<Boxes>,
}

/// Triangles of a bottom-level acceleration structure.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct Triangles {
    /// Buffer of vertices.
    pub vertex_buffer: String,
    /// Format of a vertex; default: RGB32Float.
    #[serde(default)]
    pub vertex_format: VertexFormat,
    /// Bytes of a vertex; default: 12.
    #[serde(default = "twelve")]
    pub vertex_stride: u32,
    /// Number of vertices.
    pub vertex_count: u32,
    /// Buffer of indices.
    #[serde(default)]
    pub index_buffer: Option<String>,
    /// Format of an index; default: Uint32.
    #[serde(default)]
    pub index_format: IndexFormat,
    /// Number of indices.
    #[serde(default)]
    pub index_count: u32,
    /// Whether the geometry is opaque, so that no any-hit shader runs.
    #[serde(default = "yes")]
    pub opaque: bool,
    /// Transform: three rows of four numbers.
    #[serde(default)]
    pub transform: Option<[f32; 12]>,
}

fn yes() -> bool {
    true
}

fn twelve() -> u32 {
    12
}

/// Format of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum VertexFormat {
    RG32Float,
    #[default]
    RGB32Float,
    RGBA32Float,
}

/// Format of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum IndexFormat {
    Uint16,
    #[default]
    Uint32,
}

/// Boxes of a bottom-level acceleration structure.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    /// Buffer of boxes.
    #[serde(rename = "AABBBuffer")]
    pub buffer: String,
    /// Boxes.
    #[serde(rename = "AABBCount")]
    pub count: u32,
    /// Bytes of a box; default: 24.
    #[serde(rename = "AABBStride", default = "box_stride")]
    pub stride: u32,
    /// Whether the geometry is opaque, so that no any-hit shader runs.
    #[serde(rename = "Opaque", default = "yes")]
    pub opaque: bool,
}

fn box_stride() -> u32 {
    24
}

/// A top-level acceleration structure.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct TopLevel {
    /// Name.
    pub name: String,
    /// Number of elements of an array of top levels; default: 1.
    #[serde(default)]
    pub array_size: Option<u32>,
    /// Instances; for an array, one list for each element.
    pub instances: InstanceLists,
}

/// Instances of each element of an array of top levels.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(with = "OneOrMany")]
pub struct InstanceLists(pub Vec<Vec<Instance>>);

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only the schema is made of it")]
enum OneOrMany {
    One(Vec<Instance>),
    Many(Vec<Vec<Instance>>),
}

/// A list of instances, or for an array a list of lists.
enum InstanceItem {
    One(Box<Instance>),
    List(Vec<Instance>),
}

// Written by hand: for an untagged enum serde reports only that no variant matches, and not the key
// that is wrong.
impl<'de> Deserialize<'de> for InstanceItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Item;
        impl<'de> Visitor<'de> for Item {
            type Value = InstanceItem;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an instance or a list of them")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<InstanceItem, A::Error> {
                let instance = Instance::deserialize(MapAccessDeserializer::new(map))?;
                Ok(InstanceItem::One(Box::new(instance)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<InstanceItem, A::Error> {
                let list = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                Ok(InstanceItem::List(list))
            }
        }
        deserializer.deserialize_any(Item)
    }
}

impl<'de> Deserialize<'de> for InstanceLists {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (mut single, mut lists) = (Vec::new(), Vec::new());
        for item in Vec::<InstanceItem>::deserialize(deserializer)? {
            match item {
                InstanceItem::One(instance) => single.push(*instance),
                InstanceItem::List(list) => lists.push(list),
            }
        }
        match (single.is_empty(), lists.is_empty()) {
            (false, false) => Err(D::Error::custom("instances and lists of them are mixed")),
            (true, false) => Ok(InstanceLists(lists)),
            // An empty list is one structure without instances.
            (_, true) => Ok(InstanceLists(vec![single])),
        }
    }
}

/// An instance.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// Bottom level.
    #[serde(rename = "BLAS")]
    pub bottom: String,
    /// Transform: three rows of four numbers; default: identity.
    #[serde(rename = "Transform", default)]
    pub transform: Option<[f32; 12]>,
    /// `InstanceID()`.
    #[serde(rename = "InstanceID", default)]
    pub id: u32,
    /// Mask; default: 255.
    #[serde(rename = "InstanceMask", default)]
    pub mask: Option<u8>,
    /// Offset in the shader binding table.
    #[serde(rename = "InstanceContributionToHitGroupIndex", default)]
    pub hit_group_offset: u32,
    /// Flags.
    #[serde(rename = "InstanceFlags", default)]
    pub flags: Vec<InstanceFlag>,
}

/// A flag of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum InstanceFlag {
    TriangleCullDisable,
    TriangleFrontCounterclockwise,
    ForceOpaque,
    ForceNonOpaque,
}

/// Limits of a ray tracing pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct RayTracingPipelineConfig {
    /// Maximum recursion depth; default: 1.
    #[serde(default)]
    pub max_trace_recursion_depth: Option<u32>,
    /// Maximum payload size in bytes.
    #[serde(default)]
    pub max_payload_size_in_bytes: Option<u32>,
    /// Maximum attribute size in bytes; default: 8.
    #[serde(default)]
    pub max_attribute_size_in_bytes: Option<u32>,
    /// Flags.
    #[serde(default)]
    pub pipeline_flags: Option<u32>,
}

/// A hit group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct HitGroup {
    /// Name.
    pub name: String,
    /// Kind of its geometry; default: triangles.
    #[serde(rename = "Type", default)]
    pub ty: HitGroupType,
    /// Entry point.
    #[serde(default)]
    pub closest_hit: Option<String>,
    /// Entry point.
    #[serde(default)]
    pub any_hit: Option<String>,
    /// Entry point.
    #[serde(default)]
    pub intersection: Option<String>,
}

/// Kind of geometry of a hit group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum HitGroupType {
    #[default]
    Triangles,
    Procedural,
}

/// Shader binding table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct ShaderBindingTable {
    /// Ray generation shader.
    pub ray_gen: ShaderRecord,
    /// Miss shaders.
    #[serde(default)]
    pub miss: Vec<ShaderRecord>,
    /// Hit groups.
    #[serde(default)]
    pub hit_group: Vec<ShaderRecord>,
    /// Callable shaders.
    #[serde(default)]
    pub callable: Vec<ShaderRecord>,
}

/// A record of the shader binding table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct ShaderRecord {
    /// Entry point or hit group.
    pub shader_name: String,
    /// Bytes of the local root arguments.
    #[serde(default)]
    #[schemars(with = "Vec<Scalar>")]
    pub local_root_data: Vec<String>,
}
