//! The device layer alone: SPIR-V that DXC made of `tests/data/*.hlsl`, with layouts by hand, so
//! that nothing here depends on the translator.
//!
//! These tests need a Vulkan driver; without one they fail and say what to install.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dxil_frontend::dxil::{ResourceKind, ShaderKind};
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::job::{
    AddressMode, BufferView, Filter, Job, Register, ResourceView, Sampler, Texture, Timing,
};
use dxil_runtime::program::{BindingSlot, Layout, Program, SetLayout, StageCode, spirv_words};
use dxil_runtime::{Error, Format, Storage};
use dxil_translate::DescriptorKind;

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

fn program(spirv: &[u8], slots: Vec<BindingSlot>) -> Program {
    let layout = Layout {
        sets: vec![SetLayout { slots }],
        ..Layout::default()
    };
    let words = spirv_words(spirv).unwrap();
    Program::of_compute(
        StageCode::of_spirv(ShaderKind::Compute, words, "main"),
        layout,
    )
}

fn saxpy() -> Program {
    use DescriptorKind::{StorageBuffer, UniformBuffer};
    let structured = ResourceKind::StructuredBuffer;
    program(
        include_bytes!("data/saxpy.spv"),
        vec![
            BindingSlot::of_register(0, UniformBuffer, Register::cbv(0), ResourceKind::CBuffer),
            BindingSlot::of_register(10, StorageBuffer, Register::srv(0), structured),
            BindingSlot::of_register(30, StorageBuffer, Register::uav(0), structured),
        ],
    )
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

#[test]
fn a_dispatch_reads_constants_and_buffers_and_writes_a_buffer() {
    let mut job = Job::dispatch([2, 1, 1]);
    job.bind_buffer(Register::srv(0), floats((0..100).map(|i| i as f32)));
    let y = job.bind_buffer(Register::uav(0), floats(std::iter::repeat_n(1.0, 100)));
    job.bind_constants(Register::cbv(0), constants(0.5, 90));
    job.timing = Some(Timing {
        warm_up: 1,
        iterations: 3,
    });
    let outcome = device().run(&saxpy(), &job).unwrap();
    // The timed runs change the buffer again, the result is the first run's.
    let want = (0..100).map(|i| if i < 90 { 0.5 * i as f32 + 1.0 } else { 1.0 });
    assert_eq!(outcome.bytes(y).unwrap(), floats(want));
    assert_eq!(outcome.timings.len(), 3);
    assert!(outcome.timings.iter().all(|time| !time.is_zero()));
}

#[test]
fn heaps_replace_descriptor_sets_where_the_device_has_them() {
    let mut options = OpenOptions::new(Backend::Vulkan);
    options.descriptor_heaps = true;
    let device = match device::open(&options) {
        Ok(device) => device,
        // Lavapipe has them from 26.2 on.
        Err(error) => {
            assert!(
                error.to_string().contains("VK_EXT_descriptor_heap"),
                "{error}"
            );
            return;
        }
    };
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_buffer(Register::srv(0), floats((0..10).map(|i| i as f32)));
    let y = job.bind_buffer(Register::uav(0), floats([1.0; 10]));
    job.bind_constants(Register::cbv(0), constants(0.5, 10));
    let outcome = device.run(&saxpy(), &job).unwrap();
    let want = (0..10).map(|i| 0.5 * i as f32 + 1.0);
    assert_eq!(outcome.bytes(y).unwrap(), floats(want));
}

#[test]
fn a_null_buffer_reads_zero() {
    let mut job = Job::dispatch([2, 1, 1]);
    job.bind(Register::srv(0), ResourceView::Null);
    let y = job.bind_buffer(Register::uav(0), floats(std::iter::repeat_n(3.0, 10)));
    job.bind_constants(Register::cbv(0), constants(2.0, 10));
    let outcome = device().run(&saxpy(), &job).unwrap();
    assert_eq!(outcome.bytes(y).unwrap(), floats([3.0; 10]));
}

#[test]
fn reads_past_a_view_are_zero_and_writes_are_dropped() {
    let mut job = Job::dispatch([2, 1, 1]);
    job.bind_buffer(Register::srv(0), floats([1.0; 4]));
    let y = job.add_resource("y", Storage::Buffer(floats([1.0; 8])), true);
    job.bind(
        Register::uav(0),
        ResourceView::Buffer(BufferView {
            resource: y,
            offset: 0,
            size: Some(24),
            format: None,
            counter: None,
        }),
    );
    job.bind_constants(Register::cbv(0), constants(1.0, 128));
    let outcome = device().run(&saxpy(), &job).unwrap();
    let want = [2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0];
    assert_eq!(outcome.bytes(y).unwrap(), floats(want));
}

#[test]
fn a_register_without_a_view_is_named() {
    let job = Job::dispatch([1, 1, 1]);
    let error = device().run(&saxpy(), &job).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing is bound to b0 (a constant buffer)"
    );
}

