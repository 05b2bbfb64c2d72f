//! Lists a program in the form that fxc's users know.

use std::fmt::Write as _;

use super::opcode::{Opcode, OperandRole, OperandSpec, OperandType};
use super::reader::Program;
use super::tokens::{Components, Dimension, File, Instruction, Operand, OperandIndex};

/// Columns that a level of nesting is moved to the right.
const INDENT: usize = 2;

/// Deepest nesting that is shown by columns.
const MAX_INDENT: usize = 32;

/// Returns the whole program as text: the profile, then a line for each declaration and
/// instruction.
pub fn text(program: &Program) -> String {
    let mut out = profile(program);
    out.push('\n');
    let mut depth: usize = 0;
    for instruction in &program.instructions {
        use Opcode as O;
        let ends = matches!(
            instruction.opcode,
            O::Else | O::Endif | O::Endloop | O::Endswitch | O::Case | O::Default
        );
        let level = if ends { depth.saturating_sub(1) } else { depth };
        // Bounded: with deep nesting the indentation alone would be quadratic in the program's
        // length.
        out.extend(std::iter::repeat_n(' ', level.min(MAX_INDENT) * INDENT));
        write_instruction(&mut out, program, instruction);
        out.push('\n');
        match instruction.opcode {
            O::If | O::Loop | O::Switch => depth += 1,
            O::Endif | O::Endloop | O::Endswitch => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    out
}

/// Returns the profile: `ps_5_0`.
pub fn profile(program: &Program) -> String {
    let (major, minor) = program.version;
    format!("{}_{major}_{minor}", program.kind.prefix())
}

/// Returns one instruction as text, without a line break.
pub fn instruction_text(program: &Program, instruction: &Instruction) -> String {
    let mut out = String::new();
    write_instruction(&mut out, program, instruction);
    out
}

fn write_instruction(out: &mut String, program: &Program, instruction: &Instruction) {
    if instruction.opcode == Opcode::CustomData {
        write_custom_data(out, program, instruction);
        return;
    }
    if instruction.opcode.is_declaration() {
        write_declaration(out, program, instruction);
        return;
    }
    out.push_str(instruction.opcode.mnemonic());
    write_suffix(out, instruction);
    let row = instruction.opcode.row();
    let operands = program.operands_of(instruction);
    // Plain tokens are not operands in the pool, so their slots must not be paired with any.
    let slots = row
        .operands
        .iter()
        .filter(|slot| slot.role != OperandRole::Word);
    for (number, (slot, operand)) in slots.zip(operands).enumerate() {
        out.push_str(if number == 0 { " " } else { ", " });
        write_operand(out, program, operand, *slot);
    }
}

/// Writes what follows the mnemonic: tests, saturation, precision, offsets, the resource's type.
fn write_suffix(out: &mut String, instruction: &Instruction) {
    use Opcode as O;
    match instruction.opcode {
        O::If | O::Breakc | O::Continuec | O::Retc | O::Callc | O::Discard => {
            out.push_str(if instruction.tests_nonzero() {
                "_nz"
            } else {
                "_z"
            });
        }
        O::Sync => {
            for (bit, name) in [(14, "_uglobal"), (13, "_ugroup"), (12, "_g"), (11, "_t")] {
                if instruction.control(bit, 1) != 0 {
                    out.push_str(name);
                }
            }
        }
        O::Resinfo => match instruction.control(11, 2) {
            1 => out.push_str("_rcpFloat"),
            2 => out.push_str("_uint"),
            _ => {}
        },
        O::SampleInfo if instruction.control(11, 2) == 1 => out.push_str("_uint"),
        opcode if opcode.writes_float() && instruction.saturates() => out.push_str("_sat"),
        _ => {}
    }
    let extended = &instruction.extended;
    let has_offsets = extended.offsets.iter().any(|&offset| offset != 0);
    if has_offsets {
        out.push_str("_aoffimmi");
    }
    if extended.dimension.is_some() {
        out.push_str("_indexable");
    }
    if has_offsets {
        let [u, v, w] = extended.offsets;
        let _ = write!(out, "({u},{v},{w})");
    }
    if let Some((dimension, stride)) = extended.dimension {
        let _ = match dimension {
            Dimension::StructuredBuffer => {
                write!(out, "({}, stride={stride})", dimension_name(dimension))
            }
            _ => write!(out, "({})", dimension_name(dimension)),
        };
    }
    if let Some(types) = extended.return_types {
        let _ = write!(out, "({})", return_types(u32::from(types)));
    }
    let precise = instruction.precise_mask();
    if precise != 0 && !instruction.opcode.row().operands.is_empty() {
        let _ = write!(out, " [precise({})]", letters(precise));
    }
}

fn letters(mask: u32) -> String {
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

fn write_operand(out: &mut String, program: &Program, operand: &Operand, slot: OperandSpec) {
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

fn write_components(out: &mut String, components: Components) {
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

fn write_word(out: &mut String, word: u32, kind: OperandType) {
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
fn write_register(out: &mut String, program: &Program, operand: &Operand) {
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

fn dimension_name(dimension: Dimension) -> &'static str {
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

fn return_types(types: u32) -> String {
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

fn write_custom_data(out: &mut String, program: &Program, instruction: &Instruction) {
    match instruction.token >> 11 {
        super::reader::custom_data::IMMEDIATE_CONSTANT_BUFFER => {
            out.push_str("dcl_immediateConstantBuffer {");
            for (number, row) in program.constants.iter().enumerate() {
                out.push_str(if number == 0 { " { " } else { ",\n { " });
                for (number, &word) in row.iter().enumerate() {
                    if number > 0 {
                        out.push_str(", ");
                    }
                    write_word(out, word, OperandType::X);
                }
                out.push('}');
            }
            out.push_str(" }");
        }
        class => {
            let _ = write!(out, "customdata {class}");
        }
    }
}

fn write_declaration(out: &mut String, program: &Program, instruction: &Instruction) {
    use Opcode as O;
    let words = program.words_of(instruction);
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    let operand = program.operands_of(instruction).first();
    let dimension = || {
        let number = instruction.control(11, 5);
        dimension_name(Dimension::from_number(number).unwrap_or(Dimension::Unknown))
    };
    let register = |out: &mut String| {
        if let Some(operand) = operand {
            write_declared(out, program, instruction, operand);
        }
    };
    let access = |out: &mut String| {
        for (bit, name) in [(16, "_glc"), (17, "_rov"), (23, "_opc")] {
            if instruction.control(bit, 1) != 0 {
                out.push_str(name);
            }
        }
    };
    let space = |out: &mut String, index: usize| {
        if program.has_ranges() {
            let _ = write!(out, ", space={}", word(index));
        }
    };
    let mnemonic = instruction.opcode.mnemonic();
    match instruction.opcode {
        O::DclResource | O::DclUavTyped => {
            let _ = write!(out, "{mnemonic}_{}", dimension());
            let samples = instruction.control(16, 7);
            if instruction.opcode == O::DclUavTyped {
                access(out);
            } else if samples != 0 {
                let _ = write!(out, " ({samples})");
            }
            let _ = write!(out, " ({}) ", return_types(word(0)));
            register(out);
            space(out, 1);
        }
        O::DclConstantBuffer => {
            let _ = write!(out, "{mnemonic} ");
            register(out);
            if program.has_ranges() {
                let _ = write!(out, "[{}]", word(0));
            }
            let is_dynamic = instruction.control(11, 1) != 0;
            out.push_str(if is_dynamic {
                ", dynamicIndexed"
            } else {
                ", immediateIndexed"
            });
            space(out, 1);
        }
        O::DclSampler => {
            let _ = write!(out, "{mnemonic} ");
            register(out);
            out.push_str(match instruction.control(11, 4) {
                0 => ", mode_default",
                1 => ", mode_comparison",
                _ => ", mode_mono",
            });
            space(out, 0);
        }
        O::DclUavRaw | O::DclResourceRaw => {
            out.push_str(mnemonic);
            if instruction.opcode == O::DclUavRaw {
                access(out);
            }
            out.push(' ');
            register(out);
            space(out, 0);
        }
        O::DclUavStructured | O::DclResourceStructured => {
            out.push_str(mnemonic);
            if instruction.opcode == O::DclUavStructured {
                access(out);
            }
            out.push(' ');
            register(out);
            let _ = write!(out, ", {}", word(0));
            space(out, 1);
        }
        O::DclInputPs | O::DclInputPsSiv | O::DclInputPsSgv => {
            let _ = write!(
                out,
                "{mnemonic}{} ",
                interpolation(instruction.control(11, 4))
            );
            register(out);
            if instruction.opcode != O::DclInputPs {
                let _ = write!(out, ", {}", system_value(word(0)));
            }
        }
        O::DclInputSgv | O::DclInputSiv | O::DclOutputSgv | O::DclOutputSiv => {
            let _ = write!(out, "{mnemonic} ");
            register(out);
            let _ = write!(out, ", {}", system_value(word(0)));
        }
        O::DclIndexableTemp => {
            let _ = write!(out, "{mnemonic} x{}[{}], {}", word(0), word(1), word(2));
        }
        O::DclHsMaxTessFactor => {
            let _ = write!(out, "{mnemonic} l({:.6})", f32::from_bits(word(0)));
        }
        O::DclIndexRange => {
            let _ = write!(out, "{mnemonic} ");
            register(out);
            let _ = write!(out, " {}", word(0));
        }
        O::DclTgsmRaw | O::DclTgsmStructured => {
            let _ = write!(out, "{mnemonic} ");
            register(out);
            for word in words {
                let _ = write!(out, ", {word}");
            }
        }
        _ => write_stage_property(out, program, instruction),
    }
}

fn write_stage_property(out: &mut String, program: &Program, instruction: &Instruction) {
    use Opcode as O;
    let control = |count| instruction.control(11, count) as usize;
    let pick =
        |names: &[&'static str], number: usize| names.get(number).copied().unwrap_or("unknown");
    let mnemonic = instruction.opcode.mnemonic();
    let property = match instruction.opcode {
        O::DclGlobalFlags => {
            let names = [
                "refactoringAllowed",
                "enableDoublePrecisionFloatOps",
                "forceEarlyDepthStencil",
                "enableRawAndStructuredBuffers",
                "skipOptimization",
                "enableMinimumPrecision",
                "enable11_1DoubleExtensions",
                "enable11_1ShaderExtensions",
                "allResourcesBound",
            ];
            let set = (11..)
                .zip(names)
                .filter(|(bit, _)| instruction.control(*bit, 1) != 0);
            set.map(|(_, name)| name).collect::<Vec<_>>().join(" | ")
        }
        O::DclGsInputPrimitive => match control(6) {
            patch @ 8..=39 => format!("patch {}", patch - 7),
            number => {
                let names = [
                    "undefined",
                    "point",
                    "line",
                    "triangle",
                    "",
                    "",
                    "lineadj",
                    "triangleadj",
                ];
                pick(&names, number).to_owned()
            }
        },
        O::DclGsOutputPrimitiveTopology => {
            let names = [
                "undefined",
                "pointlist",
                "linelist",
                "linestrip",
                "trianglelist",
                "trianglestrip",
            ];
            pick(&names, control(7)).to_owned()
        }
        O::DclInputControlPointCount | O::DclOutputControlPointCount => control(6).to_string(),
        O::DclTessDomain => {
            let names = [
                "domain_undefined",
                "domain_isoline",
                "domain_tri",
                "domain_quad",
            ];
            pick(&names, control(2)).to_owned()
        }
        O::DclTessPartitioning => {
            let names = [
                "partitioning_undefined",
                "partitioning_integer",
                "partitioning_pow2",
                "partitioning_fractional_odd",
                "partitioning_fractional_even",
            ];
            pick(&names, control(3)).to_owned()
        }
        O::DclTessOutputPrimitive => {
            let names = [
                "output_undefined",
                "output_point",
                "output_line",
                "output_triangle_cw",
                "output_triangle_ccw",
            ];
            pick(&names, control(3)).to_owned()
        }
        _ => {
            let mut parts: Vec<String> = Vec::new();
            for operand in program.operands_of(instruction) {
                let mut part = String::new();
                write_declared(&mut part, program, instruction, operand);
                parts.push(part);
            }
            let words = program.words_of(instruction).iter();
            parts.extend(words.map(ToString::to_string));
            parts.join(", ")
        }
    };
    out.push_str(mnemonic);
    if !property.is_empty() {
        let _ = write!(out, " {property}");
    }
}

/// Writes a register as its declaration writes it.
fn write_declared(
    out: &mut String,
    program: &Program,
    instruction: &Instruction,
    operand: &Operand,
) {
    let is_resource = matches!(
        operand.file,
        File::Resource | File::Sampler | File::UnorderedAccessView | File::ConstantBuffer
    );
    if is_resource && program.has_ranges() {
        let [id, first, last] = operand.indices.map(|index| index.offset);
        let name = match operand.file {
            File::ConstantBuffer => "CB",
            File::Resource => "T",
            File::Sampler => "S",
            _ => "U",
        };
        let _ = match last {
            u32::MAX => write!(out, "{name}{id}[{first}:*]"),
            last => write!(out, "{name}{id}[{first}:{last}]"),
        };
    } else if instruction.opcode == Opcode::DclConstantBuffer {
        let [id, size, _] = operand.indices.map(|index| index.offset);
        let _ = write!(out, "CB{id}[{size}]");
    } else {
        write_register(out, program, operand);
        if !is_resource {
            write_components(out, operand.components);
        }
    }
}

fn interpolation(number: u32) -> &'static str {
    match number {
        1 => " constant",
        2 => " linear",
        3 => " linear centroid",
        4 => " linear noperspective",
        5 => " linear noperspective centroid",
        6 => " linear sample",
        7 => " linear noperspective sample",
        _ => "",
    }
}

fn system_value(number: u32) -> &'static str {
    const NAMES: [&str; 26] = [
        "undefined",
        "position",
        "clip_distance",
        "cull_distance",
        "rendertarget_array_index",
        "viewport_array_index",
        "vertex_id",
        "primitive_id",
        "instance_id",
        "is_front_face",
        "sampleIndex",
        "finalQuadUeq0EdgeTessFactor",
        "finalQuadVeq0EdgeTessFactor",
        "finalQuadUeq1EdgeTessFactor",
        "finalQuadVeq1EdgeTessFactor",
        "finalQuadUInsideTessFactor",
        "finalQuadVInsideTessFactor",
        "finalTriUeq0EdgeTessFactor",
        "finalTriVeq0EdgeTessFactor",
        "finalTriWeq0EdgeTessFactor",
        "finalTriInsideTessFactor",
        "finalLineDetailTessFactor",
        "finalLineDensityTessFactor",
        "barycentrics",
        "shadingRate",
        "cullPrimitive",
    ];
    NAMES.get(number as usize).copied().unwrap_or("unknown")
}
