//! What the writers of WGSL, MSL, GLSL and HLSL need: portable SPIR-V, and the registers of its
//! bindings (`runtime/web/languages`).

use dxil_inspect::bindings::{ArgumentTables, Bindings};
use dxil_runtime::language::{self, Language};
use dxil_runtime::program::{CompileOptions, Layout, Program, PushSource, SlotSource, spirv_words};
use dxil_translate::VulkanVersion;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::source::{Source, entry_name};
use crate::spirv::{first_stage, words_of};

/// Answers a module that naga reads, and the comment in front of its text. `metal`, if the question
/// has it, are Metal's slots, which are known when the text is written.
pub(crate) fn portable(question: &Message) -> Result<Message> {
    let language = language_of(question.text("language"))?;
    if spirv_words(question.payload(0)).is_some() {
        return Err(Failure::unsupported(
            "other languages for SPIR-V from elsewhere: they need what the translator knows",
        ));
    }
    let source = Source::of(question)?;
    let shader = source.named();
    let program = compiled(question, &source, language)?;
    let stage = first_stage(&program)?;
    let bindings = Bindings {
        shader: &shader,
        reflection: &source.reflection,
        interface: stage.interface.as_ref(),
        metal: argument_tables(&question.head["metal"]),
    };
    let words = words_of(stage)?;
    let head = json!({
        "comment": bindings.comment("//"),
        "stage": format!("{:?}", stage.kind),
        "entry": stage.entry,
        "layout": layout(&program.layout),
    });
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    Ok(Message::with(head, vec![bytes]))
}

fn language_of(name: &str) -> Result<Language> {
    Ok(match name {
        "wgsl" | "webgpu" => Language::Wgsl,
        "msl" => Language::Msl,
        "glsl" => Language::Glsl,
        "hlsl" => Language::Hlsl,
        other => return Err(Failure::job(format!("no such language: `{other}`"))),
    })
}

/// Translates a shader to what naga reads.
pub(crate) fn compiled(question: &Message, source: &Source, language: Language) -> Result<Program> {
    let mut options = CompileOptions::default();
    options.entry = entry_name(question);
    options.debug_info = true;
    let profile = language::profile(VulkanVersion::V1_3, language);
    let root = source.root.as_ref();
    let shader = source.named();
    let program = Program::compile(&shader, root, &profile, &|_| None, &options);
    Ok(program.map_err(|error| language::explained(error, language))?)
}

/// Returns the registers of bindings.
fn layout(layout: &Layout) -> Value {
    let mut sets: Vec<Vec<Value>> = Vec::new();
    for set in &layout.sets {
        let slots = set.slots.iter().map(|slot| {
            let (register, is_counter) = match &slot.source {
                SlotSource::Registers(register) => (Some(register.to_string()), false),
                SlotSource::Counters(register) => (Some(register.to_string()), true),
                SlotSource::ResourceHeap
                | SlotSource::HeapCounters
                | SlotSource::SamplerHeap
                | SlotSource::StaticSampler(_)
                | SlotSource::Unused => (None, false),
            };
            json!({ "binding": slot.binding, "register": register, "is_counter": is_counter })
        });
        sets.push(slots.collect());
    }
    let constants = layout
        .push_constants
        .iter()
        .filter_map(|run| match &run.source {
            PushSource::Constants { register, words } => {
                Some(json!({ "first_word": run.first_word, "register": register.to_string(), "words": words }))
            }
            _ => None,
        });
    let constants: Vec<Value> = constants.collect();
    json!({ "sets": sets, "constants": constants })
}

/// Returns Metal's slots as the comment has them.
fn argument_tables(metal: &Value) -> Option<ArgumentTables> {
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let slot = |value: &Value| value.as_u64().and_then(|number| u8::try_from(number).ok());
    let pair = |value: &Value| Some((number(&value[0])?, number(&value[1])?));
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    metal.as_object()?;
    let resources = list(&metal["resources"]).into_iter().filter_map(|row| {
        let kind = match row[2].as_str()? {
            "buffer" => "buffer",
            "texture" => "texture",
            "argument_buffer" => "argument_buffer",
            _ => "sampler",
        };
        Some((pair(&row)?, (kind, slot(&row[3])?)))
    });
    let sizes = &metal["sizes"];
    Some(ArgumentTables {
        resources: resources.collect(),
        entry_bytes: language::METAL_ENTRY_BYTES,
        root_constants: slot(&metal["root_constants"]),
        sizes: slot(&sizes[0])
            .map(|buffer| (buffer, list(&sizes[1]).iter().filter_map(pair).collect())),
        threadgroup: list(&metal["threadgroup"])
            .iter()
            .filter_map(number)
            .collect(),
    })
}
