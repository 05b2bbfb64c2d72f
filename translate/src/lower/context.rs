//! The state of the lowering, in parts: the input ([`Input`]), the module being written, the ids
//! that the module has so far ([`ModuleState`]), the function that is being lowered
//! ([`FunctionState`]) and the block that is being written ([`BlockState`]).
//!
//! A function takes the narrowest part that serves: `&mut Builder` where it only writes
//! instructions, `&Input` where it only asks what is translated and for which target, and the whole
//! context where it lowers values.

use cranelift_entity::{EntitySet, SecondaryMap};
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind};
use dxil_frontend::ir::{Constant, FuncId, FuncView, InstId, TypeId, TypeTable, ValueId};

use crate::analysis::Analyses;
use crate::analysis::constant_copies::ConstantCopies;
use crate::analysis::row_accesses::RowAccesses;
use crate::analysis::sums::Sums;
use crate::consumer::Consumer;
use crate::debug_info::SourceWriter;
use crate::interface::{FunctionPlan, Plan};
use crate::lower::block_state::BlockState;
use crate::lower::buffers::state::EarlyRows;
use crate::lower::graphs::state::Nodes;
use crate::lower::instrument::state::Instruments;
use crate::lower::memory::state::{Memory, Registers};
use crate::lower::rays::state::Rays;
use crate::lower::resources::state::ResourceState;
use crate::lower::signatures::state::StageIo;
use crate::lower::stages::state::Payload;
use crate::lower::type_map::TypeMap;
use crate::lower::values::Values;
use crate::lower::waves::state::{KnownMatrices, LaneFlow, WholeMatrices};
use crate::options::{Features, Style};
use crate::spirv::{Builder, Id};
use crate::{DenormalMode, Error, ErrorKind, Numerics, Options, Quirks, Result};

/// Words that the code may have, however short the shader is.
const BASE_WORDS: usize = 1 << 20;

/// Words that a shader may have in addition for each byte of its code. Shaders of compilers become
/// about half a word for each.
const WORDS_PER_BYTE: usize = 8;

/// The same in the portable style, where an access to an array of resources is written once for
/// each of up to 32 elements, and 64-bit numbers are emulated.
const PORTABLE_WORDS_PER_BYTE: usize = 12;

/// The state of a lowering.
pub(super) struct Context<'a> {
    /// The input of the translation, with the results of the analyses.
    pub(super) input: Input<'a>,
    /// The SPIR-V module being written.
    pub(super) b: Builder,
    /// The state of the module.
    pub(super) module: ModuleState,
    /// The function that is being lowered.
    pub(super) function: FunctionState<'a>,
    /// The block that is being written.
    pub(super) block: BlockState,
    /// Writes where in the source the code comes from, if the caller asked for that.
    pub(super) source: Option<Box<SourceWriter<'a>>>,
    /// Operations that the target lacks and that were left out, for the warnings.
    pub(super) losses: Losses,
    /// Maximum length of the code of all functions in words.
    pub(super) max_words: usize,
}

/// The shader, the options of its target, and the results of the analyses. Nothing of it changes
/// while the module is written.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    /// The shader.
    pub(crate) shader: &'a Shader,
    /// The entry point that is translated.
    pub(crate) entry: &'a EntryPoint,
    /// Target and choices.
    pub(crate) options: &'a Options,
    /// The resources that the shader uses, their uses, and the location of each.
    pub(crate) plan: &'a Plan,
    /// Results of the analyses of all functions together.
    pub(crate) analyses: &'a Analyses,
}

/// The state of the module, which all functions share.
pub(super) struct ModuleState {
    /// SPIR-V types of IR types.
    pub(super) types: TypeMap,
    /// SPIR-V ids of the functions.
    pub(super) functions: SecondaryMap<FuncId, Option<Id>>,
    /// Variables and pointers.
    pub(super) memory: Memory,
    /// Temporary registers.
    pub(super) registers: Registers,
    /// Resource variables.
    pub(super) resources: ResourceState,
    /// Inputs and outputs of the stage.
    pub(super) stage_io: StageIo,
    /// The payload between amplification and mesh shaders.
    pub(super) payload: Payload,
    /// Ray queries, ray tracing stages and hit objects.
    pub(super) rays: Rays,
    /// Nodes of work graphs.
    pub(super) nodes: Nodes,
    /// Matrices of waves.
    pub(super) matrices: KnownMatrices,
    /// Checks of the instrumentation.
    pub(super) instruments: Instruments,
    /// Whether the code tells signed zeros, infinities or NaN from other numbers, or is `precise`.
    pub(super) special_floats: bool,
    /// Per function, the operation for which its name and overload were checked last.
    pub(super) checked_callees: SecondaryMap<FuncId, Option<Opcode>>,
}

/// The function that is being lowered.
pub(super) struct FunctionState<'a> {
    /// The function with its module.
    pub(super) view: FuncView<'a>,
    /// Its part of the plan.
    pub(super) plan: Option<&'a FunctionPlan>,
    /// Its accesses to group-shared vectors that are joined.
    pub(super) rows: Option<&'a RowAccesses>,
    /// Its local arrays that are copies of constant buffers.
    pub(super) copies: Option<&'a ConstantCopies>,
    /// Its sums that begin with their last addend.
    pub(super) sums: Option<&'a Sums>,
    /// Its matrices whose words need no code.
    pub(super) whole_matrices: WholeMatrices,
    /// Its rows of constant buffers that are loaded early.
    pub(super) early_rows: EarlyRows,
    /// SPIR-V forms of its values, and of those of the module.
    pub(super) values: Values,
    /// Instructions that stand in another block than their own.
    pub(super) lifted: EntitySet<InstId>,
    /// The lanes that run the current block.
    pub(super) flow: LaneFlow,
}

