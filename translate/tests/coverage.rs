//! The table of operations says what is translated, what a file test looks at, and what runs
//! on a device.
//!
//! The match over all operations is the one place that decides what is translated: arms that end in
//! `unsupported(op)` are the operations that are not. What the tests cover is read from their
//! shaders' code: a file test covers the operations that its container calls; an execution test
//! covers those of the shaders that its case names. Whatever is translated has both, or stands in
//! [`NOT_RUN`] with the reason. `BLESS=1` rewrites the table.

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

/// Where hit objects come from.
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

/// Operations of the match's arms: translated ones, and the others, by name (as in `Opcode`).
fn arms() -> (BTreeSet<String>, BTreeSet<String>) {
    let source = include_str!("../src/lower/operations.rs");
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
            let target = if is_unsupported(&decision) {
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
            names.extend(pattern.split('|').flat_map(operations_of));
            in_pattern = !line.contains("=>");
            decision.push_str(right);
        } else {
            decision.push_str(line);
        }
    }
    let target = if is_unsupported(&decision) {
        &mut missing
    } else {
        &mut lowered
    };
    target.extend(names);
    (lowered, missing)
}

/// The operations that one pattern is for: `Op::FAbs(op)`,
/// `Op::Handle(HandleOp::CreateHandle(op))`, or all of a group, `Op::RayQuery(op)`, whose own match
/// has no `_` arm.
fn operations_of(pattern: &str) -> Vec<String> {
    let names = pattern.split("Op::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric());
        &rest[..end.unwrap_or(rest.len())]
    });
    match names.collect::<Vec<_>>().as_slice() {
        [] => Vec::new(),
        [one] => {
            let in_group = Opcode::ALL
                .iter()
                .filter(|op| format!("{:?}", op.properties().group) == *one);
            let group: Vec<String> = in_group.map(|op| format!("{op:?}")).collect();
            if group.is_empty() {
                vec![(*one).to_owned()]
            } else {
                group
            }
        }
        [.., inner] => vec![(*inner).to_owned()],
    }
}

fn translated() -> BTreeSet<Opcode> {
    let (lowered, _) = arms();
    let all = Opcode::ALL.iter().copied();
    all.filter(|op| lowered.contains(&format!("{op:?}")))
        .collect()
}

/// Operations that the code of a container calls.
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

/// Operations in file tests whose translation succeeds.
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

/// Shaders (`group/name`) that the cases of an execution suite's source run; those of `valid_case!`
/// are only validated, and a case that must be refused runs nothing.
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

/// Operations in shaders that execution tests run.
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

/// The table: per family what is translated, tested by file tests and run; then the excuses.
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
