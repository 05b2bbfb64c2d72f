//! A source file, and how much of it fits into an instruction.

use crate::spirv::Id;

/// Bytes of text that one instruction holds: it has 65,535 words at most, some of which are others.
pub(super) const MAX_BYTES: usize = 4 * 65_000;

/// A file that the module has.
#[derive(Debug)]
pub(super) struct SourceFile {
    /// Its `OpString` or `DebugSource`.
    pub(super) id: Id,
    /// Bytes of each line, where the module has the text.
    pub(super) lines: Option<Vec<u32>>,
}

impl SourceFile {
    /// The line and column, if the text has them; a column behind the line's end is that of its
    /// end, and a line that is not there is 0.
    pub(super) fn clamped(&self, line: u32, column: u32) -> (u32, u32) {
        let Some(lines) = &self.lines else {
            return (line, column);
        };
        let length = (line.checked_sub(1)).and_then(|index| lines.get(index as usize));
        match length {
            // The end of a line is a column, too.
            Some(length) => (line, column.min(length + 1)),
            None => (0, 0),
        }
    }
}

/// The start of a text, of so many bytes at most.
pub(super) fn truncated(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        text
    } else {
        text.get(..text.floor_char_boundary(max_bytes))
            .unwrap_or_default()
    }
}
