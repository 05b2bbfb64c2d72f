//! Execution tests: shaders on a Vulkan device against expectations computed on the CPU.
//!
//! A [`Case`] holds inputs and expectations; [`run`] translates the shader, runs it on a backend
//! and compares. The cases themselves are under `tests/suite`, their shaders (HLSL of our own, with
//! the DXIL that DXC made of it) under `shaders`.

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

pub mod browser;
mod case;
pub mod cpu;
pub mod direct;
pub mod draw;
pub mod element;
pub mod field;
pub mod graph;
pub mod long_vectors;
pub mod picture;
mod round_trip;
pub mod run;
mod shader;
pub mod special;
pub mod tracer;

pub use case::Case;
pub use draw::DrawCase;
pub use element::{Element, Tolerance};
pub use picture::{Picture, Rect, pixels};
pub use shader::Shader;

use std::path::{Path, PathBuf};

use dxil_runtime::{
    Format,
    job::{Dimension, Texture},
};

/// Returns the folder that holds the files which tests read at run time, under their paths in the
/// checkout.
///
/// This is the checkout itself, unless the environment variable `DXIL_JIT_TEST_DATA` names a copy
/// of these files. A test program that was built elsewhere needs the copy (`tools/gpu-bundle.sh`).
pub fn data_folder() -> PathBuf {
    std::env::var_os("DXIL_JIT_TEST_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        PathBuf::from,
    )
}

/// Returns `count` values; `value` makes each of them from its number.
pub fn rows<T>(count: usize, value: impl FnMut(usize) -> T) -> Vec<T> {
    (0..count).map(value).collect()
}

/// Returns a texture with one mip and one sample, and with its texels row by row.
pub fn texture<T: Element>(
    dimension: Dimension,
    format: Format,
    [width, height, depth]: [u32; 3],
    layers: u32,
    texels: &[T],
) -> Texture {
    Texture {
        dimension,
        format,
        width,
        height,
        depth,
        layers,
        mips: 1,
        samples: 1,
        data: element::to_bytes(texels),
    }
}
