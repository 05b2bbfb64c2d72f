//! A shader: module, entry points, resources.

use std::fmt;

use super::debug::Sources;
use super::ops::CalleeTable;
use super::shader_kind::ShaderKind;
use super::{
    Hints, MeshOutputs, MeshTopology, Node, ResourceClass, ResourceKind, Resources, ShaderFlags,
    SignatureElement, TypeAnnotations,
};
use crate::container::rdat::NodeLaunch;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{FuncId, FuncView, MdId, Module};

/// Shader model: stage and version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShaderModel {
    /// Stage, or `Library`.
    pub kind: ShaderKind,
    /// Major version, 6.
    pub major: u8,
    /// Minor version.
    pub minor: u8,
}

/// A resource whose accesses contradict its declaration: a structured buffer that is read as a
/// typed one, for example. D3D leaves the results undefined; we follow the declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contradiction {
    /// Class of the resource.
    pub class: ResourceClass,
    /// Kind of the declaration.
    pub kind: ResourceKind,
    /// Register space.
    pub space: u32,
    /// First register of the declared range.
    pub register: u32,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction {
            class,
            kind,
            space,
            register,
        } = self;
        let letter = class.letter();
        write!(
            f,
            "{letter}{register}, space{space} is declared as {kind:?} and accessed as another kind of resource"
        )
    }
}

/// A decoded shader or library.
#[derive(Debug, Clone)]
pub struct Shader {
    /// The IR.
    pub module: Module,
    /// Shader model of the module.
    pub shader_model: ShaderModel,
    /// DXIL version (major, minor).
    pub dxil_version: (u8, u8),
    /// Validator version (major, minor), where the module says.
    pub validator_version: Option<(u8, u8)>,
    /// Entry points; one for a shader, any number for a library.
    pub entry_points: Vec<EntryPoint>,
    /// Declared resources.
    pub resources: Resources,
    /// The operation that each function of the module is.
    pub callees: CalleeTable,
    /// `dx.viewIdState`: raw numbers, empty where absent.
    pub view_id_state: Vec<u32>,
    /// `dx.typeAnnotations`.
    pub type_annotations: TypeAnnotations,
    /// Reads what is attached to instructions.
    pub hints: Hints,
    /// Resources whose accesses contradict their declarations.
    pub contradictions: Vec<Contradiction>,
    /// The sources that it was compiled from, if
    /// [`read_shader_with_debug_info`](super::read_shader_with_debug_info) read them.
    pub sources: Option<Box<Sources>>,
}

impl Shader {
    /// Returns a function's body with its module; `None` for a declaration.
    pub fn view(&self, function: FuncId) -> Option<FuncView<'_>> {
        Some(FuncView {
            module: &self.module,
            function: self.module.body(function)?,
        })
    }

    /// Returns the entry point of that name (libraries have several): the name that the module has,
    /// which may be mangled, or the one in the source.
    pub fn entry_point(&self, name: &str) -> Option<&EntryPoint> {
        let mut entries = self.entry_points.iter();
        let mangled = |name| str::strip_prefix(name, '\u{1}').unwrap_or(name);
        entries
            .clone()
            // The module's own names first: two mangled names may have one name in the source.
            .find(|entry| mangled(&entry.name) == mangled(name))
            .or_else(|| entries.find(|entry| entry.plain_name() == name))
    }

    /// Returns the flags that hold for an entry point: its own, and those of its library, which the
    /// metadata states once for all entry points.
    pub fn flags_of(&self, entry: &EntryPoint) -> ShaderFlags {
        let library = match self.shader_model.kind {
            ShaderKind::Library => self.entry_points.iter(),
            _ => [].iter(),
        };
        library
            .filter(|other| other.kind == ShaderKind::Library)
            .fold(entry.flags, |flags, library| flags | library.flags)
    }

    /// Returns the nodes of `dx.dxrPayloadAnnotations`.
    pub fn payload_annotations(&self) -> impl Iterator<Item = MdId> {
        self.module.metadata.named("dx.dxrPayloadAnnotations")
    }

    /// Returns the nodes of `dx.subobjects`.
    pub fn subobjects(&self) -> impl Iterator<Item = MdId> {
        self.module.metadata.named("dx.subobjects")
    }
}

