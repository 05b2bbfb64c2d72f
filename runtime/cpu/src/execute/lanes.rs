//! Operations on each lane by itself: an operation for all lanes of a wave in one loop.
//!
//! Registers lie in chunks of [`WIDTH`] lanes, which the compiler turns into vector instructions. A
//! chunk is read before it is written, so that a result may take an operand's place.

use std::cell::Cell;

use super::{first_nan, float, integer};
use crate::decode::code::RegisterSlot;
use crate::decode::lane_ops::{LaneOp, for_each_lane_op};
use crate::schedule::stack::Mask;

/// Lanes of a chunk.
pub(crate) const WIDTH: usize = 8;
/// Maximum number of lanes of a wave.
pub(crate) const MAX_LANES: usize = 128;

/// A chunk of 32-bit registers.
pub(crate) type Narrow = Cell<[u32; WIDTH]>;
/// A chunk of 64-bit registers.
pub(crate) type Wide = Cell<[u64; WIDTH]>;

/// Returns the results of `value` for each lane of a chunk. It is always inlined, unlike
/// `std::array::from_fn`, so that it becomes vector instructions.
#[inline(always)]
pub(crate) fn by_lane<T: Copy + Default>(mut value: impl FnMut(usize) -> T) -> [T; WIDTH] {
    let mut all = [T::default(); WIDTH];
    for (i, one) in all.iter_mut().enumerate() {
        *one = value(i);
    }
    all
}

/// Writes all ones for each lane of a mask.
pub(super) fn expand(mask: Mask, words: &mut [[u32; WIDTH]]) {
    for (chunk, words) in words.iter_mut().enumerate() {
        let bits = (mask >> (chunk * WIDTH)) as u32;
        *words = by_lane(|i| 0_u32.wrapping_sub(bits >> i & 1));
    }
}

/// The registers of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Registers<'a> {
    pub(crate) narrow: &'a [Narrow],
    pub(crate) wide: &'a [Wide],
    /// Chunks of a register.
    pub(crate) chunks: usize,
}

impl Registers<'_> {
    /// Returns a lane's value of a register; 0 if there is none.
    #[inline]
    pub(crate) fn get(&self, slot: RegisterSlot, lane: usize) -> u64 {
        match slot.kind() {
            _ if slot.is_none() => 0,
            W => u64::from(self.word(slot, lane)),
            D => self.wide[slot.index() * self.chunks + lane / WIDTH].as_array_of_cells()
                [lane % WIDTH]
                .get(),
        }
    }

    /// Returns all chunks of a 32-bit register.
    #[inline]
    pub(crate) fn narrow_chunks(&self, slot: RegisterSlot) -> &[Narrow] {
        let first = slot.index() * self.chunks;
        &self.narrow[first..first + self.chunks]
    }

    /// Returns a lane's value of a 32-bit register.
    #[inline]
    pub(crate) fn word(&self, slot: RegisterSlot, lane: usize) -> u32 {
        if slot.is_none() {
            return 0;
        }
        self.narrow[slot.index() * self.chunks + lane / WIDTH].as_array_of_cells()[lane % WIDTH]
            .get()
    }

    /// Returns the same as a float.
    #[inline]
    pub(crate) fn float(&self, slot: RegisterSlot, lane: usize) -> f32 {
        f32::from_bits(self.word(slot, lane))
    }

    /// Writes a lane of a register, if there is one.
    #[inline]
    pub(crate) fn set(&self, slot: RegisterSlot, lane: usize, value: u64) {
        if slot.is_none() {
            return;
        }
        let chunk = slot.index() * self.chunks + lane / WIDTH;
        match slot.kind() {
            W => self.narrow[chunk].as_array_of_cells()[lane % WIDTH].set(value as u32),
            D => self.wide[chunk].as_array_of_cells()[lane % WIDTH].set(value),
        }
    }

    /// Writes a constant to all lanes of a register.
    pub(crate) fn fill(&self, slot: RegisterSlot, value: u64) {
        let first = slot.index() * self.chunks;
        match slot.kind() {
            W => {
                for chunk in &self.narrow[first..first + self.chunks] {
                    chunk.set([value as u32; WIDTH]);
                }
            }
            D => {
                for chunk in &self.wide[first..first + self.chunks] {
                    chunk.set([value; WIDTH]);
                }
            }
        }
    }
}

