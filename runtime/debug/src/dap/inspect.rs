//! Requests that look at a stopped wave, or change its variables.

use std::path::PathBuf;

use dxil_cpu::watch::LanePlace;
use dxil_frontend::tables::HashMap;
use serde_json::{Value as Json, json};

use super::address::address;
use super::wire::Request;
use crate::breakpoints::data_id;
use crate::expression::Evaluated;
use crate::program::Program;
use crate::reason::Reason;
use crate::resources::{self, Resource};
use crate::stack::StackFrame;
use crate::stopped::Stopped;
use crate::types::Shape;
use crate::value::Value;
use crate::variables::Globals;

/// Number of calls that a lane's frames are numbered with.
const FRAMES: usize = 1 << 12;
/// Maximum number of elements that are shown of a buffer at once.
const MAX_ELEMENTS: u64 = 1 << 10;

/// A group of variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    Locals,
    Statics,
    Groupshared,
    Resources,
    Registers,
}

/// What a reference to variables stands for.
#[derive(Debug, Clone)]
enum Container {
    Group(Group),
    /// A value, with the expression that names it.
    Value(Value, String),
    /// A resource, by its number among those that are shown.
    Resource(usize),
}

/// A reference to variables, in a call of a lane.
#[derive(Debug, Clone)]
struct Reference {
    lane: usize,
    frame: usize,
    container: Container,
}

/// Answers requests, and keeps what the client refers to until the wave goes on.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    references: Vec<Reference>,
    /// Paths that the client has for files.
    paths: HashMap<u32, String>,
    /// Whether the client counts lines from 0.
    lines_from_zero: bool,
}

impl Inspector {
    /// Notes what the client says of itself.
    pub(super) fn initialize(&mut self, request: &Request) {
        self.lines_from_zero = request.arguments["linesStartAt1"] == json!(false);
    }

    /// Looks for the files of a program on disk.
    pub(super) fn begin(&mut self, program: &Program<'_>) {
        self.paths.clear();
        for (number, file) in (0..).zip(&program.files) {
            let found = candidates(&file.name).find(|path| {
                // A file that has changed since is not the source.
                std::fs::read_to_string(path).is_ok_and(|found| {
                    let text = file.text.as_deref();
                    text.is_none_or(|text| text.lines().eq(found.lines()))
                })
            });
            if let Some(path) = found.and_then(|path| std::fs::canonicalize(path).ok()) {
                self.paths.insert(number, shown_path(path));
            }
        }
    }

    /// Forgets what the client referred to before.
    pub(super) fn stop(&mut self) {
        self.references.clear();
    }

    pub(super) fn line_of_client(&self, line: u32) -> u32 {
        line + u32::from(self.lines_from_zero)
    }

    pub(super) fn line_for_client(&self, line: u32) -> u32 {
        line - u32::from(self.lines_from_zero)
    }

    /// Returns the number of the file that a `Source` is.
    pub(super) fn file_of(&mut self, source: &Json, program: &Program<'_>) -> Option<u32> {
        if let Some(number) = source["sourceReference"].as_u64().filter(|n| *n > 0) {
            let number = u32::try_from(number - 1).ok()?;
            return ((number as usize) < program.files.len()).then_some(number);
        }
        let path = source["path"].as_str().or(source["name"].as_str())?;
        let number = program.file_named(path)?;
        // The client knows the file by this path from here on.
        if source["path"].is_string() {
            self.paths.insert(number, path.to_owned());
        }
        Some(number)
    }

    /// Returns the `Source` of a file.
    pub(super) fn source_of(&self, program: &Program<'_>, file: u32) -> Json {
        let Some(found) = program.files.get(file as usize) else {
            return Json::Null;
        };
        let name = found.name.rsplit(['/', '\\']).next().unwrap_or(&found.name);
        match self.paths.get(&file) {
            Some(path) => json!({ "name": name, "path": path }),
            None => json!({ "name": name, "path": found.name, "sourceReference": file + 1 }),
        }
    }

    /// `source`.
    pub(super) fn source(&self, request: &Request, program: &Program<'_>) -> Result<Json, String> {
        let number = request.arguments["source"]["sourceReference"].as_u64();
        let number = number
            .filter(|n| *n > 0)
            .or(request.number("sourceReference"));
        let file = number.and_then(|number| {
            let index = usize::try_from(number.checked_sub(1)?).ok()?;
            program.files.get(index)
        });
        match file.and_then(|file| file.text.as_ref()) {
            Some(text) => Ok(json!({ "content": text, "mimeType": "text/x-hlsl" })),
            None => {
                Err("the shader does not hold its source: compile it with -Zi -Qembed_debug".into())
            }
        }
    }

