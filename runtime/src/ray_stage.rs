//! A shader of a ray tracing program.

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Shader, plain_name};

use crate::cache::SourceHash;
use crate::error::{Error, Result};

/// A shader of a ray tracing program.
#[derive(Debug, Clone, Copy)]
pub struct RayStage<'a> {
    /// The library that it is in.
    pub shader: &'a Shader,
    /// Its name there.
    pub entry: &'a str,
    /// Its local root signature, if it has one.
    pub local_root: Option<&'a RootSignature>,
    /// The library's bytes, for the cache.
    pub source: Option<SourceHash>,
}

impl<'a> RayStage<'a> {
    /// Returns its entry point.
    pub(crate) fn entry_point(&self) -> Result<&'a EntryPoint> {
        let found = self.shader.entry_point(self.entry);
        found.ok_or_else(|| {
            let name = plain_name(self.entry);
            Error::BadJob(format!("the library has no entry point {name}"))
        })
    }
}
