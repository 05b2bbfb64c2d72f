//! Lists operands: registers, their indices and components, and numbers.

use std::fmt::Write as _;

use crate::dxbc::opcode::{OperandRole, OperandSpec, OperandType};
use crate::dxbc::reader::Program;
use crate::dxbc::tokens::{Components, Dimension, File, Operand, OperandIndex};

pub(super) fn letters(mask: u32) -> String {
    let all = (0..).zip("xyzw".chars());
    all.filter(|(bit, _)| mask >> bit & 1 != 0)
        .map(|(_, letter)| letter)
        .collect()
}

fn letter(component: u8) -> char {
    match component & 3 {
        0 => 'x',
        1 => 'y',
        2 => 'z',
        _ => 'w',
    }
}

/// Writes an operand. `result` is the type of the instruction's result and its minimum precision: a
/// source of that type is converted to that precision.
pub(super) fn write_operand(
    out: &mut String,
    program: &Program,
    operand: &Operand,
    slot: OperandSpec,
    result: Option<(OperandType, u8)>,
) {
    let modifiers = operand.modifiers;
    if modifiers.negate {
        out.push('-');
    }
    if modifiers.absolute {
        out.push('|');
    }
    if operand.is_immediate() {
        write_immediate(out, operand, slot.kind);
    } else {
        write_register(out, program, operand);
        write_components(out, operand.components);
    }
    if modifiers.absolute {
        out.push('|');
    }
    let own = modifiers.min_precision;
    match result {
        Some((kind, wanted))
            if slot.role == OperandRole::Src && kind == slot.kind && wanted != own =>
        {
            let (own, wanted) = (precision(own), precision(wanted));
            let _ = write!(out, " {{{own} as {wanted}}}");
        }
        _ => write_precision(out, operand),
    }
    if modifiers.non_uniform {
        out.push_str(" {nonuniform}");
    }
}

/// Writes the minimum precision of a register that has one.
pub(super) fn write_precision(out: &mut String, operand: &Operand) {
    let number = operand.modifiers.min_precision;
    if number != 0 {
        let _ = write!(out, " {{{}}}", precision(number));
    }
}

fn precision(number: u8) -> &'static str {
    match number {
        0 => "def32",
        1 => "min16f",
        2 => "min2_8f",
        4 => "min16i",
        5 => "min16u",
        _ => "unknown",
    }
}

pub(super) fn write_components(out: &mut String, components: Components) {
    match components {
        Components::None | Components::One | Components::Mask(0) => {}
        Components::Mask(mask) => {
            out.push('.');
            out.push_str(&letters(u32::from(mask)));
        }
        Components::Swizzle(swizzle) => {
            out.push('.');
            out.extend(swizzle.map(letter));
        }
        Components::Select(component) => {
            out.push('.');
            out.push(letter(component));
        }
    }
}

fn write_immediate(out: &mut String, operand: &Operand, kind: OperandType) {
    if operand.file == File::Immediate64 {
        let [a, b, c, d] = operand.words.map(u64::from);
        let double = |low: u64, high: u64| f64::from_bits(low | high << 32);
        let _ = write!(out, "d({:?}l, {:?}l)", double(a, b), double(c, d));
        return;
    }
    let count = match operand.components {
        Components::One => 1,
        _ => 4,
    };
    // As fxc does it: no space between bits whose type is guessed.
    let separator = if kind == OperandType::X { "," } else { ", " };
    out.push_str("l(");
    for (number, &word) in operand.words.iter().take(count).enumerate() {
        if number > 0 {
            out.push_str(separator);
        }
        write_word(out, word, kind);
    }
    out.push(')');
}

/// Largest integer that is written in decimal.
const LARGEST_DECIMAL: u32 = 9999;

/// Writes a word as its type has it. Of bits without a type, those of a float that is neither
/// denormal nor infinite nor a NaN are written as that, and -0.
pub(super) fn write_word(out: &mut String, word: u32, kind: OperandType) {
    let float = f32::from_bits(word);
    let is_float = match kind {
        OperandType::F => true,
        OperandType::I | OperandType::U | OperandType::B => false,
        OperandType::X | OperandType::R | OperandType::D | OperandType::N => {
            float.is_normal() || word == (-0.0f32).to_bits()
        }
    };
    let number = word.cast_signed();
    let _ = if is_float {
        write!(out, "{float:.6}")
    } else if number.unsigned_abs() > LARGEST_DECIMAL {
        write!(out, "{word:#010x}")
    } else {
        write!(out, "{number}")
    };
}