use crate::decode::lane_ops::RegisterKind::{D, W};

/// Registers, and the lanes that are on: all ones for each in `mask`.
pub(crate) struct Lanes<'a> {
    pub(crate) registers: Registers<'a>,
    pub(crate) mask: &'a [[u32; WIDTH]],
    /// Whether all lanes of the wave are on.
    pub(crate) all: bool,
}

/// A kind of register, as a type.
trait RegisterFile {
    type Value: Copy + Default;
    /// Returns whether a result is NaN in any lane.
    fn has_nan(values: &[Self::Value; WIDTH]) -> bool;
    fn from_bits(bits: u64) -> Self::Value;
    fn of<'a>(registers: &Registers<'a>, slot: RegisterSlot) -> &'a [Cell<[Self::Value; WIDTH]>];
    fn blend(
        old: [Self::Value; WIDTH],
        new: [Self::Value; WIDTH],
        mask: [u32; WIDTH],
    ) -> [Self::Value; WIDTH];
}

/// 32-bit registers.
struct FileW;
/// 64-bit registers.
struct FileD;

impl RegisterFile for FileW {
    type Value = u32;
    #[inline(always)]
    fn has_nan(values: &[u32; WIDTH]) -> bool {
        // Without branches, so that vector instructions come of it.
        let nan = by_lane(|i| u32::from((values[i] & 0x7fff_ffff) as i32 > 0x7f80_0000));
        nan != [0; WIDTH]
    }
    #[inline(always)]
    fn from_bits(bits: u64) -> u32 {
        bits as u32
    }
    #[inline(always)]
    fn of<'a>(registers: &Registers<'a>, slot: RegisterSlot) -> &'a [Narrow] {
        let first = slot.index() * registers.chunks;
        &registers.narrow[first..first + registers.chunks]
    }
    #[inline(always)]
    fn blend(old: [u32; WIDTH], new: [u32; WIDTH], mask: [u32; WIDTH]) -> [u32; WIDTH] {
        // Without branches, so that vector instructions come of it.
        by_lane(|i| (new[i] & mask[i]) | (old[i] & !mask[i]))
    }
}

impl RegisterFile for FileD {
    type Value = u64;
    #[inline(always)]
    fn has_nan(values: &[u64; WIDTH]) -> bool {
        values.iter().any(|&bits| f64::from_bits(bits).is_nan())
    }
    #[inline(always)]
    fn from_bits(bits: u64) -> u64 {
        bits
    }
    #[inline(always)]
    fn of<'a>(registers: &Registers<'a>, slot: RegisterSlot) -> &'a [Wide] {
        let first = slot.index() * registers.chunks;
        &registers.wide[first..first + registers.chunks]
    }
    #[inline(always)]
    fn blend(old: [u64; WIDTH], new: [u64; WIDTH], mask: [u32; WIDTH]) -> [u64; WIDTH] {
        by_lane(|i| if mask[i] != 0 { new[i] } else { old[i] })
    }
}

#[inline(always)]
fn write<R: RegisterFile, I: Iterator>(
    lanes: &Lanes<'_>,
    dst: RegisterSlot,
    operands: I,
    mut each: impl FnMut(I::Item) -> [R::Value; WIDTH],
) {
    let to = R::of(&lanes.registers, dst);
    // In a local register lanes that are switched off may be overwritten (see `RegisterSlot`).
    if lanes.all || dst.is_local() {
        for (to, operands) in to.iter().zip(operands) {
            to.set(each(operands));
        }
    } else {
        for ((to, operands), mask) in to.iter().zip(operands).zip(lanes.mask) {
            to.set(R::blend(to.get(), each(operands), *mask));
        }
    }
}

