//! DXContainer: header and parts, zero-copy.

pub mod fourcc;
