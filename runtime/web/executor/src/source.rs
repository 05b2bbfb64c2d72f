//! A shader with the names of its resources and its root signature.

use dxil_frontend::container::{Container, InputKind, RootSignature, detect};
use dxil_frontend::dxil::{EntryPoint, Shader, read_shader, read_shader_with_debug_info};
use dxil_frontend::reflection::Reflection;

use crate::failure::{Failure, Result};
use crate::message::Message;

/// A shader to run.
pub(crate) struct Source {
    /// The shader.
    pub(crate) shader: Shader,
    /// Names and layouts of its resources.
    pub(crate) reflection: Reflection,
    /// The root signature in the container.
    pub(crate) root: Option<RootSignature>,
}

impl Source {
    /// Reads the shader of a question.
    pub(crate) fn of(question: &Message) -> Result<Self> {
        let bytes = question.payload(0);
        Source::new(bytes, read_shader(bytes)?)
    }

    /// Reads the shader of a question with its debug information.
    pub(crate) fn with_debug_info(question: &Message) -> Result<Self> {
        let bytes = question.payload(0);
        Source::new(bytes, read_shader_with_debug_info(bytes)?)
    }

    fn new(bytes: &[u8], shader: Shader) -> Result<Self> {
        let root = match detect(bytes) {
            Some(InputKind::Container) => Container::parse(bytes)?.root_signature()?,
            _ => None,
        };
        Ok(Source {
            reflection: Reflection::read(&shader, bytes),
            shader,
            root,
        })
    }

    /// Returns the entry point of a question, or else the first one with code.
    pub(crate) fn entry(&self, question: &Message) -> Result<&EntryPoint> {
        let shader = &self.shader;
        let found = match question.text("entry") {
            "" => shader.entry_points.iter().find(|e| e.function.is_some()),
            name => shader.entry_point(name),
        };
        found.ok_or_else(|| Failure::job("this shader has no such entry point"))
    }
}

/// Returns the entry point that a question names.
pub(crate) fn entry_name(question: &Message) -> Option<String> {
    let name = question.text("entry");
    (!name.is_empty()).then(|| name.to_owned())
}
