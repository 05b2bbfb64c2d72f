//! Files of a crate depend on each other in one direction: the graph of their `use` declarations,
//! and of the paths that their code writes out, has no cycles.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dxil_checkout::{files, root};

/// Folders of the checkout with crates.
const FOLDERS: &[&str] = &[
    "frontend",
    "translate",
    "runtime",
    "hwtests",
    "bench",
    "fuzz",
];

/// Returns the root folders of all crates: those of libraries, of programs, and of tests that are
/// folders. The data that the families of `translate/src/lower` share lies below their code, see
/// [`data_of_the_lowering_lies_below_its_code`].
fn crates() -> BTreeSet<PathBuf> {
    let all = FOLDERS
        .iter()
        .flat_map(|folder| files(&root().join(folder), "rs"));
    let roots = all.filter(|file| {
        let is_built = file.components().any(|part| part.as_os_str() == "target");
        let name = file.file_name().and_then(|name| name.to_str());
        !is_built && matches!(name, Some("lib.rs" | "main.rs"))
    });
    roots
        .filter_map(|file| file.parent().map(Path::to_owned))
        .collect()
}

/// A module's path within its crate.
type Module = Vec<String>;

/// The imports, paths and exports of a file.
#[derive(Default)]
struct Source {
    /// Paths of its imports.
    imports: Vec<Module>,
    /// Names of its imports in this file.
    names: BTreeMap<String, Module>,
    /// Paths in its code.
    paths: BTreeSet<Module>,
    /// Names that it re-exports, with their paths.
    exports: Vec<(String, Module)>,
}