/// Returns the results of an operation, where NaNs are those that it keeps.
#[inline(always)]
fn settle<R: RegisterFile>(
    op: LaneOp,
    values: [R::Value; WIDTH],
    operands: impl Fn(usize) -> [u64; 3],
) -> [R::Value; WIDTH] {
    if first_nan::is_commutative(op) && R::has_nan(&values) {
        return by_lane(|i| R::from_bits(first_nan::result(op, operands(i))));
    }
    values
}

macro_rules! file {
    (W) => {
        FileW
    };
    (D) => {
        FileD
    };
}

/// Makes the function of an operation. Each is a function of its own: in one function with all of
/// them the compiler would stop to inline.
macro_rules! operation {
    ($name:ident, $result:ident, [$a:ident: $ka:ident], $body:block) => {
        #[allow(non_snake_case, reason = "named as the operation is")]
        #[inline(never)]
        fn $name(dst: RegisterSlot, args: [RegisterSlot; 3], lanes: &Lanes<'_>) {
            let a = <file!($ka)>::of(&lanes.registers, args[0]);
            write::<file!($result), _>(lanes, dst, a.iter(), |a| {
                let a = a.get();
                by_lane(|i| {
                    let $a = a[i];
                    $body
                })
            });
        }
    };
    ($name:ident, $result:ident, [$a:ident: $ka:ident, $b:ident: $kb:ident], $body:block) => {
        #[allow(non_snake_case, reason = "named as the operation is")]
        #[inline(never)]
        fn $name(dst: RegisterSlot, args: [RegisterSlot; 3], lanes: &Lanes<'_>) {
            let a = <file!($ka)>::of(&lanes.registers, args[0]);
            let b = <file!($kb)>::of(&lanes.registers, args[1]);
            write::<file!($result), _>(lanes, dst, a.iter().zip(b), |(a, b)| {
                let (a, b) = (a.get(), b.get());
                let values = by_lane(|i| {
                    let ($a, $b) = (a[i], b[i]);
                    $body
                });
                settle::<file!($result)>(LaneOp::$name, values, |i| {
                    [u64::from(a[i]), u64::from(b[i]), 0]
                })
            });
        }
    };
    ($name:ident, $result:ident,
        [$a:ident: $ka:ident, $b:ident: $kb:ident, $c:ident: $kc:ident], $body:block) => {
        #[allow(non_snake_case, reason = "named as the operation is")]
        #[inline(never)]
        fn $name(dst: RegisterSlot, args: [RegisterSlot; 3], lanes: &Lanes<'_>) {
            let a = <file!($ka)>::of(&lanes.registers, args[0]);
            let b = <file!($kb)>::of(&lanes.registers, args[1]);
            let c = <file!($kc)>::of(&lanes.registers, args[2]);
            write::<file!($result), _>(lanes, dst, a.iter().zip(b).zip(c), |((a, b), c)| {
                let (a, b, c) = (a.get(), b.get(), c.get());
                let values = by_lane(|i| {
                    let ($a, $b, $c) = (a[i], b[i], c[i]);
                    $body
                });
                settle::<file!($result)>(LaneOp::$name, values, |i| {
                    [u64::from(a[i]), u64::from(b[i]), u64::from(c[i])]
                })
            });
        }
    };
}

macro_rules! define_execution {
    ($($name:ident($($operand:ident: $kind:ident),*) -> $result:ident $body:block)*) => {
        $(operation!($name, $result, [$($operand: $kind),*], $body);)*

        /// Executes an operation.
        #[inline]
        pub(crate) fn execute(
            op: LaneOp,
            dst: RegisterSlot,
            args: [RegisterSlot; 3],
            lanes: &Lanes<'_>,
        ) {
            match op {
                $(LaneOp::$name => $name(dst, args, lanes),)*
            }
        }
    };
}

#[inline(always)]
fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

for_each_lane_op!(define_execution);
