//! A picture is read, or refused with an error, within its bounds.

#![no_main]

dxil_fuzz::fuzz!("picture");
