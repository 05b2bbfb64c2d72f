//! `--draw`: a graphics job for what the stages declare.
//!
//! Vertices are those of `--vertices`, or lie on a triangle: the first floating-point input of a
//! vertex is its position, further ones are red, green and blue, integers count. Render targets are
//! 256x256 unless `--size` says otherwise, cleared to black, with a depth buffer (`--depth`). Of a
//! vertex shader alone the outputs are captured.

use dxil_frontend::dxil::{ComponentType, EntryPoint, SemanticKind, Shader, ShaderKind, Stage};
use dxil_runtime::graphics::{
    Attachment, Attribute, Cull, DepthState, Draw, DrawCall, GraphicsState, Indirect, TargetState,
    Topology, VertexBuffer, VertexSlot,
};
use dxil_runtime::job::{ResourceId, Texture, Work};
use dxil_runtime::{Format, Storage};

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::contents::Contents;
use crate::failure::{Failure, Result};
use crate::options::{BackendName, DepthTest};
use crate::planned::{Declared, ElementKind, Planned};
use crate::vertex_outputs;
use crate::vertices::Vertices;

/// Width and height of a default render target.
const SIZE: u32 = 256;

/// Returns the number of vertices and instances: as the command line says, or all of `--vertices`.
pub(crate) fn call(args: &Args) -> Result<Option<[u32; 2]>> {
    match (args.draw, &args.vertices) {
        // The corners of a triangle.
        (None, None) if args.pixels.is_some() => Ok(Some([3, 1])),
        (None, Some(path)) => {
            let count = Vertices::read(path)?.count();
            Ok(Some([u32::try_from(count).unwrap_or(u32::MAX), 1]))
        }
        (call, _) => Ok(call),
    }
}

/// Turns a job of resources into a draw, and says what state the pipeline needs.
pub(crate) fn plan(
    planned: &mut Planned,
    shaders: &[Shader],
    args: &Args,
    [count, instances]: [u32; 2],
) -> Result<GraphicsState> {
    let stage = |kind: ShaderKind| {
        let points = shaders.iter().flat_map(|shader| &shader.entry_points);
        points.into_iter().find(|point| point.kind == kind)
    };
    let mut state = GraphicsState {
        topology: topology(shaders),
        ..GraphicsState::default()
    };
    let mut draw = Draw {
        call: DrawCall::Vertices {
            count,
            instances,
            first: 0,
            first_instance: 0,
        },
        ..Draw::default()
    };
    match stage(ShaderKind::Vertex) {
        Some(vertex) => {
            let given = given_vertices(args, count)?;
            vertices(
                planned,
                &mut state,
                &mut draw,
                vertex,
                count,
                given.as_ref(),
            )?;
        }
        None if stage(ShaderKind::Mesh).is_some() => {
            draw.call = DrawCall::Meshes([count, instances, 1]);
        }
        None => {
            return Err(Failure::usage(
                "--draw needs a vertex or mesh shader among the files",
            ));
        }
    }
    if let Some(pixel) = stage(ShaderKind::Pixel) {
        targets(planned, &mut state, &mut draw, pixel, args);
    }
    // wgpu has no stream output, and an indirect draw does not tell how much memory the outputs
    // need.
    if let ([_], Some(vertex)) = (shaders, stage(ShaderKind::Vertex))
        && args.backend() != BackendName::Wgpu
        && args.indirect.is_none()
    {
        vertex_outputs::plan(planned, &mut state, &mut draw, vertex, [count, instances])?;
    }
    if let Some(arguments) = indirect(planned, args)? {
        let words = match draw.call {
            DrawCall::Meshes(_) => 3,
            _ => 4,
        };
        draw.call = DrawCall::Indirect(Indirect {
            arguments: arguments.0,
            offset: 0,
            stride: words * 4,
            draws: arguments.1 / (words * 4),
            count: None,
        });
    }
    draw.queries = args.query.iter().map(|query| query.query()).collect();
    state.samples = args.samples.unwrap_or(1);
    state.cull = args.cull.map_or(Cull::None, |cull| cull.cull());
    depth_buffer(planned, &mut state, &mut draw, args);
    // Without targets nothing gives the viewport its size.
    if draw.targets.is_empty() {
        draw.viewport = Some([SIZE, SIZE]);
    }
    planned.job.work = Work::Draw(Box::new(draw));
    Ok(state)
}

/// Returns the vertices of `--vertices`, which are enough.
pub(crate) fn given_vertices(args: &Args, count: u32) -> Result<Option<Vertices>> {
    let Some(path) = &args.vertices else {
        return Ok(None);
    };
    let given = Vertices::read(path)?;
    if given.count() < count as usize {
        return Err(Failure::usage(format!(
            "--draw {count}: the file of --vertices has {} vertices",
            given.count()
        )));
    }
    Ok(Some(given))
}

