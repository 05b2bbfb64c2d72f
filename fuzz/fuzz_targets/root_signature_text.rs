//! A root signature as text: parsing it returns, and messages are harmless.

#![no_main]

dxil_fuzz::fuzz!("root_signature_text");
