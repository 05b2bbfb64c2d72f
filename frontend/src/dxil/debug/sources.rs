//! The sources that a shader was compiled from: files, the main one, defines and arguments.
//!
//! DXC keeps them in the module (`!dx.source.contents` and its siblings, with `-Zi -Qembed_debug`),
//! or, in newer versions, in a part of the container that a PDB file holds (SRCI, later PDBI).

use super::DebugInfo;
use crate::container::pdb_info::PdbRecord;
use crate::container::rdat::StringRef;
use crate::container::{Container, Rdat};
use crate::ir::{MdId, Module};

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name, as the compiler was given it.
    pub name: Box<str>,
    /// Text; invalid UTF-8 is replaced.
    pub text: Box<str>,
}

/// The source of a shader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Files; the main one comes first where it is known.
    pub files: Vec<Source>,
    /// Name of the main file.
    pub main: Option<Box<str>>,
    /// Macros, as `NAME=VALUE`.
    pub defines: Vec<Box<str>>,
    /// Arguments of the compiler, in order.
    pub arguments: Vec<Box<str>>,
}

impl Sources {
    /// Returns whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.main.is_none()
            && self.defines.is_empty()
            && self.arguments.is_empty()
    }

    /// Returns the text of the file of that name. Names are equal if they are so without `./` and
    /// with one kind of slash; a name without its directories is found where only one file has it.
    pub fn text(&self, name: &str) -> Option<&str> {
        let wanted = normal(name);
        let found = |source: &&Source| normal(&source.name) == wanted;
        if let Some(source) = self.files.iter().find(found) {
            return Some(&source.text);
        }
        let last = |name: &str| normal(name).rsplit('/').next().map(str::to_owned);
        let mut alike = (self.files.iter()).filter(|source| last(&source.name) == last(name));
        match (alike.next(), alike.next()) {
            (Some(source), None) => Some(&source.text),
            _ => None,
        }
    }

    /// Returns a line of a file, from 1, without its end.
    pub fn line(&self, name: &str, line: u32) -> Option<&str> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.text(name)?.lines().nth(index)
    }

    /// Returns the sources in the metadata of a module.
    pub fn of_module(module: &Module) -> Sources {
        let mut sources = Sources::default();
        let metadata = &module.metadata;
        // A node may be listed again and again: what is copied stays within a multiple of the file.
        let mut budget = metadata.strings.len().saturating_mul(4);
        let mut text = |node: Option<MdId>| -> Option<Box<str>> {
            let bytes = metadata.string_bytes(node?)?;
            budget = budget.checked_sub(bytes.len())?;
            Some(String::from_utf8_lossy(bytes).into())
        };
        for node in metadata.named("dx.source.contents") {
            if let Some(&[name, contents]) = metadata.tuple(node)
                && let (Some(name), Some(contents)) = (text(name), text(contents))
                // What DXC keeps in a part is empty here.
                && !name.is_empty()
            {
                sources.files.push(Source {
                    name,
                    text: contents,
                });
            }
        }
        let mut list = |name: &str| -> Vec<Box<str>> {
            let nodes = metadata.named(name).filter_map(|node| metadata.tuple(node));
            let texts = nodes.flatten().map_while(|node| text(*node));
            texts.filter(|text| !text.is_empty()).collect()
        };
        sources.main = list("dx.source.mainFileName").into_iter().next();
        sources.defines = list("dx.source.defines");
        sources.arguments = list("dx.source.args");
        if sources.main.is_none() && !sources.files.is_empty() {
            let file = DebugInfo::of(module).and_then(DebugInfo::main_file);
            sources.main = file.map(|file| file.name.into());
        }
        sources.main_first();
        sources
    }

    /// Returns the sources in the parts of a container (SRCI, PDBI). Malformed parts are ignored.
    pub fn of_container(container: &Container<'_>) -> Sources {
        let mut sources = Sources::default();
        if let Ok(Some(info)) = container.source_info() {
            let contents = info.contents.iter().flat_map(|contents| contents.texts());
            // Texts have no names of their own: the sections are parallel.
            for (name, text) in info.names.iter().zip(contents) {
                let Ok(text) = text else { break };
                sources.files.push(Source {
                    name: name.name.into(),
                    text: text.into(),
                });
            }
            for (name, value) in &info.arguments {
                sources.argument(name, value);
            }
        } else if let Ok(Some(info)) = container.pdb_info()
            && let Ok(rdat) = info.rdat()
        {
            let bytes = info.content_bytes();
            sources.add_pdb(&rdat, bytes);
        }
        // Both parts begin with the main file.
        sources.main = sources.files.first().map(|file| file.name.clone());
        sources
    }

    /// Adds the contents of the record of a PDBI part of `bytes` bytes. Strings may be shared:
    /// the copies take at most a multiple of the part.
    fn add_pdb(&mut self, rdat: &Rdat<'_>, bytes: usize) {
        let mut budget = bytes.saturating_mul(4);
        let mut text = |string: StringRef| {
            let text = rdat.string(string).ok()?;
            // Plus one, so that empty strings are not free either.
            budget = budget.checked_sub(text.len() + 1)?;
            Some(text)
        };
        let Some(Ok(record)) = rdat.iter::<PdbRecord>().next() else {
            return;
        };
        for source in rdat.records(record.sources).into_iter().flatten().flatten() {
            let (Some(name), Some(contents)) = (text(source.name), text(source.content)) else {
                return;
            };
            self.files.push(Source {
                name: name.into(),
                text: contents.into(),
            });
        }
        let Ok(offsets) = rdat.index_array(record.arguments.0) else {
            return;
        };
        let mut arguments = offsets.iter().map_while(|offset| text(StringRef(offset)));
        while let Some(name) = arguments.next() {
            self.argument(name, arguments.next().unwrap_or_default());
        }
    }

    /// Adds an argument as these parts have it: name and value apart.
    fn argument(&mut self, name: &str, value: &str) {
        if name == "D" {
            self.defines.push(value.into());
        }
        let dash = if name.is_empty() || name.starts_with(['-', '/']) {
            ""
        } else {
            "-"
        };
        self.arguments.push(format!("{dash}{name}").into());
        if !value.is_empty() {
            self.arguments.push(value.into());
        }
    }

    fn main_first(&mut self) {
        let Some(main) = self.main.as_deref().map(normal) else {
            return;
        };
        if let Some(at) = (self.files.iter()).position(|file| normal(&file.name) == main)
            && let Some(front) = self.files.get_mut(..=at)
        {
            front.rotate_right(1);
        }
    }
}

