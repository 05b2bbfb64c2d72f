//! Tests of `--bind` and `--out`: names, fields, NumPy arrays and JSON, and refusals of contents
//! that do not fit. Everything runs on the CPU backend.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `dtype` of `Particle` in `named.hlsl`: the padding is where HLSL has it.
const PARTICLE: &str = "[('pos', '<f4', (3,)), ('', '|V4'), ('mass', '<f8'), ('id', '<u4'), \
     ('frame', '<f4', (3, 2)), ('lights', [('dir', '<f4', (3,)), ('power', '<f4'), ], (2,)), \
     ('', '|V4'), ]";

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data");
    folder.join(name).to_str().unwrap().to_owned()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bindings");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn run_on(shader: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(data(shader))
        .args(["--backend", "cpu", "--dispatch", "1"])
        .args(arguments)
        .output()
        .unwrap()
}

fn run(arguments: &[&str]) -> Output {
    run_on("named.dxil", arguments)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let output = run(arguments);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
}

/// Runs a Python program with NumPy; `None` if there is none on this machine.
fn numpy(program: &str, arguments: &[&str]) -> Option<String> {
    let has = Command::new("python3")
        .args(["-c", "import numpy"])
        .output();
    if !has.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let output = Command::new("python3")
        .args(["-c", program])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(text(&output.stdout).to_owned())
}

