//! Checks modules with the SPIR-V validator.

use dxil_translate::{
    BindingMap, Counter, DescriptorSlot, Features, Options, Style, Target, VulkanVersion,
};
use dxil_validator::{Environment, Rules};

use crate::shader::{Failure, Shader};

/// Translates a shader for every Vulkan version, with all features and with few, and validates each
/// module. With few features the translator may refuse the shader with a typed error.
///
/// # Errors
///
/// If a module is invalid, or the translator refuses a shader although the target has all features.
pub fn spirv_is_valid(shader: &Shader) -> Result<(), Failure> {
    if validator_is_off() {
        return Err(Failure("the validator is off: this test needs it".into()));
    }
    parsed_is_valid(shader, &dxil_frontend::dxil::read_shader(shader.bytes)?)
}

pub(super) fn parsed_is_valid(
    shader: &Shader,
    parsed: &dxil_frontend::dxil::Shader,
) -> Result<(), Failure> {
    let mut bindings = BindingMap::new();
    // Shaders that index the heaps need their places; all others ignore them.
    let heap = |binding| Some(DescriptorSlot { set: 10, binding });
    (bindings.resource_heap, bindings.sampler_heap) = (heap(0), heap(1));
    bindings.resource_heap_counters = heap(2).map(Counter::Buffer);
    for vulkan in [
        VulkanVersion::V1_1,
        VulkanVersion::V1_2,
        VulkanVersion::V1_3,
        VulkanVersion::V1_4,
    ] {
        for (features, all) in [(Features::all(), true), (plain_features(), false)] {
            let mut options = Options::default();
            options.target = Target::new(vulkan, Style::Native, features);
            options.bindings = bindings.clone();
            match dxil_translate::translate(parsed, &options) {
                Ok(translation) => {
                    let rules = rules_of(&options.target);
                    validate(shader, &translation.words, rules)?;
                }
                // A target that lacks a feature may refuse the shader; with all features only an
                // old version may.
                Err(error)
                    if (!all || needs_newer(vulkan, parsed))
                        && matches!(
                            error.kind(),
                            dxil_translate::ErrorKind::TargetLacks { .. }
                        ) => {}
                Err(error) => {
                    return Err(Failure(format!("{} for {vulkan:?}: {error}", shader.name)));
                }
            }
        }
    }
    Ok(())
}

/// Returns whether a shader needs a newer Vulkan version: mesh shaders need SPIR-V 1.4, which
/// Vulkan 1.2 introduced.
fn needs_newer(vulkan: VulkanVersion, shader: &dxil_frontend::dxil::Shader) -> bool {
    use dxil_frontend::dxil::ShaderKind::{Amplification, Mesh};
    vulkan == VulkanVersion::V1_1 && matches!(shader.shader_model.kind, Mesh | Amplification)
}

/// Returns the features that Vulkan 1.1 devices have without extensions, and that are available
/// everywhere.
fn plain_features() -> Features {
    Features::STORAGE_READ_WITHOUT_FORMAT
        | Features::STORAGE_WRITE_WITHOUT_FORMAT
        | Features::IMAGE_GATHER_EXTENDED
        | Features::SUBGROUP
        | Features::SUBGROUP_QUAD
        | Features::IMAGE_1D
        | Features::IMAGE_CUBE_ARRAY
        | Features::STORES_AND_ATOMICS
        | Features::INT16
        | Features::INT64
        | Features::FLOAT64
}

/// Validates a module. The message about an invalid one contains the whole module as text.
pub(super) fn validate(shader: &Shader, words: &[u32], rules: Rules) -> Result<(), Failure> {
    if validator_is_off() {
        return Ok(());
    }
    // On Vulkan 1.1 a module of SPIR-V 1.4 needs VK_KHR_spirv_1_4, and is checked with it.
    let rules = Rules {
        environment: rules.environment.of_module(words),
        ..rules
    };
    match dxil_validator::validate(words, rules) {
        Ok(()) => Ok(()),
        Err(
            error @ (dxil_validator::ValidatorFailure::Invalid { .. }
            | dxil_validator::ValidatorFailure::Shape(_)),
        ) => {
            let text = dxil_validator::disassemble(words)?;
            Err(Failure(format!(
                "{} for {:?}: {error}\n{text}",
                shader.name, rules.environment
            )))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the validator's rules for a target.
pub(super) fn rules_of(target: &Target) -> Rules {
    Rules {
        environment: match target.vulkan {
            VulkanVersion::V1_1 => Environment::Vulkan1_1,
            VulkanVersion::V1_2 => Environment::Vulkan1_2,
            VulkanVersion::V1_3 => Environment::Vulkan1_3,
            VulkanVersion::V1_4 => Environment::Vulkan1_4,
        },
        scalar_block_layout: target.features.contains(Features::SCALAR_BLOCK_LAYOUT),
        maintenance8: target.features.contains(Features::MAINTENANCE8),
    }
}

/// Returns whether `DXIL_JIT_SPIRV_VAL=off` turns validation off, for machines that have no
/// validator (`bench/gpu/run.sh`).
fn validator_is_off() -> bool {
    std::env::var_os("DXIL_JIT_SPIRV_VAL").is_some_and(|value| value == "off")
}
