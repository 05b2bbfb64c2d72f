//! Texel formats: size, names, and what a texel's bytes mean as numbers.
//!
//! Names and bit layouts are those of DXGI_FORMAT; bytes are little-endian.

pub use dxil_texel::{BadFormat, Component, ComponentValue, Format, Packing, TexelLayout};
