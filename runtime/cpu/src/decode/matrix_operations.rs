//! Operations on matrices of the preview shader model 6.10 (HLSL proposal 0035).
//!
//! A matrix has a register for each of its elements. One that a wave holds has its elements side by
//! side in the lanes, so element number e of it, counted row by row, is register `e / lanes` of
//! lane `e % lanes`. The first wave of a group holds what the group has; the other waves compute
//! the same with their own values, which nobody sees.

use dxil_frontend::dxil::MatrixType;
use dxil_frontend::dxil::ops::{LinAlgOp as Op, MatrixLayout};
use dxil_frontend::ir::{TypeId, ValueId};

use super::code::{
    ComplexOp, MatrixMemory, MatrixOp, MatrixPlace, NumberType, RegisterSlot, Space,
};
use super::function::Decoder;
use super::scalar_type::ScalarType;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Decodes an operation on matrices.
    pub(super) fn matrix(&mut self, op: &Op, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        self.require_preview(op.opcode())?;
        match op {
            Op::LinAlgFillMatrix(op) => {
                let from = self.number(op.value, true)?;
                let src = [self.one(op.value)?];
                let to = self.matrix_type(ty)?;
                self.matrix_op(MatrixOp::Fill { from, to }, ty, &src)
            }
            Op::LinAlgCopyConvertMatrix(op) => {
                let (from, src) = self.matrix_operand(op.source)?;
                let to = self.matrix_type(ty)?;
                let transpose = op.transpose;
                self.same_elements(from, to)?;
                let op = MatrixOp::Convert {
                    from,
                    to,
                    transpose,
                };
                self.matrix_op(op, ty, &src)
            }
            Op::LinAlgMatrixLoadFromDescriptor(op) => {
                let src = self.ones([op.buffer, op.offset, op.stride])?;
                self.load_matrix(op.layout, MatrixPlace::Buffer, ty, &src)
            }
            Op::LinAlgMatrixLoadFromMemory(op) => {
                let place = self.group_place(op.memory)?;
                let src = self.ones([op.memory, op.offset, op.stride])?;
                self.load_matrix(op.layout, place, ty, &src)
            }
            Op::LinAlgMatrixStoreToDescriptor(op) => {
                let head = self.ones([op.buffer, op.offset, op.stride])?;
                self.store_matrix(op.matrix, op.layout, MatrixPlace::Buffer, &head)
            }
            Op::LinAlgMatrixStoreToMemory(op) => {
                let place = self.group_place(op.memory)?;
                let head = self.ones([op.memory, op.offset, op.stride])?;
                self.store_matrix(op.matrix, op.layout, place, &head)
            }
            Op::LinAlgMatrixAccumulateToDescriptor(op) => {
                let head = self.ones([op.buffer, op.offset, op.stride])?;
                let memory = MatrixMemory {
                    layout: op.layout,
                    place: MatrixPlace::Buffer,
                };
                self.accumulate_matrix(op.matrix, None, memory, &head)
            }
            Op::LinAlgMatrixAccumulateToMemory(op) => {
                let place = self.group_place(op.memory)?;
                let head = self.ones([op.memory, op.offset, op.stride])?;
                let memory = MatrixMemory {
                    layout: op.layout,
                    place,
                };
                self.accumulate_matrix(op.matrix, Some(op.target), memory, &head)
            }
            Op::LinAlgMatrixLength(op) => {
                let (of, _) = self.matrix_operand(op.matrix)?;
                self.matrix_op(MatrixOp::Length { of }, ty, &[])
            }
            Op::LinAlgMatrixGetCoordinate(op) => {
                let (of, _) = self.matrix_operand(op.matrix)?;
                let src = [self.one(op.index)?];
                self.matrix_op(MatrixOp::Coordinate { of }, ty, &src)
            }
            Op::LinAlgMatrixGetElement(op) => {
                let (of, matrix) = self.matrix_operand(op.matrix)?;
                let mut src = vec![self.one(op.index)?];
                src.extend(matrix);
                let to = self.number_of(ty, true)?;
                self.matrix_op(MatrixOp::Get { of, to }, ty, &src)
            }
            Op::LinAlgMatrixSetElement(op) => {
                let (of, matrix) = self.matrix_operand(op.matrix)?;
                let to = self.matrix_type(ty)?;
                self.same_elements(of, to)?;
                let from = self.number(op.value, true)?;
                let mut src = self.ones([op.index, op.value])?.to_vec();
                src.extend(matrix);
                self.matrix_op(MatrixOp::Set { from, of, to }, ty, &src)
            }
            Op::LinAlgMatrixMultiply(op) => self.multiply_matrices(op.a, op.b, None, ty),
            Op::LinAlgMatrixMultiplyAccumulate(op) => {
                self.multiply_matrices(op.a, op.b, Some(op.c), ty)
            }
            Op::LinAlgMatrixAccumulate(op) => {
                let (a, mut src) = self.matrix_operand(op.a)?;
                let (b, right) = self.matrix_operand(op.b)?;
                let to = self.matrix_type(ty)?;
                self.same_elements(a, to)?;
                self.same_elements(b, to)?;
                src.extend(right);
                self.matrix_op(MatrixOp::Sum { a, b, to }, ty, &src)
            }
            Op::LinAlgMatVecMul(op) => {
                let (matrix, mut src) = self.matrix_operand(op.matrix)?;
                src.extend(self.all(op.vector)?);
                let vector = (op.interpretation, self.number(op.vector, true)?);
                let op = MatrixOp::Product {
                    matrix,
                    vector,
                    bias: None,
                    to: self.number_of(ty, op.output_signed)?,
                };
                self.matrix_op(op, ty, &src)
            }
            Op::LinAlgMatVecMulAdd(op) => {
                let (matrix, mut src) = self.matrix_operand(op.matrix)?;
                let (vector, bias) = (self.all(op.vector)?, self.all(op.bias)?);
                let bias_number = self.number(op.bias, op.output_signed)?;
                if bias.len() != matrix.rows as usize {
                    return Err(self.malformed("a bias of another length"));
                }
                src.extend(bias);
                src.extend(vector);
                let vector = (op.interpretation, self.number(op.vector, true)?);
                let op = MatrixOp::Product {
                    matrix,
                    vector,
                    bias: Some(bias_number),
                    to: self.number_of(ty, op.output_signed)?,
                };
                self.matrix_op(op, ty, &src)
            }
            Op::LinAlgMatrixOuterProduct(op) => {
                let to = self.matrix_type(ty)?;
                let (a, b) = (self.all(op.a)?, self.all(op.b)?);
                if (a.len(), b.len()) != (to.rows as usize, to.columns as usize) {
                    return Err(self.malformed("vectors of other lengths than the product"));
                }
                let numbers = (self.number(op.a, true)?, self.number(op.b, true)?);
                let src = [a, b].concat();
                self.matrix_op(MatrixOp::Outer { numbers, to }, ty, &src)
            }
            Op::LinAlgConvert(op) => {
                let src = self.all(op.vector)?;
                let from = (op.from, self.number(op.vector, true)?);
                let to = (op.to, self.number_of(ty, true)?);
                self.matrix_op(MatrixOp::ConvertVector { from, to }, ty, &src)
            }
            Op::LinAlgVectorAccumulateToDescriptor(op) => {
                let mut src = self.ones([op.buffer, op.offset])?.to_vec();
                src.extend(self.all(op.vector)?);
                let number = self.number(op.vector, true)?;
                let op = ComplexOp::Matrix(Box::new(MatrixOp::AccumulateVector { number }));
                self.complex(op, &[], &src);
                Ok(Vec::new())
            }
            // Accumulators have the layout of left operands here: row by row, as both.
            Op::LinAlgMatrixQueryAccumulatorLayout(_) => Ok(vec![self.word(0)]),
        }
    }

    fn matrix_op(
        &mut self,
        op: MatrixOp,
        ty: TypeId,
        src: &[RegisterSlot],
    ) -> Result<Vec<RegisterSlot>> {
        self.complex_of(ComplexOp::Matrix(Box::new(op)), ty, src)
    }

    fn matrix_type(&self, ty: TypeId) -> Result<MatrixType> {
        let matrix = self.module.matrices.types.get(&ty).copied();
        let matrix = matrix.ok_or_else(|| self.malformed("a matrix of an unknown type"))?;
        if matrix.component.is_none() {
            return Err(self.unsupported("a matrix with components of this type"));
        }
        Ok(matrix)
    }

    fn matrix_operand(&mut self, value: ValueId) -> Result<(MatrixType, Vec<RegisterSlot>)> {
        let ty = self.ty(value)?;
        Ok((self.matrix_type(ty)?, self.all(value)?))
    }

    /// Returns the number type as which results of a type, or their elements, are written.
    fn number_of(&self, ty: TypeId, signed: bool) -> Result<NumberType> {
        Ok(match self.scalars(ty)?.first() {
            Some(ScalarType::Half) => NumberType::Half,
            Some(ScalarType::Float) => NumberType::Float,
            Some(ScalarType::Double) => NumberType::Double,
            Some(ScalarType::Int(bits)) => NumberType::Int(*bits, signed),
            Some(ScalarType::Pointer) | None => {
                return Err(self.malformed("a matrix operation on addresses"));
            }
        })
    }

    /// Refuses matrices that are elements of other numbers, or held in another way.
    fn same_elements(&self, from: MatrixType, to: MatrixType) -> Result<()> {
        if (from.elements(), from.scope) == (to.elements(), to.scope) {
            Ok(())
        } else {
            Err(self.malformed("matrices of different sizes or scopes"))
        }
    }

    fn load_matrix(
        &mut self,
        layout: MatrixLayout,
        place: MatrixPlace,
        ty: TypeId,
        src: &[RegisterSlot],
    ) -> Result<Vec<RegisterSlot>> {
        let to = self.matrix_type(ty)?;
        let from = MatrixMemory { layout, place };
        self.matrix_op(MatrixOp::Load { from, to }, ty, src)
    }

    fn store_matrix(
        &mut self,
        matrix: ValueId,
        layout: MatrixLayout,
        place: MatrixPlace,
        head: &[RegisterSlot],
    ) -> Result<Vec<RegisterSlot>> {
        let (from, matrix) = self.matrix_operand(matrix)?;
        let to = MatrixMemory { layout, place };
        let src = [head, &matrix].concat();
        let op = ComplexOp::Matrix(Box::new(MatrixOp::Store { from, to }));
        self.complex(op, &[], &src);
        Ok(Vec::new())
    }

    fn accumulate_matrix(
        &mut self,
        matrix: ValueId,
        target: Option<dxil_frontend::dxil::ops::MatrixComponent>,
        to: MatrixMemory,
        head: &[RegisterSlot],
    ) -> Result<Vec<RegisterSlot>> {
        let (from, matrix) = self.matrix_operand(matrix)?;
        let target = match target.or(from.component) {
            Some(target) => target,
            None => return Err(self.unsupported("a matrix with components of this type")),
        };
        let src = [head, &matrix].concat();
        let op = MatrixOp::Accumulate { from, target, to };
        self.complex(ComplexOp::Matrix(Box::new(op)), &[], &src);
        Ok(Vec::new())
    }

    /// Returns how an array in groupshared memory, whose first scalar or vector a pointer names,
    /// is counted.
    fn group_place(&mut self, memory: ValueId) -> Result<MatrixPlace> {
        if self.space_of(memory)? != Space::Shared {
            return Err(self.malformed("a matrix in memory that is not groupshared"));
        }
        let pointee = self.layout.types().pointee(self.ty(memory)?);
        let ty = pointee.ok_or_else(|| self.malformed("a matrix in memory without a type"))?;
        let number = self.number_of(ty, true)?;
        let scalars = self.scalars(ty)?.len() as u32;
        Ok(MatrixPlace::Group { number, scalars })
    }

    fn multiply_matrices(
        &mut self,
        a: ValueId,
        b: ValueId,
        c: Option<ValueId>,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let to = self.matrix_type(ty)?;
        let (a, mut src) = self.matrix_operand(a)?;
        let (b, right) = self.matrix_operand(b)?;
        src.extend(right);
        let c = match c {
            None => None,
            Some(c) => {
                let (c, sum) = self.matrix_operand(c)?;
                self.same_elements(c, to)?;
                src.extend(sum);
                Some(c)
            }
        };
        let has_size = a.columns == b.rows && (a.rows, b.columns) == (to.rows, to.columns);
        if !has_size || a.scope != b.scope || a.scope != to.scope {
            return Err(self.malformed("matrices of different sizes or scopes"));
        }
        self.matrix_op(MatrixOp::Multiply { a, b, c, to }, ty, &src)
    }
}
