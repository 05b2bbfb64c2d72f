//! Dispatches a compute shader and reads its result back: on Vulkan, or on the CPU where there is
//! no device.
//!
//! Usage: `cargo run -p dxil-runtime --example saxpy`

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]

use std::error::Error;

use dxil_frontend::dxil::read_shader;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Backend, Job, OpenOptions, Program, Register, device};

/// Writes `a * x + y` to the first `n` elements of `y`.
const SHADER: &[u8] = include_bytes!("../tests/data/saxpy.dxil");

fn main() -> Result<(), Box<dyn Error>> {
    let shader = read_shader(SHADER)?;
    let device = device::open(&OpenOptions::new(Backend::Vulkan))
        .or_else(|_| device::open(&OpenOptions::new(Backend::Cpu)))?;

    let bytes = |values: &[f32]| -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    };
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_buffer(Register::srv(0), bytes(&[1.0, 2.0, 3.0, 4.0]));
    let y = job.bind_buffer(Register::uav(0), bytes(&[10.0, 20.0, 30.0, 40.0]));
    let constants = [2f32.to_le_bytes(), 4u32.to_le_bytes()].concat();
    job.bind_constants(Register::cbv(0), constants);

    let (formats, options) = (formats_of(&job), CompileOptions::default());
    let program = Program::compile(&shader, None, device.profile(), &formats, &options)?;
    let outcome = device.run(&program, &job)?;

    let result = outcome.bytes(y).ok_or("the buffer was not read back")?;
    let result: Vec<f32> = result
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    println!("{result:?} on {}", device.info().name);
    Ok(())
}
