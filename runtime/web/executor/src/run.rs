//! Runs a dispatch on the CPU.

use dxil_runtime::job::{ResourceView, Storage};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::{Backend, OpenOptions, device};
use serde_json::{Value, json};

use crate::contents::table;
use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::plan::plan;
use crate::source::{Source, entry_name};

/// Maximum number of basic blocks that waves execute: about as many as the page waits for.
const MAX_STEPS: u64 = 1 << 32;

/// Answers the inputs and the results as tables. The payloads are the bytes of the results, in the
/// order of `results`.
pub(crate) fn run(question: &Message) -> Result<Message> {
    let source = Source::of(question)?;
    let planned = plan(&source, question)?;
    let mut options = OpenOptions::new(Backend::Cpu);
    options.max_steps = Some(MAX_STEPS);
    let device = device::open(&options)?;
    let mut compile = CompileOptions::default();
    compile.entry = entry_name(question);
    let shader = &source.shader;
    let profile = device.profile();
    let program = Program::compile(shader, source.root.as_ref(), profile, &|_| None, &compile)?;
    let outcome = device.run(&program, &planned.job)?;
    let (mut inputs, mut results, mut payloads) = (Vec::new(), Vec::new(), Vec::new());
    for (declared, id) in &planned.bound {
        let stored = id.and_then(|id| planned.job.resources.get(id.0));
        let first = match (
            stored.map(|stored| &stored.storage),
            planned.job.view(declared.register),
        ) {
            (Some(Storage::Buffer(bytes)), _) => bytes.as_slice(),
            (Some(Storage::Texture(texture)), _) => texture.data.as_slice(),
            (None, Some(ResourceView::Constants(bytes))) => bytes.as_slice(),
            (None, _) => continue,
        };
        if !declared.writable {
            inputs.push(table(declared, first));
            continue;
        }
        let Some(bytes) = id.and_then(|id| outcome.bytes(id)) else {
            continue;
        };
        results.push(table(declared, bytes));
        payloads.push(bytes.to_vec());
    }
    let counters: Vec<Value> = outcome
        .counters
        .iter()
        .map(|(register, value)| json!([register.to_string(), value]))
        .collect();
    if results.is_empty() && payloads.is_empty() && planned.bound.is_empty() {
        return Err(Failure::job(
            "the shader has no resources, so it has no results",
        ));
    }
    let head = json!({ "inputs": inputs, "results": results, "counters": counters });
    Ok(Message::with(head, payloads))
}

/// Answers the registers of the buffers and constants that a dispatch begins with; the payloads are
/// their bytes.
pub(crate) fn first_contents(question: &Message) -> Result<Message> {
    let source = Source::of(question)?;
    let planned = plan(&source, question)?;
    let (mut registers, mut payloads) = (Vec::new(), Vec::new());
    for (declared, id) in &planned.bound {
        let stored = id.and_then(|id| planned.job.resources.get(id.0));
        let bytes = match (
            stored.map(|stored| &stored.storage),
            planned.job.view(declared.register),
        ) {
            (Some(Storage::Buffer(bytes)), _) => bytes,
            (None, Some(ResourceView::Constants(bytes))) => bytes,
            _ => continue,
        };
        registers.push(declared.register.to_string());
        payloads.push(bytes.clone());
    }
    Ok(Message::with(json!({ "registers": registers }), payloads))
}
