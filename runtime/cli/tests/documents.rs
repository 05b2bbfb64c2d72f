//! Every command that a document shows runs and prints what the document shows, or stands in the
//! table of those that do not run here, with the reason.
//!
//! In a block of the language `console`, a line that starts with `$` is a command; the lines up to
//! the next command are its output, where `...` stands for any lines. In a block of the language
//! `sh`, every line is a command. Times are not compared. Files that the documents only name
//! (`cs.dxil`, `photo.png`) lie in a folder of the test. Draws and rays need a Vulkan driver.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const RUNS_TESTS: &str = "it runs the tests, of which this is one";
const BUILDS: &str = "it builds all crates in release mode, which takes minutes";
const FETCHES: &str = "it fetches programs from the network";
const NEEDS_DXC: &str =
    "DXC is not part of the tests; the tests of dxil-differential run what it recorded";
const DEBUGGED: &str = "DXC is not part of the tests; the shaders of runtime/debug/tests/data were compiled with these arguments";
const GPU_BUNDLE: &str = "tools/test-gpu-bundle.sh makes the bundle and runs it (.ci/run)";
const PACKAGES: &str = "tools/test-package.sh makes the packages and tries them (.ci/run)";
const PUBLISH: &str =
    "it asks the registry; tests/packages.rs of dxil-checkout checks what it would upload";
const WINDOWS: &str = "it needs MinGW; tools/test-windows.sh builds the libraries and tests them (.ci/run, where Wine is)";
const PYTHON: &str = "it needs Python's registry; tools/test-python.sh builds the wheel, and its tests run the example (.ci/run)";
const FUZZING: &str =
    "it takes minutes, and a nightly toolchain; the property tests call the same oracles";

const DEVICE: &str = "another package has the command, whose tests run it so";
const PRECOMPILE_PAGE: &str = "docs/precompile.md";
const PRECOMPILE: &str = DEVICE;
const FLEET_PAGE: &str = "docs/fleet.md";
const FLEET: &str =
    "it needs a cluster; the tests of dxil-precompile run the scripts with small numbers";
const FOSSILIZE: &str =
    "Fossilize is not part of the tests, which read archives by its format's description";

const PAGE: &str = "it builds WebAssembly in release mode, which takes minutes; the tests of runtime/web build the \
     page with --quick and use it";

