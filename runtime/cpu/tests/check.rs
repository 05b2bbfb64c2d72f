//! Checks: pairs of shaders, one with a defect and one without.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use dxil_cpu::resources::{
    Bindings, Component, Dimension, Format, Packing, Register, ResourceView, Storage, Texture,
};
use dxil_cpu::{Checks, Dispatch, Finding, FindingKind, Kernel, Limits, Options};
use dxil_frontend::dxil::read_shader;

use FindingKind::{
    CrossGroupRace, DivergentBarrier, GroupsharedRace, OutOfBounds, UavRace, UninitializedRead,
};

/// Kind, resource and lines of a finding.
type Expected = (FindingKind, &'static str, u32, u32);

/// Each pair with what is found in the one with the defect: kind, resource, and the lines of both
/// accesses in rising order (0 and one line where there is only one).
const PAIRS: &[(&str, &[Expected])] = &[
    (
        "missing_barrier",
        &[(GroupsharedRace, "groupshared", 7, 11)],
    ),
    ("wrong_fence", &[(GroupsharedRace, "groupshared", 7, 13)]),
    ("no_sync", &[(GroupsharedRace, "groupshared", 7, 13)]),
    ("counter", &[(GroupsharedRace, "groupshared", 10, 10)]),
    ("loop_reuse", &[(GroupsharedRace, "groupshared", 10, 12)]),
    (
        "half_reduction",
        &[(GroupsharedRace, "groupshared", 10, 10)],
    ),
    ("uav_in_group", &[(UavRace, "Out", 7, 11)]),
    ("raw_in_group", &[(UavRace, "Out", 7, 7)]),
    ("groups_write", &[(CrossGroupRace, "Out", 7, 7)]),
    ("groups_read", &[(CrossGroupRace, "Out", 6, 13)]),
    ("groups_add", &[(CrossGroupRace, "Out", 7, 7)]),
    ("texture_blur", &[(UavRace, "Image", 8, 8)]),
    ("structured_write_behind", &[(OutOfBounds, "Out", 0, 7)]),
    ("structured_read_behind", &[(OutOfBounds, "In", 0, 8)]),
    ("raw_read_behind", &[(OutOfBounds, "In", 0, 8)]),
    ("texture_behind", &[(OutOfBounds, "Image", 0, 8)]),
    ("groupshared_behind", &[(OutOfBounds, "groupshared", 0, 8)]),
    (
        "uninitialized_tile",
        &[(UninitializedRead, "groupshared", 0, 13)],
    ),
    (
        "uninitialized_counter",
        &[(UninitializedRead, "groupshared", 0, 11)],
    ),
    ("divergent_barrier", &[(DivergentBarrier, "", 0, 10)]),
    ("early_return", &[(DivergentBarrier, "", 0, 10)]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check")
}

/// Runs four groups with 256 words at t0 and u0 and a texture of 8x8 texels at u1.
fn findings(name: &str, variant: &str, checks: Checks) -> Vec<Finding> {
    let path = folder().join(format!("{name}.{variant}.dxil"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let shader = dxil_frontend::dxil::read_shader_with_debug_info(&bytes)
        .or_else(|_| read_shader(&bytes))
        .unwrap();
    let kernel = Kernel::decode(&shader, &Options::default()).unwrap();
    let words: Vec<u8> = (0..256_u32).flat_map(|_| 3_u32.to_le_bytes()).collect();
    let format = Format {
        component: Component::Float,
        packing: Packing::Plain { bits: 32, count: 1 },
    };
    let texture = Texture {
        dimension: Dimension::D2,
        format,
        size: [8, 8, 1],
        layers: 1,
        mips: 1,
        samples: 1,
    };
    let storages = [
        Storage::buffer(&words),
        Storage::buffer(&[0; 1024]),
        Storage::texture(texture, &[]),
    ];
    let buffer = |storage| ResourceView::Buffer {
        storage,
        offset: 0,
        size: 1024,
        format: None,
        counter: 0,
    };
    let image = ResourceView::Texture {
        storage: 2,
        format,
        first_mip: 0,
        mips: 1,
        first_layer: 0,
        layers: 1,
    };
    let bindings = Bindings {
        registers: vec![
            (Register::srv(0), buffer(0)),
            (Register::uav(0), buffer(1)),
            (Register::uav(1), image),
        ],
        ..Bindings::default()
    };
    // The texture is one group's.
    let groups = if name.starts_with("texture") || name == "raw_in_group" {
        1
    } else {
        4
    };
    let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
    let limits = Limits::default();
    let outcome = dispatch.run_checked([groups, 1, 1], &limits, checks);
    outcome.unwrap().findings
}

fn line(participant: &dxil_cpu::Participant) -> u32 {
    let source = participant.place.source.as_ref();
    source.map_or(0, |source| source.line)
}

#[test]
fn each_defect_is_found_with_its_lines() {
    for (name, expected) in PAIRS {
        let found = findings(name, "defect", Checks::ALL);
        let summary: Vec<_> = found
            .iter()
            .map(|finding| {
                let first = finding.first.as_ref().map_or(0, line);
                let second = line(&finding.second);
                let resource = finding.resource.as_str();
                // Which of two accesses comes first is chance.
                (finding.kind, resource, first.min(second), first.max(second))
            })
            .collect();
        let text: Vec<String> = found.iter().map(ToString::to_string).collect();
        for one in *expected {
            assert!(
                summary.contains(one),
                "{name}: {one:?} is not in\n{}",
                text.join("\n")
            );
        }
        let kinds: Vec<_> = expected.iter().map(|(kind, ..)| *kind).collect();
        assert!(
            summary.iter().all(|(kind, ..)| kinds.contains(kind)),
            "{name}:\n{}",
            text.join("\n")
        );
    }
}

#[test]
fn without_the_defect_nothing_is_found() {
    for (name, _) in PAIRS {
        let found = findings(name, "fixed", Checks::ALL);
        let text: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{name}:\n{}", text.join("\n"));
    }
}

#[test]
fn every_pair_is_in_the_table() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".hlsl").map(str::to_owned))
        .collect();
    names.sort();
    let mut table: Vec<&str> = PAIRS.iter().map(|(name, _)| *name).collect();
    table.sort_unstable();
    assert_eq!(names, table);
}

#[test]
fn a_check_that_is_off_finds_nothing() {
    let mut checks = Checks::ALL;
    checks.races = false;
    assert_eq!(findings("missing_barrier", "defect", checks), []);
    assert_eq!(findings("groups_add", "defect", checks), []);
    let mut checks = Checks::ALL;
    checks.bounds = false;
    assert_eq!(findings("structured_read_behind", "defect", checks), []);
    checks.uninitialized = false;
    assert_eq!(findings("uninitialized_counter", "defect", checks), []);
    checks.barriers = false;
    assert_eq!(findings("early_return", "defect", checks), []);
}

#[test]
fn a_finding_tells_threads_and_lines_and_equal_ones_are_counted() {
    let found = findings("missing_barrier", "defect", Checks::ALL);
    let text = found[0].to_string();
    assert!(
        text.starts_with("data race on groupshared, byte "),
        "{text}"
    );
    assert!(
        text.contains("of group 0,0,0 writes at missing_barrier.hlsl:7:"),
        "{text}"
    );
    assert!(
        text.contains("of group 0,0,0 reads at missing_barrier.hlsl:11:"),
        "{text}"
    );
    assert!(found[0].count > 100, "{text}");
}
