//! Rasterizer-ordered views: pixel shaders that use one run their whole body as a critical section
//! in the order of the primitives (fragment shader interlock).

use crate::lower::Lowering;
use crate::options::Features;
use crate::spirv::{Capability, ExecutionMode, Id, Op};
use crate::{Error, Result};

const EXTENSION: &str = "SPV_EXT_fragment_shader_interlock";

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
    pub(in crate::lower) fn begin_ordered(&mut self) -> Result<()> {
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
        self.b.extension(EXTENSION);
        self.b
            .emit_void::<u32>(Op::BeginInvocationInterlockEXT, &[]);
        Ok(())
    }

    /// Ends it, before a return.
    pub(in crate::lower) fn end_ordered(&mut self) {
        if self.is_ordered() {
            self.b.emit_void::<u32>(Op::EndInvocationInterlockEXT, &[]);
        }
    }

    /// The execution mode that goes with it: shaders that run per sample are ordered per sample.
    pub(in crate::lower) fn ordered_mode(&mut self, function: Id) {
        if !self.b.extensions().contains(&EXTENSION) {
            return;
        }
        let per_sample = self
            .b
            .capabilities()
            .contains(&Capability::SampleRateShading);
        let (capability, mode) = if per_sample {
            (
                Capability::FragmentShaderSampleInterlockEXT,
                ExecutionMode::SampleInterlockOrderedEXT,
            )
        } else {
            (
                Capability::FragmentShaderPixelInterlockEXT,
                ExecutionMode::PixelInterlockOrderedEXT,
            )
        };
        self.b.capability(capability);
        self.b.execution_mode(function, mode, &[]);
    }
}
