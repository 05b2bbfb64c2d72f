//! LLVM 3.7's standard abbreviations.
//!
//! Readers need none of them, but modules are a third smaller with them, and DXC's have them.

use crate::bitcode::abbrev::AbbrevOp::{self, Array, Literal, Scalar, Vbr6};
use crate::bitcode::abbrev::ScalarEncoding::{Char6, Fixed, Vbr};
use crate::bitcode::bit_writer::BitWriter;
use crate::bitcode::block_ids::{CONSTANTS_BLOCK, FUNCTION_BLOCK, VALUE_SYMTAB_BLOCK};
use crate::bitcode::constants::{CE_CAST, INTEGER, NULL, SETTYPE};
use crate::bitcode::function::code;
use crate::bitcode::symtab::{BLOCK_ENTRY, ENTRY};
use crate::ir::Module;

/// Id of the abbreviation for plain variables, the first one of the module block.
pub(super) const GLOBAL_ABBREV: u64 = 4;

const BLOCK_INFO: u32 = 0;
const SET_BLOCK: u32 = 1;

/// Returns the number of bits that distinguish `count` numbers.
pub(super) fn bits_for(count: u64) -> u8 {
    let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
    // At most 64.
    u8::try_from(bits).unwrap_or(64)
}

/// Returns the bits of a type id in abbreviations. One more than the number of types is counted, as
/// in LLVM.
pub(super) fn type_bits(module: &Module) -> u8 {
    bits_for(module.types.len() as u64 + 1).max(1)
}

/// An abbreviation with its id.
type Abbrev = (u64, &'static [AbbrevOp]);

/// Names of values and blocks, with any characters.
pub(super) const ANY_NAME: Abbrev = (4, &[Scalar(Fixed(3)), Scalar(Vbr(8)), Array(Fixed(8))]);
/// Names of values in ASCII.
pub(super) const SEVEN_BIT_NAME: Abbrev = (5, &[Literal(ENTRY), Scalar(Vbr(8)), Array(Fixed(7))]);
/// Names of values of letters, digits, dots and underscores.
pub(super) const SIX_BIT_NAME: Abbrev = (6, &[Literal(ENTRY), Scalar(Vbr(8)), Array(Char6)]);
/// Names of blocks of the same.
pub(super) const SIX_BIT_BLOCK_NAME: Abbrev =
    (7, &[Literal(BLOCK_ENTRY), Scalar(Vbr(8)), Array(Char6)]);

/// The abbreviations of constants, for a width of type ids.
pub(super) struct ConstantAbbrevs {
    pub(super) set_type: [AbbrevOp; 2],
    pub(super) integer: [AbbrevOp; 2],
    pub(super) cast: [AbbrevOp; 4],
    null: [AbbrevOp; 1],
}

impl ConstantAbbrevs {
    pub(super) const SET_TYPE: u64 = 4;
    pub(super) const INTEGER: u64 = 5;
    pub(super) const CAST: u64 = 6;
    /// Id of the first abbreviation that a block defines itself.
    pub(super) const FIRST_OWN: u64 = 8;

    pub(super) fn new(type_bits: u8) -> Self {
        ConstantAbbrevs {
            set_type: [Literal(SETTYPE), Scalar(Fixed(type_bits))],
            integer: [Literal(INTEGER), Scalar(Vbr(8))],
            cast: [
                Literal(CE_CAST),
                Scalar(Fixed(4)),
                Scalar(Fixed(type_bits)),
                Scalar(Vbr(8)),
            ],
            // LLVM defines it and does not use it.
            null: [Literal(NULL)],
        }
    }
}

/// The abbreviations of instructions, for a width of type ids.
pub(super) struct InstAbbrevs {
    pub(super) load: [AbbrevOp; 5],
    pub(super) binary: [AbbrevOp; 4],
    pub(super) binary_flags: [AbbrevOp; 5],
    pub(super) cast: [AbbrevOp; 4],
    pub(super) ret_void: [AbbrevOp; 1],
    pub(super) ret: [AbbrevOp; 2],
    pub(super) unreachable: [AbbrevOp; 1],
    pub(super) gep: [AbbrevOp; 4],
}

impl InstAbbrevs {
    pub(super) const LOAD: u64 = 4;
    pub(super) const BINARY: u64 = 5;
    pub(super) const BINARY_FLAGS: u64 = 6;
    pub(super) const CAST: u64 = 7;
    pub(super) const RET_VOID: u64 = 8;
    pub(super) const RET: u64 = 9;
    pub(super) const UNREACHABLE: u64 = 10;
    pub(super) const GEP: u64 = 11;

    pub(super) fn new(type_bits: u8) -> Self {
        InstAbbrevs {
            load: [
                Literal(code::LOAD),
                Vbr6,
                Scalar(Fixed(type_bits)),
                Scalar(Vbr(4)),
                Scalar(Fixed(1)),
            ],
            binary: [Literal(code::BINOP), Vbr6, Vbr6, Scalar(Fixed(4))],
            binary_flags: [
                Literal(code::BINOP),
                Vbr6,
                Vbr6,
                Scalar(Fixed(4)),
                Scalar(Fixed(7)),
            ],
            cast: [
                Literal(code::CAST),
                Vbr6,
                Scalar(Fixed(type_bits)),
                Scalar(Fixed(4)),
            ],
            ret_void: [Literal(code::RET)],
            ret: [Literal(code::RET), Vbr6],
            unreachable: [Literal(code::UNREACHABLE)],
            gep: [
                Literal(code::GEP),
                Scalar(Fixed(1)),
                Scalar(Fixed(type_bits)),
                Array(Vbr(6)),
            ],
        }
    }
}

/// Writes BLOCKINFO: the abbreviations of all blocks of a kind.
pub(super) fn write_block_info(out: &mut BitWriter, module: &Module) {
    let type_bits = type_bits(module);
    out.enter(BLOCK_INFO, 2);
    out.record(SET_BLOCK, [u64::from(VALUE_SYMTAB_BLOCK)]);
    for (_, ops) in [ANY_NAME, SEVEN_BIT_NAME, SIX_BIT_NAME, SIX_BIT_BLOCK_NAME] {
        out.define(ops);
    }
    let constants = ConstantAbbrevs::new(type_bits);
    out.record(SET_BLOCK, [u64::from(CONSTANTS_BLOCK)]);
    out.define(&constants.set_type);
    out.define(&constants.integer);
    out.define(&constants.cast);
    out.define(&constants.null);
    let insts = InstAbbrevs::new(type_bits);
    out.record(SET_BLOCK, [u64::from(FUNCTION_BLOCK)]);
    out.define(&insts.load);
    out.define(&insts.binary);
    out.define(&insts.binary_flags);
    out.define(&insts.cast);
    out.define(&insts.ret_void);
    out.define(&insts.ret);
    out.define(&insts.unreachable);
    out.define(&insts.gep);
    out.leave();
}

#[cfg(test)]
mod tests {
    use super::bits_for;

    #[test]
    fn bits_are_the_binary_logarithm_rounded_up() {
        let bits = [0, 1, 2, 3, 4, 5, 8, 9].map(bits_for);
        assert_eq!(bits, [0, 0, 1, 2, 2, 3, 3, 4]);
    }
}
