//! The text rendering of a document: headings, aligned fields, tables.
//!
//! An object becomes lines `name  value`, and a list of flat objects a table. Deeper values are
//! indented. Styles are ANSI sequences, which the output stream removes if colours are off.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use dxil_frontend::escape::{escaped, escaped_lines};
use serde_json::{Map, Value};

use crate::document::{Document, Section};

/// Style of headings.
const HEADING: Style = AnsiColor::Green.on_default().bold();
/// Style of field names and column heads.
const NAME: Style = AnsiColor::Cyan.on_default();
/// Style of errors.
const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Maximum width of a cell in a table.
const MAX_CELL: usize = 60;

/// Renders the document so that LLVM's assembler reads it: everything but the code is comments.
pub fn render_assembly(document: &Document) -> String {
    let (code, others): (Vec<&Section>, Vec<&Section>) = document
        .sections
        .iter()
        .partition(|section| section.key == "code");
    let mut out = String::new();
    for line in render_sections(document, &others).lines() {
        let _ = writeln!(out, "{}", format!("; {line}").trim_end());
    }
    for code in code {
        out.push('\n');
        out.push_str(&section(code));
    }
    out
}

/// Renders the document.
pub fn render(document: &Document) -> String {
    let sections: Vec<&Section> = document.sections.iter().collect();
    render_sections(document, &sections)
}

fn render_sections(document: &Document, sections: &[&Section]) -> String {
    let mut out = String::new();
    heading(&mut out, &document.file, None);
    for section in sections {
        if section.key == "container" || section.key == "bitcode" {
            value(&mut out, &section.value, 0);
            continue;
        }
        out.push('\n');
        let part = section.part.map(|part| part.to_string());
        heading(&mut out, &title(section.key), part.as_deref());
        out.push_str(&self::section(section));
    }
    for error in &document.errors {
        let _ = writeln!(out, "\n{ERROR}error:{ERROR:#} {error}");
    }
    out
}

/// Renders the content of a section, without its heading.
pub fn section(section: &Section) -> String {
    match &section.text {
        Some(text) => text.clone(),
        None => {
            let mut out = String::new();
            value(&mut out, &section.value, 0);
            out
        }
    }
}

fn heading(out: &mut String, text: &str, part: Option<&str>) {
    let _ = write!(out, "{HEADING}{}{HEADING:#}", escaped(text));
    if let Some(part) = part {
        let _ = write!(out, " ({})", escaped(part));
    }
    out.push('\n');
}

/// Returns a key as a heading: `root_signature` as `Root signature`.
pub fn title(key: &str) -> String {
    let text = key.replace('_', " ");
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => text,
    }
}

/// Returns text without control sequences except those of styles. Text from files is escaped where
/// it enters; this is a second safeguard.
pub fn guarded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('\u{1b}');
    let _ = write!(out, "{}", escaped_lines(parts.next().unwrap_or_default()));
    for part in parts {
        let digits = part
            .strip_prefix('[')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        let is_style = digits.is_some_and(|rest| rest.starts_with('m'));
        out.push_str(if is_style { "\u{1b}" } else { "\\u{1b}" });
        let _ = write!(out, "{}", escaped_lines(part));
    }
    out
}

/// Returns text from the file on one line.
fn plain(text: &str) -> String {
    escaped(text).to_string()
}

fn value(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(fields) => object(out, fields, indent),
        Value::Array(items) if inline(value).is_none() => array(out, items, indent),
        _ => {
            let text = inline(value).unwrap_or_default();
            line(out, indent, if text.is_empty() { "none" } else { &text });
        }
    }
}

fn line(out: &mut String, indent: usize, text: &str) {
    let _ = writeln!(out, "{:indent$}  {text}", "");
}

fn object(out: &mut String, fields: &Map<String, Value>, indent: usize) {
    // Only fields whose values are on the same line are aligned.
    let width = fields
        .iter()
        .filter(|(_, value)| inline(value).is_some())
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    for (name, content) in fields {
        let label = plain(&name.replace('_', " "));
        match inline(content) {
            Some(text) => {
                let text = if text.is_empty() { "-" } else { &text };
                let _ = writeln!(out, "{:indent$}  {NAME}{label:width$}{NAME:#}  {text}", "");
            }
            None => {
                let _ = writeln!(out, "{:indent$}  {NAME}{label}:{NAME:#}", "");
                match content {
                    Value::String(text) => {
                        for text in text.lines() {
                            line(out, indent + 2, &plain(text));
                        }
                    }
                    _ => value(out, content, indent + 2),
                }
            }
        }
    }
}

fn array(out: &mut String, items: &[Value], indent: usize) {
    if let Some(rows) = table_rows(items) {
        table(out, &rows, indent);
        return;
    }
    for item in items {
        // A mark is in front of the first line of an item.
        let mut text = String::new();
        value(&mut text, item, indent + 2);
        let mark = indent + 2;
        match text.get(..mark) {
            Some(blank) if blank.trim().is_empty() => {
                let _ = write!(
                    out,
                    "{:indent$}  -{}",
                    "",
                    text.get(mark + 1..).unwrap_or_default()
                );
            }
            _ => out.push_str(&text),
        }
    }
}

