//! Resource declarations: the `dx.resources` metadata (DXIL document, "Shader Resources").

use super::metadata::{Meta, operand};
use crate::enumeration::enumeration;
use crate::error::{Error, Result};
use crate::ir::{MdId, Type, TypeId, ValueId, address_space};

/// Class of a resource: its register letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ResourceClass {
    /// Shader resource view, `t`.
    Srv,
    /// Unordered access view, `u`.
    Uav,
    /// Constant buffer view, `b`.
    Cbv,
    /// Sampler, `s`.
    Sampler,
}

impl ResourceClass {
    /// Returns the variant with this number in DXIL (0 SRV, 1 UAV, 2 CBuffer, 3 Sampler).
    pub fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => ResourceClass::Srv,
            1 => ResourceClass::Uav,
            2 => ResourceClass::Cbv,
            3 => ResourceClass::Sampler,
            _ => return None,
        })
    }

    /// Returns the register letter: `t`, `u`, `b` or `s`.
    pub fn letter(self) -> char {
        match self {
            ResourceClass::Srv => 't',
            ResourceClass::Uav => 'u',
            ResourceClass::Cbv => 'b',
            ResourceClass::Sampler => 's',
        }
    }
}

enumeration! {
    /// Shape of a resource, DXIL's numbers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[allow(missing_docs, reason = "DXIL's own names")]
    ResourceKind from u64 {
        Invalid = 0,
        Texture1D = 1,
        Texture2D = 2,
        Texture2DMS = 3,
        Texture3D = 4,
        TextureCube = 5,
        Texture1DArray = 6,
        Texture2DArray = 7,
        Texture2DMSArray = 8,
        TextureCubeArray = 9,
        TypedBuffer = 10,
        RawBuffer = 11,
        StructuredBuffer = 12,
        CBuffer = 13,
        Sampler = 14,
        TBuffer = 15,
        RtAccelerationStructure = 16,
        FeedbackTexture2D = 17,
        FeedbackTexture2DArray = 18,
    }
}

impl ResourceKind {
    /// Returns whether it is a texture (feedback textures not counted).
    pub fn is_texture(self) -> bool {
        (ResourceKind::Texture1D as u8..=ResourceKind::TextureCubeArray as u8)
            .contains(&(self as u8))
    }
}

enumeration! {
    /// Component type of a typed resource or signature element, DXIL's numbers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[allow(missing_docs, reason = "DXIL's own names")]
    ComponentType from u64 {
        Invalid = 0,
        I1 = 1,
        I16 = 2,
        U16 = 3,
        I32 = 4,
        U32 = 5,
        I64 = 6,
        U64 = 7,
        F16 = 8,
        F32 = 9,
        F64 = 10,
        SNormF16 = 11,
        UNormF16 = 12,
        SNormF32 = 13,
        UNormF32 = 14,
        SNormF64 = 15,
        UNormF64 = 16,
        PackedS8x32 = 17,
        PackedU8x32 = 18,
    }
}

/// Kind of a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SamplerKind {
    /// An ordinary sampler.
    Default,
    /// A comparison sampler.
    Comparison,
    /// A mono sampler (never written by DXC).
    Mono,
    /// Any other number.
    Invalid,
}

/// Kind of a sampler feedback texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SamplerFeedbackKind {
    /// Lowest mip per region.
    MinMip,
    /// Mips used per region.
    MipRegionUsed,
}

/// One declared resource (a range of registers).
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Class; with `id` it is what `createHandle` names.
    pub class: ResourceClass,
    /// Number within its class (range id).
    pub id: u32,
    /// The variable that represents it (undef in optimised modules).
    pub variable: Option<ValueId>,
    /// HLSL type of the variable, element of arrays included.
    pub ty: Option<TypeId>,
    /// Name in the source; may be empty.
    pub name: Box<str>,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Number of registers; `None` is unbounded.
    pub count: Option<u32>,
    /// Shape.
    pub kind: ResourceKind,
    /// The rest, by class and shape.
    pub detail: ResourceDetail,
}

impl Resource {
    /// Returns the last register; `u32::MAX` for a range without end.
    pub fn last_register(&self) -> u32 {
        match self.count {
            Some(count) => self.lower_bound.wrapping_add(count).wrapping_sub(1),
            None => u32::MAX,
        }
    }
}

