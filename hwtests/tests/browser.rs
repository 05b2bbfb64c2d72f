//! The WGSL of every checked-in shader in a browser's WebGPU: a headless Chromium compiles it, and
//! makes the pipelines of compute shaders.
//!
//! Without a browser, the test says so and checks nothing: `tools/setup-vulkan.sh browser` brings
//! one. What the browser refuses, `PortableModule::write_webgpu` refuses for its device, and
//! nothing else. A device of wgpu without any feature accepts what it does not refuse for that one.

#![allow(
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and shows what it has seen"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use dxil_checkout::shaders;
use dxil_frontend::container::Container;
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_hwtests::browser::{self, Site};
use dxil_runtime::interop::wgpu;
use dxil_runtime::language::{self, Language, PortableModule, WebGpu, WebGpuLimits};
use dxil_runtime::program::{CompileOptions, Program, ShaderCode};
use dxil_translate::VulkanVersion;

/// A shader that has a text.
struct Written {
    name: String,
    kind: ShaderKind,
    module: PortableModule,
    text: String,
}

/// Returns the WGSL of a shader; none if there is no such text.
fn wgsl(path: &Path) -> Option<Written> {
    let bytes = std::fs::read(path).unwrap();
    let shader = read_shader(&bytes).ok()?;
    let root = Container::parse(&bytes).ok()?.root_signature().ok()?;
    let profile = language::profile(VulkanVersion::V1_3, Language::Wgsl).with_elements(16);
    let options = CompileOptions::default();
    let program = Program::compile(&shader, root.as_ref(), &profile, &|_| None, &options).ok()?;
    let stage = program.stages.first()?;
    let ShaderCode::SpirV(words) = &stage.code else {
        return None;
    };
    let module = PortableModule::read(words).ok()?;
    let text = module
        .write(Language::Wgsl, stage.kind, &stage.entry)
        .ok()?;
    let name = path
        .strip_prefix(dxil_checkout::root())
        .unwrap()
        .with_extension("");
    Some(Written {
        name: name.display().to_string(),
        kind: stage.kind,
        module,
        text,
    })
}

/// Returns the device that the page opened: its features, and a line for each limit.
fn device_of(said: &str) -> WebGpu {
    let mut device = WebGpu::default();
    let mut lines = said.lines();
    let features = lines.next().unwrap().split_whitespace();
    device.features = features.map(str::to_owned).collect();
    let mut known = 0;
    for line in lines {
        let (name, value) = line.split_once(' ').unwrap();
        if let Some(limit) = device.limits.get_mut(name) {
            *limit = value.parse::<u64>().unwrap().try_into().unwrap_or(u32::MAX);
            known += 1;
        }
    }
    assert_eq!(known, WebGpuLimits::NAMES.len(), "{said}");
    device
}

#[test]
fn a_browser_compiles_the_wgsl_of_every_shader() {
    let Some(command) = browser::find() else {
        eprintln!("not checked: there is no Chromium (tools/setup-vulkan.sh browser brings one)");
        return;
    };
    let shaders: Vec<Written> = shaders().iter().filter_map(|path| wgsl(path)).collect();
    let texts: Vec<String> = shaders
        .iter()
        .map(
            |Written {
                 name, kind, text, ..
             }| {
                let kind = match kind {
                    ShaderKind::Compute => "compute",
                    _ => "raster",
                };
                format!("{name}\0{kind}\0{text}\0")
            },
        )
        .collect();
    let mut site = Site::default();
    let page = include_bytes!("browser.html").to_vec();
    site.files.insert("/".to_owned(), page);
    site.files
        .insert("/shaders".to_owned(), texts.concat().into_bytes());
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let answers = site
        .visit(&command, &profile, Duration::from_secs(500))
        .unwrap();
    let mut said = BTreeMap::new();
    for answer in answers {
        let answer = String::from_utf8(answer).unwrap();
        let (name, message) = answer.split_once('\0').unwrap();
        said.insert(name.to_owned(), message.to_owned());
    }
    let device = device_of(&said.remove("device").unwrap());
    assert_eq!(said.len(), shaders.len(), "{said:?}");
    let mut problems = Vec::new();
    let mut refused = 0;
    for Written { name, module, .. } in &shaders {
        let browser = &said[name];
        match module.write_webgpu(&device) {
            Ok(_) if browser.is_empty() => {}
            Ok(_) => problems.push(format!("{name}: only the browser refuses it: {browser}")),
            Err(error) if browser.is_empty() => {
                problems.push(format!("{name}: only we refuse it: {error}"));
            }
            Err(error) => {
                refused += 1;
                println!("{name}: {error}");
            }
        }
    }
    println!("{} shaders, {refused} refused; {device:?}", shaders.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Returns a device of wgpu without any feature, with the adapter's limits, as WebGPU has them.
fn stock_wgpu() -> (wgpu::Device, WebGpu) {
    let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    let instance = wgpu::Instance::new(descriptor);
    let adapter = ready(instance.request_adapter(&Default::default())).unwrap();
    let limits = adapter.limits();
    let mut device = WebGpu::default();
    for (name, value) in [
        ("maxBindGroups", limits.max_bind_groups),
        (
            "maxBindingsPerBindGroup",
            limits.max_bindings_per_bind_group,
        ),
        (
            "maxSampledTexturesPerShaderStage",
            limits.max_sampled_textures_per_shader_stage,
        ),
        (
            "maxSamplersPerShaderStage",
            limits.max_samplers_per_shader_stage,
        ),
        (
            "maxStorageBuffersPerShaderStage",
            limits.max_storage_buffers_per_shader_stage,
        ),
        (
            "maxStorageTexturesPerShaderStage",
            limits.max_storage_textures_per_shader_stage,
        ),
        (
            "maxUniformBuffersPerShaderStage",
            limits.max_uniform_buffers_per_shader_stage,
        ),
        (
            "maxComputeWorkgroupStorageSize",
            limits.max_compute_workgroup_storage_size,
        ),
        (
            "maxComputeInvocationsPerWorkgroup",
            limits.max_compute_invocations_per_workgroup,
        ),
        (
            "maxComputeWorkgroupSizeX",
            limits.max_compute_workgroup_size_x,
        ),
        (
            "maxComputeWorkgroupSizeY",
            limits.max_compute_workgroup_size_y,
        ),
        (
            "maxComputeWorkgroupSizeZ",
            limits.max_compute_workgroup_size_z,
        ),
        // Immediates are a feature of wgpu.
        ("maxImmediateSize", 0),
    ] {
        *device.limits.get_mut(name).unwrap() = value;
    }
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits {
            max_immediate_size: 0,
            ..limits
        },
        ..Default::default()
    };
    let (opened, _queue) = ready(adapter.request_device(&descriptor)).unwrap();
    (opened, device)
}

/// Returns the result of a future that does not wait for anything.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("a call that waits"),
    }
}

#[test]
fn wgpu_without_features_compiles_the_wgsl_of_every_shader() {
    let (wgpu_device, device) = stock_wgpu();
    let mut problems = Vec::new();
    let (mut accepted, mut refused) = (0, 0);
    for written in shaders().iter().filter_map(|path| wgsl(path)) {
        let Written {
            name, kind, module, ..
        } = written;
        let Ok(text) = module.write_webgpu(&device) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let scope = wgpu_device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = wgpu_device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text.into()),
        });
        if kind == ShaderKind::Compute {
            _ = wgpu_device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                cache: None,
            });
        }
        if let Some(error) = ready(scope.pop()) {
            problems.push(format!("{name}: {error}"));
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 700, "{accepted}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
