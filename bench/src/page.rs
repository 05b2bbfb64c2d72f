//! The results as an HTML page with plots, which needs no other files.
//!
//! Bars are boxes of the page, so that they follow its width: nothing is cut off or scrolled on
//! narrow screens, where tables become lists. Colours follow the light or dark scheme of the
//! reader.

use std::fmt::Write as _;

use crate::change::{Change, ENOUGH};
use crate::report::{BenchmarkReport, GOAL, HEADINGS};
use crate::results::{KernelRow, Run};

pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #d0d7de; --soft: #57606a;
  --first: #3277b8; --second: #b36b00; --goal: #c0362c }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #30363d;
  --soft: #9aa4af; --first: #5aa2e0; --second: #e69f00; --goal: #ff7b72 } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
h2 { margin: 2.5rem 0 0 } p { margin: .25rem 0 .75rem }
.soft { color: var(--soft) }
.plot { display: grid; grid-template-columns: minmax(5rem, 10rem) 1fr 6.5rem; gap: .3rem .75rem;
  align-items: center; font-size: 14px }
.track { position: relative; min-height: 1.3rem }
.bar { display: block; height: 1.1rem; margin: .1rem 0; background: var(--first) }
.two .bar { height: .6rem } .bar.b { background: var(--second) }
.unsure { opacity: .45 }
.range { position: absolute; top: 50%; height: 0; border-top: 2px solid var(--ink) }
.range::before, .range::after { content: ''; position: absolute; top: -.35rem; height: .6rem;
  border-left: 2px solid var(--ink) }
.range::before { left: 0 } .range::after { right: 0 }
.goal { position: absolute; top: -.2rem; bottom: -.2rem; border-left: 2px solid var(--goal) }
.number { font-variant-numeric: tabular-nums }
.trend { display: block; width: 100%; height: 1.6rem; overflow: visible }
.trend polyline { fill: none; stroke: var(--first); stroke-width: 2; vector-effect: non-scaling-stroke }
.scale { display: flex; justify-content: space-between; border-top: 1px solid var(--faint);
  color: var(--soft) }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; vertical-align: -.05em;
  background: var(--first) }
.key.b { background: var(--second) }
table { border-collapse: collapse; width: 100%; font-size: 12px; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .25rem; border-bottom: 1px solid var(--faint); text-align: right }
th { vertical-align: bottom } th:first-child, td:first-child { text-align: left }
/* Names break where wide fonts leave no room; numbers do not. */
td { white-space: nowrap } td:first-child { white-space: normal }
@media (max-width: 70rem) {
  thead { display: none } table, tbody, tr, td { display: block; width: auto }
  tr { padding: .75rem 0; border-bottom: 1px solid var(--faint) }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; white-space: normal;
    font-size: 14px }
  td::before { content: attr(data-label); color: var(--soft) }
  td:first-child { font-weight: 600 } td:first-child::before { content: none }
}
";

/// A bar: where it ends, and between which values its end may be.
#[derive(Debug, Clone, Copy)]
struct Bar {
    value: f64,
    /// Ends of the error bar.
    range: Option<[f64; 2]>,
    /// Whether it differs from the line of the plot by more than noise.
    is_significant: bool,
}

impl Bar {
    fn plain(value: f64) -> Self {
        Bar {
            value,
            range: None,
            is_significant: true,
        }
    }

    /// Returns a ratio with the noise of its kernel.
    fn ratio(row: &KernelRow, value: f64) -> Self {
        let noise = row.noise.unwrap_or(0.0);
        Bar {
            value,
            range: Some([value / (1.0 + noise), value * (1.0 + noise)]),
            is_significant: (value - 1.0).abs() > noise,
        }
    }
}

/// Returns the bar of a kernel.
type Length<'a> = &'a dyn Fn(&KernelRow) -> Option<Bar>;

/// One plot of the page.
struct Plot<'a> {
    title: &'a str,
    /// Explanation for the reader.
    text: &'a str,
    /// Label of the scale.
    axis: &'a str,
    /// Name and length of the bars of each kernel.
    series: &'a [(&'a str, Length<'a>)],
    /// Value at which a line is drawn.
    line: Option<f64>,
    /// Digits after the point.
    digits: usize,
}

