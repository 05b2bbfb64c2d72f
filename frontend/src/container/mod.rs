//! DXContainer: header and parts, zero-copy ("DirectX Container" document).
//!
//! [`Container::parse`] checks the frame: magic, version, sizes, part table. The typed reader of a
//! part checks its content, when a caller requests it. Unknown parts are kept
//! and listed. All positions in errors are absolute byte offsets of the input.
//!
//! ```text
//! bytes --detect--> Container --part(PSV0)--> Part --> Psv
//!                        \------program()---------> ProgramBitcode (bitcode + its offset)
//! ```

mod builder;
mod compiler_version;
mod debug_name;
mod digest;
mod features;
pub mod fourcc;
mod hash;
mod header;
mod inflate;
pub mod interfaces;
mod pdb_file;
pub mod pdb_info;
mod program;
pub mod psv;
pub mod rdat;
pub mod rdef;
pub mod root_signature;
mod signature;
pub mod source_info;
mod statistics;
mod write;

pub use builder::ContainerBuilder;
pub use compiler_version::CompilerVersion;
pub use debug_name::DebugName;
pub(crate) use digest::md5;
pub use digest::{DigestStatus, sign};
pub use features::FeatureFlags;
pub use hash::ShaderHash;
pub use header::{Container, Part};
pub(crate) use header::{HEADER_BYTES, PART_HEADER_BYTES};
pub use inflate::Compression;
pub use interfaces::Interfaces;
pub use pdb_file::{container_in_pdb, is_pdb};
pub use pdb_info::PdbInfo;
pub use program::{InputKind, ProgramBitcode, ProgramHeader, detect, open_program};
pub use psv::Psv;
pub use rdat::Rdat;
pub use rdef::ResourceDefinitions;
pub use root_signature::RootSignature;
pub use signature::{
    MinPrecision, ProgramSignature, SignatureComponentType, SignatureParameter, SystemValue,
};
pub use source_info::SourceInfo;
pub use statistics::ShaderStatistics;
pub use write::{Alignment, Signing, write_container};
