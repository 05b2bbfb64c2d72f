//! `--ops`: the table of DXIL operations.

use std::fmt::Write as _;

use dxil_frontend::dxil::ops::{Opcode, OperationRow};
use dxil_jit::exit::Exit;
use dxil_jit::input::InputError;
use dxil_jit::json::document;

/// Returns the rows that a word denotes: opcode, DXIL's or HLSL's name, class, or section; all
/// without a word.
fn rows(word: Option<&str>) -> Vec<OperationRow> {
    let all = Opcode::ALL.iter().chain(Opcode::PREVIEW);
    let rows = all.map(|op| op.row());
    let Some(word) = word else {
        return rows.collect();
    };
    let is = |text: &str| text.eq_ignore_ascii_case(word);
    let method = |row: &OperationRow| {
        let name = row.hlsl.rsplit(['.', ':']).next();
        name.is_some_and(is)
    };
    rows.filter(|row| {
        is(&row.number.to_string())
            || is(&number_of(row))
            || [row.name, row.hlsl, row.class, &row.group]
                .into_iter()
                .any(is)
            || method(row)
    })
    .collect()
}

/// Returns the table as text or JSON.
pub(crate) fn table(word: Option<&str>, json: bool) -> anyhow::Result<String> {
    let rows = rows(word);
    if rows.is_empty() {
        let word = word.unwrap_or_default();
        let message =
            format!("--ops: no operation has the number, name, class or section '{word}'");
        return Err(InputError {
            exit: Exit::Usage,
            message,
        }
        .into());
    }
    if json {
        return Ok(document(&serde_json::to_value(&rows)?));
    }
    Ok(match word {
        None => list(&rows),
        Some(_) => rows.iter().map(details).collect::<Vec<_>>().join("\n"),
    })
}

/// Returns the number as it is shown: that of the preview's table, which begins at 0x8000_0000,
/// with hexadecimal digits.
fn number_of(row: &OperationRow) -> String {
    if row.number >> 31 == 0 {
        row.number.to_string()
    } else {
        format!("{:#x}", row.number)
    }
}

/// Returns a line per operation.
fn list(rows: &[OperationRow]) -> String {
    let mut out = String::new();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in rows {
        let since = row.constraints.first().map_or("", |it| &it.shader_model);
        let _ = writeln!(
            out,
            "{:>3}  {since}  {:width$}  {}",
            number_of(row),
            row.name,
            row.description
        );
    }
    out
}

/// Returns all of a row.
fn details(row: &OperationRow) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} (opcode {})", row.name, number_of(row));
    let _ = writeln!(out, "  {}", row.description);
    let mut line = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "  {name:10}{value}");
        }
    };
    line("HLSL", row.hlsl);
    line("function", &format!("dx.op.{}", row.class));
    for operand in &row.operands {
        let parameter = match operand.parameter {
            "" => String::new(),
            parameter => format!("<{parameter}>"),
        };
        line(
            "operand",
            &format!("{}: {}{parameter}", operand.name, operand.role),
        );
    }
    line("memory", &row.memory);
    for constraint in &row.constraints {
        let overloads = match constraint.overloads.join(", ") {
            none if none.is_empty() => "no overloads".to_owned(),
            overloads => overloads,
        };
        let stages = constraint.stages.join(", ");
        line(
            &format!("since {}", constraint.shader_model),
            &format!("{overloads}; stages: {stages}"),
        );
    }
    if let Some(version) = &row.translated_shader_model {
        line("linked", &format!("translated for shader model {version}"));
    }
    line("facts", &row.flags.join(", ").to_lowercase());
    out
}
