//! The register files that each stage has (D3D11.3 functional specification, the tables "Shader
//! Register Tables" in the chapters of the stages).

use super::reader::Program;
use super::tokens::File;
use crate::dxil::ShaderKind;
use crate::dxil::ops::Stages;
use crate::error::{Error, Result};

impl File {
    /// Returns the stages that have these registers.
    pub fn stages(self) -> Stages {
        match self {
            // Compute shaders have neither inputs nor outputs (18.6.10).
            File::Input | File::Output => Stages::GRAPHICS,
            File::InputPrimitiveId => Stages::PRIMITIVE | Stages::PIXEL,
            File::OutputDepth
            | File::OutputDepthGreaterEqual
            | File::OutputDepthLessEqual
            | File::OutputCoverageMask
            | File::OutputStencilRef
            | File::InputCoverageMask
            | File::InnerCoverage
            | File::Rasterizer => Stages::PIXEL,
            File::Stream | File::GsInstanceId => Stages::GEOMETRY,
            File::OutputControlPointId
            | File::InputForkInstanceId
            | File::InputJoinInstanceId
            | File::OutputControlPoint => Stages::HULL,
            File::InputControlPoint | File::InputPatchConstant => Stages::TESSELLATION,
            File::InputDomainPoint => Stages::DOMAIN,
            File::GroupShared
            | File::ThreadId
            | File::ThreadGroupId
            | File::ThreadIdInGroup
            | File::ThreadIdInGroupFlattened => Stages::COMPUTE,
            File::Temp
            | File::IndexableTemp
            | File::Immediate32
            | File::Immediate64
            | File::Sampler
            | File::Resource
            | File::ConstantBuffer
            | File::ImmediateConstantBuffer
            | File::Label
            | File::Null
            | File::FunctionBody
            | File::FunctionTable
            | File::Interface
            | File::FunctionInput
            | File::FunctionOutput
            | File::ThisPointer
            | File::UnorderedAccessView
            | File::CycleCounter => Stages::ALL,
        }
    }
}

/// Refuses registers that the shader's stage does not have.
pub(super) fn check(program: &Program) -> Result<()> {
    let kind = program.kind;
    let lacks = |file: File| !file.stages().allows(kind);
    let Some(place) = program.operands.iter().position(|it| lacks(it.file)) else {
        return Ok(());
    };
    let file = program.operands.get(place).map(|operand| operand.file);
    let error = Error::malformed(format!(
        "a {} shader with registers of file {:?}, which it does not have",
        kind.prefix(),
        file.unwrap_or(File::Null)
    ));
    let mut instructions = program.instructions.iter();
    let owner = instructions.find(|it| it.operands.range().end > place);
    Err(match owner {
        Some(instruction) => error.at_offset(u64::from(instruction.offset)),
        None => error,
    })
}

/// Returns whether the stage has signature elements.
pub(super) fn has_signature(kind: ShaderKind) -> bool {
    File::Output.stages().allows(kind)
}

/// Returns whether the stage has signature elements of patch constants.
pub(super) fn has_patch_constants(kind: ShaderKind) -> bool {
    File::InputPatchConstant.stages().allows(kind)
}
