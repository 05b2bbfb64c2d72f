//! Float controls of a device: the treatment of denormals, signed zeros, infinities and NaN that
//! modules may request.

use ash::vk;
use dxil_translate::Features;

/// Returns the translator's features for the properties of a device.
pub(super) fn features(v12: &vk::PhysicalDeviceVulkan12Properties<'_>) -> Features {
    type Independence = vk::ShaderFloatControlsIndependence;
    let (half, double) = (
        v12.shader_denorm_preserve_float16 != 0,
        v12.shader_denorm_preserve_float64 != 0,
    );
    // Modules choose the behaviour of 16 and of 64 bits apart from that of other widths. Where a
    // device ties those two together, it must have both.
    let (preserve_half, preserve_double) = match v12.denorm_behavior_independence {
        Independence::ALL => (half, double),
        Independence::TYPE_32_ONLY => (half && double, half && double),
        _ => (false, false),
    };
    let mut all = Features::empty();
    for (feature, there) in [
        (Features::DENORM_PRESERVE_F16, preserve_half),
        (
            Features::DENORM_PRESERVE_F32,
            v12.shader_denorm_preserve_float32 != 0,
        ),
        (Features::DENORM_PRESERVE_F64, preserve_double),
        (
            Features::DENORM_FLUSH_F32,
            v12.shader_denorm_flush_to_zero_float32 != 0,
        ),
        (
            Features::SIGNED_ZERO_INF_NAN_F16,
            v12.shader_signed_zero_inf_nan_preserve_float16 != 0,
        ),
        (
            Features::SIGNED_ZERO_INF_NAN_F32,
            v12.shader_signed_zero_inf_nan_preserve_float32 != 0,
        ),
        (
            Features::SIGNED_ZERO_INF_NAN_F64,
            v12.shader_signed_zero_inf_nan_preserve_float64 != 0,
        ),
        (
            Features::ROUND_RTZ_F16,
            v12.shader_rounding_mode_rtz_float16 != 0,
        ),
    ] {
        all.set(feature, there);
    }
    all
}

/// Returns the float controls of a device that somebody else opened; `version` is that of its
/// instance. Nothing has to be enabled for float controls, but they came with Vulkan 1.2.
pub(crate) fn of_device(
    instance: &ash::Instance,
    version: u32,
    device: vk::PhysicalDevice,
) -> Features {
    // SAFETY: `device` comes from this instance.
    let core = unsafe { instance.get_physical_device_properties(device) };
    if version.min(core.api_version) < vk::API_VERSION_1_2 {
        return Features::empty();
    }
    let mut v12 = vk::PhysicalDeviceVulkan12Properties::default();
    let mut head = vk::PhysicalDeviceProperties2::default().push_next(&mut v12);
    // SAFETY: the chain holds only a structure of the device's version.
    unsafe { instance.get_physical_device_properties2(device, &mut head) };
    features(&v12)
}
