//! Tiles of the target, whose pixels run side by side.

use std::collections::BTreeMap;

use super::setup::Drawn;

/// Width and height of a tile in pixels. It must not follow from the number of threads: which
/// pixels share a wave would.
const SIZE: u32 = 128;

/// A tile with what is drawn in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tile {
    /// Left, top, right and bottom in pixels, the last two not included.
    bounds: [u32; 4],
    /// Numbers of the parts, in their order.
    pub(super) parts: Vec<u32>,
}

impl Tile {
    /// Returns one tile for all that is drawn.
    pub(super) fn whole(parts: &[Drawn]) -> Tile {
        Tile {
            bounds: [0, 0, u32::MAX, u32::MAX],
            parts: (0..parts.len() as u32).collect(),
        }
    }

    /// Returns the part of an area in the tile.
    pub(super) fn within(&self, [left, top, right, bottom]: [u32; 4]) -> [u32; 4] {
        [
            left.max(self.bounds[0]),
            top.max(self.bounds[1]),
            right.min(self.bounds[2]),
            bottom.min(self.bounds[3]),
        ]
    }
}

/// Returns the tiles in which something is drawn, row by row.
pub(super) fn tiles(parts: &[Drawn]) -> Vec<Tile> {
    let mut all: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    for (number, part) in (0..).zip(parts) {
        let [left, top, right, bottom] = part.area();
        if left >= right || top >= bottom {
            continue;
        }
        for row in top / SIZE..=(bottom - 1) / SIZE {
            for column in left / SIZE..=(right - 1) / SIZE {
                all.entry([row, column]).or_default().push(number);
            }
        }
    }
    let tile = |([row, column], parts): ([u32; 2], Vec<u32>)| {
        let [left, top] = [column * SIZE, row * SIZE];
        Tile {
            bounds: [left, top, left + SIZE, top + SIZE],
            parts,
        }
    };
    all.into_iter().map(tile).collect()
}
