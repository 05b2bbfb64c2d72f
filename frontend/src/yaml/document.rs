//! Text to a tree: the part of YAML that descriptions of object files use.
//!
//! Block mappings and lists, flow lists and mappings, plain and quoted scalars of one line, comments,
//! and a tag on the document. Anchors, block scalars and scalars of several lines are refused.
//! Source: YAML 1.2.

use std::borrow::Cow;

use crate::error::{Error, Result};

/// Deepest nesting; a container's description has seven levels.
const MAX_DEPTH: u32 = 32;

/// A value with the line on which it begins, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node<'a> {
    pub(super) line: u32,
    pub(super) content: Content<'a>,
}

/// The kinds of values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content<'a> {
    /// No value after a key.
    Empty,
    /// A number or text.
    Scalar(Cow<'a, str>),
    /// A list, in block or flow style.
    List(Vec<Node<'a>>),
    /// A mapping, its keys in order.
    Mapping(Vec<(Cow<'a, str>, Node<'a>)>),
}

/// Returns the only document of a text.
pub(super) fn parse(text: &str) -> Result<Node<'_>> {
    let mut parser = Parser {
        text,
        at: 0,
        line: 1,
        line_start: 0,
        depth: 0,
    };
    parser.skip_to_token()?;
    if parser.takes_marker("---") {
        parser.skip_spaces();
        if parser.peek() == Some(b'!') {
            // Which kind of file it is.
            while parser
                .peek()
                .is_some_and(|byte| !byte.is_ascii_whitespace())
            {
                parser.at += 1;
            }
        }
    }
    let document = parser.block(0)?;
    parser.skip_to_token()?;
    if parser.takes_marker("...") {
        parser.skip_to_token()?;
    }
    if parser.peek().is_some() {
        return Err(parser.error("one document was expected, and more follows"));
    }
    Ok(document)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn error(&self, problem: &str) -> Error {
        Error::malformed(format!("line {}: {problem}", self.line))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the number of bytes before the position on its line.
    fn column(&self) -> usize {
        self.at - self.line_start
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Skips blanks, comments and ends of lines.
    fn skip_to_token(&mut self) -> Result<()> {
        loop {
            let begins_line = self.at == self.line_start;
            match self.peek() {
                Some(b'\n') => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                }
                Some(b' ' | b'\r') => self.at += 1,
                Some(b'\t') if !begins_line => self.at += 1,
                Some(b'\t') => return Err(self.error("tabs cannot indent")),
                Some(b'#') => self.skip_comment(),
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    /// Takes a marker of a document's begin or end.
    fn takes_marker(&mut self, marker: &str) -> bool {
        let is_here = self.column() == 0
            && self
                .rest()
                .strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        if is_here {
            self.at += marker.len();
        }
        is_here
    }

    fn is_at_marker(&self) -> bool {
        self.column() == 0 && (self.rest().starts_with("---") || self.rest().starts_with("..."))
    }

    /// Returns whether an item of a block list begins here.
    fn is_at_item(&self) -> bool {
        let after = self.text.as_bytes().get(self.at + 1);
        self.peek() == Some(b'-') && after.is_none_or(u8::is_ascii_whitespace)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("values are nested too deeply"));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Reads the value that begins here or on a later line, at that column or further right.
    fn block(&mut self, least: usize) -> Result<Node<'a>> {
        let start = self.line;
        self.skip_to_token()?;
        let (line, column) = (self.line, self.column());
        if self.peek().is_none() || self.is_at_marker() || column < least {
            let content = Content::Empty;
            return Ok(Node {
                line: start,
                content,
            });
        }
        if self.is_at_item() {
            return self.nested(|parser| parser.list(column));
        }
        let first = self.scalar_or_flow()?;
        self.skip_spaces();
        if self.peek() != Some(b':') {
            self.end_of_line()?;
            return Ok(Node {
                line,
                content: first,
            });
        }
        let Content::Scalar(key) = first else {
            return Err(self.error("a key is text"));
        };
        self.nested(|parser| parser.mapping(column, line, key))
    }

    fn list(&mut self, column: usize) -> Result<Node<'a>> {
        let line = self.line;
        let mut items = Vec::new();
        while self.is_at_item() && self.column() == column {
            self.at += 1;
            items.push(self.block(column + 1)?);
            self.skip_to_token()?;
        }
        self.outdented(column)?;
        let content = Content::List(items);
        Ok(Node { line, content })
    }

    /// Reads a mapping after its first key.
    fn mapping(&mut self, column: usize, line: u32, first: Cow<'a, str>) -> Result<Node<'a>> {
        let mut fields = Vec::new();
        let mut key = first;
        loop {
            // The colon.
            self.at += 1;
            let value = self.value(column)?;
            fields.push((key, value));
            self.skip_to_token()?;
            if self.peek().is_none() || self.is_at_marker() || self.column() != column {
                break;
            }
            let next = self.scalar_or_flow()?;
            self.skip_spaces();
            match next {
                Content::Scalar(next) if self.peek() == Some(b':') => key = next,
                _ => return Err(self.error("a key and a colon were expected")),
            }
        }
        self.outdented(column)?;
        let content = Content::Mapping(fields);
        Ok(Node { line, content })
    }

    /// Checks that what follows a block is further left: it belongs to a block around it.
    fn outdented(&self, column: usize) -> Result<()> {
        let ends = self.peek().is_none() || self.is_at_marker() || self.column() <= column;
        if ends {
            return Ok(());
        }
        Err(self.error("this is indented like no line above it"))
    }

    /// Reads the value of a key at `column`: on its line or below it.
    fn value(&mut self, column: usize) -> Result<Node<'a>> {
        let line = self.line;
        self.skip_spaces();
        match self.peek() {
            None | Some(b'\n' | b'\r' | b'#') => {
                self.skip_to_token()?;
                // A list may begin right below its key.
                if self.column() == column && self.is_at_item() && !self.is_at_marker() {
                    return self.nested(|parser| parser.list(column));
                }
                let value = self.block(column + 1)?;
                Ok(match value.content {
                    Content::Empty => Node { line, ..value },
                    _ => value,
                })
            }
            _ => {
                let content = self.scalar_or_flow()?;
                self.end_of_line()?;
                Ok(Node { line, content })
            }
        }
    }

    fn end_of_line(&mut self) -> Result<()> {
        self.skip_spaces();
        match self.peek() {
            None | Some(b'\n' | b'\r' | b'#') => Ok(()),
            _ => Err(self.error("the end of the line was expected")),
        }
    }

    fn scalar_or_flow(&mut self) -> Result<Content<'a>> {
        match self.peek() {
            Some(b'[') => self.nested(Self::flow_list),
            Some(b'{') => self.nested(Self::flow_mapping),
            _ => Ok(Content::Scalar(self.scalar(false)?)),
        }
    }

    /// Steps over an opening bracket, or a comma, and returns whether another entry follows.
    fn next_entry(&mut self, close: u8, is_first: bool) -> Result<bool> {
        self.skip_to_token()?;
        if !is_first && self.peek() == Some(b',') {
            self.at += 1;
            self.skip_to_token()?;
        } else if !is_first && self.peek() != Some(close) {
            return Err(self.error("a comma was expected"));
        }
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(false);
        }
        Ok(true)
    }

    fn flow_value(&mut self) -> Result<Node<'a>> {
        let line = self.line;
        let content = match self.peek() {
            Some(b'[') => self.nested(Self::flow_list)?,
            Some(b'{') => self.nested(Self::flow_mapping)?,
            _ => Content::Scalar(self.scalar(true)?),
        };
        Ok(Node { line, content })
    }

    fn flow_list(&mut self) -> Result<Content<'a>> {
        self.at += 1;
        let mut items = Vec::new();
        while self.next_entry(b']', items.is_empty())? {
            items.push(self.flow_value()?);
        }
        Ok(Content::List(items))
    }

    fn flow_mapping(&mut self) -> Result<Content<'a>> {
        self.at += 1;
        let mut fields = Vec::new();
        while self.next_entry(b'}', fields.is_empty())? {
            let key = self.scalar(true)?;
            self.skip_to_token()?;
            if self.peek() != Some(b':') {
                return Err(self.error("a colon was expected"));
            }
            self.at += 1;
            self.skip_to_token()?;
            fields.push((key, self.flow_value()?));
        }
        Ok(Content::Mapping(fields))
    }

    fn scalar(&mut self, in_flow: bool) -> Result<Cow<'a, str>> {
        match self.peek() {
            Some(b'\'') => self.single_quoted(),
            Some(b'"') => self.double_quoted(),
            Some(b'|' | b'>') => Err(self.error("block scalars are not read")),
            Some(b'&' | b'*' | b'!' | b'?' | b'@' | b'%' | b'`') => {
                Err(self.error("text that begins with this character needs quotes"))
            }
            _ => self.plain(in_flow),
        }
    }

    fn plain(&mut self, in_flow: bool) -> Result<Cow<'a, str>> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let ends_at = |place: usize| {
            let byte = bytes.get(place).copied();
            let next = bytes.get(place + 1);
            let is_last = next.is_none_or(u8::is_ascii_whitespace);
            match byte {
                None | Some(b'\n' | b'\r') => true,
                Some(b':') => is_last || in_flow && matches!(next, Some(b',' | b']' | b'}')),
                Some(b',' | b'[' | b']' | b'{' | b'}') => in_flow,
                Some(b' ' | b'\t') => next == Some(&b'#'),
                Some(_) => false,
            }
        };
        let mut end = 0;
        while !ends_at(end) {
            end += 1;
        }
        let text = rest.get(..end).unwrap_or_default();
        let text = text.trim_end_matches([' ', '\t']);
        if text.is_empty() {
            return Err(self.error("a value was expected"));
        }
        self.at += text.len();
        Ok(Cow::Borrowed(text))
    }

    /// Returns the text between quotes, the rest of which `end` finds: the bytes in front of the
    /// closing quote.
    fn quoted(&mut self, end: Option<usize>) -> Result<&'a str> {
        let rest = self.rest();
        let text = end.and_then(|end| rest.get(1..end));
        match text {
            Some(text) if !text.contains('\n') => {
                self.at += text.len() + 2;
                Ok(text)
            }
            _ => Err(self.error("the closing quote is missing on the line")),
        }
    }

    fn single_quoted(&mut self) -> Result<Cow<'a, str>> {
        let bytes = self.rest().as_bytes();
        let mut end = 1;
        while let Some(byte) = bytes.get(end) {
            if *byte == b'\'' {
                if bytes.get(end + 1) != Some(&b'\'') {
                    break;
                }
                end += 1;
            }
            end += 1;
        }
        let is_closed = end < bytes.len();
        let text = self.quoted(is_closed.then_some(end))?;
        Ok(if text.contains('\'') {
            Cow::Owned(text.replace("''", "'"))
        } else {
            Cow::Borrowed(text)
        })
    }

    fn double_quoted(&mut self) -> Result<Cow<'a, str>> {
        let bytes = self.rest().as_bytes();
        let mut end = 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        let is_closed = end < bytes.len();
        let text = self.quoted(is_closed.then_some(end))?;
        if !text.contains('\\') {
            return Ok(Cow::Borrowed(text));
        }
        let mut plain = String::with_capacity(text.len());
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                plain.push(c);
                continue;
            }
            let digits = match rest.next() {
                Some('0') => '\0'.into(),
                Some('a') => '\x07'.into(),
                Some('b') => '\x08'.into(),
                Some('t') => '\t'.into(),
                Some('n') => '\n'.into(),
                Some('v') => '\x0b'.into(),
                Some('f') => '\x0c'.into(),
                Some('r') => '\r'.into(),
                Some('e') => '\x1b'.into(),
                Some('N') => '\u{85}'.into(),
                Some('_') => '\u{a0}'.into(),
                Some('L') => '\u{2028}'.into(),
                Some('P') => '\u{2029}'.into(),
                Some(c @ ('"' | '\\' | '/' | ' ')) => c.into(),
                Some('x') => escape(&mut rest, 2),
                Some('u') => escape(&mut rest, 4),
                Some('U') => escape(&mut rest, 8),
                _ => None,
            };
            plain.push(digits.ok_or_else(|| self.error("this escape is unknown"))?);
        }
        Ok(Cow::Owned(plain))
    }
}

