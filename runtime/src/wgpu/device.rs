//! Adapter and device: what the adapter has is asked for, and the translator's target follows.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dxil_translate::{Features, Style, Target, VulkanVersion};

use super::gpu::{Gpu, chain};
use super::pipeline::WgpuPipeline;
use super::pipeline_cache;
use crate::device::{
    Backend, Device, DeviceInfo, DeviceKind, Limits, OpenOptions, Pipeline, Profile,
};
use crate::error::{Error, Result};
use crate::program::Program;

/// Number of descriptors of an unbounded array.
const UNBOUNDED_DESCRIPTORS: u32 = 256;

fn adapters() -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    // Only the Vulkan backend passes SPIR-V through to the driver.
    descriptor.backends = wgpu::Backends::VULKAN;
    // The layers that a program is built for debugging with are not for its users;
    // `WGPU_VALIDATION=1` asks for them.
    descriptor.flags = wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL.with_env();
    let instance = wgpu::Instance::new(descriptor);
    pollster::block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN))
}

/// Returns the reason for an empty list of adapters, which wgpu does not give.
fn no_adapter() -> Error {
    match crate::vulkan::loader() {
        Err(error) => error,
        Ok(_) => Error::NoDevice,
    }
}

fn describe(adapter: &wgpu::Adapter, index: usize) -> DeviceInfo {
    let info = adapter.get_info();
    DeviceInfo {
        backend: Backend::Wgpu,
        index,
        name: info.name,
        driver: format!("{} {}", info.driver, info.driver_info)
            .trim()
            .to_owned(),
        api: format!("wgpu on {:?}", info.backend),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => DeviceKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => DeviceKind::Integrated,
            wgpu::DeviceType::VirtualGpu => DeviceKind::Virtual,
            wgpu::DeviceType::Cpu => DeviceKind::Cpu,
            wgpu::DeviceType::Other => DeviceKind::Other,
        },
    }
}

/// Returns all adapters.
pub(super) fn list() -> Result<Vec<DeviceInfo>> {
    let adapters = adapters();
    if adapters.is_empty() {
        return Err(no_adapter());
    }
    Ok(adapters
        .iter()
        .enumerate()
        .map(|(index, adapter)| describe(adapter, index))
        .collect())
}

/// A wgpu device.
pub(super) struct WgpuDevice {
    gpu: Arc<Gpu>,
    info: DeviceInfo,
    profile: Profile,
}

impl WgpuDevice {
    /// Opens a device.
    pub(super) fn open(options: &OpenOptions) -> Result<Self> {
        if options.validate {
            return Err(Error::Unsupported(
                "validation on the wgpu backend; use the Vulkan backend, or set VK_INSTANCE_LAYERS"
                    .into(),
            ));
        }
        let mut adapters = adapters();
        let count = adapters.len();
        if count == 0 {
            return Err(no_adapter());
        }
        if options.index >= count {
            return Err(Error::NoSuchDevice {
                index: options.index,
                count,
            });
        }
        let adapter = adapters.swap_remove(options.index);
        let info = describe(&adapter, options.index);
        let stable = adapter.features() - wgpu::Features::all_experimental_mask()
            // It makes every buffer mappable, which costs on real devices.
            - wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
        let passthrough = !options.portable && stable.contains(wgpu::Features::PASSTHROUGH_SHADERS);
        let driver = Driver::of(&adapter);
        let experiments = if passthrough && driver.has_spirv_1_5 {
            adapter.features() & EXPERIMENTS
        } else {
            wgpu::Features::empty()
        };
        let (device, queue) = request(&adapter, stable | experiments)
            // An experimental feature may fail at the last moment; everything else works without
            // it. After a lack of memory a second attempt would fail as well.
            .or_else(|error| match error {
                Error::OutOfMemory(_) => Err(error),
                _ if experiments.is_empty() => Err(error),
                _ => {
                    log::warn!("no mesh shaders: {error}");
                    request(&adapter, stable)
                }
            })?;
        // A poll may succeed on a lost device, so the callback is what tells (`Gpu::wait`).
        let lost = Arc::new(AtomicBool::new(false));
        let tell = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            log::debug!("wgpu lost the device: {reason:?} {message}");
            tell.store(true, Ordering::Release);
        });
        // Error scopes catch the errors of a run (`Gpu::checked`). By default wgpu panics on an
        // error outside of any scope.
        device.on_uncaptured_error(Arc::new(|error| log::warn!("wgpu: {error}")));
        let identity = pipeline_cache::identity(&adapter.get_info(), passthrough);
        let profile = profile(&adapter, &device, &driver, passthrough);
        Ok(WgpuDevice {
            gpu: Arc::new(Gpu {
                adapter,
                device,
                queue,
                passthrough,
                cache: options.cache.clone(),
                identity,
                timeout: options.timeout,
                stuck: AtomicBool::new(false),
                lost,
            }),
            info,
            profile,
        })
    }
}

