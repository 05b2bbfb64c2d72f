//! `dxil-val` and `dxil-sign` as a user types them: text, JSON, SARIF, exit status, written files.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A shader without violations, and one that breaks two rules.
const VALID: &str = "hwtests/shaders/flow/collatz.dxil";
const INVALID: &str = "hwtests/shaders/flow/pointer_phis.dxil";

fn run(program: &str, args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(program);
    command.args(args).current_dir(root).output().unwrap()
}

fn val(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxil-val"), args)
}

fn sign(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxil-sign"), args)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns a file in a folder that is removed at the end of the test.
fn file_in(folder: &tempfile::TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let text = path.to_str().unwrap().to_owned();
    (path, text)
}

#[test]
fn a_valid_shader_is_reported_with_status_0() {
    let output = val(&[VALID]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), format!("{VALID}: valid (validator 1.7)\n"));
    let quiet = val(&["--quiet", VALID]);
    assert_eq!((quiet.status.code(), &*stdout(&quiet)), (Some(0), ""));
}

#[test]
fn a_pdb_file_has_the_rules_of_its_module() {
    for name in ["tripled", "tripled_slim", "tinted"] {
        let file = format!("frontend/tests/data/pdb/{name}.pdb");
        let output = val(&[&file]);
        assert!(output.status.success(), "{}", stdout(&output));
        assert!(stdout(&output).contains(": valid"), "{}", stdout(&output));
    }
}

#[test]
fn violations_name_rule_and_place_and_give_status_1() {
    let output = val(&[VALID, INVALID]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let broken: Vec<&str> = text.lines().filter(|line| line.contains("error")).collect();
    assert_eq!(broken.len(), 2, "{text}");
    assert!(broken[0].starts_with(&format!("{INVALID}: error: INSTR.")));
    assert!(broken.iter().all(|line| line.contains("@main b")), "{text}");
}

#[test]
fn json_has_an_object_for_each_file() {
    let output = val(&["--json", VALID, INVALID]);
    assert_eq!(output.status.code(), Some(1));
    let files = json(&output);
    assert_eq!(files[0]["valid"], true);
    assert_eq!(files[0]["violations"].as_array().unwrap().len(), 0);
    assert_eq!(files[1]["file"], INVALID);
    assert_eq!(files[1]["valid"], false);
    let violation = &files[1]["violations"][1];
    assert_eq!(violation["rule"], "INSTR.INBOUNDSACCESS");
    assert_eq!(violation["function"], "main");
    assert_eq!(violation["severity"], "error");
}

#[test]
fn sarif_has_a_result_for_each_violation() {
    let log = json(&val(&["--sarif", INVALID]));
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "dxil-val");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], INVALID);
        assert!(place["region"]["byteOffset"].as_u64().unwrap() > 0);
    }
}

