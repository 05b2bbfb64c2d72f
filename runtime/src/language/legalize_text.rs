//! Corrections to the text that naga 30 writes. The module documentation of `language` lists them
//! with their reasons; a number is the patch in `docs/upstream/` that makes one unnecessary.

use naga::{Binding, BuiltIn, Module, TypeInner};

/// The directive that WGSL requires for subgroup built-ins. naga 30 does not write it, and refuses
/// text that has it (patch 0012).
const SUBGROUPS: &str = "enable subgroups;\n";

/// Returns WGSL with the directive that subgroup built-ins require (WGSL, 4.1.1).
pub(super) fn wgsl(text: String) -> String {
    let calls = ["subgroup", "quadSwap", "quadBroadcast"];
    if calls.iter().any(|name| text.contains(name)) {
        SUBGROUPS.to_owned() + &text
    } else {
        text
    }
}

/// Returns WGSL without the directive that naga does not read.
pub(crate) fn wgsl_for_naga(text: &str) -> &str {
    text.strip_prefix(SUBGROUPS).unwrap_or(text)
}

/// Returns GLSL in which sample masks are arrays (patch 0010), cull distances have their size
/// (patch 0009), and subgroup built-ins have their extension (patch 0008).
pub(super) fn glsl(module: &Module, text: &str) -> String {
    let mut text = text.replace("gl_SampleMaskIn;", "uint(gl_SampleMaskIn[0]);");
    const MASK: &str = "gl_SampleMask = ";
    if let Some(start) = text.find(MASK)
        && let Some(length) = text[start..].find(';')
    {
        let value = text[start + MASK.len()..start + length].to_owned();
        let legalized = format!("gl_SampleMask[0] = int({value})");
        text.replace_range(start..start + length, &legalized);
    }
    if let Some(count) = size_of(module, BuiltIn::CullDistance)
        && let Some(main) = text.find("void main() {")
    {
        text.insert_str(main, &format!("out float gl_CullDistance[{count}];\n\n"));
    }
    const BASIC: &str = "#extension GL_KHR_shader_subgroup_basic : require\n";
    if text.contains("gl_Subgroup")
        && !text.contains(BASIC)
        && let Some(line) = text.find('\n')
    {
        text.insert_str(line + 1, BASIC);
    }
    text
}

/// Returns HLSL in which clip and cull distances are vectors, samplers have registers, arrays of
/// multisampled textures their type (patch 0002) and arrays of 1D textures their methods (patch
/// 0003). `register` returns register and space of a sampler by its group and binding.
pub(super) fn hlsl(text: &str, register: impl Fn(u32, u32) -> (u32, u32)) -> String {
    let text = text.replace("Texture2DArrayMS<", "Texture2DMSArray<");
    let mut legalized = String::with_capacity(text.len());
    for line in text.lines() {
        let heap = [
            "SamplerState nagaSamplerHeap[",
            "SamplerComparisonState nagaComparisonSamplerHeap[",
        ];
        if heap.iter().any(|start| line.starts_with(start))
            || line.starts_with("StructuredBuffer<uint> nagaGroup")
        {
            continue;
        }
        let replaced = sampler(line, &register)
            .or_else(|| distances(&text, line))
            .unwrap_or_else(|| line.to_owned());
        legalized.push_str(&replaced);
        legalized.push('\n');
    }
    long_literals(&sizes_of_1d_arrays(legalized))
}

/// Corrects the calls of `GetDimensions` on arrays of 1D textures, which have an argument too many
/// (patch 0003).
fn sizes_of_1d_arrays(text: String) -> String {
    let mut text = text;
    for (name, values, result) in [
        ("NagaNumLevels1DArray", "(0, ret.x, ret.y, ret.z)", "ret.z"),
        ("NagaNumLayers1DArray", "(0, ret.x, ret.y, ret.z)", "ret.y"),
        ("NagaDimensions1DArray", "(ret.x, ret.y)", "ret.x"),
        ("NagaRWDimensions1DArray", "(ret.x, ret.y)", "ret.x"),
        ("NagaRWNumLayers1DArray", "(ret.x, ret.y)", "ret.y"),
    ] {
        let Some(start) = text.find(&format!("uint {name}(")) else {
            continue;
        };
        let body = text[start..].find("{\n").map(|at| start + at + 2);
        let end = text[start..].find("\n}\n").map(|at| start + at);
        if let (Some(body), Some(end)) = (body, end) {
            let legalized =
                format!("    uint4 ret;\n    tex.GetDimensions{values};\n    return {result};");
            text.replace_range(body..end, &legalized);
        }
    }
    text
}

