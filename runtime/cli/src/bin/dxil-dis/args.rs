//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use dxil_inspect::contents::Choice;
use dxil_jit::exit::{Exit, TABLE};
use dxil_jit::man_pages::PageArgs;
use dxil_jit::paths::{Found, InputFile, SHADERS, is_folder_or_pattern};

/// Text behind the options in `-h`.
const EXAMPLES: &str = "\
Examples:
  dxil-dis shader.dxil                      everything, as text
  dxil-dis --part PSV0 --part RTS0 x.dxil   two parts
  dxil-dis --json x.dxil | jq .code         the same as JSON
  dxil-dis --layout x.dxil                  the fields of constant and structured buffers
  dxil-dis --diff old.dxil new.dxil         how the instructions differ
  dxil-dis -S -f main x.dxil                code with the lines of the source
  dxil-dis --sources=out x.dxil             write the sources to a directory
  dxil-dis --isa navi31,ampere x.dxil       machine code of GPUs that need not be there
  dxil-dis --ops=SampleCmpLevel             an operation of DXIL: operands, overloads, stages
  dxil-dis --cfg=dot -f main x.dxil | dot -Tsvg > x.svg";

/// Print the contents of a DXIL shader: container parts, signatures, resources and code.
#[derive(Debug, Parser)]
#[command(name = "dxil-dis", version, after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{TABLE}"), max_term_width = 110)]
pub(crate) struct Args {
    /// DXContainer, bare DXIL bitcode, or a shader PDB file; `-` is standard input
    ///
    /// A folder stands for all such files below it (.dxil, .cso, .pdb, .bc), and a pattern like
    /// `'shaders/**/*.dxil'` for those that match it.
    #[arg(required_unless_present_any = ["completions", "man", "isa", "ops"], value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The files that the arguments stand for.
    #[arg(skip)]
    pub(crate) found: Vec<InputFile>,

    /// Whether the only argument is a file by its name.
    #[arg(skip)]
    pub(crate) names_one_file: bool,

    /// Print only this part (`PSV0`, `RTS0`, ...); may be repeated
    ///
    /// `DXIL` is the code.
    #[arg(help_heading = "What to print", short, long, value_name = "NAME")]
    pub(crate) part: Vec<String>,

