//! A Vulkan layer that makes calls fail, for tests of what happens then.
//!
//! `DXIL_JIT_FAULT=vkQueueSubmit:lost` loses the device at the first submission;
//! `vkAllocateMemory:memory` is out of device memory, `vkCreateComputePipelines:host` out of host
//! memory; `vkWaitForFences:lost` (for wgpu `vkWaitSemaphores:lost`) loses the device while it
//! works. With `@2` after it the second call fails, and all after it. Without the variable nothing
//! happens.
//!
//! Follows the loader's "Architecture of the Vulkan Loader Interfaces", chapter "Layer interface",
//! version 2 of the interface; one instance and one device at a time are enough for tests.

#![allow(
    unsafe_code,
    reason = "a layer is C functions behind the loader's pointers"
)]

use std::ffi::{CStr, c_char, c_void};
use std::mem::transmute;
use std::sync::atomic::{AtomicU32, Ordering};

use ash::vk;
use parking_lot::Mutex;

type Function = unsafe extern "system" fn();

/// The functions of the next layer or of the driver.
struct Next {
    instance: Option<vk::PFN_vkGetInstanceProcAddr>,
    device: Option<vk::PFN_vkGetDeviceProcAddr>,
    raw_instance: vk::Instance,
    raw_device: vk::Device,
}

static NEXT: Mutex<Next> = Mutex::new(Next {
    instance: None,
    device: None,
    raw_instance: vk::Instance::null(),
    raw_device: vk::Device::null(),
});
static CALLS: AtomicU32 = AtomicU32::new(0);

/// `VkNegotiateLayerInterface` of vk_layer.h.
#[repr(C)]
#[allow(missing_docs, reason = "the header's names")]
#[derive(Debug)]
pub struct NegotiateLayerInterface {
    pub s_type: i32,
    pub next: *mut c_void,
    pub version: u32,
    pub get_instance_proc_addr: Option<vk::PFN_vkGetInstanceProcAddr>,
    pub get_device_proc_addr: Option<vk::PFN_vkGetDeviceProcAddr>,
    pub get_physical_device_proc_addr: Option<Function>,
}

/// `VkLayerInstanceCreateInfo` and `VkLayerDeviceCreateInfo`, which begin alike.
#[repr(C)]
struct LayerCreateInfo {
    s_type: i32,
    next: *const c_void,
    function: i32,
    link: *mut c_void,
}

/// `VkLayerInstanceLink`.
#[repr(C)]
struct InstanceLink {
    next: *mut InstanceLink,
    get_instance: vk::PFN_vkGetInstanceProcAddr,
    get_physical_device: Option<Function>,
}

/// `VkLayerDeviceLink`.
#[repr(C)]
struct DeviceLink {
    next: *mut DeviceLink,
    get_instance: vk::PFN_vkGetInstanceProcAddr,
    get_device: vk::PFN_vkGetDeviceProcAddr,
}

const LOADER_INSTANCE_CREATE_INFO: i32 = 47;
const LOADER_DEVICE_CREATE_INFO: i32 = 48;
const LINK_INFO: i32 = 0;

/// Returns the loader's own structure in the chain that holds the link to the next layer.
///
/// # Safety
///
/// `chain` is the `pNext` of a create info that comes from the loader.
unsafe fn find_link(mut chain: *const c_void, s_type: i32) -> Option<*mut LayerCreateInfo> {
    while !chain.is_null() {
        let info = chain.cast_mut().cast::<LayerCreateInfo>();
        // SAFETY: all structures of a chain begin with type and next; only the loader's own is
        // read further.
        unsafe {
            if (*info).s_type == s_type && (*info).function == LINK_INFO {
                return Some(info);
            }
            chain = (*info).next;
        }
    }
    None
}

