//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use dxil_frontend::FourCc;
use dxil_frontend::build::DebugParts;
use dxil_frontend::container::CompilerVersion;
use dxil_jit::batch::ReportArgs;
use dxil_jit::exit::TABLE;
use dxil_jit::man_pages::PageArgs;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-edit shader.dxil --strip debug,reflection -o small.dxil
  dxil-edit shader.dxil --root-signature rs.dxil -o bound.dxil
  dxil-edit shader.bc --digest -o shader.dxil
  dxil-edit changed.dxil --make-parts --digest -o whole.dxil
  dxil-edit shaders/ --strip debug -o stripped/   all .dxil, .cso, .dxbc, .pdb and .bc files below";

/// Change the parts of a DXContainer: strip, extract, replace and sort them, set the root
/// signature, write the module again, make all parts anew, put bitcode into a container.
#[derive(Debug, Parser)]
#[command(name = "dxil-edit", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
pub(crate) struct Args {
    /// DXContainer with DXIL or DXBC, or the shader PDB that holds one; a shader's LLVM bitcode
    /// gets a container and its parts; a folder with such files, or a pattern
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write the changed container to this file, those of several inputs to this folder
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Print name, offset and size of the parts, after all changes
    #[arg(short, long)]
    pub(crate) list: bool,

    /// Write the content of a part of the input to a file
    #[arg(short = 'x', long, value_name = "PART=FILE", value_parser = part_and_file)]
    pub(crate) extract: Vec<(FourCc, PathBuf)>,

    /// Write the root signature of the input to a file, as a container of its own
    #[arg(long, hide_short_help = true, value_name = "FILE")]
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

    /// Make all parts anew from the module
    ///
    /// From ILDB, where there is one and the parts need it. The container keeps which parts it has,
    /// and what no module tells: root signature, sources, private data, subobjects.
    #[arg(
        long,
        conflicts_with = "rewrite",
        help_heading = "Changes, in this order"
    )]
    pub(crate) make_parts: bool,

    /// With --make-parts: which debug information there is
    #[arg(
        long,
        value_name = "KIND",
        requires = "make_parts",
        hide_short_help = true,
        help_heading = "Changes, in this order"
    )]
    pub(crate) debug_info: Option<DebugInfo>,

    /// With --make-parts: whether there is a module for reflection (STAT)
    #[arg(
        long,
        value_name = "yes|no",
        requires = "make_parts",
        value_parser = yes_or_no,
        hide_short_help = true,
        help_heading = "Changes, in this order"
    )]
    pub(crate) reflection: Option<bool>,

    /// With --make-parts: the compiler's version (VERS), as 1.8 or 1.8,4960,4d5ac1e,mine
    ///
    /// After the version may stand the number of commits, the commit and a text. The validator
    /// takes the part in libraries only.
    #[arg(
        long,
        value_name = "VERSION",
        requires = "make_parts",
        value_parser = version,
        hide_short_help = true,
        help_heading = "Changes, in this order"
    )]
    pub(crate) compiler_version: Option<Version>,

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
    /// Of the file, or of the one in a folder that the shader names (ILDN), or else that has its
    /// hash.
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
    #[arg(
        long,
        hide_short_help = true,
        conflicts_with = "digest",
        help_heading = "Digest"
    )]
    pub(crate) no_digest: bool,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

/// What `--debug-info` chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugInfo {
    /// What the program has
    Keep,
    /// The name of a PDB file (ILDN); the program has none
    Name,
    /// The name, and the module with debug information (ILDB); the program has none
    Module,
}

impl From<DebugInfo> for DebugParts {
    fn from(kind: DebugInfo) -> Self {
        match kind {
            DebugInfo::Keep => DebugParts::Keep,
            DebugInfo::Name => DebugParts::Name,
            DebugInfo::Module => DebugParts::Module,
        }
    }
}

/// The version of a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    numbers: (u16, u16),
    commit_count: u32,
    commit: String,
    custom: String,
}

impl Version {
    /// Returns it as the part has it.
    pub(crate) fn content(&self) -> CompilerVersion<'_> {
        CompilerVersion {
            major: self.numbers.0,
            minor: self.numbers.1,
            flags: 0,
            commit_count: self.commit_count,
            commit: &self.commit,
            custom: &self.custom,
        }
    }
}

fn version(text: &str) -> Result<Version, String> {
    let mut fields = text.splitn(4, ',');
    let numbers = fields.next().and_then(|numbers| numbers.split_once('.'));
    let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let numbers = numbers.ok_or_else(|| format!("`{text}` begins with no version, such as 1.8"))?;
    let count = fields.next().unwrap_or("0");
    Ok(Version {
        numbers,
        commit_count: (count.parse()).map_err(|_| format!("`{count}` is no number of commits"))?,
        commit: fields.next().unwrap_or_default().to_owned(),
        custom: fields.next().unwrap_or_default().to_owned(),
    })
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("use yes or no".to_owned()),
    }
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
