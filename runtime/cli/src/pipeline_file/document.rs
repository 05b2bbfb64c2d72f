//! The YAML document with its keys.

use dxil_frontend::dxbc::ClassBinding;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::buffer::Buffer;
use super::elements::ElementFormat;
pub use super::ray_keys::*;
use super::scalar::Scalar;

/// A whole pipeline file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct Document {
    /// Shaders in pipeline order.
    pub shaders: Vec<Shader>,
    /// Settings of one API.
    #[serde(default)]
    pub runtime_settings: RuntimeSettings,
    /// Buffers and textures.
    pub buffers: Vec<Buffer>,
    /// Samplers.
    #[serde(default)]
    pub samplers: Vec<Sampler>,
    /// Comparisons of buffers after the run.
    #[serde(default)]
    pub results: Vec<ResultRule>,
    /// Bound resources by descriptor set (table).
    pub descriptor_sets: Vec<DescriptorSet>,
    /// Vertex input and render target.
    #[serde(default)]
    pub bindings: Option<IoBindings>,
    /// Push constants (Vulkan).
    #[serde(default)]
    pub push_constants: Vec<PushConstantBlock>,
    /// Geometry for ray tracing.
    #[serde(default)]
    pub acceleration_structures: Option<AccelerationStructures>,
    /// Limits of a ray tracing pipeline.
    #[serde(default)]
    pub ray_tracing_pipeline_config: Option<RayTracingPipelineConfig>,
    /// Hit groups.
    #[serde(default)]
    pub hit_groups: Vec<HitGroup>,
    /// Shader binding table.
    #[serde(default)]
    pub shader_binding_table: Option<ShaderBindingTable>,
    /// Size of the dispatch or draw.
    #[serde(default)]
    pub dispatch_parameters: DispatchParameters,
}

/// Stage of a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the stages' own names")]
pub enum Stage {
    Compute,
    Vertex,
    Hull,
    Domain,
    Geometry,
    Pixel,
    Amplification,
    Mesh,
    RayGeneration,
    Miss,
    ClosestHit,
    AnyHit,
    Intersection,
    Callable,
}

impl Stage {
    /// Returns whether it belongs to a ray tracing pipeline.
    pub fn is_ray_tracing(self) -> bool {
        matches!(
            self,
            Stage::RayGeneration
                | Stage::Miss
                | Stage::ClosestHit
                | Stage::AnyHit
                | Stage::Intersection
                | Stage::Callable
        )
    }
}

/// A shader.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct Shader {
    /// Stage.
    pub stage: Stage,
    /// Entry point.
    pub entry: String,
    /// Specialization constants (Vulkan).
    #[serde(default)]
    pub specialization_constants: Vec<SpecializationConstant>,
    /// Class instances of the interfaces of a DXBC shader, each `INTERFACE=INSTANCE` as
    /// `--class-instance` of `dxil-run` takes it.
    #[serde(default, deserialize_with = "class_bindings")]
    #[schemars(with = "Vec<String>")]
    pub class_instances: Vec<ClassBinding>,
}

fn class_bindings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ClassBinding>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let bindings = texts.iter().map(|text| {
        let binding = text.parse();
        binding.map_err(|why: String| D::Error::custom(format!("class instance `{text}`: {why}")))
    });
    bindings.collect()
}

/// A specialization constant.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecializationConstant {
    /// Its id.
    #[serde(rename = "ConstantID")]
    pub constant_id: u32,
    /// Its type.
    #[serde(rename = "Type")]
    pub ty: ElementFormat,
    /// Its value.
    #[serde(rename = "Value")]
    #[schemars(with = "Scalar")]
    pub value: String,
}

/// Settings of one API.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuntimeSettings {
    /// Direct3D.
    #[serde(rename = "DirectX", default)]
    pub directx: DirectXSettings,
}

/// Settings of Direct3D.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct DirectXSettings {
    /// Values of the parameters of the root signature of the shader, in order.
    #[serde(default)]
    pub root_parameters: Vec<RootParameter>,
}

