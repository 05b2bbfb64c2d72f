//! Atomics on resources, and hidden UAV counters. D3D's atomics order nothing but themselves.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::{AtomicOp, calls};
use dxil_frontend::ir::ValueId;

use super::variables::{Handle, Leaf};
use crate::interface::Shape;
use crate::lower::Lowering;
use crate::lower::blocks::If;
use crate::lower::context::{Call, Value};
use crate::lower::images::bounds::Texel;
use crate::lower::images::types::{TexelClass, dimensions, texel_scalar};
use crate::lower::types::Scalar;
use crate::options::{Features, Style};
use crate::spirv::{Capability, GLOp, Id, Op, Scope, StorageClass};
use crate::{Error, Result};

/// Where an atomic acts.
struct Target {
    pointer: Id,
    /// Integer type there.
    ty: Id,
    /// The operand's type, if it differs (signed images).
    bits: u32,
    signed: bool,
    /// The bounds check around the atomic.
    guard: Option<If>,
}

impl<'a> Lowering<'a> {
    /// `bufferUpdateCounter`: an increment gives the old value, a decrement the new one.
    pub(in crate::lower) fn update_counter(
        &mut self,
        op: &calls::BufferUpdateCounter,
    ) -> Result<Value> {
        let handle = self.handle(op.buffer)?;
        Ok(Value::Id(self.count(&handle, op.increment >= 0)?))
    }

    /// `atomicBinOp`.
    pub(in crate::lower) fn atomic_bin_op(
        &mut self,
        call: &Call,
        op: &calls::AtomicBinOp,
    ) -> Result<Value> {
        let handle = self.handle(op.resource)?;
        if self.marks_atomics(&handle) {
            return self.marked_atomic_bin_op(&handle, op, call.result);
        }
        let value = self.id(op.value)?;
        let scalar = self.scalar(self.type_of(op.value)?)?;
        let target = self.atomic_target(&handle, op.coords, scalar)?;
        let instruction = match op.op {
            AtomicOp::Add => Op::AtomicIAdd,
            AtomicOp::And => Op::AtomicAnd,
            AtomicOp::Or => Op::AtomicOr,
            AtomicOp::Xor => Op::AtomicXor,
            AtomicOp::IMin => Op::AtomicSMin,
            AtomicOp::IMax => Op::AtomicSMax,
            AtomicOp::UMin => Op::AtomicUMin,
            AtomicOp::UMax => Op::AtomicUMax,
            AtomicOp::Exchange => Op::AtomicExchange,
        };
        let value = self.to_texel_sign(&target, value);
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        let words = [target.pointer, scope, relaxed, value];
        let old = self.atomic(instruction, target.ty, words);
        self.atomic_result(target, old)
    }

    /// An atomic instruction that combines: pointer, scope, semantics, value. naga takes the order of numbers
    /// from the type in memory, which has no sign; there the signed extremes are exchanged until one holds.
    pub(in crate::lower) fn atomic(&mut self, op: Op, ty: Id, words: [Id; 4]) -> Id {
        let extreme = match op {
            Op::AtomicSMin if self.is_portable() => GLOp::SMin,
            Op::AtomicSMax if self.is_portable() => GLOp::SMax,
            _ => return self.b.emit(op, ty, &words),
        };
        let [pointer, scope, relaxed, value] = words;
        let first = self.b.emit(Op::AtomicLoad, ty, &[pointer, scope, relaxed]);
        let found = self.b.fresh();
        let (round, [expected]) = self.begin_loop([(ty, first, found)]);
        let wanted = self.b.glsl(extreme, ty, &[expected, value]);
        let words = [pointer, scope, relaxed, relaxed, wanted, expected];
        self.b.emit_as(Op::AtomicCompareExchange, ty, found, &words);
        let bool_ty = self.b.bool();
        let done = self.b.emit(Op::IEqual, bool_ty, &[found, expected]);
        self.end_loop(round, done);
        found
    }

    /// `atomicCompareExchange`. Floats come as their bits.
    pub(in crate::lower) fn atomic_compare_exchange(
        &mut self,
        op: &calls::AtomicCompareExchange,
    ) -> Result<Value> {
        let handle = self.handle(op.resource)?;
        let [compare, value] = self.ids([op.compare, op.value])?;
        let scalar = self.scalar(self.type_of(op.value)?)?;
        let target = self.atomic_target(&handle, op.coords, scalar)?;
        let compare = self.to_texel_sign(&target, compare);
        let value = self.to_texel_sign(&target, value);
        let scope = self.b.const_u32(Scope::Device as u32);
        let relaxed = self.b.const_u32(0);
        let old = self.b.emit(
            Op::AtomicCompareExchange,
            target.ty,
            &[target.pointer, scope, relaxed, relaxed, value, compare],
        );
        self.atomic_result(target, old)
    }

