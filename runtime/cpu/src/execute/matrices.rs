//! Operations on matrices (`decode/matrix_operations`).

use std::cell::Cell;

use dxil_frontend::dxil::ops::{MatrixComponent, MatrixLayout};
use dxil_frontend::dxil::{MatrixScope, MatrixType};

use super::context::Context;
use super::matrix_numbers::{Number, component_of, read, rounded, write};
use crate::check::Site;
use crate::decode::code::{
    Complex, MatrixMemory, MatrixOp, MatrixPlace, MemoryScalar, NumberType, RegisterSlot, Space,
};
use crate::decode::lane_ops::RegisterKind;
use crate::decode::layout::matrix_slots;
use crate::error::{Error, Result};

/// The row and column of no element.
const NOWHERE: u64 = u32::MAX as u64;

/// Multiplications of a product that count as one step. A matrix has up to 2^19 elements, so a
/// product of three has less than 2^29 multiplications.
const PRODUCTS_PER_STEP: u64 = 64;

/// An element in memory: the scalar that holds it, and the bits before it there.
struct MatrixCell {
    component: MatrixComponent,
    at: CellAt,
}

enum CellAt {
    /// Byte of a buffer.
    Buffer { handle: u32, byte: u64 },
    /// Word of groupshared memory.
    Group {
        word: u32,
        shift: u32,
        number: NumberType,
    },
}

fn component(matrix: &MatrixType) -> MatrixComponent {
    // Decoding has refused a matrix without one.
    matrix.component.unwrap_or(MatrixComponent::U32)
}

fn elements(matrix: &MatrixType) -> usize {
    matrix.elements().unwrap_or(0)
}

/// Returns the elements that a scalar of a vector holds.
fn per_scalar(component: MatrixComponent, number: NumberType) -> usize {
    match number {
        NumberType::Int(bits, _) => (bits / component.bits()).max(1) as usize,
        NumberType::Half | NumberType::Float | NumberType::Double => 1,
    }
}

/// Returns the elements of a vector, as its interpretation has them.
fn unpacked((component, number): (MatrixComponent, NumberType), scalars: &[u64]) -> Vec<Number> {
    let per = per_scalar(component, number);
    let mut out = Vec::with_capacity(scalars.len() * per);
    for &bits in scalars {
        if per == 1 {
            out.push(rounded(component, read(component_of(number), bits)));
        } else {
            let bits_of_one = component.bits() as usize;
            out.extend((0..per).map(|part| read(component, bits >> (part * bits_of_one))));
        }
    }
    out
}

/// Returns the scalars of a vector with these elements.
fn packed((component, number): (MatrixComponent, NumberType), elements: &[Number]) -> Vec<u64> {
    let per = per_scalar(component, number);
    let one = component.bits() as usize;
    let scalars = elements.chunks(per).map(|part| match part {
        [only] if per == 1 => write(component_of(number), rounded(component, *only)),
        part => (part.iter().enumerate()).fold(0, |bits, (place, element)| {
            bits | write(component, *element) << (place * one)
        }),
    });
    scalars.collect()
}

