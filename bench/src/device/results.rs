//! The results of a run on a device, as they are saved and read again.

use std::path::Path;

use anyhow::{Context, bail};
use dxil_runtime::DeviceInfo;
use serde::{Deserialize, Serialize};

use super::interval::Interval;
use super::sensors::Readings;
use crate::results::{commit, date, machine};

/// Version of the form.
const VERSION: u32 = 1;

/// A figure that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) family: String,
    pub(crate) name: String,
    /// The value of the family's parameter, in its unit.
    pub(crate) parameter: Option<u64>,
    pub(crate) unit: String,
    pub(crate) more_is_better: bool,
    /// Median of the runs with its interval of 95 %.
    pub(crate) value: Option<Interval>,
    /// The figure of each run.
    pub(crate) runs: Vec<f64>,
    /// What the device can do by its maker's data, in the same unit.
    pub(crate) theoretical: Option<f64>,
    /// The reason why there is no value.
    pub(crate) problem: Option<String>,
}

impl Row {
    /// Returns whether it is the same figure of another run.
    pub(crate) fn is_same(&self, other: &Row) -> bool {
        self.family == other.family
            && self.name == other.name
            && self.parameter == other.parameter
            && self.unit == other.unit
    }

    /// Returns its name with the parameter.
    pub(crate) fn label(&self) -> String {
        match self.parameter {
            Some(bytes) => format!("{}, {}", self.name, size(bytes)),
            None => self.name.clone(),
        }
    }
}

/// Returns a number of bytes with a binary unit.
pub(crate) fn size(bytes: u64) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if bytes >= 1 << shift && bytes.is_multiple_of(1 << shift) {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    format!("{bytes} B")
}

/// A run of figures on a device. `docs/device.md` describes the fields of the JSON form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DeviceRun {
    /// Version of the form; tells such files from those of the kernels.
    pub(crate) device_figures: u32,
    pub(crate) device: String,
    pub(crate) driver: String,
    pub(crate) api: String,
    /// `vulkan`, `wgpu` or `cpu`.
    pub(crate) backend: String,
    /// `small` or `large`.
    pub(crate) size: String,
    pub(crate) machine: String,
    pub(crate) commit: String,
    pub(crate) date: String,
    /// Where the theoretical figures are from; empty if there are none.
    pub(crate) theory: String,
    /// Clocks, temperatures and power before each family, if the system tells them.
    pub(crate) sensors: Vec<Readings>,
    pub(crate) figures: Vec<Row>,
}

impl DeviceRun {
    /// Returns a run without figures.
    pub(crate) fn new(info: &DeviceInfo, backend: String, size: String) -> Self {
        DeviceRun {
            device_figures: VERSION,
            device: info.name.clone(),
            driver: info.driver.clone(),
            api: info.api.clone(),
            backend,
            size,
            machine: machine(),
            commit: commit(),
            date: date(std::time::SystemTime::now()),
            theory: String::new(),
            sensors: Vec::new(),
            figures: Vec::new(),
        }
    }

    /// Returns the run as JSON.
    ///
    /// # Errors
    ///
    /// As [`serde_json::to_string_pretty`].
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Reads a run that was saved.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not such a run.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let run: DeviceRun = serde_json::from_str(&text)
            .with_context(|| format!("{}: no run of dxil-bench device", path.display()))?;
        if run.device_figures != VERSION {
            bail!(
                "{}: version {} of the form, not {VERSION}",
                path.display(),
                run.device_figures
            );
        }
        Ok(run)
    }

    /// Returns the same figure of this run.
    pub(crate) fn find(&self, row: &Row) -> Option<&Row> {
        self.figures.iter().find(|other| other.is_same(row))
    }

    /// Returns device and driver.
    pub(crate) fn label(&self) -> String {
        format!("{} ({})", self.device, self.driver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_largest_unit_that_divides_them() {
        assert_eq!(size(4096), "4 KiB");
        assert_eq!(size(3 << 19), "1536 KiB");
        assert_eq!(size(1 << 30), "1 GiB");
        assert_eq!(size(100), "100 B");
    }
}
