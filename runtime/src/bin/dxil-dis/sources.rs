//! `--sources`: what a shader was compiled from, as a list or as files.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use dxil_frontend::container::Container;
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::dxil::read_shader_with_debug_info;
use serde_json::{Value, json};

use crate::args::Args;
use crate::{read, report, status, status_of, write_output};

/// Lists the sources of all files, or writes them below a directory.
pub(crate) fn run(args: &Args, directory: Option<&Path>) -> anyhow::Result<u8> {
    let mut status = status::OK;
    let (mut text, mut values) = (String::new(), Vec::new());
    for file in &args.files {
        let bytes = read(file)?;
        let sources = match sources_of(&bytes) {
            Ok(sources) => sources,
            Err(error) => {
                report(&format!("{}: {error}", file.display()));
                status = status.max(status_of(&error));
                continue;
            }
        };
        if sources.is_empty() {
            report(&format!(
                "{}: no sources; DXC keeps them with -Zi -Qembed_debug",
                file.display()
            ));
        }
        values.push(as_json(&sources));
        match directory {
            None => list(&sources, &mut text),
            Some(directory) => write(&sources, directory, &mut text)?,
        }
    }
    if args.json {
        let value = match values.as_slice() {
            [one] => one.clone(),
            _ => Value::Array(values),
        };
        text = serde_json::to_string_pretty(&value).context("writing JSON")? + "\n";
    }
    write_output(args, text.as_bytes())?;
    Ok(status)
}

/// Sources of the code with debug information, or of a part; a container without code may have the latter.
fn sources_of(bytes: &[u8]) -> dxil_frontend::Result<Sources> {
    if let Ok(container) = Container::parse(bytes) {
        let sources = Sources::of_container(&container);
        if !sources.is_empty() {
            return Ok(sources);
        }
    }
    let shader = read_shader_with_debug_info(bytes)?;
    Ok(shader.sources.map(|sources| *sources).unwrap_or_default())
}

fn list(sources: &Sources, out: &mut String) {
    for file in &sources.files {
        let main = match sources.main.as_ref() == Some(&file.name) {
            true => "  main",
            false => "",
        };
        let lines = file.text.lines().count();
        let _ = writeln!(
            out,
            "{}  {} bytes, {lines} lines{main}",
            shown(&file.name),
            file.text.len()
        );
    }
    for define in &sources.defines {
        let _ = writeln!(out, "define {}", shown(define));
    }
    if !sources.arguments.is_empty() {
        let _ = writeln!(out, "arguments {}", shown(&sources.arguments.join(" ")));
    }
}

/// Text of a file as a terminal may have it.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

fn as_json(sources: &Sources) -> Value {
    let files: Vec<Value> = sources
        .files
        .iter()
        .map(|file| json!({ "name": &*file.name, "text": &*file.text }))
        .collect();
    json!({
        "main": sources.main.as_deref(),
        "files": files,
        "defines": sources.defines,
        "arguments": sources.arguments,
    })
}

fn write(sources: &Sources, directory: &Path, out: &mut String) -> anyhow::Result<()> {
    for file in &sources.files {
        let path = directory.join(below(&file.name));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .with_context(|| format!("making {}", parent.display()))?;
        }
        std::fs::write(&path, &*file.text)
            .with_context(|| format!("writing {}", path.display()))?;
        let _ = writeln!(out, "{}", path.display());
    }
    Ok(())
}

/// A file name as a path that stays below a directory: without drives, roots and ways upwards.
fn below(name: &str) -> PathBuf {
    let name = name.replace('\\', "/");
    let name = match name.split_once(':') {
        Some((drive, rest)) if drive.len() == 1 => rest,
        _ => &name,
    };
    let names = Path::new(name).components().filter_map(|part| match part {
        Component::Normal(name) => Some(shown(&name.to_string_lossy())),
        _ => None,
    });
    let path: PathBuf = names.filter(|name| !name.is_empty()).collect();
    match path.as_os_str().is_empty() {
        true => PathBuf::from("source.hlsl"),
        false => path,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::below;

    #[test]
    fn files_stay_below_the_directory() {
        assert_eq!(below("C:\\game\\cs.hlsl"), Path::new("game/cs.hlsl"));
        assert_eq!(below("/etc/../../passwd"), Path::new("etc/passwd"));
        assert_eq!(below("./a/./b.hlsl"), Path::new("a/b.hlsl"));
        assert_eq!(below(".."), Path::new("source.hlsl"));
    }
}
