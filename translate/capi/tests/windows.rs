//! The libraries for Windows: C programs link the static library and the DLL, and run under Wine.
//!
//! `tools/test-windows.sh` builds the libraries and says in `DXIL_JIT_WINDOWS` where they are
//! installed, one folder per target, separated by colons. Without it nothing is tested.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod toolchain;

use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_validator::{Environment, Rules, validate};
use toolchain::*;

/// An installed library for Windows.
struct Installed {
    prefix: PathBuf,
    /// `x86_64` or `i686`.
    architecture: String,
}

fn installed() -> Vec<Installed> {
    let Some(folders) = std::env::var_os("DXIL_JIT_WINDOWS") else {
        eprintln!("no libraries for Windows: tools/test-windows.sh builds them");
        return Vec::new();
    };
    std::env::split_paths(&folders)
        .map(|prefix| {
            let target = prefix.file_name().unwrap().to_string_lossy();
            let architecture = target.split('-').next().unwrap().to_owned();
            Installed {
                prefix,
                architecture,
            }
        })
        .collect()
}

/// DLLs that a program may import from: every one is part of Windows 10 and of Wine.
const SYSTEM: [&str; 7] = [
    "advapi32.dll",
    "api-ms-win-core-synch-l1-2-0.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "userenv.dll",
    "ws2_32.dll",
];

impl Installed {
    fn tool(&self, name: &str) -> Command {
        Command::new(format!("{}-w64-mingw32-{name}", self.architecture))
    }

    /// Compiles and links a program in a folder of its own, the DLL beside it.
    fn compile(&self, source: &Path, library: Library) -> PathBuf {
        let stem = source.file_stem().unwrap().to_string_lossy();
        let folder = folder(&format!("windows-{}-{stem}-{library:?}", self.architecture));
        let program = folder.join(format!("{stem}.exe"));
        let mut command = self.tool("gcc");
        command
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-g"])
            // Formats as C has them, not as msvcrt.dll does.
            .arg("-D__USE_MINGW_ANSI_STDIO=1")
            .arg(format!(
                "-I{}",
                self.prefix.join("include/dxil-spirv").display()
            ))
            .arg(format!(
                "-I{}",
                self.prefix.join("include/dxil-jit").display()
            ))
            .arg(source)
            .arg("-o")
            .arg(&program);
        match library {
            Library::Shared => {
                let dll = "dxil_jit.dll";
                std::fs::copy(self.prefix.join("bin").join(dll), folder.join(dll)).unwrap();
                command.arg(self.prefix.join("lib/libdxil_jit.dll.a"));
            }
            Library::Static => {
                command.arg(self.prefix.join("lib/libdxil_jit.a")).args([
                    "-lkernel32",
                    "-lntdll",
                    "-luserenv",
                    "-lws2_32",
                    "-ladvapi32",
                ]);
            }
        }
        // Threads of POSIX and the compiler's own library are in the program.
        command.args(["-static", "-lpthread"]);
        succeeded(&mut command);
        program
    }

    /// Returns the command that runs programs of this architecture, if it is present.
    fn runner(&self) -> Option<Command> {
        let variable = format!(
            "CARGO_TARGET_{}_PC_WINDOWS_GNU_RUNNER",
            self.architecture.to_uppercase()
        );
        if let Ok(named) = std::env::var(variable) {
            let mut words = named.split_whitespace();
            let mut command = Command::new(words.next().unwrap());
            command.args(words);
            return Some(command);
        }
        let names: &[&str] = match self.architecture.as_str() {
            // Debian keeps it out of the path.
            "x86_64" => &["wine64", "wine", "/usr/lib/wine/wine64"],
            _ => &["wine32"],
        };
        let name = names.iter().find(|name| is_there(name))?;
        Some(Command::new(name))
    }

    /// Runs a program and gives what it printed; nothing where programs cannot be run.
    fn run(&self, program: &Path, arguments: &[&Path]) -> Option<String> {
        let mut command = self.runner()?;
        let prefix = folder(&format!("windows-{}-wine", self.architecture));
        command
            .current_dir(program.parent().unwrap())
            .arg(program)
            .args(arguments)
            .env("WINEPREFIX", prefix)
            .env("WINEDEBUG", "-all")
            // No installers, which would open windows.
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=");
        let text = String::from_utf8(succeeded(&mut command).stdout).unwrap();
        Some(text.replace("\r\n", "\n"))
    }

    /// Runs a program of this crate with both libraries.
    fn expect(&self, source: &Path, arguments: &[&Path], said: &str) {
        for library in [Library::Static, Library::Shared] {
            let program = self.compile(source, library);
            match self.run(&program, arguments) {
                Some(text) => assert_eq!(text, said, "{}", program.display()),
                None => eprintln!("{} is not run: no Wine", program.display()),
            }
        }
    }
}

/// Returns a file of this repository.
fn file(path: &str) -> PathBuf {
    Path::new(HERE).join(path).canonicalize().unwrap()
}

#[test]
fn the_c_tests_pass() {
    let squares = file("examples/squares.dxil");
    let packing = file("../../hwtests/shaders/arith/half_packing.dxil");
    let shader = |name: &str| file(&format!("../../hwtests/shaders/{name}.dxil"));
    let reflected = ["tess/few_hs", "tess/few_ds", "newer/wavesize_range"].map(shader);
    let reflected: Vec<&Path> = reflected.iter().map(|path| &**path).collect();
    let bindings = file("tests/shaders/bindings.dxil");
    for windows in installed() {
        let own = |name: &str| file(&format!("tests/c/{name}.c"));
        windows.expect(&own("native"), &[&bindings], "fine\n");
        windows.expect(&own("threads"), &[&squares], "fine\n");
        windows.expect(&own("arena"), &[&squares], "fine\n");
        windows.expect(&own("half_packing"), &[&packing], "fine\n");
        windows.expect(&own("reflection"), &reflected, "fine\n");
        let layer = file("tests/consumer/layer.c");
        windows.expect(&layer, &[&squares], "SPIR-V 07230203\n");
        if windows.architecture == "x86_64" {
            // Sizes of structures as they are with pointers of 64 bits.
            windows.expect(&own("layout"), &[], "");
        }
    }
}

