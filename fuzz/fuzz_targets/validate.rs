//! Validating any bytes returns a report; what it accepts, the reader accepts.

#![no_main]

use dxil_frontend::validate::{Options, validate};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let report = validate(bytes, &Options::default());
    if let Err(error) = dxil_frontend::dxil::read_shader(bytes)
        && error.category() == dxil_frontend::Category::Malformed
    {
        assert!(!report.violations.is_empty(), "no violation: {error}");
    }
});