impl Context<'_> {
    /// Executes an operation on matrices.
    ///
    /// # Errors
    ///
    /// If the caller's callback asks to stop.
    pub(super) fn matrix(&self, op: &MatrixOp, complex: &Complex) -> Result<()> {
        let (src, dst) = (&*complex.src, &*complex.dst);
        match op {
            MatrixOp::Fill { from, to } => {
                let values = |lane| {
                    let value = read(component_of(*from), self.registers.get(src[0], lane));
                    vec![value; elements(to)]
                };
                self.make(to, dst, values);
            }
            MatrixOp::Convert {
                from,
                to,
                transpose,
            } => self.make(to, dst, |lane| {
                let old = self.elements(from, src, lane);
                if !transpose {
                    return old;
                }
                let (rows, columns) = (to.rows as usize, to.columns as usize);
                let places = (0..rows * columns).map(|e| (e / columns, e % columns));
                places
                    .map(|(row, column)| old[column * rows + row])
                    .collect()
            }),
            MatrixOp::Load { from, to } => self.make(to, dst, |lane| {
                let cells = self.cells(to, component(to), *from, src, lane);
                cells.map(|cell| self.read_cell(&cell, lane)).collect()
            }),
            MatrixOp::Store { from, to } => {
                let (head, matrix) = src.split_at(3);
                self.each_holder(from, |lane| {
                    let values = self.elements(from, matrix, lane);
                    for (cell, value) in self
                        .cells(from, component(from), *to, head, lane)
                        .zip(values)
                    {
                        self.write_cell(&cell, lane, value);
                    }
                });
            }
            MatrixOp::Accumulate { from, target, to } => {
                let (head, matrix) = src.split_at(3);
                self.each_holder(from, |lane| {
                    let values = self.elements(from, matrix, lane);
                    for (cell, value) in self.cells(from, *target, *to, head, lane).zip(values) {
                        let sum = self.read_cell(&cell, lane).plus(rounded(*target, value));
                        self.write_cell(&cell, lane, sum);
                    }
                });
            }
            MatrixOp::Length { of } => {
                for lane in self.on() {
                    self.registers
                        .set(dst[0], lane, self.length(of, lane) as u64);
                }
            }
            MatrixOp::Coordinate { of } => {
                for lane in self.on() {
                    let index = self.registers.word(src[0], lane) as usize;
                    let place = (index < self.length(of, lane)).then(|| match of.scope {
                        MatrixScope::Thread => index,
                        _ => index * self.holders() + lane,
                    });
                    let columns = of.columns.max(1) as usize;
                    let place = place.map(|e| [(e / columns) as u64, (e % columns) as u64]);
                    for (slot, part) in dst.iter().zip(place.unwrap_or([NOWHERE; 2])) {
                        self.registers.set(*slot, lane, part);
                    }
                }
            }
            MatrixOp::Get { of, to } => {
                for lane in self.on() {
                    let index = self.registers.word(src[0], lane) as usize;
                    let slot = src[1..].get(index);
                    let slot = slot.filter(|_| index < self.length(of, lane));
                    let bits = slot.map_or(0, |slot| {
                        let value = read(component(of), self.registers.get(*slot, lane));
                        write(component_of(*to), value)
                    });
                    self.registers.set(dst[0], lane, bits);
                }
            }
            MatrixOp::Set { from, of, to } => {
                for lane in self.on() {
                    let index = self.registers.word(src[0], lane) as usize;
                    let new = read(component_of(*from), self.registers.get(src[1], lane));
                    let is_there = index < self.length(of, lane);
                    let old = src[2..].iter().map(|slot| self.registers.get(*slot, lane));
                    let mut all: Vec<Number> = old.map(|bits| read(component(of), bits)).collect();
                    if let Some(element) = all.get_mut(index)
                        && is_there
                    {
                        *element = new;
                    }
                    for (slot, value) in dst.iter().zip(all) {
                        self.registers.set(*slot, lane, write(component(to), value));
                    }
                }
            }
            MatrixOp::Multiply { a, b, c, to } => {
                let stopped = Cell::new(false);
                self.make(to, dst, |lane| {
                    self.multiply([a, b], c.as_ref(), to, (src, lane), &stopped)
                });
                if stopped.get() {
                    let Site { function, .. } = self.site.get();
                    let place = self.shared.kernel.place(function, 0);
                    return Err(Error::Stopped { place });
                }
            }
            MatrixOp::Sum { a, b, to } => self.make(to, dst, |lane| {
                let (left, right) = src.split_at(self.slots(a));
                let left = self.elements(a, left, lane);
                let right = self.elements(b, right, lane);
                left.into_iter()
                    .zip(right)
                    .map(|(a, b)| a.plus(b))
                    .collect()
            }),
            MatrixOp::Product {
                matrix,
                vector,
                bias,
                to,
            } => self.product(matrix, *vector, *bias, *to, complex),
            MatrixOp::Outer { numbers, to } => self.make(to, dst, |lane| {
                let (a, b) = src.split_at(to.rows as usize);
                let value = |slot: &RegisterSlot, number| {
                    read(component_of(number), self.registers.get(*slot, lane))
                };
                let left = a.iter().map(|slot| value(slot, numbers.0));
                let zero = Number::zero(component(to));
                left.flat_map(|left| {
                    let right = b.iter().map(|slot| value(slot, numbers.1));
                    right
                        .map(|right| zero.plus_product(left, right))
                        .collect::<Vec<_>>()
                })
                .collect()
            }),
            MatrixOp::ConvertVector { from, to } => {
                for lane in self.on() {
                    let scalars: Vec<u64> = src
                        .iter()
                        .map(|slot| self.registers.get(*slot, lane))
                        .collect();
                    let scalars = packed(*to, &unpacked(*from, &scalars));
                    let all = scalars.into_iter().chain(std::iter::repeat(0));
                    for (slot, bits) in dst.iter().zip(all) {
                        self.registers.set(*slot, lane, bits);
                    }
                }
            }
            MatrixOp::AccumulateVector { number } => {
                let component = component_of(*number);
                let bytes = u64::from(component.bits() / 8);
                for lane in self.on() {
                    let handle = self.registers.word(src[0], lane);
                    let first = u64::from(self.registers.word(src[1], lane));
                    for (slot, place) in src[2..].iter().zip(0..) {
                        let at = CellAt::Buffer {
                            handle,
                            byte: first + place * bytes,
                        };
                        let cell = MatrixCell { component, at };
                        let value = read(component, self.registers.get(*slot, lane));
                        let sum = self.read_cell(&cell, lane).plus(value);
                        self.write_cell(&cell, lane, sum);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the product of two matrices, added to a third one; what it has so far once the
    /// caller's callback asks to stop.
    fn multiply(
        &self,
        [a, b]: [&MatrixType; 2],
        c: Option<&MatrixType>,
        to: &MatrixType,
        (src, lane): (&[RegisterSlot], usize),
        stopped: &Cell<bool>,
    ) -> Vec<Number> {
        let (left, rest) = src.split_at(self.slots(a));
        let (right, sum) = rest.split_at(self.slots(b));
        let left = self.elements(a, left, lane);
        let right = self.elements(b, right, lane);
        let mut all = match c {
            Some(c) => self.elements(c, sum, lane),
            None => vec![Number::zero(component(to)); elements(to)],
        };
        let (columns, inner) = (to.columns as usize, a.columns as usize);
        let products = elements(to) as u64 * inner as u64;
        let work = self.work.get().saturating_add(products / PRODUCTS_PER_STEP);
        self.work.set(work);
        for (place, sum) in all.iter_mut().enumerate() {
            let (row, column) = (place / columns, place % columns);
            // A large product takes seconds.
            if column == 0 && self.shared.stop.is_some_and(|stop| stop()) {
                stopped.set(true);
                break;
            }
            for k in 0..inner {
                let (a, b) = (left[row * inner + k], right[k * columns + column]);
                *sum = sum.plus_product(a, b);
            }
        }
        all
    }

    /// Multiplies the matrix of each lane with a vector.
    fn product(
        &self,
        matrix: &MatrixType,
        vector: (MatrixComponent, NumberType),
        bias: Option<NumberType>,
        to: NumberType,
        complex: &Complex,
    ) {
        let (rows, columns) = (matrix.rows as usize, matrix.columns as usize);
        let (own, rest) = complex.src.split_at(self.slots(matrix));
        let (first, scalars) = rest.split_at(if bias.is_some() { rows } else { 0 });
        for lane in self.on() {
            let get = |slot: &RegisterSlot| self.registers.get(*slot, lane);
            let elements = self.elements(matrix, own, lane);
            let scalars: Vec<u64> = scalars.iter().map(get).collect();
            let vector = unpacked(vector, &scalars);
            let result = component_of(to);
            for (row, slot) in complex.dst.iter().enumerate().take(rows) {
                let start = match (bias, first.get(row)) {
                    (Some(number), Some(slot)) => read(component_of(number), get(slot)),
                    _ => Number::zero(result),
                };
                let row = &elements[row * columns..][..columns];
                let sum = row
                    .iter()
                    .zip(&vector)
                    .fold(start, |sum, (a, b)| sum.plus_product(*a, *b));
                self.registers.set(*slot, lane, write(result, sum));
            }
        }
    }

    /// Returns the lanes of a wave that hold elements of its matrices.
    fn holders(&self) -> usize {
        self.shared.kernel.matrix_lanes().max(1) as usize
    }

    /// Returns the registers of a matrix.
    fn slots(&self, matrix: &MatrixType) -> usize {
        matrix_slots(matrix, self.shared.kernel.matrix_lanes()).unwrap_or(0)
    }

    /// Returns the number of elements that a lane holds.
    fn length(&self, matrix: &MatrixType, lane: usize) -> usize {
        let (all, holders) = (elements(matrix), self.holders());
        match matrix.scope {
            MatrixScope::Thread => all,
            MatrixScope::ThreadGroup if self.wave_index() != 0 => 0,
            _ if lane >= holders => 0,
            _ => all / holders + usize::from(lane < all % holders),
        }
    }

    /// Calls a function once for each matrix that is written somewhere: of each lane, or of the
    /// wave if it holds one.
    fn each_holder(&self, matrix: &MatrixType, mut each: impl FnMut(usize)) {
        match matrix.scope {
            MatrixScope::Thread => self.on().for_each(each),
            MatrixScope::ThreadGroup if self.wave_index() != 0 => {}
            _ => {
                if let Some(lane) = self.on().next() {
                    each(lane);
                }
            }
        }
    }

    /// Writes the registers of a matrix whose elements, row by row, a function gives for a lane.
    fn make(
        &self,
        matrix: &MatrixType,
        dst: &[RegisterSlot],
        mut values: impl FnMut(usize) -> Vec<Number>,
    ) {
        let component = component(matrix);
        if matrix.scope == MatrixScope::Thread {
            for lane in self.on() {
                for (slot, value) in dst.iter().zip(values(lane)) {
                    self.registers.set(*slot, lane, write(component, value));
                }
            }
            return;
        }
        let Some(first) = self.on().next() else {
            return;
        };
        let holders = self.holders();
        for (place, value) in values(first).into_iter().enumerate() {
            if let Some(slot) = dst.get(place / holders) {
                let bits = write(component, value);
                self.registers.set(*slot, place % holders, bits);
            }
        }
    }

    /// Returns the elements of the matrix of a lane, or of its wave, row by row.
    fn elements(&self, matrix: &MatrixType, slots: &[RegisterSlot], lane: usize) -> Vec<Number> {
        let component = component(matrix);
        let holders = self.holders();
        let place = |element: usize| match matrix.scope {
            MatrixScope::Thread => (element, lane),
            _ => (element / holders, element % holders),
        };
        let all = (0..elements(matrix)).map(place);
        all.map(|(slot, lane)| {
            let bits = slots
                .get(slot)
                .map_or(0, |slot| self.registers.get(*slot, lane));
            read(component, bits)
        })
        .collect()
    }

    /// Returns the places of elements in memory, row by row. `component` is their type there.
    fn cells<'a>(
        &'a self,
        matrix: &'a MatrixType,
        component: MatrixComponent,
        memory: MatrixMemory,
        head: &[RegisterSlot],
        lane: usize,
    ) -> impl Iterator<Item = MatrixCell> + 'a {
        let word = |index: usize| u64::from(self.registers.word(head[index], lane));
        let (base, offset, stride) = (word(0), word(1), word(2));
        let (rows, columns) = (u64::from(matrix.rows), u64::from(matrix.columns));
        let places = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
        places.map(move |(row, column)| {
            // The line that an element is in, its place there, and whether lines have a distance.
            let (line, place) = match memory.layout {
                MatrixLayout::RowMajor => (row, column),
                MatrixLayout::ColumnMajor => (column, row),
                MatrixLayout::MulOptimal | MatrixLayout::OuterProductOptimal => {
                    (0, row * columns + column)
                }
                MatrixLayout::MulOptimalTranspose | MatrixLayout::OuterProductOptimalTranspose => {
                    (0, column * rows + row)
                }
            };
            let start = offset + line * stride;
            let at = match memory.place {
                MatrixPlace::Buffer => CellAt::Buffer {
                    handle: base as u32,
                    byte: start + place * u64::from(component.bits() / 8),
                },
                MatrixPlace::Group { number, scalars } => {
                    let per = per_scalar(component, number) as u64;
                    let scalar = start.wrapping_mul(u64::from(scalars)) + place / per;
                    let words = match component_of(number) {
                        wide if wide.bits() == 64 => 2,
                        _ => 1,
                    };
                    CellAt::Group {
                        // Addresses wrap, as those of other accesses do.
                        word: (base + scalar.wrapping_mul(words)) as u32,
                        shift: (place % per) as u32 * component.bits(),
                        number,
                    }
                }
            };
            MatrixCell { component, at }
        })
    }

    fn read_cell(&self, cell: &MatrixCell, lane: usize) -> Number {
        match cell.at {
            CellAt::Buffer { handle, byte } => {
                let scalar = memory_scalar(cell.component);
                read(
                    cell.component,
                    self.buffer_value(lane, handle, byte, scalar),
                )
            }
            CellAt::Group {
                word,
                shift,
                number,
            } => {
                let own = component_of(number);
                let bits = self.read_value(Space::Shared, word, lane, kind_of(own));
                if own.bits() > cell.component.bits() && per_scalar(cell.component, number) > 1 {
                    read(cell.component, bits >> shift)
                } else {
                    rounded(cell.component, read(own, bits))
                }
            }
        }
    }

    fn write_cell(&self, cell: &MatrixCell, lane: usize, value: Number) {
        let bits = write(cell.component, value);
        match cell.at {
            CellAt::Buffer { handle, byte } => {
                let scalar = memory_scalar(cell.component);
                self.store_value(lane, handle, byte, scalar, bits);
            }
            CellAt::Group {
                word,
                shift,
                number,
            } => {
                let own = component_of(number);
                let kind = kind_of(own);
                let whole = match per_scalar(cell.component, number) {
                    1 => write(own, read(cell.component, bits)),
                    _ => {
                        let mask = u64::MAX >> (64 - cell.component.bits()) << shift;
                        let old = self.read_value(Space::Shared, word, lane, kind);
                        old & !mask | bits << shift
                    }
                };
                self.write_value(Space::Shared, word, lane, kind, whole);
            }
        }
    }
}

fn kind_of(component: MatrixComponent) -> RegisterKind {
    match component.bits() {
        64 => RegisterKind::D,
        _ => RegisterKind::W,
    }
}

fn memory_scalar(component: MatrixComponent) -> MemoryScalar {
    match component.bits() {
        8 => MemoryScalar::I8,
        16 => MemoryScalar::I16,
        32 => MemoryScalar::I32,
        _ => MemoryScalar::I64,
    }
}
