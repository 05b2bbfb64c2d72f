//! Writes values of specialization constants into a SPIR-V module (SPIR-V specification, 2.12).
//!
//! Specializing the module here instead of by `VkSpecializationInfo` makes it the same for every
//! driver and for the pipeline cache.

use dxil_frontend::tables::HashMap;

use super::document::SpecializationConstant;
use super::elements::ElementFormat;
use super::{PipelineError, Result};

const OP_DECORATE: u32 = 71;
const OP_SPEC_CONSTANT_TRUE: u32 = 48;
const OP_SPEC_CONSTANT_FALSE: u32 = 49;
const OP_SPEC_CONSTANT: u32 = 50;
const DECORATION_SPEC_ID: u32 = 1;
/// Words in front of the first instruction.
const HEADER: usize = 5;

/// Sets the constants. Ids that the module lacks are ignored, as in Vulkan.
pub(super) fn specialize(words: &mut [u32], constants: &[SpecializationConstant]) -> Result<()> {
    let mut values: HashMap<u32, Vec<u32>> = HashMap::default();
    for constant in constants {
        let id = constant.constant_id;
        if values.insert(id, value(constant)?).is_some() {
            return Err(PipelineError::Invalid(format!(
                "Test configuration contains multiple entries for specialization constant ID {id}."
            )));
        }
    }
    // Values by result id. Decorations precede constants in a module.
    let mut targets: HashMap<u32, (u32, Vec<u32>)> = HashMap::default();
    let mut at = HEADER;
    while let Some(&first) = words.get(at) {
        let length = (first >> 16) as usize;
        // An instruction of zero words is malformed too; the loop would not advance.
        let Some(instruction) = words.get_mut(at..at + length).filter(|i| !i.is_empty()) else {
            return Err(PipelineError::Invalid(
                "an instruction of the SPIR-V module extends beyond its end".to_owned(),
            ));
        };
        match (first & 0xffff, instruction) {
            (OP_DECORATE, [_, target, DECORATION_SPEC_ID, id]) => {
                if let Some(value) = values.get(id) {
                    targets.insert(*target, (*id, value.clone()));
                }
            }
            (OP_SPEC_CONSTANT_TRUE | OP_SPEC_CONSTANT_FALSE, [op, _, result]) => {
                if let Some((_, value)) = targets.get(result) {
                    // Booleans have no literal; the opcode is the value.
                    let is_set = value.iter().any(|word| *word != 0);
                    let kind = if is_set {
                        OP_SPEC_CONSTANT_TRUE
                    } else {
                        OP_SPEC_CONSTANT_FALSE
                    };
                    *op = *op & 0xffff_0000 | kind;
                }
            }
            (OP_SPEC_CONSTANT, [_, _, result, literal @ ..]) => {
                if let Some((id, value)) = targets.get(result) {
                    if value.len() != literal.len() {
                        return Err(PipelineError::Invalid(format!(
                            "specialization constant {id} has {} bits in the shader, not {}",
                            literal.len() * 32,
                            value.len() * 32
                        )));
                    }
                    literal.copy_from_slice(value);
                }
            }
            _ => {}
        }
        at += length;
    }
    Ok(())
}

/// Returns the words of the literal. Narrow numbers are sign-extended.
fn value(constant: &SpecializationConstant) -> Result<Vec<u32>> {
    let mut bytes = Vec::new();
    let SpecializationConstant {
        constant_id,
        ty,
        value,
    } = constant;
    ty.encode(value, &mut bytes).map_err(|_| {
        let ty = match ty {
            ElementFormat::Float32 => "float".to_owned(),
            ElementFormat::Float64 => "double".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        };
        PipelineError::Invalid(format!(
            "Invalid {ty} value for specialization constant '{value}' (its id is {constant_id})"
        ))
    })?;
    if *ty == ElementFormat::Int16 {
        let bits = bytes.first_chunk().map_or(0, |b| i16::from_le_bytes(*b));
        bytes = i32::from(bits).to_le_bytes().to_vec();
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let words = bytes.chunks_exact(4);
    Ok(words
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(constant_id: u32, ty: ElementFormat, value: &str) -> SpecializationConstant {
        SpecializationConstant {
            constant_id,
            ty,
            value: value.to_owned(),
        }
    }

    /// Returns a module of decorations and constants only.
    fn module() -> Vec<u32> {
        let mut words = vec![0x0723_0203, 0x1_0000, 0, 9, 0];
        let instruction = |op: u32, operands: &[u32]| {
            let mut words = vec![(operands.len() as u32 + 1) << 16 | op];
            words.extend(operands);
            words
        };
        for (target, id) in [(5, 0), (6, 1), (7, 2)] {
            words.extend(instruction(OP_DECORATE, &[target, DECORATION_SPEC_ID, id]));
        }
        words.extend(instruction(OP_SPEC_CONSTANT_FALSE, &[1, 5]));
        words.extend(instruction(OP_SPEC_CONSTANT, &[2, 6, 1234]));
        words.extend(instruction(OP_SPEC_CONSTANT, &[3, 7, 1, 2]));
        words
    }

    #[test]
    fn constants_take_the_values_of_their_ids() {
        let mut words = module();
        let set = [
            constant(0, ElementFormat::Bool, "1"),
            constant(1, ElementFormat::Int16, "-2"),
            constant(2, ElementFormat::Float64, "1.5"),
            constant(9, ElementFormat::Int32, "7"),
        ];
        specialize(&mut words, &set).unwrap();
        assert_eq!(words[17] & 0xffff, OP_SPEC_CONSTANT_TRUE);
        assert_eq!(words[23], 0xffff_fffe);
        assert_eq!(words[27..29], [0, 0x3ff8_0000]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let set = |constants: &[SpecializationConstant]| {
            specialize(&mut module(), constants)
                .unwrap_err()
                .to_string()
        };
        let int = |id, value| constant(id, ElementFormat::Int32, value);
        assert!(
            set(&[int(1, "1"), int(1, "2")])
                .contains("multiple entries for specialization constant ID 1")
        );
        assert!(set(&[int(1, "not a number")]).contains("Invalid int32 value"));
        assert!(set(&[int(2, "1")]).contains("64 bits in the shader, not 32"));
        let mut cut = module();
        cut.pop();
        assert!(specialize(&mut cut, &[]).is_err());
    }
}
