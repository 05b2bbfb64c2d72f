//! The libraries as they are installed: CMake, Meson and pkg-config find them, and a program that
//! was built with another library of the same ABI runs with ours.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use toolchain::*;

/// Installs what Cargo has built, once per process; gives the prefix.
fn installed(test: &str) -> PathBuf {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    let install = || {
        let prefix = folder(&format!("installed-{test}"));
        let library = built("libdxil_jit.so");
        succeeded(
            Command::new("bash")
                .arg(format!("{HERE}/../../tools/install-capi.sh"))
                .arg(&prefix)
                .env_remove("DESTDIR")
                .env_remove("LIBDIR")
                .env("DXIL_JIT_BUILT", library.parent().unwrap()),
        );
        prefix
    };
    PREFIX.get_or_init(install).clone()
}

/// Copies the installed files to another folder, and gives that one.
fn moved(test: &str) -> PathBuf {
    let first = installed(test);
    let second = empty(&format!("moved-{test}"));
    std::fs::remove_dir(&second).unwrap();
    succeeded(Command::new("cp").arg("-a").args([&first, &second]));
    let name = first.to_str().unwrap();
    let mut folders = vec![second.join("lib/cmake"), second.join("lib/pkgconfig")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains(name), "{} names {name}", path.display());
        }
    }
    assert_eq!(files, 6);
    second
}

fn shader() -> PathBuf {
    Path::new(HERE).join("examples/squares.dxil")
}

fn translates(program: &Path, libraries: &Path) {
    let mut command = Command::new(program);
    command.arg(shader()).env("LD_LIBRARY_PATH", libraries);
    let said = succeeded(&mut command).stdout;
    assert_eq!(String::from_utf8(said).unwrap(), "SPIR-V 07230203\n");
}

/// Returns a new build folder.
fn empty(name: &str) -> PathBuf {
    let build = folder(name);
    std::fs::remove_dir_all(&build).unwrap();
    folder(name)
}

#[test]
fn licences_are_installed() {
    let documents = installed("licences").join("share/doc/dxil-jit");
    for (file, words) in [
        ("LICENSE-MIT", "Permission is hereby granted"),
        ("LICENSE-APACHE", "Apache License"),
        (
            "THIRD-PARTY.md",
            "Hans-Kristian Arntzen for Valve Corporation",
        ),
        ("THIRD-PARTY-CRATES.txt", "petgraph"),
    ] {
        let text = std::fs::read_to_string(documents.join(file)).unwrap();
        assert!(text.contains(words), "{file} says nothing of {words}");
    }
}

#[test]
fn pkg_config_finds_the_libraries() {
    if !is_there("pkg-config") {
        return eprintln!("pkg-config is not there");
    }
    let prefix = moved("pkg-config");
    let build = empty("consumer-pkg-config");
    for (package, source) in [("dxil-spirv-c-shared", "layer"), ("dxil-jit", "own")] {
        let flags = succeeded(
            Command::new("pkg-config")
                .args(["--cflags", "--libs", package])
                .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")),
        );
        let flags = String::from_utf8(flags.stdout).unwrap();
        let program = build.join(source);
        succeeded(
            compiler()
                .arg("-o")
                .arg(&program)
                .arg(format!("{HERE}/tests/consumer/{source}.c"))
                .args(flags.split_whitespace()),
        );
        translates(&program, &prefix.join("lib"));
    }
}

#[test]
fn cmake_finds_the_libraries() {
    if !is_there("cmake") {
        return eprintln!("cmake is not there");
    }
    // Another place than that for which they were installed.
    let prefix = moved("cmake");
    let build = empty("consumer-cmake");
    succeeded(
        Command::new("cmake")
            .args(["-S", &format!("{HERE}/tests/consumer"), "-B"])
            .arg(&build)
            .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())),
    );
    succeeded(Command::new("cmake").arg("--build").arg(&build));
    for program in ["layer", "own"] {
        translates(&build.join(program), &prefix.join("lib"));
    }
    for program in ["layer-static", "own-static"] {
        translates(&build.join(program), &build);
    }
}

#[test]
fn meson_finds_the_libraries() {
    if !is_there("meson") || !is_there("ninja") {
        return eprintln!("meson or ninja is not there");
    }
    let prefix = installed("meson");
    // A source tree with our subproject in it, as a project would have it in the place of
    // dxil-spirv's.
    let source = empty("consumer-meson");
    let subproject = source.join("subprojects/dxil-spirv");
    std::fs::create_dir_all(&subproject).unwrap();
    for file in ["meson.build", "layer.c", "own.c", "rounding.c"] {
        std::fs::copy(format!("{HERE}/tests/consumer/{file}"), source.join(file)).unwrap();
    }
    std::fs::copy(
        format!("{HERE}/meson/meson.build"),
        subproject.join("meson.build"),
    )
    .unwrap();
    let build = source.join("build");
    succeeded(
        Command::new("meson")
            .arg("setup")
            .arg(&build)
            .arg(&source)
            // Said by name, it is not put after a compiler cache.
            .env("CC", compiler().get_program())
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")),
    );
    succeeded(Command::new("ninja").arg("-C").arg(&build));
    for program in ["layer", "own", "layer-subproject"] {
        translates(&build.join(program), &prefix.join("lib"));
    }
}

#[test]
fn a_built_program_changes_libraries_by_the_library_path() {
    let build = empty("swap");
    let (theirs, ours) = (build.join("theirs"), build.join("ours"));
    std::fs::create_dir_all(&theirs).unwrap();
    std::fs::create_dir_all(&ours).unwrap();
    // Another library of that name, which the program is linked with.
    succeeded(
        compiler()
            .args(["-shared", "-fPIC", &format!("-Wl,-soname,{SONAME}"), "-o"])
            .arg(theirs.join(SONAME))
            .arg(format!("{HERE}/tests/c/other_library.c")),
    );
    let program = build.join("layer");
    succeeded(
        compiler()
            .arg("-o")
            .arg(&program)
            .arg(format!("{HERE}/tests/consumer/layer.c"))
            .arg(format!("-I{HERE}/include"))
            .arg(theirs.join(SONAME)),
    );
    let said = succeeded(
        Command::new(&program)
            .arg(shader())
            .env("LD_LIBRARY_PATH", &theirs),
    );
    assert_eq!(said.stdout, b"another library\n");
    std::fs::copy(built("libdxil_jit.so"), ours.join(SONAME)).unwrap();
    let both = format!("{}:{}", ours.display(), theirs.display());
    translates(&program, Path::new(&both));
}
