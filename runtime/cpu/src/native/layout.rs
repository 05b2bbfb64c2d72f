//! The linear memory of an instance: what lies where.

use crate::decode::Kernel;
use crate::decode::code::{ComplexOp, Inst};

/// Bytes of a chunk of eight lanes of 32 bits, and of 64.
pub(crate) const NARROW_CHUNK: usize = 32;
pub(crate) const WIDE_CHUNK: usize = 64;

/// Masks of the lanes that run, all ones for each: words of up to 128 lanes.
pub(crate) const MASKS: u32 = 0;
/// The block before the one that code stops in; all ones if it began there.
pub(crate) const PREVIOUS: u32 = 512;
/// Steps that are left.
pub(crate) const FUEL: u32 = 516;
/// A vector that nobody reads.
pub(crate) const SCRATCH: u32 = 528;
/// The words of private memory of each lane of the wave.
pub(crate) const PRIVATE_WORDS: u32 = 520;
/// Where the waves begin.
const FIRST_WAVE: usize = 1024;
/// Maximum number of bytes of an instance.
const MAX_BYTES: usize = 1 << 30;

/// The places of the registers of a group's waves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemoryLayout {
    /// Bytes of the 32-bit registers of all calls of a wave, and of the 64-bit ones.
    pub(crate) narrow_bytes: usize,
    pub(crate) wide_bytes: usize,
    /// Bytes of the private memory of a wave.
    pub(crate) private_bytes: usize,
    /// Where groupshared memory begins, and its words.
    pub(crate) groupshared: usize,
    pub(crate) groupshared_words: usize,
    /// Where the constants of the module begin, and their number.
    pub(crate) constants: usize,
    pub(crate) constant_words: usize,
    pub(crate) bytes: usize,
}

impl MemoryLayout {
    /// Returns the layout; none if calls have no bound, or take too much memory.
    pub(crate) fn new(kernel: &Kernel) -> Option<MemoryLayout> {
        let lanes = kernel.wave_size() as usize;
        let chunks = lanes.div_ceil(8);
        let threads: u32 = kernel.num_threads().iter().product();
        let waves = threads.div_ceil(kernel.wave_size()) as usize;
        let mut depths = vec![Depth::Unknown; kernel.functions.len()];
        let need = depth(kernel, 0, &mut depths, 0)?;
        let [narrow, wide, private] = need;
        let private = private.checked_add(kernel.first_statics(0).len())?;
        let narrow_bytes = narrow.checked_mul(chunks * NARROW_CHUNK)?;
        let narrow_bytes = narrow_bytes.checked_next_multiple_of(64)?;
        let wide_bytes = wide.checked_mul(chunks * WIDE_CHUNK)?;
        let private_bytes = private.checked_mul(lanes)?.checked_mul(4)?;
        let private_bytes = private_bytes.checked_next_multiple_of(64)?;
        let bytes = narrow_bytes
            .checked_add(wide_bytes)?
            .checked_add(private_bytes)?;
        let groupshared = bytes.checked_mul(waves)?.checked_add(FIRST_WAVE)?;
        let groupshared_words = kernel.shared_words as usize;
        let constants = groupshared.checked_add(groupshared_words.checked_mul(4)?)?;
        let constant_words = kernel.constants.len();
        let bytes = constants.checked_add(constant_words.checked_mul(4)?)?;
        (bytes <= MAX_BYTES).then_some(MemoryLayout {
            narrow_bytes,
            wide_bytes,
            private_bytes,
            groupshared,
            groupshared_words,
            constants,
            constant_words,
            bytes,
        })
    }

    /// Returns where the 32-bit registers of a wave begin; the 64-bit ones and private memory
    /// follow.
    pub(crate) fn wave(&self, number: usize) -> usize {
        FIRST_WAVE + number * (self.narrow_bytes + self.wide_bytes + self.private_bytes)
    }
}

/// The registers and words of private memory that a function and the calls in it take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Unknown,
    Open,
    Known([usize; 3]),
}

/// Deepest nesting of calls that is looked at.
const MAX_NESTING: u32 = 100;

fn depth(kernel: &Kernel, function: u32, depths: &mut [Depth], nesting: u32) -> Option<[usize; 3]> {
    let number = function as usize;
    match depths.get(number)? {
        Depth::Known(need) => return Some(*need),
        Depth::Open => return None,
        Depth::Unknown if nesting > MAX_NESTING => return None,
        Depth::Unknown => depths[number] = Depth::Open,
    }
    let code = &kernel.functions[number];
    let mut need = [0; 3];
    for inst in &code.insts {
        if let Inst::Complex(index) = inst
            && let ComplexOp::Call(callee) = code.complex[*index as usize].op
        {
            let of_callee = depth(kernel, callee, depths, nesting + 1)?;
            need = [0, 1, 2].map(|i| need[i].max(of_callee[i]));
        }
    }
    need[0] += code.narrow_slots as usize;
    need[1] += code.wide_slots as usize;
    need[2] += code.private_words as usize;
    depths[number] = Depth::Known(need);
    Some(need)
}
