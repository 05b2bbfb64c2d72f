//! Writes WGSL, MSL, GLSL and HLSL for the page.
//!
//! naga is as large as everything else that the page needs, so it is a module of its own, which the
//! page loads when somebody looks at a language. It takes what `dxil-web` answers about portable
//! code: words, stage, entry point and the registers of bindings.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;
mod message;

use dxil_frontend::dxil::{ResourceKind, ShaderKind};
use dxil_frontend::escape::{escaped_lines, message as shown_message};
use dxil_runtime::job::Register;
use dxil_runtime::language::{Language, MetalSlot, PortableModule, WebGpu};
use dxil_runtime::program::{
    BindingSlot, Layout, PushConstant, PushSource, SetLayout, SlotSource, spirv_words,
};
use dxil_runtime::{Error, Result};
use dxil_translate::DescriptorKind;
use serde_json::{Value, json};

pub use message::Message;

/// Answers a question: the text of a module in a language. A failure is an answer too.
pub fn answer(question: &Message) -> Message {
    let head = written(question).unwrap_or_else(|error| {
        let kind = match error {
            Error::Language { .. } | Error::Limit { .. } | Error::Unsupported(_) => "unsupported",
            _ => "job",
        };
        let message = error.to_string();
        json!({ "error": { "kind": kind, "message": shown_message(&message).to_string() } })
    });
    Message::new(head)
}

fn written(question: &Message) -> Result<Value> {
    let words = spirv_words(question.payload(0)).unwrap_or_default();
    let module = PortableModule::read(&words)?;
    let stage = match question.text("stage") {
        "Vertex" => ShaderKind::Vertex,
        "Pixel" => ShaderKind::Pixel,
        _ => ShaderKind::Compute,
    };
    let entry = question.text("entry");
    let mut metal = Value::Null;
    let text = match question.text("language") {
        "msl" => {
            metal = metal_slots(&module)?;
            module.write(Language::Msl, stage, entry)?
        }
        "glsl" => module.write(Language::Glsl, stage, entry)?,
        "hlsl" => module.write_hlsl_with_registers(&layout(&question.head["layout"]))?,
        "webgpu" => module.write_webgpu(&WebGpu::default())?,
        _ => module.write(Language::Wgsl, stage, entry)?,
    };
    Ok(json!({ "text": escaped_lines(&text).to_string(), "metal": metal }))
}

/// Returns Metal's slots, for the comment in front of the text.
fn metal_slots(module: &PortableModule) -> Result<Value> {
    let slots = module.metal_slots()?;
    let resources = slots.resources.into_iter().map(|((set, binding), slot)| {
        let (kind, number) = match slot {
            MetalSlot::Buffer(number) => ("buffer", number),
            MetalSlot::Texture(number) => ("texture", number),
            MetalSlot::Sampler(number) => ("sampler", number),
            MetalSlot::ArgumentBuffer(number) => ("argument_buffer", number),
        };
        json!([set, binding, kind, number])
    });
    let resources: Vec<Value> = resources.collect();
    Ok(json!({
        "resources": resources,
        "root_constants": slots.root_constants,
        "sizes": slots.sizes.map(|sizes| json!([sizes.buffer, sizes.of])),
        "threadgroup": slots.threadgroup,
    }))
}

/// Returns a layout with the registers of its bindings, which is what HLSL needs of it.
fn layout(given: &Value) -> Layout {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut layout = Layout::default();
    for set in list(&given["sets"]) {
        let mut slots = Vec::new();
        for slot in list(&set) {
            let binding = slot["binding"].as_u64().unwrap_or(0) as u32;
            let register = slot["register"].as_str().and_then(register_of);
            let source = match register {
                Some(register) if slot["is_counter"] == true => SlotSource::Counters(register),
                Some(register) => SlotSource::Registers(register),
                None => SlotSource::Unused,
            };
            let kind = DescriptorKind::StorageBuffer;
            slots.push(BindingSlot::new(
                binding,
                kind,
                source,
                ResourceKind::Invalid,
            ));
        }
        layout.sets.push(SetLayout { slots });
    }
    for run in list(&given["constants"]) {
        let words = run["words"].as_u64().unwrap_or(0) as u32;
        if let Some(register) = run["register"].as_str().and_then(register_of) {
            layout.push_constants.push(PushConstant {
                first_word: run["first_word"].as_u64().unwrap_or(0) as u32,
                source: PushSource::Constants { register, words },
            });
        }
    }
    layout
}

fn register_of(text: &str) -> Option<Register> {
    text.parse().ok()
}
