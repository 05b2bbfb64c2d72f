//! Everything that the page shows of a shader, as one WebAssembly module (`docs/page.md`).
//!
//! The page asks by [messages](message), and [`answer`] answers: the same texts, errors and numbers
//! as those of the commands. Nothing is kept between two questions, so that the page can end the
//! module at any time and start another one.
//!
//! ```text
//! open       bytes or pasted text to a container or SPIR-V
//! overview   parts, signatures, resources, layouts, root signature
//! code       listing, LLVM text, tokens, sources, control flow
//! spirv      disassembly, with the instructions of the listing that each line comes from
//! languages  WGSL, MSL, GLSL, HLSL
//! check      the validator
//! compare    differences of two shaders
//! ```
//!
//! Two more modules are loaded when they are needed: `languages` has naga's writers, and `executor`
//! runs dispatches.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;
mod answers;
mod check;
mod code;
mod colours;
mod failure;
mod languages;
mod message;
mod open;
mod origins;
mod source;
mod spirv;
mod statistics;

pub use answers::answer;
pub use message::Message;
