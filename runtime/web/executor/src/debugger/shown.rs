//! A stop as the page shows it.

use dxil_debug::{Evaluated, Globals, Program, StackFrame, Stopped, Value as Shown, data_id};
use serde_json::{Value, json};

use super::number::number;

/// Maximum number of members and elements of a value that are shown.
const MAX_CHILDREN: usize = 64;
/// Maximum number of values of a stop, with their parts.
const MAX_VALUES: usize = 4096;
/// Maximum number of values of the module that are shown.
const MAX_REGISTERS: usize = 512;
/// Elements of a resource that are shown at once.
const PARTS: u64 = 64;
/// Maximum number of bytes of a file's text.
const MAX_TEXT: usize = 2 << 20;

/// Returns the files with code: their names, texts, and lines with code.
pub(super) fn files(code: &Program<'_>) -> Value {
    let files = code.files.iter().enumerate().map(|(number, file)| {
        let sites = code.sites().iter();
        let lines = sites.filter(|site| site.file as usize == number);
        let mut lines: Vec<u32> = lines.map(|site| site.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let text = file.text.as_deref().map(|text| {
            let end = text.floor_char_boundary(MAX_TEXT);
            text.get(..end).unwrap_or_default()
        });
        json!({
            "name": file.name,
            "text": text,
            "lines": lines,
            "is_listing": number == code.listing_file() as usize,
        })
    });
    files.collect()
}

/// Returns what the page shows of a stop, for the call, the expressions and the resources that the
/// question names.
pub(super) fn stop(stopped: &Stopped<'_, '_>, head: &Value) -> Value {
    let lane = stopped.lane;
    let stack = stopped.stack(lane);
    let frame = number(&head["frame"]).min(stack.len().saturating_sub(1));
    let mut values = Values { left: MAX_VALUES };
    let watches = head["watches"].as_array().into_iter().flatten();
    let watches = watches.map(|text| {
        let text = text.as_str().unwrap_or_default();
        match stopped.evaluate(text, frame, lane) {
            Ok(Evaluated::Value(value)) => values.json(text, text, &value),
            Ok(Evaluated::Resource(resource)) => {
                json!({ "name": text, "text": resource.summary(stopped.moment) })
            }
            Err(error) => json!({ "name": text, "problem": error.to_string() }),
        }
    });
    let watches: Vec<Value> = watches.collect();
    let lanes = stopped.table(head["lanes"].as_str().unwrap_or("$thread"));
    let lanes = lanes.into_iter().map(|row| {
        let (value, problem) = match row.value {
            Ok(value) => (Some(value), None),
            Err(problem) => (None, Some(problem)),
        };
        json!({
            "lane": row.lane,
            "name": row.name,
            "active": row.is_active,
            "line": row.position.map(|(_, line)| line),
            "value": value,
            "problem": problem,
        })
    });
    let place = |frame: &StackFrame| {
        let (file, line) = frame.position.map(|(file, line, _)| (file, line)).unzip();
        let (function, inst) = frame.inst;
        json!({
            "name": frame.name,
            "file": file,
            "line": line,
            "listed": stopped.program.listing_line(function, inst),
            "inlined": frame.is_inlined,
            "data": data_id("", Some(frame)),
        })
    };
    json!({
        "reason": stopped.reason.words(),
        "time": stopped.time,
        "findings": stopped.findings,
        "lane": lane,
        "name": stopped.name(lane),
        "active": stopped.moment.active().count_ones(),
        "started": stopped.moment.started().count_ones(),
        "frame": frame,
        "frames": stack.iter().map(place).collect::<Vec<_>>(),
        "groups": values.groups(stopped, stack.get(frame)),
        "watches": watches,
        "lanes": lanes.collect::<Vec<_>>(),
        "resources": resources(stopped, head, &mut values),
    })
}

/// Writes values, as many as a stop may have.
struct Values {
    left: usize,
}

impl Values {
    /// Returns the groups of variables that a call sees, without empty ones.
    fn groups(&mut self, stopped: &Stopped<'_, '_>, frame: Option<&StackFrame>) -> Value {
        let lane = stopped.lane;
        let locals = frame.map(|frame| stopped.locals(frame, lane));
        let registers = frame.map(|frame| stopped.registers(frame, lane));
        let mut registers = registers.unwrap_or_default();
        let left_out = registers.len().saturating_sub(MAX_REGISTERS);
        registers.truncate(MAX_REGISTERS);
        let of = |variables: Vec<dxil_debug::Variable>| -> Vec<(String, Shown)> {
            let variables = variables.into_iter();
            variables
                .map(|variable| (variable.name, variable.value))
                .collect()
        };
        let groups = [
            ("Locals", of(locals.unwrap_or_default()), 0),
            (
                "Static variables",
                of(stopped.globals(Globals::Static, lane)),
                0,
            ),
            ("Groupshared", of(stopped.globals(Globals::Shared, lane)), 0),
            ("Registers", registers, left_out),
        ];
        let groups = groups.into_iter().filter(|(_, all, _)| !all.is_empty());
        let groups = groups.map(|(title, all, left_out)| {
            let all = all.iter().map(|(name, value)| self.json(name, name, value));
            let all: Vec<Value> = all.collect();
            json!({ "title": title, "values": all, "left_out": left_out })
        });
        groups.collect()
    }

    /// Returns a value with its parts. `path` is the expression that names it.
    fn json(&mut self, name: &str, path: &str, value: &Shown) -> Value {
        self.left = self.left.saturating_sub(1);
        let mut json = json!({
            "name": name,
            "path": path,
            "type": value.ty.name,
            "text": value.text(false),
        });
        let children = value.children();
        // The components of a vector stand in its line.
        let is_line =
            children.iter().all(|(_, child)| child.leaves.len() <= 1) && children.len() <= 4;
        if children.is_empty() || is_line || self.left == 0 {
            return json;
        }
        let left_out = children.len().saturating_sub(MAX_CHILDREN);
        let mut parts = Vec::new();
        for (name, child) in children.iter().take(MAX_CHILDREN) {
            let dot = if name.starts_with('[') { "" } else { "." };
            parts.push(self.json(name, &format!("{path}{dot}{name}"), child));
        }
        json["children"] = Value::Array(parts);
        json["left_out"] = json!(left_out);
        json
    }
}

/// Returns the resources, each with the elements from the one on that `parts` of the question says.
fn resources(stopped: &Stopped<'_, '_>, head: &Value, values: &mut Values) -> Value {
    let moment = stopped.moment;
    let all = stopped.resources().map(|resource| {
        let name = resource.name();
        let mut json = json!({ "name": name, "summary": resource.summary(moment) });
        if let Some(constants) = resource.constants(moment) {
            json["value"] = values.json(&name, &name, &constants);
        }
        let Some(count) = resource.parts(moment) else {
            return json;
        };
        json["count"] = json!(count);
        if let Some(first) = head["parts"][&name].as_u64() {
            let end = count.min(first.saturating_add(PARTS));
            let parts = (first..end).filter_map(|number| resource.part(moment, number));
            let parts = parts.map(|(index, value)| {
                let path = format!("{name}{index}");
                values.json(&index, &path, &value)
            });
            json["first"] = json!(first);
            json["parts"] = parts.collect();
        }
        json
    });
    all.collect()
}
