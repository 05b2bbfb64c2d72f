//! Messages have an end, however long the names are that a file has for its things.

use std::fmt::{self, Write as _};

/// Longest text of an error, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 4096;

/// What stands for the rest.
const CUT: &str = "...";

/// Writes the text of an error: all of it, or its first [`MAX_MESSAGE_BYTES`].
///
/// # Errors
///
/// As the formatter has them.
pub fn write_message(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    let mut capped = Capped {
        out: f,
        left: Some(MAX_MESSAGE_BYTES - CUT.len()),
    };
    capped.write_fmt(text)
}

/// Passes text on until there is too much of it.
struct Capped<'a, 'f> {
    out: &'a mut fmt::Formatter<'f>,
    left: Option<usize>,
}

impl fmt::Write for Capped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let Some(left) = self.left else {
            return Ok(());
        };
        if let Some(left) = left.checked_sub(text.len()) {
            self.left = Some(left);
            return self.out.write_str(text);
        }
        self.left = None;
        let end = text.floor_char_boundary(left);
        self.out.write_str(text.get(..end).unwrap_or_default())?;
        self.out.write_str(CUT)
    }
}

#[cfg(test)]
mod tests {
    use super::MAX_MESSAGE_BYTES;
    use crate::Error;

    #[test]
    fn a_message_is_at_most_4_kib_long() {
        let error = Error::malformed("\u{e9}".repeat(100_000));
        let text = error.to_string();
        assert!((MAX_MESSAGE_BYTES - 8..=MAX_MESSAGE_BYTES).contains(&text.len()));
        assert!(text.ends_with("\u{e9}..."), "{}", text.len());
        assert_eq!(Error::malformed("short").to_string(), "short");
    }
}
