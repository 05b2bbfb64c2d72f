//! Operations on matrices of the preview shader model 6.10: types, scopes, uses and sizes that have
//! to suit each other (HLSL proposal 0035; DXC's table of rules).

use super::context::{InstLocation, ValidationContext};
use super::handles::handle_of;
use super::rules::Rule;
use crate::dxil::ops::{LinAlgOp, MatrixComponent, MatrixLayout, Op};
use crate::dxil::{MatrixScope, MatrixType, MatrixUse, ResourceClass, ResourceKind, matrix_name};
use crate::ir::{Constant, FuncView, InstData, Type, TypeId, ValueId};

/// Bounds of the K dimension: of a wave's or thread's matrix, of a thread group's.
const K: (u32, u32) = (4, 128);
const GROUP_K: (u32, u32) = (1, 1024);
/// Matrices in buffers begin at multiples of this many bytes.
const ALIGNMENT: u32 = 128;

/// Checks a call; `data` is its instruction, `args` its arguments, the opcode first.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    view: FuncView<'_>,
    location: InstLocation,
    data: &InstData,
    args: &[ValueId],
    op: &Op,
) {
    let Op::LinAlg(op) = op else {
        return;
    };
    let call = MatrixCall {
        cx,
        view,
        location,
        data,
    };
    call.operands(args);
    match op {
        LinAlgOp::LinAlgMatrixLength(op) => call.shared("the matrix", call.of(op.matrix)),
        LinAlgOp::LinAlgMatrixGetCoordinate(op) => call.shared("the matrix", call.of(op.matrix)),
        LinAlgOp::LinAlgMatrixGetElement(op) => call.shared("the matrix", call.of(op.matrix)),
        LinAlgOp::LinAlgFillMatrix(_) => call.shared("the result", call.result()),
        LinAlgOp::LinAlgMatrixSetElement(op) => {
            call.shared("the matrix", call.of(op.matrix));
            call.shared("the result", call.result());
        }
        LinAlgOp::LinAlgMatrixStoreToDescriptor(op) => {
            let matrix = call.of(op.matrix);
            if !is_plain(op.layout) && matrix.is_some() {
                let rule = Rule::InstrLinAlgMatrixRequiresLayout2;
                call.report(rule, format_args!("the layout is {}", op.layout.name()));
            }
            call.shared("the matrix", matrix);
            call.writes(op.buffer);
            call.aligned(op.align);
        }
        LinAlgOp::LinAlgMatrixLoadFromDescriptor(op) => {
            call.load(op.buffer, op.stride, op.layout);
            call.aligned(op.align);
        }
        LinAlgOp::LinAlgMatrixAccumulateToDescriptor(op) => {
            call.accumulate(op.matrix, op.stride, op.layout);
            call.writes(op.buffer);
            call.aligned(op.align);
        }
        LinAlgOp::LinAlgMatVecMul(op) => {
            call.product(op.matrix, op.output_signed, op.vector, op.interpretation);
        }
        LinAlgOp::LinAlgMatVecMulAdd(op) => {
            call.product(op.matrix, op.output_signed, op.vector, op.interpretation);
            call.bias(op.matrix, op.bias);
        }
        LinAlgOp::LinAlgMatrixMultiply(op) => call.multiply(op.a, op.b, None),
        LinAlgOp::LinAlgMatrixMultiplyAccumulate(op) => call.multiply(op.a, op.b, Some(op.c)),
        LinAlgOp::LinAlgMatrixAccumulate(op) => call.sum(op.a, op.b),
        LinAlgOp::LinAlgCopyConvertMatrix(op) => call.convert(op.source, op.transpose),
        LinAlgOp::LinAlgMatrixLoadFromMemory(op) => call.memory(op.memory),
        LinAlgOp::LinAlgMatrixStoreToMemory(op) => call.memory(op.memory),
        LinAlgOp::LinAlgMatrixAccumulateToMemory(op) => call.memory(op.memory),
        // These have no rules of their own.
        LinAlgOp::LinAlgMatrixQueryAccumulatorLayout(_)
        | LinAlgOp::LinAlgMatrixOuterProduct(_)
        | LinAlgOp::LinAlgConvert(_)
        | LinAlgOp::LinAlgVectorAccumulateToDescriptor(_) => {}
    }
}

fn is_plain(layout: MatrixLayout) -> bool {
    matches!(layout, MatrixLayout::RowMajor | MatrixLayout::ColumnMajor)
}

