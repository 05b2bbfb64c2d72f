//! Draws on Vulkan: pixels against what rasterisation rules say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dxil_frontend::dxil::read_shader;
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::graphics::{
    Attachment, Attribute, Blend, BlendFactor, BlendOp, Cull, DepthState, Draw, DrawCall,
    GraphicsState, Indices, TargetState, Topology, VertexBuffer, VertexSlot,
};
use dxil_runtime::job::{Job, Register, ResourceId, Texture, Work};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::{Error, Format, Outcome, Storage};

/// Returns one Vulkan device for the whole process.
fn device() -> &'static Arc<dyn Device> {
    static DEVICE: OnceLock<Arc<dyn Device>> = OnceLock::new();
    DEVICE.get_or_init(|| {
        let mut options = OpenOptions::new(Backend::Vulkan);
        options.timeout = Duration::from_secs(30);
        options.validate = std::env::var_os("DXIL_JIT_VALIDATE").is_some();
        device::open(&options).unwrap_or_else(|error| panic!("these tests need a device: {error}"))
    })
}

fn program(names: &[&str], state: GraphicsState) -> Program {
    let shaders: Vec<_> = names
        .iter()
        .map(|name| {
            let path = format!("{}/tests/data/{name}.dxil", env!("CARGO_MANIFEST_DIR"));
            read_shader(&std::fs::read(path).unwrap()).unwrap()
        })
        .collect();
    let stages: Vec<_> = shaders.iter().collect();
    let options = CompileOptions::default();
    let profile = device().profile();
    let mut program = Program::compile_stages(&stages, None, profile, &|_| None, &options).unwrap();
    program.graphics = Some(state);
    program
}

fn state(format: Format) -> GraphicsState {
    GraphicsState {
        targets: vec![TargetState::new(format)],
        ..GraphicsState::default()
    }
}

fn target(job: &mut Job, format: Format, size: u32, samples: u32, read_back: bool) -> ResourceId {
    let mut texture = Texture::new_2d(format, size, size, Vec::new());
    texture.samples = samples;
    job.add_resource("target", Storage::Texture(texture), read_back)
}

fn attachment(resource: ResourceId, clear: [f32; 4]) -> Attachment {
    Attachment {
        resource,
        mip: 0,
        layer: 0,
        clear: Some(clear),
        resolve: None,
    }
}

fn draw(count: u32, targets: Vec<Attachment>) -> Draw {
    Draw {
        call: DrawCall::Vertices {
            count,
            instances: 1,
            first: 0,
            first_instance: 0,
        },
        targets,
        ..Draw::default()
    }
}

fn job() -> Job {
    Job::dispatch([0; 3])
}

fn run(program: &Program, mut job: Job, draw: Draw) -> Result<Outcome, Error> {
    job.work = Work::Draw(Box::new(draw));
    device().run(program, &job)
}

fn pixel(bytes: &[u8], size: u32, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * size + x) * 4) as usize;
    bytes[at..at + 4].try_into().unwrap()
}

