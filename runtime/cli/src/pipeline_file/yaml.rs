//! Errors of the YAML reader in terms of the file instead of our types, with the line.

use std::borrow::Cow;

use dxil_frontend::escape::is_hidden;
use serde_saphyr::{DefaultMessageFormatter, Error, MessageFormatter};

/// Maximum number of characters of a line that are shown.
const MAX_SHOWN: usize = 100;

/// Returns the message, its position, and the line of `text`.
pub(super) fn describe(error: &Error, text: &str) -> String {
    let error = error.without_snippet();
    // The file may contain control characters that a terminal would interpret.
    let message = message(error);
    let message: String = message.chars().map(printable).collect();
    let Some(location) = error.location() else {
        return message;
    };
    let (line, column) = (location.line(), location.column());
    let index = usize::try_from(line).unwrap_or(0).saturating_sub(1);
    let Some(source) = text.lines().nth(index) else {
        return format!("{message}\n  at line {line}, column {column}");
    };
    // Of a long line, the part around the column is shown.
    let column_index = usize::try_from(column).unwrap_or(0).saturating_sub(1);
    let first = column_index.saturating_sub(MAX_SHOWN * 3 / 4);
    let shown: String = source
        .chars()
        .skip(first)
        .take(MAX_SHOWN)
        .map(printable)
        .collect();
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let blanks = " ".repeat(column_index - first);
    format!(
        "{message}\n  at line {line}, column {column}:\n  {number} | {}\n  {margin} | {blanks}^",
        shown.trim_end()
    )
}

fn printable(c: char) -> char {
    if is_hidden(c) { ' ' } else { c }
}

fn message(error: &Error) -> Cow<'_, str> {
    match error {
        Error::Eof { .. } => "unexpected end of the file".into(),
        Error::MultipleDocuments { .. } => "a pipeline file is one YAML document".into(),
        Error::Unexpected { expected, .. } => match *expected {
            "mapping start" => "expected a mapping".into(),
            "sequence start" => "expected a list".into(),
            other => format!("expected {other}").into(),
        },
        Error::InvalidScalar { ty, .. } => match *ty {
            "u8" | "u16" | "u32" | "u64" | "usize" => format!(
                "expected a {}-bit integer",
                ty.trim_start_matches(['u', 's', 'i', 'z', 'e'])
            )
            .into(),
            "f32" | "f64" => "expected a number".into(),
            "bool" => "expected true or false".into(),
            other => format!("this is no {other}").into(),
        },
        other => DefaultMessageFormatter.format_message(other),
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline_file::Pipeline;

    #[track_caller]
    fn error(text: &str) -> String {
        Pipeline::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn messages_show_the_line_and_point_at_the_place() {
        assert_eq!(
            error("Shaders:\n  - Stage: Compute\n    Entry: 1\nBuffers: 7\n"),
            "expected a list\n  at line 4, column 10:\n  4 | Buffers: 7\n    |          ^"
        );
        assert_eq!(
            error("hello"),
            "expected a mapping\n  at line 1, column 1:\n  1 | hello\n    | ^"
        );
        let unknown = error("Shaders: []\nBuffer: []\n");
        assert!(
            unknown.starts_with("unknown field `Buffer`, expected one of Shaders, "),
            "{unknown}"
        );
        assert!(
            unknown.ends_with("at line 2, column 1:\n  2 | Buffer: []\n    | ^"),
            "{unknown}"
        );
        let number = error("Shaders: []\nBuffers:\n  - Name: A\n    Channels: four\n");
        assert!(
            number.starts_with("expected a 32-bit integer\n"),
            "{number}"
        );
        assert!(
            error("").starts_with("unexpected end of the file"),
            "{}",
            error("")
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let many = "1, ".repeat(200);
        let text = format!("Shaders: []\nBuffers: [{many} {{ Name: \u{7}x, Nam: 1 }} ]\n");
        let shown = error(&text);
        let mut lines = shown.lines().rev();
        let (caret, line) = (lines.next().unwrap(), lines.next().unwrap());
        assert!(
            line.chars().count() <= 110 && !shown.contains('\u{7}'),
            "{shown}"
        );
        assert_eq!(caret.chars().last(), Some('^'));
    }
}
