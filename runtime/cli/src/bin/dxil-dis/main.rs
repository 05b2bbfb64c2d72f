//! `dxil-dis`: prints the contents of a DXIL shader.
//!
//! Every file becomes a [`Document`] of sections, which is printed as text or JSON. A part that
//! cannot be read adds an error to the document; the others are still printed.

mod args;
mod cfg;
mod container;
mod describe;
mod diff;
mod document;
mod isa;
mod layouts;
mod listing;
mod llvm;
mod names;
mod psv;
mod rdat;
mod rdef;
mod root_signature;
mod shader;
mod sources;
mod streams;
mod text;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser};
use dxil_frontend::bitcode::decode_module;
use dxil_frontend::container::{Container, InputKind, ProgramBitcode, detect, open_program};
use dxil_frontend::dxbc;
use dxil_frontend::dxil::debug::{DebugInfo, Sources};
use dxil_frontend::dxil::{ResourceIndex, Shader, read_shader};
use dxil_frontend::ir::Function;
use dxil_frontend::reflection::Reflection;
use dxil_frontend::{Error, FourCc};
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::input::{pdb_beside, read_container_file, read_shader_file};
use dxil_jit::json::document;
use serde_json::{Value, json};

use crate::args::{Args, CfgFormat};
use crate::cfg::Graph;
use crate::document::Document;
use crate::listing::Listing;
use crate::streams::{exit_of, report, write_output};

fn main() -> ExitCode {
    dxil_runtime::isa::serve_if_worker();
    let args = Args::parse();
    match run(&args) {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = exit_of(&error);
            // A reader that closes the pipe needs no more output.
            if exit != Exit::Done {
                report(&format!("{error:#}"));
            }
            exit.into()
        }
    }
}

fn run(args: &Args) -> anyhow::Result<Exit> {
    if args.pages.print(Args::command())? {
        return Ok(Exit::Done);
    }
    if let Some(part) = &args.extract {
        return extract(args, part);
    }
    if let Some(directory) = &args.sources {
        return sources::run(args, directory.as_deref());
    }
    if let Some(format) = args.cfg {
        return control_flow(args, format);
    }
    if !args.isa.is_empty() {
        return isa::run(args);
    }
    let (documents, exit) = documents(args);
    if args.diff {
        return difference(args, &documents, exit);
    }
    let output = if args.json {
        let mut values: Vec<Value> = documents.iter().map(Document::to_json).collect();
        // One file gives an object and several give an array: scripts for one file stay simple.
        let value = match (args.files.len(), values.pop()) {
            (1, Some(value)) => value,
            (_, last) => Value::Array(values.into_iter().chain(last).collect()),
        };
        document(&value)
    } else {
        let render = if args.llvm {
            text::render_assembly
        } else {
            text::render
        };
        let texts: Vec<String> = documents.iter().map(render).collect();
        text::guarded(&texts.join("\n"))
    };
    write_output(args, output.as_bytes())?;
    Ok(exit)
}

/// Describes all files, reports errors, and returns the highest exit code.
fn documents(args: &Args) -> (Vec<Document>, Exit) {
    let mut exit = Exit::Done;
    let mut documents = Vec::new();
    for file in &args.files {
        let name = file.display().to_string();
        let bytes = match read_container_file(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error.message);
                exit = exit.max(error.exit);
                continue;
            }
        };
        let has_own =
            Container::parse(&bytes).is_ok_and(|container| container.part(FourCc::ILDB).is_some());
        let pdb = if (args.debug || args.source) && !has_own {
            pdb_beside(file, &bytes)
        } else {
            None
        };
        let document = describe_file(args, name, &bytes, pdb.as_deref());
        for error in &document.errors {
            report(&format!("{}: {error}", document.file));
            exit = exit.max(Exit::from(error));
        }
        documents.push(document);
    }
    (documents, exit)
}

/// Prints the differences of two shaders. If there are any, the exit code is 1.
fn difference(args: &Args, documents: &[Document], exit: Exit) -> anyhow::Result<Exit> {
    let [a, b] = documents else {
        if exit == Exit::Done {
            report("--diff compares two files");
            return Ok(Exit::Usage);
        }
        return Ok(exit);
    };
    let difference = diff::between(a, b);
    if difference.lines == 0 {
        write_output(args, b"no differences\n")?;
        return Ok(exit);
    }
    write_output(args, text::guarded(&difference.text).as_bytes())?;
    Ok(exit.max(Exit::Mismatch))
}

