//! Members of structures, arrays and vectors in registers.

use dxil_frontend::ir::{TypeId, ValueId};

use super::code::RegisterSlot;
use super::function::Decoder;
use super::lane_ops::LaneOp;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Returns the type and first scalar of a member of a member ...
    pub(super) fn member(&self, ty: TypeId, indices: &[u64]) -> Result<(TypeId, usize)> {
        let mut found = (ty, 0);
        for &index in indices {
            let (ty, first) = self
                .layout
                .member(found.0, index)
                .ok_or_else(|| self.malformed("a member that the type does not have"))?;
            found = (ty, found.1 + first);
        }
        Ok(found)
    }

    pub(super) fn part(
        &self,
        slots: &[RegisterSlot],
        first: usize,
        count: usize,
    ) -> Result<Vec<RegisterSlot>> {
        let part = first
            .checked_add(count)
            .and_then(|end| slots.get(first..end));
        part.map(<[RegisterSlot]>::to_vec)
            .ok_or_else(|| self.malformed("a member beyond the value's end"))
    }

    /// Returns the register at an index; the last one for what lies outside.
    pub(super) fn pick(&mut self, slots: &[RegisterSlot], index: ValueId) -> Result<RegisterSlot> {
        let index = self.index_slot(index)?;
        let (mut found, others) = match slots.split_last() {
            Some((last, others)) => (*last, others),
            None => return Err(self.malformed("an element of an empty vector")),
        };
        for (number, &slot) in others.iter().enumerate() {
            let number = self.word(number as u32);
            let same = self.lane(LaneOp::Eq32, &[index, number])?;
            found = self.select_one(same, slot, found)?;
        }
        Ok(found)
    }

    pub(super) fn insert_element(
        &mut self,
        vector: ValueId,
        value: ValueId,
        index: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut slots = self.all(vector)?;
        let value = self.one(value)?;
        if let Some(known) = self.view.constant_int(index) {
            if let Some(slot) = slots.get_mut(known as usize) {
                *slot = value;
            }
            return Ok(slots);
        }
        let index = self.index_slot(index)?;
        for (number, slot) in slots.iter_mut().enumerate() {
            let number = self.word(number as u32);
            let same = self.lane(LaneOp::Eq32, &[index, number])?;
            *slot = self.select_one(same, value, *slot)?;
        }
        Ok(slots)
    }

    pub(super) fn shuffle(
        &mut self,
        both: &[RegisterSlot],
        mask: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let mask = self.all(mask)?;
        let mut result = Vec::with_capacity(mask.len());
        for slot in mask {
            let index = self.known(slot).unwrap_or(0) as usize;
            let picked = both.get(index).or(both.first()).copied();
            result.push(picked.ok_or_else(|| self.malformed("a shuffle of nothing"))?);
        }
        Ok(result)
    }
}