/// Properties of some resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResourceDetail {
    /// Component type of typed buffers and textures.
    pub component: Option<ComponentType>,
    /// Bytes per element of a structured buffer.
    pub stride: Option<u32>,
    /// Samples of a multisampled texture, 0 if not stated.
    pub sample_count: u32,
    /// UAV: `globallycoherent`.
    pub globally_coherent: bool,
    /// UAV: has a hidden counter.
    pub has_counter: bool,
    /// UAV: rasterizer ordered.
    pub rasterizer_ordered: bool,
    /// UAV: used by 64-bit atomics.
    pub atomic64: bool,
    /// UAV: `reordercoherent` (SM 6.9).
    pub reorder_coherent: bool,
    /// Kind of a feedback texture.
    pub feedback: Option<SamplerFeedbackKind>,
    /// CBV: size in bytes.
    pub cbuffer_size: u32,
    /// Sampler: its kind.
    pub sampler: Option<SamplerKind>,
}

/// All declared resources, each class in the order of its range ids.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resources {
    /// SRVs.
    pub srvs: Vec<Resource>,
    /// UAVs.
    pub uavs: Vec<Resource>,
    /// Constant buffers.
    pub cbvs: Vec<Resource>,
    /// Samplers.
    pub samplers: Vec<Resource>,
}

impl Resources {
    /// Returns the resources of a class.
    pub fn of(&self, class: ResourceClass) -> &[Resource] {
        match class {
            ResourceClass::Srv => &self.srvs,
            ResourceClass::Uav => &self.uavs,
            ResourceClass::Cbv => &self.cbvs,
            ResourceClass::Sampler => &self.samplers,
        }
    }

    /// Returns the resource with that range id.
    pub fn find(&self, class: ResourceClass, id: u32) -> Option<&Resource> {
        let list = self.of(class);
        // DXIL document, "Resource handles": the range id is the place in the list. Only modules
        // that break this rule need the search.
        let at_index = list.get(id as usize).filter(|r| r.id == id);
        at_index.or_else(|| {
            let first = list.partition_point(|r| r.id < id);
            list.get(first).filter(|r| r.id == id)
        })
    }

    /// Returns all of them with class and position in its list, in the order of [`Self::iter`].
    pub(crate) fn places(&self) -> impl Iterator<Item = ((ResourceClass, usize), &Resource)> {
        use ResourceClass::{Cbv, Sampler, Srv, Uav};
        [Srv, Uav, Cbv, Sampler].into_iter().flat_map(|class| {
            let list = self.of(class).iter().enumerate();
            list.map(move |(position, resource)| ((class, position), resource))
        })
    }

    /// Returns all of them: SRVs, UAVs, constant buffers, samplers.
    pub fn iter(&self) -> ResourceIter<'_> {
        self.into_iter()
    }

    /// Returns all of them in the same order, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Resource> {
        self.srvs
            .iter_mut()
            .chain(&mut self.uavs)
            .chain(&mut self.cbvs)
            .chain(&mut self.samplers)
    }
}

/// All resources, in the order of [`Resources::iter`].
#[derive(Debug, Clone)]
pub struct ResourceIter<'a>([std::slice::Iter<'a, Resource>; 4]);

impl<'a> Iterator for ResourceIter<'a> {
    type Item = &'a Resource;

    fn next(&mut self) -> Option<&'a Resource> {
        self.0.iter_mut().find_map(Iterator::next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.iter().map(ExactSizeIterator::len).sum();
        (count, Some(count))
    }
}

impl ExactSizeIterator for ResourceIter<'_> {}

impl<'a> IntoIterator for &'a Resources {
    type Item = &'a Resource;
    type IntoIter = ResourceIter<'a>;

    fn into_iter(self) -> ResourceIter<'a> {
        let lists = [&self.srvs, &self.uavs, &self.cbvs, &self.samplers];
        ResourceIter(lists.map(|list| list.iter()))
    }
}

