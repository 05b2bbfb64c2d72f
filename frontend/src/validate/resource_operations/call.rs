//! The call that is being checked.

use crate::dxil::ops::{HandleOperand, Opcode};
use crate::dxil::{ResourceClass, ResourceKind};
use crate::ir::{Constant, FuncView, ValueId};
use crate::validate::context::{InstLocation, ValidationContext};
use crate::validate::handle_facts::HandleFacts;
use crate::validate::handles::handle_of;
use crate::validate::rules::Rule;

/// The call that is being checked.
pub(super) struct Call<'a, 'c> {
    pub(super) cx: &'c ValidationContext<'a>,
    pub(super) view: FuncView<'c>,
    pub(super) location: InstLocation,
    /// The operation.
    pub(super) op: Opcode,
}

impl Call<'_, '_> {
    pub(super) fn report(&self, rule: Rule, detail: impl std::fmt::Display) {
        self.cx.report_at(rule, self.location, detail);
    }

    /// Returns the handle's resource; reports a value that is not a handle.
    pub(super) fn handle(&self, value: ValueId) -> Option<HandleFacts> {
        let handle = handle_of(self.cx, self.view, value);
        if handle.is_none() && !self.is_undef(value) {
            let detail = format_args!("{value} does not come from an operation that creates one");
            self.report(Rule::InstrHandleNotFromCreateHandle, detail);
        }
        if handle.is_some_and(|handle| handle.is_reorder_coherent) && !self.cx.is_sm(9) {
            let detail = "the handle is reordercoherent";
            self.report(Rule::InstrReorderCoherentRequiresSM69, detail);
        }
        handle
    }

    /// Returns whether the operation works on resources of that class.
    pub(super) fn allows_class(&self, class: ResourceClass) -> bool {
        let rule = self.op.resource_rule(HandleOperand::Resource);
        rule.is_none_or(|rule| rule.classes.has(class))
    }

    /// Returns whether the operation works on resources of that kind.
    pub(super) fn allows_kind(&self, kind: ResourceKind) -> bool {
        let rule = self.op.resource_rule(HandleOperand::Resource);
        rule.is_none_or(|rule| rule.kinds.has(kind))
    }

    pub(super) fn is_undef(&self, value: ValueId) -> bool {
        matches!(self.view.constant(value), Some(Constant::Undef))
    }
}
