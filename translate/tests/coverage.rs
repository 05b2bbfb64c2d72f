//! The table of operations says what is translated, what a file test looks at, and what runs
//! on a device.
//!
//! The matches over all operations are the one place that decides what is translated: arms that end
//! in `unsupported(op)` are the operations that are not. What the tests cover is read from the code
//! of their shaders: a file test covers the operations that its container calls; an execution test
//! covers those of the shaders that its case names. Every translated operation has both, or stands
//! in [`NOT_RUN`] with the reason. `BLESS=1` rewrites the table.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use dxil_checkout::{assert_coverage_table, files, root};
use dxil_frontend::dxil::ops::{Family, Opcode, decode};
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::{FuncView, Inst};

/// The reason why hit objects are not executed.
const NO_REORDERING: &str = "lavapipe has no rayTracingInvocationReorder";

/// Operations that are translated but that no execution test runs, and what is in the way.
const NOT_RUN: &[(Opcode, &str)] = &[
    (Opcode::HitObjectTraceRay, NO_REORDERING),
    (Opcode::HitObjectFromRayQuery, NO_REORDERING),
    (Opcode::HitObjectFromRayQueryWithAttrs, NO_REORDERING),
    (Opcode::HitObjectMakeMiss, NO_REORDERING),
    (Opcode::HitObjectMakeNop, NO_REORDERING),
    (Opcode::HitObjectInvoke, NO_REORDERING),
    (Opcode::MaybeReorderThread, NO_REORDERING),
    (Opcode::HitObjectIsMiss, NO_REORDERING),
    (Opcode::HitObjectIsHit, NO_REORDERING),
    (Opcode::HitObjectIsNop, NO_REORDERING),
    (Opcode::HitObjectRayFlags, NO_REORDERING),
    (Opcode::HitObjectRayTMin, NO_REORDERING),
    (Opcode::HitObjectRayTCurrent, NO_REORDERING),
    (Opcode::HitObjectWorldRayOrigin, NO_REORDERING),
    (Opcode::HitObjectWorldRayDirection, NO_REORDERING),
    (Opcode::HitObjectObjectRayOrigin, NO_REORDERING),
    (Opcode::HitObjectObjectRayDirection, NO_REORDERING),
    (Opcode::HitObjectObjectToWorld3x4, NO_REORDERING),
    (Opcode::HitObjectWorldToObject3x4, NO_REORDERING),
    (Opcode::HitObjectGeometryIndex, NO_REORDERING),
    (Opcode::HitObjectInstanceIndex, NO_REORDERING),
    (Opcode::HitObjectInstanceID, NO_REORDERING),
    (Opcode::HitObjectPrimitiveIndex, NO_REORDERING),
    (Opcode::HitObjectHitKind, NO_REORDERING),
    (Opcode::HitObjectShaderTableIndex, NO_REORDERING),
    (Opcode::HitObjectSetShaderTableIndex, NO_REORDERING),
    (Opcode::HitObjectLoadLocalRootTableConstant, NO_REORDERING),
    (Opcode::HitObjectAttributes, NO_REORDERING),
    (
        Opcode::InnerCoverage,
        "lavapipe has no fullyCoveredFragmentShaderInputVariable",
    ),
    (
        Opcode::AttributeAtVertex,
        "lavapipe has no fragmentShaderBarycentric",
    ),
    (
        Opcode::AllocateRayQuery2,
        "lavapipe has no opacity micromaps",
    ),
];

/// Operations that are translated but that no file test looks at.
const NO_FILE_TEST: &[Opcode] = &[];

fn is_unsupported(decision: &str) -> bool {
    decision.contains("unsupported(op)")
}

/// Returns the operations of the matches' arms: translated ones, and the others, by name (as in
/// `Opcode`).
///
/// `operations.rs` hands each section of the op table to a family, whose `mod.rs` has an arm for
/// each operation of the section. A section without such arms is handled as a whole by one
/// function.
fn arms() -> (BTreeSet<String>, BTreeSet<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower");
    let mut arms = Vec::new();
    for file in files(&folder, "rs") {
        if file.ends_with("mod.rs") && file.parent() != Some(&folder) {
            arms.extend(arms_of(&std::fs::read_to_string(&file).unwrap()));
        }
    }
    let sections = arms_of(include_str!("../src/lower/operations.rs"));
    let single: BTreeSet<String> = arms.iter().map(|(name, _)| name.clone()).collect();
    for (section, decision) in sections {
        let members = Opcode::ALL
            .iter()
            .filter(|op| format!("{:?}", op.properties().group) == section)
            .map(|op| format!("{op:?}"));
        let members: Vec<String> = members.collect();
        if members.iter().all(|op| !single.contains(op)) {
            arms.extend(members.into_iter().map(|op| (op, decision.clone())));
        }
    }
    let (missing, lowered): (Vec<_>, Vec<_>) = arms
        .into_iter()
        .partition(|(_, decision)| is_unsupported(decision));
    let names = |arms: Vec<(String, String)>| arms.into_iter().map(|(name, _)| name).collect();
    (names(lowered), names(missing))
}

