//! `bufferLoad` and `bufferStore`: typed buffers, and in early shader models raw and structured ones.

use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use crate::interface::Shape;
use crate::lower::Lowering;
use crate::lower::context::{Call, Part, Value};
use crate::lower::images::bounds::Texel;
use crate::lower::images::types::texel_scalar;
use crate::lower::resources::variables::Handle;
use crate::lower::types::Scalar;
use crate::spirv::{Id, Op};
use crate::{Error, Numeric, Result, TexelFormat};

impl<'a> Lowering<'a> {
    /// `bufferLoad`.
    pub(in crate::lower) fn buffer_load(
        &mut self,
        call: &Call,
        op: &calls::BufferLoad,
    ) -> Result<Value> {
        let handle = self.handle(op.buffer)?;
        match handle.view.shape {
            Shape::Words => {
                let address = self.buffer_address(&handle, op.index, op.element_offset.expand())?;
                self.load_struct(call, &handle, address)
            }
            Shape::ConvertedTexels(format) => self.load_converted(call, &handle, format, op.index),
            Shape::TexelBuffer => {
                let index = self.id(op.index)?;
                let index = self.placed_texel(&handle, index);
                let (image, _) = self.object(&handle)?;
                let storage = handle.view.class == dxil_frontend::dxil::ResourceClass::Uav;
                let instruction = if storage {
                    Op::ImageRead
                } else {
                    Op::ImageFetch
                };
                let ty = self.texel_vector_ty(&handle);
                let mut at = Texel::at(image, index);
                let inside = self.texel_in_bounds(&handle, &at)?;
                if let Some(inside) = inside {
                    at = self.or_first_texel(&handle, at, inside)?;
                }
                let mut texel = self.b.emit(instruction, ty, &[image, at.coords]);
                if let Some(inside) = inside {
                    texel = self.or_zero_texel(ty, inside, texel);
                }
                let resident = self.b.const_u32(1);
                self.texel_result(call, &handle, texel, resident)
            }
            _ => Err(Error::malformed(format!(
                "bufferLoad of {}",
                handle.view.describe()
            ))),
        }
    }

    fn load_converted(
        &mut self,
        call: &Call,
        handle: &Handle<'a>,
        format: TexelFormat,
        index: ValueId,
    ) -> Result<Value> {
        let Some(result) = call.result else {
            return Ok(Value::Unset);
        };
        let index = self.id(index)?;
        let fields = self.fields(call.ty)?;
        let Some(&first) = fields.first() else {
            return Err(Error::malformed("a buffer load gives nothing"));
        };
        let scalar = self.scalar(first)?;
        let used = u32::from(self.resources.used_members(result)) & 0xf;
        let mut parts = [Part::Id(Id::NONE); 5];
        if scalar.bits() == 64 {
            // One 64-bit component; the other members are zero.
            let bits = self.load_wide_texel(handle, format, index, scalar)?;
            let ty = self.scalar_ty(scalar)?;
            let zero = self.b.const_null(ty);
            parts = [Part::Id(zero); 5];
            parts[0] = Part::Id(bits);
        } else {
            let texel = self.load_texel(handle, format, index, used)?;
            for (part, id) in parts.iter_mut().zip(texel) {
                if !id.is_none() {
                    *part = Part::Id(self.from_texel_component(format, id, scalar)?);
                }
            }
        }
        parts[4] = Part::Id(self.b.const_u32(1));
        self.fill_unused(&mut parts, &fields)?;
        Ok(self.values.parts(parts.into_iter().take(fields.len())))
    }

    fn load_wide_texel(
        &mut self,
        handle: &Handle<'a>,
        format: TexelFormat,
        index: Id,
        scalar: Scalar,
    ) -> Result<Id> {
        if format.bytes() != 8 {
            return Err(Error::unsupported(format!(
                "64-bit components in texels of format {format:?}"
            )));
        }
        let base = self.b.u32_mul(index, 2);
        let leaf = crate::lower::resources::variables::Leaf::U32;
        let low = self.load_word(handle, leaf, base, 0)?;
        let high = self.load_word(handle, leaf, base, 1)?;
        self.join_words(low, high, scalar)
    }

    /// A component that the codec gave as the shader's type.
    fn from_texel_component(&mut self, format: TexelFormat, id: Id, scalar: Scalar) -> Result<Id> {
        let float = is_float(format);
        Ok(match (float, scalar) {
            (true, Scalar::Float { width: 16, .. }) => {
                let ty = self.b.float(16);
                self.b.emit(Op::FConvert, ty, &[id])
            }
            (true, Scalar::Float { .. }) => id,
            (false, Scalar::Int { width: 16, .. }) => {
                let ty = self.b.uint(16);
                self.b.emit(Op::UConvert, ty, &[id])
            }
            (false, Scalar::Int { .. }) => id,
            // Bits of the other class: an integer view of a float resource, or the reverse.
            (false, Scalar::Float { width: 32, .. }) => {
                let ty = self.b.f32();
                self.b.bitcast(ty, id)
            }
            (true, Scalar::Int { width: 32, .. }) => {
                let ty = self.b.u32();
                self.b.bitcast(ty, id)
            }
            _ => {
                return Err(Error::unsupported(format!(
                    "texels of format {format:?} as {scalar:?}"
                )));
            }
        })
    }