/// Reads `dx.resources`: a list per class, each `null` where it is empty. Leaves out what `handle`
/// accepts the error of.
pub(super) fn decode(
    meta: &Meta<'_>,
    list: Option<MdId>,
    handle: &mut dyn FnMut(Error) -> Result<()>,
) -> Result<Resources> {
    let classes = meta.tuple_or_null(list, "resources")?;
    let mut class = |index: usize, class: ResourceClass| -> Result<Vec<Resource>> {
        let nodes = meta.tuple_or_null(operand(classes, index), "resources of a class")?;
        let mut list = Vec::with_capacity(nodes.len());
        for node in nodes {
            match decode_resource(meta, *node, class) {
                Ok(resource) => list.push(resource),
                Err(error) => handle(error)?,
            }
        }
        // Compilers write them in order.
        list.sort_by_key(|resource| resource.id);
        Ok(list)
    };
    Ok(Resources {
        srvs: class(0, ResourceClass::Srv)?,
        uavs: class(1, ResourceClass::Uav)?,
        cbvs: class(2, ResourceClass::Cbv)?,
        samplers: class(3, ResourceClass::Sampler)?,
    })
}

fn decode_resource(meta: &Meta<'_>, node: Option<MdId>, class: ResourceClass) -> Result<Resource> {
    let operands = meta.tuple(node, "resource")?;
    let at = |index: usize| operand(operands, index);
    let count = meta.u32(at(5), "register count of a resource")?;
    let pointer = meta.type_of(at(1));
    let is_shared = pointer.is_some_and(|ty| {
        matches!(
            meta.module.types.get(ty),
            Type::Pointer {
                address_space: address_space::GROUP_SHARED,
                ..
            }
        )
    });
    // Its type would be that of a resource or a handle, and no resource lies there.
    if is_shared {
        return Err(Error::malformed(
            "the variable of a resource is groupshared memory",
        ));
    }
    let mut resource = Resource {
        class,
        id: meta.u32(at(0), "range id of a resource")?,
        variable: meta.value(at(1)),
        ty: pointer.and_then(|ty| meta.module.types.pointee(ty)),
        name: meta.text(at(2), "name of a resource")?,
        space: meta.u32(at(3), "space of a resource")?,
        lower_bound: meta.u32(at(4), "register of a resource")?,
        // DXC writes the largest number for an unbounded array, Mesa 0.
        count: Some(count).filter(|count| !matches!(count, 0 | &u32::MAX)),
        kind: ResourceKind::Invalid,
        detail: ResourceDetail::default(),
    };
    let detail = &mut resource.detail;
    let kind =
        |index: usize| meta.enumerator(at(index), "kind of a resource", ResourceKind::from_number);
    match class {
        ResourceClass::Srv => {
            resource.kind = kind(6)?;
            detail.sample_count = meta.u32(at(7), "samples of a texture")?;
            decode_properties(meta, at(8), detail)?;
        }
        ResourceClass::Uav => {
            resource.kind = kind(6)?;
            detail.globally_coherent = meta.bool(at(7), "globallycoherent")?;
            detail.has_counter = meta.bool(at(8), "counter of a resource")?;
            detail.rasterizer_ordered = meta.bool(at(9), "rasterizer order of a resource")?;
            decode_properties(meta, at(10), detail)?;
        }
        ResourceClass::Cbv => {
            resource.kind = ResourceKind::CBuffer;
            detail.cbuffer_size = meta.u32(at(6), "size of a constant buffer")?;
        }
        ResourceClass::Sampler => {
            resource.kind = ResourceKind::Sampler;
            detail.sampler = Some(match meta.int(at(6), "kind of a sampler")? {
                0 => SamplerKind::Default,
                1 => SamplerKind::Comparison,
                2 => SamplerKind::Mono,
                _ => SamplerKind::Invalid,
            });
        }
    }
    Ok(resource)
}

/// Reads the list of tags and values at the end of an SRV or UAV.
fn decode_properties(
    meta: &Meta<'_>,
    node: Option<MdId>,
    detail: &mut ResourceDetail,
) -> Result<()> {
    for (tag, value) in meta.pairs(node, "properties of a resource")? {
        match meta.int(tag, "tag of a resource's property")? {
            0 => {
                detail.component = Some(meta.enumerator(
                    value,
                    "component type of a resource",
                    ComponentType::from_number,
                )?);
            }
            1 => detail.stride = Some(meta.u32(value, "stride of a buffer")?),
            2 => {
                detail.feedback = match meta.int(value, "kind of sampler feedback")? {
                    0 => Some(SamplerFeedbackKind::MinMip),
                    1 => Some(SamplerFeedbackKind::MipRegionUsed),
                    _ => None,
                };
            }
            3 => detail.atomic64 = meta.bool(value, "use of 64-bit atomics")?,
            4 => detail.reorder_coherent = meta.bool(value, "reordercoherent")?,
            _ => {}
        }
    }
    Ok(())
}