/// Returns the names in the patterns of the arms of every `match op`, each with the code of the
/// arm.
fn arms_of(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for body in source.split("\n    match op {\n").skip(1) {
        let end = body.find("\n    }\n").expect("the match's end");
        let first = found.len();
        // The names of the pattern that is being read.
        let mut pending = first;
        for line in body[..end].lines().map(str::trim) {
            if line.starts_with("//") {
                continue;
            }
            let (pattern, decision) = line.split_once(" =>").unwrap_or((line, ""));
            let names: Vec<&str> = pattern.split('|').filter_map(name_in_pattern).collect();
            if names.is_empty() {
                for (_, known) in &mut found[pending..] {
                    let known: &mut String = known;
                    known.push_str(line);
                }
                continue;
            }
            if found[pending..].iter().any(|(_, known)| !known.is_empty()) {
                pending = found.len();
            }
            found.extend(
                names
                    .into_iter()
                    .map(|name| (name.to_owned(), String::new())),
            );
            for (_, known) in &mut found[pending..] {
                known.push_str(decision);
            }
        }
    }
    found
}

/// Returns the name in a pattern: `FAbs` in `FloatOp::FAbs(op)`, `Float` in `Op::Float(op)`.
fn name_in_pattern(pattern: &str) -> Option<&str> {
    let (enumeration, rest) = pattern.trim().split_once("Op::")?;
    let (name, _) = rest.split_once('(')?;
    let is_name = |text: &str| text.chars().all(char::is_alphanumeric);
    (is_name(enumeration) && is_name(name)).then_some(name)
}

fn translated() -> BTreeSet<Opcode> {
    let (lowered, _) = arms();
    let all = Opcode::ALL.iter().copied();
    all.filter(|op| lowered.contains(&format!("{op:?}")))
        .collect()
}

/// Returns the operations that the code of a container calls.
fn called(container: &Path) -> BTreeSet<Opcode> {
    let bytes = std::fs::read(container).unwrap_or_else(|e| panic!("{}: {e}", container.display()));
    let shader = read_shader(&bytes).unwrap();
    let module = &shader.module;
    let mut found = BTreeSet::new();
    for function in &module.bodies {
        let view = FuncView { module, function };
        for data in function.insts.values() {
            let Inst::Call { callee, args, .. } = data.inst else {
                continue;
            };
            let is_operation = view
                .as_function(callee)
                .is_some_and(|callee| module.functions[callee].name.starts_with("dx.op."));
            if is_operation && let Ok(op) = decode(view, function.values_of(args)) {
                found.insert(op.opcode());
            }
        }
    }
    found
}

/// Returns the operations in file tests whose translation succeeds.
fn in_filetests() -> BTreeSet<Opcode> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let mut found = BTreeSet::new();
    let listings = files(&folder, "ll").into_iter();
    for source in listings.chain(files(&folder, "hlsl")) {
        if !std::fs::read_to_string(&source)
            .unwrap()
            .contains(" error: ")
        {
            found.extend(called(&source.with_extension("dxil")));
        }
    }
    found
}

/// Returns the shaders (`group/name`) that the cases of an execution suite's source run; those of
/// `valid_case!` are only validated, and a case that must be refused runs nothing.
fn shaders_run(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("_case!(") {
        let case = &source[at..];
        let end = ["\n);", "\n});", "\n    });"]
            .iter()
            .filter_map(|end| case.find(end))
            .min();
        let case = &case[..end.unwrap_or(case.len())];
        if source[..at].ends_with("valid") || case.contains(".must_be_refused(") {
            continue;
        }
        // The shaders are the literals before the description.
        let head = case.find("|").map_or(case, |bar| &case[..bar]);
        let names = head.split('"').skip(1).step_by(2);
        found.extend(names.filter(|name| name.split('/').count() == 2 && !name.contains(' ')));
    }
    for (at, mark) in source.match_indices("include_bytes!(\"../../shaders/") {
        let rest = &source[at + mark.len()..];
        found.extend(rest.split(".dxil\"").next());
    }
    found
}