fn extract(args: &Args, part: &str) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = Vec::new();
    for file in &args.files {
        let bytes = read_shader_file(file)?;
        let found = part_name(part).and_then(|name| Container::parse(&bytes)?.require(name));
        match found {
            Ok(part) => out.extend_from_slice(part.data),
            Err(error) => {
                report(&format!("{}: {error}", file.display()));
                exit = exit.max(Exit::from(&error));
            }
        }
    }
    // Parts are written even if another file lacks them; the exit code reports the failure.
    if out.is_empty() && exit != Exit::Done {
        return Ok(exit);
    }
    // The bytes are written unchanged, since they go to a file or to another program.
    match &args.output {
        Some(file) => {
            files::write(file, &out).with_context(|| format!("writing {}", file.display()))?
        }
        None => io::stdout().lock().write_all(&out)?,
    }
    Ok(exit)
}

fn control_flow(args: &Args, format: CfgFormat) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = String::new();
    let mut graph = Graph::default();
    for file in &args.files {
        let bytes = read_shader_file(file)?;
        if let Err(error) = write_control_flow(args, format, &bytes, &mut out, &mut graph) {
            report(&format!("{}: {error}", file.display()));
            exit = exit.max(Exit::from(&error));
        }
    }
    if format == CfgFormat::Dot {
        out = graph.text();
    }
    write_output(args, text::guarded(&out).as_bytes())?;
    Ok(exit)
}

fn write_control_flow(
    args: &Args,
    format: CfgFormat,
    bytes: &[u8],
    out: &mut String,
    graph: &mut Graph,
) -> Result<(), Error> {
    let shader = read_shader(bytes)?;
    let resources = ResourceIndex::new(&shader.resources);
    for function in chosen_functions(args, &shader)? {
        let Some(listing) = Listing::new(&shader, &resources, function) else {
            continue;
        };
        let flow = listing.control_flow();
        let structured = listing.structured();
        match (format, structured) {
            (CfgFormat::Text, Ok(structured)) => {
                out.push_str(&flow.text());
                let _ = writeln!(
                    out,
                    "structured: blocks {}, selectors {}, dispatchers {}",
                    structured.blocks.len(),
                    structured.statistics.selectors,
                    structured.statistics.dispatchers,
                );
                for line in structured.text().lines() {
                    let _ = writeln!(out, "  {line}");
                }
            }
            (CfgFormat::Text, Err(error)) => {
                out.push_str(&flow.text());
                let _ = writeln!(out, "not structured: {error}");
            }
            (CfgFormat::Dot, structured) => {
                let code = |block| {
                    let mut code = String::new();
                    listing.write_block(&mut code, block);
                    anstream::adapter::strip_str(&code).to_string()
                };
                graph.add(&flow, code, structured.as_ref().ok());
            }
        }
    }
    Ok(())
}

/// Parses the name of a part: four characters, in any case for known parts.
fn part_name(text: &str) -> Result<FourCc, Error> {
    let known = FourCc::KNOWN
        .iter()
        .find(|name| name.to_string().eq_ignore_ascii_case(text));
    if let Some(name) = known {
        return Ok(*name);
    }
    <[u8; 4]>::try_from(text.as_bytes())
        .map(FourCc)
        .map_err(|_| {
            Error::malformed(format!(
                "`{text}` is not the name of a part: it needs four characters"
            ))
        })
}

/// Describes a file. `pdb` is the container of its PDB file, if debug information is asked for and
/// only there.
fn describe_file(args: &Args, name: String, bytes: &[u8], pdb: Option<&[u8]>) -> Document {
    let mut document = Document::new(name);
    if let Err(error) = fill(args, bytes, pdb, &mut document) {
        document.errors.push(error);
    }
    document
}

/// The parts to print.
struct PartSelection {
    parts: Vec<FourCc>,
    /// No part was requested.
    everything: bool,
}

