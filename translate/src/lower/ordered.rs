//! Rasterizer-ordered views: pixel shaders that use one run their whole body as a critical section
//! in the order of the primitives (fragment shader interlock).

use super::Lowering;
use crate::options::Features;
use crate::spirv::{Capability, ExecutionMode, Id, Op};
use crate::{Error, Result};

impl Lowering<'_> {
    /// Whether the function being lowered is an ordered section.
    fn is_ordered(&self) -> bool {
        self.is_pixel()
            && self.entry.function == Some(self.view.function.id)
            && self
                .resources
                .plan
                .views
                .iter()
                .any(|view| view.rasterizer_ordered)
    }

    /// Begins the ordered section of the entry point, if it has one.
    pub(super) fn begin_ordered(&mut self) -> Result<()> {
        if !self.is_ordered() {
            return Ok(());
        }
        if self.options.target.style == crate::Style::Portable {
            return Err(Error::unsupported(
                "rasterizer-ordered views in portable SPIR-V",
            ));
        }
        self.need_feature(
            Features::FRAGMENT_INTERLOCK,
            "fragmentShaderPixelInterlock",
            || "a rasterizer-ordered view".to_owned(),
        )?;
        self.b
            .capability(Capability::FragmentShaderPixelInterlockEXT);
        self.b.extension("SPV_EXT_fragment_shader_interlock");
        self.b
            .emit_void::<u32>(Op::BeginInvocationInterlockEXT, &[]);
        Ok(())
    }

    /// Ends it, before a return.
    pub(super) fn end_ordered(&mut self) {
        if self.is_ordered() {
            self.b.emit_void::<u32>(Op::EndInvocationInterlockEXT, &[]);
        }
    }

    /// The execution mode that goes with it.
    pub(super) fn ordered_mode(&mut self, function: Id) {
        let ordered = self
            .b
            .capabilities()
            .contains(&Capability::FragmentShaderPixelInterlockEXT);
        if ordered {
            self.b
                .execution_mode(function, ExecutionMode::PixelInterlockOrderedEXT, &[]);
        }
    }
}