/// Returns the elements that a scalar of a vector holds.
fn elements_per_scalar(component: MatrixComponent) -> u32 {
    use MatrixComponent as C;
    match component {
        C::I8 | C::U8 | C::F8E4M3FN | C::F8E5M2 => 4,
        C::BFloat16 => 2,
        _ => 1,
    }
}

/// A call of an operation on matrices.
struct MatrixCall<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    view: FuncView<'c>,
    location: InstLocation,
    data: &'c InstData,
}

impl MatrixCall<'_, '_> {
    fn report(&self, rule: Rule, detail: impl std::fmt::Display) {
        self.cx.report_at(rule, self.location, detail);
    }

    fn matrix(&self, ty: TypeId) -> Option<MatrixType> {
        self.cx.matrix_types().get(&ty).copied()
    }

    fn of(&self, value: ValueId) -> Option<MatrixType> {
        self.matrix(self.view.type_of(value)?)
    }

    fn result(&self) -> Option<MatrixType> {
        self.matrix(self.data.ty)
    }

    /// Checks that an operation has an overload of what lies in groupshared memory: numbers of 16
    /// to 64 bits, and vectors of them.
    fn memory(&self, pointer: ValueId) {
        let types = &self.cx.module().types;
        let pointee = self.view.type_of(pointer).map(|ty| types.get(ty));
        let pointee = match pointee {
            Some(Type::Pointer { pointee, .. }) => types.get(*pointee),
            _ => return,
        };
        let pointee = match pointee {
            Type::Vector { element, .. } => types.get(*element),
            other => other,
        };
        let is_number = matches!(
            pointee,
            Type::Int(16 | 32 | 64) | Type::Half | Type::Float | Type::Double
        );
        if !is_number {
            self.report(
                Rule::InstrOload,
                "the memory has no numbers of 16 to 64 bits",
            );
        }
    }

    /// Checks each operand and the result: defined, of a known type of a size that devices have.
    fn operands(&self, args: &[ValueId]) {
        for (index, value) in args.iter().enumerate().skip(1) {
            if matches!(self.view.constant(*value), Some(Constant::Undef)) {
                let detail = format_args!("operand {index} is undef");
                self.report(Rule::InstrNoReadingUninitialized, detail);
            }
            if let Some(ty) = self.view.type_of(*value) {
                self.matrix_type(&format_args!("operand {index}"), ty);
            }
        }
        self.matrix_type(&"the result", self.data.ty);
    }

    fn matrix_type(&self, what: &dyn std::fmt::Display, ty: TypeId) {
        if matrix_name(self.cx.types(), ty).is_none() {
            return;
        }
        let Some(matrix) = self.matrix(ty) else {
            let detail = format_args!("the type of {what} is not in dx.targetTypes");
            self.report(Rule::InstrLinAlgMetadataMissing, detail);
            return;
        };
        if matrix.component.is_none() {
            let detail = format_args!("component type {} of {what}", matrix.component_number);
            self.report(Rule::InstrLinAlgIllegalComponentType, detail);
        }
        let (least, most) = match matrix.scope {
            MatrixScope::ThreadGroup => GROUP_K,
            _ => K,
        };
        let k = matrix.k();
        if matrix.usage != MatrixUse::Accumulator && !(least..=most).contains(&k) {
            let detail = format_args!("{what} has {k}, which must be {least} to {most}");
            self.report(Rule::InstrLinAlgIllegalKDim, detail);
        }
    }

    /// Checks that threads hold a matrix together.
    fn shared(&self, what: &str, matrix: Option<MatrixType>) {
        if matrix.is_some_and(|matrix| matrix.scope == MatrixScope::Thread) {
            let detail = format_args!("the scope of {what} is Thread");
            self.report(Rule::InstrLinAlgMatrixScopeMismatch2, detail);
        }
    }

    fn used_as(&self, what: &str, matrix: MatrixType, usage: MatrixUse) {
        if matrix.usage != usage {
            let detail = format_args!("the use of {what} is {:?}, not {usage:?}", matrix.usage);
            self.report(Rule::InstrLinAlgMatrixUseMismatch, detail);
        }
    }

    fn is_buffer(&self, value: ValueId, class: ResourceClass) -> bool {
        handle_of(self.cx, self.view, value)
            .is_some_and(|handle| handle.class == class && handle.kind == ResourceKind::RawBuffer)
    }

