//! Structured buffers whose elements are whole rows of words: accesses to a row are one load or
//! store.
//!
//! A buffer whose elements have a multiple of 16 bytes (or 8, or 12 with scalarBlockLayout) is an
//! array of rows of four words (or two, or three) where all accesses have a constant offset in the
//! element. Drivers check bounds and compute an address once per load, and not all of them join the
//! loads of neighbouring words.

use std::ops::Range;

use dxil_frontend::dxil::ResourceClass;

use crate::Result;
use crate::lower::buffers::words;
use crate::lower::buffers::words::Address;
use crate::lower::context::{Context, Input};
use crate::lower::numbers::word_pairs;
use crate::lower::resources::resource_variables::ResourceHandle;
use crate::lower::resources::state::Leaf;
use crate::lower::resources::{leaves, pointers};
use crate::lower::type_map::{NumericShape, Scalar};
use crate::lower::types;
use crate::spirv::{Builder, Id, Op};

/// A word that is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowWord {
    /// Number of the word from the address on.
    pub(super) number: u32,
    /// A 32-bit float or an unsigned integer.
    pub(super) id: Id,
    /// Whether it is a float.
    pub(super) is_float: bool,
}

/// An address in a buffer of rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowAddress {
    leaf: Leaf,
    /// Words per row.
    width: u32,
    /// First row of the element.
    row: Id,
    /// Word in the element.
    word: u32,
    /// The element and its words, where words are loaded apart from their row.
    element: Option<(Id, u32)>,
}

/// Returns the address of an access in a buffer of rows.
pub(super) fn row_address<'a>(
    b: &mut Builder,
    input: &Input<'a>,
    handle: &ResourceHandle<'a>,
    address: Address,
) -> Option<RowAddress> {
    // Element and offset have to be known apart; [`leaves::rows_of`] has checked that all accesses
    // of the buffer have constant offsets.
    let (leaf, width) = leaves::rows_of(input.options, handle.view)?;
    let (element, stride) = address.element?;
    let offset = b.literal(address.offset)?;
    // Memory that is only read may have a second variable, of words. An address of words takes
    // fewer operations than one of a row and a component in it.
    let has_words = handle.view.class == ResourceClass::Srv;
    Some(RowAddress {
        leaf,
        width,
        row: b.u32_mul(element, stride / (width * 4)),
        word: offset / 4,
        element: has_words.then_some((element, stride / 4)),
    })
}

/// Returns the values of 32 or 64 bits at consecutive places; see [`raw::load_values`].
pub(super) fn load<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: RowAddress,
    scalar: Scalar,
    mask: u32,
) -> Result<[Id; 8]> {
    let per_value = scalar.bits().div_ceil(32);
    let mut wanted = 0_u32;
    for i in (0..8).filter(|i| mask >> i & 1 != 0) {
        wanted |= ((1 << per_value) - 1) << (i * per_value);
    }
    let want = if per_value == 1 {
        words::word_of_value(scalar)
    } else {
        Scalar::U32
    };
    let words = load_row_words(cx, handle, address, wanted, want)?;
    let mut ids = [Id::NONE; 8];
    for (id, words) in ids.iter_mut().zip(words.chunks(per_value as usize)) {
        *id = match *words {
            [word] if !word.is_none() => words::from_word(&mut cx.b, word, scalar)?,
            [low, high] if !low.is_none() => word_pairs::join_words(cx, low, high, scalar)?,
            _ => continue,
        };
    }
    Ok(ids)
}

