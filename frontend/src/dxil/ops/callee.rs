//! What the functions of a module are: DXIL operations (`dx.op.CLASS.OVERLOAD`), LLVM intrinsics,
//! or functions of the module itself. Computed once per module, so that no later stage compares names.

use cranelift_entity::SecondaryMap;

use crate::ir::FuncId;

/// What calling a function means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Callee {
    /// A function of the module, or an unknown declaration.
    #[default]
    Function,
    /// A DXIL operation; its opcode is the call's first argument.
    DxOp(Overload),
    /// `llvm.dbg.*`, `llvm.lifetime.*`, `llvm.donothing`, ...: no effect on the result.
    Ignored,
}

/// Overload of a DXIL operation, from the function's name: `dx.op.unary.f32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overload {
    /// No overload (`dx.op.barrier`).
    Void,
    /// `f16`.
    F16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `i1`.
    I1,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// A user-defined type or object (`dx.op.storeRayPayload.struct.P`, vectors `v4f32`): see the function's type.
    Other,
}

/// One [`Callee`] per function of the module.
pub type CalleeTable = SecondaryMap<FuncId, Callee>;
