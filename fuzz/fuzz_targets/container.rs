//! Any bytes as a DXContainer: every reader returns.

#![no_main]

dxil_fuzz::fuzz!("container");
