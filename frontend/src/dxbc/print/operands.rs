//! Lists operands: registers, their indices and components, and numbers.

use std::fmt::Write as _;

use crate::dxbc::opcode::{OperandSpec, OperandType};
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

pub(super) fn write_operand(
    out: &mut String,
    program: &Program,
    operand: &Operand,
    slot: OperandSpec,
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
    match modifiers.min_precision {
        1 => out.push_str(" {min16f}"),
        2 => out.push_str(" {min2_8f}"),
        4 => out.push_str(" {min16i}"),
        5 => out.push_str(" {min16u}"),
        _ => {}
    }
    if modifiers.non_uniform {
        out.push_str(" {nonuniform}");
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
    out.push_str("l(");
    for (number, &word) in operand.words.iter().take(count).enumerate() {
        if number > 0 {
            out.push_str(", ");
        }
        write_word(out, word, kind);
    }
    out.push(')');
}

pub(super) fn write_word(out: &mut String, word: u32, kind: OperandType) {
    let float = f32::from_bits(word);
    let is_float = match kind {
        OperandType::F => true,
        OperandType::I | OperandType::U | OperandType::B => false,
        // Bits that are most likely a float.
        OperandType::X | OperandType::R | OperandType::D | OperandType::N => {
            word != 0 && (1e-10..1e10).contains(&float.abs()) && word.cast_signed() > 0xffff
                || float.is_sign_negative() && (1e-10..1e10).contains(&float.abs())
        }
    };
    let _ = if is_float {
        write!(out, "{float:.6}")
    } else {
        write!(out, "{}", word.cast_signed())
    };
}

/// Writes a register with its indices: `cb0[r1.x + 2]`.
pub(super) fn write_register(out: &mut String, program: &Program, operand: &Operand) {
    out.push_str(file_name(operand.file));
    let indices = operand.indices();
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
