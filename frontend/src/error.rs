//! The one error type of this crate: what is wrong ([`ErrorKind`]) and where ([`Location`]).
//!
//! Leaf code makes an error with an offset (`reader.err(kind)`) or none (`Error::new(kind)`); each
//! layer fills in what it knows on the way up (`.in_part(..)`, `.in_function(..)`).

use std::fmt;

use crate::container::fourcc::FourCc;
use crate::escape::write_message;
use crate::ir::{BlockId, FuncId, InstId};

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The problem, without its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A structure needs more bytes than are left.
    #[error("{what} needs {need} bytes, {have} are left")]
    Truncated {
        /// The structure being read.
        what: &'static str,
        /// Bytes that it needs.
        need: u64,
        /// Bytes that are there.
        have: u64,
    },
    /// A field holds a value that its format does not allow.
    #[error("{what} is {value:#x}, which is not allowed: {rule}")]
    BadValue {
        /// The field.
        what: &'static str,
        /// Its contents.
        value: u64,
        /// Its expected contents.
        rule: &'static str,
    },
    /// A structure contradicts itself in a way that has no single offending number.
    #[error("{0}")]
    Malformed(String),
    /// The container holds DXBC (shader model 5 and before), which is another language.
    #[error(
        "this is DXBC (part {part}) without a program of shader model 4 or 5, which is all of DXBC that is read"
    )]
    Dxbc {
        /// The part by which the container is recognized as DXBC.
        part: FourCc,
    },
    /// A part that the caller needs is absent.
    #[error("the container has no {part} part")]
    MissingPart {
        /// The missing part.
        part: FourCc,
    },
    /// A call of a DXIL operation has the wrong number of operands.
    #[error("{op} takes {want} operands, this call has {got}")]
    OperandCount {
        /// Name of the operation.
        op: &'static str,
        /// Operands in the op table.
        want: usize,
        /// Operands of the call.
        got: usize,
    },
    /// An operand of a DXIL operation is not what the op table asks for.
    #[error("{op}: operand {operand} {problem}")]
    Operand {
        /// Name of the operation.
        op: &'static str,
        /// Name of the operand.
        operand: &'static str,
        /// The problem.
        problem: &'static str,
    },
    /// Valid input that uses a feature which this crate does not support.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// A cap of [`crate::limits`] is exceeded.
    #[error("{what}: {value} is over the limit of {limit}")]
    Limit {
        /// The limited quantity.
        what: &'static str,
        /// The value in the file.
        value: u64,
        /// The cap.
        limit: u64,
    },
    /// Functions are called that no library defines.
    #[error("no library defines {0}")]
    Unresolved(String),
    /// Several libraries define what one of them declares.
    #[error("several libraries define {0}")]
    DefinedTwice(String),
    /// Linked libraries declare the same thing in different ways.
    #[error("{name}: {problem}")]
    Conflict {
        /// Name of what they declare.
        name: String,
        /// The contradiction between the declarations.
        problem: &'static str,
    },
    /// A state that this crate's own logic rules out.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

/// The position of an error. Each layer adds the fields that it knows.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Location {
    /// Byte offset from the start of the input.
    pub offset: Option<u64>,
    /// The container part.
    pub part: Option<FourCc>,
    /// The function, by number.
    pub function: Option<FuncId>,
    /// The block within the function.
    pub block: Option<BlockId>,
    /// The instruction within the function.
    pub inst: Option<InstId>,
    /// Position in the source, if the shader has debug information.
    pub source: Option<Box<SourcePosition>>,
}

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePosition {
    /// Name of the file, as the compiler was given it.
    pub file: Box<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
}

/// `cs.hlsl:12:5`, as compilers write it.
impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.column {
            0 => Ok(()),
            column => write!(f, ":{column}"),
        }
    }
}

/// The party that caused an error; scripts and coverage reports sort by this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// The input is bad.
    Malformed,
    /// The input is valid, but this crate does not support a part of it.
    Unsupported,
    /// A bug of this crate.
    Internal,
}

/// An error with its position; one pointer wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    location: Location,
}

impl Error {
    /// Returns an error whose place is not known yet.
    pub fn new(kind: ErrorKind) -> Self {
        Error(Box::new(Inner {
            kind,
            location: Location::default(),
        }))
    }

