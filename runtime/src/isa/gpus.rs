//! The GPUs that machine code can be made for, and the drivers that make it.

use std::env;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A driver that compiles for devices which are not there.
#[derive(Debug, PartialEq, Eq)]
pub struct Driver {
    /// Its name, which is also that of the command in the cache folder that starts a program with
    /// it (`tools/setup-vulkan.sh compilers` writes these).
    pub name: &'static str,
    /// What it is and where it comes from.
    pub about: &'static str,
    /// The environment variable that names the device.
    variable: &'static str,
}

/// A device for which a driver compiles.
#[derive(Debug, PartialEq, Eq)]
pub struct Gpu {
    /// Its name: that of the driver's developers.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Products, and the architecture.
    pub about: &'static str,
    /// Drivers that know it, with the value of their variable.
    drivers: &'static [(&'static Driver, &'static str)],
}

static RADV: Driver = Driver {
    name: "radv",
    about: "Mesa's driver for AMD, on a simulated kernel interface",
    variable: "AMDGPU_GPU_ID",
};
static RADV_NULL: Driver = Driver {
    name: "radv-null",
    about: "the same driver of an older Mesa, which needs no simulated interface",
    variable: "RADV_FORCE_FAMILY",
};
static NVK: Driver = Driver {
    name: "nvk",
    about: "Mesa's driver for NVIDIA (NAK), on a simulated kernel interface",
    variable: "NOUVEAU_CHIPSET",
};
static TURNIP: Driver = Driver {
    name: "turnip",
    about: "Mesa's driver for Qualcomm (ir3), on a simulated kernel interface",
    variable: "FD_GPU_ID",
};
static HONEYKRISP: Driver = Driver {
    name: "honeykrisp",
    about: "Mesa's driver for Apple, on a simulated kernel interface",
    variable: "",
};

/// The drivers.
pub static DRIVERS: [&Driver; 5] = [&RADV, &RADV_NULL, &NVK, &TURNIP, &HONEYKRISP];

macro_rules! gpus {
    ($($name:literal $aliases:tt $about:literal $drivers:tt)*) => {
        &[$(Gpu { name: $name, aliases: &$aliases, about: $about, drivers: &$drivers }),*]
    };
}

/// The devices. NVIDIA's numbers are hexadecimal chip sets.
pub static GPUS: &[Gpu] = gpus! {
    "polaris10" ["gfx803", "rx580"] "Radeon RX 580, GCN 4"
        [(&RADV, "polaris10"), (&RADV_NULL, "polaris10")]
    "vega10" ["gfx900", "vega64"] "Radeon RX Vega 64, GCN 5"
        [(&RADV, "vega10"), (&RADV_NULL, "vega10")]
    "navi10" ["gfx1010"] "Radeon RX 5700, RDNA 1"
        [(&RADV, "navi10"), (&RADV_NULL, "navi10")]
    "navi21" ["gfx1030", "rdna2"] "Radeon RX 6800, RDNA 2"
        [(&RADV, "navi21"), (&RADV_NULL, "navi21")]
    "navi31" ["gfx1100", "rdna3"] "Radeon RX 7900, RDNA 3"
        [(&RADV, "navi31"), (&RADV_NULL, "navi31")]
    "gfx1201" ["rdna4", "navi48"] "Radeon RX 9070, RDNA 4"
        [(&RADV, "gfx1201"), (&RADV_NULL, "gfx1201")]
    "volta" ["gv100"] "Titan V" [(&NVK, "140")]
    "turing" ["tu104", "rtx2080"] "GeForce RTX 2080" [(&NVK, "164")]
    "ampere" ["ga102", "rtx3090"] "GeForce RTX 3090" [(&NVK, "172")]
    "adreno630" ["a630"] "Snapdragon 845" [(&TURNIP, "630")]
    "adreno660" ["a660"] "Snapdragon 888" [(&TURNIP, "660")]
    "adreno740" ["a740"] "Snapdragon 8 Gen 2" [(&TURNIP, "740")]
    "adreno750" ["a750"] "Snapdragon 8 Gen 3" [(&TURNIP, "750")]
    "g13" ["g13g", "m1"] "Apple M1" [(&HONEYKRISP, "")]
};

/// What to compile for: a device of the table with one of its drivers, or one of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// A device that need not be there.
    Absent(&'static Gpu, &'static Driver),
    /// The device of the Vulkan backend with this number.
    Present(usize),
}

