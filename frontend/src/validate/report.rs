//! The result of validation: violations with their positions.

use std::fmt;

use super::rules::{Rule, Severity};
use crate::error::Location;
use crate::escape::write_message;

/// Options of a validation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Minor number of the validator version (1.x) whose rules apply. Default: the version that
    /// the module names (`dx.valver`), or 1.0 if it names none.
    pub validator_minor: Option<u8>,
    /// Whether the rules about divergent control flow are checked as well (`UNI.*`), which are
    /// warnings. Microsoft's validator never reports them.
    pub uniformity: bool,
    /// Whether the preview shader model 6.10 is taken for a released one, as DXC does that writes
    /// it. Otherwise a shader of it breaks `SM.NAME`.
    pub preview: bool,
}

/// A rule that is broken, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The severity.
    pub severity: Severity,
    /// The problem at this place, in one sentence without a full stop.
    pub detail: Box<str>,
    /// The position: byte, part, function, block, instruction and line, as far as known.
    pub location: Location,
    /// Name of the function.
    pub function: Option<Box<str>>,
}

/// `a.hlsl:3:7: error: FLOW.DEADLOOP: part DXIL, byte 0x4c0, @main block b2: the loop has no exit`.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.location.source {
            write_message(f, format_args!("{source}: "))?;
        }
        write!(f, "{}: {}: ", self.severity.name(), self.rule)?;
        let mut separator = "";
        let location = &self.location;
        if let Some(part) = location.part {
            write!(f, "part {part}")?;
            separator = ", ";
        }
        if let Some(offset) = location.offset {
            write!(f, "{separator}byte {offset:#x}")?;
            separator = ", ";
        }
        if let Some(name) = &self.function {
            write_message(f, format_args!("{separator}@{name}"))?;
            separator = " ";
        }
        if let Some(block) = location.block {
            write!(f, "{separator}block {block}")?;
            separator = " ";
        }
        if let Some(inst) = location.inst {
            write!(f, "{separator}{inst}")?;
            separator = " ";
        }
        if !separator.is_empty() {
            f.write_str(": ")?;
        }
        write_message(f, format_args!("{}", self.detail))
    }
}

/// The result of a validation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValidationReport {
    /// Minor number of the validator version (1.x) whose rules were checked.
    pub validator_minor: u8,
    /// All violations: those of the container first, then those of the module in its order.
    pub violations: Vec<Violation>,
    /// Violations beyond [`crate::limits::MAX_VIOLATIONS`], which are only counted.
    pub left_out: usize,
}

impl ValidationReport {
    /// Returns whether no violation is an error.
    pub fn is_valid(&self) -> bool {
        self.left_out == 0 && self.count(Severity::Error) == 0
    }

    /// Returns the number of violations of that severity.
    pub fn count(&self, severity: Severity) -> usize {
        let of = |violation: &&Violation| violation.severity == severity;
        self.violations.iter().filter(of).count()
    }

    /// Returns whether that rule is broken.
    pub fn breaks(&self, rule: Rule) -> bool {
        self.violations
            .iter()
            .any(|violation| violation.rule == rule)
    }
}