impl PartSelection {
    fn part(&self, name: FourCc) -> bool {
        self.everything || self.parts.contains(&name)
    }
}

fn fill(
    args: &Args,
    bytes: &[u8],
    pdb: Option<&[u8]>,
    document: &mut Document,
) -> Result<(), Error> {
    let parts = args
        .part
        .iter()
        .map(|part| part_name(part))
        .collect::<Result<Vec<_>, _>>()?;
    let wanted = PartSelection {
        everything: parts.is_empty() && args.function.is_empty() && !args.layout,
        parts,
    };
    if detect(bytes) != Some(InputKind::Container) {
        // Bare bitcode, with or without wrapper. Other input gives the error that names its kind.
        let program = open_program(bytes)?;
        let place = json!({ "offset": program.bitcode_offset, "bytes": program.bitcode.len() });
        document.add("bitcode", None, Ok(place));
        return if args.list {
            Ok(())
        } else {
            add_code(
                args,
                &wanted,
                &program,
                (None, None),
                Sources::default(),
                document,
            )
        };
    }
    let container = Container::parse(bytes)?;
    if wanted.everything {
        document.add("container", None, Ok(container::header(&container)));
    }
    if args.list {
        return Ok(());
    }
    // A part that the user names must exist. One that is printed by default may be missing.
    for name in &wanted.parts {
        container.require(*name)?;
    }
    container::add_parts(document, &container, |name| wanted.part(name));
    if let Some(part) = container.dxbc_part() {
        return add_dxbc(args, &wanted, &container, part, document);
    }
    // The debug part has the same code with debug information. It is much larger, so it is decoded
    // only on request.
    let pdb = pdb.map(Container::parse).transpose()?;
    let debug = if args.debug || args.source || wanted.parts.contains(&FourCc::ILDB) {
        pdb.as_ref().unwrap_or(&container).debug_program()?
    } else {
        None
    };
    let (program, part) = match debug {
        Some(program) => (program, FourCc::ILDB),
        // A container may hold only a root signature.
        None if container.part(FourCc::DXIL).is_none() && args.function.is_empty() => {
            return Ok(());
        }
        None => (container.program()?, FourCc::DXIL),
    };
    if wanted.part(part) || !args.function.is_empty() || args.layout {
        let sources = if args.source {
            Sources::of_container(pdb.as_ref().unwrap_or(&container))
        } else {
            Sources::default()
        };
        let place = (Some(part), Some(&container));
        add_code(args, &wanted, &program, place, sources, document)?;
    }
    Ok(())
}

/// Adds the sections of DXBC: the tokens in the form of fxc, and requested functions in the form
/// after conversion.
fn add_dxbc(
    args: &Args,
    wanted: &PartSelection,
    container: &Container<'_>,
    part: FourCc,
    document: &mut Document,
) -> Result<(), Error> {
    let has_program = [FourCc::SHEX, FourCc::SHDR]
        .iter()
        .any(|&name| container.part(name).is_some());
    if !has_program {
        return Err(dxil_frontend::ErrorKind::Dxbc { part }.into());
    }
    let program = dxbc::Program::of_container(container)?;
    if args.source {
        say_no_lines(document);
    }
    let part = Some(program.part);
    if wanted.part(program.part) {
        let lines = program.instructions.iter();
        let lines: Vec<String> = lines
            .map(|instruction| dxbc::print::instruction_text(&program, instruction))
            .collect();
        let value = json!({ "profile": dxbc::print::profile(&program), "instructions": lines });
        document.add_text("tokens", part, value, dxbc::print::text(&program));
    }
    if args.function.is_empty() && !args.llvm && !args.layout {
        return Ok(());
    }
    let shader = dxbc::read_shader(container)?;
    add_shader(args, wanted, &shader, (part, Some(container)), document)
}

