//! `--graph`: runs the work graph of libraries.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dxil_frontend::dxil::{ComponentType, NodeIo};
use dxil_runtime::Device;
use dxil_runtime::cache::Cache;
use dxil_runtime::job::{Job, Outcome, Timing};
use dxil_runtime::root_signature::{RootDescriptors, formats_of};
use dxil_runtime::work_graph::{GraphEntry, GraphInput, GraphOutcome, NodeLibrary, WorkGraph};

use crate::args::Args;
use crate::compile_options::compile_options;
use crate::contents::Contents;
use crate::failure::{Context, Failure, Result};
use crate::libraries::Libraries;
use crate::messages::{say_warning, write_stdout};
use crate::planned::{Constants, Declared};
use crate::progress::Progress;
use crate::{cache, heap, job, names, no_effect, output, report, style};

/// A work graph that is ready to run.
pub(crate) struct ReadyGraph {
    /// The command line, with registers in the places of names.
    pub(crate) args: Args,
    pub(crate) libraries: Libraries,
    pub(crate) device: Arc<dyn Device>,
    pub(crate) job: Job,
    pub(crate) graph: WorkGraph,
    pub(crate) inputs: Vec<GraphInput>,
    views: Vec<Declared>,
    constants: Vec<Constants>,
    translated: Duration,
    cache: Option<Arc<Cache>>,
}

/// Runs the graph and reports.
pub(crate) fn run(args: &Args) -> Result<()> {
    let progress = Progress::start("opening the device");
    let ready = ready(args, &progress)?;
    progress.say(match args.time {
        Some(_) => "running and timing",
        None => "running",
    });
    let outcome = ready.graph.run(&*ready.device, &ready.job, &ready.inputs)?;
    progress.finish();
    write_stdout(ready.report(&outcome).as_bytes())?;
    ready.write_outputs(&outcome.results)
}

/// Reads and translates the graph of the command line.
pub(crate) fn ready(args: &Args, progress: &Progress) -> Result<ReadyGraph> {
    let libraries = Libraries::read(args)?;
    let root = libraries.root.as_ref();
    let args = names::resolve(args, &libraries.reflections)?;
    let planned = job::plan(
        &libraries.shaders,
        &libraries.reflections,
        root,
        &args,
        [1; 3],
    )?;
    let outs = output::resolve(&args.out, &planned.views)?;
    output::check(&outs, &planned.job)?;
    no_effect::refuse_of_places(&args, &planned.views)?;
    let cache = cache::open(&args)?;
    let device = crate::opening::open_device(&args, cache.as_ref())?;
    let mut job = planned.job;
    if let Some(iterations) = args.time {
        job.timing = Some(Timing {
            warm_up: (iterations / 10).clamp(1, 10),
            iterations,
        });
    }

    progress.say("translating");
    let profile = crate::opening::with_target(device.profile(), &args);
    let mut options = compile_options(&args, &profile);
    options.debug_info = args.debug_info.is_some();
    options.root_descriptors = RootDescriptors::Bindings;
    options.cache = cache::cached(cache.as_ref(), &libraries.sources);
    let start = Instant::now();
    let formats = formats_of(&job);
    let nodes = libraries.nodes();
    let path = args.shaders.first().map_or(Path::new(""), |path| path);
    let graph = WorkGraph::compile(&nodes, root, &profile, &formats, &options).context(path)?;
    let translated = start.elapsed();
    let style = style::Style::for_stderr();
    for warning in graph.translation_warnings() {
        say_warning(style, warning);
    }
    for warning in graph.warnings() {
        say_warning(style, warning);
    }
    let programs: Vec<_> = graph.programs().map(|(_, program)| program).collect();
    // Tables of local root signatures lie in the heap too.
    let mut seen = job.clone();
    for (local, _) in libraries.states.iter().flat_map(|state| &state.local_roots) {
        seen.local_arguments(local)?;
    }
    heap::check(&args, &programs, &seen)?;
    let inputs = inputs(&graph, &args)?;
    drop((nodes, formats));
    Ok(ReadyGraph {
        args,
        libraries,
        device,
        job,
        graph,
        inputs,
        views: planned.views,
        constants: planned.constants,
        translated,
        cache,
    })
}

impl ReadyGraph {
    /// Returns the report of a run.
    pub(crate) fn report(&self, outcome: &GraphOutcome) -> String {
        let report = report::RunReport {
            style: style::Style::for_stdout(),
            device: self.device.info(),
            subject: report::Subject::Graph(&self.graph, outcome),
            job: &self.job,
            outcome: &outcome.results,
            views: &self.views,
            constants: &self.constants,
            translated: self.translated,
            prepared: None,
            args: &self.args,
            cache: self.cache.as_ref().map(|cache| cache.statistics()),
        };
        report.render()
    }

    /// Writes what `--out` asks for.
    pub(crate) fn write_outputs(&self, results: &Outcome) -> Result<()> {
        let outs = output::resolve(&self.args.out, &self.views)?;
        output::write(&outs, &self.job, results)
    }
}

impl Libraries {
    fn nodes(&self) -> Vec<NodeLibrary<'_>> {
        let each = self.shaders.iter().zip(&self.states).zip(&self.sources);
        each.map(|((shader, state), source)| NodeLibrary {
            shader,
            state: Some(state),
            source: Some(*source),
            ..NodeLibrary::new(shader)
        })
        .collect()
    }
}

