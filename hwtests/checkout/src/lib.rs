//! The checkout for tests: its files, its shaders, and the generated tables of docs/coverage.md.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::link::{link, unresolved};

/// Folders of the checkout with shaders, except `bench/shapes`, whose shaders a script makes for
/// timing.
const FOLDERS: [&str; 5] = [
    "bench/kernels",
    "frontend",
    "hwtests",
    "runtime",
    "translate",
];

/// Returns the folder of the checkout.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.join("../..").canonicalize().unwrap()
}

/// Returns the files below folders of the checkout, by their paths from its root, with this
/// extension, sorted. A file that another one links to is there once.
///
/// # Panics
/// One of the folders has none.
pub fn files_of(folders: &[&str], extension: &str) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for folder in folders {
        let below = files(&root().join(folder), extension);
        assert!(!below.is_empty(), "{folder} has no .{extension} files");
        // Some containers are links to those of other tests.
        found.extend(below.iter().map(|path| path.canonicalize().unwrap()));
    }
    found.into_iter().collect()
}

/// Returns the files below a folder with this extension, sorted; folders named `target` are left
/// out.
///
/// # Panics
/// The folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut stack = vec![folder.to_owned()];
    while let Some(folder) = stack.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().is_none_or(|name| name != "target") {
                    stack.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns every checked-in container.
pub fn shaders() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(|folder| root().join(folder));
    folders.flat_map(|folder| files(&folder, "dxil")).collect()
}

/// Returns the shader of a container. A library is linked with the functions that the other
/// libraries of its folder define.
pub fn linked(path: &Path, shader: Shader) -> Shader {
    if unresolved(&shader).is_empty() {
        return shader;
    }
    let mut others = files(path.parent().unwrap(), "dxil");
    others.retain(|other| other != path);
    let read = |other: &PathBuf| read_shader(&std::fs::read(other).unwrap());
    let others: Vec<Shader> = others.iter().filter_map(|other| read(other).ok()).collect();
    let libraries = others
        .iter()
        .filter(|other| other.shader_model.kind == dxil_frontend::dxil::ShaderKind::Library);
    link(&shader, &libraries.collect::<Vec<_>>()).unwrap_or(shader)
}

/// Asserts that a file of the checkout, by its path from the root, is `text`; with `BLESS=1` it
/// becomes `text`.
///
/// # Panics
/// The file differs, or is not there.
pub fn assert_made(file: &str, text: &str) {
    let path = root().join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "{file} is old; BLESS=1 rewrites it");
}

/// Asserts that the text of `docs/coverage.md` between `<!-- name -->` and `<!-- end of name -->`
/// is `table`; with `BLESS=1` it is replaced by `table`.
///
/// # Panics
/// The text differs, or the page has no such marks.
pub fn assert_coverage_table(name: &str, table: &str) {
    let path = root().join("docs/coverage.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mark = |text: String| {
        let at = page.find(&text);
        at.unwrap_or_else(|| panic!("docs/coverage.md has no {text}"))
    };
    let begin = format!("<!-- {name} -->\n");
    let start = mark(begin.clone()) + begin.len();
    let end = mark(format!("<!-- end of {name} -->\n"));
    if page[start..end] == *table {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{}{table}{}", &page[..start], &page[end..]);
        std::fs::write(&path, text).unwrap();
        return;
    }
    panic!(
        "docs/coverage.md: the table of {name} is out of date; BLESS=1 rewrites it. It should be\n{table}"
    );
}
