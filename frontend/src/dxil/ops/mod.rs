//! The DXIL operations. `table.rs` is the only place with opcode numbers, classes and operand order.

mod callee;

pub use callee::{Callee, CalleeTable, Overload};
