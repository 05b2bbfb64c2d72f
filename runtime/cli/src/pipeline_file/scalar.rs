//! How the schema describes numbers.

#![expect(
    dead_code,
    reason = "this only describes what is read by hand elsewhere"
)]

use schemars::JsonSchema;

/// A number in any notation of the format.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(super) enum Scalar {
    /// A number, where JSON can write it.
    Number(f64),
    /// A bool.
    Bool(bool),
    /// Hexadecimal, NaN, infinities and what else a number of JSON is not.
    Text(String),
}
