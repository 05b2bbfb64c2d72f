//! What goes between a program and its worker.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::device::ProfileFile;
use crate::executable::Executable;
use crate::graphics::GraphicsState;
use crate::ray_tracing::RayTracingState;

/// What starts a message: a driver that prints to the standard output is noticed.
const MAGIC: [u8; 4] = *b"isa\x01";

/// Longest message in bytes. Texts of a large pipeline take some megabytes.
const MAX_BYTES: u32 = 1 << 30;

/// What to compile.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Request {
    /// Name for messages: that of the file.
    pub name: String,
    /// The stages of a pipeline, or one of them: containers, bitcode or SPIR-V. Stages that Vulkan
    /// requires besides are made: they pass values through, and the answer leaves them out. A
    /// library with ray tracing shaders is a whole pipeline.
    pub shaders: Vec<Vec<u8>>,
    /// What interfaces of DXBC stand for, by shader, in the form of
    /// [`ClassBinding`](dxil_frontend::dxbc::ClassBinding). Shaders after the last one have no
    /// instances.
    #[serde(default)]
    pub class_instances: Vec<Vec<String>>,
    /// Entry point; default: the only one.
    pub entry: Option<String>,
    /// Root signature, as the content of an RTS0 part; default: the shader's, or one derived from
    /// its declarations.
    pub root_signature: Option<Vec<u8>>,
    /// Pass root descriptors as device addresses.
    pub root_addresses: bool,
    /// Min-precision types in native 16 bits, on devices that have them.
    pub native_min_precision: bool,
    /// Leave out checks of indices into groupshared memory, as D3D12 layers do.
    pub unchecked_group_memory: bool,
    /// Keep the lines of the shader's source ([`Settings`](super::Settings) has it, too).
    pub source_lines: bool,
    /// The state of the graphics pipeline; default: one that takes and gives what the stages
    /// declare.
    pub graphics: Option<GraphicsState>,
    /// The shaders of a library's ray tracing pipeline, and its state; default: what the library
    /// says.
    pub ray_tracing: Option<(Vec<String>, RayTracingState)>,
    /// Return the modules that were compiled.
    pub modules: bool,
}

impl Request {
    /// Returns the request for a shader, or for the stages of a pipeline.
    pub fn new(name: &str, shaders: Vec<Vec<u8>>) -> Self {
        Request {
            name: name.to_owned(),
            shaders,
            ..Request::default()
        }
    }
}

/// What came of a [`Request`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Compiled {
    /// The pieces of machine code.
    pub executables: Vec<Executable>,
    /// The SPIR-V of each stage, if it was asked for.
    pub modules: Vec<Vec<u32>>,
}

/// What a worker says first: the names of its device and of the driver with its version, and what
/// modules for it may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Names {
    pub(super) device: String,
    pub(super) driver: String,
    pub(super) profile: ProfileFile,
}

/// Writes a message: magic, length in bytes (little endian), content.
pub(super) fn write(to: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_allocvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&MAGIC)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Reads a message; `None` at the end of the stream.
pub(super) fn read<T: DeserializeOwned>(from: &mut dyn Read) -> io::Result<Option<T>> {
    let mut head = [0; 8];
    match from.read_exact(&mut head) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let (magic, length) = head.split_at(4);
    let length = u32::from_le_bytes(length.try_into().unwrap_or_default());
    if *magic != MAGIC || length > MAX_BYTES {
        return Err(io::Error::other("this is no message of a worker"));
    }
    let mut bytes = Vec::new();
    from.take(length.into()).read_to_end(&mut bytes)?;
    let message = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
    Ok(Some(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut request = Request::new("a.dxil", vec![vec![1, 2, 3], Vec::new()]);
        request.entry = Some("main".to_owned());
        let mut bytes = Vec::new();
        write(&mut bytes, &request).unwrap();
        write(&mut bytes, &Request::default()).unwrap();
        let mut from = bytes.as_slice();
        assert_eq!(read::<Request>(&mut from).unwrap(), Some(request));
        assert_eq!(
            read::<Request>(&mut from).unwrap(),
            Some(Request::default())
        );
        assert_eq!(read::<Request>(&mut from).unwrap(), None);
    }

    #[test]
    fn what_a_driver_prints_is_no_message() {
        let mut printed = &b"ACO ERROR: something is wrong\n"[..];
        assert!(read::<Request>(&mut printed).is_err());
        let mut cut = &[MAGIC.as_slice(), &[9, 0, 0, 0, 1]].concat()[..];
        assert!(read::<Request>(&mut cut).is_err());
    }
}
