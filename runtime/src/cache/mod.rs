//! Translations and pipelines that outlive the process.
//!
//! A translation is found by the container's bytes, all of the translator's [`Options`] (the
//! binding map and the target among them) and [`TRANSLATOR_VERSION`]; a pipeline by the SPIR-V, the
//! layout, the state, and the device with its driver. Neither can be stale, so nothing is ever
//! invalidated: what is not used any more is evicted. Each pipeline has a `VkPipelineCache` of its
//! own: then processes never have to merge theirs, and eviction works.

#[cfg(feature = "vulkan")]
pub(crate) mod pipeline_key;
mod remote;
mod store;
mod trust;
mod turns;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use dxil_frontend::dxil::Shader;
use dxil_translate::structurize::Statistics as Structure;
use dxil_translate::{Interface, Options, TRANSLATOR_VERSION, Translation, Warning, translate};

pub use remote::Remote;
pub use store::{Key, MAX_ENTRY, Store};
use turns::Turns;

/// Bytes that a cache may take on disk unless its opener says otherwise.
pub const DEFAULT_LIMIT: u64 = 256 << 20;

/// Hash of the bytes that a shader was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceHash([u8; 32]);

impl SourceHash {
    /// Returns the hash of a container or of bare bitcode.
    pub fn of(bytes: &[u8]) -> Self {
        SourceHash(*blake3::hash(bytes).as_bytes())
    }

    /// Returns the hash of several containers that are linked in this order.
    pub fn of_sources(sources: &[SourceHash]) -> Self {
        // Another derivation context than for a single container, so that the two kinds of hash
        // never meet.
        let mut all = blake3::Hasher::new_derive_key("dxil-jit linked containers");
        for source in sources {
            all.update(&source.0);
        }
        SourceHash(*all.finalize().as_bytes())
    }
}

/// A cache, and the bytes that the stages of a program came from.
#[derive(Debug, Clone)]
pub struct Cached {
    /// The cache.
    pub cache: Arc<Cache>,
    /// One per stage, in the stages' order. A stage without one is translated each time.
    pub sources: Vec<SourceHash>,
}

/// The use of a cache by this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Translations that were there.
    pub translations_found: u64,
    /// Translations that had to be made.
    pub translations_made: u64,
    /// Time that the found ones took when they were made, less what finding them took.
    pub translation_time_saved: Duration,
    /// Pipelines that the driver got its own data for.
    pub pipelines_found: u64,
    /// Pipelines that had to be made without.
    pub pipelines_made: u64,
    /// Time that the found ones took when they were first made, less what they took now.
    pub pipeline_time_saved: Duration,
}

#[derive(Default)]
struct Counts {
    found: AtomicU64,
    made: AtomicU64,
    saved_nanoseconds: AtomicU64,
}

impl Counts {
    fn found(&self, first: u64, now: Duration) {
        self.found.fetch_add(1, Ordering::Relaxed);
        // Saturating: finding an entry may take longer than making it did.
        let saved = first.saturating_sub(nanoseconds(now));
        self.saved_nanoseconds.fetch_add(saved, Ordering::Relaxed);
    }

    fn made(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    fn saved(&self) -> Duration {
        Duration::from_nanos(self.saved_nanoseconds.load(Ordering::Relaxed))
    }
}

/// A cache on disk. Any number of threads and processes may use one folder at once.
///
/// Nothing that goes wrong in it is an error for its user: the work is done anew, and the log says
/// why.
pub struct Cache {
    store: Store,
    translations: Counts,
    pipelines: Counts,
    /// The log knows that entries cannot be kept.
    told: AtomicBool,
    /// Translations that threads of this process are making.
    turns: Turns,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cache").field(&self.store.folder()).finish()
    }
}

impl Cache {
    /// Opens the cache in a folder, which is made if need be (mode 0700); `limit` is in bytes.
    ///
    /// # Errors
    ///
    /// Fails where the folder cannot be made, and where another user owns it or may write to it:
    /// what is in a cache goes to the driver.
    pub fn open(folder: &Path, limit: u64) -> io::Result<Self> {
        Ok(Cache::of(Store::open(folder, limit)?))
    }

