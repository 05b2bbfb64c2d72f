//! Notes about a shader's root signature for tools that read modules: instructions of the
//! non-semantic set `NonSemantic.dxil-spirv.signature`. The caller provides them.

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SignatureNote {
    /// Instruction 0: where a root parameter that the shader uses lies.
    Parameter {
        /// Kind of parameter: `SRV`, `UAV`, `CBV`, `Constant`, `ResourceTable`, `SamplerTable`,
        /// `PushCBV`.
        kind: &'static str,
        /// Number of the root parameter.
        parameter: u32,
        /// Byte offset and size in the push constants; descriptor set and binding of a `PushCBV`.
        place: [u32; 2],
    },
    /// Instruction 1: bytes, at most 64 KiB per instruction; the last word is padded with zeros.
    Bytes {
        /// The kind of the bytes.
        tag: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
}
