//! The results of a run of the kernels, as they are saved and read again.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use dxil_runtime::DeviceInfo;
use serde::{Deserialize, Serialize};

use crate::kernel::{Kernel, PEAKS};

/// Times of a variant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// `ours`, `dxc`, `naga` or `cpu`.
    pub(crate) name: String,
    /// Translation from container to SPIR-V in microseconds, best of many; none for DXC's code.
    pub(crate) translate_us: Option<f64>,
    /// Pipeline creation in microseconds, best of three.
    pub(crate) create_us: Option<f64>,
    /// Shortest time of a dispatch in microseconds, by the device's timestamps.
    pub(crate) best_us: Option<f64>,
    /// Median time of a dispatch in microseconds.
    pub(crate) median_us: Option<f64>,
    /// Times of a dispatch in microseconds that a quarter and three quarters of all are below.
    #[serde(default)]
    pub(crate) quartiles_us: Option<[f64; 2]>,
    /// Number of measured dispatches.
    pub(crate) runs: usize,
    /// The reason why there are no times.
    pub(crate) problem: Option<String>,
}

impl Measurement {
    /// Returns a variant that failed.
    pub(crate) fn failed(name: &str, error: &anyhow::Error) -> Self {
        Measurement {
            name: name.to_owned(),
            translate_us: None,
            create_us: None,
            best_us: None,
            median_us: None,
            quartiles_us: None,
            runs: 0,
            problem: Some(format!("{error:#}")),
        }
    }
}

/// A kernel's results.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KernelRow {
    pub(crate) kernel: String,
    pub(crate) about: String,
    /// Minimum number of bytes that a dispatch moves.
    pub(crate) bytes: f64,
    /// Number of floating-point operations of a dispatch.
    pub(crate) operations: f64,
    pub(crate) variants: Vec<Measurement>,
    /// Our best time divided by DXC's.
    pub(crate) ratio: Option<f64>,
    /// Relative difference of the best times of even and odd turns of the same code: differences of
    /// the ratio below this say nothing.
    pub(crate) noise: Option<f64>,
    /// Machine code of GPUs that need not be there, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) machine_code: Vec<MachineCode>,
}

/// Instructions of a kernel's machine code for a GPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MachineCode {
    pub(crate) gpu: String,
    /// Those of our SPIR-V, and of DXC's.
    pub(crate) instructions: Option<[f64; 2]>,
    /// The reason why there are none.
    pub(crate) problem: Option<String>,
}

impl KernelRow {
    /// Returns the row of a kernel that failed.
    pub(crate) fn failed(kernel: &Kernel, error: &anyhow::Error) -> Self {
        KernelRow {
            kernel: kernel.name.to_owned(),
            about: kernel.about.to_owned(),
            bytes: 0.0,
            operations: 0.0,
            variants: vec![Measurement::failed("ours", error)],
            ratio: None,
            noise: None,
            machine_code: Vec::new(),
        }
    }

    /// Returns the shortest time of a variant in microseconds.
    pub(crate) fn best_us(&self, variant: &str) -> Option<f64> {
        self.variants.iter().find(|v| v.name == variant)?.best_us
    }

    /// Returns the best time of the CPU executor divided by that of our SPIR-V on the device.
    pub(crate) fn cpu_ratio(&self) -> Option<f64> {
        Some(self.best_us("cpu")? / self.best_us("ours")?)
    }

    /// Returns whether our code and DXC's differ by more than the noise; `None` if nothing was
    /// compared.
    pub(crate) fn is_significant(&self) -> Option<bool> {
        Some((self.ratio? - 1.0).abs() > self.noise.unwrap_or(0.0))
    }

    /// Returns the bandwidth of a variant in GB/s.
    pub(crate) fn bandwidth(&self, variant: &str) -> Option<f64> {
        (self.bytes > 0.0).then(|| Some(self.bytes / self.best_us(variant)? / 1e3))?
    }

    /// Returns the throughput of a variant in GFLOP/s.
    pub(crate) fn throughput(&self, variant: &str) -> Option<f64> {
        (self.operations > 0.0).then(|| Some(self.operations / self.best_us(variant)? / 1e3))?
    }
}

