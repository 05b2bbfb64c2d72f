//! `dxil-run` with descriptor heaps and tables, as people type it.

#![allow(clippy::unwrap_used, reason = "a test may end this way")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn shader(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../hwtests/shaders/bindings")
        .join(name)
        .with_extension("dxil")
}

/// Runs one group of a shader.
fn run(name: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(shader(name))
        .args(["--dispatch", "1", "--no-cache"])
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

fn good(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn fails(output: &Output, code: i32, message: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(error.contains(message), "{error}");
}

/// Returns the values that a run writes to a table, column by column.
fn table(name: &str, arguments: &[&str], place: &str) -> Vec<Vec<f64>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heaps");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}_{}_{place}.csv", arguments.len()));
    let out = format!("{place}={}", file.display());
    let mut all = arguments.to_vec();
    all.extend(["--out", &out]);
    good(&run(name, &all));
    let text = std::fs::read_to_string(&file).unwrap();
    let row = |line: &str| line.split(',').map(|n| n.parse().unwrap()).collect();
    text.lines().skip(1).map(row).collect()
}

/// Returns the last column.
fn values(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.last().copied()).collect()
}

#[test]
fn buffers_come_from_slots_of_the_heap() {
    let rows = table(
        "heap_buffers",
        &[
            "--bind",
            "b0=u32:1,5",
            "--heap",
            "1=StructuredBuffer<uint>=iota:64",
            "--heap",
            "2=ByteAddressBuffer=zeros:64",
            // Slots may be named as they are printed, and out of order.
            "--heap",
            "heap[5]=RWStructuredBuffer<uint>",
            "--heap",
            "heap3=srv=iota:64",
        ],
        "heap5",
    );
    let expected = |i: u32| f64::from(i * 1000 + if i & 1 == 0 { 0 } else { i });
    assert_eq!(values(&rows), (0..16).map(expected).collect::<Vec<_>>());
}

#[test]
fn slots_that_are_null_or_missing_read_zero() {
    for b in [&["--heap", "2=null", "--heap", "3=null"][..], &[]] {
        let mut arguments = vec![
            "--bind",
            "b0=u32:1,5",
            "--heap",
            "1=srv=iota:64",
            "--heap",
            "5=uav=zeros:64",
        ];
        arguments.extend(b);
        let rows = table("heap_buffers", &arguments, "heap5");
        let expected = (0..16).map(|i| f64::from(i * 1000));
        assert_eq!(values(&rows), expected.collect::<Vec<_>>());
    }
}

#[test]
fn textures_and_samplers_come_from_the_heaps() {
    let rows = table(
        "heap_textures",
        &[
            "--heap",
            "0=Texture2D<float>=f32:10,11,12,13",
            "--heap",
            "1=Texture2D<float>=f32:20,21,22,23",
            "--heap",
            "2=RWTexture2D<float>",
            "--size",
            "heap0=2x2",
            "--size",
            "heap1=2x2",
            "--size",
            "heap2=4x2",
            "--sampler-heap",
            "0=point+wrap",
            "--sampler-heap",
            "1=point+clamp",
        ],
        "heap2",
    );
    // Column 1.25 is the first when it wraps, the last when it is clamped.
    let value = |i: u32| f64::from(10 + (i & 1) * 10 + (i >> 1 & 1)) * 2.0;
    assert_eq!(values(&rows), (0..8).map(value).collect::<Vec<_>>());
    assert_eq!(rows[5][..2], [1.0, 1.0]);
}

#[test]
fn tables_show_a_part_of_the_heap() {
    // Root parameter 4 is DescriptorTable(SRV(t1, numDescriptors = 2), UAV(u1)).
    let arguments = [
        "--heap",
        "4=Texture2D<float>=f32:0.5,0.5,0.5,0.5",
        "--size",
        "heap4=2x2",
        "--heap",
        "5=Buffer<uint>=iota:64",
        "--heap",
        "6=RWBuffer<uint>",
        "--table",
        "4=4",
        "--bind",
        "b0=u32:7,0,0,0",
    ];
    let rows = table("root_signature", &arguments, "heap6");
    let expected = (0..16).map(|i| f64::from(i + 7));
    assert_eq!(values(&rows), expected.collect::<Vec<_>>());
}

#[test]
fn one_resource_may_be_in_two_slots() {
    let rows = table(
        "root_signature",
        &[
            "--heap",
            "0=Texture2D<float>",
            "--heap",
            "1=Buffer<uint>=iota:64",
            "--heap",
            "2=RWBuffer<uint>=heap1",
            "--table",
            "4=0",
            "--bind",
            "b0=u32:100,0,0,0",
        ],
        "heap2",
    );
    let expected = (0..16).map(|i| f64::from(i + 100));
    assert_eq!(values(&rows), expected.collect::<Vec<_>>());
}

#[test]
fn slots_of_the_heap_have_hidden_counters() {
    let output = run(
        "heap_counters",
        &[
            "--heap",
            "1=RWStructuredBuffer<uint>",
            "--heap",
            "2=AppendStructuredBuffer<uint>",
            "--heap",
            "3=RWStructuredBuffer<uint2>",
            "--counter",
            "heap3=10",
        ],
    );
    let stdout = good(&output);
    for (slot, counter) in [(1, 16), (2, 8), (3, 4)] {
        let part = stdout.split(&format!("heap{slot} ")).nth(1).unwrap();
        let line = part.lines().nth(1).unwrap();
        assert_eq!(line, format!("  counter {counter}"), "{stdout}");
    }
}

#[test]
fn mistakes_with_heaps_say_what_to_write() {
    let usage = |name, arguments: &[&str], message| fails(&run(name, arguments), 2, message);
    usage(
        "heap_buffers",
        &[],
        "--heap '0=StructuredBuffer<uint>=iota:64'",
    );
    usage(
        "heap_textures",
        &["--heap", "0=Texture2D<float>"],
        "--sampler-heap '0=linear+wrap'",
    );
    usage(
        "heap_buffers",
        &["--heap", "0=Texture=zeros"],
        "`Texture` is no type of a heap's slot",
    );
    usage(
        "heap_buffers",
        &["--heap", "first=srv"],
        "write the number of the slot",
    );
    usage(
        "heap_buffers",
        &["--heap", "9999999=srv"],
        "a heap has at most 1000000 slots",
    );
    usage(
        "root_signature",
        &["--heap", "0=Texture2D<float>"],
        "--table PARAMETER=SLOT",
    );
    usage(
        "root_signature",
        &["--heap", "0=Texture2D<float>", "--table", "1=0"],
        "root parameter 1 is no descriptor table; tables are 4",
    );
    usage(
        "heap_buffers",
        &["--heap", "0=srv", "--table", "0=0"],
        "there is no root signature",
    );
    usage(
        "root_signature",
        &[
            "--heap",
            "0=Texture2D<float>",
            "--table",
            "4=0",
            "--bind",
            "t1=zeros",
        ],
        "--bind t1: a --table shows a slot of the heap there",
    );
    usage(
        "heap_buffers",
        &["--heap", "0=srv=iota:64", "--counter", "heap0=1"],
        "no UAV with a hidden counter",
    );
    // The table's ranges want another class than the slot has.
    fails(
        &run("root_signature", &["--heap", "0=uav", "--table", "4=0"]),
        1,
        "heap slot 0 has a Uav descriptor",
    );
}
