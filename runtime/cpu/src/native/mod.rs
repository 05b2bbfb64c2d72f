//! Native code: what the lanes of a wave compute, as WebAssembly with 128-bit vectors that wasmtime
//! compiles.
//!
//! The executor keeps all that is not arithmetic: which lanes run, the waves' turns, steps and
//! limits, barriers, calls, memory and resources. The registers of a wave lie in the memory of an
//! instance, so that both work on the same ones, and any instruction without code here is executed
//! as ever.
//!
//! | file | what |
//! |---|---|
//! | `plan` | which instructions become code, and where code stops |
//! | `function` | runs of instructions, and branches that all lanes take |
//! | `lane_code` | the instructions of an operation |
//! | `memory_code` | accesses of private and groupshared memory |
//! | `accesses` | which of them may be in one run |
//! | `lane` | an operation while it is written |
//! | `wide_code` | the same for 64 bits |
//! | `body` | locals and values while code is written |
//! | `layout` | what lies where in the memory |
//! | `module` | the module of a kernel |
//! | `instance` | wasmtime: compiled kernels, and instances with their memory |

mod accesses;
mod body;
mod function;
mod instance;
mod lane;
mod lane_code;
mod layout;
mod memory_code;
mod module;
mod plan;
mod wide_code;

pub(crate) use function::{EXIT_BITS, EXIT_GO, EXIT_LEAVE, EXIT_RUN};
pub(crate) use instance::{Call, Instance, NativeKernel, WaveView, compiled, is_decided, known};

#[cfg(test)]
mod tests;
