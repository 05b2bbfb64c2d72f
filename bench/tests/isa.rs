//! The machine code that RADV makes of our modules grows only with a blessing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

/// The GPUs with bounds. RADV of this kind is always there; what Debian's newer suite brings is
/// not.
const GPUS: &str = "navi31@radv-null,navi21@radv-null";

#[test]
fn counts_of_machine_code_stay_below_their_bounds() {
    let mode = match std::env::var_os("BLESS") {
        Some(_) => "--bless",
        None => "--check",
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-bench"));
    let output = command.args(["isa", "--gpu", GPUS, mode]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{said}\nBLESS=1 accepts the new counts: review bench/isa/bounds.txt"
    );
}
