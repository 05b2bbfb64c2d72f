//! Notes about a shader's root signature for tools that look at modules: instructions of the set
//! `NonSemantic.dxil-spirv.signature`, which mean nothing to a device. The caller knows what to
//! note.

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SignatureNote {
    /// Instruction 0: where a root parameter that the shader uses lies.
    Parameter {
        /// What it is: `SRV`, `UAV`, `CBV`, `Constant`, `ResourceTable`, `SamplerTable`, `PushCBV`.
        kind: &'static str,
        /// Number of the root parameter.
        parameter: u32,
        /// Byte offset and size in the push constants; descriptor set and binding of a `PushCBV`.
        place: [u32; 2],
    },
    /// Instruction 1: bytes as they are, at most 64 KiB in each instruction; the last word is
    /// filled up with zeros.
    Bytes {
        /// What they are.
        tag: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
}