/// Value of a root parameter.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(tag = "Kind", deny_unknown_fields)]
pub enum RootParameter {
    /// The next descriptor set.
    DescriptorTable {},
    /// Root constants.
    Constant {
        /// Buffer with their values.
        #[schemars(rename = "Name")]
        name: String,
    },
    /// A root descriptor.
    RootDescriptor {
        /// The resource.
        #[schemars(rename = "Resource")]
        resource: RootResource,
    },
}

/// The keys of a root parameter. Tagged enums of serde refuse names that could be numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct RootParameterKeys {
    kind: RootParameterKind,
    name: Option<String>,
    resource: Option<RootResource>,
}

#[derive(Debug, Deserialize)]
enum RootParameterKind {
    DescriptorTable,
    Constant,
    RootDescriptor,
}

impl<'de> Deserialize<'de> for RootParameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use RootParameterKind as K;
        let keys = RootParameterKeys::deserialize(deserializer)?;
        match (keys.kind, keys.name, keys.resource) {
            (K::DescriptorTable, None, None) => Ok(RootParameter::DescriptorTable {}),
            (K::Constant, Some(name), None) => Ok(RootParameter::Constant { name }),
            (K::RootDescriptor, None, Some(resource)) => {
                Ok(RootParameter::RootDescriptor { resource })
            }
            (kind, ..) => Err(D::Error::custom(format!(
                "a root parameter of the kind {kind:?} has {}",
                match kind {
                    K::DescriptorTable => "no other key",
                    K::Constant => "a Name and no Resource",
                    K::RootDescriptor => "a Resource and no Name",
                }
            ))),
        }
    }
}

/// Resource of a root descriptor.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct RootResource {
    /// Buffer.
    pub name: String,
    /// Kind; raw and structured buffers and constant buffers only.
    pub kind: ResourceKind,
}

/// Filter of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum FilterMode {
    Nearest,
    #[default]
    Linear,
}

/// Address mode of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum AddressMode {
    #[default]
    Clamp,
    Repeat,
    Mirror,
    Border,
    MirrorOnce,
}

/// Comparison of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum CompareFunction {
    #[default]
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// Kind of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum SamplerKind {
    #[default]
    Sampler,
    SamplerComparison,
}

/// A sampler.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct Sampler {
    /// Name that resources refer to.
    pub name: String,
    /// Kind.
    #[serde(default)]
    pub kind: SamplerKind,
    /// Filter when minified.
    #[serde(default)]
    pub min_filter: FilterMode,
    /// Filter when magnified.
    #[serde(default)]
    pub mag_filter: FilterMode,
    /// Address mode of all axes.
    #[serde(default)]
    pub address: AddressMode,
    /// Minimum level of detail.
    #[serde(rename = "MinLOD", default)]
    pub min_lod: f32,
    /// Maximum level of detail.
    #[serde(rename = "MaxLOD", default = "f32_max")]
    pub max_lod: f32,
    /// Bias of the level of detail.
    #[serde(rename = "MipLODBias", default)]
    pub mip_lod_bias: f32,
    /// Comparison.
    #[serde(rename = "ComparisonOp", default)]
    pub comparison: CompareFunction,
}

fn f32_max() -> f32 {
    f32::MAX
}

/// Comparison of two buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
pub enum Rule {
    /// Byte for byte.
    BufferExact,
    /// Within a number of units in the last place.
    #[serde(rename = "BufferFloatULP")]
    BufferFloatUlp,
    /// Within an absolute difference.
    BufferFloatEpsilon,
}

/// Treatment of flushed denormals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, JsonSchema)]
pub enum DenormMode {
    /// A zero of the right sign equals an expected denormal.
    #[default]
    Any,
    /// The expected values are already flushed.
    #[serde(rename = "FTZ")]
    FlushToZero,
    /// Denormals are preserved.
    Preserve,
}

