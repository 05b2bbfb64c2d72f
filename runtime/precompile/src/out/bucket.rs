//! The cache's entries in a store of objects.
//!
//! ```text
//! PATH/format              what the objects are, so that nothing else is mistaken for a cache
//! PATH/entries/ab/cdef...  one entry each, as in a cache's folder
//! ```
//!
//! Objects are only ever made: a put asks the store to refuse it where the object exists. One that
//! was found to be damaged is replaced, which is atomic. So any number of processes may write at
//! once, and one that dies leaves whole objects.

use std::future::Future;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use dxil_frontend::tables::HashSet;
use dxil_jit::exit::Exit;
use dxil_runtime::cache::{MAX_ENTRY, Remote};
use futures_util::StreamExt as _;
use object_store::path::Path;
use object_store::{
    Error, GetResult, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use super::StoreCounts;
use super::address::Address;
use super::client::{connect, explain, wait_before};
use crate::error::Problem;

/// Contents of the object that says what the others are. It changes with the form of an entry.
const FORMAT: &str = "dxil-jit cache, entries of form dxiljit1\n";
/// Longest time until the store has to have answered once.
const FIRST_ANSWER: Duration = Duration::from_secs(60);
/// Uploads at a time, each of up to a MiB; a larger one counts as several.
const UPLOADS: u32 = 64;
/// After so many failures in a row, with all their tries, the store is given up.
const GIVE_UP: u32 = 8;

/// A store of objects with the entries of a cache.
#[derive(Debug)]
pub struct Bucket {
    runtime: Runtime,
    shared: Arc<Shared>,
    /// What the store has or is being sent, by the first two digits of names; listed when it is
    /// first asked for.
    known: Vec<OnceLock<Mutex<HashSet<u64>>>>,
    uploads: Arc<Semaphore>,
}

/// What uploads have in common with the rest.
#[derive(Debug)]
struct Shared {
    address: Address,
    store: Arc<dyn ObjectStore>,
    path: Path,
    /// Names of damaged objects.
    damaged: Mutex<HashSet<String>>,
    in_a_row: AtomicU32,
    problem: Mutex<Option<String>>,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    read: AtomicU64,
    bytes_read: AtomicU64,
    written: AtomicU64,
    bytes_written: AtomicU64,
    damaged: AtomicU64,
    retries: AtomicU64,
    unread: AtomicU64,
    unwritten: AtomicU64,
}

impl Bucket {
    /// Opens a store, and makes its first object if need be.
    ///
    /// # Errors
    ///
    /// The store cannot be reached or refuses access, or something else than a cache is there.
    pub fn open(address: &Address) -> Result<Self, Problem> {
        let failed = |what: &str| Problem::new(Exit::File, format!("{address}: {what}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("object-store")
            .enable_all()
            .build()
            .map_err(|error| failed(&error.to_string()))?;
        let (store, path) = connect(address).map_err(|error| failed(&explain(&error)))?;
        let shared = Arc::new(Shared {
            address: address.clone(),
            store,
            path,
            damaged: Mutex::default(),
            in_a_row: AtomicU32::new(0),
            problem: Mutex::default(),
            counts: Counts::default(),
        });
        let first = runtime.block_on(async {
            let answer = tokio::time::timeout(FIRST_ANSWER, shared.introduce()).await;
            answer.unwrap_or_else(|_| Err(format!("no answer in {} s", FIRST_ANSWER.as_secs())))
        });
        first.map_err(|what| failed(&what))?;
        Ok(Bucket {
            runtime,
            shared,
            known: (0..256).map(|_| OnceLock::new()).collect(),
            uploads: Arc::new(Semaphore::new(UPLOADS as usize)),
        })
    }

    /// Returns why the store was given up, if it was.
    pub fn given_up(&self) -> Option<Problem> {
        let in_a_row = self.shared.in_a_row.load(Ordering::Relaxed);
        let problem = lock(&self.shared.problem).clone();
        (in_a_row >= GIVE_UP).then(|| {
            let message = format!(
                "{}: given up after {in_a_row} failures in a row: {}",
                self.shared.address,
                problem.unwrap_or_default()
            );
            Problem::new(Exit::File, message)
        })
    }

    /// Waits for all uploads. Returns what was done.
    pub fn finish(&self) -> StoreCounts {
        // All permits are free when no upload is left.
        let all = self.uploads.acquire_many(UPLOADS);
        drop(self.runtime.block_on(all));
        let counts = &self.shared.counts;
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        StoreCounts {
            address: self.shared.address.to_string(),
            read: of(&counts.read),
            bytes_read: of(&counts.bytes_read),
            written: of(&counts.written),
            bytes_written: of(&counts.bytes_written),
            damaged: of(&counts.damaged),
            retries: of(&counts.retries),
            unread: of(&counts.unread),
            unwritten: of(&counts.unwritten),
            problem: lock(&self.shared.problem).clone(),
        }
    }

    /// Returns the short names of the objects that begin with the same two digits as that name.
    fn known(&self, name: &str) -> Option<MutexGuard<'_, HashSet<u64>>> {
        let listed = || Mutex::new(self.runtime.block_on(self.shared.list(&name[..2])));
        Some(lock(self.slot(name)?.get_or_init(listed)))
    }

    fn slot(&self, name: &str) -> Option<&OnceLock<Mutex<HashSet<u64>>>> {
        let first = u8::from_str_radix(name.get(..2)?, 16).ok()?;
        self.known.get(usize::from(first))
    }
}

impl Remote for Bucket {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        if self.given_up().is_some() {
            return None;
        }
        self.runtime.block_on(self.shared.get(name))
    }

    fn has(&self, name: &str) -> bool {
        let is_damaged = lock(&self.shared.damaged).contains(name);
        let known = self.known(name);
        !is_damaged && known.is_some_and(|known| known.contains(&short(name)))
    }

    fn put(&self, name: &str, bytes: Vec<u8>) {
        if self.given_up().is_some() {
            self.shared.add(&self.shared.counts.unwritten, 1);
            return;
        }
        let mib = u32::try_from(bytes.len() >> 20).unwrap_or(UPLOADS);
        let permits = Arc::clone(&self.uploads).acquire_many_owned(mib.clamp(1, UPLOADS));
        // The semaphore is never closed. Waiting for it bounds the memory.
        let Ok(permits) = self.runtime.block_on(permits) else {
            return;
        };
        // So that it is not sent again for each pipeline that has it.
        if let Some(known) = self.slot(name).and_then(OnceLock::get) {
            lock(known).insert(short(name));
        }
        let (shared, name) = (Arc::clone(&self.shared), name.to_owned());
        self.runtime.spawn(async move {
            shared.put(&name, bytes).await;
            drop(permits);
        });
    }

    fn discard(&self, name: &str) {
        self.shared.add(&self.shared.counts.damaged, 1);
        lock(&self.shared.damaged).insert(name.to_owned());
    }
}

impl Shared {
    fn add(&self, count: &AtomicU64, number: u64) {
        count.fetch_add(number, Ordering::Relaxed);
    }

    fn object(&self, name: &str) -> Path {
        let (first, rest) = name.split_at_checked(2).unwrap_or((name, ""));
        self.path.clone().join("entries").join(first).join(rest)
    }

    /// Does something until it succeeds, or fails in a way that other tries do not mend.
    async fn again<T, F: Future<Output = object_store::Result<T>>>(
        &self,
        name: &str,
        mut request: impl FnMut() -> F,
    ) -> object_store::Result<T> {
        let mut attempt = 0;
        loop {
            let error = match request().await {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            let Some(wait) = wait_before(attempt, name, &error) else {
                return Err(error);
            };
            log::debug!("{}: {name}: {error}; again in {wait:?}", self.address);
            self.add(&self.counts.retries, 1);
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }

    /// Finds out whether the store can be used, and whether it holds a cache.
    async fn introduce(&self) -> Result<(), String> {
        let object = self.path.clone().join("format");
        let there = self
            .again("format", || async {
                let result = self.store.get(&object).await?;
                body(result, 4096).await
            })
            .await;
        match there {
            Ok(Some(bytes)) if bytes == FORMAT.as_bytes() => return Ok(()),
            Ok(_) => {
                return Err(
                    "something else than a cache of this version is there: its object `format` \
                     has other contents; choose another path"
                        .into(),
                );
            }
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(explain(&error)),
        }
        let made = self
            .again("format", || self.create(&object, PutPayload::from(FORMAT)))
            .await;
        match made {
            Ok(()) | Err(Error::AlreadyExists { .. }) => Ok(()),
            Err(error) => Err(explain(&error)),
        }
    }

    /// Makes an object that is not there.
    async fn create(&self, object: &Path, payload: PutPayload) -> object_store::Result<()> {
        let options = PutOptions::from(PutMode::Create);
        match self.store.put_opts(object, payload.clone(), options).await {
            // Stores without conditions: what would be overwritten is equivalent.
            Err(Error::NotImplemented { .. } | Error::NotSupported { .. }) => {
                self.store.put(object, payload).await.map(|_| ())
            }
            other => other.map(|_| ()),
        }
    }

    async fn get(&self, name: &str) -> Option<Vec<u8>> {
        let object = self.object(name);
        let read = self
            .again(name, || async {
                let result = self.store.get(&object).await?;
                body(result, MAX_ENTRY).await
            })
            .await;
        match read {
            Ok(bytes) => {
                self.in_a_row.store(0, Ordering::Relaxed);
                self.add(&self.counts.read, 1);
                // An object beyond the limit is none of ours: no bytes are a damaged entry.
                let bytes = bytes.unwrap_or_default();
                self.add(&self.counts.bytes_read, bytes.len() as u64);
                Some(bytes)
            }
            Err(Error::NotFound { .. }) => {
                self.in_a_row.store(0, Ordering::Relaxed);
                None
            }
            Err(error) => {
                self.failed(&self.counts.unread, &error);
                None
            }
        }
    }

    async fn put(&self, name: &str, bytes: Vec<u8>) {
        let object = self.object(name);
        let (length, payload) = (bytes.len() as u64, PutPayload::from(bytes));
        let replaces = lock(&self.damaged).contains(name);
        let put = self
            .again(name, || async {
                if replaces {
                    self.store.put(&object, payload.clone()).await.map(|_| ())
                } else {
                    self.create(&object, payload.clone()).await
                }
            })
            .await;
        match put {
            Ok(()) => {
                self.add(&self.counts.written, 1);
                self.add(&self.counts.bytes_written, length);
                lock(&self.damaged).remove(name);
            }
            // Another writer was faster, or the answer to an earlier try was lost.
            Err(Error::AlreadyExists { .. }) => {}
            Err(error) => return self.failed(&self.counts.unwritten, &error),
        }
        self.in_a_row.store(0, Ordering::Relaxed);
    }

    /// Lists the objects whose names begin with two digits. One that is not listed is written
    /// again, which does no harm.
    async fn list(&self, first: &str) -> HashSet<u64> {
        let folder = self.path.clone().join("entries").join(first);
        let listed = self
            .again(first, || async {
                let mut names = HashSet::default();
                let mut objects = self.store.list(Some(&folder));
                while let Some(object) = objects.next().await {
                    let object = object?.location;
                    if let Some(rest) = object.filename() {
                        names.insert(short(&format!("{first}{rest}")));
                    }
                }
                Ok(names)
            })
            .await;
        listed.unwrap_or_else(|error| {
            log::debug!("{}: {folder}: {error}", self.address);
            HashSet::default()
        })
    }

    fn failed(&self, count: &AtomicU64, error: &Error) {
        self.add(count, 1);
        self.in_a_row.fetch_add(1, Ordering::Relaxed);
        let what = explain(error);
        let mut problem = lock(&self.problem);
        if problem.is_none() {
            log::warn!("{}: {what}", self.address);
            *problem = Some(what);
        }
    }
}

/// Returns the bytes of an object of at most so many; none of a larger one.
async fn body(result: GetResult, most: u64) -> object_store::Result<Option<Vec<u8>>> {
    if result.meta.size > most {
        return Ok(None);
    }
    // What the store says decides how much is allocated, and not how much is taken.
    let mut bytes = Vec::with_capacity(usize::try_from(result.meta.size).unwrap_or(0));
    let mut chunks = result.into_stream();
    while let Some(chunk) = chunks.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() as u64 > most {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// Returns 64 bits of a name, which are enough to tell the names of a store apart.
fn short(name: &str) -> u64 {
    let digits = name.get(2..18).unwrap_or_default();
    u64::from_str_radix(digits, 16).unwrap_or(0)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No thread panics while it has one of these.
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}
