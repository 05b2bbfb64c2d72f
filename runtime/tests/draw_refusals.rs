//! Draws that D3D12 refuses end in a word about what is wrong on both backends: no driver has to
//! check them, and some crash.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::OnceLock;

use dxil_frontend::dxil::{ComponentType, SemanticKind, Shader, SignatureElement, read_shader};
use dxil_runtime::device::{self, Backend, Device, OpenOptions, Profile};
use dxil_runtime::graphics::{
    Attachment, Attribute, Blend, BlendFactor, BlendOp, DepthState, Draw, DrawCall, GraphicsState,
    Indices, Indirect, LogicOp, Query, StencilState, TargetState,
};
use dxil_runtime::job::{Job, ResourceId, Texture, Work};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::{Error, Format, Storage};

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

fn shader_of_tests(path: &str) -> Shader {
    let path = format!("{}/../{path}.dxil", env!("CARGO_MANIFEST_DIR"));
    read_shader(&std::fs::read(path).unwrap()).unwrap()
}

/// Returns what linking these shaders, changed, ends in.
fn linked(paths: &[&str], change: impl Fn(&mut [Shader])) -> Result<(), Error> {
    static PROFILE: OnceLock<Profile> = OnceLock::new();
    let profile = PROFILE.get_or_init(|| {
        let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
        *device.profile()
    });
    let mut shaders: Vec<Shader> = paths.iter().map(|path| shader_of_tests(path)).collect();
    change(&mut shaders);
    let stages: Vec<&Shader> = shaders.iter().collect();
    let options = CompileOptions::default();
    Program::compile_stages(&stages, None, profile, &|_| None, &options).map(drop)
}

fn is_refused_link(paths: &[&str], parts: &[&str], change: impl Fn(&mut [Shader])) {
    match linked(paths, change) {
        Err(error @ Error::StageLink { .. }) => {
            assert_eq!(error.code(), "stage-link");
            let text = error.to_string();
            for part in parts {
                assert!(text.contains(part), "{part} is not in: {text}");
            }
        }
        other => panic!("{paths:?}: {other:?}"),
    }
}

/// Returns the first input of the last shader that is no system value.
fn input(shaders: &mut [Shader]) -> &mut SignatureElement {
    let entry = &mut shaders.last_mut().unwrap().entry_points[0];
    let mut inputs = entry.inputs.iter_mut();
    inputs
        .find(|element| element.semantic == SemanticKind::Arbitrary)
        .unwrap()
}

/// D3D12 links by semantic name, index, register, type and components ("Linking shaders", and the
/// messages `CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_*` of its debug layer).
#[test]
fn an_input_that_the_stage_before_does_not_write_so_is_refused() {
    let draw = [
        "runtime/tests/data/triangle_vs",
        "runtime/tests/data/triangle_ps",
    ];
    linked(&draw, |_| {}).unwrap();
    let both = [
        "pixel shader main reads",
        "vertex shader main",
        "COLOR0 (float4 in register 0.xyzw)",
    ];
    let refused = |part: &str, change: fn(&mut SignatureElement)| {
        let parts = [&both[..], &[part]].concat();
        is_refused_link(&draw, &parts, |shaders| change(input(shaders)));
    };
    refused("TEXCOORD0 (float4", |e| e.name = "TEXCOORD".into());
    refused("COLOR1 (float4", |e| e.semantic_indices = Box::new([1]));
    refused("COLOR0 (uint4", |e| e.component = ComponentType::U32);
    refused("COLOR0 (float4 in register 1.xyzw)", |e| {
        e.start_row = Some(1)
    });
    // Names do not tell upper and lower case apart, and what is not read needs no output.
    linked(&draw, |shaders| input(shaders).name = "color".into()).unwrap();
    linked(&draw, |shaders| {
        let input = input(shaders);
        (input.name, input.usage_mask) = ("TEXCOORD".into(), Some(0));
    })
    .unwrap();
    // All components have to be there, and further ones may be.
    is_refused_link(&draw, &["COLOR0 (float2 in register 0.xy)"], |shaders| {
        shaders[0].entry_points[0].outputs[0].columns = 2;
    });
    linked(&draw, |shaders| input(shaders).columns = 2).unwrap();
}

#[test]
fn each_pair_of_stages_is_linked() {
    let rename = |shaders: &mut [Shader]| input(shaders).name = "ELSEWHERE".into();
    let tess = ["corners_vs", "quad_hs", "quad_ds", "color_ps"];
    let tess = tess.map(|name| format!("hwtests/shaders/tess/{name}"));
    let tess: Vec<&str> = tess.iter().map(String::as_str).collect();
    let streams = ["vertex_vs", "triangle_gs", "faces_ps"];
    let streams = streams.map(|name| format!("hwtests/shaders/streams/{name}"));
    let streams: Vec<&str> = streams.iter().map(String::as_str).collect();
    let mesh = [
        "hwtests/shaders/mesh/tiles_ms",
        "hwtests/shaders/mesh/tiles_ps",
    ];
    linked(&tess, |_| {}).unwrap();
    linked(&mesh, |_| {}).unwrap();
    for (paths, reader, writer) in [
        (&tess[..2], "hull shader", "vertex shader"),
        (&tess[..3], "domain shader", "hull shader"),
        (&tess[..], "pixel shader", "domain shader"),
        (&streams[..2], "geometry shader", "vertex shader"),
        (&mesh[..], "pixel shader", "mesh shader"),
    ] {
        let named = |shaders: &mut [Shader]| {
            let entry = &mut shaders.last_mut().unwrap().entry_points[0];
            // Where all inputs are system values, the position is data.
            if entry
                .inputs
                .iter()
                .all(|e| e.semantic != SemanticKind::Arbitrary)
            {
                entry.inputs[0].name = "ELSEWHERE".into();
            } else {
                rename(shaders);
            }
        };
        is_refused_link(paths, &[reader, writer, "ELSEWHERE0"], named);
    }
    // Patch constants have a signature of their own.
    is_refused_link(&tess[..3], &["domain shader", "ELSEWHERE"], |shaders| {
        let entry = &mut shaders.last_mut().unwrap().entry_points[0];
        entry.patch_constants[0].name = "ELSEWHERE".into();
    });
}
