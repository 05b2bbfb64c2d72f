//! Lines of the sources, and the places that `#line` directives name for them.
//!
//! Code generators and preprocessors put the files that people know into such directives. DXC's
//! debug information has the lines of the file that it was given.

use std::borrow::Cow;
use std::cell::RefCell;

use dxil_frontend::dxil::debug::{Position, Sources};
use dxil_frontend::tables::HashMap;

/// The sources of a shader, split into lines.
pub(crate) struct SourceLines<'a> {
    sources: &'a Sources,
    files: Vec<File<'a>>,
    /// Numbers of the files by the names that the debug information has for them.
    numbers: RefCell<HashMap<&'a str, Option<usize>>>,
}

struct File<'a> {
    lines: Vec<&'a str>,
    directives: Vec<Directive<'a>>,
}

/// A directive `#line 100 "file"`.
struct Directive<'a> {
    /// Its own line in the file, from 1.
    at: u32,
    /// The number that it gives to the next line.
    next: u32,
    /// The name that it gives to the file.
    file: Option<Cow<'a, str>>,
}

/// A line as people know it.
pub(crate) struct SourceLine<'s> {
    /// Name of the file, by the directive before the line if there is one.
    pub(crate) file: &'s str,
    /// Number of the line, from 1.
    pub(crate) line: u32,
    /// The text; empty if no source has the line.
    pub(crate) text: &'s str,
}

impl<'a> SourceLines<'a> {
    /// Splits the sources. Conditions of the preprocessor are not evaluated.
    pub(crate) fn new(sources: &'a Sources) -> Self {
        let files = sources.files.iter().map(|source| File::new(&source.text));
        SourceLines {
            sources,
            files: files.collect(),
            numbers: RefCell::default(),
        }
    }

    /// Returns the line at a position of the debug information.
    pub(crate) fn at<'s>(&'s self, position: Position<'a>) -> SourceLine<'s>
    where
        'a: 's,
    {
        let (file, line) = (position.file, position.line);
        match self.file(file) {
            Some(found) => found.line(file, line),
            // A compiler that follows the directives has the names that they give.
            None => {
                let named = self.files.iter().find_map(|found| found.named(file, line));
                let text = named.unwrap_or_default();
                SourceLine { file, line, text }
            }
        }
    }

    fn file(&self, name: &'a str) -> Option<&File<'a>> {
        let find = || {
            let text = self.sources.text(name)?;
            let files = &self.sources.files;
            files
                .iter()
                .position(|file| std::ptr::eq(&*file.text, text))
        };
        let number = *self.numbers.borrow_mut().entry(name).or_insert_with(find);
        self.files.get(number?)
    }
}

impl<'a> File<'a> {
    fn new(text: &'a str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let mut directives: Vec<Directive<'a>> = Vec::new();
        for (at, line) in (1..).zip(&lines) {
            if let Some((next, file)) = directive(line) {
                let file = file.or_else(|| directives.last()?.file.clone());
                directives.push(Directive { at, next, file });
            }
        }
        File { lines, directives }
    }

    fn text(&self, line: u32) -> Option<&'a str> {
        self.lines.get(line.checked_sub(1)? as usize).copied()
    }

    /// Returns a line by its number in this file.
    fn line<'s>(&'s self, name: &'s str, line: u32) -> SourceLine<'s> {
        let text = self.text(line).unwrap_or_default();
        let before = self.directives.partition_point(|it| it.at < line);
        let last = before.checked_sub(1).and_then(|at| self.directives.get(at));
        match last {
            None => SourceLine {
                file: name,
                line,
                text,
            },
            Some(last) => SourceLine {
                file: last.file.as_deref().unwrap_or(name),
                line: last.next.saturating_add(line - last.at - 1),
                text,
            },
        }
    }

    /// Returns the line that a directive gives this name and number.
    fn named(&self, name: &str, line: u32) -> Option<&'a str> {
        let ends = self.directives.iter().skip(1).map(|next| next.at);
        let ends = ends.chain(std::iter::once(u32::MAX));
        let mut parts = self.directives.iter().zip(ends);
        parts.find_map(|(part, end)| {
            let at = part.at.checked_add(1)?;
            let at = at.checked_add(line.checked_sub(part.next)?)?;
            let is_named = part.file.as_deref() == Some(name);
            (is_named && at < end).then(|| self.text(at))?
        })
    }
}

/// Returns the number and the file of `#line 100 "file"` or of `# 100 "file"`.
fn directive(line: &str) -> Option<(u32, Option<Cow<'_, str>>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = rest.split_at(digits.unwrap_or(rest.len()));
    let number = number.parse().ok()?;
    let name = rest.trim_start().strip_prefix('"').and_then(|rest| {
        let (name, _) = rest.rsplit_once('"')?;
        // Backslashes in strings are escaped.
        if name.contains("\\\\") {
            return Some(Cow::Owned(name.replace("\\\\", "\\")));
        }
        Some(Cow::Borrowed(name))
    });
    Some((number, name))
}

#[cfg(test)]
mod tests {
    use dxil_frontend::dxil::debug::Source;

    use super::*;

    const TEXT: &str =
        "one\n#line 100 \"engine\\\\a.hlsl\"\ntwo\nthree\n # line 7\nfour\n# 1 \"b\"\nfive";

    fn sources() -> Sources {
        Sources {
            files: vec![Source {
                name: "all.hlsl".into(),
                text: TEXT.into(),
            }],
            ..Sources::default()
        }
    }

    fn position(file: &str, line: u32) -> Position<'_> {
        let column = 1;
        Position { file, line, column }
    }

    #[test]
    fn directives_name_the_lines_after_them() {
        let sources = sources();
        let lines = SourceLines::new(&sources);
        let expected = [
            (1, "all.hlsl", 1, "one"),
            (3, "engine\\a.hlsl", 100, "two"),
            (4, "engine\\a.hlsl", 101, "three"),
            (6, "engine\\a.hlsl", 7, "four"),
            (8, "b", 1, "five"),
            (99, "b", 92, ""),
        ];
        for (at, file, line, text) in expected {
            let found = lines.at(position("all.hlsl", at));
            assert_eq!((found.file, found.line, found.text), (file, line, text));
        }
    }

    #[test]
    fn names_of_directives_are_found_where_they_are_given() {
        let sources = sources();
        let lines = SourceLines::new(&sources);
        let expected = [
            ("engine\\a.hlsl", 101, "three"),
            ("engine\\a.hlsl", 102, ""),
            ("engine\\a.hlsl", 7, "four"),
            ("b", 1, "five"),
            ("b", 0, ""),
            ("c", 1, ""),
        ];
        for (file, line, text) in expected {
            let found = lines.at(position(file, line));
            assert_eq!((found.file, found.line, found.text), (file, line, text));
        }
    }
}
