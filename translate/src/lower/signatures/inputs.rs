//! Built-in variables, made on first use, and what the compute stage reads of them. Signature elements of
//! the graphics stages are in [`super::elements`].

use dxil_frontend::dxil::SemanticKind;
use rustc_hash::FxHashMap;

use super::elements::{Direction, Element, RowVariables};
use super::stream_output::OutputCopy;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::spirv::{BuiltIn, Capability, Decoration, Id, StorageClass};
use crate::{Error, Result};

/// Input and output variables of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct Inputs {
    built_ins: Vec<(StorageClass, BuiltIn, Id)>,
    /// Signature elements in use.
    pub(in crate::lower) elements: FxHashMap<(Direction, u32), Element>,
    /// Where the variables of elements lie.
    pub(in crate::lower) claims: Vec<super::elements::Claim>,
    /// Arrays that have a variable per row.
    pub(in crate::lower) rows: Vec<RowVariables>,
    /// Inputs that are read per vertex.
    pub(in crate::lower) per_vertex: Vec<u32>,
    /// Variables that are written together with output elements.
    pub(in crate::lower) copies: Vec<OutputCopy>,
    /// The next location that no output has, once one was taken.
    pub(in crate::lower) next_output: Option<u32>,
    /// Components of a mesh shader's output that wait for the others.
    pub(in crate::lower) waiting: Option<crate::lower::stages::mesh::Waiting>,
    /// The pixel shader writes a stencil reference.
    pub(in crate::lower) stencil_output: bool,
    /// Which depth the pixel shader writes.
    pub(in crate::lower) depth_output: Option<SemanticKind>,
    /// Lanes talk to each other somewhere.
    pub(in crate::lower) convergent: bool,
    /// There is control flow.
    pub(in crate::lower) branches: bool,
    /// Neighbours in the quad are looked at: derivatives, implicit levels.
    pub(in crate::lower) gradients: bool,
    /// Derivatives are taken in a stage with thread groups.
    pub(in crate::lower) derivatives: bool,
}

impl Inputs {
    /// Built-ins in use.
    pub(in crate::lower) fn built_ins(&self) -> impl Iterator<Item = BuiltIn> {
        self.built_ins.iter().map(|&(_, built_in, _)| built_in)
    }

    /// The variable of a built-in, if it was made.
    pub(in crate::lower) fn variable(&self, class: StorageClass, built_in: BuiltIn) -> Option<Id> {
        let mut all = self.built_ins.iter();
        all.find(|&&(c, b, _)| (c, b) == (class, built_in))
            .map(|&(_, _, id)| id)
    }
}

impl Lowering<'_> {
    /// The input variable of a built-in; `ty` is its value's type.
    pub(in crate::lower) fn built_in(&mut self, built_in: BuiltIn, ty: Id) -> Id {
        self.built_in_variable(StorageClass::Input, built_in, ty)
    }

    /// The output variable of a built-in.
    pub(in crate::lower) fn built_in_output(&mut self, built_in: BuiltIn, ty: Id) -> Id {
        self.built_in_variable(StorageClass::Output, built_in, ty)
    }

    fn built_in_variable(&mut self, class: StorageClass, built_in: BuiltIn, ty: Id) -> Id {
        if let Some(id) = self.inputs.variable(class, built_in) {
            return id;
        }
        let pointer = self.b.pointer(class, ty);
        let id = self.b.global_variable(class, pointer, None);
        self.b.decorate(id, Decoration::BuiltIn, &[built_in as u32]);
        self.mark_volatile(built_in, id);
        self.inputs.built_ins.push((class, built_in, id));
        id
    }

    /// Loads a `uint` built-in.
    pub(in crate::lower) fn load_u32_built_in(&mut self, built_in: BuiltIn) -> Id {
        let ty = self.b.u32();
        let variable = self.built_in(built_in, ty);
        if self.is_pixel() {
            self.b.decorate_once(variable, Decoration::Flat);
        }
        self.b.load(ty, variable)
    }

    /// Loads one component of a `uvec3` built-in.
    pub(in crate::lower) fn load_uvec3_component(
        &mut self,
        built_in: BuiltIn,
        component: u32,
    ) -> Result<Value> {
        self.only_in_groups(built_in)?;
        if let Some(flattened) = self.flattened_component(built_in, component)? {
            return Ok(flattened);
        }
        let scalar = self.b.u32();
        let vector = self.b.vector(scalar, 3);
        let variable = self.built_in(built_in, vector);
        let pointer = self.b.pointer(StorageClass::Input, scalar);
        let index = self.b.const_u32(component.min(2));
        let address = self.b.access_chain(pointer, variable, &[index]);
        Ok(Value::Id(self.b.load(scalar, address)))
    }

    /// `SV_GroupIndex`.
    pub(in crate::lower) fn flattened_thread_id(&mut self) -> Result<Value> {
        self.only_in_groups(BuiltIn::LocalInvocationIndex)?;
        if let Some(index) = self.flattened_index() {
            return Ok(Value::Id(index));
        }
        Ok(Value::Id(
            self.load_u32_built_in(BuiltIn::LocalInvocationIndex),
        ))
    }

    /// Refuses numbers of threads in stages that have no thread groups.
    fn only_in_groups(&self, built_in: BuiltIn) -> Result<()> {
        let of_rays = matches!(built_in, BuiltIn::LaunchIdKHR | BuiltIn::LaunchSizeKHR);
        match of_rays || self.has_groups() {
            true => Ok(()),
            false => Err(self.stage_unsupported(&format!("{built_in:?}"))),
        }
    }

    /// Subgroup built-ins need their capability.
    pub(in crate::lower) fn load_subgroup_built_in(&mut self, built_in: BuiltIn) -> Id {
        self.b.capability(Capability::GroupNonUniform);
        self.load_u32_built_in(built_in)
    }

    /// An operation of a stage that is not lowered.
    pub(in crate::lower) fn stage_unsupported(&self, op: &str) -> Error {
        Error::unsupported(format!("{op} in a {} shader", self.entry.kind.prefix()))
    }
}
