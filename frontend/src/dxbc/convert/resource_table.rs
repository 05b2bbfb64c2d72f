//! The declared ranges of resources, as a shader lists them and as instructions name them.

use super::module::ModuleBuilder;
use crate::dxbc::declarations::{Declarations, ResourceDeclaration};
use crate::dxil::{
    ComponentType, Contradiction, Resource, ResourceClass, ResourceDetail, ResourceKind, Resources,
};
use crate::error::{Error, Result};
use crate::tables::{HashMap, HashSet};

/// The properties of a resource that the conversion of instructions needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Number within its class.
    pub(super) id: u32,
    pub(super) kind: ResourceKind,
    pub(super) component: Option<ComponentType>,
    /// Bytes of a structured buffer's element.
    pub(super) stride: Option<u32>,
}

impl Known {
    /// Returns whether its components are floats.
    pub(super) fn is_float(&self) -> bool {
        !matches!(
            self.component,
            Some(ComponentType::I32 | ComponentType::U32) | None
        )
    }

    /// Returns the coordinates that a texel has.
    pub(super) fn coordinates(&self) -> u8 {
        use ResourceKind as K;
        match self.kind {
            K::Texture2D | K::Texture2DMS | K::Texture1DArray => 2,
            K::Texture3D | K::TextureCube | K::Texture2DArray | K::Texture2DMSArray => 3,
            K::TextureCubeArray => 4,
            _ => 1,
        }
    }

    /// Returns the number of dimensions without the layer: those that have offsets, derivatives and
    /// sizes.
    pub(super) fn dimensions(&self) -> u8 {
        use ResourceKind as K;
        match self.kind {
            K::Texture2D | K::Texture2DMS | K::Texture2DArray | K::Texture2DMSArray => 2,
            K::Texture3D | K::TextureCube | K::TextureCubeArray => 3,
            _ => 1,
        }
    }

    /// Returns whether it is made of texels in one row.
    pub(super) fn is_buffer(&self) -> bool {
        matches!(
            self.kind,
            ResourceKind::TypedBuffer | ResourceKind::RawBuffer | ResourceKind::StructuredBuffer
        )
    }
}

/// All resources, by class and by what instructions name them.
#[derive(Debug, Default)]
pub(super) struct ResourceTable {
    pub(super) known: HashMap<(ResourceClass, u32), Known>,
    pub(super) lower_bounds: HashMap<(ResourceClass, u32), u32>,
    /// As a shader lists them.
    pub(super) list: Resources,
    /// The resources whose accesses contradict their declarations.
    pub(super) contradictions: Vec<Contradiction>,
    contradicted: HashSet<Contradiction>,
}

impl ResourceTable {
    pub(super) fn new(declarations: &Declarations, module: &mut ModuleBuilder) -> Result<Self> {
        let mut table = ResourceTable::default();
        for declared in &declarations.resources {
            table.add(declared, module)?;
        }
        Ok(table)
    }

    /// Adds a declared range.
    pub(super) fn add(
        &mut self,
        declared: &ResourceDeclaration,
        module: &mut ModuleBuilder,
    ) -> Result<()> {
        let list = match declared.class {
            ResourceClass::Srv => &mut self.list.srvs,
            ResourceClass::Uav => &mut self.list.uavs,
            ResourceClass::Cbv => &mut self.list.cbvs,
            ResourceClass::Sampler => &mut self.list.samplers,
        };
        let id = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let key = (declared.class, declared.id);
        let known = Known {
            id,
            kind: declared.kind,
            component: declared.component,
            stride: declared.stride,
        };
        if self.known.insert(key, known).is_some() {
            // Instructions name the register only, so a second declaration would be ambiguous.
            return Err(Error::malformed(format!(
                "{}{} is declared twice",
                declared.class.letter(),
                declared.id
            )));
        }
        self.lower_bounds.insert(key, declared.lower_bound);
        // Nothing names it, so any type serves.
        let ty = module.types.i32;
        let pointer = module.pointer(ty, 0);
        list.push(Resource {
            class: declared.class,
            id,
            variable: Some(module.undef(pointer)),
            ty: Some(ty),
            name: Box::default(),
            space: declared.space,
            lower_bound: declared.lower_bound,
            count: declared.count,
            kind: declared.kind,
            detail: ResourceDetail {
                component: declared.component,
                stride: declared.stride,
                sample_count: declared.sample_count,
                globally_coherent: declared.globally_coherent,
                has_counter: declared.has_counter,
                rasterizer_ordered: declared.rasterizer_ordered,
                // A size of 0 is any. D3D11.3 functional specification, 5.3.4.3.2: a shader
                // sees at most 4096 registers.
                cbuffer_size: match (declared.class, declared.registers) {
                    (ResourceClass::Cbv, 0) => 4096 * 16,
                    (ResourceClass::Cbv, registers) => registers.min(4096) * 16,
                    _ => 0,
                },
                sampler: declared.sampler,
                ..ResourceDetail::default()
            },
        });
        Ok(())
    }

    /// Notes that an instruction takes a resource for another kind.
    pub(super) fn contradict(&mut self, class: ResourceClass, id: u32) {
        let list = match class {
            ResourceClass::Srv => &self.list.srvs,
            ResourceClass::Uav => &self.list.uavs,
            ResourceClass::Cbv => &self.list.cbvs,
            ResourceClass::Sampler => &self.list.samplers,
        };
        let Some(resource) = list.get(id as usize) else {
            return;
        };
        let contradiction = Contradiction {
            class,
            kind: resource.kind,
            space: resource.space,
            register: resource.lower_bound,
        };
        if self.contradicted.insert(contradiction) {
            self.contradictions.push(contradiction);
        }
    }

    /// Notes that a counter is used.
    pub(super) fn use_counter(&mut self, id: u32) {
        if let Some(resource) = self.list.uavs.get_mut(id as usize) {
            resource.detail.has_counter = true;
        }
    }
}