/// Returns the call that fails, its result, and the number of the first such call.
fn fault() -> Option<(String, vk::Result, u32)> {
    let text = std::env::var("DXIL_JIT_FAULT").ok()?;
    let (text, from) = match text.split_once('@') {
        Some((text, from)) => (text, from.parse().ok()?),
        None => (text.as_str(), 1),
    };
    let (name, kind) = text.split_once(':')?;
    let result = match kind {
        "lost" => vk::Result::ERROR_DEVICE_LOST,
        "memory" => vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        "host" => vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        _ => return None,
    };
    Some((name.to_owned(), result, from))
}

/// Returns the fault of this call, if it is its turn.
fn strike(name: &str) -> Option<vk::Result> {
    let (wanted, result, from) = fault()?;
    (wanted == name && CALLS.fetch_add(1, Ordering::Relaxed) + 1 >= from).then_some(result)
}

fn next_device_function(name: &CStr) -> Option<Function> {
    let next = NEXT.lock();
    // SAFETY: the device is the one that this function pointer was given with.
    unsafe { next.device?(next.raw_device, name.as_ptr()) }
}

macro_rules! faulty {
    ($($function:ident $name:literal $pfn:ident ($($argument:ident: $ty:ty),*);)*) => {
        $(unsafe extern "system" fn $function($($argument: $ty),*) -> vk::Result {
            if let Some(result) = strike($name) {
                return result;
            }
            let name = CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes());
            let Some(next) = name.ok().and_then(next_device_function) else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            // SAFETY: the function of that name has this type, and the arguments are the caller's.
            unsafe { transmute::<Function, vk::$pfn>(next)($($argument),*) }
        })*

        fn faulty_function(name: &CStr) -> Option<Function> {
            match name.to_bytes() {
                // SAFETY: callers turn it back into its own type, which goes with the name.
                $(name if name == $name.as_bytes() => Some(unsafe {
                    transmute::<vk::$pfn, Function>($function)
                }),)*
                _ => None,
            }
        }
    };
}

