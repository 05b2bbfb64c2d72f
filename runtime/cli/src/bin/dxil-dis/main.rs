//! `dxil-dis`: prints the contents of a DXIL shader.
//!
//! Every file becomes a [`Document`] of sections, which is printed as text or JSON. A part that
//! cannot be read adds an error to the document; the others are still printed.

mod args;
mod isa;
mod ops;
mod sources;
mod streams;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser};
use dxil_frontend::container::Container;
use dxil_frontend::dxil::{ResourceIndex, read_shader};
use dxil_frontend::{Error, FourCc, yaml};
use dxil_inspect::cfg::Graph;
use dxil_inspect::contents::{chosen_functions, describe, part_name};
use dxil_inspect::document::Document;
use dxil_inspect::listing::Listing;
use dxil_inspect::{diff, text};
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::input::{self, pdb_beside};
use dxil_jit::json::document;
use serde_json::Value;

use crate::args::{Args, CfgFormat};
use crate::streams::{exit_of, report, write_output};

fn main() -> ExitCode {
    dxil_runtime::isa::serve_if_worker();
    let mut args = Args::parse();
    let missing = args.find_files(report);
    let result = match missing {
        Some(exit) if args.found.is_empty() => Ok(exit),
        _ => run(&args).map(|exit| missing.map_or(exit, |missing| exit.max(missing))),
    };
    match result {
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
    if args.yaml {
        return as_yaml(args);
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
    if let Some(word) = &args.ops {
        let table = ops::table(word.as_deref(), args.json)?;
        write_output(args, table.as_bytes())?;
        return Ok(Exit::Done);
    }
    let (documents, exit) = documents(args);
    if args.diff {
        return difference(args, &documents, exit);
    }
    let output = if args.json {
        let mut values: Vec<Value> = documents.iter().map(Document::to_json).collect();
        // One file gives an object and several give an array: scripts for one file stay simple.
        // Folders and patterns give an array whatever they hold.
        let value = match (args.names_one_file, values.pop()) {
            (true, Some(value)) => value,
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
    for file in &args.found {
        let name = file.path.display().to_string();
        let bytes = match input::read_container(file) {
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
            pdb_beside(&file.path, &bytes)
        } else {
            None
        };
        let document = describe(&args.choice(), name, &bytes, pdb.as_deref());
        for note in document.notes.iter().filter(|_| !args.quiet) {
            report(&format!("{}: {note}", document.file));
        }
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
    for file in &args.found {
        let bytes = match input::read_shader(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error.message);
                exit = exit.max(error.exit);
                continue;
            }
        };
        let found = part_name(part).and_then(|name| Container::parse(&bytes)?.require(name));
        match found {
            Ok(part) => out.extend_from_slice(part.data),
            Err(error) => {
                report(&format!("{}: {error}", file.path.display()));
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

/// Prints containers as YAML, one document each.
fn as_yaml(args: &Args) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = String::new();
    for file in &args.found {
        let bytes = match input::read_container(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error.message);
                exit = exit.max(error.exit);
                continue;
            }
        };
        match Container::parse(&bytes).and_then(|container| yaml::from_container(&container)) {
            Ok(text) => out.push_str(&text),
            Err(error) => {
                report(&format!("{}: {error}", file.path.display()));
                exit = exit.max(Exit::from(&error));
            }
        }
    }
    write_output(args, text::guarded(&out).as_bytes())?;
    Ok(exit)
}

fn control_flow(args: &Args, format: CfgFormat) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut out = String::new();
    let mut graph = Graph::default();
    for file in &args.found {
        let bytes = match input::read_shader(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error.message);
                exit = exit.max(error.exit);
                continue;
            }
        };
        if let Err(error) = write_control_flow(args, format, &bytes, &mut out, &mut graph) {
            report(&format!("{}: {error}", file.path.display()));
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
    for function in chosen_functions(&args.function, &shader)? {
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
