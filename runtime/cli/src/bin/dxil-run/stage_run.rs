//! Stages of a draw by themselves, on the CPU: `--draw` without a rasterizer, and `--pixels`.

use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind};
use dxil_runtime::Storage;
use dxil_runtime::graphics::{Draw, DrawCall, GraphicsState};
use dxil_runtime::job::Work;
use dxil_runtime::stages::{PixelGrid, StageRun, tables_of};

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::contents::Contents;
use crate::draw::{given_vertices, topology, vertices};
use crate::failure::{Failure, Result};
use crate::options::BackendName;
use crate::planned::{ElementKind, Planned};

/// Returns the entry points of the stages if they run by themselves. A vertex shader that is drawn
/// alone has stream output, as on other backends, and whatever ends in a pixel shader is drawn.
pub(crate) fn stages<'a>(
    shaders: &'a [Shader],
    args: &Args,
) -> Result<Option<Vec<&'a EntryPoint>>> {
    let entry_of = |shader: &'a Shader| match &args.entry {
        Some(name) => shader.entry_point(name),
        None => shader.entry_points.first(),
    };
    let entries: Option<Vec<&EntryPoint>> = shaders.iter().map(entry_of).collect();
    let Some(entries) = entries else {
        return Ok(None);
    };
    let kinds: Vec<ShaderKind> = entries.iter().map(|entry| entry.kind).collect();
    if args.pixels.is_some() {
        return match kinds[..] {
            [ShaderKind::Pixel] => Ok(Some(entries)),
            _ => Err(Failure::usage("--pixels runs a pixel shader by itself")),
        };
    }
    let is_drawn = kinds == [ShaderKind::Vertex] || kinds.contains(&ShaderKind::Pixel);
    let is_alone = args.backend() == BackendName::Cpu && !is_drawn;
    Ok(is_alone.then_some(entries))
}

/// Turns a job of resources into a run of stages, and says what state the pipeline needs.
pub(crate) fn plan(
    planned: &mut Planned,
    shaders: &[Shader],
    entries: &[&EntryPoint],
    args: &Args,
    [count, instances]: [u32; 2],
) -> Result<GraphicsState> {
    let mut state = GraphicsState {
        topology: topology(shaders),
        ..GraphicsState::default()
    };
    if args.indirect.is_some() || !args.query.is_empty() {
        return Err(Failure::unsupported(
            "--indirect and --query of stages by themselves; whole draws have them",
        ));
    }
    if args.depth.is_some() || args.cull.is_some() {
        return Err(Failure::unsupported(
            "--depth and --cull of stages by themselves; whole draws have them",
        ));
    }
    let Some(first) = entries.first() else {
        return Err(Failure::usage("--draw needs a shader"));
    };
    let is_mesh = matches!(first.kind, ShaderKind::Mesh | ShaderKind::Amplification);
    let mut draw = Draw {
        call: if is_mesh {
            DrawCall::Meshes([count, instances, 1])
        } else {
            DrawCall::Vertices {
                count,
                instances,
                first: 0,
                first_instance: 0,
            }
        },
        ..Draw::default()
    };
    if !is_mesh {
        let given = given_vertices(args, count)?;
        let given = given.as_ref();
        vertices(planned, &mut state, &mut draw, first, count, given)?;
    }
    let mut run = StageRun {
        draw,
        payload: bytes_of("--payload", args.payload.as_deref())?,
        patch_constants: words(&bytes_of(
            "--patch-constants",
            args.patch_constants.as_deref(),
        )?),
        ..StageRun::default()
    };
    if let Some([width, height]) = args.pixels {
        run.pixels = PixelGrid {
            width,
            height,
            samples: args.samples.unwrap_or(1),
            is_back_face: args.back_face,
        };
    }
    let locations = words(&bytes_of("--locations", args.locations.as_deref())?);
    let parts = location_parts(entries);
    if !locations.len().is_multiple_of(parts) {
        return Err(Failure::usage(format!(
            "--locations: write {parts} numbers for each place, like f32:{}",
            if parts == 3 {
                "1,0,0,0,1,0"
            } else {
                "0,0,0.5,1"
            }
        )));
    }
    run.locations = locations
        .chunks_exact(parts)
        .map(|place| {
            let part = |index: usize| place.get(index).map_or(0.0, |word| f32::from_bits(*word));
            [part(0), part(1), part(2)]
        })
        .collect();
    for entry in entries {
        for (output, element) in tables_of(entry) {
            let place = BindPoint::Stream(run.tables.len() as u32);
            let element = ElementKind::Scalars(element);
            let storage = Storage::Buffer(Vec::new());
            let resource = planned.add_output(place, &output.title(), element, storage);
            run.tables.push((output, resource));
        }
    }
    planned.job.work = Work::Stages(Box::new(run));
    Ok(state)
}

/// Returns the coordinates of a place in a patch.
fn location_parts(entries: &[&EntryPoint]) -> usize {
    use dxil_frontend::dxil::{DomainShape, Stage};
    let is_triangle = |entry: &&EntryPoint| {
        matches!(
            entry.stage,
            Stage::Domain {
                domain: DomainShape::Tri,
                ..
            }
        )
    };
    if entries.iter().any(is_triangle) {
        3
    } else {
        2
    }
}

/// Returns the bytes of an option; none where it is not given.
fn bytes_of(option: &str, text: Option<&str>) -> Result<Vec<u8>> {
    let Some(text) = text else {
        return Ok(Vec::new());
    };
    let argument = format!("{option} {text}");
    let bytes = Contents::parse(&argument, text)?.bytes(0);
    bytes.ok_or_else(|| Failure::usage(format!("{argument}: write numbers, like f32:1,0.5")))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}
