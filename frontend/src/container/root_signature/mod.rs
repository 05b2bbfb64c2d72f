//! RTS0: the root signature, versions 1.0, 1.1 and 1.2, read and written.
//!
//! One set of types serves all versions: what a version lacks has its default (no flags). Offsets
//! in the part count from the part's start. The same bytes also occur in RDAT, and alone in a
//! container of one part, which is how D3D12 passes root signatures around.

mod parse;
mod types;
mod write;

use super::fourcc::FourCc;
use super::header::{Container, Part};
use super::program::{InputKind, detect};
use super::write::{Signing, write_container};
use crate::error::{Error, Result};
use crate::reader::Reader;

pub use types::{
    ComparisonFunction, DescriptorFlags, DescriptorRange, DescriptorRangeType, Filter,
    FilterReduction, RootConstants, RootDescriptor, RootParameter, RootParameterKind,
    RootSignature, RootSignatureFlags, RootSignatureVersion, ShaderVisibility, StaticBorderColor,
    StaticSampler, StaticSamplerFlags, TextureAddressMode,
};

impl RootSignature {
    /// Reads the RTS0 part.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'_>) -> Result<Self> {
        parse::run(part.reader()).map_err(|e| e.in_part(part.name))
    }

    /// Reads serialised bytes that lie elsewhere (an RDAT subobject); the reader knows where.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse_reader(reader: Reader<'_>) -> Result<Self> {
        parse::run(reader)
    }

    /// Reads a file: a container with an RTS0 part, or the bare content of one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn from_file(bytes: &[u8]) -> Result<Self> {
        // A bare part begins with its version, a small number, so the magic is unambiguous.
        if bytes.starts_with(&FourCc::DXBC.0) {
            return Self::parse(Container::parse(bytes)?.require(FourCc::RTS0)?);
        }
        parse::run(Reader::new(bytes, 0)).map_err(|e| e.in_part(FourCc::RTS0))
    }

    /// Returns the first root signature that one of some shaders' containers holds. Bitcode and
    /// other files have none.
    ///
    /// # Errors
    ///
    /// If a container or its part is malformed.
    pub fn of_shaders<'a>(files: impl IntoIterator<Item = &'a [u8]>) -> Result<Option<Self>> {
        for bytes in files {
            if detect(bytes) == Some(InputKind::Container)
                && let Some(root) = Container::parse(bytes)?.root_signature()?
            {
                return Ok(Some(root));
            }
        }
        Ok(None)
    }

    /// Returns the content of an RTS0 part, laid out as DXC does. Flags that the version has no
    /// place for are an error.
    ///
    /// # Errors
    ///
    /// If the version has no place for a flag, or an offset does not fit.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        write::run(self).map_err(|e: Error| e.in_part(FourCc::RTS0))
    }

    /// Returns a container with nothing but this root signature, as
    /// `ID3D12Device::CreateRootSignature` takes.
    ///
    /// # Errors
    ///
    /// If the version has no place for a flag, or an offset does not fit.
    pub fn to_container(&self) -> Result<Vec<u8>> {
        write_container(&[(FourCc::RTS0, &self.to_bytes()?)], Signing::Digest)
    }
}

impl Container<'_> {
    /// Reads RTS0, where there is one.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn root_signature(&self) -> Result<Option<RootSignature>> {
        self.part(FourCc::RTS0)
            .map(RootSignature::parse)
            .transpose()
    }
}