/// Numbers of operations that lost a property which the target lacks.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Operations that lost `precise`.
    pub(super) precise: u32,
    /// A treatment of 32-bit denormals.
    pub(super) denormals: Option<DenormalMode>,
    /// Operations in thread groups that take the most detailed level for want of derivatives.
    pub(super) levels: u32,
    /// Levels of detail that were computed without the sampler.
    pub(super) levels_estimated: u32,
}

impl<'a> Input<'a> {
    /// Returns the types of the IR.
    pub(super) fn types(&self) -> &'a TypeTable {
        &self.shader.module.types
    }

    /// Returns the maximum length of the code of all functions in words.
    pub(super) fn max_words(&self) -> usize {
        let words_per_byte = if self.consumer().all_of_spirv {
            WORDS_PER_BYTE
        } else {
            PORTABLE_WORDS_PER_BYTE
        };
        let bytes = usize::try_from(self.shader.module.encoded_bytes).unwrap_or(usize::MAX);
        BASE_WORDS.saturating_add(bytes.saturating_mul(words_per_byte))
    }

    /// Returns whether the target has the feature.
    pub(super) fn has(&self, feature: Features) -> bool {
        self.options.target.features.contains(feature)
    }

    /// Returns what the target computes by itself. What comes after naga is not known.
    pub(super) fn numerics(&self) -> Numerics {
        match self.options.target.style {
            Style::Native => self.options.target.numerics,
            Style::Portable => Numerics::default(),
        }
    }

    /// Returns whether the shader may rely on more than D3D12 promises.
    pub(super) fn has_quirk(&self, quirk: Quirks) -> bool {
        self.options.workarounds.quirks.contains(quirk)
    }

    /// Returns the consumer of the module.
    pub(super) fn consumer(&self) -> &'static Consumer {
        self.options.consumer()
    }

    /// Returns whether this is a pixel shader, the only stage with helper lanes.
    pub(super) fn is_pixel(&self) -> bool {
        self.entry.kind == ShaderKind::Pixel
    }

    /// Returns whether the stage runs in thread groups.
    pub(super) fn has_groups(&self) -> bool {
        matches!(
            self.entry.kind,
            ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification | ShaderKind::Node
        )
    }

    /// Returns whether the stage is one of ray tracing pipelines.
    pub(super) fn is_ray_stage(&self) -> bool {
        use ShaderKind::{AnyHit, Callable, ClosestHit, Intersection, Miss, RayGeneration};
        matches!(
            self.entry.kind,
            RayGeneration | Intersection | AnyHit | ClosestHit | Miss | Callable
        )
    }

    /// Returns whether the entry point is a node of a work graph.
    pub(super) fn is_node(&self) -> bool {
        self.entry.is_node()
    }

    /// Returns whether the code checks buffer bounds itself, because the target does not
    /// (`VK_EXT_robustness2`).
    pub(super) fn checks_bounds(&self) -> bool {
        self.options.checks_bounds()
    }

    /// Requires a feature of the target for what `user` names.
    ///
    /// # Errors
    ///
    /// `TargetLacks` if the target does not have it.
    pub(super) fn need_feature(
        &self,
        feature: Features,
        name: &'static str,
        user: impl FnOnce() -> String,
    ) -> Result<()> {
        if self.has(feature) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::TargetLacks {
            feature: name,
            user: user(),
        }))
    }
}

impl FunctionState<'_> {
    /// Returns the IR type of a value.
    ///
    /// # Errors
    ///
    /// `Malformed` if nothing defines the value.
    #[inline]
    pub(super) fn type_of(&self, value: ValueId) -> Result<TypeId> {
        self.view.type_of(value).ok_or_else(|| undefined(value))
    }

    /// Returns the value of a constant integer, zero-extended.
    pub(super) fn constant_int(&self, value: ValueId) -> Option<u64> {
        self.view.constant_int(value)
    }

    /// Returns whether the value is `undef`, which marks absent operands of DXIL operations.
    pub(super) fn is_undef(&self, value: ValueId) -> bool {
        matches!(self.view.constant(value), Some(Constant::Undef))
    }

    /// Returns whether the value only names a resource of a library and needs no code.
    pub(super) fn names_resource(&self, value: ValueId) -> bool {
        self.plan.is_some_and(|plan| plan.is_resource_name(value))
    }

    /// Returns a bit per member of an aggregate value: whether the member is ever extracted.
    pub(super) fn used_members(&self, value: ValueId) -> u8 {
        self.plan.map_or(u8::MAX, |plan| plan.used_members(value))
    }
}

#[cold]
fn undefined(value: ValueId) -> Error {
    Error::malformed(format!("{value} is not defined"))
}

impl Context<'_> {
    /// Checks that the code stays within what an input of this size may become: some instructions
    /// copy values of any size, so a small file could ask for gigabytes.
    ///
    /// # Errors
    ///
    /// `TooComplex` beyond the limit.
    #[inline]
    pub(super) fn check_growth(&self) -> Result<()> {
        // Checked per instruction and per aggregate that is copied, not per word, which would cost
        // time.
        if self.b.position() <= self.max_words {
            return Ok(());
        }
        Err(too_many_words(self.input.consumer().all_of_spirv))
    }
}

#[cold]
pub(super) fn too_many_words(all_of_spirv: bool) -> Error {
    Error::new(ErrorKind::TooComplex(if all_of_spirv {
        "more than 1,048,576 words and 8 for each byte of the shader's code"
    } else {
        "more than 1,048,576 words and 12 for each byte of the shader's code"
    }))
}