    /// Returns a malformed-input error with a free message.
    pub fn malformed(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Malformed(message.into()))
    }

    /// Returns an unsupported-input error with a free message.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Unsupported(message.into()))
    }

    /// Returns the kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the position of the error.
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    /// Returns the kind of error as a name that is stable between versions, while sentences may
    /// change.
    ///
    /// | code | kind |
    /// |---|---|
    /// | `truncated` | [`ErrorKind::Truncated`] |
    /// | `bad-value` | [`ErrorKind::BadValue`] |
    /// | `malformed` | [`ErrorKind::Malformed`] |
    /// | `dxbc` | [`ErrorKind::Dxbc`] |
    /// | `missing-part` | [`ErrorKind::MissingPart`] |
    /// | `operand-count` | [`ErrorKind::OperandCount`] |
    /// | `operand` | [`ErrorKind::Operand`] |
    /// | `unsupported` | [`ErrorKind::Unsupported`] |
    /// | `limit` | [`ErrorKind::Limit`] |
    /// | `unresolved-function` | [`ErrorKind::Unresolved`] |
    /// | `defined-twice` | [`ErrorKind::DefinedTwice`] |
    /// | `conflict` | [`ErrorKind::Conflict`] |
    /// | `internal` | [`ErrorKind::Internal`] |
    pub fn code(&self) -> &'static str {
        match self.0.kind {
            ErrorKind::Truncated { .. } => "truncated",
            ErrorKind::BadValue { .. } => "bad-value",
            ErrorKind::Malformed(_) => "malformed",
            ErrorKind::Dxbc { .. } => "dxbc",
            ErrorKind::MissingPart { .. } => "missing-part",
            ErrorKind::OperandCount { .. } => "operand-count",
            ErrorKind::Operand { .. } => "operand",
            ErrorKind::Unsupported(_) => "unsupported",
            ErrorKind::Limit { .. } => "limit",
            ErrorKind::Unresolved(_) => "unresolved-function",
            ErrorKind::DefinedTwice(_) => "defined-twice",
            ErrorKind::Conflict { .. } => "conflict",
            ErrorKind::Internal(_) => "internal",
        }
    }

    /// Returns whose fault the error is.
    pub fn category(&self) -> Category {
        match self.0.kind {
            ErrorKind::Unsupported(_) | ErrorKind::Dxbc { .. } => Category::Unsupported,
            ErrorKind::Internal(_) => Category::Internal,
            // Limits, too: they lie far above anything that a compiler writes (see `limits`).
            _ => Category::Malformed,
        }
    }

    /// Adds the byte offset, unless one is known.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        // The innermost layer knows the place best, so what it has set stays. The same holds for
        // the setters below.
        self.0.location.offset.get_or_insert(offset);
        self
    }

    /// Adds the container part, unless one is known.
    #[must_use]
    pub fn in_part(mut self, part: FourCc) -> Self {
        self.0.location.part.get_or_insert(part);
        self
    }

    /// Adds the function, unless one is known.
    #[must_use]
    pub fn in_function(mut self, function: FuncId) -> Self {
        self.0.location.function.get_or_insert(function);
        self
    }

    /// Adds the block, unless one is known.
    #[must_use]
    pub fn in_block(mut self, block: BlockId) -> Self {
        self.0.location.block.get_or_insert(block);
        self
    }

    /// Adds the instruction, unless one is known.
    #[must_use]
    pub fn at_inst(mut self, inst: InstId) -> Self {
        self.0.location.inst.get_or_insert(inst);
        self
    }
}

/// Writes what is known of the location, as in
/// `cs.hlsl:12:5: part DXIL, byte 0x1a4, @f0 block b3 inst23: `.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{source}: ")?;
        }
        let mut sep = "";
        if let Some(part) = self.part {
            write!(f, "part {part}")?;
            sep = ", ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{sep}byte {offset:#x}")?;
            sep = ", ";
        }
        if let Some(function) = self.function {
            write!(f, "{sep}{function}")?;
            sep = " ";
        }
        if let Some(block) = self.block {
            write!(f, "{sep}block {block}")?;
            sep = " ";
        }
        if let Some(inst) = self.inst {
            write!(f, "{sep}{inst}")?;
            sep = " ";
        }
        if sep.is_empty() {
            Ok(())
        } else {
            f.write_str(": ")
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_message(f, format_args!("{}{}", self.0.location, self.0.kind))
    }
}

impl std::error::Error for Error {}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error::new(kind)
    }
}
