//! [`Opcode`]: the number in a call's first argument, checked against the table.

#![allow(
    clippy::indexing_slicing,
    reason = "only in constants, where an index out of bounds does not compile"
)]

use std::fmt;

use super::Memory;
use super::table::{for_each_dxil_op, for_each_reserved_op};
use crate::{Error, Result};

/// Opcodes of the core table, reserved ones counted: SM 6.0 to 6.9.
pub const OPCODE_COUNT: usize = 312;

/// The experimental table that is known: bits 31 to 16 of its opcodes.
const PREVIEW_TABLE: u32 = 0x8000;

/// Opcodes of that table, reserved ones counted.
const PREVIEW_COUNT: usize = 35;

macro_rules! define_opcodes {
    ($($group:ident = $enum:ident { $(#[doc = $doc:literal] (
        $no:literal, $op:ident $(= $name:literal)?, $class:literal, $operands:tt,
        $overloads:tt, $memory:ident, $sm:tt, $stages:ident, $flags:tt, $hlsl:literal
    ))* })*) => {
        /// An operation of DXIL's core table, or of the preview; the discriminant is its opcode.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Opcode { $($(#[doc = $doc] $op = $no,)*)* }

        const ROWS: &[Opcode] = &[$($(Opcode::$op,)*)*];
    };
}
for_each_dxil_op!(define_opcodes);

/// Returns the operations of a table by their numbers in it: decoding a call costs one index.
const fn by_number<const N: usize>(table: u32) -> [Option<Opcode>; N] {
    let mut found = [None; N];
    let mut row = 0;
    while row < ROWS.len() {
        let number = ROWS[row] as u32;
        if number >> 16 == table {
            found[(number & 0xffff) as usize] = Some(ROWS[row]);
        }
        row += 1;
    }
    found
}

const BY_NUMBER: [Option<Opcode>; OPCODE_COUNT] = by_number(0);
const PREVIEW_BY_NUMBER: [Option<Opcode>; PREVIEW_COUNT] = by_number(PREVIEW_TABLE);

macro_rules! define_reserved {
    ($(($no:literal, $name:ident))*) => {
        /// Opcodes that DXIL keeps free, with the names of the gaps.
        pub const RESERVED: &[(u16, &str)] = &[$(($no, stringify!($name))),*];
    };
}
for_each_reserved_op!(define_reserved);

/// Number of operations that pass the test.
macro_rules! count {
    ($op:ident in $table:ident => $test:expr) => {{
        let (mut count, mut number) = (0, 0);
        while number < $table.len() {
            if let Some($op) = $table[number]
                && $test
            {
                count += 1;
            }
            number += 1;
        }
        count
    }};
}

/// The operations that pass the test, in the order of their numbers.
macro_rules! select {
    ($op:ident in $table:ident => $test:expr) => {
        &const {
            let mut chosen = [Opcode::FAbs; count!($op in $table => $test)];
            let (mut count, mut number) = (0, 0);
            while number < $table.len() {
                if let Some($op) = $table[number]
                    && $test
                {
                    chosen[count] = $op;
                    count += 1;
                }
                number += 1;
            }
            chosen
        }
    };
}

impl Opcode {
    /// Those of released shader models, in the order of their numbers.
    pub const ALL: &'static [Opcode] = select!(_op in BY_NUMBER => true);

    /// Those of the preview shader model, in the order of their numbers.
    pub const PREVIEW: &'static [Opcode] = select!(_op in PREVIEW_BY_NUMBER => true);

    /// Those that do not return: they end the shader.
    pub const NO_RETURN: &'static [Opcode] =
        select!(op in BY_NUMBER => matches!(op.properties().memory, Memory::NoReturn));

    /// Returns the operation with that number. A reserved number, one above its table, and one of
    /// an unknown table (high 16 bits) give a typed error.
    ///
    /// # Errors
    ///
    /// If the number is not that of an operation.
    pub fn from_number(number: u64) -> Result<Self> {
        let entry = usize::try_from(number)
            .ok()
            .and_then(|number| BY_NUMBER.get(number));
        match entry {
            Some(Some(opcode)) => Ok(*opcode),
            _ => preview_opcode(number).ok_or_else(|| unknown_opcode(number)),
        }
    }

