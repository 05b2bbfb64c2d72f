//! [`Properties`]: what the table says about an operation beyond its operands' order.

#![allow(
    clippy::indexing_slicing,
    reason = "only in constants, where an index out of bounds does not compile"
)]

use bitflags::bitflags;

use super::table::for_each_dxil_op;
use super::{Memory, Opcode, Overload, Role};
use crate::dxil::ShaderKind;

bitflags! {
    /// Types that an operation is overloaded on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Overloads: u16 {
        /// No overload.
        const VOID = 1 << 0;
        /// `half`.
        const F16 = 1 << 1;
        /// `float`.
        const F32 = 1 << 2;
        /// `double`.
        const F64 = 1 << 3;
        /// `i1`.
        const I1 = 1 << 4;
        /// `i8`.
        const I8 = 1 << 5;
        /// `i16`.
        const I16 = 1 << 6;
        /// `i32`.
        const I32 = 1 << 7;
        /// `i64`.
        const I64 = 1 << 8;
        /// A user-defined structure.
        const UDT = 1 << 9;
        /// A resource object.
        const OBJECT = 1 << 10;
        /// Vectors of the scalars in the set.
        const VECTOR = 1 << 11;
        /// The scalars in the set alone (absent where only vectors are allowed).
        const SCALAR = 1 << 12;
    }

    /// Stages of which a shader may call an operation: bit n is [`ShaderKind`] number n. `Library`
    /// denotes functions of a library that are not entry points.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Stages: u16 {
        /// Pixel shaders.
        const PIXEL = 1 << ShaderKind::Pixel as u16;
        /// Vertex shaders.
        const VERTEX = 1 << ShaderKind::Vertex as u16;
        /// Geometry shaders.
        const GEOMETRY = 1 << ShaderKind::Geometry as u16;
        /// Hull shaders.
        const HULL = 1 << ShaderKind::Hull as u16;
        /// Domain shaders.
        const DOMAIN = 1 << ShaderKind::Domain as u16;
        /// Compute shaders.
        const COMPUTE = 1 << ShaderKind::Compute as u16;
        /// Library functions.
        const LIBRARY = 1 << ShaderKind::Library as u16;
        /// Mesh shaders.
        const MESH = 1 << ShaderKind::Mesh as u16;
        /// Amplification shaders.
        const AMPLIFICATION = 1 << ShaderKind::Amplification as u16;
        /// Nodes of a work graph.
        const NODE = 1 << ShaderKind::Node as u16;
        /// Any-hit shaders.
        const ANY_HIT = 1 << ShaderKind::AnyHit as u16;
        /// Every stage.
        const ALL = !0;
        /// Pixel shaders and library functions.
        const PIXEL_OR_LIBRARY = Self::PIXEL.bits() | Self::LIBRARY.bits();
        /// Stages that have quads.
        const DERIVATIVE = Self::PIXEL_OR_LIBRARY.bits() | Self::THREAD_GROUP.bits();
        /// Stages that have thread groups.
        const THREAD_GROUP = Self::COMPUTE.bits() | Self::MESH.bits()
            | Self::AMPLIFICATION.bits() | Self::NODE.bits();
        /// Hull and domain shaders.
        const TESSELLATION = Self::HULL.bits() | Self::DOMAIN.bits();
        /// Stages that see whole primitives before rasterization.
        const PRIMITIVE = Self::TESSELLATION.bits() | Self::GEOMETRY.bits();
        /// Stages that draw a view.
        const GRAPHICS = Self::PRIMITIVE.bits() | Self::VERTEX.bits() | Self::PIXEL.bits()
            | Self::MESH.bits();
        /// Shaders that see a candidate or hit.
        const HIT = Self::INTERSECTION.bits() | Self::ANY_HIT.bits()
            | 1 << ShaderKind::ClosestHit as u16;
        /// Shaders that see a ray.
        const HIT_OR_MISS = Self::HIT.bits() | 1 << ShaderKind::Miss as u16;
        /// All shaders of a ray tracing pipeline.
        const RAY_TRACING = Self::HIT_OR_MISS.bits() | Self::RAY_GENERATION.bits()
            | 1 << ShaderKind::Callable as u16;
        /// Ray generation shaders.
        const RAY_GENERATION = Self::LIBRARY.bits() | 1 << ShaderKind::RayGeneration as u16;
        /// Shaders that may trace a ray.
        const RAY_CALLER = Self::RAY_GENERATION.bits() | 1 << ShaderKind::ClosestHit as u16
            | 1 << ShaderKind::Miss as u16;
        /// Shaders that may call a callable shader.
        const SHADER_CALLER = Self::RAY_CALLER.bits() | 1 << ShaderKind::Callable as u16;
        /// Shaders that see a candidate or hit of a triangle.
        const CANDIDATE_OR_CLOSEST_HIT = Self::LIBRARY.bits() | Self::ANY_HIT.bits()
            | 1 << ShaderKind::ClosestHit as u16;
        /// Compute shaders and library functions.
        const COMPUTE_OR_LIBRARY = Self::COMPUTE.bits() | Self::LIBRARY.bits();
        /// Intersection shaders.
        const INTERSECTION = Self::LIBRARY.bits() | 1 << ShaderKind::Intersection as u16;
    }

    /// Further properties of an operation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct OpFlags: u32 {
        /// Exchanges data between the lanes of a wave or quad, or is about their numbers.
        const WAVE = 1 << 0;
        /// Needs the gradient of an operand, so helper lanes must be there.
        const GRADIENT = 1 << 1;
        /// Gives a derivative.
        const DERIVATIVE = 1 << 2;
        /// Writes sampler feedback; the section [`Group::Feedback`] sets it.
        const FEEDBACK = 1 << 3;
        /// Orders memory or threads; the section [`Group::Barrier`] sets it.
        const BARRIER = 1 << 4;
        /// All operands must be uniform in the wave (no core operation requires it).
        const UNIFORM_INPUTS = 1 << 5;
        /// Exchanges data in the quad.
        const QUAD = 1 << 6;
        /// Asks for facts of a resource (size, levels, sample positions), not for its contents.
        const QUERY = 1 << 7;
        /// Compares texels with a reference.
        const COMPARE = 1 << 8;
        /// Reads and changes memory in one step.
        const ATOMIC = 1 << 9;
        /// Changes the counter of a buffer.
        const COUNTER = 1 << 10;
        /// May end the lane, or make it a helper lane.
        const DISCARD = 1 << 11;
        /// Tells whether the lane is a helper lane.
        const HELPER_LANE = 1 << 12;
        /// Reads the residency status of an access.
        const RESIDENCY = 1 << 13;
        /// Accesses a register file, which shader model 6 does not have.
        const REGISTER = 1 << 14;
        /// Accesses an element of a signature in any stage.
        const SIGNATURE = 1 << 15;
        /// Reads the record of the instance that a ray query has committed.
        const HIT_INSTANCE = 1 << 16;
    }
}

