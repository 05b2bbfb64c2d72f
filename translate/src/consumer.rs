//! Capabilities of the consumer of a module.
//!
//! A Vulkan driver reads the native style, naga's SPIR-V front end the portable one. Most of what
//! naga lacks is rewritten in the finished module (`spirv/legalize_naga`). The rest has to be
//! decided before there is code: how control flow is structured, which variables there are and of
//! which types, which checks the code has, and what is refused. These decisions are here, and no
//! pass asks for the style.
//!
//! Optional features of the target are not here, but for the set of those that the consumer knows
//! ([`Consumer::features`]). What is said of naga holds for naga 30.0.

use std::borrow::Cow;

use crate::options::{Features, Options, Style};

/// Forms of control flow that SPIR-V allows and a consumer may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlFlowSupport {
    /// Branches that leave a loop from inside of a switch of that loop. Languages with C's `break`
    /// have none: it leaves the switch.
    pub loop_exits_in_switches: bool,
    /// Cases that fall through to the next case.
    pub fallthrough: bool,
    /// Continue blocks that hold code. naga writes a continue block in front of the loop's body,
    /// where values of the body do not exist.
    pub code_in_continue_blocks: bool,
    /// Conditional branches out of a loop or switch that have no merge instruction. naga nests all
    /// that follows in the other arm, once for each of them, and its writers recurse.
    pub conditional_exits: bool,
}

impl ControlFlowSupport {
    /// All that SPIR-V allows.
    pub const ALL: ControlFlowSupport = ControlFlowSupport {
        loop_exits_in_switches: true,
        fallthrough: true,
        code_in_continue_blocks: true,
        conditional_exits: true,
    };
    /// Capabilities of naga.
    const NAGA: ControlFlowSupport = ControlFlowSupport {
        loop_exits_in_switches: false,
        fallthrough: false,
        code_in_continue_blocks: false,
        conditional_exits: false,
    };
}

/// Capabilities of the consumer of a module.
#[derive(Debug)]
pub(crate) struct Consumer {
    pub(crate) control_flow: ControlFlowSupport,
    /// Features that a target may have; the others count as absent.
    pub(crate) features: Features,
    /// The finished module needs no rewriting for naga (`spirv/legalize_naga`).
    pub(crate) all_of_spirv: bool,

    /// Shorter code is worth its other form: results are reused, rows are loaded and stored as
    /// vectors, loops carry vectors, and buffers and groupshared arrays hold what is read from
    /// them. naga writes variables and expressions of its own, so that nothing is gained.
    pub(crate) compact_code: bool,
    /// `NonSemantic.Shader.DebugInfo.100`. naga imports no sets of instructions but GLSL's.
    pub(crate) debug_instructions: bool,
    /// Functions and reports of layers.
    pub(crate) instrumentation: bool,

    /// `NoContraction`. naga drops it, so a loss is counted instead.
    pub(crate) no_contraction: bool,
    /// Constants of 16-bit integers.
    pub(crate) int16_constants: bool,
    /// The type of 64-bit integers needs no feature, because it is emulated where the target lacks
    /// it (`legalize_naga/int64.rs`).
    pub(crate) emulates_int64: bool,
    /// Native halves need no feature, because floats that are rounded replace them where the target
    /// lacks them.
    pub(crate) emulates_half: bool,

    /// Arrays of descriptors with an index that is only known at run time. Not all writers of naga
    /// have them: without `PORTABLE_TEXTURE_ARRAYS` and its like there is one variable per element,
    /// and an operation is repeated for each.
    pub(crate) descriptor_arrays: bool,
    /// `NonUniform` and its capabilities.
    pub(crate) non_uniform: bool,
    /// Texel buffers. naga has none; they become storage buffers of words.
    pub(crate) texel_buffers: bool,
    /// Input attachments (images of the dimensionality `SubpassData`).
    pub(crate) input_attachments: bool,
    /// Storage images without a format.
    pub(crate) formatless_images: bool,
    /// Multisampled storage images with layers, which make naga panic.
    pub(crate) multisampled_storage_arrays: bool,
    /// Accesses to texels out of bounds. naga's writers check texels by themselves.
    pub(crate) unchecked_texels: bool,
    /// `Coherent`. naga drops it; atomic accesses see the writes of other groups.
    pub(crate) coherent_memory: bool,
    /// An array in the block of push constants; naga takes members.
    pub(crate) push_constant_arrays: bool,
    /// `OpAtomicSMin` and `OpAtomicSMax` on memory without a sign. naga takes the order of numbers
    /// from the type in memory.
    pub(crate) signed_atomics: bool,
    /// The results of atomics on images.
    pub(crate) image_atomic_results: bool,

