//! Parts of the container: which ones a shader has, and what they say against the module.

use super::bodies::Bodies;
use super::context::{Sink, ValidationContext, first_difference, short};
use super::rules::Rule;
use super::{psv, rdat, root_signature, root_values};
use crate::bitcode::{check_layout, decode_module};
use crate::container::fourcc::FourCc;
use crate::container::{
    CompilerVersion, Container, DebugName, DigestStatus, FeatureFlags, HEADER_BYTES,
    PART_HEADER_BYTES, Part, PdbInfo, ProgramBitcode, ProgramSignature, RootSignature, ShaderHash,
    SourceInfo,
};
use crate::dxil::{EntryPoint, ShaderKind, SignatureElement};
use crate::error::{Location, Result};
use crate::parts::{features_of, signature_forms};

/// Bytes of the HASH part: flags and an MD5 sum.
const HASH_BYTES: usize = 20;
/// Bytes of the SFI0 part: 64 flags.
const FEATURE_BYTES: usize = 8;

/// Checks what needs no module: the digest, repetitions, and parts by themselves.
pub(super) fn check_frame(container: &Container<'_>, sink: &Sink) {
    if container.digest() == DigestStatus::Mismatch {
        let location = Location {
            offset: Some(4),
            ..Location::default()
        };
        let detail = "the container was changed after it was signed";
        sink.report(Rule::ContainerDigest, location, detail);
    }
    check_places(container, sink);
    let mut seen: Vec<FourCc> = Vec::new();
    for part in container.parts() {
        if seen.contains(&part.name) {
            let detail = format_args!("{} occurs twice", part.name);
            sink.in_part(Rule::ContainerPartRepeated, part.name, part.offset, detail);
        } else {
            seen.push(part.name);
        }
    }
}

/// Checks that the parts follow each other without gaps, in the order of their table, and that the
/// container ends with the last one, as DXC's validator has it.
fn check_places(container: &Container<'_>, sink: &Sink) {
    let parts = container.parts();
    // The table of parts has a word for each.
    let mut end = (HEADER_BYTES + 4 * parts.len()) as u64;
    for part in parts {
        if part.offset != end + PART_HEADER_BYTES as u64 {
            let detail = "it does not begin where the part before it ends";
            let rule = Rule::ContainerContentInvalid;
            sink.in_part(rule, part.name, part.offset, detail);
            return;
        }
        end = part.offset + part.data.len() as u64;
    }
    let size = container.bytes().len() as u64;
    if end != size {
        let location = Location {
            offset: Some(end),
            ..Location::default()
        };
        let detail = format_args!("{} bytes follow the last part", size - end);
        sink.report(Rule::ContainerContentInvalid, location, detail);
    }
}

/// Checks a container that holds nothing but a root signature.
pub(super) fn check_root_signature_only(part: Part<'_>, sink: &Sink) {
    match RootSignature::parse(part) {
        Ok(signature) => root_values::check(&signature, &mut |what| {
            let rule = Rule::ContainerContentInvalid;
            sink.in_part(rule, part.name, part.offset, what);
        }),
        Err(error) => sink.error(Rule::ContainerContentInvalid, &error),
    }
}

/// Checks the parts of a PDB file's container by themselves.
pub(super) fn check_of_pdb(container: &Container<'_>, sink: &Sink) {
    for part in container.parts() {
        let result = match part.name {
            FourCc::ILDN => DebugName::parse(*part).map(drop),
            FourCc::HASH => ShaderHash::parse(*part).map(drop),
            FourCc::VERS => CompilerVersion::parse(*part).map(drop),
            FourCc::SRCI => SourceInfo::parse(*part).map(drop),
            FourCc::PDBI => PdbInfo::parse(*part).map(drop),
            _ => Ok(()),
        };
        if let Err(error) = result {
            sink.error(Rule::ContainerContentInvalid, &error);
        }
    }
}

