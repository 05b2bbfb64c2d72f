//! Built-in variables, made on first use, and what the compute stage reads of them. Signature
//! elements of the graphics stages are in [`super::elements`].

use crate::lower::context::{Context, Input};
use crate::lower::rays::ray_stages;
use crate::lower::signatures::state::StageIo;
use crate::lower::stages::mesh;
use crate::lower::values::Value;
use crate::lower::waves::flattened;
use crate::spirv::{BuiltIn, Capability, Decoration, Id, StorageClass};
use crate::{Error, Result};

impl StageIo {
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

/// The input variable of a built-in; `ty` is its value's type.
pub(in crate::lower) fn built_in_input(cx: &mut Context<'_>, built_in: BuiltIn, ty: Id) -> Id {
    built_in_variable(cx, StorageClass::Input, built_in, ty)
}

/// The output variable of a built-in.
pub(in crate::lower) fn built_in_output(cx: &mut Context<'_>, built_in: BuiltIn, ty: Id) -> Id {
    built_in_variable(cx, StorageClass::Output, built_in, ty)
}

fn built_in_variable(cx: &mut Context<'_>, class: StorageClass, built_in: BuiltIn, ty: Id) -> Id {
    if let Some(id) = cx.module.stage_io.variable(class, built_in) {
        return id;
    }
    let pointer = cx.b.pointer(class, ty);
    let id = cx.b.global_variable(class, pointer, None);
    cx.b.decorate(id, Decoration::BuiltIn, &[built_in as u32]);
    ray_stages::mark_volatile(cx, built_in, id);
    cx.module.stage_io.built_ins.push((class, built_in, id));
    id
}

/// Loads a `uint` built-in.
pub(in crate::lower) fn load_u32_built_in(cx: &mut Context<'_>, built_in: BuiltIn) -> Id {
    let ty = cx.b.u32();
    let variable = built_in_input(cx, built_in, ty);
    if cx.input.is_pixel() {
        cx.b.decorate_once(variable, Decoration::Flat);
    }
    cx.b.load(ty, variable)
}

/// Loads one component of a `uvec3` built-in.
pub(in crate::lower) fn load_uvec3_component(
    cx: &mut Context<'_>,
    built_in: BuiltIn,
    component: u32,
) -> Result<Value> {
    only_in_groups(&cx.input, built_in)?;
    if let Some(flattened) = flattened::component(cx, built_in, component)? {
        return Ok(flattened);
    }
    let scalar = cx.b.u32();
    let vector = cx.b.vector(scalar, 3);
    let variable = built_in_input(cx, built_in, vector);
    let pointer = cx.b.pointer(StorageClass::Input, scalar);
    let index = cx.b.const_u32(component.min(2));
    let address = cx.b.access_chain(pointer, variable, &[index]);
    Ok(Value::Id(cx.b.load(scalar, address)))
}

/// `SV_GroupIndex`.
pub(in crate::lower) fn flattened_thread_id(cx: &mut Context<'_>) -> Result<Value> {
    only_in_groups(&cx.input, BuiltIn::LocalInvocationIndex)?;
    if let Some(index) = flattened::index(cx) {
        return Ok(Value::Id(index));
    }
    Ok(Value::Id(load_u32_built_in(
        cx,
        BuiltIn::LocalInvocationIndex,
    )))
}

/// Refuses numbers of threads in stages that have no thread groups.
fn only_in_groups(input: &Input<'_>, built_in: BuiltIn) -> Result<()> {
    let of_rays = matches!(built_in, BuiltIn::LaunchIdKHR | BuiltIn::LaunchSizeKHR);
    match of_rays || mesh::has_groups(input) {
        true => Ok(()),
        false => Err(stage_unsupported(input, &format!("{built_in:?}"))),
    }
}

/// Subgroup built-ins need their capability.
pub(in crate::lower) fn load_subgroup_built_in(cx: &mut Context<'_>, built_in: BuiltIn) -> Id {
    cx.b.capability(Capability::GroupNonUniform);
    load_u32_built_in(cx, built_in)
}

/// An operation of a stage that is not lowered.
pub(in crate::lower) fn stage_unsupported(input: &Input<'_>, op: &str) -> Error {
    Error::unsupported(format!("{op} in a {} shader", input.entry.kind.prefix()))
}
