//! The results as an HTML page with plots, which needs no other files.
//!
//! Plots are SVG inside the page. Its style sheet sets the colours of their text and lines, so that
//! they follow the light or dark scheme of the reader. On narrow screens each plot scrolls by
//! itself.

use anyhow::anyhow;
use plotters::prelude::*;

use crate::measure::Row;
use crate::report::{GOAL, HEADINGS, Report};

const WIDTH: u32 = 960;
/// Left of the bars, for the kernels' names.
const NAMES: u32 = 130;
/// Height of a kernel's bars.
const LINE: u32 = 26;
const MARGIN: u32 = 12;
/// Below the bars, for the scale and what it says.
const AXIS: u32 = 48;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --faint: #d0d7de }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #30363d } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper) }
h2 { margin: 2.5rem 0 0 } p { margin: .25rem 0 .75rem }
.wide { overflow-x: auto } .wide svg { display: block; min-width: 40rem; max-width: 100%; height: auto }
svg text { fill: var(--ink); font-family: inherit }
svg [stroke='#000000'] { stroke: var(--ink) }
table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; white-space: nowrap }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--faint); text-align: right }
th { text-align: right; vertical-align: bottom }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--paper) }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; vertical-align: -.05em }
";

/// Returns the length of a kernel's bar.
type Length<'a> = &'a dyn Fn(&Row) -> Option<f64>;

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
    /// Digits behind the point.
    digits: usize,
}

/// Returns the page.
///
/// # Errors
///
/// A plot cannot be drawn.
pub(crate) fn page(report: &Report<'_>) -> anyhow::Result<String> {
    let goal = format!(
        "Time of a dispatch by the device's timestamps, best of many. Shorter is better; the line is the goal of {GOAL}."
    );
    let plots = [
        Plot {
            title: "Our SPIR-V against DXC's",
            text: &goal,
            axis: "time of ours / time of DXC's",
            series: &[("ours / DXC", &|row| row.ratio)],
            line: Some(GOAL),
            digits: 3,
        },
        Plot {
            title: "Through naga and wgpu",
            text: "The same dispatches, our SPIR-V on Vulkan and through WGSL's compiler. Shorter is better; the line is DXC's SPIR-V on Vulkan.",
            axis: "time / time of DXC's",
            series: &[
                ("ours", &|row| row.ratio),
                ("naga", &|row| {
                    Some(row.best_us("naga")? / row.best_us("dxc")?)
                }),
            ],
            line: Some(1.0),
            digits: 2,
        },
        Plot {
            title: "Share of the device's peaks",
            text: "Bandwidth and throughput of a dispatch, relative to the measured peaks of the device. Longer is better.",
            axis: "% of the measured peak",
            series: &[
                ("bandwidth (GB/s)", &|row| {
                    Some(row.bandwidth("ours")? / report.peaks.bandwidth * 100.0)
                }),
                ("arithmetic (GFLOP/s)", &|row| {
                    Some(row.throughput("ours")? / report.peaks.throughput * 100.0)
                }),
            ],
            line: None,
            digits: 0,
        },
        Plot {
            title: "Translation",
            text: "From the container's bytes to SPIR-V on the CPU, best of twenty. Shorter is better.",
            axis: "microseconds",
            series: &[("translation", &|row| {
                row.variants.iter().find_map(|variant| variant.translate_us)
            })],
            line: None,
            digits: 0,
        },
    ];
    let plots = plots
        .iter()
        .map(|plot| plot.section(report.rows))
        .collect::<anyhow::Result<String>>()?;
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>dxil-bench: {device}</title>\n\
         <style>\n{STYLE}</style></head>\n<body><h1>dxil-bench</h1>\n<p>{title}</p>\n<p>{summary}</p>\n{plots}{table}</body></html>\n",
        device = escape(&report.device.name),
        title = escape(&report.title()),
        summary = escape(&report.summary()),
        table = table(report),
    ))
}

