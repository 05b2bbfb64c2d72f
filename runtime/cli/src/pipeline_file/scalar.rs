//! Numbers in the JSON schema.

#![expect(
    dead_code,
    reason = "the type only describes the schema; other code reads the values"
)]

use schemars::JsonSchema;

/// A number in any notation of the format.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(super) enum Scalar {
    /// A number that JSON can express.
    Number(f64),
    /// A bool.
    Bool(bool),
    /// A hexadecimal number, NaN, an infinity, or another notation that JSON lacks.
    Text(String),
}
