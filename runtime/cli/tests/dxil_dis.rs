//! `dxil-dis` as a user types it: text, JSON, exit status, pipes.
//!
//! Snapshots lie in `tests/dxil-dis`; `BLESS=1` rewrites them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dxil_frontend::FourCc;
use dxil_frontend::container::{Signing, write_container};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the command, run from the workspace's root so that file names in the output are stable.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-dis"));
    command
        .args(args)
        .current_dir(root())
        .env_remove("NO_COLOR");
    command
}

fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

const COMPUTE: &str = "frontend/tests/data/container/rootsig_1_1_cs.dxil";
const VERTEX: &str = "frontend/tests/data/container/skin_vs.dxil";
const NODES: &str = "frontend/tests/data/ops/thread_nodes.dxil";
const RAYS: &str = "frontend/tests/data/ops/basic_pipeline.dxil";
const PREVIEW: &str = "frontend/tests/data/container/sm610_cs.dxil";

fn check_snapshot(name: &str, args: &[&str]) {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let path = root().join("runtime/cli/tests/dxil-dis").join(name);
    let got = stdout(&output);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, got).unwrap();
        return;
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    let lines = got.lines().zip(want.lines()).enumerate();
    for (number, (got, want)) in lines {
        assert_eq!(got, want, "{name}:{}; BLESS=1 rewrites it", number + 1);
    }
    assert_eq!(got.len(), want.len(), "{name}; BLESS=1 rewrites it");
}

#[test]
fn a_compute_shader_is_printed_whole() {
    check_snapshot("rootsig_1_1_cs.txt", &[COMPUTE]);
}

#[test]
fn a_ray_tracing_library_is_printed_whole() {
    check_snapshot("basic_pipeline.txt", &[RAYS]);
}

#[test]
fn runtime_data_of_a_work_graph_is_printed() {
    check_snapshot("thread_nodes_rdat.txt", &["--part", "rdat", NODES]);
}

#[test]
fn one_function_is_chosen_by_its_name_in_the_source() {
    check_snapshot("basic_pipeline_miss.txt", &["--function", "miss", RAYS]);
}

#[test]
fn instructions_of_vendors_are_named() {
    const AGS: &str = "hwtests/shaders/vendor/ags_lanes.dxil";
    for form in [&[AGS][..], &["--llvm", AGS]] {
        let text = stdout(&run(form));
        assert!(
            text.contains("AGS Readlane, phase 0, immediate 0x2"),
            "{text}"
        );
        assert!(
            text.contains("AGS Ballot, phase 1, immediate 0x0"),
            "{text}"
        );
    }
}

#[test]
fn llvm_text_names_operands_and_resources() {
    let text = stdout(&run(&["--llvm", "--function", "main", COMPUTE]));
    let line = text.lines().find(|line| line.contains("@dx.op.threadId"));
    let line = line.unwrap();
    assert!(line.contains("(i32 93, i32 0)"), "{line}");
    assert!(line.ends_with("; ThreadId(component)"), "{line}");
    let line = text
        .lines()
        .find(|line| line.contains("@dx.op.sampleCmpLevelZero"));
    assert!(
        line.unwrap().ends_with("\"t0[]\" \"s0, space3\""),
        "{line:?}"
    );
    assert!(!text.contains("!dx.version"));

    let module = stdout(&run(&["--llvm", "--part", "DXIL", COMPUTE]));
    assert!(module.contains("target triple = \"dxil-ms-dx\""));
    assert!(module.contains("!dx.version = "));
}

