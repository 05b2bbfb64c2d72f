//! Validating any bytes returns a report; what it accepts, the reader accepts.

#![no_main]

dxil_fuzz::fuzz!("validate");