#[test]
fn folders_are_searched_and_rules_are_listed() {
    let output = val(&["--json", "hwtests/shaders/flow"]);
    let files = json(&output);
    let names: Vec<&str> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["file"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&VALID) && names.contains(&INVALID),
        "{names:?}"
    );

    let rules = val(&["--rules"]);
    assert_eq!(rules.status.code(), Some(0));
    assert!(stdout(&rules).contains("INSTR.INBOUNDSACCESS"));
    // Nothing is validated then.
    for option in [VALID, "--werror", "--uniformity", "--quiet"] {
        let output = val(&["--rules", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert!(stderr(&output).contains("cannot be used with"), "{option}");
    }
}

#[test]
fn patterns_name_the_files_that_they_match() {
    let names = |pattern: &str| {
        let output = val(&["--json", pattern]);
        let files = json(&output);
        let files = files.as_array().unwrap().iter();
        files
            .map(|file| file["file"].as_str().unwrap().to_owned())
            .collect::<Vec<String>>()
    };
    assert_eq!(names("hwtests/shaders/flow/colla*.dxil"), [VALID]);
    let below = names("hwtests/**/pointer_phi?.dxil");
    assert_eq!(below, [INVALID]);
    // A folder that matches is searched.
    assert!(names("hwtests/shaders/flo[w]").contains(&VALID.to_owned()));

    let nothing = val(&["no/such/*.dxil", VALID]);
    assert_eq!(nothing.status.code(), Some(9));
    assert_eq!(
        stderr(&nothing),
        "dxil-val: no/such/*.dxil: no file matches the pattern\n"
    );
    assert!(stdout(&nothing).starts_with(VALID));
    assert_eq!(val(&["no/such/***"]).status.code(), Some(2));
}

/// Walks end where links make loops, find deep files, and open no pipes.
#[test]
#[cfg(unix)]
fn a_folder_gives_each_regular_file_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path();
    let deep = base.join("d/".repeat(500));
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::copy(root.join(VALID), deep.join("deep.dxil")).unwrap();
    let inner = base.join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::copy(root.join(VALID), inner.join("a.dxil")).unwrap();
    std::os::unix::fs::symlink(".", base.join("loop")).unwrap();
    std::os::unix::fs::symlink("..", inner.join("up")).unwrap();
    std::os::unix::fs::symlink("a.dxil", inner.join("again.dxil")).unwrap();
    let pipe = Command::new("mkfifo").arg(base.join("p.dxil")).status();
    assert!(pipe.unwrap().success());

    let output = val(&["--json", base.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let files = json(&output);
    let names = (files.as_array().unwrap().iter())
        .map(|file| Path::new(file["file"].as_str().unwrap()).to_owned());
    let expected = [deep.join("deep.dxil"), inner.join("a.dxil")];
    assert_eq!(names.collect::<Vec<PathBuf>>(), expected);
}

#[test]
fn a_name_with_the_characters_of_a_pattern_is_a_file_if_it_exists() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file_in(&folder, "array[4].dxil");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::copy(root.join(VALID), path).unwrap();
    let output = val(&[&name]);
    assert_eq!(stdout(&output), format!("{name}: valid (validator 1.7)\n"));
}

/// A container whose HASH part is not that of its bitcode, which is a warning.
#[test]
fn a_warning_is_an_error_only_with_werror() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file_in(&folder, "warned.dxil");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut bytes = std::fs::read(root.join(VALID)).unwrap();
    let hash = bytes.windows(4).position(|four| four == b"HASH").unwrap();
    // After the header of the part are four bytes of flags and the sum.
    bytes[hash + 12] ^= 1;
    std::fs::write(path, &bytes).unwrap();
    let output = val(&[&name]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("warning: CONTAINER.SHADERHASH"));
    assert_eq!(val(&["--werror", &name]).status.code(), Some(1));
    let log = json(&val(&["--sarif", "--werror", &name]));
    assert_eq!(log["runs"][0]["results"][0]["level"], "error");
}

#[test]
fn wrong_command_lines_and_missing_files_have_their_own_status() {
    assert_eq!(val(&[]).status.code(), Some(2));
    assert_eq!(
        val(&["--validator-version", "2.0", VALID]).status.code(),
        Some(2)
    );
    let missing = val(&["no/such/file.dxil"]);
    assert_eq!(missing.status.code(), Some(9));
    assert!(stderr(&missing).starts_with("dxil-val: no/such/file.dxil: "));
    assert_eq!(sign(&[VALID]).status.code(), Some(2));
    assert_eq!(
        sign(&["--check", "no/such/file.dxil"]).status.code(),
        Some(9)
    );
}

#[test]
fn a_signed_container_has_a_valid_digest_until_it_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file_in(&folder, "signed.dxil");
    let unsigned = sign(&["--check", VALID]);
    assert_eq!(unsigned.status.code(), Some(1));
    assert_eq!(stdout(&unsigned), format!("{VALID}: not signed\n"));

    let signed = sign(&[VALID, "-o", &name]);
    assert_eq!(signed.status.code(), Some(0), "{}", stderr(&signed));
    assert_eq!(
        stdout(&sign(&["--check", &name])),
        format!("{name}: valid\n")
    );

    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let changed = sign(&["--check", &name]);
    assert_eq!(changed.status.code(), Some(1));
    assert_eq!(stdout(&changed), format!("{name}: the digest is wrong\n"));
    assert!(stdout(&val(&[&name])).contains("CONTAINER.DIGEST"));
}

#[test]
fn digests_of_folders_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let (_, one) = file_in(&folder, "one.dxil");
    let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders");
    std::fs::copy(shaders.join("flow/collatz.dxil"), &one).unwrap();
    let check = sign(&["--check", folder.path().to_str().unwrap()]);
    assert_eq!(check.status.code(), sign(&["--check", &one]).status.code());
    assert!(String::from_utf8_lossy(&check.stdout).contains("one.dxil"));
    let empty = tempfile::tempdir().unwrap();
    let nothing = sign(&["--check", empty.path().to_str().unwrap()]);
    assert_eq!(nothing.status.code(), Some(9));
}

#[test]
fn a_shader_that_breaks_rules_is_not_signed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file_in(&folder, "refused.dxil");
    let refused = sign(&[INVALID, "-o", &name]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("INSTR.INBOUNDSACCESS"));
    assert!(!path.exists());

    let forced = sign(&["--no-validation", INVALID, "-o", &name]);
    assert_eq!(forced.status.code(), Some(0));
    assert_eq!(
        stdout(&sign(&["--check", &name])),
        format!("{name}: valid\n")
    );
}
