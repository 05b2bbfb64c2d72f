//! Operations of work graph nodes (D3D12 Work Graphs specification, "DXIL operations").
//!
//! The handle of an output is a word: the output's number plus one in the low bits, and the index
//! into an array of nodes above it; 0 is the null handle.

use dxil_frontend::dxil::ops::NodeOp;
use dxil_frontend::ir::{Type, TypeId, ValueId};

use super::code::{ComplexOp, INPUT_RECORDS, NodeCall, OUTPUT_BITS, RegisterSlot, Space};
use super::function::Decoder;
use super::lane_ops::LaneOp;
use super::record_layout::RecordScalar;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation of a node.
    pub(super) fn node(&mut self, op: &NodeOp, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        if !self.module.is_node {
            return Err(self.malformed("an operation of nodes in another shader"));
        }
        match op {
            NodeOp::CreateNodeOutputHandle(op) => {
                if op.metadata_index >= (1 << OUTPUT_BITS) - 1 {
                    return Err(self.unsupported("a node of more than 62 outputs"));
                }
                Ok(vec![self.word(op.metadata_index + 1)])
            }
            NodeOp::IndexNodeHandle(op) => {
                let (node, index) = (self.one(op.node)?, self.index_slot(op.index)?);
                let shift = self.word(OUTPUT_BITS);
                let index = self.lane(LaneOp::Shl32, &[index, shift])?;
                Ok(vec![self.lane(LaneOp::Or32, &[node, index])?])
            }
            NodeOp::AnnotateNodeHandle(op) => self.all(op.node),
            NodeOp::AnnotateNodeRecordHandle(op) => self.all(op.record),
            NodeOp::CreateNodeInputRecordHandle(_) => Ok(vec![self.word(INPUT_RECORDS)]),
            NodeOp::AllocateNodeOutputRecords(op) => {
                let call = NodeCall::Allocate {
                    per_thread: op.per_thread,
                };
                self.node_call(call, &[op.output, op.count], ty)
            }
            NodeOp::IncrementOutputCount(op) => {
                let call = NodeCall::Increment {
                    per_thread: op.per_thread,
                };
                let src = self.ones([op.output, op.count])?;
                self.complex(ComplexOp::Node(call), &[], &src);
                Ok(Vec::new())
            }
            // Records are sent when the group has ended.
            NodeOp::OutputComplete(_) => Ok(Vec::new()),
            NodeOp::GetNodeRecordPtr(op) => {
                self.node_call(NodeCall::Address, &[op.record, op.index], ty)
            }
            NodeOp::GetInputRecordCount(_) => self.node_call(NodeCall::InputCount, &[], ty),
            NodeOp::FinishedCrossGroupSharing(_) => {
                self.node_call(NodeCall::FinishedSharing, &[], ty)
            }
            NodeOp::NodeOutputIsValid(op) => self.node_call(NodeCall::IsValid, &[op.output], ty),
            NodeOp::GetRemainingRecursionLevels(_) => {
                self.node_call(NodeCall::RecursionLeft, &[], ty)
            }
        }
    }

    fn node_call(
        &mut self,
        call: NodeCall,
        operands: &[ValueId],
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let mut src = Vec::with_capacity(operands.len());
        for &operand in operands {
            src.push(self.one(operand)?);
        }
        self.complex_of(ComplexOp::Node(call), ty, &src)
    }

    /// Places of the scalars that an access to a record has.
    fn record_scalars(&mut self, ty: TypeId) -> Result<Box<[RecordScalar]>> {
        let scalars = self.module.records.scalars(ty);
        let scalars = scalars.ok_or_else(|| self.unsupported("a record access of this type"))?;
        Ok(scalars.into())
    }

    pub(super) fn record_load(
        &mut self,
        pointer: RegisterSlot,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let scalars = self.record_scalars(ty)?;
        self.complex_of(ComplexOp::RecordLoad(scalars), ty, &[pointer])
    }

    pub(super) fn record_store(&mut self, pointer: ValueId, value: ValueId) -> Result<()> {
        let scalars = self.record_scalars(self.ty(value)?)?;
        let mut src = vec![self.one(pointer)?];
        src.extend(self.all(value)?);
        self.complex(ComplexOp::RecordStore(scalars), &[], &src);
        Ok(())
    }

    /// Returns the byte address of a member of a record.
    pub(super) fn record_address(
        &mut self,
        base: ValueId,
        indices: &[ValueId],
    ) -> Result<Vec<RegisterSlot>> {
        let bad = "an address in a type that has no members";
        let pointee = self.layout.types().pointee(self.ty(base)?);
        let mut ty = pointee.ok_or_else(|| self.malformed(bad))?;
        let mut address = self.one(base)?;
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                match *self.layout.types().get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => ty = element,
                    Type::Struct { .. } => {
                        let number = self.view.constant_int(index);
                        let field = number.and_then(|n| self.module.records.field(ty, n));
                        let (field, offset) = field.ok_or_else(|| self.malformed(bad))?;
                        ty = field;
                        let offset = self.word(offset as u32);
                        address = self.lane(LaneOp::Add32, &[address, offset])?;
                        continue;
                    }
                    _ => return Err(self.malformed(bad)),
                }
            }
            let size = self.module.records.size(ty) as u32;
            let (index, size) = (self.index_slot(index)?, self.word(size));
            address = self.lane(LaneOp::Mad32, &[index, size, address])?;
        }
        Ok(vec![address])
    }

    /// Returns whether a pointer points into a record.
    pub(super) fn is_record(&self, pointer: ValueId) -> bool {
        matches!(self.space_of(pointer), Ok(Space::Record))
    }
}
