//! A job's resources on the device.

use super::memory::{Buffer, Image};

/// A job's resource on the device.
pub(super) enum DeviceStorage {
    /// A buffer.
    Buffer(Buffer),
    /// An image.
    Image(Image),
}