/// Checks the parts against the module.
pub(super) fn check(cx: &ValidationContext<'_>, container: &Container<'_>, bodies: &Bodies) {
    for part in container.parts() {
        check_part(cx, container, *part, bodies);
    }
    let has = |name| container.part(name).is_some();
    let missing = |name: FourCc| {
        let detail = format_args!("there is no {name}");
        cx.sink()
            .report(Rule::ContainerPartMissing, Location::default(), detail);
    };
    if cx.is_library() {
        if !has(FourCc::RDAT) {
            missing(FourCc::RDAT);
        }
        return;
    }
    for name in [FourCc::ISG1, FourCc::OSG1, FourCc::SFI0, FourCc::PSV0] {
        if !has(name) {
            missing(name);
        }
    }
    let has_third = cx
        .shader
        .entry_points
        .first()
        .is_some_and(|entry| !entry.patch_constants.is_empty());
    if has_third && has_patch_constants(cx) && !has(FourCc::PSG1) {
        missing(FourCc::PSG1);
    }
}

fn has_patch_constants(cx: &ValidationContext<'_>) -> bool {
    matches!(
        cx.shader.shader_model.kind,
        ShaderKind::Hull | ShaderKind::Domain | ShaderKind::Mesh
    )
}

fn check_part(
    cx: &ValidationContext<'_>,
    container: &Container<'_>,
    part: Part<'_>,
    bodies: &Bodies,
) {
    let sink = cx.sink();
    let is_library = cx.is_library();
    let invalid = |detail: &str| {
        sink.in_part(Rule::ContainerPartInvalid, part.name, part.offset, detail);
    };
    match part.name {
        FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 if is_library => {
            invalid("a library has no signatures");
        }
        FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 => check_signature(cx, part),
        FourCc::SFI0 => check_features(cx, part),
        FourCc::VERS => {
            if !is_library {
                invalid("only libraries name their compiler");
            } else if let Err(error) = container.compiler_version() {
                sink.error(Rule::ContainerPartInvalid, &error);
            }
        }
        FourCc::RTS0 if is_library => invalid("a library has subobjects instead"),
        FourCc::RTS0 => root_signature::check(cx, part),
        FourCc::PSV0 if is_library => invalid("a library has RDAT instead"),
        FourCc::PSV0 => psv::check(cx, part),
        FourCc::RDAT if is_library => rdat::check(cx, container, part, bodies),
        FourCc::RDAT => invalid("only libraries have runtime data"),
        FourCc::DXIL | FourCc::ILDB => check_program(cx, part),
        FourCc::HASH => check_hash(cx, container, part),
        FourCc::ILDN | FourCc::STAT | FourCc::RDEF | FourCc::PRIV | FourCc::SRCI | FourCc::PDBI => {
        }
        name => invalid(&format!("{name} is no part of DXIL")),
    }
}

fn check_program(cx: &ValidationContext<'_>, part: Part<'_>) {
    let model = cx.shader.shader_model;
    match ProgramBitcode::parse(part) {
        Ok(program) => {
            if let Some(header) = program.header
                && (header.kind, header.major, header.minor)
                    != (model.kind, model.major, model.minor)
            {
                let detail = format_args!(
                    "{}_{}_{}, the module is {}_{}_{}",
                    header.kind.prefix(),
                    header.major,
                    header.minor,
                    model.kind.prefix(),
                    model.major,
                    model.minor
                );
                let rule = Rule::SmProgramVersion;
                cx.sink().in_part(rule, part.name, part.offset, detail);
            }
            // The program header says how many words there are.
            let words = part.data.get(4..8).and_then(|size| size.first_chunk::<4>());
            let bytes = words.map_or(0, |words| u64::from(u32::from_le_bytes(*words)) * 4);
            if program.header.is_some() && bytes > part.data.len() as u64 {
                let detail = format_args!("the header says {bytes} bytes");
                let rule = Rule::ContainerContentInvalid;
                cx.sink().in_part(rule, part.name, part.offset, detail);
            }
            // The module that runs has been read before.
            if part.name == FourCc::ILDB
                && let Err(error) = check_bitcode(&program)
            {
                cx.sink()
                    .error(Rule::BitcodeValid, &error.in_part(part.name));
            }
        }
        Err(error) => cx.sink().error(Rule::ContainerContentInvalid, &error),
    }
}

/// Checks that a module can be read at all. The one with debug information has no other rules.
fn check_bitcode(program: &ProgramBitcode<'_>) -> Result<()> {
    let (bitcode, offset) = (program.bitcode, program.bitcode_offset);
    decode_module(bitcode, offset)?;
    check_layout(bitcode, offset)
}

