//! The command line.

use std::path::PathBuf;

use clap::{ArgGroup, Parser, ValueEnum};
use dxil_jit::exit::TABLE;
use dxil_jit::man_pages::PageArgs;
use dxil_precompile::out::Out;
use dxil_precompile::shard::Shard;
use dxil_precompile::target::Target;

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-precompile game.sodb --out cache            all pipelines of a State Object Database
  dxil-precompile shaders/ --target navi31         a folder, for a GPU that need not be there
  dxil-precompile game.sodb --pipelines            also fill the driver's cache
  dxil-precompile game.sodb --foz game.foz         also write a Fossilize archive
  dxil-precompile game.sodb --gpus navi31,ampere   machine code of the whole library
  dxil-precompile game.sodb --shard 0/8            the first of eight parts
  dxil-precompile game.sodb --out s3://bucket/game a cache that machines share
  dxil-precompile shaders/ --make game.sodb        write a database";

/// Translate a game's whole shader library ahead of time.
#[derive(Debug, Parser)]
#[command(name = "dxil-precompile", version, group = ArgGroup::new("makes").multiple(true), after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"))]
pub(crate) struct Args {
    /// A State Object Database (.sodb); a container; a pipeline file; a list (.txt) with the files
    /// of a pipeline on each line; a folder or a pattern
    #[arg(required_unless_present_any = ["completions", "man"], value_name = "SOURCE")]
    pub(crate) sources: Vec<PathBuf>,

    /// The cache that receives translations and pipelines: a folder, or a store that machines share
    /// (s3://BUCKET/PATH, gs://, az://, file:///PATH) [default: the folder of dxil-run]
    #[arg(long, value_name = "CACHE")]
    pub(crate) out: Option<Out>,

    /// The cache's folder in front of a store, with all that was read and written [default: one for
    /// each store, beside the cache of dxil-run]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) local: Option<PathBuf>,

    /// Bytes that the cache's folder may take, like 20G [default: what was chosen for it before, or
    /// 4G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) limit: Option<u64>,

    /// What modules are made for: vulkan1.1 to vulkan1.4, a profile (FILE.json), a GPU (navi31), or
    /// a device of this machine (device, device:N) [default: vulkan1.3; device with --pipelines]
    #[arg(long, value_name = "TARGET")]
    pub(crate) target: Option<Target>,

    /// Root signature for shaders of files without one: a container with RTS0, or its bytes
    #[arg(long, value_name = "FILE")]
    pub(crate) root_signature: Option<PathBuf>,

    /// Create the Vulkan pipelines on the device, so that its driver's data are in the cache
    #[arg(long, group = "makes")]
    pub(crate) pipelines: bool,

    /// Write a Fossilize archive of all pipelines
    #[arg(long, value_name = "FILE.foz", group = "makes")]
    pub(crate) foz: Option<PathBuf>,

    /// Make pipelines of lone stages of draws too, with other stages that fill what they read and
    /// read what they write: for --pipelines and --foz
    #[arg(long, requires = "makes")]
    pub(crate) complete: bool,

    /// Compile for these GPUs, which need not be there, and sum up what their compilers say
    #[arg(long, value_name = "GPU,...", value_delimiter = ',')]
    pub(crate) gpus: Vec<String>,

    /// Check shaders (dxil), modules (spirv, with spirv-val), or both
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "all", require_equals = true)]
    pub(crate) validate: Option<Validation>,

    /// Work on one part of several: i/n, from 0/n on; auto takes it from Kubernetes, Slurm or AWS
    /// Batch
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<ShardChoice>,

    /// Threads [default: as many as the machine runs at once, and 16 or more with a store, for
    /// which they wait]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Write a State Object Database of the sources, and do nothing else
    #[arg(
        long,
        value_name = "FILE.sodb",
        conflicts_with_all = ["out", "local", "target", "pipelines", "foz", "complete", "gpus", "validate", "shard", "threads"]
    )]
    pub(crate) make: Option<PathBuf>,

    /// Print problems alone
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

/// What --validate checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Validation {
    /// Both.
    All,
    /// Shaders, by the rules of DXIL's validator.
    Dxil,
    /// Modules, by SPIRV-Tools' validator.
    Spirv,
}

/// The part to work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShardChoice {
    /// As the scheduler's variables say.
    Auto,
    /// That one.
    One(Shard),
}

impl std::str::FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(ShardChoice::Auto),
            _ => text.parse().map(ShardChoice::One),
        }
    }
}

/// Reads a size with a binary unit.
fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text.get(digits.len()..) {
        Some("") => 0,
        Some("K") => 10,
        Some("M") => 20,
        Some("G") => 30,
        Some("T") => 40,
        _ => return Err("units are K, M, G and T".into()),
    };
    let number: u64 = digits.parse().map_err(|_| "write a number, like 20G")?;
    number
        .checked_mul(1 << shift)
        .ok_or("that is too much".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(parse_size("512"), Ok(512));
        assert_eq!(parse_size("3K"), Ok(3072));
        assert_eq!(parse_size("1T"), Ok(1 << 40));
        for wrong in ["", "G", "1X", "99999999T", "-1"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
