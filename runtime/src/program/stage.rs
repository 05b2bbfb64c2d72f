//! The code of one stage of a program.

use std::sync::Arc;

use dxil_frontend::dxil::ShaderKind;
use dxil_translate::structurize::Statistics;
use dxil_translate::{Interface, Timings, Translation, Warning};

use crate::cpu::Executable;
use crate::error::{Error, Result};

/// First word of every SPIR-V module (SPIR-V specification, section 2.3).
const SPIRV_MAGIC: u32 = 0x0723_0203;

/// Returns the words of a SPIR-V file in either byte order, or `None` for any other file.
pub fn spirv_words(bytes: &[u8]) -> Option<Vec<u32>> {
    let first = u32::from_le_bytes(*bytes.first_chunk()?);
    let read: fn([u8; 4]) -> u32 = match first {
        SPIRV_MAGIC => u32::from_le_bytes,
        // A file in the other byte order has a magic number in the other byte order.
        _ if first.swap_bytes() == SPIRV_MAGIC => u32::from_be_bytes,
        _ => return None,
    };
    let words = bytes.chunks_exact(4);
    Some(words.map(|b| read([b[0], b[1], b[2], b[3]])).collect())
}

/// Code of one stage.
#[derive(Debug, Clone)]
pub enum ShaderCode {
    /// SPIR-V words.
    SpirV(Arc<[u32]>),
    /// WGSL text (wgpu only).
    Wgsl(Arc<str>),
    /// DXIL, decoded (CPU only).
    Dxil(Arc<Executable>),
}

/// One stage of a program.
#[derive(Debug, Clone)]
pub struct StageCode {
    /// Stage.
    pub kind: ShaderKind,
    /// Its code.
    pub code: ShaderCode,
    /// Name of the entry point in the code.
    pub entry: String,
    /// Subgroup size that the pipeline must have.
    pub required_subgroup_size: Option<u32>,
    /// Reflection of translated code.
    pub interface: Option<Interface>,
    /// Statistics of the structurizer.
    pub structure: Option<Statistics>,
    /// The duration of each step of the translation, if
    /// [`CompileOptions::timings`](super::CompileOptions::timings) asked for it and the translation
    /// was not in the cache.
    pub timings: Option<Timings>,
    /// Operations that the translation left out.
    pub warnings: Vec<Warning>,
}

impl StageCode {
    /// Returns the stage of SPIR-V from elsewhere, of which only the entry point is known.
    pub fn of_spirv(kind: ShaderKind, words: impl Into<Arc<[u32]>>, entry: &str) -> Self {
        StageCode {
            kind,
            code: ShaderCode::SpirV(words.into()),
            entry: entry.to_owned(),
            required_subgroup_size: None,
            interface: None,
            structure: None,
            warnings: Vec::new(),
            timings: None,
        }
    }

    /// Returns the words of the stage's module.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] for code that is not SPIR-V.
    pub fn spirv(&self) -> Result<&[u32]> {
        match &self.code {
            ShaderCode::SpirV(words) => Ok(words),
            _ => Err(Error::Unsupported("code that is not SPIR-V".into())),
        }
    }
}

impl From<Translation> for StageCode {
    fn from(translation: Translation) -> Self {
        StageCode {
            kind: translation.interface.stage,
            entry: translation.interface.entry.clone(),
            required_subgroup_size: translation.interface.required_subgroup_size,
            code: ShaderCode::SpirV(translation.words.into()),
            interface: Some(translation.interface),
            structure: Some(translation.structure),
            warnings: translation.warnings,
            timings: translation.timings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spirv_is_read_in_either_byte_order() {
        assert_eq!(
            spirv_words(&[3, 2, 0x23, 7, 1, 0, 0, 0]),
            Some(vec![SPIRV_MAGIC, 1])
        );
        assert_eq!(
            spirv_words(&[7, 0x23, 2, 3, 0, 0, 0, 1]),
            Some(vec![SPIRV_MAGIC, 1])
        );
        assert_eq!(spirv_words(b"DXBC1234"), None);
        assert_eq!(spirv_words(b""), None);
    }
}
