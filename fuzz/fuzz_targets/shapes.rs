//! A container of a hostile shape, with a few of its bytes changed: translating it in every style,
//! listing and validating it return.

#![no_main]

dxil_fuzz::fuzz!("shapes");
