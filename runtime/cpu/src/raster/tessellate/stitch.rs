//! Rows of triangles between two rows of points (D3D11.3 functional specification, 11.7.6).

use super::axis::{Axis, HALF_POINTS};

/// Two rows of points, the outer one with a point more at either end.
struct Rows<'a> {
    outer: &'a [u32],
    inner: &'a [u32],
    /// The current points.
    at: [usize; 2],
    out: &'a mut Vec<[u32; 3]>,
}

impl Rows<'_> {
    fn outer(&self, ahead: usize) -> u32 {
        let last = self.outer.len().saturating_sub(1);
        self.outer
            .get((self.at[0] + ahead).min(last))
            .copied()
            .unwrap_or(0)
    }

    fn inner(&self, ahead: usize) -> u32 {
        let last = self.inner.len().saturating_sub(1);
        self.inner
            .get((self.at[1] + ahead).min(last))
            .copied()
            .unwrap_or(0)
    }

    /// Adds a triangle over the next segment of the outer row.
    fn step_outer(&mut self) {
        self.out.push([self.outer(0), self.outer(1), self.inner(0)]);
        self.at[0] += 1;
    }

    /// Adds a triangle over the next segment of the inner row.
    fn step_inner(&mut self) {
        self.out.push([self.outer(0), self.inner(1), self.inner(0)]);
        self.at[1] += 1;
    }
}

/// Adds the triangles between an outer and an inner row, clockwise if the inner row is on the
/// right. `steps` tells for each place of a half, from the outside to the middle, whether the outer
/// and the inner row have a segment there.
fn between(
    (outer, inner): (&[u32], &[u32]),
    steps: &[[bool; 2]],
    has_middle: [bool; 2],
    out: &mut Vec<[u32; 3]>,
) {
    let mut rows = Rows {
        outer,
        inner,
        at: [0; 2],
        out,
    };
    // The outer row reaches further by a segment.
    rows.step_outer();
    // Diagonals point to the corner that is nearer.
    for [has_outer, has_inner] in steps {
        if *has_inner {
            rows.step_inner();
        }
        if *has_outer {
            rows.step_outer();
        }
    }
    // In the middle they go the way of a spiral around the centre.
    if has_middle[0] {
        let inner = if has_middle[1] {
            rows.inner(1)
        } else {
            rows.inner(0)
        };
        rows.out.push([rows.outer(0), rows.outer(1), inner]);
    }
    if has_middle[1] {
        rows.step_inner();
    }
    if has_middle[0] {
        rows.at[0] += 1;
    }
    for [has_outer, has_inner] in steps.iter().rev() {
        if *has_outer {
            rows.step_outer();
        }
        if *has_inner {
            rows.step_inner();
        }
    }
    rows.step_outer();
}

/// Adds the triangles between an edge of the patch and the outermost row inside, which has a
/// segment less at either end than its axis.
pub(super) fn frame(
    (outer, edge): (&[u32], &Axis),
    (inner, axis): (&[u32], &Axis),
    out: &mut Vec<[u32; 3]>,
) {
    if edge.segments == 1 {
        // One segment over all of the inner row: it belongs to the middle.
        let mut rows = Rows {
            outer,
            inner,
            at: [0; 2],
            out,
        };
        let half = inner.len().saturating_sub(1) / 2;
        (0..half).for_each(|_| rows.step_inner());
        let is_odd = !inner.len().saturating_sub(1).is_multiple_of(2);
        let ahead = usize::from(is_odd);
        rows.out
            .push([rows.outer(0), rows.outer(1), rows.inner(ahead)]);
        if is_odd {
            rows.step_inner();
        }
        rows.at[0] += 1;
        (0..half).for_each(|_| rows.step_inner());
        return;
    }
    let steps: Vec<[bool; 2]> = (1..HALF_POINTS)
        .map(|point| [edge.has_segment(point), axis.has_segment(point)])
        .collect();
    let has_middle = [edge, axis].map(|axis| !axis.segments.is_multiple_of(2));
    between((outer, inner), &steps, has_middle, out);
}

/// Adds the triangles between two rows inside of a patch.
pub(super) fn regular(outer: &[u32], inner: &[u32], out: &mut Vec<[u32; 3]>) {
    let segments = inner.len().saturating_sub(1);
    let steps = vec![[true; 2]; segments / 2];
    let has_middle = [!segments.is_multiple_of(2); 2];
    between((outer, inner), &steps, has_middle, out);
}
