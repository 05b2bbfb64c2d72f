//! Handles, and buffers of all kinds: constant, raw, structured and typed ones, atomics and
//! counters.
//!
//! A read beyond a view returns 0 and a write there is dropped, for each scalar separately
//! (D3D11.3, 22.4.8 to 22.4.13).

use std::sync::atomic::Ordering;

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::AtomicOp;

use super::context::Context;
use super::float;
use super::memory::combined;
use super::ownership::Access;
use super::shared::Shared;
use crate::check::AccessKind;
use crate::decode::code::{Complex, MemoryScalar, ResourceShape, slot};
use crate::decode::lane_ops::RegisterKind;
use crate::resources::{BufferDescriptor, Component, Descriptor, Texel, TexelLayout};

impl Shared<'_> {
    /// Returns the shape of a resource that the shader states at the use or in the declaration.
    pub(super) fn shape(&self, said: Option<ResourceShape>, handle: u32) -> Option<ResourceShape> {
        said.or_else(|| self.table.shapes.get(handle as usize).copied())
    }

    fn buffer(&self, handle: u32) -> Option<&BufferDescriptor> {
        match self.descriptor(handle) {
            Descriptor::Buffer(buffer) => Some(buffer),
            Descriptor::Null
            | Descriptor::Texture(_)
            | Descriptor::Sampler(_)
            | Descriptor::AccelerationStructure(_) => None,
        }
    }
}

impl BufferDescriptor {
    /// Returns the place of some bytes in the storage, if the view has them.
    fn place(&self, at: u64, bytes: u32) -> Option<usize> {
        // Checked: index times stride may exceed 64 bits with the offset.
        let end = at.checked_add(u64::from(bytes))?;
        (end <= self.size as u64).then(|| self.offset + at as usize)
    }
}

/// Returns the byte of a buffer where an access begins.
fn address(shape: Option<ResourceShape>, index: u32, offset: u32) -> u64 {
    let (index, offset) = (u64::from(index), u64::from(offset));
    match shape.map(|shape| (shape.kind, shape.stride)) {
        Some((ResourceKind::StructuredBuffer, stride)) => index * u64::from(stride) + offset,
        Some((ResourceKind::TBuffer, _)) => index * 16 + offset,
        _ => index + offset,
    }
}

fn is_typed(shape: Option<ResourceShape>) -> bool {
    shape.is_some_and(|shape| shape.kind == ResourceKind::TypedBuffer)
}

/// Returns a component of a texel in the type that the shader reads.
pub(super) fn from_texel(scalar: MemoryScalar, bits: u32) -> u64 {
    u64::from(match scalar {
        MemoryScalar::F16 | MemoryScalar::MinFloat => float::to_half(bits),
        MemoryScalar::I16 | MemoryScalar::MinInt | MemoryScalar::MinUint => bits & 0xffff,
        MemoryScalar::I8 => bits & 0xff,
        MemoryScalar::F32 | MemoryScalar::I32 | MemoryScalar::F64 | MemoryScalar::I64 => bits,
    })
}

/// Returns a component that the shader writes, as a texel has it.
pub(super) fn to_texel(scalar: MemoryScalar, format: TexelLayout, bits: u64) -> u32 {
    let bits = bits as u32;
    match scalar {
        MemoryScalar::F16 | MemoryScalar::MinFloat => float::from_half(bits),
        MemoryScalar::I16 | MemoryScalar::MinInt | MemoryScalar::MinUint
            if format.component == Component::Sint =>
        {
            bits as u16 as i16 as u32
        }
        _ => bits,
    }
}

/// Returns a value that the memory of a buffer holds in the type that the shader reads.
fn from_memory(scalar: MemoryScalar, value: u64) -> u64 {
    if scalar.is_min_precision() {
        from_texel(scalar, value as u32)
    } else {
        value
    }
}

/// Returns a value that the shader writes as the memory of a buffer holds it.
fn to_memory(scalar: MemoryScalar, value: u64) -> u64 {
    match scalar {
        MemoryScalar::MinFloat => u64::from(float::from_half(value as u32)),
        MemoryScalar::MinInt => u64::from(value as u16 as i16 as u32),
        MemoryScalar::MinUint => value & 0xffff,
        _ => value,
    }
}

