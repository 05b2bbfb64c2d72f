//! Tests of the inputs and results that a run shows, and of the bindings and names that `--emit`
//! writes. Tests that draw need a Vulkan driver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data");
    folder.join(name).to_str().unwrap().to_owned()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeing");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-run"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

#[track_caller]
fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn inputs_are_shown_with_their_field_names() {
    let shader = data("named.dxil");
    let call = [shader.as_str(), "--backend", "cpu", "--dispatch", "1"];
    let shown = good(&run(&call));
    let lines: Vec<&str> = shown.lines().collect();
    let at = |start: &str| {
        let found = lines.iter().position(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("{start}: {shown}"))
    };
    let sim = at("b0  ConstantBuffer Sim: 32 bytes, generated");
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let fields = [
        "dt",
        "wind.x",
        "wind.y",
        "gravity.x",
        "gravity.y",
        "gravity.z",
    ];
    assert_eq!(words(lines[sim + 1]), fields);
    assert_eq!(words(lines[sim + 2]), ["0", "1", "2", "3", "5", "6", "7"]);
    let src = at("t0  StructuredBuffer src: 16 of 88 bytes, generated");
    assert!(
        lines[src + 1].contains("pos.x") && lines[src + 1].contains("mass"),
        "{shown}"
    );
    assert!(src < at("u0  RWStructuredBuffer dst"));

    let given = good(&run(&[&call[..], &["--bind", "src=zeros"]].concat()));
    assert!(given.contains("src: 16 of 88 bytes\n"), "{given}");
    let quiet = good(&run(&[&call[..], &["--quiet"]].concat()));
    assert!(!quiet.contains("Sim") && !quiet.contains("src"), "{quiet}");
    assert!(quiet.contains("u0  RWStructuredBuffer dst"), "{quiet}");
}

#[test]
fn scripts_get_everything_as_json() {
    let shader = data("named.dxil");
    let output = good(&run(&[
        &shader,
        "--backend",
        "cpu",
        "--dispatch",
        "1",
        "--json",
        "--rows",
        "1",
        "--bind",
        "Sim=zeros",
    ]));
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(report["entries"], json!(["main"]));
    assert_eq!(report["device"]["backend"], "cpu");
    let sim = &report["inputs"][0];
    assert_eq!(
        (&sim["name"], &sim["generated"]),
        (&json!("Sim"), &json!(false))
    );
    assert_eq!(sim["elements"][0]["gravity.z"], 0.0);
    let (source, result) = (&report["inputs"][1], &report["outputs"][0]);
    assert_eq!(source["generated"], true);
    assert_eq!(result["name"], "dst");
    // Four threads ran, and each adds one to the id.
    let ids = |view: &Value| -> Vec<u64> {
        let elements = view["elements"].as_array().unwrap().iter();
        elements
            .map(|element| element["id"].as_u64().unwrap())
            .collect()
    };
    let (before, after) = (ids(source), ids(result));
    assert_eq!((before.len(), after.len()), (16, 16));
    for index in 0..4 {
        assert_eq!(after[index], before[index] + 1);
    }
    assert_eq!(after[4..], [0; 12]);
}

#[test]
fn render_targets_tell_what_was_drawn() {
    let (vertex, pixel) = (data("mesh_vs.dxil"), data("triangle_ps.dxil"));
    let draw = |count: &str| {
        good(&run(&[
            &vertex, &pixel, "--draw", count, "--bind", "b0=zeros", "--size", "rt0=8x8",
        ]))
    };
    let shown = draw("3");
    let line = shown.lines().find(|line| line.contains("drawn: ")).unwrap();
    let covered: u32 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(covered > 8 && covered < 64, "{line}");
    assert!(
        line.contains("of 64 texels") && line.contains("a 0 to 1"),
        "{line}"
    );
    assert!(!shown.contains("hint:"), "{shown}");
    let nothing = draw("0");
    assert!(
        nothing.contains("drawn: 0 of 64 texels (0.0 %)"),
        "{nothing}"
    );
    assert!(nothing.contains("hint: nothing was drawn"), "{nothing}");
}

