//! Root signatures as HLSL writes them: `"RootFlags(0), CBV(b0), DescriptorTable(SRV(t0,
//! numDescriptors = 4))"`.
//!
//! The grammar and its defaults are those of "Specifying Root Signatures in HLSL". Words are not
//! case sensitive; arguments stand in any order. Quotes and backslashes count as blanks, so that
//! the text of a macro can be pasted with them.
//!
//! First the text becomes a tree of calls, whatever their names; then the calls get their meaning,
//! each argument taken at most once and none left over.

use std::fmt;

use dxil_frontend::container::root_signature::{
    ComparisonFunction, DescriptorFlags, DescriptorRange, DescriptorRangeType, Filter,
    RootConstants, RootDescriptor, RootParameter, RootParameterKind, RootSignature,
    RootSignatureFlags, RootSignatureVersion, ShaderVisibility, StaticBorderColor, StaticSampler,
    StaticSamplerFlags, TextureAddressMode,
};
use dxil_frontend::shown::bounded;
use winnow::ascii::float;
use winnow::combinator::{alt, cut_err, delimited, opt, peek, preceded, repeat, separated};
use winnow::error::{ContextError, StrContext, StrContextValue};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::take_while;

/// What is wrong with the text of a root signature, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Byte in the text.
    pub offset: usize,
    /// Line of that byte, from 1 on.
    pub line: usize,
    /// Character in the line, from 1 on.
    pub column: usize,
    /// What is wrong there, in words.
    pub problem: String,
}

impl TextError {
    /// Returns the same error with line and column of its place.
    fn located(mut self, text: &str) -> Self {
        let before = text.get(..self.offset).unwrap_or(text);
        self.line = before.matches('\n').count() + 1;
        let line = before.rsplit('\n').next().unwrap_or_default();
        self.column = line.chars().count() + 1;
        self
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextError { line, column, .. } = self;
        let problem = bounded(&self.problem, 4000);
        write!(f, "line {line}, column {column}: {problem}")
    }
}

impl std::error::Error for TextError {}

type Result<T, E = TextError> = std::result::Result<T, E>;

/// Reads the text of a root signature, as HLSL's attribute `[RootSignature]` has it. The result has
/// version 1.1, or 1.2 if a static sampler has flags.
///
/// # Errors
///
/// The first mistake in the text, with line and column.
pub fn parse_text(text: &str) -> Result<RootSignature> {
    read(text).map_err(|error| error.located(text))
}

/// Maximum nesting of parentheses. Ranges in a table are the deepest that means something; the
/// parser calls itself for each level, so the stack has to be bounded.
const MAX_DEPTH: usize = 16;

