//! The summary of a run as a table and as JSON.

use std::fmt::Write as _;

use dxil_jit::exit::Exit;
use dxil_runtime::cache::Statistics;
use serde_json::{Value, json};

use crate::foz::Recorded;
use crate::gpus::{GpuCounts, ROWS};
use crate::out::StoreCounts;
use crate::run::{KindCounts, Summary};

/// Problems that the table shows; the JSON has all that the summary lists.
const SHOWN: usize = 20;

/// Everything that a run is reported with.
pub struct Report<'a> {
    /// Counts and problems.
    pub summary: &'a Summary,
    /// The use of the cache.
    pub cache: Statistics,
    /// What the archive holds.
    pub recorded: Option<Recorded>,
    /// What was done with a store of objects.
    pub store: Option<StoreCounts>,
}

impl Report<'_> {
    /// Returns the table, and the first problems.
    pub fn text(&self) -> String {
        let summary = self.summary;
        let mut rows = vec![
            ["", "pipelines", "failed", "skipped", "modules", "KiB"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let row = |name: &str, counts: &KindCounts| {
            let kib = counts.bytes.div_ceil(1024);
            let mut row = vec![name.to_owned()];
            let numbers = [
                counts.pipelines,
                counts.failed,
                counts.skipped,
                counts.modules,
                kib,
            ];
            row.extend(numbers.map(|number| number.to_string()));
            row
        };
        rows.extend(summary.kinds.iter().map(|(name, counts)| row(name, counts)));
        rows.push(row("total", &summary.total()));
        let mut text = aligned(&rows);
        let cache = &self.cache;
        let _ = writeln!(
            text,
            "translations: {} made, {} found",
            cache.translations_made, cache.translations_found
        );
        if summary.created > 0 {
            let _ = writeln!(
                text,
                "pipelines of the driver: {} made, {} found",
                cache.pipelines_made, cache.pipelines_found
            );
        }
        if let Some(store) = &self.store {
            text.push_str(&store_lines(store));
        }
        if let Some(recorded) = &self.recorded {
            let _ = writeln!(
                text,
                "archive: {} modules, {} set layouts, {} pipeline layouts, {} compute, {} graphics \
                 and {} ray tracing pipelines",
                recorded.modules,
                recorded.set_layouts,
                recorded.pipeline_layouts,
                recorded.compute,
                recorded.graphics,
                recorded.ray_tracing
            );
        }
        for (count, what) in [
            (summary.duplicates, "duplicates of others"),
            (summary.elsewhere, "of other parts"),
        ] {
            if count > 0 {
                let _ = writeln!(text, "{count} pipelines are {what}");
            }
        }
        if !summary.gpus.is_empty() {
            text.push_str(&gpu_table(&summary.gpus));
        }
        let seconds = summary.time.as_secs_f64();
        let modules = summary.total().modules as f64;
        let rate = if seconds > 0.0 {
            modules / seconds
        } else {
            0.0
        };
        let _ = writeln!(text, "time: {seconds:.1} s, {rate:.0} modules per second");
        let mut lacks: Vec<(&String, &u64)> = summary.lacks.iter().collect();
        lacks.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in lacks.iter().take(SHOWN) {
            let what = if **count == 1 {
                "pipeline"
            } else {
                "pipelines"
            };
            let reason = dxil_frontend::escape::message(reason);
            let _ = writeln!(text, "skipped: {count} {what}: {reason}");
        }
        if lacks.len() > SHOWN {
            let more = lacks.len() - SHOWN;
            let _ = writeln!(text, "{more} more reasons to skip; --json lists them");
        }
        for failure in summary.failures.iter().take(SHOWN) {
            let name = dxil_frontend::escape::message(&failure.pipeline);
            let _ = writeln!(text, "error: {name}: {}", failure.problem);
        }
        let more = summary.failures.len().saturating_sub(SHOWN) as u64 + summary.left_out;
        if more > 0 {
            let _ = writeln!(text, "{more} more errors; --json lists them");
        }
        text
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        let summary = self.summary;
        let counts = |counts: &KindCounts| {
            json!({
                "pipelines": counts.pipelines,
                "failed": counts.failed,
                "skipped": counts.skipped,
                "modules": counts.modules,
                "bytes": counts.bytes,
            })
        };
        let kinds = summary.kinds.iter();
        let kinds: serde_json::Map<String, Value> = kinds
            .map(|(name, own)| ((*name).to_owned(), counts(own)))
            .collect();
        let errors: Vec<Value> = summary
            .failures
            .iter()
            .map(|failure| {
                json!({
                    "pipeline": failure.pipeline,
                    "exit_code": failure.problem.exit.code(),
                    "message": failure.problem.message,
                })
            })
            .collect();
        let skipped: Vec<Value> = summary
            .skipped
            .iter()
            .map(|failure| {
                json!({
                    "pipeline": failure.pipeline,
                    "reason": failure.problem.lacks,
                    "message": failure.problem.message,
                })
            })
            .collect();
        let cache = &self.cache;
        let mut value = json!({
            "total": counts(&summary.total()),
            "kinds": kinds,
            "duplicates": summary.duplicates,
            "of_other_shards": summary.elsewhere,
            "translations": {
                "made": cache.translations_made,
                "found": cache.translations_found,
            },
            "driver_pipelines": {
                "created": summary.created,
                "made": cache.pipelines_made,
                "found": cache.pipelines_found,
            },
            "seconds": summary.time.as_secs_f64(),
            "errors": errors,
            "errors_left_out": summary.left_out,
            "skipped": skipped,
            "skipped_left_out": summary.skipped_left_out,
            "skipped_by_reason": summary.lacks,
            "exit_code": summary.exit.unwrap_or(Exit::Done).code(),
        });
        if let (Some(recorded), Some(members)) = (&self.recorded, value.as_object_mut()) {
            let recorded = json!({
                "modules": recorded.modules,
                "set_layouts": recorded.set_layouts,
                "pipeline_layouts": recorded.pipeline_layouts,
                "compute": recorded.compute,
                "graphics": recorded.graphics,
                "ray_tracing": recorded.ray_tracing,
            });
            members.insert("archive".into(), recorded);
        }
        if let (Some(store), Some(members)) = (&self.store, value.as_object_mut()) {
            members.insert("store".into(), store_json(store));
        }
        if let (false, Some(members)) = (summary.gpus.is_empty(), value.as_object_mut()) {
            let gpus: serde_json::Map<String, Value> = summary
                .gpus
                .iter()
                .map(|(name, counts)| (name.clone(), gpu_json(counts)))
                .collect();
            members.insert("gpus".into(), Value::Object(gpus));
        }
        value
    }
}

fn store_lines(store: &StoreCounts) -> String {
    let kib = |bytes: u64| bytes.div_ceil(1024);
    let mut text = format!(
        "store: {} read ({} KiB), {} written ({} KiB), {} damaged, {} requests sent again\n",
        store.read,
        kib(store.bytes_read),
        store.written,
        kib(store.bytes_written),
        store.damaged,
        store.retries
    );
    if let (Some(problem), 1..) = (&store.problem, store.unread + store.unwritten) {
        let _ = writeln!(
            text,
            "error: {}: {} not read, {} not written: {}",
            store.address,
            store.unread,
            store.unwritten,
            dxil_frontend::escape::message(problem)
        );
    }
    text
}

fn store_json(store: &StoreCounts) -> Value {
    json!({
        "address": store.address,
        "read": store.read,
        "bytes_read": store.bytes_read,
        "written": store.written,
        "bytes_written": store.bytes_written,
        "damaged": store.damaged,
        "retries": store.retries,
        "not_read": store.unread,
        "not_written": store.unwritten,
        "problem": store.problem,
    })
}

fn gpu_json(counts: &GpuCounts) -> Value {
    let rows = counts.rows.iter();
    let rows: serde_json::Map<String, Value> = rows
        .map(|(row, (sum, most))| ((*row).to_owned(), json!({ "sum": sum, "maximum": most })))
        .collect();
    json!({
        "compiled": counts.compiled,
        "failed": counts.failed,
        "executables": counts.executables,
        "statistics": rows,
    })
}

fn gpu_table(gpus: &[(String, GpuCounts)]) -> String {
    let mut head = vec![String::new()];
    for name in ["compiled", "failed", "executables"] {
        head.push(name.to_owned());
    }
    for row in ROWS {
        head.push(row.to_owned());
        head.push("most".to_owned());
    }
    let mut rows = vec![head];
    for (name, counts) in gpus {
        let mut row = vec![name.clone()];
        let numbers = [counts.compiled, counts.failed, counts.executables];
        row.extend(numbers.map(|number| number.to_string()));
        for statistic in ROWS {
            // A driver need not count everything.
            match counts.rows.get(statistic) {
                Some((sum, most)) => row.extend([format!("{sum:.0}"), format!("{most:.0}")]),
                None => row.extend(["-".to_owned(), "-".to_owned()]),
            }
        }
        rows.push(row);
    }
    aligned(&rows)
}

/// Returns rows whose first column is aligned to the left and the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if index == 0 {
                let _ = write!(text, "{cell:<width$}");
            } else {
                let _ = write!(text, "  {cell:>width$}");
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_kind_and_their_sum() {
        let mut summary = Summary::default();
        for (kind, pipelines) in [("compute", 3), ("graphics", 4)] {
            let counts = KindCounts {
                pipelines,
                failed: 1,
                skipped: 2,
                modules: pipelines * 2,
                bytes: 1500,
            };
            summary.kinds.insert(kind, counts);
        }
        let report = Report {
            summary: &summary,
            cache: Statistics::default(),
            recorded: None,
            store: None,
        };
        let text = report.text();
        let lines: Vec<Vec<&str>> = text
            .lines()
            .map(|l| l.split_whitespace().collect())
            .collect();
        assert_eq!(lines[1], ["compute", "3", "1", "2", "6", "2"]);
        assert_eq!(lines[3], ["total", "7", "2", "4", "14", "3"]);
        assert_eq!(report.json()["total"]["modules"], 14);
    }
}
