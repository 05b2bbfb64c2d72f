//! Types, values and constants of a module, by their numbers.

use dxil_frontend::bitcode::bit_writer::{BitWriter, rotate_sign};

/// A row of the type table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TypeNumber(pub(crate) u32);

/// A value, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value(pub(crate) u32);

/// A function that bodies call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function {
    pub(crate) value: Value,
    pub(crate) ty: TypeNumber,
    /// Whether it has a result.
    pub(crate) returns: bool,
}

/// Rows of the type table that every module has.
pub(crate) mod ty {
    use crate::constants::TypeNumber;

    pub(crate) const VOID: TypeNumber = TypeNumber(0);
    pub(crate) const I32: TypeNumber = TypeNumber(1);
    pub(crate) const I1: TypeNumber = TypeNumber(2);
    pub(crate) const I8: TypeNumber = TypeNumber(3);
    pub(crate) const I8_POINTER: TypeNumber = TypeNumber(4);
    pub(crate) const HANDLE: TypeNumber = TypeNumber(5);
    pub(crate) const LOADED: TypeNumber = TypeNumber(6);
    pub(crate) const BUFFER: TypeNumber = TypeNumber(7);
    pub(crate) const BUFFER_POINTER: TypeNumber = TypeNumber(8);
    pub(crate) const MAIN: TypeNumber = TypeNumber(9);
    pub(crate) const MAIN_POINTER: TypeNumber = TypeNumber(10);
    pub(crate) const THREAD_ID: TypeNumber = TypeNumber(11);
    pub(crate) const CREATE_HANDLE: TypeNumber = TypeNumber(12);
    pub(crate) const BUFFER_LOAD: TypeNumber = TypeNumber(13);
    pub(crate) const BUFFER_STORE: TypeNumber = TypeNumber(14);
    pub(crate) const HELPER: TypeNumber = TypeNumber(15);
}

/// A constant. It refers to others by their index in the table.
enum Constant {
    Integer(i64),
    Undefined,
    Sum(usize, usize),
    Aggregate(Vec<usize>),
}

/// A table of constants.
#[derive(Default)]
pub(crate) struct Constants {
    rows: Vec<(TypeNumber, Constant)>,
    base: u32,
}

impl Constants {
    fn add(&mut self, ty: TypeNumber, constant: Constant) -> usize {
        self.rows.push((ty, constant));
        self.rows.len() - 1
    }

    pub(crate) fn integer(&mut self, ty: TypeNumber, value: i64) -> usize {
        self.add(ty, Constant::Integer(value))
    }

    pub(crate) fn undefined(&mut self, ty: TypeNumber) -> usize {
        self.add(ty, Constant::Undefined)
    }

    /// Returns the sum of two constants, as an expression.
    pub(crate) fn sum(&mut self, ty: TypeNumber, a: usize, b: usize) -> usize {
        self.add(ty, Constant::Sum(a, b))
    }

    pub(crate) fn aggregate(&mut self, ty: TypeNumber, elements: Vec<usize>) -> usize {
        self.add(ty, Constant::Aggregate(elements))
    }

    /// Numbers the constants from `base` on; returns the number after the last one.
    pub(crate) fn number_from(&mut self, base: u32) -> u32 {
        self.base = base;
        self.end()
    }

    /// Returns the number after the last constant.
    pub(crate) fn end(&self) -> u32 {
        self.base + self.rows.len() as u32
    }

    pub(crate) fn value(&self, index: usize) -> Value {
        Value(self.base + index as u32)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the records ("LLVM Bitcode File Format", "CONSTANTS_BLOCK Contents").
    pub(crate) fn write(&self, out: &mut BitWriter) {
        let number = |index: &usize| u64::from(self.base) + *index as u64;
        let mut present = None;
        for (ty, constant) in &self.rows {
            if present != Some(*ty) {
                out.record(1, [u64::from(ty.0)]);
                present = Some(*ty);
            }
            match constant {
                Constant::Integer(value) => out.record(4, [rotate_sign(*value)]),
                Constant::Undefined => out.record(3, []),
                Constant::Sum(a, b) => out.record(10, [0, number(a), number(b)]),
                Constant::Aggregate(elements) => {
                    out.record(7, Vec::from_iter(elements.iter().map(number)));
                }
            }
        }
    }
}
