//! Licences of what is linked into the libraries and commands: `deny.toml` allows each, and
//! `THIRD-PARTY-CRATES.txt` has their texts. `BLESS=1` rewrites the file from the packages that
//! Cargo has fetched; nothing here needs a network.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first problem"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use dxil_checkout::{assert_made, root};
use serde_json::Value;

const FILE: &str = "THIRD-PARTY-CRATES.txt";
const HEAD: &str = "Licences of the crates that are linked into dxil-jit's C libraries (C), commands (R) and dxil-precompile (P), on Linux.
Made by: BLESS=1 cargo test -p dxil-checkout --test licences
";

/// A package of a registry.
struct Crate {
    name: String,
    version: String,
    licence: String,
    manifest: String,
    /// The products that contain it.
    products: String,
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1"])
        // As packages are built.
        .args(["--features", "dxil-precompile/object-store"])
        .arg("--filter-platform=x86_64-unknown-linux-gnu")
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the ids of the packages that are linked into a member of the workspace. Procedural
/// macros run in the compiler, so their dependencies are not linked.
fn linked(metadata: &Value, member: &str) -> BTreeSet<String> {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let packages = list(&metadata["packages"]);
    let is_macro = |id: &Value| {
        let package = packages
            .iter()
            .find(|package| package["id"] == *id)
            .unwrap();
        list(&package["targets"])
            .iter()
            .any(|target| target["kind"][0] == "proc-macro")
    };
    let nodes: BTreeMap<String, Value> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    let first = packages.iter().find(|package| package["name"] == member);
    let mut stack = vec![text(&first.unwrap()["id"])];
    let mut found = BTreeSet::new();
    while let Some(id) = stack.pop() {
        for dependency in list(&nodes[&id]["deps"]) {
            let normal = list(&dependency["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"].is_null());
            if normal && !is_macro(&dependency["pkg"]) {
                stack.push(text(&dependency["pkg"]));
            }
        }
        if !found.insert(id) {
            stack.retain(|waiting| !found.contains(waiting));
        }
    }
    found
}

fn crates(metadata: &Value) -> Vec<Crate> {
    let library = linked(metadata, "dxil-capi");
    let commands = linked(metadata, "dxil-jit");
    let precompile = linked(metadata, "dxil-precompile");
    let mut crates: Vec<Crate> = (metadata["packages"].as_array().unwrap().iter())
        .filter(|package| !package["source"].is_null())
        .filter_map(|package| {
            let id = text(&package["id"]);
            let products: String = [(&library, 'C'), (&commands, 'R'), (&precompile, 'P')]
                .into_iter()
                .filter_map(|(linked, letter)| linked.contains(&id).then_some(letter))
                .collect();
            if products.is_empty() {
                return None;
            }
            Some(Crate {
                name: text(&package["name"]),
                version: text(&package["version"]),
                licence: text(&package["license"]),
                manifest: text(&package["manifest_path"]),
                products,
            })
        })
        .collect();
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    crates
}

/// Returns whether a list of licences satisfies an SPDX expression (`A OR B`, `A AND (B OR C)`;
/// `A/B` is an older form of OR).
fn satisfies(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ");
    // AND binds more tightly than OR, and the expressions of packages have at most one level of
    // parentheses.
    let split = |text: &str, word: &str| -> Vec<String> {
        let mut parts = vec![String::new()];
        let mut depth = 0;
        for token in text.split_inclusive(' ') {
            depth += token.matches('(').count();
            depth -= token.matches(')').count();
            if depth == 0 && token.trim() == word {
                parts.push(String::new());
            } else {
                parts.last_mut().unwrap().push_str(token);
            }
        }
        parts
    };
    split(&expression, "OR").iter().any(|choice| {
        split(choice, "AND").iter().all(|licence| {
            let licence = licence.trim();
            match licence
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'))
            {
                Some(inner) => satisfies(inner, allowed),
                None => allowed.contains(licence),
            }
        })
    })
}

/// Returns the licences that `deny.toml` allows.
fn allowed() -> BTreeSet<String> {
    let deny = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let (_, list) = deny.split_once("allow = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split(',')
        .map(|name| name.trim().trim_matches('"').to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Returns the texts of the licence of a package. If there is a choice, it is MIT, the shortest.
fn texts(package: &Crate) -> Vec<String> {
    let folder = Path::new(&package.manifest).parent().unwrap();
    let mut names: Vec<String> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            let name = name.to_uppercase();
            ["LICEN", "COPYING", "UNLICENSE", "NOTICE"]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .collect();
    names.sort();
    let both = package.licence.contains("AND");
    if !both && package.licence.contains("OR") && names.iter().any(|name| name.ends_with("MIT")) {
        names.retain(|name| name.ends_with("MIT") || name.contains("NOTICE"));
    }
    let mut texts: Vec<String> = (names.iter())
        .map(|name| {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            lines.join("\n").trim().to_owned()
        })
        .collect();
    if texts.is_empty() {
        // The package has no licence text of its own, so the general text is used.
        let general = if package.licence.contains("Apache") {
            "LICENSE-APACHE"
        } else {
            "LICENSE-MIT"
        };
        let text = std::fs::read_to_string(root().join(general)).unwrap();
        texts.push(text.trim().to_owned());
    }
    texts
}

fn file(crates: &[Crate]) -> String {
    let mut file = format!("{HEAD}\n");
    for each in crates {
        let name = format!("{} {}", each.name, each.version);
        writeln!(file, "{name:44} {:3} {}", each.products, each.licence).unwrap();
    }
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for each in crates {
        for text in texts(each) {
            let users = by_text.entry(text).or_default();
            users.push(format!("{} {}", each.name, each.version));
        }
    }
    let mut sections: Vec<(Vec<String>, String)> = (by_text.into_iter())
        .map(|(text, users)| (users, text))
        .collect();
    sections.sort();
    for (users, text) in sections {
        let line = "-".repeat(80);
        write!(file, "\n{line}\n{}\n{line}\n\n{text}\n", users.join(", ")).unwrap();
    }
    file
}

#[test]
fn an_expression_needs_one_choice_and_all_of_what_is_joined() {
    let allowed: BTreeSet<String> = ["MIT", "Unicode-3.0"].map(str::to_owned).into();
    assert!(satisfies("MIT OR Apache-2.0", &allowed));
    assert!(satisfies("Apache-2.0/MIT", &allowed));
    assert!(satisfies("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(!satisfies(
        "(GPL-2.0 OR Apache-2.0) AND Unicode-3.0",
        &allowed
    ));
    assert!(!satisfies("MIT AND GPL-2.0", &allowed));
    assert!(!satisfies("", &allowed));
}

#[test]
fn every_dependency_has_a_licence_that_deny_toml_allows() {
    let metadata = metadata();
    let allowed = allowed();
    let refused: Vec<String> = (metadata["packages"].as_array().unwrap().iter())
        .filter(|package| !satisfies(&text(&package["license"]), &allowed))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "not in deny.toml: {refused:#?}");
}

#[test]
fn the_texts_of_all_licences_are_in_the_file() {
    assert_made(FILE, &file(&crates(&metadata())));
}

/// MIT requires its notice with every substantial part: the interface comes from dxil-spirv.
#[test]
fn files_with_the_interfaces_of_others_have_their_notice() {
    let folders = [
        ("translate/capi/src/compat", "rs"),
        ("translate/src/lower/instrument", "rs"),
        ("translate/capi/include", "h"),
    ];
    let mut files: Vec<_> = (folders.iter())
        .flat_map(|(folder, extension)| dxil_checkout::files(&root().join(folder), extension))
        .filter(|path| !path.ends_with("dxil_jit.h"))
        .collect();
    files.push(root().join("translate/src/instrumentation.rs"));
    assert!(files.len() > 25, "the folders are somewhere else now");
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let head: String = text.lines().take(6).collect();
        for words in ["Hans-Kristian Arntzen for Valve", "MIT", "THIRD-PARTY.md"] {
            assert!(head.contains(words), "{}: no {words}", path.display());
        }
    }
    for file in ["THIRD-PARTY.md", "translate/capi/include/dxil_spirv_c.h"] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        let words = "The above copyright notice and this permission notice shall be";
        assert!(text.contains(words), "{file} has no whole licence");
    }
}
