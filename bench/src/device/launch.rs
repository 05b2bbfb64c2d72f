//! Dispatches, groups, barriers and copies: the cost of everything around the work.

use dxil_runtime::job::Job;

use super::figure::{Case, Clock, Figure, LAUNCH, TRANSFER, Unit, shader};
use crate::kernel::checks::exactly;
use crate::kernel::inputs::{constants, register};

/// Returns the figures of launches.
pub(super) fn figures() -> Vec<Figure> {
    let (empty, barrier) = (shader!("empty"), shader!("barrier"));
    let dispatch = |name| {
        Figure::new(LAUNCH, name, Unit::Microseconds, empty, 0, |_| {
            groups(1, 1.0)
        })
    };
    let many = |amount: u32| groups(1 << amount, f64::from(1u32 << amount));
    vec![
        dispatch("empty dispatch"),
        dispatch("whole run").by(Clock::Host),
        // D3D12 allows 65,535 groups in a direction.
        Figure::new(LAUNCH, "group of 64", Unit::Nanoseconds, empty, 15, many),
        Figure::new(
            LAUNCH,
            "barrier of 256",
            Unit::Nanoseconds,
            barrier,
            14,
            barriers,
        ),
    ]
}

fn groups(count: u32, work: f64) -> Case {
    Case {
        job: Job::dispatch([count, 1, 1]),
        work,
        // There is nothing to look at.
        check: Box::new(|_| Ok(())),
    }
}

fn barriers(amount: u32) -> Case {
    let rounds = 8 << amount;
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_constants(register("b0"), constants(&[rounds]));
    let out = job.bind_buffer(register("u0"), vec![0; 256 * 4]);
    // Each round moves all numbers by one thread.
    let expected = (0..256).map(|lane| (lane + rounds) % 256).collect();
    Case {
        job,
        work: f64::from(rounds) * 2.0,
        check: exactly(out, expected),
    }
}

/// Returns the figures of copies of up to `largest` bytes.
pub(super) fn transfer(largest: u64) -> Vec<Figure> {
    let sizes = [1 << 20, 16 << 20, 256 << 20];
    let sizes = sizes.into_iter().filter(|bytes| *bytes <= largest);
    let mut figures = Vec::new();
    for bytes in sizes {
        for (name, back) in [("to the device", false), ("there and back", true)] {
            // Of the shader of barriers a run without rounds writes the first words of a buffer.
            let shader = if back {
                shader!("barrier")
            } else {
                shader!("upload")
            };
            let case = move |amount| copy(if amount == 0 { 4096 } else { bytes }, back);
            let figure = Figure::new(TRANSFER, name, Unit::Giga("GB/s"), shader, 1, case);
            figures.push(figure.of(bytes).by(Clock::HostBeyondLeast));
        }
    }
    figures
}

fn copy(bytes: u64, back: bool) -> Case {
    let words = (bytes / 4) as usize;
    let mut job = Job::dispatch([1, 1, 1]);
    let work = bytes as f64;
    if back {
        // The shader writes the first words; the others come back as they went.
        job.bind_constants(register("b0"), constants(&[0]));
        let data = 7u32.to_le_bytes().repeat(words);
        let out = job.bind_buffer(register("u0"), data);
        let expected = (0..words as u32).map(|word| if word < 256 { word } else { 7 });
        return Case {
            job,
            // Both ways.
            work: work * 2.0,
            check: exactly(out, expected.collect()),
        };
    }
    let mut data = vec![0; words * 4];
    data[..4].copy_from_slice(&9u32.to_le_bytes());
    job.bind_buffer(register("t0"), data);
    let out = job.bind_buffer(register("u0"), vec![0; 4]);
    Case {
        job,
        work,
        check: exactly(out, vec![9]),
    }
}
