//! The DXIL operations. `table.rs` is the only place with opcode numbers, classes and operand
//! order.
//!
//! [`decode`](decode()) turns the arguments of a `dx.op.*` call into an [`Op`]: one struct with
//! named operands per operation (module [`calls`]). [`Opcode::properties`] has the rest of the row.

mod callee;
mod constraints;
mod coverage;
mod declarations;
mod decode;
mod export;
mod function_names;
mod immediates;
mod memory;
mod opcode;
pub mod operands;
mod overload;
mod preview_table;
mod properties;
mod resource_rules;
mod table;

pub(crate) use callee::classify_all;
pub use callee::{Callee, CalleeTable, classify_callees, op_arguments, op_giving};
pub use constraints::Constraint;
pub use coverage::{Family, coverage_table};
pub(crate) use declarations::declaration_of;
pub use decode::{
    BarrierOp, BitsOp, BufferOp, CrossLaneOp, DerivativeOp, FeedbackOp, FloatOp, HandleOp,
    HitObjectOp, IntegerOp, LinAlgOp, MeshOp, NodeOp, Op, PreviewOp, RayQueryOp, RayTracingOp,
    RegisterOp, ResourceAtomicOp, ResourceOperands, SamplingOp, SignatureOp, StreamOp,
    SystemValueOp, TextureOp, ThreadIdOp, VectorOp, decode, decode_known, decode_opcode,
};
pub use export::{ConstraintRow, OperandRow, OperationRow};
pub use immediates::{
    AtomicOp, BarrierMode, BarrierSemantics, MatrixComponent, MatrixLayout, MemoryTypes, NodeInfo,
    NodeRecordInfo, PackMode, QuadDirection, QuadVoteKind, ResourceBinding, ResourceProperties,
    Sign, UnpackMode, WaveBitOp, WaveMultiPrefixOp, WaveOp,
};
pub use memory::Memory;
pub(crate) use opcode::is_experimental;
pub use opcode::{OPCODE_COUNT, Opcode, RESERVED};
pub use operands::{Role, Shown};
pub use overload::Overload;
pub use properties::{Group, OpFlags, OperandInfo, Overloads, Properties, Stages};
pub use resource_rules::{HandleOperand, ResourceClasses, ResourceKinds, ResourceRule};

/// The structs of decoded calls, by the operation's name: `calls::RawBufferLoad`.
pub mod calls {
    pub use super::decode::*;
}
