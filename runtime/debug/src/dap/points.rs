//! Requests for breakpoints.

use serde_json::{Value, json};

use super::address::address;
use super::inspect::Inspector;
use super::wire::Request;
use crate::breakpoints::{BreakAt, Breakpoints, HitCondition};
use crate::expression::{Expression, parse};
use crate::program::Program;
use crate::terminal::function_place;

/// What a breakpoint has besides its place.
struct Extras {
    condition: Option<Expression>,
    hit: Option<HitCondition>,
    log: Option<String>,
}

fn extras(wanted: &Value) -> Result<Extras, String> {
    let text = |name: &str| wanted[name].as_str().filter(|text| !text.trim().is_empty());
    let condition = text("condition").map(parse).transpose();
    let hit = text("hitCondition").map(HitCondition::parse).transpose();
    Ok(Extras {
        condition: condition.map_err(|error| error.to_string())?,
        hit: hit.map_err(|error| error.to_string())?,
        log: text("logMessage").map(str::to_owned),
    })
}

fn refused(message: &str) -> Value {
    json!({ "verified": false, "message": message })
}

fn add(breakpoints: &mut Breakpoints, at: BreakAt, wanted: &Value) -> Result<u32, String> {
    let extras = extras(wanted)?;
    Ok(breakpoints.add(at, extras.condition, extras.hit, extras.log))
}

/// `setBreakpoints`: replaces those of a file.
pub(super) fn on_lines(
    request: &Request,
    program: &Program<'_>,
    breakpoints: &mut Breakpoints,
    inspector: &mut Inspector,
) -> Result<Value, String> {
    let file = inspector.file_of(&request.arguments["source"], program);
    if let Some(file) = file {
        breakpoints.retain(|known| !matches!(known.at, BreakAt::Line(of, _) if of == file));
    }
    let answers = request.list("breakpoints").iter().map(|wanted| {
        let Some(file) = file else {
            return refused("no code of the shader comes from this file");
        };
        let line = wanted["line"].as_u64().and_then(|n| u32::try_from(n).ok());
        let line = line.map(|line| inspector.line_of_client(line));
        let Some(line) = line.and_then(|line| program.line_with_code(file, line)) else {
            return refused("there is no code at this line or behind it");
        };
        match add(breakpoints, BreakAt::Line(file, line), wanted) {
            Ok(id) => json!({
                "id": id,
                "verified": true,
                "line": inspector.line_for_client(line),
                "source": inspector.source_of(program, file),
            }),
            Err(error) => refused(&error),
        }
    });
    let answers: Vec<Value> = answers.collect();
    Ok(json!({ "breakpoints": answers }))
}

/// `setFunctionBreakpoints`: replaces all. A name may be that of an operation, like `op sample`.
pub(super) fn on_functions(
    request: &Request,
    program: &Program<'_>,
    breakpoints: &mut Breakpoints,
) -> Result<Value, String> {
    breakpoints.retain(|known| !matches!(known.at, BreakAt::Function(_) | BreakAt::Operation(_)));
    let answers = request.list("breakpoints").iter().map(|wanted| {
        let name = wanted["name"].as_str().unwrap_or_default();
        let at = match function_place(program, name) {
            Ok(at) => at,
            Err(error) => return refused(&error),
        };
        match add(breakpoints, at, wanted) {
            Ok(id) => json!({ "id": id, "verified": true }),
            Err(error) => refused(&error),
        }
    });
    let answers: Vec<Value> = answers.collect();
    Ok(json!({ "breakpoints": answers }))
}

/// `setInstructionBreakpoints`: replaces all. Addresses are lines of the listing.
pub(super) fn on_instructions(
    request: &Request,
    program: &Program<'_>,
    breakpoints: &mut Breakpoints,
) -> Result<Value, String> {
    breakpoints.retain(|known| !matches!(known.at, BreakAt::Instruction(..)));
    let answers = request.list("breakpoints").iter().map(|wanted| {
        let reference = wanted["instructionReference"].as_str().unwrap_or_default();
        let line = address(reference).map(|line| line + wanted["offset"].as_i64().unwrap_or(0));
        let line = line.and_then(|line| u32::try_from(line).ok());
        let Some((function, inst)) = line.and_then(|line| program.listed(line)) else {
            return refused("there is no instruction at this address");
        };
        match add(breakpoints, BreakAt::Instruction(function, inst), wanted) {
            Ok(id) => json!({ "id": id, "verified": true, "instructionReference": reference }),
            Err(error) => refused(&error),
        }
    });
    let answers: Vec<Value> = answers.collect();
    Ok(json!({ "breakpoints": answers }))
}

/// `setExceptionBreakpoints`.
pub(super) fn on_exceptions(request: &Request, breakpoints: &mut Breakpoints) -> Value {
    let filters = request.list("filters");
    let has = |name: &str| filters.iter().any(|filter| filter == name);
    breakpoints.on_findings = has("findings");
    breakpoints.skips_debug_break = !has("debugBreak");
    let is_known = |filter: &Value| filter == "findings" || filter == "debugBreak";
    let answers: Vec<Value> = filters
        .iter()
        .map(|filter| json!({ "verified": is_known(filter) }))
        .collect();
    json!({ "breakpoints": answers })
}

/// `setDataBreakpoints`: replaces all. The ids are those that `dataBreakpointInfo` gives.
pub(super) fn on_data(request: &Request, breakpoints: &mut Breakpoints) -> Result<Value, String> {
    breakpoints.clear_data();
    let answers = request.list("breakpoints").iter().map(|wanted| {
        let id = wanted["dataId"].as_str().unwrap_or_default();
        match breakpoints.watch_data(id) {
            Ok(id) => json!({ "id": id, "verified": true }),
            Err(error) => refused(&error.to_string()),
        }
    });
    let answers: Vec<Value> = answers.collect();
    Ok(json!({ "breakpoints": answers }))
}

/// `breakpointLocations`: lines with code.
pub(super) fn locations(
    request: &Request,
    program: &Program<'_>,
    inspector: &mut Inspector,
) -> Result<Value, String> {
    let Some(file) = inspector.file_of(&request.arguments["source"], program) else {
        return Ok(json!({ "breakpoints": [] }));
    };
    let number = |name: &str| {
        let number = request.number(name).and_then(|n| u32::try_from(n).ok());
        number.map(|line| inspector.line_of_client(line))
    };
    let first = number("line").unwrap_or(1);
    let last = number("endLine").unwrap_or(first);
    let sites = program.sites().iter().filter(|site| site.file == file);
    let lines = sites.map(|site| site.line);
    let mut lines: Vec<u32> = lines.filter(|line| (first..=last).contains(line)).collect();
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<Value> = lines
        .into_iter()
        .map(|line| json!({ "line": inspector.line_for_client(line) }))
        .collect();
    Ok(json!({ "breakpoints": lines }))
}
