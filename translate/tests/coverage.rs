//! README's table of supported operations says what the lowering's match does.
//!
//! The match over all operations is the one place that decides; this test reads its arms: those
//! that end in `unsupported(op)` are the operations that are not lowered. `BLESS=1` rewrites the
//! table.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeSet;
use std::path::Path;

use dxil_frontend::dxil::ops::{Opcode, coverage_table};

const BEGIN: &str = "<!-- supported operations -->\n";
const END: &str = "<!-- end of supported operations -->\n";

/// Names (as in `Opcode`) of the operations in the match's arms: lowered ones, and the others.
fn arms() -> (BTreeSet<String>, BTreeSet<String>) {
    let source = include_str!("../src/lower/mod.rs");
    let start = source
        .find("    match op {\n")
        .expect("the match over operations");
    let body = &source[start..];
    let end = body.find("\n    }\n").expect("the match's end");
    let mut lowered = BTreeSet::new();
    let mut missing = BTreeSet::new();
    let mut names = Vec::new();
    let mut decision = String::new();
    let mut in_pattern = true;
    for line in body[..end].lines().skip(1) {
        let line = line.trim();
        if line.starts_with("//") {
            continue;
        }
        let starts_pattern = line.starts_with("Op::") || line.starts_with("| Op::");
        if starts_pattern && !in_pattern {
            let target = if decision.contains("unsupported(op)") {
                &mut missing
            } else {
                &mut lowered
            };
            target.extend(names.drain(..));
            decision.clear();
        }
        in_pattern |= starts_pattern;
        if in_pattern {
            let (pattern, right) = line.split_once("=>").unwrap_or((line, ""));
            names.extend(pattern.split("Op::").skip(1).map(|rest| {
                let end = rest.find(|c: char| !c.is_alphanumeric());
                rest[..end.unwrap_or(rest.len())].to_owned()
            }));
            in_pattern = !line.contains("=>");
            decision.push_str(right);
        } else {
            decision.push_str(line);
        }
    }
    let target = if decision.contains("unsupported(op)") {
        &mut missing
    } else {
        &mut lowered
    };
    target.extend(names);
    (lowered, missing)
}

#[test]
fn every_operation_is_in_one_arm() {
    let (lowered, missing) = arms();
    let all: BTreeSet<String> = Opcode::ALL.iter().map(|op| format!("{op:?}")).collect();
    let found: BTreeSet<String> = lowered.union(&missing).cloned().collect();
    assert_eq!(found, all);
    assert!(lowered.is_disjoint(&missing));
    assert!(lowered.contains("FAbs"));
}

#[test]
fn the_table_in_the_readme_is_true() {
    let (lowered, _) = arms();
    let table = coverage_table(|op| lowered.contains(&format!("{op:?}")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let start = readme.find(BEGIN).expect("the table's first mark") + BEGIN.len();
    let end = readme.find(END).expect("the table's last mark");
    if readme[start..end] == table {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{}{table}{}", &readme[..start], &readme[end..]);
        std::fs::write(&path, text).unwrap();
        return;
    }
    panic!(
        "README.md: the table of supported operations is old; BLESS=1 rewrites it. It should be\n{table}"
    );
}