/// Adds the sections of the code: metadata, resources, functions.
fn add_code(
    args: &Args,
    wanted: &PartSelection,
    program: &ProgramBitcode<'_>,
    (part, container): Origin<'_>,
    mut sources: Sources,
    document: &mut Document,
) -> Result<(), Error> {
    let in_part = |error: Error| match part {
        Some(part) => error.in_part(part),
        None => error,
    };
    let module = decode_module(program.bitcode, program.bitcode_offset).map_err(in_part)?;
    let mut errors = Vec::new();
    let shader = Shader::decode_partly(module, &mut |error| errors.push(in_part(error)));
    document.errors.append(&mut errors);
    let mut shader = shader.map_err(in_part)?;
    if args.source {
        if DebugInfo::of(&shader.module).is_none() {
            say_no_lines(document);
        }
        if sources.files.is_empty() {
            sources = Sources::of_module(&shader.module);
        }
        shader.sources = Some(Box::new(sources));
    }
    add_shader(args, wanted, &shader, (part, container), document)
}

/// Reports that `--source` has no effect.
fn say_no_lines(document: &Document) {
    report(&format!(
        "{}: --source has no effect: the code has no line information (compile with -Zi -Qembed_debug)",
        document.file
    ));
}

/// The part that a shader was read from, and its container.
type Origin<'a> = (Option<FourCc>, Option<&'a Container<'a>>);

/// Adds the sections of a shader.
fn add_shader(
    args: &Args,
    wanted: &PartSelection,
    shader: &Shader,
    (part, container): Origin<'_>,
    document: &mut Document,
) -> Result<(), Error> {
    if args.function.is_empty() || !wanted.parts.is_empty() {
        let reflection = Reflection::of(shader, container);
        if !args.layout {
            document.add("shader", part, Ok(shader::section(shader)));
            let resources = shader::resources(&shader.resources, &reflection);
            document.add("resources", part, Ok(resources));
        }
        if let Some((value, text)) = layouts::section(&reflection) {
            document.add_text("layouts", part, value, text);
        }
    }
    if args.layout {
        return Ok(());
    }
    let functions = chosen_functions(args, shader)?;
    if args.llvm {
        let chosen = (!args.function.is_empty()).then_some(functions.as_slice());
        document.add_text("code", part, Value::Null, llvm::text(shader, chosen));
        return Ok(());
    }
    let mut texts = Vec::new();
    let mut values = Vec::new();
    let globals = listing::globals_text(shader);
    if !globals.is_empty() && args.function.is_empty() {
        texts.push(globals);
    }
    let resources = ResourceIndex::new(&shader.resources);
    for function in functions {
        if let Some(listing) = Listing::new(shader, &resources, function) {
            if args.json || args.diff {
                values.push(listing.json());
            } else {
                texts.push(listing.text());
            }
        }
    }
    let value = json!({
        "globals": listing::globals_json(shader),
        "functions": values,
    });
    document.add_text("code", part, value, texts.join("\n"));
    Ok(())
}

/// Returns the requested functions that have a body: by their own name, by the name of an entry
/// point, or by the name in the source, with which a mangled name begins.
fn chosen_functions<'a>(args: &Args, shader: &'a Shader) -> Result<Vec<&'a Function>, Error> {
    let mut chosen: Vec<&Function> = Vec::new();
    if args.function.is_empty() {
        chosen.extend(&shader.module.bodies);
    }
    for wanted in &args.function {
        let before = chosen.len();
        for function in &shader.module.bodies {
            let Some(decl) = shader.module.functions.get(function.id) else {
                continue;
            };
            let is_entry = shader
                .entry_points
                .iter()
                .any(|entry| entry.function == Some(function.id) && *entry.name == **wanted);
            if is_entry || *decl.name == **wanted || unmangled(&decl.name) == wanted {
                chosen.push(function);
            }
        }
        if chosen.len() == before {
            let known: Vec<&str> = shader
                .module
                .bodies
                .iter()
                .filter_map(|body| shader.module.functions.get(body.id))
                .map(|decl| unmangled(&decl.name))
                .collect();
            return Err(Error::malformed(format!(
                "no function `{wanted}`; there are: {}",
                known.join(", ")
            )));
        }
    }
    Ok(chosen)
}

/// Returns the name in the source: `f` for the mangled `?f@@YAXXZ`. Other names are unchanged.
fn unmangled(name: &str) -> &str {
    name.trim_start_matches('\u{1}')
        .strip_prefix('?')
        .and_then(|rest| rest.split_once('@'))
        .map_or(name, |(name, _)| name)
}
