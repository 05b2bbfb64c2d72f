//! Modules that fit a device of WebGPU and modules that do not. A browser is asked in the test
//! `browser`.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::*;

fn checked(device: &WebGpu, text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{error}"));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).unwrap();
    let checked = device.check(&module, &info, text);
    checked.map_err(|error| error.to_string())
}

fn with(feature: &str) -> WebGpu {
    WebGpu {
        features: vec![feature.to_owned()],
        ..WebGpu::default()
    }
}

/// Returns a shader with nine storage buffers, of which it uses some.
fn buffers(used: usize) -> String {
    let declared =
        (0..9).map(|i| format!("@group(0) @binding({i}) var<storage, read_write> b{i}: u32;\n"));
    let stores: String = (0..used).map(|i| format!("b{i} = 1;")).collect();
    declared.collect::<String>() + &format!("@compute @workgroup_size(1) fn main() {{ {stores} }}")
}

#[test]
fn only_used_buffers_count() {
    let device = WebGpu::default();
    assert_eq!(checked(&device, &buffers(8)), Ok(()));
    let error = checked(&device, &buffers(9)).unwrap_err();
    let expected = "maxStorageBuffersPerShaderStage: 9 is more than the device's limit of 8";
    assert_eq!(error, expected);
    let mut larger = device;
    *larger
        .limits
        .get_mut("maxStorageBuffersPerShaderStage")
        .unwrap() = 9;
    assert_eq!(checked(&larger, &buffers(9)), Ok(()));
}

#[test]
fn groups_are_as_large_as_the_device_allows() {
    let shader = |size: &str| format!("@compute @workgroup_size({size}) fn main() {{}}");
    let device = WebGpu::default();
    assert_eq!(checked(&device, &shader("16, 16")), Ok(()));
    for (size, limit) in [
        ("16, 17", "maxComputeInvocationsPerWorkgroup"),
        ("1, 1, 65", "maxComputeWorkgroupSizeZ"),
    ] {
        let error = checked(&device, &shader(size)).unwrap_err();
        assert!(error.starts_with(limit), "{error}");
    }
}

#[test]
fn storage_textures_need_the_tier_of_their_format() {
    let texture = |format: &str, access: &str| {
        format!(
            "@group(0) @binding(0) var t: texture_storage_2d<{format}, {access}>;
            @compute @workgroup_size(1) fn main() {{ _ = textureDimensions(t); }}"
        )
    };
    let none = WebGpu::default();
    // WebGPU, 26.1.1: "STORAGE_BINDING" of each access, and the features of section 24.
    for (format, access, feature) in [
        ("r32float", "read_write", ""),
        ("rgba8unorm", "write", ""),
        ("rgba8unorm", "read_write", "texture-formats-tier2"),
        ("r8unorm", "write", "texture-formats-tier1"),
        ("r8unorm", "write", "texture-formats-tier2"),
        ("bgra8unorm", "write", "bgra8unorm-storage"),
    ] {
        let text = texture(format, access);
        if feature.is_empty() {
            assert_eq!(checked(&none, &text), Ok(()));
        } else {
            let error = checked(&none, &text).unwrap_err();
            assert!(error.contains("WebGPU feature `"), "{error}");
            assert_eq!(checked(&with(feature), &text), Ok(()), "{format} {access}");
        }
    }
    let tier2 = with("texture-formats-tier2");
    let error = checked(&tier2, &texture("rg32float", "read_write")).unwrap_err();
    assert!(error.contains("WebGPU has none"), "{error}");
}
