//! Runs cases on Vulkan with modules for devices that lack features of this one.

use dxil_frontend::container::Container;
use dxil_runtime::{Backend, ShaderCode};
use dxil_translate::Features;

use super::configuration::{Configuration, shared_device};
use super::dispatches::compile;
use super::validity::{rules_of, validate};
use super::verdict::{judge, run_program};
use crate::Case;
use crate::shader::{Failure, Shader};

/// Runs a case with a module that has no square derivative groups.
///
/// # Errors
///
/// As [`without`].
pub fn linear_quads(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    without(shader, describe, Features::COMPUTE_DERIVATIVES_QUADS)
}

/// Runs a case with a module that has no derivative groups.
///
/// # Errors
///
/// As [`without`].
pub fn quads_of_lanes(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    without(shader, describe, DERIVATIVE_GROUPS)
}

/// Runs a case with a module that has neither derivative groups nor operations of quads.
///
/// # Errors
///
/// As [`without`].
pub fn shuffled_quads(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    let quads = Features::SUBGROUP_QUAD | Features::QUAD_CONTROL;
    without(shader, describe, DERIVATIVE_GROUPS | quads)
}

const DERIVATIVE_GROUPS: Features =
    Features::COMPUTE_DERIVATIVES_QUADS.union(Features::COMPUTE_DERIVATIVES_LINEAR);

/// Runs a case on Vulkan with the module for a device without these features.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, the device fails, or a result is
/// not the expected one.
fn without(shader: &Shader, describe: fn(&mut Case), features: Features) -> Result<(), Failure> {
    let device = shared_device(Configuration::Vulkan)?;
    let mut profile = *device.profile();
    profile.target.features -= features;
    let mut case = Case::new(Backend::Vulkan, profile.subgroup_sizes.1);
    case.features = profile.target.features;
    describe(&mut case);
    let attempt = || {
        let parsed = dxil_frontend::dxil::read_shader(shader.bytes)?;
        let root = Container::parse(shader.bytes)?.root_signature()?;
        let program = compile(&profile, &parsed, root.as_ref(), &case)?;
        for stage in &program.stages {
            if let ShaderCode::SpirV(words) = &stage.code {
                validate(shader, words, rules_of(&profile.target))?;
            }
        }
        run_program(&*device, shader.name, &program, &case)
    };
    let result = attempt();
    judge(&case, result)
}
