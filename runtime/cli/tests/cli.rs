//! `dxil-run` as a user types it. Tests that dispatch need a Vulkan driver; without one they fail
//! with the program's own message, which says what to install.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod outcome;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outcome::{fails, good, text};

const BACKENDS: [&[&str]; 3] = [
    &["--backend", "vulkan"],
    &["--backend", "wgpu"],
    &["--backend", "wgpu", "--portable"],
];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data")
        .join(name)
}

/// Returns a fresh folder for one test's files.
fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(arguments)
        .args(["--timeout", "30"])
        .output()
        .unwrap()
}

fn run_on(shader: &str, arguments: &[&str]) -> Output {
    let shader = data(shader);
    let mut all = vec![shader.to_str().unwrap()];
    all.extend_from_slice(arguments);
    run(&all)
}

#[test]
fn a_dispatch_alone_prints_every_uav_by_its_type() {
    for backend in BACKENDS {
        let mut arguments = vec!["--dispatch", "1,1,1"];
        arguments.extend_from_slice(backend);
        let output = run_on("fields.dxil", &arguments);
        let stdout = good(&output);
        let lines: Vec<&str> = stdout.lines().collect();
        let u0 = lines
            .iter()
            .position(|l| l.starts_with("u0  RWStructuredBuffer"))
            .unwrap();
        assert!(
            lines[u0].contains("16 of 24 bytes, hash d4d8560bd548f776"),
            "{stdout}"
        );
        let first: Vec<&str> = lines[u0 + 2].split_whitespace().collect();
        assert_eq!(first, ["0", "0", "0", "0", "3", "0", "0"], "{stdout}");
        let u1 = lines
            .iter()
            .position(|l| l.starts_with("u1  RWStructuredBuffer"))
            .unwrap();
        let second: Vec<&str> = lines[u1 + 2].split_whitespace().collect();
        assert_eq!(second, ["1", "-1", "0"], "{stdout}");
    }
}

#[test]
fn a_picture_goes_in_and_comes_out_with_its_channels_swapped() {
    let folder = scratch("picture");
    let source = folder.join("in.png");
    let picture = image::RgbaImage::from_fn(16, 16, |x, y| {
        image::Rgba([x as u8 * 16, y as u8 * 16, 7, 255])
    });
    picture.save(&source).unwrap();
    for (i, backend) in BACKENDS.iter().enumerate() {
        let target = folder.join(format!("out{i}.png"));
        let bind = format!("t0={}", source.display());
        let out = format!("u0={}", target.display());
        let mut arguments = vec!["--dispatch", "1,1,1", "--bind", &bind, "--out", &out];
        arguments.extend_from_slice(&["--bind", "s0=point+wrap", "--size", "u0=8x8"]);
        arguments.extend_from_slice(&["--format", "u0=R8G8B8A8_UNORM"]);
        arguments.extend_from_slice(backend);
        good(&run_on("tex.dxil", &arguments));
        let result = image::open(&target).unwrap().into_rgba8();
        assert_eq!(result.dimensions(), (8, 8));
        // The shader samples at (id + 0.5) / 8, which is texel 2 * id + 1 of 16.
        for (x, y, pixel) in result.enumerate_pixels() {
            let [r, g, b, a] = picture.get_pixel(2 * x + 1, 2 * y + 1).0;
            assert_eq!(pixel.0, [b, g, r, a], "{x},{y} {backend:?}");
        }
    }
}

