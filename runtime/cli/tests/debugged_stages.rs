//! `dxil-run --debug` and `--trace` of draws, meshes and rays. The expected values follow from the
//! numbers of vertices, patches, primitives, pixels, threads and rays, as the shaders of
//! `runtime/debug/tests/data` compute them.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn data(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../debug/tests/data");
    folder.join(name)
}

/// Runs `dxil-run` with some shaders; returns the exit code and what it wrote.
fn run(shaders: &[&str], arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(shaders.iter().map(|name| data(name)))
        .args(arguments)
        .env("VK_DRIVER_FILES", "/nonexistent")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// Debugs with commands; returns what the debugger says.
fn debug(shaders: &[&str], work: &[&str], what: &str, commands: &str) -> String {
    let mut arguments = work.to_vec();
    let what = format!("--debug={what}");
    arguments.extend([&what, "--quiet", "--debug-commands", commands]);
    let (code, stdout, stderr) = run(shaders, &arguments);
    assert_eq!(code, 0, "{stderr}{stdout}");
    stdout
}

/// Returns the line of a shader's source with a text.
fn line_of(name: &str, text: &str) -> usize {
    let source = std::fs::read_to_string(data(name)).unwrap();
    let line = source.lines().position(|line| line.contains(text));
    line.unwrap() + 1
}

#[track_caller]
fn has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(
            text.lines().any(|own| own.trim() == *line),
            "{line}\n{text}"
        );
    }
}

const DRAW: [&str; 2] = ["drawn_vs.dxil", "drawn_ps.dxil"];

#[test]
fn a_pixel_is_debugged_with_its_neighbours() {
    let line = line_of("drawn_ps.hlsl", "if (");
    let inner = line_of("drawn_ps.hlsl", "shade += 100");
    let commands = format!(
        "break {line}; continue; locals; lanes cell; pixel 128,100; break {inner}; continue; \
         continue; print shade; next; print shade; pixel 3,250; print $lane"
    );
    let said = debug(&DRAW, &["--draw", "3"], "pixel:130,100", &commands);
    // The pixel's centre, its cell of four by four pixels, and 2 x + y of the cell.
    has(
        &said,
        &[
            "float4 at = (130.5, 100.5, optimized out, optimized out)",
            "uint2 cell = (32, 25)",
            "uint shade = 89",
        ],
    );
    // Pixel 128,100 has the same cell, whose sum is odd: the line inside is not reached, and the
    // wave ends.
    assert!(said.contains("pixel 128,100 of primitive 0"), "{said}");
    assert!(!said.contains("uint shade = 189"), "{said}");
    // A pixel that nothing covers is none; the session goes on with the one before.
    let commands = format!("pixel 0,0; break {inner}; continue; print shade");
    let said = debug(&DRAW, &["--draw", "3"], "pixel:132,100", &commands);
    has(
        &said,
        &["the draw has no pixel 0,0, or runs no shader for it"],
    );
    // Cell 33,25: the sum is even, and shade is 91 before 100 is added.
    has(&said, &["91"]);
}

#[test]
fn a_pixel_is_of_the_primitive_that_is_named_or_of_the_last() {
    // Both instances draw the same triangle: primitives 0 and 1.
    let work = ["--draw", "3,2", "--depth", "off"];
    let line = line_of("drawn_ps.hlsl", "return");
    let commands = format!("break {line}; continue; print colour.z");
    let last = debug(&DRAW, &work, "pixel:130,100", &commands);
    assert!(last.contains("pixel 130,100 of primitive 1"), "{last}");
    // The vertex shader gives the number of the instance.
    has(&last, &["1"]);
    let first = debug(&DRAW, &work, "pixel:130,100,0", &commands);
    assert!(first.contains("pixel 130,100 of primitive 0"), "{first}");
    has(&first, &["0"]);
}

#[test]
fn a_vertex_is_debugged_and_another_one_chosen() {
    let line = line_of("drawn_vs.hlsl", "corner.colour");
    let commands =
        format!("break {line}; continue; locals; lanes both; vertex 1; continue; print both");
    let said = debug(&DRAW, &["--draw", "3,2"], "vertex:2,1", &commands);
    has(
        &said,
        &[
            "uint number = 2",
            "uint instance = 1",
            "uint both = 21",
            "(dxil) print both",
            "10",
        ],
    );
    for (lane, both) in [0, 10, 20, 1, 11, 21].iter().enumerate() {
        let mark = if lane == 5 { "*" } else { " " };
        let row = format!("{mark}{lane:>3}  {:<14} {both}", "active");
        has(&said, &[row.trim()]);
    }
    let absent = run(&DRAW, &["--draw", "3", "--debug=vertex:3"]);
    assert_eq!(absent.0, 2);
    assert!(
        absent.2.contains("the draw has no vertex 3"),
        "{}",
        absent.2
    );
}

