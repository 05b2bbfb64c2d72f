//! System values that an operation of its own reads, instead of a signature element.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::ir::ValueId;

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Decoration, GLOp, Id, StorageClass};
use crate::{Error, ErrorKind, RasterSamples, Result};

impl Lowering<'_> {
    /// `gsInstanceID`.
    pub(in crate::lower) fn geometry_instance_id(&mut self) -> Value {
        Value::Id(self.system_input(BuiltIn::InvocationId, Capability::Geometry))
    }

    /// `primitiveID`.
    pub(in crate::lower) fn primitive_id(&mut self) -> Result<Value> {
        let capability = self.primitive_id_capability()?;
        Ok(Value::Id(
            self.system_input(BuiltIn::PrimitiveId, capability),
        ))
    }

    /// Primitive numbers came with geometry shaders, tessellation, and mesh shaders: any of them
    /// will do, but a stage's own is surely there.
    pub(in crate::lower) fn primitive_id_capability(&self) -> Result<Capability> {
        let features = self.options.target.features;
        let choices = [
            (Features::GEOMETRY, Capability::Geometry),
            (Features::TESSELLATION, Capability::Tessellation),
            (Features::MESH_SHADER, Capability::MeshShadingEXT),
        ];
        match self.entry.kind {
            ShaderKind::Geometry => return Ok(Capability::Geometry),
            ShaderKind::Mesh => return Ok(Capability::MeshShadingEXT),
            ShaderKind::Hull | ShaderKind::Domain => return Ok(Capability::Tessellation),
            _ => {}
        }
        choices
            .into_iter()
            .find(|&(feature, _)| features.contains(feature))
            .map(|(_, capability)| capability)
            .ok_or_else(|| {
                Error::new(ErrorKind::TargetLacks {
                    feature: "geometryShader",
                    user: "SV_PrimitiveID".to_owned(),
                })
            })
    }

    /// `sampleIndex`.
    pub(in crate::lower) fn sample_index(&mut self) -> Result<Value> {
        self.require_sample_rate("SV_SampleIndex")?;
        Ok(Value::Id(self.system_input(
            BuiltIn::SampleId,
            Capability::SampleRateShading,
        )))
    }

    /// `renderTargetGetSampleCount`: nothing in Vulkan tells it, the caller has to.
    pub(in crate::lower) fn raster_samples(&mut self) -> Id {
        match self.options.signature.raster_samples {
            RasterSamples::Constant(samples) => self.b.const_u32(samples.max(1)),
            RasterSamples::Specialized { spec_id } => {
                let ty = self.b.u32();
                let samples = self.b.spec_u32(spec_id);
                let one = self.b.const_u32(1);
                self.b.glsl(GLOp::UMax, ty, &[samples, one])
            }
        }
    }

    /// `renderTargetGetSamplePosition`: D3D's standard positions.
    pub(in crate::lower) fn raster_sample_position(&mut self, index: ValueId) -> Result<Value> {
        let samples = self.raster_samples();
        let index = self.id(index)?;
        Ok(self.standard_sample_position(samples, index))
    }

    /// Refuses what makes a pixel shader run per sample where the target can't.
    pub(in crate::lower) fn require_sample_rate(&self, user: &str) -> Result<()> {
        self.require(Features::SAMPLE_RATE_SHADING, "sampleRateShading", user)
    }

    /// `startVertexLocation`, `startInstanceLocation`.
    pub(in crate::lower) fn draw_start(&mut self, built_in: BuiltIn) -> Result<Value> {
        self.require(
            Features::DRAW_PARAMETERS,
            "shaderDrawParameters",
            "the draw's first vertex or instance",
        )?;
        Ok(Value::Id(
            self.system_input(built_in, Capability::DrawParameters),
        ))
    }

    /// A `uint` built-in with its capability.
    pub(in crate::lower) fn system_input(
        &mut self,
        built_in: BuiltIn,
        capability: Capability,
    ) -> Id {
        self.b.capability(capability);
        self.load_u32_built_in(built_in)
    }

    /// Samples that this pixel covers.
    pub(in crate::lower) fn coverage(&mut self) -> Value {
        let word = self.b.u32();
        let ty = self.b.array(word, 1);
        let variable = self.built_in(BuiltIn::SampleMask, ty);
        self.b.decorate_once(variable, Decoration::Flat);
        let pointer = self.b.pointer(StorageClass::Input, word);
        let zero = self.b.const_u32(0);
        let address = self.b.access_chain(pointer, variable, &[zero]);
        Value::Id(self.b.load(word, address))
    }

    /// Whether the pixel is covered completely: 1 or 0.
    pub(in crate::lower) fn inner_coverage(&mut self) -> Result<Value> {
        self.require(
            Features::FULLY_COVERED,
            "fullyCoveredFragmentShaderInputVariable",
            "SV_InnerCoverage",
        )?;
        self.b.capability(Capability::FragmentFullyCoveredEXT);
        self.b.extension("SPV_EXT_fragment_fully_covered");
        let ty = self.b.bool();
        let variable = self.built_in(BuiltIn::FullyCoveredEXT, ty);
        let covered = self.b.load(ty, variable);
        Ok(Value::Id(self.bool_to_u32(covered)))
    }
}
