//! Tokens of the texts that naga writes, for corrections that the IR cannot express.
//!
//! A correction is anchored to a sequence of whole tokens, so that a name which contains another
//! one, or a comment, is never taken for what it corrects.

use std::ops::Range;

/// The tokens of a text in WGSL, MSL, GLSL or HLSL: words (names, keywords and numbers) and single
/// characters. White space and comments are left out.
pub(super) struct Tokens<'a> {
    text: &'a str,
    ranges: Vec<Range<usize>>,
}

impl<'a> Tokens<'a> {
    /// Splits a text.
    pub(super) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut ranges = Vec::new();
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
            // Names may have characters outside of ASCII, whose bytes are above 0x7f.
            let word = rest.iter().take_while(|&&b| is_word(b) || b >= 0x80);
            let length = match word.count() {
                0 if rest[0].is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                0 if rest.starts_with(b"//") => {
                    at += rest.iter().take_while(|&&byte| byte != b'\n').count();
                    continue;
                }
                0 if rest.starts_with(b"/*") => {
                    let end = text[at..].find("*/").map_or(rest.len(), |end| end + 2);
                    at += end;
                    continue;
                }
                0 => 1,
                length => length,
            };
            ranges.push(at..at + length);
            at += length;
        }
        Tokens { text, ranges }
    }

    /// Returns the number of tokens.
    pub(super) fn count(&self) -> usize {
        self.ranges.len()
    }

    /// Returns a token; the empty string after the last one.
    pub(super) fn get(&self, index: usize) -> &'a str {
        let range = self.ranges.get(index);
        range.map_or("", |range| &self.text[range.clone()])
    }

    /// Returns the range of a token in the text; the end of the text after the last one.
    pub(super) fn range(&self, index: usize) -> Range<usize> {
        let end = self.text.len()..self.text.len();
        self.ranges.get(index).cloned().unwrap_or(end)
    }

    /// Returns whether the tokens from `index` on are these; `*` stands for any token.
    pub(super) fn are(&self, index: usize, tokens: &[&str]) -> bool {
        let mut all = (index..).zip(tokens);
        all.all(|(at, &token)| {
            let own = self.get(at);
            own == token || token == "*" && !own.is_empty()
        })
    }

    /// Returns the next token from `index` on that is `token`.
    pub(super) fn next(&self, index: usize, token: &str) -> Option<usize> {
        (index..self.count()).find(|&at| self.get(at) == token)
    }

    /// Returns the bracket that closes the one at `index`.
    pub(super) fn closing(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in index..self.count() {
            match self.get(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }
}

/// Replacements of parts of a text, in the order of the text.
#[derive(Default)]
pub(super) struct Edits {
    edits: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Replaces a part after those that were replaced before.
    pub(super) fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.edits.push((range, by.into()));
    }

    /// Returns the text with all parts replaced.
    pub(super) fn apply(self, text: &str) -> String {
        let mut edited = String::with_capacity(text.len());
        let mut at = 0;
        for (range, by) in self.edits {
            edited += text.get(at..range.start).unwrap_or_default();
            edited += &by;
            at = range.end;
        }
        edited += text.get(at..).unwrap_or_default();
        edited
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_parts_of_names_are_no_tokens() {
        let tokens = Tokens::of("a_b = 1.5f; // a b\n/* b */ b[2]");
        let all: Vec<_> = (0..tokens.count()).map(|index| tokens.get(index)).collect();
        assert_eq!(all, ["a_b", "=", "1.5f", ";", "b", "[", "2", "]"]);
        assert!(tokens.are(4, &["b", "[", "*", "]"]));
        assert!(!tokens.are(6, &["2", "]", "*"]), "nothing follows");
        assert_eq!(tokens.closing(5), Some(7));
        assert_eq!(tokens.next(0, "b"), Some(4));
    }

    #[test]
    fn edits_replace_ranges_and_keep_the_rest() {
        let mut edits = Edits::default();
        edits.replace(0..1, "xy");
        edits.replace(2..2, "+");
        assert_eq!(edits.apply("abc"), "xyb+c");
    }
}
