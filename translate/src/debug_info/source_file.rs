//! A source file, and how much of it fits into an instruction.

use crate::spirv::Id;

/// Maximum length of text in one instruction, in bytes: an instruction has at most 65,535 words,
/// some of which are other operands (SPIR-V specification, 2.3).
pub(super) const MAX_BYTES: usize = 4 * 65_000;

/// A source file in the module.
#[derive(Debug)]
pub(super) struct SourceFile {
    /// Id of its `OpString` or `DebugSource`.
    pub(super) id: Id,
    /// Length of each line in bytes, if the module has the text.
    pub(super) lines: Option<Vec<u32>>,
}

impl SourceFile {
    /// Returns line and column, limited to the text: a column beyond the end of its line becomes
    /// the end, and a line that does not exist becomes 0.
    pub(super) fn clamped(&self, line: u32, column: u32) -> (u32, u32) {
        let Some(lines) = &self.lines else {
            return (line, column);
        };
        let length = (line.checked_sub(1)).and_then(|index| lines.get(index as usize));
        match length {
            // The end of a line counts as a column.
            Some(length) => (line, column.min(length + 1)),
            None => (0, 0),
        }
    }
}

/// Returns the start of a text, at most `max_bytes` bytes.
pub(super) fn truncated(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        text
    } else {
        text.get(..text.floor_char_boundary(max_bytes))
            .unwrap_or_default()
    }
}
