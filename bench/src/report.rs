//! The results as a table.

use crate::change::{Change, ENOUGH, Verdict};
use crate::results::{KernelRow, Run};

/// Maximum ratio to DXC's code that we aim at.
pub(crate) const GOAL: f64 = 1.02;

/// Columns of the table.
pub(crate) const HEADINGS: [&str; 15] = [
    "kernel",
    "translate, µs",
    "pipeline, µs: ours",
    "DXC",
    "GPU, µs: ours",
    "DXC",
    "naga",
    "CPU executor, µs",
    "CPU / ours",
    "ours / DXC",
    "noise, %",
    "GB/s",
    "% of peak",
    "GFLOP/s",
    "% of peak",
];

/// A run, and earlier runs that it is compared with.
pub(crate) struct BenchmarkReport<'a> {
    pub(crate) run: &'a Run,
    /// The oldest first; the last one is the baseline.
    pub(crate) history: &'a [Run],
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.digits$}"))
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// Returns the ratio to DXC's code, marked where it is within the noise.
fn ratio(row: &KernelRow) -> String {
    let mark = if row.is_significant() == Some(false) {
        "≈ "
    } else {
        ""
    };
    format!("{mark}{}", number(row.ratio, 3))
}

impl BenchmarkReport<'_> {
    /// Returns the device, the size and the peaks.
    pub(crate) fn title(&self) -> String {
        let run = self.run;
        format!(
            "{} ({}, {}), {} size; peaks: {:.2} GB/s, {:.2} GFLOP/s",
            run.device, run.driver, run.api, run.size, run.peak_gb_per_s, run.peak_gflop_per_s
        )
    }

    /// Returns machine, commit and date.
    pub(crate) fn conditions(&self) -> String {
        let run = self.run;
        let commit = match run.commit.as_str() {
            "" => "no commit".to_owned(),
            commit => format!("commit {commit}"),
        };
        format!("{}; {commit}; {}", run.machine, run.date)
    }

    /// Returns the changes of kernels since the baseline; empty without one.
    pub(crate) fn changes(&self) -> String {
        let Some(then) = self.history.last() else {
            return String::new();
        };
        let mut faster = Vec::new();
        let mut slower = Vec::new();
        let mut unknown = Vec::new();
        let mut same = 0;
        for row in &self.run.kernels {
            let Some(change) = Change::of(row, self.history) else {
                continue;
            };
            let text = format!("{} {:.3}", row.kernel, change.ratio);
            match change.verdict {
                Verdict::Faster => faster.push(text),
                Verdict::Slower => slower.push(text),
                Verdict::Unknown => unknown.push(text),
                Verdict::Same => same += 1,
            }
        }
        let list = |names: &[String]| match names {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        let mut text = format!("since {}: ", then.label());
        if unknown.is_empty() {
            text.push_str(&format!(
                "faster: {}; slower: {}; {same} within the noise",
                list(&faster),
                list(&slower)
            ));
        } else {
            // Some kernels may be new to the history; the others have their verdict.
            if faster.len() + slower.len() + same > 0 {
                text.push_str(&format!(
                    "faster: {}; slower: {}; {same} within the noise; ",
                    list(&faster),
                    list(&slower)
                ));
            }
            text.push_str(&format!(
                "{} (from {ENOUGH} earlier runs on it can be told whether that is more than the noise between runs)",
                unknown.join(", ")
            ));
        }
        if then.device != self.run.device || then.driver != self.run.driver {
            text.push_str(&format!(
                " (another device or driver: {}, {})",
                then.device, then.driver
            ));
        }
        if then.size != self.run.size {
            text.push_str(&format!(" (another size: {})", then.size));
        }
        text
    }

    /// Returns a Markdown table.
    pub(crate) fn table(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("{}\n{}\n\n", self.title(), self.conditions());
        text += &line(&HEADINGS.map(str::to_owned));
        text += &line(&HEADINGS.map(|_| "---".to_owned()));
        for row in &self.run.kernels {
            text += &line(&self.cells(row));
        }
        let (headings, rows) = self.machine_code();
        if !rows.is_empty() {
            text += "\nInstructions of machine code, ours and DXC's (docs/isa.md):\n\n";
            text += &line(&headings);
            text += &line(&vec!["---".to_owned(); headings.len()]);
            text.extend(rows.iter().map(|row| line(row)));
        }
        for line in [self.summary(), self.cpu_summary(), self.changes()] {
            if !line.is_empty() {
                text += &format!("\n{line}\n");
            }
        }
        for problem in self.problems() {
            text += &format!("{problem}\n");
        }
        text
    }

    /// Returns the numbers of a kernel, one for each of [`HEADINGS`].
    pub(crate) fn cells(&self, row: &KernelRow) -> [String; HEADINGS.len()] {
        let variant = |name| row.variants.iter().find(|variant| variant.name == name);
        let create = |name| variant(name).and_then(|variant| variant.create_us);
        let bandwidth = row.bandwidth("ours");
        let throughput = row.throughput("ours");
        [
            row.kernel.clone(),
            number(variant("ours").and_then(|ours| ours.translate_us), 1),
            number(create("ours"), 0),
            number(create("dxc"), 0),
            number(row.best_us("ours"), 1),
            number(row.best_us("dxc"), 1),
            number(row.best_us("naga"), 1),
            number(row.best_us("cpu"), 1),
            number(row.cpu_ratio(), 2),
            ratio(row),
            number(row.noise.map(|noise| noise * 100.0), 1),
            number(bandwidth, 2),
            number(bandwidth.map(|b| b / self.run.peak_gb_per_s * 100.0), 0),
            number(throughput, 2),
            number(throughput.map(|t| t / self.run.peak_gflop_per_s * 100.0), 0),
        ]
    }

    /// Returns headings and rows of a table of machine code, with a column for each GPU and a last
    /// row of geometric means; no rows where no GPU was asked for.
    pub(crate) fn machine_code(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let kernels = &self.run.kernels;
        let mut gpus: Vec<&str> = Vec::new();
        for code in kernels.iter().flat_map(|row| &row.machine_code) {
            if !gpus.contains(&code.gpu.as_str()) {
                gpus.push(&code.gpu);
            }
        }
        let mut headings = vec!["kernel".to_owned()];
        headings.extend(gpus.iter().map(|gpu| (*gpu).to_owned()));
        if gpus.is_empty() {
            return (headings, Vec::new());
        }
        let count = |row: &KernelRow, gpu: &str| {
            let mut all = row.machine_code.iter();
            all.find(|code| code.gpu == gpu)
                .and_then(|code| code.instructions)
        };
        let mut rows: Vec<Vec<String>> = kernels
            .iter()
            .map(|row| {
                let cells = gpus.iter().map(|gpu| match count(row, gpu) {
                    Some([ours, dxc]) => format!("{ours}/{dxc} {:.3}", ours / dxc),
                    None => "–".to_owned(),
                });
                std::iter::once(row.kernel.clone()).chain(cells).collect()
            })
            .collect();
        let means = gpus.iter().map(|gpu| {
            let counts = kernels.iter().filter_map(|row| count(row, gpu));
            let ratios: Vec<f64> = counts.map(|[ours, dxc]| ours / dxc).collect();
            match ratios.as_slice() {
                [] => "–".to_owned(),
                ratios => format!("{:.3}", geometric_mean(ratios)),
            }
        });
        rows.push(
            std::iter::once("geometric mean".to_owned())
                .chain(means)
                .collect(),
        );
        (headings, rows)
    }

    /// Returns the mean ratio to DXC's code; empty if nothing was compared.
    pub(crate) fn summary(&self) -> String {
        let ratios: Vec<f64> = self
            .run
            .kernels
            .iter()
            .filter_map(|row| row.ratio)
            .collect();
        if ratios.is_empty() {
            return String::new();
        }
        let kept = ratios.iter().filter(|ratio| **ratio <= GOAL).count();
        format!(
            "ours / DXC: geometric mean {:.3}; {kept} of {} kernels at most {GOAL}",
            geometric_mean(&ratios),
            ratios.len()
        )
    }

    /// Returns the factor by which the CPU executor is slower; empty if nothing was compared.
    pub(crate) fn cpu_summary(&self) -> String {
        let ratio = |row: &KernelRow| Some((row.cpu_ratio()?, row.kernel.clone()));
        let rows: Vec<(f64, String)> = self.run.kernels.iter().filter_map(ratio).collect();
        let Some((worst, kernel)) = rows.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return String::new();
        };
        let ratios: Vec<f64> = rows.iter().map(|(ratio, _)| *ratio).collect();
        let mut text = format!(
            "CPU executor / ours: geometric mean {:.2}; at most {worst:.2} ({kernel})",
            geometric_mean(&ratios)
        );
        let gain = |row: &KernelRow| Some(row.best_us("interpreted")? / row.best_us("cpu")?);
        let gains: Vec<f64> = self.run.kernels.iter().filter_map(gain).collect();
        if !gains.is_empty() {
            let gain = geometric_mean(&gains);
            text.push_str(&format!(
                "; native code is {gain:.2} times as fast as interpreting"
            ));
        }
        text
    }

    /// Returns the reasons of missing results.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        self.run.kernels.iter().flat_map(|row| {
            let variants = row.variants.iter().filter_map(|variant| {
                let problem = variant.problem.as_ref()?;
                Some(format!("{} ({}): {problem}", row.kernel, variant.name))
            });
            variants.chain(row.machine_code.iter().filter_map(|code| {
                let problem = code.problem.as_ref()?;
                Some(format!("{} ({}): {problem}", row.kernel, code.gpu))
            }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::MachineCode;

    #[test]
    fn machine_code_has_a_column_for_each_gpu() {
        let code = |gpu: &str, instructions| MachineCode {
            gpu: gpu.to_owned(),
            instructions,
            problem: None,
        };
        let row = |kernel: &str, machine_code| KernelRow {
            kernel: kernel.to_owned(),
            about: String::new(),
            bytes: 0.0,
            operations: 0.0,
            variants: Vec::new(),
            ratio: None,
            noise: None,
            machine_code,
        };
        let mut run = Run::for_test("small");
        let report = |run: &Run| {
            let history = &[];
            BenchmarkReport { run, history }.machine_code()
        };
        assert!(report(&run).1.is_empty());
        run.kernels = vec![
            row("copy", vec![code("a", Some([30.0, 20.0])), code("b", None)]),
            row("scan", vec![code("a", Some([20.0, 30.0]))]),
        ];
        let (headings, rows) = report(&run);
        assert_eq!(headings, ["kernel", "a", "b"]);
        assert_eq!(rows[0], ["copy", "30/20 1.500", "–"]);
        assert_eq!(rows[1], ["scan", "20/30 0.667", "–"]);
        assert_eq!(rows[2], ["geometric mean", "1.000", "–"]);
    }
}
