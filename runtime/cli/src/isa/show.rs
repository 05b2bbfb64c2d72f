//! The answers of compilers as a table, as JSON, and their texts.

use std::fmt::Write as _;

use dxil_runtime::isa::{Compiled, Executable, Text, Value};
use serde_json::{Value as Json, json};

use super::Answer;

/// Rows that several drivers have under different names, with those names.
const COMMON: &[(&str, &[&str])] = &[
    (
        "instructions",
        &["Instructions", "Instruction count", "Instruction Count"],
    ),
    (
        "registers",
        &["VGPRs", "Number of GPRs", "Registers used", "GPRs"],
    ),
    (
        "spills",
        &["Spilled VGPRs", "Spills to memory", "Spills", "STP Count"],
    ),
    ("code bytes", &["Code size"]),
];

/// Statistics that are names of something and no measure of it.
const IDENTITIES: [&str; 2] = ["Driver pipeline hash", "Hash"];

/// Returns the row of a driver's statistic.
fn row_of(name: &str) -> &str {
    let common = COMMON.iter().find(|(_, names)| names.contains(&name));
    common.map_or(name, |(row, _)| row)
}

/// The executables of all answers that are of one kind: of a stage, or of the shaders of a ray
/// tracing pipeline.
fn sections(answers: &[Answer]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for executable in answers.iter().flat_map(executables) {
        let name = section_of(executable);
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

fn executables(answer: &Answer) -> impl Iterator<Item = &Executable> {
    let compiled = answer.results.iter().flatten();
    compiled.flat_map(|compiled| &compiled.executables)
}

/// Returns the section of an executable. The shaders of a ray tracing pipeline are known by name.
fn section_of(executable: &Executable) -> String {
    let stages = executable.stages.join("+");
    if stages == "lib" || stages.is_empty() {
        executable.name.clone()
    } else {
        stages
    }
}

/// Returns the n-th executable of a section.
fn find<'a>(compiled: &'a Compiled, section: &str, nth: usize) -> Option<&'a Executable> {
    let executables = compiled.executables.iter();
    let mut executables = executables.filter(|e| section_of(e) == section);
    executables.nth(nth)
}

fn cell(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if value.fract() == 0.0 => format!("{value:.0}"),
        Some(value) => format!("{value:.2}"),
    }
}

/// Returns the value of a row of the table in an executable.
pub fn value(executable: &Executable, row: &str) -> Option<f64> {
    if row == "subgroup size" {
        return Some(executable.subgroup_size.into()).filter(|size| *size != 0.0);
    }
    let mut all = executable.statistics.iter();
    let found = all.find(|s| row_of(&s.name) == row);
    found.map(|s| s.value.as_f64())
}

/// Returns one table for each stage: a row for each statistic that is not 0 everywhere, a column
/// for each GPU. Of two requests a cell shows both values and their ratio.
pub fn table(answers: &[Answer]) -> String {
    let mut text = String::new();
    for answer in answers {
        let _ = writeln!(
            text,
            "{}: {} ({})",
            answer.selection, answer.device, answer.driver
        );
        for error in answer
            .results
            .iter()
            .filter_map(|result| result.as_ref().err())
        {
            let _ = writeln!(text, "  error: {error}");
        }
    }
    for section in sections(answers) {
        let count = |compiled: &Compiled| {
            let executables = compiled.executables.iter();
            executables.filter(|e| section_of(e) == section).count()
        };
        let compiled = answers
            .iter()
            .flat_map(|answer| answer.results.iter().flatten());
        for nth in 0..compiled.map(count).max().unwrap_or(0) {
            let number = match nth {
                0 => String::new(),
                nth => format!(" {}", nth + 1),
            };
            text.push_str(&one_table(
                answers,
                &section,
                nth,
                &format!("{section}{number}"),
            ));
        }
    }
    text
}

fn one_table(answers: &[Answer], section: &str, nth: usize, title: &str) -> String {
    let columns: Vec<(&Answer, Vec<Option<&Executable>>)> = answers
        .iter()
        .map(|answer| {
            let results = answer.results.iter();
            let found = results.map(|result| find(result.as_ref().ok()?, section, nth));
            (answer, found.collect::<Vec<_>>())
        })
        .filter(|(_, found)| found.iter().any(Option::is_some))
        .collect();
    let mut rows: Vec<String> = COMMON.iter().map(|(row, _)| (*row).to_owned()).collect();
    rows.push("subgroup size".to_owned());
    let all = columns.iter().flat_map(|(_, found)| found.iter().flatten());
    for statistic in all.flat_map(|executable| &executable.statistics) {
        let row = row_of(&statistic.name).to_owned();
        if !rows.contains(&row) && !IDENTITIES.contains(&row.as_str()) {
            rows.push(row);
        }
    }
    let mut lines = vec![vec![title.to_owned()]];
    lines[0].extend(
        columns
            .iter()
            .map(|(answer, _)| answer.selection.to_string()),
    );
    for row in rows {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, found)| {
                let values = found.iter().map(|e| e.and_then(|e| value(e, &row)));
                compared(&values.collect::<Vec<_>>())
            })
            .collect();
        // What no compiler needed (spills, scratch memory) is left out.
        if cells.iter().any(|cell| !is_nothing(cell)) {
            lines.push(std::iter::once(row).chain(cells).collect());
        }
    }
    aligned(&lines)
}

/// Returns whether a cell says nothing, or that there is nothing.
fn is_nothing(cell: &str) -> bool {
    cell.is_empty() || cell == "0" || cell == "0 / 0"
}

