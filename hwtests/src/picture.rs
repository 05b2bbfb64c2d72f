//! Expected contents of render targets: rectangles painted on the CPU.

use crate::element::Element;

/// Returns one value per pixel, row by row; `value` makes it from column and row.
pub fn pixels<T>([width, height]: [u32; 2], mut value: impl FnMut(u32, u32) -> T) -> Vec<T> {
    (0..width * height)
        .map(|i| value(i % width, i / width))
        .collect()
}

/// A rectangle of whole pixels, `right` and `bottom` not included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// Column after the last.
    pub right: u32,
    /// Row after the last.
    pub bottom: u32,
    /// Depth.
    pub z: f32,
    /// Colour of all four corners.
    pub color: [f32; 4],
}

impl Rect {
    /// Returns a rectangle at depth 0.5: left, top, right, bottom.
    pub fn new([left, top, right, bottom]: [u32; 4], color: [f32; 4]) -> Self {
        Rect {
            left,
            top,
            right,
            bottom,
            z: 0.5,
            color,
        }
    }

    /// Returns the rectangle at another depth.
    #[must_use]
    pub fn at(mut self, z: f32) -> Self {
        self.z = z;
        self
    }

    /// Returns the corners as positions in a target of this size: two triangles, clockwise.
    pub fn positions(&self, [width, height]: [u32; 2]) -> [[f32; 4]; 6] {
        let x = |column: u32| column as f32 / width as f32 * 2.0 - 1.0;
        let y = |row: u32| 1.0 - row as f32 / height as f32 * 2.0;
        let corner = |column, row| [x(column), y(row), self.z, 1.0];
        let top_left = corner(self.left, self.top);
        let bottom_right = corner(self.right, self.bottom);
        let top_right = corner(self.right, self.top);
        let bottom_left = corner(self.left, self.bottom);
        [
            top_left,
            top_right,
            bottom_left,
            bottom_left,
            top_right,
            bottom_right,
        ]
    }
}

/// Texels of a target, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture<T> {
    width: u32,
    /// The texels.
    pub texels: Vec<T>,
}

impl<T: Element> Picture<T> {
    /// Returns a picture of one colour.
    pub fn new([width, height]: [u32; 2], fill: T) -> Self {
        Picture {
            width,
            texels: vec![fill; (width * height) as usize],
        }
    }

    /// Returns a picture whose texels `value` makes from column and row.
    pub fn of([width, height]: [u32; 2], mut texel: impl FnMut(u32, u32) -> T) -> Self {
        let mut texels = Vec::new();
        for y in 0..height {
            for x in 0..width {
                texels.push(texel(x, y));
            }
        }
        Picture { width, texels }
    }

    /// Changes the texels of a rectangle.
    #[must_use]
    pub fn paint(mut self, rect: Rect, mut change: impl FnMut(T) -> T) -> Self {
        for y in rect.top..rect.bottom {
            for x in rect.left..rect.right {
                if let Some(texel) = self.texels.get_mut((y * self.width + x) as usize) {
                    *texel = change(*texel);
                }
            }
        }
        self
    }

    /// Replaces the texels of a rectangle.
    #[must_use]
    pub fn fill(self, rect: Rect, texel: T) -> Self {
        self.paint(rect, |_| texel)
    }
}