/// Returns the profile of a device. `passthrough` says whether SPIR-V goes to the driver as it is.
pub(crate) fn profile(
    adapter: &wgpu::Adapter,
    device: &wgpu::Device,
    driver: &Driver,
    passthrough: bool,
) -> Profile {
    let (features, limits) = (device.features(), device.limits());
    let arrays = wgpu::Features::TEXTURE_BINDING_ARRAY
        | wgpu::Features::BUFFER_BINDING_ARRAY
        | wgpu::Features::STORAGE_RESOURCE_BINDING_ARRAY;
    Profile {
        target: target(adapter, driver, features, passthrough),
        limits: Limits {
            descriptor_sets: limits.max_bind_groups,
            push_constant_bytes: if features.contains(wgpu::Features::IMMEDIATES) {
                limits.max_immediate_size
            } else {
                0
            },
            uniform_buffer_bytes: limits.max_uniform_buffer_binding_size,
            storage_buffer_bytes: limits.max_storage_buffer_binding_size,
            // Typed buffers are storage buffers here; 16 bytes are the largest texel.
            texel_buffer_elements: limits.max_storage_buffer_binding_size / 16,
            thread_groups: [limits.max_compute_workgroups_per_dimension; 3],
            ray_recursion: 0,
            unbounded_descriptors_are_all: true,
            // Through naga each element has a binding of its own, and wgpu wants all of them
            // bound.
            unbounded_descriptors: if !passthrough {
                0
            } else if features.contains(arrays) {
                UNBOUNDED_DESCRIPTORS.min(limits.max_binding_array_elements_per_shader_stage)
            } else {
                1
            },
        },
        texel_buffers: false,
        storage_image_formats: true,
        dense_bindings: passthrough,
        descriptor_heaps: None,
        device_addresses: false,
        subgroup_sizes: (
            adapter.get_info().subgroup_min_size,
            adapter.get_info().subgroup_max_size,
        ),
        // wgpu enables robustness where the driver has it, and does not tell whether it did.
        robust: false,
        residency: false,
        executes_dxil: false,
        keep_denormals: false,
        checks: dxil_cpu::Checks::NONE,
    }
}

/// The experimental features of wgpu to enable.
const EXPERIMENTS: wgpu::Features = wgpu::Features::EXPERIMENTAL_MESH_SHADER
    .union(wgpu::Features::EXPERIMENTAL_MESH_SHADER_MULTIVIEW)
    .union(wgpu::Features::EXPERIMENTAL_MESH_SHADER_POINTS)
    .union(wgpu::Features::EXPERIMENTAL_RAY_QUERY);

fn request(
    adapter: &wgpu::Adapter,
    features: wgpu::Features,
) -> Result<(wgpu::Device, wgpu::Queue)> {
    let descriptor = wgpu::DeviceDescriptor {
        label: None,
        required_features: features,
        required_limits: adapter.limits(),
        experimental_features: experiments(features),
        memory_hints: wgpu::MemoryHints::Performance,
        trace: wgpu::Trace::Off,
    };
    let failed = |reason| Error::Api {
        call: "wgpu request_device",
        reason,
    };
    // wgpu 30 panics in the cleanup if the creation of a device fails halfway.
    let request = || pollster::block_on(adapter.request_device(&descriptor));
    match catch_unwind(AssertUnwindSafe(request)) {
        Ok(Ok(device)) => Ok(device),
        Ok(Err(error)) => {
            let reason = chain(&error);
            // The error has no variant for it: only its text tells.
            if reason.contains("Not enough memory") {
                Err(Error::OutOfMemory("device"))
            } else {
                Err(failed(reason))
            }
        }
        Err(_) => Err(failed("it panicked".into())),
    }
}

/// Returns the consent that wgpu wants for features which it calls experimental.
#[allow(
    unsafe_code,
    reason = "wgpu's words for a consent; see the SAFETY note"
)]
fn experiments(features: wgpu::Features) -> wgpu::ExperimentalFeatures {
    if !features.intersects(wgpu::Features::all_experimental_mask()) {
        return wgpu::ExperimentalFeatures::disabled();
    }
    // SAFETY: only mesh shaders and ray queries are asked for, and only where SPIR-V passes
    // through: wgpu then hands on modules and calls, and the code that is new in it, naga's for
    // such shaders, does not run. What acceleration structures are built from was checked to lie in
    // its buffers, indices included.
    unsafe { wgpu::ExperimentalFeatures::enabled() }
}

/// Properties that only the adapter's driver knows. They need not be enabled on the device.
pub(crate) struct Driver {
    /// The float controls that modules may use.
    float_controls: Features,
    /// Vulkan 1.2, and with it SPIR-V 1.5.
    has_spirv_1_5: bool,
}

