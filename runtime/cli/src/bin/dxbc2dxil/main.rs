//! `dxbc2dxil`: writes a DXBC shader as DXIL.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::{Container, Signing};
use dxil_frontend::upgrade;
use dxil_frontend::validate::{Options, validate};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::files;
use dxil_jit::input::name_of;
use dxil_jit::pages::PageArgs;

/// Text after the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxbc2dxil old.dxbc -o new.dxil
  dxbc2dxil old.dxbc --no-digest -o unsigned.dxil
  dxbc2dxil water_ps.dxbc --output water_ps.dxil";

/// Convert a DXBC shader (shader models 4.0 to 5.1) to DXIL of shader model 6.0.
///
/// Registers, spaces, signatures, root signature and the names of resources stay. The result is
/// validated, and written only if no rule is broken.
#[derive(Debug, Parser)]
#[command(name = "dxbc2dxil", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// Container with DXBC
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write the container with DXIL to this file
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["completions", "man"])]
    output: Option<PathBuf>,

    /// Leave the digest zero
    #[arg(long)]
    no_digest: bool,

    #[command(flatten)]
    pages: PageArgs,
}

const COMMAND: Command = Command("dxbc2dxil");

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || {
        run(&args).err().unwrap_or(Exit::Done)
    })
}

fn run(args: &Args) -> Result<(), Exit> {
    let (Some(file), Some(output)) = (&args.file, &args.output) else {
        return Err(Exit::Usage);
    };
    let name = name_of(file);
    let old = files::read(file).map_err(|error| COMMAND.fail(&name, &error))?;
    let signing = if args.no_digest {
        Signing::None
    } else {
        Signing::Digest
    };
    let new = Container::parse(&old)
        .and_then(|container| upgrade::to_dxil(&container))
        .and_then(|builder| builder.build(signing))
        .map_err(|error| COMMAND.fail(&name, &error))?;
    check(&new, &name)?;
    let written = files::write(output, &new);
    written.map_err(|error| COMMAND.fail(&output.display().to_string(), &error))
}

/// Reports the rules that the result breaks.
fn check(new: &[u8], name: &str) -> Result<(), Exit> {
    let found = validate(new, &Options::default());
    for violation in &found.violations {
        COMMAND.report(&format!("{name}: as DXIL: {violation}"));
    }
    if found.is_valid() {
        Ok(())
    } else {
        Err(Exit::Unsupported)
    }
}
