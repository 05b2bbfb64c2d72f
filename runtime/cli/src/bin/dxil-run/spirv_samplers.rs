//! Textures and samplers that share a binding.
//!
//! A module may decorate a texture and a sampler with the same set and binding, which Vulkan backs
//! with a combined image sampler. D3D12 has a register for each of the two, so the sampler gets
//! another binding, in the module and in the layout.

use dxil_translate::DescriptorKind;
use rspirv::spirv::{Decoration, Op};

use crate::failure::{Failure, Result};

/// Words of a module's header.
const HEADER: usize = 5;

/// A variable and where it is.
pub(crate) struct Bound {
    /// Id of the variable.
    pub(crate) variable: u32,
    /// Descriptor type.
    pub(crate) descriptor: DescriptorKind,
    /// Descriptor set.
    pub(crate) set: u32,
    /// First binding.
    pub(crate) binding: u32,
    /// Number of descriptors.
    pub(crate) count: u32,
}

/// Gives each sampler that is where a texture is a binding after all others of its set.
///
/// # Errors
///
/// Fails if the set has no higher binding.
pub(crate) fn separate(all: &mut [Bound], words: &mut [u32]) -> Result<()> {
    for at in 0..all.len() {
        let Some(sampler) = all.get(at) else {
            continue;
        };
        let (set, binding) = (sampler.set, sampler.binding);
        if sampler.descriptor != DescriptorKind::Sampler {
            continue;
        }
        let in_set = || all.iter().filter(|it| it.set == set);
        let is_texture = |it: &Bound| it.descriptor == DescriptorKind::SampledImage;
        if !in_set().any(|it| it.binding == binding && is_texture(it)) {
            continue;
        }
        let ends = in_set().map(|it| it.binding.checked_add(it.count));
        let free = ends.collect::<Option<Vec<u32>>>();
        let free = free.and_then(|ends| ends.into_iter().max());
        let free = free.ok_or_else(|| {
            Failure::unsupported(format!(
                "set {set}, binding {binding}: a texture and a sampler on one binding, and the set \
                 has no binding after them"
            ))
        })?;
        // Several variables may be the same sampler.
        for other in all.iter_mut() {
            let is_same = other.descriptor == DescriptorKind::Sampler
                && (other.set, other.binding) == (set, binding);
            if is_same {
                other.binding = free;
                decorate(words, other.variable, free);
            }
        }
    }
    Ok(())
}

/// Changes the binding that a variable is decorated with.
fn decorate(words: &mut [u32], variable: u32, binding: u32) {
    let mut at = HEADER;
    while let Some(&first) = words.get(at) {
        let count = (first >> 16) as usize;
        let instruction = words.get_mut(at..at + count);
        if let Some([head, target, decoration, number]) = instruction
            && *head & 0xffff == Op::Decorate as u32
            && (*target, *decoration) == (variable, Decoration::Binding as u32)
        {
            *number = binding;
        }
        at += count.max(1);
    }
}
