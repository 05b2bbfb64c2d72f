//! Words that the layer provides in buffers beside the shader's own resources: the number of
//! descriptors of its heap, the view instance that is drawn, the addresses of counters.
//! [`BindingMap`](crate::BindingMap) and [`ViewInstancing`](crate::ViewInstancing) describe them.

use crate::lower::context::{Context, Input};
use crate::lower::resources::state::LayerBinding;
use crate::spirv::{Builder, Decoration, Id, Op, StorageClass};
use crate::{DescriptorKind, DescriptorSlot, HeapSize};

/// D3D12 allows sampler heaps of at most 2048 descriptors.
pub(super) const LAST_SAMPLER: u32 = 2047;

/// Returns the first word of a uniform buffer.
pub(in crate::lower) fn uniform_word(cx: &mut Context<'_>, slot: DescriptorSlot) -> Id {
    let word = cx.b.u32();
    uniform_member(cx, slot, 1, word)
}

/// Returns the first two words of a uniform buffer.
pub(super) fn uniform_pair(cx: &mut Context<'_>, slot: DescriptorSlot) -> Id {
    let word = cx.b.u32();
    let pair = cx.b.vector(word, 2);
    uniform_member(cx, slot, 2, pair)
}

fn uniform_member(cx: &mut Context<'_>, slot: DescriptorSlot, words: u32, ty: Id) -> Id {
    let known = cx.module.resources.layer_words.uniforms.iter();
    let known = known
        .filter(|&&(other, count, _)| (other, count) == (slot, words))
        .map(|&(.., id)| id)
        .next();
    // Buffers of one and of two words in the same slot are different variables.
    let variable = known.unwrap_or_else(|| {
        let id = layer_block(
            &mut cx.b,
            &cx.input,
            StorageClass::Uniform,
            slot,
            ty,
            "layer_words",
        );
        let words_of = &mut cx.module.resources.layer_words;
        words_of.uniforms.push((slot, words, id));
        words_of.bound.push(LayerBinding {
            slot,
            kind: DescriptorKind::UniformBuffer,
            bytes: words * 4,
        });
        id
    });
    let pointer_ty = cx.b.pointer(StorageClass::Uniform, ty);
    let zero = cx.b.const_u32(0);
    let pointer = cx.b.access_chain(pointer_ty, variable, &[zero]);
    cx.b.load(ty, pointer)
}

/// Returns a variable that is a block with one member.
fn layer_block(
    b: &mut Builder,
    input: &Input<'_>,
    class: StorageClass,
    slot: DescriptorSlot,
    member: Id,
    name: &str,
) -> Id {
    let block = b.unique_struct(&[member]);
    b.decorate(block, Decoration::Block, &[]);
    b.member_decorate(block, 0, Decoration::Offset, &[0]);
    if class == StorageClass::StorageBuffer {
        b.member_decorate(block, 0, Decoration::NonWritable, &[]);
    }
    let pointer = b.pointer(class, block);
    let id = b.global_variable(class, pointer, None);
    b.decorate(id, Decoration::DescriptorSet, &[slot.set]);
    b.decorate(id, Decoration::Binding, &[slot.binding]);
    if input.options.debug_info {
        b.name(id, name);
    }
    id
}

pub(super) fn heap_size(cx: &mut Context<'_>, size: HeapSize) -> Id {
    match size {
        HeapSize::UniformWord(slot) => uniform_word(cx, slot),
        HeapSize::BufferLength { slot, stride } => {
            let variable = cx.module.resources.layer_words.sized.unwrap_or_else(|| {
                // An element is as large as the buffer's data for one descriptor, so that the
                // length counts descriptors.
                let word = cx.b.u32();
                let words = (stride / 4).max(1);
                let element = cx.b.strided_array(word, words, 4);
                let elements = cx.b.strided_array(element, 0, words * 4);
                let class = StorageClass::StorageBuffer;
                let id = layer_block(&mut cx.b, &cx.input, class, slot, elements, "heap_view");
                let words = &mut cx.module.resources.layer_words;
                words.sized = Some(id);
                words.bound.push(LayerBinding {
                    slot,
                    kind: DescriptorKind::StorageBuffer,
                    bytes: stride,
                });
                id
            });
            let word = cx.b.u32();
            cx.b.emit(Op::ArrayLength, word, &[variable.0, 0])
        }
    }
}
