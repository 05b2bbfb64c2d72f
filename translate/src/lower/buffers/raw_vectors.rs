//! Vectors of words of raw buffers: a load or store of several words or halves is one access where
//! they lie in a row that begins at a multiple of its size.
//!
//! Besides its words such a buffer has variables of rows of two, three and four words or halves.
//! Drivers
//! compute an address and check bounds once per access. Out of bounds, robustBufferAccess2 decides
//! for each component of a vector, as D3D12 does for each word (D3D11.3 functional specification,
//! 22.4.8).

use crate::Result;
use crate::analysis::raw_offsets;
use crate::lower::buffers::words::{self, Address};
use crate::lower::context::Context;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{leaves, pointers};
use crate::lower::type_map::Scalar;
use crate::numerics::BufferAccess;
use crate::options::Features;
use crate::spirv::Id;

/// The rows that a buffer may have, with their words; longer rows are taken first.
const ROWS: [(Leaf, u32); 3] = [(Leaf::Row, 4), (Leaf::Triple, 3), (Leaf::Pair, 2)];

/// The same of 16-bit words.
const ROWS_OF_HALVES: [(Leaf, u32); 3] = [(Leaf::Row16, 4), (Leaf::Triple16, 3), (Leaf::Pair16, 2)];

/// The same where an even number of them is accessed as words of 32 bits.
const HALVES_IN_WORDS: [(Leaf, u32); 3] = [(Leaf::Pair, 4), (Leaf::Triple16, 3), (Leaf::U32, 2)];

/// An access to several words of 32 or 16 bits.
#[derive(Debug, Clone, Copy)]
struct Words {
    /// The value that the address is a multiple of, and how many bytes it counts.
    base: Option<(Id, u32)>,
    /// Lower bits of that product that are 0.
    zeros: u32,
    /// Words after that product.
    first: i32,
    /// The words that are accessed, from the first on.
    wanted: u32,
    /// Bytes of a word.
    bytes: u32,
}

/// A row that several words of an access lie in.
#[derive(Debug, Clone, Copy)]
struct Row {
    leaf: Leaf,
    width: u32,
    /// Rows after the product.
    number: i32,
    /// Bits of the words of the access that lie in it.
    words: u32,
}

/// Loads those of the wanted values of 32 or 16 bits that lie in rows; the others stay
/// [`Id::NONE`]. Returns those that were loaded.
pub(super) fn load<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
    (wanted, scalar): (u32, Scalar),
    ids: &mut [Id; 8],
) -> Result<u32> {
    let bytes = scalar.bits() / 8;
    let Some(access) = Words::new(cx, handle, address, (wanted, bytes)) else {
        return Ok(0);
    };
    let mut loaded = 0;
    for i in 0..8 {
        if (wanted & !loaded) >> i & 1 == 0 {
            continue;
        }
        let Some(row) = access.row_of(cx, i, false) else {
            continue;
        };
        let whole = load_row(cx, handle, access, row)?;
        let (whole, element) = match scalar {
            // Drivers compute with the halves of a register in place.
            Scalar::Float { width: 16, .. } => {
                let half = cx.b.float(16);
                let ty = cx.b.vector(half, row.width);
                (cx.b.bitcast(ty, whole), half)
            }
            _ if bytes == 2 => (whole, cx.b.uint(16)),
            _ => {
                let want = words::word_of_value(scalar);
                let element = if want == Scalar::F32 {
                    cx.b.f32()
                } else {
                    cx.b.u32()
                };
                let whole = words::words_as(cx, handle, whole, row.width, want);
                (whole, element)
            }
        };
        for (j, id) in (0..).zip(ids.iter_mut()) {
            if row.words >> j & 1 == 0 {
                continue;
            }
            let word = cx.b.extract(element, whole, access.component(j, row.width));
            *id = match scalar {
                Scalar::Float { width: 16, .. } => word,
                _ if bytes == 2 => words::from_short(&mut cx.b, word, scalar)?,
                _ => word,
            };
        }
        loaded |= row.words;
    }
    Ok(loaded)
}

fn load_row<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    access: Words,
    row: Row,
) -> Result<Id> {
    let row_ty = access.row_type(cx, handle, row);
    let stored_ty = access.stored_type(cx, row);
    let ty = stored_ty.unwrap_or(row_ty);
    let pointer = access.pointer(cx, handle, row)?;
    let align = row.width * access.bytes;
    let loaded = words::load_aligned(&mut cx.b, &cx.input, handle, ty, pointer, align);
    Ok(match stored_ty {
        Some(_) => cx.b.bitcast(row_ty, loaded),
        None => loaded,
    })
}

