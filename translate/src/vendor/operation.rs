//! Vendors with shader extensions, and their operations.

use dxil_frontend::dxil::{Resource, ResourceClass};

use crate::vendor::ags::table as ags;
use crate::vendor::nvapi::table as nvapi;
use crate::vendor::options::VendorOptions;

/// Register space of the UAV that AGS instructions go through (`AmdExtD3DShaderIntrinsicsUAV`).
pub const AGS_SPACE: u32 = 0x7fff_0ade;

/// A vendor with shader extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Vendor {
    /// AMD's AGS.
    Ags,
    /// NVIDIA's NVAPI.
    Nvapi,
}

impl Vendor {
    /// Returns the vendor whose operations go through a resource, if there is one.
    pub fn of(resource: &Resource, options: &VendorOptions) -> Option<Vendor> {
        if resource.class != ResourceClass::Uav {
            None
        } else if resource.space == AGS_SPACE {
            Some(Vendor::Ags)
        } else {
            let place = (resource.lower_bound, resource.space);
            (options.nvapi_uav == Some(place)).then_some(Vendor::Nvapi)
        }
    }

    /// Returns the name of an operation.
    fn operation(self, number: u32) -> &'static str {
        match self {
            Vendor::Ags => ags::name_of(number),
            Vendor::Nvapi => nvapi::name_of(number),
        }
    }
}

impl VendorOperation {
    /// Returns why the operation is not translated, if that does not depend on its operands.
    pub(super) fn reason(self) -> Option<&'static str> {
        match self.vendor {
            Vendor::Ags => ags::reason_of(self.number),
            Vendor::Nvapi => nvapi::reason_of(self.number),
        }
    }
}

impl std::fmt::Display for Vendor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Vendor::Ags => "AGS",
            Vendor::Nvapi => "NVAPI",
        })
    }
}

/// An operation of a vendor's, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VendorOperation {
    /// The vendor.
    pub vendor: Vendor,
    /// The vendor's number for it.
    pub number: u32,
}

impl std::fmt::Display for VendorOperation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.vendor.operation(self.number);
        write!(f, "{} {name} ({:#x})", self.vendor, self.number)
    }
}