    fn writes(&self, buffer: ValueId) {
        if !self.is_buffer(buffer, ResourceClass::Uav) {
            let rule = Rule::InstrLinAlgMatrixRequiresRWBAB;
            self.report(rule, "the handle is of another resource");
        }
    }

    fn aligned(&self, align: u32) {
        if align == 0 {
            self.report(Rule::InstrParamMinimumValue, "the alignment is 0");
        }
        if !align.is_multiple_of(ALIGNMENT) {
            let detail = format_args!("the alignment {align} is no multiple of {ALIGNMENT}");
            self.report(Rule::InstrParamMultiple, detail);
        }
    }

    /// Checks that a layout without rows in memory has no distance between them.
    fn stride(&self, stride: ValueId, layout: MatrixLayout) {
        if is_plain(layout) {
            return;
        }
        match self.view.constant_int(stride) {
            None => self.report(Rule::InstrOpConst, "the stride is not a constant"),
            Some(0) => {}
            Some(stride) => {
                let rule = Rule::InstrLinAlgMatrixLayoutReqStride;
                self.report(rule, format_args!("{} has {stride}", layout.name()));
            }
        }
    }

    fn load(&self, buffer: ValueId, stride: ValueId, layout: MatrixLayout) {
        let Some(matrix) = self.result() else {
            return;
        };
        self.plain_if_shared(matrix, layout);
        self.stride(stride, layout);
        if matrix.scope == MatrixScope::Thread && !self.is_buffer(buffer, ResourceClass::Srv) {
            let rule = Rule::InstrLinAlgMatrixLoadThreadRequiresBAB;
            self.report(rule, "the handle is of another resource");
        }
    }

    fn plain_if_shared(&self, matrix: MatrixType, layout: MatrixLayout) {
        if matrix.scope != MatrixScope::Thread && !is_plain(layout) {
            let detail = format_args!("{:?} with {}", matrix.scope, layout.name());
            self.report(Rule::InstrLinAlgMatrixScopeReqLayout2, detail);
        }
    }

    fn accumulate(&self, matrix: ValueId, stride: ValueId, layout: MatrixLayout) {
        let Some(matrix) = self.of(matrix) else {
            return;
        };
        let is_outer = matches!(
            layout,
            MatrixLayout::OuterProductOptimal | MatrixLayout::OuterProductOptimalTranspose
        );
        if matrix.scope == MatrixScope::Thread && !is_outer {
            let detail = format_args!("Thread with {}", layout.name());
            self.report(Rule::InstrLinAlgMatrixScopeReqLayout2, detail);
        }
        self.plain_if_shared(matrix, layout);
        self.stride(stride, layout);
        self.used_as("the matrix", matrix, MatrixUse::Accumulator);
    }

    /// Returns the element type and the number of elements of a vector.
    fn vector(&self, ty: TypeId) -> Option<(TypeId, u32)> {
        match *self.cx.types().get(ty) {
            Type::Vector { element, count } => Some((element, count)),
            _ => None,
        }
    }

    fn product(&self, matrix: ValueId, signed: bool, vector: ValueId, from: MatrixComponent) {
        let ty = self.view.type_of(vector);
        let input = ty.and_then(|ty| self.vector(ty));
        let (Some(matrix), Some(input), Some(output)) =
            (self.of(matrix), input, self.vector(self.data.ty))
        else {
            return;
        };
        if matrix.scope != MatrixScope::Thread {
            let detail = format_args!("the scope of the matrix is {:?}, not Thread", matrix.scope);
            self.report(Rule::InstrLinAlgMatrixScopeMismatch, detail);
        }
        self.used_as("the matrix", matrix, MatrixUse::A);
        let expected = matrix.columns.div_ceil(elements_per_scalar(from));
        if input.1 != expected {
            let detail = format_args!("the vector has {}, not {expected}", input.1);
            self.report(Rule::InstrLinAlgMatrixDimKVecKMismatch, detail);
        }
        self.has_rows("the result", output.1, matrix);
        let is_float = matches!(
            self.cx.types().get(output.0),
            Type::Half | Type::Float | Type::Double
        );
        if is_float && !signed {
            let rule = Rule::InstrLinAlgMatrixUnsignedFloatTypeNotAllowed;
            self.report(rule, "the result has floats");
        }
    }