/// Refuses text that is nested too deeply, before it is parsed.
fn check_depth(text: &str) -> Result<()> {
    let mut depth = 0usize;
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'(' if depth == MAX_DEPTH => {
                let problem = format!("more than {MAX_DEPTH} parentheses inside of each other");
                return fail(offset, &problem);
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<RootSignature> {
    check_depth(text)?;
    let calls = root.parse(LocatingSlice::new(text)).map_err(|error| {
        let problem = error.inner().to_string().replace('\n', ", ");
        let problem = match problem.as_str() {
            "" => "this is not part of a root signature".to_owned(),
            _ => problem,
        };
        self::error(error.offset(), &problem)
    })?;
    let mut signature = RootSignature {
        version: RootSignatureVersion::V1_1,
        flags: RootSignatureFlags::empty(),
        parameters: Vec::new(),
        static_samplers: Vec::new(),
    };
    let mut has_flags = false;
    for call in calls {
        let at = call.offset;
        let mut arguments = Arguments::new(&call);
        match call.name.to_ascii_lowercase().as_str() {
            "rootflags" => {
                if std::mem::replace(&mut has_flags, true) {
                    return fail(at, "a second RootFlags");
                }
                signature.flags =
                    arguments.only_flags(ROOT_FLAGS, RootSignatureFlags::from_bits_retain)?;
            }
            "rootconstants" => {
                let (_, register) = arguments.register(&['b'])?;
                let parameter = RootParameterKind::Constants(RootConstants {
                    register,
                    space: arguments.number("space")?.unwrap_or(0),
                    count: arguments
                        .number("num32BitConstants")?
                        .ok_or_else(|| error(at, "RootConstants need num32BitConstants"))?,
                });
                signature.parameters.push(arguments.parameter(parameter)?);
            }
            "cbv" | "srv" | "uav" => {
                let letter = letter_of(call.name);
                let (_, register) = arguments.register(&[letter])?;
                let flags = arguments.flags(DESCRIPTOR_FLAGS, DescriptorFlags::from_bits_retain)?;
                let descriptor = RootDescriptor {
                    register,
                    space: arguments.number("space")?.unwrap_or(0),
                    flags: flags.unwrap_or_default(),
                };
                let parameter = match letter {
                    'b' => RootParameterKind::Cbv(descriptor),
                    't' => RootParameterKind::Srv(descriptor),
                    _ => RootParameterKind::Uav(descriptor),
                };
                signature.parameters.push(arguments.parameter(parameter)?);
            }
            "descriptortable" => {
                let ranges = arguments.calls().map(range).collect::<Result<Vec<_>>>()?;
                if ranges.is_empty() {
                    return fail(at, "a DescriptorTable needs a range");
                }
                let parameter = RootParameterKind::Table(ranges);
                signature.parameters.push(arguments.parameter(parameter)?);
            }
            "staticsampler" => {
                let sampler = static_sampler(&mut arguments)?;
                // Flags of static samplers came with version 1.2.
                if !sampler.flags.is_empty() {
                    signature.version = RootSignatureVersion::V1_2;
                }
                signature.static_samplers.push(sampler);
            }
            other => return fail(at, &format!("`{other}` is no element of a root signature")),
        }
        arguments.finish()?;
    }
    Ok(signature)
}

fn range(call: &Call<'_>) -> Result<DescriptorRange> {
    let mut arguments = Arguments::new(call);
    let (ty, letter) = match call.name.to_ascii_lowercase().as_str() {
        "cbv" => (DescriptorRangeType::Cbv, 'b'),
        "srv" => (DescriptorRangeType::Srv, 't'),
        "uav" => (DescriptorRangeType::Uav, 'u'),
        "sampler" => (DescriptorRangeType::Sampler, 's'),
        other => return fail(call.offset, &format!("`{other}` is no descriptor range")),
    };
    let (_, base_register) = arguments.register(&[letter])?;
    let flags = arguments.flags(DESCRIPTOR_FLAGS, DescriptorFlags::from_bits_retain)?;
    let range = DescriptorRange {
        ty,
        count: arguments
            .number_or("numDescriptors", "unbounded")?
            .unwrap_or(Some(1)),
        base_register,
        space: arguments.number("space")?.unwrap_or(0),
        flags: flags.unwrap_or_default(),
        offset: arguments
            .number_or("offset", "DESCRIPTOR_RANGE_OFFSET_APPEND")?
            .unwrap_or(None),
    };
    arguments.finish()?;
    Ok(range)
}

fn static_sampler(arguments: &mut Arguments<'_, '_>) -> Result<StaticSampler> {
    let (_, register) = arguments.register(&['s'])?;
    let mut address = |key: &str| {
        let mode = arguments.choice(key, "TEXTURE_ADDRESS_", ADDRESS_MODES)?;
        Ok(mode.unwrap_or(TextureAddressMode::Wrap))
    };
    let (address_u, address_v, address_w) = (
        address("addressU")?,
        address("addressV")?,
        address("addressW")?,
    );
    let border = arguments.choice("borderColor", "STATIC_BORDER_COLOR_", BORDER_COLORS)?;
    Ok(StaticSampler {
        // 0x55 is `D3D12_FILTER_ANISOTROPIC`. The defaults are those of "Specifying Root Signatures
        // in HLSL".
        filter: arguments.filter()?.unwrap_or(Filter(0x55)),
        address_u,
        address_v,
        address_w,
        mip_lod_bias: arguments.float("mipLODBias")?.unwrap_or(0.0),
        max_anisotropy: arguments.number("maxAnisotropy")?.unwrap_or(16),
        comparison: arguments
            .choice("comparisonFunc", "COMPARISON_", COMPARISONS)?
            .unwrap_or(ComparisonFunction::LessEqual),
        border_color: border.unwrap_or(StaticBorderColor::OpaqueWhite),
        min_lod: arguments.float("minLOD")?.unwrap_or(0.0),
        max_lod: arguments.float("maxLOD")?.unwrap_or(f32::MAX),
        register,
        space: arguments.number("space")?.unwrap_or(0),
        visibility: arguments.visibility()?,
        flags: arguments
            .flags(SAMPLER_FLAGS, StaticSamplerFlags::from_bits_retain)?
            .unwrap_or_default(),
    })
}

fn letter_of(name: &str) -> char {
    match name.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'c') => 'b',
        Some(b's') => 't',
        _ => 'u',
    }
}

