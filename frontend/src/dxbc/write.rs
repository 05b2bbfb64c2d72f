//! Writes a program's tokens: the reader's counterpart, for tests of instructions that no compiler
//! writes.

use super::opcode::{Opcode, OperandRole};
use super::reader::{Program, custom_data};
use super::tokens::{
    Components, Extended, File, Instruction, Modifiers, Operand, OperandIndex, Span,
};
use crate::FourCc;
use crate::container::{Signing, write_container};
use crate::dxil::ShaderKind;
use crate::error::{Error, ErrorKind, Result};

impl Operand {
    /// Returns a register of a file, all components.
    pub fn register(file: File, indices: &[u32]) -> Self {
        let mut operand = Operand {
            file,
            components: Components::Swizzle([0, 1, 2, 3]),
            modifiers: Modifiers::default(),
            dimensions: 0,
            indices: [OperandIndex::default(); 3],
            words: [0; 4],
        };
        for (place, &offset) in operand.indices.iter_mut().zip(indices) {
            place.offset = offset;
            operand.dimensions += 1;
        }
        operand
    }

    /// Returns an immediate of four words.
    pub fn immediate(words: [u32; 4]) -> Self {
        Operand {
            words,
            ..Operand::register(File::Immediate32, &[])
        }
    }

    /// Returns the same with other components.
    #[must_use]
    pub fn with(self, components: Components) -> Self {
        Operand { components, ..self }
    }
}

impl Program {
    /// Returns a program without instructions.
    pub fn new(kind: ShaderKind, version: (u8, u8)) -> Self {
        Program {
            kind,
            version,
            instructions: Vec::new(),
            operands: Vec::new(),
            words: Vec::new(),
            constants: Vec::new(),
            part: FourCc::SHEX,
        }
    }

    /// Appends an instruction: `controls` are bits of its first token, `words` a declaration's
    /// plain tokens.
    ///
    /// # Errors
    /// If there are too many operands or words.
    pub fn push(
        &mut self,
        opcode: Opcode,
        controls: u32,
        operands: &[Operand],
        words: &[u32],
    ) -> Result<()> {
        let span = |start: usize, len: usize| -> Result<Span> {
            Ok(Span {
                start: u32::try_from(start).map_err(|_| too_long())?,
                len: u32::try_from(len).map_err(|_| too_long())?,
            })
        };
        self.instructions.push(Instruction {
            opcode,
            token: controls & 0x00ff_f800 | u32::from(opcode.row().number),
            extended: Extended::default(),
            operands: span(self.operands.len(), operands.len())?,
            words: span(self.words.len(), words.len())?,
            offset: 0,
        });
        self.operands.extend_from_slice(operands);
        self.words.extend_from_slice(words);
        Ok(())
    }

    /// Returns the tokens of an SHEX part.
    ///
    /// # Errors
    /// If an instruction is longer than its token can tell.
    pub fn to_tokens(&self) -> Result<Vec<u32>> {
        let (major, minor) = self.version;
        let version = (self.kind as u32) << 16 | u32::from(major) << 4 | u32::from(minor);
        let mut tokens = vec![version, 0];
        for instruction in &self.instructions {
            let start = tokens.len();
            self.write_instruction(&mut tokens, instruction)?;
            let length = tokens.len() - start;
            // Data counts itself.
            if instruction.opcode == Opcode::CustomData {
                continue;
            }
            let length = u32::try_from(length).ok().filter(|&length| length < 128);
            if let Some(first) = tokens.get_mut(start) {
                *first |= length.ok_or_else(too_long)? << 24;
            }
        }
        let length = u32::try_from(tokens.len()).map_err(|_| too_long())?;
        if let Some(place) = tokens.get_mut(1) {
            *place = length;
        }
        Ok(tokens)
    }

    /// Returns a container with this program as only part.
    ///
    /// # Errors
    /// As [`Program::to_tokens`].
    pub fn to_container(&self) -> Result<Vec<u8>> {
        let tokens = self.to_tokens()?;
        let bytes: Vec<u8> = tokens
            .iter()
            .flat_map(|token| token.to_le_bytes())
            .collect();
        write_container(&[(FourCc::SHEX, &bytes)], Signing::Digest)
    }