/// Writes a register with its indices: `cb0[r1.x + 2]`.
pub(super) fn write_register(out: &mut String, program: &Program, operand: &Operand) {
    let indices = operand.indices();
    // From shader model 5.1 on a resource is named by its declaration, and the register follows.
    let has_ranges = program.has_ranges() && operand.file.is_resource();
    if has_ranges {
        out.push_str(range_name(operand.file));
    } else {
        out.push_str(file_name(operand.file));
    }
    // The first index of most files is part of the name.
    let is_named = matches!(
        operand.file,
        File::Temp
            | File::Output
            | File::IndexableTemp
            | File::Sampler
            | File::Resource
            | File::ConstantBuffer
            | File::UnorderedAccessView
            | File::GroupShared
            | File::Label
            | File::Stream
            | File::FunctionBody
            | File::FunctionTable
            | File::Interface
            | File::Input
            | File::InputPatchConstant
    ) && !(operand.file == File::Input && indices.len() > 1);
    for (number, index) in indices.iter().enumerate() {
        if number == 0 && is_named && index.relative.is_none() {
            let _ = write!(out, "{}", index.offset);
        } else {
            out.push('[');
            write_index(out, program, *index);
            out.push(']');
        }
    }
}

fn write_index(out: &mut String, program: &Program, index: OperandIndex) {
    match program.relative(index) {
        None => {
            let _ = write!(out, "{}", index.offset);
        }
        Some(operand) => {
            write_register(out, program, operand);
            write_components(out, operand.components);
            let _ = write!(out, " + {}", index.offset);
        }
    }
}

/// Returns the letter of a range of resources in shader model 5.1.
pub(super) fn range_name(file: File) -> &'static str {
    match file {
        File::ConstantBuffer => "CB",
        File::Resource => "T",
        File::Sampler => "S",
        _ => "U",
    }
}

fn file_name(file: File) -> &'static str {
    match file {
        File::Temp => "r",
        File::Input => "v",
        File::Output => "o",
        File::IndexableTemp => "x",
        File::Immediate32 => "l",
        File::Immediate64 => "d",
        File::Sampler => "s",
        File::Resource => "t",
        File::ConstantBuffer => "cb",
        File::ImmediateConstantBuffer => "icb",
        File::Label => "label",
        File::InputPrimitiveId => "vPrim",
        File::OutputDepth => "oDepth",
        File::Null => "null",
        File::Rasterizer => "rasterizer",
        File::OutputCoverageMask => "oMask",
        File::Stream => "m",
        File::FunctionBody => "fb",
        File::FunctionTable => "ft",
        File::Interface => "fp",
        File::FunctionInput => "fi",
        File::FunctionOutput => "fo",
        File::OutputControlPointId => "vOutputControlPointID",
        File::InputForkInstanceId => "vForkInstanceID",
        File::InputJoinInstanceId => "vJoinInstanceID",
        File::InputControlPoint => "vicp",
        File::OutputControlPoint => "vocp",
        File::InputPatchConstant => "vpc",
        File::InputDomainPoint => "vDomain",
        File::ThisPointer => "this",
        File::UnorderedAccessView => "u",
        File::GroupShared => "g",
        File::ThreadId => "vThreadID",
        File::ThreadGroupId => "vThreadGroupID",
        File::ThreadIdInGroup => "vThreadIDInGroup",
        File::InputCoverageMask => "vCoverage",
        File::ThreadIdInGroupFlattened => "vThreadIDInGroupFlattened",
        File::GsInstanceId => "vGSInstanceID",
        File::OutputDepthGreaterEqual => "oDepthGE",
        File::OutputDepthLessEqual => "oDepthLE",
        File::CycleCounter => "vCycleCounter",
        File::OutputStencilRef => "oStencilRef",
        File::InnerCoverage => "vInnerCoverage",
    }
}

pub(super) fn dimension_name(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Unknown => "unknown",
        Dimension::Buffer => "buffer",
        Dimension::Texture1D => "texture1d",
        Dimension::Texture2D => "texture2d",
        Dimension::Texture2DMS => "texture2dms",
        Dimension::Texture3D => "texture3d",
        Dimension::TextureCube => "texturecube",
        Dimension::Texture1DArray => "texture1darray",
        Dimension::Texture2DArray => "texture2darray",
        Dimension::Texture2DMSArray => "texture2dmsarray",
        Dimension::TextureCubeArray => "texturecubearray",
        Dimension::RawBuffer => "raw_buffer",
        Dimension::StructuredBuffer => "structured_buffer",
    }
}

pub(super) fn return_types(types: u32) -> String {
    let name = |number: u32| match number {
        1 => "unorm",
        2 => "snorm",
        3 => "sint",
        4 => "uint",
        5 => "float",
        6 => "mixed",
        7 => "double",
        8 => "<continued>",
        9 => "<unused>",
        _ => "unknown",
    };
    [0, 4, 8, 12]
        .map(|shift| name(types >> shift & 0xf))
        .join(",")
}
