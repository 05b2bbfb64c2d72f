//! One instruction of the IR.

use dxil_frontend::dxil::ops::{self, Callee};
use dxil_frontend::ir::{
    AtomicRmwOp, CastOp, Constant, FuncId, Inst, InstData, InstId, Type, ValueDef, ValueId,
};

use super::Lowering;
use super::context::{Call, Value};
use super::memory::group_order::GroupAccess;
use super::memory::variables::Pointer;
use super::numbers::overflow::Checked;
use super::types::Scalar;
use crate::options::Features;
use crate::spirv::{Capability, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::{Error, ErrorKind, Quirks, Result};

impl Lowering<'_> {
    /// Lowers an instruction that is neither phi nor terminator.
    pub(super) fn instruction(&mut self, inst: InstId, data: &InstData) -> Result<()> {
        if let Some(result) = data.result.expand()
            && self.resources.names_resource(result)
        {
            return Ok(());
        }
        let value = match data.inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } => Value::Id(self.binary(op, fast_math, lhs, rhs)?),
            Inst::Cast { op, value } => self.cast_instruction(op, value, data)?,
            Inst::Cmp {
                predicate,
                lhs,
                rhs,
                ..
            } => Value::Id(self.compare(predicate, lhs, rhs)?),
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => match data.result.expand() {
                Some(result) if self.is_pointer(result) => {
                    self.select_pointer(result, condition, if_true, if_false)?
                }
                _ => Value::Id(self.select_value(condition, if_true, if_false)?),
            },
            Inst::Call { callee, args, .. } => {
                let args = self.view.function.values_of(args);
                let call = Call {
                    inst,
                    result: data.result.expand(),
                    ty: data.ty,
                    overload: ops::Overload::Void,
                };
                self.call(callee, args, call)?
            }
            Inst::Alloca {
                allocated, count, ..
            } => match data.result.expand() {
                Some(result) => self.alloca(result, allocated, count)?,
                None => Value::Unset,
            },
            Inst::Load { pointer, .. } => {
                self.order_group_access(pointer, GroupAccess::Load)?;
                match self.load_from_shared_row(inst, pointer)? {
                    Some(component) => Value::Id(component),
                    None => Value::Id(self.load(pointer, data.ty)?),
                }
            }
            Inst::Store { pointer, value, .. } => {
                self.order_group_access(pointer, GroupAccess::Store)?;
                if !self.store_to_shared_row(inst, pointer)? {
                    self.store(pointer, value)?;
                }
                Value::Unset
            }
            Inst::Gep { operands, .. } => {
                let operands = self.view.function.values_of(operands);
                match self.is_shared_component(operands) {
                    true => Value::Unset,
                    false => Value::Pointer(self.gep(operands)?),
                }
            }
            Inst::ExtractValue { aggregate, indices } => {
                self.extract_value(aggregate, indices, data.ty)?
            }
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => self.insert_value(aggregate, value, indices, data.ty)?,
            Inst::ExtractElement { vector, index } => {
                Value::Id(self.extract_element(vector, index)?)
            }
            Inst::InsertElement {
                vector,
                value,
                index,
            } => Value::Id(self.insert_element(vector, value, index)?),
            Inst::ShuffleVector { a, b, mask } => {
                Value::Id(self.shuffle_vector(a, b, mask, data.ty)?)
            }
            Inst::AtomicRmw {
                op, pointer, value, ..
            } => {
                self.order_group_access(pointer, GroupAccess::Atomic)?;
                Value::Id(self.atomic_rmw(op, pointer, value)?)
            }
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ..
            } => {
                self.order_group_access(pointer, GroupAccess::Atomic)?;
                self.compare_exchange(pointer, compare, value)?
            }
            Inst::Fence { .. } => {
                let scope = self.b.const_u32(Scope::Workgroup as u32);
                let semantics = MemorySemantics::ACQUIRE_RELEASE
                    | MemorySemantics::WORKGROUP_MEMORY
                    | MemorySemantics::UNIFORM_MEMORY
                    | MemorySemantics::IMAGE_MEMORY;
                let semantics = self.b.const_u32(semantics.bits());
                self.b.emit_void(Op::MemoryBarrier, &[scope, semantics]);
                Value::Unset
            }
            Inst::Phi { .. }
            | Inst::Ret { .. }
            | Inst::Br { .. }
            | Inst::CondBr { .. }
            | Inst::Switch { .. }
            | Inst::Unreachable => return Err(Error::internal("control flow as an instruction")),
        };
        if let Some(result) = data.result.expand()
            && value != Value::Unset
        {
            let computes = matches!(
                data.inst,
                Inst::Binary { .. } | Inst::Cast { .. } | Inst::Call { .. }
            );
            let value = match value {
                Value::Id(id) if self.types.rounded_half && computes => match self.shape(data.ty) {
                    Ok(shape) => Value::Id(self.round_half(shape, id)?),
                    Err(_) => value,
                },
                value => value,
            };
            let value = self.watched_result(data.ty, value)?;
            self.values.set(result, value);
            // A phi names a value, and no code can be written where it does.
            if matches!(value, Value::Parts(_)) && self.values.is_whole(result) {
                let whole = self.id(result)?;
                self.values.set(result, Value::Id(whole));
            }
        }
        Ok(())
    }

    fn cast_instruction(&mut self, op: CastOp, value: ValueId, data: &InstData) -> Result<Value> {
        let is_pointer = matches!(self.view.module.types.get(data.ty), Type::Pointer { .. });
        if is_pointer && matches!(op, CastOp::Bitcast | CastOp::AddrSpaceCast) {
            return Ok(Value::Pointer(self.cast_pointer(value, data.ty)?));
        }
        Ok(Value::Id(self.cast(op, value, data.ty)?))
    }

    fn call(&mut self, callee: ValueId, args: &[ValueId], mut call: Call) -> Result<Value> {
        let function = match self.view.value(callee).map(|data| data.def) {
            Some(ValueDef::Function(function)) => function,
            Some(ValueDef::Constant(Constant::Undef)) => {
                return Err(Error::malformed("a call of an undefined function"));
            }
            _ => return Err(Error::unsupported("a call through a pointer")),
        };
        match self.shader.callees[function] {
            Callee::Ignored => {
                if self.source.is_some() {
                    self.source_variable(call.inst);
                }
                Ok(Value::Unset)
            }
            Callee::DxOp(overload) => {
                call.overload = overload;
                let op = ops::decode(self.view, args)?;
                self.check_callee(function, &op, overload)?;
                self.watch_written(&op)?;
                self.assume_whole_quads(&op);
                self.op_on_choices(&call, &op)
            }
            Callee::Function => {
                let Some(&id) = self.functions.get(&function) else {
                    let name = self
                        .view
                        .module
                        .functions
                        .get(function)
                        .map_or("?", |decl| &decl.name);
                    if let Some(what) = Checked::named(name) {
                        return self.checked(what, args);
                    }
                    // The byte 1 tells LLVM not to mangle a name again.
                    let name = name.trim_start_matches('\u{1}');
                    return Err(Error::unsupported(format!(
                        "a call of the undefined function {name}"
                    )));
                };
                let mut words = Vec::with_capacity(args.len() + 1);
                words.push(id);
                let mut copies = Vec::new();
                for &arg in args {
                    let (id, copy) = self.argument(arg)?;
                    words.push(id);
                    copies.extend(copy);
                }
                let ty = self.ty(call.ty)?;
                let result = self.b.emit(Op::FunctionCall, ty, &words);
                for copy in copies {
                    self.copy_back(copy);
                }
                Ok(Value::Id(result))
            }
        }
    }

    /// The SPIR-V pointer of an atomic operation, the integer width there, and the scope of who else may be there.
    fn atomic_pointer(&mut self, pointer: ValueId, value: ValueId) -> Result<(Id, u32, Id)> {
        let ty = self.type_of(value)?;
        let Scalar::Int { bits, width } = self.scalar(ty)? else {
            return Err(Error::unsupported("atomics on floats in memory"));
        };
        if bits != width || bits < 32 {
            return Err(Error::unsupported(format!("atomics on i{bits}")));
        }
        let pointer = self.pointer(pointer)?;
        let data = self.pointer_data(pointer)?;
        if bits == 64 {
            self.b.capability(Capability::Int64Atomics);
            let has = self
                .options
                .target
                .features
                .contains(Features::SHARED_INT64_ATOMICS);
            if data.class() == StorageClass::Workgroup && !has {
                return Err(Error::new(ErrorKind::TargetLacks {
                    feature: "shaderSharedInt64Atomics",
                    user: "a 64-bit atomic on groupshared memory".to_owned(),
                }));
            }
        }
        let id = match data {
            Pointer::Typed { id, .. } => id,
            Pointer::Address { address, .. } => {
                let has = self.has(Features::BUFFER_INT64_ATOMICS);
                if bits == 64 && !has {
                    return Err(Error::new(ErrorKind::TargetLacks {
                        feature: "shaderBufferInt64Atomics",
                        user: "a 64-bit atomic on a node's record".to_owned(),
                    }));
                }
                let ty = self.b.uint(width);
                self.scalar_at(address, ty)
            }
            Pointer::Cells { cell, .. } if cell.array.width == width => self.cell_address(cell),
            Pointer::Cells { .. } => {
                return Err(Error::unsupported(
                    "an atomic on memory that is also looked at in smaller pieces",
                ));
            }
        };
        if data.class() == StorageClass::Function {
            return Err(Error::unsupported("an atomic on a local variable"));
        }
        let scope = match data.class() {
            StorageClass::PhysicalStorageBuffer => Scope::Device,
            _ => Scope::Workgroup,
        };
        Ok((id, width, self.b.const_u32(scope as u32)))
    }

    fn atomic_rmw(&mut self, op: AtomicRmwOp, pointer: ValueId, value: ValueId) -> Result<Id> {
        let (address, width, scope) = self.atomic_pointer(pointer, value)?;
        let operand = self.id(value)?;
        let guard = self.guard_of_value(pointer)?;
        let op = match op {
            AtomicRmwOp::Xchg => Op::AtomicExchange,
            AtomicRmwOp::Add => Op::AtomicIAdd,
            AtomicRmwOp::Sub => Op::AtomicISub,
            AtomicRmwOp::And => Op::AtomicAnd,
            AtomicRmwOp::Or => Op::AtomicOr,
            AtomicRmwOp::Xor => Op::AtomicXor,
            AtomicRmwOp::Max => Op::AtomicSMax,
            AtomicRmwOp::Min => Op::AtomicSMin,
            AtomicRmwOp::UMax => Op::AtomicUMax,
            AtomicRmwOp::UMin => Op::AtomicUMin,
            AtomicRmwOp::Nand => return Err(Error::unsupported("atomicrmw nand")),
        };
        let ty = self.b.uint(width);
        // D3D's atomics order nothing but themselves.
        let relaxed = self.b.const_u32(0);
        let part = guard.map(|inside| self.begin_if(inside));
        let old = self.atomic(op, ty, [address, scope, relaxed, operand]);
        Ok(self.end_guarded(part, ty, old))
    }

    fn compare_exchange(
        &mut self,
        pointer: ValueId,
        compare: ValueId,
        value: ValueId,
    ) -> Result<Value> {
        let (address, width, scope) = self.atomic_pointer(pointer, value)?;
        let [compare, value] = self.ids([compare, value])?;
        let ty = self.b.uint(width);
        let relaxed = self.b.const_u32(0);
        let part = self
            .guard_of_value(pointer)?
            .map(|inside| self.begin_if(inside));
        let old = self.b.emit(
            Op::AtomicCompareExchange,
            ty,
            &[address, scope, relaxed, relaxed, value, compare],
        );
        let old = self.end_guarded(part, ty, old);
        let bool_ty = self.b.bool();
        let success = self.b.emit(Op::IEqual, bool_ty, &[old, compare]);
        Ok(self.pair(old, success))
    }

    /// Whether the call carries `dx.precise` metadata.
    pub(super) fn is_precise(&self, call: &Call) -> bool {
        self.has_quirk(Quirks::PRECISE)
            || self
                .shader
                .hints
                .is_precise(self.view.module, self.view.function, call.inst)
    }

    /// An operation that is called through a function of another's types would be lowered with operands
    /// that its SPIR-V instruction does not take.
    fn check_callee(&self, function: FuncId, op: &ops::Op, overload: ops::Overload) -> Result<()> {
        let opcode = op.opcode();
        let decl = self.view.module.functions.get(function);
        let name = decl.map_or("", |decl| &decl.name);
        if opcode.is_called_by(name) && opcode.properties().overloads.allows(overload) {
            return Ok(());
        }
        Err(Error::malformed(format!(
            "operation {} is called through {name}",
            opcode.name()
        )))
    }
}
