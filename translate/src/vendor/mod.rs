//! Vendors' shader extensions: AMD's AGS and NVIDIA's NVAPI.
//!
//! D3D12 has no way to express a vendor's own instructions, so both vendors write them as accesses
//! to a UAV without memory. This pass runs before all others. It replaces each instruction by DXIL
//! operations that do the same, or by a call of a [pseudo-operation](crate::pseudo::PseudoOp) where
//! DXIL has none. No later stage sees the UAV.
//!
//! Constants encode which instruction it is: a shader that computes them is refused. So is one that
//! uses an operation that is not implemented or that the target lacks, unless the caller asks for
//! zeros in its place ([`VendorOptions::zero_missing`]).

mod handles;
mod hit_object_flow;
pub(crate) mod hit_object_values;

mod ags;
mod missing;
mod nvapi;
mod operation;
mod options;
pub(crate) mod small_float;
mod store;
pub(crate) mod writer;

use crate::vendor::handles::variable_of;
use crate::vendor::missing::Missing;
use dxil_frontend::dxil::ops::{HandleOp, Op, ResourceAtomicOp, decode, op_arguments};
use dxil_frontend::dxil::{ResourceIndex, Shader, ShaderKind};
use dxil_frontend::ir::{FuncId, FuncView, ValueId};
use dxil_frontend::tables::HashSet;

use crate::inline::{calls_any, inline_calls_of};
use crate::vectors::ModuleTables;
use crate::{Error, Options, Result, Warning};
use writer::FunctionWriter;

pub use operation::{AGS_SPACE, Vendor, VendorOperation};
pub use options::VendorOptions;

/// Returns a description of the vendor's instruction that a DXIL operation encodes, if it encodes
/// one: `AGS Readlane, phase 0, immediate 0x7`.
pub fn describe_vendor_operation(shader: &Shader, view: FuncView<'_>, op: &Op) -> Option<String> {
    let Op::ResourceAtomic(ResourceAtomicOp::AtomicCompareExchange(call)) = op else {
        return None;
    };
    // The shader does not say which UAV is NVAPI's, so only AGS can be recognized.
    let options = VendorOptions::default();
    let mut resources = shader.resources.iter();
    if !resources.any(|one| Vendor::of(one, &options).is_some()) {
        return None;
    }
    ags::describe(view.constant_int(call.coords[0])? as u32)
}

/// A shader whose vendors' operations are replaced, and warnings for those that became zero.
#[derive(Default)]
pub(crate) struct Rewritten {
    /// Nothing if it had no such operations.
    pub(crate) shader: Option<Box<Shader>>,
    pub(crate) warnings: Vec<Warning>,
}

/// Returns the shader with the calls of functions inlined that have operations of NVAPI, if there
/// are any: handles of hit objects are words, which functions may pass on. Nothing calls the entry
/// point's own functions, `roots`.
pub(crate) fn inline_nvapi(
    shader: &Shader,
    functions: &[FuncId],
    roots: &[FuncId],
    options: &Options,
) -> Result<Option<Box<Shader>>> {
    let mut resources = shader.resources.iter();
    let is_nvapi = |one| Vendor::of(one, &options.vendor) == Some(Vendor::Nvapi);
    let callees = functions.iter().copied().filter(|id| !roots.contains(id));
    let callees: Vec<FuncId> = callees.collect();
    if callees.is_empty() || !resources.any(is_nvapi) {
        return Ok(None);
    }
    let resources = ResourceIndex::new(&shader.resources);
    let has_operations = |id: FuncId| {
        let uavs = |view| uavs_of(Vendor::Nvapi, &options.vendor, shader, &resources, view);
        shader.view(id).is_some_and(|view| !uavs(view).is_empty())
    };
    let ids = callees.iter().copied();
    let mut inlined: HashSet<FuncId> = ids.filter(|&id| has_operations(id)).collect();
    // What calls one of them may have got a handle to pass on.
    loop {
        let calls = |id: FuncId| {
            let view = shader.view(id);
            view.is_some_and(|view| calls_any(view, &inlined))
        };
        let ids = callees.iter().copied();
        let more: Vec<FuncId> = ids
            .filter(|id| !inlined.contains(id))
            .filter(|&id| calls(id))
            .collect();
        if more.is_empty() {
            break;
        }
        inlined.extend(more);
    }
    if inlined.is_empty() {
        return Ok(None);
    }
    inline_calls_of(shader, functions, &inlined)
}