impl OpFlags {
    /// Flags of operations whose result depends on other lanes' values.
    pub const CROSS_LANE: OpFlags = OpFlags::WAVE.union(OpFlags::DERIVATIVE);

    /// Flags of operations whose result depends on which lanes are active: a copy of the operation
    /// on another path would run with other lanes.
    pub const CONVERGENT: OpFlags = OpFlags::CROSS_LANE
        .union(OpFlags::GRADIENT)
        .union(OpFlags::BARRIER);
}

/// A section of the op table. Each section has its own enumeration, so that a match over its
/// operations is exhaustive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Floating-point arithmetic: [`super::FloatOp`].
    Float,
    /// Integer arithmetic: [`super::IntegerOp`].
    Integer,
    /// Bit operations, bit casts and legacy conversions: [`super::BitsOp`].
    Bits,
    /// Register files: [`super::RegisterOp`].
    Register,
    /// Elements of signatures: [`super::SignatureOp`].
    Signature,
    /// System values that have an operation of their own: [`super::SystemValueOp`].
    SystemValue,
    /// The position of a thread in its group and dispatch: [`super::ThreadIdOp`].
    ThreadId,
    /// Output streams of geometry shaders: [`super::StreamOp`].
    Stream,
    /// Mesh and amplification shaders: [`super::MeshOp`].
    Mesh,
    /// Waves, quads and the cycle counter: [`super::CrossLaneOp`].
    CrossLane,
    /// Derivatives, and the helper lanes that they need: [`super::DerivativeOp`].
    Derivative,
    /// Barriers: [`super::BarrierOp`].
    Barrier,
    /// Handles of resources: [`super::HandleOp`].
    Handle,
    /// Loads and stores of buffers: [`super::BufferOp`].
    Buffer,
    /// Loads, stores, gathers and queries of textures: [`super::TextureOp`].
    Texture,
    /// Sampling: [`super::SamplingOp`].
    Sampling,
    /// Sampler feedback: [`super::FeedbackOp`].
    Feedback,
    /// Atomic operations on resources, and counters: [`super::ResourceAtomicOp`].
    ResourceAtomic,
    /// Ray queries: [`super::RayQueryOp`].
    RayQuery,
    /// Stages of ray tracing pipelines: [`super::RayTracingOp`].
    RayTracing,
    /// Hit objects: [`super::HitObjectOp`].
    HitObject,
    /// Nodes of work graphs: [`super::NodeOp`].
    Node,
    /// Native vectors as a whole: [`super::VectorOp`].
    Vector,
    /// The preview shader model, but for matrices: [`super::PreviewOp`].
    Preview,
    /// Matrices of the preview shader model: [`super::LinAlgOp`].
    LinAlg,
}