/// Commands that do not run here: document, command without its comment, reason.
const NOT_RUN: [(&str, &str, &str); 53] = [
    ("docs/device.md", "dxil-bench device --list", DEVICE),
    (
        "docs/device.md",
        "dxil-bench device --show tesla.json --compare radeon.json --html page.html",
        DEVICE,
    ),
    (
        "docs/page.md",
        "rustup target add wasm32-unknown-unknown",
        FETCHES,
    ),
    ("docs/page.md", "tools/build-web.sh", PAGE),
    (
        "docs/debugging.md",
        "dxc -T cs_6_0 -E main -Zi -Qembed_debug -Od -Fo cs.dxil cs.hlsl",
        DEBUGGED,
    ),
    (
        PRECOMPILE_PAGE,
        "dxil-precompile game.sodb --out cache",
        PRECOMPILE,
    ),
    (
        PRECOMPILE_PAGE,
        "dxil-precompile shaders/ --pipelines --out cache",
        PRECOMPILE,
    ),
    (
        PRECOMPILE_PAGE,
        "dxil-run shaders/cs.dxil --dispatch 64 --cache cache --time 1",
        PRECOMPILE,
    ),
    (
        PRECOMPILE_PAGE,
        "dxil-precompile game.sodb --target device --foz game.foz",
        PRECOMPILE,
    ),
    (
        PRECOMPILE_PAGE,
        "fossilize-replay game.foz --num-threads 4",
        FOSSILIZE,
    ),
    (
        PRECOMPILE_PAGE,
        "fossilize-list game.foz --tag 6",
        FOSSILIZE,
    ),
    (
        PRECOMPILE_PAGE,
        "fossilize-merge-db all.foz game.foz other.foz",
        FOSSILIZE,
    ),
    (
        FLEET_PAGE,
        "cargo install --path runtime/precompile --features object-store",
        BUILDS,
    ),
    (
        FLEET_PAGE,
        "dxil-precompile game.sodb --out s3://game-shaders/vulkan1.3 --shard 0/8",
        PRECOMPILE,
    ),
    (
        FLEET_PAGE,
        "sbatch --export=ALL,LIBRARY=game.sodb,CACHE=/shared/cache runtime/precompile/fleet/slurm.sbatch",
        FLEET,
    ),
    (FLEET_PAGE, "pip install ray ./runtime/python", PYTHON),
    (
        FLEET_PAGE,
        "python runtime/precompile/fleet/ray_library.py shaders --out /shared/cache --parts 8",
        FLEET,
    ),
    ("README.md", "cargo install --path runtime/cli", BUILDS),
    ("README.md", "tools/test.sh", RUNS_TESTS),
    ("docs/TESTING.md", "tools/test.sh", RUNS_TESTS),
    ("docs/TESTING.md", "tools/test.sh waves", RUNS_TESTS),
    ("docs/TESTING.md", ". $(tools/setup-vulkan.sh)", FETCHES),
    (
        "docs/TESTING.md",
        "cargo nextest run -p dxil-hwtests",
        RUNS_TESTS,
    ),
    (
        "docs/TESTING.md",
        "tools/get-dxc.sh && . $(tools/setup-vulkan.sh)",
        FETCHES,
    ),
    (
        "docs/TESTING.md",
        "cargo run -p dxil-differential -- --seed 1 --count 100 --keep /tmp/kept [--portable] [--check]",
        NEEDS_DXC,
    ),
    (
        "docs/TESTING.md",
        "cargo run -p dxil-differential -- --cpu-only --check --count 400",
        NEEDS_DXC,
    ),
    (
        "docs/TESTING.md",
        "cargo run -p dxil-differential -- reduced.hlsl",
        NEEDS_DXC,
    ),
    (
        "docs/TESTING.md",
        "cargo run -p dxil-differential -- --flow --seed 1 --count 100 --forms /tmp/forms --results /tmp/lavapipe",
        NEEDS_DXC,
    ),
    (
        "docs/TESTING.md",
        "VK_DRIVER_FILES=swiftshader_icd.json cargo run -p dxil-differential -- --flow --seed 1 --count 100 --forms /tmp/forms --results /tmp/swiftshader",
        NEEDS_DXC,
    ),
    (
        "docs/TESTING.md",
        "cargo run -p dxil-differential -- --agree /tmp/lavapipe /tmp/swiftshader",
        NEEDS_DXC,
    ),
    (
        "docs/TESTING.md",
        "DXIL_JIT_TEST_SEED=4 cargo test --workspace --test suite random_graphs_of_any_seed",
        RUNS_TESTS,
    ),
    (
        "docs/TESTING.md",
        "DXIL_JIT_TEST_SEED=4 cargo test --workspace --test structurize random_graphs_of_any_seed",
        RUNS_TESTS,
    ),
    (
        "docs/gpu.md",
        "tools/gpu-bundle.sh /tmp/dxil-jit-gpu",
        GPU_BUNDLE,
    ),
    (
        "docs/gpu.md",
        "tar -C /tmp -czf dxil-jit-gpu.tar.gz dxil-jit-gpu",
        GPU_BUNDLE,
    ),
    (
        "docs/gpu.md",
        "./dxil-jit-gpu/run.sh --out results",
        GPU_BUNDLE,
    ),
    (
        "docs/capi.md",
        "rustup target add x86_64-pc-windows-gnu i686-pc-windows-gnu",
        WINDOWS,
    ),
    (
        "docs/capi.md",
        ". $(tools/setup-windows.sh) && tools/test-windows.sh --profile release",
        WINDOWS,
    ),
    ("docs/packaging.md", "tools/package.sh", PACKAGES),
    (
        "docs/packaging.md",
        "tools/package.sh --profile release",
        PACKAGES,
    ),
    (
        "docs/packaging.md",
        "tools/test-package.sh target/package",
        PACKAGES,
    ),
    (
        "docs/packaging.md",
        "cargo publish --dry-run -p dxil-texel -p dxil-frontend -p dxil-translate -p dxil-cpu -p dxil-debug -p dxil-inspect -p dxil-runtime -p dxil-jit",
        PUBLISH,
    ),
    (
        "docs/packaging.md",
        "rustup target add x86_64-pc-windows-gnu",
        WINDOWS,
    ),
    (
        "docs/packaging.md",
        "apt install gcc-mingw-w64-x86-64",
        WINDOWS,
    ),
    (
        "docs/packaging.md",
        "tools/install-capi.sh --target x86_64-pc-windows-gnu /opt/dxil-jit-win64",
        WINDOWS,
    ),
    ("docs/python.md", "pip install ./runtime/python", PYTHON),
    (
        "docs/python.md",
        "python runtime/python/examples/translate.py --target wgsl --out code hwtests/shaders/flow/collatz.dxil",
        PYTHON,
    ),
    (
        "docs/python.md",
        "python runtime/python/examples/collatz.py --backend cpu --out collatz.png",
        PYTHON,
    ),
    ("fuzz/README.md", "cargo install cargo-fuzz", FETCHES),
    ("fuzz/README.md", "fuzz/seed.sh", FUZZING),
    (
        "fuzz/README.md",
        "cargo +nightly fuzz run container -- -max_total_time=60",
        FUZZING,
    ),
    ("fuzz/README.md", "cd fuzz", FUZZING),
    (
        "fuzz/README.md",
        "cargo run --release --no-default-features --features commands --bin mutants -- yaml --count 20000 corpus/yaml",
        FUZZING,
    ),
    (
        "fuzz/README.md",
        "cargo run --release --no-default-features --bin mutants -- shader --count 100000 --extensions dxil,dxbc --validate 100 ..",
        FUZZING,
    ),
];

