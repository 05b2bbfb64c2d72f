//! The types of resources that class instances name.

use super::resource_table::Known;
use crate::dxbc::declarations::{ResourceDeclaration, component_type};
use crate::dxbc::opcode::Opcode as O;
use crate::dxbc::tokens::{Dimension, Instruction};
use crate::dxil::{ComponentType, ResourceClass, ResourceKind, SamplerKind};
use crate::error::{Error, Result};

/// What an instruction says of its texture and its sampler besides their registers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NamedResource {
    dimension: Option<(Dimension, u32)>,
    return_types: Option<u16>,
    compares: bool,
}

impl NamedResource {
    pub(super) fn of(instruction: &Instruction) -> Self {
        NamedResource {
            dimension: instruction.extended.dimension,
            return_types: instruction.extended.return_types,
            compares: matches!(
                instruction.opcode,
                O::SampleC
                    | O::SampleCClS
                    | O::SampleCLz
                    | O::SampleCLzS
                    | O::Gather4C
                    | O::Gather4CS
                    | O::Gather4PoC
                    | O::Gather4PoCS
            ),
        }
    }

    /// Returns the type of resource that the instruction means.
    pub(super) fn range(self, class: ResourceClass) -> Result<InstanceRange> {
        let mut range = InstanceRange {
            class,
            kind: ResourceKind::CBuffer,
            component: None,
            stride: None,
            compares: false,
        };
        match class {
            ResourceClass::Cbv => {}
            ResourceClass::Sampler => {
                range.kind = ResourceKind::Sampler;
                range.compares = self.compares;
            }
            ResourceClass::Srv => match self.dimension {
                Some((Dimension::RawBuffer, _)) => range.kind = ResourceKind::RawBuffer,
                Some((Dimension::StructuredBuffer, stride)) => {
                    range.kind = ResourceKind::StructuredBuffer;
                    range.stride = Some(stride);
                }
                Some((dimension, _)) if dimension.typed_kind().is_some() => {
                    range.kind = dimension.typed_kind().unwrap_or(range.kind);
                    let types = self.return_types.map_or(5, u32::from);
                    range.component = Some(component_type(types & 0xf)?);
                }
                _ => return Err(indexed()),
            },
            // D3D11's class instances have none (`CreateClassInstance`).
            ResourceClass::Uav => return Err(indexed()),
        }
        Ok(range)
    }
}

pub(super) fn indexed() -> Error {
    Error::malformed("a resource register is indexed")
}

/// A type of resources that class instances name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct InstanceRange {
    pub(super) class: ResourceClass,
    kind: ResourceKind,
    component: Option<ComponentType>,
    stride: Option<u32>,
    pub(super) compares: bool,
}

impl InstanceRange {
    /// Returns the declaration of some of these resources.
    pub(super) fn declaration(
        self,
        id: u32,
        (space, first, count): (u32, u32, u32),
    ) -> ResourceDeclaration {
        let sampler = if self.compares {
            SamplerKind::Comparison
        } else {
            SamplerKind::Default
        };
        ResourceDeclaration {
            class: self.class,
            id,
            space,
            lower_bound: first,
            count: Some(count),
            kind: self.kind,
            component: self.component,
            stride: self.stride,
            sample_count: 0,
            registers: 0,
            sampler: (self.class == ResourceClass::Sampler).then_some(sampler),
            globally_coherent: false,
            rasterizer_ordered: false,
            has_counter: false,
        }
    }

    /// Returns whether a declared resource is of this type.
    pub(super) fn is_of(self, known: &Known) -> bool {
        known.kind == self.kind
            && known.stride == self.stride
            && (self.component.is_none() || known.component == self.component)
    }
}