impl Group {
    /// Returns the flags that all operations of the section have.
    const fn flags(self) -> OpFlags {
        match self {
            Group::Feedback => OpFlags::FEEDBACK,
            Group::Barrier => OpFlags::BARRIER,
            _ => OpFlags::empty(),
        }
    }
}

impl Stages {
    /// Returns whether shaders of that kind may use the operation.
    pub fn allows(self, kind: ShaderKind) -> bool {
        self.bits() & (1 << kind as u16) != 0
    }
}

impl Overloads {
    /// Returns whether a call with that overload is in the set. `Overload::Other` (vectors,
    /// structures, objects) is answered by the set having any such form.
    pub fn allows(self, overload: Overload) -> bool {
        match overload {
            Overload::Void => self.contains(Overloads::VOID),
            Overload::Other => {
                self.intersects(Overloads::UDT | Overloads::OBJECT | Overloads::VECTOR)
            }
            scalar => self.contains(Overloads::of_scalar(scalar) | Overloads::SCALAR),
        }
    }

    /// Returns whether a call with native vectors of that scalar is in the set.
    pub fn allows_vectors_of(self, scalar: Overload) -> bool {
        self.contains(Overloads::of_scalar(scalar) | Overloads::VECTOR)
    }

    /// Returns the bit of a scalar; all bits for what is none, which no set contains.
    fn of_scalar(scalar: Overload) -> Overloads {
        match scalar {
            Overload::Void | Overload::Other => Overloads::all(),
            Overload::F16 => Overloads::F16,
            Overload::F32 => Overloads::F32,
            Overload::F64 => Overloads::F64,
            Overload::I1 => Overloads::I1,
            Overload::I8 => Overloads::I8,
            Overload::I16 => Overloads::I16,
            Overload::I32 => Overloads::I32,
            Overload::I64 => Overloads::I64,
        }
    }
}

/// An operand in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandInfo {
    /// Name of the field in the operation's struct.
    pub name: &'static str,
    /// The role of the operand in the operation: a value, a handle, an immediate.
    pub role: Role,
    /// The parameter of the role: type of an immediate, length of a list; empty otherwise.
    pub parameter: &'static str,
}

