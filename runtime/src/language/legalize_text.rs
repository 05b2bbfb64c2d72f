//! Corrections to text that naga wrote; `corrections` lists them with their reasons. Each first asks
//! the IR whether the text has what it corrects.

use naga::{Binding, BuiltIn, Expression, ImageClass, ImageDimension, Module, Scalar, TypeInner};

use super::blocks::functions;
use super::written::Written;

/// The text, or the reason why there is none.
type Corrected = Result<String, &'static str>;

/// The directive that WGSL requires for subgroup built-ins. naga 30 does not write it, and refuses
/// text that has it (patch 0012).
const SUBGROUPS: &str = "enable subgroups;\n";

/// Adds the directive that subgroup built-ins require (WGSL, 4.1.1 "Enable Extensions").
pub(super) fn enable_subgroups(written: &Written<'_>, text: String) -> Corrected {
    let module = written.module;
    if has_subgroup_operations(module) || has_subgroup_built_ins(module) {
        Ok(SUBGROUPS.to_owned() + &text)
    } else {
        Ok(text)
    }
}

/// Returns WGSL without the directive that naga does not read.
pub(crate) fn wgsl_for_naga(text: &str) -> &str {
    text.strip_prefix(SUBGROUPS).unwrap_or(text)
}

/// Makes sample masks arrays (GLSL 4.60, 7.1.5 "Fragment Shader Special Variables"; patch 0010).
pub(super) fn sample_masks(written: &Written<'_>, text: String) -> Corrected {
    if !has_built_in(written.module, |built_in| built_in == BuiltIn::SampleMask) {
        return Ok(text);
    }
    let mut text = text.replace("gl_SampleMaskIn;", "uint(gl_SampleMaskIn[0]);");
    const MASK: &str = "gl_SampleMask = ";
    if let Some(start) = text.find(MASK)
        && let Some(length) = text[start..].find(';')
    {
        let value = text[start + MASK.len()..start + length].to_owned();
        let corrected = format!("gl_SampleMask[0] = int({value})");
        text.replace_range(start..start + length, &corrected);
    }
    Ok(text)
}

/// Declares `gl_CullDistance` with its size, behind the directives (GLSL 4.60, 7.1.1 "Vertex Shader
/// Special Variables"; patch 0009).
pub(super) fn declare_cull_distances(written: &Written<'_>, text: String) -> Corrected {
    let mut text = text;
    if let Some(count) = size_of(written.module, BuiltIn::CullDistance) {
        let directives = text.split_inclusive('\n');
        let directives = directives.take_while(|line| line.starts_with('#'));
        let end = directives.map(str::len).sum();
        text.insert_str(end, &format!("\nout float gl_CullDistance[{count}];\n"));
    }
    Ok(text)
}

/// Adds the extension of subgroup built-ins behind the version; naga requests it for subgroup
/// operations (patch 0008).
pub(super) fn require_subgroups(written: &Written<'_>, text: String) -> Corrected {
    let mut text = text;
    let module = written.module;
    if has_subgroup_built_ins(module)
        && !has_subgroup_operations(module)
        && let Some(line) = text.find('\n')
    {
        let extension = "#extension GL_KHR_shader_subgroup_basic : require\n";
        text.insert_str(line + 1, extension);
    }
    Ok(text)
}

/// Corrects the name of the type of arrays of multisampled textures (patch 0002).
pub(super) fn multisampled_arrays(written: &Written<'_>, text: String) -> Corrected {
    let is_array = |dim, arrayed, class: ImageClass| {
        dim == ImageDimension::D2 && arrayed && class.is_multisampled()
    };
    if !has_image(written.module, is_array) {
        return Ok(text);
    }
    Ok(text.replace("Texture2DArrayMS<", "Texture2DMSArray<"))
}

/// Gives samplers registers. naga reads the index of a sampler from a buffer that only wgpu
/// provides.
pub(super) fn samplers(written: &Written<'_>, text: String) -> Corrected {
    let mut types = written.module.types.iter();
    if !types.any(|(_, ty)| matches!(ty.inner, TypeInner::Sampler { .. })) {
        return Ok(text);
    }
    let register = |group, binding| written.registers.sampler(group, binding);
    let heap = [
        "SamplerState nagaSamplerHeap[",
        "SamplerComparisonState nagaComparisonSamplerHeap[",
        "StructuredBuffer<uint> nagaGroup",
    ];
    let is_kept = |line: &&str| !heap.iter().any(|start| line.starts_with(start));
    Ok(with_lines(text.lines().filter(is_kept), |line| {
        sampler(line, register)
    }))
}

