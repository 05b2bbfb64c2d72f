//! Runs groups in parallel, with the result of running them one after the other.
//!
//! Threads take groups from a common counter and work on the storages themselves. Where groups turn
//! out to use the same memory in a way that depends on their order ([`Ownership`]), or one of them
//! fails, the storages get back what they held, and the groups run one after the other.

use std::sync::atomic::{AtomicU64, Ordering};

use super::budget::Budget;
use super::events::Events;
use super::group::Group;
use super::ownership::{MAX_GROUPS, Ownership};
use super::shared::{Limits, Progress, Shared};
use crate::error::{Error, Result};

/// Groups per thread below which starting threads does not pay.
const MIN_GROUPS_PER_THREAD: u64 = 4;

/// Runs the groups on several threads; returns the steps that they took, or `None` where they have
/// to run in order.
pub(super) fn run(
    shared: &Shared<'_>,
    groups: [u32; 3],
    limits: &Limits<'_>,
) -> Result<Option<(u64, Events)>> {
    let total = groups
        .iter()
        .fold(1_u64, |all, &n| all.saturating_mul(u64::from(n)));
    let threads = (limits.threads as u64).min(total / MIN_GROUPS_PER_THREAD);
    if threads < 2
        || total > MAX_GROUPS
        || shared.kernel.depends_on_order()
        || shared.table.has_aliases()
    {
        return Ok(None);
    }
    let is_written = |number: usize| shared.table.is_written(number);
    let sizes = shared.storages.iter().enumerate();
    let sizes = sizes.map(|(number, storage)| {
        if is_written(number) {
            storage.bytes.len()
        } else {
            0
        }
    });
    // A state for each word, and a copy.
    let copies = sizes
        .clone()
        .fold(0, |all: u64, n| all.saturating_add(2 * n as u64));
    if copies > limits.memory / 2 {
        return Ok(None);
    }
    let limits = Limits {
        memory: (limits.memory - copies) / threads,
        ..*limits
    };
    // The contents are kept to start over: a conflict is found only after it has happened.
    let before: Vec<Option<Vec<u32>>> = shared
        .storages
        .iter()
        .enumerate()
        .map(|(number, storage)| is_written(number).then(|| storage.bytes.words()))
        .collect();
    let ownership = Ownership::new(sizes);
    let progress = Progress::default();
    // Groups are handed out by a counter: a thread that is done early takes the next one.
    let next = AtomicU64::new(0);
    let work = || -> Result<(u64, Events)> {
        let shared = Shared {
            ownership: Some(&ownership),
            ..*shared
        };
        let mut budget = Budget::new(&limits, Some((&progress, &ownership)));
        let mut group = Group::new(shared.kernel, &limits)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total
                || ownership.has_conflict()
                || progress.failed.load(Ordering::Relaxed)
            {
                return Ok((budget.taken(), group.events()));
            }
            let [width, height, _] = groups.map(u64::from);
            let id = [
                number % width,
                number / width % height,
                number / (width * height),
            ];
            let ran = group.run(id.map(|n| n as u32), number as u32, &shared, &mut budget);
            ran.inspect_err(|_| progress.failed.store(true, Ordering::Relaxed))?;
        }
    };
    let results: Vec<Result<(u64, Events)>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut results = vec![work()];
        for other in others {
            results.push(match other.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
        }
        results
    });
    let (mut steps, mut events) = (0, Events::default());
    let mut failed = ownership.has_conflict();
    for result in results {
        match result {
            Ok((taken, seen)) => {
                steps += taken;
                events = events.plus(seen);
            }
            Err(error @ Error::Stopped { .. }) => return Err(error),
            // Which group fails first depends on the threads; in order it does not.
            Err(_) => failed = true,
        }
    }
    if failed || steps > limits.steps {
        for (storage, words) in shared.storages.iter().zip(&before) {
            if let Some(words) = words {
                storage.bytes.set_words(words);
            }
        }
        return Ok(None);
    }
    Ok(Some((steps, events)))
}