#[test]
fn a_layer_gets_the_same_module_as_on_this_machine() {
    let shader = file("tests/shaders/bindings.dxil");
    let here = compile("tests/c/compat.c", Library::Static);
    let expected = here.with_extension("windows.spv");
    assert_eq!(run(&here, &[&shader, &expected]), "fine\n");
    let expected = std::fs::read(expected).unwrap();
    for windows in installed() {
        for library in [Library::Static, Library::Shared] {
            let program = windows.compile(&file("tests/c/compat.c"), library);
            let out = program.with_extension("spv");
            let Some(said) = windows.run(&program, &[&shader, &out]) else {
                continue;
            };
            assert_eq!(said, "fine\n");
            let module = std::fs::read(&out).unwrap();
            let words: Vec<u32> = module
                .chunks_exact(4)
                .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
                .collect();
            validate(&words, Rules::strict(Environment::Vulkan1_1)).unwrap();
            assert_eq!(module, expected);
        }
    }
}

#[test]
fn null_and_false_handles_are_errors_for_every_function() {
    let shader = file("examples/squares.dxil");
    for windows in installed() {
        let folder = folder(&format!("windows-{}-misuse", windows.architecture));
        let source = folder.join("misuse.c");
        std::fs::write(&source, misuse::misuse_program()).unwrap();
        windows.expect(&source, &[&shader], "fine\n");
    }
}

#[test]
fn programs_import_from_the_system_alone() {
    for windows in installed() {
        let layer = file("tests/consumer/layer.c");
        let program = windows.compile(&layer, Library::Static);
        for image in [program, windows.prefix.join("bin/dxil_jit.dll")] {
            let output = succeeded(windows.tool("objdump").arg("-p").arg(&image));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let names = text
                .lines()
                .filter_map(|line| line.split_once("DLL Name: "));
            let names: Vec<String> = names.map(|(_, name)| name.trim().to_lowercase()).collect();
            assert!(names.iter().any(|name| name == "kernel32.dll"), "{names:?}");
            for name in &names {
                assert!(SYSTEM.contains(&&**name), "{}: {name}", image.display());
            }
        }
    }
}

#[test]
fn the_dll_exports_the_apis_and_nothing_else() {
    for windows in installed() {
        let dll = windows.prefix.join("bin/dxil_jit.dll");
        let output = succeeded(windows.tool("objdump").arg("-p").arg(dll));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (_, table) = text.split_once("[Ordinal/Name Pointer] Table").unwrap();
        let names: Vec<&str> = table
            .lines()
            .skip(1)
            .take_while(|line| line.trim_start().starts_with('['))
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        let compatible = names.iter().filter(|name| name.starts_with("dxil_spv_"));
        assert_eq!(compatible.count(), 64, "{names:?}");
        assert!(names.contains(&"dxil_jit_translate"), "{names:?}");
        for name in names {
            assert!(
                name.starts_with("dxil_spv_") || name.starts_with("dxil_jit_"),
                "{name} is exported"
            );
        }
    }
}

#[test]
fn meson_cross_builds_a_project_with_the_stand_in() {
    if !is_there("meson") || !is_there("ninja") || !is_there("pkg-config") {
        return eprintln!("meson, ninja or pkg-config is not there");
    }
    for windows in installed() {
        let architecture = &windows.architecture;
        let source = folder(&format!("windows-{architecture}-meson"));
        std::fs::remove_dir_all(&source).unwrap();
        let subproject = source.join("subprojects/dxil-spirv");
        std::fs::create_dir_all(&subproject).unwrap();
        for name in ["meson.build", "layer.c", "own.c", "rounding.c"] {
            std::fs::copy(format!("{HERE}/tests/consumer/{name}"), source.join(name)).unwrap();
        }
        let stand_in = format!("{HERE}/meson/meson.build");
        std::fs::copy(stand_in, subproject.join("meson.build")).unwrap();
        // As the cross files of projects for Wine are.
        let family = if architecture == "i686" {
            "x86"
        } else {
            "x86_64"
        };
        let cross = source.join("cross.ini");
        let text = format!(
            "[binaries]\nc = '{architecture}-w64-mingw32-gcc'\n\
             ar = '{architecture}-w64-mingw32-ar'\n\
             [properties]\nneeds_exe_wrapper = true\n\
             [host_machine]\nsystem = 'windows'\ncpu_family = '{family}'\n\
             cpu = '{family}'\nendian = 'little'\n"
        );
        std::fs::write(&cross, text).unwrap();
        let ours = format!("share/meson/cross/dxil-jit-{architecture}-windows.ini");
        let build = source.join("build");
        succeeded(
            Command::new("meson")
                .arg("setup")
                .arg("--cross-file")
                .arg(&cross)
                .arg("--cross-file")
                .arg(windows.prefix.join(ours))
                .arg(&build)
                .arg(&source),
        );
        succeeded(Command::new("ninja").arg("-C").arg(&build));
        let program = build.join("layer-subproject.exe");
        let shader = file("examples/squares.dxil");
        if let Some(said) = windows.run(&program, &[&shader]) {
            assert_eq!(said, "SPIR-V 07230203\n");
        }
    }
}