#[test]
fn results_are_written_as_bytes_arrays_and_tables() {
    let folder = scratch("files");
    let file = |name: &str| folder.join(name);
    let out = |register: &str, name: &str| format!("{register}={}", file(name).display());
    let (bin, npy, csv) = (out("u1", "o.bin"), out("u1", "o.npy"), out("u0", "o.csv"));
    good(&run_on(
        "fields.dxil",
        &[
            "--dispatch",
            "1",
            "--out",
            &bin,
            "--out",
            &npy,
            "--out",
            &csv,
        ],
    ));
    let bytes = std::fs::read(file("o.bin")).unwrap();
    assert_eq!(bytes.len(), 16 * 8);
    assert_eq!(bytes[8..12], (-1i32).to_le_bytes());
    let array = std::fs::read(file("o.npy")).unwrap();
    let header = text(&array[10..128]);
    assert!(
        header.contains("'descr': '<i4'") && header.contains("'shape': (16,2,)"),
        "{header}"
    );
    assert_eq!(array[128..], bytes);
    let table = std::fs::read_to_string(file("o.csv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("index,pos.x,pos.y,pos.z,id,flags[0],flags[1]")
    );
    assert_eq!(lines.next(), Some("0,0,0,0,3,0,0"));
    assert_eq!(lines.count(), 15);
}

#[test]
fn translating_needs_no_device() {
    for language in ["spv", "spvasm", "wgsl", "msl", "glsl", "hlsl"] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(data("fields.dxil"))
            .args(["--emit", language])
            .env("VK_DRIVER_FILES", "/nonexistent")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let sign: &[u8] = match language {
            "spv" => &[0x03, 0x02, 0x23, 0x07],
            "spvasm" => b"OpCapability Shader",
            "wgsl" => b"@compute @workgroup_size(1, 1, 1)",
            "msl" => b"#include <metal_stdlib>",
            "glsl" => b"#version 460",
            _ => b"[numthreads(1, 1, 1)]",
        };
        let found = output
            .stdout
            .windows(sign.len())
            .any(|window| window == sign);
        assert!(found, "{language}");
    }
}

#[test]
fn precise_is_not_lost_silently() {
    let shader =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders/arith/precise.dxil");
    let emit = |language| run(&[shader.to_str().unwrap(), "--emit", language]);
    let native = emit("spv");
    assert!(native.status.success());
    assert_eq!(text(&native.stderr), "");
    let portable = emit("wgsl");
    assert!(portable.status.success());
    let stderr = text(&portable.stderr);
    assert!(stderr.contains("warning: `precise` is lost"), "{stderr}");
}

#[test]
fn the_target_decides_the_version_of_the_spirv() {
    for (target, version) in [
        ("vulkan1.1", 3),
        ("vulkan1.2", 5),
        ("vulkan1.3", 6),
        ("vulkan1.4", 6),
    ] {
        let output = run_on("fields.dxil", &["--emit", "spv", "--target", target]);
        assert!(output.status.success());
        assert_eq!(output.stdout[4..8], [0, version, 1, 0], "{target}");
    }
}

#[test]
fn a_browser_s_device_has_neither_every_feature_nor_every_limit() {
    let emit = |shader: &str| {
        let shader = format!(
            "{}/../../hwtests/shaders/{shader}.dxil",
            env!("CARGO_MANIFEST_DIR")
        );
        // Of a heap the text has as many elements as the program says.
        let device = ["--emit", "wgsl", "--target", "webgpu", "--elements", "16"];
        run(&[&[&shader[..]], &device[..]].concat())
    };
    assert!(emit("arith/int_basic").status.success());
    for (shader, expected) in [
        (
            "textures/read_modify_write",
            "a texture of rgba32float that is read and written needs the WebGPU feature \
             `texture-formats-tier2`",
        ),
        (
            "bindings/heap_buffers",
            "maxStorageBuffersPerShaderStage: 48 is more than the device's limit of 8",
        ),
        (
            "litmus/group_message_passing",
            "a barrier under a condition that depends on the thread",
        ),
    ] {
        let output = emit(shader);
        assert!(!output.status.success());
        let stderr = text(&output.stderr);
        assert!(stderr.contains(expected), "{shader}: {stderr}");
    }
}

