//! Metadata on instructions and functions.

use super::context::{InstLocation, ValidationContext};
use super::rules::Rule;
use crate::dxil::ShaderFlags;
use crate::ir::{Constant, Function, Inst, InstId, MdId, Module, Type, ValueDef};

/// The values that a kind of metadata accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AttachmentKind {
    ControlFlow,
    Precise,
    Loop,
    NonUniform,
    Tbaa,
    /// Known to LLVM, without rules of its own here.
    Known,
}

/// Deepest chain of nodes that is followed.
const MAX_DEPTH: u32 = 16;

/// The kinds of metadata of a module.
struct AttachmentKinds {
    kinds: Vec<(u32, AttachmentKind)>,
    min_precision: bool,
}

impl AttachmentKinds {
    fn new(cx: &ValidationContext<'_>) -> Self {
        let names = [
            ("dx.controlflow.hints", AttachmentKind::ControlFlow),
            ("dx.precise", AttachmentKind::Precise),
            ("llvm.loop", AttachmentKind::Loop),
            ("dx.nonuniform", AttachmentKind::NonUniform),
            ("tbaa", AttachmentKind::Tbaa),
            ("range", AttachmentKind::Known),
            ("noalias", AttachmentKind::Known),
            ("alias.scope", AttachmentKind::Known),
            ("dbg", AttachmentKind::Known),
        ];
        let metadata = &cx.module().metadata;
        let low = cx.flags().contains(ShaderFlags::LOW_PRECISION_PRESENT);
        AttachmentKinds {
            kinds: names
                .into_iter()
                .filter_map(|(name, kind)| Some((metadata.kind(name)?, kind)))
                .collect(),
            min_precision: low && cx.uses_min_precision(),
        }
    }

    fn of(&self, id: u32) -> Option<AttachmentKind> {
        let mut kinds = self.kinds.iter();
        kinds.find(|(own, _)| *own == id).map(|(_, kind)| *kind)
    }

    fn check(
        &self,
        cx: &ValidationContext<'_>,
        function: &Function,
        location: InstLocation,
        inst: &Inst,
        (kind, node): (u32, MdId),
    ) {
        match self.of(kind) {
            Some(AttachmentKind::ControlFlow) => check_hint(cx, location, inst, node),
            Some(AttachmentKind::Precise) => self.check_precise(cx, function, location, inst, node),
            Some(AttachmentKind::Loop) => check_loop(cx, location, node, 0),
            Some(AttachmentKind::NonUniform) => check_non_uniform(cx, location, inst, node),
            Some(AttachmentKind::Tbaa) => check_tbaa(cx, location, node, 0),
            Some(AttachmentKind::Known) => {}
            None => {
                let name = cx.module().metadata.kind_name(kind).unwrap_or_default();
                let detail = format_args!("metadata of the kind {name}");
                cx.report_at(Rule::MetaUsed, location, detail);
            }
        }
    }

    fn check_precise(
        &self,
        cx: &ValidationContext<'_>,
        function: &Function,
        location: InstLocation,
        inst: &Inst,
        node: MdId,
    ) {
        let operands = cx.module().metadata.tuple(node).unwrap_or_default();
        let [Some(value)] = *operands else {
            cx.report_at(Rule::MetaWellFormed, location, "dx.precise has one number");
            return;
        };
        match int(cx.module(), value) {
            Some(0 | 1) => {}
            Some(other) => {
                let detail = format_args!("dx.precise is {other}");
                cx.report_at(Rule::MetaValueRange, location, detail);
            }
            None => cx.report_at(Rule::MetaWellFormed, location, "dx.precise has one number"),
        }
        if !self.min_precision {
            return;
        }
        let view = crate::ir::FuncView {
            module: cx.module(),
            function,
        };
        let mut has_small = false;
        function.for_each_operand(inst, |value| {
            let ty = view.type_of(value).map(|ty| cx.types().get(ty));
            has_small |= matches!(ty, Some(Type::Half | Type::Int(16)));
        });
        if has_small {
            let detail = "an operand is of a min-precision type";
            cx.report_at(Rule::InstrMinPrecisionNotPrecise, location, detail);
        }
    }
}

/// The metadata attached to the instructions of a function, in their order.
pub(super) struct AttachmentCursor<'a> {
    function: &'a Function,
    kinds: Option<AttachmentKinds>,
    rest: &'a [(InstId, u32, MdId)],
}

impl<'a> AttachmentCursor<'a> {
    pub(super) fn new(cx: &ValidationContext<'_>, function: &'a Function) -> Self {
        let is_empty = function.attachments.is_empty() && function.function_attachments.is_empty();
        AttachmentCursor {
            function,
            kinds: (!is_empty).then(|| AttachmentKinds::new(cx)),
            rest: &function.attachments,
        }
    }

    /// Checks what is attached to an instruction. Instructions come in the order of the function.
    pub(super) fn check(
        &mut self,
        cx: &ValidationContext<'_>,
        location: InstLocation,
        inst: &Inst,
    ) {
        let Some(kinds) = &self.kinds else {
            return;
        };
        while let Some(((at, kind, node), rest)) = self.rest.split_first()
            && *at <= location.inst
        {
            self.rest = rest;
            if *at == location.inst {
                kinds.check(cx, self.function, location, inst, (*kind, *node));
            }
        }
    }