/// Returns the records of the command line.
fn inputs(graph: &WorkGraph, args: &Args) -> Result<Vec<GraphInput>> {
    let given: Vec<(&str, Option<&str>)> = args
        .records
        .iter()
        .map(|text| match text.split_once('=') {
            Some((node, what)) => (node, Some(what)),
            None => (text.as_str(), None),
        })
        .collect();
    // Without --records one entry gets generated records: that of --entry, or the only one.
    let given = match (given.is_empty(), &args.entry) {
        (true, Some(entry)) => vec![(entry.clone(), None)],
        (true, None) => vec![(only_entry(graph)?, None)],
        (false, None) => given
            .into_iter()
            .map(|(node, what)| (node.to_owned(), what))
            .collect(),
        (false, Some(_)) => {
            return Err(Failure::usage(
                "--records says the entry; leave --entry out",
            ));
        }
    };
    let numbers = args.record_count.iter().map(|n| ("--record-count", n));
    let strides = args.record_stride.iter().map(|n| ("--record-stride", n));
    for (option, (node, _)) in numbers.chain(strides) {
        if !given.iter().any(|(other, _)| place(other) == place(node)) {
            return Err(Failure::usage(format!(
                "{option} {node}: no records are for that node; give it some with --records {node}=..."
            )));
        }
    }
    given
        .iter()
        .map(|(node, what)| input(graph, args, node, *what))
        .collect()
}

/// Returns the name and index of a node: `split` or `material[2]`.
fn place(text: &str) -> (&str, u32) {
    let inner = text.strip_suffix(']').and_then(|text| text.split_once('['));
    match inner.and_then(|(name, index)| Some((name, index.parse().ok()?))) {
        Some(place) => place,
        None => (text, 0),
    }
}

fn show(entry: &GraphEntry<'_>) -> String {
    match entry.index {
        0 => entry.node.to_owned(),
        index => format!("{}[{index}]", entry.node),
    }
}

/// Returns the entries and what they take, for messages.
fn list(graph: &WorkGraph) -> String {
    let entries = graph.entries().map(|entry| match entry.record_bytes() {
        0 => format!("{} (empty records)", show(&entry)),
        bytes => format!("{} (records of {bytes} bytes)", show(&entry)),
    });
    entries.collect::<Vec<_>>().join(", ")
}

fn only_entry(graph: &WorkGraph) -> Result<String> {
    let entries: Vec<GraphEntry<'_>> = graph.entries().collect();
    match entries.as_slice() {
        [one] => Ok(show(one)),
        _ => Err(Failure::usage(format!(
            "the work graph has several entries; say what gets records with --records NODE=...: {}",
            list(graph)
        ))),
    }
}

fn input(graph: &WorkGraph, args: &Args, node: &str, what: Option<&str>) -> Result<GraphInput> {
    let (name, index) = place(node);
    let is_it = |entry: &GraphEntry<'_>| (entry.node, entry.index) == (name, index);
    let entry = graph.entries().find(is_it).ok_or_else(|| {
        Failure::usage(format!(
            "{node} is no entry of the work graph; there are: {}",
            list(graph)
        ))
    })?;
    let number = |given: &[(String, u32)]| {
        let found = given
            .iter()
            // The last one counts, as with every option that is repeated.
            .rfind(|(other, _)| place(other) == (name, index));
        found.map(|(_, number)| *number)
    };
    let (count, stride) = (number(&args.record_count), number(&args.record_stride));
    let size = entry.record_bytes();
    let step = stride.unwrap_or(size);
    let records = match what {
        None => generated(entry.input, size, step, count.unwrap_or(1)),
        Some(text) => {
            let option = format!("--records {node}={text}");
            let capacity =
                size as usize + step as usize * count.unwrap_or(1).saturating_sub(1) as usize;
            let bytes = Contents::parse(&option, text)?.bytes(capacity);
            bytes.ok_or_else(|| {
                Failure::usage(format!(
                    "{option}: records are numbers or the bytes of a file"
                ))
            })?
        }
    };
    let fitting = match (size, step) {
        (0, _) | (_, 0) => 1,
        // What follows the last record up to its stride may be missing.
        _ => (records.len() as u32).saturating_sub(size) / step + 1,
    };
    Ok(GraphInput {
        node: name.to_owned(),
        index,
        records,
        count: count.unwrap_or(fitting),
        stride,
    })
}

/// Records of zeros that launch one group.
fn generated(input: Option<&NodeIo>, size: u32, step: u32, count: u32) -> Vec<u8> {
    if size == 0 {
        return Vec::new();
    }
    // With a stride of zero all records are the same bytes.
    let records = match step {
        0 => 1,
        _ => count.max(1),
    };
    let (size, step) = (size as usize, step as usize);
    let mut bytes = vec![0; size + step * (records as usize - 1)];
    let Some(grid) = input.and_then(|input| input.grid) else {
        return bytes;
    };
    let width = match grid.component {
        ComponentType::U16 => 2,
        _ => 4,
    };
    for record in 0..records as usize {
        for side in 0..grid.components as usize {
            let at = record * step + grid.offset as usize + side * width;
            // Numbers are little-endian, so the lowest byte is enough for a one.
            if let Some(byte) = bytes.get_mut(at) {
                *byte = 1;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_named_with_their_index() {
        assert_eq!(place("split"), ("split", 0));
        assert_eq!(place("material[2]"), ("material", 2));
        assert_eq!(place("odd[x]"), ("odd[x]", 0));
    }
}
