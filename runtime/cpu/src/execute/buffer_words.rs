//! Accesses of a whole wave to one raw or structured buffer, all of them inside of the view: the
//! usual case, without a look at the descriptor for each lane. Everything else is left to
//! `buffers`.

use dxil_frontend::dxil::ResourceKind;

use super::context::Context;
use super::lanes::{MAX_LANES, WIDTH, by_lane};
use super::ownership::{Access, Ownership};
use crate::decode::code::{Complex, MemoryScalar, RegisterSlot, ResourceShape, slot};
use crate::decode::lane_ops::RegisterKind;
use crate::resources::{Bytes, Descriptor};

/// Most scalars of an access: a component of each of four registers.
const MAX_SCALARS: usize = 4;

/// The addresses at which the running lanes access a buffer. Those of the other lanes are 0.
struct ScalarAddresses<'a> {
    bytes: &'a Bytes,
    storage: usize,
    /// First byte in the storage, by lane; a multiple of the scalar's size.
    first: [[u32; WIDTH]; MAX_LANES / WIDTH],
}

impl<'a> Context<'a> {
    /// Returns the places of accesses to `count` scalars each, if all lanes access one buffer, no
    /// place is outside of the view and all are aligned.
    fn places(
        &self,
        said: Option<ResourceShape>,
        complex: &Complex,
        scalar: MemoryScalar,
        count: usize,
    ) -> Option<ScalarAddresses<'a>> {
        if self.group.checker.is_some() || count > MAX_SCALARS {
            return None;
        }
        let [handle, index, offset] = [0, 1, 2].map(|i| slot(&complex.src, i));
        let handle = self.uniform(handle)?;
        let Descriptor::Buffer(buffer) = self.shared.descriptor(handle) else {
            return None;
        };
        let storage = self.shared.storage(buffer.storage);
        // The status of each lane is its own.
        if storage.residency.is_some() {
            return None;
        }
        let scale = match self
            .shared
            .shape(said, handle)
            .map(|shape| (shape.kind, shape.stride))
        {
            Some((ResourceKind::TypedBuffer, _)) => return None,
            Some((ResourceKind::StructuredBuffer, stride)) => u64::from(stride),
            Some((ResourceKind::TBuffer, _)) => 16,
            _ => 1,
        };
        let end = u32::try_from(buffer.offset + buffer.size).ok()?;
        let (base, size) = (buffer.offset as u64, u64::from(scalar.bytes()));
        // The last place at which all scalars are inside.
        let last = u64::from(end).checked_sub(size * count as u64)?;
        let mut first = [[0; WIDTH]; MAX_LANES / WIDTH];
        let mut is_outside = false;
        for (chunk, (places, mask)) in first.iter_mut().zip(self.on_words).enumerate() {
            let (index, offset) = (self.chunk(index, chunk), self.chunk(offset, chunk));
            for i in 0..WIDTH {
                // Lanes that are switched off are as if they accessed the first scalar. A product
                // of two 32-bit numbers and two more of them do not overflow.
                let at = u64::from(index[i] & mask[i]) * scale;
                let at = at + u64::from(offset[i] & mask[i]) + base;
                is_outside |= (at > last) | (at & (size - 1) != 0);
                places[i] = at as u32;
            }
        }
        (!is_outside).then_some(ScalarAddresses {
            bytes: &storage.bytes,
            storage: buffer.storage,
            first,
        })
    }

    /// Notes the accesses, where groups run in parallel.
    fn touch_places(&self, places: &ScalarAddresses<'_>, bytes: u32, access: Access) {
        if let Some(ownership) = self.tracker(places) {
            for lane in self.on() {
                let at = places.first[lane / WIDTH][lane % WIDTH] as usize;
                ownership.touch(self.group.number, places.storage, at, bytes, access);
            }
        }
    }

    /// Returns the tracker of accesses to the buffer, if they are tracked.
    fn tracker(&self, places: &ScalarAddresses<'_>) -> Option<&'a Ownership> {
        let ownership = self.shared.ownership?;
        ownership.tracks(places.storage).then_some(ownership)
    }

    /// Loads scalars of a buffer; whether it is done.
    pub(super) fn load_words(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        values: &[RegisterSlot],
        complex: &Complex,
    ) -> bool {
        let size = scalar.bytes();
        // Nothing reads what lies behind the last register.
        let read = values.iter().rposition(|slot| !slot.is_none());
        let values = &values[..read.map_or(0, |last| last + 1)];
        if size > 4
            || scalar.is_min_precision()
            || values.iter().any(|slot| slot.kind() != RegisterKind::W)
        {
            return false;
        }
        let Some(places) = self.places(said, complex, scalar, values.len()) else {
            return false;
        };
        // Words that nobody reads are not to be noted.
        if values.iter().any(|slot| slot.is_none()) && self.tracker(&places).is_some() {
            return false;
        }
        self.touch_places(&places, size * values.len() as u32, Access::Read);
        for (number, &value) in values.iter().enumerate() {
            if value.is_none() {
                continue;
            }
            let skip = number as u32 * size;
            for (chunk, first) in places.first[..self.registers.chunks].iter().enumerate() {
                let loaded = match size {
                    4 => by_lane(|i| places.bytes.word((first[i] + skip) as usize)),
                    _ => by_lane(|i| {
                        let at = first[i] + skip;
                        let word = places.bytes.word(at as usize) >> (8 * (at & 3));
                        word & (u32::MAX >> (32 - 8 * size))
                    }),
                };
                self.set_chunk(value, chunk, loaded);
            }
        }
        true
    }

    /// Stores words to a buffer; whether it is done.
    pub(super) fn store_words(
        &self,
        said: Option<ResourceShape>,
        scalar: MemoryScalar,
        mask: u32,
        values: &[RegisterSlot],
        complex: &Complex,
    ) -> bool {
        let count = mask.trailing_ones() as usize;
        let is_usual = scalar.bytes() == 4
            && !scalar.is_min_precision()
            && count == mask.count_ones() as usize
            && count <= values.len().min(MAX_SCALARS);
        if !is_usual {
            return false;
        }
        let values = &values[..count];
        let Some(places) = self.places(said, complex, scalar, count) else {
            return false;
        };
        self.touch_places(&places, 4 * count as u32, Access::Write);
        for (chunk, first) in places.first[..self.registers.chunks].iter().enumerate() {
            let mut words = [[0; WIDTH]; MAX_SCALARS];
            for (words, &value) in words.iter_mut().zip(values) {
                *words = self.chunk(value, chunk);
            }
            let mask = &self.on_words[chunk];
            // A lane after the other: where their places overlap, the last lane's value stays.
            for i in 0..WIDTH {
                if mask[i] != 0 {
                    for (number, words) in words[..count].iter().enumerate() {
                        places
                            .bytes
                            .set_word(first[i] as usize + 4 * number, words[i]);
                    }
                }
            }
        }
        true
    }
}
