//! DXIL's validator: the rules of the DXIL document and of DXC's own table.
//!
//! [`validate`] checks a container or bare bitcode and reports every rule that is broken, each with
//! its position. The rules stand in one table ([`Rule`]); each names the file of this folder that
//! checks it. `docs/validator.md` lists what is checked and what is not.
//!
//! ```text
//! parts         the container by itself: digest, repeated parts
//! metadata      metadata as it stands, before it is read as DXIL
//! stages ...    what entry points, signatures and resources declare
//! bodies ...    a walk over all instructions
//! features      shader flags against the code
//! parts, psv    parts against the module
//! ```
//!
//! The work is linear in the input, and so is the report ([`crate::limits::MAX_VIOLATIONS`]).
//!
//! ```
//! use dxil_frontend::validate::{Options, validate};
//!
//! let report = validate(b"not a shader", &Options::default());
//! assert!(!report.is_valid());
//! println!("{}", report.violations[0]);
//! ```

mod attachments;
mod bodies;
mod compatibility;
mod constant_buffers;
mod context;
mod features;
mod flow;
mod functions;
mod globals;
mod handle_facts;
mod handles;
mod instructions;
mod matrices;
mod mesh;
mod metadata;
mod needs;
mod operands;
mod operations;
mod outputs;
mod packing;
mod parts;
mod positions;
mod propagation;
mod psv;
mod rdat;
mod report;
mod resource_operations;
mod resource_variables;
mod resources;
mod root_signature;
mod root_values;
mod rules;
mod semantics;
mod signature_operations;
mod signatures;
mod stages;
mod table;
mod tessellation;
#[cfg(test)]
mod tests;
mod types;
mod uniformity;

pub(crate) use needs::code_flags;
pub use needs::function_needs;
pub use report::{Options, ValidationReport, Violation};
pub use rules::{Check, Rule, RuleInfo, Severity};

use context::{Sink, ValidationContext};

use crate::bitcode::{check_layout, decode_module};
use crate::container::fourcc::FourCc;
use crate::container::{Container, InputKind, ProgramBitcode, detect, open_program};
use crate::dxil::Shader;
use crate::error::{Error, Location};

/// Checks a DXContainer, or bare LLVM bitcode without the rules about containers.
///
/// Every input gives a report: bytes that are not a shader break `CONTAINER.CONTENTINVALID` or
/// `BITCODE.VALID`. A container with DXBC has no DXIL part, which breaks `CONTAINER.PARTMISSING`.
pub fn validate(bytes: &[u8], options: &Options) -> ValidationReport {
    if detect(bytes) == Some(InputKind::Container) {
        return match Container::parse(bytes) {
            Ok(container) => validate_container(&container, options),
            Err(error) => only_error(Rule::ContainerContentInvalid, &error, options),
        };
    }
    match open_program(bytes) {
        Ok(program) => {
            let sink = sink_of(options);
            validate_program(&program, None, sink, options)
        }
        Err(error) => only_error(Rule::ContainerContentInvalid, &error, options),
    }
}

/// Checks a container as [`validate`] does.
pub fn validate_container(container: &Container<'_>, options: &Options) -> ValidationReport {
    let sink = sink_of(options);
    parts::check_frame(container, &sink);
    if let [part] = container.parts()
        && part.name == FourCc::RTS0
    {
        parts::check_root_signature_only(*part, &sink);
        return finish(sink);
    }
    // A module with debug information is read, too, but stands beside the one that runs.
    if container.part(FourCc::DXIL).is_none() {
        let location = Location::default();
        let detail = "there is no DXIL";
        sink.report(Rule::ContainerPartMissing, location, detail);
        return finish(sink);
    }
    match container.program() {
        Ok(program) => validate_program(&program, Some(container), sink, options),
        Err(error) => {
            sink.error(Rule::ContainerContentInvalid, &error);
            finish(sink)
        }
    }
}

