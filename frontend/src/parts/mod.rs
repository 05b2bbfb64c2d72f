//! The parts of a container that repeat what the module says, written as a compiler writes them.
//!
//! [`program`] gives DXIL and ILDB, [`reflection`] STAT, [`hash`] HASH, [`signature`] ISG1, OSG1
//! and PSG1, [`PsvWriter`] PSV0, [`RdatWriter`] RDAT, and [`features`] SFI0. D3D12's runtime reads
//! these instead of the bitcode, so they must say the same: the validator generates each and
//! compares. Layouts: the DirectX Container document and HLSL proposal 0012; what differs by
//! validator version is as DXC has it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::container::Container;
//! use dxil_frontend::{FourCc, dxil::Shader, parts};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/container/skin_vs.dxil");
//! let bytes = std::fs::read(file)?;
//! let container = Container::parse(&bytes)?;
//! let shader = Shader::read(&container)?;
//! let inputs = parts::signature(&shader, FourCc::ISG1)?;
//! assert_eq!(container.require(FourCc::ISG1)?.data, inputs.unwrap());
//! # Ok(())
//! # }
//! ```

mod features;
mod program;
mod psv;
mod rdat;
mod signatures;
mod view_id;

pub use features::{features, features_of, module_flags};
pub use program::{hash, header, pdb_name, program, reflection, rewrite};
pub(crate) use psv::resource_type as psv_resource_type;
pub use psv::{PsvTables, PsvWriter, psv_version};
pub use rdat::{FunctionNeeds, RdatWriter, SubobjectContent, SubobjectText, subobjects_of};
pub(crate) use rdat::{flags_of as resource_flags, resources_in_order, sizes_of, unmangled_name};
pub use signatures::{component_type, signature, signature_forms};

use crate::dxil::Shader;
use crate::error::{Error, ErrorKind, Result};

/// The number of the newest minor version of the validator, which 0.0 stands for.
const NEWEST: u8 = u8::MAX;

/// Returns the minor number of the validator version (1.x) for which the module was written.
/// Modules that name none are of the first one; 0.0 stands for the newest.
pub(crate) fn validator_minor(shader: &Shader) -> u8 {
    match shader.validator_version {
        None => 0,
        Some((0, 0)) => NEWEST,
        Some((1, minor)) => minor,
        Some(_) => NEWEST,
    }
}

fn word(value: usize, what: &'static str) -> Result<u32> {
    u32::try_from(value).map_err(|_| {
        Error::new(ErrorKind::Limit {
            what,
            value: value as u64,
            limit: u64::from(u32::MAX),
        })
    })
}

/// Appends a little-endian word.
fn put(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// Appends zeros up to a multiple of four bytes.
fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(4), 0);
}
