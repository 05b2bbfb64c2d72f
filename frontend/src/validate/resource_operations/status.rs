//! The status of an access to tiled resources.

use super::call::Call;
use crate::ir::{Inst, Type, ValueDef, ValueId};
use crate::validate::rules::Rule;

pub(super) fn check_status(call: &Call<'_, '_>, status: ValueId) {
    let is_status = || {
        let ValueDef::Inst(inst) = call.view.value(status)?.def else {
            return None;
        };
        let Inst::ExtractValue { aggregate, indices } = call.view.function.insts.get(inst)?.inst
        else {
            return None;
        };
        let ty = call.view.type_of(aggregate)?;
        let Type::Struct {
            name: Some(name),
            fields,
            ..
        } = call.cx.types().get(ty)
        else {
            return None;
        };
        let last = fields.len().checked_sub(1)? as u64;
        let is_last = call.view.function.indices_of(indices) == [last];
        Some(name.starts_with("dx.types.ResRet.") && is_last)
    };
    if is_status() != Some(true) {
        let detail = format_args!("{status} is not the status of an access");
        call.report(Rule::InstrCheckAccessFullyMapped, detail);
    }
}
