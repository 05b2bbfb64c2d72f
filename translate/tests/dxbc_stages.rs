//! Relatives of DXBC shaders: each program with the number of each other stage in its first token.
//! It has registers, instructions and signatures of another stage then, so nearly all are refused
//! with a typed error; every module that comes out is valid.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;

use dxil_checkout::{files, root};
use dxil_frontend::FourCc;
use dxil_frontend::container::Container;
use dxil_frontend::dxbc;
use dxil_translate::{Category, Features, Options, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};

/// Number of stages of DXBC: pixel, vertex, geometry, hull, domain, compute.
const STAGES: u8 = 6;

#[test]
fn a_dxbc_program_of_another_stage_is_refused_or_becomes_a_valid_module() {
    let mut options = Options::default();
    options.target.vulkan = VulkanVersion::V1_3;
    options.target.features = Features::all();
    let mut faults = String::new();
    let mut modules = Vec::new();
    let mut refused = 0;
    let folders = ["hwtests/shaders", "translate", "frontend/tests"];
    for path in folders
        .iter()
        .flat_map(|name| files(&root().join(name), "dxbc"))
    {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(container) = Container::parse(&bytes) else {
            continue;
        };
        let names = [FourCc::SHEX, FourCc::SHDR];
        let Some(part) = names.iter().find_map(|&name| container.part(name)) else {
            continue;
        };
        // The stage is in the upper half of the first token ("VersionToken").
        let at = part.data.as_ptr() as usize - bytes.as_ptr() as usize + 2;
        for stage in 0..STAGES {
            let mut relative = bytes.clone();
            if relative[at] == stage {
                continue;
            }
            relative[at] = stage;
            let label = format!("{} as stage {stage}", path.display());
            let read =
                Container::parse(&relative).and_then(|container| dxbc::read_shader(&container));
            let Ok(shader) = read else {
                refused += 1;
                continue;
            };
            match translate(&shader, &options) {
                Ok(translation) => modules.push((label, translation.words)),
                Err(error) => {
                    refused += 1;
                    if error.category() == Category::Internal {
                        let _ = writeln!(faults, "{label}: {error}");
                    }
                }
            }
        }
    }
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    let checked: Vec<_> = modules
        .iter()
        .map(|(_, words)| (&words[..], rules))
        .collect();
    for ((label, _), result) in modules.iter().zip(validate_all(&checked)) {
        if let Err(failure) = result {
            let _ = writeln!(faults, "{label}: {failure:?}");
        }
    }
    assert!(
        refused > 500,
        "{refused} refused, {} modules",
        modules.len()
    );
    assert!(faults.is_empty(), "{faults}");
}