/// Returns the buffer of indirect arguments and its bytes, if the command line has one.
pub(crate) fn indirect(planned: &mut Planned, args: &Args) -> Result<Option<(ResourceId, u32)>> {
    let Some(text) = &args.indirect else {
        return Ok(None);
    };
    let argument = format!("--indirect {text}");
    let bytes = Contents::parse(&argument, text)?.bytes(16);
    // The shortest arguments are three words: those of a mesh draw or of a dispatch.
    let bytes = bytes.filter(|bytes| bytes.len() >= 12);
    let bytes = bytes.ok_or_else(|| {
        Failure::usage(format!(
            "{argument}: write at least three numbers, like u32:4,1,1"
        ))
    })?;
    let length = bytes.len() as u32;
    let storage = Storage::Buffer(bytes);
    let job = &mut planned.job;
    Ok(Some((
        job.add_resource("indirect arguments", storage, false),
        length,
    )))
}

pub(crate) fn topology(shaders: &[Shader]) -> Topology {
    use dxil_frontend::dxil::InputPrimitive as P;
    let points = shaders.iter().flat_map(|shader| &shader.entry_points);
    for point in points {
        match &point.stage {
            Stage::Hull {
                input_control_points,
                ..
            } => return Topology::PatchList(*input_control_points),
            Stage::Geometry { input, .. } => {
                return match input {
                    P::Point => Topology::PointList,
                    P::Line => Topology::LineList,
                    P::LineAdjacency => Topology::LineListAdjacency,
                    P::TriangleAdjacency => Topology::TriangleListAdjacency,
                    P::Patch(points) => Topology::PatchList(u32::from(*points)),
                    P::Triangle | P::Undefined => Topology::TriangleList,
                };
            }
            _ => {}
        }
    }
    Topology::TriangleList
}

/// Adds one tightly packed vertex buffer for all inputs.
///
/// # Errors
///
/// The rows of `given` do not fit the inputs.
pub(crate) fn vertices(
    planned: &mut Planned,
    state: &mut GraphicsState,
    draw: &mut Draw,
    vertex: &EntryPoint,
    count: u32,
    given: Option<&Vertices>,
) -> Result<()> {
    const CORNERS: [[f32; 4]; 3] = [
        [-0.75, -0.75, 0.5, 1.0],
        [0.0, 0.75, 0.5, 1.0],
        [0.75, -0.75, 0.5, 1.0],
    ];
    const COLOURS: [[f32; 4]; 3] = [
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 1.0],
    ];
    let mut fields = Vec::new();
    let mut stride = 0;
    let mut has_position = false;
    let mut first = 0;
    for element in &vertex.inputs {
        let Some(first_row) = element.start_row.filter(|_| is_plain(element.semantic)) else {
            continue;
        };
        let integer = matches!(
            element.component,
            ComponentType::I32 | ComponentType::U32 | ComponentType::I16 | ComponentType::U16
        );
        let format = match (element.component, integer) {
            (ComponentType::I32 | ComponentType::I16, _) => Format::Rgba32Sint,
            (_, true) => Format::Rgba32Uint,
            _ => Format::Rgba32Float,
        };
        let is_position = !integer && !has_position;
        has_position |= is_position;
        for row in 0..element.rows {
            state.attributes.push(Attribute {
                row: first_row + row,
                format,
                slot: 0,
                offset: stride,
            });
            stride += 16;
            fields.push((integer, is_position, element, first));
            first += element.columns as usize;
        }
    }
    if fields.is_empty() {
        return Ok(());
    }
    if let Some(given) = given {
        let inputs = vertex
            .inputs
            .iter()
            .filter(|element| element.start_row.is_some() && is_plain(element.semantic));
        let inputs: Vec<(String, usize)> = inputs
            .flat_map(|element| {
                let indices = element.semantic_indices.iter();
                let columns = element.columns as usize;
                indices.map(move |index| (format!("{}{index}", element.name), columns))
            })
            .collect();
        given.check(&inputs)?;
    }
    let mut bytes = Vec::new();
    // Bounded: a draw may have four billion vertices.
    for index in 0..count.min(1 << 20) {
        for (integer, is_position, element, first) in &fields {
            let corner = index as usize % 3;
            let value = given.and_then(|given| given.value(index as usize, element, *first));
            if let Some(value) = value.filter(|_| !*integer) {
                bytes.extend(value.into_iter().flat_map(f32::to_le_bytes));
                continue;
            }
            let values = match (integer, is_position) {
                (true, _) => [index; 4],
                (_, true) => CORNERS[corner].map(f32::to_bits),
                _ => COLOURS[corner].map(f32::to_bits),
            };
            bytes.extend(values.into_iter().flat_map(u32::to_le_bytes));
        }
    }
    let resource = planned
        .job
        .add_resource("vertices", Storage::Buffer(bytes), false);
    state.vertex_slots.push(VertexSlot {
        stride,
        per_instance: false,
    });
    draw.vertex_buffers.push(VertexBuffer {
        resource,
        offset: 0,
    });
    Ok(())
}

