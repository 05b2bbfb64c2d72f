//! `dxbc2dxil`: writes a DXBC shader as DXIL.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::{Container, Signing};
use dxil_frontend::upgrade;
use dxil_frontend::validate::{Options, validate};
use dxil_jit::batch::{Batch, Failure, Input, Made, ReportArgs};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::man_pages::PageArgs;

/// Text after the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxbc2dxil old.dxbc -o new.dxil
  dxbc2dxil old.dxbc --no-digest -o unsigned.dxil
  dxbc2dxil water_ps.dxbc --output water_ps.dxil
  dxbc2dxil old/ -o new/                     all .dxbc and .cso files below a folder";

/// Convert a DXBC shader (shader models 4.0 to 5.1) to DXIL of shader model 6.0.
///
/// Registers, spaces, signatures, root signature and the names of resources stay. The result is
/// validated, and written only if no rule is broken.
#[derive(Debug, Parser)]
#[command(name = "dxbc2dxil", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// Container with DXBC; a folder with such files (.dxbc, .cso), or a pattern
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the container with DXIL to this file, those of several inputs to this folder
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["completions", "man"])]
    output: Option<PathBuf>,

    /// Leave the digest zero
    #[arg(long)]
    no_digest: bool,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    pages: PageArgs,
}

const COMMAND: Command = Command("dxbc2dxil");

/// Extensions of containers with DXBC, which are taken from folders.
const CONTAINERS: [&str; 2] = ["dxbc", "cso"];

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || {
        let batch = Batch {
            command: COMMAND,
            extensions: &CONTAINERS,
            output: args.output.as_deref(),
            new_extension: Some("dxil"),
            report: args.report,
        };
        batch.run(&args.files, |input| made(&args, input))
    })
}

fn made(args: &Args, input: &Input<'_>) -> Result<Made, Failure> {
    let signing = if args.no_digest {
        Signing::None
    } else {
        Signing::Digest
    };
    let new = Container::parse(&input.bytes)
        .and_then(|container| upgrade::to_dxil(&container))
        .and_then(|builder| builder.build(signing))
        .map_err(|error| Failure::of(&input.name, &error))?;
    let found = validate(&new, &Options::default());
    let violations = found.violations.iter();
    let lines = violations.map(|violation| format!("{}: as DXIL: {violation}", input.name));
    if !found.is_valid() {
        return Err(Failure {
            exit: Exit::Unsupported,
            messages: lines.collect(),
        });
    }
    // What is left are warnings.
    lines.for_each(|line| COMMAND.report(&line));
    let mut made = Made::default();
    made.facts.insert("bytes".into(), new.len().into());
    made.bytes = Some(new);
    Ok(made)
}
