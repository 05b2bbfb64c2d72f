//! Locations of elements in the registers of a signature (DXIL document, "Signature packing").

use super::context::ValidationContext;
use super::rules::Rule;
use super::semantics::ElementName;
use crate::dxil::interpretation::{Direction, Interpretation, interpretation};
use crate::dxil::{ComponentType, EntryPoint, InterpolationMode, ShaderKind, SignatureElement};

/// Registers of a signature.
const REGISTERS: usize = 32;

/// Index flags: the register before or after belongs to the same indexed element.
const INDEXED_UP: u8 = 1;
const INDEXED_DOWN: u8 = 2;

/// A register with what is placed in it.
#[derive(Debug, Clone, Copy, Default)]
struct PackedRegister {
    /// Per component: what occupies it.
    taken: [Option<Interpretation>; 4],
    mode: Option<InterpolationMode>,
    width: Option<u32>,
    indexed: u8,
    is_indexing_fixed: bool,
}

/// Checks the places of a signature's elements.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    entry: &EntryPoint,
    elements: &[SignatureElement],
    direction: Direction,
    reads_view_id: bool,
) {
    let mut streams = [[PackedRegister::default(); REGISTERS]; 4];
    let is_streamed = entry.kind == ShaderKind::Geometry && direction == Direction::Output;
    for element in elements {
        let minor = cx.shader.shader_model.minor;
        let how = interpretation(element.semantic, entry.kind, direction, minor);
        let Some(row) = element.start_row else {
            continue;
        };
        if !how.is_packed() || how == Interpretation::Target {
            continue;
        }
        let stream = if is_streamed {
            element.stream.min(3)
        } else {
            0
        };
        let Some(registers) = streams.get_mut(stream as usize) else {
            continue;
        };
        if let Err(rule) = location(cx, registers, element, row, how) {
            let detail = format_args!(
                "{}: {} by {} at register {row}, component {}",
                ElementName(element),
                element.rows,
                element.columns,
                element.start_column
            );
            cx.report_entry(rule, entry, detail);
        }
    }
    if entry.kind == ShaderKind::Pixel && direction == Direction::Input && reads_view_id {
        let [registers, ..] = &streams;
        let fits = registers.iter().any(|register| {
            let mode = register
                .mode
                .is_none_or(|m| m == InterpolationMode::Constant);
            mode && register.indexed == 0 && matches!(register.taken, [.., None])
        });
        if !fits {
            let detail = "no register has a free place that is constant";
            cx.report_entry(Rule::SmViewIDNeedsSlot, entry, detail);
        }
    }
}

/// Returns the width of components as packing sees it: with min-precision types all share registers
/// of 32 bits. Components of 64 bits have none: they fit after no other element, and any element
/// fits after them.
fn width(cx: &ValidationContext<'_>, component: ComponentType) -> Option<u32> {
    use ComponentType::*;
    match component {
        I16 | U16 | F16 | SNormF16 | UNormF16 if !cx.uses_min_precision() => Some(16),
        I64 | U64 | F64 | SNormF64 | UNormF64 => None,
        _ => Some(32),
    }
}

/// Returns whether a component kind may stand left of another one: plain values before system
/// values before generated ones.
fn rank(how: Interpretation) -> u32 {
    match how {
        Interpretation::Arbitrary => 0,
        Interpretation::Generated => 2,
        _ => 1,
    }
}

fn location(
    cx: &ValidationContext<'_>,
    registers: &mut [PackedRegister; REGISTERS],
    element: &SignatureElement,
    row: u32,
    how: Interpretation,
) -> Result<(), Rule> {
    let (first, rows) = (row as usize, element.rows as usize);
    let span = registers
        .get_mut(first..first.saturating_add(rows))
        .ok_or(Rule::MetaSignatureOutOfRange)?;
    let columns = element.start_column as usize..(element.start_column + element.columns) as usize;
    if columns.end > 4 {
        return Err(Rule::MetaSignatureOutOfRange);
    }
    let own_width = width(cx, element.component);
    // What the hardware reads cannot be reached through an index.
    let refuses_index = matches!(how, Interpretation::SystemValue | Interpretation::Generated);
    let index_flags = |index: usize| {
        let up = if index + 1 < rows { INDEXED_UP } else { 0 };
        let down = if index > 0 { INDEXED_DOWN } else { 0 };
        up | down
    };
    for (index, register) in span.iter().enumerate() {
        let flags = index_flags(index);
        let is_factor = how == Interpretation::TessFactor;
        if (register.indexed != 0 && refuses_index)
            || (register.is_indexing_fixed && flags | register.indexed != register.indexed)
            || (is_factor && flags | register.indexed != flags)
        {
            return Err(Rule::MetaSignatureIndexConflict);
        }
        let is_known = |mode: &InterpolationMode| *mode != InterpolationMode::Undefined;
        if register
            .mode
            .filter(is_known)
            .is_some_and(|mode| mode != element.interpolation)
        {
            return Err(Rule::MetaInterpModeInOneRow);
        }
        if register.width.is_some() && register.width != own_width {
            return Err(Rule::MetaSignatureDataWidth);
        }
        for (column, taken) in register.taken.iter().enumerate() {
            let Some(taken) = taken else {
                continue;
            };
            if columns.contains(&column) {
                return Err(Rule::MetaSignatureOverlap);
            }
            let (left, right) = if column < columns.start {
                (*taken, how)
            } else {
                (how, *taken)
            };
            if rank(left) > rank(right) {
                return Err(Rule::MetaSignatureIllegalComponentOrder);
            }
        }
    }
    for (index, register) in span.iter_mut().enumerate() {
        register.mode = Some(element.interpolation);
        register.width = own_width;
        register.indexed |= index_flags(index);
        register.is_indexing_fixed |= refuses_index || how == Interpretation::TessFactor;
        for (column, taken) in register.taken.iter_mut().enumerate() {
            if columns.contains(&column) {
                *taken = Some(how);
            }
        }
    }
    Ok(())
}
