//! `--compare`: runs a job in two ways, and shows where the results and times differ.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use dxil_frontend::escape::escaped;
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::input::name_of;
use dxil_jit::json::document;
use dxil_runtime::Storage;
use dxil_runtime::format::ComponentValue;
use serde_json::json;

use crate::args::Args;
use crate::cells::{Cells, show};
use crate::differences::{Differences, Tolerance, picture};
use crate::failure::{Failure, Result};
use crate::messages::write_stdout;
use crate::options::Other;
use crate::pictures::png;
use crate::planned::Declared;
use crate::run::Ran;
use crate::significance::{LEVEL, MINIMUM, Order, PAIRS, difference, median};
use crate::style::Style;
use crate::times::show_time;

/// Returns the command line of the other run.
pub(crate) fn other_arguments(other: &Other, args: &Args) -> Result<Args> {
    let mut args = Args {
        compare: None,
        ..args.clone()
    };
    match other {
        Other::Again => {}
        Other::Device { backend, index } => {
            args.backend = backend.or(args.backend);
            // An index counts within its backend, so that of the other backend means nothing here.
            args.device = index.unwrap_or(if backend.is_some() { 0 } else { args.device });
        }
        Other::Dxc => {
            return Err(Failure::usage("--compare dxc goes with --isa"));
        }
        Other::Files(files) => {
            if files.len() != args.shaders.len() {
                return Err(Failure::usage(format!(
                    "--compare: {} file(s) for {}; give as many, separated by commas",
                    files.len(),
                    args.shaders.len()
                )));
            }
            args.shaders.clone_from(files);
        }
    }
    Ok(args)
}

/// Runs the job both ways, and prints the comparison. Results that differ are a failure.
pub(crate) fn run(
    args: &Args,
    other: &Other,
    perform: fn(&Args) -> Result<Option<Ran>>,
) -> Result<()> {
    if args.emit.is_some() {
        return Err(Failure::usage("--compare compares runs: leave --emit out"));
    }
    let ways = [
        other_arguments(&Other::Again, args)?,
        other_arguments(other, args)?,
    ];
    let once = |args: &Args| -> Result<Ran> {
        perform(args)?.ok_or_else(|| Failure::usage("--compare needs something to run"))
    };
    let (runs, pairs) = match args.time.filter(|runs| *runs > 0) {
        Some(count) => timed(ways, count, once)?,
        None => {
            let [a, b] = &ways;
            ([once(a)?, once(b)?], Vec::new())
        }
    };
    let [a, b] = &runs;
    let tolerance = Tolerance {
        distance: args.tolerance,
        ulp: args.ulp,
    };
    let comparison = Comparison {
        pairs,
        ..Comparison::of(a, b, &tolerance)
    };
    let text = if args.json {
        comparison.json()
    } else {
        comparison.text(args.rows)
    };
    write_stdout(text.as_bytes())?;
    a.write_outputs()?;
    if let Some(file) = &args.difference {
        comparison.write_picture(file, &tolerance)?;
    }
    match comparison.differing() {
        0 => Ok(()),
        1 => Err(Failure::new(Exit::Mismatch, "1 result differs")),
        count => Err(Failure::new(
            Exit::Mismatch,
            format!("{count} results differ"),
        )),
    }
}

/// Runs both ways in pairs of blocks, `count` times or a few more, and returns the first run of
/// each with all times, and the median times of each pair.
fn timed(
    ways: [Args; 2],
    count: u32,
    once: impl Fn(&Args) -> Result<Ran>,
) -> Result<([Ran; 2], Vec<[Duration; 2]>)> {
    let pairs = count.min(PAIRS);
    let ways = ways.map(|args| Args {
        time: Some(count.div_ceil(pairs)),
        ..args
    });
    let mut order = Order::new();
    let mut pair = || -> Result<[Ran; 2]> {
        let [a, b] = &ways;
        Ok(if order.is_swapped() {
            let b = once(b)?;
            [once(a)?, b]
        } else {
            let a = once(a)?;
            [a, once(b)?]
        })
    };
    let medians = |pair: &[Ran; 2]| pair.each_ref().map(|ran| median(&ran.outcome.timings));
    let mut first = pair()?;
    let mut all = vec![medians(&first)];
    for _ in 1..pairs {
        let next = pair()?;
        all.push(medians(&next));
        for (first, next) in first.iter_mut().zip(next) {
            first.outcome.timings.extend(next.outcome.timings);
        }
    }
    Ok((first, all))
}

/// Two runs and how their results differ.
struct Comparison<'a> {
    runs: [&'a Ran; 2],
    /// Median times of each pair of blocks.
    pairs: Vec<[Duration; 2]>,
    results: Vec<Compared<'a>>,
}

