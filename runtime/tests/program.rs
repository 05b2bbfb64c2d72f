//! DXIL through the whole runtime on every way to a device: translate, plan, bind, run.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dxil_frontend::container::root_signature::{
    RootConstants, RootParameter, RootParameterKind, RootSignature, RootSignatureFlags,
    RootSignatureVersion, ShaderVisibility,
};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::job::{BufferView, Filter, Job, Register, ResourceView, Sampler, Texture};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::root_signature::{RootDescriptors, formats_of};
use dxil_runtime::{Error, Format, Outcome, Storage};

/// Returns one device of each kind for the whole process.
fn devices() -> &'static [Arc<dyn Device>] {
    static DEVICES: OnceLock<Vec<Arc<dyn Device>>> = OnceLock::new();
    DEVICES.get_or_init(|| {
        [
            (Backend::Vulkan, false),
            (Backend::Wgpu, false),
            (Backend::Wgpu, true),
        ]
        .into_iter()
        .map(|(backend, portable)| {
            let mut options = OpenOptions::new(backend);
            options.timeout = Duration::from_secs(30);
            options.portable = portable;
            device::open(&options)
                .unwrap_or_else(|error| panic!("these tests need a device: {error}"))
        })
        .collect()
    })
}

fn shader(name: &str) -> Shader {
    let path = format!("{}/tests/data/{name}.dxil", env!("CARGO_MANIFEST_DIR"));
    read_shader(&std::fs::read(path).unwrap()).unwrap()
}

