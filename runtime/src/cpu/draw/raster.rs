//! The quads of primitives in a tile, in the order of the primitives.

use std::collections::VecDeque;

use dxil_cpu::raster::{Quad, Scan};

use super::setup::Drawn;
use super::tiles::Tile;

/// Quads of primitives.
pub(super) struct Quads<'a> {
    parts: &'a [Drawn],
    tile: &'a Tile,
    samples: u32,
    /// The next one of the tile's parts.
    next: usize,
    current: Option<(&'a Drawn, Scan)>,
    quads: VecDeque<Quad>,
    rows: Vec<Quad>,
}

impl<'a> Quads<'a> {
    pub(super) fn new(parts: &'a [Drawn], tile: &'a Tile, samples: u32) -> Quads<'a> {
        Quads {
            parts,
            tile,
            samples,
            next: 0,
            current: None,
            quads: VecDeque::new(),
            rows: Vec::new(),
        }
    }

    /// Returns the next quad with its primitive.
    pub(super) fn next_quad(&mut self) -> Option<(&'a Drawn, Quad)> {
        loop {
            if let (Some(quad), Some((drawn, _))) = (self.quads.pop_front(), &self.current) {
                return Some((drawn, quad));
            }
            if let Some((_, scan)) = &mut self.current {
                if scan.next_rows(&mut self.rows) {
                    self.quads.extend(self.rows.drain(..));
                    continue;
                }
                self.current = None;
            }
            let number = *self.tile.parts.get(self.next)?;
            self.next += 1;
            let Some(part) = self.parts.get(number as usize) else {
                continue;
            };
            let bounds = self.tile.within(part.bounds);
            let scan = Scan::new(&part.primitive.shape, self.samples, bounds);
            self.current = Some((part, scan));
        }
    }
}
