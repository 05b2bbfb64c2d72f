//! The results as a page with plots in it, which opens from disk.

use anyhow::anyhow;
use plotters::prelude::*;

use crate::measure::Row;
use crate::report::{GOAL, Report};

const WIDTH: u32 = 960;
const LINE: u32 = 26;

/// The page. All pictures are part of it.
pub(crate) fn page(report: &Report<'_>) -> anyhow::Result<String> {
    let ratios = bars(
        "Time of our SPIR-V by time of DXC's (shorter is better)",
        report.rows,
        &[("ours / DXC", &|row| row.ratio)],
        Some(GOAL),
    )?;
    let times = bars(
        "Time of a dispatch by DXC's: ours, and ours through naga and wgpu",
        report.rows,
        &[
            ("ours", &|row| row.ratio),
            ("naga", &|row| {
                Some(row.best_us("naga")? / row.best_us("dxc")?)
            }),
        ],
        Some(1.0),
    )?;
    let peaks = bars(
        "Share of the measured peak: bandwidth and arithmetic, %",
        report.rows,
        &[
            ("GB/s", &|row| {
                Some(row.bandwidth("ours")? / report.peaks.bandwidth * 100.0)
            }),
            ("GFLOP/s", &|row| {
                Some(row.throughput("ours")? / report.peaks.throughput * 100.0)
            }),
        ],
        None,
    )?;
    let translation = bars(
        "Translation from container to SPIR-V, µs",
        report.rows,
        &[("translate", &|row| {
            row.ways.iter().find_map(|way| way.translate_us)
        })],
        None,
    )?;
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>dxil-bench</title>\n\
         <style>body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }}\n\
         pre {{ overflow-x: auto; font-size: 12px }} svg {{ max-width: 100%; height: auto }}</style></head>\n\
         <body><h1>dxil-bench</h1><p>{}</p>\n{ratios}\n{times}\n{peaks}\n{translation}\n<h2>Table</h2><pre>{}</pre></body></html>\n",
        escape(&report.title()),
        escape(&report.table()),
    ))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

type Value<'a> = &'a dyn Fn(&Row) -> Option<f64>;

/// Horizontal bars, some per kernel, with a line at a value that matters.
fn bars(
    title: &str,
    rows: &[Row],
    series: &[(&str, Value<'_>)],
    line: Option<f64>,
) -> anyhow::Result<String> {
    let failed = |error: &dyn std::fmt::Display| anyhow!("plot: {error}");
    let count = rows.len().max(1);
    let most = rows
        .iter()
        .flat_map(|row| series.iter().filter_map(|(_, value)| value(row)))
        .chain(line)
        .fold(0.0, f64::max);
    let mut svg = String::new();
    {
        let height = 90 + LINE * count as u32;
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE).map_err(|e| failed(&e))?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(28)
            .y_label_area_size(130)
            .build_cartesian_2d(0.0..(most * 1.08).max(1e-9), 0.0..count as f64)
            .map_err(|e| failed(&e))?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .y_labels(0)
            .draw()
            .map_err(|e| failed(&e))?;
        let thickness = 0.8 / series.len() as f64;
        for (i, row) in rows.iter().enumerate() {
            // The first kernel is at the top.
            let bottom = (count - 1 - i) as f64 + 0.1;
            for (j, (_, value)) in series.iter().enumerate() {
                let Some(value) = value(row) else { continue };
                let low = bottom + thickness * (series.len() - 1 - j) as f64;
                let bar = Rectangle::new([(0.0, low), (value, low + thickness)], color(j).filled());
                chart
                    .draw_series(std::iter::once(bar))
                    .map_err(|e| failed(&e))?;
            }
            let (_, y) = chart.backend_coord(&(0.0, bottom + 0.4));
            let style = TextStyle::from(("sans-serif", 13)).color(&BLACK);
            area.draw_text(row.kernel, &style, (16, y - 7))
                .map_err(|e| failed(&e))?;
        }
        if let Some(at) = line {
            let path = PathElement::new([(at, 0.0), (at, count as f64)], RED.stroke_width(1));
            chart
                .draw_series(std::iter::once(path))
                .map_err(|e| failed(&e))?;
        }
        for (j, (name, _)) in series.iter().enumerate() {
            let x = WIDTH as i32 - 110 * (series.len() - j) as i32;
            area.draw(&Rectangle::new([(x, 14), (x + 12, 26)], color(j).filled()))
                .map_err(|e| failed(&e))?;
            let style = TextStyle::from(("sans-serif", 13)).color(&BLACK);
            area.draw_text(name, &style, (x + 18, 13))
                .map_err(|e| failed(&e))?;
        }
        area.present().map_err(|e| failed(&e))?;
    }
    Ok(svg)
}

fn color(series: usize) -> RGBColor {
    match series {
        0 => RGBColor(48, 105, 152),
        _ => RGBColor(230, 159, 0),
    }
}
