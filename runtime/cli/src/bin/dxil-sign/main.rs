//! `dxil-sign`: validates a container and writes its digest, or checks the stored one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::{Container, DigestStatus, sign};
use dxil_frontend::shown;
use dxil_frontend::validate::{Options, validate_container};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::input::name_of;
use dxil_jit::pages::PageArgs;
use dxil_jit::paths::Found;
use dxil_jit::{console, files};

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-sign shader.dxil -o signed.dxil
  dxil-sign --no-validation shader.dxbc -o signed.dxbc
  dxil-sign --check *.dxil";

/// Sign a DXContainer after validation, or check its digest.
#[derive(Debug, Parser)]
#[command(name = "dxil-sign", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// DXContainer with DXIL or DXBC; several, folders and patterns only with --check
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the signed container to this file
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["check", "completions", "man"])]
    output: Option<PathBuf>,

    /// Compare the digests that are stored with the content
    #[arg(long, conflicts_with = "output")]
    check: bool,

    /// Sign without validation
    #[arg(long, conflicts_with = "check")]
    no_validation: bool,

    /// Take the preview shader model 6.10 for a released one
    #[arg(long, conflicts_with_all = ["check", "no_validation"])]
    preview: bool,

    #[command(flatten)]
    pages: PageArgs,
}

/// Extensions of containers, which are taken from folders.
const CONTAINERS: [&str; 3] = ["dxil", "cso", "dxbc"];

const COMMAND: Command = Command("dxil-sign");

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || match &args.output {
        Some(output) => write_signed(&args, output),
        None => check(&args),
    })
}

fn write_signed(args: &Args, output: &std::path::Path) -> Exit {
    let [file] = &args.files[..] else {
        COMMAND.report("only one file can be signed at a time");
        return Exit::Usage;
    };
    let bytes = match files::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            COMMAND.report(&format!("{}: {error}", name_of(file)));
            return Exit::from(&error);
        }
    };
    let container = match Container::parse(&bytes) {
        Ok(container) => container,
        Err(error) => {
            COMMAND.report(&format!("{}: {error}", name_of(file)));
            return Exit::from(&error);
        }
    };
    // DXBC has no validator. A wrong digest is replaced.
    if !args.no_validation && !container.has_dxbc_program() {
        let mut options = Options::default();
        options.preview = args.preview;
        let judged = validate_container(&container, &options);
        let rule = dxil_frontend::validate::Rule::ContainerDigest;
        let mut errors = judged
            .violations
            .iter()
            .filter(|v| v.rule != rule && v.severity == dxil_frontend::validate::Severity::Error);
        let mut has_errors = judged.left_out > 0;
        for violation in errors.by_ref() {
            COMMAND.report(&format!("{}: {violation}", file.display()));
            has_errors = true;
        }
        if has_errors {
            return Exit::Mismatch;
        }
    }
    match sign(&bytes).map(|signed| files::write(output, &signed)) {
        Ok(Ok(())) => Exit::Done,
        Ok(Err(error)) => {
            COMMAND.report(&format!("{}: {error}", output.display()));
            Exit::from(&error)
        }
        Err(error) => {
            COMMAND.report(&format!("{}: {error}", name_of(file)));
            Exit::from(&error)
        }
    }
}

fn check(args: &Args) -> Exit {
    let mut exit = Exit::Done;
    let files = Found::paths(&args.files, &CONTAINERS, |path, problem| {
        COMMAND.report(&format!("{}: {}", name_of(path), problem.message));
        exit = exit.max(problem.exit);
    });
    for file in &files {
        let bytes = match files::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                COMMAND.report(&format!("{}: {error}", name_of(file)));
                exit = exit.max(Exit::from(&error));
                continue;
            }
        };
        let (what, own) = match Container::parse(&bytes).map(|container| container.digest()) {
            Ok(DigestStatus::Valid) => ("valid", Exit::Done),
            Ok(DigestStatus::Unsigned) => ("not signed", Exit::Mismatch),
            Ok(DigestStatus::Preview) => ("marked as of a preview compiler", Exit::Mismatch),
            Ok(DigestStatus::Bypass) => ("marked to be accepted without digest", Exit::Mismatch),
            Ok(DigestStatus::Mismatch) => ("the digest is wrong", Exit::Mismatch),
            Err(error) => {
                COMMAND.report(&format!("{}: {error}", name_of(file)));
                exit = exit.max(Exit::from(&error));
                continue;
            }
        };
        exit = exit.max(own);
        let name = name_of(file);
        let line = format!("{}: {what}\n", shown::message(&name));
        if let Err(error) = console::write(line.as_bytes()) {
            return exit.max(COMMAND.fail("standard output", &error));
        }
    }
    exit
}