#[test]
fn json_names_operands_and_resources() {
    let document = json(&["--json", COMPUTE]);
    assert_eq!(document["container"]["digest"]["status"], "Valid");
    assert_eq!(document["root_signature"]["version"], "1.1");
    assert_eq!(document["pipeline_state"]["stage"], "Compute");
    assert_eq!(document["shader"]["shader_model"], "cs_6_8");
    assert_eq!(document["errors"], serde_json::json!([]));
    let function = &document["code"]["functions"][0];
    assert_eq!(function["name"], "main");
    let instructions: Vec<&Value> = function["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|block| block["instructions"].as_array().unwrap())
        .collect();
    let thread_id = instructions
        .iter()
        .find(|inst| inst["operation"] == "ThreadId")
        .unwrap();
    assert_eq!(thread_id["opcode"], 93);
    assert_eq!(thread_id["operands"]["component"], 0);
    let load = instructions
        .iter()
        .find(|inst| inst["operation"] == "CBufferLoadLegacy")
        .unwrap();
    let buffer = &load["operands"]["buffer"];
    assert!(buffer["value"].as_str().unwrap().starts_with('%'));
    assert!(!buffer["resource"].as_str().unwrap().is_empty());
    assert!(instructions.iter().any(|inst| inst["instruction"] == "ret"));
}

#[test]
fn json_of_several_files_is_an_array() {
    let documents = json(&["--json", "--list", COMPUTE, VERTEX]);
    let files: Vec<&Value> = documents
        .as_array()
        .unwrap()
        .iter()
        .map(|document| &document["file"])
        .collect();
    assert_eq!(files, [COMPUTE, VERTEX]);
    assert!(documents[1].get("code").is_none());
}

#[test]
fn standard_input_is_read_and_bare_bitcode_is_enough() {
    let bytes = std::fs::read(root().join(COMPUTE)).unwrap();
    let output = with_input(&["--part", "PSV0", "-"], &bytes);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("Pipeline state (PSV0)"));

    let part = run(&["--extract", "DXIL", COMPUTE]);
    assert_eq!(part.status.code(), Some(0));
    let bitcode = part.stdout.get(24..).unwrap();
    assert!(bitcode.starts_with(b"BC\xc0\xde"));
    let output = with_input(&["-"], bitcode);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("ThreadId.i32(component = 0)"));
}

#[test]
fn malformed_input_says_where_and_exits_with_3() {
    let output = with_input(&["-"], b"DXBC\0\0\0\0");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("byte 0x4"), "{}", stderr(&output));

    // A broken part does not hide the others.
    let mut bytes = std::fs::read(root().join(COMPUTE)).unwrap();
    let found = bytes.windows(4).position(|w| w == b"PSV0").unwrap();
    bytes[found + 8..found + 12].copy_from_slice(&[0xff; 4]);
    let output = with_input(&["-"], &bytes);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("part PSV0"), "{}", stderr(&output));
    assert!(stdout(&output).contains("Root signature (RTS0)"));
    assert!(stdout(&output).contains("ThreadId.i32"));
}

#[test]
fn unsupported_input_exits_with_4() {
    let bytes = write_container(&[(FourCc::SHEX, &[0; 16])], Signing::Digest).unwrap();
    let output = with_input(&["-"], &bytes);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("shader model 0.0 in DXBC"));
    assert!(stdout(&output).contains("SHEX"));
}

