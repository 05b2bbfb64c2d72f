//! Checks of results against values that the CPU computed.

use dxil_runtime::job::{Outcome, ResourceId};

/// Compares the results of a dispatch with expected values. An error says what differs.
pub(crate) type Check = Box<dyn Fn(&Outcome) -> Result<(), String>>;

/// Returns the words of a result.
///
/// # Errors
///
/// The job did not read the resource back.
pub(crate) fn result_words(outcome: &Outcome, id: ResourceId) -> Result<Vec<u32>, String> {
    let bytes = outcome.bytes(id).ok_or("the result was not read back")?;
    let (words, _) = bytes.as_chunks();
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Returns a check that all words of a result are the expected ones.
pub(crate) fn exactly(id: ResourceId, expected: Vec<u32>) -> Check {
    Box::new(move |outcome| {
        let found = result_words(outcome, id)?;
        if found.len() != expected.len() {
            return Err(format!("{} words, not {}", found.len(), expected.len()));
        }
        match found.iter().zip(&expected).position(|(a, b)| a != b) {
            None => Ok(()),
            Some(at) => Err(format!("word {at} is {}, not {}", found[at], expected[at])),
        }
    })
}

/// Returns a check of the floats at some indices of a result. `tolerance` is the maximum relative
/// error, and the maximum absolute error of values below 1. `outliers` is the fraction of values
/// that may differ by more: rays that graze an edge, points that escape an iteration later.
pub(crate) fn nearly(
    id: ResourceId,
    expected: Vec<(usize, f32)>,
    tolerance: f32,
    outliers: f64,
) -> Check {
    Box::new(move |outcome| {
        let found = result_words(outcome, id)?;
        let mut bad = 0;
        let mut first = None;
        for (at, expected) in &expected {
            let found = found
                .get(*at)
                .map(|word| f32::from_bits(*word))
                .ok_or_else(|| format!("there is no element {at}"))?;
            let error = (found - expected).abs() / expected.abs().max(1.0);
            if error.is_nan() || error > tolerance {
                bad += 1;
                first.get_or_insert((*at, found, *expected));
            }
        }
        match first {
            Some((at, found, wanted)) if bad as f64 > outliers * expected.len() as f64 => Err(
                format!("{bad} values are off; element {at} is {found}, not {wanted}"),
            ),
            _ => Ok(()),
        }
    })
}

/// Returns all elements with their indices.
pub(crate) fn at_all_indices(values: Vec<f32>) -> Vec<(usize, f32)> {
    values.into_iter().enumerate().collect()
}