impl OperandInfo {
    /// Returns the number of arguments of the call that the operand covers.
    pub fn count(&self) -> usize {
        match self.role {
            Role::Values | Role::Optionals | Role::DataList => self.parameter.parse().unwrap_or(1),
            _ => 1,
        }
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// DXIL's name.
    pub name: &'static str,
    /// What the operation gives or does, in a sentence.
    pub description: &'static str,
    /// HLSL's intrinsic, method or system value, or the first of several; empty where it has
    /// operators or syntax instead.
    pub hlsl: &'static str,
    /// The section that the row stands in.
    pub group: Group,
    /// Class: the middle of the function's name, `dx.op.CLASS.OVERLOAD`.
    pub class: &'static str,
    /// Operands after the opcode.
    pub operands: &'static [OperandInfo],
    /// Roles of the operands.
    roles: u32,
    /// Types that the function may be overloaded for.
    pub overloads: Overloads,
    /// Effect on memory.
    pub memory: Memory,
    /// Minimum shader model (major, minor). DXIL 1.n belongs to shader model 6.n.
    pub shader_model: (u8, u8),
    /// Minimum shader model of a shader linked from a newer library, whose use of the operation the
    /// linker translates to older ones; equal to `shader_model` where it cannot.
    pub translated_shader_model: (u8, u8),
    /// Stages that may call it.
    pub stages: Stages,
    /// Further facts.
    pub flags: OpFlags,
}

macro_rules! overload_set {
    (@ void) => { Overloads::VOID };
    (@ f16) => { Overloads::F16 };
    (@ f32) => { Overloads::F32 };
    (@ f64) => { Overloads::F64 };
    (@ i1) => { Overloads::I1 };
    (@ i8) => { Overloads::I8 };
    (@ i16) => { Overloads::I16 };
    (@ i32) => { Overloads::I32 };
    (@ i64) => { Overloads::I64 };
    (@ udt) => { Overloads::UDT };
    (@ obj) => { Overloads::OBJECT };
    (@ vec) => { Overloads::VECTOR };
    (vec_only $($overload:ident)*) => {
        Overloads::VECTOR$(.union(overload_set!(@ $overload)))*
    };
    ($($overload:ident)*) => {
        Overloads::SCALAR$(.union(overload_set!(@ $overload)))*
    };
}

macro_rules! shader_models {
    ($major:literal, $minor:literal) => {
        (($major, $minor), ($major, $minor))
    };
    ($major:literal, $minor:literal; $old_major:literal, $old_minor:literal) => {
        (($major, $minor), ($old_major, $old_minor))
    };
}

macro_rules! name_of {
    ($op:ident) => {
        stringify!($op)
    };
    ($op:ident $name:literal) => {
        $name
    };
}

macro_rules! parameter_of {
    () => {
        ""
    };
    ($parameter:tt) => {
        stringify!($parameter)
    };
}

macro_rules! define_properties {
    ($($group:ident = $enum:ident { $(#[doc = $doc:literal] (
        $no:literal, $op:ident $(= $name:literal)?, $class:literal,
        [$($operand:ident: $role:ident $(<$parameter:tt>)?),*],
        [$($overload:ident)*], $memory:ident, ($($sm:tt)*), $stages:ident, [$($flag:ident)*],
        $hlsl:literal
    ))* })*) => {
        impl Opcode {
            /// Returns the operation's row.
            pub const fn properties(self) -> &'static Properties {
                match self {
                    $($(Opcode::$op => &const {
                        let (shader_model, translated_shader_model) = shader_models!($($sm)*);
                        Properties {
                            name: name_of!($op $($name)?),
                            // The compiler keeps the space after the slashes.
                            description: $doc.trim_ascii(),
                            hlsl: $hlsl,
                            group: Group::$group,
                            class: $class,
                            operands: &[$(OperandInfo {
                                name: stringify!($operand),
                                role: Role::$role,
                                parameter: parameter_of!($($parameter)?),
                            }),*],
                            // As bits, because passes ask for roles once per call of an operation.
                            roles: 0 $(| 1 << Role::$role as u32)*,
                            overloads: overload_set!($($overload)*),
                            memory: Memory::$memory,
                            shader_model,
                            translated_shader_model,
                            stages: Stages::$stages,
                            flags: Group::$group.flags()$(.union(OpFlags::$flag))*,
                        }
                    },)*)*
                }
            }
        }
    };
}
for_each_dxil_op!(define_properties);

