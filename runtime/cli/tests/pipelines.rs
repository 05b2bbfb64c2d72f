//! `dxil-run --pipeline` over the pipeline files of the hardware tests, on all backends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dxil_jit::pipeline_file::{Pipeline, PipelineError};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/pipelines")
}

fn yaml(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.yaml"))).unwrap()
}

/// Returns the shaders of a pipeline file: one that is called like it, or its stages.
fn shaders(name: &str) -> Vec<PathBuf> {
    let stages = ["", "_vs", "_hs", "_ds", "_gs", "_as", "_ms", "_ps"];
    let mut found = stages
        .map(|stage| folder().join(format!("{name}{stage}.dxil")))
        .to_vec();
    found.retain(|path| path.exists());
    if found.is_empty() {
        found.push(folder().join(format!("{name}.dxbc")));
    }
    found
}

fn run(pipeline: &Path, name: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(shaders(name))
        .arg("--pipeline")
        .arg(pipeline)
        .args(arguments)
        .args(["--timeout", "30"])
        .output()
        .unwrap()
}

/// Runs the compute shader of a pipeline file in its DXBC form.
fn run_dxbc(name: &str, shader: &Path, backend: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(shader)
        .arg("--pipeline")
        .arg(folder().join(format!("{name}.yaml")))
        .args(["--backend", backend, "--timeout", "30"])
        .output()
        .unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success(),
        "{name} on {backend}\n{stdout}{stderr}"
    );
    assert!(stdout.contains("\nok      "), "{stdout}");
}

#[test]
fn pipeline_files_take_dxbc() {
    for name in ["square", "mips"] {
        for backend in ["vulkan", "wgpu", "cpu"] {
            run_dxbc(name, &folder().join(format!("{name}.dxbc")), backend);
        }
    }
}

#[test]
fn class_instances_of_the_command_line_go_before_those_of_the_file() {
    let name = "class_instances";
    let file = folder().join(format!("{name}.yaml"));
    let of_file = run(&file, name, &["--backend", "cpu"]);
    assert!(of_file.status.success(), "{}", text(&of_file.stderr));
    // Twice as much and three times as much, without the sign.
    let given = [
        "--class-instance",
        "0=chosen",
        "--class-instance",
        "1=Multiplies",
    ];
    let given = run(&file, name, &[&["--backend", "cpu"], &given[..]].concat());
    assert!(!given.status.success(), "{}", text(&given.stdout));
    assert!(
        text(&given.stdout).contains("36"),
        "{}",
        text(&given.stdout)
    );
}