/// Declares clip and cull distances as vectors, as `SV_ClipDistance` requires.
pub(super) fn distances(written: &Written<'_>, text: String) -> Corrected {
    let is_distance = |built_in| matches!(built_in, BuiltIn::ClipDistances | BuiltIn::CullDistance);
    if !has_built_in(written.module, is_distance) {
        return Ok(text);
    }
    Ok(with_lines(text.lines(), |line| distance(&text, line)))
}

/// Returns the lines, some of them replaced.
fn with_lines<'a>(
    lines: impl Iterator<Item = &'a str>,
    replacement: impl Fn(&str) -> Option<String>,
) -> String {
    let mut text = String::new();
    for line in lines {
        text += replacement(line).as_deref().unwrap_or(line);
        text.push('\n');
    }
    text
}

/// Corrects the calls of `GetDimensions` on arrays of 1D textures, which have an argument too many
/// (patch 0003).
pub(super) fn sizes_of_1d_arrays(written: &Written<'_>, text: String) -> Corrected {
    if !has_image(written.module, |dim, arrayed, _| {
        dim == ImageDimension::D1 && arrayed
    }) {
        return Ok(text);
    }
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
            let corrected =
                format!("    uint4 ret;\n    tex.GetDimensions{values};\n    return {result};");
            text.replace_range(body..end, &corrected);
        }
    }
    Ok(text)
}

