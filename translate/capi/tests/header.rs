//! `include/dxil_jit.h` is what cbindgen makes of the code; `BLESS=1` rewrites it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first problem")]

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The module's other files come along.
    let builder = cbindgen::Builder::new()
        .with_config(cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap())
        .with_src(here.join("src/native/mod.rs"));
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let header = here.join("include/dxil_jit.h");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&header, &made).unwrap();
    }
    let made = String::from_utf8(made).unwrap();
    let there = std::fs::read_to_string(&header).unwrap_or_default();
    assert!(
        there == made,
        "{} is old; BLESS=1 rewrites it",
        header.display()
    );
}
