//! What all commands with files have in common: files, folders and patterns; `-q`; `--json`; an
//! empty folder is a failure; a pipe that was found is not opened. The table is that of
//! `docs/commands.md`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A command, and how the tests call it.
struct Row {
    name: &'static str,
    program: &'static str,
    /// Options before the files.
    options: &'static [&'static str],
    /// Whether it writes a file for each, with `-o`.
    writes: bool,
    /// An input, in a checkout, and the extension that folders are searched for.
    input: &'static str,
    extension: &'static str,
    /// What `-q` leaves out of standard output.
    quiet: Quiet,
    /// The key of a file's name in its JSON object.
    key: &'static str,
}

/// The effect of `-q` where everything is well.
#[derive(PartialEq)]
enum Quiet {
    /// Nothing is printed.
    Silent,
    /// Less is printed.
    Shorter,
    /// The same is printed; notes on standard error are left out.
    Notes,
}

const SHADER: &str = "hwtests/shaders/flow/collatz.dxil";

const TABLE: [Row; 8] = [
    Row {
        name: "dxil-run",
        program: env!("CARGO_BIN_EXE_dxil-run"),
        options: &["--dispatch", "1", "--backend", "cpu", "--no-cache"],
        writes: false,
        input: SHADER,
        extension: "dxil",
        quiet: Quiet::Shorter,
        key: "file",
    },
    Row {
        name: "dxil-dis",
        program: env!("CARGO_BIN_EXE_dxil-dis"),
        options: &[],
        writes: false,
        input: SHADER,
        extension: "dxil",
        quiet: Quiet::Notes,
        key: "file",
    },
    Row {
        name: "dxil-as",
        program: env!("CARGO_BIN_EXE_dxil-as"),
        options: &[],
        writes: true,
        input: "",
        extension: "ll",
        quiet: Quiet::Silent,
        key: "file",
    },
    Row {
        name: "dxil-edit",
        program: env!("CARGO_BIN_EXE_dxil-edit"),
        options: &["--strip", "debug"],
        writes: true,
        input: SHADER,
        extension: "dxil",
        quiet: Quiet::Silent,
        key: "file",
    },
    Row {
        name: "dxil-opt",
        program: env!("CARGO_BIN_EXE_dxil-opt"),
        options: &[],
        writes: true,
        input: SHADER,
        extension: "dxil",
        quiet: Quiet::Silent,
        key: "file",
    },
    Row {
        name: "dxbc2dxil",
        program: env!("CARGO_BIN_EXE_dxbc2dxil"),
        options: &[],
        writes: true,
        input: "hwtests/shaders/flow/hints.dxbc",
        extension: "dxbc",
        quiet: Quiet::Silent,
        key: "file",
    },
    Row {
        name: "dxil-val",
        program: env!("CARGO_BIN_EXE_dxil-val"),
        options: &[],
        writes: false,
        input: SHADER,
        extension: "dxil",
        quiet: Quiet::Silent,
        key: "file",
    },
    Row {
        name: "dxil-sign",
        program: env!("CARGO_BIN_EXE_dxil-sign"),
        options: &[],
        writes: true,
        input: SHADER,
        extension: "dxil",
        quiet: Quiet::Silent,
        key: "file",
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Row {
    fn bytes(&self) -> Vec<u8> {
        if self.extension != "ll" {
            return fs::read(root().join(self.input)).unwrap();
        }
        let mut listing = Command::new(env!("CARGO_BIN_EXE_dxil-dis"));
        let listing = listing.arg("--llvm").arg(root().join(SHADER)).output();
        listing.unwrap().stdout
    }

    /// Makes a folder `in` with `one.EXT` and `sub/two.EXT`, beside a file of another kind.
    fn folder(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("in/sub");
        fs::create_dir_all(&below).unwrap();
        let bytes = self.bytes();
        fs::write(self.one(&folder), &bytes).unwrap();
        fs::write(below.join(format!("two.{}", self.extension)), &bytes).unwrap();
        fs::write(folder.path().join("in/notes.txt"), "no shader").unwrap();
        folder
    }

    fn one(&self, folder: &tempfile::TempDir) -> PathBuf {
        folder.path().join(format!("in/one.{}", self.extension))
    }

    /// Runs the command in a folder, for at most half a minute.
    fn run(&self, folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.program);
        command.args(self.options).args(arguments);
        if self.writes {
            command.args(["-o", "out/"]);
        }
        command.current_dir(folder.path()).stdin(Stdio::null());
        // Standard output and standard error go to files, so that no pipe fills up.
        let file = |name: &str| fs::File::create(folder.path().join(name)).unwrap();
        let streams = (file("stdout"), file("stderr"));
        let mut child = command.stdout(streams.0).stderr(streams.1).spawn().unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > Duration::from_secs(30) {
                child.kill().unwrap();
                panic!("{} {arguments:?} does not end", self.name);
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let text = |name: &str| fs::read(folder.path().join(name)).unwrap();
        Output {
            status,
            stdout: text("stdout"),
            stderr: text("stderr"),
        }
    }

    fn done(&self, folder: &tempfile::TempDir, arguments: &[&str]) -> String {
        let output = self.run(folder, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let status = output.status;
        assert!(status.success(), "{} {arguments:?}: {stderr}", self.name);
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the names of the files in the JSON that the command prints.
    fn names(&self, json: &str) -> Vec<String> {
        let value: Value = serde_json::from_str(json).unwrap();
        let rows = value.as_array().unwrap().iter();
        let names = rows.map(|row| row[self.key].as_str().unwrap().to_owned());
        names.collect()
    }

    fn both(&self) -> [String; 2] {
        ["in/one", "in/sub/two"].map(|name| format!("{name}.{}", self.extension))
    }
}

#[test]
fn files_folders_and_patterns_stand_for_the_same_files() {
    for row in &TABLE {
        let folder = row.folder();
        let pattern = format!("in/**/*.{}", row.extension);
        for argument in ["in", &pattern] {
            let json = row.done(&folder, &[argument, "--json"]);
            assert_eq!(row.names(&json), row.both(), "{} {argument}", row.name);
        }
        if row.writes {
            let extension = match row.extension {
                "ll" | "dxbc" => "dxil",
                other => other,
            };
            for name in ["out/one", "out/sub/two"] {
                let path = folder.path().join(format!("{name}.{extension}"));
                assert!(path.is_file(), "{}: {}", row.name, path.display());
            }
        }
        let [one, two] = row.both();
        row.done(&folder, &[&one]);
        // Two files are two stages to dxil-run, and would be the same name in one folder.
        if !row.writes && row.name != "dxil-run" {
            let json = row.done(&folder, &[&one, &two, "--json"]);
            assert_eq!(row.names(&json), row.both(), "{}", row.name);
        }
    }
}

#[test]
fn quiet_leaves_out_what_is_as_expected() {
    for row in &TABLE {
        let folder = row.folder();
        let loud = row.done(&folder, &["in"]);
        assert!(!loud.is_empty(), "{}", row.name);
        for option in ["-q", "--quiet"] {
            let quiet = row.done(&folder, &["in", option]);
            let holds = match row.quiet {
                Quiet::Silent => quiet.is_empty(),
                Quiet::Shorter => !quiet.is_empty() && quiet.len() < loud.len(),
                Quiet::Notes => quiet == loud,
            };
            assert!(holds, "{} {option}: {quiet}", row.name);
        }
    }
}

#[test]
fn a_folder_or_pattern_without_files_is_a_failure() {
    for row in &TABLE {
        let folder = row.folder();
        fs::create_dir_all(folder.path().join("empty/sub")).unwrap();
        let ends = format!("in/*.{}x", row.extension);
        for argument in ["empty", "empty/*", &ends] {
            let output = row.run(&folder, &[argument]);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(9), "{}: {stderr}", row.name);
            assert!(stderr.contains(argument.trim_end_matches("/*")), "{stderr}");
            assert!(stderr.contains("no file"), "{stderr}");
        }
    }
}

#[test]
fn a_bad_file_does_not_keep_the_others_from_being_done() {
    for row in &TABLE {
        let folder = row.folder();
        let bad = format!("in/bad.{}", row.extension);
        fs::write(folder.path().join(&bad), "DXBC, but no more").unwrap();
        let output = row.run(&folder, &["in", "--json"]);
        // For the validator a malformed container is a broken rule.
        let expected = if row.name == "dxil-val" { 1 } else { 3 };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{}: {stderr}",
            row.name
        );
        let names = row.names(std::str::from_utf8(&output.stdout).unwrap());
        for name in row.both() {
            assert!(names.contains(&name), "{}: {names:?}", row.name);
        }
        assert!(
            names.contains(&bad) || stderr.contains(&bad),
            "{}",
            row.name
        );
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_that_was_found_is_not_opened() {
    for row in &TABLE {
        let folder = row.folder();
        let pipe = folder.path().join(format!("in/pipe.{}", row.extension));
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let pattern = format!("in/*.{}", row.extension);
        let json = row.done(&folder, &["in", "--json"]);
        assert_eq!(row.names(&json), row.both(), "{}", row.name);
        let json = row.done(&folder, &[&pattern, "--json"]);
        assert_eq!(row.names(&json), row.both()[..1], "{}", row.name);
    }
}

#[test]
fn problems_with_the_output_are_found_before_anything_is_made() {
    for row in TABLE.iter().filter(|row| row.writes) {
        let folder = row.folder();
        let [one, two] = row.both();
        let same = format!("in/sub/one.{}", row.extension);
        fs::copy(folder.path().join(&two), folder.path().join(&same)).unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let cases: [(&[&str], i32, &str); 3] = [
            (&["in", "-o", "file"], 2, "this is a file"),
            (&[&one, &same, "-o", "new"], 2, "two of the files"),
            (&[&one, "-o", "missing/new"], 9, "missing/new"),
        ];
        for (arguments, code, message) in cases {
            let mut command = Command::new(row.program);
            command.args(row.options).args(arguments);
            let output = command.current_dir(folder.path()).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            let name = row.name;
            assert_eq!(output.status.code(), Some(code), "{name}: {stderr}");
            assert!(stderr.contains(message), "{name}: {stderr}");
            assert!(!folder.path().join("new").exists(), "{name}");
        }
    }
}

#[test]
fn shaders_of_a_folder_run_one_after_the_other() {
    let row = &TABLE[0];
    let folder = row.folder();
    let text = row.done(&folder, &["in", "-q"]);
    for name in row.both() {
        assert!(text.contains(&format!("{name}:\n")), "{text}");
    }
    let json: Value = serde_json::from_str(&row.done(&folder, &["in", "--json"])).unwrap();
    for shader in json.as_array().unwrap() {
        assert_eq!(shader["exit"], 0);
        assert_eq!(shader["result"]["outputs"][0]["name"], "Out");
    }
    let log = ["in", "--check", "--sarif", "log.sarif"];
    row.done(&folder, &log);
    let log = fs::read_to_string(folder.path().join("log.sarif")).unwrap();
    let log: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(log["runs"].as_array().unwrap().len(), 2);
    let output = row.run(&folder, &["in", &row.both()[0]]);
    assert_eq!(output.status.code(), Some(2));

    let mut command = Command::new(row.program);
    command.args(["in", "--emit", "wgsl", "-o", "code", "--reflect", "code"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    for name in ["one.wgsl", "one.json", "sub/two.wgsl", "sub/two.json"] {
        let bytes = fs::read(folder.path().join("code").join(name)).unwrap();
        assert!(!bytes.is_empty(), "{name}");
    }
}

/// Compilers are scripts here: what is tested is how they are called, and what is said of them.
#[cfg(unix)]
#[test]
fn slang_becomes_hlsl_and_a_crash_is_told_from_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let shader = root().join(SHADER).canonicalize().unwrap();
    let log = r#"echo "$@" > "$(dirname "$0")/$(basename "$0").log""#;
    let last = r#"for out; do :; done"#;
    let slangc = script(
        "slangc",
        &format!("{log}\n{last}\necho '// hlsl' > \"$out\""),
    );
    let find = r#"while [ "$1" != -Fo ]; do shift; done"#;
    let dxc = script(
        "dxc",
        &format!("{log}\n{find}\ncp {} \"$2\"", shader.display()),
    );
    let crash = script("crash", "kill -ABRT $$");
    let refuse = script("refuse", "echo 'line 1: no' >&2; exit 1");
    fs::write(folder.path().join("a.slang"), "").unwrap();
    let run = |slangc: &Path, dxc: &Path| {
        let mut command = Command::new(TABLE[0].program);
        command.args([
            "a.slang", "-T", "cs_6_6", "-E", "main", "-D", "N=4", "-I", "inc",
        ]);
        command.args(["--dispatch", "1", "--backend", "cpu", "--no-cache", "-q"]);
        command.env("SLANGC", slangc).env("DXC", dxc);
        let output = command.current_dir(folder.path()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), stderr)
    };
    let (code, said) = run(&slangc, &dxc);
    assert_eq!(code, Some(0), "{said}");
    let called = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let slang = called("slangc.log");
    let expected =
        "a.slang -target hlsl -profile sm_6_6 -entry main -stage compute -DN=4 -I inc -o ";
    assert!(slang.starts_with(expected), "{slang}");
    let dxc_line = called("dxc.log");
    assert!(dxc_line.starts_with("-T cs_6_6 -E main -Fo "), "{dxc_line}");
    assert!(dxc_line.trim_end().ends_with("slang.hlsl"), "{dxc_line}");

    let missing = folder.path().join("none");
    for (slangc, dxc, code, part) in [
        (&crash, &dxc, 4, "a.slang: slangc crashed"),
        (&slangc, &crash, 4, "a.slang: DXC crashed"),
        (&refuse, &dxc, 3, "a.slang: slangc refuses it:\nline 1: no"),
        (&missing, &dxc, 9, "environment variable SLANGC"),
        (&slangc, &slangc, 2, "name it in SLANGC"),
    ] {
        let (found, said) = run(slangc, dxc);
        assert_eq!(found, Some(code), "{said}");
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn the_page_of_the_commands_has_the_same_table() {
    let page = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    for row in &TABLE {
        let output = if row.writes { "a folder" } else { "" };
        let lines = page.lines();
        let mut lines = lines.filter(|line| line.starts_with(&format!("| `{}` |", row.name)));
        let line = lines
            .next()
            .unwrap_or_else(|| panic!("no row of {}", row.name));
        assert!(line.contains(&format!(".{}", row.extension)), "{line}");
        assert!(line.contains(output), "{line}");
    }
}
