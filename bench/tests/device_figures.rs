//! `dxil-bench device` as a user types it: every shader gives right results on the Vulkan device
//! and on the CPU backend, and runs are shown, compared and exported. No time is looked at.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn bench(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-bench"));
    command.arg("device").args(arguments).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = bench(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("device");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Measures families on a backend; wrong results end the command with an error.
fn measured(backend: &str, families: &[&str]) -> Value {
    let json = file(&format!("{backend}-{}.json", families.join("-")));
    let fixed = ["--backend", backend, "--runs", "6", "--json"];
    let path = json.to_str().unwrap();
    text(&[families, &fixed, &[path]].concat());
    read(&json)
}

/// Returns the figures that have a value, and the reasons of the others.
fn values_and_problems(run: &Value) -> (Vec<String>, Vec<String>) {
    let mut found = (Vec::new(), Vec::new());
    for row in run["figures"].as_array().unwrap() {
        let name = format!("{} {}", row["family"], row["name"]).replace('"', "");
        match row["problem"].as_str() {
            Some(problem) => found.1.push(format!("{name}: {problem}")),
            None => {
                let runs = row["runs"].as_array().unwrap();
                assert_eq!(runs.len(), 6, "{row}");
                let value = &row["value"];
                let number = |name: &str| value[name].as_f64().unwrap();
                assert!(number("low") > 0.0, "{row}");
                assert!(number("low") <= number("median"), "{row}");
                assert!(number("median") <= number("high"), "{row}");
                found.0.push(name);
            }
        }
    }
    found
}

#[test]
fn arithmetic_waves_and_atomics_are_right_on_the_vulkan_device() {
    let run = measured("vulkan", &["arithmetic", "waves", "atomics"]);
    let (values, problems) = values_and_problems(&run);
    // Some devices lack 16-bit floats, doubles or 64-bit integers.
    for name in ["fp32", "int32", "dot4", "rsqrt"] {
        assert!(
            values.contains(&format!("arithmetic {name}")),
            "{problems:?}"
        );
    }
    // The device has matrix units, or the figure says what it lacks.
    let has_matrices = values.contains(&"arithmetic fp16 matrix".to_owned());
    let lacks = problems
        .iter()
        .any(|problem| problem.starts_with("arithmetic fp16 matrix") && problem.contains("Matrix"));
    assert!(has_matrices != lacks, "{problems:?}");
    assert_eq!(
        values
            .iter()
            .filter(|name| name.starts_with("waves"))
            .count(),
        4
    );
    assert_eq!(
        values
            .iter()
            .filter(|name| name.starts_with("atomics"))
            .count(),
        4
    );
}

#[test]
fn memory_and_textures_are_right_on_the_vulkan_device() {
    let run = measured("vulkan", &["textures", "occupancy", "launch"]);
    let (values, problems) = values_and_problems(&run);
    for name in ["RGBA8, bilinear", "RGBA8, anisotropic 8:1", "R32F, store"] {
        assert!(values.contains(&format!("textures {name}")), "{problems:?}");
    }
    assert_eq!(
        values
            .iter()
            .filter(|name| name.starts_with("occupancy"))
            .count(),
        5
    );
    assert_eq!(
        values
            .iter()
            .filter(|name| name.starts_with("launch"))
            .count(),
        4
    );
}

#[test]
fn bandwidth_latency_and_copies_are_right_on_the_vulkan_device() {
    let run = measured("vulkan", &["bandwidth", "latency", "transfer"]);
    let (values, problems) = values_and_problems(&run);
    assert_eq!(problems, Vec::<String>::new());
    // Working sets of 4 KiB to 64 MiB, constants up to 64 KiB, groupshared memory of 16 KiB.
    for family in ["bandwidth", "latency"] {
        let count = |name: &str| {
            let name = format!("{family} {name}");
            values.iter().filter(|value| **value == name).count()
        };
        assert_eq!(
            ["buffer", "constant", "texture", "groupshared"].map(count),
            [8, 3, 8, 1]
        );
    }
}

#[test]
fn the_cpu_backend_is_measured_with_the_same_shaders() {
    let run = measured("cpu", &["waves", "launch"]);
    let (values, problems) = values_and_problems(&run);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(values.len(), 8);
    assert_eq!(run["backend"], "cpu");
}

/// Returns a saved run whose figures are `factor` times larger.
fn saved(name: &str, device: &str, factor: f64) -> String {
    let row = |family: &str, name: &str, parameter: Option<u64>, unit: &str, value: f64| {
        let value = value * factor;
        json!({
            "family": family, "name": name, "parameter": parameter, "unit": unit,
            "more_is_better": unit != "ns",
            "value": { "median": value, "low": value * 0.99, "high": value * 1.01 },
            "runs": [value * 0.99, value, value * 1.01], "theoretical": null, "problem": null,
        })
    };
    let mut lacking = row("arithmetic", "fp64", None, "GFLOP/s", 1.0);
    lacking["value"] = Value::Null;
    lacking["problem"] = json!("the device has no doubles");
    let run = json!({
        "device_figures": 1, "device": device, "driver": "driver 1", "api": "Vulkan 1.3",
        "backend": "vulkan", "size": "large", "machine": "a machine", "commit": "0123456789",
        "date": "2026-11-28", "theory": "",
        "sensors": [{ "before": "arithmetic", "core_mhz": 2000.0, "memory_mhz": null,
            "celsius": 60.0, "watts": null }],
        "figures": [
            row("arithmetic", "fp32", None, "GFLOP/s", 1000.0), lacking,
            row("bandwidth", "buffer", Some(4096), "GB/s", 900.0),
            row("bandwidth", "buffer", Some(16_384), "GB/s", 500.0),
            row("latency", "buffer", Some(4096), "ns", 20.0),
        ],
    });
    let path = file(name);
    fs::write(&path, run.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn runs_of_two_devices_are_compared() {
    let slow = saved("slow.json", "Slow <1>", 1.0);
    let fast = saved("fast.json", "Fast", 1.5);
    let page = file("compared.html");
    let table = text(&[
        "--show",
        &fast,
        "--compare",
        &slow,
        "--html",
        page.to_str().unwrap(),
    ]);
    for line in [
        "before arithmetic: 2000 MHz, 60 °C",
        "| fp32 | 1500 | GFLOP/s | 1485 to 1515 | 1000 | 1.500 |",
        "| buffer | 16 KiB | 750 | GB/s | 742 to 758 | 500 | 1.500 |",
        "| fp64 | – | GFLOP/s | – | – | – |",
        "arithmetic fp64: the device has no doubles",
    ] {
        assert!(table.contains(line), "{line}\n{table}");
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Slow &lt;1&gt; (driver 1)"), "{page}");
    // Two bars and two lines of bandwidth; nothing is drawn of families that were not measured.
    assert_eq!(page.matches("<svg").count(), 2, "{page}");
    assert_eq!(
        page.matches("<polyline class=\"c0 d1\"").count(),
        2,
        "{page}"
    );
    assert!(!page.contains("textures"), "{page}");
    // The same run does not differ from itself.
    let same = text(&["--show", &fast, "--compare", &fast]);
    assert!(same.contains("| 1500 | ≈ 1.000 |"), "{same}");
}

#[test]
fn the_result_file_of_the_phoronix_test_suite_is_well_formed() {
    let run = saved("exported.json", "A & B <Graphics>", 1.0);
    let path = file("composite.xml");
    text(&["--show", &run, "--phoronix", path.to_str().unwrap()]);
    let xml = fs::read_to_string(path).unwrap();
    let mut reader = quick_xml::Reader::from_str(&xml);
    let mut texts = Vec::new();
    let mut open: Vec<String> = Vec::new();
    loop {
        use quick_xml::events::Event;
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                open.push(String::from_utf8(start.name().as_ref().to_vec()).unwrap());
            }
            Event::End(_) => _ = open.pop(),
            Event::Text(found) => {
                let found = String::from_utf8(found.to_vec()).unwrap();
                texts.push((open.join("/"), found));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let all = |end: &str| -> Vec<&str> {
        let found = texts.iter().filter(|(path, _)| path.ends_with(end));
        found.map(|(_, text)| text.as_str()).collect()
    };
    // What was not measured has no result.
    assert_eq!(all("Result/Scale"), ["GFLOP/s", "GB/s", "GB/s", "ns"]);
    assert_eq!(all("Result/Proportion"), ["HIB", "HIB", "HIB", "LIB"]);
    assert_eq!(all("Entry/Value"), ["1000", "900", "500", "20.0"]);
    assert_eq!(all("Entry/RawString")[0], "990:1000:1010");
    assert!(xml.contains("A &amp; B &lt;Graphics&gt;"), "{xml}");
}

#[test]
fn mistakes_are_told_before_anything_is_measured() {
    let ends = |arguments: &[&str], code: i32, message: &str| {
        let output = bench(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
    };
    ends(
        &["arithmetics"],
        2,
        "there are: arithmetic bandwidth latency",
    );
    ends(&["--runs", "3"], 2, "3 is not in 6..=1000");
    ends(&["--compare", "/no/such.json"], 9, "/no/such.json");
    let other = file("other.json");
    fs::write(&other, "{}").unwrap();
    let other = other.to_str().unwrap();
    ends(&["--show", other], 3, "no run of dxil-bench device");
    ends(
        &["--json", "/no/such/folder/x.json"],
        9,
        "/no/such/folder/x.json",
    );
    let list = text(&["--list"]);
    assert_eq!(list.lines().count(), 9, "{list}");
}