#[test]
fn stages_of_patches_are_debugged() {
    let all = [
        "drawn_vs.dxil",
        "drawn_hs.dxil",
        "drawn_ds.dxil",
        "drawn_ps.dxil",
    ];
    let work = ["--draw", "6"];
    let line = line_of("drawn_hs.hlsl", "Corner corner = patch");
    let commands = format!("break {line}; continue; locals");
    let point = debug(&all, &work, "control-point:1,2", &commands);
    // Patch and point.
    has(
        &point,
        &["uint which = 2", "uint number = 1", "uint both = 102"],
    );
    let line = line_of("drawn_hs.hlsl", "return all");
    let commands = format!("break {line}; continue; locals");
    let patch = debug(&all, &work, "patch:1", &commands);
    // The second vertex of the second patch is vertex 4, and its colour's green is its number.
    has(&patch, &["uint number = 1", "float first = 4"]);
    assert!(patch.contains("edges = [5, 2, 2], inside = 2") || patch.contains("inside = 2"));
    let line = line_of("drawn_ds.hlsl", "Corner corner;") + 1;
    let commands =
        format!("break {line}; continue; print sum; print weights.x + weights.y + weights.z");
    let domain = debug(&all, &work, "domain-point:1,0", &commands);
    assert!(domain.contains("domain point 0 in patch 1"), "{domain}");
    has(&domain, &["1"]);
}

#[test]
fn a_geometry_shader_is_debugged() {
    let all = ["drawn_vs.dxil", "drawn_gs.dxil", "drawn_ps.dxil"];
    let line = line_of("drawn_gs.hlsl", "stream.Append");
    let commands =
        format!("break {line}; continue; continue; print both; print i; print corner.colour.z");
    let said = debug(&all, &["--draw", "6"], "primitive:1,1", &commands);
    assert!(said.contains("primitive 1, instance 1"), "{said}");
    // 10 for the primitive, 1 for the run; the second vertex adds 1.
    has(&said, &["11", "1", "12"]);
}

#[test]
fn a_thread_of_a_mesh_and_of_an_amplification_shader_is_debugged() {
    let line = line_of("mesh.hlsl", "vertices[thread].place");
    let commands = format!("break {line}; continue; locals; back; print number");
    let said = debug(&["mesh.dxil"], &["--draw", "2"], "mesh:1:40", &commands);
    // Thread 40 of group 1; the first thread of the group has 1000.
    assert!(said.contains("thread 104,0,0"), "{said}");
    has(
        &said,
        &[
            "uint thread = 40",
            "uint number = 1040",
            "uint first = 1000",
            "1040",
        ],
    );
    // Groups have 64 threads: there is no thread 64, at the start or later.
    let (code, _, stderr) = run(&["mesh.dxil"], &["--draw", "2", "--debug=mesh:1:64"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("thread 64 in ms group 1,0,0"), "{stderr}");
    let said = debug(&["mesh.dxil"], &["--draw", "2"], "mesh:1:63", "mesh 1:64");
    assert!(said.contains("thread 64 in ms group 1,0,0"), "{said}");
    let line = line_of("amplification.hlsl", "DispatchMesh");
    let commands = format!("break {line}; continue; locals; globals");
    let all = ["amplification.dxil", "mesh.dxil"];
    let said = debug(&all, &["--draw", "3"], "amplification:2", &commands);
    has(&said, &["uint count = 3"]);
    assert!(said.contains("first = 20"), "{said}");
}

#[test]
fn a_ray_is_debugged_through_all_its_shaders() {
    let commands = "break twice; continue; where; print called.number; out; print before; out; \
                    print payload.number; back; ray 1,1; continue; print called.number";
    let said = debug(&["rays.dxil"], &["--rays", "8,4"], "ray:3,2", commands);
    let lines = [
        ("twice", "uint before = called.number"),
        ("miss", "CallShader"),
        ("generate", "TraceRay"),
    ];
    for (depth, (name, text)) in lines.iter().enumerate() {
        let line = line_of("rays.hlsl", text);
        let mark = if depth == 0 { "*" } else { " " };
        let file = "rays.hlsl";
        let row = format!("{mark}{depth}  {name} at ");
        let found = said.lines().find(|own| own.starts_with(&row)).unwrap();
        assert!(found.ends_with(&format!("{file}:{line}")), "{found}");
    }
    // 2 * 100 + 3, which the miss shader adds 1 to, and the callable shader doubles.
    has(&said, &["204", "203", "408", "102"]);
    let absent = run(&["rays.dxil"], &["--rays", "8,4", "--debug=ray:8,0"]);
    assert_eq!(absent.0, 2);
    // Numbers whose product has more than 32 bits, too.
    let commands = "ray 8,0; ray 4000000000,4000000000; print $lane";
    let said = debug(&["rays.dxil"], &["--rays", "8,4"], "ray:3,0", commands);
    has(
        &said,
        &[
            "the dispatch has no ray [8, 0, 0]",
            "the dispatch has no ray [4000000000, 4000000000, 0]",
            "3",
        ],
    );
}

#[test]
fn a_node_of_a_work_graph_is_debugged() {
    let shader = "../../../../hwtests/shaders/nodes/thread_nodes.dxil";
    let work = [
        "--graph",
        "--records",
        "split=u32:0,64,70,73",
        "--bind",
        "u0=zeros:320",
    ];
    // The leaves of the second record are 70 to 72, those of the first come in order, 32 in a
    // group.
    let commands = "break op rawBufferStore; continue; print %6; print %7; group 2 lane 1; \
                    continue; print %6; print %7; node leaf,1:31; continue; print %6";
    let said = debug(&[shader], &work, "node:leaf,0:2", commands);
    assert!(
        said.contains("thread 2 of leaf, group 0 (lane 2; 3 of 3 lanes)"),
        "{said}"
    );
    has(&said, &["72", "216", "33", "99", "31"]);
    // The graph has run to its end.
    assert!(said.contains("level 5: leaf 64"), "{said}");
    // Without a name it is the first group of the entry; its two records have 64 and 3 elements.
    let said = debug(&[shader], &work, "0,0,0", "lanes $lane");
    assert!(
        said.contains("thread 0 of split, group 0 (lane 0; 2 of 2 lanes)"),
        "{said}"
    );
    for (what, problem) in [
        ("node:leaf,3", "leaf launches no group 3"),
        ("node:leaf,0:40", "the group has no thread 40"),
        ("node:tree", "the work graph has no node tree"),
        ("pixel:1,1", "a group of a node is debugged"),
    ] {
        let what = format!("--debug={what}");
        let arguments = [&work[..], &[&what]].concat();
        let (code, _, stderr) = run(&[shader], &arguments);
        assert_eq!(code, 2, "{what}: {stderr}");
        assert!(stderr.contains(problem), "{what}: {stderr}");
    }
    let arguments = [&work[..], &["--trace=node:leaf,0:2"]].concat();
    let (code, stdout, stderr) = run(&[shader], &arguments);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("rawBufferStore"), "{stdout}");
}

