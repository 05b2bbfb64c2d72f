//! DXIL in a wgpu application that has its own device: the shader is written as WGSL, and the layout
//! of the program says which register each binding is.
//!
//! Usage: `cargo run -p dxil-runtime --example wgpu`

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]
use std::borrow::Cow;
use std::error::Error;

use dxil_frontend::dxil::read_shader;
use dxil_runtime::language::{self, Language, PortableModule};
use dxil_runtime::program::{CompileOptions, ShaderCode, SlotSource};
use dxil_runtime::{Layout, Program};
use dxil_translate::VulkanVersion;
use wgpu::util::DeviceExt as _;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// Writes `a * x + y` to the first `n` elements of `y`.
const SHADER: &[u8] = include_bytes!("../tests/data/saxpy.dxil");

fn main() -> Result<()> {
    let shader = read_shader(SHADER)?;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;

    let profile = language::profile(VulkanVersion::V1_1, Language::Wgsl);
    let options = CompileOptions::default();
    let program = Program::compile(&shader, None, &profile, &|_| None, &options)?;
    let stage = program.stages.first().ok_or("no stage")?;
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err("no SPIR-V".into());
    };
    let text = PortableModule::read(words)?.write(Language::Wgsl, stage.kind, &stage.entry)?;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(Cow::Owned(text)),
    });
    let result = run(&device, &queue, &module, &stage.entry, &program.layout)?;
    println!("{result:?} on {}", adapter.get_info().name);
    Ok(())
}

/// Runs one group, with a buffer for each binding that the layout has. Returns `y`.
fn run(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    module: &wgpu::ShaderModule,
    entry: &str,
    layout: &Layout,
) -> Result<Vec<f32>> {
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module,
        entry_point: Some(entry),
        compilation_options: Default::default(),
        cache: None,
    });
    let floats = |values: [f32; 4]| values.map(f32::to_le_bytes).concat();
    let constants = [2f32.to_le_bytes(), 4u32.to_le_bytes(), [0; 4], [0; 4]].concat();
    let mut buffers = Vec::new();
    let set = layout.sets.first().ok_or("no bindings")?;
    for slot in &set.slots {
        let SlotSource::Registers(register) = &slot.source else {
            return Err("a binding that is no register".into());
        };
        let (contents, usage) = match register.to_string().as_str() {
            "b0" => (constants.clone(), wgpu::BufferUsages::UNIFORM),
            "t0" => (floats([1.0, 2.0, 3.0, 4.0]), wgpu::BufferUsages::STORAGE),
            _ => (
                floats([10.0, 20.0, 30.0, 40.0]),
                wgpu::BufferUsages::STORAGE,
            ),
        };
        let descriptor = wgpu::util::BufferInitDescriptor {
            label: None,
            contents: &contents,
            usage: usage | wgpu::BufferUsages::COPY_SRC,
        };
        let buffer = device.create_buffer_init(&descriptor);
        buffers.push((slot.binding, slot.writable, buffer));
    }
    let entries: Vec<_> = buffers
        .iter()
        .map(|(binding, _, buffer)| wgpu::BindGroupEntry {
            binding: *binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let (_, _, y) = buffers
        .iter()
        .find(|(_, writable, _)| *writable)
        .ok_or("no output")?;
    let result = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: y.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut commands = device.create_command_encoder(&Default::default());
    {
        let mut pass = commands.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    commands.copy_buffer_to_buffer(y, 0, &result, 0, y.size());
    queue.submit([commands.finish()]);
    result.map_async(wgpu::MapMode::Read, .., drop);
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let bytes = result.get_mapped_range(..)?;
    let floats = bytes.chunks_exact(4);
    Ok(floats
        .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect())
}