/// A result of both runs, or of one.
struct Compared<'a> {
    views: [Option<&'a Declared>; 2],
    verdict: ComparisonResult,
}

/// The result of a comparison.
enum ComparisonResult {
    Equal {
        elements: usize,
        /// Those that are equal only within the tolerance.
        tolerated: usize,
    },
    /// Only one of the runs has it.
    Missing,
    /// Elements or sizes differ, so that nothing can be compared.
    Shapes([String; 2]),
    /// Hidden counters of UAVs.
    Counters([u32; 2]),
    Values(Differences),
}

impl<'a> Comparison<'a> {
    fn of(a: &'a Ran, b: &'a Ran, tolerance: &Tolerance) -> Self {
        let results = |ran: &'a Ran| {
            let views = ran.views.iter().filter(|view| view.writable);
            views.collect::<Vec<&Declared>>()
        };
        let (of_a, mut of_b) = (results(a), results(b));
        let mut pairs: Vec<[Option<&Declared>; 2]> = Vec::new();
        // By name and place, then by place alone. Shaders of different origin agree in neither, and
        // their results are matched in order below.
        let same: [fn(&Declared, &Declared) -> bool; 2] = [
            |a, b| !a.name.is_empty() && a.name == b.name && a.place == b.place,
            |a, b| a.place == b.place && (a.name.is_empty() || b.name.is_empty()),
        ];
        let mut left = Vec::new();
        for view in of_a {
            let found = same
                .iter()
                .find_map(|same| of_b.iter().position(|other| same(view, other)));
            match found {
                Some(index) => pairs.push([Some(view), Some(of_b.remove(index))]),
                None => left.push(view),
            }
        }
        let by_name = |view: &Declared, of_b: &[&Declared]| {
            let mut others = of_b.iter();
            others.position(|b| !view.name.is_empty() && view.name == b.name)
        };
        // Matching in order is a guess, which only equal numbers justify.
        let are_as_many = left.len() == of_b.len();
        for view in left {
            let index = by_name(view, &of_b).or((are_as_many && !of_b.is_empty()).then_some(0));
            let other = index.map(|index| of_b.remove(index));
            pairs.push([Some(view), other]);
        }
        pairs.extend(of_b.into_iter().map(|view| [None, Some(view)]));
        let results = pairs.into_iter();
        let results = results.map(|views| Compared {
            verdict: verdict([a, b], views, tolerance),
            views,
        });
        Comparison {
            runs: [a, b],
            pairs: Vec::new(),
            results: results.collect(),
        }
    }

    fn differing(&self) -> usize {
        let results = self.results.iter();
        results.filter(|result| !result.verdict.is_equal()).count()
    }

    fn text(&self, rows: usize) -> String {
        let style = Style::for_stdout();
        let mut out = String::new();
        for (letter, ran) in ["a", "b"].iter().zip(self.runs) {
            _ = writeln!(out, "{}  {}", style.name(letter), subject(ran));
        }
        for result in &self.results {
            self.result(&mut out, result, rows, style);
        }
        if let Some(times) = self.times() {
            _ = writeln!(out, "\n{times}");
        }
        out
    }

    fn result(&self, out: &mut String, result: &Compared<'_>, rows: usize, style: Style) {
        let [a, b] = result.views;
        let Some(view) = a.or(b) else {
            return;
        };
        let place = |view: &Declared| match view.name.as_str() {
            "" => format!("{}  {}", view.place, view.kind),
            name => format!("{}  {} {}", view.place, view.kind, escaped(name)),
        };
        let mut head = place(view);
        if let Some(other) = b.filter(|b| a.is_some() && b.place != view.place) {
            _ = write!(head, " and {}", place(other));
        }
        _ = write!(out, "\n{}: ", style.name(&head));
        match &result.verdict {
            ComparisonResult::Equal {
                elements,
                tolerated: 0,
            } => _ = writeln!(out, "all {elements} elements are equal"),
            ComparisonResult::Equal {
                elements,
                tolerated,
            } => {
                _ = writeln!(
                    out,
                    "all {elements} elements are equal, {tolerated} of them within the tolerance"
                );
            }
            ComparisonResult::Missing => {
                let only = if a.is_some() { "a" } else { "b" };
                _ = writeln!(out, "only {only} has it");
            }
            ComparisonResult::Shapes([a, b]) => _ = writeln!(out, "a has {a}, b has {b}"),
            ComparisonResult::Counters([a, b]) => _ = writeln!(out, "counter {a} in a, {b} in b"),
            ComparisonResult::Values(differences) => {
                let count = differences.differing.len();
                let first = differences.differing.first().copied().unwrap_or_default();
                _ = write!(
                    out,
                    "{} of {} elements differ, the first is {}",
                    style.error(&count.to_string()),
                    differences.elements,
                    self.index(view, first)
                );
                if let Some((largest, column, element)) = &differences.largest {
                    let column = match column.as_str() {
                        "" => String::new(),
                        column => format!(" in {}", escaped(column)),
                    };
                    let (largest, element) = (*largest, self.index(view, *element));
                    let largest = show(ComponentValue::Float(largest));
                    _ = write!(out, "; largest difference {largest}{column} of {element}");
                }
                out.push('\n');
                if let (Some(a), Some(b)) = (a, b) {
                    self.side_by_side(out, differences, [a, b], rows, style);
                }
            }
        }
    }

    /// Writes the elements that differ, those of `a` beside those of `b`.
    fn side_by_side(
        &self,
        out: &mut String,
        differences: &Differences,
        views: [&Declared; 2],
        rows: usize,
        style: Style,
    ) {
        let cells = cells_of(self.runs, views);
        let row = |index: usize| {
            let sides = cells.iter().map(|cells| {
                let values: Vec<String> = cells.row(index).into_iter().map(show).collect();
                values.join(" ")
            });
            sides.collect::<Vec<String>>()
        };
        let label = |index: usize| self.index(views[0], index);
        let shown: Vec<usize> = differences.differing.iter().take(rows).copied().collect();
        let columns = cells.first().map_or(Vec::new(), Cells::columns);
        let columns = columns.join(" ");
        let columns = match columns.trim() {
            "" => [String::from("a"), String::from("b")],
            columns => [
                format!("a: {}", escaped(columns)),
                format!("b: {}", escaped(columns)),
            ],
        };
        let lines: Vec<Vec<String>> = shown.iter().map(|index| row(*index)).collect();
        let width = lines.iter().filter_map(|sides| sides.first());
        let width = width
            .chain(columns.first())
            .map(|text| text.chars().count());
        let width = width.max().unwrap_or(0).min(100);
        let [a, b] = columns;
        let head = format!("  {:>8}  {a:<width$} | {b}", "");
        _ = writeln!(out, "{}", style.dim(&head));
        for (index, sides) in shown.iter().zip(&lines) {
            let [a, b] = sides.as_slice() else {
                continue;
            };
            _ = writeln!(out, "  {:>8}  {a:<width$} | {b}", label(*index));
        }
        let more = differences.differing.len() - shown.len();
        if more > 0 {
            let line = format!("  {:>8}  and {more} more", "");
            _ = writeln!(out, "{}", style.dim(&line));
        }
    }

    /// Returns the index of an element: of a texel, x and y.
    fn index(&self, view: &Declared, index: usize) -> String {
        let [ran, _] = self.runs;
        let storage = ran.job.resources.get(view.resource.0).map(|r| &r.storage);
        match storage {
            Some(Storage::Texture(texture)) if texture.width > 0 => {
                let width = texture.width as usize;
                format!("({}, {})", index % width, index / width)
            }
            _ => index.to_string(),
        }
    }

    /// Writes the picture of `--difference`: of the one texture that both runs have.
    fn write_picture(&self, file: &Path, tolerance: &Tolerance) -> Result<()> {
        let [a, _] = self.runs;
        let usage = |why: &str| Failure::usage(format!("--difference: {why}"));
        let textures = self.results.iter().filter_map(|result| {
            let [Some(of_a), Some(of_b)] = result.views else {
                return None;
            };
            let is_shape = matches!(result.verdict, ComparisonResult::Shapes(_));
            (is_texture(a, of_a) && !is_shape).then_some([of_a, of_b])
        });
        let textures: Vec<_> = textures.collect();
        let views = match textures[..] {
            [] => {
                return Err(usage(
                    "no result is a texture of the same size in both runs",
                ));
            }
            [one] => one,
            _ => return Err(usage("several results are textures; a picture has one")),
        };
        let [first, second] = &cells_of(self.runs, views);
        let pixels = picture(first, second, tolerance);
        let storage = a.job.resources.get(views[0].resource.0);
        let Some(Storage::Texture(texture)) = storage.map(|resource| &resource.storage) else {
            return Err(usage("the result is no texture"));
        };
        let width = texture.width.max(1);
        let height = pixels.len() as u32 / 4 / width;
        let data = png(width, height, &pixels).map_err(|why| usage(&why))?;
        files::write(file, &data).map_err(|error| Failure::file(file, &error))
    }

    fn times(&self) -> Option<String> {
        let [a, b] = self.runs.map(|ran| ran.outcome.timings.as_slice());
        let are_wanted = self.runs.iter().all(|ran| ran.args.time.is_some());
        if !are_wanted || a.is_empty() || b.is_empty() {
            return None;
        }
        let (of_a, of_b) = (median(a), median(b));
        let verdict = match difference(&self.pairs) {
            None => format!("too few runs to say more; use --time {MINIMUM} or more"),
            Some(found) => {
                let (p, noise) = (found.p, 100.0 * found.noise);
                let verdict = if p < LEVEL {
                    format!("b takes {:.3} of a's time", found.ratio)
                } else {
                    "no significant difference".to_owned()
                };
                format!("{verdict} (p = {p:.3}, noise of this run {noise:.1} %)")
            }
        };
        Some(format!(
            "device time of {} and {} runs, medians: a {}, b {}; {verdict}",
            a.len(),
            b.len(),
            show_time(of_a),
            show_time(of_b)
        ))
    }

    fn json(&self) -> String {
        let micros = |time: &Duration| time.as_secs_f64() * 1e6;
        let run = |ran: &Ran| {
            let files = ran.args.shaders.iter().map(|file| name_of(file));
            json!({
                "files": files.collect::<Vec<_>>(),
                "device": ran.device.name,
                "backend": ran.device.backend.to_string(),
                "device_us": ran.outcome.timings.iter().map(micros).collect::<Vec<f64>>(),
            })
        };
        let [a, b] = self.runs;
        let results = self.results.iter().map(|result| {
            let view = result.views.iter().flatten().next();
            let mut value = json!({
                "place": view.map(|view| view.place.to_string()),
                "name": view.map(|view| view.name.as_str()),
                "equal": result.verdict.is_equal(),
            });
            if let ComparisonResult::Equal { tolerated, .. } = &result.verdict {
                value["tolerated"] = json!(tolerated);
            }
            if let ComparisonResult::Values(differences) = &result.verdict {
                value["elements"] = json!(differences.elements);
                value["differing"] = json!(differences.differing.len());
                value["tolerated"] = json!(differences.tolerated);
                value["first"] = json!(differences.differing.first());
                value["largest_difference"] =
                    json!(differences.largest.as_ref().map(|largest| largest.0));
            }
            value
        });
        let found = difference(&self.pairs);
        let value = json!({
            "a": run(a),
            "b": run(b),
            "results": results.collect::<Vec<_>>(),
            "ratio": found.map(|found| found.ratio),
            "p": found.map(|found| found.p),
            "noise": found.map(|found| found.noise),
        });
        document(&value)
    }
}