/// A command of a document with the output that is shown for it.
#[derive(Debug)]
struct Shown {
    words: Vec<String>,
    output: Vec<String>,
}

impl Shown {
    fn of(line: &str) -> Shown {
        assert!(!line.ends_with('\\'), "a command on several lines: {line}");
        Shown {
            words: words(line),
            output: Vec::new(),
        }
    }

    fn line(&self) -> String {
        self.words.join(" ")
    }

    /// Returns why the command does not run here.
    fn reason(&self, document: &str) -> Option<&'static str> {
        let line = self.line();
        let mut rows = NOT_RUN.iter();
        rows.find(|(of, listed, _)| *of == document && *listed == line)
            .map(|(.., reason)| *reason)
    }
}

/// Returns the commands of a document's blocks of the languages `console` and `sh`.
fn commands(document: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut language = None;
    for line in document.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            language = if language.is_none() { Some(info) } else { None };
            continue;
        }
        let Some(language) = language else {
            continue;
        };
        let command = line.strip_prefix("$ ");
        match language {
            "console" => match (command, commands.last_mut()) {
                (Some(command), _) => commands.push(Shown::of(command)),
                (None, Some(last)) => last.output.push(line.to_owned()),
                (None, None) => panic!("an output without a command: {line}"),
            },
            "sh" => {
                if !words(line).is_empty() {
                    commands.push(Shown::of(line));
                }
            }
            other => {
                let is_shell = matches!(other, "bash" | "shell" | "zsh" | "shell-session");
                assert!(!is_shell && command.is_none(), "{other:?}: console or sh");
            }
        }
    }
    commands
}

/// Returns the words of a command line up to a comment; quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '#') if word.is_empty() => break,
            (None, ' ') => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns a line without times and trailing spaces.
