//! The validator's report, and the differences of two shaders.

use dxil_frontend::validate::{Options, validate};
use dxil_inspect::contents::{Choice, describe};
use dxil_inspect::{diff, text};
use serde_json::{Value, json};

use crate::code::MAX_LINES;
use crate::colours::runs;
use crate::failure::{Failure, Result};
use crate::message::Message;

/// Answers what `dxil-val` says.
pub(crate) fn check(question: &Message) -> Result<Message> {
    let report = validate(question.payload(0), &Options::default());
    let violations = report.violations.iter();
    let violations: Vec<Value> = violations
        .map(|violation| {
            json!({
                "rule": violation.rule.name(),
                "severity": violation.severity.name(),
                "text": violation.to_string(),
                "requirement": violation.rule.info().message,
            })
        })
        .collect();
    Ok(Message::new(json!({
        "is_valid": report.is_valid(),
        "validator": format!("1.{}", report.validator_minor),
        "violations": violations,
        "left_out": report.left_out,
    })))
}

/// Answers what `dxil-dis --diff` says of the two payloads.
pub(crate) fn compare(question: &Message) -> Result<Message> {
    let choice = Choice {
        instructions: true,
        ..Choice::default()
    };
    let names = ["a", "b"].map(|key| match question.text(key) {
        "" => key.to_owned(),
        name => name.to_owned(),
    });
    let [first, second] =
        [0, 1].map(|index| describe(&choice, names[index].clone(), question.payload(index), None));
    for document in [&first, &second] {
        let has_code = document
            .sections
            .iter()
            .any(|section| section.text.is_some());
        if let (false, Some(error)) = (has_code, document.errors.first()) {
            return Err(Failure::job(format!("{}: {error}", document.file)));
        }
    }
    let found = diff::between(&first, &second);
    let text = text::guarded(&found.text);
    let lines = text.lines().take(MAX_LINES);
    let lines: Vec<Value> = lines.map(|line| json!({ "runs": runs(line) })).collect();
    Ok(Message::new(
        json!({ "differences": found.lines, "lines": lines }),
    ))
}
