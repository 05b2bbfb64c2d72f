//! Runs cases with vectors that stay whole in SPIR-V.

use dxil_frontend::container::Container;
use dxil_runtime::{Backend, ShaderCode};
use dxil_translate::Features;

use super::configuration::{Configuration, shared_device};
use super::dispatches::compile;
use super::validity::{rules_of, validate};
use super::verdict::{judge, run_program};
use crate::Case;
use crate::long_vectors::without_long_vectors;
use crate::shader::{Failure, Shader};

/// Runs a case on Vulkan with the module for a device that has VK_EXT_shader_long_vector. A device
/// without it gets the module with arrays instead of long vectors.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, the device fails, or a result is
/// not the expected one.
pub fn whole_vectors(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    let device = shared_device(Configuration::Vulkan)?;
    let own = device.profile();
    let mut profile = *own;
    profile.target.features |= Features::LONG_VECTOR;
    let mut case = Case::new(Backend::Vulkan, own.subgroup_sizes.1);
    case.features = profile.target.features;
    describe(&mut case);
    let attempt = || {
        let parsed = dxil_frontend::dxil::read_shader(shader.bytes)?;
        let root = Container::parse(shader.bytes)?.root_signature()?;
        let mut program = compile(&profile, &parsed, root.as_ref(), &case)?;
        for stage in &mut program.stages {
            let ShaderCode::SpirV(words) = &mut stage.code else {
                continue;
            };
            validate(shader, words, rules_of(&profile.target))?;
            if !own.target.features.contains(Features::LONG_VECTOR) {
                *words = without_long_vectors(words)?.into();
                validate(shader, words, rules_of(&own.target))?;
            }
        }
        run_program(&*device, shader.name, &program, &case)
    };
    let result = attempt();
    judge(&case, result)
}
