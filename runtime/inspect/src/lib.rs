//! What is in a shader, for people: `dxil-dis` prints it, and the page of `runtime/web` shows it.
//!
//! A file becomes a [`Document`](document::Document) of sections, which is printed as [text] or
//! JSON. A part that cannot be read adds an error to the document; the others are still there.

#![warn(clippy::missing_errors_doc)]

pub mod bindings;
pub mod cfg;
mod container;
pub mod contents;
mod describe;
pub mod diff;
pub mod document;
pub mod input;
mod interfaces;
mod layouts;
pub mod listing;
mod llvm;
mod names;
mod psv;
mod rdat;
mod rdef;
mod root_signature;
mod shader;
mod source_lines;
pub mod text;