    /// Print only this function or entry point; may be repeated
    #[arg(
        help_heading = "What to print",
        short,
        long,
        visible_alias = "entry",
        short_alias = 'e',
        value_name = "NAME"
    )]
    pub(crate) function: Vec<String>,

    /// Print only header and part list
    #[arg(help_heading = "What to print", short, long, conflicts_with_all = ["part", "function"])]
    pub(crate) list: bool,

    /// Print only the fields of constant and structured buffers
    ///
    /// Type, offset and size of each field; for structured buffers, of one element.
    #[arg(help_heading = "What to print", long, conflicts_with_all = ["part", "function", "list", "cfg", "extract", "llvm", "source"])]
    pub(crate) layout: bool,

    /// Print the differences between two files
    ///
    /// Instructions are compared by name and operands: the numbers of values and blocks do not
    /// count. Digests, sizes and the compiler's version are left out. Files that differ end with
    /// exit code 1.
    #[arg(help_heading = "What to print", long, conflicts_with_all = ["json", "list", "layout", "source", "sources", "llvm", "cfg", "extract"])]
    pub(crate) diff: bool,

    /// Print only the control flow of the functions
    #[arg(help_heading = "What to print", long, value_name = "FORMAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "text", conflicts_with_all = ["json", "part", "list"])]
    pub(crate) cfg: Option<CfgFormat>,

    /// Print the machine code that the compilers of these GPUs make, and what they count
    ///
    /// The GPUs need not be there; `--isa help` lists them. Several files are shaders by
    /// themselves; dxil-run --isa compiles the stages of a pipeline, and compares.
    #[arg(help_heading = "What to print", long, value_name = "GPU,...", value_delimiter = ',',
        conflicts_with_all = ["part", "function", "list", "layout", "diff", "cfg", "sources", "extract", "source", "llvm"])]
    pub(crate) isa: Vec<String>,

    /// Print the table of DXIL operations, or the rows of one
    ///
    /// A word is an opcode, a name in DXIL or HLSL, a class, or a section of the table. Without one
    /// there is a line for each operation: opcode, first shader model, name and description. With
    /// --json there is everything.
    #[arg(help_heading = "What to print", long, value_name = "WORD", num_args = 0..=1, require_equals = true,
        conflicts_with_all = ["files", "part", "function", "list", "layout", "diff", "cfg", "sources", "extract", "source", "llvm", "isa"])]
    pub(crate) ops: Option<Option<String>>,

    /// List the sources of the shader; with a directory, write them there
    #[arg(help_heading = "What to print", long, value_name = "DIR", num_args = 0..=1, require_equals = true,
        conflicts_with_all = ["part", "function", "list", "cfg", "extract", "llvm", "source"])]
    pub(crate) sources: Option<Option<PathBuf>>,

    /// Write the bytes of a part unchanged
    #[arg(help_heading = "What to print", short = 'x', long, value_name = "NAME", conflicts_with_all = ["json", "part", "function", "list", "cfg"])]
    pub(crate) extract: Option<String>,

    /// Print JSON: one object per file, in an array if there are several
    #[arg(help_heading = "How to print", short, long)]
    pub(crate) json: bool,

    /// Read the code with debug information (part ILDB), if there is any
    #[arg(help_heading = "How to print", short = 'g', long)]
    pub(crate) debug: bool,

    /// Show source lines in front of their instructions
    ///
    /// Reads the code with debug information.
    #[arg(help_heading = "How to print", short = 'S', long, conflicts_with_all = ["llvm", "cfg"])]
    pub(crate) source: bool,

    /// Print the code as LLVM text, with metadata and attributes
    ///
    /// Values are numbered as in DXC's listings. All else is comments, so dxil-as reads the output,
    /// and DXC's assembler does.
    #[arg(help_heading = "How to print", long, conflicts_with_all = ["json", "cfg"])]
    pub(crate) llvm: bool,

    /// Print the container as YAML, as LLVM's obj2yaml does
    ///
    /// dxil-as and LLVM's yaml2obj read it. Parts that the schema lacks have their size alone.
    #[arg(help_heading = "How to print", long, conflicts_with_all = ["json", "cfg", "llvm", "extract", "part", "function", "list", "layout", "source", "sources", "diff", "isa", "ops"])]
    pub(crate) yaml: bool,

    /// Write to a file instead of standard output
    #[arg(help_heading = "How to print", short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Leave out notes about what is missing; problems are still reported
    #[arg(help_heading = "How to print", short, long)]
    pub(crate) quiet: bool,

    /// When to use colours
    #[arg(
        help_heading = "How to print",
        long,
        value_name = "WHEN",
        default_value = "auto"
    )]
    pub(crate) color: ColorWhen,

    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

impl Args {
    /// Finds the files that the arguments stand for. Returns the exit code of arguments that have
    /// none.
    pub(crate) fn find_files(&mut self, report: fn(&str)) -> Option<Exit> {
        let mut exit = None;
        self.found = Found::of(&self.files, &SHADERS, |path, problem| {
            report(&format!("{}: {}", path.display(), problem.message));
            exit = exit.max(Some(problem.exit));
        });
        self.names_one_file = matches!(&self.files[..], [one] if !is_folder_or_pattern(one));
        exit
    }

    /// Returns what to show of each file.
    pub(crate) fn choice(&self) -> Choice {
        Choice {
            parts: self.part.clone(),
            functions: self.function.clone(),
            list: self.list,
            layout: self.layout,
            debug: self.debug,
            source: self.source,
            llvm: self.llvm,
            instructions: self.json || self.diff,
            no_code: false,
        }
    }
}

/// Form of `--cfg`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CfgFormat {
    /// One line per block
    Text,
    /// A Graphviz graph of all functions, with the code in its nodes
    Dot,
}

/// The condition for colours in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Args;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
