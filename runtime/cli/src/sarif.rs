//! SARIF 2.1.0, the format in which tools of continuous integration take findings.

use serde_json::{Value, json};

/// Returns the text of a log with one run of a command.
pub fn log(command: &str, rules: &[(&str, &str)], results: &[Value]) -> String {
    crate::json::document(&document(command, rules, results))
}

/// Returns a log with one run of a command.
pub fn document(command: &str, rules: &[(&str, &str)], results: &[Value]) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } }))
        .collect();
    let driver = json!({
        "name": command,
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }],
    })
}

/// Returns a place in a source. Lines and columns count from 1; a column of 0 is unknown.
pub fn source_location(file: &str, line: u32, column: u32) -> Value {
    let mut region = json!({ "startLine": line });
    if column > 0 {
        region["startColumn"] = json!(column);
    }
    json!({ "physicalLocation": { "artifactLocation": { "uri": file }, "region": region } })
}