    /// `loadedSources`.
    pub(super) fn sources(&self, program: &Program<'_>) -> Json {
        let files = 0..program.files.len() as u32;
        let all: Vec<Json> = files.map(|file| self.source_of(program, file)).collect();
        json!({ "sources": all })
    }

    /// `disassemble`: lines of the listing.
    pub(super) fn disassemble(
        &self,
        request: &Request,
        program: &Program<'_>,
    ) -> Result<Json, String> {
        let reference = request.text("memoryReference").unwrap_or_default();
        let first = address(reference).ok_or_else(|| format!("{reference} is no address"))?;
        let offset = request.arguments["offset"].as_i64().unwrap_or(0);
        let lines = request.arguments["instructionOffset"].as_i64().unwrap_or(0);
        let count = request.number("instructionCount").unwrap_or(1).min(1 << 14);
        let first = first.saturating_add(offset).saturating_add(lines);
        let row = |index: u64| {
            let line = first.saturating_add(index as i64);
            let number = u32::try_from(line).ok().filter(|line| *line > 0);
            let text = number.and_then(|n| program.line_text(program.listing_file(), n));
            let Some((number, text)) = number.zip(text) else {
                return json!({
                    "address": format!("{:#x}", line.max(0)),
                    "instruction": "",
                    "presentationHint": "invalid",
                });
            };
            let mut row = json!({ "address": format!("{number:#x}"), "instruction": text.trim() });
            let site = program.listed(number);
            let site = site.and_then(|(function, inst)| program.site(function, inst));
            if let Some(site) = site {
                row["location"] = self.source_of(program, site.file);
                row["line"] = json!(self.line_for_client(site.line));
            }
            row
        };
        let rows: Vec<Json> = (0..count).map(row).collect();
        Ok(json!({ "instructions": rows }))
    }

    /// Answers a request; none for one that it does not know.
    pub(super) fn answer(
        &mut self,
        request: &Request,
        stopped: &mut Stopped<'_, '_>,
    ) -> Option<Result<Json, String>> {
        Some(match request.command.as_str() {
            "stackTrace" => Ok(self.stack_trace(request, stopped)),
            "scopes" => Ok(self.scopes(request, stopped)),
            "variables" => self.variables(request, stopped),
            "setVariable" => self.set_variable(request, stopped),
            "setExpression" => {
                let target = request.text("expression").unwrap_or_default();
                let (lane, frame) = frame_of(request, stopped);
                self.assign(request, stopped, (target, lane, frame))
            }
            "evaluate" => self.evaluate(request, stopped),
            "dataBreakpointInfo" => Ok(self.data_breakpoint_info(request, stopped)),
            "exceptionInfo" => match &stopped.reason {
                Reason::Finding(text) => Ok(json!({
                    "exceptionId": "finding",
                    "description": text,
                    "breakMode": "always",
                })),
                _ => Err("the wave has not stopped at a finding".to_owned()),
            },
            "pause" => Ok(json!({})),
            "dxil/lanes" => Ok(self.lanes(request, stopped)),
            _ => return None,
        })
    }

    fn stack_trace(&self, request: &Request, stopped: &Stopped<'_, '_>) -> Json {
        let thread = request.number("threadId").unwrap_or(1);
        let lane = (thread.saturating_sub(1) as usize).min(stopped.moment.lanes() - 1);
        let stack = stopped.stack(lane);
        let first = request.number("startFrame").unwrap_or(0) as usize;
        let count = match request.number("levels").unwrap_or(0) {
            0 => FRAMES,
            levels => levels as usize,
        };
        let frames = stack.iter().enumerate().skip(first).take(count);
        let frames: Vec<Json> = frames
            .map(|(number, frame)| self.stack_frame(stopped, (lane, number), frame))
            .collect();
        json!({ "stackFrames": frames, "totalFrames": stack.len() })
    }

