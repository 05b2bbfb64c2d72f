//! `dxil-run`: runs a DXIL shader on a device and shows what it computed.

use std::process::ExitCode;

fn main() -> ExitCode {
    eprintln!("dxil-run: not there yet");
    ExitCode::FAILURE
}