/// Returns a `.npy` file of version 1.
fn array(name: &str, descr: &str, order: &str, shape: &str, data: &[u8]) -> String {
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend_from_slice(&u16::try_from(header.len()).unwrap().to_le_bytes());
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(data);
    let path = scratch(name);
    std::fs::write(&path, file).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn arrays_of_structures_are_what_numpy_loads() {
    let path = scratch("particles.npy");
    let out = format!("dst={}", path.display());
    good(&run(&[
        "--bind",
        r#"src=[{"pos": [1, 2, 3], "mass": 2.5, "id": 7, "lights": [{"power": 1}, {"power": 9}]}]"#,
        "--bind",
        "Sim=zeros",
        "--out",
        &out,
    ]));
    let file = std::fs::read(&path).unwrap();
    let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
    let header = text(&file[10..10 + length]);
    assert_eq!((10 + length) % 64, 0);
    assert!(header.ends_with('\n'));
    let expected = format!("{{'descr': {PARTICLE}, 'fortran_order': False, 'shape': (16,), }}");
    assert_eq!(header.trim_end(), expected);
    assert_eq!(file.len(), 10 + length + 16 * 88);
    let program = "import sys, numpy\n\
        a = numpy.load(sys.argv[1])\n\
        print(a.dtype.itemsize, a.dtype.names, a.shape, a[0]['pos'].tolist(), a[0]['mass'],\n\
              a[0]['id'], a[0]['lights']['power'].tolist())";
    if let Some(said) = numpy(program, &[path.to_str().unwrap()]) {
        assert_eq!(
            said.trim(),
            "88 ('pos', 'mass', 'id', 'frame', 'lights') (16,) [1.0, 2.0, 3.0] 2.5 8 [1.0, 9.0]"
        );
    }
}

#[test]
fn what_was_written_can_be_bound_again() {
    let path = scratch("again.npy");
    let out = format!("dst={}", path.display());
    let once = good(&run(&["--bind", "Sim=zeros", "--out", &out]));
    let bind = format!("src={}", path.display());
    let twice = good(&run(&["--bind", "Sim=zeros", "--bind", &bind]));
    // Each run adds one to the ids.
    assert!(once.contains("dst") && twice.contains("dst"));
    assert_ne!(once.lines().last(), None);
    // An array that NumPy itself saves has its padding elsewhere in the header.
    let program = "import sys, numpy\na = numpy.load(sys.argv[1])\na['id'] = 41\n\
                   numpy.save(sys.argv[1], a)";
    if numpy(program, &[path.to_str().unwrap()]).is_some() {
        let shown = good(&run(&["--bind", "Sim=zeros", "--bind", &bind]));
        assert!(shown.contains(" 42 "), "{shown}");
    }
}

#[test]
fn arrays_that_do_not_fit_are_refused() {
    let words = [0; 96];
    let bind = |file: String| format!("src={file}");
    for (name, descr, order, shape, message) in [
        (
            "f64.npy",
            "'<f8'",
            "False",
            "(12,)",
            "pos.x at byte 0 is <f4",
        ),
        ("big.npy", "'>f4'", "False", "(24,)", "big-endian"),
        ("order.npy", "'<f4'", "True", "(8, 3)", "Fortran order"),
        ("short.npy", "'<f4'", "False", "(25,)", "96 bytes follow"),
        ("object.npy", "'|O'", "False", "(12,)", "not one of numbers"),
    ] {
        let file = array(name, descr, order, shape, &words);
        refused(&["--bind", &bind(file)], message);
    }
    let whole = array("tail.npy", PARTICLE, "False", "(1,)", &[0; 88]);
    good(&run(&["--bind", &bind(whole)]));
}

#[test]
fn integers_and_floats_are_not_mixed_up_in_plain_buffers() {
    let file = array("f32.npy", "'<f4'", "False", "(16, 2)", &[0; 128]);
    let output = run_on("fields.dxil", &["--bind", &format!("u1={file}")]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("dtype '<f4' has f4"),
        "{}",
        text(&output.stderr)
    );
    let file = array("i32.npy", "'<i4'", "False", "(16, 2)", &[0; 128]);
    good(&run_on("fields.dxil", &["--bind", &format!("u1={file}")]));
    let file = array("odd.npy", "'<i4'", "False", "(8, 4)", &[0; 128]);
    let output = run_on("fields.dxil", &["--bind", &format!("u1={file}")]);
    assert!(text(&output.stderr).contains("does not end in the 2 numbers"));
}

#[test]
fn a_constant_buffer_that_is_packed_otherwise_is_refused_with_its_offsets() {
    refused(
        &["--bind", "b0=f32:0.1,1,2,3,4,5"],
        "b0 Sim has 28 bytes, 24 given; gravity is at 16",
    );
    refused(&["--bind", "b0=f32:0.1"], "wind is at 4");
    refused(
        &["--bind", "b0=zeros:1024"],
        "b0 Sim has 28 bytes, 1024 given",
    );
    good(&run(&["--bind", "b0=f32:0.1,1,2,0,3,4,5"]));
    good(&run(&["--bind", "b0=zeros:256"]));
    refused(
        &["--bind", "t0=zeros:100"],
        "t0 src: 100 bytes given, which are no whole elements of 88 bytes",
    );
}

#[test]
fn resources_and_fields_are_bound_by_name() {
    // The first row shows pos, mass and id.
    let first = |arguments: &[&str]| {
        let mut all = vec!["--quiet", "--bind", r#"src=[{"pos": [1, 2, 3]}]"#];
        all.extend(arguments);
        let shown = good(&run(&all));
        let row = shown
            .lines()
            .find(|line| line.trim_start().starts_with("0  "));
        let row: Vec<String> = row.unwrap().split_whitespace().map(str::to_owned).collect();
        row[1..4].to_vec()
    };
    let all = [
        "--bind",
        "Sim.dt=2",
        "--bind",
        "Sim.wind=10,20",
        "--bind",
        "Sim.gravity=0,0,4",
    ];
    assert_eq!(first(&all), ["11", "22", "11"]);
    assert_eq!(
        first(&["--bind", r#"Sim={"dt": 2, "gravity": [0, 0, 4]}"#]),
        ["1", "2", "11"]
    );
    // The other fields keep what they have.
    assert_eq!(
        first(&["--bind", "b0=zeros", "--bind", "b0.wind.y=5"]),
        ["1", "7", "3"]
    );
    assert_eq!(
        first(&["--bind", "Sim=zeros", "--bind", "wind=1,1"]),
        ["2", "3", "3"]
    );
    refused(
        &["--bind", "Sim.wnd=1,2"],
        "there is no field wnd; there are dt, wind, gravity",
    );
    refused(
        &["--bind", "Sim.wind=1"],
        "wind at byte 4 takes 2 number(s), 1 given",
    );
    refused(&["--bind", "Sim.dt=fast"], "`fast` is no float");
    refused(
        &["--bind", "Sin.dt=1"],
        "nothing is called Sin; there are src (t0), dst (u0), Sim (b0)",
    );
    refused(
        &["--bind", "src.pos=1,2,3"],
        "only constant buffers are bound field by field",
    );
    refused(
        &["--bind", r#"src=[{"mss": 1}]"#],
        "element 0: there is no field mss",
    );
    refused(&["--size", "dest=4"], "--size dest: nothing is called dest");
}

#[test]
fn what_is_said_twice_is_refused() {
    for (option, first, second) in [
        ("--bind", "t0=zeros", "src=iota"),
        ("--bind", "Sim.dt=1", "b0.dt=2"),
        ("--size", "u0=16", "dst=32"),
    ] {
        refused(&[option, first, option, second], "is given twice");
    }
}

#[test]
fn work_of_no_size_and_debug_information_that_is_not_there_are_told() {
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(data("named.dxil"))
        .args(["--backend", "cpu", "--dispatch", "0"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("warning: --dispatch 0,1,1 runs nothing"),
        "{stderr}"
    );
    let output = run(&["--debug-info"]);
    assert!(output.status.success());
    let stderr = text(&output.stderr);
    assert!(stderr.contains("-Zi -Qembed_debug"), "{stderr}");
}

#[test]
fn a_mistyped_sampler_says_what_there_is() {
    let output = run_on("tex.dxil", &["--bind", "s0=liner"]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("s0 is a sampler: point, linear or anisotropic"),
        "{stderr}"
    );
}

#[test]
fn an_unknown_entry_point_lists_those_that_there_are() {
    refused(
        &["--entry", "mian"],
        "there is no entry point mian; there are: main",
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders/linking");
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(folder.join("caller.dxil"))
        .arg(folder.join("callee.dxil"))
        .args(["--dispatch", "1", "--backend", "cpu", "--entry", "nobody"])
        .output()
        .unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("there is no entry point nobody; there are: main"),
        "{stderr}"
    );
}