/// An entry point with its properties (`dx.entryPoints`).
#[derive(Debug, Clone, PartialEq)]
pub struct EntryPoint {
    /// The function; `None` only for a library's module-wide entry.
    pub function: Option<FuncId>,
    /// Name, unmangled as the metadata has it.
    pub name: Box<str>,
    /// Stage. A mesh node of a work graph is a mesh shader whose [`stage`](EntryPoint::stage) is
    /// that of a node.
    pub kind: ShaderKind,
    /// Input signature.
    pub inputs: Vec<SignatureElement>,
    /// Output signature.
    pub outputs: Vec<SignatureElement>,
    /// Patch-constant signature (hull, domain) or primitive outputs (mesh).
    pub patch_constants: Vec<SignatureElement>,
    /// `dx.entryPoints`' flags: features that the code uses, and modes of its stage.
    pub flags: ShaderFlags,
    /// Thread group size (compute, mesh, amplification, node).
    pub num_threads: Option<[u32; 3]>,
    /// Required or allowed wave size.
    pub wave_size: Option<WaveSize>,
    /// Bytes of a ray payload, hit attributes or callable parameter.
    pub payload_bytes: Option<u32>,
    /// Bytes of hit attributes.
    pub attribute_bytes: Option<u32>,
    /// Register space that `-auto-binding-space` chose.
    pub auto_binding_space: Option<u32>,
    /// Serialized root signature of the entry point (libraries).
    pub root_signature: Option<Box<[u8]>>,
    /// Properties that are not read: tag and node.
    pub other_properties: Vec<(u32, Option<MdId>)>,
    /// Properties of some stages.
    pub stage: Stage,
    /// The first number of the stage's state that DXIL does not define: what it is, and its value.
    /// [`stage`](EntryPoint::stage) has it as undefined.
    pub unknown_number: Option<(&'static str, u64)>,
}

impl Stage {
    /// Returns the kind of shader whose state this is; `None` for kinds without any.
    pub fn kind(&self) -> Option<ShaderKind> {
        match self {
            Stage::Geometry { .. } => Some(ShaderKind::Geometry),
            Stage::Hull { .. } => Some(ShaderKind::Hull),
            Stage::Domain { .. } => Some(ShaderKind::Domain),
            Stage::Mesh { .. } => Some(ShaderKind::Mesh),
            Stage::Amplification { .. } => Some(ShaderKind::Amplification),
            // A mesh node is a mesh shader that is launched for records (D3D12 Work Graphs
            // specification, "Mesh nodes").
            Stage::Node(node) if node.launch == NodeLaunch::Mesh => Some(ShaderKind::Mesh),
            Stage::Node(_) => Some(ShaderKind::Node),
            Stage::Other => None,
        }
    }

    /// Returns what a mesh shader or mesh node emits; `None` for other stages.
    pub fn mesh_outputs(&self) -> Option<MeshOutputs> {
        match *self {
            Stage::Mesh {
                max_vertices,
                max_primitives,
                topology,
                ..
            } => Some(MeshOutputs {
                max_vertices,
                max_primitives,
                topology,
            }),
            Stage::Node(ref node) => node.mesh,
            _ => None,
        }
    }
}

impl EntryPoint {
    /// Returns whether the entry point has the state of its kind of shader, and of no other.
    pub fn has_own_state(&self) -> bool {
        let needs_state = matches!(
            self.kind,
            ShaderKind::Geometry
                | ShaderKind::Hull
                | ShaderKind::Domain
                | ShaderKind::Mesh
                | ShaderKind::Amplification
                | ShaderKind::Node
        );
        self.stage.kind() == needs_state.then_some(self.kind)
    }

    /// Returns whether the entry point is a node of a work graph.
    pub fn is_node(&self) -> bool {
        matches!(self.stage, Stage::Node(_))
    }

    /// Checks that DXIL defines all numbers of the stage's state.
    ///
    /// # Errors
    ///
    /// A number is unknown, such as that of a tessellator domain.
    pub fn check_state(&self) -> Result<()> {
        match self.unknown_number {
            None => Ok(()),
            Some((what, value)) => Err(Error::new(ErrorKind::BadValue {
                what,
                value,
                rule: "DXIL has no such number",
            })),
        }
    }

