//! Words that only the layer knows, in buffers beside the shader's own resources: how many descriptors
//! its heap has, which view instance is drawn, where the counters' addresses lie. What a
//! [`BindingMap`](crate::BindingMap) and [`ViewInstancing`](crate::ViewInstancing) say of them.

use crate::lower::Lowering;
use crate::spirv::{Decoration, GLOp, Id, Op, StorageClass};
use crate::{DescriptorKind, DescriptorSlot, HeapSize};

/// D3D12 allows sampler heaps of at most 2048 descriptors.
pub(in crate::lower) const LAST_SAMPLER: u32 = 2047;

/// Variables of the module under construction: a few at most.
#[derive(Debug, Default)]
pub(in crate::lower) struct LayerWords {
    /// Uniform buffers by slot and number of words.
    uniforms: Vec<(DescriptorSlot, u32, Id)>,
    /// The storage buffer whose length is the heap's.
    sized: Option<Id>,
    /// What is bound because of them.
    pub(in crate::lower) bound: Vec<LayerBinding>,
}

/// A descriptor that serves no declared resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayerBinding {
    pub(crate) slot: DescriptorSlot,
    pub(crate) kind: DescriptorKind,
    /// Bytes that it has, or that each of its elements has.
    pub(crate) bytes: u32,
}

impl Lowering<'_> {
    /// The first word of a uniform buffer.
    pub(in crate::lower) fn uniform_word(&mut self, slot: DescriptorSlot) -> Id {
        let word = self.b.u32();
        self.uniform_member(slot, 1, word)
    }

    /// The first two words of a uniform buffer.
    pub(in crate::lower) fn uniform_pair(&mut self, slot: DescriptorSlot) -> Id {
        let word = self.b.u32();
        let pair = self.b.vector(word, 2);
        self.uniform_member(slot, 2, pair)
    }

    fn uniform_member(&mut self, slot: DescriptorSlot, words: u32, ty: Id) -> Id {
        let known = self.resources.layer_words.uniforms.iter();
        let known = known
            .filter(|&&(other, count, _)| (other, count) == (slot, words))
            .map(|&(.., id)| id)
            .next();
        let variable = known.unwrap_or_else(|| {
            let id = self.layer_block(StorageClass::Uniform, slot, ty, "layer_words");
            let words_of = &mut self.resources.layer_words;
            words_of.uniforms.push((slot, words, id));
            words_of.bound.push(LayerBinding {
                slot,
                kind: DescriptorKind::UniformBuffer,
                bytes: words * 4,
            });
            id
        });
        let pointer_ty = self.b.pointer(StorageClass::Uniform, ty);
        let zero = self.b.const_u32(0);
        let pointer = self.b.access_chain(pointer_ty, variable, &[zero]);
        self.b.load(ty, pointer)
    }

    /// A variable that is a block with one member.
    fn layer_block(
        &mut self,
        class: StorageClass,
        slot: DescriptorSlot,
        member: Id,
        name: &str,
    ) -> Id {
        let b = &mut self.b;
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
        if self.options.debug_info {
            self.b.name(id, name);
        }
        id
    }

    /// An index into a descriptor heap, moved to the descriptor behind the heap's last one if it lies
    /// beyond: that one is null. Samplers have none to spare; there the last one serves.
    pub(in crate::lower) fn bounded_heap_index(&mut self, index: Id, samplers: bool) -> Id {
        let Some(size) = self.options.bindings.heap_size else {
            return index;
        };
        // Then it is looked at where the descriptor is used.
        if self.watches_assumptions() {
            return index;
        }
        let most = if samplers {
            self.b.const_u32(LAST_SAMPLER)
        } else {
            self.heap_size(size)
        };
        let word = self.b.u32();
        self.b.glsl(GLOp::UMin, word, &[index, most])
    }

    pub(in crate::lower) fn heap_size(&mut self, size: HeapSize) -> Id {
        match size {
            HeapSize::UniformWord(slot) => self.uniform_word(slot),
            HeapSize::BufferLength { slot, stride } => {
                let variable = self.resources.layer_words.sized.unwrap_or_else(|| {
                    // An element is as large as what the buffer has per descriptor.
                    let word = self.b.u32();
                    let words = (stride / 4).max(1);
                    let element = self.b.strided_array(word, words, 4);
                    let elements = self.b.strided_array(element, 0, words * 4);
                    let class = StorageClass::StorageBuffer;
                    let id = self.layer_block(class, slot, elements, "heap_view");
                    let words = &mut self.resources.layer_words;
                    words.sized = Some(id);
                    words.bound.push(LayerBinding {
                        slot,
                        kind: DescriptorKind::StorageBuffer,
                        bytes: stride,
                    });
                    id
                });
                let word = self.b.u32();
                self.b.emit(Op::ArrayLength, word, &[variable.0, 0])
            }
        }
    }
}
