//! HLSL source: compiled by a DXC of the machine. Slang source becomes HLSL first, by `slangc`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_jit::exit::Exit;
use dxil_jit::files;

use crate::args::Args;
use crate::compiler_output::said;
use crate::failure::{Failure, Result};
use crate::slang;

/// Compiles a source file for a profile, and returns the container. What the compiler says goes to
/// standard error.
///
/// # Errors
///
/// Fails where there is no DXC, and where the source has errors.
pub(crate) fn compile(args: &Args, path: &Path, profile: &str) -> Result<Vec<u8>> {
    let debug: &[&str] = if args.debug_info.is_some() || !args.check.is_empty() {
        &["-Zi", "-Qembed_debug"]
    } else {
        &[]
    };
    call(args, path, profile, debug)
}

/// Compiles a source file for Vulkan, and returns the SPIR-V. Buffers have D3D12's layout, and
/// registers of different kinds bindings of their own.
///
/// # Errors
///
/// As [`compile`].
pub(crate) fn compile_for_vulkan(args: &Args, path: &Path, profile: &str) -> Result<Vec<u8>> {
    let options = "-spirv -fspv-target-env=vulkan1.3 -fvk-use-dx-layout -fvk-b-shift 0 \
                   all -fvk-t-shift 1000 all -fvk-s-shift 2000 all -fvk-u-shift 3000 all";
    let options: Vec<&str> = options.split_whitespace().collect();
    call(args, path, profile, &options)
}

fn call(args: &Args, path: &Path, profile: &str, options: &[&str]) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().map_err(|error| Failure::file(path, &error))?;
    let container = folder.path().join("shader.dxil");
    let (compiler, first) = compiler();
    let mut command = Command::new(&compiler);
    if slang::is_compiler(&compiler) {
        return Err(slang::needs_dxc());
    }
    command.args(&first);
    command.args(["-T", profile]);
    // A library has no entry point of its own.
    if !profile.starts_with("lib_") {
        command.args(["-E", args.entry.as_deref().unwrap_or("main")]);
    }
    command.args(options);
    let source = if slang::is_source(path) {
        // Slang has read the includes and macros.
        slang::to_hlsl(args, path, profile, folder.path())?
    } else {
        for define in &args.define {
            command.args(["-D", define]);
        }
        for folder in &args.include {
            command.arg("-I").arg(folder);
        }
        path.to_path_buf()
    };
    command.args(&args.dxc_arguments);
    command.arg("-Fo").arg(&container).arg(&source);
    let output = command.output().map_err(|error| {
        let message = format!(
            "{}: {error}; HLSL is compiled by DXC: put `dxc` on the path, or its path into the \
             environment variable DXC (in a checkout of dxil-jit, tools/get-dxc.sh fetches one)",
            Path::new(&compiler).display()
        );
        Failure::new(Exit::from(&error), message)
    })?;
    said(path, "DXC", &output)?;
    files::read(&container).map_err(|error| Failure::file(&container, &error))
}

/// Returns the command to call and its first arguments: that of the environment variable `DXC`, or
/// `dxc` on the path.
fn compiler() -> (OsString, Vec<String>) {
    match std::env::var_os("DXC").filter(|name| !name.is_empty()) {
        Some(named) => compiler_of(named),
        None => ("dxc".into(), Vec::new()),
    }
}

/// Returns the command that a value names: a program, the folder that it is in, or a command line
/// with blanks between its words.
fn compiler_of(named: OsString) -> (OsString, Vec<String>) {
    let path = Path::new(&named);
    if path.is_dir() {
        return (path.join("dxc").into(), Vec::new());
    }
    match named.to_str() {
        Some(line) if !path.exists() && line.trim().contains(' ') => {
            let mut words = line.split_whitespace().map(str::to_owned);
            let program = words.next().unwrap_or_default();
            (program.into(), words.collect())
        }
        _ => (named, Vec::new()),
    }
}

/// Returns the profile of the n-th of several files: one for all, or one for each.
pub(crate) fn profile_of(args: &Args, index: usize) -> Option<&str> {
    match args.profile.as_slice() {
        [] => None,
        [one] => Some(one),
        each => each.get(index).map(String::as_str),
    }
}

/// Checks that the number of profiles fits that of files.
pub(crate) fn check_profiles(profiles: &[String], files: &[PathBuf]) -> Result<()> {
    if profiles.len() <= 1 || profiles.len() == files.len() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "-T: {} profiles for {} files; give one for all, or one for each (-T vs_6_0,ps_6_0)",
        profiles.len(),
        files.len()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_is_a_program_a_folder_or_a_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my dxc");
        std::fs::write(&program, "").unwrap();
        let (command, first) = compiler_of(program.clone().into());
        assert_eq!((Path::new(&command), first.len()), (program.as_path(), 0));
        let (command, _) = compiler_of(folder.path().into());
        assert_eq!(Path::new(&command), folder.path().join("dxc"));
        let (command, first) = compiler_of("wine dxc.exe -nologo".into());
        assert_eq!(command, "wine");
        assert_eq!(first, ["dxc.exe", "-nologo"]);
        assert_eq!(compiler_of("dxc".into()), ("dxc".into(), Vec::new()));
    }
}