/// Comparisons of buffers after the run.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct ResultRule {
    /// Name of the rule.
    #[serde(rename = "Result")]
    pub name: String,
    /// Comparison.
    pub rule: Rule,
    /// Buffer that the shader writes.
    pub actual: String,
    /// Buffer with the expected values.
    pub expected: String,
    /// Units in the last place, for `BufferFloatULP`.
    #[serde(rename = "ULPT", default)]
    pub ulp: Option<u32>,
    /// Distance, for `BufferFloatEpsilon`.
    #[serde(default)]
    pub epsilon: Option<f64>,
    /// Denormals.
    #[serde(default)]
    pub denorm_mode: Option<DenormMode>,
    /// Below it `BufferFloatULP` compares by distance.
    #[serde(default)]
    pub zero_tolerance: Option<f64>,
}

/// Resources that are bound together.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct DescriptorSet {
    /// The resources.
    pub resources: Vec<Resource>,
}

/// Kind of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "HLSL's own names")]
pub enum ResourceKind {
    Buffer,
    StructuredBuffer,
    ByteAddressBuffer,
    Texture2D,
    RWBuffer,
    RWStructuredBuffer,
    RWByteAddressBuffer,
    RWTexture2D,
    ConstantBuffer,
    Sampler,
    SampledTexture2D,
    AccelerationStructure,
}

/// A resource as a shader sees it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct Resource {
    /// Buffer, sampler or acceleration structure.
    pub name: String,
    /// Kind.
    pub kind: ResourceKind,
    /// Whether it has a hidden counter.
    #[serde(default)]
    pub has_counter: bool,
    /// Number of mapped tiles of a reserved resource.
    #[serde(default)]
    pub tiles_mapped: Option<u32>,
    /// Whether it is a reserved (sparse) resource.
    #[serde(default)]
    pub is_reserved: bool,
    /// Register.
    #[serde(rename = "DirectXBinding", default)]
    pub directx_binding: Option<DirectXBinding>,
    /// Binding in Vulkan. Without it, registers are bindings.
    #[serde(default)]
    pub vulkan_binding: Option<VulkanBinding>,
    /// Slot in the descriptor heap, instead of a register.
    #[serde(default)]
    pub heap_index: Option<u32>,
}

/// A register. The kind of the resource determines its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct DirectXBinding {
    /// Register.
    pub register: u32,
    /// Space.
    pub space: u32,
}

/// A binding in Vulkan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct VulkanBinding {
    /// Binding.
    pub binding: u32,
    /// Binding of the counter.
    #[serde(default)]
    pub counter_binding: Option<u32>,
}

/// Primitive topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum Topology {
    #[default]
    TriangleList,
    PointList,
    PatchList,
    LineList,
}

/// Vertex input and render target.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct IoBindings {
    /// Buffer of vertices.
    #[serde(default)]
    pub vertex_buffer: Option<String>,
    /// Its attributes.
    #[serde(default)]
    pub vertex_attributes: Vec<VertexAttribute>,
    /// Texture of the render target.
    #[serde(default)]
    pub render_target: Option<String>,
    /// Topology.
    #[serde(default)]
    pub topology: Topology,
    /// Control points of a patch, 1 to 32.
    #[serde(default)]
    pub patch_control_points: Option<u32>,
}

/// An attribute of a vertex.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct VertexAttribute {
    /// Format of a component.
    pub format: ElementFormat,
    /// Components.
    pub channels: u32,
    /// Byte offset in the vertex.
    pub offset: u32,
    /// Semantic.
    pub name: String,
}

/// Push constants of a stage.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct PushConstantBlock {
    /// Stage.
    pub stage: Stage,
    /// Values.
    pub values: Vec<PushConstantValue>,
}

/// Some push constants.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct PushConstantValue {
    /// Format.
    pub format: ElementFormat,
    /// Byte offset.
    pub offset: u32,
    /// Values.
    #[schemars(with = "Vec<Scalar>")]
    pub data: Vec<String>,
}

/// Size of the dispatch or draw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct DispatchParameters {
    /// Number of thread groups (of rays for ray tracing) in each dimension; default: 1, 1, 1.
    #[serde(default)]
    pub dispatch_group_count: Option<[u32; 3]>,
    /// Number of vertices of a draw; default: all of the vertex buffer.
    #[serde(default)]
    pub vertex_count: Option<u32>,
}
