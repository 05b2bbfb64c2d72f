//! Costs of hostile shapes of up to a million parts: time, memory, and growth. Times are CPU times
//! of the thread, which depend less on other programs than wall time.

use std::fmt::Write as _;
use std::iter;
use std::time::Duration;

use cpu_time::ThreadTime;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::validate;
use dxil_shapes::{Family, all_families, container};
use dxil_translate::{Options, Style, translate};

use crate::memory::MEMORY;

/// A family grows no further once a member takes this long.
const LONGEST: Duration = Duration::from_secs(20);
/// A family grows no further once its next member would have more bytes.
const LARGEST_FILE: usize = 128 << 20;
/// Minimum time of members for which growth is measured, because of the resolution of the clock.
const SHORTEST: Duration = Duration::from_millis(2);

/// One measured member of a family.
struct BoundsRow {
    n: u32,
    bytes: usize,
    /// Words of the module, or the code of the error.
    outcome: Result<usize, &'static str>,
    time: Duration,
    /// Peak memory, in bytes.
    memory: usize,
    /// Time of the validator.
    validation: Duration,
}

/// Returns a table over all families whose name contains `filter`: sizes double from 1,000 to
/// `largest`; the table has the largest member and the worst growth from one size to its double,
/// from a member that takes over 2 ms.
pub(crate) fn table(largest: u32, filter: &str) -> String {
    let mut text = String::from(
        "| shape | style | n | DXIL bytes | SPIR-V words | ms | ns per byte | peak memory, MiB | bytes of memory per byte | validation, ms | worst growth for twice the bytes |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for family in all_families() {
        let name = family.name();
        if !name.to_lowercase().contains(&filter.to_lowercase()) {
            continue;
        }
        for style in [Style::Native, Style::Portable] {
            let rows = measure_family(family, style, largest);
            let growth = rows
                .windows(2)
                .filter(|pair| pair[0].time > SHORTEST)
                .filter(|pair| pair[0].outcome.is_ok() == pair[1].outcome.is_ok())
                .map(|pair| growth_per_doubling(&pair[0], &pair[1]))
                .max_by(f64::total_cmp);
            if let Some(row) = rows.last() {
                let outcome = match row.outcome {
                    Ok(words) => words.to_string(),
                    Err(code) => code.to_owned(),
                };
                let growth = growth.map_or(String::new(), |growth| format!("{growth:.2}"));
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "| {name} | {} | {} | {} | {outcome} | {:.1} | {:.0} | {:.1} | {:.0} | {:.1} | {growth} |",
                    match style {
                        Style::Portable => "portable",
                        Style::Native => "native",
                    },
                    row.n,
                    row.bytes,
                    row.time.as_secs_f64() * 1e3,
                    row.time.as_nanos() as f64 / row.bytes as f64,
                    row.memory as f64 / f64::from(1 << 20),
                    row.memory as f64 / row.bytes as f64,
                    row.validation.as_secs_f64() * 1e3,
                );
            }
        }
    }
    text
}

/// Returns 1,000, 2,000, 4,000 ... and `largest` at the end.
fn sizes(largest: u32) -> impl Iterator<Item = u32> {
    iter::successors(Some(largest.min(1000)), move |&n| {
        (n < largest).then(|| n.saturating_mul(2).min(largest))
    })
}

fn measure_family(family: Family, style: Style, largest: u32) -> Vec<BoundsRow> {
    let mut rows = Vec::new();
    for n in sizes(largest) {
        let row = measure(n, &container(family, n), style);
        let is_last = row.time > LONGEST || 2 * row.bytes > LARGEST_FILE;
        rows.push(row);
        if is_last {
            break;
        }
    }
    rows
}

/// Returns the factor by which time grows for twice as many bytes, from two members of a family.
fn growth_per_doubling(small: &BoundsRow, large: &BoundsRow) -> f64 {
    let times = large.time.as_secs_f64() / small.time.as_secs_f64();
    let sizes = large.bytes as f64 / small.bytes as f64;
    times.powf(2_f64.ln() / sizes.ln())
}

fn measure(n: u32, bytes: &[u8], style: Style) -> BoundsRow {
    let mut options = Options::default();
    options.target.style = style;
    let run = || match read_shader(bytes) {
        Ok(shader) => match translate(&shader, &options) {
            Ok(translation) => Ok(translation.words.len()),
            Err(error) => Err(error.code()),
        },
        Err(error) => Err(error.code()),
    };
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut best = Duration::MAX;
    let mut outcome = Err("");
    let begun = ThreadTime::now();
    // Small members are measured several times: other programs cost now and then.
    for _ in 0..5 {
        let start = ThreadTime::now();
        outcome = run();
        best = best.min(start.elapsed());
        if begun.elapsed() > Duration::from_millis(400) {
            break;
        }
    }
    let memory = MEMORY.peak_usage().saturating_sub(before);
    let start = ThreadTime::now();
    validate::validate(bytes, &validate::Options::default());
    let validation = start.elapsed();
    BoundsRow {
        n,
        bytes: bytes.len(),
        outcome,
        time: best,
        memory,
        validation,
    }
}
