//! Hash tables for keys that a file chooses: names, numbers, types, operands.
//!
//! The hash function is keyed with random numbers of the process. Who writes a file does not know
//! them, and so cannot write keys that collide, with which every lookup would search all of them.
//!
//! The order of a table differs from process to process. No output may depend on it: tables are
//! searched, and iterated over only where the order does not count (`clippy.toml` names the
//! methods).

use std::hash::BuildHasher;
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;

/// A map from keys that a file may choose; `HashMap::default()` makes an empty one.
#[expect(clippy::disallowed_types, reason = "this one has a seed")]
pub type HashMap<K, V> = std::collections::HashMap<K, V, Seeded>;

/// A set of keys that a file may choose; `HashSet::default()` makes an empty one.
#[expect(clippy::disallowed_types, reason = "this one has a seed")]
pub type HashSet<K> = std::collections::HashSet<K, Seeded>;

/// Makes hashers that start from the seed of the process.
#[derive(Debug, Clone, Copy)]
pub struct Seeded(&'static Seed);

#[derive(Debug)]
struct Seed {
    start: u64,
    shared: SharedSeed,
}

impl Seed {
    fn new(start: u64, shared: u64) -> Seed {
        Seed {
            start,
            shared: SharedSeed::from_u64(shared),
        }
    }
}

impl Seeded {
    /// Returns a state with a known seed: for tests that compare what different seeds give. It
    /// keeps its seed (56 bytes) for as long as the process lives. Numbers without bits, and with
    /// all of them, are no seeds: multiplying by them mixes nothing.
    #[cfg(any(test, feature = "oracle"))]
    #[doc(hidden)]
    pub fn with_seed(seed: u64) -> Seeded {
        Seeded(Box::leak(Box::new(Seed::new(seed, seed.rotate_left(32)))))
    }
}

impl Default for Seeded {
    #[inline]
    fn default() -> Seeded {
        static SEED: OnceLock<Seed> = OnceLock::new();
        Seeded(SEED.get_or_init(|| {
            let [start, shared] = random_words();
            Seed::new(start, shared)
        }))
    }
}

impl BuildHasher for Seeded {
    type Hasher = FoldHasher<'static>;

    #[inline]
    fn build_hasher(&self) -> FoldHasher<'static> {
        FoldHasher::with_seed(self.0.start, &self.0.shared)
    }
}

/// Returns random words of the operating system, from which the standard library seeds its tables:
/// the one place that uses its random state.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[expect(clippy::disallowed_types, reason = "the source of the seed")]
fn random_words() -> [u64; 2] {
    let state = std::hash::RandomState::new();
    [state.hash_one(0_u8), state.hash_one(1_u8)]
}

