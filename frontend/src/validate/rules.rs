//! The table of rules: one row per rule of DXIL's validator. The list for the command line, the
//! documentation and the tests are made from it.
//!
//! Names are those of the DXIL document ("Validation Rules") and of DXC's own table, which has
//! rules that the document does not list yet. Three names of the document are old ones:
//! [`Rule::old_names`].

use std::fmt;

use super::table::for_each_rule;

/// The severity of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// D3D12 may accept the shader, but a part of it is wrong.
    Warning,
    /// D3D12 rejects the shader.
    Error,
}

impl Severity {
    /// Returns `error` or `warning`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Whether and where a rule is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// In that file of `frontend/src/validate`.
    In(&'static str),
    /// Not at all, for that reason.
    Not(&'static str),
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleInfo {
    /// Official name, like `FLOW.REDUCIBLE`.
    pub name: &'static str,
    /// The requirement of the rule.
    pub message: &'static str,
    /// The severity of a violation of the rule.
    pub severity: Severity,
    /// Minor number of the first validator version (1.x) that has it.
    pub since: u8,
    /// Whether and where it is checked.
    pub check: Check,
}

macro_rules! define_rules {
    ($($rule:ident $name:literal $severity:ident $since:literal $how:ident $what:expr,
        $message:literal;)*) => {
        /// A rule; [`Rule::info`] is its row.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`: ", $message, ".")] $rule,)*
        }

        impl Rule {
            /// All rules, in the order of the table.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),*];

            /// Returns the rule's row.
            pub const fn info(self) -> &'static RuleInfo {
                match self {
                    $(Rule::$rule => &RuleInfo {
                        name: $name,
                        message: $message,
                        severity: Severity::$severity,
                        since: $since,
                        check: define_rules!(@ $how $what),
                    },)*
                }
            }
        }
    };
    (@ at $file:expr) => {
        Check::In($file)
    };
    (@ not $reason:expr) => {
        Check::Not($reason)
    };
}

/// Rules that DXC lists and never reports.
const NEVER_REPORTED: &str = "listed by DXC, but no version of it reports the rule";
/// Rules that a module that decodes cannot break.
const DECODING: &str = "decoding reports what breaks it as `BITCODE.VALID`";

for_each_rule!(define_rules);

impl Rule {
    /// Returns the official name, like `FLOW.REDUCIBLE`.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the names that the rule had in earlier versions of the validator.
    pub const fn old_names(self) -> &'static [&'static str] {
        match self {
            Rule::MetaCoherenceNotOnAppendConsume => &["META.GLCNOTONAPPENDCONSUME"],
            Rule::SmMaxTGSMSizeOnEntry => &["SM.MAXTGSMSIZE", "SM.MAXMSSMSIZE"],
            _ => &[],
        }
    }

    /// Returns the rule of that name, or that had it once; case does not matter.
    pub fn from_name(name: &str) -> Option<Rule> {
        let mut all = Rule::ALL.iter().copied();
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        all.find(|rule| is(rule.name()) || rule.old_names().iter().any(|old| is(old)))
    }

    /// Rules that are not Microsoft's: what D3D12 or its tools look at, and the table leaves out.
    pub const OWN: &'static [Rule] = &[Rule::ContainerDigest, Rule::ContainerShaderHash];

    /// Returns whether the rule is checked.
    pub const fn is_checked(self) -> bool {
        matches!(self.info().check, Check::In(_))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