#[test]
fn code_keeps_names_and_says_where_bindings_are() {
    let shader = data("named.dxil");
    for (language, comment) in [
        ("spvasm", "; "),
        ("wgsl", "// "),
        ("msl", "// "),
        ("glsl", "// "),
        ("hlsl", "// "),
    ] {
        let output = run(&[&shader, "--emit", language, "--quiet"]);
        // Not every language has doubles.
        let lacks = ["naga refuses", "the target lacks shaderFloat64"];
        if !output.status.success() && lacks.iter().any(|lack| stderr(&output).contains(lack)) {
            continue;
        }
        let code = good(&output);
        let table: Vec<&str> = code
            .lines()
            .take_while(|line| line.starts_with(comment))
            .collect();
        assert!(table[0].contains("entry main, 4x1x1 threads"), "{code}");
        for row in [
            "b0            UniformBuffer       Sim",
            "t0            StorageBuffer       src",
        ] {
            assert!(
                table.iter().any(|line| line.contains(row)),
                "{language}: {table:?}"
            );
        }
        let code: Vec<&str> = code.lines().skip(table.len()).collect();
        let code = code.join("\n");
        // naga's GLSL writer names blocks after their bindings.
        for name in ["src", "dst", "Sim"].iter().filter(|_| language != "glsl") {
            assert!(code.contains(name), "{language}: {code}");
        }
    }
}

#[test]
fn heaps_are_argument_buffers_in_metal() {
    let file = scratch("heap.json");
    let shader = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../hwtests/shaders/bindings/heap_textures.dxil"
    );
    let arguments = ["--emit", "msl", "--reflect", file.to_str().unwrap()];
    let code = good(&run(&[&[shader], &arguments[..]].concat()));
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let rows = json["bindings"].as_array().unwrap().iter();
    let heaps: Vec<_> = rows.filter(|row| row["count"].is_null()).collect();
    assert!(heaps.len() >= 2, "textures and samplers: {json}");
    for heap in heaps {
        // An entry is `IRDescriptorTableEntry` of metal-shaderconverter: three 64-bit words.
        assert_eq!(heap["metal"]["entry_bytes"], 24);
        let number = &heap["metal"]["argument_buffer"];
        assert!(code.contains(&format!("[[buffer({number})]]")), "{code}");
        assert!(code.contains(&format!("buffer({number})[]")), "{code}");
    }
}

