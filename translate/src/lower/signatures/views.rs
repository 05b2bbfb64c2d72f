//! View instancing: `SV_ViewID`, and the viewport and layer of a view instance; and other outputs that
//! the shader does not name.

use dxil_frontend::dxil::{SemanticKind, ShaderKind, Stage};
use dxil_frontend::ir::FuncId;

use super::elements::Element;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Decoration, Id, Op, StorageClass};
use crate::{Result, ViewId};

impl Lowering<'_> {
    /// `viewID`.
    pub(in crate::lower) fn view_id(&mut self) -> Result<Value> {
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
            ViewId::UniformWord(slot) => {
                let word = self.uniform_word(slot);
                Ok(self.half_word(word, 0))
            }
        }
    }

    fn view_index(&mut self) -> Result<Id> {
        self.require(Features::MULTIVIEW, "multiview", "SV_ViewID")?;
        self.b.extension_before(0x0001_0300, "SPV_KHR_multiview");
        Ok(self.system_input(BuiltIn::ViewIndex, Capability::MultiView))
    }

    /// The 16 bits of a word that begin at a bit.
    fn half_word(&mut self, word: Id, first: u32) -> Id {
        let ty = self.b.u32();
        let first = self.b.const_u32(first);
        let count = self.b.const_u32(16);
        self.b.emit(Op::BitFieldUExtract, ty, &[word, first, count])
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
        if self.entry.kind == ShaderKind::Hull {
            return Ok(None);
        }
        let table = match built_in {
            BuiltIn::ViewportIndex => views.viewports,
            BuiltIn::Layer => views.layers,
            _ => None,
        };
        let mut sum = None;
        if let Some(spec_id) = table {
            let view = self.view_instance()?;
            sum = Some(self.entry_of_table(spec_id, view, 8));
        }
        if let (BuiltIn::Layer, Some(slot)) = (built_in, views.layer_offset) {
            let word = self.uniform_word(slot);
            let offset = self.half_word(word, 16);
            sum = Some(match sum {
                Some(layer) => self.b.u32_add(layer, offset),
                None => offset,
            });
        }
        Ok(sum)
    }

    /// A viewport or layer index as it is written, the view instance's own offset included.
    pub(in crate::lower) fn add_view_offset(&mut self, place: Element, value: Id) -> Result<Id> {
        let views = self.options.signature.views;
        if views.viewports.is_none() && views.layers.is_none() && views.layer_offset.is_none() {
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
    pub(in crate::lower) fn begin_views(&mut self, function: FuncId) -> Result<()> {
        let is_entry = self.entry.function == Some(function);
        match self.entry.kind {
            ShaderKind::Vertex | ShaderKind::Domain if is_entry => {
                self.write_point_size();
                self.write_view_place()
            }
            _ => Ok(()),
        }
    }

    /// An entry point that runs another only for a view instance whose bit is set in a mask, if there is
    /// one. Vertices of others lie outside of every view volume; geometry and mesh shaders emit none.
    pub(in crate::lower) fn masked_entry(&mut self, inner: Id) -> Result<Id> {
        let mask = match self.entry.kind {
            ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry | ShaderKind::Mesh => {
                self.options.signature.views.mask
            }
            _ => None,
        };
        let Some(mask) = mask else {
            return Ok(inner);
        };
        self.entry_around(|l| {
            let word = l.b.u32();
            let bool_ty = l.b.bool();
            let mask = l.uniform_word(mask);
            let view = l.view_instance()?;
            let one = l.b.const_u32(1);
            let bit = l.b.emit(Op::BitFieldUExtract, word, &[mask, view, one]);
            let zero = l.b.const_u32(0);
            let drawn = l.b.emit(Op::INotEqual, bool_ty, &[bit, zero]);
            let [then, otherwise, merge] = [(); 3].map(|()| l.b.fresh());
            l.b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
            l.b.emit_void(Op::BranchConditional, &[drawn, then, otherwise]);
            l.b.label(then);
            let void = l.b.void();
            l.b.emit(Op::FunctionCall, void, &[inner]);
            l.b.emit_void(Op::Branch, &[merge]);
            l.b.label(otherwise);
            l.emit_nothing();
            l.b.emit_void(Op::Branch, &[merge]);
            l.b.label(merge);
            l.b.emit_void::<u32>(Op::Return, &[]);
            Ok(())
        })
    }

    fn emit_nothing(&mut self) {
        match self.entry.kind {
            ShaderKind::Mesh => {
                let zero = self.b.const_u32(0);
                self.b.emit_void(Op::SetMeshOutputsEXT, &[zero, zero]);
            }
            ShaderKind::Vertex | ShaderKind::Domain => {
                let float = self.b.f32();
                let vector = self.b.vector(float, 4);
                let variable = self
                    .inputs
                    .variable(StorageClass::Output, BuiltIn::Position);
                if let Some(position) = variable {
                    // Nothing lies between w and -w where w is negative.
                    let outside = self.b.const_f32(-1.0);
                    let outside = self.b.const_composite(vector, &[outside; 4]);
                    self.b.store(position, outside);
                }
            }
            _ => {}
        }
    }

    /// Points are one pixel large in D3D12.
    pub(in crate::lower) fn write_point_size(&mut self) {
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
    pub(in crate::lower) fn write_view_place(&mut self) -> Result<()> {
        for built_in in self.unchosen_places() {
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

    /// The same in a mesh shader, for all of its primitives: each thread writes some of them.
    pub(in crate::lower) fn write_primitives_view_place(&mut self, primitives: Id) -> Result<()> {
        let Stage::Mesh { max_primitives, .. } = self.entry.stage else {
            return Ok(());
        };
        let most = max_primitives.max(1);
        for built_in in self.unchosen_places() {
            let Some(place) = self.view_offset(built_in)? else {
                continue;
            };
            let word = self.b.u32();
            let bool_ty = self.b.bool();
            let array = self.b.array(word, most);
            let variable = self.built_in_output(built_in, array);
            self.b.decorate_once(variable, Decoration::PerPrimitiveEXT);
            let thread = self.load_u32_built_in(BuiltIn::LocalInvocationIndex);
            let threads = self.entry.num_threads.unwrap_or([1; 3]);
            let threads = threads.iter().fold(1_u32, |a, &b| a.saturating_mul(b));
            for first in (0..most).step_by(threads.max(1) as usize) {
                let first = self.b.const_u32(first);
                let primitive = self.b.u32_add(thread, first);
                let there = self
                    .b
                    .emit(Op::ULessThan, bool_ty, &[primitive, primitives]);
                let part = self.begin_if(there);
                let pointer_ty = self.b.pointer(StorageClass::Output, word);
                let pointer = self.b.access_chain(pointer_ty, variable, &[primitive]);
                self.b.store(pointer, place);
                self.end_if(part);
            }
        }
        Ok(())
    }

    /// Viewport and layer, as far as view instances have one and the shader does not write it.
    fn unchosen_places(&self) -> impl Iterator<Item = BuiltIn> + use<> {
        let views = self.options.signature.views;
        let entry = self.entry;
        let is_chosen = |semantic| {
            let mut written = entry.outputs.iter().chain(&entry.patch_constants);
            written.any(|element| element.semantic == semantic)
        };
        let viewport = views.viewports.is_some() && !is_chosen(SemanticKind::ViewPortArrayIndex);
        let layer = (views.layers.is_some() || views.layer_offset.is_some())
            && !is_chosen(SemanticKind::RenderTargetArrayIndex);
        let viewport = viewport.then_some(BuiltIn::ViewportIndex);
        viewport.into_iter().chain(layer.then_some(BuiltIn::Layer))
    }
}
