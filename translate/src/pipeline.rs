//! The whole compiler, read top to bottom.

use std::borrow::Cow;

use dxil_frontend::dxil::ops::Callee;
use dxil_frontend::dxil::{
    EntryPoint, Shader, ShaderKind, Stage, plain_name, read_shader, read_shader_with_debug_info,
};
use dxil_frontend::ir::{FuncId, FuncView, FunctionDecl, Inst, Linkage};

use crate::cfg::Cfg;
use crate::debug_info::with_source_position;
use crate::inline::objects_of_functions;
use crate::interface::{add_layer_rows, plan};
use crate::structurize::{self, Dialect, Statistics, StructuredCfg};
use crate::vectors::take_apart;
use crate::{
    Error, ErrorKind, Interface, Options, Result, SourceDebugInfo, Style, Translation, lower,
    node_protocol,
};

/// Translates one entry point of a shader.
pub fn translate(shader: &Shader, options: &Options) -> Result<Translation> {
    let options = &*options.effective();
    let entry = choose_entry(shader, options.entry.as_deref())?;
    if entry.kind == ShaderKind::Library {
        return Err(Error::unsupported(format!(
            "{} shaders",
            entry.kind.prefix()
        )));
    }
    let reachable = reachable_functions(shader, entry);
    let flat = objects_of_functions(shader, &reachable)?;
    let (shader, reachable) = match &flat {
        Cow::Borrowed(_) => (shader, reachable),
        Cow::Owned(flat) => (flat, reachable_functions(flat, entry)),
    };
    let shader = take_apart(shader, reachable.iter().copied())?;
    // Metadata names values by their numbers, which others have now.
    let has_values = matches!((&flat, &shader), (Cow::Borrowed(_), Cow::Borrowed(_)));
    let shader = &*shader;
    translate_scalar(shader, entry, reachable, options, has_values)
        .map_err(|error| with_source_position(shader, error))
}

/// Translates a shader without native vectors.
fn translate_scalar(
    shader: &Shader,
    entry: &EntryPoint,
    reachable: Vec<FuncId>,
    options: &Options,
    has_values: bool,
) -> Result<Translation> {
    let mut structure = Statistics::default();
    let mut functions: Vec<(FuncId, StructuredCfg)> = Vec::new();
    // Languages without a continue block have naga write it in front of the loop's body, where values
    // of the body do not exist.
    let dialect = match options.target.style {
        Style::Native => Dialect::SpirV,
        Style::Portable => Dialect::Plain,
    };
    for id in reachable {
        let Some(function) = shader.module.body(id) else {
            return Err(Error::malformed("the entry point's function has no body"));
        };
        let view = FuncView {
            module: &shader.module,
            function,
        };
        let structured = structurize::run_with(Cfg::build(view)?, dialect)?;
        structure.add(structured.statistics);
        functions.push((id, structured));
    }
    let roots: Vec<FuncId> = functions.iter().map(|&(id, _)| id).collect();
    let plan = plan(shader, &roots, options)?;
    let lowered = lower::run(shader, entry, &functions, &plan, options, has_values)?;
    let mut bindings = plan.table.rows;
    let bound = lowered.layer_bindings.iter();
    add_layer_rows(
        &mut bindings,
        bound.map(|bound| (bound.slot, bound.kind, bound.bytes)),
    );
    let interface = Interface {
        stage: entry.kind,
        entry: options
            .entry_name
            .clone()
            .unwrap_or_else(|| entry.plain_name().to_owned()),
        bindings,
        push_constant_bytes: match entry.kind {
            ShaderKind::Node => node_protocol::PUSH_BYTES,
            _ => plan.table.push_words * 4,
        },
        shader_record_bytes: plan.table.record_words * 4,
        workgroup_size: entry.num_threads,
        patch_location_offset: lowered.patch_location_offset,
        required_subgroup_size: required_subgroup_size(entry, options),
        built_ins: lowered.built_ins,
        capabilities: lowered.capabilities,
        extensions: lowered.extensions.into_iter().map(Cow::Borrowed).collect(),
    };
    Ok(Translation {
        words: lowered.words,
        interface,
        structure,
        warnings: lowered.warnings,
    })
}

