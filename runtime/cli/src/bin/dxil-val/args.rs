//! The command line.

use std::path::PathBuf;

use clap::Parser;
use dxil_jit::exit::TABLE;
use dxil_jit::man_pages::PageArgs;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-val shader.dxil                  what is wrong with a shader
  dxil-val shaders/                     all containers below a folder
  dxil-val 'shaders/**/*_ps.dxil'       files that a pattern matches
  dxil-val --validator-version 1.6 x.dxil
  dxil-val --sarif shaders/ > report.sarif
  dxil-val --rules                      all rules, and whether they are checked";

/// Check DXIL against the rules of its validator.
#[derive(Debug, Parser)]
#[command(name = "dxil-val", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
pub(crate) struct Args {
    /// DXContainer, bare DXIL bitcode or shader PDB file; a folder with such files, or a pattern
    #[arg(required_unless_present_any = ["rules", "completions", "man"], value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Print JSON: one object per file
    #[arg(long, conflicts_with = "sarif")]
    pub(crate) json: bool,

    /// Print SARIF 2.1.0
    #[arg(long, conflicts_with = "rules")]
    pub(crate) sarif: bool,

    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) werror: bool,

    /// Check by the rules of this validator version instead of the one that the shader names
    #[arg(long, value_name = "1.N", value_parser = parse_version)]
    pub(crate) validator_version: Option<u8>,

    /// Also warn about gradients and barriers in control flow that may diverge between lanes
    /// (UNI.*)
    #[arg(long)]
    pub(crate) uniformity: bool,

    /// Take the preview shader model 6.10 for a released one
    #[arg(long)]
    pub(crate) preview: bool,

    /// List all rules
    #[arg(long, conflicts_with_all = ["files", "werror", "validator_version", "uniformity", "preview", "quiet"])]
    pub(crate) rules: bool,

    /// Print nothing for files that are valid
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

/// Returns the minor number of a validator version.
fn parse_version(text: &str) -> Result<u8, String> {
    text.strip_prefix("1.")
        .and_then(|minor| minor.parse().ok())
        .filter(|minor| *minor <= 10)
        .ok_or_else(|| "validator versions are 1.0 to 1.10".to_owned())
}