fn run(
    device: &dyn Device,
    shader: &Shader,
    root: Option<&RootSignature>,
    options: &CompileOptions,
    job: &Job,
) -> Result<Outcome, Error> {
    let program = Program::compile(shader, root, device.profile(), &formats_of(job), options)?;
    device.run(&program, job)
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn constants(a: f32, n: u32) -> Vec<u8> {
    [a.to_bits(), n]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect()
}

fn saxpy_job(a: f32) -> (Job, dxil_runtime::job::ResourceId) {
    let mut job = Job::dispatch([2, 1, 1]);
    job.bind_buffer(Register::srv(0), floats((0..100).map(|i| i as f32)));
    let y = job.bind_buffer(Register::uav(0), floats([1.0; 100]));
    job.bind_constants(Register::cbv(0), constants(a, 90));
    (job, y)
}

fn saxpy_result(a: f32) -> Vec<u8> {
    floats((0..100).map(|i| if i < 90 { a * i as f32 + 1.0 } else { 1.0 }))
}

fn root(kinds: Vec<RootParameterKind>) -> RootSignature {
    RootSignature {
        version: RootSignatureVersion::V1_0,
        flags: RootSignatureFlags::empty(),
        parameters: kinds
            .into_iter()
            .map(|kind| RootParameter {
                visibility: ShaderVisibility::All,
                kind,
            })
            .collect(),
        static_samplers: Vec::new(),
    }
}

#[test]
fn a_buffer_shader_computes_the_same_everywhere() {
    let shader = shader("saxpy");
    for device in devices() {
        let (job, y) = saxpy_job(0.5);
        let outcome = run(&**device, &shader, None, &CompileOptions::default(), &job).unwrap();
        assert_eq!(
            outcome.bytes(y).unwrap(),
            saxpy_result(0.5),
            "{:?}",
            device.info()
        );
    }
}

#[test]
fn root_constants_and_addresses_reach_the_shader() {
    use dxil_frontend::container::root_signature::{DescriptorFlags, RootDescriptor};
    let descriptor = RootDescriptor {
        register: 0,
        space: 0,
        flags: DescriptorFlags::empty(),
    };
    let root = root(vec![
        RootParameterKind::Constants(RootConstants {
            register: 0,
            space: 0,
            count: 2,
        }),
        RootParameterKind::Srv(descriptor),
        RootParameterKind::Uav(descriptor),
    ]);
    let shader = shader("saxpy");
    for device in devices() {
        for root_descriptors in [RootDescriptors::Bindings, RootDescriptors::Addresses] {
            let mut options = CompileOptions::default();
            options.root_descriptors = root_descriptors;
            let (job, y) = saxpy_job(2.0);
            let program = Program::compile(
                &shader,
                Some(&root),
                device.profile(),
                &formats_of(&job),
                &options,
            )
            .unwrap();
            let by_address =
                root_descriptors == RootDescriptors::Addresses && device.profile().device_addresses;
            let runs = program.layout.push_constants.len();
            assert_eq!(runs, if by_address { 3 } else { 1 });
            let outcome = device.run(&program, &job).unwrap();
            assert_eq!(
                outcome.bytes(y).unwrap(),
                saxpy_result(2.0),
                "{:?}",
                device.info()
            );
        }
    }
}

#[test]
fn a_root_signature_without_the_register_is_refused() {
    let root = root(Vec::new());
    let (job, _) = saxpy_job(1.0);
    let device = &devices()[0];
    let options = CompileOptions::default();
    let error = run(&**device, &shader("saxpy"), Some(&root), &options, &job).unwrap_err();
    assert!(matches!(error, Error::RootSignature(_)), "{error}");
}

#[test]
fn typed_buffers_and_textures_convert_their_formats_everywhere() {
    let shader = shader("tex");
    for device in devices() {
        for (format, bytes) in [
            (Format::R16Uint, 2),
            (Format::R32Uint, 4),
            (Format::R8Uint, 1),
        ] {
            let mut job = Job::dispatch([1, 1, 1]);
            let texels: Vec<u8> = (0..64u8).flat_map(|i| [i, 64 + i, 128 + i, 255]).collect();
            job.bind_texture(
                Register::srv(0),
                Texture::new_2d(Format::Rgba8Unorm, 8, 8, texels.clone()),
            );
            job.bind_sampler(
                Register::sampler(0),
                Sampler {
                    min_filter: Filter::Point,
                    mag_filter: Filter::Point,
                    mip_filter: Filter::Point,
                    ..Sampler::default()
                },
            );
            let image = job.bind_texture(
                Register::uav(0),
                Texture::new_2d(Format::Rgba8Unorm, 8, 8, Vec::new()),
            );
            let typed = job.bind_typed_buffer(Register::uav(1), format, vec![0; 64 * bytes]);
            let outcome = run(&**device, &shader, None, &CompileOptions::default(), &job);
            let outcome = outcome.unwrap_or_else(|e| panic!("{:?} {format}: {e}", device.info()));
            let swapped: Vec<u8> = texels
                .chunks_exact(4)
                .flat_map(|t| [t[2], t[1], t[0], t[3]])
                .collect();
            assert_eq!(
                outcome.bytes(image).unwrap(),
                swapped,
                "{:?}",
                device.info()
            );
            let want: Vec<u8> = (0..64u32)
                .flat_map(|i| (i % 8 + i / 8 * 10).to_le_bytes()[..bytes].to_vec())
                .collect();
            assert_eq!(
                outcome.bytes(typed).unwrap(),
                want,
                "{:?} {format}",
                device.info()
            );
        }
    }
}

#[test]
fn two_registers_share_a_buffer_by_their_views() {
    let shader = shader("fields");
    let device = &devices()[0];
    let mut job = Job::dispatch([1, 1, 1]);
    let both = job.add_resource("both", Storage::Buffer(vec![0; 512]), true);
    for (register, offset) in [(0, 256), (1, 0)] {
        job.bind(
            Register::uav(register),
            ResourceView::Buffer(BufferView {
                resource: both,
                offset,
                size: Some(240),
                format: None,
                counter: None,
            }),
        );
    }
    let outcome = run(&**device, &shader, None, &CompileOptions::default(), &job).unwrap();
    let bytes = outcome.bytes(both).unwrap();
    // u0[0].id is at byte 12, u1[1].x at byte 8.
    assert_eq!(bytes[256 + 12..256 + 16], 3i32.to_le_bytes());
    assert_eq!(bytes[8..12], (-1i32).to_le_bytes());
    assert_eq!(bytes.iter().filter(|byte| **byte != 0).count(), 5);
}

#[test]
fn many_threads_translate_prepare_and_run_at_once() {
    let shader = shader("saxpy");
    for device in devices() {
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let shader = &shader;
                scope.spawn(move || {
                    for round in 0..3u8 {
                        let a = f32::from(thread * 8 + round);
                        let (job, y) = saxpy_job(a);
                        let options = CompileOptions::default();
                        let outcome = run(&**device, shader, None, &options, &job).unwrap();
                        assert_eq!(outcome.bytes(y).unwrap(), saxpy_result(a));
                    }
                });
            }
        });
    }
}

/// The text of the root signature is in the source as the lines of a macro.
#[test]
fn the_text_of_a_root_signature_reads_as_dxc_reads_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let source = std::fs::read_to_string(folder.join("root_text.hlsl")).unwrap();
    let text = source.split_once("#define ROOT ").unwrap().1;
    let text = text.split_once("\nRWByteAddressBuffer").unwrap().0;
    let read = dxil_runtime::root_signature::parse_text(text).unwrap();
    let bytes = std::fs::read(folder.join("root_text.dxil")).unwrap();
    let container = dxil_frontend::container::Container::parse(&bytes).unwrap();
    assert_eq!(read, container.root_signature().unwrap().unwrap());
}

