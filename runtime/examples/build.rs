//! Builds a compute shader from nothing, validates its container, and runs it on the CPU backend
//! and on Vulkan, where there is a device.
//!
//! Usage: `cargo run -p dxil-runtime --example build -- [FILE]`; FILE gets the container.

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]

use std::error::Error;

use dxil_frontend::build::{self, Scalar, ShaderBuilder};
use dxil_frontend::container::{Container, Signing};
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::{BinaryOp, CmpPredicate};
use dxil_frontend::validate::{Options, validate_container};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Backend, Job, OpenOptions, Program, Register, device};

/// Threads of a group.
const THREADS: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let container = collatz()?;
    if let Some(file) = std::env::args_os().nth(1) {
        std::fs::write(file, &container)?;
    }
    let report = validate_container(&Container::parse(&container)?, &Options::default());
    if !report.is_valid() {
        return Err(format!("the shader is not valid: {:?}", report.violations).into());
    }
    let shader = read_shader(&container)?;
    for backend in [Backend::Cpu, Backend::Vulkan] {
        let Ok(device) = device::open(&OpenOptions::new(backend)) else {
            println!("no device for {backend:?}");
            continue;
        };
        let mut job = Job::dispatch([1, 1, 1]);
        let room = vec![0; THREADS as usize * 4];
        let steps = job.bind_buffer(Register::uav(0), room);
        let (formats, options) = (formats_of(&job), CompileOptions::default());
        let program = Program::compile(&shader, None, device.profile(), &formats, &options)?;
        let outcome = device.run(&program, &job)?;
        let result = outcome.bytes(steps).ok_or("the buffer was not read back")?;
        let result: Vec<u32> = result
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        println!("{result:?} on {}", device.info().name);
    }
    Ok(())
}

/// Returns a shader that stores, for each thread, the steps from its number plus one to 1: n
/// becomes n / 2 if it is even, else 3n + 1.
fn collatz() -> Result<Vec<u8>, dxil_frontend::Error> {
    let mut shader = ShaderBuilder::compute("main", [THREADS, 1, 1]);
    let steps = shader.uav_buffer("steps", 0, 0);
    let mut code = shader.code();
    let (zero, one, two, three) = (code.i32(0), code.i32(1), code.i32(2), code.i32(3));
    let id = code.op(Opcode::ThreadId, Scalar::I32, &[zero])?;
    let first = code.binary(BinaryOp::Add, id, one)?;
    let (entry, test, step, done) = (code.current(), code.block(), code.block(), code.block());
    code.jump(test)?;

    code.enter(test);
    let n = code.phi(Scalar::I32)?;
    let count = code.phi(Scalar::I32)?;
    let ends = code.compare(CmpPredicate::IEq, n, one)?;
    code.branch(ends, done, step)?;

    code.enter(step);
    let half = code.binary(BinaryOp::LShr, n, one)?;
    // 3n + 1 as one operation.
    let triple = code.op(Opcode::UMad, Scalar::I32, &[n, three, one])?;
    let lowest = code.binary(BinaryOp::And, n, one)?;
    let is_odd = code.compare(CmpPredicate::INe, lowest, zero)?;
    let next = code.select(is_odd, triple, half)?;
    let counted = code.binary(BinaryOp::Add, count, one)?;
    code.jump(test)?;
    code.set_incoming(n, &[(first, entry), (next, step)])?;
    code.set_incoming(count, &[(zero, entry), (counted, step)])?;

    code.enter(done);
    let handle = code.handle(steps)?;
    let at = code.binary(BinaryOp::Shl, id, two)?;
    code.store_word(handle, at, count)?;
    code.ret()?;

    // D3D12's runtime takes a container with a digest.
    build::container(&shader.finish()?)?.build(Signing::Digest)
}
