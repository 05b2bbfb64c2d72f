//! Leniencies of LLVM's YAML reader that YAML lacks: tabs instead of blanks, and empty items in a
//! flow sequence (`[1,, 2]`). Files of the suite use both.

use std::borrow::Cow;

/// Returns the text with its tabs and empty flow items replaced by blanks. Lines and columns stay.
pub(super) fn as_llvm_reads(text: &str) -> Cow<'_, str> {
    let has_tabs = text.contains('\t');
    if !has_tabs && !has_empty_items(text) {
        return Cow::Borrowed(text);
    }
    let mut scan = Scan::default();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        out.push(match scan.step(c) {
            Seen::Plain if c == '\t' => ' ',
            Seen::EmptyItem => ' ',
            _ => c,
        });
    }
    Cow::Owned(out)
}

fn has_empty_items(text: &str) -> bool {
    let mut scan = Scan::default();
    text.chars().any(|c| scan.step(c) == Seen::EmptyItem)
}

/// The role of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Structure or plain text.
    Plain,
    /// Part of a comment or of a quoted text.
    Opaque,
    /// A comma after a comma.
    EmptyItem,
}

#[derive(Default)]
struct Scan {
    flow_depth: u32,
    quote: Option<char>,
    comment: bool,
    escaped: bool,
    inside_word: bool,
    after_comma: bool,
}

impl Scan {
    fn step(&mut self, c: char) -> Seen {
        let inside_word = std::mem::replace(&mut self.inside_word, !c.is_whitespace());
        if self.comment {
            self.comment = c != '\n';
            return Seen::Opaque;
        }
        if let Some(quote) = self.quote {
            let escaped = std::mem::take(&mut self.escaped);
            // Only double quotes have escape sequences.
            if quote == '"' && c == '\\' && !escaped {
                self.escaped = true;
            } else if c == quote && !escaped {
                self.quote = None;
            }
            return Seen::Opaque;
        }
        match c {
            '#' if !inside_word => {
                self.comment = true;
                Seen::Opaque
            }
            // A quote inside of a word has no special meaning.
            '"' | '\'' if !inside_word || self.after_comma => {
                self.quote = Some(c);
                self.after_comma = false;
                Seen::Opaque
            }
            ',' if self.flow_depth > 0 && self.after_comma => Seen::EmptyItem,
            ',' => {
                self.after_comma = self.flow_depth > 0;
                Seen::Plain
            }
            _ => {
                match c {
                    '[' | '{' => self.flow_depth += 1,
                    ']' | '}' => self.flow_depth = self.flow_depth.saturating_sub(1),
                    _ => {}
                }
                // Blanks between two commas do not make an item.
                self.after_comma &= c.is_whitespace();
                Seen::Plain
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::as_llvm_reads;

    #[test]
    fn tabs_and_empty_items_become_blanks() {
        assert_eq!(as_llvm_reads("a: [1,, 2,\t3]"), "a: [1,  2, 3]");
        assert_eq!(
            as_llvm_reads("a: [1, # one,,\n ,2]"),
            "a: [1, # one,,\n  2]"
        );
    }

    #[test]
    fn texts_and_comments_stay_as_they_are() {
        for text in [
            "a: 'x,,\ty'",
            "# a,,\tb",
            "a: \"x\\\",,\" ",
            "a: b,, c",
            "a: [1, 2]",
        ] {
            assert_eq!(as_llvm_reads(text), text);
        }
    }
}
