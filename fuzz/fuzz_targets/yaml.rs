//! A pipeline file or a scene: parsing it returns, and messages are harmless.

#![no_main]

dxil_fuzz::fuzz!("yaml");