/// Returns the position (3 floats) and colour (4 floats) of each vertex.
fn vertices(list: &[([f32; 3], [f32; 4])]) -> Vec<u8> {
    list.iter()
        .flat_map(|(position, color)| position.iter().chain(color))
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn mesh_state(format: Format) -> GraphicsState {
    GraphicsState {
        vertex_slots: vec![VertexSlot {
            stride: 28,
            per_instance: false,
        }],
        attributes: vec![
            Attribute {
                row: 0,
                format: Format::Rgb32Float,
                slot: 0,
                offset: 0,
            },
            Attribute {
                row: 1,
                format: Format::Rgba32Float,
                slot: 0,
                offset: 12,
            },
        ],
        ..state(format)
    }
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

#[test]
fn a_triangle_over_the_whole_target_has_interpolated_colours_and_y_points_up() {
    let program = program(&["triangle_vs", "triangle_ps"], state(Format::Rgba8Unorm));
    let mut job = job();
    let id = target(&mut job, Format::Rgba8Unorm, 16, 1, true);
    let outcome = run(&program, job, draw(3, vec![attachment(id, [0.5; 4])])).unwrap();
    let bytes = outcome.bytes(id).unwrap();
    for y in 0..16 {
        for x in 0..16 {
            let [r, g, b, a] = pixel(bytes, 16, x, y);
            // Red grows to the right; green grows upwards, which is towards row 0.
            let want_r = (x as f32 + 0.5) / 16.0 * 255.0;
            let want_g = (15.5 - y as f32) / 16.0 * 255.0;
            assert!(
                (f32::from(r) - want_r).abs() <= 1.0,
                "{x},{y}: {r} {want_r}"
            );
            assert!(
                (f32::from(g) - want_g).abs() <= 1.0,
                "{x},{y}: {g} {want_g}"
            );
            assert_eq!((b, a), (0, 255));
        }
    }
}

#[test]
fn vertex_and_index_buffers_and_constants_place_a_quad() {
    let program = program(&["mesh_vs", "triangle_ps"], mesh_state(Format::Rgba8Unorm));
    let mut job = job();
    let id = target(&mut job, Format::Rgba8Unorm, 8, 1, true);
    // The lower left quarter, moved up by the constant buffer.
    let quad = vertices(&[
        ([-1.0, -1.0, 0.5], RED),
        ([0.0, -1.0, 0.5], RED),
        ([-1.0, 0.0, 0.5], RED),
        ([0.0, 0.0, 0.5], RED),
    ]);
    let vertices = job.add_resource("vertices", Storage::Buffer(quad), false);
    let list: Vec<u8> = [0u16, 2, 1, 1, 2, 3]
        .into_iter()
        .flat_map(u16::to_le_bytes)
        .collect();
    let indices = job.add_resource("indices", Storage::Buffer(list), false);
    let shift: Vec<u8> = [0.0f32, 1.0, 0.0, 0.0]
        .into_iter()
        .flat_map(f32::to_le_bytes)
        .collect();
    job.bind_constants(Register::cbv(0), shift);
    let mut draw = draw(6, vec![attachment(id, GREEN)]);
    draw.vertex_buffers = vec![VertexBuffer {
        resource: vertices,
        offset: 0,
    }];
    draw.indices = Some(Indices {
        resource: indices,
        offset: 0,
        wide: false,
        base_vertex: 0,
    });
    let outcome = run(&program, job, draw).unwrap();
    let bytes = outcome.bytes(id).unwrap();
    for y in 0..8 {
        for x in 0..8 {
            let inside = x < 4 && y < 4;
            let want = if inside {
                [255, 0, 0, 255]
            } else {
                [0, 255, 0, 255]
            };
            assert_eq!(pixel(bytes, 8, x, y), want, "{x},{y}");
        }
    }
}

/// Returns two quads over the whole target, red at depth 0.25 first, then green at 0.75.
fn two_quads(state: GraphicsState, depth: bool) -> [u8; 4] {
    let program = program(&["mesh_vs", "triangle_ps"], state.clone());
    let mut job = job();
    let id = target(&mut job, Format::Rgba8Unorm, 4, 1, true);
    let layer = |z: f32, color: [f32; 4]| {
        [[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]].map(|[x, y]| ([x, y, z], color))
    };
    let mut list = layer(0.25, [1.0, 0.0, 0.0, 0.5]).to_vec();
    list.extend(layer(0.75, [0.0, 1.0, 0.0, 0.5]));
    let vertices = job.add_resource("vertices", Storage::Buffer(vertices(&list)), false);
    job.bind_constants(Register::cbv(0), vec![0; 16]);
    let mut draw = draw(6, vec![attachment(id, [0.0; 4])]);
    draw.vertex_buffers = vec![VertexBuffer {
        resource: vertices,
        offset: 0,
    }];
    if depth {
        let buffer = target(&mut job, Format::D32Float, 4, 1, false);
        draw.depth = Some(attachment(buffer, [1.0, 0.0, 0.0, 0.0]));
    }
    let outcome = run(&program, job, draw).unwrap();
    pixel(outcome.bytes(id).unwrap(), 4, 1, 2)
}

#[test]
fn without_a_depth_test_the_last_triangle_wins() {
    assert_eq!(
        two_quads(mesh_state(Format::Rgba8Unorm), false),
        [0, 255, 0, 128]
    );
}

#[test]
fn with_a_depth_test_the_nearest_triangle_wins() {
    let state = GraphicsState {
        depth: Some(DepthState::new(Format::D32Float)),
        ..mesh_state(Format::Rgba8Unorm)
    };
    assert_eq!(two_quads(state, true), [255, 0, 0, 128]);
}

#[test]
fn blending_mixes_by_alpha() {
    let mut state = mesh_state(Format::Rgba8Unorm);
    state.targets[0].blend = Some(Blend {
        color: (BlendFactor::SourceAlpha, BlendFactor::InverseSourceAlpha),
        color_op: BlendOp::Add,
        alpha: (BlendFactor::One, BlendFactor::Zero),
        alpha_op: BlendOp::Add,
    });
    let [r, g, b, a] = two_quads(state, false);
    // Half of red is halved again by green.
    assert!(
        (63..=65).contains(&r) && (127..=128).contains(&g),
        "{r} {g}"
    );
    assert_eq!((b, a), (0, 128));
}

#[test]
fn the_write_mask_keeps_channels() {
    let mut state = mesh_state(Format::Rgba8Unorm);
    state.targets[0].write_mask = 0b0101;
    assert_eq!(two_quads(state, false), [0, 0, 0, 0]);
}

#[test]
fn culling_follows_the_winding() {
    // The corners are lower left, upper left, lower right: clockwise.
    for (cull, counter, drawn) in [
        (Cull::Back, false, true),
        (Cull::Front, false, false),
        (Cull::Back, true, false),
        (Cull::Front, true, true),
    ] {
        let state = GraphicsState {
            cull,
            front_counter_clockwise: counter,
            ..state(Format::Rgba8Unorm)
        };
        let program = program(&["triangle_vs", "triangle_ps"], state);
        let mut job = job();
        let id = target(&mut job, Format::Rgba8Unorm, 4, 1, true);
        let outcome = run(&program, job, draw(3, vec![attachment(id, [0.0; 4])])).unwrap();
        let alpha = pixel(outcome.bytes(id).unwrap(), 4, 1, 1)[3];
        assert_eq!(alpha == 255, drawn, "{cull:?} {counter}");
    }
}

#[test]
fn samples_resolve_to_their_average() {
    let state = GraphicsState {
        samples: 4,
        ..mesh_state(Format::Rgba8Unorm)
    };
    let program = program(&["mesh_vs", "triangle_ps"], state);
    let mut job = job();
    let many = target(&mut job, Format::Rgba8Unorm, 4, 4, false);
    let one = target(&mut job, Format::Rgba8Unorm, 4, 1, true);
    // Everything below the diagonal.
    let list = [
        ([-1.0, 1.0, 0.5], RED),
        ([1.0, -1.0, 0.5], RED),
        ([-1.0, -1.0, 0.5], RED),
    ];
    let vertices = job.add_resource("vertices", Storage::Buffer(vertices(&list)), false);
    job.bind_constants(Register::cbv(0), vec![0; 16]);
    let mut target = attachment(many, [0.0, 0.0, 0.0, 1.0]);
    target.resolve = Some(one);
    let mut draw = draw(3, vec![target]);
    draw.vertex_buffers = vec![VertexBuffer {
        resource: vertices,
        offset: 0,
    }];
    let outcome = run(&program, job, draw).unwrap();
    let bytes = outcome.bytes(one).unwrap();
    assert_eq!(pixel(bytes, 4, 0, 3)[0], 255);
    assert_eq!(pixel(bytes, 4, 3, 0)[0], 0);
    let edge = pixel(bytes, 4, 1, 1)[0];
    assert!(edge > 0 && edge < 255, "{edge}");
}

#[test]
fn points_and_lines_are_drawn_as_such() {
    for (topology, lit) in [(Topology::LineList, 4), (Topology::LineStrip, 4)] {
        let state = GraphicsState {
            topology,
            ..mesh_state(Format::Rgba8Unorm)
        };
        let program = program(&["mesh_vs", "triangle_ps"], state);
        let mut job = job();
        let id = target(&mut job, Format::Rgba8Unorm, 4, 1, true);
        // Along the middle of row 1.
        let list = [([-1.0, 0.25, 0.5], RED), ([1.0, 0.25, 0.5], RED)];
        let vertices = job.add_resource("vertices", Storage::Buffer(vertices(&list)), false);
        job.bind_constants(Register::cbv(0), vec![0; 16]);
        let mut draw = draw(2, vec![attachment(id, [0.0; 4])]);
        draw.vertex_buffers = vec![VertexBuffer {
            resource: vertices,
            offset: 0,
        }];
        let outcome = run(&program, job, draw).unwrap();
        let bytes = outcome.bytes(id).unwrap();
        let row: Vec<u8> = (0..4).map(|x| pixel(bytes, 4, x, 1)[0]).collect();
        assert_eq!(row.iter().filter(|r| **r == 255).count(), lit, "{row:?}");
    }
}

#[test]
fn a_draw_that_does_not_fit_its_pipeline_is_refused() {
    let program = program(&["triangle_vs", "triangle_ps"], state(Format::Rgba8Unorm));
    let mut other = job();
    let id = target(&mut other, Format::Rgba16Float, 4, 1, true);
    let error = run(&program, other, draw(3, vec![attachment(id, [0.0; 4])])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a render target is R16G16B16A16_FLOAT, the pipeline draws to R8G8B8A8_UNORM"
    );
    let error = run(&program, job(), draw(3, Vec::new())).unwrap_err();
    assert!(error.to_string().contains("0 render target(s)"), "{error}");
    let error = device().run(&program, &job()).unwrap_err();
    assert!(error.to_string().contains("is not dispatched"), "{error}");
}
