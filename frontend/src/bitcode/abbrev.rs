//! Abbreviations: how the fields of a record are packed.
//!
//! All operations of all abbreviations lie in one arena; an abbreviation is a range of it. A block
//! starts with those that BLOCKINFO gave its kind and may define more.

use smallvec::{SmallVec, smallvec};

use super::bits::{Bits, Run};
use crate::error::{Error, ErrorKind, Result};

/// Maximum number of operations of one abbreviation. LLVM's longest has 8.
const MAX_OPS: u64 = 32;

/// One field, or one run of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AbbrevOp {
    /// A constant that takes no bits.
    Literal(u32),
    /// A scalar in chunks of six bits, the commonest one.
    Vbr6,
    /// A scalar of another encoding.
    Scalar(ScalarEncoding),
    /// A count (vbr6) and that many scalars.
    Array(ScalarEncoding),
    /// A count (vbr6), then aligned bytes.
    Blob,
}

/// A scalar field; widths are never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarEncoding {
    Fixed(u8),
    Vbr(u8),
    Char6,
}

impl ScalarEncoding {
    /// Returns the number of bits that it takes at least; never zero.
    pub(super) fn min_bits(self) -> usize {
        match self {
            ScalarEncoding::Fixed(width) | ScalarEncoding::Vbr(width) => usize::from(width),
            ScalarEncoding::Char6 => 6,
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
    ops: Vec<AbbrevOp>,
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
    /// Returns the operations of an abbreviation.
    pub(super) fn ops(&self, abbrev: Abbrev) -> &[AbbrevOp] {
        let range = abbrev.start as usize..abbrev.end as usize;
        self.ops.get(range).unwrap_or_default()
    }

    /// Returns the list of a block kind: its index for [`Abbrevs::find`].
    pub(super) fn info_index(&self, block: u32) -> Option<usize> {
        self.info.iter().position(|(id, _)| *id == block)
    }

    /// Returns the `index`-th abbreviation of a block: first those of its kind, then its own.
    #[inline]
    pub(super) fn find(&self, info: Option<usize>, locals: usize, index: usize) -> Option<Abbrev> {
        let shared = info
            .and_then(|info| self.info.get(info))
            .map_or(&[] as &[Abbrev], |(_, list)| list.as_slice());
        match shared.get(index) {
            // LLVM Bitcode File Format, "DEFINE_ABBREV Encoding": abbreviations of BLOCKINFO get
            // the first ids, those of the block itself follow.
            Some(abbrev) => Some(*abbrev),
            None => self.local.get(locals + (index - shared.len())).copied(),
        }
    }

    /// Returns the number of open local abbreviations; give it back to [`Abbrevs::close`].
    pub(super) fn open(&self) -> usize {
        self.local.len()
    }

    /// Forgets the local abbreviations from `locals` on.
    pub(super) fn close(&mut self, locals: usize) {
        self.local.truncate(locals);
    }

    /// Defines one for the present block.
    pub(super) fn define_local<'a>(&mut self, bits: &mut Bits<'a>, run: Run<'a>) -> Result<()> {
        let abbrev = self.read(bits, run)?;
        self.local.push(abbrev);
        Ok(())
    }

    /// Defines one for all later blocks of a kind (BLOCKINFO).
    pub(super) fn define_for<'a>(
        &mut self,
        block: u32,
        bits: &mut Bits<'a>,
        run: Run<'a>,
    ) -> Result<()> {
        let abbrev = self.read(bits, run)?;
        match self.info.iter_mut().find(|(id, _)| *id == block) {
            Some((_, list)) => list.push(abbrev),
            None => {
                // Block kinds are found by linear search, so their number must stay small.
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

    /// Reads a definition and moves past it.
    fn read<'a>(&mut self, bits: &mut Bits<'a>, mut run: Run<'a>) -> Result<Abbrev> {
        let count = run.vbr(5);
        if count > MAX_OPS {
            return Err(bits.err(ErrorKind::Limit {
                what: "operations of an abbreviation",
                value: count,
                limit: MAX_OPS,
            }));
        }
        let start = self.ops.len();
        let mut left = count;
        while left != 0 {
            left -= 1;
            let op = match read_op(&mut run) {
                RawOp::Scalar(ScalarEncoding::Vbr(6)) => AbbrevOp::Vbr6,
                RawOp::Scalar(scalar) => AbbrevOp::Scalar(scalar),
                RawOp::Literal(value) => AbbrevOp::Literal(value),
                // LLVM Bitcode File Format, "DEFINE_ABBREV Encoding": an array is the last
                // operation but for the one that gives its element type.
                RawOp::Array if left == 1 => {
                    left = 0;
                    match read_op(&mut run) {
                        RawOp::Scalar(scalar) => AbbrevOp::Array(scalar),
                        other => return Err(wrong_op(bits, other)),
                    }
                }
                RawOp::Array => {
                    return Err(bits.err(ErrorKind::Malformed(
                        "an abbreviation's array is not its last operation but one".into(),
                    )));
                }
                RawOp::Blob => AbbrevOp::Blob,
                other => return Err(wrong_op(bits, other)),
            };
            self.ops.push(op);
        }
        bits.finish(run)?;
        // The first operation is the record's code.
        if !matches!(
            self.ops.get(start),
            Some(AbbrevOp::Literal(_) | AbbrevOp::Vbr6 | AbbrevOp::Scalar(_))
        ) {
            return Err(bits.err(ErrorKind::Malformed(
                "an abbreviation does not begin with a record code".into(),
            )));
        }
        match (u32::try_from(start), u32::try_from(self.ops.len())) {
            (Ok(start), Ok(end)) => Ok(Abbrev { start, end }),
            _ => Err(bits.err(ErrorKind::Malformed("too many abbreviations".into()))),
        }
    }
}

/// An operation as written; an array's element follows.
enum RawOp {
    Literal(u32),
    Scalar(ScalarEncoding),
    Array,
    Blob,
    /// A literal that does not fit.
    LargeLiteral(u64),
    /// A field of a width that there is not.
    Width(u64),
    /// An encoding that there is not.
    Unknown(u64),
}

/// Returns the error for an operation that there is not.
#[cold]
#[inline(never)]
fn wrong_op(bits: &Bits<'_>, op: RawOp) -> Error {
    bits.err(match op {
        // The arena keeps literals in 32 bits: they are record codes and small flags.
        RawOp::LargeLiteral(value) => ErrorKind::Limit {
            what: "literal of an abbreviation",
            value,
            limit: u64::from(u32::MAX),
        },
        RawOp::Width(value) => ErrorKind::BadValue {
            what: "width of an abbreviated field",
            value,
            rule: "fixed fields have up to 64 bits, variable ones 2 to 32",
        },
        RawOp::Unknown(value) => ErrorKind::BadValue {
            what: "encoding of an abbreviated field",
            value,
            rule: "1 fixed, 2 vbr, 3 array, 4 char6, 5 blob",
        },
        // A literal takes no bits: an array of them could claim any length at no cost in bytes.
        RawOp::Literal(_) | RawOp::Scalar(_) | RawOp::Array | RawOp::Blob => {
            ErrorKind::Malformed("an abbreviation's array has no scalar elements".into())
        }
    })
}

#[inline(always)]
fn read_op(run: &mut Run<'_>) -> RawOp {
    const LITERAL: u64 = 1;
    // One look covers the flag with the first chunk of a literal, and the flag with an encoding.
    let window = run.peek(9);
    // Nearly all literals are below 128, and nearly all widths below 16: one chunk.
    let is_short = window & 0x100 == 0;
    if window & LITERAL != 0 {
        if is_short {
            run.drop_bits(9);
            return RawOp::Literal(u32::try_from(window >> 1 & 0x7f).unwrap_or_default());
        }
        run.drop_bits(1);
        let value = run.vbr(8);
        return match u32::try_from(value) {
            Ok(value) => RawOp::Literal(value),
            Err(_) => RawOp::LargeLiteral(value),
        };
    }
    let encoding = window >> 1 & 7;
    if matches!(encoding, 1 | 2) {
        let width = if is_short {
            run.drop_bits(9);
            window >> 4 & 0xf
        } else {
            run.drop_bits(4);
            run.vbr(5)
        };
        return match (encoding, u8::try_from(width).unwrap_or(u8::MAX)) {
            // LLVM writes zero-width fields for enumerations with one value; its reader takes them
            // as the literal 0, too.
            (_, 0) => RawOp::Literal(0),
            (1, width @ 1..=64) => RawOp::Scalar(ScalarEncoding::Fixed(width)),
            (2, width @ 2..=32) => RawOp::Scalar(ScalarEncoding::Vbr(width)),
            _ => RawOp::Width(width),
        };
    }
    run.drop_bits(4);
    match encoding {
        3 => RawOp::Array,
        4 => RawOp::Scalar(ScalarEncoding::Char6),
        5 => RawOp::Blob,
        _ => RawOp::Unknown(encoding),
    }
}
