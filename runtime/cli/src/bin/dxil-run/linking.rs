//! Shaders whose functions are in other files: libraries of the command line are linked.

use std::path::Path;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::link;
use dxil_frontend::reflection::Reflection;
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
    /// Names and layouts of its resources.
    pub(crate) reflection: Reflection,
    pub(crate) source: SourceHash,
}

impl<'a> Linked<'a> {
    /// Reads the files: a shader, and libraries with the functions that it calls.
    pub(crate) fn read(args: &'a Args) -> Result<Self> {
        let mut contents = Vec::with_capacity(args.shaders.len());
        for (index, path) in args.shaders.iter().enumerate() {
            contents.push((path.as_path(), source::file(args, index, path)?));
        }
        let mut files = Vec::with_capacity(contents.len());
        for (path, bytes) in &contents {
            let file = ShaderFile::open(args, path, bytes)?;
            let shader = file.shader(args).context(path)?;
            files.push((*path, file, shader));
        }
        let main = main_of(&files, args.entry.as_deref())?;
        let mut sources: Vec<SourceHash> = Vec::with_capacity(files.len());
        for (path, file, _) in &files {
            sources.push(file.hash().context(path)?);
        }
        let source = match sources.as_slice() {
            [only] => *only,
            _ => {
                // The main file is named twice, since the same files with another main file are
                // other code.
                let main = sources.get(main).copied();
                SourceHash::of_sources(&main.into_iter().chain(sources).collect::<Vec<_>>())
            }
        };
        let (path, file, shader) = files.remove(main);
        let libraries: Vec<&Shader> = files.iter().map(|(.., shader)| shader).collect();
        file.check_debug_info(args, path, &shader);
        let mut reflection = file.reflection(&shader);
        let shader = match shader.shader_model.kind {
            ShaderKind::Library => match link::link(&shader, &libraries) {
                // The variables of libraries keep their names; numbers change by linking.
                Ok(linked) => {
                    if !libraries.is_empty() {
                        reflection = Reflection::of(&linked, None);
                    }
                    linked
                }
                // Perhaps the entry point does without.
                Err(_) if libraries.is_empty() => shader,
                Err(error) => return Err(error).context(path),
            },
            // Code of other kinds than libraries calls nothing outside of its file.
            _ => shader,
        };
        Ok(Linked {
            path,
            root: crate::root_signature::root_signature(args, path, &file)?,
            shader,
            reflection,
            source,
        })
    }
}

/// Returns the index of the file that has the entry point.
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
    if let Some(name) = entry
        && !files.iter().any(|(.., shader)| has_entry(shader))
    {
        let files = files.iter().map(|(path, _, shader)| (*path, shader));
        return Err(no_entry(name, files));
    }
    let with_entry = files.iter().enumerate();
    let mut with_entry = with_entry.filter(|(_, (.., shader))| has_entry(shader));
    let main = match (with_entry.next(), with_entry.next()) {
        (Some((main, _)), None) => main,
        _ => return Err(Failure::usage(ONE)),
    };
    // A shader of another kind beside the main file would be ignored silently.
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

/// Returns the error for a name that no entry point of the files has.
pub(crate) fn no_entry<'a>(
    name: &str,
    files: impl Iterator<Item = (&'a Path, &'a Shader)>,
) -> Failure {
    let mut lists: Vec<(&Path, String)> = files
        .map(|(path, shader)| {
            let points = shader.entry_points.iter();
            let points = points.filter(|point| point.function.is_some());
            let names: Vec<&str> = points.map(|point| point.plain_name()).collect();
            (path, names.join(" "))
        })
        .collect();
    lists.retain(|(_, names)| !names.is_empty());
    let known = match lists.as_slice() {
        [] => "the files have none".to_owned(),
        [(_, names)] => format!("there are: {names}"),
        // Each stage of a draw may have a `main`.
        lists => {
            let one = |(path, names): &(&Path, String)| format!("{} has {names}", path.display());
            lists.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    };
    Failure::usage(format!("there is no entry point {name}; {known}"))
}

/// Gives each of several libraries the functions that it calls and another one defines; says which
/// changed.
pub(crate) fn among(shaders: &mut [Shader]) -> dxil_frontend::Result<Vec<bool>> {
    // All are linked against the files as they were read, so that the order does not matter.
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