/// Replaces vendors' operations in these functions by DXIL operations and pseudo-operations.
pub(crate) fn rewrite_vendor_operations(
    shader: &Shader,
    kind: ShaderKind,
    functions: &[FuncId],
    options: &Options,
) -> Result<Rewritten> {
    let mut rewritten = Rewritten::default();
    for vendor in [Vendor::Ags, Vendor::Nvapi] {
        let is_there = |one| Vendor::of(one, &options.vendor) == Some(vendor);
        if !shader.resources.iter().any(is_there) {
            continue;
        }
        let before = rewritten.shader.as_deref().unwrap_or(shader);
        let changed = without_operations(before, vendor, kind, functions, options)?;
        if let Some((changed, warnings)) = changed {
            rewritten.shader = Some(Box::new(changed));
            rewritten.warnings.extend(warnings);
        }
    }
    Ok(rewritten)
}

/// Returns the shader without the operations of a vendor, if it has any.
fn without_operations(
    shader: &Shader,
    vendor: Vendor,
    kind: ShaderKind,
    functions: &[FuncId],
    options: &Options,
) -> Result<Option<(Shader, Vec<Warning>)>> {
    // Bodies are read from the old shader while the tables of the new one grow.
    let mut changed = shader.clone();
    let mut tables = ModuleTables::new(&mut changed.module, &mut changed.callees);
    let mut bodies = Vec::new();
    let mut warnings = Vec::new();
    let resources = ResourceIndex::new(&shader.resources);
    for &id in functions {
        let Some(view) = shader.view(id) else {
            continue;
        };
        let uavs = uavs_of(vendor, &options.vendor, shader, &resources, view);
        if uavs.is_empty() {
            continue;
        }
        let mut missing = Missing {
            kind,
            options,
            warnings: &mut warnings,
        };
        let writer = FunctionWriter::new(view, &mut tables);
        let body = match vendor {
            Vendor::Ags => ags::rewrite(shader, view, &uavs, writer, &mut missing),
            Vendor::Nvapi => nvapi::rewrite(shader, view, &uavs, writer, &mut missing),
        };
        bodies.push((id, body.map_err(|error| in_function(error, id))?));
    }
    if bodies.is_empty() {
        return Ok(None);
    }
    for (id, body) in bodies {
        let slot = changed.module.functions.get(id).and_then(|decl| decl.body);
        if let Some(slot) = slot.and_then(|index| changed.module.bodies.get_mut(index as usize)) {
            *slot = body;
        }
    }
    Ok(Some((changed, warnings)))
}

fn in_function(mut error: Error, function: FuncId) -> Error {
    error.location_mut().function = Some(function);
    error
}

/// Returns the handles of a vendor's UAV in a function, annotated ones included, and in a library
/// the values that name the UAV.
fn uavs_of(
    vendor: Vendor,
    options: &VendorOptions,
    shader: &Shader,
    resources: &ResourceIndex<'_>,
    view: FuncView<'_>,
) -> HashSet<ValueId> {
    let mut found = HashSet::default();
    // An annotation comes after what it annotates.
    for data in view.function.insts.values() {
        let (Some(result), Some(args)) = (
            data.result.expand(),
            op_arguments(view, &shader.callees, &data.inst),
        ) else {
            continue;
        };
        let Ok(Op::Handle(op)) = decode(view, args) else {
            // The lowering decodes every operation and reports malformed ones.
            continue;
        };
        let resource = match op {
            HandleOp::CreateHandle(op) => shader.resources.find(op.class, op.range_id),
            HandleOp::CreateHandleFromBinding(op) => {
                let range = op.binding;
                resources.at_register(range.class, range.space, range.lower_bound)
            }
            HandleOp::CreateHandleForLib(op) => {
                let resource = variable_of(resources, view, op.resource);
                if resource.and_then(|one| Vendor::of(one, options)) == Some(vendor) {
                    // The load from the variable only names the UAV, and is dropped with it.
                    found.insert(op.resource);
                }
                resource
            }
            HandleOp::AnnotateHandle(op) if found.contains(&op.handle) => {
                found.insert(result);
                continue;
            }
            _ => continue,
        };
        if resource.and_then(|resource| Vendor::of(resource, options)) == Some(vendor) {
            found.insert(result);
        }
    }
    found
}
