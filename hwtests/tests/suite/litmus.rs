//! Litmus tests of the memory model: two threads of different groups, or of a group, with a barrier
//! between their accesses (D3D11.3 functional specification, 7.14.4 "Global vs Group/Local
//! Coherency on Non-Atomic UAV Reads"; HLSL reference, "DeviceMemoryBarrier": all accesses before
//! the barrier have been completed after it). Each case counts what no order of the accesses
//! explains.

use dxil_hwtests::rows;

/// Pairs of groups of 64 threads.
const PAIRS: usize = 32;
/// Places that two threads share.
const PLACES: usize = PAIRS * 64;

/// Returns an error if a place saw what must not be.
fn never<T: std::fmt::Debug>(
    seen: &[T],
    is_forbidden: impl Fn(usize, &T) -> bool,
) -> Result<(), String> {
    let places = seen.iter().enumerate();
    let wrong: Vec<_> = places
        .filter(|&(place, seen)| is_forbidden(place, seen))
        .collect();
    match wrong.first() {
        None => Ok(()),
        Some((place, seen)) => Err(format!(
            "{} of the places saw an order that does not exist, {place} first: {seen:?}",
            wrong.len()
        )),
    }
}

gpu_case!(
    who_sees_the_flag_sees_the_data,
    "litmus/message_passing",
    |t| {
        t.groups(2 * PAIRS as u32, 1, 1);
        t.update(
            "u0",
            &[0u32; PLACES],
            rows(PLACES, |place| place as u32 + 1),
        );
        t.update("u1", &[0u32; PLACES], vec![1u32; PLACES]);
        t.expect_that("u2", PLACES, |seen: &[[u32; 2]]| {
            never(seen, |place, &[flag, data]| {
                let is_known = flag <= 1 && (data == 0 || data == place as u32 + 1);
                !is_known || flag == 1 && data == 0
            })
        });
    }
);

gpu_case!(
    one_of_two_writers_sees_the_other,
    "litmus/store_buffering",
    |t| {
        t.groups(2 * PAIRS as u32, 1, 1);
        t.update("u0", &[0u32; PLACES], vec![1u32; PLACES]);
        t.update("u1", &[0u32; PLACES], vec![1u32; PLACES]);
        t.expect_that("u2", PLACES, |seen: &[[u32; 2]]| {
            never(seen, |_, seen| {
                *seen == [0, 0] || seen.iter().any(|&seen| seen > 1)
            })
        });
    }
);

gpu_case!(
    nobody_reads_what_follows_from_it,
    "litmus/load_buffering",
    |t| {
        t.groups(2 * PAIRS as u32, 1, 1);
        t.update("u0", &[0u32; PLACES], vec![1u32; PLACES]);
        t.update("u1", &[0u32; PLACES], vec![1u32; PLACES]);
        t.expect_that("u2", PLACES, |seen: &[[u32; 2]]| {
            never(seen, |_, seen| {
                *seen == [1, 1] || seen.iter().any(|&seen| seen > 1)
            })
        });
    }
);

gpu_case!(reads_of_a_place_never_go_back, "litmus/coherence", |t| {
    t.groups(2 * PAIRS as u32, 1, 1);
    t.update("u0", &[0u32; PLACES], vec![3u32; PLACES]);
    t.expect_that("u1", PLACES, |seen: &[[u32; 3]]| {
        never(seen, |_, seen| {
            !seen.is_sorted() || seen.iter().any(|&seen| seen > 3)
        })
    });
});

gpu_case!(
    barriers_order_the_memory_that_they_name,
    "litmus/barriers_by_scope",
    |t| {
        const GROUPS: usize = 8;
        t.groups(GROUPS as u32, 1, 1);
        let mut ring = Vec::new();
        let mut results = Vec::new();
        for group in 0..GROUPS as u32 {
            let next = |values: &[u32], more: u32| -> Vec<u32> {
                (0..64)
                    .map(|thread| values[(thread + 1) % 64] + more)
                    .collect()
            };
            let mut values: Vec<u32> = (0..64).map(|thread| thread * 7 + group).collect();
            let mut written = Vec::new();
            for _ in 0..5 {
                written = next(&values, 1);
                values = next(&written, 10);
            }
            ring.extend(written);
            results.extend(values);
        }
        t.expect("u0", ring);
        t.expect("u1", results);
    }
);

gpu_case!(
    who_sees_the_flag_in_a_group_sees_the_data,
    "litmus/group_message_passing",
    |t| {
        t.groups(PAIRS as u32, 1, 1);
        t.expect_that("u0", PLACES, |seen: &[[u32; 2]]| {
            never(seen, |place, &[flag, data]| {
                let is_known = flag <= 1 && (data == 0 || data == place as u32 % 64 + 1);
                !is_known || flag == 1 && data == 0
            })
        });
    }
);
