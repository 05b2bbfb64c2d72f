//! `--trace`: the lines that a thread executes, with what they change.

use std::fmt::Write;

use dxil_debug::trace::{TraceRow, Tracer, first_difference};
use dxil_jit::exit::Exit;

use super::client::Client;
use super::work::debug;
use crate::args::Args;
use crate::compare::other_arguments;
use crate::failure::{Failure, Result};
use crate::messages::{say_warning, write_stdout};
use crate::style::Style;

/// Lines before a difference that are shown.
const CONTEXT: usize = 3;

/// Writes a trace, or the first difference between two.
pub(crate) fn trace(args: &Args) -> Result<()> {
    let Some(other) = &args.compare else {
        let rows = rows_of(args)?;
        let text: String = rows.iter().map(|row| text_of(row, args.json)).collect();
        return write_stdout(text.as_bytes());
    };
    let second = other_arguments(other, args)?;
    let (a, b) = (rows_of(args)?, rows_of(&second)?);
    let Some(number) = first_difference(&a, &b) else {
        let text = format!("{} lines, all with the same values\n", a.len());
        return write_stdout(text.as_bytes());
    };
    let mut text = String::new();
    if !args.json {
        for row in &a[number.saturating_sub(CONTEXT)..number] {
            let _ = writeln!(text, "  {}", row.line());
        }
    }
    for (mark, rows) in [('-', &a), ('+', &b)] {
        match rows.get(number) {
            Some(row) if args.json => text.push_str(&text_of(row, true)),
            Some(row) => {
                let _ = writeln!(text, "{mark} {}", row.line());
            }
            None if args.json => text.push_str("null\n"),
            None => {
                let _ = writeln!(text, "{mark} the end");
            }
        }
    }
    write_stdout(text.as_bytes())?;
    let problem = format!("the traces differ from line {} on", number + 1);
    Err(Failure::new(Exit::Mismatch, problem))
}

fn text_of(row: &TraceRow, json: bool) -> String {
    if json {
        format!("{}\n", row.json())
    } else {
        format!("{}\n", row.line())
    }
}

fn rows_of(args: &Args) -> Result<Vec<TraceRow>> {
    let mut tracer = Tracer::new(args.trace_lines.clone().map(|lines| lines.0));
    if let Some(ran) = debug(args, Client::Tracer(&mut tracer))? {
        ran.write_outputs()?;
    }
    if tracer.is_cut {
        let warning = "the trace is cut after 2^20 lines; --trace-lines chooses some";
        say_warning(Style::for_stderr(), &warning);
    }
    Ok(tracer.rows)
}