/// Reads a character that is written as hexadecimal digits.
fn escape(text: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let number = text.as_str().get(..digits)?;
    for _ in 0..digits {
        text.next();
    }
    char::from_u32(u32::from_str_radix(number, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(node: &Node<'_>) -> String {
        match &node.content {
            Content::Empty => "~".into(),
            Content::Scalar(text) => format!("<{text}>"),
            Content::List(items) => {
                let items: Vec<_> = items.iter().map(shown).collect();
                format!("[{}]", items.join(" "))
            }
            Content::Mapping(fields) => {
                let fields = fields.iter();
                let fields: Vec<_> = fields.map(|(k, v)| format!("{k}={}", shown(v))).collect();
                format!("{{{}}}", fields.join(" "))
            }
        }
    }

    #[test]
    fn styles_of_yaml_mean_the_same() {
        let cases = [
            ("a: 1\nb: x y # note\n", "{a=<1> b=<x y>}"),
            (
                "--- !tag\na:\n  - b: 1\n    c: 2\n  - d\n...\n",
                "{a=[{b=<1> c=<2>} <d>]}",
            ),
            ("a:\n- 1\n-   b: 2\nc:\n", "{a=[<1> {b=<2>}] c=~}"),
            ("a: [ 1, 2,\n     3 ]\n", "{a=[<1> <2> <3>]}"),
            (
                "a:\n  - [ ]\n  - [ [ 1 ], { b: c } ]",
                "{a=[[] [[<1>] {b=<c>}]]}",
            ),
            ("- - 1\n  - 2\n-\n  3\n", "[[<1> <2>] <3>]"),
            (
                "'a b' : 'it''s'\nc: \"\\x41\\n\\u00e9\"",
                "{a b=<it's> c=<A\né>}",
            ),
            ("a: b:c\nd: '#e'\nf: g#h", "{a=<b:c> d=<#e> f=<g#h>}"),
            ("", "~"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(&parse(text).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_document_is_refused_with_its_line() {
        let deep = "- ".repeat(200);
        let cases = [
            ("a: 1\n b: 2\n", "line 2"),
            ("a: [ 1, 2\nb: 3", "line 2"),
            ("a: 'b\n", "line 1"),
            ("a: 1\nb\n", "line 2"),
            ("a: |\n  text\n", "line 1"),
            ("a: *b\n", "line 1"),
            ("a: \"\\q\"\n", "line 1"),
            ("a: 1\n---\nb: 2\n", "line 2"),
            ("\ta: 1\n", "line 1"),
            (&deep, "nested"),
        ];
        for (text, message) in cases {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }
}