faulty! {
    queue_submit "vkQueueSubmit" PFN_vkQueueSubmit(
        queue: vk::Queue, count: u32, submits: *const vk::SubmitInfo<'_>, fence: vk::Fence);
    wait_for_fences "vkWaitForFences" PFN_vkWaitForFences(
        device: vk::Device, count: u32, fences: *const vk::Fence, all: vk::Bool32, timeout: u64);
    wait_semaphores "vkWaitSemaphores" PFN_vkWaitSemaphores(
        device: vk::Device, info: *const vk::SemaphoreWaitInfo<'_>, timeout: u64);
    allocate_memory "vkAllocateMemory" PFN_vkAllocateMemory(
        device: vk::Device, info: *const vk::MemoryAllocateInfo<'_>,
        callbacks: *const vk::AllocationCallbacks<'_>, memory: *mut vk::DeviceMemory);
    create_compute_pipelines "vkCreateComputePipelines" PFN_vkCreateComputePipelines(
        device: vk::Device, cache: vk::PipelineCache, count: u32,
        infos: *const vk::ComputePipelineCreateInfo<'_>,
        callbacks: *const vk::AllocationCallbacks<'_>, pipelines: *mut vk::Pipeline);
    create_ray_tracing_pipelines "vkCreateRayTracingPipelinesKHR" PFN_vkCreateRayTracingPipelinesKHR(
        device: vk::Device, operation: vk::DeferredOperationKHR, cache: vk::PipelineCache, count: u32,
        infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
        callbacks: *const vk::AllocationCallbacks<'_>, pipelines: *mut vk::Pipeline);
    create_acceleration_structure "vkCreateAccelerationStructureKHR" PFN_vkCreateAccelerationStructureKHR(
        device: vk::Device, info: *const vk::AccelerationStructureCreateInfoKHR<'_>,
        callbacks: *const vk::AllocationCallbacks<'_>, structure: *mut vk::AccelerationStructureKHR);
}

unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    callbacks: *const vk::AllocationCallbacks<'_>,
    instance: *mut vk::Instance,
) -> vk::Result {
    // SAFETY: the loader calls this with its own link in the chain, which each layer moves on.
    unsafe {
        let Some(link_info) = find_link((*info).p_next, LOADER_INSTANCE_CREATE_INFO) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let link = (*link_info).link.cast::<InstanceLink>();
        let get = (*link).get_instance;
        (*link_info).link = (*link).next.cast();
        let Some(create) = get(vk::Instance::null(), c"vkCreateInstance".as_ptr()) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let create = transmute::<Function, vk::PFN_vkCreateInstance>(create);
        let result = create(info, callbacks, instance);
        if result == vk::Result::SUCCESS {
            let mut next = NEXT.lock();
            next.instance = Some(get);
            next.raw_instance = *instance;
        }
        result
    }
}

unsafe extern "system" fn create_device(
    physical: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    callbacks: *const vk::AllocationCallbacks<'_>,
    device: *mut vk::Device,
) -> vk::Result {
    // SAFETY: as in `create_instance`.
    unsafe {
        let Some(link_info) = find_link((*info).p_next, LOADER_DEVICE_CREATE_INFO) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let link = (*link_info).link.cast::<DeviceLink>();
        let (get_instance, get_device) = ((*link).get_instance, (*link).get_device);
        (*link_info).link = (*link).next.cast();
        let instance = NEXT.lock().raw_instance;
        let Some(create) = get_instance(instance, c"vkCreateDevice".as_ptr()) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        let create = transmute::<Function, vk::PFN_vkCreateDevice>(create);
        let result = create(physical, info, callbacks, device);
        if result == vk::Result::SUCCESS {
            let mut next = NEXT.lock();
            next.device = Some(get_device);
            next.raw_device = *device;
        }
        result
    }
}

unsafe extern "system" fn get_device_proc_addr(
    device: vk::Device,
    name: *const c_char,
) -> Option<Function> {
    // SAFETY: names are C strings.
    let text = unsafe { CStr::from_ptr(name) };
    if text == c"vkGetDeviceProcAddr" {
        // SAFETY: callers turn it back.
        return Some(unsafe {
            transmute::<vk::PFN_vkGetDeviceProcAddr, Function>(get_device_proc_addr)
        });
    }
    faulty_function(text).or_else(|| {
        let next = NEXT.lock().device?;
        // SAFETY: passed on as it came.
        unsafe { next(device, name) }
    })
}

unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> Option<Function> {
    // SAFETY: names are C strings.
    let text = unsafe { CStr::from_ptr(name) };
    // SAFETY: callers turn each back into the type that goes with its name.
    let own = unsafe {
        match text.to_bytes() {
            b"vkCreateInstance" => Some(transmute::<vk::PFN_vkCreateInstance, Function>(
                create_instance,
            )),
            b"vkCreateDevice" => Some(transmute::<vk::PFN_vkCreateDevice, Function>(create_device)),
            b"vkGetInstanceProcAddr" => Some(transmute::<vk::PFN_vkGetInstanceProcAddr, Function>(
                get_instance_proc_addr,
            )),
            b"vkGetDeviceProcAddr" => Some(transmute::<vk::PFN_vkGetDeviceProcAddr, Function>(
                get_device_proc_addr,
            )),
            _ => faulty_function(text),
        }
    };
    own.or_else(|| {
        let next = NEXT.lock().instance?;
        // SAFETY: passed on as it came.
        unsafe { next(instance, name) }
    })
}

/// The first function that the loader calls.
///
/// # Safety
///
/// The loader calls it with a pointer to its own structure.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkNegotiateLoaderLayerInterfaceVersion(
    interface: *mut NegotiateLayerInterface,
) -> vk::Result {
    // SAFETY: see above.
    let interface = unsafe { &mut *interface };
    if interface.version < 2 {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    }
    interface.version = 2;
    interface.get_instance_proc_addr = Some(get_instance_proc_addr);
    interface.get_device_proc_addr = Some(get_device_proc_addr);
    interface.get_physical_device_proc_addr = None;
    vk::Result::SUCCESS
}
