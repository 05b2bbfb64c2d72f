//! Conversions into JSON values for all sections.

use std::fmt::Debug;

use dxil_frontend::dxil::ResourceClass;
use serde_json::{Map, Value, json};

/// A JSON object that is written field by field.
#[derive(Debug, Default)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// Adds a field.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a field if there is a value.
    pub(crate) fn set_some(&mut self, name: &str, value: Option<impl Into<Value>>) -> &mut Self {
        if let Some(value) = value {
            self.set(name, value);
        }
        self
    }

    /// Returns the object.
    pub(crate) fn finish(&mut self) -> Value {
        Value::Object(std::mem::take(&mut self.0))
    }
}

/// Returns the name of an enumeration's variant.
pub(crate) fn name(value: impl Debug) -> Value {
    Value::String(format!("{value:?}"))
}

/// Returns the names of the set flags, and unknown bits as one hexadecimal number.
pub(crate) fn flags<F>(flags: F) -> Value
where
    F: bitflags::Flags,
    F::Bits: std::fmt::LowerHex + PartialEq,
{
    let mut names = Vec::new();
    let mut iter = flags.iter_names();
    for (name, _) in iter.by_ref() {
        names.push(json!(name));
    }
    let rest = iter.remaining();
    if !rest.is_empty() {
        names.push(json!(format!("{:#x}", rest.bits())));
    }
    Value::Array(names)
}

/// Returns a float with the fewest digits that identify it. Infinities and NaN, which JSON lacks,
/// become text.
pub(crate) fn number(value: f32) -> Value {
    let text = format!("{value:?}");
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => json!(number),
        _ => json!(text),
    }
}

/// Returns the bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the components of a 4-bit mask: `xyzw`, with `-` for absent ones.
pub(crate) fn components(mask: u8) -> String {
    "xyzw"
        .chars()
        .enumerate()
        .map(|(bit, c)| if mask >> bit & 1 != 0 { c } else { '-' })
        .collect()
}

/// Returns registers in the notation of HLSL: `t3`, `u0-u4`, `b2-`; with the space if it is not 0.
pub(crate) fn registers(letter: char, first: u32, count: Option<u32>, space: u32) -> String {
    let mut text = match count {
        Some(1) => format!("{letter}{first}"),
        Some(count) => {
            let last = u64::from(first) + u64::from(count.max(1)) - 1;
            format!("{letter}{first}-{letter}{last}")
        }
        None => format!("{letter}{first}-"),
    };
    if space != 0 {
        text.push_str(&format!(", space{space}"));
    }
    text
}

/// Returns registers from an inclusive upper bound; `u32::MAX` is unbounded.
pub(crate) fn register_range(letter: char, lower: u32, upper: u32, space: u32) -> String {
    let count = (upper != u32::MAX).then(|| upper.saturating_sub(lower).saturating_add(1));
    registers(letter, lower, count, space)
}

/// Returns the letter of the registers of a class, or `?` if it is unknown.
pub(crate) fn letter(class: Option<ResourceClass>) -> char {
    class.map_or('?', ResourceClass::letter)
}

/// Returns a list with one value per item.
pub(crate) fn list<T>(items: impl IntoIterator<Item = T>, f: impl FnMut(T) -> Value) -> Value {
    Value::Array(items.into_iter().map(f).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_written_as_in_hlsl() {
        assert_eq!(registers('t', 3, Some(1), 0), "t3");
        assert_eq!(registers('u', 0, Some(5), 2), "u0-u4, space2");
        assert_eq!(registers('b', 7, None, 0), "b7-");
        assert_eq!(register_range('s', 1, u32::MAX, 0), "s1-");
        assert_eq!(register_range('s', 1, 1, 0), "s1");
    }

    #[test]
    fn components_keep_their_place() {
        assert_eq!(components(0b1011), "xy-w");
    }
}