/// Checks the container of a shader PDB file. It has the program with debug information, or none,
/// and parts that say where both come from, but none of those that D3D12 reads; so only the rules
/// of the module apply, and the parts that are there must be well-formed.
pub fn validate_pdb(bytes: &[u8], options: &Options) -> ValidationReport {
    let container = match Container::parse(bytes) {
        Ok(container) => container,
        Err(error) => return only_error(Rule::ContainerContentInvalid, &error, options),
    };
    let sink = sink_of(options);
    parts::check_frame(&container, &sink);
    parts::check_of_pdb(&container, &sink);
    let has_program = [FourCc::DXIL, FourCc::ILDB]
        .into_iter()
        .any(|name| container.part(name).is_some());
    match container.program() {
        Ok(program) if has_program => validate_program(&program, None, sink, options),
        Err(error) if has_program => {
            sink.error(Rule::ContainerContentInvalid, &error);
            finish(sink)
        }
        _ => finish(sink),
    }
}

fn sink_of(options: &Options) -> Sink {
    let sink = Sink::new(options.validator_minor.unwrap_or(metadata::NEWEST));
    sink.set_preview(options.preview);
    sink
}

fn only_error(rule: Rule, error: &Error, options: &Options) -> ValidationReport {
    let sink = sink_of(options);
    sink.error(rule, error);
    finish(sink)
}

fn finish(sink: Sink) -> ValidationReport {
    let validator_minor = sink.minor();
    let (violations, left_out) = sink.finish();
    ValidationReport {
        validator_minor,
        violations,
        left_out,
    }
}

fn validate_program(
    program: &ProgramBitcode<'_>,
    container: Option<&Container<'_>>,
    sink: Sink,
    options: &Options,
) -> ValidationReport {
    let module = match decode_module(program.bitcode, program.bitcode_offset) {
        Ok(module) => module,
        Err(error) => {
            let error = error.in_part(FourCc::DXIL);
            sink.error(Rule::BitcodeValid, &error);
            return finish(sink);
        }
    };
    if let Err(error) = check_layout(program.bitcode, program.bitcode_offset) {
        sink.error(Rule::BitcodeValid, &error.in_part(FourCc::DXIL));
    }
    if options.validator_minor.is_none() {
        let asked = metadata::validator_version(&module).unwrap_or((1, 0));
        let minor = match asked {
            (1, minor) => u8::try_from(minor).unwrap_or(u8::MAX),
            // 0.0 is "not validated": everything is checked.
            _ => metadata::NEWEST,
        };
        sink.set_minor(minor.min(metadata::NEWEST));
    }
    let before = sink.len();
    metadata::check(&module, &sink);
    let mut wrong_declaration = |error: Error| {
        sink.error(Rule::InstrCallOload, &error.in_part(FourCc::DXIL));
    };
    let shader = match Shader::decode_with(module, &mut wrong_declaration) {
        Ok(shader) => shader,
        Err(error) => {
            // The checks of the metadata have reported this already.
            if sink.len() == before {
                sink.error(Rule::MetaWellFormed, &error.in_part(FourCc::DXIL));
            }
            return finish(sink);
        }
    };
    check_shader(&shader, container, &sink);
    if options.uniformity {
        uniformity::check(&ValidationContext::new(&shader, &sink));
    }
    let mut report = finish(sink);
    positions::add(&mut report, program, container, &shader.module);
    report
}

/// Checks a module that is read, and the parts of its container.
fn check_shader(shader: &Shader, container: Option<&Container<'_>>, sink: &Sink) {
    let cx = ValidationContext::new(shader, sink);
    stages::check(&cx);
    resources::check(&cx);
    resource_variables::check(&cx);
    constant_buffers::check(&cx);
    let bodies = bodies::check(&cx);
    globals::check(&cx, &bodies.operands);
    flow::check(&cx, &bodies.operands);
    functions::check(&cx, &bodies.operands);
    features::check(&cx, &bodies.uses);
    compatibility::check(&cx, &bodies);
    signatures::check(&cx, &bodies.uses);
    outputs::check(&cx, &bodies.stores);
    if let Some(container) = container {
        parts::check(&cx, container, &bodies);
    }
}
