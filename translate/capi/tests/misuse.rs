//! Every function of the compatible ABI gets null for each of its pointers in turn, and handles
//! that are none: it says so and goes on. The calls are made from the header, so none can be
//! forgotten.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod toolchain;

use std::path::Path;

use toolchain::*;

#[test]
fn null_and_false_handles_are_errors_for_every_function() {
    let folder = folder("misuse");
    let source = folder.join("misuse.c");
    std::fs::write(&source, misuse::misuse_program()).unwrap();
    let shader = Path::new(HERE).join("examples/squares.dxil");
    let program = compile_in(&folder, &source, Library::Shared, &[]);
    assert_eq!(run(&program, &[&shader]), "fine\n");
}