fn normalized(line: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for word in line.trim_end().split(' ') {
        let unit = word.trim_end_matches([',', ';']);
        let is_number = out.last().is_some_and(|last| last.parse::<f64>().is_ok());
        if matches!(unit, "us" | "ms" | "s") && is_number {
            out.pop();
            out.push(format!("T{}", &word[unit.len()..]));
        } else {
            out.push(word.to_owned());
        }
    }
    out.join(" ")
}

/// Returns whether lines are what a document shows, where `...` stands for any lines.
fn matches_shown(shown: &[String], lines: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|skipped| matches_shown(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, lines)| line == first && matches_shown(rest, lines)),
    }
}

/// Returns the files that documents name without saying where they are from.
fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("documents")
        .join(test);
    fs::create_dir_all(&folder).unwrap();
    let data = root().join("runtime/tests/data");
    for (name, from) in [
        ("cs.dxil", "picture.dxil"),
        ("vs.dxil", "triangle_vs.dxil"),
        ("ps.dxil", "triangle_ps.dxil"),
        (
            "lib.dxil",
            "../../../frontend/tests/data/ops/basic_pipeline.dxil",
        ),
        ("named.dxil", "named.dxil"),
        ("old.dxil", "saxpy.dxil"),
        ("new.dxil", "saxpy.dxil"),
    ] {
        fs::copy(data.join(from), folder.join(name)).unwrap();
    }
    // DXC is not part of the tests: this one knows a single program.
    fs::write(
        folder.join("cs.hlsl"),
        "[numthreads(4, 1, 1)] void main() {}",
    )
    .unwrap();
    let compiler = folder.join("dxc");
    let script = "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  [ $1 = -Fo ] && cp \"$(dirname \"$0\")/named.dxil\" \"$2\"\n  shift\ndone\n";
    fs::write(&compiler, script).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    }
    image::RgbaImage::from_pixel(16, 16, image::Rgba([8, 16, 24, 255]))
        .save(folder.join("photo.png"))
        .unwrap();
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    fs::write(folder.join("house.obj"), triangle).unwrap();
    let gltf = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,
        "uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
    fs::write(folder.join("mesh.glb"), gltf).unwrap();
    fs::write(folder.join("mesh.obj"), triangle).unwrap();
    let made = call(
        &folder,
        &words("dxil-run named.dxil --dispatch 1 --backend cpu --out dst=particles.npy"),
    );
    assert!(made.status.success(), "{}", stderr(&made));
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command. What needs no file of the test runs in the checkout.
fn call(folder: &Path, words: &[String]) -> Output {
    let program = match words[0].as_str() {
        "dxil-run" | "tools/run.sh" => env!("CARGO_BIN_EXE_dxil-run"),
        "dxil-dis" => env!("CARGO_BIN_EXE_dxil-dis"),
        "dxil-val" => env!("CARGO_BIN_EXE_dxil-val"),
        "dxil-sign" => env!("CARGO_BIN_EXE_dxil-sign"),
        "dxil-edit" => env!("CARGO_BIN_EXE_dxil-edit"),
        "dxil-as" => env!("CARGO_BIN_EXE_dxil-as"),
        "dxbc2dxil" => env!("CARGO_BIN_EXE_dxbc2dxil"),
        "dxil-opt" => env!("CARGO_BIN_EXE_dxil-opt"),
        "dxil-debug" => env!("CARGO_BIN_EXE_dxil-debug"),
        other => panic!("{other} is no command of this package"),
    };
    let mut command = Command::new(program);
    command.args(&words[1..]).env("DXC", folder.join("dxc"));
    let is_in_checkout = words.iter().any(|word| root().join(word).is_file());
    command.current_dir(if is_in_checkout {
        root()
    } else {
        folder.to_owned()
    });
    if words[0] == "tools/run.sh" {
        // The script is for machines without a driver.
        command.env("VK_DRIVER_FILES", "/nonexistent");
    }
    command.output().unwrap()
}

fn commands_of(document: &str) -> Vec<Shown> {
    commands(&fs::read_to_string(root().join(document)).unwrap())
}

