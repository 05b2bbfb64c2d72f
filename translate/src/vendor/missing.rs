//! Checks that both rewrites share, and operations that are not available.

use dxil_frontend::dxil::ops::Callee;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::ir::{FuncView, Inst, InstData, ValueId};
use dxil_frontend::tables::HashSet;

use crate::vendor::operation::VendorOperation;
use crate::{Error, ErrorKind, Features, Options, Result, Warning};

/// Returns whether the call is of a DXIL operation.
pub(super) fn is_operation(shader: &Shader, view: FuncView<'_>, inst: &Inst) -> bool {
    match *inst {
        Inst::Call { callee, .. } => view
            .as_function(callee)
            .is_some_and(|callee| matches!(shader.callees[callee], Callee::DxOp(_))),
        _ => false,
    }
}

/// Refuses handles that go where they cannot be followed.
pub(super) fn uses_no_handle(
    view: FuncView<'_>,
    uavs: &HashSet<ValueId>,
    data: &InstData,
) -> Result<()> {
    let mut uses = false;
    view.function
        .for_each_operand(&data.inst, |value| uses |= uavs.contains(&value));
    if uses {
        Err(Error::unsupported(
            "the UAV of a vendor's shader extension in an ordinary operation",
        ))
    } else {
        Ok(())
    }
}

/// Decides what replaces an operation that is not available.
pub(super) struct Missing<'a> {
    /// Stage of the entry point.
    pub(super) kind: ShaderKind,
    pub(super) options: &'a Options,
    pub(super) warnings: &'a mut Vec<Warning>,
}

impl Missing<'_> {
    /// Returns whether the target has what the operation needs.
    pub(super) fn has(&self, needs: Features) -> bool {
        self.options.target.features.contains(needs)
    }

    /// Returns whether the target has cooperative matrices of a size that a matrix can be made of.
    pub(super) fn has_matrices(&self) -> bool {
        let sizes = Features::COOPERATIVE_MATRIX | Features::COOPERATIVE_MATRIX_8;
        self.options.target.features.intersects(sizes)
    }

    /// Records that zero replaces an operation, with a warning.
    ///
    /// # Errors
    ///
    /// The reason, unless the caller asked for zeros.
    pub(super) fn zero(&mut self, operation: VendorOperation, lacks: bool) -> Result<()> {
        if !self.options.vendor.zero_missing {
            return Err(if lacks {
                Error::new(ErrorKind::TargetLacks {
                    feature: "a feature that the operation needs",
                    user: operation.to_string(),
                })
            } else {
                Error::unsupported(match operation.reason() {
                    Some(reason) => format!("{operation}: {reason}"),
                    None => operation.to_string(),
                })
            });
        }
        let warning = Warning::VendorOperationIsZero { operation };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
        Ok(())
    }
}
