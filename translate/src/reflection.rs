//! Builds the [`Interface`] of a lowered module.

use std::borrow::Cow;

use dxil_frontend::dxil::EntryPoint;

use crate::interface::{BindingTable, add_layer_rows};
use crate::lower::Lowered;
use crate::{Interface, Options, node_protocol};

/// Returns the interface of a module: the planned descriptors, the buffers of the instrumentation,
/// and what the lowering used.
pub(crate) fn interface_of(
    entry: &EntryPoint,
    options: &Options,
    table: BindingTable,
    lowered: &Lowered,
) -> Interface {
    let mut bindings = table.rows;
    let bound = lowered.layer_bindings.iter();
    add_layer_rows(
        &mut bindings,
        bound.map(|bound| (bound.slot, bound.kind, bound.bytes)),
    );
    let entry_name = options.entry_name.as_deref().unwrap_or(entry.plain_name());
    let extensions = lowered.extensions().iter().copied();
    Interface {
        stage: entry.kind,
        entry: entry_name.to_owned(),
        bindings,
        push_constant_bytes: if entry.is_node() {
            node_protocol::PUSH_BYTES
        } else {
            table.push_words * 4
        },
        shader_record_bytes: table.record_words * 4,
        workgroup_size: entry.num_threads,
        patch_location_offset: lowered.patch_location_offset,
        required_subgroup_size: required_subgroup_size(entry, options),
        built_ins: lowered.built_ins.clone(),
        capabilities: lowered.capabilities().to_vec(),
        extensions: extensions.map(Cow::Borrowed).collect(),
    }
}

/// Returns the caller's choice where the shader allows it, otherwise the shader's fixed or
/// preferred size.
fn required_subgroup_size(entry: &EntryPoint, options: &Options) -> Option<u32> {
    let requested = options.required_subgroup_size;
    let asked = match entry.wave_size {
        Some(size) if (size.min..=size.max).contains(&requested) => requested,
        Some(size) if size.preferred != 0 => size.preferred,
        Some(size) => size.min,
        None => options.required_subgroup_size,
    };
    (asked != 0).then_some(asked)
}
