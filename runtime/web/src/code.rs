//! The code of a shader: listing, LLVM text, tokens, sources, control flow.

use dxil_frontend::dxil::ResourceIndex;
use dxil_frontend::dxil::debug::DebugInfo;
use dxil_frontend::ir::{Function, InstId};
use dxil_inspect::contents::{Choice, describe};
use dxil_inspect::document::Document;
use dxil_inspect::listing::Listing;
use dxil_inspect::text;
use serde_json::{Value, json};

use crate::colours::{plain, runs};
use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::origins::Origins;
use crate::source::{Source, sources};

/// Maximum number of lines that a view has: a browser gets slow with more.
pub(crate) const MAX_LINES: usize = 20_000;

/// Answers the code in the form that the question names.
pub(crate) fn code(question: &Message) -> Result<Message> {
    match question.text("form") {
        "llvm" => {
            let choice = Choice {
                llvm: true,
                ..Choice::default()
            };
            let document = described(&choice, question.payload(0))?;
            let text = text::guarded(&text::render_assembly(&document));
            Ok(Message::new(lines(plain(&text).lines())))
        }
        "tokens" => {
            let document = described(&Choice::default(), question.payload(0))?;
            let tokens = document.sections.iter().find(|s| s.key == "tokens");
            let text = tokens.and_then(|section| section.text.as_deref());
            Ok(Message::new(lines(
                text::guarded(text.unwrap_or_default()).lines(),
            )))
        }
        "source" => {
            let files = sources(question.payload(0)).files;
            let files = files.iter();
            let files: Value = files
                .map(|file| json!({ "name": &*file.name, "text": &*file.text }))
                .collect();
            Ok(Message::new(json!({ "files": files })))
        }
        _ => listing(&Source::of(question)?),
    }
}

/// Describes a shader; the first error is that of the answer, since the page shows the others with
/// the parts.
fn described(choice: &Choice, bytes: &[u8]) -> Result<Document> {
    let mut document = describe(choice, "shader".to_owned(), bytes, None);
    let has_code = document.sections.iter().any(|s| s.text.is_some());
    if !has_code && !document.errors.is_empty() {
        return Err(Failure::from(document.errors.remove(0)));
    }
    Ok(document)
}

/// Returns lines without origins, as JSON.
fn lines<'a>(all: impl Iterator<Item = &'a str>) -> Value {
    let mut lines: Vec<Value> = Vec::new();
    let mut left_out = 0;
    for line in all {
        if lines.len() < MAX_LINES {
            lines.push(json!({ "runs": [line] }));
        } else {
            left_out += 1;
        }
    }
    json!({ "lines": lines, "left_out": left_out })
}

/// Returns the listing of all functions: for each line its runs, the number of its instruction, and
/// the source line of that.
fn listing(source: &Source) -> Result<Message> {
    let shader = &source.shader;
    let origins = Origins::of(shader);
    let resources = ResourceIndex::new(&shader.resources);
    let mut lines: Vec<Value> = Vec::new();
    let mut left_out = 0_usize;
    for (index, function) in shader.module.bodies.iter().enumerate() {
        let Some(listing) = Listing::new(shader, &resources, function) else {
            continue;
        };
        if !lines.is_empty() {
            lines.push(json!({ "runs": [] }));
        }
        for line in listing.lines() {
            if lines.len() >= MAX_LINES {
                left_out += 1;
                continue;
            }
            let text = text::guarded(&line.text);
            let mut value = json!({ "runs": runs(&text) });
            if let Some(inst) = line.inst {
                value["origin"] = json!(origins.number(index, inst));
                if let Some(place) = place(source, function, inst) {
                    value["place"] = place;
                }
            }
            lines.push(value);
        }
    }
    Ok(Message::new(
        json!({ "lines": lines, "left_out": left_out }),
    ))
}

/// Returns file and line of an instruction in the source.
fn place(source: &Source, function: &Function, inst: InstId) -> Option<Value> {
    let info = DebugInfo::of(&source.shader.module)?;
    let place = function.debug_locs.get(inst).copied().flatten()?;
    let position = info.position(&place)?;
    Some(json!([position.file, position.line]))
}

/// Answers the control flow of each function: its blocks with their code and edges, and the
/// constructs of its SPIR-V as text.
pub(crate) fn flow(question: &Message) -> Result<Message> {
    let source = Source::of(question)?;
    let shader = &source.shader;
    let origins = Origins::of(shader);
    let resources = ResourceIndex::new(&shader.resources);
    let mut functions = Vec::new();
    for (index, function) in shader.module.bodies.iter().enumerate() {
        let Some(listing) = Listing::new(shader, &resources, function) else {
            continue;
        };
        let flow = listing.control_flow();
        let mut blocks = flow.json();
        for (block, value) in function
            .blocks
            .keys()
            .zip(blocks.as_array_mut().into_iter().flatten())
        {
            let mut code = String::new();
            listing.write_block(&mut code, block);
            let code = plain(&text::guarded(&code));
            value["code"] = code.lines().skip(1).map(str::trim).collect();
            let numbers = function
                .block_insts(block)
                .map(|inst| origins.number(index, inst));
            value["origins"] = numbers.collect();
        }
        let mut described = json!({ "name": flow.name, "blocks": blocks });
        match listing.structured() {
            Ok(structured) => described["constructs"] = json!(structured.text()),
            Err(error) => described["error"] = Failure::from(error).json(),
        }
        functions.push(described);
    }
    Ok(Message::new(json!({ "functions": functions })))
}
