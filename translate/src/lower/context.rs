//! What every lowering function works with: the function being read, the module being written,
//! and what each IR value has become.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Overload;
use dxil_frontend::dxil::{EntryPoint, Shader};
use dxil_frontend::ir::{FuncId, FuncView, InstId, TypeId, ValueId};

use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::InsertionPoint;
use super::memory::variables::{self, Memory, PointerId};
use super::resources::resource_variables::ResourceState;
use super::signatures::inputs::Inputs;
use super::types::{self, TypeMap};
use crate::debug_info::SourceWriter;
use crate::lower::constants;
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
    pub(super) payload: super::stages::amplification::Payload,
    /// Resource variables and handles.
    pub(super) resources: ResourceState<'a>,
    /// Ray query objects.
    pub(super) ray_queries: super::rays::query::RayQueries,
    /// Payloads and attributes of ray tracing stages.
    pub(super) ray_tracing: super::rays::ray_stages::RayTracing,
    /// Hit objects.
    pub(super) hit_objects: super::rays::hit_objects::HitObjects,
    /// Where the code being written stands.
    pub(super) insertion: InsertionPoint,
    /// Nodes of work graphs.
    pub(super) nodes: super::graphs::nodes::Nodes,
    /// What is watched.
    pub(super) instruments: super::instrument::Instruments,
    /// Temporary registers.
    pub(super) registers: super::memory::registers::Registers,
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

/// What an IR value has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Value {
    /// Not lowered yet (or without result).
    #[default]
    Unset,
    /// One SPIR-V value.
    Id(Id),
    /// A struct whose members are known one by one; never made unless somebody asks for the whole.
    Parts(Parts),
    /// An address.
    Pointer(PointerId),
}

/// A range of [`Values`]' pool of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    start: u32,
    len: u32,
}

/// One member of a struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// This value.
    Id(Id),
    /// A member of a composite that is extracted where it is used.
    Member {
        /// The composite.
        composite: Id,
        /// Index of the member.
        index: u32,
    },
}

/// What each value of the module and of the current function has become.
#[derive(Debug, Default)]
pub(super) struct Values {
    values: Vec<Value>,
    parts: Vec<Part>,
    /// Structs that flow into phis, which name values and not their members. Sorted.
    whole: Vec<ValueId>,
    /// Constants that the current function's code computes.
    computed: FxHashSet<ValueId>,
    /// Whether constants of the module are of that kind.
    pub(super) module_has_expressions: bool,
    /// Results of the structurizer's own phis.
    pub(super) synthetics: Vec<Id>,
}

impl Values {
    /// Forgets the last function's values; those of the module stay.
    pub(super) fn begin_function(&mut self, first_value: usize, count: usize) {
        for value in std::mem::take(&mut self.computed) {
            self.set(value, Value::Unset);
        }
        self.values.truncate(first_value);
        self.values.resize(first_value + count, Value::Unset);
        self.synthetics.clear();
    }

    /// Records the result of a constant that the current function's code computes.
    pub(super) fn set_computed(&mut self, id: ValueId, result: Id) {
        self.computed.insert(id);
        self.set(id, Value::Id(result));
    }

    /// Whether the value is a constant that the current function's code computes.
    pub(super) fn is_computed(&self, id: ValueId) -> bool {
        self.computed.contains(&id)
    }

    /// Says which structs flow into phis of the current function.
    pub(super) fn set_whole(&mut self, mut values: Vec<ValueId>) {
        values.sort_unstable();
        self.whole = values;
    }

    /// Whether the value is a struct that flows into a phi.
    pub(super) fn is_whole(&self, value: ValueId) -> bool {
        self.whole.binary_search(&value).is_ok()
    }

    /// What the value has become.
    pub(super) fn get(&self, id: ValueId) -> Value {
        self.values.get(id.index()).copied().unwrap_or_default()
    }

    /// Records what the value has become.
    pub(super) fn set(&mut self, id: ValueId, value: Value) {
        if let Some(slot) = self.values.get_mut(id.index()) {
            *slot = value;
        }
    }

    /// A struct of these members.
    pub(super) fn parts(&mut self, parts: impl IntoIterator<Item = Part>) -> Value {
        let start = self.parts.len();
        self.parts.extend(parts);
        Value::Parts(Parts {
            start: start as u32,
            len: (self.parts.len() - start) as u32,
        })
    }

    /// One member.
    pub(super) fn part(&self, parts: Parts, index: u32) -> Option<Part> {
        if index < parts.len {
            self.parts.get((parts.start + index) as usize).copied()
        } else {
            None
        }
    }
}

/// A call of a DXIL operation, apart from its operands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    /// The call instruction.
    pub(super) inst: InstId,
    /// The value it defines.
    pub(super) result: Option<ValueId>,
    /// Type of the result.
    pub(super) ty: TypeId,
    /// Overload.
    pub(super) overload: Overload,
}

impl<'a> Context<'a> {
    /// The SPIR-V value of an IR value: constants are made on first use, structs of parts are put
    /// together.
    pub(super) fn id(&mut self, value: ValueId) -> Result<Id> {
        match self.values.get(value) {
            Value::Id(id) => Ok(id),
            Value::Parts(parts) => self.assemble_parts(value, parts),
            Value::Unset => constants::lower(self, value),
            Value::Pointer(pointer) => variables::pointer_id(self, pointer),
        }
    }

    /// SPIR-V values of several IR values.
    pub(super) fn ids<const N: usize>(&mut self, values: [ValueId; N]) -> Result<[Id; N]> {
        let mut ids = [Id::NONE; N];
        for (id, value) in ids.iter_mut().zip(values) {
            *id = self.id(value)?;
        }
        Ok(ids)
    }

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

    /// A member of a struct of parts; extracts it if need be.
    pub(super) fn part(&mut self, parts: Parts, index: u32, ty: TypeId) -> Result<Id> {
        match self.values.part(parts, index) {
            Some(Part::Id(id)) => Ok(id),
            Some(Part::Member { composite, index }) => {
                let ty = types::lower(self, ty)?;
                Ok(self.b.extract(ty, composite, index))
            }
            None => Err(Error::malformed(format!("a struct has no member {index}"))),
        }
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

    /// Refuses code that grows beyond what an input of this size becomes: some instructions copy values of any size.
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

    fn assemble_parts(&mut self, value: ValueId, parts: Parts) -> Result<Id> {
        let ty = self.type_of(value)?;
        let fields = types::fields(self, ty)?;
        let mut ids = Vec::with_capacity(fields.len());
        for (index, &field) in fields.iter().enumerate() {
            ids.push(self.part(parts, index as u32, field)?);
        }
        let ty = types::lower(self, ty)?;
        Ok(self.b.construct(ty, &ids))
    }
}
