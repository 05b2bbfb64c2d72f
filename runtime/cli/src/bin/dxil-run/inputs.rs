//! The inputs of a run with their field names, and the coverage of render targets.

use std::fmt::Write as _;

use dxil_frontend::escape::escaped;
use dxil_runtime::format::ComponentValue;
use dxil_runtime::job::{ResourceView, Storage};

use crate::bind_points::BindPoint;
use crate::cells::{Cells, show};
use crate::planned::Declared;
use crate::report::RunReport;

/// Rows of an input that are shown.
const ROWS: usize = 2;

impl RunReport<'_> {
    /// Writes the inputs, constant buffers first.
    pub(crate) fn inputs(&self, out: &mut String) {
        for constants in self.constants {
            let BindPoint::Register(register) = constants.place else {
                continue;
            };
            let Some(ResourceView::Constants(bytes)) = self.job.view(register) else {
                continue;
            };
            let shape = format!("{} bytes", bytes.len());
            let kind = "ConstantBuffer";
            self.input_head(
                out,
                constants.place,
                kind,
                &constants.name,
                &shape,
                constants.is_generated,
            );
            self.rows(out, &Cells::new(bytes, &constants.element), None, 1);
        }
        for view in self.views.iter().filter(|view| !view.writable) {
            let Some(resource) = self.job.resources.get(view.resource.0) else {
                continue;
            };
            let (bytes, width) = match &resource.storage {
                Storage::Buffer(bytes) => (bytes, None),
                Storage::Texture(texture) => (&texture.data, Some(texture.width as usize)),
            };
            let shape = self.shape(view, bytes);
            self.input_head(
                out,
                view.place,
                &view.kind,
                &view.name,
                &shape,
                view.is_generated,
            );
            self.rows(out, &Cells::new(bytes, &view.element), width, ROWS);
        }
    }

    fn input_head(
        &self,
        out: &mut String,
        place: BindPoint,
        kind: &str,
        name: &str,
        shape: &str,
        is_generated: bool,
    ) {
        let name = if name.is_empty() {
            String::new()
        } else {
            format!(" {}", escaped(name))
        };
        let generated = if is_generated { ", generated" } else { "" };
        let place = self.style.name(&place.to_string());
        _ = writeln!(out, "\n{place}  {kind}{name}: {shape}{generated}");
    }

    /// Writes the fraction of a render target that was drawn to, and its minimum and maximum.
    pub(crate) fn coverage(&self, out: &mut String, view: &Declared, bytes: &[u8]) {
        let cells = Cells::new(bytes, &view.element);
        let coverage = Coverage::of(&cells);
        let share = 100.0 * coverage.drawn as f64 / coverage.texels.max(1) as f64;
        _ = write!(
            out,
            "  drawn: {} of {} texels ({share:.1} %)",
            coverage.drawn, coverage.texels
        );
        for (name, range) in cells.columns().iter().zip(&coverage.ranges) {
            let name = if name.is_empty() { "value" } else { name };
            _ = write!(out, "; {name} {} to {}", show(range[0]), show(range[1]));
        }
        out.push('\n');
        if coverage.drawn == 0 && coverage.texels > 0 {
            let hint = "  hint: nothing was drawn, or only the clear value. Are the positions inside of the \
                 clip volume (generated constants rarely are a transform: --bind b0=...), are there \
                 vertices (--draw N), and are they not discarded? --query statistics counts them.";
            _ = writeln!(out, "{}", self.style.dim(hint));
        }
    }
}

/// Coverage of a render target that was cleared to zero.
struct Coverage {
    texels: usize,
    /// Texels with a component that is not zero.
    drawn: usize,
    /// Minimum and maximum of each component, over all texels.
    ranges: Vec<[ComponentValue; 2]>,
}

impl Coverage {
    fn of(cells: &Cells<'_>) -> Self {
        let mut coverage = Coverage {
            texels: cells.len(),
            drawn: 0,
            ranges: Vec::new(),
        };
        for index in 0..cells.len() {
            let row = cells.row(index);
            coverage.drawn += usize::from(row.iter().any(|value| number(*value) != 0.0));
            if coverage.ranges.is_empty() {
                coverage.ranges = row.iter().map(|value| [*value; 2]).collect();
            }
            for (range, value) in coverage.ranges.iter_mut().zip(row) {
                if number(value) < number(range[0]) {
                    range[0] = value;
                }
                if number(value) > number(range[1]) {
                    range[1] = value;
                }
            }
        }
        coverage
    }
}

fn number(value: ComponentValue) -> f64 {
    match value {
        ComponentValue::Float(value) => value,
        ComponentValue::Uint(value) => value as f64,
        ComponentValue::Sint(value) => value as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planned::ElementKind;
    use dxil_runtime::Format;

    #[test]
    fn texels_that_are_not_zero_are_drawn() {
        let element = ElementKind::Texel(Format::Rgba8Unorm);
        let bytes = [0, 0, 0, 0, 255, 0, 0, 255, 0, 51, 0, 255];
        let coverage = Coverage::of(&Cells::new(&bytes, &element));
        assert_eq!((coverage.texels, coverage.drawn), (3, 2));
        let ranges: Vec<[f64; 2]> = coverage.ranges.iter().map(|r| r.map(number)).collect();
        assert_eq!(ranges[0], [0.0, 1.0]);
        assert!((ranges[1][1] - 0.2).abs() < 1e-6);
        assert_eq!(ranges[2], [0.0, 0.0]);
    }
}
