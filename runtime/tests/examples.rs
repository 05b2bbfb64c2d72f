//! The examples print what they are there to show. They need a Vulkan driver.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the program of an example, which Cargo builds with the tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    profile.join("examples").join(name)
}

fn run(name: &str, arguments: &[&str]) -> String {
    let output = Command::new(example(name))
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_shader_is_translated_and_reflected() {
    let shader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/named.dxil");
    let shown = run("translate", &[shader]);
    assert!(shown.starts_with("main: "), "{shown}");
    // Names and fields come from the STAT part.
    for text in ["t0 src", "u0 dst", "b0 Sim", "float3 gravity"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}

#[test]
fn a_dispatch_is_read_back() {
    let shown = run("saxpy", &[]);
    assert!(shown.starts_with("[12.0, 24.0, 36.0, 48.0] on "), "{shown}");
}

#[test]
fn a_shader_that_was_built_from_nothing_runs_on_two_backends() {
    let shown = run("build", &[]);
    // Steps from 1 to 8 down to 1, as anyone can count them.
    let steps: Vec<u32> = (1..=8_u32)
        .map(|first| {
            let mut n = first;
            let mut count = 0;
            while n != 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                count += 1;
            }
            count
        })
        .collect();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 2, "{shown}");
    for line in lines {
        assert!(line.starts_with(&format!("{steps:?} on ")), "{shown}");
    }
}

#[test]
fn a_draw_becomes_a_png_file() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("triangle.png");
    run("draw", &[file.to_str().unwrap()]);
    let picture = image::open(&file).unwrap().into_rgba8();
    assert_eq!(picture.dimensions(), (256, 256));
    // The triangle covers the whole target, and is black at its first vertex, below left.
    let [r, g, _, a] = picture.get_pixel(1, 254).0;
    assert!(r < 4 && g < 4 && a == 255, "{r} {g} {a}");
    assert!(picture.get_pixel(254, 254).0[0] > 200);
    assert!(picture.get_pixel(1, 1).0[1] > 200);
}

#[test]
fn a_wgpu_application_runs_dxil_as_spirv_and_as_wgsl() {
    let shown = run("wgpu", &[]);
    let result = "[12.0, 24.0, 36.0, 48.0]";
    for way in ["passed through", "as WGSL"] {
        assert!(
            shown.contains(&format!("{way}: {result}")),
            "{way}: {shown}"
        );
    }
}
