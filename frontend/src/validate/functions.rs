//! Headers of functions: parameters, results, attributes, and whether declarations are used.

use super::context::ValidationContext;
use super::operands::{FunctionUse, OperandFacts};
use super::rules::Rule;
use crate::container::rdat::{NodeIoFlags, NodeLaunch};
use crate::dxil::ops::Callee;
use crate::dxil::{EntryPoint, ShaderKind, Stage};
use crate::ir::{Attribute, AttributeGroup, FuncId, FunctionDecl, Module, Type, TypeId};

/// Checks all functions.
pub(super) fn check(cx: &ValidationContext<'_>, operands: &OperandFacts) {
    let repeating = sets_with_repeated_slots(cx.module());
    for (id, decl) in &cx.module().functions {
        check_contradictions(cx, id, decl);
        check_slots(cx, id, decl);
        // The numbers of sets start at one.
        let set = (decl.attributes as usize).checked_sub(1);
        if set.and_then(|set| repeating.get(set)) == Some(&true) {
            let detail = "two groups of attributes for one slot";
            cx.report_function(Rule::BitcodeValid, id, detail);
        }
        let usage = operands
            .functions
            .get(id.as_u32() as usize)
            .copied()
            .unwrap_or_default();
        let is_operation = matches!(cx.shader.callees.get(id), Some(Callee::DxOp(_)));
        if decl.body.is_none() {
            check_declaration(cx, id, decl, is_operation, usage);
            if is_operation || decl.name.starts_with("llvm.") {
                continue;
            }
        } else {
            if decl.name.starts_with("dx.op.") {
                let detail = "a function with the name of an operation has a body";
                cx.report_function(Rule::DeclDxilNsReserved, id, detail);
            }
            check_shader(cx, id, decl);
        }
        check_objects(cx, id, decl);
        if !cx.is_library() {
            check_attributes(cx, id, decl);
        }
    }
}

fn check_declaration(
    cx: &ValidationContext<'_>,
    id: FuncId,
    decl: &FunctionDecl,
    is_operation: bool,
    usage: FunctionUse,
) {
    let marks_lifetime = decl.name.starts_with("llvm.lifetime.") && cx.is_sm(6);
    let is_debug = decl.name.starts_with("llvm.dbg.");
    if marks_lifetime || is_debug || &*decl.name == "llvm.donothing" {
        return;
    }
    // A hull shader that passes its control points through has no function of its own.
    if cx.entry(id).is_some() {
        return;
    }
    if !is_operation && !cx.is_library() {
        let detail = "the function is declared only";
        cx.report_function(Rule::DeclDxilFnExtern, id, detail);
        return;
    }
    if usage.is_otherwise_used {
        let detail = "the function is used other than by a call";
        cx.report_function(Rule::DeclFnIsCalled, id, detail);
    }
    if !usage.is_called && !usage.is_otherwise_used {
        let detail = "the function is declared and never called";
        cx.report_function(Rule::DeclUsedExternalFunction, id, detail);
    }
}

/// Returns the parameters that shaders of a stage have: structures by pointer.
fn shader_parameters(kind: ShaderKind) -> usize {
    match kind {
        ShaderKind::AnyHit | ShaderKind::ClosestHit => 2,
        ShaderKind::Miss | ShaderKind::Callable => 1,
        _ => 0,
    }
}

fn check_shader(cx: &ValidationContext<'_>, id: FuncId, decl: &FunctionDecl) {
    let types = cx.types();
    let Type::Function { ret, params, .. } = types.get(decl.ty) else {
        return;
    };
    let entry = cx.entry(id);
    let is_shader = entry.is_some() || cx.hull_of(id).is_some();
    let kind = entry.map_or(ShaderKind::Library, |entry| entry.kind);
    let wanted = entry.map_or(0, |entry| shader_parameters(entry.kind));
    if is_shader && wanted == 0 && !params.is_empty() {
        let detail = format_args!("the entry point has {} parameters", params.len());
        cx.report_function(Rule::FlowFunctionCall, id, detail);
    }
    if is_shader && !matches!(types.get(*ret), Type::Void) {
        let detail = "the entry point returns a value";
        cx.report_function(Rule::DeclShaderReturnVoid, id, detail);
    }
    for (index, &param) in params.iter().enumerate() {
        let mut ty = types.pointee(param).unwrap_or(param);
        if wanted > 0 {
            // A structure that is passed by value is none of a shader's parameters either.
            let is_struct = matches!(types.get(ty), Type::Struct { .. }) && ty != param;
            let rule = match (index, kind) {
                _ if index >= wanted => Rule::DeclExtraArgs,
                _ if is_struct => continue,
                (_, ShaderKind::Callable) => Rule::DeclParamStruct,
                (0, _) => Rule::DeclPayloadStruct,
                _ => Rule::DeclAttrStruct,
            };
            cx.report_function(rule, id, format_args!("parameter {index}"));
            continue;
        }
        while let Type::Array { element, .. } = *types.get(ty) {
            ty = element;
        }
        if matches!(types.get(ty), Type::Struct { .. }) && !cx.is_library() {
            let detail = format_args!("parameter {index} is a structure");
            cx.report_function(Rule::DeclFnFlattenParam, id, detail);
            break;
        }
    }
    for index in params.len()..wanted {
        let detail = format_args!("parameter {index} of a {} shader", kind.prefix());
        cx.report_function(Rule::DeclShaderMissingArg, id, detail);
    }
    if let Some(entry) = entry {
        check_node(cx, id, entry);
    }
}

