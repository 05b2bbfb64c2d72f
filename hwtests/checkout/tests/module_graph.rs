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
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item, ItemUse, Macro, UseTree, Visibility};

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
    let mut source = Source::default();
    source.visit_file(&syn::parse_file(text).unwrap());
    source
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let mut leaves = Vec::new();
        split(&item.tree, &[], &mut leaves);
        for (path, name) in leaves {
            if matches!(item.vis, Visibility::Inherited) {
                self.names.insert(name, path.clone());
                self.imports.push(path);
            } else {
                self.exports.push((name, path));
            }
        }
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {
        // The path of `pub(in path)` is no use of that module.
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.add_path(names.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.visit_path(&call.path);
        self.add_tokens(call.tokens.clone());
    }
}

impl Source {
    /// Adds a path of at least two names, such as `crate::cfg::Cfg` or `arithmetic::divide`.
    fn add_path(&mut self, path: Module) {
        if path.len() > 1 {
            self.paths.insert(path);
        }
    }

    /// Adds the paths in the arguments of a macro, or in its definition, which have no syntax tree.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path = Module::new();
        // Colons since the last name; the name after two of them goes on with the path.
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add_path(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                }
                TokenTree::Group(group) => {
                    self.add_path(std::mem::take(&mut path));
                    self.add_tokens(group.stream());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.add_path(std::mem::take(&mut path));
                }
            }
            colons = 0;
        }
        self.add_path(path);
    }
}

/// Returns whether an item is compiled for tests alone.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.parse_args::<syn::Path>();
        attribute.path().is_ident("cfg") && condition.is_ok_and(|found| found.is_ident("test"))
    })
}

/// Returns the attributes of an item of a kind that may be for tests alone.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns the paths of a tree of imports, each with its local name.
fn split(tree: &UseTree, before: &[String], leaves: &mut Vec<(Module, String)>) {
    let mut path = before.to_vec();
    let (last, name) = match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            return split(&part.tree, &path, leaves);
        }
        UseTree::Group(group) => {
            return group
                .items
                .iter()
                .for_each(|item| split(item, &path, leaves));
        }
        UseTree::Glob(_) => ("*".to_owned(), None),
        UseTree::Name(leaf) => (leaf.ident.to_string(), None),
        UseTree::Rename(leaf) => (leaf.ident.to_string(), Some(leaf.rename.to_string())),
    };
    if path.is_empty() || last != "self" {
        path.push(last);
    }
    let name = name.unwrap_or_else(|| path.last().unwrap().clone());
    leaves.push((path, name));
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