/// Returns random words of the host: there is no operating system, and the standard library uses
/// constants. Who builds the program chooses the host's function by a backend of `getrandom`, and
/// it does not build without one.
///
/// # Panics
///
/// If the host has no random numbers: without them, whoever writes a file decides how long its
/// translation takes.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[expect(clippy::expect_used, reason = "a host without what it was built for")]
fn random_words() -> [u64; 2] {
    [0, 1].map(|_| getrandom::u64().expect("random numbers of the host"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::hash::{Hash, Hasher};

    use super::*;

    /// A key that counts how often it is compared.
    struct Counted<'a>(&'a str, &'a Cell<usize>);

    impl PartialEq for Counted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted<'_> {}

    impl Hash for Counted<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    /// Returns the number of comparisons while a map of these names is filled, which are all
    /// different, and while all are looked up.
    fn comparisons(names: &[String], state: impl BuildHasher) -> usize {
        let count = Cell::new(0);
        #[expect(
            clippy::disallowed_types,
            clippy::mutable_key_type,
            reason = "its hasher is a parameter, and its keys count without changing their hash"
        )]
        let mut map = std::collections::HashMap::with_hasher(state);
        for name in names {
            assert!(map.insert(Counted(name, &count), ()).is_none());
        }
        for name in names {
            assert!(map.contains_key(&Counted(name, &count)));
        }
        count.get()
    }

    /// The hash of strings of 33 to 48 bytes that rustc-hash 2 computes, whose constants are known
    /// to everybody.
    #[derive(Default)]
    struct Unseeded(u64);

    const MULTIPLIERS: [u64; 3] = [
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7344,
        0xa409_3822_299f_31d0,
    ];

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the two halves of the product are combined"
    )]
    fn multiply_mix(x: u64, y: u64) -> u64 {
        let product = u128::from(x) * u128::from(y);
        (product ^ (product >> 64)) as u64
    }

    fn word(bytes: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    impl Hasher for Unseeded {
        fn write(&mut self, bytes: &[u8]) {
            // The byte that ends a string.
            if bytes == [0xff] {
                return;
            }
            assert!((33..=48).contains(&bytes.len()), "{bytes:?}");
            let [mut first, mut second, last] = MULTIPLIERS;
            for at in (0..bytes.len() - 16).step_by(16) {
                let mixed = multiply_mix(first ^ word(bytes, at), last ^ word(bytes, at + 8));
                (first, second) = (second, mixed);
            }
            first ^= word(bytes, bytes.len() - 16);
            second ^= word(bytes, bytes.len() - 8);
            self.0 = multiply_mix(first, second) ^ bytes.len() as u64;
        }

        fn finish(&self) -> u64 {
            self.0.rotate_left(26)
        }
    }

    /// Returns names of 48 bytes. With a tail, their last 16 bytes begin with the mix of their
    /// first 16 bytes, which cancels it: all have one hash.
    fn names(count: usize, collide: bool) -> Vec<String> {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
        let mut random = crate::oracle::Random::new(1);
        let mut text = |bytes: usize| -> Vec<u8> {
            let letter = |_| letters[random.below(letters.len())];
            (0..bytes).map(letter).collect()
        };
        let [first, _, last] = MULTIPLIERS;
        let (head, tail) = loop {
            let head = text(16);
            let mixed = multiply_mix(first ^ word(&head, 0), last ^ word(&head, 8)).to_le_bytes();
            if mixed.iter().all(|byte| letters.contains(byte)) {
                break (head, mixed.to_vec());
            }
        };
        let name = |_| {
            let tail = if collide { tail.clone() } else { text(8) };
            let parts = [head.clone(), text(16), tail, b"z@@YAXXZ".to_vec()];
            String::from_utf8(parts.concat()).unwrap()
        };
        (0..count).map(name).collect()
    }

    #[test]
    fn names_that_collide_in_an_unseeded_hash_do_not_collide_here() {
        const COUNT: usize = 2000;
        let colliding = names(COUNT, true);
        // The names are what they are meant to be: each is compared with all before it.
        let unseeded = comparisons(
            &colliding,
            std::hash::BuildHasherDefault::<Unseeded>::default(),
        );
        assert!(unseeded > COUNT * (COUNT - 1) / 2, "{unseeded}");
        // A lookup that succeeds compares once. Seven bits of hashes decide whether keys of one
        // group of slots are compared, so that about a tenth of the searches compares once more.
        for state in [
            Seeded::default(),
            Seeded::with_seed(1),
            Seeded::with_seed(0x5555_7000_1234),
        ] {
            for names in [&colliding, &names(COUNT, false)] {
                let count = comparisons(names, state);
                assert!((COUNT..COUNT * 2).contains(&count), "{state:?}: {count}");
            }
        }
    }

    #[test]
    fn small_numbers_and_multiples_of_powers_of_two_do_not_collide() {
        for shift in 0..16 {
            let numbers = (0..4096_u32).map(|number| number << shift);
            let low: HashSet<u64> = numbers
                .map(|number| Seeded::default().hash_one(number) & 4095)
                .collect();
            // Of 4096 balls thrown at random, 63 % of 4096 bins have one: 2589, give or take 25.
            assert!(low.len() > 2300, "{}", low.len());
        }
    }

    #[test]
    fn the_seed_is_one_for_the_process_and_decides_the_hash() {
        let hash = |state: Seeded| state.hash_one("main");
        let other = std::thread::spawn(move || hash(Seeded::default())).join();
        assert_eq!(other.unwrap(), hash(Seeded::default()));
        assert_ne!(hash(Seeded::with_seed(1)), hash(Seeded::with_seed(2)));
    }
}
