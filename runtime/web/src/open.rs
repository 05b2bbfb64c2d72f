//! From the bytes of a file or a pasted text to a container or a SPIR-V module.

use dxil_frontend::asm::assemble;
use dxil_frontend::build;
use dxil_frontend::container::{Signing, detect, is_pdb};
use dxil_frontend::dxil::Shader;
use dxil_inspect::input::{check_program, container_of, is_spirv};
use serde_json::json;

use crate::failure::Result;
use crate::message::Message;

/// Answers what a file is: `kind` (`container`, `bitcode` or `spirv`), `from`, which says what was
/// done to get it, and the bytes that all other questions take.
pub(crate) fn open(question: &Message) -> Result<Message> {
    let given = question.payload(0).to_vec();
    let (bytes, from) = match text_of(&given) {
        Some(text) => match pasted(text) {
            Some(bytes) => (bytes, "pasted bytes"),
            None if is_assembly(text) => (assembled(text)?, "LLVM assembly, assembled"),
            None => (given, "file"),
        },
        None if is_pdb(&given) => (given, "container in a PDB file"),
        None => (given, "file"),
    };
    if is_spirv(&bytes) {
        let head = json!({ "kind": "spirv", "from": from, "bytes": bytes.len() });
        return Ok(Message::with(head, vec![bytes]));
    }
    let bytes = container_of(bytes)?;
    check_program(&bytes)?;
    let kind = match detect(&bytes) {
        Some(dxil_frontend::container::InputKind::Container) => "container",
        _ => "bitcode",
    };
    let head = json!({ "kind": kind, "from": from, "bytes": bytes.len() });
    Ok(Message::with(head, vec![bytes]))
}

/// Returns a text, if that is what the bytes are.
fn text_of(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// Returns whether a text is LLVM assembly.
fn is_assembly(text: &str) -> bool {
    text.starts_with("; ModuleID")
        || [
            "target datalayout",
            "target triple",
            "define void @",
            "!dx.version",
        ]
        .iter()
        .any(|word| text.contains(word))
}

/// Assembles a text as `dxil-as` does.
fn assembled(text: &str) -> Result<Vec<u8>> {
    let shader = Shader::decode(assemble(text)?)?;
    Ok(build::container(&shader)?.build(Signing::None)?)
}

/// Returns the bytes that a text of hexadecimal numbers or base64 has; `None` for other text, and
/// if the bytes are no shader.
fn pasted(text: &str) -> Option<Vec<u8>> {
    let shaders = [hexadecimal(text), base64(text)];
    let mut found = shaders.into_iter().flatten();
    found.find(|bytes| detect(bytes).is_some() || is_spirv(bytes) || is_pdb(bytes))
}

/// Reads hexadecimal bytes, such as `44 58 42 43`, `0x44, 0x58` and `44584243`.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let mut digits = Vec::with_capacity(text.len());
    let words = text.split(|c: char| c.is_whitespace() || ",;{}[]".contains(c));
    for word in words.filter(|word| !word.is_empty()) {
        let word = word.strip_prefix("0x").unwrap_or(word);
        // Numbers are written without leading zeros in some listings.
        if word.len() == 1 {
            digits.push(0);
        }
        for c in word.chars() {
            digits.push(u8::try_from(c.to_digit(16)?).ok()?);
        }
    }
    let pairs = digits.as_chunks::<2>();
    pairs
        .1
        .is_empty()
        .then(|| pairs.0.iter().map(|[high, low]| high << 4 | low).collect())
}

/// Reads base64 (RFC 4648), also its form for addresses, with or without padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.chars().filter(|c| !c.is_whitespace() && *c != '=') {
        let value = match c {
            'A'..='Z' => c as u32 - 'A' as u32,
            'a'..='z' => c as u32 - 'a' as u32 + 26,
            '0'..='9' => c as u32 - '0' as u32 + 52,
            '+' | '-' => 62,
            '/' | '_' => 63,
            _ => return None,
        };
        bits = bits << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_base64_are_read() {
        // RFC 4648, section 10.
        for (text, bytes) in [
            ("Zm9vYmFy", "foobar"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE", "fooba"),
        ] {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes());
        }
        for text in [
            "44 58 42 43",
            "0x44, 0x58,\n0x42, 0x43",
            "44584243",
            "{0x44,0x58,0x42,0x43}",
        ] {
            assert_eq!(hexadecimal(text).unwrap(), b"DXBC");
        }
        assert_eq!(hexadecimal("0x1, 0x2"), Some(vec![1, 2]));
        assert_eq!(hexadecimal("xyz"), None);
        assert_eq!(pasted("Zm9vYmFy"), None);
    }
}
