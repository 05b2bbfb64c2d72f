//! Stream output as transform feedback, and other copies of output elements.
//!
//! SPIR-V captures whole variables. An entry that takes a whole one-row element decorates that
//! element's variable; any other entry (some components, one row of several, a second capture, one
//! of the clip distances) gets a variable of its own behind the stage's last location, which the
//! stores keep equal to what they copy.

use dxil_frontend::dxil::{SemanticKind, ShaderKind, SignatureElement, Stage};
use dxil_frontend::ir::ValueId;

use super::elements::{Direction, Element, Form};
use super::system_values::Adjust;
use crate::lower::Lowering;
use crate::lower::types::Scalar;
use crate::options::Features;
use crate::spirv::{Capability, Decoration, ExecutionMode, Id, Op, StorageClass};
use crate::{Error, Result, StreamOutputEntry};

/// A variable that is written together with an output element.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct OutputCopy {
    /// The element.
    element: u32,
    /// The one row it copies; `None` copies all.
    row: Option<u32>,
    /// First column it copies.
    first_column: u32,
    /// Columns it copies.
    columns: u32,
    place: Element,
}

impl Lowering<'_> {
    /// Whether the stage streams out.
    fn has_stream_output(&self) -> bool {
        matches!(
            self.entry.kind,
            ShaderKind::Vertex | ShaderKind::Domain | ShaderKind::Geometry
        ) && !self.options.signature.stream_output.entries.is_empty()
    }

    /// Whether a geometry shader has streams beyond the first.
    pub(in crate::lower) fn has_streams(&self) -> bool {
        match self.entry.stage {
            Stage::Geometry { active_streams, .. } => {
                active_streams & !1 != 0 || self.entry.outputs.iter().any(|e| e.stream != 0)
            }
            _ => false,
        }
    }

    /// Says which stream an output belongs to.
    pub(in crate::lower) fn decorate_stream(&mut self, variable: Id, stream: u32) {
        self.b.capability(Capability::GeometryStreams);
        self.b.decorate(variable, Decoration::Stream, &[stream]);
    }

    /// Makes the variables that are captured. Runs before the first function is lowered.
    pub(in crate::lower) fn plan_stream_output(&mut self) -> Result<()> {
        if !self.has_stream_output() {
            return Ok(());
        }
        self.require(
            Features::TRANSFORM_FEEDBACK,
            "transformFeedback",
            "stream output",
        )?;
        self.b.capability(Capability::TransformFeedback);
        let options = self.options;
        let mut captured: Vec<u32> = Vec::new();
        for entry in &options.signature.stream_output.entries {
            let variable = self.captured_variable(entry, &mut captured)?;
            let decorations = [
                (Decoration::XfbBuffer, entry.buffer),
                (Decoration::XfbStride, entry.stride),
                (Decoration::Offset, entry.offset),
            ];
            for (decoration, value) in decorations {
                self.b.decorate(variable, decoration, &[value]);
            }
        }
        Ok(())
    }

    /// Execution mode of stages that stream out.
    pub(in crate::lower) fn stream_output_mode(&mut self, function: Id) {
        if self.has_stream_output() {
            self.b.execution_mode(function, ExecutionMode::Xfb, &[]);
        }
    }

    fn captured_variable(
        &mut self,
        entry: &StreamOutputEntry,
        captured: &mut Vec<u32>,
    ) -> Result<Id> {
        let name = || format!("stream output of {}{}", entry.semantic, entry.index);
        let elements = &self.entry.outputs;
        let found = elements.iter().find_map(|element| {
            let same = element.stream == entry.stream
                && element.name.eq_ignore_ascii_case(&entry.semantic);
            let row = element
                .semantic_indices
                .iter()
                .position(|&index| index == entry.index);
            Some((element, row.filter(|_| same)? as u32))
        });
        let Some((element, row)) = found else {
            return Err(Error::malformed(format!("{}: no such output", name())));
        };
        let left = element.columns.checked_sub(entry.first_component);
        let columns = match (left, entry.components) {
            (Some(left @ 1..), 0) => left,
            (Some(left), wish) if wish <= left && wish > 0 => wish,
            _ => {
                return Err(Error::malformed(format!("{}: no such components", name())));
            }
        };
        let aligned = entry.offset.is_multiple_of(4) && entry.stride.is_multiple_of(4);
        let end = entry.offset.checked_add(columns * 4);
        if !aligned || entry.buffer > 3 || end.is_none_or(|end| end > entry.stride) {
            return Err(Error::malformed(format!(
                "{}: it does not fit a vertex of {} bytes in buffer {}",
                name(),
                entry.stride,
                entry.buffer
            )));
        }
        let place = self.element(Direction::Output, element.id)?;
        let is_whole = columns == element.columns
            && matches!(place.shape, Form::Scalar | Form::Vector)
            && place.scalar.width() == 32
            && !captured.contains(&element.id);
        if is_whole {
            captured.push(element.id);
            return Ok(place.variable);
        }
        self.copy_of(element, row, entry.first_component, columns)
    }

    /// A new output variable that copies some columns of a row.
    fn copy_of(
        &mut self,
        element: &SignatureElement,
        row: u32,
        first_column: u32,
        columns: u32,
    ) -> Result<Id> {
        let scalar = match self.component_scalar(element.component)? {
            Scalar::Float { .. } => Scalar::F32,
            Scalar::Int { .. } | Scalar::Bool => Scalar::U32,
        };
        let class = StorageClass::Output;
        let scalar_ty = self.io_scalar_ty(scalar);
        let ty = self.b.vector_or_scalar(scalar_ty, columns);
        let pointer = self.b.pointer(class, ty);
        let variable = self.b.global_variable(class, pointer, None);
        let location = match self.inputs.next_output {
            Some(next) => next,
            None => self.end_of_outputs(),
        };
        self.inputs.next_output = Some(location.saturating_add(1));
        self.b.decorate(variable, Decoration::Location, &[location]);
        if self.has_streams() {
            self.decorate_stream(variable, element.stream);
        }
        self.inputs.copies.push(OutputCopy {
            element: element.id,
            row: (element.rows > 1).then_some(row),
            first_column,
            columns,
            place: Element {
                variable,
                class,
                scalar,
                ty,
                shape: if columns > 1 {
                    Form::Vector
                } else {
                    Form::Scalar
                },
                columns,
                adjust: Adjust::None,
                arrayed: false,
            },
        });
        Ok(variable)
    }

    /// A system value of the rasterizer is plain data where another stage reads it: whoever follows a
    /// vertex or domain shader, its built-ins are joined by a variable in the packed signature.
    pub(in crate::lower) fn pass_on_as_data(&mut self, element: &SignatureElement) -> Result<()> {
        use SemanticKind as Semantic;
        let may_be_followed = matches!(self.entry.kind, ShaderKind::Vertex | ShaderKind::Domain);
        let is_read_as_data = matches!(
            element.semantic,
            Semantic::RenderTargetArrayIndex | Semantic::ViewPortArrayIndex | Semantic::ShadingRate
        );
        if !may_be_followed || !is_read_as_data {
            return Ok(());
        }
        let place = self.user_element(Direction::Output, element)?;
        self.inputs.copies.push(OutputCopy {
            element: element.id,
            row: None,
            first_column: 0,
            columns: element.columns,
            place,
        });
        Ok(())
    }

    /// Writes the copies of one component of an output element.
    pub(in crate::lower) fn store_copies(
        &mut self,
        element: u32,
        row: Id,
        column: u8,
        value: ValueId,
    ) -> Result<()> {
        for index in 0..self.inputs.copies.len() {
            let copy = self.inputs.copies[index];
            let column = u32::from(column).wrapping_sub(copy.first_column);
            if copy.element != element || column >= copy.columns {
                continue;
            }
            let mut id = self.output_value(value, copy.place.scalar)?;
            let pointer = self.component_address(copy.place, row, column, None)?;
            match (copy.row, self.b.literal(row)) {
                (Some(wanted), Some(row)) if wanted != row => continue,
                // Only at run time it shows whether this is the row: keep the old value if not.
                (Some(wanted), None) => {
                    let wanted = self.b.const_u32(wanted);
                    let bool_ty = self.b.bool();
                    let same = self.b.emit(Op::IEqual, bool_ty, &[row, wanted]);
                    let ty = self.io_scalar_ty(copy.place.scalar);
                    let old = self.b.load(ty, pointer);
                    id = self.b.select(ty, same, id, old);
                }
                _ => {}
            }
            self.b.store(pointer, id);
        }
        Ok(())
    }
}