type Names<T> = &'static [(&'static str, T)];

const ROOT_FLAGS: Names<u32> = &[
    ("ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT", 1),
    ("DENY_VERTEX_SHADER_ROOT_ACCESS", 1 << 1),
    ("DENY_HULL_SHADER_ROOT_ACCESS", 1 << 2),
    ("DENY_DOMAIN_SHADER_ROOT_ACCESS", 1 << 3),
    ("DENY_GEOMETRY_SHADER_ROOT_ACCESS", 1 << 4),
    ("DENY_PIXEL_SHADER_ROOT_ACCESS", 1 << 5),
    ("ALLOW_STREAM_OUTPUT", 1 << 6),
    ("LOCAL_ROOT_SIGNATURE", 1 << 7),
    ("DENY_AMPLIFICATION_SHADER_ROOT_ACCESS", 1 << 8),
    ("DENY_MESH_SHADER_ROOT_ACCESS", 1 << 9),
    ("CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED", 1 << 10),
    ("SAMPLER_HEAP_DIRECTLY_INDEXED", 1 << 11),
    ("ALLOW_LOW_TIER_RESERVED_HW_CB_LIMIT", 1 << 31),
];

const DESCRIPTOR_FLAGS: Names<u32> = &[
    ("DESCRIPTORS_VOLATILE", 1),
    ("DATA_VOLATILE", 1 << 1),
    ("DATA_STATIC_WHILE_SET_AT_EXECUTE", 1 << 2),
    ("DATA_STATIC", 1 << 3),
    ("DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS", 1 << 16),
];

const SAMPLER_FLAGS: Names<u32> = &[
    ("UINT_BORDER_COLOR", 1),
    ("NON_NORMALIZED_COORDINATES", 1 << 1),
];

const VISIBILITIES: Names<ShaderVisibility> = &[
    ("ALL", ShaderVisibility::All),
    ("VERTEX", ShaderVisibility::Vertex),
    ("HULL", ShaderVisibility::Hull),
    ("DOMAIN", ShaderVisibility::Domain),
    ("GEOMETRY", ShaderVisibility::Geometry),
    ("PIXEL", ShaderVisibility::Pixel),
    ("AMPLIFICATION", ShaderVisibility::Amplification),
    ("MESH", ShaderVisibility::Mesh),
];

const ADDRESS_MODES: Names<TextureAddressMode> = &[
    ("WRAP", TextureAddressMode::Wrap),
    ("MIRROR", TextureAddressMode::Mirror),
    ("CLAMP", TextureAddressMode::Clamp),
    ("BORDER", TextureAddressMode::Border),
    ("MIRROR_ONCE", TextureAddressMode::MirrorOnce),
];

const COMPARISONS: Names<ComparisonFunction> = &[
    ("NEVER", ComparisonFunction::Never),
    ("LESS", ComparisonFunction::Less),
    ("EQUAL", ComparisonFunction::Equal),
    ("LESS_EQUAL", ComparisonFunction::LessEqual),
    ("GREATER", ComparisonFunction::Greater),
    ("NOT_EQUAL", ComparisonFunction::NotEqual),
    ("GREATER_EQUAL", ComparisonFunction::GreaterEqual),
    ("ALWAYS", ComparisonFunction::Always),
];

const BORDER_COLORS: Names<StaticBorderColor> = &[
    ("TRANSPARENT_BLACK", StaticBorderColor::TransparentBlack),
    ("OPAQUE_BLACK", StaticBorderColor::OpaqueBlack),
    ("OPAQUE_WHITE", StaticBorderColor::OpaqueWhite),
    ("OPAQUE_BLACK_UINT", StaticBorderColor::OpaqueBlackUint),
    ("OPAQUE_WHITE_UINT", StaticBorderColor::OpaqueWhiteUint),
];

