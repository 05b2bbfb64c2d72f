//! Slang source: `slangc` makes HLSL of it, which DXC compiles.
//!
//! `slangc -target dxil` would call a DXC by itself, which crashes with builds of DXC from before
//! 1.8: their objects have destructors in the table of their functions.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_jit::exit::Exit;

use crate::args::Args;
use crate::compiler_output::said;
use crate::failure::{Failure, Result};

/// Stages by the prefixes of profiles. Libraries have none.
const STAGES: [(&str, &str); 8] = [
    ("cs", "compute"),
    ("vs", "vertex"),
    ("ps", "fragment"),
    ("gs", "geometry"),
    ("hs", "hull"),
    ("ds", "domain"),
    ("ms", "mesh"),
    ("as", "amplification"),
];

/// Returns whether a file is Slang by its name.
pub(crate) fn is_source(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("slang"))
}

/// Returns whether a program is Slang's compiler by its name.
pub(crate) fn is_compiler(program: &OsStr) -> bool {
    let stem = Path::new(program).file_stem();
    stem.is_some_and(|stem| stem.eq_ignore_ascii_case("slangc"))
}

/// The failure of a command line where DXC should be Slang.
pub(crate) fn needs_dxc() -> Failure {
    Failure::usage(
        "DXC names slangc, which does not take HLSL as DXC does: name it in SLANGC, and leave DXC \
         to DXC, which compiles what slangc makes of .slang files",
    )
}

/// Translates a source file; returns the file with HLSL, in a folder. What the compiler says goes
/// to standard error.
///
/// # Errors
///
/// Fails where there is no `slangc`, and where the source has errors.
pub(crate) fn to_hlsl(args: &Args, path: &Path, profile: &str, folder: &Path) -> Result<PathBuf> {
    let compiler = std::env::var_os("SLANGC").filter(|name| !name.is_empty());
    let compiler = compiler.unwrap_or_else(|| OsString::from("slangc"));
    let hlsl = folder.join("slang.hlsl");
    let mut command = Command::new(&compiler);
    command.arg(path).args(["-target", "hlsl"]);
    let (prefix, model) = profile.split_once('_').unwrap_or((profile, "6_0"));
    command.args(["-profile", &format!("sm_{model}")]);
    if let Some((_, stage)) = STAGES.iter().find(|(own, _)| *own == prefix) {
        let entry = args.entry.as_deref().unwrap_or("main");
        command.args(["-entry", entry, "-stage", stage]);
    }
    for define in &args.define {
        command.arg(format!("-D{define}"));
    }
    for folder in &args.include {
        command.arg("-I").arg(folder);
    }
    command.arg("-o").arg(&hlsl);
    let output = command.output().map_err(|error| {
        let message = format!(
            "{}: {error}; Slang is translated by slangc: put it on the path, or its path into the \
             environment variable SLANGC (PyPI's package slangtorch has it)",
            Path::new(&compiler).display()
        );
        Failure::new(Exit::from(&error), message)
    })?;
    said(path, "slangc", &output)?;
    Ok(hlsl)
}