    /// `bufferStore`.
    pub(in crate::lower) fn buffer_store(&mut self, op: &calls::BufferStore) -> Result<Value> {
        let handle = self.handle(op.buffer)?;
        match handle.view.shape {
            Shape::Words => {
                let address = self.buffer_address(&handle, op.index, op.element_offset.expand())?;
                self.store_masked(&handle, address, op.values, op.mask)?;
            }
            Shape::ConvertedTexels(format) => {
                self.store_converted(&handle, format, op.index, op.values)?;
            }
            Shape::TexelBuffer => {
                let index = self.id(op.index)?;
                let index = self.placed_texel(&handle, index);
                let texel = self.texel_operand(&handle, op.values)?;
                let (image, _) = self.object(&handle)?;
                let inside = self.texel_in_bounds(&handle, &Texel::at(image, index))?;
                let guard = inside.map(|inside| self.begin_if(inside));
                self.b.emit_void(Op::ImageWrite, &[image, index, texel]);
                if let Some(guard) = guard {
                    self.end_if(guard);
                }
            }
            _ => {
                return Err(Error::malformed(format!(
                    "bufferStore to {}",
                    handle.view.describe()
                )));
            }
        }
        Ok(Value::Unset)
    }

    fn store_converted(
        &mut self,
        handle: &Handle<'a>,
        format: TexelFormat,
        index: ValueId,
        values: [ValueId; 4],
    ) -> Result<()> {
        let index = self.id(index)?;
        let scalar = self.scalar(self.type_of(values[0])?)?;
        if scalar.bits() == 64 {
            if format.bytes() != 8 {
                return Err(Error::unsupported(format!(
                    "64-bit components in texels of format {format:?}"
                )));
            }
            let value = self.id(values[0])?;
            let base = self.b.u32_mul(index, 2);
            for (n, half) in (0..).zip(self.split_words(value, scalar)) {
                self.store_word(
                    handle,
                    crate::lower::resources::variables::Leaf::U32,
                    base,
                    n,
                    half,
                )?;
            }
            return Ok(());
        }
        let mut components = [Id::NONE; 4];
        let count = format.components().len();
        for (component, value) in components.iter_mut().zip(values).take(count) {
            let id = if self.is_undef(value) {
                match scalar {
                    Scalar::Float { width, .. } => self.b.const_float(width, 0.0),
                    _ => self.b.const_uint(scalar.width(), 0),
                }
            } else {
                self.id(value)?
            };
            *component = self.to_texel_component(format, id, scalar)?;
        }
        self.store_texel(handle, format, index, components)
    }

    fn to_texel_component(&mut self, format: TexelFormat, id: Id, scalar: Scalar) -> Result<Id> {
        let f32_ty = self.b.f32();
        let word = self.b.u32();
        Ok(match (is_float(format), scalar) {
            (true, Scalar::Float { width: 16, .. }) => self.b.emit(Op::FConvert, f32_ty, &[id]),
            (true, Scalar::Float { .. }) => id,
            (true, Scalar::Int { width: 32, .. }) => self.b.bitcast(f32_ty, id),
            (false, Scalar::Int { bits, width }) => {
                let signed = format.numeric() == Numeric::Sint;
                self.extend_to_word(id, bits, width, signed)
            }
            (false, Scalar::Float { width: 32, .. }) => self.b.bitcast(word, id),
            _ => {
                return Err(Error::unsupported(format!(
                    "{scalar:?} as texels of format {format:?}"
                )));
            }
        })
    }

    /// An integer of 16 or 32 bits in its representation as a full word.
    pub(in crate::lower) fn extend_to_word(
        &mut self,
        id: Id,
        bits: u32,
        width: u32,
        signed: bool,
    ) -> Id {
        let word = self.b.u32();
        if width == 16 {
            let instruction = if signed { Op::SConvert } else { Op::UConvert };
            return self.b.emit(instruction, word, &[id]);
        }
        if bits >= 32 {
            return id;
        }
        // The upper bits of a widened integer may be anything.
        if !signed {
            return self.b.u32_and(id, (1 << bits) - 1);
        }
        let up = self.b.u32_shl(id, 32 - bits);
        let down = self.b.const_u32(32 - bits);
        self.b.emit(Op::ShiftRightArithmetic, word, &[up, down])
    }

    /// Vector type of a texel as image instructions give and take it.
    pub(in crate::lower) fn texel_vector_ty(&mut self, handle: &Handle<'a>) -> Id {
        let scalar = self.texel_scalar_ty(handle);
        self.b.vector(scalar, 4)
    }

    /// Scalar type of a texel's components.
    pub(in crate::lower) fn texel_scalar_ty(&mut self, handle: &Handle<'a>) -> Id {
        use crate::lower::images::types::TexelClass;
        let texels = texel_scalar(handle.view);
        match texels.class {
            TexelClass::Float => self.b.f32(),
            TexelClass::Uint => self.b.uint(texels.bits),
            TexelClass::Sint => self.b.int(texels.bits),
        }
    }
}

fn is_float(format: TexelFormat) -> bool {
    !matches!(format.numeric(), Numeric::Uint | Numeric::Sint)
}
