//! Translates a game's whole shader library: [sources](source) give pipelines, and each of them is
//! translated into the runtime's cache, created on a device, recorded in a Fossilize archive, or
//! compiled for GPUs that need not be there.
//!
//! ```text
//! database, folder, list ─► Sources ─► Pipeline ─► Workshop ─► Program ─► cache, device
//!                                          │                      └─────► Recorder (.foz)
//!                                          └─► Compilers (GPUs) ─► counts
//! ```
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//!
//! use dxil_precompile::run::{Plan, run};
//! use dxil_precompile::source::Sources;
//! use dxil_precompile::work::Workshop;
//! use dxil_runtime::{Cache, Profile};
//! use dxil_translate::VulkanVersion;
//!
//! # let folder = tempfile::tempdir()?;
//! # let shader = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/saxpy.dxil");
//! let sources = Sources::open(&[shader.into()], None)?;
//! let workshop = Workshop::new(
//!     Profile::offline(VulkanVersion::V1_3),
//!     Arc::new(Cache::open(folder.path(), 1 << 30)?),
//! );
//! let summary = run(&sources, &workshop, &Plan::new(2))?;
//! assert_eq!(summary.total().modules, 1);
//! assert_eq!(workshop.cache.statistics().translations_made, 1);
//! # Ok(())
//! # }
//! ```

#![warn(clippy::missing_errors_doc)]

pub mod draw_state;
pub mod error;
pub mod foz;
pub mod gpus;
pub mod library;
pub mod out;
pub mod report;
pub mod run;
pub mod shard;
pub mod sodb;
pub mod source;
pub mod spirv_val;
pub mod target;
pub mod work;