/// Returns the page.
pub(crate) fn page(report: &BenchmarkReport<'_>) -> String {
    let run = report.run;
    let goal = format!(
        "Time of a dispatch by the device's timestamps, best of many. Shorter is better; the line is the goal of {GOAL}. The error bar is the noise: how much the same code differs between turns. Pale bars with ≈ differ from 1 by less than that."
    );
    let baseline = report.history.last();
    let since = baseline.map(|then| {
        format!(
            "Best time divided by that of {} ({}, {}). Shorter is better. The error bar is the noise within both runs. Bars that are not pale changed by more than twice the range of the earlier runs, of which that takes {ENOUGH}.",
            then.label(),
            then.device,
            then.driver
        )
    });
    let bandwidth = |row: &KernelRow| {
        let share = row.bandwidth("ours")? / run.peak_gb_per_s;
        Some(Bar::plain(share * 100.0))
    };
    let arithmetic = |row: &KernelRow| {
        let share = row.throughput("ours")? / run.peak_gflop_per_s;
        Some(Bar::plain(share * 100.0))
    };
    let shares: [(&str, Length<'_>); 2] = [
        ("bandwidth (GB/s)", &bandwidth),
        ("arithmetic (GFLOP/s)", &arithmetic),
    ];
    let mut plots = vec![
        Plot {
            title: "Our SPIR-V against DXC's",
            text: &goal,
            axis: "time of ours / time of DXC's",
            series: &[("ours / DXC", &|row| Some(Bar::ratio(row, row.ratio?)))],
            line: Some(GOAL),
            digits: 3,
        },
        Plot {
            title: "Through naga and wgpu",
            text: "The same dispatches, our SPIR-V on Vulkan and through WGSL's compiler. Shorter is better; the line is DXC's SPIR-V on Vulkan.",
            axis: "time / time of DXC's",
            series: &[
                ("ours", &|row| Some(Bar::ratio(row, row.ratio?))),
                ("naga", &|row| {
                    let ratio = row.best_us("naga")? / row.best_us("dxc")?;
                    Some(Bar::ratio(row, ratio))
                }),
            ],
            line: Some(1.0),
            digits: 2,
        },
        Plot {
            title: "On the CPU executor",
            text: "The same dispatches without a driver. Shorter is better; the line is our SPIR-V on the device.",
            axis: "time / time of ours",
            series: &[("CPU / ours", &|row| Some(Bar::plain(row.cpu_ratio()?)))],
            line: Some(1.0),
            digits: 1,
        },
        Plot {
            title: "Share of the device's peaks",
            text: "Bandwidth and throughput of a dispatch, relative to the measured peaks of the device. Longer is better.",
            axis: "% of the measured peak",
            series: &shares,
            line: None,
            digits: 0,
        },
        Plot {
            title: "Translation",
            text: "From the container's bytes to SPIR-V on the CPU, best of twenty. Shorter is better.",
            axis: "microseconds",
            series: &[("translation", &|row| {
                let times = row.variants.iter();
                times.filter_map(|v| v.translate_us).map(Bar::plain).next()
            })],
            line: None,
            digits: 0,
        },
    ];
    let change = |row: &KernelRow| {
        let change = Change::of(row, report.history)?;
        let factor = 1.0 + change.noise;
        Some(Bar {
            value: change.ratio,
            range: Some([change.ratio / factor, change.ratio * factor]),
            is_significant: change.is_significant(),
        })
    };
    let series: [(&str, Length<'_>); 1] = [("now / then", &change)];
    if let Some(text) = &since {
        let plot = Plot {
            title: "Against the baseline",
            text,
            axis: "time now / time then",
            series: &series,
            line: Some(1.0),
            digits: 3,
        };
        plots.insert(0, plot);
    }
    let plots: String = plots
        .iter()
        .map(|plot| plot.section(&run.kernels))
        .collect();
    let lines = [report.summary(), report.cpu_summary(), report.changes()];
    let lines = lines.iter().filter(|line| !line.is_empty());
    let lines: String = lines
        .map(|line| format!("<p>{}</p>\n", escape(line)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>dxil-bench: {device}</title>\n\
         <style>\n{STYLE}</style></head>\n<body><h1>dxil-bench</h1>\n<p>{title}</p>\n<p class=\"soft\">{conditions}</p>\n{lines}{plots}{machine_code}{trend}{table}{history}</body></html>\n",
        device = escape(&run.device),
        title = escape(&report.title()),
        conditions = escape(&report.conditions()),
        machine_code = machine_code(report),
        trend = trend(report),
        table = numbers(report),
        history = history(report),
    )
}

/// Returns a table under a heading.
fn table(title: &str, headings: &[String], rows: &[Vec<String>]) -> String {
    format!(
        "<h2>{}</h2>\n{}",
        escape(title),
        plain_table(headings, rows)
    )
}

/// Returns a table whose cells have the names of their columns, for narrow screens.
pub(crate) fn plain_table(headings: &[String], rows: &[Vec<String>]) -> String {
    let head: String = headings
        .iter()
        .map(|heading| format!("<th>{}</th>", escape(heading)))
        .collect();
    let mut text = format!("<table><thead><tr>{head}</tr></thead><tbody>\n");
    for row in rows {
        let cells = row.iter().zip(headings).map(|(cell, heading)| {
            format!(
                "<td data-label=\"{}\">{}</td>",
                escape(heading),
                escape(cell)
            )
        });
        _ = writeln!(text, "<tr>{}</tr>", cells.collect::<String>());
    }
    text + "</tbody></table>\n"
}

/// Returns the table of all numbers.
fn numbers(report: &BenchmarkReport<'_>) -> String {
    let rows = report.run.kernels.iter();
    let rows: Vec<Vec<String>> = rows.map(|row| report.cells(row).to_vec()).collect();
    let problems: String = report
        .problems()
        .map(|problem| format!("<p>{}</p>\n", escape(&problem)))
        .collect();
    let headings = HEADINGS.map(str::to_owned);
    table("All numbers", &headings, &rows) + &problems
}

/// Returns the table of machine code with a column for each GPU; empty without GPUs.
fn machine_code(report: &BenchmarkReport<'_>) -> String {
    let (headings, rows) = report.machine_code();
    if rows.is_empty() {
        return String::new();
    }
    table("Machine code", &headings, &rows)
        + "<p>Instructions of the program that the GPU's compiler makes of our SPIR-V and of DXC's, and \
           ours divided by DXC's. The GPUs need not be there. A loop counts once, however often it \
           runs, and an unrolled one has more instructions and takes less time.</p>\n"
}

/// Number of runs that the table of the history has; the plot of the trend has all.
const TABLE_RUNS: usize = 6;

/// Returns our best time of each kernel over all runs as lines; empty without earlier runs.
fn trend(report: &BenchmarkReport<'_>) -> String {
    let runs: Vec<&Run> = report.history.iter().chain([report.run]).collect();
    if runs.len() < 2 {
        return String::new();
    }
    let mut text = format!(
        "<h2>Trend</h2>\n<p>Best time of ours in {} runs, from {} to {}. Each line starts at the left with its first run; the bottom is 0 and the top its maximum. The number is the last time divided by the first.</p>\n<div class=\"plot\">\n",
        runs.len(),
        escape(&runs.first().map_or_else(String::new, |run| run.label())),
        escape(&report.run.label()),
    );
    for row in &report.run.kernels {
        let best = |run: &&Run| run.kernel(&row.kernel).and_then(|row| row.best_us("ours"));
        let times: Vec<f64> = runs.iter().filter_map(best).collect();
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            continue;
        };
        if times.len() < 2 {
            continue;
        }
        let max = times.iter().copied().fold(1e-9, f64::max);
        let step = 100.0 / (times.len() - 1) as f64;
        let points = times.iter().enumerate().map(|(index, time)| {
            let (x, y) = (step * index as f64, 20.0 - 20.0 * time / max);
            format!("{x:.2},{y:.2}")
        });
        let points: Vec<String> = points.collect();
        let name = escape(&row.kernel);
        _ = writeln!(
            text,
            "<span>{name}</span><svg class=\"trend\" viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{name} in {} runs\"><polyline points=\"{}\"/></svg><span class=\"number\">{:.3}</span>",
            times.len(),
            points.join(" "),
            last / first
        );
    }
    text + "</div>\n"
}

/// Returns our best times in the last runs; empty without earlier ones.
fn history(report: &BenchmarkReport<'_>) -> String {
    if report.history.is_empty() {
        return String::new();
    }
    let runs: Vec<_> = report.history.iter().chain([report.run]).collect();
    let runs = &runs[runs.len().saturating_sub(TABLE_RUNS)..];
    let mut headings = vec!["kernel".to_owned()];
    headings.extend(runs.iter().map(|run| format!("{}, µs", run.label())));
    let rows = report.run.kernels.iter().map(|row| {
        let times = runs.iter().map(|run| {
            let best = run.kernel(&row.kernel).and_then(|row| row.best_us("ours"));
            best.map_or_else(|| "–".to_owned(), |best| format!("{best:.1}"))
        });
        std::iter::once(row.kernel.clone()).chain(times).collect()
    });
    table("History", &headings, &rows.collect::<Vec<Vec<String>>>())
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl Plot<'_> {
    fn section(&self, rows: &[KernelRow]) -> String {
        let keys = self.series.iter().enumerate().map(|(index, (name, _))| {
            let class = if index == 0 { "key" } else { "key b" };
            format!("<span class=\"{class}\"></span>{}", escape(name))
        });
        let keys = match self.series.len() {
            1 => String::new(),
            _ => keys.collect(),
        };
        format!(
            "<h2>{}</h2>\n<p>{}{keys}</p>\n{}",
            escape(self.title),
            escape(self.text),
            self.bars(rows)
        )
    }

    /// Returns the horizontal bars.
    fn bars(&self, rows: &[KernelRow]) -> String {
        let bars = |row| self.series.iter().filter_map(move |(_, bar)| bar(row));
        let ends = rows.iter().flat_map(bars);
        let ends = ends.map(|bar| bar.range.map_or(bar.value, |[_, high]| high));
        let max = ends.chain(self.line).fold(0.0, f64::max).max(1e-9);
        let percent = |value: f64| (value / max * 100.0).clamp(0.0, 100.0);
        let class = if self.series.len() > 1 {
            "plot two"
        } else {
            "plot"
        };
        let mut text = format!("<div class=\"{class}\">\n");
        for row in rows {
            let mut track = String::new();
            let mut numbers = Vec::new();
            for (index, (_, bar)) in self.series.iter().enumerate() {
                let Some(bar) = bar(row) else { continue };
                let series = if index == 0 { "" } else { " b" };
                let unsure = if bar.is_significant { "" } else { " unsure" };
                _ = write!(
                    track,
                    "<span class=\"bar{series}{unsure}\" style=\"width:{:.2}%\"></span>",
                    percent(bar.value)
                );
                // Two error bars on one line would hide each other.
                if let Some([low, high]) = bar.range.filter(|_| self.series.len() == 1) {
                    let left = percent(low);
                    _ = write!(
                        track,
                        "<span class=\"range\" style=\"left:{left:.2}%;width:{:.2}%\"></span>",
                        percent(high) - left
                    );
                }
                let mark = if bar.is_significant { "" } else { "≈ " };
                numbers.push(format!("{mark}{:.*}", self.digits, bar.value));
            }
            if let Some(line) = self.line {
                _ = write!(
                    track,
                    "<span class=\"goal\" style=\"left:{:.2}%\"></span>",
                    percent(line)
                );
            }
            _ = writeln!(
                text,
                "<span>{}</span><span class=\"track\">{track}</span><span class=\"number\">{}</span>",
                escape(&row.kernel),
                numbers.join("<br>")
            );
        }
        _ = writeln!(
            text,
            "<span></span><span class=\"scale\"><span>0</span><span>{}</span><span>{max:.*}</span></span><span></span>\n</div>",
            escape(self.axis),
            self.digits
        );
        text
    }
}
