//! Built-in variables, made on first use. Signature elements of the graphics stages are in
//! [`super::elements`].

use dxil_frontend::dxil::ShaderKind;

use crate::lower::context::{Context, Input};
use crate::lower::signatures::state::StageIo;
use crate::options::Features;
use crate::spirv::{Builder, BuiltIn, Capability, Decoration, Id, StorageClass};
use crate::{Error, ErrorKind, Result};

impl StageIo {
    /// Returns the built-ins in use.
    pub(in crate::lower) fn built_ins(&self) -> impl Iterator<Item = BuiltIn> {
        self.built_ins.iter().map(|&(_, built_in, _)| built_in)
    }

    /// Returns the variable of a built-in, if it was made.
    pub(super) fn variable(&self, class: StorageClass, built_in: BuiltIn) -> Option<Id> {
        let mut all = self.built_ins.iter();
        all.find(|&&(c, b, _)| (c, b) == (class, built_in))
            .map(|&(_, _, id)| id)
    }
}

/// Returns the input variable of a built-in; `ty` is its value's type.
pub(in crate::lower) fn built_in_input(cx: &mut Context<'_>, built_in: BuiltIn, ty: Id) -> Id {
    built_in_variable(cx, StorageClass::Input, built_in, ty)
}

/// Returns the output variable of a built-in.
pub(in crate::lower) fn built_in_output(cx: &mut Context<'_>, built_in: BuiltIn, ty: Id) -> Id {
    built_in_variable(cx, StorageClass::Output, built_in, ty)
}

fn built_in_variable(cx: &mut Context<'_>, class: StorageClass, built_in: BuiltIn, ty: Id) -> Id {
    // An entry point's interface may have each built-in once per class
    // (VUID-StandaloneSpirv-OpEntryPoint-09658 and -09659).
    if let Some(id) = cx.module.stage_io.variable(class, built_in) {
        return id;
    }
    let pointer = cx.b.pointer(class, ty);
    let id = cx.b.global_variable(class, pointer, None);
    cx.b.decorate(id, Decoration::BuiltIn, &[built_in as u32]);
    mark_volatile(&mut cx.b, &cx.input, built_in, id);
    cx.module.stage_io.built_ins.push((class, built_in, id));
    id
}

/// Loads a `uint` built-in.
pub(in crate::lower) fn load_u32_built_in(cx: &mut Context<'_>, built_in: BuiltIn) -> Id {
    let ty = cx.b.u32();
    let variable = built_in_input(cx, built_in, ty);
    // Integer inputs of fragment shaders have to be flat (VUID-StandaloneSpirv-Flat-04744).
    if cx.input.is_pixel() {
        cx.b.decorate_once(variable, Decoration::Flat);
    }
    // A volatile value must be loaded each time; others once per function.
    if is_volatile(&cx.input, built_in) {
        cx.b.load(ty, variable)
    } else {
        cx.b.load_unchanging(ty, variable)
    }
}

/// Loads a subgroup built-in, and declares the capability that it needs.
pub(in crate::lower) fn load_subgroup_built_in(cx: &mut Context<'_>, built_in: BuiltIn) -> Id {
    cx.b.capability(Capability::GroupNonUniform);
    load_u32_built_in(cx, built_in)
}

/// Returns the error for an operation that the stage does not have.
pub(in crate::lower) fn stage_unsupported(input: &Input<'_>, op: &str) -> Error {
    Error::unsupported(format!("{op} in a {} shader", input.entry.kind.prefix()))
}

/// Decorates a built-in as volatile if its value may change.
fn mark_volatile(b: &mut Builder, input: &Input<'_>, built_in: BuiltIn, variable: Id) {
    if is_volatile(input, built_in) {
        b.decorate(variable, Decoration::Volatile, &[]);
    }
}

/// Returns whether the value of a built-in may change while another shader runs, or in an
/// intersection shader after a report (Vulkan, VUID-StandaloneSpirv-VulkanMemoryModel-04678).
fn is_volatile(input: &Input<'_>, built_in: BuiltIn) -> bool {
    use ShaderKind::{AnyHit, Intersection};
    match built_in {
        BuiltIn::RayTmaxKHR => input.entry.kind == Intersection,
        BuiltIn::SubgroupSize
        | BuiltIn::SubgroupLocalInvocationId
        | BuiltIn::SubgroupEqMask
        | BuiltIn::SubgroupGeMask
        | BuiltIn::SubgroupGtMask
        | BuiltIn::SubgroupLeMask
        | BuiltIn::SubgroupLtMask => input.is_ray_stage() && input.entry.kind != AnyHit,
        _ => false,
    }
}

/// Refuses a feature that the target lacks.
pub(in crate::lower) fn require(
    input: &Input<'_>,
    feature: Features,
    name: &'static str,
    user: &str,
) -> Result<()> {
    if input.options.target.features.contains(feature) {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::TargetLacks {
            feature: name,
            user: user.to_owned(),
        }))
    }
}

/// Lowers `outputControlPointID`: which output control point this invocation makes.
pub(in crate::lower) fn output_control_point_id(cx: &mut Context<'_>) -> Result<Id> {
    if cx.input.entry.kind != ShaderKind::Hull {
        return Err(stage_unsupported(&cx.input, "OutputControlPointID"));
    }
    cx.b.capability(Capability::Tessellation);
    Ok(load_u32_built_in(cx, BuiltIn::InvocationId))
}