#[test]
fn class_instances_that_cannot_be_are_refused_with_the_reason() {
    for (from, to, wanted) in [
        ("1=Negates", "1=Adds", "which takes Multiplies, Negates"),
        ("1=Negates", "1", "write SLOT=INSTANCE"),
        ("1=Negates", "light=Negates", "class instance light=Negates"),
    ] {
        let output = run_altered("class_instances", "class_instances", |yaml| {
            yaml.replace(from, to)
        });
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains(wanted), "{stderr}");
    }
    // Shaders of DXIL have no interfaces.
    let output = run_altered("square", "class_instances_of_dxil", |yaml| {
        yaml.replace("Entry: main", "Entry: main\n    ClassInstances: [ 0=A ]")
    });
    assert!(
        text(&output.stderr).contains("the shader has no interfaces"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn root_parameters_are_bound_by_the_root_signature_of_dxbc() {
    use dxil_frontend::FourCc;
    use dxil_frontend::container::{Container, Signing, write_container};

    let dxbc = std::fs::read(folder().join("roots.dxbc")).unwrap();
    let dxil = std::fs::read(folder().join("roots.dxil")).unwrap();
    let (dxbc, dxil) = (
        Container::parse(&dxbc).unwrap(),
        Container::parse(&dxil).unwrap(),
    );
    // The compiler of the DXBC leaves the root signature out.
    assert!(dxbc.part(FourCc::RTS0).is_none());
    let parts = dxbc.parts().iter().copied().chain(dxil.part(FourCc::RTS0));
    let parts: Vec<_> = parts.map(|part| (part.name, part.data)).collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("roots.dxbc");
    std::fs::write(&scratch, write_container(&parts, Signing::Digest).unwrap()).unwrap();
    for backend in ["vulkan", "wgpu", "cpu"] {
        run_dxbc("roots", &scratch, backend);
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Runs an altered copy of a file.
fn run_altered(name: &str, test: &str, alter: impl FnOnce(String) -> String) -> Output {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&scratch).unwrap();
    let file = scratch.join("altered.yaml");
    let before = yaml(name);
    let after = alter(before.clone());
    assert_ne!(before, after, "the alteration found nothing");
    std::fs::write(&file, after).unwrap();
    run(&file, name, &[])
}

#[test]
fn every_pipeline_file_holds_on_every_backend() {
    let mut files = dxil_checkout::files(&folder(), "yaml");
    files.retain(|file| file.parent() == Some(&folder()));
    assert!(files.len() >= 5, "test data is missing");
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        // Draws run on Vulkan, and ray tracing and reserved resources there and on the CPU.
        let yaml = yaml(name);
        let stays = yaml.contains("ShaderBindingTable") || yaml.contains("IsReserved");
        let is_draw = shaders(name).len() > 1;
        let backends: &[&str] = if is_draw {
            &["vulkan"]
        } else if name == "reserved_buffers" {
            // Vulkan does not tell whether a buffer has memory.
            &["cpu"]
        } else if stays {
            &["vulkan", "cpu"]
        } else {
            &["vulkan", "wgpu", "cpu"]
        };
        for &backend in backends {
            let output = run(&file, name, &["--backend", backend]);
            assert!(
                output.status.success(),
                "{name} on {backend}\n{}\n{}",
                text(&output.stdout),
                text(&output.stderr)
            );
            let rules = Pipeline::parse(&yaml).unwrap().document.results.len();
            let held = text(&output.stdout).matches("\nok      ").count();
            assert_eq!(held, rules, "{}", text(&output.stdout));
        }
    }
}

#[test]
fn shaders_may_be_spirv_already() {
    let run = |yaml: &str, modules: &[&str], arguments: &[&str]| {
        let folder = folder().join("spirv");
        Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .args(modules.iter().map(|name| folder.join(name)))
            .arg("--pipeline")
            .arg(folder.join(yaml))
            .args(arguments)
            .output()
            .unwrap()
    };
    let stages = ["triangle_vs.spv", "triangle_ps.spv"];
    for (yaml, modules) in [
        ("constants.yaml", &["constants.spv"][..]),
        ("triangle.yaml", &stages),
    ] {
        let output = run(yaml, modules, &[]);
        let stdout = text(&output.stdout);
        assert!(output.status.success(), "{stdout}{}", text(&output.stderr));
        assert!(stdout.contains("\nok      "), "{stdout}");
    }
    let fails = |output: &Output, code, message| {
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    };
    fails(
        &run("triangle.yaml", &stages[..1], &[]),
        3,
        "the file has 2 shaders, the command line 1 SPIR-V modules",
    );
    fails(
        &run("triangle.yaml", &["../quadrants_vs.dxil", stages[1]], &[]),
        2,
        "one pipeline takes one kind",
    );
    fails(
        &run("triangle.yaml", &stages, &["--backend", "wgpu"]),
        4,
        "on the vulkan backend only",
    );
}

#[test]
fn limits_of_the_device_are_told() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
    std::fs::create_dir_all(&scratch).unwrap();
    let yaml = std::fs::read_to_string(folder().join("spirv/constants.yaml")).unwrap();
    let body = yaml.trim_end().trim_end_matches("...");
    let sets = format!("{body}{}...\n", "  - Resources: []\n".repeat(1 << 12));
    for (name, yaml, message) in [
        (
            "push.yaml",
            yaml.replace("Offset: 4,", "Offset: 65000,"),
            "bytes of push constants: 65008 is more than the device's limit",
        ),
        (
            "sets.yaml",
            sets,
            "descriptor sets: 4098 is more than the device's limit",
        ),
        (
            "groups.yaml",
            format!("{body}DispatchParameters: {{ DispatchGroupCount: [ 1, 1, 4294967295 ] }}\n"),
            "thread groups in one direction: 4294967295 is more",
        ),
    ] {
        let file = scratch.join(name);
        std::fs::write(&file, yaml).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg(folder().join("spirv/constants.spv"))
            .arg("--pipeline")
            .arg(&file)
            .output()
            .unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_buffer_goes_to_a_picture_instead_of_the_text() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&scratch).unwrap();
    let file = folder().join("quadrants.yaml");
    for extension in ["png", "exr", "bin"] {
        let out = scratch.join(format!("picture.{extension}"));
        let argument = format!("Picture={}", out.display());
        let output = run(&file, "quadrants", &["--out", &argument]);
        let stdout = text(&output.stdout);
        assert!(
            output.status.success(),
            "{stdout}\n{}",
            text(&output.stderr)
        );
        assert!(!stdout.contains("Name: Picture"), "{stdout}");
        let bytes = std::fs::read(&out).unwrap();
        if extension == "bin" {
            assert_eq!(bytes.get(..8), Some(&[0, 0, 0, 64, 0, 0, 128, 63][..]));
            continue;
        }
        let image = image::load_from_memory(&bytes).unwrap();
        assert_eq!((image.width(), image.height()), (4, 4));
        let pixel = |x, y| image.to_rgba32f().get_pixel(x, y).0;
        // A float picture keeps what a byte has to clamp.
        let top = if extension == "exr" { 2.0 } else { 1.0 };
        assert_eq!(pixel(3, 1), [top, 1.0, 0.0, 1.0]);
        assert!((pixel(0, 2)[2] - 0.25).abs() < 0.01, "{:?}", pixel(0, 2));
    }
}

#[test]
fn an_expectation_that_does_not_hold_is_shown_and_fails() {
    let output = run_altered("square", "wrong_expectation", |yaml| {
        yaml.replace("[ 4, 16, 36, 64,", "[ 4, 16, 36.5, 64,")
    });
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    for part in [
        "Test failed: Squares\nComparison Rule: BufferExact\n  1 of 16 elements of Out differ from ",
        "\nExpected:\n---\nName: ",
        "\nGot:\n---\nName: Out\n",
        "Data: [ 4, 16, 36, 64,",
        "\nFull Hex representation of Expected Buffer Values:\n[ 0x40800000, ",
    ] {
        assert!(stdout.contains(part), "{part} in {stdout}");
    }
    assert!(
        stdout.contains("[2] expected 36.5 (0x42120000), got 36 (0x42100000)"),
        "{stdout}"
    );
    assert!(text(&output.stderr).contains("1 of 1 expectations"));
}

#[test]
fn buffers_and_counters_print_in_the_notation_of_the_file() {
    let output = run(&folder().join("counters.yaml"), "counters", &[]);
    let stdout = text(&output.stdout);
    assert!(
        output.status.success(),
        "{stdout}\n{}",
        text(&output.stderr)
    );
    assert!(stdout.contains("Counters: [ 1, 2, 3 ]"), "{stdout}");
    assert!(stdout.contains("- [ 100, 110, 7, 7 ]"), "{stdout}");
    assert!(stdout.contains("Data: [ 0x0, 0x1, 0x4 ]"), "{stdout}");
}

#[test]
fn a_picture_needs_no_name_and_a_wrong_one_says_which_there_are() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bare_names");
    std::fs::create_dir_all(&scratch).unwrap();
    let file = folder().join("quadrants.yaml");
    let out = |name: &str| scratch.join(name).display().to_string();
    for name in ["scene.png", "Picture.png"] {
        let output = run(&file, "quadrants", &["--out", &out(name)]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let image = image::open(scratch.join(name)).unwrap();
        assert_eq!((image.width(), image.height()), (4, 4), "{name}");
    }
    let fails = |arguments: &[&str], message: &str| {
        let output = run(&file, "quadrants", arguments);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
        assert!(output.stdout.is_empty(), "it ran all the same");
    };
    fails(&["--out", "Pictur=a.png"], "no buffer `Pictur`; it has ");
    fails(&["--out", "Picture=a.gif"], "`.gif` files are not written");
    fails(&["--draw", "3"], "cannot be used with");
}

#[test]
fn a_file_is_checked_before_shaders_are_asked_for() {
    let run = |file: &Path| {
        Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .arg("--pipeline")
            .arg(file)
            .output()
            .unwrap()
    };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_shaders");
    std::fs::create_dir_all(&scratch).unwrap();
    let file = scratch.join("broken.yaml");
    std::fs::write(&file, yaml("mips").replace("MipLevels: 2", "MipLevels: 1")).unwrap();
    for (file, code, message) in [
        (&folder().join("square.yaml"), 2, "Compute `main`"),
        (&file, 3, "does not match OutputProps dimensions"),
    ] {
        let output = run(file);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn shaders_that_the_file_does_not_fit_are_refused_in_its_words() {
    let quadrants = folder().join("quadrants.yaml");
    let square = folder().join("square.yaml");
    let fails = |pipeline: &Path, shaders: &[&str], message: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
            .args(shaders.iter().map(|name| folder().join(name)))
            .arg("--pipeline")
            .arg(pipeline)
            .output()
            .unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    };
    let stages = "the stages Pixel, Vertex, and was given Vertex";
    fails(&quadrants, &["quadrants_vs.dxil"], stages);
    fails(&square, &["square.dxil", "square.dxil"], "Compute, Compute");
    fails(&square, &["quadrants_ps.dxil"], "given Pixel");
    let unbound = "no resource of the file is bound to t";
    fails(&square, &["mips.dxil"], unbound);
}

#[test]
fn reserved_buffers_have_the_memory_of_their_tiles() {
    let reserved = |tiles: &str| {
        run_altered("square", "reserved_buffers", |yaml| {
            let keys =
                format!("Kind: Buffer\n      IsReserved: true\n      TilesMapped: {tiles}\n");
            yaml.replace("Kind: Buffer\n", &keys)
        })
    };
    let one = reserved("1");
    assert!(one.status.success(), "{}", text(&one.stderr));
    // Without memory the contents are dropped.
    let none = reserved("0");
    assert_eq!(none.status.code(), Some(1), "{}", text(&none.stderr));
    let file = folder().join("reserved_buffers.yaml");
    let output = run(&file, "reserved_buffers", &["--backend", "vulkan"]);
    assert_eq!(output.status.code(), Some(4));
    let told = "beside the reserved StructuredBuffer `Whole`, since Vulkan tells of textures only";
    assert!(text(&output.stderr).contains(told));
    let file = folder().join("reserved.yaml");
    let output = run(&file, "reserved", &["--backend", "wgpu"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("reserved resources on wgpu"));
    for (name, from, to, message) in [
        (
            "square",
            "Kind: Buffer\n",
            "Kind: Buffer\n      TilesMapped: 1\n",
            "TilesMapped is for reserved resources",
        ),
        (
            "mips",
            "Kind: Sampler\n",
            "Kind: Sampler\n      IsReserved: true\n",
            "a Sampler is never reserved",
        ),
    ] {
        let error = error(name, from, to).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_broken_file_names_the_place() {
    let output = run_altered("square", "broken_file", |yaml| {
        yaml.replace("Channels: 4", "Chanels: 4")
    });
    assert_eq!(output.status.code(), Some(3));
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("Chanels") && stderr.contains("line "),
        "{stderr}"
    );
}

/// Parses an altered copy of a file. Returns the error's text.
#[track_caller]
fn error(name: &str, from: &str, to: &str) -> PipelineError {
    let text = yaml(name);
    let altered = text.replacen(from, to, 1);
    assert_ne!(text, altered, "the alteration found nothing");
    let parsed = Pipeline::parse(&altered);
    match parsed.and_then(|pipeline| pipeline.plan(None, &[]).map(drop)) {
        Ok(()) => panic!("`{to}` should be an error"),
        Err(error) => error,
    }
}

#[test]
fn contradictions_are_errors_that_say_so() {
    for (name, from, to, message) in [
        (
            "square",
            "Actual: Out",
            "Actual: Nothing",
            "buffer `Nothing`",
        ),
        (
            "square",
            "FillSize: 64",
            "ZeroInitSize: 64",
            "now called FillSize",
        ),
        (
            "square",
            "    FillSize: 64",
            "    Stride: 4\n    FillSize: 64",
            "more than one channel",
        ),
        ("square", "FillSize: 64", "FillSize: 63", "no whole number"),
        (
            "square",
            "Name: Expected",
            "Name: Out",
            "two buffers have the name `Out`",
        ),
        (
            "square",
            "Stage: Compute",
            "Stage: Pixel",
            "needs a Compute",
        ),
        (
            "square",
            "0.5, 0x1.8p1",
            "0.5, one",
            "`one` is not a Float32 value",
        ),
        ("square", "Register: 1, Space: 0", "Register: 1", "Space"),
        (
            "square",
            "Kind: RWBuffer\n",
            "Kind: RWBuffer\n      HeapIndex: 3\n",
            "either",
        ),
        ("tolerance", "ULPT: 3", "Epsilon: 3", "ULPT belongs"),
        (
            "tolerance",
            "Register: 2",
            "Register: 1",
            "u1 is bound twice",
        ),
        ("counters", "- [ 100, 7, 7, 7 ]", "- [ 100 ]", "same length"),
        (
            "counters",
            "ArraySize: 3\n    Data",
            "ArraySize: 2\n    Data",
            "Data has 3 lists",
        ),
        (
            "mips",
            "MipLevels: 2",
            "MipLevels: 1",
            "does not match OutputProps dimensions (64)",
        ),
        (
            "mips",
            "Name: Nearest\n    Min",
            "Name: Other\n    Min",
            "sampler `Nearest`",
        ),
        (
            "roots",
            "      - Kind: DescriptorTable\n",
            "",
            "1 DescriptorSets and 0",
        ),
        (
            "roots",
            "    Data: [ 0x40000000, 0x3f800000, 3 ]",
            "    ArraySize: 2\n    Data: [ [ 0, 1, 3 ], [ 1, 1, 3 ] ]",
            "Root constant cannot refer to resource arrays: root parameter 0 is `Root`",
        ),
        (
            "roots",
            "    Stride: 4\n    FillSize: 16",
            "    Stride: 4\n    ArraySize: 2\n    FillSize: 16",
            "Root descriptor cannot refer to resource arrays: root parameter 2 is `Out`",
        ),
    ] {
        let error = error(name, from, to).to_string();
        assert!(error.contains(message), "{name}: {error}");
    }
    let pipeline = Pipeline::parse(&yaml("roots")).unwrap();
    let error = pipeline.plan(None, &[]).unwrap_err().to_string();
    assert!(error.contains("container has none"), "{error}");
}

#[test]
fn the_checked_in_schema_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pipeline.schema.json");
    let schema = dxil_jit::pipeline_file::schema();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &schema).unwrap();
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(there == schema, "BLESS=1 writes {} anew", file.display());
    let value: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let buffer = &value["$defs"]["Buffer"];
    assert_eq!(buffer["additionalProperties"], false);
    assert!(buffer["properties"]["FillSize"].is_object(), "{buffer}");
    assert!(value["properties"]["DescriptorSets"].is_object());
}