#[test]
fn a_language_is_not_blamed_for_what_naga_lacks() {
    let shader = format!(
        "{}/../../hwtests/shaders/tess/winding_hs.dxil",
        env!("CARGO_MANIFEST_DIR")
    );
    let said = |language: &str| {
        let output = run(&[&shader, "--emit", language]);
        assert!(!output.status.success());
        text(&output.stderr).to_owned()
    };
    let hlsl = said("hlsl");
    let expected = "HLSL has what a hull shader needs, and naga lacks hull and domain stages";
    assert!(hlsl.contains(expected), "{hlsl}");
    let wgsl = said("wgsl");
    assert!(
        wgsl.contains("the target lacks tessellationShader"),
        "{wgsl}"
    );
}

#[test]
fn without_a_device_the_message_names_the_package() {
    for backend in ["vulkan", "wgpu"] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(data("fields.dxil"))
            .args(["--dispatch", "1,1,1", "--backend", backend])
            .env("VK_DRIVER_FILES", "/nonexistent")
            .output()
            .unwrap();
        fails(&output, 5, "apt install mesa-vulkan-drivers");
    }
    fails(
        &run_on("fields.dxil", &["--dispatch", "1", "--device", "99"]),
        5,
        "there is no device 99",
    );
}

#[test]
fn a_malformed_file_is_told_with_part_and_offset() {
    let folder = scratch("malformed");
    let mut bytes = std::fs::read(data("fields.dxil")).unwrap();
    bytes.truncate(bytes.len() - 400);
    let cut = folder.join("cut.dxil");
    std::fs::write(&cut, &bytes).unwrap();
    let output = run(&[cut.to_str().unwrap(), "--dispatch", "1"]);
    fails(&output, 3, "cut.dxil: ");
    fails(&output, 3, "byte 0x");
    let empty = folder.join("empty.dxil");
    std::fs::write(&empty, b"").unwrap();
    fails(&run(&[empty.to_str().unwrap(), "--dispatch", "1"]), 3, "");
}

#[test]
fn a_file_alone_takes_what_is_called_so_or_the_only_result() {
    let folder = scratch("bare_names");
    let out = |name: &str| folder.join(name).display().to_string();
    for name in ["u1.bin", "u0.csv"] {
        good(&run_on(
            "fields.dxil",
            &["--dispatch", "1", "--out", &out(name)],
        ));
        assert!(folder.join(name).exists());
    }
    // Two buffers are written, and none is called like this file.
    fails(
        &run_on(
            "fields.dxil",
            &["--dispatch", "1", "--out", &out("all.bin")],
        ),
        2,
        "say what goes there, like --out u0=",
    );
    fails(
        &run_on(
            "fields.dxil",
            &["--dispatch", "1", "--out", "Nothing=a.bin"],
        ),
        2,
        "nothing is called Nothing; there are u0",
    );
    let (vertex, pixel) = (data("mesh_vs.dxil"), data("triangle_ps.dxil"));
    let picture = out("triangle.png");
    good(&run(&[
        vertex.to_str().unwrap(),
        pixel.to_str().unwrap(),
        "--draw",
        "3",
        "--bind",
        "b0=zeros",
        "--size",
        "rt0=8x8",
        "--out",
        &picture,
    ]));
    assert_eq!(image::open(&picture).unwrap().width(), 8);
}

#[test]
fn mistakes_on_the_command_line_say_what_to_write() {
    let usage = |arguments: &[&str], message| fails(&run_on("fields.dxil", arguments), 2, message);
    usage(&[], "--dispatch X,Y,Z");
    usage(&["--dispatch", "1,2,x"], "one to three numbers");
    usage(
        &["--dispatch", "1", "--bind", "t7=zeros"],
        "the shader declares no t7; it has u0 u1",
    );
    usage(
        &["--dispatch", "1", "--bind", "u0=zeroes"],
        "give a file, zeros:N, f32:1,2,3",
    );
    usage(
        &["--dispatch", "1", "--bind", "x0=zeros"],
        "is not a register",
    );
    usage(
        &["--dispatch", "1", "--out", "u0=a.jpeg"],
        "use .bin, .npy, .png, .exr, .dds, .ktx2 or .csv",
    );
    let spirv = ["--emit", "spv", "--target", "webgpu"];
    usage(&spirv, "--target webgpu is about --emit wgsl");
    usage(&["--emit", "cuda"], "possible values");
    fails(
        &run(&["no/such.dxil", "--dispatch", "1"]),
        9,
        "no/such.dxil",
    );
}