#[test]
fn an_unknown_operation_is_shown_raw_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let [text, container] = ["unknown.ll", "unknown.dxil"].map(|name| folder.path().join(name));
    let listing = stdout(&run(&["--llvm", COMPUTE]));
    let known = "@dx.op.threadId.i32(i32 93,";
    assert!(listing.contains(known), "{listing}");
    let unknown = listing.replace(known, "@dx.op.threadId.i32(i32 9999,");
    std::fs::write(&text, unknown).unwrap();
    let assembled = Command::new(env!("CARGO_BIN_EXE_dxil-as"))
        .arg(&text)
        .arg("-o")
        .arg(&container)
        .status();
    assert!(assembled.unwrap().success());
    let output = run(&["--function", "main", container.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let line = text.lines().find(|line| line.contains("i32 9999")).unwrap();
    assert!(line.contains("opcode 9999 is unknown"), "{line}");
}

#[test]
fn operations_of_the_preview_are_shown_by_name() {
    let text = stdout(&run(&["--function", "main", PREVIEW]));
    assert!(text.contains(" = GetGroupWaveIndex()\n"), "{text}");
}

#[test]
fn command_line_and_file_errors_have_their_own_status() {
    assert_eq!(run(&["--nonsense", COMPUTE]).status.code(), Some(2));
    assert_eq!(run(&[]).status.code(), Some(2));
    let output = run(&["no-such-file.dxil"]);
    assert_eq!(output.status.code(), Some(9));
    assert!(stderr(&output).contains("no-such-file.dxil: No such file"));
    let output = run(&["--function", "nobody", COMPUTE]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("there are: main"));
    let output = run(&["--part", "PRIV", COMPUTE]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no PRIV part"));
}

#[test]
fn colours_appear_only_when_asked_for_or_on_a_terminal() {
    assert!(!stdout(&run(&[COMPUTE])).contains('\x1b'));
    assert!(stdout(&run(&["--color", "always", COMPUTE])).contains('\x1b'));
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let files = [COMPUTE; 40];
    let mut child = command(&files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut first).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn control_flow_is_printed_as_text_and_graph() {
    let output = run(&["--cfg", "-f", "main", COMPUTE]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let expected = "\
@main: blocks 3, edges 3, back edges 0
  b0 (10) -> b1 [%75], b2 [!%75]
  b1 (45) -> b2
  b2 (1) return
structured: blocks 3, selectors 0, dispatchers 0
  0: b0
  if %75: go 1 else end 2, then 2
    1: b1
    end 2
  2: b2
  return
";
    assert_eq!(stdout(&output), expected);

    let output = run(&["--cfg=dot", "--function", "main", COMPUTE]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let graph = stdout(&output);
    assert!(graph.starts_with("digraph control_flow {\n"), "{graph}");
    assert!(
        graph.contains("    f0_b0 -> f0_b2 [label=\"!%75\"];\n"),
        "{graph}"
    );
    assert!(graph.contains("ThreadId.i32(component = 0)\\l"), "{graph}");
    assert!(
        graph.contains("    s0_0 -> s0_2 [style=dashed, color=gray];\n"),
        "{graph}"
    );
    assert!(graph.ends_with("}\n"));
}

/// Graphviz makes a picture of each graph, and an SVG file has one document element (XML 1.0,
/// "Well-Formed XML Documents").
#[test]
fn all_functions_and_files_are_one_graph() {
    let files = [COMPUTE, "hwtests/shaders/flow/swapped_phis.dxil"];
    let output = run(&["--cfg=dot", files[0], files[1]]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let graph = stdout(&output);
    assert_eq!(graph.matches("digraph").count(), 1, "{graph}");
    // Braces outside of labels nest, and the last one closes the graph.
    let mut depth = 0;
    let mut labels = graph.split('"').step_by(2).flat_map(str::chars);
    let after = labels.position(|letter| {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => return false,
        };
        depth == 0
    });
    assert!(after.is_some(), "{graph}");
    assert_eq!(labels.collect::<String>(), "\n", "{graph}");
    // Each node is in one box: as DXIL, or structured.
    let nodes = graph
        .lines()
        .filter(|line| line.contains(" [label=\"") && !line.contains("->"));
    let names: Vec<&str> = nodes
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "{graph}");
    assert!(
        names.contains(&"f1_b0") && names.contains(&"s1_0"),
        "{graph}"
    );
}

#[test]
fn edges_that_close_loops_are_marked() {
    let output = run(&["--cfg", "hwtests/shaders/flow/swapped_phis.dxil"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("back edges 1\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn layouts_have_names_types_offsets_and_sizes() {
    let output = run(&["--layout", "runtime/tests/data/named.dxil"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for line in [
        "b0 Sim: 28 bytes",
        "     4      8  float2 wind",
        "    16     12  float3 gravity",
        "t0 src: 88 bytes an element",
        "    16      8  double mass",
        "    28     24  float2x3 frame",
        "    52     32  Light lights[2]",
        "    64      4    float power",
    ] {
        assert!(
            text.lines().any(|found| found.starts_with(line)),
            "{line}: {text}"
        );
    }
    let output = run(&["--json", "runtime/tests/data/named.dxil"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let lights = &json["layouts"][0]["fields"][4];
    assert_eq!(
        (&lights["name"], &lights["stride"], &lights["array"]),
        (&"lights".into(), &16.into(), &serde_json::json!([2]))
    );
    // The shader itself has no names; STAT has.
    assert_eq!(json["resources"][0]["name"], "src");
}

#[test]
fn the_table_of_operations_is_printed_as_text_and_as_json() {
    // "DXIL Operation Specification Example" of LLVM's note on TableGen: Sin.
    let one = run(&["--ops=Sin"]);
    assert!(one.status.success());
    let text = String::from_utf8(one.stdout).unwrap();
    for line in [
        "Sin (opcode 13)",
        "  HLSL      sin",
        "  function  dx.op.unary",
        "  memory    ReadNone",
        "  since 6.0 f16, f32; stages: all",
        "  since 6.9 f16, f32, vector; stages: all",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }

    let all = run(&["--ops", "--json"]);
    let rows: Value = serde_json::from_slice(&all.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    // 312 opcodes, of which 32 are reserved (DXC's table of shader models 6.0 to 6.9), and 34 of
    // the preview shader model 6.10 (its table 0x8000).
    assert_eq!(rows.len(), 312 - 32 + 34);
    let sin = rows.iter().find(|row| row["number"] == 13).unwrap();
    assert_eq!(sin["class"], "unary");
    assert_eq!(
        sin["constraints"][0]["overloads"],
        serde_json::json!(["f16", "f32"])
    );
    let lines = String::from_utf8(run(&["--ops"]).stdout).unwrap();
    assert_eq!(lines.lines().count(), rows.len());

    // A name of HLSL gives all that it stands for, a number one.
    let methods = String::from_utf8(run(&["--ops=samplecmplevel"]).stdout).unwrap();
    assert!(
        methods.starts_with("SampleCmpLevel (opcode 224)\n"),
        "{methods}"
    );
    let max = String::from_utf8(run(&["--ops=max"]).stdout).unwrap();
    assert_eq!(
        max.matches("(opcode").count(),
        3,
        "floats, signed, unsigned: {max}"
    );

    let none = run(&["--ops=nothing"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("'nothing'"));
    assert_eq!(run(&["--ops", "x.dxil"]).status.code(), Some(2));
}

#[test]
fn folders_and_patterns_stand_for_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    std::fs::create_dir_all(&below).unwrap();
    let (first, second) = (folder.path().join("x.dxil"), below.join("y.cso"));
    std::fs::copy(root().join(COMPUTE), &first).unwrap();
    std::fs::copy(root().join(VERTEX), &second).unwrap();
    std::fs::write(below.join("notes.txt"), "no shader").unwrap();
    let whole = folder.path().to_str().unwrap();
    let files = |argument: &str| -> Vec<String> {
        let listed = json(&["--json", "-l", argument]);
        let documents = listed.as_array().unwrap().iter();
        documents
            .map(|one| one["file"].as_str().unwrap().to_owned())
            .collect()
    };
    let names = [&second, &first].map(|path| path.to_str().unwrap().to_owned());
    assert_eq!(files(whole), names);
    // A folder gives a list, however many files it holds.
    assert_eq!(files(below.to_str().unwrap()), names[..1]);
    assert_eq!(files(&format!("{whole}/**/*.cso")), names[..1]);
    assert!(json(&["--json", "-l", &names[1]]).is_object());
    // Those without a file are reported, and the others are printed.
    let empty = tempfile::tempdir().unwrap();
    let output = run(&["-l", empty.path().to_str().unwrap(), &names[1]]);
    assert_eq!(output.status.code(), Some(9));
    assert!(
        stderr(&output).contains("no file below ends in"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("x.dxil"));
    let nothing = run(&["-l", empty.path().to_str().unwrap()]);
    assert_eq!(nothing.status.code(), Some(9));
    assert!(nothing.stdout.is_empty());
}