/// Returns the words at `address` whose bits are set, as integers or floats.
fn load_row_words<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: RowAddress,
    wanted: u32,
    want: Scalar,
) -> Result<[Id; 16]> {
    let stored_ty = words::word_type(cx, handle);
    let word_ty = if want == Scalar::F32 {
        cx.b.f32()
    } else {
        cx.b.u32()
    };
    let mut words = [Id::NONE; 16];
    let mut row = None;
    for i in 0..16 {
        if wanted >> i & 1 == 0 {
            continue;
        }
        let (number, component) = address.row_and_component(i);
        // The words that lie in one row decide together whether the row is loaded.
        let in_row =
            (0..16).filter(|&j| wanted >> j & 1 != 0 && address.row_and_component(j).0 == number);
        // Half of a row of four is not worth the other half.
        let word = if in_row.count() * 2 > address.width as usize {
            // Words come in ascending order, so that only the last row can be needed again.
            let vector = match row {
                Some((loaded, vector)) if loaded == number => vector,
                _ => load_row(cx, handle, address, number, want)?,
            };
            row = Some((number, vector));
            cx.b.extract(word_ty, vector, component)
        } else {
            let loaded = match address.element {
                Some((element, words_of_element)) => {
                    let first = cx.b.u32_mul(element, words_of_element);
                    let word = address.word.saturating_add(i);
                    words::load_word(cx, handle, Leaf::U32, first, word)?
                }
                None => {
                    let pointer = row_pointer(cx, handle, address, number, Some(component))?;
                    words::load_aligned(&mut cx.b, &cx.input, handle, stored_ty, pointer, 4)
                }
            };
            words::words_as(cx, handle, loaded, 1, want)
        };
        if let Some(slot) = words.get_mut(i as usize) {
            *slot = word;
        }
    }
    Ok(words)
}

/// Returns the parts of a vector of 32 or 64 bits per element, whole rows as vectors.
pub(super) fn load_parts<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    mut address: RowAddress,
    shape: NumericShape,
) -> Result<Vec<Id>> {
    let mut parts = Vec::new();
    if shape.scalar.bits() != 32 {
        for first in (0..shape.count).step_by(8) {
            let here = (shape.count - first).min(8);
            let values = load(cx, handle, address, shape.scalar, (1 << here) - 1)?;
            parts.extend(values.iter().take(here as usize));
            address.word = address.word.saturating_add(16);
        }
        return Ok(parts);
    }
    let want = words::word_of_value(shape.scalar);
    let mut rest = shape.count;
    while rest > 0 {
        let (number, component) = address.row_and_component(0);
        let here = rest.min(address.width - component);
        if here == address.width {
            parts.push(load_row(cx, handle, address, number, want)?);
        } else {
            let values = load_row_words(cx, handle, address, (1 << here) - 1, want)?;
            parts.extend(values.iter().take(here as usize));
        }
        address.word = address.word.saturating_add(here);
        rest -= here;
    }
    Ok(parts)
}

/// Returns a row as a vector of integers or floats.
fn load_row<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: RowAddress,
    number: u32,
    want: Scalar,
) -> Result<Id> {
    let stored_ty = words::word_type(cx, handle);
    let row_ty = cx.b.vector(stored_ty, address.width);
    let pointer = row_pointer(cx, handle, address, number, None)?;
    let align = address.width * 4;
    let loaded = words::load_aligned(&mut cx.b, &cx.input, handle, row_ty, pointer, align);
    Ok(words::words_as(cx, handle, loaded, address.width, want))
}

/// Stores a vector of 32 or 64 bits per element, whole rows as vectors.
pub(super) fn store_vector<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: RowAddress,
    shape: NumericShape,
    vector: Id,
) -> Result<()> {
    let scalar_ty = types::scalar_ty(cx, shape.scalar)?;
    let width = address.width;
    let mut words = Vec::new();
    let mut next = 0;
    while next < shape.count {
        let (number, component) = address.row_and_component(next);
        if shape.scalar.bits() == 32 && component == 0 && next + width <= shape.count {
            store_row_words(cx, handle, address, &words)?;
            words.clear();
            let row = row_of_vector(cx, handle, shape, vector, next..next + width);
            let pointer = row_pointer(cx, handle, address, number, None)?;
            words::store_aligned(&mut cx.b, &cx.input, handle, pointer, row, width * 4);
            next += width;
        } else {
            let element = cx.b.extract(scalar_ty, vector, next);
            words_of(&mut cx.b, element, shape.scalar, next, &mut words)?;
            next += 1;
        }
    }
    store_row_words(cx, handle, address, &words)
}

/// Returns some elements of a vector as a row of the buffer.
fn row_of_vector<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    shape: NumericShape,
    vector: Id,
    elements: Range<u32>,
) -> Id {
    let width = elements.len() as u32;
    let is_float = matches!(shape.scalar, Scalar::Float { .. });
    let row = if width == shape.count {
        vector
    } else {
        let scalar = if is_float { cx.b.f32() } else { cx.b.u32() };
        let ty = cx.b.vector(scalar, width);
        let mut operands = vec![vector.0, vector.0];
        operands.extend(elements);
        cx.b.emit(Op::VectorShuffle, ty, &operands)
    };
    if (words::word_scalar(cx, handle) == Scalar::F32) == is_float {
        return row;
    }
    let stored_ty = words::word_type(cx, handle);
    let row_ty = cx.b.vector(stored_ty, width);
    cx.b.bitcast(row_ty, row)
}