/// Returns a cell: a value, or two with the first divided by the second.
fn compared(values: &[Option<f64>]) -> String {
    match values {
        [a, b] if a.is_some() || b.is_some() => {
            let ratio = match (a, b) {
                (Some(a), Some(b)) if *b != 0.0 && a != b => format!("  {:.3}", a / b),
                _ => String::new(),
            };
            format!("{} / {}{ratio}", cell(*a), cell(*b))
        }
        [one, ..] => cell(*one),
        [] => String::new(),
    }
}

/// Returns lines whose columns are aligned: the first to the left, the others to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::from("\n");
    for line in lines {
        let mut row = String::new();
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            if column == 0 {
                let _ = write!(row, "{cell:<width$}");
            } else {
                let _ = write!(row, "   {cell:>width$}");
            }
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// The texts of an executable that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forms {
    /// The assembly.
    Machine,
    /// The assembly, and before it the form that has source lines, if there is one.
    Source,
    /// The assembly and all forms before it.
    All,
}

impl Forms {
    fn has(self, text: &Text) -> bool {
        match self {
            Forms::Machine => text.is_assembly(),
            Forms::Source => text.is_assembly() || text.has_source_lines(),
            Forms::All => true,
        }
    }
}

/// Returns these texts of all answers.
pub fn texts(answers: &[Answer], names: &[String], forms: Forms) -> String {
    let mut out = String::new();
    for answer in answers {
        for (result, name) in answer.results.iter().zip(names) {
            let Ok(compiled) = result else { continue };
            for executable in &compiled.executables {
                for text in executable.texts.iter().filter(|text| forms.has(text)) {
                    let (gpu, form) = (answer.selection, &text.name);
                    let section = section_of(executable);
                    let _ = writeln!(out, "\n==== {name}, {gpu}, {section}: {form}");
                    out.push_str(text.text.trim_end());
                    out.push('\n');
                }
            }
        }
    }
    out
}

/// Returns the answers as JSON.
pub fn json(answers: &[Answer], names: &[String]) -> Json {
    let answers = answers.iter().map(|answer| {
        let results = answer
            .results
            .iter()
            .zip(names)
            .map(|(result, name)| match result {
                Ok(compiled) => {
                    let executables: Vec<Json> =
                        compiled.executables.iter().map(executable_json).collect();
                    json!({ "shader": name, "executables": executables })
                }
                Err(error) => json!({ "shader": name, "error": error.to_string() }),
            });
        json!({
            "gpu": answer.selection.to_string(),
            "device": answer.device,
            "driver": answer.driver,
            "profile": answer.profile,
            "results": results.collect::<Vec<_>>(),
        })
    });
    Json::Array(answers.collect())
}

fn executable_json(executable: &Executable) -> Json {
    let statistics = executable.statistics.iter().map(|statistic| {
        let value = match statistic.value {
            Value::Bool(value) => json!(value),
            Value::Signed(value) => json!(value),
            Value::Unsigned(value) => json!(value),
            Value::Float(value) => json!(value),
        };
        let description = &statistic.description;
        json!({ "name": statistic.name, "value": value, "description": description })
    });
    let texts = executable.texts.iter();
    let texts = texts.map(|text| json!({ "name": text.name, "text": text.text }));
    json!({
        "name": executable.name,
        "stages": executable.stages,
        "subgroup_size": executable.subgroup_size,
        "statistics": statistics.collect::<Vec<_>>(),
        "texts": texts.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_runtime::isa::Statistic;

    fn executable(stage: &str, statistics: &[(&str, u64)]) -> Executable {
        let statistics = statistics.iter().map(|(name, value)| Statistic {
            name: (*name).to_owned(),
            description: String::new(),
            value: Value::Unsigned(*value),
        });
        Executable {
            name: "compute".to_owned(),
            description: String::new(),
            stages: vec![stage.to_owned()],
            subgroup_size: 32,
            statistics: statistics.collect(),
            texts: Vec::new(),
        }
    }

    fn answer(gpu: &str, results: Vec<Executable>) -> Answer {
        let compiled = |executable| {
            Ok(Compiled {
                executables: vec![executable],
                modules: Vec::new(),
            })
        };
        Answer {
            selection: gpu.parse().unwrap(),
            device: "a device".to_owned(),
            driver: "a driver".to_owned(),
            profile: None,
            results: results.into_iter().map(compiled).collect(),
        }
    }

    #[test]
    fn what_drivers_call_differently_is_one_row() {
        let table = table(&[
            answer(
                "navi31@radv",
                vec![executable("cs", &[("Instructions", 25), ("Hash", 7)])],
            ),
            answer(
                "ampere",
                vec![executable("cs", &[("Instruction count", 33), ("Only", 1)])],
            ),
        ]);
        let lines: Vec<&str> = table
            .lines()
            .skip_while(|line| !line.starts_with("cs"))
            .collect();
        assert_eq!(
            lines,
            [
                "cs              navi31   ampere",
                "instructions        25       33",
                "subgroup size       32       32",
                "Only                          1",
            ]
        );
    }

    #[test]
    fn two_shaders_are_compared_by_their_ratio() {
        let results = [39, 20].map(|count| executable("ps", &[("Instructions", count)]));
        let table = table(&[answer("g13", results.to_vec())]);
        assert!(
            table.contains("instructions    39 / 20  1.950\n"),
            "{table}"
        );
        assert!(
            table.contains("subgroup size          32 / 32\n"),
            "{table}"
        );
    }
}
