//! JSON documents as the commands write them.

use std::fmt::Write;

use dxil_frontend::escape::is_hidden;
use serde_json::Value;

/// Returns a document with a line feed at its end. Bidirectional and invisible characters, which a
/// terminal or an editor would show as other text than there is, are written as escapes.
pub fn document(value: &Value) -> String {
    let mut text = escaped(&format!("{value:#}"));
    text.push('\n');
    text
}

/// Escapes hidden characters of JSON. Beyond ASCII, characters are only in strings; control
/// characters of ASCII but DEL are escaped there already.
fn escaped(json: &str) -> String {
    let is_escaped = |c: char| c >= '\u{7f}' && is_hidden(c);
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(is_escaped) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let mut chars = from.chars();
        if let Some(c) = chars.next() {
            // Two units for characters beyond the first plane (RFC 8259, section 7).
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_read_back() {
        let value = json!({ "a\u{202e}b": ["\u{2066}x\u{2069}", "\u{e0041}", "\u{7f}", "äß漢🦀"] });
        let text = document(&value);
        assert!(!text.chars().any(|c| is_hidden(c) && c != '\n'), "{text}");
        assert!(
            text.contains("a\\u202eb") && text.contains("\\udb40\\udc41"),
            "{text}"
        );
        assert!(text.contains("äß漢🦀"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
