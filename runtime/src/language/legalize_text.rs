//! Corrections to text that naga wrote; `corrections` lists them with their reasons. Each looks in
//! the IR first whether the text has what it corrects, and then for whole tokens.

use naga::{Binding, BuiltIn, Expression, ImageDimension, Module, SampleLevel, Scalar, TypeInner};

use super::blocks::functions;
use super::hlsl_registers::HlslRegisters;
use super::text_context::TextContext;
use super::tokens::{Edits, Tokens};
use super::unsupported::has_built_in;

/// The text, or the reason why there is none.
type Corrected = Result<String, &'static str>;

/// The directive that WGSL requires for subgroup built-ins. naga 30 does not write it, and refuses
/// text that has it (patch 0012).
const SUBGROUPS: &str = "enable subgroups;\n";

/// Returns the directive that subgroup built-ins require (WGSL, 4.1.1 "Enable Extensions").
pub(super) fn enable_subgroups(module: &Module) -> Option<String> {
    let is_needed = has_subgroup_operations(module) || has_subgroup_built_ins(module);
    is_needed.then(|| SUBGROUPS.to_owned())
}

/// Returns the directives that allow derivatives and subgroup operations where lanes may have
/// diverged (WGSL, 15.2 "Uniformity", 4.2 "Diagnostics"): D3D12 defines the latter there, and
/// leaves the former undefined without refusing them.
pub(super) fn allow_divergence(module: &Module) -> Option<String> {
    let mut text = String::new();
    if has_derivatives(module) {
        text += "diagnostic(off, derivative_uniformity);\n";
    }
    if has_subgroup_operations(module) {
        text += "diagnostic(off, subgroup_uniformity);\n";
    }
    (!text.is_empty()).then_some(text)
}

/// Returns whether there is a derivative, or a sample whose level follows from derivatives.
fn has_derivatives(module: &Module) -> bool {
    functions(module).any(|function| {
        function.expressions.iter().any(|(_, expression)| {
            matches!(
                expression,
                Expression::Derivative { .. }
                    | Expression::ImageSample {
                        level: SampleLevel::Auto | SampleLevel::Bias(_),
                        ..
                    }
            )
        })
    })
}

/// Returns WGSL without the directive that naga does not read.
pub(crate) fn wgsl_for_naga(text: &str) -> &str {
    text.strip_prefix(SUBGROUPS).unwrap_or(text)
}

/// Returns the end of the directives that begin a text: lines with `#` in GLSL and HLSL.
pub(super) fn end_of_directives(text: &str) -> usize {
    let lines = text.split_inclusive('\n');
    let directives = lines.take_while(|line| line.starts_with('#'));
    directives.map(str::len).sum()
}

/// Returns the extension of subgroup built-ins, which naga requests for subgroup operations only
/// (patch 0008).
pub(super) fn require_subgroups(module: &Module) -> Option<String> {
    let is_missing = has_subgroup_built_ins(module) && !has_subgroup_operations(module);
    is_missing.then(|| "#extension GL_KHR_shader_subgroup_basic : require\n".to_owned())
}

/// Returns the declaration of `gl_CullDistance` with its size (GLSL 4.60, 7.1.1 "Vertex Shader
/// Special Variables"; patch 0009).
pub(super) fn declare_cull_distances(module: &Module) -> Option<String> {
    let count = size_of(module, BuiltIn::CullDistance)?;
    Some(format!("\nout float gl_CullDistance[{count}];\n"))
}

/// Gives samplers registers (patch 0017). naga reads the index of a sampler from a buffer that only
/// wgpu provides, to save descriptors:
/// `static const SamplerState a = nagaSamplerHeap[nagaGroup1SamplerIndexArray[2]];`.
pub(super) fn samplers(written: &TextContext<'_>, text: String) -> Corrected {
    let mut types = written.module.types.iter();
    if !types.any(|(_, ty)| matches!(ty.inner, TypeInner::Sampler { .. })) {
        return Ok(text);
    }
    let tokens = Tokens::of(&text);
    let mut edits = Edits::default();
    let mut at = 0;
    while at < tokens.count() {
        let Some(end) = tokens.next(at, ";").filter(|_| begins_heap(&tokens, at)) else {
            at += 1;
            continue;
        };
        let mut range = tokens.range(at).start..tokens.range(end).end;
        let declaration = sampler(&tokens, at, written.registers);
        if declaration.is_none() && text[range.end..].starts_with('\n') {
            range.end += 1;
        }
        edits.replace(range, declaration.unwrap_or_default());
        at = end + 1;
    }
    Ok(edits.apply(&text))
}