/// Returns a scalar or a list of scalars on one line, or `None` for other values.
fn inline(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.contains('\n') => return None,
        Value::String(text) => plain(text),
        Value::Array(items) => {
            let mut texts = Vec::with_capacity(items.len());
            for item in items {
                if item.is_object() {
                    return None;
                }
                texts.push(inline(item)?);
            }
            texts.join(" ")
        }
        Value::Object(fields) if fields.is_empty() => String::new(),
        Value::Object(_) => return None,
    })
}

/// Returns column names and cells, if all items are objects whose fields fit into cells.
struct Rows<'a> {
    columns: Vec<&'a str>,
    cells: Vec<Vec<String>>,
}

fn table_rows(items: &[Value]) -> Option<Rows<'_>> {
    let mut columns: Vec<&str> = Vec::new();
    for item in items {
        for (name, value) in item.as_object()? {
            if inline(value)?.chars().count() > MAX_CELL {
                return None;
            }
            if !columns.contains(&name.as_str()) {
                columns.push(name);
            }
        }
    }
    let cells = items
        .iter()
        .map(|item| {
            columns
                .iter()
                .map(|column| item.get(column).and_then(inline).unwrap_or_default())
                .collect()
        })
        .collect();
    Some(Rows { columns, cells })
}

fn table(out: &mut String, rows: &Rows<'_>, indent: usize) {
    let heads: Vec<String> = rows
        .columns
        .iter()
        .map(|c| plain(&c.replace('_', " ")))
        .collect();
    let widths: Vec<usize> = heads
        .iter()
        .enumerate()
        .map(|(column, head)| {
            let cells = rows.cells.iter().filter_map(|row| row.get(column));
            cells
                .map(|cell| cell.chars().count())
                .chain([head.chars().count()])
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for (head, width) in heads.iter().zip(&widths) {
        let _ = write!(text, "{head:width$}  ");
    }
    let _ = writeln!(out, "{:indent$}  {NAME}{}{NAME:#}", "", text.trim_end());
    for row in &rows.cells {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "{cell:width$}  ");
        }
        line(out, indent, text.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use dxil_frontend::{Error, FourCc};
    use serde_json::json;

    use super::*;

    /// Returns the rendering without styles.
    fn unstyled(document: &Document) -> String {
        anstream::adapter::strip_str(&render(document)).to_string()
    }

    #[test]
    fn fields_align_and_flat_lists_become_tables() {
        let mut document = Document::new("x.dxil".to_owned());
        document.add(
            "pipeline_state",
            Some(FourCc::PSV0),
            Ok(json!({
                "version": 3,
                "num_threads": [8, 8, 1],
                "resources": [
                    { "type": "Cbv", "registers": "b0" },
                    { "type": "UavRaw", "registers": "u0-u3" },
                ],
                "stage": { "kind": "Compute" },
                "outputs": [],
            })),
        );
        document.errors.push(Error::malformed("broken"));
        let expected = "\
x.dxil

Pipeline state (PSV0)
  version      3
  num threads  8 8 1
  resources:
    type    registers
    Cbv     b0
    UavRaw  u0-u3
  stage:
    kind  Compute
  outputs      -

error: broken
";
        assert_eq!(unstyled(&document), expected);
    }

    #[test]
    fn text_of_the_file_commands_no_terminal() {
        let mut document = Document::new("x\u{1b}]0;t\u{7}".to_owned());
        let evil = "a\u{1b}[2Jb\u{202e}c";
        document.add("resources", None, Ok(json!([{ "name": evil, "size": 1 }])));
        document.add(
            "shader",
            None,
            Ok(json!({ "name": evil, "text": format!("{evil}\n{evil}") })),
        );
        document.add_text("code", None, json!(null), format!("@{evil}\n"));
        let text = guarded(&unstyled(&document));
        assert!(
            text.chars()
                .all(|c| c == '\n' || !dxil_frontend::escape::is_hidden(c)),
            "{text:?}"
        );
        assert_eq!(text.matches("a\\u{1b}[2Jb\\u{202e}c").count(), 4, "{text}");
        let styled = guarded(&format!("{NAME}x{NAME:#}\u{1b}[2J\u{9b}"));
        assert_eq!(styled, format!("{NAME}x{NAME:#}\\u{{1b}}[2J\\u{{9b}}"));
    }

    #[test]
    fn deep_lists_are_marked_item_by_item() {
        let mut document = Document::new("x".to_owned());
        document.add(
            "root_signature",
            None,
            Ok(json!([
                { "index": 0, "ranges": [{ "type": "Srv" }] },
                { "index": 1 },
            ])),
        );
        let expected = "\
x

Root signature
  - index  0
    ranges:
      type
      Srv
  - index  1
";
        assert_eq!(unstyled(&document), expected);
    }
}