fn check_hash(cx: &ValidationContext<'_>, container: &Container<'_>, part: Part<'_>) {
    let sink = cx.sink();
    if part.data.len() != HASH_BYTES {
        let detail = format_args!("{} bytes", part.data.len());
        sink.in_part(Rule::ContainerPartInvalid, part.name, part.offset, detail);
        return;
    }
    let (Ok(hash), Ok(program)) = (ShaderHash::parse(part), container.program()) else {
        return;
    };
    // A hash that includes the source is that of the module with debug information.
    if !hash.includes_source() && hash.digest != crate::container::md5(program.bitcode) {
        let detail = "the MD5 sum of the bitcode is another";
        sink.in_part(Rule::ContainerShaderHash, part.name, part.offset, detail);
    }
}

fn matches(cx: &ValidationContext<'_>, part: Part<'_>, detail: std::fmt::Arguments<'_>) {
    let rule = Rule::ContainerPartMatches;
    cx.sink().in_part(rule, part.name, part.offset, detail);
}

fn check_features(cx: &ValidationContext<'_>, part: Part<'_>) {
    match FeatureFlags::parse(part) {
        Ok(stored) => {
            let expected = features_of(cx.flags());
            if stored != expected {
                let (stored, expected) = (stored.bits(), expected.bits());
                let detail = format_args!("{stored:#x}, the module has {expected:#x}");
                matches(cx, part, detail);
            }
            if part.data.len() != FEATURE_BYTES {
                let detail = format_args!("{} bytes instead of 8", part.data.len());
                matches(cx, part, detail);
            }
        }
        Err(error) => cx.sink().error(Rule::ContainerContentInvalid, &error),
    }
}

fn check_signature(cx: &ValidationContext<'_>, part: Part<'_>) {
    let signature = match ProgramSignature::parse(part) {
        Ok(signature) => signature,
        Err(error) => {
            cx.sink().error(Rule::ContainerContentInvalid, &error);
            return;
        }
    };
    let Some(entry) = cx.shader.entry_points.first() else {
        return;
    };
    if part.name == FourCc::PSG1 && !has_patch_constants(cx) {
        matches(cx, part, format_args!("the stage has no patch constants"));
        return;
    }
    // A compiler writes these very bytes.
    let forms = match signature_forms(cx.shader, part.name) {
        Ok(forms) => forms,
        Err(error) => {
            cx.sink().error(Rule::ContainerContentInvalid, &error);
            return;
        }
    };
    if forms.iter().any(|form| is_same_signature(form, part.data)) {
        return;
    }
    let before = cx.sink().len();
    compare_elements(cx, part, entry, signature);
    if cx.sink().len() == before {
        let expected = forms.first().map_or(&[][..], Vec::as_slice);
        let at = first_difference(expected, part.data);
        let detail = format_args!(
            "{}",
            SignatureDifference {
                at,
                data: part.data
            }
        );
        matches(cx, part, detail);
    }
}

/// Bytes of the header of a signature part, and of an element.
const SIGNATURE_HEADER: usize = 8;
const SIGNATURE_ELEMENT: usize = 32;

/// Returns whether a signature part is the expected one. Elements of one name in one register may
/// be in any order, since DXC sorts by stream, register and name only.
fn is_same_signature(expected: &[u8], stored: &[u8]) -> bool {
    if expected == stored {
        return true;
    }
    let count = expected.first_chunk::<4>();
    let count = count.map_or(0, |count| u32::from_le_bytes(*count) as usize);
    let end = SIGNATURE_HEADER + count.saturating_mul(SIGNATURE_ELEMENT);
    let (Some((head, names)), Some((own_head, own_names))) =
        (expected.split_at_checked(end), stored.split_at_checked(end))
    else {
        return false;
    };
    let sorted = |head: &[u8]| {
        let (elements, _) = head
            .get(SIGNATURE_HEADER..)?
            .as_chunks::<SIGNATURE_ELEMENT>();
        let mut elements = elements.to_vec();
        // Stream, name and register.
        elements.sort_by_key(|element| (element.get(0..8).map(<[u8]>::to_vec), *element));
        Some(elements)
    };
    let keys = |head: &[u8]| -> Option<Vec<_>> {
        let (elements, _) = head
            .get(SIGNATURE_HEADER..)?
            .as_chunks::<SIGNATURE_ELEMENT>();
        let key = |element: &[u8; SIGNATURE_ELEMENT]| {
            Some((
                *element.first_chunk::<8>()?,
                *element.get(20..)?.first_chunk::<4>()?,
            ))
        };
        elements.iter().map(key).collect()
    };
    head.get(..SIGNATURE_HEADER) == own_head.get(..SIGNATURE_HEADER)
        && names == own_names
        && keys(head) == keys(own_head)
        && sorted(head) == sorted(own_head)
}