    fn to_texel_sign(&mut self, target: &Target, value: Id) -> Id {
        if target.signed {
            self.b.bitcast(target.ty, value)
        } else {
            value
        }
    }

    /// The old value, as unsigned integer; 0 where the place is out of bounds.
    fn atomic_result(&mut self, target: Target, old: Id) -> Result<Value> {
        let ty = self.b.uint(target.bits);
        let mut id = old;
        if target.signed {
            id = self.b.bitcast(ty, id);
        }
        if let Some(guard) = target.guard {
            let zero = self.b.const_null(ty);
            id = self.end_if_with(guard, ty, id, zero);
        }
        Ok(Value::Id(id))
    }

    fn atomic_target(
        &mut self,
        handle: &Handle<'a>,
        coords: [ValueId; 3],
        scalar: Scalar,
    ) -> Result<Target> {
        let Scalar::Int { bits, width } = scalar else {
            return Err(Error::unsupported("atomics on floats"));
        };
        if bits != width || bits < 32 {
            return Err(Error::unsupported(format!("atomics on i{bits}")));
        }
        match handle.view.shape {
            Shape::Words | Shape::ConvertedTexels(_) => {
                self.buffer_atomic_target(handle, coords, bits)
            }
            Shape::Image | Shape::TexelBuffer => self.image_atomic_target(handle, coords, bits),
            Shape::Constants | Shape::Sampler | Shape::AccelerationStructure => Err(
                Error::malformed(format!("an atomic on {}", handle.view.describe())),
            ),
        }
    }

    fn buffer_atomic_target(
        &mut self,
        handle: &Handle<'a>,
        coords: [ValueId; 3],
        bits: u32,
    ) -> Result<Target> {
        let leaf = if bits == 64 {
            self.need_feature(
                Features::BUFFER_INT64_ATOMICS,
                "shaderBufferInt64Atomics",
                || handle.view.describe(),
            )?;
            self.b.capability(Capability::Int64Atomics);
            Leaf::U64
        } else {
            Leaf::U32
        };
        let index = match handle.view.shape {
            Shape::ConvertedTexels(format) => {
                if format.bytes() * 8 != bits {
                    return Err(Error::unsupported(format!(
                        "a {bits}-bit atomic on texels of format {format:?}"
                    )));
                }
                self.id(coords[0])?
            }
            _ => {
                let offset = (handle.view.kind == ResourceKind::StructuredBuffer)
                    .then_some(coords[1])
                    .filter(|&offset| !self.is_undef(offset));
                let address = self.buffer_address(handle, coords[0], offset)?;
                self.address_in_units(address, if bits == 64 { 3 } else { 2 })
            }
        };
        let guard = self
            .in_bounds(handle, leaf, index)?
            .map(|ok| self.begin_if(ok));
        let pointer = self.element_pointer(handle, leaf, index, None)?;
        Ok(Target {
            pointer,
            ty: self.b.uint(bits),
            bits,
            signed: false,
            guard,
        })
    }

    fn image_atomic_target(
        &mut self,
        handle: &Handle<'a>,
        coords: [ValueId; 3],
        bits: u32,
    ) -> Result<Target> {
        if self.options.target.style == Style::Portable {
            return Err(Error::unsupported(format!(
                "an atomic on {} in portable SPIR-V",
                handle.view.describe()
            )));
        }
        let texels = texel_scalar(handle.view);
        if texels.bits != bits || texels.class == TexelClass::Float {
            return Err(Error::unsupported(format!(
                "a {bits}-bit atomic on {}",
                handle.view.describe()
            )));
        }
        if bits == 64 {
            self.need_feature(
                Features::IMAGE_INT64_ATOMICS,
                "shaderImageInt64Atomics",
                || handle.view.describe(),
            )?;
            self.b.capability(Capability::Int64Atomics);
        }
        let Some((_, _, false)) = dimensions(handle.view.kind) else {
            return Err(Error::unsupported("atomics on multisampled images"));
        };
        let (image, _) = self.object_pointer(handle)?;
        let mut coords = self.integer_coords(handle, coords)?;
        if handle.view.shape == Shape::TexelBuffer {
            coords = self.placed_texel(handle, coords);
        }
        let signed = texels.class == TexelClass::Sint;
        let ty = if signed {
            self.b.int(bits)
        } else {
            self.b.uint(bits)
        };
        let mut guard = None;
        if self.checks_bounds() {
            let (loaded, _) = self.object(handle)?;
            let inside = self.texel_in_bounds(handle, &Texel::at(loaded, coords))?;
            guard = inside.map(|inside| self.begin_if(inside));
        }
        let pointer_ty = self.b.pointer(StorageClass::Image, ty);
        let sample = self.b.const_u32(0);
        let pointer = self
            .b
            .emit(Op::ImageTexelPointer, pointer_ty, &[image, coords, sample]);
        self.mark_non_uniform(handle, pointer);
        Ok(Target {
            pointer,
            ty,
            bits,
            signed,
            guard,
        })
    }
}
