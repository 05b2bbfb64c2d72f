//! Finds the shader in the bytes of a file. For input that is not a shader the message names its
//! kind and says what to do instead.

use dxil_frontend::container::{Container, container_in_pdb, detect, is_pdb};
use dxil_frontend::{Category, Error, FourCc};

/// The reason why there is no shader in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoShader {
    /// Who is at fault.
    pub category: Category,
    /// The reason.
    pub message: String,
}

impl NoShader {
    fn malformed(message: &str) -> Self {
        NoShader {
            category: Category::Malformed,
            message: message.to_owned(),
        }
    }
}

impl From<Error> for NoShader {
    fn from(error: Error) -> Self {
        NoShader {
            category: error.category(),
            message: error.to_string(),
        }
    }
}

/// Returns the container or the bitcode in the bytes of a file: of a PDB file, the container in it.
///
/// # Errors
///
/// Fails where the bytes are none of container, bitcode and PDB file.
pub fn container_of(bytes: Vec<u8>) -> Result<Vec<u8>, NoShader> {
    if is_pdb(&bytes) {
        return Ok(container_in_pdb(&bytes)?);
    }
    match detect(&bytes) {
        Some(_) => Ok(bytes),
        None => Err(NoShader::malformed(foreign(&bytes))),
    }
}

/// Fails for the container of a PDB file without program, as `dxc -Zs` writes it: reading its code
/// would fail later with a message about a missing part.
///
/// # Errors
///
/// See above.
pub fn check_program(container: &[u8]) -> Result<(), NoShader> {
    match without_program(container) {
        Some(message) => Err(NoShader::malformed(message)),
        None => Ok(()),
    }
}

/// Returns whether the bytes are a SPIR-V module of either byte order.
pub fn is_spirv(bytes: &[u8]) -> bool {
    bytes.starts_with(&0x0723_0203u32.to_le_bytes())
        || bytes.starts_with(&0x0723_0203u32.to_be_bytes())
}

/// Returns the message about a PDB file's container that has sources and names but no code, as `dxc
/// -Zs` writes it.
fn without_program(container: &[u8]) -> Option<&'static str> {
    let container = Container::parse(container).ok()?;
    // Other containers without code, such as root signatures, have messages of their own.
    let of_pdb = [FourCc::SRCI, FourCc::PDBI, FourCc::ILDN];
    if !of_pdb.iter().any(|part| container.part(*part).is_some()) {
        return None;
    }
    let has_program = [FourCc::DXIL, FourCc::ILDB]
        .iter()
        .any(|part| container.part(*part).is_some())
        || container.dxbc_part().is_some();
    (!has_program).then_some(
        "this PDB file holds no program, only its sources and names (dxc -Zs); give the compiled \
         shader, or compile with -Zi, whose PDB file has the program",
    )
}

/// Returns a message that names the kind of bytes that are not a Direct3D shader, and says what to
/// do.
fn foreign(bytes: &[u8]) -> &'static str {
    const UNKNOWN: &str = "this is neither a DXContainer (DXBC) nor LLVM bitcode (BC 0xc0de)";
    if bytes.is_empty() {
        return "the file is empty";
    }
    if is_spirv(bytes) {
        return "this is SPIR-V, not DXIL; dxil-run --dispatch X,Y,Z runs a compute shader, \
                --pipeline FILE other stages with a file that says what is bound, and spirv-dis \
                prints them";
    }
    if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"MZ") {
        return "this is a program for a CPU, not a shader";
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\x1f\x8b") {
        return "this is an archive; unpack it and give the shaders in it";
    }
    // The start is enough to tell the kind of a text, and a large file stays cheap.
    let start = bytes.get(..bytes.len().min(1 << 16)).unwrap_or(bytes);
    let text = String::from_utf8_lossy(start);
    // A few bytes that are not UTF-8 may be Latin-1 in comments.
    let is_text = !start.contains(&0) && text.chars().filter(|c| *c == '\u{fffd}').count() < 4;
    if !is_text {
        return UNKNOWN;
    }
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // The order matters: a listing of a shader can contain words of HLSL as well, such as `SV_`.
    if text.starts_with("; ModuleID") || has(&["target datalayout", "define void @", "!dx.version"])
    {
        return "this is LLVM assembly (a listing), not a compiled shader; assemble it with dxa, or \
                give the container that it was made from";
    }
    if has(&["OpCapability"]) {
        return "this is SPIR-V assembly; assemble it with spirv-as";
    }
    if has(&["#version", "gl_GlobalInvocationID"]) {
        return "this is GLSL source; only compiled Direct3D shaders are read";
    }
    if has(&["@compute", "@workgroup_size", "@vertex", "@fragment"]) {
        return "this is WGSL source; only compiled Direct3D shaders are read";
    }
    if has(&[
        "numthreads",
        "SV_",
        "cbuffer",
        "float4",
        "register(",
        "RWStructuredBuffer",
        "Texture2D",
        "[shader(",
    ]) {
        return "this is HLSL source; compile it: dxc -T cs_6_6 -E main FILE -Fo shader.dxil, or \
                dxil-run FILE -T cs_6_6 -E main, which calls DXC itself";
    }
    "this is text; if it is HLSL, compile it: dxc -T cs_6_6 -E main FILE -Fo shader.dxil"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_shader_is_told_by_name() {
        for (bytes, words) in [
            (&b""[..], "empty"),
            (b"\x03\x02\x23\x07rest", "SPIR-V, not DXIL"),
            (b"\x07\x23\x02\x03rest", "SPIR-V, not DXIL"),
            (b"[numthreads(1,1,1)] void main() {}", "HLSL source"),
            (b"; ModuleID = 'x'\n", "LLVM assembly"),
            (b"OpCapability Shader\n", "SPIR-V assembly"),
            (b"#version 460\n", "GLSL"),
            (b"@compute fn main() {}", "WGSL"),
            (b"hello", "this is text"),
            (b"\x7fELF\x02", "program for a CPU"),
            (b"\0\x01\x02\x03", "neither a DXContainer"),
        ] {
            assert!(
                foreign(bytes).contains(words),
                "{words}: {}",
                foreign(bytes)
            );
        }
    }
}
