// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Subobjects of a library's RDAT part.

use std::ffi::{c_char, c_uint, c_void};
use std::ptr::null;

use dxil_frontend::container::rdat::{StringRef, Subobject, SubobjectKind};
use dxil_frontend::container::{Container, Rdat};

use super::types::RdatSubobject;

/// A subobject in the ABI's form. Names and payload stay in the container's own bytes and live as
/// long as those: layers keep a root signature longer than the parsed blob.
#[derive(Debug)]
pub(super) struct OwnedSubobject {
    kind: c_uint,
    name: *const c_char,
    hit_group: c_uint,
    exports: Vec<*const c_char>,
    args: [c_uint; 2],
    payload: (*const c_void, usize),
}

// SAFETY: the pointers are only passed on; what they point at is never written.
unsafe impl Send for OwnedSubobject {}
// SAFETY: as above.
unsafe impl Sync for OwnedSubobject {}

impl OwnedSubobject {
    /// Returns the ABI's structure; it points into `self`.
    pub(super) fn as_abi(&self) -> RdatSubobject {
        RdatSubobject {
            kind: self.kind,
            subobject_name: self.name,
            hit_group_type: self.hit_group,
            exports: if self.exports.is_empty() {
                null()
            } else {
                self.exports.as_ptr()
            },
            num_exports: self.exports.len() as c_uint,
            args: self.args,
            payload: self.payload.0,
            payload_size: self.payload.1,
        }
    }
}

/// Returns all subobjects of a container, those of unknown kinds left out. `bytes` are the
/// container's own.
pub(super) fn read(
    container: &Container<'_>,
    bytes: &[u8],
) -> dxil_frontend::Result<Vec<OwnedSubobject>> {
    let Some(rdat) = container.rdat()? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for subobject in rdat.iter::<Subobject>() {
        if let Some(subobject) = convert(&rdat, subobject?, bytes)? {
            found.push(subobject);
        }
    }
    Ok(found)
}

fn convert(
    rdat: &Rdat<'_>,
    subobject: Subobject,
    data: &[u8],
) -> dxil_frontend::Result<Option<OwnedSubobject>> {
    let mut own = OwnedSubobject {
        kind: 0,
        name: text(rdat, subobject.name, data)?,
        hit_group: 0,
        exports: Vec::new(),
        args: [0; 2],
        payload: (null(), 0),
    };
    match subobject.kind {
        SubobjectKind::StateObjectConfig { flags } => {
            own.kind = 0;
            own.args[0] = flags;
        }
        SubobjectKind::GlobalRootSignature(bytes) | SubobjectKind::LocalRootSignature(bytes) => {
            let global = matches!(subobject.kind, SubobjectKind::GlobalRootSignature(_));
            own.kind = if global { 1 } else { 2 };
            let bytes = rdat.bytes(bytes)?;
            own.payload = (bytes.as_ptr().cast(), bytes.len());
        }
        SubobjectKind::SubobjectToExportsAssociation { subobject, exports } => {
            own.kind = 8;
            own.exports.push(text(rdat, subobject, data)?);
            for export in rdat.string_array(exports)? {
                own.exports.push(pointer(export?, data));
            }
        }
        SubobjectKind::RaytracingShaderConfig {
            max_payload_bytes,
            max_attribute_bytes,
        } => {
            own.kind = 9;
            own.args = [max_payload_bytes, max_attribute_bytes];
        }
        SubobjectKind::RaytracingPipelineConfig {
            max_recursion_depth,
            flags,
        } => {
            own.kind = if flags.is_some() { 12 } else { 10 };
            own.args = [max_recursion_depth, flags.unwrap_or(0)];
        }
        SubobjectKind::HitGroup {
            kind,
            any_hit,
            closest_hit,
            intersection,
        } => {
            own.kind = 11;
            own.hit_group = kind.number();
            for name in [any_hit, closest_hit, intersection] {
                own.exports.push(text(rdat, name, data)?);
            }
        }
        SubobjectKind::Other(_) => return Ok(None),
    }
    Ok(Some(own))
}

fn text(rdat: &Rdat<'_>, name: StringRef, data: &[u8]) -> dxil_frontend::Result<*const c_char> {
    Ok(pointer(rdat.string(name)?, data))
}

/// Returns a C string. Strings of RDAT's string block end with a zero, which lies after the text
/// itself. The pointer is derived from all of the container's bytes, so that a reader may go that
/// far.
fn pointer(text: &str, data: &[u8]) -> *const c_char {
    let at = text.as_ptr().addr().wrapping_sub(data.as_ptr().addr());
    match data.get(at..) {
        Some(rest) if !text.is_empty() => rest.as_ptr().cast(),
        _ => c"".as_ptr(),
    }
}
