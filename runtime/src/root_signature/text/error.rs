//! Mistakes in the text of a root signature.

use std::fmt;

use dxil_frontend::escape::bounded;

/// An error in the text of a root signature, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Byte in the text.
    pub offset: usize,
    /// Line of that byte, from 1 on.
    pub line: usize,
    /// Character in the line, from 1 on.
    pub column: usize,
    /// Description of the problem.
    pub problem: String,
}

impl TextError {
    /// Returns the same error with line and column of its place.
    pub(super) fn located(mut self, text: &str) -> Self {
        let before = text.get(..self.offset).unwrap_or(text);
        self.line = before.matches('\n').count() + 1;
        let line = before.rsplit('\n').next().unwrap_or_default();
        self.column = line.chars().count() + 1;
        self
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextError { line, column, .. } = self;
        let problem = bounded(&self.problem, 4000);
        write!(f, "line {line}, column {column}: {problem}")
    }
}

impl std::error::Error for TextError {}

pub(super) type Result<T, E = TextError> = std::result::Result<T, E>;

pub(super) fn error(offset: usize, problem: &str) -> TextError {
    TextError {
        offset,
        line: 1,
        column: offset + 1,
        problem: problem.to_owned(),
    }
}

pub(super) fn fail<T>(offset: usize, problem: &str) -> Result<T> {
    Err(error(offset, problem))
}
