//! Draws on the CPU backend, where no driver is the other opinion: pixels against what the D3D11.3
//! functional specification says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use dxil_frontend::dxil::read_shader;
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::graphics::{
    Attachment, Attribute, Blend, BlendFactor, BlendOp, DepthState, Draw, DrawCall, GraphicsState,
    TargetState, VertexBuffer, VertexSlot,
};
use dxil_runtime::job::{Job, Texture, Work};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::{Error, Format, Storage};

/// A position, and red, green, blue and alpha.
type Vertex = ([f32; 3], [f32; 4]);

fn device(threads: usize) -> Arc<dyn Device> {
    let mut options = OpenOptions::new(Backend::Cpu);
    options.threads = Some(threads);
    device::open(&options).unwrap()
}

fn program(device: &dyn Device, names: &[&str], state: GraphicsState) -> Program {
    let shaders: Vec<_> = names
        .iter()
        .map(|name| {
            let path = format!("{}/tests/data/{name}.dxil", env!("CARGO_MANIFEST_DIR"));
            read_shader(&std::fs::read(path).unwrap()).unwrap()
        })
        .collect();
    let stages: Vec<_> = shaders.iter().collect();
    let options = CompileOptions::default();
    let profile = device.profile();
    let mut program = Program::compile_stages(&stages, None, profile, &|_| None, &options).unwrap();
    program.graphics = Some(state);
    program
}

/// Triangles over targets of one size.
struct Scene {
    state: GraphicsState,
    size: [u32; 2],
    vertices: Vec<Vertex>,
}

impl Scene {
    fn new(formats: &[Format], size: [u32; 2], vertices: Vec<Vertex>) -> Scene {
        let attribute = |row, format, offset| Attribute {
            row,
            format,
            slot: 0,
            offset,
        };
        let state = GraphicsState {
            vertex_slots: vec![VertexSlot {
                stride: 28,
                per_instance: false,
            }],
            attributes: vec![
                attribute(0, Format::Rgb32Float, 0),
                attribute(1, Format::Rgba32Float, 12),
            ],
            targets: formats.iter().copied().map(TargetState::new).collect(),
            ..GraphicsState::default()
        };
        Scene {
            state,
            size,
            vertices,
        }
    }

    /// Draws with that many threads; returns the bytes of each target, resolved, and of the depth
    /// buffer.
    fn draw(&self, threads: usize) -> Vec<Vec<u8>> {
        let [width, height] = self.size;
        let mut job = Job::dispatch([0; 3]);
        job.bind_constants("b0".parse().unwrap(), vec![0; 16]);
        let bytes = self.vertices.iter().flat_map(|(p, c)| p.iter().chain(c));
        let bytes = bytes.flat_map(|value| value.to_le_bytes()).collect();
        let resource = job.add_resource("vertices", Storage::Buffer(bytes), false);
        let mut draw = Draw {
            call: DrawCall::Vertices {
                count: self.vertices.len() as u32,
                instances: 1,
                first: 0,
                first_instance: 0,
            },
            vertex_buffers: vec![VertexBuffer {
                resource,
                offset: 0,
            }],
            ..Draw::default()
        };
        let mut read = Vec::new();
        for target in &self.state.targets {
            let mut texture = Texture::new_2d(target.format, width, height, Vec::new());
            let single = job.add_resource("target", Storage::Texture(texture.clone()), true);
            read.push(single);
            let mut attachment = Attachment::new(single);
            if self.state.samples > 1 {
                texture.samples = self.state.samples;
                let many = job.add_resource("samples", Storage::Texture(texture), false);
                (attachment.resource, attachment.resolve) = (many, Some(single));
            }
            draw.targets.push(attachment);
        }
        if let Some(depth) = &self.state.depth {
            let texture = Texture::new_2d(depth.format, width, height, Vec::new());
            let resource = job.add_resource("depth", Storage::Texture(texture), true);
            read.push(resource);
            draw.depth = Some(Attachment {
                clear: Some([1.0, 0.0, 0.0, 0.0]),
                ..Attachment::new(resource)
            });
        }
        job.work = Work::Draw(Box::new(draw));
        let device = device(threads);
        let program = program(&*device, &["mesh_vs", "triangle_ps"], self.state.clone());
        let outcome = device.run(&program, &job).unwrap();
        read.iter()
            .map(|id| outcome.bytes(*id).unwrap().to_vec())
            .collect()
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|word| f32::from_le_bytes(*word)).collect()
}

/// Blending tells the order of primitives, and rows of single bytes share words.
#[test]
fn threads_do_not_change_a_picture() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut next = move || random.f32();
    let mut vertices = Vec::new();
    for _ in 0..60 {
        let middle = [2.4 * next() - 1.2, 2.4 * next() - 1.2];
        for _ in 0..3 {
            let [x, y] = middle.map(|part| part + 1.5 * next() - 0.75);
            vertices.push(([x, y, next()], [next(), next(), next(), next()]));
        }
    }
    for (format, depth) in [
        (Format::Rgba8Unorm, Format::D32Float),
        (Format::R8Unorm, Format::D16Unorm),
    ] {
        let mut scene = Scene::new(&[format], [301, 217], vertices.clone());
        scene.state.targets[0].blend = Some(Blend {
            color: (BlendFactor::SourceAlpha, BlendFactor::InverseSourceAlpha),
            color_op: BlendOp::Add,
            alpha: (BlendFactor::One, BlendFactor::Zero),
            alpha_op: BlendOp::Add,
        });
        scene.state.depth = Some(DepthState::new(depth));
        let one = scene.draw(1);
        assert!(one[0].iter().any(|byte| *byte != 0));
        for threads in [2, 5] {
            assert!(
                scene.draw(threads) == one,
                "{format} with {threads} threads"
            );
        }
    }
}

