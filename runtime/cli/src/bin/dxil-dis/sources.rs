//! `--sources`: the source files of a shader, as a list or as files.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use dxil_frontend::container::Container;
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::dxil::read_shader_with_debug_info;
use dxil_frontend::escape;
use dxil_frontend::tables::{HashMap, HashSet};
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::input::{pdb_beside, read_container};
use dxil_jit::json::document;
use serde_json::{Value, json};

use crate::args::Args;
use crate::streams::{report, write_output};

/// Lists the sources of all files, or writes them below a directory.
pub(crate) fn run(args: &Args, directory: Option<&Path>) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let (mut text, mut values) = (String::new(), Vec::new());
    for file in &args.found {
        let bytes = match read_container(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error.message);
                exit = exit.max(error.exit);
                continue;
            }
        };
        let file = &file.path;
        let mut found = sources_of(&bytes);
        if !found.as_ref().is_ok_and(|sources| !sources.is_empty())
            && let Some(pdb) = pdb_beside(file, &bytes)
        {
            found = sources_of(&pdb);
        }
        let sources = match found {
            Ok(sources) => sources,
            Err(error) => {
                // The other files are still listed; the exit code reports the failure.
                report(&format!("{}: {error}", file.display()));
                exit = exit.max(Exit::from(&error));
                continue;
            }
        };
        if sources.is_empty() && !args.quiet {
            report(&format!(
                "{}: no sources (compile with -Zi -Qembed_debug to keep them)",
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
            [one] if args.names_one_file => one.clone(),
            _ => Value::Array(values),
        };
        text = document(&value);
    }
    write_output(args, text.as_bytes())?;
    Ok(exit)
}

/// Returns the sources from the debug information of the code, or from a part of their own, which a
/// container without code may have.
fn sources_of(bytes: &[u8]) -> dxil_frontend::Result<Sources> {
    // A container of `dxc -Zs` has sources and no code.
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
        let main = if sources.main.as_ref() == Some(&file.name) {
            "  main"
        } else {
            ""
        };
        let lines = file.text.lines().count();
        let _ = writeln!(
            out,
            "{}  {} bytes, {lines} lines{main}",
            escape::escaped(&file.name),
            file.text.len()
        );
    }
    for define in &sources.defines {
        let _ = writeln!(out, "define {}", escape::escaped(define));
    }
    if !sources.arguments.is_empty() {
        let _ = writeln!(
            out,
            "arguments {}",
            escape::escaped(&sources.arguments.join(" "))
        );
    }
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
    // Two names may become equal; the later file then gets a number.
    let mut taken = HashSet::default();
    let mut numbers: HashMap<Vec<String>, u32> = HashMap::default();
    for file in &sources.files {
        let wanted = below(&file.name);
        let mut names = wanted.clone();
        // A numbered name may be taken as well.
        while !taken.insert(names.clone()) {
            let number = numbers.entry(wanted.clone()).or_insert(1);
            *number += 1;
            names.clone_from(&wanted);
            if let Some(last) = names.last_mut() {
                *last = format!("{number}-{last}");
            }
        }
        let path = place(directory, &names)?;
        files::write(&path, file.text.as_bytes())
            .with_context(|| format!("writing {}", path.display()))?;
        let _ = writeln!(out, "{}", escape::escaped(&path.display().to_string()));
    }
    Ok(())
}

/// Maximum number of folders in the path of a file below the directory.
const MAX_FOLDERS: usize = 32;
/// Maximum number of bytes of a name.
const MAX_NAME: usize = 200;

/// Returns the folders and the name of a file below a directory: without drives, roots and parent
/// folders, in characters that every file system supports. Each name is checked after the
/// replacements, so that these cannot produce a parent folder.
fn below(name: &str) -> Vec<String> {
    let name = name.replace('\\', "/");
    let name = match name.split_once(':') {
        // A drive of Windows: shaders are compiled there and read anywhere.
        Some((drive, rest)) if drive.len() == 1 => rest,
        _ => &name,
    };
    let mut names: Vec<String> = (name.split('/').map(file_name))
        .filter(|name| !name.is_empty())
        .collect();
    // The last folders are the most informative ones.
    names.drain(..names.len().saturating_sub(MAX_FOLDERS));
    if names.is_empty() {
        names.push("source.hlsl".to_owned());
    }
    names
}

