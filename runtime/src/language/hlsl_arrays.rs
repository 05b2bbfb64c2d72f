//! Arrays of textures and samplers in HLSL: their ends, samplers without a heap of wgpu's, and the
//! heaps of descriptors.
//!
//! naga's writer asks for the size of each array, so those without an end get [`UNBOUNDED`]. It
//! reads the indices of samplers from a buffer that only wgpu provides (patch 0017):
//! `nagaSamplerHeap[nagaGroup1SamplerIndexArray[array + i]]`.

use std::collections::{BTreeMap, BTreeSet};

use naga::back::hlsl::{BindTarget, BindingMap};
use naga::{ArraySize, Module, TypeInner};

use super::hlsl_registers::HlslRegisters;
use super::text_context::TextContext;
use super::tokens::{Edits, Tokens};

/// The size that naga writes for arrays without an end.
const UNBOUNDED: u32 = u32::MAX;

/// The names of naga's heaps of samplers.
const SAMPLER_HEAPS: [&str; 2] = ["nagaSamplerHeap", "nagaComparisonSamplerHeap"];

/// An array of descriptors.
struct Array {
    /// HLSL's type of its elements, if these are samplers.
    sampler: Option<&'static str>,
    /// Number of elements; `None` has no end.
    size: Option<u32>,
}

/// Returns the arrays of a module by group and binding.
fn arrays(module: &Module) -> BTreeMap<(u32, u32), Array> {
    let variables = module.global_variables.iter();
    variables
        .filter_map(|(_, variable)| {
            let at = variable.binding?;
            let TypeInner::BindingArray { base, size } = module.types[variable.ty].inner else {
                return None;
            };
            let array = Array {
                sampler: match module.types[base].inner {
                    TypeInner::Sampler { comparison: true } => Some("SamplerComparisonState"),
                    TypeInner::Sampler { comparison: false } => Some("SamplerState"),
                    _ => None,
                },
                size: match size {
                    ArraySize::Constant(count) => Some(count.get()),
                    ArraySize::Pending(_) | ArraySize::Dynamic => None,
                },
            };
            Some(((at.group, at.binding), array))
        })
        .collect()
}

/// Gives arrays without an end a size that naga's writer takes.
pub(super) fn give_sizes(module: &Module, map: &mut BindingMap) {
    for ((group, binding), array) in arrays(module) {
        if array.size.is_none() && array.sampler.is_none() {
            let at = naga::ResourceBinding { group, binding };
            let target = map.entry(at).or_insert_with(|| BindTarget {
                space: u8::try_from(group).unwrap_or(u8::MAX),
                register: binding,
                ..BindTarget::default()
            });
            target.binding_array_size = Some(UNBOUNDED);
        }
    }
}

/// Writes arrays as HLSL has them.
///
/// # Errors
///
/// The text has another form than naga 30 writes.
pub(super) fn write(written: &TextContext<'_>, text: String) -> Result<String, &'static str> {
    let arrays = arrays(written.module);
    if arrays.is_empty() {
        return Ok(text);
    }
    let tokens = Tokens::of(&text);
    let text = sampler_arrays(&text, &tokens, &arrays, written.registers)?;
    let tokens = Tokens::of(&text);
    let text = without_ends(&text, &tokens);
    Ok(match written.registers.heap_group() {
        Some(group) => from_heaps(&text, &arrays, written.registers, group),
        None => text,
    })
}

/// Gives arrays of samplers registers.
fn sampler_arrays(
    text: &str,
    tokens: &Tokens<'_>,
    arrays: &BTreeMap<(u32, u32), Array>,
    registers: &HlslRegisters,
) -> Result<String, &'static str> {
    // The group of each array, by its name.
    let mut groups = BTreeMap::new();
    for at in 0..tokens.count() {
        if tokens.are(at + 1, &["[", "*", "+"])
            && let Some(group) = group_of(tokens.get(at))
        {
            groups.insert(tokens.get(at + 2), group);
        }
    }
    let mut edits = Edits::default();
    let mut at = 0;
    while at < tokens.count() {
        if tokens.are(at, &["static", "const", "uint", "*", "=", "*", ";"])
            && let Some(&group) = groups.get(tokens.get(at + 3))
        {
            // `static const uint array = 3;`
            let binding: u32 = tokens
                .get(at + 5)
                .parse()
                .map_err(|_| "an array of samplers without a number")?;
            let array = arrays.get(&(group, binding));
            let array = array.and_then(|array| Some((array, array.sampler?)));
            let (array, ty) = array.ok_or("an array of samplers that is none")?;
            let name = tokens.get(at + 3);
            let size = array.size.map(|size| size.to_string()).unwrap_or_default();
            let (register, space) = registers.sampler(group, binding);
            let range = tokens.range(at).start..tokens.range(at + 6).end;
            let declared = format!("{ty} {name}[{size}] : register(s{register}, space{space});");
            edits.replace(range, declared);
            at += 7;
        } else if SAMPLER_HEAPS.contains(&tokens.get(at))
            && tokens.get(at + 1) == "["
            && let Some(use_) = use_of(tokens, at, &groups)
        {
            edits.replace(tokens.range(at), use_.name);
            let index = tokens.range(use_.start).start..tokens.range(use_.index).start;
            edits.replace(index, "(");
            edits.replace(tokens.range(use_.end), ")");
            at = use_.end + 1;
        } else {
            at += 1;
        }
    }
    Ok(edits.apply(text))
}

