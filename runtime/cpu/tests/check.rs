//! Checks: pairs of shaders, one with a defect and one without.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use dxil_cpu::resources::{
    Bindings, Comparison, Component, Dimension, Packing, Register, ResourceView, Sampler, Storage,
    TexelLayout, Texture,
};
use dxil_cpu::{Check, Checks, Dispatch, Finding, FindingKind, Kernel, Limits, Options};
use dxil_frontend::dxil::{ResourceClass, read_shader};

use FindingKind::*;

/// Kind, resource and lines of a finding.
type Expected = (FindingKind, &'static str, u32, u32);

/// Each pair with what is found in the one with the defect: kind, resource, and the lines of both
/// accesses in rising order (0 and one line where there is only one).
const PAIRS: &[(&str, &[Expected])] = &[
    ("missing_barrier", &[(GroupsharedRace, "tile", 7, 11)]),
    ("wrong_fence", &[(GroupsharedRace, "tile", 7, 13)]),
    ("no_sync", &[(GroupsharedRace, "tile", 7, 13)]),
    ("counter", &[(GroupsharedRace, "count", 10, 10)]),
    ("loop_reuse", &[(GroupsharedRace, "tile", 10, 12)]),
    ("half_reduction", &[(GroupsharedRace, "sums", 10, 10)]),
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
    ("groupshared_behind", &[(OutOfBounds, "tile", 0, 8)]),
    ("uninitialized_tile", &[(UninitializedRead, "tile", 0, 13)]),
    (
        "uninitialized_counter",
        &[(UninitializedRead, "count", 0, 11)],
    ),
    ("divergent_barrier", &[(DivergentBarrier, "", 0, 10)]),
    ("early_return", &[(DivergentBarrier, "", 0, 10)]),
    ("atomic_and_store", &[(UavRace, "Out", 7, 9)]),
    ("atomic_behind", &[(OutOfBounds, "Out", 0, 8)]),
    ("barrier_in_loop", &[(DivergentBarrier, "", 0, 15)]),
    ("barrier_of_waves", &[(DivergentBarrier, "", 0, 14)]),
    ("buffer_integers", &[(TypeMismatch, "Values", 0, 12)]),
    ("coherent_groups", &[(CrossGroupRace, "Out", 10, 15)]),
    ("coherent_lanes", &[(UavRace, "Out", 7, 13)]),
    ("constant_array", &[(OutOfBounds, "Constants", 0, 9)]),
    ("derivative_divergent", &[(IncompleteQuad, "", 0, 14)]),
    (
        "descriptor_index",
        &[(DescriptorOutOfRange, "Buffers", 0, 13)],
    ),
    ("early_read_array", &[(OutOfBounds, "values", 0, 12)]),
    ("early_read_before", &[(OutOfBounds, "sums", 0, 13)]),
    ("early_read_buffer", &[(OutOfBounds, "In", 0, 7)]),
    ("early_read_null", &[(NullDescriptor, "Nothing", 0, 8)]),
    (
        "early_read_unwritten",
        &[(UninitializedRead, "tile", 0, 11)],
    ),
    ("fence_before_sync", &[(UavRace, "Out", 7, 12)]),
    ("fence_too_early", &[(UavRace, "Out", 9, 15)]),
    ("float_division", &[(NonFinite, "", 0, 12)]),
    (
        "groupshared_atomic_and_load",
        &[(GroupsharedRace, "total", 10, 16)],
    ),
    ("groupshared_neighbour", &[(OutOfBounds, "first", 0, 17)]),
    ("half_misaligned", &[(Misaligned, "", 0, 13)]),
    ("half_overflow", &[(NonFinite, "", 0, 13)]),
    ("heap_index", &[(DescriptorOutOfRange, "the heap", 0, 14)]),
    (
        "heap_index_not_marked",
        &[(NonUniformIndex, "the heap", 0, 9)],
    ),
    ("index_not_marked", &[(NonUniformIndex, "Buffers", 0, 9)]),
    ("lane_inactive", &[(InactiveLane, "", 0, 14)]),
    ("lane_missing", &[(InactiveLane, "", 0, 10)]),
    ("large_to_signed", &[(ConversionOverflow, "", 0, 12)]),
    ("local_address", &[(UndefinedValue, "", 0, 15)]),
    ("local_array_read", &[(OutOfBounds, "values", 0, 10)]),
    ("local_array_write", &[(OutOfBounds, "values", 0, 9)]),
    ("local_condition", &[(UndefinedValue, "", 0, 15)]),
    ("local_copied", &[(UndefinedValue, "", 0, 18)]),
    ("local_element", &[(UndefinedValue, "", 0, 15)]),
    ("local_groupshared", &[(UndefinedValue, "", 0, 16)]),
    ("local_wave", &[(UndefinedValue, "", 0, 15)]),
    ("logarithm", &[(NonFinite, "", 0, 12)]),
    ("long_loop", &[(NearStepLimit, "", 0, 13)]),
    ("mip_behind", &[(OutOfBounds, "Image", 0, 9)]),
    ("nan_to_unsigned", &[(ConversionOverflow, "", 0, 12)]),
    ("negative_root", &[(NonFinite, "", 0, 12)]),
    ("negative_to_unsigned", &[(ConversionOverflow, "", 0, 12)]),
    ("no_format", &[(TypeMismatch, "Values", 0, 12)]),
    ("null_element", &[(NullDescriptor, "Buffers", 0, 13)]),
    ("null_slot", &[(NullDescriptor, "heap slot 2", 0, 14)]),
    ("null_store", &[(NullDescriptor, "Nothing", 0, 10)]),
    ("null_view", &[(NullDescriptor, "Nothing", 0, 9)]),
    ("partial_words", &[(UavRace, "Out", 8, 10)]),
    ("quad_divergent", &[(IncompleteQuad, "", 0, 12)]),
    ("quad_read_divergent", &[(IncompleteQuad, "", 0, 12)]),
    ("raw_atomic_misaligned", &[(Misaligned, "", 0, 12)]),
    ("raw_load_misaligned", &[(Misaligned, "", 0, 12)]),
    ("raw_store_misaligned", &[(Misaligned, "", 0, 12)]),
    ("root_constant", &[(OutOfBounds, "Constants", 0, 9)]),
    ("sample_divergent", &[(IncompleteQuad, "", 0, 16)]),
    (
        "sampler_heap_index",
        &[(DescriptorOutOfRange, "the heap", 0, 14)],
    ),
    ("same_value_groups", &[(SameValueRace, "Out", 6, 6)]),
    ("same_value_in_group", &[(SameValueRace, "found", 8, 8)]),
    ("sampler_compares", &[(TypeMismatch, "Image", 0, 13)]),
    ("shift_left", &[(ShiftWidth, "", 0, 12)]),
    ("shift_right", &[(ShiftWidth, "", 0, 12)]),
    ("signed_remainder", &[(DivisionByZero, "", 0, 10)]),
    ("structure_array", &[(OutOfBounds, "Items", 0, 10)]),
    ("texture_before_write", &[(UnwrittenUav, "Image", 0, 10)]),
    ("texture_dimension", &[(TypeMismatch, "Image", 0, 13)]),
    ("texture_integers", &[(TypeMismatch, "Image", 0, 12)]),
    ("texture_of_buffer", &[(TypeMismatch, "Image", 0, 13)]),
    ("texture_store_behind", &[(OutOfBounds, "Image", 0, 9)]),
    ("typed_behind", &[(OutOfBounds, "Values", 0, 9)]),
    ("uav_before_write", &[(UnwrittenUav, "Out", 0, 8)]),
    ("uav_wrong_barrier", &[(UavRace, "Out", 7, 13)]),
    ("unsigned_division", &[(DivisionByZero, "", 0, 10)]),
    ("wave_divergent", &[(DivergentWaveOperation, "", 0, 13)]),
    ("wide_division", &[(DivisionByZero, "", 0, 12)]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check")
}

/// Returns the checks that a pair is run with: those that are on by default, and that of its
/// defect.
fn checks_of(expected: &[Expected]) -> Checks {
    let own = expected.iter().map(|(kind, ..)| kind.check());
    own.fold(Checks::standard(), Checks::with)
}

const FLOATS: TexelLayout = TexelLayout {
    component: Component::Float,
    packing: Packing::Plain { bits: 32, count: 1 },
};

/// Returns the memory of a dispatch: 256 words of 3, a buffer of zeros, and two textures of 8x8
/// texels.
fn storages() -> [Storage; 5] {
    let texture = Texture {
        dimension: Dimension::D2,
        format: FLOATS,
        size: [8, 8, 1],
        layers: 1,
        mips: 1,
        samples: 1,
    };
    let words: Vec<u8> = (0..256_u32).flat_map(|_| 3_u32.to_le_bytes()).collect();
    [
        Storage::buffer(&words),
        Storage::buffer(&[0; 1024]),
        Storage::texture(texture, &[]),
        Storage::texture(texture, &words),
        Storage::buffer(&words),
    ]
}

/// Returns the bindings: t0 and u0 are buffers, t1 and u1 textures, t2 is a typed buffer, t4
/// another buffer; t3 and u3 are null. Three buffers are in space 1. The heap has two buffers and a
/// null descriptor.
fn bindings() -> Bindings {
    let buffer = |storage, format| ResourceView::Buffer {
        storage,
        offset: 0,
        size: 1024,
        format,
        counter: 0,
    };
    let image = |storage| ResourceView::Texture {
        storage,
        format: FLOATS,
        first_mip: 0,
        mips: 1,
        first_layer: 0,
        layers: 1,
    };
    let comparing = Sampler {
        comparison: Some(Comparison::Less),
        ..Sampler::default()
    };
    let constants = [3_u32, 2, 1, 0].map(u32::to_le_bytes).concat();
    let mut registers = vec![
        (Register::srv(0), buffer(0, None)),
        (Register::srv(1), image(3)),
        (Register::srv(2), buffer(0, Some(FLOATS))),
        (Register::srv(3), ResourceView::Null),
        (Register::srv(4), buffer(4, None)),
        (Register::uav(0), buffer(1, None)),
        (Register::uav(1), image(2)),
        (Register::uav(3), ResourceView::Null),
        (Register::cbv(0), ResourceView::Constants(constants)),
        (
            Register::sampler(0),
            ResourceView::Sampler(Sampler::default()),
        ),
        (Register::sampler(1), ResourceView::Sampler(comparing)),
    ];
    for index in 0..3 {
        registers.push((Register::srv(index).in_space(1), buffer(4, None)));
    }
    Bindings {
        registers,
        resource_heap: vec![
            (ResourceClass::Srv, buffer(0, None)),
            (ResourceClass::Srv, buffer(4, None)),
            (ResourceClass::Srv, ResourceView::Null),
        ],
        sampler_heap: vec![Sampler::default()],
        ..Bindings::default()
    }
}

fn findings(name: &str, variant: &str, checks: Checks) -> Vec<Finding> {
    run(name, variant, checks).0
}

/// Runs a variant of a pair. Returns what the checks found and the bytes of all resources after
/// it.
fn run(name: &str, variant: &str, checks: Checks) -> (Vec<Finding>, Vec<Vec<u8>>) {
    let path = folder().join(format!("{name}.{variant}.dxil"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let shader = dxil_frontend::dxil::read_shader_with_debug_info(&bytes)
        .or_else(|_| read_shader(&bytes))
        .unwrap();
    let mut options = Options::default();
    options.checks = checks;
    let kernel = Kernel::decode(&shader, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (storages, bindings) = (storages(), bindings());
    // The texture is one group's.
    let is_one_group = name.starts_with("texture") || ONE_GROUP.contains(&name);
    let groups = if is_one_group { 1 } else { 4 };
    let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
    let mut limits = Limits::default();
    if name == "long_loop" {
        limits.steps = 66_000;
    }
    let outcome = dispatch.run([groups, 1, 1], &limits);
    let outcome = outcome.unwrap_or_else(|e| panic!("{name}: {e}"));
    let left = storages.iter().map(Storage::to_bytes).collect();
    (outcome.findings, left)
}

/// Pairs that run a single group.
const ONE_GROUP: &[&str] = &["raw_in_group", "raw_store_misaligned", "long_loop"];

fn line(participant: &dxil_cpu::Participant) -> u32 {
    let source = participant.place.source.as_ref();
    source.map_or(0, |source| source.line)
}

#[test]
fn each_defect_is_found_with_its_lines() {
    for (name, expected) in PAIRS {
        let found = findings(name, "defect", checks_of(expected));
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
    for (name, expected) in PAIRS {
        let found = findings(name, "fixed", checks_of(expected));
        let text: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{name}:\n{}", text.join("\n"));
    }
}

/// Values that D3D12 leaves undefined, those of inactive lanes among them, are the same whether the
/// checks watch them or not.
#[test]
fn checks_do_not_change_what_a_shader_writes() {
    for (name, _) in PAIRS {
        for variant in ["defect", "fixed"] {
            let (_, watched) = run(name, variant, Checks::ALL);
            let (_, unwatched) = run(name, variant, Checks::NONE);
            assert!(watched == unwatched, "{name}.{variant}");
        }
    }
}

#[test]
fn the_value_of_an_inactive_lane_is_zero() {
    let first_words = |name: &str, variant: &str| -> Vec<u32> {
        let (_, left) = run(name, variant, Checks::NONE);
        let words = left[1].as_chunks::<4>().0.iter();
        words
            .take(4)
            .map(|word| u32::from_le_bytes(*word))
            .collect()
    };
    // What the active lanes read where all are: 3 from the buffer and the other lane's number.
    assert_eq!(first_words("lane_inactive", "fixed"), [18, 17, 16, 15]);
    assert_eq!(first_words("quad_divergent", "fixed"), [4, 3, 6, 5]);
    assert_eq!(first_words("quad_read_divergent", "fixed"), [5; 4]);
    assert_eq!(first_words("derivative_divergent", "fixed"), [3; 4]);
    for name in [
        "lane_inactive",
        "quad_divergent",
        "quad_read_divergent",
        "derivative_divergent",
    ] {
        assert_eq!(first_words(name, "defect"), [0; 4], "{name}");
    }
}

#[test]
fn every_pair_is_in_the_table() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".defect.dxil").map(str::to_owned))
        .collect();
    names.sort();
    let mut table: Vec<&str> = PAIRS.iter().map(|(name, _)| *name).collect();
    table.sort_unstable();
    assert_eq!(names, table);
}

#[test]
fn a_check_that_is_off_finds_nothing() {
    let checks = Checks::standard().without(Check::Races);
    assert_eq!(findings("missing_barrier", "defect", checks), []);
    assert_eq!(findings("groups_add", "defect", checks), []);
    let checks = Checks::standard().without(Check::Bounds);
    assert_eq!(findings("structured_read_behind", "defect", checks), []);
    let checks = checks.without(Check::Uninitialized);
    assert_eq!(findings("uninitialized_counter", "defect", checks), []);
    let checks = checks.without(Check::Barriers);
    assert_eq!(findings("early_return", "defect", checks), []);
}

#[test]
fn writes_of_the_same_value_are_found_by_the_strict_checks_alone() {
    for name in ["same_value_groups", "same_value_in_group"] {
        assert_eq!(findings(name, "defect", Checks::standard()), []);
        let found = findings(name, "defect", Checks::strict());
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(found[0].kind.code(), "same-value-race");
        assert!(found[0].to_string().starts_with("race of equal values on "));
        // A race stays one, whether writes of the same value are found too or not.
        let alone = Checks::NONE.with(Check::SameValue);
        assert_eq!(findings(name, "defect", alone).len(), 1, "{name}");
        assert_eq!(findings(name, "fixed", Checks::ALL), []);
    }
    for name in ["missing_barrier", "groups_write"] {
        let [standard, strict] = [Checks::standard(), Checks::strict()];
        let races = findings(name, "defect", standard);
        assert_eq!(findings(name, "defect", strict), races, "{name}");
        let alone = Checks::NONE.with(Check::SameValue);
        assert_eq!(findings(name, "defect", alone), [], "{name}");
    }
}

#[test]
fn a_finding_tells_threads_and_lines_and_equal_ones_are_counted() {
    let found = findings("missing_barrier", "defect", Checks::standard());
    let text = found[0].to_string();
    assert!(text.starts_with("data race on tile, byte "), "{text}");
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
