//! README's picture of the debugger, `docs/debugger.svg`: what a session prints at a breakpoint, in
//! panes. `BLESS=1` draws it again.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "for tests, which stop at the first surprise"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHADER: &str = "runtime/debug/tests/data/steps.dxil";
/// The line with the breakpoint.
const LINE: &str = "25";

/// Style of the picture, for bright and for dark pages.
const STYLE: &str = "\
text { font: 13px ui-monospace, monospace; fill: #1b1f24; white-space: pre }
.title { font: 600 13px system-ui, sans-serif }
.quiet { fill: #57606a } .stop { fill: #cf222e } .here { fill: #ddf4ff; stroke: #54aeff }
.pane { fill: none; stroke: #d0d7de }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .quiet { fill: #8b949e }
  .here { fill: #0c2d6b; stroke: #1f6feb } .pane { stroke: #30363d } .stop { fill: #ff7b72 } }
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the session up to the breakpoint; returns the lines that each of these commands prints.
fn session(commands: &[&str]) -> Vec<Vec<String>> {
    let stop = format!("break {LINE}; continue; continue; ");
    let output = Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .args([SHADER, "--dispatch", "2", "--quiet", "--rows", "0"])
        .args(["--debug=1,0,0:7", "--debug-commands"])
        .arg(stop + &commands.join("; "))
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let part = |command: &&str| {
        let begin = format!("(dxil) {command}\n");
        let at = text.find(&begin).unwrap_or_else(|| panic!("{text}")) + begin.len();
        let end = text[at..].find("(dxil)").map_or(text.len(), |end| at + end);
        text[at..end].lines().map(str::to_owned).collect()
    };
    commands[..commands.len() - 1].iter().map(part).collect()
}

/// A picture that is being drawn.
#[derive(Default)]
struct Picture {
    out: String,
}

impl Picture {
    fn text(&mut self, class: &str, (x, y): (u32, u32), text: &str) {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>"
        );
    }

    /// Draws a frame with a title; returns the position of its first line.
    fn pane(&mut self, title: &str, [x, y, width, height]: [u32; 4]) -> (u32, u32) {
        let _ = writeln!(
            self.out,
            "<rect class=\"pane\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
        );
        self.text("title", (x + 12, y + 22), title);
        (x + 12, y + 46)
    }
}

/// Distance of lines.
const STEP: u32 = 19;

fn picture() -> String {
    let parts = session(&["list", "where", "locals", "lanes total", "finish"]);
    let [list, calls, locals, lanes] = <[Vec<String>; 4]>::try_from(parts).unwrap();
    assert!(!list.is_empty() && calls.len() == 2 && locals.len() == 3 && lanes.len() == 32);
    let mut picture = Picture::default();

    let (x, y) = picture.pane("steps.hlsl", [8, 8, 470, 262]);
    for (line, y) in list.iter().zip((y..).step_by(STEP as usize)) {
        let here = line.trim_start().starts_with("->");
        let line = line.replacen("->", "  ", 1);
        let number = line.split_whitespace().next().unwrap();
        if here {
            assert_eq!(number, LINE);
            let _ = writeln!(
                picture.out,
                "<rect class=\"here\" x=\"12\" y=\"{}\" width=\"462\" height=\"{STEP}\" rx=\"3\"/>\n\
                 <circle class=\"stop\" cx=\"24\" cy=\"{}\" r=\"5\"/>",
                y - 14,
                y - 5
            );
        }
        picture.text("quiet", (x + 20, y), number);
        let (_, code) = line.split_at(line.find(number).unwrap() + number.len());
        picture.text("", (x + 40, y), code);
    }

    let (x, y) = picture.pane("Calls", [8, 282, 270, 90]);
    for (call, y) in calls.iter().zip((y..).step_by(STEP as usize)) {
        // The path is that of the title.
        let call = call.replace("runtime/debug/tests/data/", "");
        let call = call.trim_start_matches(['*', ' ']);
        picture.text("", (x, y), call);
    }
    let (x, y) = picture.pane("Variables", [290, 282, 188, 90]);
    for (variable, y) in locals.iter().zip((y..).step_by(STEP as usize)) {
        picture.text("", (x, y - 4), variable);
    }

    let (x, y) = picture.pane("Lanes: total", [490, 8, 430, 364]);
    for (number, lane) in (0..).zip(&lanes) {
        let (column, row) = (number / 16, number % 16);
        let (x, y) = (x + 208 * column, y + STEP * row);
        let class = if lane.contains("active") { "" } else { "quiet" };
        if lane.starts_with('*') {
            let _ = writeln!(
                picture.out,
                "<rect class=\"here\" x=\"{}\" y=\"{}\" width=\"200\" height=\"{STEP}\" rx=\"3\"/>",
                x - 6,
                y - 14
            );
        }
        picture.text(class, (x, y), lane.replacen('*', " ", 1).trim_end());
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 928 380\" role=\"img\" \
         aria-label=\"a shader in the debugger: source with a breakpoint, calls, variables, and a \
         variable in all lanes of the wave\">\n<style>\n{STYLE}</style>\n{}</svg>\n",
        picture.out
    )
}

#[test]
fn the_picture_of_the_debugger_is_what_a_session_prints() {
    let path = root().join("docs/debugger.svg");
    let drawn = picture();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == drawn,
        "docs/debugger.svg shows another session; BLESS=1 draws it again"
    );
    // Lane 7 adds twice 1 in the first round of the loop, and is about to add twice 2: the lanes
    // whose number is 2 or 3 modulo 4 are with it.
    assert!(drawn.contains(">uint total = 2<") && drawn.contains(">uint i = 1<"));
    let active = (0..32).filter(|lane| lane % 4 >= 2).count();
    assert_eq!(drawn.matches("active").count(), active);
}
