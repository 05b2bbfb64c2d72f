//! Writes instructions into a copy of a function.

use cranelift_entity::packed_option::ReservedValue;
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{
    AtomicOrdering, AtomicRmwOp, BinaryOp, BlockId, CastOp, CmpPredicate, Constant, FastMath,
    FuncId, FuncView, Function, Inst, InstData, InstId, List, Type, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;

use crate::inline::{DraftFunction, DraftInst};
use crate::pseudo::{Argument, ArgumentKind, PseudoCall};
use crate::vectors::ModuleTables;
use crate::{Error, Result};

/// The function being written, and the block that new instructions go to.
pub(crate) struct FunctionWriter<'a, 't, 'm> {
    pub(crate) view: FuncView<'a>,
    pub(crate) draft: DraftFunction,
    pub(crate) tables: &'t mut ModuleTables<'m>,
    /// The current block so far.
    pub(crate) code: Vec<DraftInst>,
    constants: HashMap<(TypeId, u64), ValueId>,
}

impl<'a, 't, 'm> FunctionWriter<'a, 't, 'm> {
    pub(crate) fn new(view: FuncView<'a>, tables: &'t mut ModuleTables<'m>) -> Self {
        FunctionWriter {
            view,
            draft: DraftFunction::of(view.function),
            tables,
            code: Vec::new(),
            constants: HashMap::default(),
        }
    }