impl ComparisonResult {
    fn is_equal(&self) -> bool {
        matches!(self, ComparisonResult::Equal { .. })
    }
}

/// Returns a description of a run: the shader and the device.
fn subject(ran: &Ran) -> String {
    let files: Vec<String> = ran.args.shaders.iter().map(|file| name_of(file)).collect();
    let files = files.join(" ");
    format!(
        "{} on {} ({})",
        escaped(&files),
        ran.device.name,
        ran.device.backend
    )
}

fn bytes<'a>(ran: &'a Ran, view: &Declared) -> &'a [u8] {
    ran.outcome.bytes(view.resource).unwrap_or_default()
}

fn is_texture(ran: &Ran, view: &Declared) -> bool {
    let storage = ran.job.resources.get(view.resource.0).map(|r| &r.storage);
    matches!(storage, Some(Storage::Texture(_)))
}

/// Returns the elements of both results, as the first run declares them.
fn cells_of<'a>(runs: [&'a Ran; 2], [a, b]: [&'a Declared; 2]) -> [Cells<'a>; 2] {
    let [of_a, of_b] = runs;
    [bytes(of_a, a), bytes(of_b, b)].map(|bytes| Cells::new(bytes, &a.element))
}

fn verdict(
    runs: [&Ran; 2],
    views: [Option<&Declared>; 2],
    tolerance: &Tolerance,
) -> ComparisonResult {
    let ([a, b], [Some(of_a), Some(of_b)]) = (runs, views) else {
        return ComparisonResult::Missing;
    };
    let shapes =
        [(a, of_a), (b, of_b)].map(|(ran, view)| ran.report().shape(view, bytes(ran, view)));
    // Different code may declare different elements for the same bytes.
    if bytes(a, of_a).len() != bytes(b, of_b).len() || is_texture(a, of_a) && shapes[0] != shapes[1]
    {
        return ComparisonResult::Shapes(shapes);
    }
    let [first, second] = &cells_of(runs, [of_a, of_b]);
    let differences = Differences::of(first, second, tolerance);
    if !differences.differing.is_empty() {
        return ComparisonResult::Values(differences);
    }
    match [(a, of_a), (b, of_b)].map(|(ran, view)| ran.report().counter(view)) {
        [Some(a), Some(b)] if a != b => ComparisonResult::Counters([a, b]),
        _ => ComparisonResult::Equal {
            elements: differences.elements,
            tolerated: differences.tolerated,
        },
    }
}
