//! Breakpoints of a question.

use dxil_debug::terminal::break_place;
use dxil_debug::{BreakAt, Breakpoints, HitCondition, Program, condition};
use serde_json::{Value, json};

use super::number::number;

/// Reads the breakpoints of a question. The second result says of each where it is, or what is
/// wrong with it; its number is that of the breakpoint, as reasons name it.
pub(super) fn read(code: &Program<'_>, head: &Value) -> (Breakpoints, Vec<Value>) {
    let mut all = Breakpoints::default();
    all.on_findings = head["check"] == true;
    let wanted = head["breakpoints"].as_array().into_iter().flatten();
    let placed = wanted.map(|wanted| match add(&mut all, code, wanted) {
        Ok(placed) => placed,
        Err(problem) => json!({ "problem": problem }),
    });
    let placed = placed.collect();
    (all, placed)
}

fn add(all: &mut Breakpoints, code: &Program<'_>, wanted: &Value) -> Result<Value, String> {
    let text = |name: &str| wanted[name].as_str().filter(|text| !text.trim().is_empty());
    if let Some(data) = text("data") {
        let number = all.watch_data(data).map_err(|error| error.to_string())?;
        return Ok(json!({ "number": number }));
    }
    let file = number(&wanted["file"]) as u32;
    let at = break_place(code, text("place").unwrap_or_default().trim(), file)?;
    let condition = text("condition").map(condition).transpose();
    let condition = condition.map_err(|error| error.to_string())?;
    let hit = text("hit").map(HitCondition::parse).transpose();
    let hit = hit.map_err(|error| error.to_string())?;
    let log = text("log").map(str::to_owned);
    let line = match at {
        BreakAt::Line(file, line) => Some((file, line)),
        BreakAt::Instruction(function, inst) => {
            let line = code.listing_line(function, inst);
            line.map(|line| (code.listing_file(), line))
        }
        BreakAt::Function(_) | BreakAt::Operation(_) => None,
    };
    let number = all.add(at, condition, hit, log);
    let (file, line) = line.unzip();
    Ok(json!({ "number": number, "file": file, "line": line }))
}
