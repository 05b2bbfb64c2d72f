//! `dxil-sign`: validates a container and writes its digest, or checks the stored one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::{Container, DigestStatus, sign};
use dxil_frontend::escape;
use dxil_frontend::validate::{Options, Rule, Severity, validate_container};
use dxil_jit::batch::{Batch, Failure, Input, Made, ReportArgs};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::man_pages::PageArgs;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-sign shader.dxil -o signed.dxil
  dxil-sign --no-validation shader.dxbc -o signed.dxbc
  dxil-sign shaders/ -o signed/         all .dxil, .cso and .dxbc files below a folder
  dxil-sign --check *.dxil";

/// Sign a DXContainer after validation, or check its digest.
#[derive(Debug, Parser)]
#[command(name = "dxil-sign", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// DXContainer with DXIL or DXBC; a folder with such files (.dxil, .cso, .dxbc), or a pattern
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the signed container to this file, those of several inputs to this folder
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
    report: ReportArgs,

    #[command(flatten)]
    pages: PageArgs,
}

/// Extensions of containers, which are taken from folders.
const CONTAINERS: [&str; 3] = ["dxil", "cso", "dxbc"];

const COMMAND: Command = Command("dxil-sign");

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || {
        let batch = Batch {
            command: COMMAND,
            extensions: &CONTAINERS,
            output: args.output.as_deref(),
            new_extension: None,
            report: args.report,
        };
        batch.run(&args.files, |input| {
            if args.check {
                checked(&args, input)
            } else {
                signed(&args, input)
            }
        })
    })
}

fn signed(args: &Args, input: &Input<'_>) -> Result<Made, Failure> {
    let failed = |error: dxil_frontend::Error| Failure::of(&input.name, &error);
    let container = Container::parse(&input.bytes).map_err(failed)?;
    // DXBC has no validator. A wrong digest is replaced.
    if !args.no_validation && !container.has_dxbc_program() {
        let mut options = Options::default();
        options.preview = args.preview;
        let judged = validate_container(&container, &options);
        let violations = judged.violations.iter();
        let errors = violations
            .filter(|it| it.rule != Rule::ContainerDigest && it.severity == Severity::Error);
        let lines = errors.map(|violation| format!("{}: {violation}", input.name));
        let messages: Vec<String> = lines.collect();
        if !messages.is_empty() || judged.left_out > 0 {
            let exit = Exit::Mismatch;
            return Err(Failure { exit, messages });
        }
    }
    let mut made = Made::default();
    let bytes = sign(&input.bytes).map_err(failed)?;
    made.facts.insert("bytes".into(), bytes.len().into());
    made.bytes = Some(bytes);
    Ok(made)
}

fn checked(args: &Args, input: &Input<'_>) -> Result<Made, Failure> {
    let container = Container::parse(&input.bytes);
    let container = container.map_err(|error| Failure::of(&input.name, &error))?;
    let (what, exit) = match container.digest() {
        DigestStatus::Valid => ("valid", None),
        DigestStatus::Unsigned => ("not signed", Some(Exit::Mismatch)),
        DigestStatus::Preview => ("marked as of a preview compiler", Some(Exit::Mismatch)),
        DigestStatus::Bypass => ("marked to be accepted without digest", Some(Exit::Mismatch)),
        DigestStatus::Mismatch => ("the digest is wrong", Some(Exit::Mismatch)),
    };
    let mut made = Made::default();
    if exit.is_some() || !args.report.quiet {
        made.text = format!("{}: {what}\n", escape::message(&input.name));
    }
    made.facts.insert("digest".into(), what.into());
    made.exit = exit;
    Ok(made)
}
