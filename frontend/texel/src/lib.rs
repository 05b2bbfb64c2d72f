//! Texel formats of Direct3D 12: their names, their layouts in memory, and the conversions between
//! a texel's bytes and numbers.
//!
//! [`Format`] is one of DXGI's formats. Its [`TexelLayout`] says where the components lie in a
//! texel and of what type they are, and reads and writes them.
//!
//! ```
//! use dxil_texel::Format;
//!
//! let format: Format = "R10G10B10A2_UNORM".parse()?;
//! let mut bytes = Vec::new();
//! format.encode([1.0, 0.0, 0.0, 1.0], &mut bytes);
//! assert_eq!(bytes, 0xc000_03ff_u32.to_le_bytes());
//! assert_eq!(format.decode(&bytes)[0].to_f64(), 1.0);
//! # Ok::<(), dxil_texel::BadFormat>(())
//! ```

mod component;
mod format;
mod layout;
mod texel;

pub use component::{Component, ComponentValue};
pub use format::{BadFormat, Format};
pub use layout::{ComponentBits, Packing, TexelLayout};
pub use texel::Texel;
