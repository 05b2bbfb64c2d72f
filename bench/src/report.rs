//! The results as a table and as JSON.

use dxil_runtime::DeviceInfo;
use serde_json::json;

use crate::measure::Row;

/// Maximum ratio to DXC's code that we aim at.
pub(crate) const GOAL: f64 = 1.02;

/// Columns of the table.
pub(crate) const HEADINGS: [&str; 13] = [
    "kernel",
    "translate, µs",
    "pipeline, µs: ours",
    "DXC",
    "GPU, µs: ours",
    "DXC",
    "naga",
    "ours / DXC",
    "noise, %",
    "GB/s",
    "% of peak",
    "GFLOP/s",
    "% of peak",
];

/// The maximum bandwidth and throughput that were measured on the device.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Peaks {
    /// GB/s.
    pub(crate) bandwidth: f64,
    /// GFLOP/s.
    pub(crate) throughput: f64,
}

impl Peaks {
    /// Raises the peaks to the best variant of a kernel.
    pub(crate) fn include(&mut self, row: &Row) {
        for variant in &row.variants {
            let bandwidth = row.bandwidth(variant.name).unwrap_or(0.0);
            let throughput = row.throughput(variant.name).unwrap_or(0.0);
            self.bandwidth = self.bandwidth.max(bandwidth);
            self.throughput = self.throughput.max(throughput);
        }
    }
}

/// All results.
pub(crate) struct Report<'a> {
    pub(crate) device: &'a DeviceInfo,
    pub(crate) size: String,
    pub(crate) peaks: Peaks,
    pub(crate) rows: &'a [Row],
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.digits$}"))
}

impl Report<'_> {
    /// Returns the device, the size and the peaks.
    pub(crate) fn title(&self) -> String {
        format!(
            "{} ({}, {}), {} size; peaks: {:.2} GB/s, {:.2} GFLOP/s",
            self.device.name,
            self.device.driver,
            self.device.api,
            self.size,
            self.peaks.bandwidth,
            self.peaks.throughput
        )
    }

    /// Returns a Markdown table.
    pub(crate) fn table(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = self.title();
        text += "\n\n";
        text += &line(&HEADINGS.map(str::to_owned));
        text += &line(&HEADINGS.map(|_| "---".to_owned()));
        for row in self.rows {
            text += &line(&self.cells(row));
        }
        let summary = self.summary();
        if !summary.is_empty() {
            text += &format!("\n{summary}\n");
        }
        for problem in self.problems() {
            text += &format!("{problem}\n");
        }
        text
    }

    /// Returns the numbers of a kernel, one for each of [`HEADINGS`].
    pub(crate) fn cells(&self, row: &Row) -> [String; HEADINGS.len()] {
        let variant = |name| row.variants.iter().find(|variant| variant.name == name);
        let create = |name| variant(name).and_then(|variant| variant.create_us);
        let bandwidth = row.bandwidth("ours");
        let throughput = row.throughput("ours");
        [
            row.kernel.to_owned(),
            number(variant("ours").and_then(|ours| ours.translate_us), 1),
            number(create("ours"), 0),
            number(create("dxc"), 0),
            number(row.best_us("ours"), 1),
            number(row.best_us("dxc"), 1),
            number(row.best_us("naga"), 1),
            number(row.ratio, 3),
            number(row.noise.map(|noise| noise * 100.0), 1),
            number(bandwidth, 2),
            number(bandwidth.map(|b| b / self.peaks.bandwidth * 100.0), 0),
            number(throughput, 2),
            number(throughput.map(|t| t / self.peaks.throughput * 100.0), 0),
        ]
    }

    /// Returns the mean ratio to DXC's code; empty if nothing was compared.
    pub(crate) fn summary(&self) -> String {
        let ratios: Vec<f64> = self.rows.iter().filter_map(|row| row.ratio).collect();
        if ratios.is_empty() {
            return String::new();
        }
        let mean = ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64;
        let kept = ratios.iter().filter(|ratio| **ratio <= GOAL).count();
        format!(
            "ours / DXC: geometric mean {:.3}; {kept} of {} kernels at most {GOAL}",
            mean.exp(),
            ratios.len()
        )
    }

    /// Returns the reasons of missing results.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        self.rows.iter().flat_map(|row| {
            row.variants.iter().filter_map(|variant| {
                let problem = variant.problem.as_ref()?;
                Some(format!("{} ({}): {problem}", row.kernel, variant.name))
            })
        })
    }

    /// Returns the results as JSON.
    ///
    /// # Errors
    ///
    /// As [`serde_json::to_string_pretty`].
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&json!({
            "device": self.device.name,
            "driver": self.device.driver,
            "api": self.device.api,
            "size": self.size,
            "peak_gb_per_s": self.peaks.bandwidth,
            "peak_gflop_per_s": self.peaks.throughput,
            "kernels": self.rows,
        }))
    }
}
