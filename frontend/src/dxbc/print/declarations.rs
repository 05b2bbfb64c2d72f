//! Lists declarations and custom data.

use std::fmt::Write as _;

use super::operands::{
    dimension_name, range_name, return_types, write_components, write_operand, write_precision,
    write_register, write_word,
};
use crate::dxbc::opcode::{Opcode, OperandRole, OperandSpec, OperandType};
use crate::dxbc::reader::{Program, custom_data};
use crate::dxbc::tokens::{Dimension, Instruction, Operand};
use crate::escape::escaped;

pub(super) fn write_custom_data(out: &mut String, program: &Program, instruction: &Instruction) {
    match instruction.token >> 11 {
        custom_data::IMMEDIATE_CONSTANT_BUFFER => {
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
        custom_data::MESSAGE => write_message(out, program, instruction),
        class => {
            let _ = write!(out, "customdata {class}");
        }
    }
}

/// Writes a message as fxc does, without escapes.
fn write_message(out: &mut String, program: &Program, instruction: &Instruction) {
    let [number, _, length, text @ ..] = program.words_of(instruction) else {
        out.push_str("customdata 4");
        return;
    };
    // The number of the debug layer's message.
    out.push_str(match number {
        0x0020_0103 => "errorf",
        _ => "printf",
    });
    let bytes = text.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = bytes.take(*length as usize).collect();
    let text = String::from_utf8_lossy(&bytes);
    let _ = write!(out, " \"{}\"", escaped(&text));
    for operand in program.operands_of(instruction) {
        let slot = OperandSpec {
            role: OperandRole::One,
            kind: OperandType::X,
        };
        out.push_str(", ");
        write_operand(out, program, operand, slot, None);
    }
}

/// Writes numbers of functions or tables: `{fb0, fb1}`.
fn write_list(out: &mut String, name: &str, numbers: &[u32]) {
    let numbers: Vec<String> = numbers.iter().map(|n| format!("{name}{n}")).collect();
    let _ = write!(out, "{{{}}}", numbers.join(", "));
}

pub(super) fn write_declaration(out: &mut String, program: &Program, instruction: &Instruction) {
    use Opcode as O;
    let words = program.words_of(instruction);
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    let operand = program.operands_of(instruction).first();
    let dimension = Dimension::from_number(instruction.control(11, 5));
    let dimension = dimension.unwrap_or(Dimension::Unknown);
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
            let _ = write!(out, "{mnemonic}_{}", dimension_name(dimension));
            if instruction.opcode == O::DclUavTyped {
                access(out);
            } else if dimension.is_multisampled() {
                let _ = write!(out, "({})", instruction.control(16, 7));
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
            operand.inspect(|operand| write_precision(out, operand));
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
        O::DclFunctionBody => {
            let _ = write!(out, "{mnemonic} fb{}", word(0));
        }
        O::DclFunctionTable => {
            let _ = write!(out, "{mnemonic} ft{} = ", word(0));
            write_list(out, "fb", words.get(2..).unwrap_or_default());
        }
        O::DclInterface => {
            // How many tables and how long an array of interfaces share a word.
            let (id, functions, length) = (word(0), word(1), word(2) >> 16);
            let is_dynamic = instruction.control(11, 1) != 0;
            let suffix = if is_dynamic { "_dynamicindexed" } else { "" };
            let _ = write!(out, "{mnemonic}{suffix} fp{id}[{length}][{functions}] = ");
            write_list(out, "ft", words.get(3..).unwrap_or_default());
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
    let is_resource = operand.file.is_resource();
    if is_resource && program.has_ranges() {
        let [id, first, last] = operand.indices.map(|index| index.offset);
        let name = range_name(operand.file);
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
