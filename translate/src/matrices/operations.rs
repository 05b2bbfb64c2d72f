//! The operations on matrices of threads and thread groups.

use dxil_frontend::dxil::ops::{LinAlgOp as Op, MatrixComponent as C};
use dxil_frontend::dxil::{MatrixScope, MatrixType};
use dxil_frontend::ir::{BinaryOp, CmpPredicate, InstData, TypeId, ValueId};

use super::memory::{Memory, Place};
use super::numbers::{Number, per_scalar};
use super::{MatrixScalarizer, count};
use crate::{Error, Result};

/// The row and column of no element.
const NOWHERE: u32 = u32::MAX;

impl MatrixScalarizer<'_, '_, '_> {
    /// Writes an operation.
    pub(super) fn operation(&mut self, op: &Op, data: &InstData) -> Result<()> {
        let ty = data.ty;
        match op {
            Op::LinAlgFillMatrix(op) => {
                let value = self.own_number(op.value)?;
                let (to, component) = self.result(ty)?;
                let word = self.converted(value, component)?;
                self.set(data, vec![word; count(&to)?]);
            }
            Op::LinAlgCopyConvertMatrix(op) => {
                let (from, old) = self.operand(op.source)?;
                let (to, _) = self.result(ty)?;
                same_scope(&from, &to)?;
                let size = [from.rows, from.columns];
                let wanted = if op.transpose {
                    [to.columns, to.rows]
                } else {
                    [to.rows, to.columns]
                };
                if size != wanted {
                    return Err(sizes());
                }
                let new = if op.transpose {
                    transposed(&old, to.rows as usize, to.columns as usize)
                } else {
                    old
                };
                self.finish(data, &new)?;
            }
            Op::LinAlgMatrixLoadFromDescriptor(op) => {
                let memory = Memory::Buffer {
                    handle: op.buffer,
                    align: op.align,
                };
                self.load(data, memory, [op.offset, op.stride], op.layout)?;
            }
            Op::LinAlgMatrixLoadFromMemory(op) => {
                let memory = Memory::Array(op.memory);
                self.load(data, memory, [op.offset, op.stride], op.layout)?;
            }
            Op::LinAlgMatrixStoreToDescriptor(op) => {
                let (matrix, elements) = self.operand(op.matrix)?;
                let memory = Memory::Buffer {
                    handle: op.buffer,
                    align: op.align,
                };
                let place = Place {
                    memory,
                    offset: op.offset,
                    stride: op.stride,
                    layout: op.layout,
                };
                self.store_matrix(&matrix, &elements, place)?;
            }
            Op::LinAlgMatrixStoreToMemory(op) => {
                let (matrix, elements) = self.operand(op.matrix)?;
                let place = Place {
                    memory: Memory::Array(op.memory),
                    offset: op.offset,
                    stride: op.stride,
                    layout: op.layout,
                };
                self.store_matrix(&matrix, &elements, place)?;
            }
            Op::LinAlgMatrixAccumulateToDescriptor(op) => {
                let (matrix, elements) = self.operand(op.matrix)?;
                let target = self.component(matrix.component)?;
                let memory = Memory::Buffer {
                    handle: op.buffer,
                    align: op.align,
                };
                let place = Place {
                    memory,
                    offset: op.offset,
                    stride: op.stride,
                    layout: op.layout,
                };
                self.accumulate_matrix(&matrix, &elements, target, place)?;
            }
            Op::LinAlgMatrixAccumulateToMemory(op) => {
                let (matrix, elements) = self.operand(op.matrix)?;
                let target = self.component(Some(op.target))?;
                let place = Place {
                    memory: Memory::Array(op.memory),
                    offset: op.offset,
                    stride: op.stride,
                    layout: op.layout,
                };
                self.accumulate_matrix(&matrix, &elements, target, place)?;
            }
            Op::LinAlgMatrixLength(op) => {
                let matrix = self.matrix(op.matrix)?;
                let length = self.length(&matrix)?;
                self.replace(data, length);
            }
            Op::LinAlgMatrixGetCoordinate(op) => {
                let matrix = self.matrix(op.matrix)?;
                let length = self.length(&matrix)?;
                let is_there = self.w.compare(CmpPredicate::IUlt, op.index, length)?;
                let [columns, nowhere] = [matrix.columns.max(1), NOWHERE].map(|n| self.w.word(n));
                let mut parts = Vec::new();
                for op_of in [BinaryOp::UDiv, BinaryOp::URem] {
                    let part = self.w.binary(op_of, 32, op.index, columns)?;
                    parts.push(self.w.select(is_there, part, nowhere)?);
                }
                let pair = self.w.vector(ty, &parts)?;
                self.replace(data, pair);
            }
            Op::LinAlgMatrixGetElement(op) => {
                let (matrix, elements) = self.operand(op.matrix)?;
                let of = self.component(matrix.component)?;
                let length = self.length(&matrix)?;
                let is_there = self.w.compare(CmpPredicate::IUlt, op.index, length)?;
                let mut word = self.w.word(0);
                for (at, element) in (0..).zip(elements) {
                    let at = self.w.word(at);
                    let is_it = self.w.compare(CmpPredicate::IEq, op.index, at)?;
                    word = self.w.select(is_it, element.word, word)?;
                }
                let zero = self.w.word(0);
                let word = self.w.select(is_there, word, zero)?;
                let value = self.scalar(Number { word, of }, ty, true)?;
                self.replace(data, value);
            }
            Op::LinAlgMatrixSetElement(op) => {
                let (matrix, elements) = self.operand(op.matrix)?;
                let of = self.component(matrix.component)?;
                let new = self.own_number(op.value)?;
                let new = self.converted(new, of)?;
                let length = self.length(&matrix)?;
                let is_there = self.w.compare(CmpPredicate::IUlt, op.index, length)?;
                let nowhere = self.w.word(NOWHERE);
                let index = self.w.select(is_there, op.index, nowhere)?;
                let mut changed = Vec::new();
                for (at, element) in (0..).zip(elements) {
                    let at = self.w.word(at);
                    let is_it = self.w.compare(CmpPredicate::IEq, index, at)?;
                    let word = self.w.select(is_it, new, element.word)?;
                    changed.push(Number { word, of });
                }
                self.finish(data, &changed)?;
            }
            // The lowering answers it for all scopes.
            Op::LinAlgMatrixQueryAccumulatorLayout(_) => {
                let zero = self.w.word(0);
                self.replace(data, zero);
            }
            Op::LinAlgMatrixMultiply(op) => self.multiply(data, op.a, op.b, None)?,
            Op::LinAlgMatrixMultiplyAccumulate(op) => {
                self.multiply(data, op.a, op.b, Some(op.c))?;
            }
            Op::LinAlgMatrixAccumulate(op) => {
                let (left, a) = self.operand(op.a)?;
                let (right, b) = self.operand(op.b)?;
                same_scope(&left, &right)?;
                let mut sums = Vec::new();
                for (a, b) in a.into_iter().zip(b) {
                    sums.push(self.plus(a, b)?);
                }
                self.finish(data, &sums)?;
            }
            Op::LinAlgMatVecMul(op) => {
                let vector = (op.vector, op.interpretation);
                self.product(data, op.matrix, vector, None, op.output_signed)?;
            }
            Op::LinAlgMatVecMulAdd(op) => {
                let vector = (op.vector, op.interpretation);
                self.product(data, op.matrix, vector, Some(op.bias), op.output_signed)?;
            }
            Op::LinAlgMatrixOuterProduct(op) => {
                let (to, component) = self.result(ty)?;
                let (a, b) = (self.vector(op.a, true)?, self.vector(op.b, true)?);
                if [a.len(), b.len()] != [to.rows as usize, to.columns as usize] {
                    return Err(sizes());
                }
                count(&to)?;
                let zero = self.zero(component);
                let mut products = Vec::new();
                for a in a {
                    for b in &b {
                        products.push(self.plus_product(zero, a, *b)?);
                    }
                }
                self.finish(data, &products)?;
            }
            Op::LinAlgConvert(op) => {
                let elements = self.unpacked(op.vector, op.from)?;
                let new = self.packed_vector(&elements, op.to, ty)?;
                self.replace(data, new);
            }
            Op::LinAlgVectorAccumulateToDescriptor(op) => {
                for (place, number) in (0..).zip(self.vector(op.vector, true)?) {
                    let offset = self.w.word(place * number.of.bits() / 8);
                    let byte = self.w.binary(BinaryOp::Add, 32, op.offset, offset)?;
                    self.add_to_buffer(op.buffer, byte, None, number)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the matrix that a result is, and its component.
    fn result(&self, ty: TypeId) -> Result<(MatrixType, C)> {
        let matrix = self.matrix_type(ty);
        let matrix = matrix
            .ok_or_else(|| Error::malformed("an operation on matrices of different scopes"))?;
        Ok((matrix, self.component(matrix.component)?))
    }

    /// Returns the type and the elements of a matrix, row by row.
    fn operand(&mut self, value: ValueId) -> Result<(MatrixType, Vec<Number>)> {
        let matrix = self.matrix(value)?;
        let of = self.component(matrix.component)?;
        let words = self.elements(value)?.into_iter();
        Ok((matrix, words.map(|word| Number { word, of }).collect()))
    }

    /// Returns a scalar operand as a number; integers are signed.
    fn own_number(&mut self, value: ValueId) -> Result<Number> {
        let ty = self.view.type_of(value);
        let ty = ty.ok_or_else(|| Error::malformed("an operand without a type"))?;
        self.number(value, ty, true)
    }

    fn zero(&mut self, of: C) -> Number {
        let word = self.w.word(0);
        Number { word, of }
    }

    fn replace(&mut self, data: &InstData, by: ValueId) {
        if let Some(result) = data.result.expand() {
            self.w.replace(result, by);
        }
    }

    fn set(&mut self, data: &InstData, elements: Vec<ValueId>) {
        if let Some(result) = data.result.expand() {
            self.define(result, elements);
        }
    }

    /// Sets the elements of a resulting matrix, which are converted to its component.
    fn finish(&mut self, data: &InstData, elements: &[Number]) -> Result<()> {
        let (to, component) = self.result(data.ty)?;
        if count(&to)? != elements.len() {
            return Err(sizes());
        }
        let mut words = Vec::with_capacity(elements.len());
        for element in elements {
            words.push(self.converted(*element, component)?);
        }
        self.set(data, words);
        Ok(())
    }

    fn load(
        &mut self,
        data: &InstData,
        memory: Memory,
        [offset, stride]: [ValueId; 2],
        layout: dxil_frontend::dxil::ops::MatrixLayout,
    ) -> Result<()> {
        let (to, component) = self.result(data.ty)?;
        count(&to)?;
        let place = Place {
            memory,
            offset,
            stride,
            layout,
        };
        let elements = self.load_matrix(&to, component, place)?;
        self.finish(data, &elements)
    }

    /// Returns the number of elements that the thread holds.
    fn length(&mut self, matrix: &MatrixType) -> Result<ValueId> {
        let all = self.w.word(count(matrix)? as u32);
        if matrix.scope == MatrixScope::Thread {
            return Ok(all);
        }
        let is_first = self.is_first_thread()?;
        let none = self.w.word(0);
        self.w.select(is_first, all, none)
    }

    fn multiply(
        &mut self,
        data: &InstData,
        a: ValueId,
        b: ValueId,
        c: Option<ValueId>,
    ) -> Result<()> {
        let (left_ty, left) = self.operand(a)?;
        let (right_ty, right) = self.operand(b)?;
        let (to, component) = self.result(data.ty)?;
        same_scope(&left_ty, &right_ty)?;
        same_scope(&left_ty, &to)?;
        let (columns, inner) = (to.columns as usize, left_ty.columns as usize);
        let fits = left_ty.columns == right_ty.rows
            && [left_ty.rows, right_ty.columns] == [to.rows, to.columns];
        if !fits {
            return Err(sizes());
        }
        let mut sums = match c {
            Some(c) => self.operand(c)?.1,
            None => vec![self.zero(component); count(&to)?],
        };
        for (place, sum) in sums.iter_mut().enumerate() {
            let (row, column) = (place / columns, place % columns);
            for k in 0..inner {
                let a = left.get(row * inner + k).copied();
                let b = right.get(k * columns + column).copied();
                let (Some(a), Some(b)) = (a, b) else {
                    return Err(sizes());
                };
                *sum = self.plus_product(*sum, a, b)?;
            }
        }
        self.finish(data, &sums)
    }

    /// Writes the product of a matrix and a vector, added to another one.
    fn product(
        &mut self,
        data: &InstData,
        matrix: ValueId,
        (vector, interpretation): (ValueId, C),
        bias: Option<ValueId>,
        signed: bool,
    ) -> Result<()> {
        let (matrix, elements) = self.operand(matrix)?;
        let vector = self.unpacked(vector, interpretation)?;
        let (scalar, rows) = self.vector_type(Some(data.ty))?;
        let to = self.component_of(scalar, signed)?;
        let bias = bias.map(|bias| self.vector(bias, signed)).transpose()?;
        let fits = rows == matrix.rows
            && vector.len() >= matrix.columns as usize
            && bias.as_ref().is_none_or(|bias| bias.len() == rows as usize);
        if !fits {
            return Err(sizes());
        }
        let mut results = Vec::new();
        for (row, elements) in elements.chunks(matrix.columns.max(1) as usize).enumerate() {
            let mut sum = match bias.as_ref().and_then(|bias| bias.get(row)) {
                Some(bias) => *bias,
                None => self.zero(to),
            };
            for (a, b) in elements.iter().zip(&vector) {
                sum = self.plus_product(sum, *a, *b)?;
            }
            results.push(self.scalar(sum, scalar, signed)?);
        }
        let result = self.w.vector(data.ty, &results)?;
        self.replace(data, result);
        Ok(())
    }

    /// Returns a vector of the shader with these elements, as its interpretation has them.
    fn packed_vector(&mut self, elements: &[Number], to: C, ty: TypeId) -> Result<ValueId> {
        let (scalar, scalars) = self.vector_type(Some(ty))?;
        let own = self.component_of(scalar, true)?;
        let to = self.component(Some(to))?;
        let per = per_scalar(to, own);
        let mut packed = Vec::new();
        for part in elements.chunks(per as usize) {
            let mut converted = Vec::new();
            for (place, element) in (0..).zip(part) {
                let word = self.converted(*element, to)?;
                converted.push((place, Number { word, of: to }));
            }
            let value = match converted[..] {
                [(_, only)] if per == 1 => self.scalar(only, scalar, true)?,
                _ => {
                    let word = self.packed(&converted)?;
                    self.scalar(Number { word, of: C::U32 }, scalar, !own.is_float())?
                }
            };
            packed.push(value);
        }
        let zero = self.w.zero(scalar);
        packed.resize(scalars as usize, zero);
        self.w.vector(ty, &packed)
    }
}

fn sizes() -> Error {
    Error::malformed("matrices or vectors of sizes that do not fit each other")
}

fn same_scope(a: &MatrixType, b: &MatrixType) -> Result<()> {
    if a.scope == b.scope {
        Ok(())
    } else {
        Err(Error::malformed(
            "an operation on matrices of different scopes",
        ))
    }
}

/// Returns the elements of a transposed matrix of that size.
fn transposed(old: &[Number], rows: usize, columns: usize) -> Vec<Number> {
    let places = (0..rows * columns).map(|place| (place / columns, place % columns));
    places
        .filter_map(|(row, column)| old.get(column * rows + row).copied())
        .collect()
}