/// Writes literals of 64-bit integers with the suffix `LL`. naga writes `L`, which DXC reads as 32
/// bits (patch 0004).
fn long_literals(text: &str) -> String {
    let mut legalized = String::with_capacity(text.len());
    let mut rest = text;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..]
            .find(|c| !is_word(c))
            .map_or(rest.len(), |at| start + at);
        let word = &rest[start..end];
        legalized.push_str(&rest[..end]);
        let digits = word.trim_end_matches('L').trim_end_matches('u');
        let is_long = word.ends_with('L') && !word.ends_with("LL");
        if is_long && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            legalized.push('L');
        }
        rest = &rest[end..];
    }
    legalized.push_str(rest);
    legalized
}

/// Returns the declaration of a sampler with a register. `static const SamplerState a =
/// nagaSamplerHeap[nagaGroup1SamplerIndexArray[2]];` reads an index from a buffer that only wgpu
/// provides, to save descriptors.
fn sampler(line: &str, register: impl Fn(u32, u32) -> (u32, u32)) -> Option<String> {
    let rest = line.strip_prefix("static const ")?;
    let (declaration, value) = rest.split_once(" = naga")?;
    let value = value
        .strip_prefix("SamplerHeap[")
        .or_else(|| value.strip_prefix("ComparisonSamplerHeap["))?;
    let (group, rest) = value
        .strip_prefix("nagaGroup")?
        .split_once("SamplerIndexArray[")?;
    let binding = rest.strip_suffix("]];")?;
    let (register, space) = register(group.parse().ok()?, binding.parse().ok()?);
    let space = match space {
        0 => String::new(),
        space => format!(", space{space}"),
    };
    Some(format!("{declaration} : register(s{register}{space});"))
}

/// Returns the declaration of an array of distances as one or two vectors, as `SV_ClipDistance`
/// requires. naga declares one element.
fn distances(text: &str, line: &str) -> Option<String> {
    let rest = line.strip_prefix("    float ")?;
    let (name, semantic) = rest.strip_suffix(';')?.split_once(" : ")?;
    if !matches!(semantic, "SV_ClipDistance" | "SV_CullDistance") || name.contains('[') {
        return None;
    }
    let array = format!("    float {name}[");
    let after = text.get(text.find(&array)? + array.len()..)?;
    let (count, rest) = after.split_once(']')?;
    if !rest.starts_with(&format!(" : {semantic};")) {
        return None;
    }
    let count: u32 = count.parse().ok()?;
    let first = format!("    float{} {name} : {semantic}0;", count.min(4));
    Some(match count {
        0..=4 => first,
        _ => format!("{first}\n    float{} {name}_rest : {semantic}1;", count - 4),
    })
}

/// Returns the number of elements of an array that is an output of an entry point.
fn size_of(module: &Module, wanted: BuiltIn) -> Option<u32> {
    let results = module
        .entry_points
        .iter()
        .filter_map(|point| point.function.result.as_ref());
    let members = results.filter_map(|result| match &module.types[result.ty].inner {
        TypeInner::Struct { members, .. } => Some(members),
        _ => None,
    });
    let wanted = Binding::BuiltIn(wanted);
    let mut arrays = members
        .flatten()
        .filter(|member| member.binding.as_ref() == Some(&wanted));
    match module.types[arrays.next()?.ty].inner {
        TypeInner::Array {
            size: naga::ArraySize::Constant(count),
            ..
        } => Some(count.get()),
        _ => None,
    }
}