/// A place in a signature part, by the field that is there.
struct SignatureDifference<'a> {
    at: usize,
    data: &'a [u8],
}

impl std::fmt::Display for SignatureDifference<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SignatureDifference { at, data } = *self;
        let count = data.first_chunk::<4>();
        let count = count.map_or(0, |count| u32::from_le_bytes(*count) as usize);
        let (element, byte) = match at.checked_sub(SIGNATURE_HEADER) {
            None => return write!(f, "the header is another"),
            Some(at) => (at / SIGNATURE_ELEMENT, at % SIGNATURE_ELEMENT),
        };
        if element >= count {
            return write!(f, "the names or what follows them differ from byte {at} on");
        }
        let field = match byte {
            0..4 => "stream",
            4..8 => "place of the name",
            8..12 => "semantic index",
            12..16 => "system value",
            16..20 => "component type",
            20..24 => "register",
            24 => "mask",
            25 => "mask of used components",
            26..28 => "padding",
            _ => "minimum precision",
        };
        write!(
            f,
            "the {field} of element {element} is another in the module"
        )
    }
}

/// Compares the elements field by field.
fn compare_elements(
    cx: &ValidationContext<'_>,
    part: Part<'_>,
    entry: &EntryPoint,
    signature: ProgramSignature<'_>,
) {
    let elements = elements_of(entry, part.name);
    let rows: usize = elements
        .iter()
        .map(|element| element.semantic_indices.len())
        .sum();
    if rows != signature.parameters.len() {
        let count = signature.parameters.len();
        let detail = format_args!("{count} elements, the module has {rows}");
        matches(cx, part, detail);
        return;
    }
    // The part is sorted by registers, the module is not.
    let mut of_module: Vec<(&SignatureElement, u32, u32)> = elements
        .iter()
        .flat_map(|element| {
            // DXC gives an output of a mesh shader that is an array of arrays more indices than
            // rows; all of them are in the first register.
            let count = u32::try_from(element.semantic_indices.len()).unwrap_or(u32::MAX);
            let rows = element.rows.checked_div(count).unwrap_or(0);
            (0u32..)
                .zip(&element.semantic_indices)
                .map(move |(at, index)| (element, at.saturating_mul(rows), *index))
        })
        .collect();
    of_module.sort_by_key(|(element, _, index)| (element.stream, &element.name, *index));
    let mut parameters = signature.parameters;
    parameters.sort_by_key(|stored| (stored.stream, stored.semantic_name, stored.semantic_index));
    for ((element, row, index), stored) in of_module.into_iter().zip(&parameters) {
        let register = element.start_row.map(|start| start.saturating_add(row));
        let mask = (1u8 << element.columns.min(4)) - 1;
        let mask = mask.checked_shl(element.start_column).unwrap_or(0);
        let differs = [
            ("name", stored.semantic_name != &*element.name),
            ("index", stored.semantic_index != index),
            ("stream", stored.stream != element.stream),
            ("register", stored.register != register),
            ("mask", stored.mask != mask & 0xf),
        ];
        if let Some((field, _)) = differs.into_iter().find(|(_, differs)| *differs) {
            let name = short(&element.name);
            let detail = format_args!("the {field} of {name}{index} is another in the module");
            matches(cx, part, detail);
        }
    }
}

/// Returns the module's signature for a part.
fn elements_of(entry: &EntryPoint, part: FourCc) -> &[SignatureElement] {
    match part {
        FourCc::ISG1 => &entry.inputs,
        FourCc::OSG1 => &entry.outputs,
        _ => &entry.patch_constants,
    }
}
