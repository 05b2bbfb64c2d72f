//! Text that comes from a file, as messages and listings may show it.
//!
//! Names, sources and metadata are whatever their author wrote. Printed as they are, control
//! characters command a terminal, and bidirectional ones show a reader other code than the compiler
//! sees (Unicode Technical Standard 55). Whatever enters an output goes through [`escaped`];
//! messages of errors are also bounded ([`write_message`]).

use std::fmt::{self, Write};

/// Maximum number of bytes of an error's message.
pub const MAX_MESSAGE_BYTES: usize = 4096;

/// The text that replaces the rest of a long message.
const CUT: &str = "...";

/// Returns whether a character is not shown as itself: control characters, those that change the
/// direction of text, line separators, and characters without any width.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns the text with hidden characters as escapes: `\n`, `\u{1b}`. Backslashes stay as they
/// are, so that text that is escaped already does not change.
pub fn escaped(text: &str) -> Escaped<'_> {
    Escaped {
        text,
        keeps_lines: false,
    }
}

/// Returns the same for text of several lines: line feeds and tabs stay.
pub fn escaped_lines(text: &str) -> Escaped<'_> {
    Escaped {
        text,
        keeps_lines: true,
    }
}

/// Text that is escaped while it is written.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a> {
    text: &'a str,
    keeps_lines: bool,
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(f, self.text, self.keeps_lines)
    }
}

fn write_escaped(out: &mut impl Write, text: &str, keeps_lines: bool) -> fmt::Result {
    let mut rest = text;
    let is_escaped = |c: char| is_hidden(c) && !(keeps_lines && matches!(c, '\n' | '\t'));
    while let Some(at) = rest.find(is_escaped) {
        let (before, from) = rest.split_at(at);
        out.write_str(before)?;
        let mut chars = from.chars();
        match chars.next() {
            Some('\n') => out.write_str("\\n")?,
            Some('\t') => out.write_str("\\t")?,
            Some('\r') => out.write_str("\\r")?,
            Some(c) => write!(out, "{}", c.escape_unicode())?,
            None => {}
        }
        rest = chars.as_str();
    }
    out.write_str(rest)
}

/// Writes the message of an error on one line: escaped, and at most [`MAX_MESSAGE_BYTES`] bytes
/// long.
///
/// # Errors
///
/// Fails where the formatter does.
pub fn write_message(f: &mut fmt::Formatter<'_>, message: fmt::Arguments<'_>) -> fmt::Result {
    write_bounded(f, message, false)
}

/// Returns the same for a message of several lines.
///
/// # Errors
///
/// Fails where the formatter does.
pub fn write_lines(f: &mut fmt::Formatter<'_>, message: fmt::Arguments<'_>) -> fmt::Result {
    write_bounded(f, message, true)
}

/// Returns a message of several lines as it may be printed: escaped, and at most
/// [`MAX_MESSAGE_BYTES`] bytes long.
pub fn message(text: &str) -> String {
    bounded(text, MAX_MESSAGE_BYTES)
}

/// Returns the text of several lines as part of a message: escaped, and at most `max` bytes long.
pub fn bounded(text: &str, max: usize) -> String {
    let mut out = String::new();
    let mut bounded = Bounded::new(&mut out, true);
    bounded.left = max.saturating_sub(CUT.len());
    // Writing to a string does not fail, and a message that is full is not a failure.
    let _ = bounded.write_str(text);
    out
}

fn write_bounded(
    f: &mut fmt::Formatter<'_>,
    message: fmt::Arguments<'_>,
    keeps_lines: bool,
) -> fmt::Result {
    Bounded::new(f, keeps_lines).write_fmt(message)
}

/// Escapes what is written to it, and drops what is beyond the bound.
struct Bounded<'a, W> {
    out: &'a mut W,
    keeps_lines: bool,
    left: usize,
    is_cut: bool,
}

impl<'a, W: Write> Bounded<'a, W> {
    fn new(out: &'a mut W, keeps_lines: bool) -> Self {
        Bounded {
            out,
            keeps_lines,
            left: MAX_MESSAGE_BYTES - CUT.len(),
            is_cut: false,
        }
    }
}

impl<W: Write> Write for Bounded<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // Succeeds: a formatter that failed here would make a `Display` implementation panic in
        // `to_string`.
        if self.is_cut {
            return Ok(());
        }
        let mut part = String::new();
        // An escape is at most ten bytes long, so that a text is never looked at much further than
        // is shown of it.
        let looked_at = text.floor_char_boundary(self.left);
        write_escaped(
            &mut part,
            text.get(..looked_at).unwrap_or(text),
            self.keeps_lines,
        )?;
        // Escapes are longer than what they stand for, so the result is cut once more.
        let shown = part.floor_char_boundary(self.left);
        self.out.write_str(part.get(..shown).unwrap_or_default())?;
        self.left -= shown;
        if shown < part.len() || looked_at < text.len() {
            self.is_cut = true;
            self.out.write_str(CUT)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_others_stay() {
        let text = "a\u{1b}[31m\nb\u{202e}c\u{9b}\u{200b}\u{e0041}\t\r ü 漢 \\x";
        assert_eq!(
            escaped(text).to_string(),
            "a\\u{1b}[31m\\nb\\u{202e}c\\u{9b}\\u{200b}\\u{e0041}\\t\\r ü 漢 \\x"
        );
        assert_eq!(escaped_lines("a\n\tb\u{7}").to_string(), "a\n\tb\\u{7}");
        let once = escaped(text).to_string();
        assert_eq!(escaped(&once).to_string(), once, "twice is once");
    }

    #[test]
    fn messages_are_bounded() {
        for part in ["x", "\u{1b}", "ü", "\u{e0041}"] {
            let long = message(&part.repeat(100_000));
            assert!(long.len() <= MAX_MESSAGE_BYTES, "{} bytes", long.len());
            assert!(long.len() > MAX_MESSAGE_BYTES - 30, "{} bytes", long.len());
            assert!(long.ends_with(CUT));
        }
        let short = "x".repeat(MAX_MESSAGE_BYTES - CUT.len());
        assert_eq!(message(&short), short);
    }

    #[test]
    fn a_message_is_at_most_4_kib_long() {
        let error = crate::Error::malformed("\u{e9}".repeat(100_000));
        let text = error.to_string();
        assert!((MAX_MESSAGE_BYTES - 8..=MAX_MESSAGE_BYTES).contains(&text.len()));
        assert!(text.ends_with("\u{e9}..."), "{}", text.len());
        assert_eq!(crate::Error::malformed("short").to_string(), "short");
    }

    #[test]
    fn an_error_is_one_line_of_bounded_length() {
        let name = format!("a\u{1b}]0;title\u{7}\nerror: {}", "b".repeat(10_000));
        let said = crate::Error::malformed(format!("no function `{name}`")).to_string();
        assert!(said.starts_with("no function `a\\u{1b}]0;title\\u{7}\\nerror: bbb"));
        assert!(said.len() <= MAX_MESSAGE_BYTES);
    }
}