/// Stores those words of 4 or 2 bytes that fill rows; `stored` are words of the buffer by number.
/// Returns the words that were stored.
pub(super) fn store<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
    stored: &[(u32, Id)],
    bytes: u32,
) -> Result<u32> {
    let wanted = stored.iter().fold(0, |bits, (i, _)| bits | 1 << i);
    let Some(access) = Words::new(cx, handle, address, (wanted, bytes)) else {
        return Ok(0);
    };
    let mut done = 0;
    for &(i, _) in stored {
        if done >> i & 1 != 0 {
            continue;
        }
        let Some(row) = access.row_of(cx, i, true) else {
            continue;
        };
        let parts: Vec<Id> = stored
            .iter()
            .filter(|(j, _)| row.words >> j & 1 != 0)
            .map(|&(_, id)| id)
            .collect();
        let row_ty = access.row_type(cx, handle, row);
        let mut whole = cx.b.construct(row_ty, &parts);
        if let Some(stored_ty) = access.stored_type(cx, row) {
            whole = cx.b.bitcast(stored_ty, whole);
        }
        let pointer = access.pointer(cx, handle, row)?;
        let align = row.width * bytes;
        words::store_aligned(&mut cx.b, &cx.input, handle, pointer, whole, align);
        done |= row.words;
    }
    Ok(done)
}

impl Words {
    /// Returns the access, if the buffer has rows and the address is a whole number of words.
    fn new<'a>(
        cx: &Context<'a>,
        handle: &ResourceHandle<'a>,
        address: Address,
        (wanted, bytes): (u32, u32),
    ) -> Option<Words> {
        if wanted.count_ones() < 2 || !leaves::has_vectors(cx.input.options, handle.view) {
            return None;
        }
        let constant = cx.b.literal(address.offset).map(|offset| offset as i32);
        let (base, offset) = match (address.element, constant) {
            (Some(element), Some(offset)) => (Some(element), offset),
            (Some(_), None) => return None,
            (None, Some(offset)) => (None, offset.checked_add_unsigned(address.ahead)?),
            (None, None) => (
                Some((address.offset, 1)),
                i32::try_from(address.ahead).ok()?,
            ),
        };
        (offset % bytes as i32 == 0).then_some(Words {
            base,
            zeros: address.zeros,
            first: offset / bytes as i32,
            wanted,
            bytes,
        })
    }

    /// Returns the type of a row in memory, where it is not that of its words.
    fn stored_type(self, cx: &mut Context<'_>, row: Row) -> Option<Id> {
        let word = cx.b.u32();
        match row.leaf {
            Leaf::Pair if self.bytes == 2 => Some(cx.b.vector(word, 2)),
            Leaf::U32 => Some(word),
            _ => None,
        }
    }

    fn row_type<'a>(self, cx: &mut Context<'a>, handle: &ResourceHandle<'a>, row: Row) -> Id {
        let word = if self.bytes == 2 {
            cx.b.uint(16)
        } else {
            words::word_type(cx, handle)
        };
        cx.b.vector(word, row.width)
    }

    /// Returns the longest row that is worth an access for the i-th word and those after it.
    fn row_of(self, cx: &Context<'_>, i: u32, stores: bool) -> Option<Row> {
        let has_halves = cx.input.numerics().buffer_access == BufferAccess::VectorsOfHalves;
        let rows = match (self.bytes, has_halves) {
            (2, true) => ROWS_OF_HALVES.as_slice(),
            (2, false) => HALVES_IN_WORDS.as_slice(),
            _ => ROWS.as_slice(),
        };
        let has_triples = cx.input.has(Features::SCALAR_BLOCK_LAYOUT);
        rows.iter()
            .copied()
            .filter(|&(_, width)| self.has_rows(width) && (width != 3 || has_triples))
            .find_map(|(leaf, width)| {
                let number = self.number(i, width);
                let of_row = (i..8)
                    .filter(|&j| self.wanted >> j & 1 != 0 && self.number(j, width) == number)
                    .fold(0_u32, |bits, j| bits | 1 << j);
                // What is not stored belongs to other lanes; of a row of four that is read, one
                // word may be too many.
                let least = if stores || width < 4 { width } else { 3 };
                (of_row.count_ones() >= least).then_some(Row {
                    leaf,
                    width,
                    number,
                    words: of_row,
                })
            })
    }

    /// Returns whether rows of so many words begin at multiples of their size.
    fn has_rows(self, width: u32) -> bool {
        let base = self.base;
        base.is_none_or(|(_, times)| raw_offsets::has_rows(times, self.zeros, width * self.bytes))
    }

    fn number(self, i: u32, width: u32) -> i32 {
        self.word(i).div_euclid(width as i32)
    }

    fn component(self, i: u32, width: u32) -> u32 {
        self.word(i).rem_euclid(width as i32) as u32
    }

    fn word(self, i: u32) -> i32 {
        self.first.saturating_add_unsigned(i)
    }

    fn pointer<'a>(
        self,
        cx: &mut Context<'a>,
        handle: &ResourceHandle<'a>,
        row: Row,
    ) -> Result<Id> {
        let bytes = row.width * self.bytes;
        let number = cx.b.const_u32(row.number as u32);
        let index = match self.base {
            None => number,
            Some((factor, times)) => {
                let base = if times.is_multiple_of(bytes) {
                    cx.b.u32_mul(factor, times / bytes)
                } else {
                    let product = cx.b.u32_mul(factor, times);
                    cx.b.u32_shr(product, bytes.trailing_zeros())
                };
                cx.b.u32_add(base, number)
            }
        };
        pointers::element_pointer(cx, handle, row.leaf, index, None)
    }
}
