//! A NumPy file: reading it returns, and messages are harmless.

#![no_main]

dxil_fuzz::fuzz!("numpy");
