//! Machine code of our modules grows only with a blessing, and no driver crashes on them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::process::Command;

use dxil_runtime::isa::Selection;

/// The GPUs that are always looked at: RADV without a kernel interface comes with the driver of
/// the other tests.
const ALWAYS: [&str; 2] = ["navi31@radv-null", "navi21@radv-null"];

/// Those whose drivers `tools/setup-vulkan.sh compilers` unpacks, where it has.
const WHERE_THERE: [&str; 5] = ["navi31@radv", "gfx1201@radv", "ampere", "adreno740", "g13"];

fn gpus() -> String {
    let is_there = |gpu: &&str| gpu.parse::<Selection>().unwrap().is_available();
    let more = WHERE_THERE.into_iter().filter(is_there);
    ALWAYS.into_iter().chain(more).collect::<Vec<_>>().join(",")
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-bench"));
    let output = command.args(arguments).output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn counts_of_machine_code_stay_below_their_bounds() {
    let mode = match std::env::var_os("BLESS") {
        Some(_) => "--bless",
        None => "--check",
    };
    if let Err(said) = run(&["isa", "--gpu", &gpus(), mode]) {
        panic!("{said}\nBLESS=1 accepts the new counts: review bench/isa/bounds.txt");
    }
}

#[test]
fn no_driver_crashes_on_a_shader_of_the_tests() {
    if let Err(said) = run(&["isa", "--gpu", &gpus(), "--crashes"]) {
        panic!("{said}\nbench/isa/crashes.txt lists what is left out");
    }
}
