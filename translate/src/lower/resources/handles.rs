//! Handle operations: a handle's SPIR-V value is the index of its descriptor, as 32-bit integer.

use dxil_frontend::dxil::ResourceClass;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::ValueId;

use super::variables::is_arrayed;
use crate::lower::Lowering;
use crate::lower::context::{Call, Value};
use crate::{Error, Location, Result};

/// How the index of a handle counts.
#[derive(Clone, Copy)]
enum Index {
    /// Registers: the range's lower bound is its first.
    Register(ValueId),
    /// Elements of the range.
    Element(Option<ValueId>),
}

impl Lowering<'_> {
    /// `createHandle`.
    pub(in crate::lower) fn create_handle(
        &mut self,
        call: &Call,
        op: &calls::CreateHandle,
    ) -> Result<Value> {
        self.descriptor_index(call, Index::Register(op.index))
    }

    /// `createHandleFromBinding`.
    pub(in crate::lower) fn create_handle_from_binding(
        &mut self,
        call: &Call,
        op: &calls::CreateHandleFromBinding,
    ) -> Result<Value> {
        self.descriptor_index(call, Index::Register(op.index))
    }

    /// `createHandleForLib`.
    pub(in crate::lower) fn create_handle_for_lib(&mut self, call: &Call) -> Result<Value> {
        let index = call
            .result
            .and_then(|result| self.resources.function?.handle(result))
            .and_then(|known| known.lib_index);
        self.descriptor_index(call, Index::Element(index))
    }

    /// `createHandleFromHeap`.
    pub(in crate::lower) fn create_handle_from_heap(
        &mut self,
        call: &Call,
        op: &calls::CreateHandleFromHeap,
    ) -> Result<Value> {
        let index = self.id(op.index)?;
        let index = self.bounded_heap_index(index, op.sampler_heap);
        Ok(Value::Id(self.tagged(call, index)))
    }

    /// `annotateHandle`: the scan has read the properties; the index stays.
    pub(in crate::lower) fn annotate_handle(
        &mut self,
        op: &calls::AnnotateHandle,
    ) -> Result<Value> {
        Ok(Value::Id(self.id(op.handle)?))
    }

    fn descriptor_index(&mut self, call: &Call, index: Index) -> Result<Value> {
        let plan = self.resources.plan;
        let Some(result) = call.result else {
            return Ok(Value::Unset);
        };
        let view = self
            .resources
            .function
            .and_then(|function| function.handle(result)?.view)
            .ok_or_else(|| Error::internal(format!("handle {result} was not planned")))?;
        let view = plan.view(view)?;
        if !is_arrayed(view) {
            let first = self.b.const_u32(0);
            return Ok(Value::Id(self.tagged(call, first)));
        }
        let (table_word, offset) = match view.location {
            Location::Descriptor { first_index, .. } => (None, first_index),
            Location::Heap {
                table_word, offset, ..
            }
            | Location::AddressTable {
                table_word, offset, ..
            } => (table_word, offset),
            Location::PushConstants { .. } | Location::DeviceAddress { .. } => (None, 0),
        };
        // Registers and bounds reach beyond 2^31 and may wrap on the way.
        let (index, bias) = match index {
            Index::Register(index) => (self.id(index)?, offset.wrapping_sub(view.lower_bound)),
            // Addresses may have indices of any width.
            Index::Element(Some(index)) => (self.to_u32(index)?, offset),
            Index::Element(None) => (self.b.const_u32(0), offset),
        };
        let bias = self.b.const_u32(bias);
        let mut id = self.b.u32_add(index, bias);
        if let Some(word) = table_word {
            let word = self.b.const_u32(word);
            let base = self.root_word(view, word)?;
            let base = self.local_table(view, base);
            id = self.b.u32_add(base, id);
        }
        // One descriptor's place is a matter between the application and its root signature.
        let in_heap = matches!(
            view.location,
            Location::Heap { .. } | Location::AddressTable { .. }
        );
        if in_heap && view.count != Some(1) {
            id = self.bounded_heap_index(id, view.class == ResourceClass::Sampler);
        }
        Ok(Value::Id(self.tagged(call, id)))
    }
}
