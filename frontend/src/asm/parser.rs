//! The position among the tokens.

use super::lexer::{Name, Token, TokenKind};
use crate::error::{Error, Result};

/// A position among tokens.
#[derive(Debug, Clone)]
pub(super) struct Parser<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn peek(&self) -> Option<&'t TokenKind> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<&'t TokenKind> {
        self.tokens.get(self.at + ahead).map(|token| &token.kind)
    }

    pub(super) fn next(&mut self) -> Option<&'t TokenKind> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    /// Returns the error for what is at this position.
    pub(super) fn error(&self, what: &str) -> Error {
        let last = self.tokens.last();
        let line = self
            .tokens
            .get(self.at)
            .or(last)
            .map_or(1, |token| token.line);
        Error::malformed(format!("line {line}: {what}"))
    }

    /// Returns the error for what this reader does not have.
    pub(super) fn unsupported(&self, what: &str) -> Error {
        let line = self.tokens.get(self.at).map_or(1, |token| token.line);
        Error::unsupported(format!("{what} (line {line})"))
    }

    pub(super) fn is_punct(&self, byte: u8) -> bool {
        self.peek() == Some(&TokenKind::Punct(byte))
    }

    /// Takes punctuation, if it comes next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.is_punct(byte);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<()> {
        if self.take(byte) {
            return Ok(());
        }
        Err(self.error(&format!("`{}` is missing", char::from(byte))))
    }

    pub(super) fn peek_word(&self) -> Option<&'t str> {
        match self.peek() {
            Some(TokenKind::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn word(&mut self) -> Result<&'t str> {
        let word = self.peek_word();
        let word = word.ok_or_else(|| self.error("a word is missing"))?;
        self.at += 1;
        Ok(word)
    }

    /// Takes a word, if it comes next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.peek_word() == Some(word);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.take_word(word) {
            return Ok(());
        }
        Err(self.error(&format!("`{word}` is missing")))
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self, what: &str) -> Result<N> {
        let word = self.word()?;
        word.parse().map_err(|_| {
            self.at -= 1;
            self.error(&format!("{what} is not a number"))
        })
    }

    pub(super) fn text(&mut self) -> Result<&'t [u8]> {
        match self.peek() {
            Some(TokenKind::Text(text)) => {
                self.at += 1;
                Ok(text)
            }
            _ => Err(self.error("a text in quotes is missing")),
        }
    }

    /// Takes `%name`.
    pub(super) fn local(&mut self) -> Result<&'t Name> {
        match self.peek() {
            Some(TokenKind::Local(name)) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.error("a name with `%` is missing")),
        }
    }

    /// Takes `@name`.
    pub(super) fn global(&mut self) -> Result<&'t Name> {
        match self.peek() {
            Some(TokenKind::Global(name)) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.error("a name with `@` is missing")),
        }
    }

    /// Calls `item` for each element of a list up to `close`, which is taken.
    pub(super) fn list(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if self.take(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.take(b',') {
                return self.expect(close);
            }
        }
    }

    /// Moves past the bracket that closes the one at this position.
    pub(super) fn skip_brackets(&mut self) -> Result<()> {
        let mut depth = 0_usize;
        loop {
            match self.next() {
                Some(TokenKind::Punct(b'{' | b'(' | b'[')) => depth += 1,
                Some(TokenKind::Punct(b'}' | b')' | b']')) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                None => return Err(self.error("a bracket is not closed")),
                Some(_) if depth == 0 => return Ok(()),
                Some(_) => {}
            }
        }
    }
}

/// Returns a name as text; invalid UTF-8 is replaced.
pub(super) fn text_of(bytes: &[u8]) -> Box<str> {
    String::from_utf8_lossy(bytes).into()
}