/// Returns whether a declaration of the heaps of samplers, of their indices, or of a sampler in
/// them begins at a token.
fn begins_heap(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_index = |at: usize| {
        let name = tokens.get(at).strip_prefix("nagaGroup");
        name.is_some_and(|name| name.ends_with("SamplerIndexArray"))
    };
    tokens.are(at, &["SamplerState", "nagaSamplerHeap", "["])
        || tokens.are(
            at,
            &["SamplerComparisonState", "nagaComparisonSamplerHeap", "["],
        )
        || tokens.are(at, &["StructuredBuffer", "<", "uint", ">"]) && is_index(at + 4)
        || tokens.are(at, &["static", "const", "*", "*", "=", "*", "[", "*", "["])
            && is_index(at + 7)
}

/// Returns the declaration of a sampler in the heap with its register.
fn sampler(tokens: &Tokens<'_>, at: usize, registers: &HlslRegisters) -> Option<String> {
    let name = tokens.get(at + 7).strip_prefix("nagaGroup")?;
    let group = name.strip_suffix("SamplerIndexArray")?.parse().ok()?;
    let binding = tokens.get(at + 9).parse().ok()?;
    let (ty, name) = (tokens.get(at + 2), tokens.get(at + 3));
    let (register, space) = registers.sampler(group, binding);
    let space = match space {
        0 => String::new(),
        space => format!(", space{space}"),
    };
    Some(format!("{ty} {name} : register(s{register}{space});"))
}

/// Writes literals of 64-bit integers with the suffix `LL`. naga writes `L`, which DXC reads as 32
/// bits (patch 0004).
pub(super) fn long_literals(written: &TextContext<'_>, text: String) -> Corrected {
    let is_long = |inner: &TypeInner| {
        let scalar = inner.scalar();
        scalar == Some(Scalar::I64) || scalar == Some(Scalar::U64)
    };
    let mut types = written.module.types.iter();
    if !types.any(|(_, ty)| is_long(&ty.inner)) {
        return Ok(text);
    }
    let tokens = Tokens::of(&text);
    let mut edits = Edits::default();
    for at in 0..tokens.count() {
        let digits = tokens.get(at).strip_suffix('L');
        let digits = digits.map(|digits| digits.strip_suffix('u').unwrap_or(digits));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if digits.is_some_and(is_number) {
            let end = tokens.range(at).end;
            edits.replace(end..end, "L");
        }
    }
    Ok(edits.apply(&text))
}

/// Writes offsets of samples from 1D and 3D textures with as many components as these have. naga
/// casts all of them to `int2` (patch 0020): `int2(int3(...))`.
pub(super) fn sample_offsets(written: &TextContext<'_>, text: String) -> Corrected {
    let mut types = written.module.types.iter();
    let is_other = |inner: &TypeInner| {
        matches!(
            inner,
            TypeInner::Image {
                dim: ImageDimension::D1 | ImageDimension::D3,
                ..
            }
        )
    };
    if !types.any(|(_, ty)| is_other(&ty.inner)) {
        return Ok(text);
    }
    let tokens = Tokens::of(&text);
    let mut edits = Edits::default();
    for at in 0..tokens.count() {
        let own = tokens.get(at + 2);
        // An `int2` of one value of another type is nothing else.
        if tokens.are(at, &["int2", "("])
            && (own == "int3" || own == "int")
            && tokens.get(at + 3) == "("
            && let Some(end) = tokens.closing(at + 3)
            && tokens.get(end + 1) == ")"
        {
            edits.replace(tokens.range(at), own);
        }
    }
    Ok(edits.apply(&text))
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
    use crate::language::casts::FloatCasts;
    use crate::language::hlsl_registers::HlslRegisters;

    /// Applies a correction to a text that stands for what the writer makes of some WGSL.
    fn corrected(
        wgsl: &str,
        correct: fn(&TextContext<'_>, String) -> Corrected,
        text: &str,
    ) -> String {
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        let registers = HlslRegisters::default();
        let written = TextContext {
            module: &module,
            casts: &FloatCasts::default(),
            metal: None,
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

    fn parsed(wgsl: &str) -> Module {
        naga::front::wgsl::parse_str(wgsl).unwrap()
    }

    #[test]
    fn the_directive_follows_from_the_ir_and_not_from_names() {
        for (wgsl, is_needed) in [(BUILT_IN, true), (OPERATION, true), (NEITHER, false)] {
            let head = enable_subgroups(&parsed(wgsl));
            assert_eq!(head.is_some(), is_needed);
            let text = head.unwrap_or_default() + wgsl;
            assert_eq!(wgsl_for_naga(&text), wgsl);
        }
    }

    #[test]
    fn the_extension_is_requested_where_the_writer_does_not() {
        for (wgsl, is_missing) in [(BUILT_IN, true), (OPERATION, false), (NEITHER, false)] {
            assert_eq!(require_subgroups(&parsed(wgsl)).is_some(), is_missing);
        }
        let text = "#version 460 core\n#extension A : require\n\nvoid main() {}\n";
        assert_eq!(&text[end_of_directives(text)..], "\nvoid main() {}\n");
        assert_eq!(end_of_directives("void main() {}"), 0);
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