    /// Returns the number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.draft.blocks.len()
    }

    /// Takes a block's instructions, to be written again.
    pub(crate) fn take_block(&mut self, block: usize) -> Vec<DraftInst> {
        let lines = self.draft.blocks.get_mut(block);
        lines.map(std::mem::take).unwrap_or_default()
    }

    /// Ends the block whose instructions were taken.
    pub(crate) fn end_block(&mut self, block: usize) {
        let code = std::mem::take(&mut self.code);
        if let Some(slot) = self.draft.blocks.get_mut(block) {
            *slot = code;
        }
    }

    /// Writes an instruction as it was.
    pub(crate) fn keep(&mut self, line: DraftInst) {
        self.code.push(line);
    }

    /// Puts a value in the place of another.
    pub(crate) fn replace(&mut self, value: ValueId, by: ValueId) {
        self.draft.replace(value, by);
    }

    /// Returns the function.
    pub(crate) fn finish(self) -> Function {
        self.draft.finish()
    }

    pub(crate) fn int_ty(&mut self, bits: u16) -> TypeId {
        self.tables.int(bits)
    }

    pub(crate) fn float_ty(&mut self) -> TypeId {
        self.tables.ty(Type::Float)
    }

    /// Returns an integer constant.
    pub(crate) fn int(&mut self, bits: u16, value: u64) -> ValueId {
        let ty = self.int_ty(bits);
        let (draft, def) = (&mut self.draft, ValueDef::Constant(Constant::Int(value)));
        let constant = self.constants.entry((ty, value));
        *constant.or_insert_with(|| draft.value(ty, def))
    }

    /// Returns the type of no value.
    pub(crate) fn void_ty(&mut self) -> TypeId {
        self.tables.void()
    }

    /// Returns the zero of a type.
    pub(crate) fn zero(&mut self, ty: TypeId) -> ValueId {
        self.draft.value(ty, ValueDef::Constant(Constant::Null))
    }

    /// Returns an undefined word.
    pub(crate) fn undef_word(&mut self) -> ValueId {
        let ty = self.int_ty(32);
        self.draft.value(ty, ValueDef::Constant(Constant::Undef))
    }

    /// Returns an `i32` constant.
    pub(crate) fn word(&mut self, value: u32) -> ValueId {
        self.int(32, u64::from(value))
    }

    fn emit(&mut self, inst: Inst, ty: TypeId) -> Result<ValueId> {
        self.tables.spend(1)?;
        let def = ValueDef::Inst(InstId::reserved_value());
        let result = self.draft.value(ty, def);
        self.code.push(DraftInst::new(InstData {
            inst,
            ty,
            result: result.into(),
        }));
        Ok(result)
    }

    /// Adds an instruction of integer arithmetic.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        bits: u16,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<ValueId> {
        let ty = self.int_ty(bits);
        self.arithmetic(op, ty, lhs, rhs)
    }

    /// Adds an instruction of arithmetic on a type.
    pub(crate) fn arithmetic(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<ValueId> {
        let fast_math = FastMath::default();
        self.emit(
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            },
            ty,
        )
    }

    pub(crate) fn cast(&mut self, op: CastOp, value: ValueId, ty: TypeId) -> Result<ValueId> {
        self.emit(Inst::Cast { op, value }, ty)
    }

    pub(crate) fn compare(
        &mut self,
        predicate: CmpPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> Result<ValueId> {
        let ty = self.int_ty(1);
        let fast_math = FastMath::default();
        self.emit(
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            },
            ty,
        )
    }

    /// Returns a phi of words.
    pub(crate) fn phi(&mut self, edges: &[(ValueId, BlockId)]) -> Result<ValueId> {
        let ty = self.int_ty(32);
        let incoming = self.draft.edges(edges);
        self.emit(Inst::Phi { incoming }, ty)
    }

    /// Returns a choice between words.
    pub(crate) fn select(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    ) -> Result<ValueId> {
        let ty = self.int_ty(32);
        self.emit(
            Inst::Select {
                condition,
                if_true,
                if_false,
            },
            ty,
        )
    }

    /// Returns whether a type is that of pointers to bytes.
    pub(crate) fn is_pointer_to_bytes(&self, ty: TypeId) -> bool {
        match *self.tables.get(ty) {
            Type::Pointer { pointee, .. } => matches!(self.tables.get(pointee), Type::Int(8)),
            _ => false,
        }
    }

    /// Returns the type of hit objects.
    pub(crate) fn hit_object_ty(&mut self) -> TypeId {
        let byte = self.tables.int(8);
        let pointer = self.tables.ty(Type::Pointer {
            pointee: byte,
            address_space: 0,
        });
        self.tables.ty(Type::Struct {
            name: Some("dx.types.HitObject".into()),
            fields: [pointer].into_iter().collect(),
            packed: false,
            opaque: false,
        })
    }

    /// Returns a member of an aggregate of words.
    pub(crate) fn member(&mut self, aggregate: ValueId, index: u32) -> Result<ValueId> {
        let ty = self.int_ty(32);
        let indices = self.index(index);
        self.emit(Inst::ExtractValue { aggregate, indices }, ty)
    }

    /// Returns the aggregate with another word as a member.
    pub(crate) fn with_member(
        &mut self,
        aggregate: ValueId,
        ty: TypeId,
        index: u32,
        value: ValueId,
    ) -> Result<ValueId> {
        let indices = self.index(index);
        self.emit(
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            },
            ty,
        )
    }

    /// Returns an element of a vector.
    pub(crate) fn element(&mut self, vector: ValueId, ty: TypeId, index: u32) -> Result<ValueId> {
        let index = self.word(index);
        self.emit(Inst::ExtractElement { vector, index }, ty)
    }

    /// Returns the vector of these elements.
    pub(crate) fn vector(&mut self, ty: TypeId, elements: &[ValueId]) -> Result<ValueId> {
        let mut vector = self.zero(ty);
        for (index, &value) in (0..).zip(elements) {
            let index = self.word(index);
            let inst = Inst::InsertElement {
                vector,
                value,
                index,
            };
            vector = self.emit(inst, ty)?;
        }
        Ok(vector)
    }

    /// Returns the address of an element some elements after another one.
    pub(crate) fn address_after(&mut self, pointer: ValueId, steps: ValueId) -> Result<ValueId> {
        let ty = self.type_of(pointer);
        let ty = ty.ok_or_else(|| Error::internal("an address without a type"))?;
        let operands = self.draft.list(&[pointer, steps]);
        let inst = Inst::Gep {
            inbounds: false,
            operands,
        };
        self.emit(inst, ty)
    }

    /// Returns what a variable of that type has.
    pub(crate) fn load(&mut self, pointer: ValueId, ty: TypeId) -> Result<ValueId> {
        let inst = Inst::Load {
            pointer,
            align: 0,
            volatile: false,
        };
        self.emit(inst, ty)
    }

    /// Stores to a variable.
    pub(crate) fn store(&mut self, pointer: ValueId, value: ValueId) -> Result<()> {
        let inst = Inst::Store {
            pointer,
            value,
            align: 0,
            volatile: false,
        };
        self.emit_void(inst)
    }

    /// Adds to an integer in memory, atomically.
    pub(crate) fn atomic_add(&mut self, pointer: ValueId, value: ValueId) -> Result<()> {
        let ty = self.type_of(value);
        let ty = ty.ok_or_else(|| Error::internal("an operand without a type"))?;
        let inst = Inst::AtomicRmw {
            op: AtomicRmwOp::Add,
            pointer,
            value,
            ordering: AtomicOrdering::Monotonic,
            volatile: false,
        };
        self.emit(inst, ty).map(|_| ())
    }

    fn emit_void(&mut self, inst: Inst) -> Result<()> {
        self.tables.spend(1)?;
        let ty = self.tables.void();
        self.code.push(DraftInst::new(InstData {
            inst,
            ty,
            result: None.into(),
        }));
        Ok(())
    }

    fn index(&mut self, index: u32) -> List<u32> {
        let pool = &mut self.draft.function.number_pool;
        let indices = List::new(pool.len() as u32, 1);
        pool.push(u64::from(index));
        indices
    }

    /// Returns two words as one integer.
    pub(crate) fn joined(&mut self, low: ValueId, high: ValueId) -> Result<ValueId> {
        let wide = self.int_ty(64);
        let low = self.cast(CastOp::ZExt, low, wide)?;
        let high = self.cast(CastOp::ZExt, high, wide)?;
        let thirty_two = self.int(64, 32);
        let high = self.binary(BinaryOp::Shl, 64, high, thirty_two)?;
        self.binary(BinaryOp::Or, 64, low, high)
    }

    /// Returns the low and the high word of an integer of 64 bits.
    pub(crate) fn halves_of(&mut self, wide: ValueId) -> Result<[ValueId; 2]> {
        let word = self.int_ty(32);
        let low = self.cast(CastOp::Trunc, wide, word)?;
        let thirty_two = self.int(64, 32);
        let high = self.binary(BinaryOp::LShr, 64, wide, thirty_two)?;
        Ok([low, self.cast(CastOp::Trunc, high, word)?])
    }

    /// Returns a structure of that many words.
    pub(crate) fn words_ty(&mut self, count: usize) -> TypeId {
        let word = self.int_ty(32);
        self.tables.ty(Type::Struct {
            name: None,
            fields: std::iter::repeat_n(word, count).collect(),
            packed: false,
            opaque: false,
        })
    }

    /// Returns a call of a DXIL operation; the opcode is put before the operands. An operation
    /// without overload has none.
    pub(crate) fn operation(
        &mut self,
        opcode: Opcode,
        overload: Option<TypeId>,
        ret: TypeId,
        operands: &[ValueId],
    ) -> Result<ValueId> {
        let number = self.word(opcode.number());
        let mut args = vec![number];
        args.extend(operands);
        let params = self.types_of(&args);
        let class = opcode.properties().class;
        let overload = match overload {
            Some(ty) => ty,
            None => self.tables.void(),
        };
        let like = self.view.function.id;
        let function = self.tables.operation(class, overload, ret, &params, like)?;
        self.call(function, ret, &args)
    }

    /// Returns a call of a pseudo-operation with a result of that type.
    pub(crate) fn pseudo(&mut self, call: &PseudoCall<'_>, ret: TypeId) -> Result<ValueId> {
        let mut args = Vec::new();
        let mut params = Vec::new();
        for argument in call.arguments() {
            let (value, ty) = match argument {
                Argument::Constant(number) => (self.word(number), self.int_ty(32)),
                Argument::Value(value, ArgumentKind::Word) => (value, self.int_ty(32)),
                Argument::Value(value, ArgumentKind::HitObject) => (value, self.hit_object_ty()),
                Argument::Value(value, ArgumentKind::Own) => {
                    let ty = self.type_of(value);
                    (
                        value,
                        ty.ok_or_else(|| Error::internal("an operand without a type"))?,
                    )
                }
            };
            args.push(value);
            params.push(ty);
        }
        let like = self.view.function.id;
        let function = self.tables.pseudo(call.op(), ret, &params, like);
        self.call(function, ret, &args)
    }

    /// Gives a value of the function another type.
    pub(crate) fn set_type(&mut self, value: ValueId, ty: TypeId) {
        let at = value.as_u32().checked_sub(self.draft.function.first_value);
        let data = at.and_then(|at| self.draft.function.values.get_mut(at as usize));
        if let Some(data) = data {
            data.ty = ty;
        }
    }

    pub(crate) fn types_of(&self, values: &[ValueId]) -> Vec<TypeId> {
        values
            .iter()
            .filter_map(|&value| self.type_of(value))
            .collect()
    }

    pub(crate) fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let first = self.draft.function.first_value;
        let own = value.as_u32().checked_sub(first);
        let own = own.and_then(|at| self.draft.function.values.get(at as usize));
        own.map(|data| data.ty).or_else(|| self.view.type_of(value))
    }

    pub(crate) fn call(
        &mut self,
        function: FuncId,
        ret: TypeId,
        args: &[ValueId],
    ) -> Result<ValueId> {
        let void = self.tables.void();
        let callee = self.draft.value(void, ValueDef::Function(function));
        let args = self.draft.list(args);
        let fast_math = FastMath::default();
        let inst = Inst::Call {
            callee,
            args,
            fast_math,
        };
        if ret != void {
            return self.emit(inst, ret);
        }
        self.emit_void(inst)?;
        // The call has no result; callers ignore the value that stands for it.
        Ok(callee)
    }
}
