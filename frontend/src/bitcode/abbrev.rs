//! Abbreviations: how the fields of a record are packed.
//!
//! All operations of all abbreviations lie in one arena; an abbreviation is a range of it. A block
//! starts with those that BLOCKINFO gave its kind and may define more.

use smallvec::{SmallVec, smallvec};

use super::bits::Bits;
use crate::error::{ErrorKind, Result};

/// Most operations of one abbreviation. LLVM's longest has 8.
const MAX_OPS: u64 = 32;

/// One field, or one run of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// A constant that takes no bits.
    Literal(u64),
    /// A scalar.
    Scalar(Scalar),
    /// A count (vbr6) and that many scalars.
    Array(Scalar),
    /// A count (vbr6), then aligned bytes.
    Blob,
}

/// A scalar field; widths are never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Fixed(u32),
    Vbr(u32),
    Char6,
}

impl Scalar {
    /// Bits that it takes at least; never zero.
    pub(super) fn min_bits(self) -> usize {
        match self {
            Scalar::Fixed(width) | Scalar::Vbr(width) => width as usize,
            Scalar::Char6 => 6,
        }
    }
}

/// A range of [`Abbrevs::ops`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Abbrev {
    start: u32,
    end: u32,
}

/// All abbreviations of a stream.
#[derive(Debug)]
pub(super) struct Abbrevs {
    ops: Vec<Op>,
    /// By block id; ids of LLVM's blocks are below 32.
    info: Vec<(u32, SmallVec<[Abbrev; 8]>)>,
    /// Those defined inside of the open blocks, innermost last.
    local: Vec<Abbrev>,
}

impl Default for Abbrevs {
    fn default() -> Self {
        Abbrevs {
            // What LLVM defines in every module.
            ops: Vec::with_capacity(96),
            info: Vec::with_capacity(4),
            local: Vec::with_capacity(16),
        }
    }
}

impl Abbrevs {
    /// Operations of an abbreviation.
    pub(super) fn ops(&self, abbrev: Abbrev) -> &[Op] {
        let range = abbrev.start as usize..abbrev.end as usize;
        self.ops.get(range).unwrap_or_default()
    }

    /// One operation.
    #[inline]
    pub(super) fn op(&self, abbrev: Abbrev, index: usize) -> Option<Op> {
        let at = abbrev.start as usize + index;
        if at < abbrev.end as usize {
            self.ops.get(at).copied()
        } else {
            None
        }
    }

    /// The list of a block kind: its index for [`Abbrevs::find`].
    pub(super) fn info_index(&self, block: u32) -> Option<usize> {
        self.info.iter().position(|(id, _)| *id == block)
    }

    /// The `index`-th abbreviation of a block: first those of its kind, then its own.
    #[inline]
    pub(super) fn find(&self, info: Option<usize>, locals: usize, index: usize) -> Option<Abbrev> {
        let shared = info
            .and_then(|info| self.info.get(info))
            .map_or(&[] as &[Abbrev], |(_, list)| list.as_slice());
        match shared.get(index) {
            Some(abbrev) => Some(*abbrev),
            None => self.local.get(locals + (index - shared.len())).copied(),
        }
    }

    /// Number of open local abbreviations; give it back to [`Abbrevs::close`].
    pub(super) fn open(&self) -> usize {
        self.local.len()
    }

    /// Forgets the local abbreviations from `locals` on.
    pub(super) fn close(&mut self, locals: usize) {
        self.local.truncate(locals);
    }

    /// Defines one for the present block.
    pub(super) fn define_local(&mut self, bits: &mut Bits<'_>) -> Result<()> {
        let abbrev = self.read(bits)?;
        self.local.push(abbrev);
        Ok(())
    }