/// Returns the operations in shaders that execution tests run.
fn run_on_a_device() -> BTreeSet<Opcode> {
    let hwtests = root().join("hwtests");
    let mut names = BTreeSet::new();
    for path in files(&hwtests.join("tests"), "rs") {
        // The macros' own definitions name no shader.
        if path.ends_with("gpu_case.rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        names.extend(shaders_run(&source).into_iter().map(str::to_owned));
    }
    assert!(names.len() > 100, "the cases are not found any more");
    let suite = names
        .iter()
        .map(|name| hwtests.join("shaders").join(format!("{name}.dxil")));
    // Every shader of a pipeline file is run by the test that runs all pipeline files.
    let pipelines = files(&hwtests.join("pipelines"), "dxil");
    let mut found = BTreeSet::new();
    for path in suite.chain(pipelines) {
        found.extend(called(&path));
    }
    found
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
fn cases_name_the_shaders_they_run() {
    let source = "gpu_case!(a, \"x/one\", |t| {\n    t.input(\"u0\");\n});\nvalid_case!(b, \"x/two\");\n\
        draw_case!(\n    c,\n    [\"x/vs\", \"x/ps\"],\n    |t| {\n    }\n);\n\
        gpu_case!(d, \"x/not\", |t| {\n    t.must_be_refused(\"no / way\");\n});\n\
        same_case!(e, \"x/same\", super::a::describe);\n\
        const F: &[u8] = include_bytes!(\"../../shaders/x/bytes.dxil\");\n";
    assert_eq!(
        shaders_run(source),
        ["x/one", "x/vs", "x/ps", "x/same", "x/bytes"]
    );
}

#[test]
fn the_example_of_adding_an_operation_is_in_the_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("docs/add-an-op.md")).unwrap();
    let start = text.find("```diff\n").expect("a diff") + "```diff\n".len();
    let end = start + text[start..].find("```").expect("the diff's end");
    let (mut file, mut hunks) = (String::new(), Vec::new());
    for line in text[start..end].lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            file = std::fs::read_to_string(root.join(path)).unwrap();
        } else if line.starts_with("@@") {
            hunks.push((file.clone(), String::new()));
        } else if !line.starts_with("---") {
            let (_, hunk) = hunks.last_mut().expect("lines come after @@");
            assert!(!line.starts_with('-'), "the example only adds");
            hunk.push_str(line.get(1..).unwrap_or_default());
            hunk.push('\n');
        }
    }
    assert_eq!(hunks.len(), 3, "a row, a function and an arm");
    for (file, hunk) in hunks {
        assert!(file.contains(&hunk), "docs/add-an-op.md shows\n{hunk}");
    }
}

#[test]
fn every_translated_operation_has_a_file_test() {
    let found = in_filetests();
    let missing: Vec<_> = translated()
        .into_iter()
        .filter(|op| !found.contains(op) && !NO_FILE_TEST.contains(op))
        .collect();
    assert!(missing.is_empty(), "no file test calls {missing:?}");
    let stale: Vec<_> = NO_FILE_TEST
        .iter()
        .filter(|op| found.contains(op))
        .collect();
    assert!(
        stale.is_empty(),
        "NO_FILE_TEST names {stale:?}, which have one"
    );
}

#[test]
fn every_translated_operation_runs_on_a_device() {
    let run = run_on_a_device();
    let excused: BTreeSet<Opcode> = NOT_RUN.iter().map(|&(op, _)| op).collect();
    let missing: Vec<_> = translated()
        .into_iter()
        .filter(|op| !run.contains(op) && !excused.contains(op))
        .collect();
    assert!(
        missing.is_empty(),
        "no execution test calls {missing:?}, and NOT_RUN has no reason"
    );
    let stale: Vec<_> = excused.intersection(&run).collect();
    assert!(stale.is_empty(), "NOT_RUN names {stale:?}, which are run");
}

/// Returns the table: per family what is translated, tested by file tests and run; then the
/// excuses.
fn table() -> String {
    let (translated, filetests, run) = (translated(), in_filetests(), run_on_a_device());
    let mut out = String::from(
        "| Family | Translated | In file tests | Run on a device | Not translated |\n|---|---:|---:|---:|---|\n",
    );
    let mut sums = [0; 4];
    for family in Family::ALL {
        let members: Vec<Opcode> = Opcode::ALL
            .iter()
            .copied()
            .filter(|op| op.family() == family)
            .collect();
        let done: Vec<&Opcode> = members
            .iter()
            .filter(|op| translated.contains(op))
            .collect();
        let counts = [
            done.len(),
            done.iter().filter(|op| filetests.contains(op)).count(),
            done.iter().filter(|op| run.contains(op)).count(),
            members.len(),
        ];
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let names: Vec<String> = members
            .iter()
            .filter(|op| !translated.contains(op))
            .map(|op| format!("`{op}`"))
            .collect();
        let missing = match counts[0] {
            0 => "all".to_owned(),
            _ => names.join(", "),
        };
        let _ = writeln!(
            out,
            "| {} | {} of {} | {} | {} | {missing} |",
            family.name(),
            counts[0],
            counts[3],
            counts[1],
            counts[2],
        );
    }
    let _ = writeln!(
        out,
        "| **All** | **{} of {}** | **{}** | **{}** | |",
        sums[0], sums[3], sums[1], sums[2]
    );
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (op, reason) in NOT_RUN {
        reasons.entry(reason).or_default().push(format!("`{op}`"));
    }
    if !reasons.is_empty() {
        out += "\nTranslated and validated, but not run by the tests:\n\n";
        for (reason, names) in reasons {
            let _ = writeln!(out, "- {}: {reason}", names.join(", "));
        }
    }
    out
}

#[test]
fn the_table_is_true() {
    assert_coverage_table("supported operations", &table());
}
