//! Opens and lists devices.

use std::sync::Arc;

use dxil_runtime::cache::Cache;
use dxil_runtime::device::{self, Backend, Device, OpenOptions, Profile};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::write_stdout;
use crate::no_effect;
use crate::options::{BackendName, CpuCode, Target, Validation};
use crate::style::Style;

/// Opens the device of the command line.
pub(crate) fn open_device(args: &Args, cache: Option<&Arc<Cache>>) -> Result<Arc<dyn Device>> {
    let mut options = OpenOptions::new(args.backend().backend());
    options.index = args.device;
    options.validate = args.loads_layer();
    options.portable = args.portable;
    options.robustness2 = !args.no_robustness2;
    options.descriptor_heaps = args.descriptor_heaps;
    options.timeout = args.timeout;
    options.wave_size = args.wave_size;
    options.keep_denormals = args.keep_denormals;
    options.checks = args.checks();
    if let Some(code) = args.cpu_code {
        if code == CpuCode::Native && !cfg!(feature = "native") {
            return Err(Failure::unsupported(
                "this build of dxil-run has no native code: cargo build --features native",
            ));
        }
        options.cpu_code = code.choice();
    }
    options.threads = args.threads.map(|threads| threads as usize);
    options.max_steps = args.max_steps;
    options.max_memory = args.max_memory.map(|mib| u64::from(mib) << 20);
    options.cache = cache.cloned();
    if args.backend() == BackendName::Cpu && args.validate.contains(&Validation::Layer) {
        return Err(Failure::unsupported(
            "the CPU backend calls no Vulkan, and so no validation layer: --validate=dxil checks the shader, --check what it does",
        ));
    }
    let device = device::open(&options)?;
    no_effect::warn_of_backends(args);
    Ok(device)
}

/// Returns the profile of a device, with the Vulkan version of --target if that is lower.
pub(crate) fn with_target(profile: &Profile, args: &Args) -> Profile {
    let mut profile = *profile;
    if let Some(Target::Version(target)) = args.target {
        profile.target.vulkan = profile.target.vulkan.min(target.version());
    }
    profile
}

/// Prints the devices of all backends. A backend without devices is not an error.
pub(crate) fn list_devices() -> Result<()> {
    let style = Style::for_stdout();
    let mut text = String::new();
    let mut problem = None;
    for backend in Backend::ALL {
        match device::list_devices(backend) {
            Ok(devices) => {
                for info in devices {
                    text.push_str(&format!(
                        "{} {}  {}  ({}; {}; {})\n",
                        style.name(&format!("--backend {}", info.backend)),
                        style.name(&format!("--device {}", info.index)),
                        info.name,
                        info.kind,
                        info.driver,
                        info.api,
                    ));
                }
            }
            Err(error) => problem = Some(error),
        }
    }
    write_stdout(text.as_bytes())?;
    match problem {
        Some(error) if text.is_empty() => Err(error.into()),
        _ => Ok(()),
    }
}
