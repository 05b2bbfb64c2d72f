//! Reports as text, JSON and SARIF.

use std::collections::BTreeSet;
use std::fmt::Write;

use dxil_frontend::escape;
use dxil_frontend::validate::{Check, Rule, Severity, Violation};
use dxil_jit::json::document;
use dxil_jit::sarif;
use serde_json::{Value, json};

use crate::checked_file::CheckedFile;

/// Returns a line for each violation, and one for each valid file.
pub(crate) fn text(files: &[CheckedFile], quiet: bool) -> String {
    let mut out = String::new();
    for CheckedFile { file, report } in files {
        let Ok(report) = report else {
            continue;
        };
        let name = file.display().to_string();
        let name = escape::message(&name);
        for violation in &report.violations {
            let _ = writeln!(out, "{name}: {violation}");
        }
        if report.left_out > 0 {
            let _ = writeln!(out, "{name}: {} more violations", report.left_out);
        }
        if report.violations.is_empty() && !quiet {
            let _ = writeln!(
                out,
                "{name}: valid (validator 1.{})",
                report.validator_minor
            );
        }
    }
    out
}

fn violation(violation: &Violation) -> Value {
    let location = &violation.location;
    let source = location.source.as_ref().map(
        |source| json!({ "file": &*source.file, "line": source.line, "column": source.column }),
    );
    json!({
        "rule": violation.rule.name(),
        "severity": violation.severity.name(),
        "detail": &*violation.detail,
        "message": violation.rule.info().message,
        "part": location.part.map(|part| part.to_string()),
        "offset": location.offset,
        "function": violation.function.as_deref(),
        "block": location.block.map(|block| block.as_u32()),
        "instruction": location.inst.map(|inst| inst.as_u32()),
        "source": source,
    })
}

/// Returns a JSON array with an object for each file.
pub(crate) fn json(files: &[CheckedFile]) -> String {
    let files: Vec<Value> = files
        .iter()
        .map(|CheckedFile { file, report }| match report {
            Ok(report) => json!({
                "file": file.display().to_string(),
                "valid": report.is_valid(),
                "validator": format!("1.{}", report.validator_minor),
                "violations": report.violations.iter().map(violation).collect::<Vec<Value>>(),
                "left_out": report.left_out,
            }),
            Err(error) => json!({
                "file": file.display().to_string(),
                "error": error.to_string(),
            }),
        })
        .collect();
    document(&Value::Array(files))
}

/// Returns SARIF 2.1.0: one run with the broken rules, and a result for each violation.
pub(crate) fn sarif(files: &[CheckedFile], werror: bool) -> String {
    let reports = || {
        files
            .iter()
            .filter_map(|j| Some((j, j.report.as_ref().ok()?)))
    };
    let broken: BTreeSet<Rule> = reports()
        .flat_map(|(_, report)| report.violations.iter().map(|v| v.rule))
        .collect();
    let rules: Vec<(&str, &str)> = broken
        .iter()
        .map(|rule| (rule.name(), rule.info().message))
        .collect();
    let results: Vec<Value> = reports()
        .flat_map(|(files, report)| {
            let file = files.file.display().to_string();
            report
                .violations
                .iter()
                .map(move |violation| result(&file, violation, werror))
        })
        .collect();
    sarif::log("dxil-val", &rules, &results)
}

fn result(file: &str, violation: &Violation, werror: bool) -> Value {
    let level = match violation.severity {
        Severity::Warning if !werror => "warning",
        Severity::Warning | Severity::Error => "error",
    };
    let location = &violation.location;
    let source = location.source.as_ref();
    let source =
        source.map(|source| sarif::source_location(&source.file, source.line, source.column));
    // The artifact is the binary file, and its region a byte.
    let mut physical = json!({ "artifactLocation": { "uri": file } });
    if let Some(offset) = location.offset {
        physical["region"] = json!({ "byteOffset": offset });
    }
    let binary = json!({ "physicalLocation": physical });
    // Viewers show the first place: the line of the source, where the shader has it.
    let (mut place, related) = match source {
        Some(source) => (source, vec![binary]),
        None => (binary, Vec::new()),
    };
    if let Some(function) = &violation.function {
        place["logicalLocations"] = json!([{ "name": &**function, "kind": "function" }]);
    }
    json!({
        "ruleId": violation.rule.name(),
        "level": level,
        "message": { "text": &*violation.detail },
        "locations": [place],
        "relatedLocations": related,
    })
}

/// Returns all rules: name, first validator version, severity, requirement, and whether they are
/// checked.
pub(crate) fn rules(as_json: bool) -> String {
    let reason = |rule: &Rule| match rule.info().check {
        Check::In(_) => None,
        Check::Not(reason) => Some(reason),
    };
    if as_json {
        let rules: Vec<Value> = Rule::ALL
            .iter()
            .map(|rule| {
                let info = rule.info();
                json!({
                    "name": info.name,
                    "since": format!("1.{}", info.since),
                    "severity": info.severity.name(),
                    "message": info.message,
                    "checked": rule.is_checked(),
                    "reason": reason(rule),
                })
            })
            .collect();
        return format!("{:#}\n", Value::Array(rules));
    }
    let mut out = String::new();
    for rule in Rule::ALL {
        let info = rule.info();
        let _ = writeln!(out, "{} (1.{}): {}", info.name, info.since, info.message);
        if let Some(reason) = reason(rule) {
            let _ = writeln!(out, "    not checked: {reason}");
        }
    }
    let checked = Rule::ALL.iter().filter(|rule| rule.is_checked()).count();
    let _ = writeln!(out, "{checked} of {} rules are checked", Rule::ALL.len());
    out
}