/// `MIN_MAG_MIP_LINEAR` and its like: which of the three are linear. A word for `POINT` or `LINEAR`
/// holds for all the names before it.
fn filter_of(name: &str) -> Option<Filter> {
    let (name, reduction) = [("COMPARISON_", 1), ("MINIMUM_", 2), ("MAXIMUM_", 3)]
        .into_iter()
        .find_map(|(prefix, reduction)| Some((name.strip_prefix(prefix)?, reduction)))
        .unwrap_or((name, 0));
    let bits = match name {
        "ANISOTROPIC" => 0x55,
        _ => {
            let (mut bits, mut open, mut seen) = (0, Vec::new(), 0);
            for word in name.split('_') {
                match word {
                    "MIN" if seen == 0 => open.push(0x10),
                    "MAG" if seen == 1 => open.push(0x04),
                    "MIP" if seen == 2 => open.push(0x01),
                    "LINEAR" if !open.is_empty() => bits |= open.drain(..).sum::<u32>(),
                    "POINT" if !open.is_empty() => open.clear(),
                    _ => return None,
                }
                seen += u32::from(word.starts_with('M'));
            }
            if seen != 3 || !open.is_empty() {
                return None;
            }
            bits
        }
    };
    Some(Filter(bits | reduction << 7))
}

/// `Name(argument, ...)`.
#[derive(Debug, Clone, PartialEq)]
struct Call<'a> {
    offset: usize,
    name: &'a str,
    arguments: Vec<Argument<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Argument<'a> {
    /// A range of a table.
    Call(Call<'a>),
    /// `key = value`, or a value alone.
    Value {
        offset: usize,
        key: Option<&'a str>,
        value: FieldValue<'a>,
    },
}

#[derive(Debug, Clone, PartialEq)]
enum FieldValue<'a> {
    Number(f64),
    /// Words with `|` between them; one is the usual case.
    Words(Vec<&'a str>),
}

type Input<'a> = LocatingSlice<&'a str>;
type Parsed<T> = winnow::Result<T, winnow::error::ErrMode<ContextError>>;

fn blank<'a>(input: &mut Input<'a>) -> Parsed<&'a str> {
    take_while(0.., |c: char| c.is_whitespace() || c == '"' || c == '\\').parse_next(input)
}

fn symbol<'a>(
    text: &'static str,
) -> impl Parser<Input<'a>, &'a str, winnow::error::ErrMode<ContextError>> {
    delimited(blank, text, blank)
        .context(StrContext::Expected(StrContextValue::StringLiteral(text)))
}

fn word<'a>(input: &mut Input<'a>) -> Parsed<&'a str> {
    let start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let rest = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (take_while(1, start), take_while(0.., rest))
        .take()
        .parse_next(input)
}

fn root<'a>(input: &mut Input<'a>) -> Parsed<Vec<Call<'a>>> {
    let calls = separated(0.., call, symbol(","));
    delimited(blank, calls, (opt(symbol(",")), blank)).parse_next(input)
}

fn call<'a>(input: &mut Input<'a>) -> Parsed<Call<'a>> {
    let (name, span) = word.with_span().parse_next(input)?;
    symbol("(").parse_next(input)?;
    let none = peek(")").map(|_| Vec::new());
    // Behind a parenthesis nothing else can match, so errors are final there (`cut_err`): they
    // point at the argument that is wrong and not at the call.
    let some = separated(1.., cut_err(argument), symbol(","));
    let arguments = alt((none, some)).parse_next(input)?;
    cut_err(preceded(blank, ")"))
        .context(StrContext::Expected(StrContextValue::StringLiteral(")")))
        .parse_next(input)?;
    Ok(Call {
        offset: span.start,
        name,
        arguments,
    })
}

fn argument<'a>(input: &mut Input<'a>) -> Parsed<Argument<'a>> {
    let keyed = (opt((word, symbol("=")).map(|(key, _)| key)), value).with_span();
    let plain = keyed.map(|((key, value), span)| Argument::Value {
        offset: span.start,
        key,
        value,
    });
    alt((call.map(Argument::Call), plain))
        .context(StrContext::Expected(StrContextValue::Description(
            "an argument",
        )))
        .parse_next(input)
}