#[test]
fn a_view_that_does_not_fit_is_named() {
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_constants(Register::cbv(0), constants(1.0, 1));
    job.bind_sampler(Register::srv(0), Sampler::default());
    let error = device().run(&saxpy(), &job).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t0: the shader declares a raw or structured buffer there, the job binds a sampler"
    );
}

#[test]
fn too_many_groups_are_refused() {
    let error = device()
        .run(&saxpy(), &Job::dispatch([u32::MAX, 1, 1]))
        .unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
}

#[test]
fn textures_samplers_and_typed_buffers_work_together() {
    use DescriptorKind::{SampledImage, Sampler as SamplerKind, StorageImage, StorageTexelBuffer};
    let program = program(
        include_bytes!("data/tex.spv"),
        vec![
            BindingSlot::of_register(10, SampledImage, Register::srv(0), ResourceKind::Texture2D),
            BindingSlot::of_register(20, SamplerKind, Register::sampler(0), ResourceKind::Sampler),
            BindingSlot::of_register(30, StorageImage, Register::uav(0), ResourceKind::Texture2D),
            BindingSlot::of_register(
                31,
                StorageTexelBuffer,
                Register::uav(1),
                ResourceKind::TypedBuffer,
            ),
        ],
    );
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
            address: [AddressMode::Wrap; 3],
            ..Sampler::default()
        },
    );
    let image = job.bind_texture(
        Register::uav(0),
        Texture::new_2d(Format::Rgba8Unorm, 8, 8, Vec::new()),
    );
    let typed = job.bind_typed_buffer(Register::uav(1), Format::R16Uint, vec![0; 128]);
    let outcome = device().run(&program, &job).unwrap();
    let swapped: Vec<u8> = texels
        .chunks_exact(4)
        .flat_map(|t| [t[2], t[1], t[0], t[3]])
        .collect();
    assert_eq!(outcome.bytes(image).unwrap(), swapped);
    let want: Vec<u8> = (0..64u16)
        .flat_map(|i| (i % 8 + i / 8 * 10).to_le_bytes())
        .collect();
    assert_eq!(outcome.bytes(typed).unwrap(), want);
}

#[test]
fn many_threads_share_a_device_and_a_pipeline() {
    let pipeline = device().prepare(&saxpy()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            let pipeline = &pipeline;
            scope.spawn(move || {
                for round in 0..4u32 {
                    let a = (thread * 10 + round) as f32;
                    let mut job = Job::dispatch([1, 1, 1]);
                    job.bind_buffer(Register::srv(0), floats([2.0; 64]));
                    let y = job.bind_buffer(Register::uav(0), floats([1.0; 64]));
                    job.bind_constants(Register::cbv(0), constants(a, 64));
                    let outcome = pipeline.run(&job).unwrap();
                    assert_eq!(outcome.bytes(y).unwrap(), floats([2.0 * a + 1.0; 64]));
                }
            });
        }
    });
}

#[test]
fn every_uploaded_format_and_mip_reads_back() {
    let device = device();
    let pipeline = device
        .prepare(&program(
            include_bytes!("data/saxpy.spv"),
            saxpy().layout.sets[0].slots.clone(),
        ))
        .unwrap();
    for format in Format::ALL {
        let mut texture = Texture::new_2d(*format, 12, 8, Vec::new());
        texture.mips = 3;
        texture.layers = 2;
        let total = texture.total_bytes() as usize;
        // Bytes that are not NaN in any format: floats may be made quiet on the way.
        texture.data = (0..total).map(|i| (i % 61) as u8).collect();
        if *format == Format::D32FloatS8Uint {
            // Three bytes of a texel hold nothing.
            let texels = texture.data.chunks_exact_mut(8);
            texels.for_each(|texel| texel[5..].fill(0));
        }
        let want = texture.data.clone();
        let mut job = Job::dispatch([0, 1, 1]);
        job.bind_buffer(Register::srv(0), floats([2.0; 4]));
        job.bind_buffer(Register::uav(0), floats([1.0; 4]));
        job.bind_constants(Register::cbv(0), constants(1.0, 0));
        let id = job.add_resource("texture", Storage::Texture(texture), true);
        match pipeline.run(&job) {
            Ok(outcome) => assert!(outcome.bytes(id).unwrap() == want, "{format}"),
            // Some may be missing on this device.
            Err(Error::Unsupported(_)) => {}
            Err(error) => panic!("{format}: {error}"),
        }
    }
}
