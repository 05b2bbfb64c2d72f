//! The context of corrections of naga's text.

use naga::Module;

use super::casts::FloatCasts;
use super::hlsl_registers::HlslRegisters;
use super::metal_slots::MetalSlots;

/// The context of corrections of text.
pub(super) struct TextContext<'a> {
    /// The module that was written.
    pub module: &'a Module,
    /// Its functions that are casts.
    pub casts: &'a FloatCasts,
    /// Places of arguments in MSL.
    pub metal: Option<&'a MetalSlots>,
    /// Registers of HLSL.
    pub registers: &'a HlslRegisters,
}