#[test]
fn files_of_a_crate_make_no_cycles() {
    let mut wrong = Vec::new();
    let crates = crates();
    assert!(crates.len() >= 20, "crates are missing: {crates:?}");
    for folder in crates {
        let cycles = cyclic(&graph(&folder));
        if !cycles.is_empty() {
            let names: Vec<String> = cycles.iter().map(|module| module.join("::")).collect();
            wrong.push(format!(
                "{}: {} files lie on cycles: {}",
                folder.display(),
                cycles.len(),
                names.join(", ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The passes of the translator are folders, and depend on each other in one direction as well.
/// Files beside the folders, such as `options.rs`, have types that passes share.
#[test]
fn folders_of_the_translator_make_no_cycles() {
    let folders = by_folder(&root().join("translate/src"));
    let uses = |from: &str, to: &str| {
        let targets = folders.get(&vec![from.to_owned()]);
        targets.is_some_and(|targets| targets.contains(&vec![to.to_owned()]))
    };
    assert!(uses("structurize", "cfg") && uses("lower", "interface"));
    assert_eq!(cyclic(&folders), [] as [Module; 0]);
}

#[test]
fn data_of_the_lowering_lies_below_its_code() {
    let graph = graph(&root().join("translate/src"));
    let data = |module: &Module| {
        let last = module.last().map(String::as_str);
        module.first().is_some_and(|first| first == "lower")
            && matches!(
                last,
                Some("state" | "context" | "values" | "type_map" | "block_state")
            )
    };
    let mut found = 0;
    for (module, targets) in &graph {
        if data(module) {
            found += 1;
            let code = targets
                .iter()
                .find(|to| to.first().is_some_and(|first| first == "lower") && !data(to));
            assert_eq!(code, None, "{} uses code", module.join("::"));
        }
    }
    assert!(found >= 10, "the files of data are gone");
}

#[test]
fn a_cycle_through_a_re_export_is_found() {
    let sources = BTreeMap::from([
        (vec![], source("pub use a::f;\n")),
        (vec!["a".to_owned()], source("use crate::b::{self, g};\n")),
        (vec!["b".to_owned()], source("use crate::f;\n")),
        (
            vec!["c".to_owned()],
            source("use super::a;\nuse std::fmt;\npub struct Reuse { f: u8 }\n"),
        ),
    ]);
    let found = cyclic(&edges(&sources));
    assert_eq!(found, [vec!["a".to_owned()], vec!["b".to_owned()]]);
}

#[test]
fn paths_that_code_writes_out_and_imports_of_functions_count() {
    let sources = BTreeMap::from([
        (vec![], source("mod a;\nmod b;\nmod c;\n")),
        (
            vec!["a".to_owned()],
            source(
                "use crate::b;\nfn f() { b::g(); }\n#[cfg(test)]\nmod tests { use crate::c::h; }\n",
            ),
        ),
        (
            vec!["b".to_owned()],
            source("fn g() {\n    use super::c;\n    c::h(\"crate::a\");\n}\n"),
        ),
        (
            vec!["c".to_owned()],
            source("// crate::b\nfn h() -> char { crate::a::f(); '\"' }\n"),
        ),
    ]);
    let found = cyclic(&edges(&sources));
    assert_eq!(found, ["a", "b", "c"].map(|name| vec![name.to_owned()]));
}

/// Returns the files of a crate, and the files that each depends on.
fn graph(folder: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut sources = BTreeMap::new();
    for file in files(folder, "rs") {
        let mut module: Module = file
            .strip_prefix(folder)
            .unwrap()
            .with_extension("")
            .iter()
            .map(|part| part.to_str().unwrap().to_owned())
            .collect();
        // Programs are separate crates.
        if module.first().is_some_and(|first| first == "bin") {
            continue;
        }
        if matches!(module.last().unwrap().as_str(), "mod" | "lib" | "main") {
            module.pop();
        }
        let text = std::fs::read_to_string(&file).unwrap();
        sources.insert(module, source(&text));
    }
    edges(&sources)
}

/// Reads the imports and exports of a file, including imports inside of functions, and the paths in
/// its code. Test code does not count.
fn source(text: &str) -> Source {
    let code = without_tests(&code_of(text));
    let mut source = Source::default();
    let mut rest = String::with_capacity(code.len());
    let mut at = 0;
    while let Some(start) = next_use(&code, at) {
        let Some(length) = code[start..].find(';') else {
            break;
        };
        rest.push_str(&code[at..start]);
        let line = code[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let is_public = code[line..start].trim_start().starts_with("pub");
        let declaration: String = code[start + "use ".len()..start + length]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let mut leaves = Vec::new();
        split(&declaration, &[], &mut leaves);
        for (path, name) in leaves {
            if is_public {
                source.exports.push((name, path));
            } else {
                source.names.insert(name, path.clone());
                source.imports.push(path);
            }
        }
        at = start + length;
    }
    rest.push_str(&code[at..]);
    source.paths = paths(&without_visibility(&rest));
    source
}

/// Returns the position of the next `use` declaration.
fn next_use(code: &str, from: usize) -> Option<usize> {
    let found = code[from..].match_indices("use ").map(|(at, _)| from + at);
    let mut declarations = found.filter(|&at| {
        let line = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = &code[line..at];
        // Not part of another word, as in `pub struct Reuse {`.
        let is_word = before.is_empty() || before.ends_with([' ', ')']);
        let before = before.trim();
        is_word && (before.is_empty() || before.starts_with("pub") && !before.contains('{'))
    });
    declarations.next()
}

/// Returns the code without the paths of `pub(in path)`.
fn without_visibility(code: &str) -> String {
    let mut parts = code.split("pub(in ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once(')').map_or("", |(_, behind)| behind));
    }
    kept
}

/// Returns the paths of at least two names in code, such as `crate::cfg::Cfg` or
/// `arithmetic::divide`.
fn paths(code: &str) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for word in code.split(|c: char| !is_part(c)) {
        let word = word.trim_matches(':');
        let names: Module = word.split("::").map(str::to_owned).collect();
        if names.len() > 1
            && names
                .iter()
                .all(|name| !name.is_empty() && !name.contains(':'))
        {
            found.insert(names);
        }
    }
    found
}

/// Returns the text without comments and string literals.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => end_of_string(rest),
            'r' if rest.starts_with("r#\"") => {
                rest[3..].find("\"#").map_or(rest.len(), |end| end + 5)
            }
            // A character, and not a lifetime.
            '\'' if rest.starts_with("'\\") => rest[3..].find('\'').map_or(1, |end| end + 4),
            '\'' if rest.chars().nth(2) == Some('\'') => {
                2 + rest[1..].chars().next().unwrap().len_utf8()
            }
            _ => 0,
        };
        if skipped == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            rest = &rest[skipped..];
        }
    }
    code
}

/// Returns the length of the string literal at the start of the text.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Returns the code without items that only tests use.
fn without_tests(code: &str) -> String {
    let mark = "#[cfg(test)]";
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(mark) {
        kept.push_str(&rest[..at]);
        rest = &rest[at + mark.len()..];
        let (mut depth, mut end) = (0_u32, rest.len());
        for (at, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 && (c == ';' || c == '}') {
                end = at + 1;
                break;
            }
        }
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

/// Returns the paths of a tree of imports, each with its local name.
fn split(text: &str, before: &[String], leaves: &mut Vec<(Module, String)>) {
    let mut depth = 0_u32;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    for part in parts
        .into_iter()
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let mut path = before.to_vec();
        if let Some((head, inner)) = part.split_once('{') {
            path.extend(
                head.split("::")
                    .filter(|s| !s.is_empty())
                    .map(str::to_owned),
            );
            split(inner.strip_suffix('}').unwrap_or(inner), &path, leaves);
            continue;
        }
        let (full, alias) = match part.split_once(" as ") {
            Some((full, alias)) => (full, Some(alias)),
            None => (part, None),
        };
        path.extend(full.split("::").map(str::to_owned));
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = alias.unwrap_or_else(|| path.last().unwrap()).to_owned();
        leaves.push((path, name));
    }
}

fn edges(sources: &BTreeMap<Module, Source>) -> BTreeMap<Module, BTreeSet<Module>> {
    let of = |(module, source): (&Module, &Source)| {
        // The first name of a path may be that of an import.
        let full = |path: &Module| match source.names.get(&path[0]) {
            Some(start) => start.iter().chain(&path[1..]).cloned().collect(),
            None => path.clone(),
        };
        let written_out: Vec<Module> = source.paths.iter().map(full).collect();
        let targets = source.imports.iter().chain(&written_out);
        let mut targets: BTreeSet<Module> = targets
            .filter_map(|path| resolve(sources, module, path, 0))
            .collect();
        targets.remove(module);
        (module.clone(), targets)
    };
    sources.iter().map(of).collect()
}

/// Returns the file that defines the item of a path, or `None` for other crates.
fn resolve(
    sources: &BTreeMap<Module, Source>,
    from: &Module,
    path: &[String],
    depth: u32,
) -> Option<Module> {
    let mut at = from.clone();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            at.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|first| first == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        child => {
            let mut below = at.clone();
            below.push(child.to_owned());
            if !sources.contains_key(&below) {
                return None;
            }
        }
    }
    while let Some(child) = rest.first() {
        at.push(child.clone());
        if !sources.contains_key(&at) {
            at.pop();
            break;
        }
        rest = &rest[1..];
    }
    let source = sources.get(&at)?;
    if let Some(name) = rest.first().filter(|_| depth < 8) {
        let mut exports = source.exports.iter();
        if let Some((_, path)) = exports.find(|(export, _)| export == name) {
            return resolve(sources, &at, path, depth + 1).or(Some(at));
        }
    }
    Some(at)
}

/// Returns the graph of the folders directly below a crate's root, without its tests and oracles.
fn by_folder(root: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let folder_of = |module: &Module| {
        let folder = module.first()?;
        let is_file = module.len() == 1 && root.join(folder).with_extension("rs").exists();
        let is_test = folder == "oracle" || module.last().is_some_and(|name| name == "tests");
        (!is_file && !is_test).then(|| vec![folder.clone()])
    };
    let mut folders: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, targets) in &graph(root) {
        let Some(folder) = folder_of(module) else {
            continue;
        };
        let others = targets.iter().filter_map(folder_of);
        let others: Vec<_> = others.filter(|other| *other != folder).collect();
        folders.entry(folder).or_default().extend(others);
    }
    folders
}

/// Returns the files that depend on themselves.
fn cyclic(graph: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Module> {
    let reaches_itself = |module: &&Module| {
        let mut seen = BTreeSet::new();
        let mut stack = vec![*module];
        while let Some(at) = stack.pop() {
            for to in graph.get(at).into_iter().flatten() {
                if to == *module {
                    return true;
                }
                if seen.insert(to) {
                    stack.push(to);
                }
            }
        }
        false
    };
    graph.keys().filter(reaches_itself).cloned().collect()
}
