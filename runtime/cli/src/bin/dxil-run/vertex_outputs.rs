//! The outputs of a vertex shader that is drawn without other stages: captured by stream output,
//! one element for each vertex.

use dxil_frontend::dxil::{Element, EntryPoint, Shader, ShaderKind, SignatureElement};
use dxil_runtime::Profile;
use dxil_runtime::Storage;
use dxil_runtime::graphics::{Draw, GraphicsState, StreamTarget, Topology};
use dxil_runtime::job::{Job, Work};
use dxil_runtime::stages::{WORD, columns};
use dxil_translate::{Features, SignatureOptions, StreamOutputEntry};

use crate::bind_points::BindPoint;
use crate::contents::check_size;
use crate::failure::Result;
use crate::messages::say_warning;
use crate::planned::{Declared, ElementKind, Planned};
use crate::style::Style;

/// Adds the buffer for the outputs to a draw. The vertices become points, so that each of them is
/// captured once and in order.
pub(crate) fn plan(
    planned: &mut Planned,
    state: &mut GraphicsState,
    draw: &mut Draw,
    vertex: &EntryPoint,
    [count, instances]: [u32; 2],
) -> Result<()> {
    let element = element_of(vertex);
    if element.scalars.is_empty() {
        return Ok(());
    }
    let bytes = (element.size as usize)
        .saturating_mul(count as usize)
        .saturating_mul(instances as usize);
    check_size(bytes)?;
    let storage = Storage::Buffer(vec![0; bytes]);
    let element = ElementKind::Scalars(element);
    let resource = planned.add_output(BindPoint::Stream(0), "vertex outputs", element, storage);
    draw.stream_targets.push(StreamTarget {
        resource,
        offset: 0,
    });
    state.topology = Topology::PointList;
    Ok(())
}

/// Leaves the outputs out where the device has no stream output.
pub(crate) fn drop_if_unable(profile: &Profile, job: &mut Job, views: &mut Vec<Declared>) {
    if profile
        .target
        .features
        .contains(Features::TRANSFORM_FEEDBACK)
    {
        return;
    }
    let Work::Draw(draw) = &mut job.work else {
        return;
    };
    if !draw.stream_targets.is_empty() {
        draw.stream_targets.clear();
        views.retain(|view| !matches!(view.place, BindPoint::Stream(_)));
        say_warning(
            Style::for_stderr(),
            &"the device has no stream output: the vertex shader's outputs are not shown",
        );
    }
}

/// Asks the translator to stream the outputs of the vertex shader, if the job captures them.
pub(crate) fn capture(signature: &mut SignatureOptions, job: &Job, shaders: &[Shader]) {
    let captures = matches!(&job.work, Work::Draw(draw) if !draw.stream_targets.is_empty());
    let mut points = shaders.iter().flat_map(|shader| &shader.entry_points);
    let vertex = points.find(|point| point.kind == ShaderKind::Vertex);
    let Some(vertex) = vertex.filter(|_| captures) else {
        return;
    };
    // Points need a size in Vulkan.
    signature.write_point_size = true;
    let rows = rows(vertex);
    let stride = rows.iter().map(|row| row.element.columns * WORD).sum();
    let mut offset = 0;
    for row in rows {
        signature.stream_output.entries.push(StreamOutputEntry {
            stream: 0,
            semantic: row.element.name.to_string(),
            index: row.index,
            first_component: 0,
            components: row.element.columns,
            buffer: 0,
            offset,
            stride,
        });
        offset += row.element.columns * WORD;
    }
}

/// A row of an output with its semantic index.
struct OutputRow<'a> {
    element: &'a SignatureElement,
    index: u32,
}

fn rows(vertex: &EntryPoint) -> Vec<OutputRow<'_>> {
    let elements = vertex.outputs.iter();
    let elements = elements.filter(|element| element.start_row.is_some());
    let rows = elements.flat_map(|element| {
        let indices = element.semantic_indices.iter();
        indices.map(move |index| OutputRow {
            element,
            index: *index,
        })
    });
    rows.collect()
}

/// Returns the element that the buffer holds for each vertex.
fn element_of(vertex: &EntryPoint) -> Element {
    let elements = vertex.outputs.iter();
    columns(&[], elements.filter(|element| element.start_row.is_some()))
}
