//! A shader with what is known of it, and the overview of its container.

use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, RootSignature, detect};
use dxil_frontend::dxil::debug::{DebugInfo, Sources};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader, read_shader_with_debug_info};
use dxil_frontend::reflection::Reflection;
use dxil_inspect::bindings::name_resources;
use dxil_inspect::contents::{Choice, describe};
use dxil_inspect::text::title;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::message::Message;

/// A shader with its names and its root signature.
pub(crate) struct Source {
    /// The shader, with its debug information if it has any.
    pub(crate) shader: Shader,
    /// Names and layouts of its resources.
    pub(crate) reflection: Reflection,
    /// The root signature in the container.
    pub(crate) root: Option<RootSignature>,
}

impl Source {
    /// Reads the shader of a question.
    pub(crate) fn of(question: &Message) -> Result<Self> {
        Source::read(question.payload(0))
    }

    /// Reads a container or bitcode.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        let with_lines = read_shader_with_debug_info(bytes).ok();
        let with_lines = with_lines.filter(|shader| DebugInfo::of(&shader.module).is_some());
        let shader = match with_lines {
            Some(shader) => shader,
            None => read_shader(bytes)?,
        };
        let root = match detect(bytes) {
            Some(dxil_frontend::container::InputKind::Container) => {
                Container::parse(bytes)?.root_signature()?
            }
            _ => None,
        };
        Ok(Source {
            reflection: Reflection::read(&shader, bytes),
            shader,
            root,
        })
    }

    /// Returns the shader whose resources have the names that reflection knows, which then are in
    /// its code too.
    pub(crate) fn named(&self) -> Shader {
        let mut shader = self.shader.clone();
        name_resources(&mut shader, &self.reflection);
        shader
    }
}

/// Returns the entry point that a question names.
pub(crate) fn entry_name(question: &Message) -> Option<String> {
    let name = question.text("entry");
    (!name.is_empty()).then(|| name.to_owned())
}

/// Answers the sections of `dxil-dis` without the code, and what the page needs to know to offer
/// the rest: entry points, and which views there are.
pub(crate) fn overview(question: &Message) -> Result<Message> {
    let bytes = question.payload(0);
    let choice = Choice {
        no_code: true,
        ..Choice::default()
    };
    let document = describe(&choice, "shader".to_owned(), bytes, None);
    let sections: Vec<Value> = document
        .sections
        .iter()
        .map(|section| {
            json!({
                "key": section.key,
                "title": title(section.key),
                "part": section.part.map(|part| part.to_string()),
                "value": section.value,
            })
        })
        .collect();
    let errors: Vec<Value> = document
        .errors
        .into_iter()
        .map(|error| Failure::from(error).json())
        .collect();
    let mut head = json!({
        "sections": sections,
        "errors": errors,
        "sources": sources(bytes).files.len(),
        "has_tokens": Container::parse(bytes).is_ok_and(|container| container.has_dxbc_program()),
        "has_code": false,
        "entries": [],
    });
    if let Ok(source) = Source::read(bytes) {
        let model = source.shader.shader_model;
        head["has_code"] = json!(!source.shader.module.bodies.is_empty());
        head["profile"] = json!(format!(
            "{}_{}_{}",
            model.kind.prefix(),
            model.major,
            model.minor
        ));
        head["has_lines"] = json!(DebugInfo::of(&source.shader.module).is_some());
        let entries = source.shader.entry_points.iter();
        let entries = entries.filter(|entry| entry.function.is_some());
        head["entries"] = entries
            .map(|entry| {
                json!({
                    "name": entry.plain_name(),
                    "kind": format!("{:?}", entry.kind),
                    "is_compute": entry.kind == ShaderKind::Compute,
                    "threads": entry.num_threads,
                })
            })
            .collect();
    }
    Ok(Message::new(head))
}

/// Returns the sources in a container, from wherever it has them.
pub(crate) fn sources(bytes: &[u8]) -> Sources {
    if let Ok(container) = Container::parse(bytes) {
        let sources = Sources::of_container(&container);
        if !sources.is_empty() || container.part(FourCc::ILDB).is_none() {
            return sources;
        }
    }
    let shader = read_shader_with_debug_info(bytes).ok();
    let sources = shader.and_then(|shader| shader.sources);
    sources.map(|sources| *sources).unwrap_or_default()
}
