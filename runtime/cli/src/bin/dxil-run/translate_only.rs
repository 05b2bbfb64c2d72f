//! `--emit` without `--dispatch` runs nothing. Options about running are refused there: to ignore
//! them would look as if they had changed the code.

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::options::Validation;

/// The options that only a run looks at, by field and as they are written. What needs `--dispatch`
/// or conflicts with `--emit` is refused by the parser. Limits (`--timeout`, `--max-memory`) are not
/// among them: scripts give them always, and they change no result.
const OF_RUNS: [(&str, &str); 17] = [
    ("bind", "--bind"),
    ("size", "--size"),
    ("counter", "--counter"),
    ("heap", "--heap"),
    ("sampler_heap", "--sampler-heap"),
    ("table", "--table"),
    ("out", "--out"),
    ("rows", "--rows"),
    ("time", "--time"),
    ("stats", "--stats"),
    ("indirect", "--indirect"),
    ("backend", "--backend"),
    ("device", "--device"),
    ("portable", "--portable"),
    ("no_robustness2", "--no-robustness2"),
    ("wave_size", "--wave-size"),
    ("cache", "--cache"),
];

/// Refuses options about running on a command line that only translates.
pub(crate) fn check(args: &Args, given: &ArgMatches) -> Result<()> {
    if args.emit.is_none() || args.dispatch.is_some() {
        return Ok(());
    }
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let ignored = OF_RUNS.iter().filter(|(id, _)| is_given(id));
    let mut ignored: Vec<&str> = ignored.map(|(_, option)| *option).collect();
    if args.validate == [Validation::Layer] {
        ignored.push("--validate=layer");
    }
    let Some((last, others)) = ignored.split_last() else {
        return Ok(());
    };
    let (options, them) = match others {
        [] => ((*last).to_owned(), "it"),
        others => (format!("{} and {last}", others.join(", ")), "them"),
    };
    let hint = if is_given("out") {
        "; -o FILE says where --emit writes"
    } else {
        ""
    };
    Err(Failure::usage(format!(
        "--emit alone runs nothing, and {options} would change nothing: leave {them} out, or run the shader too with --dispatch X,Y,Z{hint}"
    )))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    /// What a translation looks at, limits, and what the parser does not take together with
    /// `--emit` alone.
    const OTHERS: [&str; 41] = [
        "shaders",
        "dispatch",
        "draw",
        "rays",
        "graph",
        "pipeline",
        "compare",
        "emit",
        "output",
        "reflect",
        "list_devices",
        "format",
        "vertices",
        "root_signature",
        "root_addresses",
        "entry",
        "profile",
        "watch",
        "quiet",
        "json",
        "samples",
        "query",
        "records",
        "record_count",
        "record_stride",
        "validate",
        "check",
        "suppress",
        "sarif",
        "debug_info",
        "target",
        "native_min_precision",
        "timeout",
        "threads",
        "max_steps",
        "max_memory",
        "no_cache",
        "help",
        "version",
        "completions",
        "man",
    ];

    #[test]
    fn every_option_is_about_runs_or_about_more() {
        let command = Args::command();
        let all: BTreeSet<&str> = command
            .get_arguments()
            .map(|arg| arg.get_id().as_str())
            .collect();
        let listed = OF_RUNS.iter().map(|(id, _)| *id).chain(OTHERS);
        assert_eq!(listed.clone().count(), all.len());
        assert_eq!(listed.collect::<BTreeSet<_>>(), all);
        for (id, option) in OF_RUNS {
            let mut all = command.get_arguments();
            let long = all
                .find(|arg| arg.get_id() == id)
                .and_then(|arg| arg.get_long());
            assert_eq!(long, option.strip_prefix("--"), "{id}");
        }
    }
}
