//! Plain LLVM instructions.

use dxil_frontend::dxil::ops::{Callee, decode};
use dxil_frontend::ir::{FuncId, Inst as IrInst, InstData, ValueDef, ValueId};

use super::code::{ComplexOp, RegisterSlot};
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use crate::error::Result;

impl<'a> Decoder<'a, '_> {
    /// Decodes an instruction that is not a terminator.
    pub(super) fn instruction(&mut self, data: &'a InstData) -> Result<()> {
        let result = match data.inst {
            IrInst::Binary { op, lhs, rhs, .. } => {
                self.each2(lhs, rhs, |decoder, ty, a, b| decoder.binary(op, ty, a, b))?
            }
            IrInst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => self.each2(lhs, rhs, |decoder, ty, a, b| {
                decoder.compare(predicate, ty, a, b)
            })?,
            IrInst::Cast { op, value } => self.cast(op, value, data.ty)?,
            IrInst::Select {
                condition,
                if_true,
                if_false,
            } => self.select(condition, if_true, if_false)?,
            // Phis become moves on the edges to their block.
            IrInst::Phi { .. } => {
                return match data.result.expand() {
                    Some(value) => {
                        let slots = self.all(value)?;
                        self.note_denormals(value, data.ty, &slots)
                    }
                    None => Ok(()),
                };
            }
            IrInst::Call { callee, args, .. } => {
                let args = self.view.function.values_of(args);
                match self.call(callee, args, data)? {
                    Some(slots) => slots,
                    None => return Ok(()),
                }
            }
            IrInst::Alloca {
                allocated, count, ..
            } => self.alloca(allocated, count)?,
            IrInst::Load { pointer, .. } => self.load(pointer, data.ty)?,
            IrInst::Store { pointer, value, .. } if self.is_record(pointer) => {
                self.record_store(pointer, value)?;
                return Ok(());
            }
            IrInst::Store { pointer, value, .. } => {
                self.probe_indices(pointer, false)?;
                let address = self.one(pointer)?;
                let ty = self.ty(value)?;
                let words = self.layout.words(ty);
                let mut src = vec![self.inside_of_variable(pointer, address, words)?];
                src.extend(self.all(value)?);
                let space = self.space_of(pointer)?;
                self.complex(ComplexOp::Store(space), &[], &src);
                return Ok(());
            }
            IrInst::Gep { operands, .. } => {
                let operands = self.view.function.values_of(operands);
                self.address(operands)?
            }
            IrInst::ExtractValue { aggregate, indices } => {
                let indices = self.view.function.indices_of(indices);
                let (ty, first) = self.member(self.ty(aggregate)?, indices)?;
                let count = self.scalars(ty)?.len();
                let slots = self.all(aggregate)?;
                self.part(&slots, first, count)?
            }
            IrInst::InsertValue {
                aggregate,
                value,
                indices,
            } => {
                let indices = self.view.function.indices_of(indices);
                let (_, first) = self.member(self.ty(aggregate)?, indices)?;
                let mut slots = self.all(aggregate)?;
                for (place, slot) in slots.iter_mut().skip(first).zip(self.all(value)?) {
                    *place = slot;
                }
                slots
            }
            IrInst::ExtractElement { vector, index } => {
                let slots = self.all(vector)?;
                match self.view.constant_int(index) {
                    Some(index) => self.part(&slots, index as usize, 1)?,
                    None => vec![self.pick(&slots, index)?],
                }
            }
            IrInst::InsertElement {
                vector,
                value,
                index,
            } => self.insert_element(vector, value, index)?,
            IrInst::ShuffleVector { a, b, mask } => {
                let mut both = self.all(a)?;
                both.extend(self.all(b)?);
                self.shuffle(&both, mask)?
            }
            IrInst::AtomicRmw {
                op, pointer, value, ..
            } => self.atomic(op, pointer, value, data.ty)?,
            IrInst::CmpXchg {
                pointer,
                compare,
                value,
                ..
            } => {
                self.probe_indices(pointer, false)?;
                let mut src = self.ones([pointer, compare, value])?;
                let ty = self.ty(value)?;
                let words = self.layout.words(ty);
                src[0] = self.inside_of_variable(pointer, src[0], words)?;
                let space = self.space_of(pointer)?;
                let old = self.new_slot(src[2].kind());
                self.complex(ComplexOp::CompareExchange(space), &[old], &src);
                // LLVM 3.7 gives the old value and whether it was the expected one.
                match self.scalars(data.ty)?.len() {
                    1 => vec![old],
                    _ => {
                        let op = match old.kind() {
                            RegisterKind::W => LaneOp::Eq32,
                            RegisterKind::D => LaneOp::Eq64,
                        };
                        let same = self.lane(op, &[old, src[1]])?;
                        vec![old, same]
                    }
                }
            }
            // Waves of a group run one at a time, so that memory is always in order.
            IrInst::Fence { .. } => return Ok(()),
            IrInst::Ret { .. }
            | IrInst::Br { .. }
            | IrInst::CondBr { .. }
            | IrInst::Switch { .. }
            | IrInst::Unreachable => return Ok(()),
        };
        if let Some(value) = data.result.expand() {
            self.set(value, &result);
            self.note_denormals(value, data.ty, &result)?;
        }
        Ok(())
    }

    /// Returns the result of `llvm.*.with.overflow`, which compilers have let through; none for
    /// other functions.
    fn overflow_check(
        &mut self,
        function: FuncId,
        args: &[ValueId],
    ) -> Result<Option<Vec<RegisterSlot>>> {
        use LaneOp as L;
        let decl = self.module.shader.module.functions.get(function);
        let name = decl.map_or("", |decl| &decl.name);
        let is_sum = match name {
            "llvm.uadd.with.overflow.i32" => Some(true),
            "llvm.usub.with.overflow.i32" => Some(false),
            "llvm.umul.with.overflow.i32" => None,
            _ => return Ok(None),
        };
        let &[a, b] = args else {
            return Err(self.malformed("an overflow check takes two operands"));
        };
        let [a, b] = self.ones([a, b])?;
        Ok(Some(match is_sum {
            Some(true) => {
                let sum = self.lane(L::Add32, &[a, b])?;
                // A sum that has wrapped is less than each operand.
                vec![sum, self.lane(L::ULt32, &[sum, a])?]
            }
            Some(false) => {
                let difference = self.lane(L::Sub32, &[a, b])?;
                vec![difference, self.lane(L::ULt32, &[a, b])?]
            }
            None => {
                let (product, zero) = (self.lane(L::Mul32, &[a, b])?, self.word(0));
                let high = self.lane(L::UMulHi32, &[a, b])?;
                vec![product, self.lane(L::Ne32, &[high, zero])?]
            }
        }))
    }

    /// Returns the result of a call; none if it has no result.
    fn call(
        &mut self,
        callee: ValueId,
        args: &'a [ValueId],
        data: &InstData,
    ) -> Result<Option<Vec<RegisterSlot>>> {
        let function = match self.view.value(callee).map(|value| value.def) {
            Some(ValueDef::Function(function)) => function,
            _ => return Err(self.unsupported("a call through a pointer")),
        };
        let shader = self.module.shader;
        match shader.callees.get(function).copied().unwrap_or_default() {
            Callee::Ignored => {
                self.follow_variable();
                Ok(None)
            }
            Callee::DxOp(_) => {
                let op =
                    decode(self.view, args).map_err(|error| self.malformed(error.to_string()))?;
                let slots = self.operation(&op, data.ty)?;
                Ok(data.result.expand().map(|_| slots))
            }
            Callee::Function if let Some(slots) = self.overflow_check(function, args)? => {
                Ok(data.result.expand().map(|_| slots))
            }
            Callee::Function => {
                self.module.calls.add(self.view.function.id, function);
                let queue = &mut self.module.queue;
                let number = match queue.iter().position(|&known| known == function) {
                    Some(number) => number,
                    None => {
                        queue.push(function);
                        queue.len() - 1
                    }
                };
                let mut src = Vec::new();
                for &arg in args {
                    src.extend(self.all(arg)?);
                }
                let op = ComplexOp::Call(self.module.first_function + number as u32);
                match data.result.expand() {
                    Some(_) => self.complex_of(op, data.ty, &src).map(Some),
                    None => {
                        self.complex(op, &[], &src);
                        Ok(None)
                    }
                }
            }
        }
    }
}
