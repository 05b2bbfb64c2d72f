//! The table of docs/writing.md says what Rust, C, Python and the commands call the same thing. It
//! has no hole, each name exists, and nothing that writes containers is missing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use dxil_checkout::{files, root};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// Returns all files below a folder with this extension, as one text.
fn all(folder: &str, extension: &str) -> String {
    let files = files(&root().join(folder), extension);
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    texts.collect()
}

/// Returns the names in code style of a cell.
fn names(cell: &str) -> Vec<String> {
    let odd = cell.split('`').skip(1).step_by(2);
    odd.map(str::to_owned).collect()
}

/// Returns the rows of the table: the names of Rust, C, Python and the commands.
fn rows() -> Vec<[Vec<String>; 4]> {
    let page = read("docs/writing.md");
    let table = page.split("\n| what | Rust").nth(1).unwrap();
    let table = table.split("\n\n").next().unwrap();
    let rows = table.lines().skip(2).map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 5, "{row}");
        let row: [Vec<String>; 4] = std::array::from_fn(|column| names(cells[column + 1]));
        assert!(
            row.iter().all(|names| !names.is_empty()),
            "a hole: {cells:?}"
        );
        row
    });
    rows.collect()
}

/// Returns what follows a marker up to the first character that is in no name.
fn after<'a>(text: &'a str, marker: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(marker).skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

#[test]
fn names_of_rust_exist() {
    for name in rows().iter().flat_map(|row| &row[0]) {
        let (module, item) = name.rsplit_once("::").unwrap();
        let place = format!("frontend/src/{}", module.replace("::", "/"));
        let text = if root().join(&place).is_dir() {
            all(&place, "rs")
        } else {
            read(&format!("{place}.rs"))
        };
        let mut kinds = ["fn", "struct", "enum"].iter();
        let found = |kind: &&str| after(&text, &format!("pub {kind} ")).any(|found| found == item);
        assert!(kinds.any(found), "{name}");
    }
}

#[test]
fn names_of_c_exist_and_none_is_missing() {
    let listed: BTreeSet<String> = rows().iter().flat_map(|row| row[1].clone()).collect();
    let mut found = BTreeSet::new();
    for file in ["writing", "parts", "validation"] {
        let text = read(&format!("translate/capi/src/native/{file}.rs"));
        let functions = after(&text, "extern \"C\" fn ");
        found.extend(functions.map(str::to_owned));
    }
    // What reads and frees the results of the others.
    found.retain(|name| {
        !["_free", "_bytes", "_content"]
            .iter()
            .any(|end| name.ends_with(end))
    });
    assert_eq!(listed, found);
}

#[test]
fn names_of_python_exist_and_none_is_missing() {
    let folder = "runtime/python/python/dxil_jit";
    let listed: BTreeSet<String> = rows().iter().flat_map(|row| row[2].clone()).collect();
    let mut found = BTreeSet::new();
    for file in ["_writing", "_validation"] {
        let text = read(&format!("{folder}/{file}.py"));
        found.extend(after(&text, "\ndef ").map(str::to_owned));
    }
    let offered = read(&format!("{folder}/__init__.py"));
    for name in &found {
        assert!(offered.contains(&format!("    \"{name}\",\n")), "{name}");
    }
    let shader = read(&format!("{folder}/_shader.py"));
    assert!(after(&shader, "\n    def ").any(|name| name == "disassemble"));
    found.insert("Shader.disassemble".to_owned());
    assert_eq!(listed, found);
}

/// Returns the long options of a command, with hyphens.
fn options(command: &str) -> BTreeSet<String> {
    let folder = format!("runtime/cli/src/bin/{command}");
    assert!(Path::new(&root().join(&folder)).is_dir(), "{command}");
    let text = all(&folder, "rs");
    let mut found = BTreeSet::new();
    // An attribute with the word `long`, and the name of the field after it.
    for piece in text.split("#[arg(").skip(1) {
        let (attribute, rest) = piece.split_once(")]\n").unwrap();
        let words = attribute.split(|c: char| !c.is_alphanumeric() && c != '_');
        if words.clone().any(|word| word == "long") {
            let field = rest.trim_start().trim_start_matches("pub(crate) ");
            let field = field.split(':').next().unwrap();
            found.insert(field.replace('_', "-"));
        }
    }
    found
}

#[test]
fn options_of_commands_exist_and_none_of_the_editor_is_missing() {
    let mut listed = BTreeSet::new();
    for row in rows() {
        let mut command = "";
        for name in &row[3] {
            let (first, option) = name.split_once("--").unwrap_or((name, ""));
            if !first.is_empty() {
                command = first.trim();
            }
            assert!(!command.is_empty(), "{name}");
            let options = options(command);
            assert!(option.is_empty() || options.contains(option), "{name}");
            if command == "dxil-edit" {
                listed.insert(option.to_owned());
            }
        }
    }
    assert_eq!(listed, options("dxil-edit"));
}

/// The commands that write have a page with each of their options, and a test that uses it.
#[test]
fn each_option_is_described_and_tested() {
    let pages = read("docs/commands.md") + &read("docs/validator.md") + &read("docs/preview.md");
    let tests = all("runtime/cli/tests", "rs");
    let mut missing = Vec::new();
    let commands = [
        "dxil-edit",
        "dxil-as",
        "dxil-opt",
        "dxbc2dxil",
        "dxil-sign",
        "dxil-val",
    ];
    for command in commands {
        assert!(pages.contains(&format!("`{command}")), "{command}");
        let options = options(command);
        assert!(!options.is_empty(), "{command}");
        for option in options {
            let ends = ['`', ' ', ',', '=', '"'];
            let is_in = |text: &str, start: &str| {
                let mut places = text.match_indices(start);
                places.any(|(at, _)| text[at + start.len()..].starts_with(ends))
            };
            // The option of the file that is written has a short name, too.
            let is_short = option == "output" && tests.contains("\"-o\"");
            if !is_in(&tests, &format!("\"--{option}")) && !is_short {
                missing.push(format!("{command} --{option}: no test"));
            }
            let is_shown = option == "output" && pages.contains(" -o ");
            if !is_in(&pages, &format!("--{option}")) && !is_shown {
                missing.push(format!("{command} --{option}: not on a page"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
