//! LLVM-level IR: what the bitcode says, in dense typed tables, without DXIL's meaning.
//!
//! * Entities are `u32` newtypes ([`ValueId`], [`InstId`], ...) that index typed maps.
//! * One [`ValueId`] space per function: the module's values (globals, functions, module constants)
//!   come first, `0..module.values.len()`, and each function's own values (arguments, function
//!   constants, instruction results) go on from there. That is bitcode's own numbering, so
//!   nothing is renumbered while decoding. [`FuncView`] resolves an id in either space.
//! * Instructions of a block are contiguous; the last one is the terminator.
//! * Operand lists live in one pool per function ([`List`]).

pub mod address_space;
mod call_graph;
pub mod dominance;
mod draft;
mod entity;
mod function;
mod inlining;
mod inst;
mod module;
pub mod print;
mod types;
mod value;
mod view;

pub use call_graph::{CallGraph, recursive_calls};
pub use draft::{DraftFunction, DraftInst};
pub use entity::{BlockId, FuncId, GlobalId, InstId, List, MdId, TypeId, ValueId};
pub use function::{Block, CallSite, DebugLoc, Function};
pub use inlining::{InlineError, InlineGrowth, inline_with_callees};
pub use inst::{
    AtomicOrdering, AtomicRmwOp, BinaryOp, CastOp, CmpPredicate, FastMath, Inst, InstData,
};
pub use module::{
    Attribute, AttributeGroup, FunctionDecl, Global, Linkage, MdNode, Metadata, MetadataKind,
    Module, NamedMetadata,
};
pub use types::{Type, TypeList, TypeTable};
pub use value::{Constant, ConstantExpr, ValueData, ValueDef};
pub use view::FuncView;