/// Returns a name without characters that file systems or terminals interpret; empty if the name is
/// a relative folder (`.`, `..`).
fn file_name(name: &str) -> String {
    let is_odd = |c: char| {
        escape::is_hidden(c) || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    let mut name: String = name
        .chars()
        .map(|c| if is_odd(c) { '_' } else { c })
        .collect();
    name.truncate(name.floor_char_boundary(MAX_NAME));
    // Windows drops blanks and dots at the end; with that, `.` and `..` are empty.
    let mut name = name.trim_end_matches(['.', ' ']).to_owned();
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_uppercase();
    // Windows opens a device for these names, whatever their extension is.
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (stem.len() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")));
    if is_device {
        name.insert(0, '_');
    }
    name
}

/// Creates the folders of a file below a directory, and returns its path. Links are not followed:
/// one in the directory may lead out of it.
fn place(directory: &Path, names: &[String]) -> anyhow::Result<PathBuf> {
    let mut path = directory.to_owned();
    std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
    for (index, name) in names.iter().enumerate() {
        // A final check of each component that is appended.
        let mut parts = Path::new(name).components();
        let is_one_name =
            matches!(parts.next(), Some(Component::Normal(part)) if part == OsStr::new(name));
        anyhow::ensure!(
            is_one_name && parts.next().is_none(),
            "`{name}` is not a file name"
        );
        path.push(name);
        let is_file = index + 1 == names.len();
        match std::fs::symlink_metadata(&path) {
            Ok(there) if is_file => {
                anyhow::ensure!(
                    there.is_file(),
                    "{} exists and is not a file",
                    path.display()
                );
            }
            Ok(there) => {
                anyhow::ensure!(
                    there.is_dir(),
                    "{} exists and is not a folder",
                    path.display()
                );
            }
            Err(error) if error.kind() == ErrorKind::NotFound && is_file => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {
                std::fs::create_dir(&path).with_context(|| format!("making {}", path.display()))?
            }
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{MAX_FOLDERS, below, place};

    #[test]
    fn files_stay_below_the_directory() {
        for (name, path) in [
            ("C:\\game\\cs.hlsl", "game/cs.hlsl"),
            ("/etc/../../passwd", "etc/passwd"),
            ("./a/./b.hlsl", "a/b.hlsl"),
            ("..", "source.hlsl"),
            ("a/.\u{1}./b", "a/._/b"),
            ("a/.\u{202e}./b", "a/._/b"),
            (". . /.. /... /x", "x"),
            ("..\\..\\x", "x"),
            ("a:b\u{0}c", "b_c"),
            ("ab:c", "ab_c"),
            ("con/nul.hlsl", "_con/_nul.hlsl"),
            ("x/", "x"),
        ] {
            assert_eq!(below(name).join("/"), path, "{name:?}");
        }
        assert_eq!(below(&"a/".repeat(10_000)).len(), MAX_FOLDERS);
        assert!(below(&"ü".repeat(10_000))[0].len() <= 200);
    }

    /// Returns all names that consist of a few unusual parts.
    #[test]
    fn no_name_leads_out_of_the_directory() {
        let parts = [
            "..", ".", "/", "\\", "\u{1}", "\u{200b}", " ", "a", "c:", "\u{0}",
        ];
        let mut seen = BTreeSet::new();
        let count = parts.len();
        for number in 0..count.pow(4) {
            let digits = [1, count, count.pow(2), count.pow(3)];
            let name: String = digits.map(|digit| parts[number / digit % count]).concat();
            for part in below(&name) {
                assert!(
                    !part.is_empty() && !part.ends_with('.'),
                    "{name:?}: {part:?}"
                );
                assert!(!part.contains(['/', '\\']), "{name:?}: {part:?}");
                seen.insert(part);
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        for part in seen {
            let path = place(&below, &[part]).unwrap();
            assert_eq!(path.parent(), Some(below.as_path()));
        }
        assert!(place(&below, &["..".to_owned()]).is_err());
        assert!(place(&below, &["a/../../x".to_owned()]).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (outside, below) = (folder.path().join("outside"), folder.path().join("below"));
        std::fs::create_dir(&outside).unwrap();
        std::fs::create_dir(&below).unwrap();
        symlink(&outside, below.join("a")).unwrap();
        symlink(outside.join("file"), below.join("b")).unwrap();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(place(&below, &names(&["a", "x"])).is_err());
        assert!(place(&below, &names(&["b"])).is_err());
        assert!(place(&below, &names(&["c", "x"])).is_ok());
    }
}
