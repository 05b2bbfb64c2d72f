//! `dxil-sign`: validates a container and writes its digest, or checks the one that is there.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use dxil_frontend::container::{Container, DigestStatus, sign};
use dxil_frontend::shown;
use dxil_frontend::validate::{Options, validate_container};
use dxil_jit::files;

/// Text that stands behind the options in `--help`.
const AFTER_HELP: &str = "\
Exit codes:
  0  the container was signed (with --check: all digests are valid)
  1  the container breaks a rule (with --check: a digest is missing or wrong)
  2  the command line is wrong
  3  the file is no container
  4  a file could not be read or written

Examples:
  dxil-sign shader.dxil -o signed.dxil
  dxil-sign --no-validation shader.dxbc -o signed.dxbc
  dxil-sign --check *.dxil";

/// Sign a DXContainer after validation, or check its digest.
#[derive(Debug, Parser)]
#[command(name = "dxil-sign", version, after_help = AFTER_HELP)]
struct Args {
    /// DXContainer with DXIL or DXBC; several only with --check
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the signed container to this file
    #[arg(short, long, value_name = "FILE", required_unless_present = "check")]
    output: Option<PathBuf>,

    /// Compare the digests that are stored with the content
    #[arg(long, conflicts_with = "output")]
    check: bool,

    /// Sign without validation
    #[arg(long, conflicts_with = "check")]
    no_validation: bool,
}

mod status {
    pub(crate) const OK: u8 = 0;
    pub(crate) const INVALID: u8 = 1;
    pub(crate) const USAGE: u8 = 2;
    pub(crate) const MALFORMED: u8 = 3;
    pub(crate) const IO: u8 = 4;
}

fn main() -> ExitCode {
    let args = Args::parse();
    ExitCode::from(match &args.output {
        Some(output) => write_signed(&args, output),
        None => check(&args),
    })
}

/// Writes a line to standard error; nothing can be done if that fails.
fn report(message: &str) {
    let _ = writeln!(io::stderr(), "dxil-sign: {}", shown::message(message));
}

fn write_signed(args: &Args, output: &std::path::Path) -> u8 {
    let [file] = &args.files[..] else {
        report("one file is signed at a time");
        return status::USAGE;
    };
    let bytes = match files::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            report(&format!("{}: {error}", file.display()));
            return status::IO;
        }
    };
    let container = match Container::parse(&bytes) {
        Ok(container) => container,
        Err(error) => {
            report(&format!("{}: {error}", file.display()));
            return status::MALFORMED;
        }
    };
    // Of DXBC there is nothing to validate here. A digest that is wrong is replaced.
    if !args.no_validation && !container.has_dxbc_program() {
        let judged = validate_container(&container, &Options::default());
        let rule = dxil_frontend::validate::Rule::ContainerDigest;
        let mut errors = judged
            .violations
            .iter()
            .filter(|v| v.rule != rule && v.severity == dxil_frontend::validate::Severity::Error);
        let mut has_errors = judged.left_out > 0;
        for violation in errors.by_ref() {
            report(&format!("{}: {violation}", file.display()));
            has_errors = true;
        }
        if has_errors {
            return status::INVALID;
        }
    }
    match sign(&bytes).map(|signed| files::write(output, &signed)) {
        Ok(Ok(())) => status::OK,
        Ok(Err(error)) => {
            report(&format!("{}: {error}", output.display()));
            status::IO
        }
        Err(error) => {
            report(&format!("{}: {error}", file.display()));
            status::MALFORMED
        }
    }
}

fn check(args: &Args) -> u8 {
    let mut status = status::OK;
    for file in &args.files {
        let bytes = match files::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&format!("{}: {error}", file.display()));
                status = status.max(status::IO);
                continue;
            }
        };
        let (what, own) = match Container::parse(&bytes).map(|container| container.digest()) {
            Ok(DigestStatus::Valid) => ("valid", status::OK),
            Ok(DigestStatus::Unsigned) => ("not signed", status::INVALID),
            Ok(DigestStatus::Preview) => ("marked as of a preview compiler", status::INVALID),
            Ok(DigestStatus::Bypass) => ("marked to be accepted without digest", status::INVALID),
            Ok(DigestStatus::Mismatch) => ("the digest is wrong", status::INVALID),
            Err(error) => {
                report(&format!("{}: {error}", file.display()));
                status = status.max(status::MALFORMED);
                continue;
            }
        };
        status = status.max(own);
        let name = file.display().to_string();
        if writeln!(io::stdout(), "{}: {what}", shown::message(&name)).is_err() {
            return status;
        }
    }
    status
}
