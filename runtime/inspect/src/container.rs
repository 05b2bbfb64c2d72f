//! Sections of the container: header, part list, and the small parts.

use dxil_frontend::container::{
    CompilerVersion, Container, DebugName, FeatureFlags, Interfaces, Part, PdbInfo, ProgramBitcode,
    ProgramSignature, Rdat, ResourceDefinitions, RootSignature, ShaderHash, ShaderStatistics,
    SourceInfo,
};
use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::{Error, FourCc};
use serde_json::{Value, json};

use crate::describe::{Fields, components, flags, hex, list, name};
use crate::document::Document;
use crate::{interfaces, psv, rdat, rdef, root_signature};

/// Returns header, digest and part list.
pub(crate) fn header(container: &Container<'_>) -> Value {
    let (major, minor) = container.version();
    json!({
        "version": format!("{major}.{minor}"),
        "bytes": container.bytes().len(),
        "digest": {
            "status": name(container.digest()),
            "stored": hex(&container.stored_digest()),
            "computed": hex(&container.compute_digest()),
        },
        "parts": list(container.parts(), |part| json!({
            "name": part.name.to_string(),
            "offset": part.offset,
            "bytes": part.data.len(),
            "content": content_of(part.name),
        })),
    })
}

/// Returns a short description of a part.
fn content_of(part: FourCc) -> &'static str {
    match part {
        FourCc::DXIL => "code",
        FourCc::ILDB => "code with debug information",
        FourCc::ILDN => "name of the debug file",
        FourCc::HASH => "digest of the code",
        FourCc::ISG1 | FourCc::ISGN => "input signature",
        FourCc::OSG1 | FourCc::OSG5 | FourCc::OSGN => "output signature",
        FourCc::PSG1 | FourCc::PCSG => "patch-constant or primitive signature",
        FourCc::PSV0 => "pipeline state validation",
        FourCc::RTS0 => "root signature",
        FourCc::SFI0 => "required features",
        FourCc::RDAT => "runtime data of a library",
        FourCc::STAT => "code for reflection (DXIL), statistics (DXBC)",
        FourCc::RDEF => "resource definitions",
        FourCc::IFCE => "classes and interfaces",
        FourCc::SHDR | FourCc::SHEX => "code of shader models 4 and 5",
        FourCc::VERS => "compiler version",
        FourCc::PDBI => "sources and arguments (PDB)",
        FourCc::SRCI => "sources and arguments",
        FourCc::PRIV => "private data",
        part if FourCc::KNOWN.contains(&part) => "known name, not decoded",
        _ => "unknown",
    }
}

/// Adds a section for each requested part except the code, in file order.
pub(crate) fn add_parts(
    document: &mut Document,
    container: &Container<'_>,
    wanted: impl Fn(FourCc) -> bool,
) {
    for part in container.parts() {
        if !wanted(part.name) {
            continue;
        }
        let section = match part.name {
            FourCc::STAT if container.dxbc_part().is_some() => Some((
                "statistics",
                ShaderStatistics::parse(*part).map(|counts| statistics(&counts)),
            )),
            FourCc::RDEF => Some((
                "resource_definitions",
                ResourceDefinitions::parse(*part).map(|found| rdef::section(&found)),
            )),
            FourCc::IFCE => Some((
                "interfaces",
                Interfaces::parse(*part).map(|found| interfaces::section(&found)),
            )),
            FourCc::DXIL | FourCc::ILDB | FourCc::STAT => {
                let key = match part.name {
                    FourCc::DXIL => "program",
                    FourCc::ILDB => "debug_program",
                    _ => "reflection_program",
                };
                Some((
                    key,
                    ProgramBitcode::parse(*part).map(|program| program_header(&program)),
                ))
            }
            FourCc::SFI0 => Some(("features", FeatureFlags::parse(*part).map(flags))),
            FourCc::HASH => Some((
                "hash",
                ShaderHash::parse(*part).map(|hash| shader_hash(&hash)),
            )),
            FourCc::VERS => Some((
                "compiler",
                CompilerVersion::parse(*part).map(|v| compiler(&v)),
            )),
            FourCc::ILDN => Some((
                "debug_name",
                DebugName::parse(*part)
                    .map(|name| json!({ "name": name.name, "flags": name.flags })),
            )),
            FourCc::ISG1 | FourCc::ISGN => Some(("inputs", signature(*part, true))),
            FourCc::OSG1 | FourCc::OSG5 | FourCc::OSGN => {
                Some(("outputs", signature(*part, false)))
            }
            FourCc::PSG1 | FourCc::PCSG => {
                // Only a domain shader reads patch constants.
                let header = container.program().ok().and_then(|program| program.header);
                let is_input = header.is_some_and(|header| header.kind == ShaderKind::Domain);
                Some(("patch_constants", signature(*part, is_input)))
            }
            FourCc::PSV0 => {
                let psv = container
                    .psv()
                    .map(|psv| psv.map_or(Value::Null, |psv| psv::section(&psv)));
                Some(("pipeline_state", psv))
            }
            FourCc::RTS0 => Some((
                "root_signature",
                RootSignature::parse(*part).map(|root| root_signature::section(&root)),
            )),
            FourCc::RDAT => Some((
                "runtime_data",
                Rdat::parse(*part).and_then(|rdat| rdat::section(&rdat)),
            )),
            FourCc::SRCI => Some((
                "sources",
                SourceInfo::parse(*part).and_then(|s| sources(&s)),
            )),
            FourCc::PDBI => Some((
                "pdb",
                PdbInfo::parse(*part).and_then(|info| rdat::pdb_section(&info)),
            )),
            _ => None,
        };
        match section {
            Some((key, result)) => document.add(key, Some(part.name), result),
            None => document.add("part", Some(part.name), Ok(raw_part(part))),
        }
    }
}

