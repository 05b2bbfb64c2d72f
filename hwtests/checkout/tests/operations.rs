//! `docs/operations.md` is made of the op table; `BLESS=1` rewrites it.

use std::fmt::Write as _;

use dxil_checkout::assert_made;
use dxil_frontend::dxil::ops::{Family, Opcode};

const HEAD: &str = "\
# DXIL operations

The operations of DXIL's core table, shader models 6.0 to 6.9, and of the preview of 6.10
([preview](preview.md)), which may change. `dxil-dis --ops=NAME` prints one with its operands,
overloads and stages by shader model, and `dxil-dis --ops --json` prints all of them as data. HLSL's
name is that of the intrinsic, method or system value, or of the first of several; DXC
writes operations without one for operators, conversions and declarations.
";

/// Returns the number as the table has it: the preview's table begins at 0x8000_0000.
fn number_of(op: Opcode) -> String {
    if op.is_preview() {
        format!("{:#x}", op.number())
    } else {
        op.number().to_string()
    }
}

/// Returns the page.
fn page() -> String {
    let mut out = HEAD.to_owned();
    let all = || Opcode::ALL.iter().chain(Opcode::PREVIEW);
    for family in Family::ALL.into_iter().chain([Family::Preview]) {
        let _ = write!(
            out,
            "\n## {}\n\n| Opcode | Operation | HLSL | Since | |\n|---:|---|---|---|---|\n",
            family.name()
        );
        for op in all().filter(|op| op.family() == family) {
            let row = op.row();
            let hlsl = match row.hlsl {
                "" => String::new(),
                name => format!("`{name}`"),
            };
            let since = &row.constraints[0].shader_model;
            let _ = writeln!(
                out,
                "| {} | `{}` | {hlsl} | {since} | {} |",
                number_of(*op),
                row.name,
                row.description
            );
        }
    }
    out
}

#[test]
fn the_page_of_operations_is_made_of_the_table() {
    let page = page();
    assert_made("docs/operations.md", &page);
    for &op in Opcode::ALL.iter().chain(Opcode::PREVIEW) {
        let row = format!("\n| {} | `{}` |", number_of(op), op.name());
        assert_eq!(page.matches(&row).count(), 1, "{op}");
    }
}