    /// `OpImageQueryLod`. Without it derivatives give the level.
    pub(crate) level_queries: bool,
    /// Comparisons with a reference at other levels than 0. naga takes level 0 silently.
    pub(crate) comparisons_at_levels: bool,

    /// Stage interfaces as Vulkan has them: arrays, several variables at a location, words of any
    /// sign on both sides, interpolation on the side of the input alone (Vulkan, 15.1 "Shader
    /// Input and Output Interfaces"). naga has one variable per location and row, compares types,
    /// and has interpolation on both sides.
    pub(crate) vulkan_interfaces: bool,
    /// Vertex shaders without a position. WGSL requires one; D3D12 does not if nothing is
    /// rasterized.
    pub(crate) missing_position: bool,
    /// `InterpolateAtCentroid` and its like.
    pub(crate) interpolation_functions: bool,

    /// All operations of subgroups and quads. naga has elections, counts of ballots and operations
    /// of quads in other forms (`waves/portable_waves.rs`), and none on pairs of words.
    pub(crate) subgroup_operations: bool,
    /// Rasterizer-ordered views, as sections that are interlocked.
    pub(crate) ordered_views: bool,
    /// `OpDemoteToHelperInvocation` and what tells helper lanes from others. naga's `discard` keeps
    /// the lane as a helper.
    pub(crate) helper_lanes: bool,
    /// The execution modes for derivatives in thread groups. Without them the group is one row of
    /// threads, whose lanes exchange their values.
    pub(crate) derivative_groups: bool,
}

/// Capabilities of Vulkan drivers.
const DRIVER: Consumer = Consumer {
    control_flow: ControlFlowSupport::ALL,
    features: Features::all(),
    all_of_spirv: true,
    compact_code: true,
    debug_instructions: true,
    instrumentation: true,
    no_contraction: true,
    int16_constants: true,
    emulates_int64: false,
    emulates_half: false,
    descriptor_arrays: true,
    non_uniform: true,
    texel_buffers: true,
    input_attachments: true,
    formatless_images: true,
    multisampled_storage_arrays: true,
    unchecked_texels: false,
    coherent_memory: true,
    push_constant_arrays: true,
    signed_atomics: true,
    image_atomic_results: true,
    level_queries: true,
    comparisons_at_levels: true,
    vulkan_interfaces: true,
    missing_position: true,
    interpolation_functions: true,
    subgroup_operations: true,
    ordered_views: true,
    helper_lanes: true,
    derivative_groups: true,
};

/// Capabilities of naga.
const NAGA: Consumer = Consumer {
    control_flow: ControlFlowSupport::NAGA,
    // Those besides `PORTABLE` are not about all of naga: with them the caller says what its own
    // code does with the module before naga reads it, and what the writer of its language has.
    features: Features::PORTABLE
        .union(Features::PSEUDO_IMAGE_ATOMICS)
        .union(Features::CASTS_IN_FUNCTIONS)
        .union(Features::PORTABLE_TEXTURE_ARRAYS)
        .union(Features::PORTABLE_BUFFER_ARRAYS),
    all_of_spirv: false,
    compact_code: false,
    debug_instructions: false,
    instrumentation: false,
    no_contraction: false,
    int16_constants: false,
    emulates_int64: true,
    emulates_half: true,
    descriptor_arrays: false,
    non_uniform: false,
    texel_buffers: false,
    input_attachments: false,
    formatless_images: false,
    multisampled_storage_arrays: false,
    unchecked_texels: true,
    coherent_memory: false,
    push_constant_arrays: false,
    signed_atomics: false,
    image_atomic_results: false,
    level_queries: false,
    comparisons_at_levels: false,
    vulkan_interfaces: false,
    missing_position: false,
    interpolation_functions: false,
    subgroup_operations: false,
    ordered_views: false,
    helper_lanes: false,
    derivative_groups: false,
};

impl Style {
    /// Returns the consumer of this style.
    fn consumer(self) -> &'static Consumer {
        match self {
            Style::Native => &DRIVER,
            Style::Portable => &NAGA,
        }
    }

    /// Returns the forms of control flow that modules of this style may have.
    pub fn control_flow(self) -> ControlFlowSupport {
        self.consumer().control_flow
    }
}

impl Options {
    /// Returns the consumer of the module.
    pub(crate) fn consumer(&self) -> &'static Consumer {
        self.target.style.consumer()
    }

    /// Returns these options with the target's features cut down to those that the consumer knows.
    pub(crate) fn effective(&self) -> Cow<'_, Options> {
        let known = self.consumer().features;
        if known.contains(self.target.features) {
            return Cow::Borrowed(self);
        }
        let mut options = self.clone();
        options.target.features &= known;
        Cow::Owned(options)
    }
}
