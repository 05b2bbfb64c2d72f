//! Calls that take or return vectors.

use dxil_frontend::dxil::ops::{Callee, Group, Op, Opcode, VectorOp, decode, decode_opcode};
use dxil_frontend::ir::{
    BinaryOp, Constant, FastMath, FuncId, Inst, InstData, InstId, List, Type, TypeId, ValueData,
    ValueDef, ValueId,
};

use super::rewrite::Elements;
use crate::vectors::rewrite::state::VectorRewrite;
use crate::{Error, Result};

/// Maximum number of elements of one raw-buffer access: `rawBufferLoad` and `rawBufferStore` have a
/// mask of four components.
const MAX_ACCESS_ELEMENTS: u32 = 4;

/// An operand of an operation that is applied element by element.
enum ElementOperand {
    /// The same for all elements.
    Same(ValueId),
    /// One per element.
    Each(Elements),
}

impl VectorRewrite<'_, '_, '_> {
    /// Rewrites a call of an operation or a function.
    pub(super) fn call(
        &mut self,
        inst: InstId,
        data: &InstData,
        callee: ValueId,
        list: List<ValueId>,
    ) -> Result<()> {
        let args = self.old.function.values_of(list);
        let gives_vector = super::holds_vector(&self.old.module.types, data.ty);
        if !gives_vector && args.iter().all(|&arg| self.vector(arg).is_none()) {
            return self.copy(inst, data);
        }
        let Some(function) = self.old.as_function(callee) else {
            return Err(Error::unsupported("a call through a pointer"));
        };
        match self.shader.callees[function] {
            Callee::Ignored => Ok(()),
            Callee::Function => self.function_call(inst, data, callee, args),
            Callee::DxOp(_) => {
                let opcode = decode_opcode(self.old, args)?;
                if self.takes_whole(opcode, data, args) {
                    self.check_class(function, opcode)?;
                    return match opcode {
                        Opcode::RawBufferVectorStore => self.whole_access(inst, data),
                        _ => self.whole_call(inst, data),
                    };
                }
                if let (Opcode::WaveMatch, &[_, value]) = (opcode, args) {
                    self.check_class(function, opcode)?;
                    return self.wave_match(inst, data, function, value);
                }
                // The vertices of a triangle are an array in SPIR-V; matrices are refused later.
                if matches!(opcode.properties().group, Group::Preview | Group::LinAlg) {
                    self.check_class(function, opcode)?;
                    return self.function_call(inst, data, callee, args);
                }
                if opcode.properties().group != Group::Vector {
                    return self.operation_per_element(inst, data, function, opcode, args);
                }
                self.check_class(function, opcode)?;
                let Op::Vector(op) = decode(self.old, args)? else {
                    return Err(Error::internal("an operation on vectors that is none"));
                };
                match op {
                    VectorOp::RawBufferVectorLoad(_)
                        if data
                            .result
                            .expand()
                            .is_some_and(|load| self.whole_loads.contains(&load)) =>
                    {
                        self.whole_access(inst, data)
                    }
                    VectorOp::RawBufferVectorLoad(op) => {
                        let place = [op.buffer, op.index];
                        let offset = op.element_offset.expand();
                        self.vector_load(inst, data, function, place, offset, op.align)
                    }
                    VectorOp::RawBufferVectorStore(op) => {
                        let place = [op.buffer, op.index];
                        let offset = op.element_offset.expand();
                        self.vector_store(inst, function, place, offset, op.value, op.align)
                    }
                    VectorOp::VectorReduceAnd(op) => self.reduce(inst, data, BinaryOp::And, op.a),
                    VectorOp::VectorReduceOr(op) => self.reduce(inst, data, BinaryOp::Or, op.a),
                    VectorOp::FDot(op) => self.dot(inst, data, function, op.a, op.b),
                }
            }
        }
    }

    fn check_class(&self, function: FuncId, opcode: Opcode) -> Result<()> {
        let decl = self.old.module.functions.get(function);
        let name = decl.map_or("", |decl| &decl.name);
        if opcode.may_be_called_by(name) {
            Ok(())
        } else {
            Err(Error::malformed(format!(
                "operation {} is called through {name}",
                opcode.name()
            )))
        }
    }

    /// Rewrites a call of a function with a body: vectors are passed and returned as arrays.
    fn function_call(
        &mut self,
        inst: InstId,
        data: &InstData,
        callee: ValueId,
        args: &[ValueId],
    ) -> Result<()> {
        let mut now = Vec::with_capacity(args.len());
        for &arg in args {
            now.push(match self.vector(arg) {
                Some(_) => self.close(arg, inst)?,
                None => self.now(arg),
            });
        }
        // The declaration stays as it is: its vector types have become arrays under the same ids.
        let call = Inst::Call {
            callee,
            args: self.list(&now),
            fast_math: FastMath::default(),
        };
        let result = data.result.expand();
        self.emit_as(inst, call, data.ty, result)?;
        match result {
            Some(result) => self.open(result, inst),
            None => Ok(()),
        }
    }

    /// Rewrites an operation that is applied to each element.
    fn operation_per_element(
        &mut self,
        inst: InstId,
        data: &InstData,
        function: FuncId,
        opcode: Opcode,
        args: &[ValueId],
    ) -> Result<()> {
        self.check_class(function, opcode)?;
        let vectors = args.iter().filter_map(|&arg| self.vector(arg));
        let mut vectors = vectors.chain(self.vector_type(data.ty));
        let Some((overload, count)) = vectors.next() else {
            return Err(Error::unsupported(format!(
                "operation {} on structures of vectors",
                opcode.name()
            )));
        };
        for (element, length) in args.iter().filter_map(|&arg| self.vector(arg)) {
            if (element, length) != (overload, count) {
                return Err(Error::malformed(format!(
                    "operation {} on vectors of several types",
                    opcode.name()
                )));
            }
        }
        let (ret, result) = match (self.vector_type(data.ty), data.result.expand()) {
            (Some((element, length)), Some(result)) if length == count => (element, result),
            _ => {
                return Err(Error::malformed(format!(
                    "operation {} on vectors gives something else",
                    opcode.name()
                )));
            }
        };
        let mut params = Vec::with_capacity(args.len());
        let mut operands = Vec::with_capacity(args.len());
        for &arg in args {
            let ty = self.old.type_of(arg);
            let ty = ty.ok_or_else(|| Error::malformed(format!("{arg} is not defined")))?;
            match self.vector(arg) {
                Some((element, _)) => {
                    params.push(element);
                    operands.push(ElementOperand::Each(
                        self.elements_of_size(arg, count, inst)?,
                    ));
                }
                None => {
                    params.push(ty);
                    operands.push(ElementOperand::Same(self.now(arg)));
                }
            }
        }
        let callee = self.operation(opcode, overload, ret, &params, function)?;
        let mut made = Vec::with_capacity(count as usize);
        for index in 0..count {
            let each: Vec<ValueId> = operands
                .iter()
                .map(|operand| match *operand {
                    ElementOperand::Same(same) => same,
                    ElementOperand::Each(elements) => self.element(elements, index),
                })
                .collect();
            made.push(self.emit_call(inst, callee, &each, ret)?);
        }
        self.define(result, &made, inst)
    }

    /// Returns the function of an operation on scalars, as a value.
    pub(super) fn operation(
        &mut self,
        opcode: Opcode,
        overload: TypeId,
        ret: TypeId,
        params: &[TypeId],
        like: FuncId,
    ) -> Result<ValueId> {
        let class = opcode.class();
        let function = self.tables.operation(class, overload, ret, params, like)?;
        Ok(self.function_value(function))
    }

    pub(super) fn emit_call(
        &mut self,
        origin: InstId,
        callee: ValueId,
        args: &[ValueId],
        ret: TypeId,
    ) -> Result<ValueId> {
        let call = Inst::Call {
            callee,
            args: self.list(args),
            fast_math: FastMath::FAST,
        };
        self.emit(origin, call, ret)
    }

    /// Rewrites `rawBufferVectorLoad` as loads of up to four values.
    fn vector_load(
        &mut self,
        inst: InstId,
        data: &InstData,
        like: FuncId,
        [buffer, index]: [ValueId; 2],
        offset: Option<ValueId>,
        align: u32,
    ) -> Result<()> {
        let types = &self.old.module.types;
        let vector = match types.get(data.ty) {
            Type::Struct { fields, .. } => match **fields {
                [vector, _] => self.vector_type(vector),
                _ => None,
            },
            _ => None,
        };
        let (Some((element, count)), Some(result)) = (vector, data.result.expand()) else {
            return Err(Error::malformed("a vector load gives no vector and status"));
        };
        let word = self.tables.int(32);
        let ret = self.tables.ty(Type::Struct {
            name: None,
            fields: [element, element, element, element, word]
                .into_iter()
                .collect(),
            packed: false,
            opaque: false,
        });
        let mut loaded = Vec::with_capacity(count as usize);
        let mut first_load = None;
        for first in (0..count).step_by(MAX_ACCESS_ELEMENTS as usize) {
            let here = (count - first).min(MAX_ACCESS_ELEMENTS);
            let place = self.element_address(inst, [buffer, index], offset, element, first)?;
            let args = self.with_mask(Opcode::RawBufferLoad, place, &[], here, align);
            let callee = self.access(Opcode::RawBufferLoad, element, ret, &args, like)?;
            let load = self.emit_call(inst, callee, &args, ret)?;
            first_load.get_or_insert(load);
            for member in 0..here {
                let indices = self.indices([u64::from(member)]);
                let extract = Inst::ExtractValue {
                    aggregate: load,
                    indices,
                };
                loaded.push(self.emit(inst, extract, element)?);
            }
        }
        if let Some(load) = first_load {
            self.vector_loads.insert(result, load);
        }
        self.define_loaded(result, &loaded)
    }

    /// Rewrites `rawBufferVectorStore` as stores of up to four values.
    fn vector_store(
        &mut self,
        inst: InstId,
        like: FuncId,
        [buffer, index]: [ValueId; 2],
        offset: Option<ValueId>,
        value: ValueId,
        align: u32,
    ) -> Result<()> {
        let Some((element, _)) = self.vector(value) else {
            return Err(Error::malformed("a vector store of no vector"));
        };
        let elements = self.elements_of(value, inst)?;
        let void = self.tables.void();
        for first in (0..elements.len()).step_by(MAX_ACCESS_ELEMENTS as usize) {
            let here = (elements.len() - first).min(MAX_ACCESS_ELEMENTS);
            let place = self.element_address(inst, [buffer, index], offset, element, first)?;
            // Components outside of the mask are not written, and `rawBufferStore` has four value
            // operands anyway.
            let undef = self.constant(element, Constant::Undef);
            let mut values = [undef; MAX_ACCESS_ELEMENTS as usize];
            for (slot, at) in values.iter_mut().zip(first..first + here) {
                *slot = self.element(elements, at);
            }
            let args = self.with_mask(Opcode::RawBufferStore, place, &values, here, align);
            let callee = self.access(Opcode::RawBufferStore, element, void, &args, like)?;
            let call = Inst::Call {
                callee,
                args: self.list(&args),
                fast_math: FastMath::default(),
            };
            self.emit_void(inst, call)?;
        }
        Ok(())
    }

    /// Returns buffer, index and byte offset of the element `first`. A raw buffer has no offset in
    /// DXIL; the translator adds a constant one to the index.
    fn element_address(
        &mut self,
        origin: InstId,
        [buffer, index]: [ValueId; 2],
        offset: Option<ValueId>,
        element: TypeId,
        first: u32,
    ) -> Result<[ValueId; 3]> {
        let bytes = first * u32::from(self.tables.bits(element)?).div_ceil(8);
        let word = self.tables.int(32);
        let offset = match offset {
            None if bytes == 0 => self.constant(word, Constant::Undef),
            None => self.int(bytes),
            Some(offset) => match self.old.constant_int(offset) {
                Some(literal) => self.int((literal as u32).wrapping_add(bytes)),
                None => {
                    let offset = self.now(offset);
                    let bytes = self.int(bytes);
                    self.binary(origin, BinaryOp::Add, offset, bytes, word)?
                }
            },
        };
        Ok([self.now(buffer), self.now(index), offset])
    }

    /// Returns the arguments of a raw-buffer access to `count` values.
    fn with_mask(
        &mut self,
        opcode: Opcode,
        place: [ValueId; 3],
        values: &[ValueId],
        count: u32,
        align: u32,
    ) -> Vec<ValueId> {
        let byte = self.tables.int(8);
        // Raw and structured buffers allow no gaps in a mask: x, xy, xyz and xyzw are valid
        // (DXIL.rst, "RawBufferStore").
        let mask = self.scalar_constant(byte, (1 << count) - 1);
        let mut args = vec![self.int(opcode as u32)];
        args.extend(place);
        args.extend_from_slice(values);
        args.extend([mask, self.int(align)]);
        args
    }

    /// Returns the function of a raw-buffer access with such arguments, as a value.
    fn access(
        &mut self,
        opcode: Opcode,
        element: TypeId,
        ret: TypeId,
        args: &[ValueId],
        like: FuncId,
    ) -> Result<ValueId> {
        let mut params = Vec::with_capacity(args.len());
        for &arg in args {
            let ty = self.type_of(arg);
            params.push(ty.ok_or_else(|| Error::malformed(format!("{arg} is not defined")))?);
        }
        self.operation(opcode, element, ret, &params, like)
    }

    /// Rewrites `vectorReduce` as a chain of operations.
    fn reduce(
        &mut self,
        inst: InstId,
        data: &InstData,
        op: BinaryOp,
        vector: ValueId,
    ) -> Result<()> {
        let elements = self.elements_of(vector, inst)?;
        let element = self.vector(vector).map(|(element, _)| element);
        if element.map(|ty| self.tables.get(ty)) != Some(self.tables.get(data.ty)) {
            return Err(Error::malformed("a reduction gives another type"));
        }
        let mut all = self.element(elements, 0);
        for index in 1..elements.len() {
            let next = self.element(elements, index);
            all = self.binary(inst, op, all, next, data.ty)?;
        }
        self.replace(data.result.expand(), all);
        Ok(())
    }

    /// Rewrites `dot` as a product and multiply-adds.
    fn dot(
        &mut self,
        inst: InstId,
        data: &InstData,
        like: FuncId,
        a: ValueId,
        b: ValueId,
    ) -> Result<()> {
        let a_elements = self.elements_of(a, inst)?;
        let b_elements: Elements = self.elements_of_size(b, a_elements.len(), inst)?;
        let ty = match (self.vector(a), self.vector(b)) {
            (Some((a, _)), Some((b, _))) if a == b && a == data.ty => a,
            _ => return Err(Error::malformed("a dot product of several types")),
        };
        let old = self.old;
        let precise = self.shader.hints.is_precise(old.module, old.function, inst);
        let product = Inst::Binary {
            op: BinaryOp::FMul,
            fast_math: if precise {
                FastMath::default()
            } else {
                FastMath::FAST
            },
            lhs: self.element(a_elements, 0),
            rhs: self.element(b_elements, 0),
        };
        let mut sum = self.emit(inst, product, ty)?;
        let opcode = self.int(Opcode::FMad as u32);
        let word = self.tables.int(32);
        let callee = self.operation(Opcode::FMad, ty, ty, &[word, ty, ty, ty], like)?;
        for index in 1..a_elements.len() {
            let args = [
                opcode,
                self.element(a_elements, index),
                self.element(b_elements, index),
                sum,
            ];
            sum = self.emit_call(inst, callee, &args, ty)?;
        }
        self.replace(data.result.expand(), sum);
        Ok(())
    }

    /// Returns a function as a value.
    pub(super) fn function_value(&mut self, function: FuncId) -> ValueId {
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        let void = self.tables.void();
        let value = self.value(ValueData {
            ty: void,
            def: ValueDef::Function(function),
        });
        self.functions.insert(function, value);
        value
    }
}
