//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use dxil_frontend::FourCc;
use dxil_jit::exit::TABLE;
use dxil_jit::pages::PageArgs;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-edit shader.dxil --list
  dxil-edit shader.dxil --strip debug,reflection -o small.dxil
  dxil-edit shader.dxil --root-signature rs.dxil -o bound.dxil
  dxil-edit shader.bc --digest -o shader.dxil";

/// Change the parts of a DXContainer: strip, extract, replace and sort them, set the root
/// signature, write the module again, put bitcode into a container.
#[derive(Debug, Parser)]
#[command(name = "dxil-edit", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
pub(crate) struct Args {
    /// DXContainer with DXIL or DXBC, or the shader PDB that holds one; a shader's LLVM bitcode gets a
    /// container and its parts
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Write the changed container to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Print name, offset and size of the parts, after all changes
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Write the content of a part of the input to a file
    #[arg(short = 'x', long, value_name = "PART=FILE", value_parser = part_and_file)]
    pub(crate) extract: Vec<(FourCc, PathBuf)>,

    /// Write the root signature of the input to a file, as a container of its own
    #[arg(long, value_name = "FILE")]
    pub(crate) extract_root_signature: Option<PathBuf>,

    /// Add the functions that these libraries define and the shader calls
    ///
    /// The parts are made anew from the linked module. A library as FILE keeps its subobjects;
    /// those of the other libraries are left out.
    #[arg(
        long,
        value_name = "LIBRARY",
        value_delimiter = ',',
        help_heading = "Changes, in this order"
    )]
    pub(crate) link: Vec<PathBuf>,

    /// Write the modules again (DXIL, ILDB, STAT), as this program's writer does
    #[arg(long, help_heading = "Changes, in this order")]
    pub(crate) rewrite: bool,

    /// Remove kinds of parts
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        help_heading = "Changes, in this order"
    )]
    pub(crate) strip: Vec<Strip>,

    /// Remove all parts of that name
    #[arg(
        long,
        value_name = "PART",
        value_delimiter = ',',
        value_parser = part_name,
        help_heading = "Changes, in this order"
    )]
    pub(crate) remove: Vec<FourCc>,

    /// Replace the content of a part by that of a file, or add the part
    #[arg(
        long,
        value_name = "PART=FILE",
        value_parser = part_and_file,
        help_heading = "Changes, in this order"
    )]
    pub(crate) replace: Vec<(FourCc, PathBuf)>,

    /// Set the root signature: that of a container, or a serialized one
    #[arg(long, value_name = "FILE", help_heading = "Changes, in this order")]
    pub(crate) root_signature: Option<PathBuf>,

    /// Add the debug information of a shader PDB with the same hash
    ///
    /// Of the file, or of the one in a folder that the shader names (ILDN).
    #[arg(long, value_name = "PDB", help_heading = "Changes, in this order")]
    pub(crate) debug_from: Option<PathBuf>,

    /// Put these parts first, in this order
    #[arg(
        long,
        value_name = "PART",
        value_delimiter = ',',
        value_parser = part_name,
        help_heading = "Changes, in this order"
    )]
    pub(crate) order: Vec<FourCc>,

    /// Write the digest of the content [default: only where the input has a valid one]
    #[arg(long, help_heading = "Digest")]
    pub(crate) digest: bool,

    /// Leave the digest zero
    #[arg(long, conflicts_with = "digest", help_heading = "Digest")]
    pub(crate) no_digest: bool,

    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

/// What `--strip` removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strip {
    /// The module with debug information, its name, sources, and compiler options (ILDB, ILDN,
    /// SRCI, PDBI)
    Debug,
    /// The module for reflection (STAT), or DXBC's definitions and statistics (RDEF, STAT)
    Reflection,
    /// Private data (PRIV)
    Private,
    /// The root signature (RTS0)
    RootSignature,
    /// The hash of the program and the version of the compiler (HASH, VERS)
    Hashes,
}

impl Strip {
    /// Returns the parts that it removes.
    pub(crate) fn parts(self) -> &'static [FourCc] {
        match self {
            Strip::Debug => &[
                FourCc::ILDB,
                FourCc::ILDN,
                FourCc::SRCI,
                FourCc::PDBI,
                FourCc::SDBG,
                FourCc::SPDB,
            ],
            Strip::Reflection => &[FourCc::STAT, FourCc::RDEF],
            Strip::Private => &[FourCc::PRIV],
            Strip::RootSignature => &[FourCc::RTS0],
            Strip::Hashes => &[FourCc::HASH, FourCc::VERS],
        }
    }
}

/// Reads the name of a part: four characters.
fn part_name(text: &str) -> Result<FourCc, String> {
    <[u8; 4]>::try_from(text.as_bytes())
        .map(FourCc)
        .map_err(|_| format!("`{text}` is no part: names have four characters, such as PSV0"))
}

fn part_and_file(text: &str) -> Result<(FourCc, PathBuf), String> {
    match text.split_once('=') {
        Some((part, file)) if !file.is_empty() => Ok((part_name(part)?, file.into())),
        _ => Err(format!("`{text}` is not PART=FILE")),
    }
}
