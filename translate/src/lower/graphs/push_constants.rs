//! The push constants of a node.

use crate::lower::context::Context;
use crate::lower::resources::resource_variables;
use crate::node_protocol::ADDRESSES;
use crate::options::Features;
use crate::spirv::{Decoration, Id, StorageClass};
use crate::{Error, Result};

/// Loads a member of the push constants.
pub(in crate::lower) fn push_member(cx: &mut Context<'_>, member: u32) -> Result<Id> {
    let (word, wide) = (cx.b.u32(), cx.b.uint(64));
    let block = match cx.module.nodes.push {
        Some(block) => block,
        None => push_block(cx)?,
    };
    let ty = if member < ADDRESSES { wide } else { word };
    let pointer_ty = cx.b.pointer(StorageClass::PushConstant, ty);
    let index = cx.b.const_u32(member);
    let pointer = cx.b.access_chain(pointer_ty, block, &[index]);
    Ok(cx.b.load(ty, pointer))
}

fn push_block(cx: &mut Context<'_>) -> Result<Id> {
    let what = || "a node of a work graph".to_owned();
    cx.input
        .need_feature(Features::INT64, "shaderInt64", what)?;
    resource_variables::physical_addresses(&mut cx.b, &cx.input)?;
    let plan = &cx.input.plan.table;
    // There is one block of push constants, and its layout belongs to the layer.
    if plan.push_words > 0 && cx.input.options.bindings.root_constants.is_none() {
        return Err(Error::unsupported(
            "root arguments of a node in push constants, which hold its records",
        ));
    }
    let (word, wide) = (cx.b.u32(), cx.b.uint(64));
    let mut members = [wide; 9];
    members[ADDRESSES as usize..].fill(word);
    // The offsets are decorations of the type, so it may not be shared with a struct of the same
    // members.
    let ty = cx.b.unique_struct(&members);
    cx.b.decorate(ty, Decoration::Block, &[]);
    for member in 0..9 {
        // Addresses come first, so that no padding is needed.
        let offset = 8 * member.min(ADDRESSES) + 4 * member.saturating_sub(ADDRESSES);
        cx.b.member_decorate(ty, member, Decoration::Offset, &[offset]);
    }
    let pointer_ty = cx.b.pointer(StorageClass::PushConstant, ty);
    let id =
        cx.b.global_variable(StorageClass::PushConstant, pointer_ty, None);
    if cx.input.options.debug_info {
        cx.b.name(id, "node_dispatch");
    }
    cx.module.nodes.push = Some(id);
    Ok(id)
}
