//! Draws a triangle on a Vulkan device, and writes it to a PNG file.
//!
//! Usage: `cargo run -p dxil-runtime --example draw -- [FILE]`

#![allow(clippy::print_stdout, reason = "an example shows what it made")]

use std::error::Error;
use std::path::PathBuf;

use dxil_frontend::dxil::read_shader;
use dxil_runtime::graphics::{Attachment, Draw, GraphicsState, TargetState};
use dxil_runtime::job::Texture;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::{Backend, Format, Job, OpenOptions, Program, Storage, Work, device};

/// Places three vertices by their numbers, with a colour at each.
const VERTEX: &[u8] = include_bytes!("../tests/data/triangle_vs.dxil");
/// Writes the interpolated colour.
const PIXEL: &[u8] = include_bytes!("../tests/data/triangle_ps.dxil");

const SIZE: u32 = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1);
    let file = file.map_or_else(|| PathBuf::from("triangle.png"), PathBuf::from);
    let (vertex, pixel) = (read_shader(VERTEX)?, read_shader(PIXEL)?);
    let device = device::open(&OpenOptions::new(Backend::Vulkan))?;

    // The default work of a job is replaced by a draw of three vertices.
    let mut job = Job::dispatch([1, 1, 1]);
    let target = Texture::new_2d(Format::Rgba8Unorm, SIZE, SIZE, Vec::new());
    let target = job.add_resource("target", Storage::Texture(target), true);
    let mut draw = Draw::default();
    draw.targets.push(Attachment::new(target));
    job.work = Work::Draw(Box::new(draw));

    let options = CompileOptions::default();
    let stages = [&vertex, &pixel];
    let profile = device.profile();
    let mut program = Program::compile_stages(&stages, None, profile, &|_| None, &options)?;
    program.graphics = Some(GraphicsState {
        targets: vec![TargetState::new(Format::Rgba8Unorm)],
        ..GraphicsState::default()
    });
    let outcome = device.run(&program, &job)?;

    let texels = outcome
        .bytes(target)
        .ok_or("the target was not read back")?;
    let picture = image::RgbaImage::from_raw(SIZE, SIZE, texels.to_vec());
    picture.ok_or("the target is too small")?.save(&file)?;
    println!("{} drawn on {}", file.display(), device.info().name);
    Ok(())
}
