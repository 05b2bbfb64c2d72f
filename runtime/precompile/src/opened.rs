//! The cache that the arguments name, open.

use std::path::Path;
#[cfg(feature = "object-store")]
use std::path::PathBuf;
use std::sync::Arc;

use dxil_jit::exit::Exit;
use dxil_precompile::error::Problem;
#[cfg(feature = "object-store")]
use dxil_precompile::out::Bucket;
use dxil_precompile::out::{Address, Out, StoreCounts};
use dxil_runtime::cache::{Cache, Store};

use crate::args::Args;

/// Bytes that a cache may take where nobody says: libraries of games are larger than what one
/// person's runs leave.
const DEFAULT_LIMIT: u64 = 4 << 30;
/// Threads that wait for a store, at least.
#[cfg(feature = "object-store")]
const WAITING_THREADS: usize = 16;

/// The cache, and the store in the background.
pub(crate) struct Opened {
    /// The cache.
    pub(crate) cache: Arc<Cache>,
    #[cfg(feature = "object-store")]
    bucket: Option<Arc<Bucket>>,
}

impl Opened {
    /// Opens the cache of `--out`.
    ///
    /// # Errors
    ///
    /// The folder or the store cannot be used.
    pub(crate) fn new(args: &Args) -> Result<Self, Problem> {
        match (&args.out, &args.local) {
            (Some(Out::Store(address)), local) => Self::store(args, address, local.as_deref()),
            (_, Some(_)) => Err(Problem::new(
                Exit::Usage,
                "--local is for caches in a store: --out FOLDER is the folder",
            )),
            (Some(Out::Folder(folder)), None) => Self::folder(args, folder),
            (None, None) => {
                let folder = Cache::default_folder().ok_or_else(|| no_folder("--out"))?;
                Self::folder(args, &folder)
            }
        }
    }

    fn folder(args: &Args, folder: &Path) -> Result<Self, Problem> {
        let failed = |error: std::io::Error| Problem::file(folder, &error);
        let limit = limit(args, folder)?;
        let cache = Cache::open(folder, limit).map_err(failed)?;
        Ok(Opened {
            cache: Arc::new(cache),
            #[cfg(feature = "object-store")]
            bucket: None,
        })
    }

    #[cfg(feature = "object-store")]
    fn store(args: &Args, address: &Address, local: Option<&Path>) -> Result<Self, Problem> {
        let folder = match local {
            Some(local) => local.to_owned(),
            None => local_folder(address)?,
        };
        let bucket = Arc::new(Bucket::open(address)?);
        let limit = limit(args, &folder)?;
        let cache = Cache::open_shared(&folder, limit, Arc::<Bucket>::clone(&bucket) as _)
            .map_err(|error| Problem::file(&folder, &error))?;
        Ok(Opened {
            cache: Arc::new(cache),
            bucket: Some(bucket),
        })
    }

    #[cfg(not(feature = "object-store"))]
    fn store(_: &Args, address: &Address, _: Option<&Path>) -> Result<Self, Problem> {
        Err(Problem::unsupported(format!(
            "{address}: this program was built without stores of objects; build it with \
             `cargo install --path runtime/precompile --features object-store`"
        )))
    }

    /// Returns how many threads work unless somebody says.
    pub(crate) fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        #[cfg(feature = "object-store")]
        if self.bucket.is_some() {
            return (cores * 4).max(WAITING_THREADS);
        }
        cores
    }

    /// Returns why the store was given up, if it was.
    pub(crate) fn given_up(&self) -> Option<Problem> {
        #[cfg(feature = "object-store")]
        return self.bucket.as_ref()?.given_up();
        #[cfg(not(feature = "object-store"))]
        None
    }

    /// Waits until the store has everything. Returns what was done with it, if there is one.
    ///
    /// # Errors
    ///
    /// The store was given up.
    pub(crate) fn finish(&self) -> Result<Option<StoreCounts>, Problem> {
        #[cfg(feature = "object-store")]
        if let Some(bucket) = &self.bucket {
            let counts = bucket.finish();
            return match bucket.given_up() {
                Some(problem) => Err(problem),
                None => Ok(Some(counts)),
            };
        }
        Ok(None)
    }
}

/// Returns the folder in front of a store: one for each, so that evicting from one costs no other.
#[cfg(feature = "object-store")]
fn local_folder(address: &Address) -> Result<PathBuf, Problem> {
    let caches = Cache::default_folder().ok_or_else(|| no_folder("--local"))?;
    let name = blake3::hash(address.to_string().as_bytes()).to_hex();
    Ok(caches.join("stores").join(&name[..16]))
}

fn no_folder(option: &str) -> Problem {
    let message = format!("there is no folder for caches: give {option} FOLDER");
    Problem::new(Exit::Usage, message)
}

/// Returns the limit of a cache's folder, and writes it there: programs that open the folder with
/// a lower limit must not evict what is made here.
fn limit(args: &Args, folder: &Path) -> Result<u64, Problem> {
    let failed = |error: std::io::Error| Problem::file(folder, &error);
    let chosen = args.limit.or(Store::limit_of(folder).map_err(failed)?);
    let limit = chosen.unwrap_or(DEFAULT_LIMIT);
    Store::set_limit(folder, limit).map_err(failed)?;
    Ok(limit)
}
