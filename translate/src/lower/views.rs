//! View instancing: `SV_ViewID`, and the viewport and layer of a view instance; and other outputs that
//! the shader does not name.

use dxil_frontend::dxil::{SemanticKind, ShaderKind};
use dxil_frontend::ir::FuncId;

use super::Lowering;
use super::context::Value;
use super::signature::Element;
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Id, Op};
use crate::{Result, ViewId};

impl Lowering<'_> {
    /// `viewID`.
    pub(super) fn view_id(&mut self) -> Result<Value> {
        Ok(Value::Id(self.view_instance()?))
    }

    fn view_instance(&mut self) -> Result<Id> {
        match self.options.signature.views.id {
            ViewId::ViewIndex => self.view_index(),
            ViewId::ViewIndexTable { spec_id } => {
                let index = self.view_index()?;
                Ok(self.entry_of_table(spec_id, index, 2))
            }
            ViewId::Constant(view) => Ok(self.b.const_u32(view)),
            ViewId::Specialized { spec_id } => Ok(self.b.spec_u32(spec_id)),
        }
    }

    fn view_index(&mut self) -> Result<Id> {
        self.require(Features::MULTIVIEW, "multiview", "SV_ViewID")?;
        self.b.extension_before(0x0001_0300, "SPV_KHR_multiview");
        Ok(self.system_input(BuiltIn::ViewIndex, Capability::MultiView))
    }

    /// Entry `index` of a specialization constant that holds entries of so many bits.
    fn entry_of_table(&mut self, spec_id: u32, index: Id, bits: u32) -> Id {
        let ty = self.b.u32();
        let table = self.b.spec_u32(spec_id);
        let offset = self.b.u32_mul(index, bits);
        let count = self.b.const_u32(bits);
        self.b
            .emit(Op::BitFieldUExtract, ty, &[table, offset, count])
    }

    /// What the view instance adds to the built-in, if anything.
    fn view_offset(&mut self, built_in: BuiltIn) -> Result<Option<Id>> {
        let views = self.options.signature.views;
        let table = match built_in {
            BuiltIn::ViewportIndex => views.viewports,
            BuiltIn::Layer => views.layers,
            _ => None,
        };
        match table {
            Some(spec_id) if self.entry.kind != ShaderKind::Hull => {
                let view = self.view_instance()?;
                Ok(Some(self.entry_of_table(spec_id, view, 8)))
            }
            _ => Ok(None),
        }
    }

    /// A viewport or layer index as it is written, the view instance's own offset included.
    pub(super) fn add_view_offset(&mut self, place: Element, value: Id) -> Result<Id> {
        let views = self.options.signature.views;
        if views.viewports.is_none() && views.layers.is_none() {
            return Ok(value);
        }
        for built_in in [BuiltIn::ViewportIndex, BuiltIn::Layer] {
            if self.inputs.variable(place.class, built_in) == Some(place.variable)
                && let Some(offset) = self.view_offset(built_in)?
            {
                return Ok(self.b.u32_add(value, offset));
            }
        }
        Ok(value)
    }

    /// Code at the start of a function.
    pub(super) fn begin_views(&mut self, function: FuncId) -> Result<()> {
        let is_entry = self.entry.function == Some(function);
        match self.entry.kind {
            ShaderKind::Vertex | ShaderKind::Domain if is_entry => {
                self.write_point_size();
                self.write_view_place()
            }
            _ => Ok(()),
        }
    }

    /// Points are one pixel large in D3D12.
    pub(super) fn write_point_size(&mut self) {
        if !self.options.signature.write_point_size {
            return;
        }
        match self.entry.kind {
            ShaderKind::Domain => self.b.capability(Capability::TessellationPointSize),
            ShaderKind::Geometry => self.b.capability(Capability::GeometryPointSize),
            _ => {}
        }
        let ty = self.b.f32();
        let variable = self.built_in_output(BuiltIn::PointSize, ty);
        let one = self.b.const_f32(1.0);
        self.b.store(variable, one);
    }

    /// Writes the view instance's viewport and layer where the shader does not choose any: at the
    /// start of a vertex or domain shader, with each vertex of a geometry shader.
    pub(super) fn write_view_place(&mut self) -> Result<()> {
        let views = self.options.signature.views;
        let tables = [
            (
                views.viewports,
                SemanticKind::ViewPortArrayIndex,
                BuiltIn::ViewportIndex,
            ),
            (
                views.layers,
                SemanticKind::RenderTargetArrayIndex,
                BuiltIn::Layer,
            ),
        ];
        for (table, semantic, built_in) in tables {
            let is_chosen = self.entry.outputs.iter().any(|e| e.semantic == semantic);
            if table.is_none() || is_chosen {
                continue;
            }
            let Some(place) = self.view_offset(built_in)? else {
                continue;
            };
            self.layer_capability(built_in == BuiltIn::Layer, false)?;
            let ty = self.b.u32();
            let variable = self.built_in_output(built_in, ty);
            self.b.store(variable, place);
        }
        Ok(())
    }
}