    fn stack_frame(
        &self,
        stopped: &Stopped<'_, '_>,
        (lane, number): (usize, usize),
        frame: &StackFrame,
    ) -> Json {
        let waits = number == 0 && stopped.moment.place_of(lane) != LanePlace::Active;
        let name = if waits {
            format!("{} (waits)", frame.name)
        } else {
            frame.name.clone()
        };
        let (file, line, column) = frame.position.unwrap_or_default();
        let mut json = json!({
            "id": lane * FRAMES + number + 1,
            "name": name,
            "line": if line == 0 { 0 } else { self.line_for_client(line) },
            "column": column,
        });
        if frame.position.is_some() {
            json["source"] = self.source_of(stopped.program, file);
        }
        let (function, inst) = frame.inst;
        if let Some(line) = stopped.program.listing_line(function, inst) {
            json["instructionPointerReference"] = json!(format!("{line:#x}"));
        }
        json
    }

    fn refer(&mut self, (lane, frame): (usize, usize), container: Container) -> usize {
        self.references.push(Reference {
            lane,
            frame,
            container,
        });
        self.references.len()
    }

    fn scopes(&mut self, request: &Request, stopped: &Stopped<'_, '_>) -> Json {
        let at = frame_of(request, stopped);
        let mut scopes = Vec::new();
        let groups = [
            (Group::Locals, "Locals", Some("locals"), false),
            (Group::Statics, "Static variables", None, false),
            (Group::Groupshared, "Groupshared", None, true),
            (Group::Resources, "Resources", None, true),
            (Group::Registers, "Registers", Some("registers"), true),
        ];
        for (group, name, hint, is_expensive) in groups {
            let is_empty = match group {
                Group::Statics => stopped.globals(Globals::Static, at.0).is_empty(),
                Group::Groupshared => stopped.globals(Globals::Shared, at.0).is_empty(),
                Group::Locals => stopped.program.debug.is_none(),
                Group::Resources => resources::all(stopped.program).next().is_none(),
                Group::Registers => false,
            };
            if is_empty {
                continue;
            }
            let mut scope = json!({
                "name": name,
                "variablesReference": self.refer(at, Container::Group(group)),
                "expensive": is_expensive,
            });
            if let Some(hint) = hint {
                scope["presentationHint"] = json!(hint);
            }
            scopes.push(scope);
        }
        json!({ "scopes": scopes })
    }

    fn variables(&mut self, request: &Request, stopped: &Stopped<'_, '_>) -> Result<Json, String> {
        let reference = self.reference(request)?.clone();
        let hex = request.arguments["format"]["hex"] == json!(true);
        let first = request.number("start").unwrap_or(0);
        let count = match request.number("count").unwrap_or(0) {
            0 => MAX_ELEMENTS,
            count => count.min(MAX_ELEMENTS),
        };
        let at = (reference.lane, reference.frame);
        let mut shown = Vec::new();
        match reference.container {
            Container::Group(Group::Resources) => {
                for (number, resource) in resources::all(stopped.program).enumerate() {
                    shown.push(self.resource_json(stopped, at, (number, resource)));
                }
            }
            Container::Group(group) => {
                for (name, value) in members_of(stopped, at, group) {
                    shown.push(self.value_json(at, (&name, name.clone()), value, hex));
                }
            }
            Container::Value(value, path) => {
                let children = value.children().into_iter();
                let children = children.skip(first as usize).take(count as usize);
                for (name, child) in children {
                    let path = join(&path, &name);
                    shown.push(self.value_json(at, (&name, path), child, hex));
                }
            }
            Container::Resource(number) => {
                let resource = resources::all(stopped.program).nth(number);
                let resource = resource.ok_or("there is no such resource")?;
                if let Some(value) = resource.constants(stopped.moment) {
                    for (name, child) in value.children() {
                        let path = format!("{}.{name}", resource.name());
                        shown.push(self.value_json(at, (&name, path), child, hex));
                    }
                } else {
                    let end = resource.parts(stopped.moment).unwrap_or(0);
                    let end = end.min(first.saturating_add(count));
                    for number in first..end {
                        let Some((name, value)) = resource.part(stopped.moment, number) else {
                            break;
                        };
                        let path = format!("{}{name}", resource.name());
                        shown.push(self.value_json(at, (&name, path), value, hex));
                    }
                }
            }
        }
        Ok(json!({ "variables": shown }))
    }

    fn reference(&self, request: &Request) -> Result<&Reference, String> {
        let number = request.number("variablesReference").unwrap_or(0);
        let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        let found = index.and_then(|index| self.references.get(index));
        found.ok_or_else(|| "these variables are no more: the wave has gone on".to_owned())
    }

