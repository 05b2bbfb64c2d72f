//! The context of corrections of naga's text.

use naga::Module;

use super::casts::FloatCasts;
use super::hlsl_registers::HlslRegisters;

/// The context of corrections of text.
pub(super) struct Written<'a> {
    /// The module that was written.
    pub module: &'a Module,
    /// Its functions that are casts.
    pub casts: &'a FloatCasts,
    /// Registers of HLSL.
    pub registers: &'a HlslRegisters,
}