impl Driver {
    #[allow(unsafe_code, reason = "only the adapter's driver knows")]
    pub(crate) fn of(adapter: &wgpu::Adapter) -> Self {
        // SAFETY: the adapter is asked for its properties, and nothing of it is kept.
        let Some(vulkan) = (unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }) else {
            return Driver {
                float_controls: Features::empty(),
                has_spirv_1_5: false,
            };
        };
        let shared = vulkan.shared_instance();
        let properties = vulkan.physical_device_capabilities().properties();
        // A device may support a newer version than its instance was made for; the older of both
        // counts.
        let version = shared.instance_api_version().min(properties.api_version);
        Driver {
            float_controls: crate::vulkan::float_controls::of_device(
                shared.raw_instance(),
                shared.instance_api_version(),
                vulkan.raw_physical_device(),
            ),
            has_spirv_1_5: version >= ash::vk::API_VERSION_1_2,
        }
    }
}

/// Returns the target of the translator: besides the float controls it has only the features that
/// wgpu has names for, since wgpu enables no other on the driver's device.
fn target(
    adapter: &wgpu::Adapter,
    driver: &Driver,
    features: wgpu::Features,
    passthrough: bool,
) -> Target {
    use wgpu::Features as W;
    let downlevel = adapter.get_downlevel_capabilities().flags;
    let has = |feature: W| features.contains(feature);
    let non_uniform = W::SAMPLED_TEXTURE_AND_STORAGE_BUFFER_ARRAY_NON_UNIFORM_INDEXING
        | W::STORAGE_TEXTURE_ARRAY_NON_UNIFORM_INDEXING
        | W::PARTIALLY_BOUND_BINDING_ARRAY;
    let table = [
        (Features::FLOAT16, has(W::SHADER_F16)),
        (Features::STORAGE_16BIT, has(W::SHADER_F16)),
        (Features::UNIFORM_16BIT, has(W::SHADER_F16)),
        (Features::FLOAT64, has(W::SHADER_F64)),
        (Features::INT16, has(W::SHADER_I16) && passthrough),
        (Features::INT64, has(W::SHADER_INT64)),
        (
            Features::BUFFER_INT64_ATOMICS,
            has(W::SHADER_INT64_ATOMIC_ALL_OPS),
        ),
        (
            Features::PSEUDO_IMAGE_ATOMICS,
            has(W::TEXTURE_ATOMIC) && !passthrough,
        ),
        (Features::IMAGE_INT64_ATOMICS, has(W::TEXTURE_INT64_ATOMIC)),
        (
            Features::DESCRIPTOR_INDEXING,
            has(non_uniform) && passthrough,
        ),
        (Features::SUBGROUP, has(W::SUBGROUP)),
        (Features::SUBGROUP_QUAD, has(W::SUBGROUP)),
        (Features::IMAGE_CUBE_ARRAY, true),
        (
            Features::SAMPLE_RATE_SHADING,
            downlevel.contains(wgpu::DownlevelFlags::MULTISAMPLED_SHADING),
        ),
        // The capability also covers `PrimitiveId`, which pixel shaders may read without a geometry
        // shader.
        (Features::GEOMETRY, has(W::PRIMITIVE_INDEX)),
        (Features::MULTIVIEW, has(W::MULTIVIEW)),
        // Clip distances alone: see `WgpuPipeline::new`.
        (Features::CLIP_CULL_DISTANCE, has(W::CLIP_DISTANCES)),
        (Features::IMAGE_1D, true),
        (
            Features::STORES_AND_ATOMICS,
            has(W::VERTEX_WRITABLE_STORAGE),
        ),
        (
            Features::BUFFER_FLOAT32_ATOMICS,
            has(W::SHADER_FLOAT32_ATOMIC),
        ),
        (Features::MESH_SHADER, has(W::EXPERIMENTAL_MESH_SHADER)),
        (Features::RAY_QUERY, has(W::EXPERIMENTAL_RAY_QUERY)),
    ];
    let mut set = Features::empty();
    for (feature, there) in table {
        set.set(feature, there);
    }
    if passthrough {
        set |= driver.float_controls;
    }
    // Mesh shaders and ray queries need SPIR-V 1.4, and with it Vulkan 1.2.
    let vulkan = if set.intersects(Features::MESH_SHADER | Features::RAY_QUERY) {
        VulkanVersion::V1_2
    } else {
        VulkanVersion::V1_1
    };
    let style = if passthrough {
        Style::Native
    } else {
        Style::Portable
    };
    Target::new(vulkan, style, set)
}

impl Device for WgpuDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, program: &Program) -> Result<Box<dyn Pipeline>> {
        Ok(Box::new(WgpuPipeline::new(&self.gpu, program)?))
    }
}