    fn has_rows(&self, what: &str, count: u32, matrix: MatrixType) {
        if count != matrix.rows {
            let detail = format_args!("{what} has {count}, not {}", matrix.rows);
            self.report(Rule::InstrLinAlgMatrixDimVectorMismatch, detail);
        }
    }

    fn bias(&self, matrix: ValueId, bias: ValueId) {
        let ty = self.view.type_of(bias);
        let bias = ty.and_then(|ty| self.vector(ty));
        let (Some(matrix), Some(bias), Some(output)) =
            (self.of(matrix), bias, self.vector(self.data.ty))
        else {
            return;
        };
        self.has_rows("the bias", bias.1, matrix);
        if bias.0 != output.0 {
            let rule = Rule::InstrLinAlgMatrixOutputBiasVecMismatch;
            self.report(rule, "the bias has elements of another type");
        }
    }

    fn multiply(&self, a: ValueId, b: ValueId, c: Option<ValueId>) {
        let (Some(a), Some(b), Some(result)) = (self.of(a), self.of(b), self.result()) else {
            return;
        };
        let sum = match c {
            Some(c) => match self.of(c) {
                Some(c) => Some(c),
                None => return,
            },
            None => None,
        };
        self.used_as("A", a, MatrixUse::A);
        self.used_as("B", b, MatrixUse::B);
        let mut all = vec![("A", a), ("B", b)];
        let sums = sum.map(|sum| ("C", sum)).into_iter();
        for (what, matrix) in sums.chain([("the result", result)]) {
            self.used_as(what, matrix, MatrixUse::Accumulator);
            if (matrix.rows, matrix.columns) != (a.rows, b.columns) {
                let detail = format_args!(
                    "{what} is {}x{}, the product {}x{}",
                    matrix.rows, matrix.columns, a.rows, b.columns
                );
                self.report(Rule::InstrLinAlgMatrixMatrixResDimMustMatch, detail);
            }
            all.push((what, matrix));
        }
        for (what, matrix) in &all {
            self.shared(what, Some(*matrix));
        }
        if all.iter().any(|(_, matrix)| matrix.scope != a.scope) {
            let rule = match sum {
                Some(_) => Rule::InstrLinAlgMatrixScopeMustMatch4,
                None => Rule::InstrLinAlgMatrixScopeMustMatch3,
            };
            self.report(rule, "the scopes differ");
        }
        if a.columns != b.rows {
            let detail = format_args!("{} columns of A, {} rows of B", a.columns, b.rows);
            self.report(Rule::InstrLinAlgMatrixMatrixKDimMustMatch, detail);
        }
    }

    /// Checks a sum of an accumulator and a matrix of another use.
    fn sum(&self, left: ValueId, right: ValueId) {
        if self.view.type_of(left) != Some(self.data.ty) {
            let rule = Rule::InstrLinAlgMatrixNotExactMatch;
            self.report(rule, "the result is of another type than the first operand");
        }
        let (Some(result), Some(_), Some(right)) = (self.result(), self.of(left), self.of(right))
        else {
            return;
        };
        self.used_as("the result", result, MatrixUse::Accumulator);
        if right.usage == MatrixUse::Accumulator {
            let rule = Rule::InstrLinAlgMatrixUseMismatch2;
            self.report(rule, "the use of the second operand is Accumulator");
        }
        self.shared("the second operand", Some(right));
        self.shared("the result", Some(result));
        self.same_scope(result, right);
        self.same_size(result, (right.rows, right.columns));
    }

    fn same_scope(&self, result: MatrixType, other: MatrixType) {
        if result.scope != other.scope {
            let detail = format_args!("scopes {:?} and {:?}", result.scope, other.scope);
            self.report(Rule::InstrLinAlgMatrix2PartsMustMatch, detail);
        }
    }

    fn same_size(&self, result: MatrixType, (rows, columns): (u32, u32)) {
        if (result.rows, result.columns) != (rows, columns) {
            let detail = format_args!("{}x{} and {rows}x{columns}", result.rows, result.columns);
            self.report(Rule::InstrLinAlgMatrix2PartsMustMatch, detail);
        }
    }

    fn convert(&self, source: ValueId, transpose: bool) {
        let (Some(result), Some(source)) = (self.result(), self.of(source)) else {
            return;
        };
        self.shared("the result", Some(result));
        self.shared("the source", Some(source));
        self.same_scope(result, source);
        let size = if transpose {
            (source.columns, source.rows)
        } else {
            (source.rows, source.columns)
        };
        self.same_size(result, size);
    }
}