#[test]
fn timing_shows_least_median_and_most() {
    for backend in BACKENDS {
        let mut arguments = vec!["--dispatch", "1", "--time", "5", "--stats"];
        arguments.extend_from_slice(backend);
        let output = run_on("tex.dxil", &arguments);
        let stdout = good(&output);
        for word in [
            "device time of 5 runs: min ",
            "median ",
            "max ",
            "GB/s",
            "structure: ",
        ] {
            assert!(stdout.contains(word), "{stdout}");
        }
    }
}

#[test]
fn bound_bytes_must_fit_a_texture() {
    let output = run_on("tex.dxil", &["--dispatch", "1", "--bind", "t0=u8:1,2,3"]);
    fails(&output, 2, "--size t0=WxH");
}

#[test]
fn null_registers_read_zero() {
    let output = run_on(
        "tex.dxil",
        &["--dispatch", "1", "--bind", "t0=null", "--rows", "1"],
    );
    let stdout = good(&output);
    assert!(stdout.contains("(0 0 0 0)  (0 0 0 0)"), "{stdout}");
}

#[test]
fn help_and_completions_are_there() {
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg("--help")
        .output()
        .unwrap();
    let help = good(&output);
    for word in [
        "--dispatch",
        "--bind",
        "Exit codes of all dxil-jit commands",
        "Examples:",
        "--pipeline",
    ] {
        assert!(help.contains(word), "{word}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .args(["--completions", shell])
            .output()
            .unwrap();
        assert!(good(&output).contains("--list-devices"), "{shell}");
    }
}

#[test]
fn both_backends_list_their_devices() {
    let output = run(&["--list-devices"]);
    let stdout = good(&output);
    assert!(stdout.contains("--backend vulkan --device 0"), "{stdout}");
    assert!(stdout.contains("--backend wgpu --device 0"), "{stdout}");
}

#[test]
fn output_without_a_terminal_has_no_colours() {
    let output = run_on("fields.dxil", &["--dispatch", "1"]);
    assert!(!good(&output).contains('\x1b'));
    let output = run_on("fields.dxil", &["--dispatch", "x"]);
    assert!(!text(&output.stderr).contains('\x1b'));
}

#[test]
fn two_stages_draw_a_triangle_with_nothing_else_said() {
    let folder = scratch("draw");
    let picture = folder.join("rt0.png");
    let (vertex, pixel) = (data("mesh_vs.dxil"), data("triangle_ps.dxil"));
    let output = run(&[
        vertex.to_str().unwrap(),
        pixel.to_str().unwrap(),
        "--draw",
        "3",
        "--bind",
        "b0=zeros",
        "--out",
        picture.to_str().unwrap(),
    ]);
    let stdout = good(&output);
    assert!(
        stdout.contains("rt0  render target: 256x256 of R8G8B8A8_UNORM"),
        "{stdout}"
    );
    let image = image::open(&picture).unwrap().into_rgba8();
    assert_eq!(image.dimensions(), (256, 256));
    // Above the triangle nothing; red, green and blue near its corners.
    assert_eq!(image.get_pixel(128, 16).0, [0; 4]);
    let strongest = |x: u32, y: u32| {
        let pixel = image.get_pixel(x, y).0;
        assert_eq!(pixel[3], 255, "{x},{y}");
        (0..3).max_by_key(|i| pixel[*i]).unwrap()
    };
    assert_eq!(strongest(48, 214), 0);
    assert_eq!(strongest(128, 48), 1);
    assert_eq!(strongest(208, 214), 2);
}

#[test]
fn thread_groups_of_mesh_shaders_draw_on_both_backends() {
    let folder = scratch("mesh");
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders/mesh");
    let files =
        ["tiles_as", "tiles_ms", "tiles_ps"].map(|name| shaders.join(name).with_extension("dxil"));
    let tables = ["vulkan", "wgpu"].map(|backend| {
        let out = folder.join(backend).with_extension("csv");
        let mut all: Vec<_> = files.iter().map(|file| file.to_str().unwrap()).collect();
        let target = format!("rt0={}", out.display());
        all.extend(["--draw", "1", "--size", "rt0=8x8", "--backend", backend]);
        all.extend(["--format", "rt0=R32G32B32A32_FLOAT", "--out", &target]);
        good(&run(&all));
        std::fs::read_to_string(&out).unwrap()
    });
    // Every other tile is drawn, 2 x 2 pixels each.
    let drawn = tables[0].lines().filter(|line| line.ends_with(",1"));
    assert_eq!(drawn.count(), 32, "{}", tables[0]);
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn draws_have_samples_queries_and_indirect_arguments() {
    let (vertex, pixel) = (data("mesh_vs.dxil"), data("triangle_ps.dxil"));
    let draw = |arguments: &[&str]| {
        let mut all = vec![vertex.to_str().unwrap(), pixel.to_str().unwrap()];
        all.extend(["--draw", "3", "--bind", "b0=zeros", "--size", "rt0=8x8"]);
        all.extend(arguments);
        run(&all)
    };
    let folder = scratch("samples");
    let table = |name: &str, arguments: &[&str]| {
        let file = folder.join(name);
        let out = format!("rt0={}", file.display());
        let mut all = vec!["--out", &out, "--format", "rt0=R32G32B32A32_FLOAT"];
        all.extend(arguments);
        let stdout = good(&draw(&all)).to_owned();
        let table = std::fs::read_to_string(&file).unwrap();
        let alpha = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
        let alpha: Vec<f64> = table.lines().skip(1).map(alpha).collect();
        (stdout, alpha)
    };
    let (plain, one) = table("one.csv", &["--query", "occlusion"]);
    assert!(plain.contains("R32G32B32A32_FLOAT"), "{plain}");
    let covered = one.iter().filter(|alpha| **alpha == 1.0).count();
    assert!(covered > 8 && one.iter().all(|alpha| *alpha == 0.0 || *alpha == 1.0));
    let said = format!("occlusion: {covered} samples");
    assert!(plain.contains(&said), "{plain}");
    // Averages of four samples have steps between nothing and all at the edges.
    let (counted, four) = table(
        "four.csv",
        &[
            "--samples",
            "4",
            "--query",
            "occlusion",
            "--query",
            "statistics",
        ],
    );
    assert!(four.iter().any(|alpha| *alpha > 0.0 && *alpha < 1.0));
    let samples = four.iter().sum::<f64>() * 4.0;
    let said = format!("occlusion: {samples} samples");
    assert!(counted.contains(&said), "{counted}");
    assert!(
        counted.contains("statistics: 3 vertices, 1 primitives"),
        "{counted}"
    );
    // The second of two draws has no instances.
    let arguments = ["--indirect", "u32:3,1,0,0,3,0,0,0", "--query", "statistics"];
    let (indirect, drawn) = table("indirect.csv", &arguments);
    assert!(indirect.contains("up to 2 indirect draws"), "{indirect}");
    assert_eq!(drawn, one);
    fails(&draw(&["--samples", "3"]), 2, "1, 2, 4, 8");
    fails(
        &draw(&["--samples", "64"]),
        4,
        "64 samples a pixel (it has 1, ",
    );
    fails(
        &run_on("fields.dxil", &["--dispatch", "1", "--samples", "4"]),
        2,
        "--samples",
    );
}

#[test]
fn the_groups_of_a_dispatch_may_lie_in_a_buffer() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../hwtests/shaders/buffers/raw_load_store.dxil");
    let out = scratch("indirect_dispatch").join("u0.bin");
    let place = format!("u0={}", out.display());
    let written = |indirect: &str| {
        good(&run(&[
            shader.to_str().unwrap(),
            "--dispatch",
            "1",
            "--indirect",
            indirect,
            "--out",
            &place,
        ]));
        std::fs::read(&out).unwrap().iter().any(|byte| *byte != 0)
    };
    assert!(written("u32:1,1,1"));
    assert!(!written("u32:0,1,1"));
    let output = run_on("fields.dxil", &["--dispatch", "1", "--indirect", "u32:1,1"]);
    fails(&output, 2, "at least three numbers");
}

#[test]
fn what_no_dispatch_runs_is_told_how_it_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests");
    let dispatched = |file: &str, more: &[&str]| {
        let file = folder.join(file);
        let mut args = vec![file.to_str().unwrap(), "--dispatch", "1"];
        args.extend(more);
        run(&args)
    };
    let pixel = dispatched("shaders/draw/color_ps.dxil", &[]);
    fails(&pixel, 2, "runs in a draw");
    let hit = dispatched("pipelines/ray_calls.dxil", &["--entry", "Hit"]);
    fails(&hit, 2, "--rays W,H");
    let node = dispatched("shaders/nodes/thread_nodes.dxil", &["--entry", "leaf"]);
    fails(&node, 2, "--graph");
}