/// Places of the samples from the centre, in sixteenths (19.2.4).
const SAMPLES: [&[i32]; 4] = [
    &[4, -4],
    &[-2, 6, -6, 2],
    &[1, -1, 5, -3, -5, -7, 3, 7],
    &[1, -1, -3, 4, -5, 2, 5, 3, -2, 0, -4, -6, -8, 7, 6, -7],
];

/// A triangle whose right edge goes down through the fourth column covers of each pixel there the
/// samples to its left.
#[test]
fn samples_are_covered_at_their_standard_places() {
    for places in SAMPLES {
        for edge in 0..16 {
            // 3 pixels and some sixteenths of 8.
            let x = (3.0 + edge as f32 / 16.0) / 4.0 - 1.0;
            let corners = [[-9.0, 0.0, 0.5], [x, 20.0, 0.5], [x, -20.0, 0.5]];
            let vertices = corners.map(|corner| (corner, [1.0; 4])).to_vec();
            let mut scene = Scene::new(&[Format::R32Float], [8, 2], vertices);
            scene.state.samples = places.len() as u32;
            let left = places.iter().filter(|place| **place + 8 < edge).count();
            let part = left as f32 / places.len() as f32;
            let row = [1.0, 1.0, 1.0, part, 0.0, 0.0, 0.0, 0.0];
            let found = floats(&scene.draw(1)[0]);
            assert_eq!(found, [row, row].concat(), "{} samples", places.len());
        }
    }
}

/// As wire frame a triangle is its three edges, each from its first vertex to the pixel before its
/// second one (15.13 and 3.4.3).
#[test]
fn a_wire_frame_has_the_edges() {
    let center = |x: f32, y: f32| [(x + 0.5) / 4.0 - 1.0, 1.0 - (y + 0.5) / 4.0, 0.5];
    let corners = [center(1.0, 1.0), center(6.0, 1.0), center(1.0, 6.0)];
    let vertices = corners.map(|corner| (corner, [1.0; 4])).to_vec();
    let mut scene = Scene::new(&[Format::R32Float], [8, 8], vertices);
    scene.state.wireframe = true;
    let found = floats(&scene.draw(1)[0]);
    for (number, texel) in found.iter().enumerate() {
        let (x, y) = (number % 8, number / 8);
        let is_inside = x >= 1 && y >= 1 && x + y <= 7;
        let is_edge = is_inside && (x == 1 || y == 1 || x + y == 7);
        assert_eq!(*texel, f32::from(u8::from(is_edge)), "{x}, {y}");
    }
}

/// A clipped triangle's new edge is no edge of its wire frame (15.13): the far plane cuts off the
/// right corner.
#[test]
fn clipping_adds_no_edges_to_a_wire_frame() {
    let at = |x: f32, y: f32, z: f32| [(x + 0.5) / 8.0 - 1.0, 1.0 - (y + 0.5) / 8.0, z];
    // z is 1 in the middle between x = 1 and x = 13.
    let corners = [at(1.0, 1.0, 0.0), at(13.0, 7.0, 2.0), at(1.0, 13.0, 0.0)];
    let vertices = corners.map(|corner| (corner, [1.0; 4])).to_vec();
    let mut scene = Scene::new(&[Format::R32Float], [16, 16], vertices);
    scene.state.wireframe = true;
    let found = floats(&scene.draw(1)[0]);
    let drawn = |x: usize, y: usize| found[y * 16 + x] != 0.0;
    assert!((2..13).all(|y| drawn(1, y)), "the left edge");
    // At x = 7 the two other edges are at y = 4 and y = 10: nothing lies between them.
    assert!((6..9).all(|y| (2..16).all(|x| !drawn(x, y))));
    assert!((0..16).all(|y| (8..16).all(|x| !drawn(x, y))));
}

#[test]
fn a_draw_begins_with_vertices() {
    let device = device(1);
    let state = GraphicsState {
        targets: vec![TargetState::new(Format::Rgba8Unorm)],
        ..GraphicsState::default()
    };
    let program = program(&*device, &["triangle_ps"], state);
    let mut job = Job::dispatch([0; 3]);
    let texture = Texture::new_2d(Format::Rgba8Unorm, 4, 4, Vec::new());
    let target = job.add_resource("target", Storage::Texture(texture), true);
    job.work = Work::Draw(Box::new(Draw {
        targets: vec![Attachment::new(target)],
        ..Draw::default()
    }));
    let error = device.run(&program, &job).unwrap_err();
    assert!(matches!(error, Error::BadJob(_)), "{error}");
    assert!(
        error.to_string().contains("a draw with the stages ps"),
        "{error}"
    );
}
