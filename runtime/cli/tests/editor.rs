//! `dxil-debug` under the client that Microsoft tests debug adapters with
//! (`@vscode/debugadapter-testsupport`, from npm).

#![allow(
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The client, in the version that the script was written for.
const CLIENT: &str = "@vscode/debugadapter-testsupport@1.68.0";

/// Why the client is not there.
enum Missing {
    /// `node` or `npm` does not run.
    Command(&'static str),
    /// npm could not fetch the client.
    Package(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Command(command) => write!(f, "{command} does not run"),
            Missing::Package(said) => write!(f, "npm says: {said}"),
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn runs(command: &'static str) -> Result<(), Missing> {
    let version = Command::new(command).arg("--version").output();
    let is_there = version.is_ok_and(|output| output.status.success());
    is_there.then_some(()).ok_or(Missing::Command(command))
}

fn text(output: &Output) -> String {
    let (stdout, stderr) = (&output.stdout, &output.stderr);
    format!(
        "{}{}",
        String::from_utf8_lossy(stdout),
        String::from_utf8_lossy(stderr)
    )
}

/// Returns a folder with the client.
fn client() -> Result<PathBuf, Missing> {
    runs("node")?;
    runs("npm")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    std::fs::create_dir_all(&folder).unwrap();
    let module = folder.join("node_modules/@vscode/debugadapter-testsupport");
    if !module.join("package.json").is_file() {
        let install = Command::new("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                CLIENT,
            ])
            .current_dir(&folder)
            .output()
            .unwrap();
        if !install.status.success() {
            return Err(Missing::Package(text(&install)));
        }
    }
    Ok(folder)
}

#[test]
fn the_client_of_visual_studio_code_debugs_a_shader() {
    let folder = match client() {
        Ok(folder) => folder,
        Err(missing) => {
            eprintln!("not run without node, npm and {CLIENT}: {missing}");
            return;
        }
    };
    let script = root().join("runtime/cli/tests/editor.js");
    let output = Command::new("node")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_dxil-debug"))
        .arg(
            root()
                .join("runtime/debug/tests/data")
                .canonicalize()
                .unwrap(),
        )
        .env("NODE_PATH", folder.join("node_modules"))
        .output()
        .unwrap();
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("8 checks passed"), "{said}");
}

#[test]
fn the_extension_contributes_the_debugger() {
    let folder = root().join("tools/vscode");
    let package = std::fs::read_to_string(folder.join("package.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&package).unwrap();
    let debugger = &package["contributes"]["debuggers"][0];
    assert_eq!(debugger["type"], "dxil");
    // Every attribute of a launch is one that the page explains.
    let page = std::fs::read_to_string(root().join("docs/debugging.md")).unwrap();
    let attributes = debugger["configurationAttributes"]["launch"]["properties"].as_object();
    let attributes = attributes.unwrap();
    assert_eq!(attributes.len(), 8);
    for name in attributes.keys() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    let main = package["main"].as_str().unwrap();
    let code = std::fs::read_to_string(folder.join(main)).unwrap();
    for command in package["contributes"]["commands"].as_array().unwrap() {
        let command = command["command"].as_str().unwrap();
        assert!(code.contains(&format!("'{command}'")), "{command}");
    }
}