/// Returns whether the input comes from a buffer.
fn is_plain(semantic: SemanticKind) -> bool {
    !matches!(
        semantic,
        SemanticKind::VertexId
            | SemanticKind::InstanceId
            | SemanticKind::ViewId
            | SemanticKind::StartVertexLocation
            | SemanticKind::StartInstanceLocation
    )
}

fn targets(
    planned: &mut Planned,
    state: &mut GraphicsState,
    draw: &mut Draw,
    pixel: &EntryPoint,
    args: &Args,
) {
    let outputs = pixel
        .outputs
        .iter()
        .filter(|element| element.semantic == SemanticKind::Target)
        .flat_map(|element| {
            let indices = element.semantic_indices.iter();
            indices.map(|index| (*index, element.component))
        });
    let mut formats: Vec<Format> = Vec::new();
    for (index, component) in outputs {
        // D3D12 has eight render targets; a malformed index must not make the list long.
        let index = index.min(7) as usize;
        if formats.len() <= index {
            formats.resize(index + 1, Format::Rgba8Unorm);
        }
        formats[index] = match component {
            ComponentType::U32 | ComponentType::U16 => Format::Rgba32Uint,
            ComponentType::I32 | ComponentType::I16 => Format::Rgba32Sint,
            _ => Format::Rgba8Unorm,
        };
    }
    for (index, generated) in (0u32..).zip(formats) {
        let place = BindPoint::Target(index);
        let argument = args.format.iter().find(|(p, _)| *p == place);
        let format = argument.map_or(generated, |(_, format)| *format);
        let [width, height] = target_size(args, index);
        let texture = Texture::new_2d(format, width, height, Vec::new());
        let resource =
            planned
                .job
                .add_resource(&place.to_string(), Storage::Texture(texture), true);
        state.targets.push(TargetState::new(format));
        // A multisampled target is shown once it is resolved.
        let many = args.samples.filter(|samples| *samples > 1).map(|samples| {
            let texture = Texture {
                samples,
                ..Texture::new_2d(format, width, height, Vec::new())
            };
            let name = format!("{place} with {samples} samples");
            let job = &mut planned.job;
            job.add_resource(&name, Storage::Texture(texture), false)
        });
        draw.targets.push(Attachment {
            resource: many.unwrap_or(resource),
            mip: 0,
            layer: 0,
            clear: Some([0.0; 4]),
            resolve: many.map(|_| resource),
        });
        planned.views.push(Declared {
            place,
            resource,
            name: String::new(),
            kind: "render target".to_owned(),
            texture: None,
            element: ElementKind::Texel(format),
            layout: None,
            size: None,
            writable: true,
            has_counter: false,
            is_generated: true,
        });
    }
}

/// Returns the width and height of a render target.
pub(crate) fn target_size(args: &Args, index: u32) -> [u32; 2] {
    let place = BindPoint::Target(index);
    let size = args.size.iter().find(|(p, _)| *p == place);
    size.map_or([SIZE; 2], |(_, [width, height, _])| [*width, *height])
}

/// Adds the depth buffer of `--depth`, if the draw has render targets.
fn depth_buffer(planned: &mut Planned, state: &mut GraphicsState, draw: &mut Draw, args: &Args) {
    let test = args.depth.unwrap_or(DepthTest::LessEqual);
    let (Some(comparison), false) = (test.comparison(), draw.targets.is_empty()) else {
        return;
    };
    let format = Format::D32Float;
    let targets = 0..draw.targets.len() as u32;
    let [width, height] = targets.fold([u32::MAX; 2], |smallest, index| {
        let size = target_size(args, index);
        [smallest[0].min(size[0]), smallest[1].min(size[1])]
    });
    let texture = Texture {
        samples: state.samples,
        ..Texture::new_2d(format, width, height, Vec::new())
    };
    let texture = Storage::Texture(texture);
    let resource = planned.job.add_resource("depth buffer", texture, false);
    state.depth = Some(DepthState {
        test: Some(comparison),
        ..DepthState::new(format)
    });
    draw.depth = Some(Attachment {
        clear: Some([test.clear(), 0.0, 0.0, 0.0]),
        ..Attachment::new(resource)
    });
}
