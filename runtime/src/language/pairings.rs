//! One texture variable per sampler: GLSL combines textures and samplers.
//!
//! The texture keeps its binding for the first sampler. For each other sampler it gets a new
//! binding behind those of the module; comments at the end of the text describe the new bindings.

use std::collections::HashMap;
use std::fmt::Write as _;

use rspirv::spirv::{Decoration, Op};

use super::words::{HEADER, instructions};

/// A module whose textures each have one sampler.
#[derive(Debug)]
pub(super) struct Paired {
    /// The module.
    pub words: Vec<u32>,
    /// Comments about its new variables.
    pub notes: String,
}

/// The variables of a module.
#[derive(Default)]
struct ModuleVariables {
    /// (group, binding) of each variable.
    bindings: HashMap<u32, (u32, u32)>,
    /// Type and variable of each loaded value.
    loads: HashMap<u32, (u32, u32)>,
    /// New variables of (texture, sampler), without those of first samplers.
    extra: Vec<((u32, u32), u32)>,
}

/// Returns a module in which each texture has one sampler; `None` if that is so already.
pub(super) fn one_sampler_each(words: &[u32]) -> Option<Paired> {
    let mut bound = *words.get(3)?;
    let mut fresh = || {
        bound += 1;
        bound - 1
    };
    let mut module = ModuleVariables::default();
    let mut first: HashMap<u32, u32> = HashMap::new();
    for (op, instruction) in instructions(words) {
        match *instruction {
            [_, target, decoration, value] if op == Op::Decorate as u32 => {
                let slot = module.bindings.entry(target).or_default();
                match decoration {
                    d if d == Decoration::DescriptorSet as u32 => slot.0 = value,
                    d if d == Decoration::Binding as u32 => slot.1 = value,
                    _ => {}
                }
            }
            [_, ty, result, pointer, ..] if op == Op::Load as u32 => {
                module.loads.insert(result, (ty, pointer));
            }
            [_, _, _, image, sampler] if op == Op::SampledImage as u32 => {
                let Some(pair) = module.pair(image, sampler) else {
                    continue;
                };
                let known = *first.entry(pair.0).or_insert(pair.1) == pair.1;
                if !known && module.variable(pair).is_none() {
                    let id = fresh();
                    module.extra.push((pair, id));
                }
            }
            _ => {}
        }
    }
    if module.extra.is_empty() {
        return None;
    }
    Some(module.rewrite(words, fresh))
}

impl ModuleVariables {
    /// Returns the variables of a texture and a sampler.
    fn pair(&self, image: u32, sampler: u32) -> Option<(u32, u32)> {
        Some((self.loads.get(&image)?.1, self.loads.get(&sampler)?.1))
    }

    fn variable(&self, pair: (u32, u32)) -> Option<u32> {
        let mut extra = self.extra.iter();
        extra
            .find(|(known, _)| *known == pair)
            .map(|(_, variable)| *variable)
    }

    fn rewrite(&self, words: &[u32], mut fresh: impl FnMut() -> u32) -> Paired {
        let mut notes = String::new();
        let mut decorations = Vec::new();
        let unused = self.bindings.values().map(|slot| slot.1 + 1).max();
        for (binding, &((texture, sampler), variable)) in (unused.unwrap_or(0)..).zip(&self.extra) {
            let slot = |variable| self.bindings.get(&variable).copied().unwrap_or_default();
            let ((group, texture), sampler) = (slot(texture), slot(sampler));
            for (decoration, value) in [
                (Decoration::DescriptorSet, group),
                (Decoration::Binding, binding),
            ] {
                decorations.extend([
                    4 << 16 | Op::Decorate as u32,
                    variable,
                    decoration as u32,
                    value,
                ]);
            }
            let _ = writeln!(
                notes,
                "// group {group}, binding {binding}: the texture of group {group}, binding {texture}, \
                 with the sampler of group {}, binding {}",
                sampler.0, sampler.1
            );
        }
        let mut changed = words[..HEADER].to_vec();
        for (op, instruction) in instructions(words) {
            match *instruction {
                [first, ty, result, image, sampler] if op == Op::SampledImage as u32 => {
                    let variable = self
                        .pair(image, sampler)
                        .and_then(|pair| self.variable(pair));
                    let mut image = image;
                    if let (Some(variable), Some((image_ty, _))) =
                        (variable, self.loads.get(&image))
                    {
                        image = fresh();
                        changed.extend([4 << 16 | Op::Load as u32, *image_ty, image, variable]);
                    }
                    changed.extend([first, ty, result, image, sampler]);
                    continue;
                }
                [_, _, _, ..] if op == Op::Decorate as u32 => changed.append(&mut decorations),
                [first, ty, result, class] if op == Op::Variable as u32 => {
                    for ((texture, _), variable) in &self.extra {
                        if *texture == result {
                            changed.extend([first, ty, *variable, class]);
                        }
                    }
                }
                _ => {}
            }
            changed.extend_from_slice(instruction);
        }
        // Identifiers end at the bound.
        changed[3] = fresh();
        Paired {
            words: changed,
            notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(bound: u32, instructions: &[&[u32]]) -> Vec<u32> {
        let mut words = vec![0, 0, 0, bound, 0];
        for instruction in instructions {
            words.push((instruction.len() as u32) << 16 | instruction[0]);
            words.extend_from_slice(&instruction[1..]);
        }
        words
    }

    #[test]
    fn the_second_sampler_gets_a_texture_of_its_own() {
        let (decorate, variable, load) =
            (Op::Decorate as u32, Op::Variable as u32, Op::Load as u32);
        let (set, binding) = (Decoration::DescriptorSet as u32, Decoration::Binding as u32);
        let sampled = Op::SampledImage as u32;
        let (texture, first, second) = (1, 2, 3);
        let places = [(texture, 4), (first, 5), (second, 6)]
            .map(|(id, place)| [[decorate, id, set, 1], [decorate, id, binding, place]])
            .concat();
        let head: Vec<&[u32]> = places.iter().map(|words| &words[..]).collect();
        let code: [&[u32]; 6] = [
            &[variable, 10, texture, 0],
            &[load, 11, 20, texture],
            &[load, 12, 21, first],
            &[sampled, 13, 22, 20, 21],
            &[load, 12, 23, second],
            &[sampled, 13, 24, 20, 23],
        ];
        let words = module(30, &[&head[..], &code].concat());
        let paired = one_sampler_each(&words).map(|paired| paired.words);
        // The new variable and its load take the next identifiers.
        let decorations: [&[u32]; 2] = [&[decorate, 30, set, 1], &[decorate, 30, binding, 7]];
        let code: [&[u32]; 8] = [
            &[variable, 10, 30, 0],
            &[variable, 10, texture, 0],
            &[load, 11, 20, texture],
            &[load, 12, 21, first],
            &[sampled, 13, 22, 20, 21],
            &[load, 12, 23, second],
            &[load, 11, 31, 30],
            &[sampled, 13, 24, 31, 23],
        ];
        let wanted = [&decorations, &head[..], &code].concat();
        assert_eq!(paired, Some(module(32, &wanted)));
        assert!(one_sampler_each(&module(32, &wanted)).is_none());
    }
}