/// Returns a file name with one kind of slash and without `./`.
fn normal(name: &str) -> String {
    let name = name.replace('\\', "/");
    let mut rest = name.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    rest.replace("/./", "/")
}

#[cfg(test)]
mod tests {
    use super::{Source, Sources};

    fn sources(names: &[&str]) -> Sources {
        let file = |name: &&str| Source {
            name: (*name).into(),
            text: format!("first of {name}\r\nsecond\n").into(),
        };
        Sources {
            files: names.iter().map(file).collect(),
            ..Sources::default()
        }
    }

    #[test]
    fn names_are_compared_without_regard_to_how_the_path_is_written() {
        let found = sources(&["main.hlsl", "./inc/./light.hlsli"]);
        for name in [
            "inc/light.hlsli",
            ".\\inc\\light.hlsli",
            "C:/x/inc/light.hlsli",
        ] {
            assert_eq!(found.line(name, 1), Some("first of ./inc/./light.hlsli"));
        }
        assert_eq!(found.line("main.hlsl", 2), Some("second"));
        assert_eq!(found.line("main.hlsl", 3), None);
        assert_eq!(found.line("main.hlsl", 0), None);
    }

    #[test]
    fn a_name_without_its_directory_is_found_where_it_is_the_only_one() {
        let found = sources(&["a/x.hlsl", "b/x.hlsl", "b/y.hlsl"]);
        assert_eq!(found.text("x.hlsl"), None);
        assert!(found.text("y.hlsl").is_some());
    }
}
