//! What a driver says about the machine code of a pipeline.

use serde::{Deserialize, Serialize};

/// One piece of machine code of a pipeline: a stage, or several that the driver merged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Executable {
    /// The driver's name for it.
    pub name: String,
    /// What the driver says about it.
    pub description: String,
    /// Its stages by the prefixes of their profiles: `cs`, `vs`, `ps`.
    pub stages: Vec<String>,
    /// Lanes of a subgroup; 0 where the driver does not say.
    pub subgroup_size: u32,
    /// What the driver counts, in its order.
    pub statistics: Vec<Statistic>,
    /// Intermediate forms and assembly, if they were asked for.
    pub texts: Vec<Text>,
}

/// A number that a driver gives for an executable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statistic {
    /// The driver's name for it.
    pub name: String,
    /// What the driver says about it.
    pub description: String,
    /// Its value.
    pub value: Value,
}

/// The value of a [`Statistic`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Value {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

impl Value {
    /// Returns the value as a float; numbers above 2^53 lose their last bits.
    pub fn as_f64(self) -> f64 {
        match self {
            Value::Bool(value) => f64::from(u8::from(value)),
            Value::Signed(value) => value as f64,
            Value::Unsigned(value) => value as f64,
            Value::Float(value) => value,
        }
    }
}

/// A form that an executable had on its way to machine code, or the assembly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// The driver's name for it.
    pub name: String,
    /// What the driver says about it.
    pub description: String,
    /// The text.
    pub text: String,
}

/// What ends the name of a text with source lines.
pub(crate) const WITH_LINES: &str = " with source lines";

impl Text {
    /// Returns whether comments in this form have the source lines that its code is from
    /// ([`Settings::source_lines`](crate::isa::Settings::source_lines)).
    pub fn has_source_lines(&self) -> bool {
        self.name.ends_with(WITH_LINES)
    }

    /// Returns whether this is the assembly, and not an intermediate form.
    pub fn is_assembly(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        // RADV and NVK: "Assembly"; Turnip: "IR3 Assembly"; Honeykrisp: "AGX binary".
        name.contains("assembly") || name.contains("disassembly") || name == "agx binary"
    }
}

impl Executable {
    /// Returns a statistic's value by its name.
    pub fn statistic(&self, name: &str) -> Option<f64> {
        let mut all = self.statistics.iter();
        all.find(|s| s.name == name).map(|s| s.value.as_f64())
    }
}
