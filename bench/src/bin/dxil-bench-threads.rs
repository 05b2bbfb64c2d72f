//! `dxil-bench-threads`: translation with several threads. They share no data, so that throughput
//! should grow with the number of cores.
//!
//! It is a separate program because the allocator of `dxil-bench` has one shared counter.

#![allow(
    clippy::print_stdout,
    reason = "printing a table is what this program is for"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use dxil_bench::{full_target, load_folder, project_root, translate_bytes};
use dxil_translate::Options;

/// Shaders per second with 1, 2, 4 ... threads that translate the checked-in test shaders.
#[derive(Debug, Parser)]
struct Args {
    /// Maximum number of threads; default: twice the number of cores
    #[arg(long, value_name = "N")]
    max_threads: Option<usize>,
    /// Seconds for each number of threads.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    print!("{}", table(args.max_threads, args.seconds)?);
    Ok(())
}

/// Returns a table with a row per number of threads.
fn table(max_threads: Option<usize>, seconds: f64) -> anyhow::Result<String> {
    let mut options = Options::default();
    options.target = full_target();
    let mut samples = load_folder(&project_root().join("hwtests/shaders"))?;
    samples.retain(|sample| translate_bytes(&sample.bytes, &options).is_ok());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let max_threads = max_threads.unwrap_or(cores * 2);
    let limit = Duration::try_from_secs_f64(seconds)?;
    let mut text = format!(
        "{} shaders, {cores} cores\n\n| threads | shaders per second | × one thread |\n|---|---|---|\n",
        samples.len()
    );
    let mut one = 0.0;
    let mut threads = 1;
    while threads <= max_threads {
        let next = AtomicUsize::new(0);
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while begin.elapsed() < limit {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let sample = &samples[index % samples.len()];
                        // It was translated above, so it is again.
                        _ = std::hint::black_box(translate_bytes(&sample.bytes, &options));
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
