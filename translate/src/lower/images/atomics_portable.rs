//! Atomics on images as marked stores: `marked_atomics` says what those are.

use dxil_frontend::dxil::ops::{AtomicOp, calls};
use dxil_frontend::ir::ValueId;

use super::bounds::Texel;
use super::types::{TexelClass, dimensions, texel_scalar};
use crate::interface::Shape;
use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::resources::variables::Handle;
use crate::marked_atomics::{MARK, MarkedAtomic};
use crate::options::Features;
use crate::spirv::{Id, Op};
use crate::{Error, Result};

impl<'a> Lowering<'a> {
    /// Whether atomics on this resource become marked stores.
    pub(in crate::lower) fn marks_atomics(&self, handle: &Handle<'a>) -> bool {
        self.is_portable()
            && handle.view.shape == Shape::Image
            && self.has(Features::MARKED_IMAGE_ATOMICS)
    }

    /// `atomicBinOp` on an image. It gives nothing back: `result` is refused where it is used.
    pub(in crate::lower) fn marked_atomic_bin_op(
        &mut self,
        handle: &Handle<'a>,
        op: &calls::AtomicBinOp,
        result: Option<ValueId>,
    ) -> Result<Value> {
        let texels = texel_scalar(handle.view);
        let signed = match texels.class {
            TexelClass::Sint => true,
            TexelClass::Uint => false,
            TexelClass::Float => return Err(refused(handle)),
        };
        let multisampled = dimensions(handle.view.kind).is_none_or(|(_, _, samples)| samples);
        if texels.bits != 32 || multisampled {
            return Err(refused(handle));
        }
        // The order of numbers comes from the image's format.
        let atomic = match (op.op, signed) {
            (AtomicOp::Add, _) => MarkedAtomic::Add,
            (AtomicOp::And, _) => MarkedAtomic::And,
            (AtomicOp::Or, _) => MarkedAtomic::Or,
            (AtomicOp::Xor, _) => MarkedAtomic::Xor,
            (AtomicOp::IMin, true) | (AtomicOp::UMin, false) => MarkedAtomic::Min,
            (AtomicOp::IMax, true) | (AtomicOp::UMax, false) => MarkedAtomic::Max,
            _ => return Err(refused(handle)),
        };
        let value = self.id(op.value)?;
        let coords = self.integer_coords(handle, op.coords)?;
        let (image, _) = self.object(handle)?;
        let inside = self.texel_in_bounds(handle, &Texel::at(image, coords))?;
        let guard = inside.map(|inside| self.begin_if(inside));
        self.marked_store(image, coords, value, atomic, signed);
        if let Some(guard) = guard {
            self.end_if(guard);
        }
        self.resources.without_result.extend(result);
        Ok(Value::Unset)
    }

    /// The store itself.
    pub(in crate::lower) fn marked_store(
        &mut self,
        image: Id,
        coords: Id,
        value: Id,
        atomic: MarkedAtomic,
        signed: bool,
    ) {
        let (mut value, mut ty) = (value, self.b.u32());
        let mut marks = [MARK[0], MARK[1], atomic as u32].map(|word| self.b.const_u32(word));
        if signed {
            ty = self.b.int(32);
            value = self.b.bitcast(ty, value);
            marks = [MARK[0], MARK[1], atomic as u32].map(|word| self.b.const_i32(word as i32));
        }
        let texel_ty = self.b.vector(ty, 4);
        let [first, second, number] = marks;
        let texel = self.b.construct(texel_ty, &[value, first, second, number]);
        self.b.emit_void(Op::ImageWrite, &[image, coords, texel]);
    }
}

fn refused(handle: &Handle<'_>) -> Error {
    Error::unsupported(format!(
        "this atomic on {} in portable SPIR-V",
        handle.view.describe()
    ))
}