    fn write_instruction(&self, tokens: &mut Vec<u32>, instruction: &Instruction) -> Result<()> {
        if instruction.opcode == Opcode::CustomData {
            let class = instruction.token >> 11;
            tokens.push(instruction.token);
            let mut data: Vec<u32> = Vec::new();
            if class == custom_data::IMMEDIATE_CONSTANT_BUFFER {
                data.extend(self.constants.iter().flatten());
            }
            if let (custom_data::MESSAGE, [number, format, length, text @ ..]) =
                (class, self.words_of(instruction))
            {
                let mut operands = Vec::new();
                for operand in self.operands_of(instruction) {
                    self.write_operand(&mut operands, operand, 0)?;
                }
                let words = u32::try_from(operands.len()).map_err(|_| too_long())?;
                data.extend([*number, *format, *length, instruction.operands.len, words]);
                data.extend(operands);
                data.extend(text);
            }
            tokens.push(u32::try_from(data.len() + 2).map_err(|_| too_long())?);
            tokens.extend(data);
            return Ok(());
        }
        let extended = extended_tokens(&instruction.extended);
        let first = instruction.token & 0x00ff_ffff;
        tokens.push(first | u32::from(!extended.is_empty()) << 31);
        tokens.extend(extended);
        let mut operands = self.operands_of(instruction).iter();
        let mut words = self.words_of(instruction).iter().copied();
        for slot in instruction.opcode.row().operands {
            match slot.role {
                OperandRole::Word => tokens.extend(words.next()),
                OperandRole::Word51 if self.has_ranges() => tokens.extend(words.next()),
                OperandRole::Word51 => {}
                OperandRole::Rest => tokens.extend(words.by_ref()),
                _ => {
                    if let Some(operand) = operands.next() {
                        self.write_operand(tokens, operand, 0)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn write_operand(&self, tokens: &mut Vec<u32>, operand: &Operand, depth: u32) -> Result<()> {
        // Relative indices lie in front of what they belong to, so this ends; hand-made ones may
        // not.
        if depth > 4 {
            return Err(too_long());
        }
        let mut token = (operand.file as u32) << 12 | u32::from(operand.dimensions & 3) << 20;
        token |= match operand.components {
            Components::None => 0,
            Components::One => 1,
            Components::Mask(mask) => 2 | u32::from(mask & 0xf) << 4,
            Components::Swizzle([x, y, z, w]) => {
                let parts = [x, y, z, w].map(|part| u32::from(part & 3));
                let [x, y, z, w] = parts;
                2 | 1 << 2 | x << 4 | y << 6 | z << 8 | w << 10
            }
            Components::Select(one) => 2 | 2 << 2 | u32::from(one & 3) << 4,
        };
        for (index, shift) in operand.indices().iter().zip([22, 25, 28]) {
            token |= (u32::from(index.relative.is_some()) * 3) << shift;
        }
        let modifiers = operand.modifiers;
        let has_modifiers = modifiers != Modifiers::default();
        tokens.push(token | u32::from(has_modifiers) << 31);
        if has_modifiers {
            tokens.push(
                1 | u32::from(modifiers.negate) << 6
                    | u32::from(modifiers.absolute) << 7
                    | u32::from(modifiers.min_precision & 7) << 14
                    | u32::from(modifiers.non_uniform) << 17,
            );
        }
        if operand.is_immediate() {
            let count = match (operand.components, operand.file) {
                (Components::One, File::Immediate64) => 2,
                (Components::One, _) => 1,
                _ => 4,
            };
            tokens.extend(operand.words.iter().take(count));
        }
        for index in operand.indices() {
            tokens.push(index.offset);
            if let Some(relative) = self.relative(*index) {
                self.write_operand(tokens, relative, depth + 1)?;
            }
        }
        Ok(())
    }
}

fn extended_tokens(extended: &Extended) -> Vec<u32> {
    let mut tokens = Vec::new();
    if extended.has_offsets || extended.offsets != [0; 3] {
        let nibbles = extended.offsets.iter().zip([9, 13, 17]);
        let nibbles =
            nibbles.map(|(&offset, shift)| u32::from(offset.cast_unsigned() & 0xf) << shift);
        tokens.push(1 | nibbles.fold(0, |all, nibble| all | nibble));
    }
    if let Some((dimension, stride)) = extended.dimension {
        tokens.push(2 | (dimension as u32) << 6 | (stride & 0xfff) << 11);
    }
    if let Some(types) = extended.return_types {
        tokens.push(3 | u32::from(types) << 6);
    }
    let count = tokens.len();
    for token in tokens.iter_mut().take(count.saturating_sub(1)) {
        *token |= 1 << 31;
    }
    tokens
}

fn too_long() -> Error {
    Error::new(ErrorKind::Limit {
        what: "tokens of an instruction",
        value: 128,
        limit: 127,
    })
}