impl Context<'_> {
    /// Notes an access of this group.
    #[inline]
    pub(super) fn touch(&self, storage: usize, at: usize, bytes: u32, access: Access) {
        self.shared
            .touch(self.group.number, storage, at, bytes, access);
    }

    pub(super) fn handle(&self, range: u32, complex: &Complex) {
        let shared = self.shared;
        let declared = &shared.kernel.ranges[range as usize];
        let (first, count) = shared.range(range, self.locals);
        let same = self.uniform(slot(&complex.src, 0));
        let same = same.map(|index| index.wrapping_sub(declared.first));
        if let Some(index) = same.filter(|index| *index < count) {
            self.set_all(slot(&complex.dst, 0), u64::from(first + index));
            return;
        }
        for lane in self.on() {
            let index = self.registers.word(slot(&complex.src, 0), lane);
            // An index outside of the range, or after the last bound register, becomes the null
            // descriptor. The subtraction wraps, so that registers before the range are outside as
            // well.
            let index = index.wrapping_sub(declared.first);
            let handle = if index < count {
                first + index
            } else {
                self.missing_descriptor(Some(range), index)
            };
            self.registers
                .set(slot(&complex.dst, 0), lane, u64::from(handle));
        }
    }

    pub(super) fn heap_handle(&self, samplers: bool, complex: &Complex) {
        let table = self.shared.table;
        let (first, count) = if samplers {
            table.sampler_heap
        } else {
            table.resource_heap
        };
        for lane in self.on() {
            let index = self.registers.word(slot(&complex.src, 0), lane);
            let handle = if index < count {
                first + index
            } else {
                self.missing_descriptor(None, index)
            };
            self.registers
                .set(slot(&complex.dst, 0), lane, u64::from(handle));
        }
    }

    /// Returns a scalar of a buffer as a lane reads it.
    pub(super) fn buffer_value(
        &self,
        lane: usize,
        handle: u32,
        at: u64,
        scalar: MemoryScalar,
    ) -> u64 {
        let Some(buffer) = self.shared.buffer(handle) else {
            self.check_no_view(lane, AccessKind::Read, handle);
            return 0;
        };
        let storage = self.shared.storage(buffer.storage);
        let load = |place, bytes| {
            self.touch(buffer.storage, place, bytes, Access::Read);
            let memory = (handle, buffer.storage);
            self.check_memory(lane, AccessKind::Read, memory, place, bytes);
            self.note_residency(storage, place, bytes);
            storage.bytes.load(place, bytes)
        };
        match buffer.place(at, scalar.bytes()) {
            Some(place) => load(place, scalar.bytes()),
            None => {
                self.check_out_of_bounds(lane, AccessKind::Read, handle, at);
                // A wide scalar may end behind the view: each of its words is inside or outside by
                // itself.
                let low = buffer.place(at, 4).filter(|_| scalar.bytes() == 8);
                low.map_or(0, |place| load(place, 4))
            }
        }
    }

    pub(super) fn constant_row(
        &self,
        scalar: MemoryScalar,
        min_precision: bool,
        complex: &Complex,
    ) {
        if !min_precision && self.constants_of_all(scalar, complex) {
            return;
        }
        let r = &self.registers;
        for lane in self.on() {
            let buffer = r.word(slot(&complex.src, 0), lane);
            let mut at = u64::from(r.word(slot(&complex.src, 1), lane)) * 16;
            for &dst in &complex.dst {
                // Nothing reads this part of the row, which may end behind the view.
                if dst.is_none() {
                    at += if min_precision {
                        4
                    } else {
                        u64::from(scalar.bytes())
                    };
                    continue;
                }
                let value = if min_precision {
                    let word = self.buffer_value(lane, buffer, at, MemoryScalar::I32) as u32;
                    at += 4;
                    match scalar {
                        MemoryScalar::F16 => u64::from(float::to_half(word)),
                        _ => u64::from(word & 0xffff),
                    }
                } else {
                    let value = self.buffer_value(lane, buffer, at, scalar);
                    at += u64::from(scalar.bytes());
                    value
                };
                r.set(dst, lane, value);
            }
        }
    }

    /// Loads the row that all lanes read, once; whether it is done.
    fn constants_of_all(&self, scalar: MemoryScalar, complex: &Complex) -> bool {
        if self.group.checker.is_some() {
            return false;
        }
        let [handle, row] = [0, 1].map(|i| self.uniform(slot(&complex.src, i)));
        let buffer = handle.and_then(|handle| self.shared.buffer(handle));
        let (Some(buffer), Some(row)) = (buffer, row) else {
            return false;
        };
        let read = complex.dst.iter().rposition(|dst| !dst.is_none());
        let values = &complex.dst[..read.map_or(0, |last| last + 1)];
        let bytes = scalar.bytes() * values.len() as u32;
        let Some(place) = buffer.place(u64::from(row) * 16, bytes) else {
            return false;
        };
        self.touch(buffer.storage, place, bytes, Access::Read);
        let storage = &self.shared.storage(buffer.storage).bytes;
        for (&dst, number) in values.iter().zip(0..) {
            if !dst.is_none() {
                let at = place + (number * scalar.bytes()) as usize;
                self.set_all(dst, storage.load(at, scalar.bytes()));
            }
        }
        true
    }

    pub(super) fn constant_value(&self, scalar: MemoryScalar, complex: &Complex) {
        let r = &self.registers;
        for lane in self.on() {
            let buffer = r.word(slot(&complex.src, 0), lane);
            let at = u64::from(r.word(slot(&complex.src, 1), lane));
            let value = self.buffer_value(lane, buffer, at, scalar);
            r.set(slot(&complex.dst, 0), lane, value);
        }
    }

    pub(super) fn buffer_load(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        complex: &Complex,
    ) {
        let r = &self.registers;
        let [handle, index, offset] = [0, 1, 2].map(|i| slot(&complex.src, i));
        let Some((&status, values)) = complex.dst.split_last() else {
            return;
        };
        if self.load_words(said, scalar, values, complex) {
            self.set_all(status, 1);
            return;
        }
        for lane in self.on() {
            let handle = r.word(handle, lane);
            let shape = self.shared.shape(said, handle);
            let index = r.word(index, lane);
            self.is_unmapped.set(false);
            if is_typed(shape) {
                let texel = self.texel(lane, handle, index);
                for (&dst, bits) in values.iter().zip(texel) {
                    r.set(dst, lane, from_texel(scalar, bits));
                }
                r.set(status, lane, self.take_status());
                continue;
            }
            let mut at = address(shape, index, r.word(offset, lane));
            for &dst in values {
                if !dst.is_none() {
                    let value = self.buffer_value(lane, handle, at, scalar);
                    r.set(dst, lane, from_memory(scalar, value));
                }
                at += u64::from(scalar.bytes());
            }
            r.set(status, lane, self.take_status());
        }
    }

    /// Writes a scalar of a buffer as a lane does.
    pub(super) fn store_value(
        &self,
        lane: usize,
        handle: u32,
        at: u64,
        scalar: MemoryScalar,
        value: u64,
    ) {
        let Some(buffer) = self.shared.buffer(handle) else {
            self.check_no_view(lane, AccessKind::Write, handle);
            return;
        };
        let Some(place) = buffer.place(at, scalar.bytes()) else {
            self.check_out_of_bounds(lane, AccessKind::Write, handle, at);
            return;
        };
        self.touch(buffer.storage, place, scalar.bytes(), Access::Write);
        self.shared
            .storage(buffer.storage)
            .store(place, scalar.bytes(), value);
        let memory = (handle, buffer.storage);
        self.check_memory(lane, AccessKind::Write, memory, place, scalar.bytes());
    }

    /// Returns the components of a texel of a typed buffer; all 0 outside.
    fn texel(&self, lane: usize, handle: u32, index: u32) -> [u32; 4] {
        let buffer = self.shared.buffer(handle);
        let Some((buffer, format)) = buffer.and_then(|b| Some((b, b.format?))) else {
            self.check_no_view(lane, AccessKind::Read, handle);
            return [0; 4];
        };
        let at = u64::from(index) * u64::from(format.bytes());
        let Some(place) = buffer.place(at, format.bytes()) else {
            self.check_out_of_bounds(lane, AccessKind::Read, handle, at);
            return [0; 4];
        };
        self.touch(buffer.storage, place, format.bytes(), Access::Read);
        let memory = (handle, buffer.storage);
        self.check_memory(lane, AccessKind::Read, memory, place, format.bytes());
        let storage = self.shared.storage(buffer.storage);
        self.note_residency(storage, place, format.bytes());
        let bytes = &storage.bytes;
        Texel::bits(format.read(|offset, count| bytes.load(place + offset, count)))
    }

    pub(super) fn buffer_store(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        mask: u32,
        complex: &Complex,
    ) {
        let r = &self.registers;
        let [handle, index, offset] = [0, 1, 2].map(|i| slot(&complex.src, i));
        let values = complex.src.get(3..).unwrap_or_default();
        if self.store_words(said, scalar, mask, values, complex) {
            return;
        }
        for lane in self.on() {
            let handle = r.word(handle, lane);
            let shape = self.shared.shape(said, handle);
            let Some(buffer) = self.shared.buffer(handle) else {
                self.check_no_view(lane, AccessKind::Write, handle);
                continue;
            };
            let stored = self.shared.storage(buffer.storage);
            let index = r.word(index, lane);
            if is_typed(shape) {
                let Some(format) = buffer.format else {
                    continue;
                };
                let at = u64::from(index) * u64::from(format.bytes());
                if let Some(place) = buffer.place(at, format.bytes()) {
                    let mut parts = [0; 4];
                    for (part, &value) in parts.iter_mut().zip(values) {
                        *part = to_texel(scalar, format, r.get(value, lane));
                    }
                    self.touch(buffer.storage, place, format.bytes(), Access::Write);
                    format.write(parts, |offset, count, value| {
                        stored.store(place + offset, count, value);
                    });
                    let memory = (handle, buffer.storage);
                    self.check_memory(lane, AccessKind::Write, memory, place, format.bytes());
                } else {
                    self.check_out_of_bounds(lane, AccessKind::Write, handle, at);
                }
                continue;
            }
            let mut at = address(shape, index, r.word(offset, lane));
            for (number, &value) in values.iter().enumerate() {
                // Vector stores have more than 32 components and no mask.
                if number >= 32 || mask >> number & 1 != 0 {
                    let value = to_memory(scalar, r.get(value, lane));
                    let store = |place, count, value| {
                        self.touch(buffer.storage, place, count, Access::Write);
                        stored.store(place, count, value);
                        let memory = (handle, buffer.storage);
                        self.check_memory(lane, AccessKind::Write, memory, place, count);
                    };
                    match buffer.place(at, scalar.bytes()) {
                        Some(place) => store(place, scalar.bytes(), value),
                        None => {
                            self.check_out_of_bounds(lane, AccessKind::Write, handle, at);
                            if let Some(place) = buffer.place(at, 4)
                                && scalar.bytes() == 8
                            {
                                store(place, 4, value & 0xffff_ffff);
                            }
                        }
                    }
                }
                at += u64::from(scalar.bytes());
            }
        }
    }

    /// Returns the memory that an atomic operation changes.
    fn atomic_place(
        &self,
        said: Option<ResourceShape>,
        handle: u32,
        coords: [u32; 3],
        bytes: u32,
    ) -> Option<(usize, usize)> {
        match self.shared.descriptor(handle) {
            Descriptor::Buffer(buffer) => {
                let shape = self.shared.shape(said, handle);
                let at = match buffer.format {
                    Some(format) if is_typed(shape) => {
                        u64::from(coords[0]) * u64::from(format.bytes())
                    }
                    _ if shape.is_some_and(|s| s.kind == ResourceKind::StructuredBuffer) => {
                        address(shape, coords[0], coords[1])
                    }
                    _ => u64::from(coords[0]),
                };
                // Addresses of atomic operations are multiples of four; the low bits do not count.
                Some((buffer.storage, buffer.place(at & !3, bytes)?))
            }
            Descriptor::Texture(texture) => {
                let shape = self.shared.shape(said, handle)?;
                let place = texture.place(shape.kind, coords.map(i64::from), 0, 0)?;
                Some((texture.storage, place))
            }
            Descriptor::Null | Descriptor::Sampler(_) | Descriptor::AccelerationStructure(_) => {
                None
            }
        }
    }

    fn change_resource(
        &self,
        said: Option<ResourceShape>,
        complex: &Complex,
        lane: usize,
        (kind, op): (RegisterKind, AtomicOp),
        change: impl Fn(u64) -> u64,
    ) {
        let r = &self.registers;
        let dst = slot(&complex.dst, 0);
        let handle = r.word(slot(&complex.src, 0), lane);
        let coords = [1, 2, 3].map(|i| r.word(slot(&complex.src, i), lane));
        let bytes = if kind == RegisterKind::D { 8 } else { 4 };
        let old = match self.atomic_place(said, handle, coords, bytes) {
            Some((storage, place)) => {
                let access = Access::of_atomic(op, bytes, !dst.is_none());
                self.touch(storage, place, bytes, access);
                let memory = (handle, storage);
                let storage = self.shared.storage(storage);
                let old = storage.update(place, bytes, change);
                match self.shared.descriptor(handle) {
                    Descriptor::Texture(_) => {
                        let texel = coords.map(i64::from);
                        self.check_texel(lane, AccessKind::Atomic, memory, (place, bytes), texel);
                    }
                    _ => self.check_memory(lane, AccessKind::Atomic, memory, place, bytes),
                }
                old
            }
            None => {
                match self.shared.descriptor(handle) {
                    Descriptor::Buffer(_) => {
                        let byte = u64::from(coords[0]);
                        self.check_out_of_bounds(lane, AccessKind::Atomic, handle, byte);
                    }
                    Descriptor::Texture(_) => {
                        let texel = coords.map(i64::from);
                        self.check_texel_out_of_bounds(lane, AccessKind::Atomic, handle, texel);
                    }
                    _ => self.check_no_view(lane, AccessKind::Atomic, handle),
                }
                0
            }
        };
        r.set(dst, lane, old);
    }

    pub(super) fn resource_atomic(
        &self,
        said: Option<ResourceShape>,
        op: AtomicOp,
        complex: &Complex,
    ) {
        let operand = slot(&complex.src, 4);
        for lane in self.on() {
            let value = self.registers.get(operand, lane);
            let kind = operand.kind();
            self.change_resource(said, complex, lane, (kind, op), |old| {
                combined(op, kind == RegisterKind::D, old, value)
            });
        }
    }

    pub(super) fn resource_compare_exchange(&self, said: Option<ResourceShape>, complex: &Complex) {
        let operand = slot(&complex.src, 5);
        for lane in self.on() {
            let compare = self.registers.get(slot(&complex.src, 4), lane);
            let value = self.registers.get(operand, lane);
            let kind = (operand.kind(), AtomicOp::Exchange);
            self.change_resource(said, complex, lane, kind, |old| {
                if old == compare { value } else { old }
            });
        }
    }

    pub(super) fn update_counter(&self, increment: i8, complex: &Complex) {
        let r = &self.registers;
        for lane in self.on() {
            let handle = r.word(slot(&complex.src, 0), lane);
            let buffer = self.shared.buffer(handle);
            if buffer.is_none() {
                self.check_no_view(lane, AccessKind::Atomic, handle);
            }
            let counter = buffer
                .and_then(|buffer| buffer.counter)
                .and_then(|number| self.shared.counters.get(number as usize));
            let Some(counter) = counter else {
                r.set(slot(&complex.dst, 0), lane, 0);
                continue;
            };
            let old = counter.fetch_add(i32::from(increment) as u32, Ordering::Relaxed);
            // Counting down gives the new value (D3D11.3, 22.17.18).
            let given = if increment < 0 {
                old.wrapping_add(i32::from(increment) as u32)
            } else {
                old
            };
            r.set(slot(&complex.dst, 0), lane, u64::from(given));
        }
    }
}