/// Appends the words of the i-th of consecutive values with their numbers.
pub(super) fn words_of(
    b: &mut Builder,
    value: Id,
    scalar: Scalar,
    i: u32,
    words: &mut impl Extend<RowWord>,
) -> Result<()> {
    let word = |number, id, is_float| RowWord {
        number,
        id,
        is_float,
    };
    if scalar.bits() == 64 {
        let halves = word_pairs::split_words(b, value);
        words.extend(
            (2 * i..)
                .zip(halves)
                .map(|(number, id)| word(number, id, false)),
        );
    } else if matches!(scalar, Scalar::Float { .. }) {
        words.extend([word(i, value, true)]);
    } else {
        words.extend([word(i, words::to_word(b, value, scalar)?, false)]);
    }
    Ok(())
}

/// Stores words at their numbers from `address` on, in ascending order. Other words are not
/// written: another lane may write them.
pub(super) fn store_row_words<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: RowAddress,
    mut words: &[RowWord],
) -> Result<()> {
    while let Some(&word) = words.first() {
        let (number, component) = address.row_and_component(word.number);
        // A whole row is stored only if all of its words are: the others belong to other lanes.
        let whole = words.get(..address.width as usize).filter(|row| {
            let of_row = |word: &&RowWord| address.row_and_component(word.number).0 == number;
            row.iter().filter(of_row).count() == row.len()
        });
        let stored = if let Some(row) = whole {
            let vector = row_of_words(cx, handle, row);
            let pointer = row_pointer(cx, handle, address, number, None)?;
            let align = address.width * 4;
            words::store_aligned(&mut cx.b, &cx.input, handle, pointer, vector, align);
            row.len()
        } else {
            let id = own_word(cx, handle, word);
            let pointer = row_pointer(cx, handle, address, number, Some(component))?;
            words::store_aligned(&mut cx.b, &cx.input, handle, pointer, id, 4);
            1
        };
        words = words.get(stored..).unwrap_or_default();
    }
    Ok(())
}

/// Returns a whole row of words. Floats are cast together where the buffer has integers.
fn row_of_words<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>, row: &[RowWord]) -> Id {
    let stored_ty = words::word_type(cx, handle);
    let row_ty = cx.b.vector(stored_ty, row.len() as u32);
    let stores_integers = words::word_scalar(cx, handle) == Scalar::U32;
    if stores_integers && row.iter().all(|word| word.is_float) {
        let float = cx.b.f32();
        let floats_ty = cx.b.vector(float, row.len() as u32);
        let parts: Vec<Id> = row.iter().map(|word| word.id).collect();
        let floats = cx.b.construct(floats_ty, &parts);
        return cx.b.bitcast(row_ty, floats);
    }
    let parts: Vec<Id> = row.iter().map(|&word| own_word(cx, handle, word)).collect();
    cx.b.construct(row_ty, &parts)
}

/// Returns a word as the buffer has it.
fn own_word<'a>(cx: &mut Context<'a>, handle: &ResourceHandle<'a>, word: RowWord) -> Id {
    let is_float = words::word_scalar(cx, handle) == Scalar::F32;
    if word.is_float == is_float {
        return word.id;
    }
    let ty = words::word_type(cx, handle);
    cx.b.emit_once(Op::Bitcast, ty, &[word.id])
}

fn row_pointer<'a>(
    cx: &mut Context<'a>,
    handle: &ResourceHandle<'a>,
    address: RowAddress,
    number: u32,
    component: Option<u32>,
) -> Result<Id> {
    let number = cx.b.const_u32(number);
    let row = cx.b.u32_add(address.row, number);
    let component = component.map(|component| cx.b.const_u32(component));
    pointers::element_pointer(cx, handle, address.leaf, row, component)
}

impl RowAddress {
    /// Returns the row and component of the i-th word from the address on.
    fn row_and_component(self, i: u32) -> (u32, u32) {
        let word = self.word.saturating_add(i);
        (word / self.width, word % self.width)
    }
}
