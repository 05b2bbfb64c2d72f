//! `dxil-opt`: optimizes a shader.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, Parser};
use dxil_frontend::container::{Container, DigestStatus, InputKind, Signing, detect};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::opt::{self, Pass};
use dxil_frontend::validate::{Options, validate};
use dxil_frontend::{Error, build};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::input::name_of;
use dxil_jit::pages::PageArgs;
use dxil_jit::{console, files};

/// Text after the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-opt shader.dxil -o smaller.dxil
  dxil-opt shader.dxil --passes mem2reg,fold,dead-code -o smaller.dxil
  dxil-opt shader.dxil --passes unroll-hints --digest -o hinted.dxil";

/// Optimize a shader or library of DXIL: passes over its code, in the order given.
///
/// The parts of the container are made anew; root signature, private data and the compiler's
/// version stay. The result is validated, and written only if no rule is broken.
#[derive(Debug, Parser)]
#[command(name = "dxil-opt", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// DXContainer with DXIL, or LLVM bitcode
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write the container to this file
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["completions", "man"])]
    output: Option<PathBuf>,

    /// The passes
    #[arg(
        short,
        long,
        value_name = "PASS",
        value_delimiter = ',',
        default_values_t = Pass::DEFAULT.iter().copied(),
        value_parser = pass_names()
    )]
    passes: Vec<Pass>,

    /// Write the digest of the content [default: only where the input has a valid one]
    #[arg(long)]
    digest: bool,

    /// Print the number of instructions before and after
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    pages: PageArgs,
}

/// Returns a parser of the names of passes, which `--help` explains.
fn pass_names() -> impl TypedValueParser<Value = Pass> {
    let values = Pass::TABLE.map(|(_, name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(values)
        .try_map(|name| Pass::named(&name).ok_or("the name is unknown"))
}

const COMMAND: Command = Command("dxil-opt");

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
    let failed = |error: Error| COMMAND.fail(&name, &error);
    let is_container = detect(&old) == Some(InputKind::Container);
    let container = is_container.then(|| Container::parse(&old)).transpose();
    let container = container.map_err(failed)?;
    if container.as_ref().is_some_and(Container::has_dxbc_program) {
        COMMAND.report(&format!(
            "{name}: the container has DXBC; dxbc2dxil makes DXIL of it"
        ));
        return Err(Exit::Unsupported);
    }
    let shader = read_shader(&old).map_err(failed)?;
    let optimized = opt::optimize(&shader, &args.passes).map_err(failed)?;
    let is_signed = container
        .as_ref()
        .is_some_and(|it| it.digest() == DigestStatus::Valid);
    let signing = if args.digest || is_signed {
        Signing::Digest
    } else {
        Signing::None
    };
    let new = written(&optimized, container.as_ref(), signing).map_err(failed)?;
    let found = validate(&new, &Options::default());
    if !found.is_valid() {
        for violation in &found.violations {
            COMMAND.report(&format!("{name}: optimized: {violation}"));
        }
        return Err(Exit::Mismatch);
    }
    if args.stats {
        let line = format!(
            "{} instructions, {} before\n",
            instructions(&optimized),
            instructions(&shader)
        );
        let printed = console::write(line.as_bytes());
        printed.map_err(|error| COMMAND.fail("standard output", &error))?;
    }
    let done = files::write(output, &new);
    done.map_err(|error| COMMAND.fail(&output.display().to_string(), &error))
}

fn instructions(shader: &Shader) -> usize {
    let bodies = shader.module.bodies.iter();
    bodies.map(|body| body.insts.len()).sum()
}

/// Returns the container of a shader, with what the old one has beside its program.
fn written(
    shader: &Shader,
    old: Option<&Container<'_>>,
    signing: Signing,
) -> Result<Vec<u8>, Error> {
    let builder = match old {
        Some(old) => build::container_like(shader, old)?,
        None => build::container(shader)?,
    };
    builder.build(signing)
}
