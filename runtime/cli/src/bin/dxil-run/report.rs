//! The report after a run.

use std::fmt::Write as _;
use std::time::Duration;

use dxil_frontend::escape::escaped;
use dxil_runtime::cache::Statistics;
use dxil_runtime::graphics::{Draw, DrawCall, QueryResult};
use dxil_runtime::job::{Job, Outcome, Storage, Work};
use dxil_runtime::program::StageCode;
use dxil_runtime::ray_tracing::RayCount;
use dxil_runtime::work_graph::{GraphOutcome, WorkGraph};
use dxil_runtime::{DeviceInfo, Program};

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::cells::{Cells, show};
use crate::planned::{Constants, Declared, ElementKind};
use crate::style::Style;
use crate::times::show_time;

/// Widest line of values.
const LINE: usize = 96;

/// The run.
pub(crate) enum Subject<'a> {
    /// A program.
    Program(&'a Program),
    /// A work graph.
    Graph(&'a WorkGraph, &'a GraphOutcome),
}

/// Everything that the report tells.
pub(crate) struct RunReport<'a> {
    pub(crate) style: Style,
    pub(crate) device: &'a DeviceInfo,
    pub(crate) subject: Subject<'a>,
    pub(crate) job: &'a Job,
    pub(crate) outcome: &'a Outcome,
    pub(crate) views: &'a [Declared],
    pub(crate) constants: &'a [Constants],
    pub(crate) translated: Duration,
    /// Time for the pipeline, where it is not part of the run.
    pub(crate) prepared: Option<Duration>,
    /// The command line: what is printed, and how.
    pub(crate) args: &'a Args,
    /// The use of the cache, if there is one.
    pub(crate) cache: Option<Statistics>,
}

/// Returns the subject of a draw.
fn drawn(draw: &Draw) -> String {
    match draw.call {
        DrawCall::Vertices {
            count, instances, ..
        } => format!("{count} vertices, {instances} instance(s)"),
        DrawCall::Meshes([x, y, z]) => format!("{x}x{y}x{z} mesh groups"),
        DrawCall::Indirect(indirect) => format!("up to {} indirect draws", indirect.draws),
    }
}

