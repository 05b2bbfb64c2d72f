//! What devices can do by their makers' data.

use super::results::{DeviceRun, Row};

/// The table of devices.
const TABLE: &str = include_str!("../../device/peaks.txt");

/// The maker's figures of a device.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Peaks {
    /// GFLOP/s by name of the figure.
    arithmetic: [(&'static str, Option<f64>); 4],
    /// GB/s.
    memory: Option<f64>,
    /// Where they are from.
    source: String,
}

impl Peaks {
    /// Returns the figures of a device by its name.
    pub(crate) fn of(device: &str) -> Option<Self> {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        let rows = rows.map(|line| line.split(" | ").collect::<Vec<&str>>());
        let fitting = rows.filter(|cells| {
            let name = cells.first().map_or("", |name| name.trim());
            !name.is_empty() && device.contains(name)
        });
        let cells = fitting.max_by_key(|cells| cells[0].len())?;
        let number = |index: usize| cells.get(index).and_then(|cell| cell.trim().parse().ok());
        Some(Peaks {
            arithmetic: [
                ("fp32", number(1)),
                ("fp16", number(2)),
                ("fp64", number(3)),
                ("fp16 matrix", number(4)),
            ],
            memory: number(5),
            source: cells.get(6).map_or("", |cell| cell.trim()).to_owned(),
        })
    }

    /// Returns the maximum of a figure, in its unit. Reads from caches have none.
    fn of_figure(&self, row: &Row, largest: Option<u64>) -> Option<f64> {
        match row.family.as_str() {
            "arithmetic" => {
                let named = |(name, _): &&(&str, Option<f64>)| *name == row.name;
                self.arithmetic.iter().find(named)?.1
            }
            // The largest working set fits into no cache.
            "bandwidth" if row.name == "buffer" && row.parameter == largest => self.memory,
            _ => None,
        }
    }

    /// Gives the figures of a run their maxima.
    pub(crate) fn add_to(&self, run: &mut DeviceRun) {
        let buffers = run.figures.iter();
        let buffers = buffers.filter(|row| row.family == "bandwidth" && row.name == "buffer");
        let largest = buffers.filter_map(|row| row.parameter).max();
        run.theory.clone_from(&self.source);
        for row in &mut run.figures {
            row.theoretical = self.of_figure(row, largest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_found_by_its_own_name() {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        let mut count = 0;
        for line in rows {
            let name = line.split(" | ").next().unwrap();
            let peaks = Peaks::of(&format!("NVIDIA or AMD {name} (driver)")).expect(name);
            assert!(peaks.memory.is_none_or(|memory| memory > 10.0), "{line}");
            let [(_, fp32), (_, fp16), (_, fp64), (_, matrix)] = peaks.arithmetic;
            let fp32 = fp32.expect(name);
            assert!(fp32 > 1000.0, "{line}");
            // Ratios that the units of makers have: halves are no slower, doubles take two to 64
            // times as long, and matrix units are there to be faster than all of them.
            assert!(
                fp16.is_none_or(|fp16| [1.0, 2.0, 4.0]
                    .iter()
                    .any(|ratio| (fp16 / fp32 - ratio).abs() < 0.01)),
                "{line}"
            );
            assert!(
                fp64.is_none_or(|fp64| (1.9..65.0).contains(&(fp32 / fp64))),
                "{line}"
            );
            assert!(matrix.is_none_or(|matrix| matrix > 1.9 * fp32), "{line}");
            assert!(!peaks.source.is_empty(), "{line}");
            count += 1;
        }
        assert!(count > 10);
        assert_eq!(Peaks::of("llvmpipe (LLVM 15.0.6, 256 bits)"), None);
    }
}
