//! `dxil-as`: makes a container of LLVM text, or of YAML.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::asm::assemble;
use dxil_frontend::bitcode::write_module;
use dxil_frontend::container::{Container, ContainerBuilder, Signing, sign};
use dxil_frontend::dxil::Shader;
use dxil_frontend::{Error, FourCc, build, parts, yaml};
use dxil_jit::batch::{Batch, Failure, Input, Made, ReportArgs};
use dxil_jit::command::Command;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::files;
use dxil_jit::input::name_of;
use dxil_jit::man_pages::PageArgs;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-as shader.ll -o shader.dxil
  dxil-as shader.ll --parts-of old.dxil --digest -o new.dxil
  dxil-as shader.ll --bitcode -o shader.bc
  dxil-as listings/ -o shaders/             all .ll, .yaml and .yml files below a folder
  dxil-dis shader.dxil --yaml -o s.yaml && dxil-as s.yaml --digest -o new.dxil";

/// Assemble LLVM text, as dxil-dis --llvm and DXC print it, or YAML, as dxil-dis --yaml and LLVM's
/// obj2yaml print it, to a DXContainer.
#[derive(Debug, Parser)]
#[command(name = "dxil-as", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
struct Args {
    /// LLVM 3.7 assembly of a DXIL module, or YAML of a container (`.yaml`, `.yml`, or a text that
    /// begins with `---`); a folder with such files (.ll, .yaml, .yml), or a pattern
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the container to this file, those of several inputs to this folder
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["completions", "man"])]
    output: Option<PathBuf>,

    /// Take the other parts of this container instead of making them from the module
    ///
    /// A library needs this to keep its subobjects, which no module has.
    #[arg(long, value_name = "CONTAINER")]
    parts_of: Option<PathBuf>,

    /// Write bare bitcode, without a container
    #[arg(long, conflicts_with_all = ["parts_of", "digest"])]
    bitcode: bool,

    /// Write the digest of the content (dxil-sign does so after validation)
    #[arg(long)]
    digest: bool,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    pages: PageArgs,
}

const COMMAND: Command = Command("dxil-as");

/// Extensions of texts, which are taken from folders.
const TEXTS: [&str; 3] = ["ll", "yaml", "yml"];

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || {
        let extension = if args.bitcode { "bc" } else { "dxil" };
        let batch = Batch {
            command: COMMAND,
            extensions: &TEXTS,
            output: args.output.as_deref(),
            new_extension: Some(extension),
            report: args.report,
        };
        batch.run(&args.files, |input| made(&args, input))
    })
}

fn made(args: &Args, input: &Input<'_>) -> Result<Made, Failure> {
    let text = std::str::from_utf8(&input.bytes).map_err(|_| {
        let message = format!("{}: this is no text in UTF-8", input.name);
        Failure::new(Exit::File, message)
    })?;
    let bytes = assembled(args, text, &input.name)?;
    let mut made = Made::default();
    made.facts.insert("bytes".into(), bytes.len().into());
    made.bytes = Some(bytes);
    Ok(made)
}

fn assembled(args: &Args, text: &str, name: &str) -> Result<Vec<u8>, Failure> {
    let failed = |error: Error| Failure::of(name, &error);
    if is_yaml(text, name) {
        if args.bitcode || args.parts_of.is_some() {
            let message = "--bitcode and --parts-of are for assembly";
            return Err(Failure::new(Exit::Usage, format!("{name}: {message}")));
        }
        let bytes = yaml::to_container(text).map_err(failed)?;
        return if args.digest {
            sign(&bytes).map_err(failed)
        } else {
            Ok(bytes)
        };
    }
    let module = assemble(text).map_err(failed)?;
    if args.bitcode {
        return write_module(&module).map_err(failed);
    }
    let signing = if args.digest {
        Signing::Digest
    } else {
        Signing::None
    };
    let shader = Shader::decode(module).map_err(failed)?;
    match &args.parts_of {
        None => {
            let container = build::container(&shader).map_err(failed)?;
            container.build(signing).map_err(failed)
        }
        Some(other) => with_parts_of(other, &shader, signing, name),
    }
}

/// Returns whether a text is YAML rather than assembly, in which no line begins like that.
fn is_yaml(text: &str, name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|it| it.eq_ignore_ascii_case("yaml") || it.eq_ignore_ascii_case("yml"))
        || text.starts_with("---")
}

/// Returns a container with another program and its hash.
fn with_parts_of(
    other: &Path,
    shader: &Shader,
    signing: Signing,
    name: &str,
) -> Result<Vec<u8>, Failure> {
    let bytes = files::read(other).map_err(|error| Failure::of(&name_of(other), &error))?;
    let container =
        Container::parse(&bytes).map_err(|error| Failure::of(&name_of(other), &error))?;
    let failed = |error: Error| Failure::of(name, &error);
    let bitcode = write_module(&shader.module).map_err(failed)?;
    let program = parts::header(shader)
        .with_bitcode(&bitcode)
        .map_err(failed)?;
    let mut builder = ContainerBuilder::of(&container);
    builder.set(FourCc::DXIL, program);
    // They are of the other program.
    for part in [FourCc::ILDB, FourCc::ILDN, FourCc::STAT] {
        builder.remove(part);
    }
    if builder.part(FourCc::HASH).is_some() {
        builder.set(FourCc::HASH, parts::hash(&bitcode).to_vec());
    }
    builder.build(signing).map_err(failed)
}
