//! Block-compressed textures: the CPU executor reads the texels that a device reads.
//!
//! This test needs a Vulkan driver with `textureCompressionBC` (lavapipe has it).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_frontend::dxil::read_shader;
use dxil_runtime::device::{self, Backend, OpenOptions};
use dxil_runtime::job::{Job, Register, Texture, Work};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::{Format, Program};

/// Returns the texels of four mips as a shader reads them, eight by eight for each mip.
fn texels(backend: Backend, texture: &Texture) -> Vec<f32> {
    let shader = read_shader(include_bytes!("data/blocks.dxil")).unwrap();
    let device = device::open(&OpenOptions::new(backend)).unwrap();
    let mut job = Job::dispatch([1, 1, 4]);
    job.work = Work::Dispatch([1, 1, 4]);
    job.bind_texture(Register::srv(0), texture.clone());
    let out = job.bind_buffer(Register::uav(0), vec![0xa5; 4 * 64 * 16]);
    let options = CompileOptions::default();
    let profile = device.profile();
    let program = Program::compile(&shader, None, profile, &|_| None, &options).unwrap();
    let outcome = device.run(&program, &job).unwrap();
    let bytes = outcome.bytes(out).unwrap().as_chunks::<4>().0.iter();
    bytes.map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

#[test]
fn blocks_decode_as_on_a_device() {
    // Blocks of pseudorandom bytes: every mode and every end point is as good as another.
    let mut random = fastrand::Rng::with_seed(1);
    let mut byte = || random.u8(..);
    for format in [
        Format::Bc1Unorm,
        Format::Bc1Srgb,
        Format::Bc2Unorm,
        Format::Bc3Unorm,
        Format::Bc3Srgb,
        Format::Bc4Unorm,
        Format::Bc4Snorm,
        Format::Bc5Unorm,
        Format::Bc5Snorm,
        Format::Bc6hUfloat,
        Format::Bc7Unorm,
        Format::Bc7Srgb,
    ] {
        // Eight by eight texels are four blocks, and each of the smaller mips is one.
        let mut data: Vec<u8> = (0..7 * format.block_bytes()).map(|_| byte()).collect();
        if format == Format::Bc6hUfloat {
            // The mode with ten bits for each end point; some other modes are reserved.
            for block in data.chunks_mut(16) {
                block[0] = block[0] & 0xe0 | 0x03;
            }
        }
        let texture = Texture {
            mips: 4,
            ..Texture::new_2d(format, 8, 8, data)
        };
        // D3D11.3 leaves the rounding of interpolated values open but for BC6H and BC7 (19.5): one
        // of 255 steps, which the sRGB curve makes 2.3 times as large, or one of 127 signed ones.
        let tolerance = match format {
            Format::Bc6hUfloat | Format::Bc7Unorm | Format::Bc7Srgb => 0.001,
            _ => 0.012,
        };
        let [device, cpu] = [Backend::Vulkan, Backend::Cpu].map(|b| texels(b, &texture));
        assert!(cpu.iter().any(|value| *value != 0.0), "{format}");
        for (index, (device, cpu)) in device.iter().zip(&cpu).enumerate() {
            // Outside of a mip devices differ in the alpha of formats that have none.
            let (mip, row, column) = (index / 256, index / 32 % 8, index / 4 % 8);
            if row.max(column) >= 8 >> mip {
                continue;
            }
            let near = (device - cpu).abs() <= tolerance * device.abs().max(1.0);
            assert!(
                near,
                "{format} component {index}: {cpu}, on the device {device}"
            );
        }
    }
}
