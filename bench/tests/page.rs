//! The page of `dxil-bench`: what it says, and in a headless Chromium that nothing is cut off at
//! 500 and 1200 pixels and that text can be read in both colour schemes.
//!
//! The browser is the command that the environment variable `CHROMIUM` names, the one that
//! `tools/setup-vulkan.sh browser` brings, or one on the path. Without any, that test says so and
//! checks nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what it leaves out"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Returns a run of kernels with long and short names, whose times are `factor` times longer.
fn run(date: &str, factor: f64) -> Value {
    let names = [
        "copy",
        "matrix_multiply_with_a_very_long_name",
        "reduce",
        "histogram",
    ];
    let kernels = names.iter().zip(1..).map(|(name, index)| {
        let ours = 1000.0 * factor * f64::from(index);
        let dxc = 1000.0 * f64::from(index) * if index == 2 { 1.5 } else { 1.0 };
        let variant = |name: &str, best: f64| {
            json!({
                "name": name, "translate_us": 80.5, "create_us": 123_456.0, "best_us": best,
                "median_us": best * 1.1, "quartiles_us": [best, best * 1.2], "runs": 50,
                "problem": null,
            })
        };
        json!({
            "kernel": name, "about": "a kernel", "bytes": 1e9, "operations": 1e9,
            "variants": [
                variant("ours", ours), variant("dxc", dxc), variant("naga", dxc * 3.0),
                variant("cpu", ours * if index == 3 { 40.0 } else { 5.0 }),
            ],
            "ratio": ours / dxc, "noise": 0.02,
        })
    });
    json!({
        "device": "llvmpipe (LLVM 15.0.6, 256 bits)", "driver": "llvmpipe Mesa 25.0.7",
        "api": "Vulkan 1.4", "size": "small", "machine": "Some Processor, 2 core(s)",
        "commit": "0123456789", "date": date, "peak_gb_per_s": 12.5, "peak_gflop_per_s": 34.0,
        "kernels": kernels.collect::<Vec<_>>(),
    })
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Shows a run that is compared with two earlier ones. Returns the table and the page.
fn shown(test: &str) -> (String, String) {
    let folder = folder();
    let file = |name: &str| folder.join(format!("{test}-{name}"));
    for (name, value) in [
        ("now.json", run("2026-11-23", 1.0)),
        ("old.json", run("2026-10-01", 1.3)),
        ("older.json", run("2026-09-01", 1.01)),
    ] {
        fs::write(file(name), value.to_string()).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-bench"))
        .arg("show")
        .arg(file("now.json"))
        .arg("--baseline")
        .arg(file("old.json"))
        .arg("--baseline")
        .arg(file("older.json"))
        .arg("--html")
        .arg(file("page.html"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let page = fs::read_to_string(file("page.html")).unwrap();
    (String::from_utf8(output.stdout).unwrap(), page)
}

#[test]
fn a_run_is_shown_with_its_conditions_and_its_baseline() {
    let (table, page) = shown("conditions");
    for text in [&table, &page] {
        for words in [
            "Some Processor, 2 core(s)",
            "commit 0123456789",
            "2026-11-23",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
    // The newer of the earlier runs is the baseline. Two are too few to know the noise.
    assert!(
        table.contains("since 2026-10-01 0123456789: copy 0.769, "),
        "{table}"
    );
    assert!(table.contains("(from 20 earlier runs on "), "{table}");
    // Of the ratios to DXC's code, one is beyond the noise.
    assert_eq!(table.matches("| ≈ 1.000 |").count(), 3, "{table}");
    assert!(table.contains("| 0.667 |"), "{table}");
    for text in [&table, &page] {
        let words = "CPU executor / ours: geometric mean 8.41; at most 40.00 (reduce)";
        assert!(text.contains(words), "{text}");
    }
    assert!(page.contains("<h2>On the CPU executor</h2>"), "{page}");
    assert!(page.contains("<h2>History</h2>"), "{page}");
    assert!(
        page.contains("data-label=\"2026-09-01 0123456789, µs\">1010.0<"),
        "{page}"
    );
    assert!(page.contains("class=\"range\""), "{page}");
    // A line over three runs; the time is now 1 / 1.01 of the first.
    let line = "aria-label=\"copy in 3 runs\"><polyline points=\"0.00,4.46 50.00,0.00 100.00,4.62\"/></svg><span class=\"number\">0.990<";
    assert!(page.contains(line), "{page}");
}

#[test]
fn the_last_run_of_a_history_is_compared_with_those_of_its_device_and_size() {
    let folder = folder();
    let file = folder.join("history.jsonl");
    let mut large = run("2026-10-15", 5.0);
    large["size"] = json!("large");
    let mut other = run("2026-10-16", 7.0);
    other["device"] = json!("another device");
    let days = (1..=10).map(|day| run(&format!("2026-08-{day:02}"), 1.25));
    let runs = [
        run("2026-09-01", 1.26),
        run("2026-09-02", 1.25),
        run("2026-09-03", 1.26),
        large,
        other,
        run("2026-11-16", 1.25),
        run("2026-11-17", 1.26),
        run("2026-11-18", 1.25),
        run("2026-11-19", 1.26),
        run("2026-11-20", 1.25),
        run("2026-11-21", 1.25),
        run("2026-11-22", 1.25),
        run("2026-11-23", 1.0),
    ];
    let lines: String = days.chain(runs).map(|run| format!("{run}\n")).collect();
    fs::write(&file, lines).unwrap();
    let page = folder.join("history.html");
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-bench"))
        .arg("show")
        .args([&file, &PathBuf::from("--html"), &page])
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("since 2026-11-22 0123456789: faster: copy 0.800, "),
        "{table}"
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("copy in 21 runs"), "{page}");
    assert!(!page.contains("2026-10-1"), "{page}");
}

#[test]
fn a_file_that_is_no_run_is_refused() {
    let file = folder().join("other.json");
    fs::write(&file, "{}").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-bench"))
        .arg("show")
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("this is no run of dxil-bench --json"),
        "{said}"
    );
}

/// Written into the page: reports what sticks out of the window or of its box, and the contrast of
/// the text, in an element that is printed with the page.
const PROBE: &str = "<script>
const luminance = color => {
  const parts = color.match(/[\\d.]+/g).map(Number).slice(0, 3).map(c => {
    c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] };
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05) };
const paper = getComputedStyle(document.body).backgroundColor;
const cut = [], pale = [];
for (const element of document.body.querySelectorAll('*')) {
  if (element.tagName === 'SCRIPT') continue;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  const name = element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 30);
  if (style.display === 'none') continue;
  if (box.right > innerWidth + 1 || box.left < -1) cut.push(name);
  if (style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1
      && !['track', 'range', 'goal'].some(c => element.classList.contains(c))) cut.push(name);
  if (element.children.length === 0 && element.textContent.trim() && contrast(style.color, paper) < 4.5)
    pale.push(name);
}
const found = document.createElement('pre');
found.id = 'found';
found.textContent = JSON.stringify({ width: innerWidth, paper, cut, pale,
  page: document.documentElement.scrollWidth });
document.body.append(found);
</script>";

/// Returns the report of the probe at a width of the window.
fn probed(browser: &Path, page: &Path, width: u32, is_dark: bool) -> Value {
    let profile = folder().join(format!("profile-{width}-{is_dark}"));
    // Blink counts dark as 0 and light as 1.
    let scheme = u8::from(!is_dark);
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = dom.split_once("<pre id=\"found\">").map(|(_, rest)| rest);
    let text = text
        .and_then(|rest| rest.split_once("</pre>"))
        .map(|(text, _)| text);
    let said = String::from_utf8_lossy(&output.stderr);
    let text = text.unwrap_or_else(|| panic!("{}: {said}", browser.display()));
    serde_json::from_str(
        &text
            .replace("&amp;", "&")
            .replace("&lt;", "<")
            .replace("&gt;", ">"),
    )
    .unwrap()
}

#[test]
fn nothing_is_cut_off_and_text_is_readable_in_both_schemes() {
    let Some(browser) = dxil_hwtests::browser::find() else {
        eprintln!("not checked: there is no Chromium; the variable CHROMIUM may name one");
        return;
    };
    let (_, page) = shown("browser");
    let file = folder().join("probed.html");
    fs::write(&file, page.replace("</body>", &format!("{PROBE}</body>"))).unwrap();
    let mut papers = Vec::new();
    for width in [500, 1200] {
        for is_dark in [false, true] {
            let found = probed(&browser, &file, width, is_dark);
            let nothing = json!([]);
            assert_eq!(found["cut"], nothing, "{width} dark {is_dark}: {found}");
            assert_eq!(found["pale"], nothing, "{width} dark {is_dark}: {found}");
            assert!(
                found["page"].as_u64().unwrap() <= found["width"].as_u64().unwrap(),
                "{found}"
            );
            assert_eq!(found["width"], width, "{found}");
            papers.push(found["paper"].clone());
        }
    }
    assert_ne!(papers[0], papers[1], "both schemes have one background");
}
