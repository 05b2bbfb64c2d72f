//! The text under construction.

use std::fmt::Write as _;

use super::numbers::{NodeNumbers, SetNumbers};
use crate::ir::{FuncView, InstId, Module};

/// Adds what calls mean to the text.
pub trait Annotate {
    /// Returns the name of the `index`-th argument of a call, shown before it: `opcode: i32 57`.
    fn argument_name(&self, view: FuncView<'_>, call: InstId, index: usize) -> Option<&str> {
        let _ = (view, call, index);
        None
    }

    /// Returns a comment for the end of an instruction's line, without the semicolon.
    fn comment(&self, view: FuncView<'_>, inst: InstId) -> Option<String> {
        let _ = (view, inst);
        None
    }
}

/// Adds nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Annotate for Plain {}

/// The text under construction, and what all parts of it need.
pub(super) struct Printer<'a> {
    pub(super) module: &'a Module,
    pub(super) annotate: &'a dyn Annotate,
    /// Numbers of metadata nodes.
    pub(super) nodes: NodeNumbers,
    /// Numbers of the attribute sets that functions use.
    pub(super) attributes: SetNumbers,
    pub(super) out: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(module: &'a Module, annotate: &'a dyn Annotate) -> Self {
        Printer {
            module,
            annotate,
            nodes: NodeNumbers::new(module),
            attributes: SetNumbers::new(module),
            out: String::new(),
        }
    }

    /// Appends text. Writing to a string cannot fail.
    pub(super) fn put(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }
}
