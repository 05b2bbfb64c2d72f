//! DXContainer: header and parts, zero-copy ("DirectX Container" document).
//!
//! [`Container::parse`] checks the frame: magic, version, sizes, part table. What is inside a part is
//! checked when somebody asks for it, by the typed reader of that part. Unknown parts are kept and
//! listed. All positions in errors are absolute byte offsets of the input.
//!
//! ```text
//! bytes --detect--> Container --part(PSV0)--> Part --> Psv
//!                        \------program()---------> Program (bitcode + its offset)
//! ```

mod digest;
mod features;
pub mod fourcc;
mod hash;
mod header;
mod program;
pub mod psv;
mod signature;
mod write;

pub use digest::DigestStatus;
pub use features::FeatureFlags;
pub use hash::ShaderHash;
pub use header::{Container, Part};
pub use program::{InputKind, Program, ProgramHeader, detect, open_program};
pub use psv::Psv;
pub use signature::{
    MinPrecision, ProgramSignature, SignatureComponentType, SignatureParameter, SystemValue,
};
pub use write::{Signing, write_container};
