//! Files that mean harm: names that lead out of a folder, text that commands a terminal, sizes that
//! nothing holds. The commands refuse or escape it, whatever they are asked to show.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dxil_frontend::escape::{MAX_MESSAGE_BYTES, is_hidden};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data")
        .join(name)
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/hostile")
        .join(name)
}

fn dis(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-dis"))
        .args(arguments)
        .arg(file)
        .output()
        .unwrap()
}

fn run(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args(arguments)
        .arg(file)
        .output()
        .unwrap()
}

/// Asserts that neither stream holds control codes that a terminal obeys.
#[track_caller]
fn commands_no_terminal(output: &Output) {
    for stream in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(stream).unwrap();
        let odd = text
            .chars()
            .find(|c| *c != '\n' && *c != '\t' && is_hidden(*c));
        assert_eq!(odd, None, "{text:?}");
    }
    assert!(output.stderr.len() <= 2 * MAX_MESSAGE_BYTES);
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path))
        } else {
            found.push(path)
        }
    }
    found
}

#[test]
fn sources_are_written_below_the_folder_and_nowhere_else() {
    let shader = own("source_name_leaves_the_folder.bin");
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("a/b/c");
    std::fs::create_dir_all(&inner).unwrap();
    let output = dis(&[&format!("--sources={}", inner.display())], &shader);
    commands_no_terminal(&output);
    assert!(output.status.success(), "{output:?}");
    let written = files(outer.path());
    assert!(!written.is_empty());
    for path in &written {
        assert!(path.starts_with(&inner), "{}", path.display());
    }
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), written.len(), "{said}");
}

#[test]
fn names_are_shown_with_their_control_characters_escaped() {
    let shader = own("escapes_in_names.bin");
    for way in [
        &[][..],
        &["--llvm"],
        &["--list"],
        &["--cfg"],
        &["--cfg=dot"],
        &["--sources"],
        &["-S"],
        &["-g"],
    ] {
        let output = dis(way, &shader);
        commands_no_terminal(&output);
    }
    for language in ["spvasm", "wgsl", "hlsl", "msl", "glsl"] {
        commands_no_terminal(&run(&["--emit", language], &shader));
    }
    let output = run(
        &["--dispatch", "1", "--no-cache", "--timeout", "60"],
        &shader,
    );
    commands_no_terminal(&output);
    // The report has the name that only STAT keeps.
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\\u{1b}["), "the name is not shown: {text}");
}

#[test]
fn the_name_of_a_file_is_text_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a\u{1b}[31m\u{202e}b.dxil");
    std::fs::write(&path, "no shader").unwrap();
    commands_no_terminal(&dis(&[], &path));
    commands_no_terminal(&run(&["--dispatch", "1"], &path));
    commands_no_terminal(&run(&["--pipeline"], &path));
    commands_no_terminal(&run(&["--emit", "spv"], &folder.path().join("none\u{7}")));
}

#[test]
fn messages_are_bounded_whatever_they_quote() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x\u{1b}".repeat(100_000);
    let path = folder.path().join("long.yaml");
    for text in [
        format!("{long}: 1\n"),
        format!("Shaders: []\n{long}: 1\n"),
        format!("Shaders: [{{ Stage: {long} }}]\n"),
        format!(
            "Shaders: []\nBuffers: [{{ Name: \"{}\" }}, {{ Name: 1 }}]\n",
            "y".repeat(100_000)
        ),
    ] {
        std::fs::write(&path, text).unwrap();
        let output = run(&["--pipeline", path.to_str().unwrap()], &data("saxpy.dxil"));
        assert!(!output.status.success());
        commands_no_terminal(&output);
    }
    let path = folder.path().join("root.txt");
    std::fs::write(&path, format!("CBV({})", "z".repeat(100_000))).unwrap();
    let output = run(
        &[
            "--dispatch",
            "1",
            "--root-signature",
            path.to_str().unwrap(),
        ],
        &data("saxpy.dxil"),
    );
    assert_eq!(output.status.code(), Some(3));
    commands_no_terminal(&output);
}

#[test]
fn deep_nesting_is_an_error_in_every_kind_of_text() {
    let folder = tempfile::tempdir().unwrap();
    let saxpy = data("saxpy.dxil");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let root = write(
        "root.txt",
        &format!("DescriptorTable({}", "SRV(".repeat(50_000)),
    );
    let output = run(&["--dispatch", "1", "--root-signature", &root], &saxpy);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    for (open, close) in [("[", "]"), ("{ a: ", "}"), ("- ", ""), ("? ", "")] {
        let deep = format!(
            "Shaders: {}1{}\n",
            open.repeat(50_000),
            close.repeat(50_000)
        );
        for text in [
            deep.clone(),
            format!("Buffers:\n  - Name: A\n    Data: {deep}"),
        ] {
            let file = write("deep.yaml", &text);
            let output = run(&["--pipeline", &file], &saxpy);
            assert_eq!(output.status.code(), Some(3), "{output:?}");
            commands_no_terminal(&output);
        }
    }
    // Each line is ten times the one before.
    let mut bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\n".to_owned();
    for (one, next) in ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"].map(|pair| pair.split_at(1))
    {
        let uses = format!("*{one},").repeat(10);
        bomb.push_str(&format!("{next}: &{next} [{uses}]\n"));
    }
    let file = write("bomb.yaml", &format!("{bomb}Shaders: *i\n"));
    let output = run(&["--pipeline", &file], &saxpy);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

#[test]
fn buffers_of_a_file_are_bounded_together() {
    use dxil_jit::pipeline_file::Pipeline;
    let buffer = |name: &str, size: u64, array: u64| {
        format!("  - {{ Name: {name}, Format: Hex8, ArraySize: {array}, FillSize: {size} }}\n")
    };
    for second in [buffer("B", 1 << 30, 1), buffer("B", 1, 4_000_000_000)] {
        let text = format!("Shaders: []\nBuffers:\n{}{second}", buffer("A", 1 << 20, 1));
        let error = Pipeline::parse(&text).unwrap_err().to_string();
        assert!(
            error.contains("over a gibibyte") || error.contains("over 1000000"),
            "{error}"
        );
    }
}

#[test]
fn an_output_that_fails_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.spv");
    std::fs::write(&out, "before").unwrap();
    let name = out.to_str().unwrap();
    let broken = folder.path().join("broken.dxil");
    let mut bytes = std::fs::read(data("saxpy.dxil")).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&broken, bytes).unwrap();
    let output = run(&["--emit", "spv", "-o", name], &broken);
    assert!(!output.status.success());
    assert_eq!(std::fs::read(&out).unwrap(), b"before");
    let output = run(&["--emit", "spv", "-o", name], &data("saxpy.dxil"));
    assert!(output.status.success(), "{output:?}");
    assert!(
        std::fs::read(&out)
            .unwrap()
            .starts_with(&0x0723_0203u32.to_le_bytes())
    );
    assert_eq!(files(folder.path()).len(), 2, "nothing temporary is left");
}

#[test]
fn inputs_that_never_end_are_refused() {
    let unbounded = Path::new("/dev/zero");
    if !unbounded.exists() {
        return;
    }
    let output = run(&["--dispatch", "1"], unbounded);
    assert_eq!(output.status.code(), Some(9), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("longer than"));
    assert_eq!(dis(&[], unbounded).status.code(), Some(9));
}

#[test]
fn a_cache_that_others_write_to_is_refused() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let cache = folder.path().to_str().unwrap();
        let output = run(&["--dispatch", "1", "--cache", cache], &data("saxpy.dxil"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(9), "{error}");
        assert!(error.contains("delete it"), "{error}");
    }
}