fn program_header(program: &ProgramBitcode<'_>) -> Value {
    let mut fields = Fields::default();
    if let Some(header) = program.header {
        fields.set("stage", name(header.kind));
        fields.set(
            "shader_model",
            format!("{}_{}_{}", header.kind.prefix(), header.major, header.minor),
        );
        let (major, minor) = header.dxil_version;
        fields.set("dxil_version", format!("{major}.{minor}"));
    }
    fields.set("bitcode_offset", program.bitcode_offset);
    fields.set("bitcode_bytes", program.bitcode.len());
    fields.finish()
}

fn statistics(counts: &ShaderStatistics) -> Value {
    let mut fields = Fields::default();
    for (name, count) in counts.iter().filter(|(_, count)| *count != 0) {
        fields.set(name, count);
    }
    fields.finish()
}

fn shader_hash(hash: &ShaderHash) -> Value {
    json!({
        "digest": hex(&hash.digest),
        "includes_source": hash.includes_source(),
    })
}

fn compiler(version: &CompilerVersion<'_>) -> Value {
    json!({
        "version": format!("{}.{}", version.major, version.minor),
        "flags": version.flags,
        "commit_count": version.commit_count,
        "commit": version.commit,
        "custom": version.custom,
    })
}

/// Returns the elements of a signature. The second mask of an input has the components that are
/// always read, that of an output those that are never written.
fn signature(part: Part<'_>, is_input: bool) -> Result<Value, Error> {
    let signature = ProgramSignature::parse(part)?;
    let usage = if is_input { "usage" } else { "never_written" };
    Ok(list(&signature.parameters, |parameter| {
        let mut fields = Fields::default();
        fields
            .set("semantic", parameter.semantic_name)
            .set("index", parameter.semantic_index)
            .set("system_value", name(parameter.system_value))
            .set("type", name(parameter.component_type))
            .set("register", parameter.register)
            .set("mask", components(parameter.mask))
            .set(usage, components(parameter.usage_mask))
            .set("min_precision", name(parameter.min_precision))
            .set("stream", parameter.stream)
            .finish()
    }))
}

fn sources(info: &SourceInfo<'_>) -> Result<Value, Error> {
    let texts: Vec<&str> = match &info.contents {
        Some(contents) => contents.texts().collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    Ok(json!({
        "arguments": list(&info.arguments, |(name, value)| if value.is_empty() { json!(name) } else { json!(format!("{name} {value}")) }),
        "files": list(info.names.iter().enumerate(), |(index, source)| json!({
            "name": source.name,
            "text": texts.get(index),
        })),
    }))
}

fn raw_part(part: &Part<'_>) -> Value {
    const SHOWN: usize = 64;
    let start = part.data.get(..SHOWN).unwrap_or(part.data);
    json!({
        "name": part.name.to_string(),
        "bytes": part.data.len(),
        "first_bytes": hex(start),
    })
}
