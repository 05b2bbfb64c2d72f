//! The figures of a run as tables, beside those of other runs.

use super::figure::{FAMILIES, Family};
use super::results::{DeviceRun, Row, size};

/// A run, and others that it is compared with.
pub(crate) struct DeviceReport<'a> {
    pub(crate) run: &'a DeviceRun,
    pub(crate) others: &'a [DeviceRun],
}

/// A table of a family.
pub(crate) struct FamilyTable<'a> {
    pub(crate) family: Family,
    pub(crate) headings: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The figures of the rows.
    pub(crate) figures: Vec<&'a Row>,
}

/// Returns a number with three significant digits or more.
pub(crate) fn number(value: f64) -> String {
    let digits = match value.abs() {
        0.0 => 0,
        small => (2 - small.log10().floor() as i32).clamp(0, 6) as usize,
    };
    format!("{value:.digits$}")
}

impl DeviceReport<'_> {
    /// Returns device, driver and conditions.
    pub(crate) fn title(&self) -> String {
        let run = self.run;
        format!(
            "{} ({}, {}, {}), {} size",
            run.device, run.driver, run.api, run.backend, run.size
        )
    }

    /// Returns machine, commit and date.
    pub(crate) fn conditions(&self) -> String {
        let run = self.run;
        let parts = [&run.machine, &run.commit, &run.date];
        let parts: Vec<&str> = parts.into_iter().map(String::as_str).collect();
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<&str>>().join("; ")
    }

    /// Returns what the sensors showed, a line for each time; empty if there are none.
    pub(crate) fn sensors(&self) -> Vec<String> {
        let readings = self.run.sensors.iter().filter(|reading| reading.is_some());
        let line = |reading: &super::sensors::Readings| {
            let parts = [
                (reading.core_mhz, "MHz"),
                (reading.memory_mhz, "MHz memory"),
                (reading.celsius, "°C"),
                (reading.watts, "W"),
            ];
            let parts = parts.iter().filter_map(|(value, unit)| {
                let value = (*value)?;
                Some(format!("{value:.0} {unit}"))
            });
            let when = match reading.before.as_str() {
                "" => "at the end".to_owned(),
                family => format!("before {family}"),
            };
            format!("{when}: {}", parts.collect::<Vec<String>>().join(", "))
        };
        readings.map(line).collect()
    }

    /// Returns the table of each family that was measured.
    pub(crate) fn tables(&self) -> Vec<FamilyTable<'_>> {
        let tables = FAMILIES.iter().map(|family| self.table(*family));
        tables.filter(|table| !table.rows.is_empty()).collect()
    }

    fn table(&self, family: Family) -> FamilyTable<'_> {
        let figures = self.run.figures.iter();
        let figures: Vec<&Row> = figures.filter(|row| row.family == family.name).collect();
        let has_theory = figures.iter().any(|row| row.theoretical.is_some());
        let mut headings = vec!["figure".to_owned()];
        if !family.parameter.is_empty() {
            headings.push(family.parameter.to_owned());
        }
        headings.extend(["value", "unit", "95 % interval"].map(str::to_owned));
        if has_theory {
            headings.push("% of theoretical".to_owned());
        }
        for other in self.others {
            headings.push(other.label());
            headings.push("ratio".to_owned());
        }
        let rows = figures.iter().map(|row| {
            let mut cells = vec![row.name.clone()];
            if !family.parameter.is_empty() {
                cells.push(row.parameter.map_or_else(String::new, size));
            }
            cells.push(
                row.value
                    .map_or_else(|| "–".into(), |value| number(value.median)),
            );
            cells.push(row.unit.clone());
            cells.push(row.value.map_or_else(
                || "–".into(),
                |value| format!("{} to {}", number(value.low), number(value.high)),
            ));
            if has_theory {
                let share = row.value.zip(row.theoretical);
                let share = share.map(|(value, most)| value.median / most * 100.0);
                cells.push(share.map_or_else(|| "–".into(), |share| format!("{share:.0}")));
            }
            for other in self.others {
                let value = other.find(row).and_then(|other| other.value);
                cells.push(value.map_or_else(|| "–".into(), |value| number(value.median)));
                cells.push(row.value.zip(value).map_or_else(
                    || "–".into(),
                    |(ours, theirs)| {
                        let mark = if ours.differs_from(&theirs) {
                            ""
                        } else {
                            "≈ "
                        };
                        format!("{mark}{:.3}", ours.median / theirs.median)
                    },
                ));
            }
            cells
        });
        let rows = rows.collect();
        FamilyTable {
            family,
            headings,
            rows,
            figures,
        }
    }

    /// Returns the reasons of missing figures.
    pub(crate) fn problems(&self) -> Vec<String> {
        let rows = self.run.figures.iter();
        let problem = |row: &Row| {
            let problem = row.problem.as_ref()?;
            Some(format!("{} {}: {problem}", row.family, row.label()))
        };
        rows.filter_map(problem).collect()
    }

    /// Returns everything as Markdown.
    pub(crate) fn text(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("{}\n{}\n", self.title(), self.conditions());
        if !self.run.theory.is_empty() {
            text += &format!("theoretical figures: {}\n", self.run.theory);
        }
        for reading in self.sensors() {
            text += &format!("{reading}\n");
        }
        for table in self.tables() {
            let family = table.family;
            text += &format!("\n## {}: {}\n\n", family.name, family.about);
            text += &line(&table.headings);
            text += &line(&vec!["---".to_owned(); table.headings.len()]);
            text.extend(table.rows.iter().map(|row| line(row)));
        }
        let problems = self.problems();
        if !problems.is_empty() {
            text += "\n";
        }
        for problem in problems {
            text += &format!("{problem}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (value, text) in [
            (1234.6, "1235"),
            (123.4, "123"),
            (12.345, "12.3"),
            (1.2345, "1.23"),
            (0.012_345, "0.0123"),
            (0.0, "0"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
