//! [`Opcode`] and what the table says of it: [`InstructionSpec`].

use super::table::for_each_dxbc_op;
use crate::dxil::ops::Stages;

/// The role of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandRole {
    /// A register that is written, masked; it may be the null register.
    Dst,
    /// A source, one component per component of the destination's mask.
    Src,
    /// A source of one component.
    One,
    /// A source of which the first two components count.
    Vec2,
    /// A source of which the first three components count.
    Vec3,
    /// A source of which up to four components count, by the mask of what is written.
    Vec4,
    /// Coordinates or derivatives: one component for each dimension of the resource.
    Coords,
    /// A texture or typed buffer, `t#`.
    Srv,
    /// A sampler, `s#`.
    Sampler,
    /// A typed buffer or texture, `u#`.
    Uav,
    /// Any resource, or the rasterizer.
    Resource,
    /// Memory that words are read from: `t#`, `u#` or `g#`.
    Memory,
    /// Memory that words are written to, masked: `u#` or `g#`.
    Store,
    /// Memory of an atomic operation or a counter: `u#` or `g#`.
    Atomic,
    /// An input register that is interpolated again.
    Input,
    /// A subroutine.
    Label,
    /// A stream of a geometry shader.
    Stream,
    /// An interface.
    Interface,
    /// The register that is declared.
    Reg,
    /// A plain token.
    Word,
    /// A plain token that only shader model 5.1 has.
    Word51,
    /// Plain tokens up to the end of the instruction.
    Rest,
}

/// Type of an operand's components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandType {
    /// Float.
    F,
    /// Signed integer.
    I,
    /// Unsigned integer, or bits.
    U,
    /// Double: two components each.
    D,
    /// Bits of any type.
    X,
    /// A condition: whether any bit is set.
    B,
    /// By the resource's return type.
    R,
    /// None.
    N,
}

/// An operand in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandSpec {
    /// Its role.
    pub role: OperandRole,
    /// Its type.
    pub kind: OperandType,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionSpec {
    /// Number in the tokens.
    pub number: u16,
    /// Mnemonic, as fxc spells it.
    pub mnemonic: &'static str,
    /// Operands, in the order of the tokens.
    pub operands: &'static [OperandSpec],
    /// First shader model that has it.
    pub shader_model: (u8, u8),
    /// Stages that have it.
    pub stages: Stages,
    /// The rule of D3D that the instruction follows.
    pub rule: &'static str,
}

macro_rules! define_opcodes {
    ($(($no:literal, $op:ident = $mnemonic:literal, [$($role:ident $kind:ident),*], ($major:literal, $minor:literal), $stages:ident, $rule:literal))*) => {
        /// An instruction of DXBC.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Opcode {
            $(#[doc = $rule] $op = $no),*
        }

        impl Opcode {
            /// All of them, by number.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$op),*];

            /// Returns the opcode with this number in the tokens.
            pub fn from_number(number: u32) -> Option<Self> {
                Some(match number {
                    $($no => Opcode::$op,)*
                    _ => return None,
                })
            }

            /// Returns the row of the table.
            pub fn row(self) -> InstructionSpec {
                match self {
                    $(Opcode::$op => InstructionSpec {
                        number: $no,
                        mnemonic: $mnemonic,
                        operands: &[$(OperandSpec { role: OperandRole::$role, kind: OperandType::$kind }),*],
                        shader_model: ($major, $minor),
                        stages: Stages::$stages,
                        rule: $rule,
                    }),*
                }
            }
        }
    };
}
for_each_dxbc_op!(define_opcodes);

impl Opcode {
    /// Returns the mnemonic, as fxc spells it.
    pub fn mnemonic(self) -> &'static str {
        self.row().mnemonic
    }

    /// Returns whether the instruction is a declaration.
    pub fn is_declaration(self) -> bool {
        matches!(self, Opcode::HsDecls) || self.mnemonic().starts_with("dcl_")
    }

    /// Returns whether its results are floats of 32 bits that `_sat` may clamp.
    pub fn writes_float(self) -> bool {
        self.row().operands.first().is_some_and(|slot| {
            slot.role == OperandRole::Dst
                && matches!(slot.kind, OperandType::F | OperandType::R | OperandType::X)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_231_opcodes_stand_in_order_and_four_numbers_are_reserved() {
        let numbers: Vec<u16> = Opcode::ALL.iter().map(|op| op.row().number).collect();
        let reserved = [107, 112, 209, 218];
        let expected: Vec<u16> = (0..235).filter(|no| !reserved.contains(no)).collect();
        assert_eq!(numbers, expected);
        for &op in Opcode::ALL {
            assert_eq!(Opcode::from_number(u32::from(op.row().number)), Some(op));
        }
        for number in reserved {
            assert_eq!(Opcode::from_number(u32::from(number)), None);
        }
    }

    #[test]
    fn mnemonics_are_unique() {
        let mut names: Vec<_> = Opcode::ALL.iter().map(|op| op.mnemonic()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