    /// Returns whether there is code to run: a function, or a hull shader's patch constants, whose
    /// control points may be passed through without any. A library's own entry has none.
    pub fn has_code(&self) -> bool {
        let patch_constants = match self.stage {
            Stage::Hull {
                patch_constant_function,
                ..
            } => patch_constant_function,
            _ => None,
        };
        self.function.or(patch_constants).is_some()
    }

    /// Returns the name in the source.
    pub fn plain_name(&self) -> &str {
        plain_name(&self.name)
    }
}

/// Returns a name as it was before mangling, without namespaces and types: `closest` of
/// `?closest@@YAXUPayload@@@Z`. Other names stay as they are, but for the byte 1 that tells LLVM
/// not to mangle a name again.
pub fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix('\u{1}').unwrap_or(name);
    let inner = name.strip_prefix('?').and_then(|rest| rest.split_once('@'));
    // `?$` begins the name of a template.
    inner.map_or(name, |(inner, _)| inner.strip_prefix("?$").unwrap_or(inner))
}

/// Wave size range (SM 6.6 `[WaveSize(n)]`, SM 6.8 `[WaveSize(min, max, preferred)]`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WaveSize {
    /// Minimum number of lanes.
    pub min: u32,
    /// Maximum number of lanes; equal to `min` for a fixed size.
    pub max: u32,
    /// Preferred lanes; 0 for none.
    pub preferred: u32,
}

/// Input primitive of a geometry shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum InputPrimitive {
    Undefined,
    Point,
    Line,
    Triangle,
    LineAdjacency,
    TriangleAdjacency,
    /// A patch with that many control points.
    Patch(u8),
}

/// Output topology of a geometry shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum OutputTopology {
    Undefined,
    PointList,
    LineList,
    LineStrip,
    TriangleList,
    TriangleStrip,
}

/// Domain of a tessellated patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum DomainShape {
    Undefined,
    IsoLine,
    Tri,
    Quad,
}

/// Partitioning of a tessellated patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum TessellatorPartitioning {
    Undefined,
    Integer,
    Pow2,
    FractionalOdd,
    FractionalEven,
}

/// Output primitive of the tessellator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum TessellatorOutput {
    Undefined,
    Point,
    Line,
    TriangleCw,
    TriangleCcw,
}

/// Properties that only one stage has.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// Nothing beyond the common properties.
    Other,
    /// Geometry shader.
    Geometry {
        /// Input primitive.
        input: InputPrimitive,
        /// Maximum number of vertices per invocation.
        max_vertices: u32,
        /// Bit per active stream.
        active_streams: u32,
        /// Output topology.
        topology: OutputTopology,
        /// Instances per primitive.
        instances: u32,
    },
    /// Hull shader.
    Hull {
        /// The patch-constant function.
        patch_constant_function: Option<FuncId>,
        /// Control points in.
        input_control_points: u32,
        /// Control points out.
        output_control_points: u32,
        /// Domain.
        domain: DomainShape,
        /// Partitioning.
        partitioning: TessellatorPartitioning,
        /// Output primitive.
        output: TessellatorOutput,
        /// Largest tessellation factor.
        max_tessellation_factor: f32,
    },
    /// Domain shader.
    Domain {
        /// Domain.
        domain: DomainShape,
        /// Control points in.
        input_control_points: u32,
    },
    /// Mesh shader.
    Mesh {
        /// Maximum number of vertices per group.
        max_vertices: u32,
        /// Maximum number of primitives per group.
        max_primitives: u32,
        /// Topology.
        topology: MeshTopology,
        /// Bytes of the payload from the amplification shader.
        payload_bytes: u32,
    },
    /// Amplification shader.
    Amplification {
        /// Bytes of the payload.
        payload_bytes: u32,
    },
    /// Node of a work graph.
    Node(Box<Node>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_what_is_between_question_mark_and_at() {
        assert_eq!(plain_name("main"), "main");
        assert_eq!(plain_name("\u{1}?Hit@@YAXUP@@@Z"), "Hit");
        assert_eq!(plain_name("?open"), "?open");
        assert_eq!(plain_name("\u{1}??$twice@M@@YAMM@Z"), "twice");
        let tile = "\u{1}?tile@@3PAV?$vector@M$03@@A.v.1dim";
        assert_eq!(plain_name(tile), "tile");
        assert_eq!(plain_name("\u{1}_Raw"), "_Raw");
    }
}
