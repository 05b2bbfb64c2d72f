//! Two libraries: linking them returns.

#![no_main]

dxil_fuzz::fuzz!("linking");
