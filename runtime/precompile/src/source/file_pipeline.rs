//! A pipeline whose parts are files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, RootSignature};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};
use dxil_jit::files;
use dxil_jit::input::read_container_file;

use super::extension::has_extension;
use super::libraries::state_object;
use super::pipeline_file;
use crate::draw_state::DrawState;
use crate::error::Problem;
use crate::library::{Blob, Pipeline, Shape};

/// The files of one pipeline: shaders, at most one pipeline file (`.yaml`) and one root signature
/// (a container with nothing but RTS0, or `.rts`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePipeline {
    /// The files.
    pub files: Vec<PathBuf>,
}

/// The contents of the files.
#[derive(Default)]
struct Contents {
    shaders: Vec<Blob>,
    document: Option<String>,
    root: Option<Blob>,
}

impl FilePipeline {
    pub(super) fn of(files: Vec<PathBuf>) -> Self {
        FilePipeline { files }
    }

    /// Returns the name in reports: the files.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|f| f.display().to_string()).collect();
        names.join(" ")
    }

    /// Reads the files. `root` stands in for the root signature of pipelines without one.
    pub(super) fn read(&self, root: Option<&Blob>) -> Result<Pipeline, Problem> {
        let mut contents = Contents::default();
        for path in &self.files {
            contents.add(path)?;
        }
        let mut shaders = Vec::with_capacity(contents.shaders.len());
        for bytes in &contents.shaders {
            shaders.push(read_shader(bytes)?);
        }
        let root = contents.root.clone().or_else(|| root.cloned());
        let shape = match &contents.document {
            Some(text) => pipeline_file::shape(text, root.as_ref(), &contents.shaders, &shaders)?,
            None => plain_shape(&contents.shaders, &shaders)?,
        };
        Ok(Pipeline {
            name: self.name(),
            root,
            shape,
        })
    }
}

impl Contents {
    fn add(&mut self, path: &Path) -> Result<(), Problem> {
        let at = |error: std::io::Error| Problem::file(path, &error);
        if has_extension(path, &["yaml", "yml"]) {
            if self.document.is_some() {
                return Err(Problem::mismatch("a pipeline has one pipeline file"));
            }
            self.document = Some(files::read_to_string(path).map_err(at)?);
            return Ok(());
        }
        let bytes = if has_extension(path, &["rts"]) {
            files::read(path).map_err(at)?
        } else {
            let read = read_container_file(path);
            read.map_err(|error| Problem::new(error.exit, &error.message))?
        };
        if has_extension(path, &["rts"]) || is_root_signature(&bytes) {
            if self.root.is_some() {
                return Err(Problem::mismatch("a pipeline has one root signature"));
            }
            let root = root_signature(&bytes).map_err(|problem| problem.at(path.display()))?;
            self.root = Some(root);
        } else {
            self.shaders.push(Arc::from(bytes));
        }
        Ok(())
    }
}

/// Returns whether a container has a root signature and no program.
fn is_root_signature(bytes: &[u8]) -> bool {
    Container::parse(bytes).is_ok_and(|container| {
        let has = |part| container.part(part).is_some();
        has(FourCc::RTS0) && !has(FourCc::DXIL) && container.dxbc_part().is_none()
    })
}

/// Returns a serialized root signature: the container as it is, or one around bare RTS0.
pub(super) fn root_signature(bytes: &[u8]) -> Result<Blob, Problem> {
    let root = RootSignature::from_file(bytes)?;
    if Container::parse(bytes).is_ok() {
        return Ok(Arc::from(bytes));
    }
    Ok(Arc::from(root.to_container()?))
}

/// Returns the shape of shaders without a pipeline file: compute shaders and lone stages stand by
/// themselves, stages of a draw get the state that `dxil-run --draw` gives them, and libraries
/// become state objects.
fn plain_shape(blobs: &[Blob], shaders: &[Shader]) -> Result<Shape, Problem> {
    let is_library = |shader: &&Shader| shader.shader_model.kind == ShaderKind::Library;
    let libraries = shaders.iter().filter(is_library).count();
    if libraries > 0 {
        if libraries < shaders.len() {
            return Err(Problem::mismatch(
                "a pipeline of libraries and of other shaders",
            ));
        }
        return Ok(Shape::Object(state_object(blobs, shaders)));
    }
    let stages: Vec<&Shader> = shaders.iter().collect();
    let draw = (shaders.len() > 1).then(|| Box::new(DrawState::of_stages(&stages)));
    Ok(Shape::Stages {
        shaders: blobs.to_vec(),
        draw,
    })
}