#[track_caller]
fn check(document: &str) {
    let commands = commands_of(document);
    assert!(!commands.is_empty(), "{document} shows no commands");
    let folder = scratch(&document.replace(['/', '.'], "_"));
    for shown in commands {
        if shown.reason(document).is_some() {
            continue;
        }
        let line = shown.line();
        let output = call(&folder, &shown.words);
        assert!(
            output.status.success(),
            "{document}: {line}: {}",
            stderr(&output)
        );
        let mut expected: Vec<String> = shown.output.iter().map(|line| normalized(line)).collect();
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
        if expected.is_empty() {
            continue;
        }
        // Terminals show both streams.
        let both = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        let mut lines: Vec<String> = both.lines().map(normalized).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        assert!(
            matches_shown(&expected, &lines),
            "{document} shows for {line}\n{}\nand it prints\n{}",
            expected.join("\n"),
            lines.join("\n")
        );
    }
}

/// The documents with commands that run. Each has a test of its own.
const RUN: [&str; 7] = [
    "README.md",
    "docs/commands.md",
    "docs/recipes.md",
    "docs/tour.md",
    "docs/isa.md",
    "docs/cpu.md",
    "docs/debugging.md",
];

#[test]
fn the_readme_shows_what_its_commands_print() {
    check(RUN[0]);
}

#[test]
fn the_page_of_the_commands_shows_what_they_print() {
    check(RUN[1]);
}

#[test]
fn the_recipes_show_what_their_commands_print() {
    check(RUN[2]);
}

#[test]
fn the_tour_shows_what_its_commands_print() {
    check(RUN[3]);
}

#[test]
fn the_page_of_machine_code_shows_what_its_commands_print() {
    check(RUN[4]);
}

#[test]
fn the_page_of_the_cpu_backend_shows_what_its_commands_print() {
    check(RUN[5]);
}

#[test]
fn the_page_of_the_debugger_shows_what_its_commands_print() {
    check(RUN[6]);
}

/// Returns the Markdown files of the checkout that people read.
fn documents() -> Vec<String> {
    let folders = [
        "",
        "bench",
        "docs",
        "docs/upstream",
        "fuzz",
        "runtime/python",
    ];
    let files = folders.iter().flat_map(|folder| {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        entries.map(move |entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = Path::new(folder).join(name);
            path.to_str().unwrap().replace('\\', "/")
        })
    });
    files.filter(|file| file.ends_with(".md")).collect()
}

#[test]
fn every_command_of_the_documents_runs_or_is_listed_with_a_reason() {
    let mut listed: Vec<(String, String)> = Vec::new();
    for document in documents() {
        for shown in commands_of(&document) {
            match shown.reason(&document) {
                Some(_) => listed.push((document.clone(), shown.line())),
                None => assert!(
                    RUN.contains(&document.as_str()),
                    "{document}: nothing runs `{}`; NOT_RUN says why, or RUN has the document",
                    shown.line()
                ),
            }
        }
    }
    for (document, line, reason) in NOT_RUN {
        assert!(!reason.is_empty(), "{document}: {line}");
        let row = (document.to_owned(), line.to_owned());
        assert!(listed.contains(&row), "{document} shows no more {line}");
    }
}

#[test]
fn commands_and_outputs_are_told_apart() {
    let text =
        "```console\n$ a 'b c' d   # e\nout\n...\n$ f\n```\n```c\ng\n```\n```sh\n# h\ni j\n```\n";
    let commands = commands(text);
    assert_eq!(commands.len(), 3);
    assert_eq!(commands[2].words, ["i", "j"]);
    assert!(commands[2].output.is_empty());
    assert_eq!(commands[0].words, ["a", "b c", "d"]);
    assert_eq!(commands[0].output, ["out", "..."]);
    assert_eq!(normalized("in 1.5 us, or 2 ms"), "in T, or T");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches_shown(&lines("a\n...\nb"), &lines("a\nx\ny\nb")));
    assert!(!matches_shown(&lines("a\n...\nb"), &lines("a\nx")));
    assert!(!matches_shown(&lines("a"), &lines("a\nb")));
}
