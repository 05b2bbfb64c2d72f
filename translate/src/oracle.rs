//! Functions for fuzz targets and property tests. Not part of the interface.
//!
//! The caller checks that it returns at all, in time and within memory; the assertions in here are
//! rules that hold for every input.

use dxil_frontend::dxil::{read_shader, read_shader_with_debug_info};
use dxil_frontend::oracle::Random;

pub mod families;
pub mod graphs;
pub mod interpret;
pub mod options;

use rspirv::binary::{Consumer, ParseAction};
use rspirv::dr::{Instruction, ModuleHeader};

use crate::structurize::{self, Statistics};
use crate::{
    Features, Options, Result, Style, Target, Translation, VulkanVersion, translate as run,
};

/// Translates every entry point for a target with all features, for one without any, and for naga.
/// A module for an accepted shader must be SPIR-V that loads.
///
/// # Errors
///
/// The first error of a translation.
pub fn translate(bytes: &[u8]) -> Result<()> {
    let shader = read_shader(bytes)?;
    let mut first = Ok(());
    // A library of thousands of entry points is as many translations of one body.
    for entry in shader.entry_points.iter().take(8) {
        for target in targets() {
            let options = Options {
                target,
                entry: Some(entry.name.to_string()),
                ..Options::default()
            };
            match run(&shader, &options) {
                Ok(translation) => assert_loads(&translation),
                // An error on one target must not keep the others from being tried.
                Err(error) if first.is_ok() => first = Err(error),
                Err(_) => {}
            }
        }
    }
    first
}

/// Translates a shader for any options: the first eight bytes are the seed that chooses them. What
/// is accepted must be SPIR-V that loads.
///
/// # Errors
///
/// The error of the frontend or of the translation.
pub fn translate_with_any_options(bytes: &[u8]) -> Result<()> {
    let (seed, bytes) = bytes.split_first_chunk().unwrap_or((&[0; 8], bytes));
    let mut random = Random::new(u64::from_le_bytes(*seed));
    let shader = read_shader_with_debug_info(bytes)?;
    let mut options = options::any_options(&mut random);
    let chosen = shader
        .entry_points
        .get(random.below(shader.entry_points.len()));
    options.entry = chosen.map(|entry| entry.name.to_string());
    let translation = run(&shader, &options)?;
    assert_loads(&translation);
    Ok(())
}

/// Structures a graph, checks SPIR-V's rules on the result, and compares what both do on `runs`
/// sequences of outcomes.
///
/// # Errors
///
/// A report of what is wrong.
pub fn structurize(graph: &graphs::Graph, runs: u64) -> std::result::Result<Statistics, String> {
    let describe = || graphs::describe(&graph.cfg);
    let check = |style: Style| {
        let form = structurize::run_with(graph.cfg.clone(), style.control_flow())
            .map_err(|error| format!("{error}\n{}", describe()))?;
        structurize::verify_for(&form, &graph.cfg, style.control_flow())
            .map_err(|error| format!("{error}\n{}\n{form:?}", describe()))?;
        interpret::compare(graph, &form, runs)
            .map_err(|error| format!("{error}\n{}\n{form:?}", describe()))?;
        Ok::<_, String>(form)
    };
    check(Style::Portable)?;
    Ok(check(Style::Native)?.statistics)
}

/// Flattens a graph, and checks the result in the same way.
///
/// # Errors
///
/// A report of what is wrong.
pub fn flatten(graph: &graphs::Graph, runs: u64) -> std::result::Result<(), String> {
    let describe = || graphs::describe(&graph.cfg);
    let form = structurize::run_flat(graph.cfg.clone())
        .map_err(|error| format!("{error}\n{}", describe()))?;
    for style in [Style::Native, Style::Portable] {
        structurize::verify_for(&form, &graph.cfg, style.control_flow())
            .map_err(|error| format!("{error}\n{}\n{form:?}", describe()))?;
    }
    interpret::compare(graph, &form, runs)
        .map_err(|error| format!("{error}\n{}\n{form:?}", describe()))
}

fn assert_loads(translation: &Translation) {
    // Not as rspirv's own tree, which has no place for all instructions outside of functions.
    let parsed = rspirv::binary::parse_words(&translation.words, &mut Ignore);
    // rspirv knows an older form of what makes hit objects of ray queries, and not all capabilities
    // that the translator declares. Whether they are valid is what `spirv-val` says.
    let is_newer = translation
        .interface
        .capabilities
        .contains(&rspirv::spirv::Capability::ShaderInvocationReorderEXT)
        || matches!(
            parsed,
            Err(rspirv::binary::ParseState::OperandError(
                rspirv::binary::DecodeError::CapabilityUnknown(..)
            ))
        );
    assert!(
        parsed.is_ok() || is_newer,
        "made SPIR-V that cannot be parsed: {parsed:?}"
    );
}

/// Takes the instructions that the parser finds.
struct Ignore;

impl Consumer for Ignore {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, _: Instruction) -> ParseAction {
        ParseAction::Continue
    }
}

fn targets() -> [Target; 3] {
    [
        Target::new(VulkanVersion::V1_4, Style::Native, Features::all()),
        Target::new(VulkanVersion::V1_1, Style::Native, Features::empty()),
        Target::new(VulkanVersion::V1_3, Style::Portable, Features::all()),
    ]
}
