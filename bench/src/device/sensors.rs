//! Clocks, temperatures and power of the device, where the system tells them.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// What the sensors showed at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Readings {
    /// The family of figures that was measured next; empty at the end.
    pub(crate) before: String,
    /// Clock of the cores in MHz.
    pub(crate) core_mhz: Option<f64>,
    /// Clock of the memory in MHz.
    pub(crate) memory_mhz: Option<f64>,
    /// Temperature in degrees Celsius.
    pub(crate) celsius: Option<f64>,
    /// Power in watts.
    pub(crate) watts: Option<f64>,
}

impl Readings {
    fn none(before: &str) -> Self {
        Readings {
            before: before.to_owned(),
            core_mhz: None,
            memory_mhz: None,
            celsius: None,
            watts: None,
        }
    }

    /// Returns whether there is a reading.
    pub(crate) fn is_some(&self) -> bool {
        let all = [self.core_mhz, self.memory_mhz, self.celsius, self.watts];
        all.iter().any(Option::is_some)
    }
}

/// The sensors that belong to a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sensors {
    /// What the machine's processors have.
    Processor,
    /// `nvidia-smi`, for the device of this name.
    Nvidia,
    /// The folders of the kernel's graphics drivers.
    Kernel,
}

impl Sensors {
    /// Returns the sensors of a device by its name, and whether it is a processor.
    pub(crate) fn of(name: &str, is_cpu: bool) -> Self {
        if is_cpu {
            Sensors::Processor
        } else if name.contains("NVIDIA") || name.contains("GeForce") {
            Sensors::Nvidia
        } else {
            Sensors::Kernel
        }
    }

    /// Reads them.
    pub(crate) fn read(self, name: &str, before: &str) -> Readings {
        let root = Path::new("/sys");
        match self {
            Sensors::Processor => processor(root, before),
            Sensors::Nvidia => nvidia(name, before),
            Sensors::Kernel => kernel(root, before),
        }
    }
}

/// Returns the number in a file, divided.
fn number(path: &Path, divisor: f64) -> Option<f64> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.trim().parse::<f64>().ok()? / divisor)
}

/// Returns the entries of a folder whose names start so, in order.
fn entries(folder: &Path, start: &str) -> Vec<std::path::PathBuf> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = read.filter(|entry| entry.file_name().to_string_lossy().starts_with(start));
    let mut paths: Vec<_> = named.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// `cpufreq` gives kHz, thermal zones give thousandths of a degree.
fn processor(root: &Path, before: &str) -> Readings {
    let clock = root.join("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
    let zones = entries(&root.join("class/thermal"), "thermal_zone");
    let heat = zones
        .iter()
        .filter_map(|zone| number(&zone.join("temp"), 1e3));
    Readings {
        core_mhz: number(&clock, 1e3),
        celsius: heat.reduce(f64::max),
        ..Readings::none(before)
    }
}

/// `hwmon` gives Hz, thousandths of a degree and microwatts (kernel: Documentation/hwmon).
fn kernel(root: &Path, before: &str) -> Readings {
    for card in entries(&root.join("class/drm"), "card") {
        for sensors in entries(&card.join("device/hwmon"), "hwmon") {
            let power = ["power1_input", "power1_average"];
            let mut power = power.iter();
            let readings = Readings {
                core_mhz: number(&sensors.join("freq1_input"), 1e6),
                memory_mhz: number(&sensors.join("freq2_input"), 1e6),
                celsius: number(&sensors.join("temp1_input"), 1e3),
                watts: power.find_map(|name| number(&sensors.join(name), 1e6)),
                ..Readings::none(before)
            };
            if readings.is_some() {
                return readings;
            }
        }
    }
    Readings::none(before)
}

fn nvidia(name: &str, before: &str) -> Readings {
    let output = Command::new("nvidia-smi")
        .arg("--query-gpu=name,clocks.sm,clocks.mem,temperature.gpu,power.draw")
        .arg("--format=csv,noheader,nounits")
        .output();
    let text = output.map_or_else(|_| Vec::new(), |output| output.stdout);
    of_csv(&String::from_utf8_lossy(&text), name, before)
}

/// Returns the readings of the first line with that device.
fn of_csv(text: &str, name: &str, before: &str) -> Readings {
    let mut lines = text
        .lines()
        .map(|line| line.split(", ").collect::<Vec<_>>());
    let found = lines.find(|cells| cells.first().is_some_and(|cell| cell.trim() == name));
    let cell = |index: usize| found.as_ref()?.get(index)?.trim().parse().ok();
    Readings {
        core_mhz: cell(1),
        memory_mhz: cell(2),
        celsius: cell(3),
        watts: cell(4),
        ..Readings::none(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_kernel_tells_clocks_and_temperatures_of_a_card() {
        let root = tempfile::tempdir().unwrap();
        let card = root.path().join("class/drm/card1/device/hwmon/hwmon3");
        write(&card.join("freq1_input"), "2304000000\n");
        write(&card.join("freq2_input"), "1000000000\n");
        write(&card.join("temp1_input"), "54000\n");
        write(&card.join("power1_average"), "215000000\n");
        let found = kernel(root.path(), "latency");
        assert_eq!(found.before, "latency");
        assert_eq!(found.core_mhz, Some(2304.0));
        assert_eq!(found.memory_mhz, Some(1000.0));
        assert_eq!(found.celsius, Some(54.0));
        assert_eq!(found.watts, Some(215.0));
        assert!(!processor(root.path(), "").is_some());
    }

    #[test]
    fn the_line_of_the_device_is_taken_and_what_it_lacks_is_none() {
        let text = "NVIDIA T4, 300, 405, 40, 12.5\nNVIDIA H200, 1980, 3201, 31, [N/A]\n";
        let found = of_csv(text, "NVIDIA H200", "");
        assert_eq!(found.core_mhz, Some(1980.0));
        assert_eq!(found.celsius, Some(31.0));
        assert_eq!(found.watts, None);
        assert!(!of_csv(text, "NVIDIA L4", "").is_some());
    }
}
