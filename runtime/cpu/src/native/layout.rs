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
/// A word that nobody reads.
pub(crate) const SCRATCH: u32 = 520;
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
        let (narrow, wide) = depth(kernel, 0, &mut depths, 0)?;
        let narrow_bytes = narrow.checked_mul(chunks * NARROW_CHUNK)?;
        let narrow_bytes = narrow_bytes.checked_next_multiple_of(64)?;
        let wide_bytes = wide.checked_mul(chunks * WIDE_CHUNK)?;
        let bytes = narrow_bytes.checked_add(wide_bytes)?;
        let bytes = bytes.checked_mul(waves)?.checked_add(FIRST_WAVE)?;
        (bytes <= MAX_BYTES).then_some(MemoryLayout {
            narrow_bytes,
            wide_bytes,
            bytes,
        })
    }

    /// Returns where the 32-bit registers of a wave begin; the 64-bit ones follow.
    pub(crate) fn wave(&self, number: usize) -> usize {
        FIRST_WAVE + number * (self.narrow_bytes + self.wide_bytes)
    }
}

/// The registers that a function and the calls in it take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Unknown,
    Open,
    Known(usize, usize),
}

/// Deepest nesting of calls that is looked at.
const MAX_NESTING: u32 = 100;

fn depth(
    kernel: &Kernel,
    function: u32,
    depths: &mut [Depth],
    nesting: u32,
) -> Option<(usize, usize)> {
    let number = function as usize;
    match depths.get(number)? {
        Depth::Known(narrow, wide) => return Some((*narrow, *wide)),
        Depth::Open => return None,
        Depth::Unknown if nesting > MAX_NESTING => return None,
        Depth::Unknown => depths[number] = Depth::Open,
    }
    let code = &kernel.functions[number];
    let (mut narrow, mut wide) = (0, 0);
    for inst in &code.insts {
        if let Inst::Complex(index) = inst
            && let ComplexOp::Call(callee) = code.complex[*index as usize].op
        {
            let of_callee = depth(kernel, callee, depths, nesting + 1)?;
            (narrow, wide) = (of_callee.0.max(narrow), of_callee.1.max(wide));
        }
    }
    narrow += code.narrow_slots as usize;
    wide += code.wide_slots as usize;
    depths[number] = Depth::Known(narrow, wide);
    Some((narrow, wide))
}