/// The access to an element of an array of samplers.
struct Use<'a> {
    name: &'a str,
    /// The name of the buffer of indices.
    start: usize,
    /// The first token of the index.
    index: usize,
    /// The bracket after it.
    end: usize,
}

fn use_of<'a>(tokens: &Tokens<'a>, at: usize, groups: &BTreeMap<&str, u32>) -> Option<Use<'a>> {
    let per_lane = tokens.are(at + 2, &["NonUniformResourceIndex", "("]);
    let start = if per_lane { at + 4 } else { at + 2 };
    group_of(tokens.get(start))?;
    let name = tokens.get(start + 2);
    let is_it = tokens.are(start + 1, &["[", "*", "+"]) && groups.contains_key(name);
    is_it.then_some(())?;
    Some(Use {
        name,
        start,
        index: start + 4,
        end: tokens.closing(start + 1)?,
    })
}

/// Returns the group of naga's buffer of indices of samplers.
fn group_of(name: &str) -> Option<u32> {
    let name = name.strip_prefix("nagaGroup")?;
    name.strip_suffix("SamplerIndexArray")?.parse().ok()
}

/// Removes the sizes of arrays that have no end.
fn without_ends(text: &str, tokens: &Tokens<'_>) -> String {
    let size = UNBOUNDED.to_string();
    let mut edits = Edits::default();
    for at in 0..tokens.count() {
        if tokens.are(at, &["[", &size, "]", ":", "register", "("]) {
            edits.replace(tokens.range(at + 1), "");
        }
    }
    edits.apply(text)
}

/// Replaces arrays that stand for heaps by functions that return a descriptor of the heap.
fn from_heaps(
    text: &str,
    arrays: &BTreeMap<(u32, u32), Array>,
    registers: &HlslRegisters,
    group: u32,
) -> String {
    let tokens = Tokens::of(text);
    let heaps: BTreeMap<(String, String), &str> = arrays
        .iter()
        .filter(|((of, _), array)| *of == group && array.size.is_none())
        .map(|(&(group, binding), array)| {
            if array.sampler.is_some() {
                let (register, space) = registers.sampler(group, binding);
                let place = (format!("s{register}"), format!("space{space}"));
                return (place, "SamplerDescriptorHeap");
            }
            let place = (binding.to_string(), format!("space{group}"));
            (place, "ResourceDescriptorHeap")
        })
        .collect();
    let words: BTreeSet<&str> = (0..tokens.count()).map(|at| tokens.get(at)).collect();
    let mut names = BTreeMap::new();
    let mut edits = Edits::default();
    let mut at = 0;
    while at < tokens.count() {
        // `Texture2D<float4> name[] : register(t0, space2);`
        if tokens.are(
            at + 1,
            &["[", "]", ":", "register", "(", "*", ",", "*", ")", ";"],
        ) {
            let (register, space) = (tokens.get(at + 6), tokens.get(at + 8).to_owned());
            let number = register.trim_start_matches(['t', 'u']).to_owned();
            let texture = heaps.get(&(number, space.clone()));
            let heap = texture.or_else(|| heaps.get(&(register.to_owned(), space)));
            if let Some(heap) = heap {
                let name = tokens.get(at);
                let mut per_lane = format!("{name}_per_lane");
                while words.contains(per_lane.as_str()) {
                    per_lane.push('_');
                }
                let start = tokens.range(at).start;
                let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
                let ty = text[line..start].trim();
                let functions = format!(
                    "{ty} {name}(uint index) {{ return {heap}[index]; }}\n\
                     {ty} {per_lane}(uint index) {{ return {heap}[NonUniformResourceIndex(index)]; }}"
                );
                edits.replace(line..tokens.range(at + 10).end, functions);
                names.insert(name, per_lane);
                at += 11;
                continue;
            }
        }
        if let Some(per_lane) = names.get(tokens.get(at)) {
            at = element(&tokens, at, per_lane, &names, &mut edits);
            continue;
        }
        at += 1;
    }
    edits.apply(text)
}

