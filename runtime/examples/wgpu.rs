//! DXIL in a wgpu application that has its own device: passed through as SPIR-V where the adapter
//! supports that, and written as WGSL. The layout of the program says which register each binding
//! is.
//!
//! Usage: `cargo run -p dxil-runtime --example wgpu`

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]
#![allow(
    unsafe_code,
    reason = "wgpu does not check SPIR-V that is passed through"
)]

use std::borrow::Cow;
use std::error::Error;

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::interop::{layout_entries, passthrough_profile, wgpu};
use dxil_runtime::language::{self, Language, PortableModule};
use dxil_runtime::program::{CompileOptions, ShaderCode, SlotSource, StageCode};
use dxil_runtime::{Layout, Profile, Program};
use dxil_translate::VulkanVersion;
use wgpu::util::DeviceExt as _;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// Writes `a * x + y` to the first `n` elements of `y`.
const SHADER: &[u8] = include_bytes!("../tests/data/saxpy.dxil");

fn main() -> Result<()> {
    let shader = read_shader(SHADER)?;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let passthrough = wgpu::Features::PASSTHROUGH_SHADERS;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: adapter.features() & passthrough,
        ..Default::default()
    }))?;

    if device.features().contains(passthrough) {
        let profile = passthrough_profile(&adapter, &device);
        let (program, stage) = compile(&shader, &profile)?;
        let module = pass_through(&device, &stage)?;
        // wgpu cannot see the bindings in the module: layouts are explicit.
        let set = program.layout.sets.first().ok_or("no bindings")?;
        let entries = layout_entries(&adapter, &device, set, wgpu::ShaderStages::COMPUTE)?;
        let group = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&group)],
            immediate_size: 0,
        });
        let result = run(
            &device,
            &queue,
            &module,
            Some(&layout),
            &stage,
            &program.layout,
        )?;
        println!("passed through: {result:?}");
    }

    let profile = language::profile(VulkanVersion::V1_1, Language::Wgsl);
    let (program, stage) = compile(&shader, &profile)?;
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err("no SPIR-V".into());
    };
    let text = PortableModule::read(words)?.write(Language::Wgsl, stage.kind, &stage.entry)?;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(Cow::Owned(text)),
    });
    let result = run(&device, &queue, &module, None, &stage, &program.layout)?;
    println!("as WGSL: {result:?}");
    Ok(())
}

fn compile(shader: &Shader, profile: &Profile) -> Result<(Program, StageCode)> {
    let options = CompileOptions::default();
    let program = Program::compile(shader, None, profile, &|_| None, &options)?;
    let stage = program.stages.first().cloned().ok_or("no stage")?;
    Ok((program, stage))
}

/// Returns the module of SPIR-V that wgpu gives to the driver.
fn pass_through(device: &wgpu::Device, stage: &StageCode) -> Result<wgpu::ShaderModule> {
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err("no SPIR-V".into());
    };
    let interface = stage.interface.as_ref().ok_or("no interface")?;
    let [x, y, z] = interface.workgroup_size.unwrap_or([1; 3]);
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
            name: Cow::Borrowed(&stage.entry),
            workgroup_size: (x, y, z),
        }]),
        spirv: Some(Cow::Borrowed(words)),
        ..Default::default()
    };
    // SAFETY: the translator made the words for this device's profile: they are valid SPIR-V, use
    // only features of the device, and have the bindings of the layout.
    Ok(unsafe { device.create_shader_module_passthrough(descriptor) })
}

/// Runs one group, with a buffer for each binding that the layout has. Returns `y`.
fn run(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    module: &wgpu::ShaderModule,
    pipeline_layout: Option<&wgpu::PipelineLayout>,
    stage: &StageCode,
    layout: &Layout,
) -> Result<Vec<f32>> {
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: pipeline_layout,
        module,
        entry_point: Some(&stage.entry),
        compilation_options: Default::default(),
        cache: None,
    });
    let floats = |values: [f32; 4]| values.map(f32::to_le_bytes).concat();
    let constants = [2f32.to_le_bytes(), 4u32.to_le_bytes(), [0; 4], [0; 4]].concat();
    let mut buffers = Vec::new();
    let set = layout.sets.first().ok_or("no bindings")?;
    for slot in &set.slots {
        let SlotSource::Registers(register) = &slot.source else {
            return Err("a binding without a register".into());
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
