//! `dxil-run --graph` as a user types it. Tests that run graphs need a Vulkan driver; without one
//! they fail with the program's own message, which says what to install.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod outcome;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outcome::{fails, good, text};

fn nodes(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("../../hwtests/shaders/nodes").join(name);
    file.to_str().unwrap().to_owned()
}

fn scratch(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(file)
}

fn run(shaders: &[&str], arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(shaders.iter().map(|name| nodes(name)))
        .args(["--graph", "--timeout", "30", "--no-cache"])
        .args(arguments)
        .output()
        .unwrap()
}

/// Returns the words of a file that `--out` wrote.
fn words(file: &Path) -> Vec<u32> {
    let bytes = std::fs::read(file).unwrap();
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

#[test]
fn a_graph_runs_level_by_level_and_shows_its_buffers() {
    for backend in ["vulkan", "cpu"] {
        shows_levels_and_buffers(backend);
    }
}

fn shows_levels_and_buffers(backend: &str) {
    let file = scratch(&format!("leaves_{backend}.bin"));
    let out = format!("u0={}", file.display());
    let arguments = [
        "--records",
        "split=u32:0,64,70,73",
        "--bind",
        "u0=zeros:320",
    ];
    let output = run(
        &["thread_nodes.dxil"],
        &[&arguments[..], &["--out", &out, "--backend", backend]].concat(),
    );
    let stdout = good(&output);
    assert!(
        stdout.starts_with("leaf + split: a work graph of 2 node(s) on "),
        "{stdout}"
    );
    for line in [
        "level 0: split 2",
        "level 1: leaf 3, split 2",
        "level 4: split 16",
        "level 5: leaf 64",
        "u0  RWStructuredBuffer dst: 80 of 4 bytes, hash ",
    ] {
        assert!(stdout.contains(line), "{line}: {stdout}");
    }
    let want: Vec<u32> = (0..80)
        .map(|i| match i {
            0..64 | 70..73 => i * 3,
            _ => 0,
        })
        .collect();
    assert_eq!(words(&file), want);
}

#[test]
fn records_come_from_files_and_repeat() {
    let source = scratch("records.bin");
    let records: Vec<u8> = [3u32, 5, 77, 8, 9, 77]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    std::fs::write(&source, records).unwrap();
    let file = scratch("from_file.bin");
    let said = format!("split={}", source.display());
    let out = format!("u0={}", file.display());
    let stride = [
        "--record-stride",
        "split=12",
        "--size",
        "u0=16",
        "--out",
        &out,
    ];
    good(&run(
        &["thread_nodes.dxil"],
        &[&["--records", &said], &stride[..]].concat(),
    ));
    let want = |i: u32| if [3, 4, 8].contains(&i) { i * 3 } else { 0 };
    assert_eq!(words(&file), (0..16).map(want).collect::<Vec<_>>());
    let output = run(
        &["thread_nodes.dxil"],
        &[
            "--records",
            "split=u32:1,2",
            "--record-stride",
            "split=0",
            "--record-count",
            "split=5",
        ],
    );
    let stdout = good(&output);
    assert!(
        stdout.contains("level 0: split 5\nlevel 1: leaf 5\n"),
        "{stdout}"
    );
}

/// Numbers of several types in one record; several libraries, each with an entry.
#[test]
fn several_entries_get_records() {
    let file = scratch("several.bin");
    let out = format!("u0={}", file.display());
    let arguments = [
        "--records",
        "classify=u32:0,f32:1,2,3,4",
        "--records",
        "split=u32:64,66",
        "--bind",
        "u0=zeros:320",
        "--out",
        &out,
    ];
    let output = run(&["output_arrays.dxil", "thread_nodes.dxil"], &arguments);
    let stdout = good(&output);
    assert!(
        stdout.contains("level 0: classify 1, split 1\n"),
        "{stdout}"
    );
    assert!(
        text(&output.stderr).contains("which D3D12 refuses"),
        "{output:?}"
    );
    let got = words(&file);
    assert_eq!(got[64..66], [192, 195]);
    let row: Vec<f32> = got[12..16].iter().map(|w| f32::from_bits(*w)).collect();
    assert_eq!(row, [3.0, 6.0, 9.0, 12.0]);
}

#[test]
fn an_only_entry_gets_a_record_of_its_own() {
    // One empty record; what goes to nodes elsewhere is told.
    let output = run(&["empty_records.dxil"], &[]);
    let stdout = good(&output);
    assert!(stdout.contains("level 1: ping 128, pong 28"), "{stdout}");
    assert!(
        stdout.contains("lost: 2 record(s) for fan[3], which is missing"),
        "{stdout}"
    );
    // The grid of a generated record is one group.
    let output = run(&["broadcast_dynamic.dxil"], &["--size", "u0=8x8"]);
    let stdout = good(&output);
    assert!(
        stdout.contains("level 0: shadeTile 1\nlevel 1: edge 2\n"),
        "{stdout}"
    );
    let arguments = ["--record-count", "shadeTile=3", "--records", "shadeTile"];
    let stdout = run(
        &["broadcast_dynamic.dxil"],
        &[&arguments[..], &["--size", "u0=8x8"]].concat(),
    );
    assert!(good(&stdout).contains("level 0: shadeTile 3\n"));
}

#[test]
fn registers_are_bound_as_for_dispatches() {
    let bind = [
        "--records",
        "spread=u32:4",
        "--bind",
        "b0=u32:10",
        "--counter",
        "u0=1",
    ];
    let roots = [
        "RootConstants(num32BitConstants = 1, b0), DescriptorTable(UAV(u0))",
        "CBV(b0), DescriptorTable(UAV(u0))",
    ];
    for root in roots {
        let output = run(
            &["counting.dxil"],
            &[
                &bind[..],
                &["--root-signature", root, "--size", "u0=16", "--quiet"],
            ]
            .concat(),
        );
        let stdout = good(&output);
        assert!(stdout.contains("  counter 16\n"), "{stdout}");
        assert!(stdout.contains("level 3: spread 8\n"), "{stdout}");
        let first = stdout
            .lines()
            .find(|line| line.trim().starts_with("0 "))
            .unwrap();
        let row: Vec<&str> = first.split_whitespace().collect();
        assert_eq!(
            row,
            ["0", "0", "43", "32", "32", "21", "21", "21", "21"],
            "{stdout}"
        );
    }
    let output = run(&["mixed_library.dxil"], &["--records", "head=u32:8,2"]);
    fails(&output, 2, "--heap");
    let output = run(
        &["mixed_library.dxil"],
        &[
            "--records",
            "head=u32:8,2",
            "--heap",
            "2=RWStructuredBuffer<uint>=zeros:128",
            "--size",
            "u0=1024",
        ],
    );
    let stdout = good(&output);
    assert!(stdout.contains("level 1: tail 32\n"), "{stdout}");
    assert!(stdout.contains("heap2  RWStructuredBuffer"), "{stdout}");
}

#[test]
fn graphs_are_timed() {
    let output = run(
        &["thread_nodes.dxil"],
        &["--records", "split=u32:0,8", "--time", "2"],
    );
    let stdout = good(&output);
    assert!(stdout.contains("device time of 2 runs: min "), "{stdout}");
}

#[test]
fn wrong_records_are_said() {
    let refused = |arguments: &[&str], code, message: &str| {
        fails(&run(&["thread_nodes.dxil"], arguments), code, message);
    };
    let entries = "there are: split (records of 8 bytes)";
    refused(&["--records", "leaf=u32:1"], 2, entries);
    refused(
        &["--records", "split[1]=u32:1,2"],
        2,
        "split[1] is no entry",
    );
    refused(&["--records", "split=u32:1,2,3"], 1, "records of 8 bytes");
    refused(
        &["--records", "split=point"],
        2,
        "records are numbers or the bytes of a file",
    );
    refused(
        &["--records", "split=u32:1,q8:2"],
        2,
        "`q8` is no type of numbers",
    );
    refused(&["--record-count", "split"], 2, "write NODE=NUMBER");
    refused(
        &["--records", "split=u32:1,2", "--record-count", "leaf=2"],
        2,
        "no records are for that node",
    );
    refused(
        &["--records", "split=u32:1,2", "--record-stride", "split=6"],
        1,
        "a stride of 6 bytes",
    );
    refused(&["--dispatch", "1"], 2, "cannot be used with");
    refused(&["--backend", "wgpu"], 4, "device addresses");
    let several = run(&["output_arrays.dxil", "thread_nodes.dxil"], &[]);
    fails(&several, 2, "the work graph has several entries");
    let twice = run(&["thread_nodes.dxil", "thread_nodes.dxil"], &[]);
    fails(&twice, 3, "work graph: there are two nodes");
    let none = run(&["../rays/merged.dxil"], &[]);
    fails(&none, 1, "no work graph nodes");
    let grid = run(
        &["cross_group.dxil"],
        &["--records", "total=u32:40,1,1,0,0"],
    );
    fails(&grid, 1, "[NodeMaxDispatchGrid] says 32x1x1");
    // Without --graph the program says how nodes run.
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args([
            &nodes("thread_nodes.dxil"),
            "--dispatch",
            "1",
            "--entry",
            "split",
        ])
        .output()
        .unwrap();
    fails(&output, 2, "runs with the whole of its graph: --graph");
}

#[test]
fn a_node_is_not_dispatched_by_itself() {
    for backend in ["vulkan", "cpu"] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(nodes("counting.dxil"))
            .args(["--dispatch", "1", "--backend", backend])
            .output()
            .unwrap();
        let message = "a node of a work graph runs as part of its graph";
        fails(&output, 1, message);
    }
}

/// Mesh nodes have modules, but draw as parts of graphs alone, whose programs only the library
/// takes.
#[test]
fn a_mesh_node_is_shown_and_not_run() {
    let emit = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(nodes("mesh_tiles.dxil"))
        .args(["--entry", "draw", "--emit", "spvasm"])
        .output()
        .unwrap();
    let module = good(&emit);
    assert!(module.contains("OpEntryPoint MeshEXT"), "{module}");
    for backend in ["vulkan", "cpu"] {
        let refused = run(&["mesh_tiles.dxil"], &["--backend", backend]);
        assert!(!refused.status.success());
        let text = text(&refused.stderr);
        assert!(
            text.contains("the mesh node draw needs a program"),
            "{text}"
        );
    }
}
