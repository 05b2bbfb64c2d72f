//! Numbers of a question.

use serde_json::Value;

/// Returns a number of a question; 0 where it has none.
pub(super) fn number(value: &Value) -> usize {
    let number = value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    number.unwrap_or(0)
}
