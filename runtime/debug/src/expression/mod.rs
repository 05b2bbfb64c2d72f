//! Expressions in HLSL's syntax: conditions of breakpoints, and what is watched.

mod evaluate;
mod lexer;
mod parser;

pub use evaluate::Evaluated;
pub(crate) use evaluate::{Scope, assign, evaluate};
pub use parser::parse;

use crate::number::{BinaryOp, Number};

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A number.
    Number(Number),
    /// A variable, a resource or a name of the debugger: `$lane`.
    Name(String),
    /// A value of the module: `%12`.
    Register(String),
    /// A member, or components: `a.b`, `v.xyz`.
    Member(Box<Expression>, String),
    /// An element: `a[i]`.
    Index(Box<Expression>, Vec<Expression>),
    /// `-a`, `!a`, `~a`.
    Unary(char, Box<Expression>),
    /// An operator of two operands.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `c ? a : b`.
    Choice(Box<[Expression; 3]>),
    /// A function or a constructor: `asfloat(a)`, `float2(a, b)`.
    Call(String, Vec<Expression>),
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ExpressionError(pub String);

/// Shorthand for results of this module.
pub(crate) type Result<T, E = ExpressionError> = std::result::Result<T, E>;

pub(crate) fn problem<T>(text: impl Into<String>) -> Result<T> {
    Err(ExpressionError(text.into()))
}
