//! Opacity micromaps, by either of their extensions. `SPV_EXT_opacity_micromap` has a capability for rays that ask for
//! two-state micromaps, and that is all. `SPV_KHR_opacity_micromap` has the same one, and lets ray queries meet
//! micromaps only in entry points whose execution mode says so.

use crate::lower::Lowering;
use crate::options::Features;
use crate::spirv::{Capability, Id};
use crate::{Error, Quirks, Result};

/// `RayTracingOpacityMicromapExecutionModeKHR`.
const EXECUTION_MODE_CAPABILITY: u32 = 6032;
/// `OpacityMicromapIdKHR`; its operand is a truth value.
const EXECUTION_MODE: u32 = 6031;
/// What SPV_KHR_opacity_micromap is written against.
const LEAST_VERSION: u32 = 0x0001_0400;

impl Lowering<'_> {
    /// Whether the target has micromaps.
    pub(in crate::lower) fn has_micromaps(&self) -> bool {
        let either = Features::OPACITY_MICROMAP | Features::OPACITY_MICROMAP_KHR;
        self.options.target.features.intersects(either)
    }

    /// A typed error where it has none.
    pub(in crate::lower) fn need_micromaps(&self, user: &str) -> Result<()> {
        if self.has_micromaps() {
            return Ok(());
        }
        self.need_feature(Features::OPACITY_MICROMAP, "micromap", || user.to_owned())
    }

    fn micromap_extension(&mut self) {
        self.b
            .extension(match self.has(Features::OPACITY_MICROMAP) {
                true => "SPV_EXT_opacity_micromap",
                false => "SPV_KHR_opacity_micromap",
            });
    }

    /// Declares what `RAY_FLAG_FORCE_OMM_2_STATE` takes.
    pub(in crate::lower) fn declare_micromaps(&mut self) {
        self.b.capability(Capability::RayTracingOpacityMicromapEXT);
        self.micromap_extension();
    }

    /// Whether the entry point's ray queries may meet micromaps.
    pub(in crate::lower) fn queries_meet_micromaps(&self) -> bool {
        let model = &self.shader.shader_model;
        // Shaders before 6.9 have no way to say that they want it.
        let is_older = (model.major, model.minor) < (6, 9);
        let forced = is_older && self.has_quirk(Quirks::OLD_RAY_QUERIES_MEET_MICROMAPS);
        self.has(Features::OPACITY_MICROMAP)
            || self.has_micromaps() && (self.ray_queries.ask_for_micromaps() || forced)
    }

    /// Lets the entry point's ray queries meet micromaps, where that has to be said.
    pub(in crate::lower) fn micromap_mode(&mut self, function: Id) -> Result<()> {
        let has_to = !self.has(Features::OPACITY_MICROMAP) && self.ray_queries.exist();
        if !has_to || !self.queries_meet_micromaps() {
            return Ok(());
        }
        if self.b.version() < LEAST_VERSION {
            return Err(Error::unsupported(
                "SPV_KHR_opacity_micromap before SPIR-V 1.4",
            ));
        }
        self.b.newer_capability(EXECUTION_MODE_CAPABILITY);
        self.micromap_extension();
        let on = self.b.const_bool(true);
        self.b.execution_mode_id(function, EXECUTION_MODE, &[on]);
        Ok(())
    }
}
