//! The stages of a draw.

use dxil_frontend::dxil::ShaderKind;

use super::super::executable::Executable;

/// The stages of a draw by their kind.
#[derive(Clone, Copy)]
pub(super) struct Stages<'a>(pub(super) &'a [&'a Executable]);

impl<'a> Stages<'a> {
    /// Returns the stage of a kind.
    pub(super) fn of(&self, kind: ShaderKind) -> Option<&'a Executable> {
        let mut all = self.0.iter();
        all.find(|stage| stage.kernel.stage() == Some(kind))
            .copied()
    }
}
