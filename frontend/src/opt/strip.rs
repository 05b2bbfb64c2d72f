//! What a compiler leaves out of the module that runs, and of the one that only tells of its
//! interface.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::finish;
use crate::dxil::{Shader, ShaderKind};
use crate::error::Result;
use crate::ir::{DraftFunction, Inst, Linkage, MdNode, Module, ValueId};

/// Number of the kind of metadata that attaches debug information.
const DEBUG_KIND: u32 = 0;

/// Prefix of the functions that tell debuggers of variables, and of lists of debug information.
const DEBUG_PREFIX: &str = "llvm.dbg.";

/// Lists with the sources (`-Qembed_debug`).
const SOURCE_PREFIX: &str = "dx.source.";

/// Versions of the debug information.
const MODULE_FLAGS: &str = "llvm.module.flags";

/// The list of annotations of structures and functions.
const ANNOTATIONS: &str = "dx.typeAnnotations";

/// Returns the shader without debug information: lines, variables, sources, and the records that
/// describe them, and without names of values and blocks, as DXC's program is.
///
/// # Errors
///
/// If the shader has what [`described`](crate::dxil::described) does not write.
pub fn without_debug_info(shader: &Shader) -> Result<Shader> {
    let mut shader = shader.clone();
    drop_debug_info(&mut shader);
    finish(shader)
}

fn drop_debug_info(shader: &mut Shader) {
    let module = &mut shader.module;
    let mut of_debugger: EntitySet<ValueId> = EntitySet::new();
    for decl in module.functions.values() {
        if decl.name.starts_with(DEBUG_PREFIX) {
            of_debugger.insert(decl.value);
        }
    }
    for body in &mut module.bodies {
        let mut draft = DraftFunction::of(body);
        for lines in &mut draft.blocks {
            lines.retain(|line| match line.data.inst {
                Inst::Call { callee, .. } => !of_debugger.contains(callee),
                _ => true,
            });
        }
        *body = draft.finish();
        body.debug_locs = SecondaryMap::new();
        body.attachments.retain(|(_, kind, _)| *kind != DEBUG_KIND);
        body.function_attachments
            .retain(|(kind, _)| *kind != DEBUG_KIND);
        body.value_names.clear();
        body.block_names.clear();
    }
    drop_lists(module, |name| {
        name.starts_with(DEBUG_PREFIX) || name.starts_with(SOURCE_PREFIX) || name == MODULE_FLAGS
    });
    // Nothing leads to them any more, and nodes that nothing leads to are left out.
    for node in module.metadata.nodes.values_mut() {
        if let MdNode::Debug { .. } = node {
            *node = MdNode::Tuple {
                distinct: false,
                start: 0,
                len: 0,
            };
        }
    }
    shader.sources = None;
}

/// Returns the shader without names that only reflection reads: those of resources, and the
/// annotations of structures. Libraries keep theirs.
///
/// # Errors
///
/// If the shader has what [`described`](crate::dxil::described) does not write.
pub fn without_names(shader: &Shader) -> Result<Shader> {
    let mut shader = shader.clone();
    if shader.shader_model.kind == ShaderKind::Library {
        return Ok(shader);
    }
    for resource in shader.resources.iter_mut() {
        resource.name = "".into();
    }
    drop_lists(&mut shader.module, |name| name == ANNOTATIONS);
    shader.type_annotations.structs.clear();
    finish(shader)
}

/// Returns the module that reflection reads: without debug information, with declarations in the
/// place of all functions, and for the newest validator.
///
/// # Errors
///
/// If the shader has what [`described`](crate::dxil::described) does not write.
pub fn for_reflection(shader: &Shader) -> Result<Module> {
    let mut shader = shader.clone();
    shader.validator_version = Some((0, 0));
    drop_debug_info(&mut shader);
    for body in &mut shader.module.bodies {
        // Nodes to which only code leads go with the code.
        body.attachments.clear();
    }
    let mut module = finish(shader)?.module;
    for decl in module.functions.values_mut() {
        if decl.body.take().is_some() {
            decl.linkage = Linkage::External;
        }
    }
    module.bodies.clear();
    Ok(module)
}

fn drop_lists(module: &mut Module, is_dropped: impl Fn(&str) -> bool) {
    let metadata = &mut module.metadata;
    let named = metadata.named.iter();
    let kept = named.filter(|named| !is_dropped(&metadata.name_of(named)));
    metadata.named = kept.copied().collect();
}