    /// Returns the opcode.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns why an operation that only a preview shader model has may not be translated or
    /// executed by a caller who has not asked for it: such operations still change.
    pub fn preview_refusal(self) -> String {
        let name = self.name();
        format!("{name} of the preview shader model 6.10 without leave to use it")
    }

    /// Returns whether only a preview shader model has the operation.
    pub const fn is_preview(self) -> bool {
        self.number() >> 16 == PREVIEW_TABLE
    }
}

/// Returns whether a number is of an operation in another table than the core one, whose number
/// stands in the upper 16 bits (DXC's `OpCodeTableID`). Only experimental shader models have such
/// operations.
pub(crate) fn is_experimental(number: u64) -> bool {
    number >> 16 != 0
}

fn preview_opcode(number: u64) -> Option<Opcode> {
    let index = number.checked_sub(u64::from(PREVIEW_TABLE) << 16)?;
    *PREVIEW_BY_NUMBER.get(usize::try_from(index).ok()?)?
}

#[cold]
fn unknown_opcode(number: u64) -> Error {
    let table = (number >> 16) & 0xffff;
    if number > u64::from(u32::MAX) {
        // Malformed, since the first parameter of every operation is an `i32`.
        return Error::malformed(format!("opcode {number:#x} is wider than 32 bits"));
    }
    // `Unsupported` from here on: a newer compiler may define the number.
    if table != 0 {
        let index = number & 0xffff;
        return Error::unsupported(format!(
            "opcode {number:#x} is number {index} of the experimental op table {table:#x}"
        ));
    }
    match RESERVED.iter().find(|(no, _)| u64::from(*no) == number) {
        Some((_, name)) => Error::unsupported(format!("opcode {number} is reserved ({name})")),
        None => Error::unsupported(format!(
            "opcode {number} is unknown; the last one known is {}",
            OPCODE_COUNT - 1
        )),
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Category;

    #[test]
    fn every_number_is_an_op_or_reserved_and_in_order() {
        let mut numbers: Vec<u32> = Opcode::ALL.iter().map(|op| op.number()).collect();
        assert!(numbers.is_sorted());
        numbers.extend(RESERVED.iter().map(|(no, _)| u32::from(*no)));
        numbers.sort_unstable();
        let all: Vec<u32> = (0..).take(OPCODE_COUNT).collect();
        assert_eq!(numbers, all);
        // One is reserved.
        let mut preview: Vec<u32> = Opcode::PREVIEW.iter().map(|op| op.number()).collect();
        assert!(preview.is_sorted() && preview.len() == 34);
        preview.push(0x8000_0020);
        preview.sort_unstable();
        let all: Vec<u32> = (0x8000_0000..).take(PREVIEW_COUNT).collect();
        assert_eq!(preview, all);
    }

    #[test]
    fn numbers_go_both_ways() {
        for &op in Opcode::ALL.iter().chain(Opcode::PREVIEW) {
            assert_eq!(Opcode::from_number(u64::from(op.number())).unwrap(), op);
        }
        assert_eq!(Opcode::RawBufferLoad.number(), 139);
        assert_eq!(Opcode::FDot.number(), 311);
    }

    #[test]
    fn numbers_without_an_op_are_unsupported_and_say_why() {
        for (number, words) in [
            (226, "opcode 226 is reserved (Reserved0)"),
            (312, "opcode 312 is unknown"),
            (0x8000_0020, "number 32 of the experimental op table 0x8000"),
            (0x8000_0023, "number 35 of the experimental op table 0x8000"),
            (0x8001_0001, "experimental op table 0x8001"),
        ] {
            let error = Opcode::from_number(number).unwrap_err();
            assert_eq!(error.category(), Category::Unsupported);
            assert!(error.to_string().contains(words), "{error}");
        }
        let error = Opcode::from_number(1 << 40).unwrap_err();
        assert_eq!(error.category(), Category::Malformed);
    }
}