/// Each mistake gets the same error on every backend, which names the register and what is declared
/// there.
#[test]
fn a_job_that_does_not_fit_the_program_is_refused_in_the_same_words_everywhere() {
    let cpu = device::open(&OpenOptions::new(Backend::Cpu)).unwrap();
    let all = || [&cpu].into_iter().chain(devices());
    let refused = |name: &str, good: &Job, change: &dyn Fn(&mut Job), code: &str, text: &str| {
        let shader = shader(name);
        let options = CompileOptions::default();
        let mut job = good.clone();
        change(&mut job);
        for device in all() {
            let formats = formats_of(good);
            let program = Program::compile(&shader, None, device.profile(), &formats, &options);
            let error = device.run(&program.unwrap(), &job).map(drop).unwrap_err();
            assert_eq!((error.code(), error.to_string().as_str()), (code, text));
        }
    };
    let (saxpy, _) = saxpy_job(2.0);
    let mut tex = Job::dispatch([1, 1, 1]);
    let texture = |format, bytes| Texture::new_2d(format, 4, 4, vec![0; bytes]);
    tex.bind_texture(Register::srv(0), texture(Format::Rgba8Unorm, 64));
    tex.bind_sampler(Register::sampler(0), Sampler::default());
    tex.bind_texture(Register::uav(0), texture(Format::Rgba32Float, 0));
    tex.bind_typed_buffer(Register::uav(1), Format::R32Uint, vec![0; 256]);
    let unbind =
        |register: Register| move |job: &mut Job| job.bindings.retain(|b| b.register != register);

    refused(
        "tex",
        &tex,
        &unbind(Register::srv(0)),
        "unbound-register",
        "nothing is bound to t0 (Texture2D)",
    );
    refused(
        "saxpy",
        &saxpy,
        &unbind(Register::cbv(0)),
        "unbound-register",
        "nothing is bound to b0 (cbuffer)",
    );
    refused(
        "tex",
        &tex,
        &|job| {
            job.bind_buffer(Register::srv(0), vec![0; 64]);
        },
        "bad-view",
        "t0: Texture2D is there, and the job binds a buffer",
    );
    refused(
        "saxpy",
        &saxpy,
        &|job| job.bind_sampler(Register::srv(0), Sampler::default()),
        "bad-view",
        "t0: StructuredBuffer is there, and the job binds a sampler",
    );
    refused(
        "tex",
        &tex,
        &|job| {
            job.bind_texture(Register::srv(0), texture(Format::Rgba8Uint, 64));
        },
        "bad-view",
        "t0: Texture2D has floats, and R8G8B8A8_UINT has integers",
    );
    refused(
        "tex",
        &tex,
        &|job| {
            job.bind_typed_buffer(Register::uav(1), Format::R32Float, vec![0; 256]);
        },
        "bad-view",
        "u1: RWBuffer has integers, and R32_FLOAT has floats",
    );
    refused(
        "tex",
        &tex,
        &|job| {
            job.bind_texture(Register::srv(0), texture(Format::Rgba8Unorm, 5));
        },
        "bad-job",
        "t0 has 5 bytes of texels, and its size asks for 64",
    );
    refused(
        "saxpy",
        &saxpy,
        &|job| job.bind_constants(Register::cbv(0), vec![0; 4]),
        "bad-view",
        "b0: cbuffer has 8 bytes, and the job binds 4",
    );
    refused(
        "saxpy",
        &saxpy,
        &|job| job.bind_constants(Register::cbv(7), vec![0; 4]),
        "bad-view",
        "b7: the program declares no such register",
    );
}

/// An array of one type that is read as another, through a constant that changes the address space:
/// the bits stay.
#[test]
fn a_constant_of_another_address_space_leads_into_groupshared_memory() {
    let file = "../frontend/tests/data/modules/group_array_as_floats.dxil";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let shader = read_shader(&std::fs::read(path).unwrap()).unwrap();
    let cpu = device::open(&OpenOptions::new(Backend::Cpu)).unwrap();
    let vulkan = devices().iter().take(1);
    for device in vulkan.chain([&cpu]) {
        let mut job = Job::dispatch([3, 1, 1]);
        let out = job.bind_buffer(Register::uav(0), vec![0; 3 * 8 * 4]);
        let options = CompileOptions::default();
        let outcome = run(&**device, &shader, None, &options, &job).unwrap();
        // Each group of eight writes halves from the last place to the first.
        let halves = (0..24_u32).map(|i| ((i & !7) + 7 - i % 8) as f32 * 0.5);
        assert_eq!(outcome.bytes(out).unwrap(), floats(halves));
    }
}
