//! Programs in C that include the headers and link the libraries, shared and static.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_validator::{Environment, Rules, validate};

/// Folder of this crate.
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Names the library for DXBC.
const DELEGATE: &str = "DXIL_JIT_DXBC_LIBRARY";

/// How a program gets the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Library {
    Shared,
    Static,
}

/// A library that Cargo has built for this test.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent().unwrap();
    let found = [deps.join(name), deps.parent().unwrap().join(name)]
        .into_iter()
        .find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{name} is not beside {}", test.display()))
}

/// Compiles and links a C program with all warnings as errors.
fn compile(source: &str, library: Library) -> PathBuf {
    let stem = Path::new(source).file_stem().unwrap().to_string_lossy();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stem}-{library:?}"));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join(&*stem);
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-g"])
        .arg(format!("-I{HERE}/include"))
        .arg(format!("{HERE}/{source}"))
        .arg("-o")
        .arg(&program);
    match library {
        Library::Shared => {
            // Under the name that programs look for.
            let name = "libdxil-spirv-c-shared.so.2";
            std::fs::copy(built("libdxil_jit.so"), folder.join(name)).unwrap();
            command
                .arg(folder.join(name))
                .arg(format!("-Wl,-rpath,{}", folder.display()));
        }
        Library::Static => {
            command.arg(built("libdxil_jit.a")).args(["-lm", "-ldl"]);
        }
    }
    command.arg("-lpthread");
    if source.starts_with("examples/") {
        command.arg("-lvulkan");
    }
    let output = command.output().expect("a C compiler runs");
    assert!(
        output.status.success(),
        "{source}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    program
}

/// Runs a program without a library for DXBC and gives what it printed.
fn run(program: &Path, arguments: &[&Path]) -> String {
    run_with(program, arguments, None)
}

/// Runs a program and gives what it printed.
fn run_with(program: &Path, arguments: &[&Path], delegate: Option<&Path>) -> String {
    let mut command = Command::new(program);
    command.args(arguments).env_remove(DELEGATE);
    if let Some(delegate) = delegate {
        command.env(DELEGATE, delegate);
    }
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}: {} {}",
        program.display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_headers_layout_is_the_abis() {
    run(&compile("tests/c/layout.c", Library::Static), &[]);
}

fn use_the_abi(library: Library) {
    let program = compile("tests/c/compat.c", library);
    let out = program.with_extension("spv");
    let shader = Path::new(HERE).join("tests/shaders/bindings.dxil");
    assert_eq!(run(&program, &[&shader, &out]), "fine\n");
    let bytes = std::fs::read(out).unwrap();
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    validate(&words, Rules::strict(Environment::Vulkan1_1)).unwrap();
}

#[test]
fn a_layer_can_use_the_shared_library() {
    use_the_abi(Library::Shared);
}

#[test]
fn a_layer_can_use_the_static_library() {
    use_the_abi(Library::Static);
}

#[test]
fn dxbc_goes_to_the_library_that_the_environment_names() {
    let program = compile("tests/c/forward.c", Library::Shared);
    let delegate = program.with_file_name("libdelegate.so");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let status = Command::new(compiler)
        .args(["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&delegate)
        .arg(format!("{HERE}/tests/c/delegate.c"))
        .status();
    assert!(status.unwrap().success());
    let said = run_with(&program, &[Path::new("yes")], Some(&delegate));
    assert_eq!(said, "fine\n");
    assert_eq!(run(&program, &[Path::new("no")]), "fine\n");
    // A library that is not there is none.
    let nowhere = Path::new("/nowhere/libnothing.so");
    let mut command = Command::new(&program);
    command.arg("no").env(DELEGATE, nowhere);
    // The log hears of it too, so the program counts more than it expects.
    assert!(!command.output().unwrap().status.success());
}

#[test]
fn one_call_translates() {
    let shader = Path::new(HERE).join("tests/shaders/bindings.dxil");
    for library in [Library::Shared, Library::Static] {
        assert_eq!(
            run(&compile("tests/c/native.c", library), &[&shader]),
            "fine\n"
        );
    }
}

#[test]
fn the_example_dispatches_on_a_device() {
    let shader = Path::new(HERE).join("examples/squares.dxil");
    let program = compile("examples/dispatch.c", Library::Shared);
    assert_eq!(run(&program, &[&shader]), "64 squares, the last is 3976\n");
}

#[test]
fn the_shared_library_exports_the_abi_and_nothing_else() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(built("libdxil_jit.so"))
        .output()
        .expect("nm runs");
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let header = std::fs::read_to_string(format!("{HERE}/include/dxil_spirv_c.h")).unwrap();
    let declared = header
        .lines()
        .filter(|line| line.starts_with("DXIL_SPV_PUBLIC_API"))
        .filter_map(|line| {
            let name = line.split('(').next()?.split([' ', '*']).next_back()?;
            Some(name.to_owned())
        });
    let declared: Vec<String> = declared.collect();
    assert_eq!(declared.len(), 64);
    for name in &declared {
        assert!(names.contains(&name.as_str()), "{name} is not exported");
    }
    for name in names {
        assert!(
            name.starts_with("dxil_jit_") || declared.iter().any(|other| other == name),
            "{name} is exported"
        );
    }
}