impl Selection {
    /// Returns all devices with all of their drivers.
    pub fn all() -> impl Iterator<Item = Selection> {
        let each = |gpu: &'static Gpu| {
            let drivers = gpu.drivers.iter();
            drivers.map(move |(driver, _)| Selection::Absent(gpu, driver))
        };
        GPUS.iter().flat_map(each)
    }

    /// Returns whether the driver is there.
    pub fn is_available(&self) -> bool {
        match self {
            Selection::Absent(_, driver) => driver.launcher().is_some(),
            Selection::Present(_) => true,
        }
    }

    /// Returns the variable that names the device to its driver, and the value.
    pub(super) fn variable(&self) -> Option<(&'static str, &'static str)> {
        let Selection::Absent(gpu, driver) = self else {
            return None;
        };
        let known = gpu.drivers.iter().find(|(known, _)| known == driver);
        known
            .map(|(_, value)| (driver.variable, *value))
            .filter(|(variable, _)| !variable.is_empty())
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Absent(gpu, driver) if gpu.drivers[0].0 == *driver => f.write_str(gpu.name),
            Selection::Absent(gpu, driver) => write!(f, "{}@{}", gpu.name, driver.name),
            Selection::Present(0) => f.write_str("device"),
            Selection::Present(index) => write!(f, "device:{index}"),
        }
    }
}

impl FromStr for Selection {
    type Err = Error;

    /// Reads `NAME`, `NAME@DRIVER`, `device` or `device:NUMBER`. Without a driver it is the first
    /// one that is there.
    fn from_str(text: &str) -> Result<Self> {
        if let Some(rest) = text.strip_prefix("device") {
            let number = rest.strip_prefix(':');
            return match (rest, number.map(str::parse)) {
                ("", _) => Ok(Selection::Present(0)),
                (_, Some(Ok(index))) => Ok(Selection::Present(index)),
                _ => Err(unknown(text)),
            };
        }
        let (name, driver) = match text.split_once('@') {
            Some((name, driver)) => (name, Some(driver)),
            None => (text, None),
        };
        let is_it = |gpu: &&Gpu| gpu.name == name || gpu.aliases.contains(&name);
        let gpu = GPUS.iter().find(is_it).ok_or_else(|| unknown(text))?;
        let mut drivers = gpu.drivers.iter().map(|(driver, _)| *driver);
        let driver = match driver {
            Some(wanted) => drivers
                .find(|driver| driver.name == wanted)
                .ok_or_else(|| unknown(text))?,
            None => {
                let there = drivers.find(|driver| driver.launcher().is_some());
                there.unwrap_or(gpu.drivers[0].0)
            }
        };
        Ok(Selection::Absent(gpu, driver))
    }
}

fn unknown(text: &str) -> Error {
    let names: Vec<&str> = GPUS.iter().map(|gpu| gpu.name).collect();
    Error::Compiler(format!(
        "there is no GPU `{text}`; there are {}, and `device` for one of this machine",
        names.join(" ")
    ))
}

impl Driver {
    /// Returns the command that starts a program with this driver, if it is in the cache folder.
    pub(super) fn launcher(&self) -> Option<PathBuf> {
        let path = cache_folder()?.join("compilers").join(self.name);
        path.is_file().then_some(path)
    }

    /// Returns the error that says how to get the driver.
    pub(super) fn missing(&self) -> Error {
        Error::Compiler(format!(
            "the driver {} is not there; `tools/setup-vulkan.sh compilers` of dxil-jit's sources \
             unpacks it into the cache folder, without root (on Debian)",
            self.name
        ))
    }
}

/// Returns the folder of `tools/setup-vulkan.sh`.
fn cache_folder() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable("DXIL_JIT_CACHE") {
        return Some(PathBuf::from(folder));
    }
    let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
    let caches = caches.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")));
    caches.map(|caches| caches.join("dxil-jit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match text.parse::<Selection>() {
            Ok(selection) => selection.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_gpu_is_named_with_or_without_its_driver() {
        assert_eq!(read("navi31@radv"), "navi31");
        assert_eq!(read("gfx1100@radv-null"), "navi31@radv-null");
        assert_eq!(read("m1"), "g13");
        assert_eq!(read("device"), "device");
        assert_eq!(read("device:2"), "device:2");
        for wrong in ["navi3", "navi31@nvk", "device2", "device:x", ""] {
            assert!(read(wrong).starts_with("there is no GPU"), "{wrong}");
        }
    }

    #[test]
    fn names_are_unique() {
        let mut all: Vec<&str> = GPUS.iter().map(|gpu| gpu.name).collect();
        all.extend(GPUS.iter().flat_map(|gpu| gpu.aliases));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