/// Makes `name[i]` a call, with all such elements in its index, and returns the token after it.
fn element(
    tokens: &Tokens<'_>,
    at: usize,
    per_lane: &str,
    names: &BTreeMap<&str, String>,
    edits: &mut Edits,
) -> usize {
    let Some(end) = tokens.closing(at + 1).filter(|_| tokens.get(at + 1) == "[") else {
        return at + 1;
    };
    let mut inner = at + 2;
    if tokens.are(at + 2, &["NonUniformResourceIndex", "("]) {
        edits.replace(tokens.range(at), per_lane);
        edits.replace(tokens.range(at + 1), "(");
        edits.replace(tokens.range(at + 2), "");
        inner = at + 3;
    } else {
        edits.replace(tokens.range(at + 1), "(");
    }
    while inner < end {
        inner = match names.get(tokens.get(inner)) {
            Some(per_lane) => element(tokens, inner, per_lane, names, edits),
            None => inner + 1,
        };
    }
    edits.replace(tokens.range(end), ")");
    end + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::casts::FloatCasts;
    use crate::program::{Layout, SetLayout};

    const WGSL: &str = "enable wgpu_binding_array;
        @group(1) @binding(3) var samplers: binding_array<sampler>;
        @group(2) @binding(0) var heap: binding_array<texture_2d<f32>>;
        @compute @workgroup_size(1) fn main() {}";
    const TEXT: &str = "static const uint samplers = 3;\n\
        Texture2D<float4> heap[4294967295] : register(t0, space2);\n\
        heap[NonUniformResourceIndex((i + heap[1u].Load(c)))].Sample(\
        nagaSamplerHeap[NonUniformResourceIndex(nagaGroup1SamplerIndexArray[samplers + j])], uv);\n\
        heap[i].Sample(nagaSamplerHeap[nagaGroup1SamplerIndexArray[samplers + 2]], uv);\n";

    fn corrected(registers: &HlslRegisters) -> String {
        let module = naga::front::wgsl::parse_str(WGSL).unwrap();
        let written = TextContext {
            module: &module,
            casts: &FloatCasts::default(),
            metal: None,
            registers,
        };
        write(&written, TEXT.to_owned()).unwrap()
    }

    #[test]
    fn arrays_have_registers_and_no_end() {
        assert_eq!(
            corrected(&HlslRegisters::default()),
            "SamplerState samplers[] : register(s3, space1);\n\
            Texture2D<float4> heap[] : register(t0, space2);\n\
            heap[NonUniformResourceIndex((i + heap[1u].Load(c)))].Sample(\
            samplers[NonUniformResourceIndex((j))], uv);\n\
            heap[i].Sample(samplers[(2)], uv);\n"
        );
    }

    #[test]
    fn samplers_that_compare_have_their_type() {
        let wgsl = "enable wgpu_binding_array;
            @group(1) @binding(3) var samplers: binding_array<sampler_comparison, 4>;
            @compute @workgroup_size(1) fn main() {}";
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        let written = TextContext {
            module: &module,
            casts: &FloatCasts::default(),
            metal: None,
            registers: &HlslRegisters::default(),
        };
        let text = "static const uint samplers = 3;\n\
            f(nagaComparisonSamplerHeap[nagaGroup1SamplerIndexArray[samplers + i]]);\n";
        assert_eq!(
            write(&written, text.to_owned()).unwrap(),
            "SamplerComparisonState samplers[4] : register(s3, space1);\nf(samplers[(i)]);\n"
        );
    }

    #[test]
    fn with_registers_heaps_are_those_of_hlsl() {
        let layout = Layout {
            sets: vec![SetLayout::default(); 3],
            ..Layout::default()
        };
        let text = corrected(&HlslRegisters::of(&layout));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1..],
            [
                "Texture2D<float4> heap(uint index) { return ResourceDescriptorHeap[index]; }",
                "Texture2D<float4> heap_per_lane(uint index) \
                 { return ResourceDescriptorHeap[NonUniformResourceIndex(index)]; }",
                "heap_per_lane(((i + heap(1u).Load(c)))).Sample(\
                 samplers[NonUniformResourceIndex((j))], uv);",
                "heap(i).Sample(samplers[(2)], uv);",
            ]
        );
    }
}
