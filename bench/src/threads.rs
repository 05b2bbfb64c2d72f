//! Translation with several threads: nothing is shared, so it should scale with the cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dxil_bench::{load_folder, project_root};
use dxil_translate::Options;

use crate::translation::{best_target, from_bytes};

/// One row per number of threads.
pub(crate) fn table(most: Option<usize>, seconds: f64) -> anyhow::Result<String> {
    let options = Options {
        target: best_target(),
        ..Options::default()
    };
    let mut samples = load_folder(&project_root().join("hwtests/shaders"))?;
    samples.retain(|sample| from_bytes(&sample.bytes, &options).is_ok());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = most.unwrap_or(cores * 2);
    let limit = Duration::try_from_secs_f64(seconds)?;
    let mut text = format!(
        "{} shaders, {cores} cores\n\n| threads | shaders per second | × one thread |\n|---|---|---|\n",
        samples.len()
    );
    let mut one = 0.0;
    let mut threads = 1;
    while threads <= most {
        let next = AtomicUsize::new(0);
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while begin.elapsed() < limit {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let sample = &samples[index % samples.len()];
                        // It was translated above, so it is again.
                        _ = std::hint::black_box(from_bytes(&sample.bytes, &options));
                    }
                });
            }
        });
        let rate = next.into_inner() as f64 / begin.elapsed().as_secs_f64();
        if threads == 1 {
            one = rate;
        }
        text += &format!("| {threads} | {rate:.0} | {:.2} |\n", rate / one);
        threads *= 2;
    }
    Ok(text)
}