impl RunReport<'_> {
    /// Returns the text or JSON.
    pub(crate) fn render(&self) -> String {
        if self.args.json {
            return self.json();
        }
        let mut text = String::new();
        match self.subject {
            Subject::Program(program) => self.head(&mut text, program),
            Subject::Graph(graph, outcome) => self.graph(&mut text, graph, outcome),
        }
        if !self.args.quiet {
            self.inputs(&mut text);
        }
        for query in &self.outcome.queries {
            self.query(&mut text, query);
        }
        for view in self.views {
            if view.writable {
                self.result(&mut text, view);
            }
        }
        if self.args.time.is_some() {
            self.timing(&mut text);
        }
        text
    }

    fn head(&self, out: &mut String, program: &Program) {
        let stages = &program.stages;
        let names: Vec<&str> = stages.iter().map(|stage| stage.entry.as_str()).collect();
        let stage = stages.first();
        let work = match &self.job.work {
            Work::Dispatch([x, y, z]) => {
                let interface = stage.and_then(|stage| stage.interface.as_ref());
                let threads = interface
                    .and_then(|interface| interface.workgroup_size)
                    .map_or(String::new(), |[a, b, c]| {
                        format!(" of {a}x{b}x{c} threads")
                    });
                format!("{x}x{y}x{z} groups{threads}")
            }
            Work::Draw(draw) => drawn(draw),
            Work::Stages(run) if run.pixels.width > 0 => {
                format!("{}x{} pixels", run.pixels.width, run.pixels.height)
            }
            Work::Stages(run) => drawn(&run.draw),
            Work::DispatchRays(rays) => match rays.count {
                RayCount::Direct([x, y, z]) => format!("{x}x{y}x{z} rays"),
                RayCount::Indirect { .. } => "an indirect dispatch of rays".to_owned(),
            },
            Work::DispatchIndirect { .. } => "an indirect dispatch".to_owned(),
            _ => String::new(),
        };
        _ = writeln!(
            out,
            "{}: {work} on {} {}",
            self.style.name(&escaped(&names.join(" + ")).to_string()),
            self.device.name,
            self.style.dim(&format!("({})", self.device.backend)),
        );
        self.preparation(out);
        if let (true, Some(s)) = (self.args.stats, stage.and_then(|stage| stage.structure)) {
            _ = writeln!(
                out,
                "structure: {} blocks in, {} out; {} selections, {} loops; {} routing blocks, {} selectors, {} dispatchers, {} copied blocks, {} repaired phis",
                s.blocks_in,
                s.blocks_out,
                s.selections,
                s.loops,
                s.routing_blocks,
                s.selectors,
                s.dispatchers,
                s.duplicated_blocks,
                s.repaired_phis,
            );
        }
        if self.args.stats {
            for stage in stages {
                steps(out, stage);
            }
        }
    }

    /// Writes the time of the preparation.
    fn preparation(&self, out: &mut String) {
        let mut line = match &self.cache {
            // Nothing was translated: the time is that of looking.
            Some(s) if s.translations_found > 0 && s.translations_made == 0 => {
                format!(
                    "translation from the cache in {}",
                    show_time(self.translated)
                )
            }
            _ => format!("translated in {}", show_time(self.translated)),
        };
        if let Some(prepared) = self.prepared {
            _ = write!(line, ", pipeline in {}", show_time(prepared));
        }
        _ = writeln!(out, "{}", self.style.dim(&line));
        if let (true, Some(statistics)) = (self.args.time.is_some(), &self.cache) {
            let line = crate::cache::describe(statistics);
            _ = writeln!(out, "{}", self.style.dim(&line));
        }
    }

    fn graph(&self, out: &mut String, graph: &WorkGraph, outcome: &GraphOutcome) {
        let nodes: Vec<&str> = graph.modules().map(|(name, _)| name).collect();
        _ = writeln!(
            out,
            "{}: a work graph of {} node(s) on {} {}",
            self.style.name(&escaped(&nodes.join(" + ")).to_string()),
            nodes.len(),
            self.device.name,
            self.style.dim(&format!("({})", self.device.backend)),
        );
        self.preparation(out);
        for (number, level) in outcome.levels.iter().enumerate() {
            let nodes = level.iter().map(|(node, count)| format!("{node} {count}"));
            let nodes: Vec<String> = nodes.collect();
            let nodes = nodes.join(", ");
            _ = writeln!(out, "level {number}: {}", escaped(&nodes));
        }
        for ((node, index), count) in &outcome.lost {
            _ = writeln!(
                out,
                "lost: {count} record(s) for {}[{index}], which is missing",
                escaped(node)
            );
        }
    }

    fn query(&self, out: &mut String, query: &QueryResult) {
        match query {
            QueryResult::Occlusion(samples) => {
                _ = writeln!(out, "occlusion: {samples} samples");
            }
            QueryResult::BinaryOcclusion(any) => _ = writeln!(out, "any sample: {any}"),
            QueryResult::Timestamps([from, to]) => {
                _ = writeln!(out, "ticks: {}", to.wrapping_sub(*from));
            }
            QueryResult::StreamOutput(counts) => {
                _ = writeln!(
                    out,
                    "stream output: {} of {} primitives",
                    counts.written, counts.needed
                );
            }
            QueryResult::PipelineStatistics(counts) => {
                let counts = [
                    ("vertices", counts.input_vertices),
                    ("primitives", counts.input_primitives),
                    ("vertex runs", counts.vertex_invocations),
                    ("hull patches", counts.hull_patches),
                    ("domain runs", counts.domain_invocations),
                    ("geometry runs", counts.geometry_invocations),
                    ("primitives out", counts.geometry_primitives),
                    ("amplification runs", counts.amplification_invocations),
                    ("mesh runs", counts.mesh_invocations),
                    ("mesh primitives", counts.mesh_primitives),
                    ("clipped", counts.clipper_invocations),
                    ("drawn", counts.clipper_primitives),
                    ("pixel runs", counts.pixel_invocations),
                ];
                let counts = counts.iter().filter(|(_, count)| *count > 0);
                let texts: Vec<_> = counts
                    .map(|(name, count)| format!("{count} {name}"))
                    .collect();
                _ = writeln!(out, "statistics: {}", texts.join(", "));
            }
        }
    }

    fn result(&self, out: &mut String, view: &Declared) {
        let Some(bytes) = self.outcome.bytes(view.resource) else {
            return;
        };
        let cells = Cells::new(bytes, &view.element);
        let shape = self.shape(view, bytes);
        let name = if view.name.is_empty() {
            String::new()
        } else {
            format!(" {}", escaped(&view.name))
        };
        _ = writeln!(
            out,
            "\n{}  {}{name}: {shape}, hash {}",
            self.style.name(&view.place.to_string()),
            view.kind,
            self.style.figure(&format!("{:016x}", hash(bytes))),
        );
        if let Some(value) = self.counter(view) {
            _ = writeln!(out, "  counter {value}");
        }
        if matches!(view.place, BindPoint::Target(_)) {
            self.coverage(out, view, bytes);
        }
        let width = match self.job.resources.get(view.resource.0).map(|r| &r.storage) {
            Some(Storage::Texture(t)) => Some(t.width as usize),
            _ => None,
        };
        self.rows(out, &cells, width, self.args.rows);
    }

    /// Returns the size and format of a resource.
    pub(crate) fn shape(&self, view: &Declared, bytes: &[u8]) -> String {
        let cells = Cells::new(bytes, &view.element);
        match self.job.resources.get(view.resource.0).map(|r| &r.storage) {
            Some(Storage::Texture(t)) => {
                let mut shape = format!("{}x{}", t.width, t.height);
                if t.depth > 1 {
                    _ = write!(shape, "x{}", t.depth);
                }
                if t.layers > 1 {
                    _ = write!(shape, ", {} layers", t.layers);
                }
                format!("{shape} of {}", t.format)
            }
            _ => match &view.element {
                ElementKind::Texel(format) => format!("{} of {format}", cells.len()),
                ElementKind::Scalars(_) => {
                    format!("{} of {} bytes", cells.len(), cells.stride())
                }
            },
        }
    }

    /// Returns the hidden counter of a UAV after the work.
    pub(crate) fn counter(&self, view: &Declared) -> Option<u32> {
        let registers = self.outcome.counters.iter();
        let slots = self.outcome.heap_counters.iter();
        let mut counters = registers
            .map(|(register, value)| (BindPoint::Register(*register), *value))
            .chain(slots.map(|(slot, value)| (BindPoint::Slot(*slot), *value)));
        let found = counters.find(|(place, _)| view.has_counter && *place == view.place);
        found.map(|(_, value)| value)
    }

    /// Writes at most that many rows of values.
    pub(crate) fn rows(
        &self,
        out: &mut String,
        cells: &Cells<'_>,
        width: Option<usize>,
        maximum: usize,
    ) {
        let columns = cells.columns();
        let columns: Vec<String> = (columns.iter())
            .map(|name| escaped(name).to_string())
            .collect();
        let count = cells.len();
        if cells.row(0).is_empty() {
            if count > 0 {
                _ = writeln!(out, "  {}", self.style.dim("(compressed blocks)"));
            }
            return;
        }
        // Plain scalars stand side by side, as do the texels of a row; others one below another.
        let named = columns.iter().any(|c| c.len() > 1);
        let per_line = match (width, columns.len()) {
            (Some(width), _) => width,
            (None, 1) => 8,
            (None, _) => 1,
        };
        let lines = count.div_ceil(per_line);
        let mut table: Vec<Vec<String>> = Vec::new();
        for line in 0..lines.min(maximum) {
            let first = line * per_line;
            let last = count.min(first + per_line);
            // No line is wide enough for more cells than it has characters.
            let elements = (first..last).take(LINE).map(|index| cells.row(index));
            table.push(match (per_line, columns.len()) {
                (1, _) => elements.flatten().map(show).collect(),
                (_, 1) => elements.flatten().map(show).collect(),
                _ => elements
                    .map(|values| {
                        let values: Vec<String> = values.into_iter().map(show).collect();
                        format!("({})", values.join(" "))
                    })
                    .collect(),
            });
        }
        let mut widths = vec![0; table.iter().map(Vec::len).max().unwrap_or(0)];
        if named {
            for (width, name) in widths.iter_mut().zip(&columns) {
                *width = name.len();
            }
        }
        for row in &table {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.len());
            }
        }
        if named && maximum > 0 {
            let line = aligned(&columns, &widths);
            _ = writeln!(out, "  {:>6}  {}", "", self.style.dim(&line));
        }
        for (line, row) in table.iter().enumerate() {
            let label = match width {
                Some(_) => format!("row {line}"),
                None => (line * per_line).to_string(),
            };
            let label = self.style.dim(&format!("{label:>6}"));
            _ = writeln!(out, "  {label}  {}", aligned(row, &widths));
        }
        if lines > maximum {
            let more = lines - maximum;
            let line = format!("  {:>6}  and {more} more row(s)", "");
            _ = writeln!(out, "{}", self.style.dim(&line));
        }
    }

    fn timing(&self, out: &mut String) {
        let mut times = self.outcome.timings.clone();
        // The median is not moved by a single slow run.
        times.sort();
        let (Some(minimum), Some(maximum)) = (times.first(), times.last()) else {
            return;
        };
        let median = times[times.len() / 2];
        let bytes: u64 = self
            .views
            .iter()
            .filter_map(|view| self.job.resources.get(view.resource.0))
            .map(|resource| match &resource.storage {
                Storage::Buffer(bytes) => bytes.len() as u64,
                Storage::Texture(texture) => texture.total_bytes(),
            })
            .sum();
        let rate = bytes as f64 / median.as_secs_f64().max(1e-12) / 1e9;
        _ = writeln!(
            out,
            "\ndevice time of {} runs: min {}, median {}, max {}; {} GB/s if every bound byte ({bytes}) is touched once",
            times.len(),
            self.style.figure(&show_time(*minimum)),
            self.style.figure(&show_time(median)),
            self.style.figure(&show_time(*maximum)),
            self.style.figure(&format!("{rate:.2}")),
        );
    }
}

/// Returns the cells in columns, cut where the line is full.
fn aligned(cells: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (i, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if i > 0 && text.len() + width > LINE {
            text.push_str("  ...");
            break;
        }
        if i > 0 {
            text.push_str("  ");
        }
        _ = write!(text, "{cell:>width$}");
    }
    text
}

/// Writes the time of each step of a translation.
fn steps(out: &mut String, stage: &StageCode) {
    let Some(timings) = &stage.timings else {
        return;
    };
    let total = timings.total();
    _ = writeln!(out, "steps of {}:", stage.entry);
    for (step, time) in timings.steps() {
        let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(f64::MIN_POSITIVE);
        let time = show_time(time);
        _ = writeln!(out, "  {:<18} {time:>10} {share:>5.1} %", step.name());
    }
    _ = writeln!(out, "  {:<18} {:>10}", "all", show_time(total));
}

/// Returns the FNV-1a hash of 64 bits: the same on every machine, and easy to compute elsewhere.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published test vectors.
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
