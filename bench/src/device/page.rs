//! The figures as an HTML page, which needs no other files.
//!
//! Figures with a parameter are lines over its logarithm, others bars. What was not measured has
//! no plot. Labels are text of the page beside the drawing, so that they stay readable on narrow
//! screens.

use std::fmt::Write as _;

use super::results::{DeviceRun, Row, size};
use super::table::{DeviceReport, FamilyTable, number};
use crate::page::{STYLE, escape, plain_table};

const MORE_STYLE: &str = "\
.chart { display: grid; grid-template-columns: auto 1fr; gap: .2rem .5rem; font-size: 14px; margin: 1rem 0 }
.chart svg { width: 100%; height: 14rem; overflow: visible; border-left: 1px solid var(--faint);
  border-bottom: 1px solid var(--faint) }
.chart polyline { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke }
.chart .grid { stroke: var(--faint); vector-effect: non-scaling-stroke }
.y { display: flex; flex-direction: column; justify-content: space-between; text-align: right;
  color: var(--soft) }
.x { grid-column: 2; display: flex; justify-content: space-between; color: var(--soft) }
.c0 { stroke: #3277b8; background: #3277b8 } .c1 { stroke: #b36b00; background: #b36b00 }
.c2 { stroke: #2e8540; background: #2e8540 } .c3 { stroke: #8a4fbf; background: #8a4fbf }
.bar.c0, .bar.c1, .bar.c2, .bar.c3 { stroke: none }
.d1 { stroke-dasharray: 6 3 } .d2 { stroke-dasharray: 2 3 } .d3 { stroke-dasharray: 8 3 2 3 }
";

/// Returns the page.
pub(crate) fn page(report: &DeviceReport<'_>) -> String {
    let mut body = String::new();
    for family in report.tables() {
        let (name, about) = (family.family.name, family.family.about);
        _ = writeln!(body, "<h2>{}</h2>\n<p>{}</p>", escape(name), escape(about));
        body += &match family.family.parameter {
            "" => bars(report, &family),
            parameter => lines(report, &family, parameter),
        };
        body += &plain_table(&family.headings, &family.rows);
    }
    let paragraphs = |lines: Vec<String>| -> String {
        let lines = lines.iter();
        lines
            .map(|line| format!("<p class=\"soft\">{}</p>\n", escape(line)))
            .collect()
    };
    let theory = match report.run.theory.as_str() {
        "" => String::new(),
        source => format!("<p>Theoretical figures: {}</p>\n", escape(source)),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>dxil-bench device: {device}</title>\n\
         <style>\n{STYLE}{MORE_STYLE}</style></head>\n<body><h1>dxil-bench device</h1>\n<p>{title}</p>\n\
         <p class=\"soft\">{conditions}</p>\n{theory}{sensors}\
         <p>Each value is the median of several runs; the interval contains the true median with a probability of 95 %.</p>\n\
         {body}{problems}</body></html>\n",
        device = escape(&report.run.device),
        title = escape(&report.title()),
        conditions = escape(&report.conditions()),
        sensors = paragraphs(report.sensors()),
        problems = paragraphs(report.problems()),
    )
}

/// Returns this run and the others.
fn runs<'a>(report: &'a DeviceReport<'_>) -> Vec<&'a DeviceRun> {
    std::iter::once(report.run).chain(report.others).collect()
}

/// Returns which colour belongs to which run; empty for one run.
fn keys(report: &DeviceReport<'_>) -> String {
    let runs = runs(report);
    if runs.len() < 2 {
        return String::new();
    }
    let key = |(index, run): (usize, &&DeviceRun)| {
        let label = escape(&run.label());
        format!("<span class=\"key c{}\"></span>{label}", index % 4)
    };
    let keys: String = runs.iter().enumerate().map(key).collect();
    format!("<p>{keys}</p>\n")
}

/// Returns bars, with one scale for each unit.
fn bars(report: &DeviceReport<'_>, family: &FamilyTable<'_>) -> String {
    let runs = runs(report);
    let mut units: Vec<&str> = Vec::new();
    for row in family.figures.iter().filter(|row| row.value.is_some()) {
        if !units.contains(&row.unit.as_str()) {
            units.push(&row.unit);
        }
    }
    let mut text = keys(report);
    for unit in units {
        let rows: Vec<&&Row> = family
            .figures
            .iter()
            .filter(|row| row.unit == unit && row.value.is_some())
            .collect();
        let values = |row: &Row| -> Vec<Option<f64>> {
            let found = runs.iter().map(|run| run.find(row)?.value);
            found.map(|value| Some(value?.median)).collect()
        };
        let all = rows.iter().flat_map(|row| values(row)).flatten();
        let max = all.fold(1e-9, f64::max);
        let class = if runs.len() > 1 { "plot two" } else { "plot" };
        _ = writeln!(text, "<div class=\"{class}\">");
        for row in rows {
            let mut track = String::new();
            let mut numbers = Vec::new();
            for (index, value) in values(row).into_iter().enumerate() {
                let Some(value) = value else { continue };
                _ = write!(
                    track,
                    "<span class=\"bar c{}\" style=\"width:{:.2}%\"></span>",
                    index % 4,
                    value / max * 100.0
                );
                numbers.push(number(value));
            }
            _ = writeln!(
                text,
                "<span>{}</span><span class=\"track\">{track}</span><span class=\"number\">{}</span>",
                escape(&row.label()),
                numbers.join("<br>")
            );
        }
        let better = match family.figures.iter().find(|row| row.unit == unit) {
            Some(row) if row.more_is_better => "longer is better",
            _ => "shorter is better",
        };
        _ = writeln!(
            text,
            "<span></span><span class=\"scale\"><span>0</span><span>{}, {better}</span><span>{}</span></span><span></span>\n</div>",
            escape(unit),
            number(max)
        );
    }
    text
}

/// Returns a chart with a line for each name of each run, over the parameter's logarithm.
fn lines(report: &DeviceReport<'_>, family: &FamilyTable<'_>, parameter: &str) -> String {
    let measured: Vec<&&Row> = family
        .figures
        .iter()
        .filter(|row| row.value.is_some() && row.parameter.is_some())
        .collect();
    let mut parameters: Vec<u64> = measured.iter().filter_map(|row| row.parameter).collect();
    parameters.sort_unstable();
    parameters.dedup();
    let (Some(first), Some(last)) = (parameters.first(), parameters.last()) else {
        return String::new();
    };
    let mut names: Vec<&str> = Vec::new();
    for row in &measured {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    let runs = runs(report);
    let value = |run: &DeviceRun, row: &Row| run.find(row)?.value.map(|value| value.median);
    let all = runs
        .iter()
        .flat_map(|run| measured.iter().filter_map(|row| value(run, row)));
    let max = all.fold(1e-9, f64::max);
    let span = ((last.ilog2() - first.ilog2()) as f64).max(1.0);
    let place = |parameter: u64, value: f64| {
        let x = f64::from(parameter.ilog2() - first.ilog2()) / span * 100.0;
        (x, 100.0 - value / max * 100.0)
    };
    let mut drawn = String::new();
    let mut keys = String::new();
    for (run_index, run) in runs.iter().enumerate() {
        for (name_index, name) in names.iter().enumerate() {
            let rows = measured.iter().filter(|row| row.name == **name);
            let points: Vec<(f64, f64)> = rows
                .filter_map(|row| Some(place(row.parameter?, value(run, row)?)))
                .collect();
            let Some((x, y)) = points.first() else {
                continue;
            };
            // One point has no line: it is drawn as a short one.
            let points = match points.len() {
                1 => format!("{:.2},{y:.2} {:.2},{y:.2}", x - 1.0, x + 1.0),
                _ => {
                    let points = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}"));
                    points.collect::<Vec<String>>().join(" ")
                }
            };
            let (colour, dash) = (name_index % 4, run_index % 4);
            _ = write!(
                drawn,
                "<polyline class=\"c{colour} d{dash}\" points=\"{points}\"/>"
            );
            if run_index == 0 {
                let name = escape(name);
                _ = write!(keys, "<span class=\"key c{colour}\"></span>{name}");
            }
        }
    }
    let dashes = match runs.len() {
        1 => String::new(),
        _ => {
            let label = |run: &&DeviceRun| escape(&run.label());
            let labels: Vec<String> = runs.iter().map(label).collect();
            format!("; solid, then dashed: {}", labels.join("; "))
        }
    };
    let unit = measured.first().map_or("", |row| &row.unit);
    let better = match measured.first() {
        Some(row) if row.more_is_better => "higher is better",
        _ => "lower is better",
    };
    let steps = parameters.len().div_ceil(6).max(1);
    let labels: String = parameters
        .iter()
        .step_by(steps)
        .map(|bytes| format!("<span>{}</span>", size(*bytes)))
        .collect();
    format!(
        "<p>{keys}{dashes}</p>\n<div class=\"chart\"><div class=\"y\"><span>{} {unit}</span><span>{}</span><span>0</span></div>\
         <svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">\
         <line class=\"grid\" x1=\"0\" x2=\"100\" y1=\"50\" y2=\"50\"/>{drawn}</svg>\
         <div class=\"x\">{labels}</div><div class=\"x\"><span>{}, {better}</span></div></div>\n",
        number(max),
        number(max / 2.0),
        escape(&format!("{} by {parameter}", family.family.name)),
        escape(parameter),
        unit = escape(unit),
    )
}
