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
use dxil_jit::batch::{Batch, Failure, Input, Made, ReportArgs};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::man_pages::PageArgs;

/// Text after the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-opt shader.dxil -o smaller.dxil
  dxil-opt shader.dxil --passes mem2reg,fold,dead-code -o smaller.dxil
  dxil-opt shader.dxil --passes unroll-hints --digest -o hinted.dxil
  dxil-opt shaders/ --stats --json -o smaller/   all shaders below a folder";

/// Optimize a shader or library of DXIL: passes over its code, in the order given.
///
/// The parts of the container are made anew; root signature, private data and the compiler's
/// version stay. The result is validated, and written only if no rule is broken.
#[derive(Debug, Parser)]
#[command(name = "dxil-opt", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// DXContainer with DXIL, or LLVM bitcode; a folder with such files, or a pattern
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the container to this file, those of several inputs to this folder
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
    report: ReportArgs,

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

/// Extensions of shaders, which are taken from folders.
const SHADERS: [&str; 3] = ["dxil", "cso", "bc"];

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || {
        let batch = Batch {
            command: COMMAND,
            extensions: &SHADERS,
            output: args.output.as_deref(),
            new_extension: None,
            report: args.report,
        };
        batch.run(&args.files, |input| made(&args, input))
    })
}

fn made(args: &Args, input: &Input<'_>) -> Result<Made, Failure> {
    let (name, old) = (&input.name, &input.bytes);
    let failed = |error: Error| Failure::of(name, &error);
    let is_container = detect(old) == Some(InputKind::Container);
    let container = is_container.then(|| Container::parse(old)).transpose();
    let container = container.map_err(failed)?;
    if container.as_ref().is_some_and(Container::has_dxbc_program) {
        let message = format!("{name}: the container has DXBC; dxbc2dxil makes DXIL of it");
        return Err(Failure::new(Exit::Unsupported, message));
    }
    let shader = read_shader(old).map_err(failed)?;
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
        let violations = found.violations.iter();
        return Err(Failure {
            exit: Exit::Mismatch,
            messages: violations
                .map(|violation| format!("{name}: optimized: {violation}"))
                .collect(),
        });
    }
    let (before, after) = (instructions(&shader), instructions(&optimized));
    let mut made = Made::default();
    if args.stats {
        made.text = format!("{after} instructions, {before} before\n");
    }
    made.facts
        .insert("instructions_before".into(), before.into());
    made.facts.insert("instructions".into(), after.into());
    made.facts.insert("bytes".into(), new.len().into());
    made.bytes = Some(new);
    Ok(made)
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