/// Writes literals of 64-bit integers with the suffix `LL`. naga writes `L`, which DXC reads as 32
/// bits (patch 0004).
pub(super) fn long_literals(written: &Written<'_>, text: String) -> Corrected {
    let is_long = |inner: &TypeInner| {
        let scalar = inner.scalar();
        scalar == Some(Scalar::I64) || scalar == Some(Scalar::U64)
    };
    let mut types = written.module.types.iter();
    if !types.any(|(_, ty)| is_long(&ty.inner)) {
        return Ok(text);
    }
    let mut corrected = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..]
            .find(|c| !is_word(c))
            .map_or(rest.len(), |at| start + at);
        let word = &rest[start..end];
        corrected.push_str(&rest[..end]);
        let digits = word.trim_end_matches('L').trim_end_matches('u');
        let is_long = word.ends_with('L') && !word.ends_with("LL");
        if is_long && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            corrected.push('L');
        }
        rest = &rest[end..];
    }
    corrected.push_str(rest);
    Ok(corrected)
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
fn distance(text: &str, line: &str) -> Option<String> {
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

/// Returns whether a type is an image of such a dimension, with or without layers, and class.
fn has_image(module: &Module, wanted: impl Fn(ImageDimension, bool, ImageClass) -> bool) -> bool {
    let mut types = module.types.iter();
    types.any(|(_, ty)| match ty.inner {
        TypeInner::Image {
            dim,
            arrayed,
            class,
        } => wanted(dim, arrayed, class),
        _ => false,
    })
}

/// Returns whether an entry point has an input or output of that kind.
fn has_built_in(module: &Module, wanted: impl Fn(BuiltIn) -> bool) -> bool {
    let is_wanted = |binding: Option<&Binding>| matches!(binding, Some(&Binding::BuiltIn(built_in)) if wanted(built_in));
    let has = |ty, binding: Option<&Binding>| {
        let TypeInner::Struct { members, .. } = &module.types[ty].inner else {
            return is_wanted(binding);
        };
        let mut members = members.iter();
        members.any(|member| is_wanted(member.binding.as_ref()))
    };
    let functions = module.entry_points.iter().map(|point| &point.function);
    functions.into_iter().any(|function| {
        let mut inputs = function.arguments.iter();
        inputs.any(|input| has(input.ty, input.binding.as_ref()))
            || function
                .result
                .as_ref()
                .is_some_and(|result| has(result.ty, result.binding.as_ref()))
    })
}

fn has_subgroup_built_ins(module: &Module) -> bool {
    has_built_in(module, |built_in| {
        matches!(
            built_in,
            BuiltIn::NumSubgroups
                | BuiltIn::SubgroupId
                | BuiltIn::SubgroupSize
                | BuiltIn::SubgroupInvocationId
        )
    })
}

/// Returns whether there is a subgroup operation; each has an expression for its result.
fn has_subgroup_operations(module: &Module) -> bool {
    functions(module).any(|function| {
        function.expressions.iter().any(|(_, expression)| {
            matches!(
                expression,
                Expression::SubgroupBallotResult | Expression::SubgroupOperationResult { .. }
            )
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::hlsl_registers::HlslRegisters;

    /// Applies a correction to a text that stands for what the writer makes of some WGSL.
    fn corrected(wgsl: &str, correct: fn(&Written<'_>, String) -> Corrected, text: &str) -> String {
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        let registers = HlslRegisters::default();
        let written = Written {
            module: &module,
            registers: &registers,
        };
        correct(&written, text.to_owned()).unwrap()
    }

    const BUILT_IN: &str = "@compute @workgroup_size(1)
        fn main(@builtin(subgroup_size) size: u32) { _ = size; }";
    const OPERATION: &str = "@compute @workgroup_size(1)
        fn main(@builtin(subgroup_size) size: u32) { _ = subgroupAdd(size); }";
    const NEITHER: &str = "@compute @workgroup_size(1)
        fn main() { var subgroupAdd_of_lanes = 1u; _ = subgroupAdd_of_lanes; }";

    #[test]
    fn the_directive_follows_from_the_ir_and_not_from_names() {
        for (wgsl, is_needed) in [(BUILT_IN, true), (OPERATION, true), (NEITHER, false)] {
            let text = corrected(wgsl, enable_subgroups, wgsl);
            assert_eq!(text.starts_with("enable subgroups;\n"), is_needed);
            assert_eq!(wgsl_for_naga(&text), wgsl);
        }
    }

    #[test]
    fn the_extension_is_requested_where_the_writer_does_not() {
        let head = "#version 460 core\n#extension A : require\n";
        for (wgsl, is_missing) in [(BUILT_IN, true), (OPERATION, false), (NEITHER, false)] {
            let text = corrected(wgsl, require_subgroups, head);
            let wanted = if is_missing {
                "#version 460 core\n#extension GL_KHR_shader_subgroup_basic : require\n\
                 #extension A : require\n"
            } else {
                head
            };
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn literals_have_a_long_suffix_in_modules_with_64_bit_integers() {
        let long = "@group(0) @binding(0) var<storage, read_write> wide: u64;
            @compute @workgroup_size(1) fn main() { wide = 7lu; }";
        let text = "x = 7uL; y = 8L; z = 9uLL; 0xAL; float_1L";
        assert_eq!(
            corrected(long, long_literals, text),
            "x = 7uLL; y = 8LL; z = 9uLL; 0xAL; float_1L"
        );
        assert_eq!(corrected(NEITHER, long_literals, text), text);
    }

    #[test]
    fn distances_are_vectors_of_four() {
        let vertex = "enable clip_distances;
            struct Out {
                @builtin(position) position: vec4<f32>,
                @builtin(clip_distances) distances: array<f32, 6>,
            }
            @vertex fn main() -> Out { var out: Out; return out; }";
        let text = "    float a[6] : SV_ClipDistance;\n    float a : SV_ClipDistance;\n";
        assert_eq!(
            corrected(vertex, distances, text),
            "    float a[6] : SV_ClipDistance;\n    float4 a : SV_ClipDistance0;\n    \
             float2 a_rest : SV_ClipDistance1;\n"
        );
        assert_eq!(corrected(NEITHER, distances, text), text);
    }

    #[test]
    fn samplers_have_the_register_of_their_binding() {
        let pixel = "@group(1) @binding(2) var linear: sampler;
            @group(1) @binding(0) var image: texture_2d<f32>;
            @fragment fn main() -> @location(0) vec4<f32> {
                return textureSample(image, linear, vec2(0.5));
            }";
        let text = "SamplerState nagaSamplerHeap[2048]: register(s0, space0);\n\
            SamplerComparisonState nagaComparisonSamplerHeap[2048]: register(s0, space1);\n\
            StructuredBuffer<uint> nagaGroup1SamplerIndexArray : register(t1, space255);\n\
            static const SamplerState linear_ = \
            nagaSamplerHeap[nagaGroup1SamplerIndexArray[2]];\n";
        assert_eq!(
            corrected(pixel, samplers, text),
            "SamplerState linear_ : register(s2, space1);\n"
        );
    }
}
