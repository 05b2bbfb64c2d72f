//! Man pages. clap_mangen writes the options; the tables and examples at the end of `--help` become
//! tagged paragraphs, since roff would run their lines together.

use std::fmt::Write as _;
use std::io;

use clap::Command;
use clap_mangen::Man;

/// Returns the man page of a command, as roff.
///
/// # Errors
///
/// Those of [`Man`], which writes into memory.
pub fn page(mut command: Command) -> io::Result<Vec<u8>> {
    command.build();
    let usage = command.render_usage().to_string();
    let tables = command
        .get_after_long_help()
        .or_else(|| command.get_after_help());
    let tables = tables.map(ToString::to_string).unwrap_or_default();
    let version = command.get_version().unwrap_or_default().to_owned();
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend_from_slice(synopsis(&usage).as_bytes());
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    page.extend_from_slice(sections(&tables).as_bytes());
    page.extend_from_slice(format!(".SH VERSION\n{}\n", escaped(&version)).as_bytes());
    Ok(page)
}

/// Returns the lines of use without the options, which have their own section.
fn synopsis(usage: &str) -> String {
    let mut out = String::from(".SH SYNOPSIS\n");
    let usage = usage.trim_start_matches("Usage:");
    for (number, line) in usage.lines().map(str::trim).enumerate() {
        if number > 0 {
            out.push_str(".br\n");
        }
        let _ = writeln!(out, "{}", escaped(line));
    }
    out
}

/// A row of a table, or an example.
struct Row {
    tag: String,
    text: String,
}

/// Returns the end of a help text. A line without indentation that ends in a colon begins a
/// section; lines with two blanks are rows, with their text after three blanks or more, or after
/// a number; deeper lines go on.
fn sections(text: &str) -> String {
    let mut out = String::new();
    let mut row: Option<Row> = None;
    for line in text.lines() {
        let content = line.trim();
        let indentation = line.len() - line.trim_start().len();
        match (&mut row, indentation) {
            (_, _) if content.is_empty() => end(&mut row, &mut out),
            (Some(row), 3..) => {
                let gap = if row.text.is_empty() { "" } else { " " };
                let _ = write!(row.text, "{gap}{content}");
            }
            (_, 0) => {
                end(&mut row, &mut out);
                match content.strip_suffix(':') {
                    Some(title) => {
                        let _ = writeln!(out, ".SH \"{}\"", quoted(title));
                    }
                    None => {
                        let _ = writeln!(out, ".PP\n{}", escaped(content));
                    }
                }
            }
            _ => {
                end(&mut row, &mut out);
                row = Some(row_of(content));
            }
        }
    }
    end(&mut row, &mut out);
    out
}

fn end(row: &mut Option<Row>, out: &mut String) {
    if let Some(Row { tag, text }) = row.take() {
        let _ = writeln!(out, ".TP\n\\fB{}\\fR", escaped(&tag));
        if !text.is_empty() {
            let _ = writeln!(out, "{}", escaped(&text));
        }
    }
}

fn row_of(line: &str) -> Row {
    let number = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let at = if number > 0 {
        Some(number)
    } else {
        line.find("   ")
    };
    let (tag, text) = line.split_at(at.unwrap_or(line.len()));
    Row {
        tag: tag.to_owned(),
        text: text.trim_start().to_owned(),
    }
}

/// Returns text for a title in quotes.
fn quoted(title: &str) -> String {
    escaped(&title.replace('"', "").to_uppercase())
}

/// Returns text in which nothing is a request or an escape of roff.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            '`' => out.push_str("\\(ga"),
            '.' if out.is_empty() => out.push_str("\\&."),
            '^' => out.push_str("\\(ha"),
            '~' => out.push_str("\\(ti"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_examples_are_tagged_paragraphs() {
        let text = "Examples:\n  cmd a -o b\n      what it does\n      and more\n  cmd c   text\n\n\
                    What stands here:\n  t0  u1,space2                     a register\n\
                    \u{20}                                   of two lines\n  .x\n\n\
                    Codes (all):\n  0  done\n  70 internal\n\nA last line.";
        let expected = ".SH \"EXAMPLES\"\n\
                        .TP\n\\fBcmd a \\-o b\\fR\nwhat it does and more\n\
                        .TP\n\\fBcmd c\\fR\ntext\n\
                        .SH \"WHAT STANDS HERE\"\n\
                        .TP\n\\fBt0  u1,space2\\fR\na register of two lines\n\
                        .TP\n\\fB\\&.x\\fR\n\
                        .SH \"CODES (ALL)\"\n\
                        .TP\n\\fB0\\fR\ndone\n.TP\n\\fB70\\fR\ninternal\n\
                        .PP\nA last line.\n";
        assert_eq!(sections(text), expected);
    }
}
