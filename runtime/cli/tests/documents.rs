//! Every command that README.md and the pages of the book show runs, and prints what they show.
//!
//! A line that starts with `$` is a command; the lines up to the next command are its output, where
//! `...` stands for any lines. Times are not compared. Files that the documents only name
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

/// A command of a document with the output that is shown for it.
#[derive(Debug)]
struct Shown {
    words: Vec<String>,
    output: Vec<String>,
}

/// Returns the commands of a document's blocks of the language `console`.
fn commands(document: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut is_console = false;
    for line in document.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            commands.push(Shown {
                words: words(command),
                output: Vec::new(),
            });
        } else if let Some(last) = commands.last_mut().filter(|_| is_console) {
            last.output.push(line.to_owned());
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

/// A line without times and spaces at its end.
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

#[track_caller]
fn check(document: &str) {
    let text = fs::read_to_string(root().join(document)).unwrap();
    let commands = commands(&text);
    assert!(!commands.is_empty(), "{document} shows no commands");
    let folder = scratch(&document.replace(['/', '.'], "_"));
    for shown in commands {
        let line = shown.words.join(" ");
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

#[test]
fn the_readme_shows_what_its_commands_print() {
    check("README.md");
}

#[test]
fn the_page_of_the_commands_shows_what_they_print() {
    check("docs/commands.md");
}

#[test]
fn the_tour_shows_what_its_commands_print() {
    check("docs/tour.md");
}

#[test]
fn the_recipes_show_what_their_commands_print() {
    check("docs/recipes.md");
}

#[test]
fn commands_and_outputs_are_told_apart() {
    let text = "```console\n$ a 'b c' d   # e\nout\n...\n$ f\n```\n```sh\n$ g\n```\n";
    let commands = commands(text);
    assert_eq!(commands.len(), 2);
    assert_eq!(commands[0].words, ["a", "b c", "d"]);
    assert_eq!(commands[0].output, ["out", "..."]);
    assert_eq!(normalized("in 1.5 us, or 2 ms"), "in T, or T");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches_shown(&lines("a\n...\nb"), &lines("a\nx\ny\nb")));
    assert!(!matches_shown(&lines("a\n...\nb"), &lines("a\nx")));
    assert!(!matches_shown(&lines("a"), &lines("a\nb")));
}
