//! `dxil-bench-threads`: translation with several threads. They share nothing, so it should scale
//! with the cores.
//!
//! This is a program of its own because the allocator of `dxil-bench` counts bytes in one place,
//! which the threads would fight for.

#![allow(
    clippy::print_stdout,
    reason = "printing a table is what this program is for"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use dxil_bench::{best_target, from_bytes, load_folder, project_root};
use dxil_translate::Options;

/// Shaders per second with 1, 2, 4 ... threads that translate the checked-in test shaders.
#[derive(Debug, Parser)]
struct Args {
    /// Most threads. Default: twice the cores.
    #[arg(long)]
    most: Option<usize>,
    /// Seconds for each number of threads.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    print!("{}", table(args.most, args.seconds)?);
    Ok(())
}

/// One row per number of threads.
fn table(most: Option<usize>, seconds: f64) -> anyhow::Result<String> {
    let mut options = Options::default();
    options.target = best_target();
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