    /// Checks what is attached to the function.
    pub(super) fn check_function(&self, cx: &ValidationContext<'_>) {
        let Some(kinds) = &self.kinds else {
            return;
        };
        for (kind, _) in &self.function.function_attachments {
            if kinds.of(*kind).is_none() {
                let name = cx.module().metadata.kind_name(*kind).unwrap_or_default();
                let detail = format_args!("metadata of the kind {name}");
                cx.report_function(Rule::MetaUsed, self.function.id, detail);
            }
        }
    }
}

fn int(module: &Module, node: MdId) -> Option<u64> {
    let value = module.metadata.value(node)?;
    match module.values.get(value.as_u32() as usize)?.def {
        ValueDef::Constant(Constant::Int(value)) => Some(value),
        ValueDef::Constant(Constant::Null) => Some(0),
        _ => None,
    }
}

fn check_hint(cx: &ValidationContext<'_>, location: InstLocation, inst: &Inst, node: MdId) {
    if !inst.is_terminator() {
        let detail = "the instruction is no terminator";
        cx.report_at(Rule::MetaControlFlowHintNotOnControlFlow, location, detail);
        return;
    }
    let module = cx.module();
    let operands = module.metadata.tuple(node).unwrap_or_default();
    let (mut branch, mut flatten) = (false, false);
    for operand in operands.iter().skip(2).take(64) {
        match operand.and_then(|operand| int(module, operand)) {
            Some(1) => branch = true,
            Some(2) => flatten = true,
            Some(5) => {
                if !matches!(inst, Inst::Switch { .. }) {
                    let detail = "the hint forcecase stands on a branch";
                    cx.report_at(Rule::MetaForceCaseOnSwitch, location, detail);
                }
            }
            Some(other) => {
                let detail = format_args!("hint {other}");
                cx.report_at(Rule::MetaInvalidControlFlowHint, location, detail);
            }
            None => cx.report_at(Rule::MetaWellFormed, location, "a hint is not a number"),
        }
    }
    if branch && flatten {
        cx.report_at(Rule::MetaBranchFlatten, location, "branch and flatten");
    }
}

fn check_loop(cx: &ValidationContext<'_>, location: InstLocation, node: MdId, depth: u32) {
    let metadata = &cx.module().metadata;
    let malformed = |detail: &str| cx.report_at(Rule::MetaWellFormed, location, detail);
    let operands = metadata.tuple(node).unwrap_or_default();
    if !(1..=2).contains(&operands.len()) || operands.first() != Some(&Some(node)) {
        malformed("llvm.loop names itself first and has one property at most");
        return;
    }
    let Some(property) = operands.get(1) else {
        return;
    };
    let Some(property) = property.filter(|property| metadata.tuple(*property).is_some()) else {
        malformed("a property of a loop is not a list");
        return;
    };
    let inner = metadata.tuple(property).unwrap_or_default();
    if inner.first() == Some(&Some(property)) && depth < MAX_DEPTH {
        check_loop(cx, location, property, depth + 1);
        return;
    }
    let name = inner
        .first()
        .copied()
        .flatten()
        .and_then(|name| metadata.string(name));
    match name {
        Some("llvm.loop.unroll.full" | "llvm.loop.unroll.disable") => {}
        Some("llvm.loop.unroll.count") => {
            let count = inner.get(1).copied().flatten();
            if count.and_then(|count| int(cx.module(), count)).is_none() {
                malformed("the count of a loop is not a number");
            }
        }
        _ => malformed("a property of a loop is unknown"),
    }
}

fn check_non_uniform(cx: &ValidationContext<'_>, location: InstLocation, inst: &Inst, node: MdId) {
    if !cx.is_library() {
        let detail = "dx.nonuniform outside of a library";
        cx.report_at(Rule::MetaUsed, location, detail);
    }
    let operands = cx.module().metadata.tuple(node).unwrap_or_default();
    let value = match operands {
        [Some(value)] => int(cx.module(), *value),
        _ => None,
    };
    if !matches!(inst, Inst::Gep { .. }) || value.is_none() {
        let detail = "dx.nonuniform is a number on address arithmetic";
        cx.report_at(Rule::MetaWellFormed, location, detail);
    } else if value != Some(1) {
        cx.report_at(Rule::MetaValueRange, location, "dx.nonuniform is not 1");
    }
}

fn check_tbaa(cx: &ValidationContext<'_>, location: InstLocation, node: MdId, depth: u32) {
    let metadata = &cx.module().metadata;
    let operands = metadata.tuple(node).unwrap_or_default();
    let is_list = |node: &Option<MdId>| node.is_some_and(|node| metadata.tuple(node).is_some());
    let is_text = |node: &Option<MdId>| node.is_some_and(|n| metadata.string_bytes(n).is_some());
    let fits = match operands {
        [name] => is_text(name),
        [_, root] => is_list(root),
        [_, root, constant] => {
            let constant = constant.and_then(|node| int(cx.module(), node));
            is_list(root) && constant.is_some_and(|value| value <= 1)
        }
        // Struct paths have more.
        _ => operands.len() == 4,
    };
    if !fits {
        cx.report_at(
            Rule::MetaWellFormed,
            location,
            "a node of tbaa has another form",
        );
    } else if let Some(Some(root)) = operands.get(1)
        && depth < MAX_DEPTH
    {
        check_tbaa(cx, location, *root, depth + 1);
    }
}