#[test]
fn long_vectors_are_written_where_that_is_asked_for() {
    let shader = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../hwtests/shaders/vectors/arith.dxil"
    );
    let scalars = good(&run(&[shader, "--emit", "spvasm"]));
    assert!(!scalars.contains("LongVectorEXT"), "{scalars}");
    let vectors = good(&run(&[shader, "--emit", "spvasm", "--long-vectors"]));
    assert!(vectors.contains("OpCapability LongVectorEXT"), "{vectors}");
    for others in [&["--emit", "wgsl"][..], &["--dispatch", "1"]] {
        let output = run(&[&[shader, "--long-vectors"], others].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

#[test]
fn reflection_is_written_as_json() {
    let file = scratch("named.json");
    let shader = data("named.dxil");
    good(&run(&[
        &shader,
        "--emit",
        "spvasm",
        "--reflect",
        file.to_str().unwrap(),
    ]));
    let found: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(found["workgroup_size"], json!([4, 1, 1]));
    let bindings = found["bindings"].as_array().unwrap();
    let sim = bindings
        .iter()
        .find(|binding| binding["name"] == "Sim")
        .unwrap();
    assert_eq!(
        (&sim["class"], &sim["register"]),
        (&json!("Cbv"), &json!(0))
    );
    assert_eq!(
        sim["layout"]["fields"][2],
        json!({ "name": "gravity", "type": "float3", "offset": 16, "bytes": 12 })
    );
    let output = run(&[&shader, "--reflect", "x.json", "--dispatch", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn hlsl_is_compiled_by_the_dxc_that_the_environment_names() {
    use std::os::unix::fs::PermissionsExt;
    let source = scratch("source.hlsl");
    std::fs::write(&source, "[numthreads(4, 1, 1)] void main() {}").unwrap();
    // It takes DXC's options, and gives a shader that is compiled already.
    let compiler = scratch("dxc.sh");
    let script = format!(
        "#!/bin/sh\necho \"warning: $*\" >&2\nwhile [ $# -gt 0 ]; do\n  case $1 in\n  \
         -Fo) cp '{}' \"$2\"; shift;;\n  -T) [ $2 = cs_6_6 ] || exit 1; shift;;\n  esac\n  \
         shift\ndone\n",
        data("named.dxil")
    );
    std::fs::write(&compiler, script).unwrap();
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    let compile = |profile: &str, compiler: &Path| {
        let arguments = [source.to_str().unwrap(), "-T", profile, "-E", "main"];
        let mut command = command(&arguments);
        command
            .args(["--backend", "cpu", "--dispatch", "1"])
            .env("DXC", compiler);
        command.output().unwrap()
    };
    let output = compile("cs_6_6", &compiler);
    assert!(good(&output).contains("u0  RWStructuredBuffer dst"));
    assert!(
        stderr(&output).contains("warning: -T cs_6_6 -E main -Fo "),
        "{}",
        stderr(&output)
    );
    let refused = compile("cs_6_0", &compiler);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(
        stderr(&refused).contains("DXC refuses it:\nwarning:"),
        "{}",
        stderr(&refused)
    );
    let none = compile("cs_6_6", Path::new("/no/such/dxc"));
    assert_eq!(none.status.code(), Some(9), "{}", stderr(&none));
    assert!(
        stderr(&none).contains("put `dxc` on the path"),
        "{}",
        stderr(&none)
    );
}

/// The command line is one that Clang 22.1.8 takes (`clang --driver-mode=dxc -###`, which lists
/// what it makes of it): a name and a value are two arguments, as Clang reads `-D` and `-Fo`, and
/// the source is last.
#[cfg(unix)]
#[test]
fn clang_gets_the_options_that_its_driver_takes() {
    use std::os::unix::fs::PermissionsExt;
    let source = scratch("clang.hlsl");
    std::fs::write(&source, "[numthreads(4, 1, 1)] void main() {}").unwrap();
    let folder = scratch("clang");
    std::fs::create_dir_all(&folder).unwrap();
    let compiler = folder.join("clang-dxc");
    let script = format!(
        "#!/bin/sh\nfor word; do echo \"$word\"; done > '{}'\n\
         while [ $# -gt 1 ]; do [ \"$1\" != -Fo ] || cp '{}' \"$2\"; shift; done\n\
         echo \"clang-dxc: warning: dxv not found\" >&2\n",
        folder.join("words").display(),
        data("named.dxil")
    );
    std::fs::write(&compiler, script).unwrap();
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = source.to_str().unwrap();
    let run = |more: &[&str]| {
        let output = command(&[text, "-T", "cs_6_6", "-D", "A=1", "-I", "inc"])
            .args(["--backend", "cpu", "--dispatch", "1"])
            .args(more)
            .env("DXC", &compiler)
            .output()
            .unwrap();
        assert!(good(&output).contains("u0  RWStructuredBuffer dst"));
        // What it says is passed on, and is no failure.
        assert!(
            stderr(&output).contains("dxv not found"),
            "{}",
            stderr(&output)
        );
        let words = std::fs::read_to_string(folder.join("words")).unwrap();
        words.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let words = run(&[]);
    let [front @ .., fo, out, last] = words.as_slice() else {
        panic!("{words:?}");
    };
    let expected = ["-T", "cs_6_6", "-E", "main", "-D", "A=1", "-I", "inc"];
    assert_eq!(front, expected);
    assert_eq!((fo.as_str(), last.as_str()), ("-Fo", text));
    assert!(out.ends_with(".dxil"), "{out}");
    let words = run(&["--check", "--", "-enable-16bit-types"]);
    for word in ["-Zi", "-Qembed_debug", "-enable-16bit-types"] {
        assert!(words.iter().any(|other| other == word), "{word}: {words:?}");
    }
}

#[test]
fn shaders_are_validated_before_they_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for option in ["--validate", "--validate=dxil", "--validate=layer,dxil"] {
        let run = |file: &str| {
            let mut command = command(&[file, "--emit", "spv", option]);
            command.current_dir(&root).output().unwrap()
        };
        let valid = run("hwtests/shaders/flow/collatz.dxil");
        assert!(valid.status.success(), "{option}: {}", stderr(&valid));
        let broken = run("hwtests/shaders/flow/pointer_phis.dxil");
        let text = stderr(&broken);
        assert_eq!(broken.status.code(), Some(1), "{option}: {text}");
        assert!(text.contains("breaks rules of DXIL's validator"), "{text}");
        assert!(text.contains("INSTR.INBOUNDSACCESS"), "{text}");
        // The rules are not about DXBC.
        let older = run("hwtests/shaders/draw/color_ps.dxbc");
        assert!(older.status.success(), "{option}: {}", stderr(&older));
    }
}

#[test]
fn everything_is_validated_that_the_backend_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = |file: &str, option: &str| {
        let all = [
            file,
            "--backend",
            "cpu",
            "--dispatch",
            "1",
            "--bind",
            "u0=zeros:64",
            option,
        ];
        let mut command = command(&all);
        command.current_dir(&root).output().unwrap()
    };
    let valid = run("hwtests/shaders/flow/collatz.dxil", "--validate");
    assert!(valid.status.success(), "{}", stderr(&valid));
    let broken = run("hwtests/shaders/flow/pointer_phis.dxil", "--validate");
    assert_eq!(broken.status.code(), Some(1), "{}", stderr(&broken));
}

#[test]
fn draws_take_vertices_from_files() {
    let (vertex, pixel) = (data("mesh_vs.dxil"), data("triangle_ps.dxil"));
    // Two triangles that cover everything.
    let mesh = scratch("square.obj");
    let text = "v -1 -1 0.5\nv -1 1 0.5\nv 1 1 0.5\nv 1 -1 0.5\nf 1 2 3 4\n";
    std::fs::write(&mesh, text).unwrap();
    let draw = |arguments: &[&str]| {
        let all = [&vertex, &pixel, "--bind", "b0=zeros", "--size", "rt0=8x8"];
        run(&[&all[..], arguments].concat())
    };
    let shown = good(&draw(&["--vertices", mesh.to_str().unwrap()]));
    assert!(shown.contains("6 vertices, 1 instance(s)"), "{shown}");
    assert!(shown.contains("drawn: 64 of 64 texels"), "{shown}");
    let half = good(&draw(&[
        "--vertices",
        mesh.to_str().unwrap(),
        "--draw",
        "3",
    ]));
    assert!(!half.contains("drawn: 64 of"), "{half}");
    let more = draw(&["--vertices", mesh.to_str().unwrap(), "--draw", "9"]);
    assert_eq!(more.status.code(), Some(2), "{}", stderr(&more));
    assert!(
        stderr(&more).contains("has 6 vertices"),
        "{}",
        stderr(&more)
    );
    let other = draw(&["--vertices", &data("saxpy.hlsl")]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
}

/// A cube of side 2 around a point, with all faces; in glTF, moved there by its node.
fn cubes(centre: [f32; 3]) -> [(&'static str, Vec<u8>); 2] {
    let corner = |i: usize, axis: usize| if i >> axis & 1 == 1 { 1.0f32 } else { -1.0 };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = quads.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let mut wavefront = String::new();
    for i in 0..8 {
        let place = [0, 1, 2].map(|axis| corner(i, axis) + centre[axis]);
        wavefront += &format!("v {} {} {}\n", place[0], place[1], place[2]);
    }
    let mut buffer = Vec::new();
    for i in 0..8 {
        buffer.extend((0..3).flat_map(|axis| corner(i, axis).to_le_bytes()));
    }
    for [a, b, c] in triangles.into_iter().flatten() {
        wavefront += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
        buffer.extend([a, b, c].map(|i| i as u8));
    }
    let [x, y, z] = centre;
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"mesh":0,"translation":[{x},{y},{z}]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"}},
        {{"bufferView":1,"componentType":5121,"count":36,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":96}},
        {{"buffer":0,"byteOffset":96,"byteLength":36}}],"buffers":[{{"byteLength":132}}]}}"#
    );
    let mut binary = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, chunk) in [(b"JSON", text.as_bytes()), (b"BIN\0", &buffer)] {
        binary.extend((chunk.len() as u32).to_le_bytes());
        binary.extend(kind);
        binary.extend(chunk);
    }
    [("cube.obj", wavefront.into_bytes()), ("cube.glb", binary)]
}

#[test]
fn a_camera_shows_all_vertices() {
    let (vertex, pixel) = (data("camera_vs.dxil"), data("camera_ps.dxil"));
    let out = scratch("camera.bin");
    let place = format!("rt0={}", out.display());
    for (name, bytes) in cubes([30.0, -20.0, 7.0]) {
        let mesh = scratch(name);
        std::fs::write(&mesh, bytes).unwrap();
        let picture = |cameras: &[&str]| {
            let mut all = vec![
                vertex.as_str(),
                &pixel,
                "--vertices",
                mesh.to_str().unwrap(),
            ];
            all.extend([
                "--size",
                "rt0=32x32",
                "--format",
                "rt0=R8G8B8A8_UNORM",
                "--out",
                &place,
            ]);
            all.extend(cameras.iter().flat_map(|camera| ["--bind", camera]));
            good(&run(&all));
            std::fs::read(&out).unwrap()
        };
        let identity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
        let [one, other] = ["one", "other"].map(|field| format!("Camera.{field}={identity}"));
        let whole = picture(&["Camera.both=camera", &one, &other]);
        let lit = |x: usize, y: usize| whole[(y * 32 + x) * 4] != 0;
        assert!(lit(16, 16), "{name}");
        for edge in 0..32 {
            let at_edge = [(edge, 0), (edge, 31), (0, edge), (31, edge)];
            assert!(at_edge.iter().all(|(x, y)| !lit(*x, *y)), "{name}");
        }
        // The sphere around the cube fills the picture, and the cube more than a sixth of it.
        let count = (0..1024).filter(|i| lit(i % 32, i / 32)).count();
        assert!((170..800).contains(&count), "{name}: {count}");
        // The same by two matrices, one of which is row_major and comes after the position.
        let both = format!("Camera.both={identity}");
        let parts = ["Camera.one=projection", "Camera.other=view+rows", &both];
        assert_eq!(picture(&parts), whole, "{name}");
        // From the other side everything is there, too.
        let back = picture(&["Camera.both=camera+from=30/-20/-9", &one, &other]);
        assert_ne!(back[(16 * 32 + 16) * 4], 0);
    }
    let wrong = |bind: &str| {
        let output = run(&[&vertex, &pixel, "--draw", "3", "--bind", bind]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output)
    };
    assert!(wrong("Camera.tint=camera").contains("for a whole float4x4"));
    assert!(wrong("Camera.both=camera+from=1/2").contains("from=X/Y/Z"));
}

#[test]
fn rows_of_vertices_have_the_numbers_of_whole_inputs() {
    let (vertex, pixel) = (data("camera_vs.dxil"), data("camera_ps.dxil"));
    let rows = scratch("rows.npy");
    let draw = |width: usize| {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': (3, {width}), }}");
        let mut file = b"\x93NUMPY\x01\0".to_vec();
        file.extend((header.len() as u16 + 1).to_le_bytes());
        file.extend(header.bytes().chain([b'\n']));
        file.extend(vec![0; 3 * width * 4]);
        std::fs::write(&rows, file).unwrap();
        run(&[&vertex, &pixel, "--vertices", rows.to_str().unwrap()])
    };
    // POSITION takes three numbers, COLOR four.
    for fits in [2, 3, 7] {
        good(&draw(fits));
    }
    for other in [4, 6, 8] {
        let output = draw(other);
        assert_eq!(output.status.code(), Some(2), "{other}");
        let said = stderr(&output);
        assert!(said.contains("3 of POSITION0, 4 of COLOR0"), "{said}");
    }
}

/// A near triangle whose vertices are clockwise in the picture, red, and then a far one, green,
/// whose vertices are counter-clockwise. Both cover everything.
const NEAR_AND_FAR: &str = "\
v -1 -1 0.2 1 0 0
v -1 3 0.2 1 0 0
v 3 -1 0.2 1 0 0
v -1 -1 0.8 0 1 0
v 3 -1 0.8 0 1 0
v -1 3 0.8 0 1 0
f 1 2 3
f 4 5 6
";

#[test]
fn nearer_triangles_are_drawn_and_faces_can_be_left_out() {
    let shader = |name| {
        format!(
            "{}/../../hwtests/shaders/draw/{name}",
            env!("CARGO_MANIFEST_DIR")
        )
    };
    let (vertex, pixel) = (shader("place_vs.dxil"), shader("color_ps.dxil"));
    let mesh = scratch("near_and_far.obj");
    std::fs::write(&mesh, NEAR_AND_FAR).unwrap();
    let table = scratch("near_and_far.csv");
    let (mesh, out) = (mesh.to_str().unwrap(), format!("rt0={}", table.display()));
    let colour = |arguments: &[&str]| -> String {
        let all = [&vertex, &pixel, "--vertices", mesh, "--out", &out];
        let size = ["--size", "rt0=2x2", "--format", "rt0=R32G32B32A32_FLOAT"];
        good(&run(&[&all[..], &size, arguments].concat()));
        let text = std::fs::read_to_string(&table).unwrap();
        let texel = |line: &str| -> Vec<f32> {
            let numbers = line.rsplit(',').map(|number| number.parse().unwrap());
            numbers.take(4).collect()
        };
        let texels: Vec<Vec<f32>> = text.lines().skip(1).map(texel).collect();
        assert_eq!(texels.len(), 4, "{text}");
        assert!(texels.iter().all(|texel| *texel == texels[0]), "{text}");
        // From the last component on: red is the third number.
        match texels[0][1..] {
            [0.0, 0.0, 1.0] => "red".into(),
            [0.0, 1.0, 0.0] => "green".into(),
            [0.0, 0.0, 0.0] => "nothing".into(),
            _ => text,
        }
    };
    assert_eq!(colour(&[]), "red");
    assert_eq!(colour(&["--samples", "4", "--draw", "6"]), "red");
    assert_eq!(colour(&["--depth", "less"]), "red");
    assert_eq!(colour(&["--depth", "off"]), "green");
    assert_eq!(colour(&["--depth", "greater"]), "green");
    assert_eq!(colour(&["--depth", "never"]), "nothing");
    // D3D12's default state: clockwise triangles are front faces.
    assert_eq!(colour(&["--depth", "off", "--cull", "back"]), "red");
    assert_eq!(colour(&["--depth", "greater", "--cull", "front"]), "green");
    assert_eq!(colour(&["--depth", "less", "--cull", "front"]), "green");
}

#[test]
fn a_watched_shader_runs_again_when_it_changes() {
    use std::io::{BufRead, BufReader};
    let shader = scratch("watched.dxil");
    std::fs::copy(data("named.dxil"), &shader).unwrap();
    let arguments = [
        "--backend",
        "cpu",
        "--dispatch",
        "1",
        "--watch",
        "--no-cache",
    ];
    let mut child = command(&arguments)
        .arg(&shader)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines
        .by_ref()
        .map_while(Result::ok)
        .any(|line| line.starts_with("u0  "));
    std::fs::copy(data("fields.dxil"), &shader).unwrap();
    // The second shader writes to u1 too.
    let second = lines
        .by_ref()
        .map_while(Result::ok)
        .any(|line| line.starts_with("u1  "));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first && second);
}

#[test]
fn photographs_go_in_as_jpeg() {
    let file = scratch("grey.jpg");
    image::RgbImage::from_pixel(16, 16, image::Rgb([128; 3]))
        .save(&file)
        .unwrap();
    let shown = good(&run(&[
        &data("tex.dxil"),
        "--backend",
        "cpu",
        "--dispatch",
        "1",
        "--json",
        "--bind",
        &format!("t0={}", file.display()),
        "--bind",
        "s0=point",
    ]));
    let report: Value = serde_json::from_str(&shown).unwrap();
    let inputs = report["inputs"].as_array().unwrap();
    let picture = inputs.iter().find(|input| input["place"] == "t0").unwrap();
    assert_eq!(picture["size"], json!([16, 16, 1, 1]));
    assert_eq!(picture["format"], "R8G8B8A8_UNORM");
    let texel = picture["elements"][0].as_array().unwrap();
    for channel in &texel[..3] {
        // One step of 8 bits: JPEG is lossy.
        let value = channel.as_f64().unwrap() * 255.0;
        assert!((value - 128.0).abs() <= 1.0, "{texel:?}");
    }
    assert_eq!(texel[3], 1.0);
}

#[test]
fn layouts_of_older_containers_are_read_from_their_definitions() {
    let shader =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders/cbuffers/members.dxbc");
    let shown = good(&run(&[
        shader.to_str().unwrap(),
        "--backend",
        "cpu",
        "--dispatch",
        "1",
        "--json",
    ]));
    let report: Value = serde_json::from_str(&shown).unwrap();
    let constants = &report["inputs"][0];
    assert_eq!(constants["kind"], "ConstantBuffer");
    assert_eq!(constants["name"], "Constants");
    assert!(constants["elements"][0].is_object(), "{constants}");
}
