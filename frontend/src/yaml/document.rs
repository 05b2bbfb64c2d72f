//! Text to a tree: the part of YAML that descriptions of object files use.
//!
//! One document of mappings, lists and scalars, in block or flow style. Anchors and aliases are
//! refused: nothing here is said twice. Source: YAML 1.2, which granit-parser reads.

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span};

use crate::error::{Error, Result};

/// Deepest nesting; a container's description has seven levels.
const MAX_DEPTH: usize = 32;

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
///
/// # Errors
///
/// If the text is no YAML, has more than one document, or what is not read here.
pub(super) fn parse(text: &str) -> Result<Node<'_>> {
    let mut tree = Tree::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| not_yaml(&error))?;
        tree.add(event, line_of(&span))?;
    }
    let nothing = Node {
        line: 1,
        content: Content::Empty,
    };
    Ok(tree.document.unwrap_or(nothing))
}

fn line_of(span: &Span) -> u32 {
    u32::try_from(span.start.line()).unwrap_or(u32::MAX)
}

fn error_at(line: usize, problem: &str) -> Error {
    Error::malformed(format!("line {line}: {problem}"))
}

fn not_yaml(error: &ScanError) -> Error {
    error_at(error.marker().line(), &error.info())
}

/// A list or mapping that has begun.
struct Open<'a> {
    line: u32,
    content: Content<'a>,
    /// The key whose value comes next.
    key: Option<Cow<'a, str>>,
}

/// The tree so far.
#[derive(Default)]
struct Tree<'a> {
    open: Vec<Open<'a>>,
    document: Option<Node<'a>>,
}

impl<'a> Tree<'a> {
    fn add(&mut self, event: Event<'a>, line: u32) -> Result<()> {
        let refused = |problem| Err(error_at(line as usize, problem));
        match event {
            Event::Scalar(text, style, 0, _) => {
                // What is left out comes as a plain scalar.
                let is_absent = style == ScalarStyle::Plain && matches!(&*text, "" | "~");
                let content = if is_absent {
                    Content::Empty
                } else {
                    Content::Scalar(text)
                };
                self.end(Node { line, content })
            }
            Event::SequenceStart(_, 0, _) => self.begin(line, Content::List(Vec::new())),
            Event::MappingStart(_, 0, _) => self.begin(line, Content::Mapping(Vec::new())),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => self.end(Node {
                    line: open.line,
                    content: open.content,
                }),
                None => refused("this ends what has not begun"),
            },
            Event::Alias(_)
            | Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..) => refused("anchors and aliases are not read"),
            Event::DocumentStart(..) if self.document.is_some() => {
                refused("one document was expected, and more follows")
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, line: u32, content: Content<'a>) -> Result<()> {
        if self.open.len() == MAX_DEPTH {
            return Err(error_at(line as usize, "values are nested too deeply"));
        }
        self.open.push(Open {
            line,
            content,
            key: None,
        });
        Ok(())
    }

    /// Adds a whole value to what is around it.
    fn end(&mut self, node: Node<'a>) -> Result<()> {
        let Some(around) = self.open.last_mut() else {
            self.document = Some(node);
            return Ok(());
        };
        match (&mut around.content, around.key.take()) {
            (Content::List(items), _) => items.push(node),
            (Content::Mapping(fields), Some(key)) => fields.push((key, node)),
            (Content::Mapping(_), None) => match node.content {
                Content::Scalar(key) => around.key = Some(key),
                _ => return Err(error_at(node.line as usize, "a key is text")),
            },
            (Content::Empty | Content::Scalar(_), _) => {}
        }
        Ok(())
    }
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
            ("a: 'b\n", "line 2"),
            ("a: 1\nb\n", "line 2"),
            ("a: *b\n", "line 1"),
            ("a: \"\\q\"\n", "line 1"),
            ("a: 1\n---\nb: 2\n", "line 2"),
            (&deep, "nested"),
        ];
        for (text, message) in cases {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }
}