#[test]
fn other_work_than_the_named_is_refused() {
    for (shaders, work, what) in [
        (&DRAW[..], "--draw=3", "ray:0,0"),
        (&DRAW, "--draw=3", "mesh:0"),
        (&DRAW, "--draw=3", "0,0,0:5"),
        (&["rays.dxil"], "--rays=8,4", "pixel:1,1"),
        (&["steps.dxil"], "--dispatch=2", "pixel:1,1"),
    ] {
        let (code, _, stderr) = run(shaders, &[work, &format!("--debug={what}")]);
        assert_eq!(code, 2, "{what}: {stderr}");
    }
}

#[test]
fn a_trace_has_the_lines_of_a_thread_with_what_they_change() {
    let (code, stdout, stderr) = run(
        &["steps.dxil"],
        &["--dispatch", "2", "--trace=1,0,0:7", "--json"],
    );
    assert_eq!(code, 0, "{stderr}");
    let rows: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let adds = line_of("steps.hlsl", "total += twice");
    // Thread 39 has 39 % 4 = 3 rounds, of which each adds 2 (i + 1): totals 2, 6 and 12.
    let totals = rows.iter().filter(|row| row["line"] == adds);
    let totals = totals.filter_map(|row| row["changed"]["total"].as_str());
    assert_eq!(totals.collect::<Vec<_>>(), ["2", "6", "12"]);
    assert!(rows.iter().all(|row| row["lane"] == "thread 39,0,0"));
    // Functions that were inlined are deeper.
    let twice = rows.iter().find(|row| row["function"] == "twice").unwrap();
    assert_eq!(twice["depth"], 2);
    // The lines that are asked for, as text.
    let lines = format!("--trace-lines={adds}");
    let (_, stdout, _) = run(
        &["steps.dxil"],
        &["--dispatch", "2", "--trace=1,0,0:7", &lines],
    );
    let ends: Vec<&str> = stdout
        .lines()
        .map(|line| line.rsplit_once("  ").unwrap().1.trim())
        .collect();
    assert_eq!(ends.len(), 3);
    assert!(ends.iter().all(|end| end.contains("total = ")), "{stdout}");
}

#[test]
fn traces_of_two_shaders_are_compared() {
    let same = data("drawn_vs.dxil").display().to_string();
    let with = format!("--compare={same},{}", data("drawn_ps.dxil").display());
    let arguments = ["--draw", "3", "--trace=pixel:130,100", &with];
    let (code, stdout, _) = run(&DRAW, &arguments);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.ends_with("all with the same values\n"), "{stdout}");
    // A pixel has other lines than a vertex.
    let with = format!("--compare={}", data("traced.dxil").display());
    let arguments = ["--dispatch", "2", "--trace=1,0,0:7", &with];
    let (code, stdout, stderr) = run(&["steps.dxil"], &arguments);
    // TRACE adds a parameter to the function, whose calls begin with the parameters.
    assert_eq!(code, 1, "{stdout}{stderr}");
    assert!(
        stdout.lines().any(|line| line.starts_with("- ")),
        "{stdout}"
    );
    let added = stdout.lines().find(|line| line.starts_with("+ "));
    assert!(added.unwrap().contains("thread = 39"), "{stdout}");
}