    /// Defines one for all later blocks of a kind (BLOCKINFO).
    pub(super) fn define_for(&mut self, block: u32, bits: &mut Bits<'_>) -> Result<()> {
        let abbrev = self.read(bits)?;
        match self.info.iter_mut().find(|(id, _)| *id == block) {
            Some((_, list)) => list.push(abbrev),
            None => {
                if self.info.len() >= 64 {
                    return Err(bits.err(ErrorKind::Limit {
                        what: "kinds of blocks with abbreviations",
                        value: self.info.len() as u64,
                        limit: 64,
                    }));
                }
                self.info.push((block, smallvec![abbrev]));
            }
        }
        Ok(())
    }

    fn read(&mut self, bits: &mut Bits<'_>) -> Result<Abbrev> {
        let count = bits.vbr(5)?;
        if count > MAX_OPS {
            return Err(bits.err(ErrorKind::Limit {
                what: "operations of an abbreviation",
                value: count,
                limit: MAX_OPS,
            }));
        }
        let start = self.ops.len();
        let mut left = count;
        while left > 0 {
            left -= 1;
            let op = match read_op(bits)? {
                RawOp::Done(op) => op,
                RawOp::Array => {
                    if left != 1 {
                        return Err(bits.err(ErrorKind::Malformed(
                            "an abbreviation's array is not its last operation but one".into(),
                        )));
                    }
                    left -= 1;
                    match read_op(bits)? {
                        RawOp::Done(Op::Scalar(scalar)) => Op::Array(scalar),
                        RawOp::Done(Op::Literal(_) | Op::Array(_) | Op::Blob) | RawOp::Array => {
                            return Err(bits.err(ErrorKind::Malformed(
                                "an abbreviation's array has no scalar elements".into(),
                            )));
                        }
                    }
                }
            };
            self.ops.push(op);
        }
        // The first operation is the record's code.
        if !matches!(self.ops.get(start), Some(Op::Literal(_) | Op::Scalar(_))) {
            return Err(bits.err(ErrorKind::Malformed(
                "an abbreviation does not begin with a record code".into(),
            )));
        }
        let place = |index: usize| {
            u32::try_from(index)
                .map_err(|_| bits.err(ErrorKind::Malformed("too many abbreviations".into())))
        };
        Ok(Abbrev {
            start: place(start)?,
            end: place(self.ops.len())?,
        })
    }
}

/// An operation as written; an array's element follows.
enum RawOp {
    Done(Op),
    Array,
}

#[inline]
fn read_op(bits: &mut Bits<'_>) -> Result<RawOp> {
    let window = bits.window();
    if window & 1 == 1 {
        // Nearly all literals are below 128.
        if window & 0x100 == 0 {
            bits.advance(9)?;
            return Ok(RawOp::Done(Op::Literal(window >> 1 & 0x7f)));
        }
        bits.advance(1)?;
        return Ok(RawOp::Done(Op::Literal(bits.vbr(8)?)));
    }
    let encoding = window >> 1 & 7;
    bits.advance(4)?;
    let op = match encoding {
        1 | 2 => {
            let width = bits.vbr(5)?;
            match (encoding, u32::try_from(width).unwrap_or(u32::MAX)) {
                // LLVM writes zero-width fields for enumerations with one value.
                (_, 0) => Op::Literal(0),
                (1, width @ 1..=64) => Op::Scalar(Scalar::Fixed(width)),
                (2, width @ 2..=32) => Op::Scalar(Scalar::Vbr(width)),
                _ => {
                    return Err(bits.err(ErrorKind::BadValue {
                        what: "width of an abbreviated field",
                        value: width,
                        rule: "fixed fields have up to 64 bits, variable ones 2 to 32",
                    }));
                }
            }
        }
        3 => return Ok(RawOp::Array),
        4 => Op::Scalar(Scalar::Char6),
        5 => Op::Blob,
        _ => {
            return Err(bits.err(ErrorKind::BadValue {
                what: "encoding of an abbreviated field",
                value: encoding,
                rule: "1 fixed, 2 vbr, 3 array, 4 char6, 5 blob",
            }));
        }
    };
    Ok(RawOp::Done(op))
}