/// Translates one entry point of a DXContainer or of bare bitcode. Where the container has the program with debug
/// information, too, an error says where in the source it is.
pub fn translate_bytes(bytes: &[u8], options: &Options) -> Result<Translation> {
    let shader = match options.source {
        SourceDebugInfo::None => read_shader(bytes)?,
        SourceDebugInfo::Lines | SourceDebugInfo::Full => read_shader_with_debug_info(bytes)?,
    };
    translate(&shader, options).map_err(|error| in_source(bytes, options, error))
}

/// An error of the translation of these bytes, with its position in the source, if debug information in the bytes
/// tells it. Costs another translation, of the program with debug information.
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

/// The entry point of that name, as the module has it or as the source has it; without a name the only one.
pub(crate) fn choose_entry<'a>(shader: &'a Shader, name: Option<&str>) -> Result<&'a EntryPoint> {
    // A library's own entry stands for no function.
    let with_function = |entry: &&EntryPoint| roots_of(entry).next().is_some();
    let mut entries = shader.entry_points.iter().filter(with_function);
    if let Some(name) = name {
        let found = shader.entry_point(name).filter(with_function);
        return found.ok_or_else(|| no_entry(shader, name).into());
    }
    match (entries.next(), entries.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(ErrorKind::SeveralEntryPoints(names(shader)).into()),
        (None, _) => Err(match shader.shader_model.kind {
            ShaderKind::Library => functions_alone(shader),
            _ => ErrorKind::NoEntryPoint(String::new()).into(),
        }),
    }
}

/// What is wrong with a library that no API can start; other libraries can be linked with it.
fn functions_alone(shader: &Shader) -> Error {
    let functions = shader.module.functions.values();
    let mut names: Vec<&str> = functions
        .filter(|decl| decl.body.is_some() && decl.linkage != Linkage::Internal)
        .map(|decl| plain_name(&decl.name))
        .collect();
    names.truncate(MOST_NAMES);
    Error::unsupported(format!(
        "a library of functions alone ({}), which run when they are linked with a library that calls them",
        names.join(", ")
    ))
}

/// Most functions that an error lists.
const MOST_NAMES: usize = 16;

/// What is wrong with a name that no entry point has.
fn no_entry(shader: &Shader, name: &str) -> ErrorKind {
    let mut functions = shader.module.functions.values();
    let is_function = |decl: &FunctionDecl| {
        decl.body.is_some() && (*decl.name == *name || plain_name(&decl.name) == name)
    };
    match !name.is_empty() && functions.any(is_function) {
        true => ErrorKind::NotAnEntryPoint(name.to_owned()),
        false => ErrorKind::NoEntryPoint(name.to_owned()),
    }
}

/// The names that the source has for the entry points.
fn names(shader: &Shader) -> String {
    let entries = shader.entry_points.iter();
    let named = entries.filter(|entry| entry.function.is_some());
    named
        .map(EntryPoint::plain_name)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The functions that the API starts: one, or a hull shader's two phases.
fn roots_of(entry: &EntryPoint) -> impl Iterator<Item = FuncId> {
    let patch_constants = match entry.stage {
        Stage::Hull {
            patch_constant_function,
            ..
        } => patch_constant_function,
        _ => None,
    };
    entry.function.into_iter().chain(patch_constants)
}

/// The functions of the entry point and all functions with a body that they call, they first.
pub(crate) fn reachable_functions(shader: &Shader, entry: &EntryPoint) -> Vec<FuncId> {
    let module = &shader.module;
    let mut found: Vec<FuncId> = Vec::new();
    for id in roots_of(entry) {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    // Nearly every shader has one body; then no call can lead anywhere.
    if module.bodies.len() == 1 {
        return found;
    }
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        let Some(function) = module.body(id) else {
            continue;
        };
        let view = FuncView { module, function };
        for data in function.insts.values() {
            if let Inst::Call { callee, .. } = data.inst
                && let Some(callee) = view.as_function(callee)
                && shader.callees[callee] == Callee::Function
                && module.body(callee).is_some()
                && !found.contains(&callee)
            {
                found.push(callee);
            }
        }
    }
    found
}

/// The caller's wish where the shader allows it, otherwise the shader's fixed or preferred size.
fn required_subgroup_size(entry: &EntryPoint, options: &Options) -> Option<u32> {
    let wish = options.required_subgroup_size;
    let asked = match entry.wave_size {
        Some(size) if (size.min..=size.max).contains(&wish) => wish,
        Some(size) if size.preferred != 0 => size.preferred,
        Some(size) => size.min,
        None => options.required_subgroup_size,
    };
    (asked != 0).then_some(asked)
}