/// Returns the table of all numbers.
fn table(report: &Report<'_>) -> String {
    let cells = |cells: &[String], tag: &str| {
        let cells = cells
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let headings = HEADINGS.map(str::to_owned);
    let rows = report.rows.iter();
    let rows: String = rows.map(|row| cells(&report.cells(row), "td")).collect();
    let problems: String = report
        .problems()
        .map(|problem| format!("<p>{}</p>\n", escape(&problem)))
        .collect();
    format!(
        "<h2>All numbers</h2>\n<div class=\"wide\"><table><thead>{}</thead><tbody>\n{rows}</tbody></table></div>\n{problems}",
        cells(&headings, "th")
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Plot<'_> {
    fn section(&self, rows: &[Row]) -> anyhow::Result<String> {
        let keys = self.series.iter().enumerate().map(|(index, (name, _))| {
            let RGBColor(r, g, b) = color(index);
            let key = format!("<span class=\"key\" style=\"background: rgb({r} {g} {b})\"></span>");
            format!("{key}{}", escape(name))
        });
        let keys = match self.series.len() {
            1 => String::new(),
            _ => keys.collect(),
        };
        Ok(format!(
            "<h2>{}</h2>\n<p>{}{keys}</p>\n<div class=\"wide\">{}</div>\n",
            escape(self.title),
            escape(self.text),
            self.bars(rows)?
        ))
    }

    /// Horizontal bars.
    fn bars(&self, rows: &[Row]) -> anyhow::Result<String> {
        let failed = |error: &dyn std::fmt::Display| anyhow!("plot: {error}");
        let count = rows.len().max(1);
        let values = |row| self.series.iter().filter_map(move |(_, value)| value(row));
        let all = rows.iter().flat_map(values).chain(self.line);
        let max = all.fold(0.0, f64::max);
        let text = |size: i32| TextStyle::from(("sans-serif", size)).color(&BLACK);
        let mut svg = String::new();
        {
            let height = 2 * MARGIN + AXIS + LINE * count as u32;
            let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
            let mut chart = ChartBuilder::on(&area)
                .margin(MARGIN)
                .x_label_area_size(AXIS)
                .y_label_area_size(NAMES)
                // Room for the number at the longest bar.
                .build_cartesian_2d(0.0..(max * 1.1).max(1e-9), 0.0..count as f64)
                .map_err(|e| failed(&e))?;
            chart
                .configure_mesh()
                .disable_y_mesh()
                .disable_y_axis()
                .y_labels(0)
                .x_max_light_lines(1)
                .x_desc(self.axis)
                .axis_desc_style(text(16))
                .label_style(text(14))
                .draw()
                .map_err(|e| failed(&e))?;
            let thickness = 0.8 / self.series.len() as f64;
            let size = if self.series.len() > 1 { 12 } else { 14 };
            for (i, row) in rows.iter().enumerate() {
                // The first kernel is at the top.
                let bottom = (count - 1 - i) as f64 + 0.1;
                for (j, (_, value)) in self.series.iter().enumerate() {
                    let Some(value) = value(row) else { continue };
                    let low = bottom + thickness * (self.series.len() - 1 - j) as f64;
                    let corners = [(0.0, low), (value, low + thickness)];
                    let bar = Rectangle::new(corners, color(j).filled());
                    chart
                        .draw_series(std::iter::once(bar))
                        .map_err(|e| failed(&e))?;
                    let (x, y) = chart.backend_coord(&(value, low + thickness / 2.0));
                    let number = format!("{value:.*}", self.digits);
                    area.draw_text(&number, &text(size), (x + 4, y - size / 2))
                        .map_err(|e| failed(&e))?;
                }
                let (_, y) = chart.backend_coord(&(0.0, bottom + 0.4));
                area.draw_text(row.kernel, &text(15), (8, y - 6))
                    .map_err(|e| failed(&e))?;
            }
            if let Some(at) = self.line {
                let path = PathElement::new([(at, 0.0), (at, count as f64)], RED.stroke_width(1));
                chart
                    .draw_series(std::iter::once(path))
                    .map_err(|e| failed(&e))?;
            }
            area.present().map_err(|e| failed(&e))?;
        }
        Ok(svg)
    }
}

/// Blue and orange, which differ for all eyes and on dark and light paper.
fn color(series: usize) -> RGBColor {
    match series {
        0 => RGBColor(66, 133, 196),
        _ => RGBColor(230, 159, 0),
    }
}
