//! The SPIR-V of a shader: translated, or given as it is.

use dxil_frontend::dxil::Shader;
use dxil_frontend::escape::escaped_lines;
use dxil_inspect::bindings::Bindings;
use dxil_runtime::Profile;
use dxil_runtime::program::{CompileOptions, Program, ShaderCode, StageCode, spirv_words};
use dxil_translate::{SourceDebugInfo, VulkanVersion};
use rspirv::binary::Disassemble;
use serde_json::{Value, json};

use crate::code::MAX_LINES;
use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::origins::{self, Origins};
use crate::source::{Source, entry_name};
use crate::statistics;

/// Answers the disassembly, with what is bound where and the counts of words. The payload is the
/// module.
pub(crate) fn spirv(question: &Message) -> Result<Message> {
    if let Some(words) = spirv_words(question.payload(0)) {
        let mut head = disassembled(&words)?;
        head["statistics"] = statistics::of_spirv(&words);
        return Ok(Message::with(head, vec![question.payload(0).to_vec()]));
    }
    let source = Source::of(question)?;
    let entry = entry_name(question);
    let shader = source.named();
    let program = compiled(&shader, &source, entry.clone(), SourceDebugInfo::None)?;
    let stage = first_stage(&program)?;
    let words = words_of(stage)?;
    let mut marked = shader.clone();
    Origins::of(&shader).mark(&mut marked);
    let lined = compiled(&marked, &source, entry, SourceDebugInfo::Lines)?;
    let mut head = disassembled(words_of(first_stage(&lined)?)?)?;
    let bindings = Bindings {
        shader: &shader,
        reflection: &source.reflection,
        interface: stage.interface.as_ref(),
        metal: None,
    };
    head["bindings"] = bindings.json()["bindings"].clone();
    head["comment"] = json!(bindings.comment(";"));
    head["warnings"] = stage.warnings.iter().map(ToString::to_string).collect();
    head["statistics"] = statistics::of_spirv(words);
    head["operations"] = statistics::of_shader(&shader);
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Ok(Message::with(head, vec![bytes]))
}

/// Translates for a device that has everything, as `dxil-run --emit spv` does.
fn compiled(
    shader: &Shader,
    source: &Source,
    entry: Option<String>,
    lines: SourceDebugInfo,
) -> Result<Program> {
    let mut options = CompileOptions::default();
    options.entry = entry;
    options.debug_info = true;
    options.source = lines;
    let profile = Profile::offline(VulkanVersion::V1_3);
    let root = source.root.as_ref();
    Ok(Program::compile(
        shader,
        root,
        &profile,
        &|_| None,
        &options,
    )?)
}

/// Returns the first stage of a program.
pub(crate) fn first_stage(program: &Program) -> Result<&StageCode> {
    let stage = program.stages.first();
    stage.ok_or_else(|| Failure::unsupported("a program without stages"))
}

/// Returns the words of a stage.
pub(crate) fn words_of(stage: &StageCode) -> Result<&[u32]> {
    match &stage.code {
        ShaderCode::SpirV(words) => Ok(words),
        _ => Err(Failure::unsupported("code that is not SPIR-V")),
    }
}

/// Returns the disassembly. The lines of a made-up source become the origins of lines.
fn disassembled(words: &[u32]) -> Result<Value> {
    let module = rspirv::dr::load_words(words)
        .map_err(|error| Failure::unsupported(format!("disassembling: {error}")))?;
    let text = module.disassemble();
    let text = escaped_lines(&text).to_string();
    let mut lines: Vec<Value> = Vec::new();
    let (mut origin, mut left_out) = (None, 0_usize);
    for line in text.lines() {
        // The name of the made-up source is no part of the module that the reader gets.
        if line.contains(" = OpString ") && line.contains(origins::NAME) {
            continue;
        }
        let mut words = line.split_whitespace();
        match words.next() {
            Some("OpLine") => {
                origin = words.nth(1).and_then(|line| line.parse::<u32>().ok());
                continue;
            }
            Some("OpNoLine") => {
                origin = None;
                continue;
            }
            _ => {}
        }
        if lines.len() >= MAX_LINES {
            left_out += 1;
            continue;
        }
        let is_label = line.contains(" = OpLabel");
        // A line ends with its block.
        if is_label || line.contains("OpFunction") {
            origin = None;
        }
        lines.push(match origin {
            Some(origin) => json!({ "runs": [line], "origin": origin }),
            None => json!({ "runs": [line] }),
        });
    }
    Ok(json!({ "lines": lines, "left_out": left_out, "words": words.len() }))
}
