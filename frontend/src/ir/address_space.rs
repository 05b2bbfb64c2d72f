//! Address spaces of pointers (DXIL.rst, "Address spaces"; DXC's `DxilConstants.h`).

/// Variables of functions and of the module, constants among them.
pub const DEFAULT: u32 = 0;
/// Memory that groups share (`groupshared`).
pub const GROUP_SHARED: u32 = 3;
/// Records of work graphs.
pub const NODE_RECORD: u32 = 6;
