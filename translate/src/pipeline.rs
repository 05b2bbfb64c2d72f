//! The whole compiler, read top to bottom.

use std::borrow::Cow;

use dxil_frontend::dxil::{
    EntryPoint, Shader, ShaderKind, read_shader, read_shader_with_debug_info,
};
use dxil_frontend::ir::FuncId;

use crate::analysis::analyze;
use crate::cfg::{Cfg, unrotate_loops};
use crate::debug_info::with_source_position;
use crate::entry::{choose_entry, reachable_functions};
use crate::inline::inline_object_calls;
use crate::interface::plan;
use crate::reflection::interface_of;
use crate::structurize::{self, Statistics, StructuredCfg};
use crate::timings::{Clock, Step};
use crate::vectors::scalarize;
use crate::vendor::recognise;
use crate::{Error, Options, Result, SourceDebugInfo, Translation, lower};

/// Translates one entry point of a shader.
///
/// # Errors
///
/// `Malformed` for a shader that breaks DXIL's rules, `Unsupported` for what the target or the
/// translator cannot do, `Internal` for a fault of the translator.
pub fn translate(shader: &Shader, options: &Options) -> Result<Translation> {
    let options = &*options.effective();
    let mut clock = Clock::new(options.timings);

    let (entry, functions) = clock.time(Step::ChooseEntry, || -> Result<_> {
        let entry = choose_entry(shader, options.entry.as_deref())?;
        if entry.kind == ShaderKind::Library {
            let prefix = entry.kind.prefix();
            return Err(Error::unsupported(format!("{prefix} shaders")));
        }
        Ok((entry, reachable_functions(shader, entry)))
    })?;
    let recognised = clock.time(Step::Inline, || {
        recognise(shader, entry.kind, &functions, options)
    })?;
    let is_own = matches!(recognised.shader, Cow::Borrowed(_));
    let shader = &*recognised.shader;
    let (inlined, functions) = clock.time(Step::Inline, || -> Result<_> {
        let inlined = inline_object_calls(shader, &functions)?;
        let functions = match &inlined {
            Cow::Borrowed(_) => functions,
            Cow::Owned(inlined) => reachable_functions(inlined, entry),
        };
        Ok((inlined, functions))
    })?;
    let scalar = clock.time(Step::Scalarize, || {
        scalarize(&inlined, functions.iter().copied())
    })?;
    // Metadata names values by their numbers, which others have in a shader that was rewritten.
    let has_values = is_own && matches!((&inlined, &scalar), (Cow::Borrowed(_), Cow::Borrowed(_)));

    let shader = &*scalar;
    let mut translation = translate_scalar(shader, entry, functions, options, has_values, clock)
        .map_err(|error| with_source_position(shader, error))?;
    translation.warnings.extend(recognised.warnings);
    Ok(translation)
}

/// Translates a shader in which nothing is left that SPIR-V has no words for. `functions` are the
/// entry point's and those that it calls; `has_values` says whether values have the numbers that
/// metadata names.
fn translate_scalar(
    shader: &Shader,
    entry: &EntryPoint,
    functions: Vec<FuncId>,
    options: &Options,
    has_values: bool,
    mut clock: Clock,
) -> Result<Translation> {
    let mut structure = Statistics::default();
    let mut structured: Vec<(FuncId, StructuredCfg)> = Vec::with_capacity(functions.len());
    for &id in &functions {
        let Some(view) = shader.view(id) else {
            return Err(Error::malformed("the entry point's function has no body"));
        };
        let mut graph = clock.time(Step::BuildGraph, || Cfg::build(view))?;
        clock.time(Step::UnrotateLoops, || unrotate_loops(&mut graph, view));
        let form = clock.time(Step::Structurize, || {
            structurize::run_function(graph, view, options.target.style)
        })?;
        structure.add(form.statistics);
        structured.push((id, form));
    }
    let analyses = clock.time(Step::Analyze, || {
        analyze(shader, entry, &functions, options)
    })?;
    let plan = clock.time(Step::Plan, || plan(shader, &functions, options))?;
    let input = lower::Input {
        shader,
        entry,
        options,
        plan: &plan,
        analyses: &analyses,
    };
    let mut lowered = clock.time(Step::Lower, || lower::run(input, &structured, has_values))?;
    clock.time(Step::Legalize, || lowered.legalize(&options.target))?;
    let words = clock.time(Step::Assemble, || lowered.assemble())?;

    Ok(Translation {
        words,
        interface: interface_of(entry, options, plan.table, &lowered),
        structure,
        warnings: lowered.warnings,
        timings: clock.finish(),
    })
}

/// Translates one entry point of a DXContainer or of bare bitcode. Where the container has the
/// program with debug information, too, an error says where in the source it is.
pub fn translate_bytes(bytes: &[u8], options: &Options) -> Result<Translation> {
    let shader = match options.source {
        SourceDebugInfo::None => read_shader(bytes)?,
        SourceDebugInfo::Lines | SourceDebugInfo::Full => read_shader_with_debug_info(bytes)?,
    };
    translate(&shader, options).map_err(|error| in_source(bytes, options, error))
}

/// Returns an error of the translation of these bytes, with its position in the source, if debug
/// information in the bytes tells it. Costs another translation, of the program with debug
/// information.
pub fn in_source(bytes: &[u8], options: &Options, error: Error) -> Error {
    let location = error.location();
    if location.source.is_some() || location.function.is_none() {
        return error;
    }
    let Ok(shader) = read_shader_with_debug_info(bytes) else {
        return error;
    };
    match translate(&shader, options) {
        Err(found) if found.kind() == error.kind() && found.location().source.is_some() => found,
        _ => error,
    }
}
