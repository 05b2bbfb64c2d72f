//! Both APIs of the C libraries keep the bounds of memory in SECURITY.md ("Bounds of a container"):
//! for the parts that cost most for each byte, in their smallest encoding. Each case is a process
//! of its own, whose peak the system tells, so that what the allocator keeps counts, too.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first problem; a case tells its peak"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every call is to the API, with handles and places that live"
)]

mod session;

use std::process::Command;
use std::ptr::null;

use dxil_jit::native::{
    dxil_jit_report_free, dxil_jit_translate, dxil_jit_translation_free,
    dxil_jit_translation_words, dxil_jit_validate,
};
use dxil_shapes::{DxbcFamily, Encoding, Family, GraphFamily, container, encoded};
use session::Session;

/// Memory that every container may take, in bytes.
const BASE: usize = 32 << 20;
/// The bounds of SECURITY.md, in bytes for each byte of the container.
const READ_FACTOR: usize = 96;
const DXIL_FACTOR: usize = 128;
const DXBC_FACTOR: usize = 160;

/// Containers whose 32 MiB are little beside the rest.
const CASES: [(Family, u32); 6] = [
    (Family::Bare(GraphFamily::Ladder), 30_000),
    (Family::Bare(GraphFamily::Breaks), 20_000),
    (Family::WidePhis, 200_000),
    (Family::Divisions, 100_000),
    (Family::CallsOfOne, 200_000),
    (Family::Dxbc(DxbcFamily::LoopsInARow), 30_000),
];

/// What is done with a container.
type Work = fn(&[u8]);
const WORKS: [(&str, Work); 3] = [
    ("dxil_jit_translate", translate),
    ("dxil_jit_validate", validate),
    ("dxil_spv_converter_run", convert),
];

fn translate(bytes: &[u8]) {
    let mut translation = std::ptr::null_mut();
    unsafe {
        dxil_jit_translate(
            bytes.as_ptr(),
            bytes.len(),
            null(),
            null(),
            0,
            null(),
            &raw mut translation,
            std::ptr::null_mut(),
        );
        let mut count = 0;
        dxil_jit_translation_words(translation, &raw mut count);
        dxil_jit_translation_free(translation);
    }
}

fn validate(bytes: &[u8]) {
    let mut report = std::ptr::null_mut();
    unsafe {
        dxil_jit_validate(
            bytes.as_ptr(),
            bytes.len(),
            -1,
            0,
            &raw mut report,
            std::ptr::null_mut(),
        );
        dxil_jit_report_free(report);
    }
}

fn convert(bytes: &[u8]) {
    if dxil_frontend::dxil::read_shader(bytes).is_ok() {
        let mut session = Session::new(bytes);
        session.remap();
        session.run();
    }
}

/// Returns a value of the process's status, in bytes.
fn status(name: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    let number = line.split_whitespace().nth(1).unwrap();
    number.parse::<usize>().unwrap() << 10
}

fn bytes_of((family, n): (Family, u32)) -> Vec<u8> {
    let plain = container(family, n);
    encoded(&plain, Encoding::Literals).unwrap_or(plain)
}

/// A case: `DXIL_JIT_CASE` has its number, and that of what is done.
#[test]
#[ignore = "the other test starts it"]
fn one_case() {
    let Ok(case) = std::env::var("DXIL_JIT_CASE") else {
        return;
    };
    let (case, work) = case.split_once(' ').unwrap();
    let bytes = bytes_of(CASES[case.parse::<usize>().unwrap()]);
    let (_, work) = WORKS[work.parse::<usize>().unwrap()];
    // The peak begins anew ("proc_pid_clear_refs(5)").
    if std::fs::write("/proc/self/clear_refs", "5").is_err() {
        return println!("no peak");
    }
    let before = status("VmRSS:");
    work(&bytes);
    let peak = status("VmHWM:").saturating_sub(before);
    println!("peak {peak} of {} bytes", bytes.len());
}

#[test]
fn both_apis_keep_the_bounds_of_memory() {
    let program = std::env::current_exe().unwrap();
    let mut measured = 0;
    for (number, case) in CASES.into_iter().enumerate() {
        for (place, (name, _)) in WORKS.into_iter().enumerate() {
            let output = Command::new(&program)
                .args(["--exact", "one_case", "--ignored", "--nocapture"])
                .env("DXIL_JIT_CASE", format!("{number} {place}"))
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let name = format!("{name} of {}", case.0.name());
            assert!(output.status.success(), "{name}: {text}");
            let Some((_, rest)) = text.split_once("peak ") else {
                panic!("{name}: {text}");
            };
            if text.contains("no peak") {
                return eprintln!("the system does not tell peaks");
            }
            let words: Vec<&str> = rest.split_whitespace().collect();
            let (peak, size): (usize, usize) =
                (words[0].parse().unwrap(), words[2].parse().unwrap());
            let factor = match (place, case.0) {
                (1, _) => READ_FACTOR,
                (_, Family::Dxbc(_)) => DXBC_FACTOR,
                _ => DXIL_FACTOR,
            };
            println!("{name}: {peak} bytes of memory for {size}");
            assert!(peak <= factor * size + BASE, "{name}: {peak} for {size}");
            measured += 1;
        }
    }
    assert_eq!(measured, CASES.len() * WORKS.len());
}
