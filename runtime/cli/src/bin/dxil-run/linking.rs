//! Shaders whose functions are in other files: libraries of the command line are linked.

use std::path::Path;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::link;
use dxil_runtime::cache::SourceHash;

use crate::args::Args;
use crate::failure::{Context, Failure, Result};
use crate::source::{self, ShaderFile};

/// A shader with all that it calls.
pub(crate) struct Linked<'a> {
    /// The file that its entry point is in.
    pub(crate) path: &'a Path,
    /// The command line's root signature, or else the one of that file.
    pub(crate) root: Option<RootSignature>,
    pub(crate) shader: Shader,
    /// The module with the names of the source, where the container has it and is all there is.
    pub(crate) named: Option<Shader>,
    pub(crate) source: SourceHash,
}

impl<'a> Linked<'a> {
    /// Reads the files: a shader, and libraries with the functions that it calls.
    pub(crate) fn read(args: &'a Args) -> Result<Self> {
        let mut contents = Vec::with_capacity(args.shaders.len());
        for path in &args.shaders {
            contents.push((path.as_path(), source::file(path)?));
        }
        let mut files = Vec::with_capacity(contents.len());
        for (path, bytes) in &contents {
            let file = ShaderFile::open(bytes).context(path)?;
            let shader = file.shader(args).context(path)?;
            files.push((*path, file, shader));
        }
        let main = main_of(&files, args.entry.as_deref())?;
        let sources: Vec<SourceHash> = contents
            .iter()
            .map(|(_, bytes)| SourceHash::of(bytes))
            .collect();
        let source = match sources.as_slice() {
            [only] => *only,
            _ => {
                let main = sources.get(main).copied();
                SourceHash::of_sources(&main.into_iter().chain(sources).collect::<Vec<_>>())
            }
        };
        let (path, file, shader) = files.remove(main);
        let libraries: Vec<&Shader> = files.iter().map(|(.., shader)| shader).collect();
        let mut named = file.reflection();
        let shader = match shader.shader_model.kind {
            ShaderKind::Library => match link::link(&shader, &libraries) {
                // The variables of libraries keep their names; numbers change by linking.
                Ok(linked) => {
                    named = named.filter(|_| libraries.is_empty());
                    linked
                }
                // Perhaps the entry point does without.
                Err(_) if libraries.is_empty() => shader,
                Err(error) => return Err(error).context(path),
            },
            _ => shader,
        };
        Ok(Linked {
            path,
            root: crate::root_signature::root_signature(args, path, &file)?,
            shader,
            named,
            source,
        })
    }
}

/// Which of several files has the entry point.
fn main_of(files: &[(&Path, ShaderFile<'_>, Shader)], entry: Option<&str>) -> Result<usize> {
    const ONE: &str = "give one compute shader, or libraries that are linked, one of which has the entry point (--entry); or say what to draw with several stages: --draw VERTICES";
    if files.len() == 1 {
        return Ok(0);
    }
    let has_entry = |shader: &Shader| match entry {
        Some(name) => shader.entry_point(name).is_some(),
        None => shader
            .entry_points
            .iter()
            .any(|entry| entry.function.is_some()),
    };
    let with_entry = files.iter().enumerate();
    let mut with_entry = with_entry.filter(|(_, (.., shader))| has_entry(shader));
    let main = match (with_entry.next(), with_entry.next()) {
        (Some((main, _)), None) => main,
        _ => return Err(Failure::usage(ONE)),
    };
    let libraries = files.iter().enumerate();
    let others_are = libraries
        .filter(|(index, _)| *index != main)
        .all(|(_, (.., shader))| shader.shader_model.kind == ShaderKind::Library);
    if others_are {
        Ok(main)
    } else {
        Err(Failure::usage(ONE))
    }
}

/// Gives each of several libraries the functions that it calls and another one defines; says which
/// changed.
pub(crate) fn among(shaders: &mut [Shader]) -> dxil_frontend::Result<Vec<bool>> {
    let mut linked = Vec::with_capacity(shaders.len());
    for (index, shader) in shaders.iter().enumerate() {
        let others: Vec<&Shader> = shaders
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index)
            .map(|(_, shader)| shader)
            .collect();
        let needs_others = !link::unresolved(shader).is_empty() && !others.is_empty();
        linked.push(if needs_others {
            Some(link::link(shader, &others)?)
        } else {
            None
        });
    }
    let changed = linked.iter().map(Option::is_some).collect();
    for (shader, linked) in shaders.iter_mut().zip(linked) {
        if let Some(linked) = linked {
            *shader = linked;
        }
    }
    Ok(changed)
}
