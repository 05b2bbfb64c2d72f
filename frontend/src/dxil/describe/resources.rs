//! `dx.resources` (DXIL document, "Shader Resources").

use super::nodes::NodeWriter;
use crate::dxil::{
    ComponentType, Resource, ResourceClass, ResourceKind, Resources, SamplerFeedbackKind,
    SamplerKind,
};
use crate::error::Result;
use crate::ir::{Constant, MdId, Type, TypeId, TypeList};

/// Tags of the properties of SRVs and UAVs.
mod tag {
    pub(super) const COMPONENT: u32 = 0;
    pub(super) const STRIDE: u32 = 1;
    pub(super) const FEEDBACK: u32 = 2;
    pub(super) const ATOMIC64: u32 = 3;
    pub(super) const REORDER_COHERENT: u32 = 4;
}

/// Returns the lists of all classes; `None` without resources.
pub(super) fn list(out: &mut NodeWriter, resources: &Resources) -> Result<Option<MdId>> {
    use ResourceClass::{Cbv, Sampler, Srv, Uav};
    if resources.iter().next().is_none() {
        return Ok(None);
    }
    let mut classes = Vec::new();
    for class in [Srv, Uav, Cbv, Sampler] {
        let mut nodes = Vec::new();
        for item in resources.of(class) {
            nodes.push(Some(resource(out, item)?));
        }
        classes.push(out.tuple_or_null(&nodes)?);
    }
    out.tuple(&classes).map(Some)
}

fn resource(out: &mut NodeWriter, resource: &Resource) -> Result<MdId> {
    let variable = match resource.variable {
        Some(variable) => variable,
        None => {
            let pointee = match resource.ty {
                Some(ty) => ty,
                None => variable_type(out, resource)?,
            };
            let ty = out.ty(Type::Pointer {
                pointee,
                address_space: 0,
            });
            out.constant(ty, Constant::Undef)
        }
    };
    let mut operands = vec![
        Some(out.u32(resource.id)?),
        Some(out.value(variable)),
        Some(out.text(&resource.name)?),
        Some(out.u32(resource.space)?),
        Some(out.u32(resource.lower_bound)?),
        // The largest number stands for an array without end.
        Some(out.u32(resource.count.unwrap_or(u32::MAX))?),
    ];
    let detail = &resource.detail;
    match resource.class {
        ResourceClass::Srv => {
            operands.push(Some(out.u32(resource.kind as u32)?));
            operands.push(Some(out.u32(detail.sample_count)?));
            operands.push(properties(out, resource)?);
        }
        ResourceClass::Uav => {
            operands.push(Some(out.u32(resource.kind as u32)?));
            operands.push(Some(out.bool(detail.globally_coherent)?));
            operands.push(Some(out.bool(detail.has_counter)?));
            operands.push(Some(out.bool(detail.rasterizer_ordered)?));
            operands.push(properties(out, resource)?);
        }
        ResourceClass::Cbv => {
            operands.push(Some(out.u32(detail.cbuffer_size)?));
            operands.push(None);
        }
        ResourceClass::Sampler => {
            operands.push(Some(out.u32(match detail.sampler {
                None | Some(SamplerKind::Default) => 0,
                Some(SamplerKind::Comparison) => 1,
                Some(SamplerKind::Mono) => 2,
                Some(SamplerKind::Invalid) => 3,
            })?));
            operands.push(None);
        }
    }
    out.tuple(&operands)
}

fn properties(out: &mut NodeWriter, resource: &Resource) -> Result<Option<MdId>> {
    let detail = &resource.detail;
    let mut list = Vec::new();
    let mut add = |out: &mut NodeWriter, tag: u32, value: MdId| -> Result<()> {
        list.push(Some(out.u32(tag)?));
        list.push(Some(value));
        Ok(())
    };
    if let Some(component) = detail.component {
        let value = out.u32(component as u32)?;
        add(out, tag::COMPONENT, value)?;
    }
    if let Some(stride) = detail.stride {
        let value = out.u32(stride)?;
        add(out, tag::STRIDE, value)?;
    }
    if let Some(kind) = detail.feedback {
        let value = out.u32(match kind {
            SamplerFeedbackKind::MinMip => 0,
            SamplerFeedbackKind::MipRegionUsed => 1,
        })?;
        add(out, tag::FEEDBACK, value)?;
    }
    for (tag, flag) in [
        (tag::ATOMIC64, detail.atomic64),
        (tag::REORDER_COHERENT, detail.reorder_coherent),
    ] {
        if flag {
            let value = out.bool(true)?;
            add(out, tag, value)?;
        }
    }
    out.tuple_or_null(&list)
}

/// Returns the type of a resource's variable, arrays included, as DXC would declare it.
fn variable_type(out: &mut NodeWriter, resource: &Resource) -> Result<TypeId> {
    let word = out.ty(Type::Int(32));
    let bytes = |out: &mut NodeWriter, count: u32| {
        let byte = out.ty(Type::Int(8));
        out.ty(Type::Array {
            element: byte,
            count: u64::from(count),
        })
    };
    let (name, content) = match resource.kind {
        ResourceKind::CBuffer => {
            let row = out.ty(Type::Float);
            let row = out.ty(Type::Vector {
                element: row,
                count: 4,
            });
            let rows = resource.detail.cbuffer_size.div_ceil(16);
            let rows = out.ty(Type::Array {
                element: row,
                count: u64::from(rows),
            });
            (
                format!("cb{}.{}", resource.space, resource.lower_bound),
                rows,
            )
        }
        ResourceKind::StructuredBuffer => {
            let stride = resource.detail.stride.unwrap_or(4);
            let content = bytes(out, stride);
            (format!("struct.StructuredBuffer{stride}"), content)
        }
        ResourceKind::RawBuffer => ("struct.ByteAddressBuffer".to_owned(), word),
        ResourceKind::Sampler => ("struct.SamplerState".to_owned(), word),
        ResourceKind::RtAccelerationStructure => {
            ("struct.RaytracingAccelerationStructure".to_owned(), word)
        }
        kind => {
            let component = resource.detail.component;
            let element = component_type(out, component);
            let content = out.ty(Type::Vector { element, count: 4 });
            let component = component.map_or_else(String::new, |it| format!("{it:?}"));
            (format!("class.{kind:?}<{component}>"), content)
        }
    };
    let ty = out.ty(Type::Struct {
        name: Some(name.into()),
        fields: TypeList::from_slice(&[content]),
        packed: false,
        opaque: false,
    });
    Ok(match resource.count {
        Some(1) => ty,
        count => out.ty(Type::Array {
            element: ty,
            count: u64::from(count.unwrap_or(0)),
        }),
    })
}

fn component_type(out: &mut NodeWriter, component: Option<ComponentType>) -> TypeId {
    use ComponentType::*;
    out.ty(match component {
        Some(I16 | U16) => Type::Int(16),
        Some(I64 | U64) => Type::Int(64),
        Some(F16 | SNormF16 | UNormF16) => Type::Half,
        Some(F32 | SNormF32 | UNormF32) => Type::Float,
        Some(F64 | SNormF64 | UNormF64) => Type::Double,
        Some(Invalid | I1 | I32 | U32 | PackedS8x32 | PackedU8x32) | None => Type::Int(32),
    })
}