    /// Opens the cache in a folder as [`Cache::open`] does, in front of a store that machines
    /// share: what the folder lacks is looked for there, and what is made goes there too.
    ///
    /// # Errors
    ///
    /// As [`Cache::open`].
    pub fn open_shared(folder: &Path, limit: u64, remote: Arc<dyn Remote>) -> io::Result<Self> {
        Ok(Cache::of(Store::open(folder, limit)?.with_remote(remote)))
    }

    fn of(store: Store) -> Self {
        Cache {
            store,
            translations: Counts::default(),
            pipelines: Counts::default(),
            told: AtomicBool::new(false),
            turns: Turns::default(),
        }
    }

    /// Returns the folder of the user's caches: `$XDG_CACHE_HOME/dxil-jit` or `~/.cache/dxil-jit`
    /// (`%LOCALAPPDATA%\dxil-jit` on Windows).
    pub fn default_folder() -> Option<PathBuf> {
        let variable = |name| {
            let path = PathBuf::from(std::env::var_os(name)?);
            // The XDG specification asks to ignore relative paths.
            path.is_absolute().then_some(path)
        };
        let caches = if cfg!(windows) {
            variable("LOCALAPPDATA")
        } else {
            variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))
        };
        Some(caches?.join("dxil-jit"))
    }

    /// Returns the statistics of the cache in this process.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            translations_found: self.translations.found.load(Ordering::Relaxed),
            translations_made: self.translations.made.load(Ordering::Relaxed),
            translation_time_saved: self.translations.saved(),
            pipelines_found: self.pipelines.found.load(Ordering::Relaxed),
            pipelines_made: self.pipelines.made.load(Ordering::Relaxed),
            pipeline_time_saved: self.pipelines.saved(),
        }
    }

    /// Returns a translation from the cache, or translates the shader and keeps the result. Of
    /// several threads that want the same one, the first makes it and the others wait.
    ///
    /// # Errors
    ///
    /// As [`dxil_translate::translate`]. Errors are not kept.
    pub fn translate(
        &self,
        source: SourceHash,
        shader: &Shader,
        options: &Options,
    ) -> dxil_translate::Result<Translation> {
        let key = translation_key(source, options);
        if let Some(translation) = self.translation(&key) {
            return Ok(translation);
        }
        let turn = self.turns.take(key);
        if turn.has_waited
            && let Some(translation) = self.translation(&key)
        {
            return Ok(translation);
        }
        let start = Instant::now();
        let translation = translate(shader, options)?;
        let took = nanoseconds(start.elapsed());
        self.translations.made();
        if let Some(payload) = encode_translation(took, &translation) {
            self.keep(&key, &payload);
        }
        Ok(translation)
    }

    /// Returns a translation if the cache has it, and makes none.
    pub fn find(&self, source: SourceHash, options: &Options) -> Option<Translation> {
        self.translation(&translation_key(source, options))
    }

    fn translation(&self, key: &Key) -> Option<Translation> {
        let start = Instant::now();
        let (first, translation) = decode_translation(&self.store.get(key)?)?;
        self.translations.found(first, start.elapsed());
        Some(translation)
    }

    /// Returns the driver's data for a pipeline, with the time that the pipeline took without it.
    pub(crate) fn pipeline(&self, key: &Key) -> Option<(u64, Vec<u8>)> {
        let mut payload = self.store.get(key)?;
        let first = u64::from_le_bytes(*payload.first_chunk()?);
        payload.drain(..8);
        Some((first, payload))
    }

    /// Notes that a pipeline was made from the driver's data.
    pub(crate) fn pipeline_found(&self, first: u64, now: Duration) {
        self.pipelines.found(first, now);
    }

    /// Keeps the driver's data for a pipeline that was made without.
    pub(crate) fn keep_pipeline(&self, key: &Key, took: Duration, data: &[u8]) {
        self.pipelines.made();
        let mut payload = nanoseconds(took).to_le_bytes().to_vec();
        payload.extend_from_slice(data);
        self.keep(key, &payload);
    }

    fn keep(&self, key: &Key, payload: &[u8]) {
        if let Err(error) = self.store.put(key, payload) {
            // A full disk stays full for the next ones: once is enough.
            let level = if self.told.swap(true, Ordering::Relaxed) {
                log::Level::Debug
            } else {
                log::Level::Warn
            };
            log::log!(level, "cache: {}: {error}", self.store.folder().display());
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Adapts a cryptographic hash to derived `Hash` implementations, whose output is otherwise 64
/// bits: keys must not collide.
struct Feed(blake3::Hasher);

impl Hasher for Feed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let hash = self.0.finalize();
        hash.as_bytes()
            .first_chunk()
            .map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

fn translation_key(source: SourceHash, options: &Options) -> Key {
    let mut feed = Feed(blake3::Hasher::new_derive_key("dxil-jit translation"));
    TRANSLATOR_VERSION.hash(&mut feed);
    source.hash(&mut feed);
    // Measuring the steps does not change the module, so both share an entry.
    if options.timings {
        let mut options = options.clone();
        options.timings = false;
        options.hash(&mut feed);
    } else {
        options.hash(&mut feed)
    }
    Key::of(&feed.0)
}

/// Encodes a translation: time, length of the reflection, reflection, words.
pub(crate) fn encode_translation(took: u64, translation: &Translation) -> Option<Vec<u8>> {
    let reflection = (
        &translation.interface,
        &translation.structure,
        &translation.warnings,
    );
    let reflection = postcard::to_allocvec(&reflection)
        .inspect_err(|error| log::warn!("cache: a reflection cannot be kept: {error}"))
        .ok()?;
    let mut payload = Vec::with_capacity(12 + reflection.len() + translation.words.len() * 4);
    payload.extend_from_slice(&took.to_le_bytes());
    payload.extend_from_slice(&u32::try_from(reflection.len()).ok()?.to_le_bytes());
    payload.extend_from_slice(&reflection);
    payload.extend(translation.words.iter().flat_map(|word| word.to_le_bytes()));
    Some(payload)
}

/// Reads the bytes of an entry after those of its key. Returns whether they are a translation.
#[cfg(feature = "oracle")]
pub(crate) fn read_entry(bytes: &[u8]) -> bool {
    let Some((key, entry)) = bytes.split_first_chunk() else {
        return false;
    };
    // The checksum keeps damaged bytes away from the decoder. This is a fuzz target, so they go
    // there as well.
    let sound = store::payload_of(&Key::from_bytes(*key), entry.to_vec());
    let payload = sound.as_deref().unwrap_or(entry);
    decode_translation(payload).is_some_and(|(_, translation)| is_module(&translation.words))
}

/// Returns whether words have the form of a SPIR-V module: a header, and instructions that fill the
/// rest.
fn is_module(words: &[u32]) -> bool {
    const MAGIC: u32 = 0x0723_0203;
    let Some(([MAGIC, _version, _generator, _bound, 0], mut rest)) = words.split_first_chunk()
    else {
        return false;
    };
    while let Some(first) = rest.first() {
        let length = (first >> 16) as usize;
        match rest.split_at_checked(length) {
            Some((_, behind)) if length > 0 => rest = behind,
            _ => return false,
        }
    }
    true
}

fn decode_translation(payload: &[u8]) -> Option<(u64, Translation)> {
    let (took, rest) = payload.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (reflection, words) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (interface, structure, warnings): (Interface, Structure, Vec<Warning>) =
        postcard::from_bytes(reflection).ok()?;
    let (words, []) = words.as_chunks() else {
        return None;
    };
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    // A last check of the form: what is returned here goes to a driver.
    if !is_module(&words) {
        return None;
    }
    let translation = Translation {
        words,
        interface,
        structure,
        warnings,
        timings: None,
    };
    Some((u64::from_le_bytes(*took), translation))
}

#[cfg(test)]
mod tests {
    use super::is_module;

    #[test]
    fn a_module_is_a_header_and_whole_instructions() {
        let good = [
            0x0723_0203,
            0x1_0300,
            0,
            5,
            0,
            2 << 16 | 17,
            1,
            1 << 16 | 56,
        ];
        assert!(is_module(&good));
        assert!(is_module(&good[..5]), "no instruction");
        assert!(!is_module(&good[..6]), "half an instruction");
        assert!(!is_module(&good[..4]), "half a header");
        assert!(!is_module(&[]));
        for (at, wrong) in [(0, 0), (4, 1), (5, 17), (5, 9 << 16)] {
            let mut bad = good;
            bad[at] = wrong;
            assert!(!is_module(&bad), "{at}");
        }
    }
}