impl Properties {
    /// Returns the name of the `index`-th argument after the opcode. Of a list, only the first
    /// argument has one.
    pub fn argument_name(&self, index: usize) -> Option<&'static str> {
        let mut first = 0;
        for operand in self.operands {
            if first == index {
                return Some(operand.name);
            }
            first += operand.count();
        }
        None
    }

    /// Returns whether the operation has an operand of that role.
    pub const fn takes(&self, role: Role) -> bool {
        self.roles & (1 << role as u32) != 0
    }

    /// Returns whether the operation has the handle of a resource among its operands.
    pub const fn takes_handles(&self) -> bool {
        self.roles & HANDLES != 0
    }
}

/// The roles that are handles of resources.
const HANDLES: u32 = {
    let mut roles = 0;
    let mut at = 0;
    while at < Role::HANDLES.len() {
        roles |= 1 << Role::HANDLES[at] as u32;
        at += 1;
    }
    roles
};

impl Opcode {
    /// Returns DXIL's name of the operation.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// Returns the class: the middle of the function's name, `dx.op.CLASS.OVERLOAD`.
    pub fn class(self) -> &'static str {
        self.properties().class
    }

    /// Returns further facts.
    pub fn flags(self) -> OpFlags {
        self.properties().flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_dxil_says() {
        let load = Opcode::RawBufferLoad.properties();
        assert_eq!((load.name, load.class), ("RawBufferLoad", "rawBufferLoad"));
        assert_eq!(load.memory, Memory::ReadOnly);
        assert_eq!(
            (load.shader_model, load.translated_shader_model),
            ((6, 2), (6, 0))
        );
        let names: Vec<_> = load.operands.iter().map(|operand| operand.name).collect();
        assert_eq!(
            names,
            ["buffer", "index", "element_offset", "mask", "align"]
        );
        assert_eq!(load.operands[3].role, Role::Const);
        assert_eq!(load.operands[3].parameter, "u8");
        assert!(load.overloads.allows(Overload::I64) && !load.overloads.allows(Overload::I1));
        assert_eq!(Opcode::RoundNe.name(), "Round_ne");
    }

    #[test]
    fn stages_tell_who_may_call() {
        assert!(
            Opcode::Discard
                .properties()
                .stages
                .allows(ShaderKind::Pixel)
        );
        assert!(
            !Opcode::Discard
                .properties()
                .stages
                .allows(ShaderKind::Compute)
        );
        let thread_id = Opcode::ThreadId.properties().stages;
        for kind in ShaderKind::ALL {
            let has_groups = matches!(
                kind,
                ShaderKind::Compute
                    | ShaderKind::Mesh
                    | ShaderKind::Amplification
                    | ShaderKind::Node
            );
            assert_eq!(thread_id.allows(kind), has_groups, "{kind:?}");
        }
        assert!(
            Opcode::IgnoreHit
                .properties()
                .stages
                .allows(ShaderKind::AnyHit)
        );
        assert!(
            !Opcode::IgnoreHit
                .properties()
                .stages
                .allows(ShaderKind::Library)
        );
    }

    #[test]
    fn operations_of_waves_look_at_other_lanes() {
        for op in [
            Opcode::WaveMultiPrefixOp,
            Opcode::WaveMultiPrefixBitCount,
            Opcode::WaveMatch,
            Opcode::QuadVote,
            Opcode::DerivFineX,
        ] {
            assert!(op.flags().intersects(OpFlags::CROSS_LANE), "{op}");
        }
        for &op in Opcode::ALL {
            let named = op.name().starts_with("Wave") || op.name().starts_with("Quad");
            let says = op.flags().contains(OpFlags::WAVE);
            assert_eq!(named, says, "{op}");
        }
    }

    #[test]
    fn a_section_says_what_its_operations_have_in_common() {
        for &op in Opcode::ALL {
            let row = op.properties();
            let takes = |role| row.takes(role);
            match row.group {
                Group::Sampling => {
                    assert!(takes(Role::Texture) && takes(Role::Sampler), "{op}");
                }
                Group::Feedback => {
                    assert!(takes(Role::FeedbackMap) && takes(Role::Sampler), "{op}");
                }
                Group::Barrier => assert_eq!(row.memory, Memory::NoDuplicate, "{op}"),
                Group::RayQuery => {
                    assert_eq!(
                        takes(Role::RayQuery),
                        !op.name().starts_with("Allocate"),
                        "{op}"
                    );
                }
                Group::Float | Group::Integer | Group::Bits => {
                    assert_eq!(row.memory, Memory::ReadNone, "{op}");
                    assert_eq!(row.stages, Stages::ALL, "{op}");
                    assert!(!row.takes_handles() && row.flags.is_empty(), "{op}");
                }
                Group::Register => assert_eq!(row.flags, OpFlags::REGISTER, "{op}"),
                Group::Signature => {
                    assert_eq!(
                        row.operands.first().map(|o| o.name),
                        Some("element"),
                        "{op}"
                    );
                }
                Group::SystemValue => {
                    assert!(!row.takes_handles() && !takes(Role::Data), "{op}");
                    assert_ne!(row.stages, Stages::ALL, "{op}");
                }
                Group::ThreadId => assert_eq!(row.stages, Stages::THREAD_GROUP, "{op}"),
                Group::Stream => assert_eq!(row.stages, Stages::GEOMETRY, "{op}"),
                Group::Mesh => {
                    assert!(
                        matches!(row.stages, Stages::MESH | Stages::AMPLIFICATION),
                        "{op}"
                    );
                }
                Group::CrossLane => {
                    let clock = op == Opcode::CycleCounterLegacy;
                    assert_ne!(row.flags.contains(OpFlags::WAVE), clock, "{op}");
                }
                Group::Derivative => {
                    let helpers = OpFlags::DISCARD | OpFlags::HELPER_LANE;
                    let derivative = row.flags.contains(OpFlags::DERIVATIVE);
                    assert_ne!(derivative, row.flags.intersects(helpers), "{op}");
                }
                Group::Buffer => {
                    assert!(takes(Role::Buffer) || takes(Role::ConstantBuffer), "{op}");
                }
                Group::Texture => {
                    let resource = takes(Role::Texture) || takes(Role::Handle);
                    assert_ne!(resource, row.flags.contains(OpFlags::RESIDENCY), "{op}");
                }
                Group::ResourceAtomic => {
                    let atomic = OpFlags::ATOMIC | OpFlags::COUNTER;
                    assert!(row.flags.intersects(atomic), "{op}");
                }
                Group::RayTracing => {
                    assert!(
                        !row.stages.intersects(Stages::GRAPHICS | Stages::COMPUTE),
                        "{op}"
                    );
                }
                Group::HitObject => {
                    // What makes a hit object has none among its operands, but has it in its class.
                    let class = row.class.starts_with("hitObject");
                    assert!(takes(Role::HitObject) || class, "{op}");
                }
                Group::Node => assert_eq!(row.stages, Stages::NODE, "{op}"),
                Group::Vector | Group::Handle | Group::Preview | Group::LinAlg => {
                    assert!(!takes(Role::Sampler), "{op}");
                }
            }
            assert_eq!(
                row.takes(Role::FeedbackMap),
                row.flags.contains(OpFlags::FEEDBACK),
                "{op}"
            );
        }
    }

    #[test]
    fn vector_reductions_take_vectors_only() {
        let overloads = Opcode::VectorReduceAnd.properties().overloads;
        assert!(overloads.allows(Overload::Other) && !overloads.allows(Overload::I32));
        assert!(Opcode::FAbs.properties().overloads.allows(Overload::Other));
    }

    #[test]
    fn operations_of_a_class_share_overload_syntax_and_no_row_is_empty() {
        for &op in Opcode::ALL {
            let row = op.properties();
            assert!(
                row.class.starts_with(|c: char| c.is_ascii_lowercase()),
                "{op}"
            );
            assert!(!row.stages.is_empty(), "{op}");
            assert!(row.translated_shader_model <= row.shader_model, "{op}");
            let void = row.overloads.contains(Overloads::VOID);
            let others = Overloads::all() - Overloads::VOID - Overloads::SCALAR;
            assert_ne!(void, row.overloads.intersects(others), "{op}");
        }
    }
}