fn value<'a>(input: &mut Input<'a>) -> Parsed<FieldValue<'a>> {
    let number =
        (float::<_, f64, _>, opt(alt(("f", "F")))).map(|(number, _)| FieldValue::Number(number));
    let words =
        (word, repeat(0.., preceded(symbol("|"), word))).map(|(first, rest): (_, Vec<_>)| {
            let mut words = vec![first];
            words.extend(rest);
            FieldValue::Words(words)
        });
    // Words first: the number parser would take `inf` and `nan`, which are words here.
    alt((words, number)).parse_next(input)
}

fn error(offset: usize, problem: &str) -> TextError {
    TextError {
        offset,
        line: 1,
        column: offset + 1,
        problem: problem.to_owned(),
    }
}

fn fail<T>(offset: usize, problem: &str) -> Result<T> {
    Err(error(offset, problem))
}

/// A call's arguments; each is taken once.
struct Arguments<'a, 'c> {
    call: &'c Call<'a>,
    taken: Vec<bool>,
}

impl<'a, 'c> Arguments<'a, 'c> {
    fn new(call: &'c Call<'a>) -> Self {
        Arguments {
            call,
            taken: vec![false; call.arguments.len()],
        }
    }

    /// Returns the value of a key; twice is an error.
    fn take(&mut self, wanted: Option<&str>) -> Result<Option<(usize, &'c FieldValue<'a>)>> {
        let mut found = None;
        for (argument, taken) in self.call.arguments.iter().zip(&mut self.taken) {
            let Argument::Value { offset, key, value } = argument else {
                continue;
            };
            let same = match (key, wanted) {
                (Some(key), Some(wanted)) => key.eq_ignore_ascii_case(wanted),
                (None, None) => true,
                _ => false,
            };
            if !same {
                continue;
            }
            *taken = true;
            if found.replace((*offset, value)).is_some() {
                let name = wanted.unwrap_or("the register");
                return fail(*offset, &format!("{name} is there twice"));
            }
        }
        Ok(found)
    }

    /// Returns the nested calls.
    fn calls(&mut self) -> impl Iterator<Item = &'c Call<'a>> {
        let mut calls = Vec::new();
        for (argument, taken) in self.call.arguments.iter().zip(&mut self.taken) {
            if let Argument::Call(call) = argument {
                *taken = true;
                calls.push(call);
            }
        }
        calls.into_iter()
    }

    fn register(&mut self, letters: &[char]) -> Result<(char, u32)> {
        let at = self.call.offset;
        let found = self.take(None)?;
        let wanted = || {
            let letters: Vec<_> = letters.iter().map(|letter| format!("{letter}0")).collect();
            format!(
                "{} needs a register like {}",
                self.call.name,
                letters.join(" or ")
            )
        };
        let (at, word) = match found {
            Some((at, FieldValue::Words(words))) if words.len() == 1 => (at, words[0]),
            Some((at, _)) => return fail(at, &wanted()),
            None => return fail(at, &wanted()),
        };
        let mut chars = word.chars();
        let letter = chars.next().map(|c| c.to_ascii_lowercase());
        match (
            letter.filter(|c| letters.contains(c)),
            chars.as_str().parse(),
        ) {
            (Some(letter), Ok(number)) => Ok((letter, number)),
            _ => fail(at, &wanted()),
        }
    }

    fn number(&mut self, key: &str) -> Result<Option<u32>> {
        match self.take(Some(key))? {
            None => Ok(None),
            Some((at, FieldValue::Number(n))) => whole(at, key, *n).map(Some),
            Some((at, FieldValue::Words(_))) => fail(at, &format!("{key} is a number")),
        }
    }

    /// Returns a number, or a word that stands for none.
    fn number_or(&mut self, key: &str, none: &str) -> Result<Option<Option<u32>>> {
        match self.take(Some(key))? {
            None => Ok(None),
            Some((at, FieldValue::Number(n))) => whole(at, key, *n).map(|n| Some(Some(n))),
            Some((_, FieldValue::Words(words)))
                if words.len() == 1 && words[0].eq_ignore_ascii_case(none) =>
            {
                Ok(Some(None))
            }
            Some((at, _)) => fail(at, &format!("{key} is a number or {none}")),
        }
    }