/// Checks inputs of nodes (D3D12 Work Graphs specification, "Node input declaration").
fn check_node(cx: &ValidationContext<'_>, id: FuncId, entry: &EntryPoint) {
    let Stage::Node(node) = &entry.stage else {
        return;
    };
    if node.inputs.len() > 1 {
        let detail = format_args!("{} inputs", node.inputs.len());
        cx.report_function(Rule::DeclMultipleNodeInputs, id, detail);
    }
    for input in &node.inputs {
        let flags = input.flags;
        let is = |flag| flags.contains(flag);
        // A record for the whole grid has both bits.
        let both = NodeIoFlags::THREAD_RECORD | NodeIoFlags::GROUP_RECORD;
        let granularity = flags & both;
        let fits = match node.launch {
            NodeLaunch::Broadcasting | NodeLaunch::Mesh => granularity == both,
            NodeLaunch::Coalescing => granularity == NodeIoFlags::GROUP_RECORD,
            NodeLaunch::Thread => granularity == NodeIoFlags::THREAD_RECORD,
            _ => true,
        };
        if !fits && !is(NodeIoFlags::EMPTY_RECORD) {
            let detail = format_args!("launched as {:?}, the input is {flags:?}", node.launch);
            cx.report_function(Rule::DeclNodeLaunchInputType, id, detail);
        }
    }
}

/// Checks parameters and results for resources.
fn check_objects(cx: &ValidationContext<'_>, id: FuncId, decl: &FunctionDecl) {
    let Type::Function { ret, params, .. } = cx.types().get(decl.ty) else {
        return;
    };
    let is_object = |ty: TypeId| {
        let mut ty = cx.types().pointee(ty).unwrap_or(ty);
        while let Type::Array { element, .. } = *cx.types().get(ty) {
            ty = element;
        }
        match cx.types().get(ty) {
            Type::Struct {
                name: Some(name), ..
            } => name.starts_with("dx.types.Handle") || is_resource_class(name),
            _ => false,
        }
    };
    if is_object(*ret) || params.iter().any(|param| is_object(*param)) {
        let detail = "a parameter or the result is a resource";
        cx.report_function(Rule::DeclResourceInFnSig, id, detail);
    }
}

/// Returns whether a structure is a resource of HLSL.
fn is_resource_class(name: &str) -> bool {
    const PREFIXES: [&str; 10] = [
        "class.Texture",
        "class.RWTexture",
        "class.Buffer",
        "class.RWBuffer",
        "class.StructuredBuffer",
        "class.RWStructuredBuffer",
        "struct.ByteAddressBuffer",
        "struct.RWByteAddressBuffer",
        "struct.SamplerState",
        "struct.SamplerComparisonState",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// LLVM 3.7's numbers of attributes.
mod number {
    pub(super) const ALWAYS_INLINE: u64 = 2;
    pub(super) const MIN_SIZE: u64 = 6;
    pub(super) const NO_INLINE: u64 = 14;
    pub(super) const OPTIMIZE_FOR_SIZE: u64 = 19;
    pub(super) const READ_NONE: u64 = 20;
    pub(super) const READ_ONLY: u64 = 21;
    pub(super) const OPTIMIZE_NONE: u64 = 37;
    pub(super) const SIGN_EXTENDED: u64 = 24;
    pub(super) const ZERO_EXTENDED: u64 = 34;
    /// byval, nest, noalias, nocapture, readnone, readonly, sret, inalloca, nonnull,
    /// dereferenceable and dereferenceable_or_null say something of what is pointed to.
    pub(super) const OF_POINTERS: [u64; 11] =
        [3, 8, 9, 11, READ_NONE, READ_ONLY, 29, 38, 39, 41, 42];
}

/// Attributes that LLVM's verifier takes for contradictions, in functions of any kind.
const CONTRADICTIONS: [(u64, u64, &str); 4] = [
    (
        number::READ_NONE,
        number::READ_ONLY,
        "readnone and readonly",
    ),
    (
        number::NO_INLINE,
        number::ALWAYS_INLINE,
        "noinline and alwaysinline",
    ),
    (
        number::OPTIMIZE_FOR_SIZE,
        number::OPTIMIZE_NONE,
        "optsize and optnone",
    ),
    (
        number::MIN_SIZE,
        number::OPTIMIZE_NONE,
        "minsize and optnone",
    ),
];

/// Returns the attributes of a function itself, without those of its result and parameters.
fn own_attributes<'a>(
    cx: &'a ValidationContext<'_>,
    decl: &FunctionDecl,
) -> impl Iterator<Item = &'a Attribute> {
    let groups = cx.module().attributes(decl.attributes);
    let own = groups.filter(|group| group.slot == AttributeGroup::FUNCTION);
    own.flat_map(|group| &group.attributes)
}

