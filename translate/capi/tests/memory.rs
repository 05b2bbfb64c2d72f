//! The C programs again, under tools that watch memory: valgrind's memcheck, and the C compiler's
//! address and undefined-behaviour sanitizers. Each is left out where it is not there.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::Command;

use toolchain::*;

/// Returns a program and what it takes, besides a place for its results.
fn program(name: &str, folder: &Path) -> (PathBuf, Vec<PathBuf>) {
    let bindings = Path::new(HERE).join("tests/shaders/bindings.dxil");
    let squares = Path::new(HERE).join("examples/squares.dxil");
    let mut source = Path::new(HERE).join(format!("tests/c/{name}.c"));
    let arguments = match name {
        "compat" => vec![bindings, folder.join("compat.spv")],
        "native" => vec![bindings],
        "dxbc" => vec![toolchain::dxbc_shader(), folder.join("dxbc.spv")],
        "misuse" => {
            source = folder.join("misuse.c");
            std::fs::write(&source, toolchain::misuse::misuse_program()).unwrap();
            vec![squares]
        }
        _ => vec![squares],
    };
    (source, arguments)
}

fn under_valgrind(name: &str) {
    if !is_there("valgrind") {
        return eprintln!("valgrind is not there");
    }
    let folder = folder(&format!("valgrind-{name}"));
    let (source, arguments) = program(name, &folder);
    let output = succeeded(
        Command::new("valgrind")
            .args(["-q", "--error-exitcode=9", "--leak-check=full"])
            .arg("--errors-for-leak-kinds=definite,indirect,possible")
            .arg(compile_in(&folder, &source, Library::Shared, &[]))
            .args(&arguments),
    );
    assert_eq!(output.stdout, b"fine\n");
}

const SANITIZERS: [&str; 2] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
];

fn under_sanitizers(name: &str) {
    let folder = folder(&format!("sanitizers-{name}"));
    let probe = folder.join("probe.c");
    std::fs::write(&probe, "int main(void) { return 0; }\n").unwrap();
    let built = compiler()
        .args(SANITIZERS)
        .arg(&probe)
        .arg("-o")
        .arg(folder.join("probe"))
        .status();
    if !built.is_ok_and(|status| status.success()) {
        return eprintln!("the compiler has no sanitizers");
    }
    let (source, arguments) = program(name, &folder);
    let output = succeeded(
        Command::new(compile_in(&folder, &source, Library::Shared, &SANITIZERS)).args(&arguments),
    );
    assert_eq!(output.stdout, b"fine\n");
}

/// A program's two tests: no error and no leak.
macro_rules! watched {
    ($($name:ident),*) => {
        $(mod $name {
            #[test]
            fn valgrind_sees_no_error_and_no_leak() {
                super::under_valgrind(stringify!($name));
            }

            #[test]
            fn the_sanitizers_see_no_error_and_no_leak() {
                super::under_sanitizers(stringify!($name));
            }
        })*
    };
}

watched!(compat, native, arena, threads, dxbc, misuse);
