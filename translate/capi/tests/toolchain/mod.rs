//! The C compiler, and the libraries that Cargo has built for these tests.
#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod misuse;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Folder of this crate.
pub(crate) const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The name that programs look for.
pub(crate) const SONAME: &str = "libdxil-spirv-c-shared.so.2";

/// The headers of the compatible ABI.
pub(crate) const HEADERS: [&str; 3] = [
    "dxil_spirv_c.h",
    "dxil_spirv_c_types.h",
    "dxil_spirv_c_options.h",
];

/// The form in which a program gets the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    Shared,
    Static,
}

/// Returns a shader of shader model 5.1 with registers in several spaces.
pub(crate) fn dxbc_shader() -> PathBuf {
    Path::new(HERE).join("../../hwtests/shaders/bindings/spaces.dxbc")
}

/// Returns a library that Cargo has built for this test.
pub(crate) fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let deps = test.parent().unwrap();
    let found = [deps.join(name), deps.parent().unwrap().join(name)]
        .into_iter()
        .find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{name} is not beside {}", test.display()))
}

/// Returns a new folder for what a test makes.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the C compiler.
pub(crate) fn compiler() -> Command {
    Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
}

/// Returns whether a program can be started.
pub(crate) fn is_there(program: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

/// Compiles and links a C program of this crate with all warnings as errors.
pub(crate) fn compile(source: &str, library: Library) -> PathBuf {
    let stem = Path::new(source).file_stem().unwrap().to_string_lossy();
    let folder = folder(&format!("{stem}-{library:?}"));
    compile_in(&folder, &Path::new(HERE).join(source), library, &[])
}

/// Compiles in a folder, with more arguments for the compiler.
pub(crate) fn compile_in(folder: &Path, source: &Path, library: Library, more: &[&str]) -> PathBuf {
    let program = folder.join(source.file_stem().unwrap());
    let mut command = compiler();
    command
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-g"])
        .args(more)
        .arg(format!("-I{HERE}/include"))
        .arg(source)
        .arg("-o")
        .arg(&program);
    match library {
        Library::Shared => {
            // Under the name that programs look for.
            std::fs::copy(built("libdxil_jit.so"), folder.join(SONAME)).unwrap();
            command
                .arg(folder.join(SONAME))
                .arg(format!("-Wl,-rpath,{}", folder.display()));
        }
        Library::Static => {
            command.arg(built("libdxil_jit.a")).args(["-lm", "-ldl"]);
        }
    }
    command.arg("-lpthread");
    // Those that run shaders.
    if ["dispatch.c", "heap.c", "watched.c"]
        .iter()
        .any(|name| source.ends_with(name))
    {
        command.arg("-lvulkan");
    }
    succeeded(&mut command);
    program
}

/// Runs a program and returns what it printed.
pub(crate) fn run(program: &Path, arguments: &[&Path]) -> String {
    let output = succeeded(Command::new(program).args(arguments));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that has to succeed.
pub(crate) fn succeeded(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Returns the text of a header.
pub(crate) fn header(name: &str) -> String {
    std::fs::read_to_string(format!("{HERE}/include/{name}")).unwrap()
}
