//! Converts formats to the executor's.

use dxil_cpu::resources::{Component, Format as CpuFormat, Packing};

use super::blocks;
use crate::error::{Error, Result};
use crate::format::{Encoding, Format};

/// Returns the executor's description of a format.
pub(super) fn convert(format: Format) -> Result<CpuFormat> {
    use Component::Float;
    let (component, packing) = match format.encoding() {
        Encoding::Plain {
            component,
            bits,
            count,
            bgra,
        } => {
            let packing = if bgra {
                Packing::B8G8R8A8
            } else {
                Packing::Plain { bits, count }
            };
            (component, packing)
        }
        Encoding::Packed => return format.packed().ok_or_else(|| unsupported(format)),
        Encoding::Depth => match format {
            Format::D16Unorm => (Float, Packing::D16),
            Format::D32Float => (Float, Packing::D32),
            Format::D24UnormS8Uint => (Float, Packing::D24S8),
            Format::D32FloatS8Uint => (Float, Packing::D32S8X24),
            _ => return Err(unsupported(format)),
        },
        Encoding::Block => {
            return blocks::decoded_format(format).ok_or_else(|| unsupported(format));
        }
    };
    Ok(CpuFormat { component, packing })
}

fn unsupported(format: Format) -> Error {
    Error::Unsupported(format!("textures of format {format} on the CPU backend"))
}
