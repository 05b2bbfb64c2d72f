//! The whole compiler, read top to bottom. Its steps, which [`Step`] names and times:
//!
//! 1. Choose the entry point and the functions that it calls.
//! 2. Inline: operations of vendors' shader extensions become DXIL's, and calls of functions that
//!    take objects become part of their callers. Hit objects that cannot share a variable get slots
//!    of an array.
//! 3. Scalarize native vectors.
//! 4. Build the control-flow graph of each function.
//! 5. Unrotate loops.
//! 6. Structurize the graphs.
//! 7. Analyze all functions together.
//! 8. Plan the interface: which resources are used, and where each of them lives.
//! 9. Lower to SPIR-V.
//! 10. Legalize the module for naga, if naga is its consumer.
//! 11. Assemble the words.

use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind};
use dxil_frontend::ir::FuncId;

use crate::analysis::analyze;
use crate::cfg::{Cfg, unrotate_loops};
use crate::debug_info::with_source_position;
use crate::entry::{choose_entry, reachable_functions, roots_of};
use crate::hit_objects::give_slots;
use crate::inline::inline_object_calls;
use crate::interface::plan;
use crate::matrices::scalarize_matrices;
use crate::reflection::interface_of;
use crate::structurize::{self, Statistics, StructuredCfg};
use crate::timings::{Clock, Step};
use crate::vectors::scalarize;
use crate::vendor::{inline_nvapi, rewrite_vendor_operations};
use crate::{Error, Options, Result, Translation, Warning, lower};

/// Translates one entry point of a shader.
///
/// # Errors
///
/// `Malformed` for a shader that breaks DXIL's rules, `Unsupported` for what the target or the
/// translator cannot do, `Internal` for a fault of the translator.
pub fn translate(shader: &Shader, options: &Options) -> Result<Translation> {
    let options = &*options.effective();
    let mut clock = Clock::new(options.timings);

    // 1. Choose the entry point.
    let (entry, functions) = clock.time(Step::ChooseEntry, || -> Result<_> {
        let entry = choose_entry(shader, options.entry.as_deref())?;
        if entry.kind == ShaderKind::Library {
            let prefix = entry.kind.prefix();
            return Err(Error::unsupported(format!("{prefix} shaders")));
        }
        Ok((entry, reachable_functions(shader, entry)))
    })?;
    // 2. Inline. Vendors' operations go first: they are written as accesses to a UAV that no memory
    // is after, and no later step may see it. A step returns nothing if it leaves the shader as it
    // is.
    let mut functions = functions;
    let own = shader;
    let with_nvapi = clock.time(Step::Inline, || {
        let roots: Vec<FuncId> = roots_of(entry).collect();
        inline_nvapi(shader, &functions, &roots, options)
    })?;
    let shader = reachable_after(with_nvapi.as_deref(), shader, entry, &mut functions);
    let rewritten = clock.time(Step::Inline, || {
        rewrite_vendor_operations(shader, entry.kind, &functions, options)
    })?;
    let shader = rewritten.shader.as_deref().unwrap_or(shader);
    let inlined = clock.time(Step::Inline, || inline_object_calls(shader, &functions))?;
    let shader = reachable_after(inlined.as_deref(), shader, entry, &mut functions);
    let with_slots = clock.time(Step::Inline, || give_slots(shader, &functions))?;
    let shader = with_slots.as_deref().unwrap_or(shader);
    // 3. Scalarize. Matrices of threads become words, and their operations those on vectors.
    let without_matrices = clock.time(Step::Scalarize, || {
        scalarize_matrices(shader, &functions, options)
    })?;
    let shader = without_matrices.as_deref().unwrap_or(shader);
    let scalar = clock.time(Step::Scalarize, || {
        let functions = functions.iter().copied();
        scalarize(shader, entry.kind, functions, options)
    })?;
    let shader = scalar.as_deref().unwrap_or(shader);
    // Metadata refers to values by number, and a rewritten shader is numbered differently.
    let is_own = std::ptr::eq(shader, own);

    let mut translation = translate_scalar(shader, entry, functions, options, is_own, clock)
        .map_err(|error| with_source_position(shader, error))?;
    translation.warnings.extend(rewritten.warnings);
    let contradictions = shader.contradictions.iter();
    translation.warnings.extend(
        contradictions.map(|&contradiction| Warning::ContradictoryAccess { contradiction }),
    );
    Ok(translation)
}

/// Returns the shader whose calls were inlined, with its functions, or the one before.
fn reachable_after<'a>(
    inlined: Option<&'a Shader>,
    before: &'a Shader,
    entry: &EntryPoint,
    functions: &mut Vec<FuncId>,
) -> &'a Shader {
    let Some(inlined) = inlined else {
        return before;
    };
    *functions = reachable_functions(inlined, entry);
    inlined
}

/// Translates a shader whose remaining operations all exist in SPIR-V or have a lowering.
/// `functions` are the entry point's and those that it calls; `has_values` says whether values have
/// the numbers that metadata names.
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
        // 4. Build the graph; 5. unrotate loops, which needs a graph that no pass has changed; 6.
        // structurize.
        let mut graph = clock.time(Step::BuildGraph, || Cfg::build(view))?;
        // Compilers of DXBC do not rotate loops. Those that test at their end do so on purpose.
        if shader.shader_model.major >= 6 {
            clock.time(Step::UnrotateLoops, || unrotate_loops(&mut graph, view));
        }
        let form = clock.time(Step::Structurize, || {
            structurize::run_function(graph, view, options.consumer().control_flow)
        })?;
        structure.add(form.statistics);
        structured.push((id, form));
    }
    // 7. Analyze.
    let analyses = clock.time(Step::Analyze, || {
        analyze(shader, entry, &functions, options)
    })?;
    // 8. Plan the interface.
    let flags = shader.flags_of(entry);
    let plan = clock.time(Step::Plan, || plan(shader, flags, &functions, options))?;
    // 9. Lower.
    let input = lower::Input {
        shader,
        entry,
        options,
        plan: &plan,
        analyses: &analyses,
    };
    let mut lowered = clock.time(Step::Lower, || lower::run(input, &structured, has_values))?;
    // 10. Legalize.
    clock.time(Step::Legalize, || lowered.legalize(options))?;
    // 11. Assemble.
    let words = clock.time(Step::Assemble, || lowered.assemble())?;

    Ok(Translation {
        words,
        interface: interface_of(entry, options, plan.table, &lowered),
        structure,
        warnings: lowered.warnings,
        timings: clock.finish(),
    })
}