fn check_contradictions(cx: &ValidationContext<'_>, id: FuncId, decl: &FunctionDecl) {
    let has = |number| own_attributes(cx, decl).any(|own| *own == Attribute::Enum(number));
    for (a, b, both) in CONTRADICTIONS {
        if has(a) && has(b) {
            let detail = format_args!("the attributes {both} contradict each other");
            cx.report_function(Rule::DeclFnAttribute, id, detail);
        }
    }
}

/// Returns for each attribute set whether two of its groups are for one slot.
fn sets_with_repeated_slots(module: &Module) -> Vec<bool> {
    let sets = module.attribute_sets.iter();
    sets.map(|set| {
        let groups = set
            .iter()
            .filter_map(|group| module.attribute_groups.get(*group as usize));
        let mut slots: Vec<u32> = groups.map(|group| group.slot).collect();
        slots.sort_unstable();
        !slots.is_sorted_by(|a, b| a < b)
    })
    .collect()
}

/// Checks that attributes of results and parameters fit their types, as LLVM's verifier has it.
fn check_slots(cx: &ValidationContext<'_>, id: FuncId, decl: &FunctionDecl) {
    let Type::Function { ret, params, .. } = cx.types().get(decl.ty) else {
        return;
    };
    let report = |detail: std::fmt::Arguments<'_>| {
        cx.report_function(Rule::BitcodeValid, id, detail);
    };
    if decl.body.is_none() && !decl.linkage.is_of_declarations() {
        report(format_args!("a declaration is not visible outside"));
    }
    for group in cx.module().attributes(decl.attributes) {
        let ty = match group.slot {
            AttributeGroup::FUNCTION => continue,
            0 => *ret,
            slot => match params.get(slot as usize - 1) {
                Some(param) => *param,
                None => {
                    let count = params.len();
                    report(format_args!(
                        "attributes of parameter {slot}, the function has {count}"
                    ));
                    continue;
                }
            },
        };
        let is_pointer = matches!(cx.types().get(ty), Type::Pointer { .. });
        let is_int = matches!(cx.types().get(ty), Type::Int(_));
        let misfit = group.attributes.iter().find_map(|attribute| {
            let (Attribute::Enum(number) | Attribute::Int(number, _)) = *attribute else {
                return None;
            };
            let fits = match number {
                _ if number::OF_POINTERS.contains(&number) => is_pointer,
                number::SIGN_EXTENDED | number::ZERO_EXTENDED => is_int,
                _ => true,
            };
            (!fits).then_some(number)
        });
        if let Some(number) = misfit {
            let slot = group.slot;
            report(format_args!(
                "attribute {number} does not fit the type of slot {slot}"
            ));
        }
    }
}

fn check_attributes(cx: &ValidationContext<'_>, id: FuncId, decl: &FunctionDecl) {
    for attribute in own_attributes(cx, decl) {
        let Attribute::String(name, value) = attribute else {
            continue;
        };
        let value = value.as_deref().unwrap_or_default();
        let is_known = match &**name {
            "fp32-denorm-mode" => matches!(value, "any" | "ftz" | "preserve"),
            "waveops-include-helper-lanes" => true,
            _ => false,
        };
        if !is_known {
            let name = super::context::short(name);
            let detail = format_args!("the attribute {name}={}", super::context::short(value));
            cx.report_function(Rule::DeclFnAttribute, id, detail);
        }
    }
}
