//! Files of a crate depend on each other in one direction: the graph of their `use` declarations
//! has no new cycles. Paths that are written out where they are used, as a module names its
//! children, are not looked at.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dxil_checkout::{files, root};

/// Roots of the crates, and how many of their files lie on cycles. The numbers only ever get
/// smaller. Families of `translate/src/lower` call each other as operations are built of others;
/// their data (`state.rs`) and `context.rs` are free of cycles, see
/// [`data_of_the_lowering_lies_below_its_code`].
const ALLOWED: &[(&str, usize)] = &[
    ("frontend/src", 32),
    ("translate/src", 103),
    ("translate/capi/src", 11),
    ("runtime/src", 35),
    ("hwtests/src", 3),
    ("hwtests/differential/src", 2),
    ("bench/src", 0),
];

/// A module's path within its crate.
type Module = Vec<String>;

/// What a file says of others.
#[derive(Default)]
struct Source {
    /// Paths of its imports.
    imports: Vec<Module>,
    /// Names that it hands on, and what they are there.
    exports: Vec<(String, Module)>,
}

#[test]
fn files_of_a_crate_make_no_new_cycles() {
    let mut wrong = Vec::new();
    for &(folder, allowed) in ALLOWED {
        let cycles = cyclic(&graph(&root().join(folder)));
        if cycles.len() > allowed {
            let names: Vec<String> = cycles.iter().map(|module| module.join("::")).collect();
            wrong.push(format!(
                "{folder}: {} files lie on cycles, {allowed} are allowed: {}",
                cycles.len(),
                names.join(", ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
            source("use super::a;\nuse std::fmt;\n"),
        ),
    ]);
    let found = cyclic(&edges(&sources));
    assert_eq!(found, [vec!["a".to_owned()], vec!["b".to_owned()]]);
}

/// The files of a crate, and the files that each imports from.
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
        // Programs are crates of their own.
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

/// The top-level `use` declarations of a file, those for tests aside.
fn source(text: &str) -> Source {
    let mut source = Source::default();
    let mut lines = text.lines();
    let mut before = "";
    while let Some(line) = lines.next() {
        let is_for_tests = before.starts_with("#[cfg(test)]");
        before = line;
        let public = line.starts_with("pub");
        let start = match line.find("use ") {
            Some(0) => 4,
            Some(at) if public && line[..at].trim_end().ends_with(['b', ')']) => at + 4,
            _ => continue,
        };
        let mut declaration = line[start..].to_owned();
        while !declaration.contains(';') {
            match lines.next() {
                Some(next) => declaration.push_str(next.trim()),
                None => break,
            }
        }
        if is_for_tests {
            continue;
        }
        let mut leaves = Vec::new();
        split(declaration.trim_end_matches(';'), &[], &mut leaves);
        for (path, name) in leaves {
            match public {
                true => source.exports.push((name, path)),
                false => source.imports.push(path),
            }
        }
    }
    source
}

/// The paths of a tree of imports, each with its name here.
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
        let targets = source.imports.iter();
        let mut targets: BTreeSet<Module> = targets
            .filter_map(|path| resolve(sources, module, path, 0))
            .collect();
        targets.remove(module);
        (module.clone(), targets)
    };
    sources.iter().map(of).collect()
}

/// The file that defines what a path names; none for other crates.
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

/// The files that reach themselves.
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