    fn float(&mut self, key: &str) -> Result<Option<f32>> {
        match self.take(Some(key))? {
            None => Ok(None),
            Some((_, FieldValue::Number(n))) => Ok(Some(*n as f32)),
            Some((at, _)) => fail(at, &format!("{key} is a number")),
        }
    }

    fn choice<T: Copy>(&mut self, key: &str, prefix: &str, names: Names<T>) -> Result<Option<T>> {
        let Some((at, value)) = self.take(Some(key))? else {
            return Ok(None);
        };
        let word = match value {
            FieldValue::Words(words) if words.len() == 1 => words[0].to_ascii_uppercase(),
            _ => return fail(at, &format!("{key} is one word")),
        };
        let name = word.strip_prefix(prefix);
        let found = name.and_then(|name| names.iter().find(|(other, _)| *other == name));
        match found {
            Some((_, value)) => Ok(Some(*value)),
            None => fail(at, &format!("{key} knows no {word}")),
        }
    }

    fn filter(&mut self) -> Result<Option<Filter>> {
        let Some((at, value)) = self.take(Some("filter"))? else {
            return Ok(None);
        };
        let word = match value {
            FieldValue::Words(words) if words.len() == 1 => words[0].to_ascii_uppercase(),
            _ => return fail(at, "filter is one word"),
        };
        let found = word.strip_prefix("FILTER_").and_then(filter_of);
        let unknown = || error(at, &format!("filter knows no {word}"));
        found.ok_or_else(unknown).map(Some)
    }

    fn visibility(&mut self) -> Result<ShaderVisibility> {
        let found = self.choice("visibility", "SHADER_VISIBILITY_", VISIBILITIES)?;
        Ok(found.unwrap_or(ShaderVisibility::All))
    }

    fn flags<T>(&mut self, names: Names<u32>, make: fn(u32) -> T) -> Result<Option<T>> {
        let Some((at, value)) = self.take(Some("flags"))? else {
            return Ok(None);
        };
        flags(at, value, names).map(make).map(Some)
    }

    /// Returns flags that are the only argument.
    fn only_flags<T: Default>(&mut self, names: Names<u32>, make: fn(u32) -> T) -> Result<T> {
        match self.take(None)? {
            Some((at, value)) => flags(at, value, names).map(make),
            None => Ok(T::default()),
        }
    }

    fn parameter(&mut self, kind: RootParameterKind) -> Result<RootParameter> {
        let visibility = self.visibility()?;
        Ok(RootParameter { visibility, kind })
    }

    /// Refuses a call with arguments that were not taken.
    fn finish(self) -> Result<()> {
        for (argument, taken) in self.call.arguments.iter().zip(&self.taken) {
            if *taken {
                continue;
            }
            let (offset, what) = match argument {
                Argument::Call(call) => (call.offset, call.name),
                Argument::Value { offset, key, .. } => (*offset, key.unwrap_or("this argument")),
            };
            return fail(offset, &format!("{} has no {what}", self.call.name));
        }
        Ok(())
    }
}

fn whole(at: usize, key: &str, number: f64) -> Result<u32> {
    // Numbers are parsed as floats, which hold every 32-bit integer exactly.
    if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
        Ok(number as u32)
    } else {
        fail(at, &format!("{key} is a whole number of 32 bits"))
    }
}