#[test]
fn libraries_are_linked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders/linking");
    let file = |name: &str| {
        folder
            .join(name)
            .with_extension("dxil")
            .display()
            .to_string()
    };
    let (caller, callee) = (file("caller"), file("callee"));
    // The entry point is found whichever file it is in.
    for files in [[&caller, &callee], [&callee, &caller]] {
        let output = run(&[files[0], files[1], "--dispatch", "1", "--rows", "8"]);
        let shown = good(&output);
        assert!(shown.contains("main: 1x1x1 groups of 64x1x1"), "{shown}");
    }
    let spirv = good(&run(&[&caller, &callee, "--emit", "spvasm"])).to_owned();
    assert!(spirv.contains("OpFunctionCall"), "{spirv}");
    let alone = run(&[&caller, "--dispatch", "1"]);
    fails(&alone, 4, "the undefined function ?advance@@");
    let functions = run(&[&callee, "--dispatch", "1"]);
    fails(
        &functions,
        4,
        "a library without entry points; its functions (advance, turned, counted, started)",
    );
    let data =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/tests/data/link/twice.dxil");
    let twice = data.display().to_string();
    let incomplete = run(&[&caller, &twice, "--dispatch", "1"]);
    fails(&incomplete, 3, "no library defines ?advance@@");
    let several = run(&[&caller, &callee, &twice, "--dispatch", "1"]);
    fails(&several, 3, "several libraries define ?counted@@");
}

#[test]
fn an_infinite_loop_ends_with_its_own_exit_code() {
    for backend in ["vulkan", "wgpu"] {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(data("infinite_loop.dxil"))
            .args(["--dispatch", "1", "--timeout", "0.5", "--backend", backend])
            .output()
            .unwrap();
        fails(&output, 6, "did not end within 500ms");
    }
}

#[test]
fn a_root_signature_may_be_text() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("root_text");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("root.txt");
    std::fs::write(
        &file,
        "UAV(u0),\nDescriptorTable(UAV(u1, numDescriptors = unbounded))",
    )
    .unwrap();
    for text in ["UAV(u0), UAV(u1)", file.to_str().unwrap()] {
        let output = run_on(
            "fields.dxil",
            &["--dispatch", "1", "--root-signature", text],
        );
        good(&output);
    }
    let run = |text| {
        run_on(
            "fields.dxil",
            &["--dispatch", "1", "--root-signature", text],
        )
    };
    fails(&run("CBV(b0)"), 1, "no place for u0");
    fails(
        &run("UAV(u0), UAV(q1)"),
        3,
        "line 1, column 14: UAV needs a register like u0",
    );
}
