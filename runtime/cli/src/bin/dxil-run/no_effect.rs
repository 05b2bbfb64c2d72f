//! Options that would have no effect: to ignore them would look as if they had changed the result.

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::failure::{Failure, Result};
use crate::messages::say_warning;
use crate::options::{BackendName, Validation};
use crate::planned::{Declared, ElementKind};
use crate::style::Style;

/// The options that only a run looks at, by field and as they are written. What needs `--dispatch`
/// or conflicts with `--emit` is refused by the parser. Limits (`--timeout`, `--max-memory`) are
/// not among them: scripts give them always, and they change no result.
const OF_RUNS: [(&str, &str); 21] = [
    ("bind", "--bind"),
    ("size", "--size"),
    ("mips", "--mips"),
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
    ("descriptor_heaps", "--descriptor-heaps"),
    ("wave_size", "--wave-size"),
    ("keep_denormals", "--keep-denormals"),
    ("cpu_code", "--cpu-code"),
    ("cache", "--cache"),
];

/// Refuses options about running on a command line that only translates: `--emit` without
/// `--dispatch`.
pub(crate) fn refuse_of_runs(args: &Args, given: &ArgMatches) -> Result<()> {
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

/// Refuses sizes and formats of resources that have none, and of missing resources.
pub(crate) fn refuse_of_places(args: &Args, views: &[Declared]) -> Result<()> {
    let at = |place: &BindPoint| views.iter().find(|view| view.place == *place);
    let sizes = args.size.iter().map(|(place, _)| ("--size", place));
    let formats = args.format.iter().map(|(place, _)| ("--format", place));
    let mips = args.mips.iter().map(|(place, _)| ("--mips", place));
    for (option, place) in sizes.chain(formats).chain(mips) {
        let Ok(point) = place.to_string().parse::<BindPoint>() else {
            continue;
        };
        let problem = match at(&point) {
            Some(view)
                if option == "--format" && matches!(view.element, ElementKind::Scalars(_)) =>
            {
                format!("{} has no texel format", view.kind)
            }
            Some(view) if option == "--mips" && !view.has_levels() => {
                format!("{} has no levels", view.kind)
            }
            Some(_) => continue,
            None => {
                let there: Vec<String> = views.iter().map(|view| view.place.to_string()).collect();
                let there = if there.is_empty() {
                    "none".to_owned()
                } else {
                    there.join(" ")
                };
                format!("this is no buffer, texture or render target of the job; there are {there}")
            }
        };
        return Err(Failure::usage(format!("{option} {place}: {problem}")));
    }
    Ok(())
}

/// Warns of options that the backend does not look at. A comparison may be with another backend.
pub(crate) fn warn_of_backends(args: &Args) {
    use BackendName::{Cpu, Vulkan, Wgpu};
    let backend = args.backend();
    let options = [
        ("--portable", args.portable, &[Wgpu][..]),
        ("--no-robustness2", args.no_robustness2, &[Vulkan]),
        ("--descriptor-heaps", args.descriptor_heaps, &[Vulkan]),
        ("--target", args.target.is_some(), &[Vulkan, Wgpu]),
        ("--wave-size", args.wave_size.is_some(), &[Cpu]),
        ("--cpu-code", args.cpu_code.is_some(), &[Cpu]),
        ("--keep-denormals", args.keep_denormals, &[Cpu]),
        ("--threads", args.threads.is_some(), &[Cpu]),
        ("--max-steps", args.max_steps.is_some(), &[Cpu]),
        ("--max-memory", args.max_memory.is_some(), &[Cpu]),
    ];
    for (option, is_given, backends) in options {
        if is_given && !backends.contains(&backend) && args.compare.is_none() {
            let backend = backend.backend();
            let warning = format!("{option} does nothing on the backend {backend}");
            say_warning(Style::for_stderr(), &warning);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    /// Options for the translation, options that set limits, and options that the parser refuses
    /// together with `--emit` alone.
    const OTHERS: [&str; 65] = [
        "trace",
        "trace_lines",
        "debug",
        "debug_commands",
        "debug_adapter",
        "pixels",
        "locations",
        "patch_constants",
        "payload",
        "back_face",
        "shaders",
        "dispatch",
        "draw",
        "rays",
        "graph",
        "pipeline",
        "compare",
        "tolerance",
        "ulp",
        "difference",
        "emit",
        "isa",
        "assembly",
        "output",
        "reflect",
        "list_devices",
        "format",
        "vertices",
        "root_signature",
        "root_addresses",
        "entry",
        "profile",
        "define",
        "include",
        "dxc_arguments",
        "watch",
        "quiet",
        "json",
        "samples",
        "depth",
        "cull",
        "query",
        "records",
        "record_count",
        "record_stride",
        "validate",
        "preview",
        "check",
        "suppress",
        "sarif",
        "debug_info",
        "target",
        "long_vectors",
        "elements",
        "native_min_precision",
        "class_instance",
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