fn flags(at: usize, value: &FieldValue<'_>, names: Names<u32>) -> Result<u32> {
    let words = match value {
        FieldValue::Number(0.0) => return Ok(0),
        FieldValue::Number(_) => return fail(at, "flags are names, or 0"),
        FieldValue::Words(words) => words,
    };
    let mut all = 0;
    for word in words {
        let found = names
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word));
        let (_, bit) = found.ok_or_else(|| error(at, &format!("there is no flag {word}")))?;
        all |= bit;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_elements_are_read() {
        let root = parse_text(
            "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | sampler_heap_directly_indexed), \
             \"RootConstants(b2, num32BitConstants = 3, visibility = SHADER_VISIBILITY_PIXEL),\" \\
             CBV(b0, space = 1), srv(t4, flags = DATA_STATIC), UAV(u0),
             DescriptorTable(SRV(t0, numDescriptors = unbounded, offset = 8),
                             UAV(u1, numDescriptors = 2, flags = 0)),
             StaticSampler(s0)",
        )
        .unwrap();
        assert_eq!(root.flags.bits(), 1 | 1 << 11);
        assert_eq!(root.parameters.len(), 5);
        assert_eq!(root.parameters[0].visibility, ShaderVisibility::Pixel);
        let RootParameterKind::Constants(constants) = root.parameters[0].kind else {
            unreachable!("the first parameter");
        };
        assert_eq!((constants.register, constants.count), (2, 3));
        let RootParameterKind::Table(ranges) = &root.parameters[4].kind else {
            unreachable!("the last parameter");
        };
        assert_eq!((ranges[0].count, ranges[0].offset), (None, Some(8)));
        assert_eq!((ranges[1].count, ranges[1].offset), (Some(2), None));
        assert_eq!(root.static_samplers[0].filter, Filter(0x55));
        assert_eq!(root.static_samplers[0].max_lod, f32::MAX);
    }

    #[test]
    fn filters_are_three_bits_and_a_reduction() {
        for (name, bits) in [
            ("MIN_MAG_MIP_POINT", 0),
            ("MIN_MAG_POINT_MIP_LINEAR", 1),
            ("MIN_POINT_MAG_LINEAR_MIP_POINT", 4),
            ("MIN_POINT_MAG_MIP_LINEAR", 5),
            ("MIN_LINEAR_MAG_MIP_POINT", 0x10),
            ("MIN_LINEAR_MAG_POINT_MIP_LINEAR", 0x11),
            ("MIN_MAG_LINEAR_MIP_POINT", 0x14),
            ("MIN_MAG_MIP_LINEAR", 0x15),
            ("ANISOTROPIC", 0x55),
            ("COMPARISON_MIN_MAG_MIP_LINEAR", 0x95),
            ("MINIMUM_ANISOTROPIC", 0x155),
            ("MAXIMUM_MIN_MAG_MIP_POINT", 0x180),
        ] {
            assert_eq!(filter_of(name), Some(Filter(bits)), "{name}");
        }
        for name in [
            "MIN_MAG_LINEAR",
            "LINEAR",
            "MIP_MAG_MIN_POINT",
            "MIN_MAG_MIP",
            "",
        ] {
            assert_eq!(filter_of(name), None, "{name}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error_with_its_place() {
        for text in ["A(".repeat(20_000), "(".repeat(1_000_000)] {
            let error = parse_text(&text).unwrap_err();
            assert!(error.problem.contains("16 parentheses"), "{error}");
            assert!(error.offset < 40, "{error}");
        }
        let flat = "CBV(b0), ".repeat(1000);
        assert!(parse_text(&flat).is_ok());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, offset, problem) in [
            ("CBV(t0)", 4, "like b0"),
            ("CBV()", 0, "like b0"),
            ("CBV(b0, b1)", 8, "twice"),
            ("CBV(b0, colour = 3)", 8, "has no colour"),
            ("CBV(b0), XBV(b0)", 9, "`xbv`"),
            ("RootConstants(b0)", 0, "num32BitConstants"),
            ("RootFlags(ALLOW_ALL)", 10, "no flag ALLOW_ALL"),
            (
                "DescriptorTable(visibility = SHADER_VISIBILITY_ALL)",
                0,
                "needs a range",
            ),
            (
                "DescriptorTable(SRV(t0, numDescriptors = 1.5))",
                24,
                "whole number",
            ),
            (
                "StaticSampler(s0, filter = FILTER_LINEAR)",
                18,
                "FILTER_LINEAR",
            ),
            ("StaticSampler(s0, addressU = WRAP)", 18, "knows no WRAP"),
            ("RootFlags(0), RootFlags(0)", 14, "second"),
            ("CBV(b0", 6, ")"),
            ("CBV b0", 0, ""),
        ] {
            let error = parse_text(text).unwrap_err();
            assert!(error.problem.contains(problem), "{text}: {error}");
            assert_eq!(error.offset, offset, "{text}: {error}");
        }
        let error = parse_text("CBV(b0), // \n").unwrap_err();
        assert_eq!((error.line, error.column), (1, 10), "{error}");
        let error = parse_text("CBV(b0),\n  UAV(u0),\n  \tSRV(é)").unwrap_err();
        assert_eq!((error.line, error.column), (3, 8), "{error}");
        assert!(error.to_string().starts_with("line 3, column 8: "));
    }
}
