//! Text to tokens.

use crate::error::{Error, Result};

/// A token with its line, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) line: u32,
}

/// The kinds of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// A keyword, a type, a number.
    Word(Box<str>),
    /// A word or quoted name with a colon right after it.
    Label(Box<[u8]>),
    /// `%name` or `%0`, without the sigil.
    Local(Name),
    /// `@name`.
    Global(Name),
    /// `!name` or `!0`.
    Metadata(Name),
    /// `!"text"`.
    MetadataText(Box<[u8]>),
    /// `#0`.
    Attributes(u32),
    /// `"text"`.
    Text(Box<[u8]>),
    /// `c"bytes"`.
    Bytes(Box<[u8]>),
    /// Punctuation; `!` alone before a brace.
    Punct(u8),
}

/// The name of a value, function or node: a number if LLVM gave it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Name {
    Number(u32),
    Text(Box<[u8]>),
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

/// Returns the tokens of a text, without comments.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while let Some(kind) = lexer.next()? {
        let line = lexer.line;
        tokens.push(Token { kind, line });
    }
    Ok(tokens)
}

/// Returns whether a byte may stand in a name or number without quotes.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_' | b'+')
}

impl Lexer<'_> {
    fn error(&self, what: &str) -> Error {
        Error::malformed(format!("line {}: {what}", self.line))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => self.line = self.line.saturating_add(1),
                b';' => {
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    let end = rest.iter().position(|byte| *byte == b'\n');
                    self.at += end.unwrap_or(rest.len());
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn next(&mut self) -> Result<Option<TokenKind>> {
        self.skip_space();
        let Some(byte) = self.peek() else {
            return Ok(None);
        };
        Ok(Some(match byte {
            b'%' => TokenKind::Local(self.sigil()?),
            b'@' => TokenKind::Global(self.sigil()?),
            b'!' => {
                self.at += 1;
                match self.peek() {
                    Some(b'"') => TokenKind::MetadataText(self.quoted()?),
                    Some(byte) if is_word(byte) || byte == b'\\' => {
                        TokenKind::Metadata(name_of(&self.escaped_word()))
                    }
                    _ => TokenKind::Punct(b'!'),
                }
            }
            b'#' => {
                self.at += 1;
                match name_of(self.word()) {
                    Name::Number(number) => TokenKind::Attributes(number),
                    Name::Text(_) => return Err(self.error("`#` without a number")),
                }
            }
            b'"' => {
                let text = self.quoted()?;
                self.label_or(text, TokenKind::Text)
            }
            b'c' if self.bytes.get(self.at + 1) == Some(&b'"') => {
                self.at += 1;
                TokenKind::Bytes(self.quoted()?)
            }
            // Three dots are no word, although a dot may be in one.
            b'.' if self.bytes.get(self.at..self.at + 3) == Some(&b"..."[..]) => {
                self.at += 3;
                TokenKind::Word("...".into())
            }
            byte if is_word(byte) => {
                let word: Box<[u8]> = self.word().into();
                self.label_or(word, |word| {
                    TokenKind::Word(String::from_utf8_lossy(&word).into())
                })
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b':' => {
                self.at += 1;
                TokenKind::Punct(byte)
            }
            _ => return Err(self.error(&format!("unexpected character {:?}", char::from(byte)))),
        }))
    }

    fn label_or(
        &mut self,
        text: Box<[u8]>,
        other: impl FnOnce(Box<[u8]>) -> TokenKind,
    ) -> TokenKind {
        if self.peek() == Some(b':') {
            self.at += 1;
            return TokenKind::Label(text);
        }
        other(text)
    }

    fn word(&mut self) -> &[u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| !is_word(*byte));
        let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word
    }

    /// Returns a word in which `\xx` stands for a byte.
    fn escaped_word(&mut self) -> Vec<u8> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest
            .iter()
            .position(|byte| !is_word(*byte) && *byte != b'\\');
        let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        unescaped(word)
    }

    /// Returns what follows a sigil: a name, in quotes or without, or a number.
    fn sigil(&mut self) -> Result<Name> {
        self.at += 1;
        match self.peek() {
            Some(b'"') => Ok(Name::Text(self.quoted()?)),
            Some(byte) if is_word(byte) => Ok(name_of(self.word())),
            _ => Err(self.error("a sigil without a name")),
        }
    }

    /// Returns the bytes of a text in quotes, in which `\xx` stands for a byte.
    fn quoted(&mut self) -> Result<Box<[u8]>> {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let Some(len) = rest.iter().position(|byte| *byte == b'"') else {
            return Err(self.error("a text without end"));
        };
        let text = rest.get(..len).unwrap_or_default();
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        self.line = self
            .line
            .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at += len + 2;
        Ok(unescaped(text).into())
    }
}

/// Returns a number, or a name that is none.
fn name_of(word: &[u8]) -> Name {
    let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let number = str::from_utf8(word).ok().filter(|_| is_number);
    match number.and_then(|number| number.parse().ok()) {
        Some(number) => Name::Number(number),
        None => Name::Text(word.into()),
    }
}

/// Replaces `\xx` by the byte with that number, and `\\` by a backslash.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let digits = after
            .get(..2)
            .and_then(|digits| str::from_utf8(digits).ok());
        let number = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(number) = number {
            out.push(number);
            rest = after.get(2..).unwrap_or_default();
        } else {
            out.push(b'\\');
            if let [b'\\', after @ ..] = after {
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_texts_and_punctuation_become_tokens() {
        let text = "%1 = !{@\"\\01?f\"} ; no\n#2 c\"a\\00\" -1.5e+00 x: ...";
        let kinds: Vec<TokenKind> = tokens(text).unwrap().into_iter().map(|t| t.kind).collect();
        let expected = [
            TokenKind::Local(Name::Number(1)),
            TokenKind::Punct(b'='),
            TokenKind::Punct(b'!'),
            TokenKind::Punct(b'{'),
            TokenKind::Global(Name::Text((*b"\x01?f").into())),
            TokenKind::Punct(b'}'),
            TokenKind::Attributes(2),
            TokenKind::Bytes((*b"a\0").into()),
            TokenKind::Word("-1.5e+00".into()),
            TokenKind::Label((*b"x").into()),
            TokenKind::Word("...".into()),
        ];
        assert_eq!(kinds, expected);
        assert!(tokens("\"open").is_err());
        assert!(tokens("?").is_err());
    }
}
