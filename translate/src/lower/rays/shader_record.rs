//! Shader records: the arguments of local root signatures (DirectX Raytracing, "Shader record").
//! Vulkan has a storage class for them, whose block begins after the shader identifier. The block
//! is an array of words here.

use dxil_frontend::dxil::ResourceClass;

use crate::interface::View;
use crate::lower::context::{Context, Input};
use crate::lower::graphs::{push_constants, records};
use crate::lower::resources::resource_variables;
use crate::lower::resources::state::Leaf;
use crate::node_protocol::LOCAL_ROOT;
use crate::spirv::{Builder, Id, Op, StorageClass};
use crate::{Error, Result};

/// Returns a word of the shader record.
pub(in crate::lower) fn record_word(cx: &mut Context<'_>, view: &View, index: Id) -> Result<Id> {
    // A node shader has no shader table; the work graph's layer passes the address of its local
    // root arguments in push constants.
    if cx.input.is_node() {
        // The layer passes the address.
        let address = push_constants::push_member(cx, LOCAL_ROOT)?;
        let wide = cx.b.uint(64);
        let index = cx.b.emit(Op::UConvert, wide, &[index]);
        let four = cx.b.const_uint(64, 4);
        let bytes = cx.b.emit(Op::IMul, wide, &[index, four]);
        let address = cx.b.emit(Op::IAdd, wide, &[address, bytes]);
        return Ok(records::load_word_at(cx, address));
    }
    // D3D12 has local root signatures in state objects only, that is for ray tracing stages and
    // nodes.
    if !cx.input.is_ray_stage() {
        return Err(Error::unsupported(format!(
            "{} in a local root signature of a {} shader",
            view.describe(),
            cx.input.entry.kind.prefix()
        )));
    }
    let class = StorageClass::ShaderRecordBufferKHR;
    let record = match cx.module.resources.record {
        Some(record) => record,
        None => {
            // A count of 0 would mean a runtime array.
            let words = cx.input.plan.table.record_words.max(1);
            let block = resource_variables::data_block(cx, Leaf::U32, words, false);
            let pointer = cx.b.pointer(class, block.ty);
            let id = cx.b.global_variable(class, pointer, None);
            if cx.input.options.debug_info {
                cx.b.name(id, "shader_record");
            }
            cx.module.resources.record = Some(id);
            id
        }
    };
    let word = cx.b.u32();
    let pointer_ty = cx.b.pointer(class, word);
    let zero = cx.b.const_u32(0);
    let pointer = cx.b.access_chain(pointer_ty, record, &[zero, index]);
    Ok(cx.b.load_unchanging(word, pointer))
}

/// Returns the first index of a descriptor table: push constants hold the index, shader records
/// hold a descriptor handle.
pub(in crate::lower) fn local_table(
    b: &mut Builder,
    input: &Input<'_>,
    view: &View,
    word: Id,
) -> Id {
    if !view.local {
        return word;
    }
    let tables = input.options.bindings.local_tables;
    b.u32_shr(
        word,
        match view.class {
            ResourceClass::Sampler => tables.sampler_shift,
            _ => tables.resource_shift,
        },
    )
}