    fn value_json(
        &mut self,
        at: (usize, usize),
        (name, path): (&str, String),
        value: Value,
        hex: bool,
    ) -> Json {
        let mut json = json!({
            "name": name,
            "value": value.text(hex),
            "type": value.ty.name,
            "evaluateName": path,
        });
        let (reference, indexed) = self.reference_to(at, value, path);
        json["variablesReference"] = json!(reference);
        if indexed > 0 {
            json["indexedVariables"] = json!(indexed);
        }
        json
    }

    /// Returns a reference to the parts of a value, and the number of elements of an array.
    fn reference_to(&mut self, at: (usize, usize), value: Value, path: String) -> (usize, usize) {
        let count = match &value.ty.shape {
            Shape::Scalar(_) | Shape::Object => return (0, 0),
            Shape::Array(_, count) => *count,
            Shape::Vector(..) | Shape::Matrix(..) | Shape::Struct(_) => 0,
        };
        (self.refer(at, Container::Value(value, path)), count)
    }

    fn resource_json(
        &mut self,
        stopped: &Stopped<'_, '_>,
        at: (usize, usize),
        (number, resource): (usize, Resource<'_>),
    ) -> Json {
        let count = resource.parts(stopped.moment);
        let has_parts = count.is_some() || resource.constants(stopped.moment).is_some();
        let reference = if has_parts {
            self.refer(at, Container::Resource(number))
        } else {
            0
        };
        let mut json = json!({
            "name": resource.name(),
            "value": resource.summary(stopped.moment),
            "evaluateName": resource.name(),
            "variablesReference": reference,
        });
        if let Some(count) = count {
            json["indexedVariables"] = json!(count);
        }
        json
    }

    fn set_variable(
        &mut self,
        request: &Request,
        stopped: &mut Stopped<'_, '_>,
    ) -> Result<Json, String> {
        let reference = self.reference(request)?.clone();
        let name = request.text("name").unwrap_or_default();
        let target = match &reference.container {
            Container::Group(_) => name.to_owned(),
            Container::Value(_, path) => join(path, name),
            Container::Resource(number) => {
                let resource = resources::all(stopped.program).nth(*number);
                join(&resource.map(|r| r.name()).unwrap_or_default(), name)
            }
        };
        self.assign(request, stopped, (&target, reference.lane, reference.frame))
    }

    fn assign(
        &mut self,
        request: &Request,
        stopped: &mut Stopped<'_, '_>,
        (target, lane, frame): (&str, usize, usize),
    ) -> Result<Json, String> {
        let value = request.text("value").unwrap_or_default();
        let new = stopped.assign(target, value, frame, lane);
        let new = new.map_err(|error| error.to_string())?;
        let (text, ty) = (new.text(false), new.ty.name.clone());
        let (reference, _) = self.reference_to((lane, frame), new, target.to_owned());
        Ok(json!({ "value": text, "type": ty, "variablesReference": reference }))
    }

    fn evaluate(
        &mut self,
        request: &Request,
        stopped: &mut Stopped<'_, '_>,
    ) -> Result<Json, String> {
        let text = request.text("expression").unwrap_or_default().trim();
        let (lane, frame) = frame_of(request, stopped);
        let is_repl = request.text("context") == Some("repl");
        let said = |text: String| Ok(json!({ "result": text, "variablesReference": 0 }));
        if is_repl && let Some(lane) = text.strip_prefix("lane ") {
            let wanted = lane
                .trim()
                .parse()
                .ok()
                .filter(|n| stopped.lanes().contains(n));
            stopped.lane = wanted.ok_or("there is no such lane")?;
            return said(format!("lane {}", stopped.lane));
        }
        if is_repl && let Some(expression) = text.strip_prefix("lanes") {
            let expression = match expression.trim() {
                "" => "$thread",
                expression => expression,
            };
            let rows = stopped.table(expression).into_iter().map(|row| {
                let mark = if row.is_active { ' ' } else { '-' };
                let value = row.value.unwrap_or_else(|error| format!("<{error}>"));
                format!("{mark}{:>3}  {value}", row.lane)
            });
            return said(rows.collect::<Vec<_>>().join("\n"));
        }
        if is_repl
            && let Some((target, value)) = text.strip_prefix("set ").and_then(|t| t.split_once('='))
        {
            let new = stopped.assign(target, value, frame, lane);
            return said(new.map_err(|error| error.to_string())?.text(false));
        }
        let hex = request.arguments["format"]["hex"] == json!(true);
        match stopped.evaluate(text, frame, lane) {
            Ok(Evaluated::Value(value)) => {
                let (shown, ty) = (value.text(hex), value.ty.name.clone());
                let (reference, indexed) = self.reference_to((lane, frame), value, text.to_owned());
                let mut json = json!({
                    "result": shown,
                    "type": ty,
                    "variablesReference": reference,
                });
                if indexed > 0 {
                    json["indexedVariables"] = json!(indexed);
                }
                Ok(json)
            }
            Ok(Evaluated::Resource(resource)) => said(resource.summary(stopped.moment)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn data_breakpoint_info(&self, request: &Request, stopped: &Stopped<'_, '_>) -> Json {
        let name = request.text("name").unwrap_or_default();
        let (target, at) = match self.reference(request) {
            Ok(reference) => {
                let target = match &reference.container {
                    Container::Group(_) => name.to_owned(),
                    Container::Value(_, path) => join(path, name),
                    Container::Resource(number) => {
                        let resource = resources::all(stopped.program).nth(*number);
                        join(&resource.map(|r| r.name()).unwrap_or_default(), name)
                    }
                };
                (target, (reference.lane, reference.frame))
            }
            Err(_) => (name.to_owned(), frame_of(request, stopped)),
        };
        let (lane, frame) = at;
        let stack = stopped.stack(lane);
        match stopped.evaluate(&target, frame, lane) {
            Ok(Evaluated::Value(_)) => json!({
                "dataId": data_id(&target, stack.get(frame)),
                "description": target,
                "accessTypes": ["write"],
                "canPersist": false,
            }),
            Ok(Evaluated::Resource(_)) => json!({
                "dataId": null,
                "description": "choose an element of the resource",
            }),
            Err(error) => json!({ "dataId": null, "description": error.to_string() }),
        }
    }

    fn lanes(&self, request: &Request, stopped: &Stopped<'_, '_>) -> Json {
        let expression = request.text("expression").unwrap_or("$thread");
        let rows = stopped.table(expression).into_iter().map(|row| {
            let mut json = json!({
                "lane": row.lane,
                "thread": row.thread,
                "name": row.name,
                "active": row.is_active,
            });
            if let Some((file, line)) = row.position {
                json["line"] = json!(self.line_for_client(line));
                json["source"] = self.source_of(stopped.program, file);
            }
            match row.value {
                Ok(value) => json["value"] = json!(value),
                Err(error) => json["error"] = json!(error),
            }
            json
        });
        json!({ "lanes": rows.collect::<Vec<_>>() })
    }
}

/// Returns where a file may be: under its name, which counts from the folder that the compiler ran
/// in, perhaps one around this one; or beside what is launched.
fn candidates(name: &str) -> impl Iterator<Item = PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let around: Vec<PathBuf> = here.ancestors().map(|folder| folder.join(name)).collect();
    let last = name.rsplit(['/', '\\']).next().map(PathBuf::from);
    around.into_iter().chain(last)
}

/// Returns the lane and the call that a request is about.
pub(super) fn frame_of(request: &Request, stopped: &Stopped<'_, '_>) -> (usize, usize) {
    let id = request
        .number("frameId")
        .and_then(|id| usize::try_from(id).ok());
    match id.and_then(|id| id.checked_sub(1)) {
        Some(id) => ((id / FRAMES).min(stopped.moment.lanes() - 1), id % FRAMES),
        None => (stopped.lane, 0),
    }
}

fn members_of(
    stopped: &Stopped<'_, '_>,
    (lane, frame): (usize, usize),
    group: Group,
) -> Vec<(String, Value)> {
    let stack = stopped.stack(lane);
    let frame = stack.get(frame);
    let variables = match group {
        Group::Locals => frame
            .map(|frame| stopped.locals(frame, lane))
            .unwrap_or_default(),
        Group::Statics => stopped.globals(Globals::Static, lane),
        Group::Groupshared => stopped.globals(Globals::Shared, lane),
        Group::Registers => {
            let registers = frame.map(|frame| stopped.registers(frame, lane));
            return registers.unwrap_or_default();
        }
        Group::Resources => Vec::new(),
    };
    let variables = variables.into_iter();
    variables
        .map(|variable| (variable.name, variable.value))
        .collect()
}

/// Returns the expression of a part.
fn join(path: &str, name: &str) -> String {
    if name.starts_with('[') {
        format!("{path}{name}")
    } else {
        format!("{path}.{name}")
    }
}

fn shown_path(path: PathBuf) -> String {
    let text = path.to_string_lossy().into_owned();
    // Windows marks canonical paths, which editors do not expect.
    text.strip_prefix(r"\\?\")
        .map_or(text.clone(), str::to_owned)
}
