//! Devices: the interface that all backends implement, and how to open one.

mod info;
mod interface;
mod open;
mod profile;
mod profile_file;

pub use info::{Backend, DeviceInfo, DeviceKind};
pub use interface::{Capture, Device, OpenOptions, Pipeline};
pub use open::{list_devices, open};
pub use profile::{Limits, Profile};
pub use profile_file::ProfileFile;
