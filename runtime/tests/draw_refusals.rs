//! Draws that D3D12 refuses end in a word about what is wrong on both backends: no driver has to
//! check them, and some crash.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use dxil_frontend::dxil::read_shader;
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::graphics::{
    Attachment, Attribute, Blend, BlendFactor, BlendOp, DepthState, Draw, DrawCall, GraphicsState,
    Indices, Indirect, LogicOp, Query, StencilState, TargetState,
};
use dxil_runtime::job::{Job, ResourceId, Texture, Work};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::{Format, Storage};

/// A state and a draw that fit, and the job's resources: the target, one with four samples, a depth
/// buffer, 16 bytes.
struct Attempt {
    state: GraphicsState,
    draw: Draw,
}

const TARGET: ResourceId = ResourceId(0);
const SAMPLES: ResourceId = ResourceId(1);
const DEPTH: ResourceId = ResourceId(2);
const BUFFER: ResourceId = ResourceId(3);
const SMALL: ResourceId = ResourceId(4);

fn attempt(device: &dyn Device, change: fn(&mut Attempt)) -> Result<(), String> {
    let mut attempt = Attempt {
        state: GraphicsState {
            targets: vec![TargetState::new(Format::Rgba8Unorm)],
            ..GraphicsState::default()
        },
        draw: Draw {
            targets: vec![Attachment::new(TARGET)],
            ..Draw::default()
        },
    };
    change(&mut attempt);
    let Attempt { state, draw } = attempt;
    let shaders = ["triangle_vs", "triangle_ps"].map(|name| {
        let path = format!("{}/tests/data/{name}.dxil", env!("CARGO_MANIFEST_DIR"));
        read_shader(&std::fs::read(path).unwrap()).unwrap()
    });
    let stages: Vec<_> = shaders.iter().collect();
    let options = CompileOptions::default();
    let profile = device.profile();
    let mut program = Program::compile_stages(&stages, None, profile, &|_| None, &options).unwrap();
    program.graphics = Some(state);
    let mut job = Job::dispatch([0; 3]);
    let mut texture = |format, size, samples| {
        let mut texture = Texture::new_2d(format, size, size, Vec::new());
        texture.samples = samples;
        job.add_resource("texture", Storage::Texture(texture), false)
    };
    assert_eq!(texture(Format::Rgba8Unorm, 8, 1), TARGET);
    assert_eq!(texture(Format::Rgba8Unorm, 8, 4), SAMPLES);
    assert_eq!(texture(Format::D32Float, 8, 1), DEPTH);
    let id = job.add_resource("buffer", Storage::Buffer(vec![0; 16]), false);
    assert_eq!(id, BUFFER);
    let small = Texture::new_2d(Format::Rgba8Unorm, 4, 4, Vec::new());
    assert_eq!(
        job.add_resource("small", Storage::Texture(small), false),
        SMALL
    );
    job.work = Work::Draw(Box::new(draw));
    match device.run(&program, &job) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn replace() -> Blend {
    Blend {
        color: (BlendFactor::One, BlendFactor::Zero),
        color_op: BlendOp::Add,
        alpha: (BlendFactor::One, BlendFactor::Zero),
        alpha_op: BlendOp::Add,
    }
}

fn indirect(t: &mut Attempt, offset: u64, stride: u32, draws: u32) {
    t.draw.call = DrawCall::Indirect(Indirect {
        arguments: BUFFER,
        offset,
        stride,
        draws,
        count: None,
    });
}

/// The text that the error contains, and the change that makes the draw invalid.
type Refusal = (&'static str, fn(&mut Attempt));

/// All that is tried.
const REFUSALS: &[Refusal] = &[
    ("has 0 render target(s)", |t| t.draw.targets.clear()),
    ("9 render targets, of 8 at most", |t| {
        t.state.targets = vec![TargetState::new(Format::Rgba8Unorm); 9];
        t.draw.targets = vec![Attachment::new(TARGET); 9];
    }),
    ("no depth buffer, the pipeline 1 and a", |t| {
        t.state.depth = Some(DepthState::new(Format::D32Float));
    }),
    ("is R8G8B8A8_UNORM, the pipeline draws to R32_FLOAT", |t| {
        t.state.targets[0].format = Format::R32Float;
    }),
    ("is D32_FLOAT, the pipeline draws to D16_UNORM", |t| {
        t.state.depth = Some(DepthState::new(Format::D16Unorm));
        t.draw.depth = Some(Attachment::new(DEPTH));
    }),
    ("a depth buffer of format R32_FLOAT", |t| {
        t.state.depth = Some(DepthState::new(Format::R32Float));
        t.draw.depth = Some(Attachment::new(DEPTH));
    }),
    ("a render target of format D32_FLOAT", |t| {
        t.state.targets[0].format = Format::D32Float;
        t.draw.targets = vec![Attachment::new(DEPTH)];
    }),
    ("D32_FLOAT has no stencil", |t| {
        t.state.depth = Some(DepthState {
            stencil: Some(StencilState::default()),
            ..DepthState::new(Format::D32Float)
        });
        t.draw.depth = Some(Attachment::new(DEPTH));
    }),
    ("has 1 sample(s), the pipeline 4", |t| t.state.samples = 4),
    ("has 4 sample(s), the pipeline 1", |t| {
        t.draw.targets = vec![Attachment::new(SAMPLES)];
    }),
    ("mip or layer does not exist", |t| t.draw.targets[0].mip = 1),
    ("mip or layer does not exist", |t| {
        t.draw.targets[0].layer = 1
    }),
    ("averaged in a 4x4 one", |t| {
        t.state.samples = 4;
        t.draw.targets = vec![Attachment {
            resolve: Some(SMALL),
            ..Attachment::new(SAMPLES)
        }];
    }),
    ("averaged in a 8x8 one", |t| {
        t.draw.targets[0].resolve = Some(TARGET)
    }),
    ("blending of R8G8B8A8_UINT, which has integers", |t| {
        t.state.targets[0].format = Format::Rgba8Uint;
        t.state.targets[0].blend = Some(replace());
    }),
    ("a logic operation on R8G8B8A8_UNORM", |t| {
        t.state.logic_op = Some(LogicOp::Xor);
    }),
    ("there is no vertex slot 3", |t| {
        t.state.attributes = vec![Attribute {
            row: 0,
            format: Format::R32Float,
            slot: 3,
            offset: 0,
        }];
    }),
    ("a draw of thread groups without a mesh shader", |t| {
        t.draw.call = DrawCall::Meshes([1, 1, 1]);
    }),
    ("the draw has 2 viewport(s), the pipeline 1", |t| {
        t.draw.viewports = vec![[0.0, 0.0, 8.0, 8.0].into(); 2];
    }),
    ("2 scissor(s) and 1 viewport(s)", |t| {
        t.draw.scissors = vec![[0, 0, 8, 8]; 2];
    }),
    ("indices of 4 bytes from byte 2 of a buffer of 16", |t| {
        t.draw.indices = Some(Indices {
            resource: BUFFER,
            offset: 2,
            wide: true,
            base_vertex: 0,
        });
    }),
    ("indices come from a buffer", |t| {
        t.draw.indices = Some(Indices {
            resource: TARGET,
            offset: 0,
            wide: false,
            base_vertex: 0,
        });
    }),
    ("indirect arguments at bytes 4..20 of a buffer of 16", |t| {
        indirect(t, 4, 16, 1);
    }),
    ("indirect arguments at bytes 0..32 of a buffer of 16", |t| {
        indirect(t, 0, 16, 2);
    }),
    ("12 bytes between indirect draws are too few", |t| {
        indirect(t, 0, 12, 1);
    }),
    ("the job has no resource 9", |t| {
        t.draw.targets = vec![Attachment::new(ResourceId(9))];
    }),
];

fn are_refused(backend: Backend) {
    let device = device::open(&OpenOptions::new(backend)).unwrap();
    attempt(&*device, |_| {}).unwrap();
    for (text, change) in REFUSALS {
        match attempt(&*device, *change) {
            Err(error) => assert!(error.contains(text), "{error}: not because of '{text}'"),
            Ok(()) => panic!("'{text}' is drawn"),
        }
    }
}

#[test]
fn vulkan_says_what_is_wrong_with_a_draw() {
    are_refused(Backend::Vulkan);
}

#[test]
fn wgpu_says_what_is_wrong_with_a_draw() {
    are_refused(Backend::Wgpu);
}

#[test]
fn there_are_four_streams_to_count_and_one_query_of_a_kind() {
    let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
    let streams = attempt(&*device, |t| t.draw.queries = vec![Query::StreamOutput(4)]);
    assert!(streams.unwrap_err().contains("there is no stream 4"));
    let twice = attempt(&*device, |t| {
        t.draw.queries = vec![Query::Occlusion, Query::BinaryOcclusion];
    });
    assert!(twice.unwrap_err().contains("queries in one draw"));
}
