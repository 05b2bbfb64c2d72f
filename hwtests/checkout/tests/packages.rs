//! The contents of published crates: each has its licences, a page and the metadata that the
//! registry requires, and no test data.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use dxil_checkout::root;
use serde_json::Value;

/// The published crates; dependencies come first.
const PUBLISHED: [&str; 8] = [
    "dxil-texel",
    "dxil-frontend",
    "dxil-translate",
    "dxil-cpu",
    "dxil-debug",
    "dxil-inspect",
    "dxil-runtime",
    "dxil-jit",
];

/// Maximum size of a package's files in bytes, uncompressed; the registry's limit is 10 MB
/// compressed.
const MAX_BYTES: u64 = 10_000_000;

fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command
        .args(arguments)
        .arg("--offline")
        .current_dir(root())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn packages() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

#[test]
fn the_published_crates_are_those_that_libraries_and_commands_need() {
    let packages = packages();
    // `publish = false` is an empty list of registries.
    let published = packages
        .iter()
        .filter(|package| package["publish"].is_null());
    let mut published: Vec<&str> = published.map(name).collect();
    let mut expected = PUBLISHED;
    published.sort_unstable();
    expected.sort_unstable();
    assert_eq!(published, expected);
}

#[test]
fn published_crates_say_what_the_registry_asks_for() {
    for package in packages()
        .iter()
        .filter(|package| PUBLISHED.contains(&name(package)))
    {
        let name = name(package);
        for key in [
            "description",
            "license",
            "repository",
            "readme",
            "rust_version",
        ] {
            assert!(
                package[key].as_str().is_some_and(|text| !text.is_empty()),
                "{name}: {key}"
            );
        }
        for key in ["keywords", "categories"] {
            let values = package[key].as_array().unwrap();
            assert!((1..=5).contains(&values.len()), "{name}: {key}");
        }
        // A dependency without version cannot be published. Dev-dependencies are left out.
        for dependency in package["dependencies"].as_array().unwrap() {
            let has_version = dependency["req"] != "*";
            let is_of_tests = dependency["kind"] == "dev" && dependency["path"].is_string();
            assert!(has_version || is_of_tests, "{name}: {}", dependency["name"]);
        }
    }
}

#[test]
fn packages_have_licences_and_sources_and_no_test_data() {
    for package in PUBLISHED {
        let listing = cargo(&["package", "--list", "--allow-dirty", "-p", package]);
        let files: Vec<&str> = listing.lines().collect();
        for wanted in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "Cargo.toml"] {
            assert!(files.contains(&wanted), "{package} lacks {wanted}");
        }
        assert!(
            files.iter().any(|file| file.starts_with("src/")),
            "{package}"
        );
        for file in &files {
            let is_data = ["tests/", "filetests/"]
                .iter()
                .any(|folder| file.starts_with(folder));
            let extension = Path::new(file).extension().and_then(|e| e.to_str());
            let is_shader = matches!(extension, Some("dxil" | "dxbc" | "hlsl" | "spv"));
            assert!(!is_data && !is_shader, "{package} has {file}");
        }
        let folder = root().join(folder_of(package));
        let sizes = files
            .iter()
            .filter_map(|file| std::fs::metadata(folder.join(file)).ok());
        let bytes: u64 = sizes.map(|metadata| metadata.len()).sum();
        assert!(
            (10_000..MAX_BYTES).contains(&bytes),
            "{package} has {bytes} bytes"
        );
    }
}

#[test]
fn documented_crates_have_different_names() {
    // `cargo doc --workspace` writes a folder for each name, so names must be unique.
    let mut names: Vec<String> = packages()
        .iter()
        .flat_map(|package| package["targets"].as_array().unwrap().clone())
        .filter(|target| target["doc"] == true && target["kind"] != serde_json::json!(["bin"]))
        .map(|target| target["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    let twice: Vec<_> = names.windows(2).filter(|two| two[0] == two[1]).collect();
    assert!(names.len() > 5 && twice.is_empty(), "{twice:?}");
}

/// The pages that state the required Rust version.
#[test]
fn pages_name_the_oldest_rust() {
    let versions: Vec<String> = packages()
        .iter()
        .filter_map(|package| Some(package["rust_version"].as_str()?.to_owned()))
        .collect();
    assert!(versions.windows(2).all(|pair| pair[0] == pair[1]));
    for (page, before) in [
        ("README.md", "Rust "),
        (
            "docs/packaging.md",
            "The oldest Rust that builds the crates is ",
        ),
        ("runtime/python/README.md", "Rust "),
    ] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let wanted = format!("{before}{}", versions[0]);
        assert!(text.contains(&wanted), "{page} lacks `{wanted}`");
    }
}

fn folder_of(package: &str) -> &'static str {
    match package {
        "dxil-texel" => "frontend/texel",
        "dxil-frontend" => "frontend",
        "dxil-translate" => "translate",
        "dxil-cpu" => "runtime/cpu",
        "dxil-debug" => "runtime/debug",
        "dxil-inspect" => "runtime/inspect",
        "dxil-runtime" => "runtime",
        _ => "runtime/cli",
    }
}

/// The Python package is a workspace without the profiles of the main one, and Cargo refuses a
/// profile that it does not know.
#[test]
fn the_wheel_is_built_with_a_profile_that_its_workspace_has() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
    let script = read("tools/package.sh");
    let manifest = read("runtime/python/Cargo.toml");
    let mut profiles = Vec::new();
    for (at, _) in script.match_indices("wheel_profile=") {
        let value = script[at..].split('=').nth(1).unwrap();
        profiles.push(value.split_whitespace().next().unwrap());
    }
    assert!(!profiles.is_empty());
    for profile in profiles {
        let is_known = ["dev", "release"].contains(&profile)
            || manifest.contains(&format!("[profile.{profile}]"));
        assert!(is_known, "{profile}");
    }
    let maturin: Vec<&str> = script
        .lines()
        .filter(|line| line.contains("maturin build"))
        .collect();
    assert_eq!(maturin.len(), 1);
    assert!(
        maturin[0].contains("--profile \"$wheel_profile\""),
        "{maturin:?}"
    );
}
