//! Strings, files and their texts.

use std::collections::hash_map::Entry;

use super::{DebugForm, HLSL, SourceWriter, instruction::DebugInstruction};
use crate::debug_info::source_file::{MAX_BYTES, SourceFile, truncated};
use crate::spirv::{Builder, Id};

impl<'a> SourceWriter<'a> {
    /// Writes the texts of all files, the main file first.
    pub(super) fn write_sources(&mut self, b: &mut Builder) {
        let Some(sources) = self.sources else { return };
        for file in &sources.files {
            self.file(b, &file.name);
        }
    }

    /// Returns a file: an `OpString` whose text an `OpSource` gives, or a `DebugSource`.
    pub(super) fn file(&mut self, b: &mut Builder, name: &'a str) -> &SourceFile {
        if !self.files.contains_key(name) {
            let file = self.write_file(b, name);
            self.files.insert(name, file);
        }
        match self.files.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(SourceFile {
                id: Id::NONE,
                lines: None,
            }),
        }
    }

    fn write_file(&mut self, b: &mut Builder, name: &str) -> SourceFile {
        let text = self.sources.and_then(|sources| sources.text(name));
        // The debug information and the list of sources may write a path differently.
        let same = text.and_then(|text| {
            let known = self.sources?.files.iter();
            let mut found = known.filter(|file| std::ptr::eq(&*file.text, text));
            self.files.get(&*found.next()?.name)
        });
        if let Some(known) = same {
            return SourceFile {
                id: known.id,
                lines: known.lines.clone(),
            };
        }
        let string = self.string(b, name);
        let parts: Vec<&str> = text.map(pieces).unwrap_or_default();
        let id = match self.form {
            DebugForm::Lines => {
                if let Some((first, rest)) = parts.split_first() {
                    b.source(HLSL, self.version, string, first);
                    for part in rest {
                        b.source_continued(part);
                    }
                }
                string
            }
            DebugForm::Full { .. } => {
                let mut texts = Vec::new();
                for part in parts {
                    // Texts are not interned, because each occurs once.
                    texts.push(b.string(part));
                }
                match texts.split_first() {
                    Some((&first, rest)) => {
                        let id = self.global(b, DebugInstruction::DebugSource, &[string, first]);
                        for &part in rest {
                            self.global(b, DebugInstruction::DebugSourceContinued, &[part]);
                        }
                        id
                    }
                    None => self.global(b, DebugInstruction::DebugSource, &[string]),
                }
            }
        };
        SourceFile {
            id,
            lines: text.filter(|text| !text.is_empty()).map(line_lengths),
        }
    }
}

/// Splits a text into pieces that fit into instructions, at the ends of lines if lines are short
/// enough.
fn pieces(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let mut part = truncated(text, MAX_BYTES);
        if part.len() < text.len()
            && let Some(end) = part.rfind('\n')
        {
            part = truncated(part, end + 1);
        }
        parts.push(part);
        text = text.get(part.len()..).unwrap_or_default();
        if part.is_empty() {
            break;
        }
    }
    parts
}

/// Returns the length of each line in bytes, without its end (`\n`, `\r\n` or `\r`).
fn line_lengths(text: &str) -> Vec<u32> {
    let mut lengths = Vec::new();
    let mut length = 0;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\n' | b'\r' => {
                if byte == b'\r' {
                    bytes.next_if_eq(&b'\n');
                }
                lengths.push(length);
                length = 0;
            }
            _ => length += 1,
        }
    }
    if length > 0 {
        lengths.push(length);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, SourceFile, line_lengths, pieces};
    use crate::spirv::Id;

    #[test]
    fn lines_end_as_on_any_system() {
        assert_eq!(line_lengths("ab\r\n\nc\rdef"), [2, 0, 1, 3]);
        assert_eq!(line_lengths("a\n"), [1]);
    }

    #[test]
    fn places_beyond_the_text_are_none() {
        let file = SourceFile {
            id: Id(1),
            lines: Some(vec![2, 0]),
        };
        assert_eq!(file.clamped(1, 9), (1, 3));
        assert_eq!(file.clamped(2, 1), (2, 1));
        assert_eq!(file.clamped(3, 1), (0, 0));
        assert_eq!(file.clamped(0, 1), (0, 0));
    }

    #[test]
    fn long_texts_are_split_behind_a_line() {
        let line = "é".repeat(60) + "\n";
        let text = line.repeat(3000);
        let parts = pieces(&text);
        assert_eq!(parts.concat(), text);
        assert!(parts.len() == 2 && parts.iter().all(|part| part.len() <= MAX_BYTES));
        assert!(parts.iter().all(|part| part.ends_with('\n')));
        assert_eq!(pieces(&"é".repeat(MAX_BYTES)).concat().len(), 2 * MAX_BYTES);
    }
}
