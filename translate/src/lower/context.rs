//! What every lowering function works with: the function being read, the module being written,
//! and what each IR value has become.

use dxil_frontend::dxil::{EntryPoint, Shader};
use dxil_frontend::ir::{FuncId, FuncView, InstId, TypeId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::debug_info::SourceWriter;
use crate::lower::graphs::state::Nodes;
use crate::lower::insertion_point::InsertionPoint;
use crate::lower::instrument::state::Instruments;
use crate::lower::memory::state::{Memory, Registers};
use crate::lower::rays::state::{HitObjects, RayQueries, RayTracing};
use crate::lower::resources::state::ResourceState;
use crate::lower::signatures::state::Inputs;
use crate::lower::stages::state::Payload;
use crate::lower::type_map::TypeMap;
use crate::lower::values::Values;
use crate::options::Features;
use crate::spirv::{Builder, Id};
use crate::{Error, ErrorKind, Options, Quirks, Result};

/// The state of a lowering.
pub(crate) struct Context<'a> {
    /// The shader.
    pub(super) shader: &'a Shader,
    /// The entry point that is translated.
    pub(super) entry: &'a EntryPoint,
    /// Target and choices.
    pub(super) options: &'a Options,
    /// The function that is being lowered, with its module.
    pub(super) view: FuncView<'a>,
    /// Instructions of the function that stand in another block than their own.
    pub(super) lifted: FxHashSet<InstId>,
    /// The module being written.
    pub(super) b: Builder,
    /// SPIR-V types of IR types.
    pub(super) types: TypeMap,
    /// What IR values have become.
    pub(super) values: Values,
    /// Variables and pointers.
    pub(super) memory: Memory,
    /// Stage inputs and outputs in use.
    pub(super) inputs: Inputs,
    /// What an amplification shader hands to its mesh shaders.
    pub(super) payload: Payload,
    /// Resource variables and handles.
    pub(super) resources: ResourceState<'a>,
    /// Ray query objects.
    pub(super) ray_queries: RayQueries,
    /// Payloads and attributes of ray tracing stages.
    pub(super) ray_tracing: RayTracing,
    /// Hit objects.
    pub(super) hit_objects: HitObjects,
    /// Where the code being written stands.
    pub(super) insertion: InsertionPoint,
    /// Nodes of work graphs.
    pub(super) nodes: Nodes,
    /// What is watched.
    pub(super) instruments: Instruments,
    /// Temporary registers.
    pub(super) registers: Registers,
    /// SPIR-V ids of the functions.
    pub(super) functions: FxHashMap<FuncId, Id>,
    /// What the source says of the code, if the caller wants to know.
    pub(super) source: Option<Box<SourceWriter<'a>>>,
    /// Most words that the functions may have.
    pub(super) most_words: usize,
    /// Operations that lost `precise`.
    pub(super) precise_lost: u32,
    /// Operations of thread groups that take the most detailed level for want of derivatives.
    pub(super) levels_lost: u32,
    /// Levels of detail that were computed without the sampler.
    pub(super) levels_estimated: u32,
}

impl<'a> Context<'a> {
    /// The IR type of a value.
    pub(super) fn type_of(&self, value: ValueId) -> Result<TypeId> {
        self.view
            .type_of(value)
            .ok_or_else(|| Error::malformed(format!("{value} is not defined")))
    }

    /// The value as a constant integer, zero-extended.
    pub(super) fn constant_int(&self, value: ValueId) -> Option<u64> {
        self.view.constant_int(value)
    }

    /// Whether the value is `undef` (which marks absent operands of DXIL operations).
    pub(super) fn is_undef(&self, value: ValueId) -> bool {
        matches!(
            self.view.constant(value),
            Some(dxil_frontend::ir::Constant::Undef)
        )
    }

    /// Whether a feature is there; a typed error if not.
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

    /// Refuses code that grows beyond what an input of this size becomes: some instructions copy
    /// values of any size.
    pub(super) fn check_growth(&self) -> Result<()> {
        match self.b.position() <= self.most_words {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::TooComplex(
                "more than 1,048,576 words and 1,024 for each instruction",
            ))),
        }
    }

    /// Whether the target has the feature.
    pub(super) fn has(&self, feature: Features) -> bool {
        self.options.target.features.contains(feature)
    }

    /// Whether the shader may rely on more than D3D12 promises.
    pub(super) fn has_quirk(&self, quirk: Quirks) -> bool {
        self.options.workarounds.quirks.contains(quirk)
    }

    /// Whether the code checks buffer bounds itself.
    pub(super) fn checks_bounds(&self) -> bool {
        self.options.bounds_checks && !self.has(Features::ROBUSTNESS2)
    }
}