/// A run of kernels on a device. `bench/RESULTS.md` describes the fields of the JSON form.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Run {
    /// Name of the device.
    pub(crate) device: String,
    /// Name and version of the driver.
    pub(crate) driver: String,
    /// API of the device.
    pub(crate) api: String,
    /// `small`, `medium` or `large`.
    pub(crate) size: String,
    /// Model and number of the machine's processors.
    #[serde(default)]
    pub(crate) machine: String,
    /// Commit of the checkout, with `+` if files were changed; empty if it is not known.
    #[serde(default)]
    pub(crate) commit: String,
    /// Day of the run, as 2026-11-23; empty if it is not known.
    #[serde(default)]
    pub(crate) date: String,
    /// Maximum bandwidth that was measured.
    pub(crate) peak_gb_per_s: f64,
    /// Maximum throughput that was measured.
    pub(crate) peak_gflop_per_s: f64,
    /// Results by kernel.
    pub(crate) kernels: Vec<KernelRow>,
}

impl Run {
    /// Returns a run of this machine and checkout without kernels.
    pub(crate) fn new(device: &DeviceInfo, size: String) -> Self {
        Run {
            device: device.name.clone(),
            driver: device.driver.clone(),
            api: device.api.clone(),
            size,
            machine: machine(),
            commit: commit(),
            date: date(SystemTime::now()),
            peak_gb_per_s: 0.0,
            peak_gflop_per_s: 0.0,
            kernels: Vec::new(),
        }
    }

    /// Returns a run on a device that does not exist.
    #[cfg(test)]
    pub(crate) fn for_test(size: &str) -> Self {
        use dxil_runtime::device::{Backend, DeviceKind};
        let device = DeviceInfo {
            backend: Backend::Vulkan,
            index: 0,
            name: "a device".into(),
            driver: "a driver".into(),
            api: "Vulkan 1.3".into(),
            kind: DeviceKind::Other,
        };
        Run::new(&device, size.into())
    }

    /// Adds what was measured of a kernel, and returns its failure. The row of a kernel that failed
    /// has the error in place of times.
    pub(crate) fn include(
        &mut self,
        kernel: &Kernel,
        measured: anyhow::Result<KernelRow>,
        wanted: bool,
    ) -> Option<anyhow::Error> {
        let (row, failure) = match measured {
            Ok(row) => (row, None),
            Err(error) => (KernelRow::failed(kernel, &error), Some(error)),
        };
        if PEAKS.contains(&kernel.name) {
            // The executor does not run on the device.
            for variant in row.variants.iter().filter(|variant| variant.name != "cpu") {
                let bandwidth = row.bandwidth(&variant.name).unwrap_or(0.0);
                let throughput = row.throughput(&variant.name).unwrap_or(0.0);
                self.peak_gb_per_s = self.peak_gb_per_s.max(bandwidth);
                self.peak_gflop_per_s = self.peak_gflop_per_s.max(throughput);
            }
        }
        if wanted {
            self.kernels.push(row);
        }
        failure
    }

    /// Returns the run as JSON, which [`history::read`](crate::history::read) takes.
    ///
    /// # Errors
    ///
    /// As [`serde_json::to_string_pretty`].
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Returns the results of a kernel.
    pub(crate) fn kernel(&self, name: &str) -> Option<&KernelRow> {
        self.kernels.iter().find(|row| row.kernel == name)
    }

    /// Returns date and commit.
    pub(crate) fn label(&self) -> String {
        let parts = [self.date.as_str(), self.commit.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            [] => "before".to_owned(),
            parts => parts.join(" "),
        }
    }
}

/// Returns the model and number of the processors.
pub(crate) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut lines = info.lines().filter_map(|line| line.split_once(':'));
    let model = lines.find(|(key, _)| key.trim() == "model name");
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim());
    format!("{model}, {cores} core(s)")
}

/// Returns the commit of the checkout that this was built in; empty if there is none.
pub(crate) fn commit() -> String {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let output = command
            .arg("-C")
            .arg(dxil_bench::project_root())
            .args(arguments)
            .output();
        let output = output.ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok()
    };
    let Some(commit) = git(&["rev-parse", "--short=10", "HEAD"]) else {
        return String::new();
    };
    let is_changed = git(&["status", "--porcelain", "-uno"]).is_some_and(|text| !text.is_empty());
    let mark = if is_changed { "+" } else { "" };
    format!("{}{mark}", commit.trim())
}

/// Returns the day in UTC.
pub(crate) fn date(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs());
    // Days to a date of the Gregorian calendar: eras of 400 years that begin in March, so that the
    // leap day is the last of its year.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_become_dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_780, "2026-11-23"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(days * 86_400 + 3600);
            assert_eq!(date(time), text);
        }
    }
}
