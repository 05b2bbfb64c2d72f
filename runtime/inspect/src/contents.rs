//! The contents of a file as a document.

use dxil_frontend::bitcode::decode_module;
use dxil_frontend::container::{Container, InputKind, ProgramBitcode, detect, open_program};
use dxil_frontend::dxbc;
use dxil_frontend::dxil::debug::{DebugInfo, Sources};
use dxil_frontend::dxil::{ResourceIndex, Shader};
use dxil_frontend::ir::Function;
use dxil_frontend::reflection::Reflection;
use dxil_frontend::{Error, FourCc};
use serde_json::{Value, json};

use crate::document::Document;
use crate::listing::{self, Listing};
use crate::{container, layouts, llvm, shader};

/// What to show of a file. The default is everything but debug information.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Names of parts; none: all of them.
    pub parts: Vec<String>,
    /// Functions or entry points; none: all of them.
    pub functions: Vec<String>,
    /// Only header and part list.
    pub list: bool,
    /// Only the fields of constant and structured buffers.
    pub layout: bool,
    /// Read the code with debug information, if there is any.
    pub debug: bool,
    /// Show source lines in front of their instructions. Reads the code with debug information.
    pub source: bool,
    /// The code as LLVM text.
    pub llvm: bool,
    /// The instructions as JSON, and no text of them.
    pub instructions: bool,
    /// Everything but the code.
    pub no_code: bool,
}

/// Parses the name of a part: four characters, in any case for known parts.
///
/// # Errors
///
/// Fails for names of other lengths.
pub fn part_name(text: &str) -> Result<FourCc, Error> {
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
pub fn describe(choice: &Choice, name: String, bytes: &[u8], pdb: Option<&[u8]>) -> Document {
    let mut document = Document::new(name);
    if let Err(error) = fill(choice, bytes, pdb, &mut document) {
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
    choice: &Choice,
    bytes: &[u8],
    pdb: Option<&[u8]>,
    document: &mut Document,
) -> Result<(), Error> {
    let parts = choice
        .parts
        .iter()
        .map(|part| part_name(part))
        .collect::<Result<Vec<_>, _>>()?;
    let wanted = PartSelection {
        everything: parts.is_empty() && choice.functions.is_empty() && !choice.layout,
        parts,
    };
    if detect(bytes) != Some(InputKind::Container) {
        // Bare bitcode, with or without wrapper. Other input gives the error that names its kind.
        let program = open_program(bytes)?;
        let place = json!({ "offset": program.bitcode_offset, "bytes": program.bitcode.len() });
        document.add("bitcode", None, Ok(place));
        return if choice.list {
            Ok(())
        } else {
            add_code(
                choice,
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
    if choice.list {
        return Ok(());
    }
    // A part that the user names must exist. One that is printed by default may be missing.
    for name in &wanted.parts {
        container.require(*name)?;
    }
    container::add_parts(document, &container, |name| wanted.part(name));
    if let Some(part) = container.dxbc_part() {
        return add_dxbc(choice, &wanted, &container, part, document);
    }
    // The debug part has the same code with debug information. It is much larger, so it is decoded
    // only on request.
    let pdb = pdb.map(Container::parse).transpose()?;
    let debug = if choice.debug || choice.source || wanted.parts.contains(&FourCc::ILDB) {
        pdb.as_ref().unwrap_or(&container).debug_program()?
    } else {
        None
    };
    let (program, part) = match debug {
        Some(program) => (program, FourCc::ILDB),
        // A container may hold only a root signature.
        None if container.part(FourCc::DXIL).is_none() && choice.functions.is_empty() => {
            return Ok(());
        }
        None => (container.program()?, FourCc::DXIL),
    };
    if wanted.part(part) || !choice.functions.is_empty() || choice.layout {
        let sources = if choice.source {
            Sources::of_container(pdb.as_ref().unwrap_or(&container))
        } else {
            Sources::default()
        };
        let place = (Some(part), Some(&container));
        add_code(choice, &wanted, &program, place, sources, document)?;
    }
    Ok(())
}

/// Adds the sections of DXBC: the tokens in the form of fxc, and requested functions in the form
/// after conversion.
fn add_dxbc(
    choice: &Choice,
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
    if choice.source {
        say_no_lines(document);
    }
    let part = Some(program.part);
    if wanted.part(program.part) && !choice.no_code {
        let lines = program.instructions.iter();
        let lines: Vec<String> = lines
            .map(|instruction| dxbc::print::instruction_text(&program, instruction))
            .collect();
        let value = json!({ "profile": dxbc::print::profile(&program), "instructions": lines });
        document.add_text("tokens", part, value, dxbc::print::text(&program));
    }
    if choice.functions.is_empty() && !choice.llvm && !choice.layout && !choice.no_code {
        return Ok(());
    }
    let shader = dxbc::read_shader(container)?;
    add_shader(choice, wanted, &shader, (part, Some(container)), document)
}

/// Adds the sections of the code: metadata, resources, functions.
fn add_code(
    choice: &Choice,
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
    if choice.source {
        if DebugInfo::of(&shader.module).is_none() {
            say_no_lines(document);
        }
        if sources.files.is_empty() {
            sources = Sources::of_module(&shader.module);
        }
        shader.sources = Some(Box::new(sources));
    }
    add_shader(choice, wanted, &shader, (part, container), document)
}

/// Notes that [`Choice::source`] has no effect.
fn say_no_lines(document: &mut Document) {
    document.notes.push(
        "--source has no effect: the code has no line information (compile with -Zi -Qembed_debug)"
            .to_owned(),
    );
}

/// The part that a shader was read from, and its container.
type Origin<'a> = (Option<FourCc>, Option<&'a Container<'a>>);

/// Adds the sections of a shader.
fn add_shader(
    choice: &Choice,
    wanted: &PartSelection,
    shader: &Shader,
    (part, container): Origin<'_>,
    document: &mut Document,
) -> Result<(), Error> {
    if choice.functions.is_empty() || !wanted.parts.is_empty() {
        let reflection = Reflection::of(shader, container);
        if !choice.layout {
            document.add("shader", part, Ok(shader::section(shader)));
            let resources = shader::resources(&shader.resources, &reflection);
            document.add("resources", part, Ok(resources));
        }
        if let Some((value, text)) = layouts::section(&reflection) {
            document.add_text("layouts", part, value, text);
        }
    }
    if choice.layout || choice.no_code {
        return Ok(());
    }
    let functions = chosen_functions(&choice.functions, shader)?;
    if choice.llvm {
        let chosen = (!choice.functions.is_empty()).then_some(functions.as_slice());
        document.add_text("code", part, Value::Null, llvm::text(shader, chosen));
        return Ok(());
    }
    let mut texts = Vec::new();
    let mut values = Vec::new();
    let globals = listing::globals_text(shader);
    if !globals.is_empty() && choice.functions.is_empty() {
        texts.push(globals);
    }
    let resources = ResourceIndex::new(&shader.resources);
    for function in functions {
        if let Some(listing) = Listing::new(shader, &resources, function) {
            if choice.instructions {
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
/// point, or by the name in the source, with which a mangled name begins. Without names, all
/// functions are requested.
///
/// # Errors
///
/// Fails if there is no function of one of the names.
pub fn chosen_functions<'a>(
    wanted: &[String],
    shader: &'a Shader,
) -> Result<Vec<&'a Function>, Error> {
    let mut chosen: Vec<&Function> = Vec::new();
    if wanted.is_empty() {
        chosen.extend(&shader.module.bodies);
    }
    for wanted in wanted {
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
