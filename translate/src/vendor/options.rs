//! Treatment of vendors' shader extensions.

/// Treatment of vendors' shader extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub struct VendorOptions {
    /// Register and space of the UAV that NVAPI's operations go through
    /// (`NvAPI_D3D12_SetNvShaderExtnSlotSpace`).
    pub nvapi_uav: Option<(u32, u32)>,
    /// An operation that is not implemented, or that the target cannot do, gives zero and a
    /// [`VendorOperationIsZero`](crate::Warning::VendorOperationIsZero). Default: it is a typed
    /// error.
    pub zero_missing: bool,
}
