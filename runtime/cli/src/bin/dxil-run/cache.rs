//! `--cache` and `--no-cache`.

use std::sync::Arc;

use dxil_runtime::cache::{Cache, Cached, DEFAULT_LIMIT, SourceHash, Statistics};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::times::show_time;

/// Returns the cache that the user wants. A default folder that cannot be used is not a reason to
/// fail.
pub(crate) fn open(args: &Args) -> Result<Option<Arc<Cache>>> {
    if args.no_cache {
        return Ok(None);
    }
    if let Some(folder) = &args.cache {
        return Cache::open(folder, DEFAULT_LIMIT)
            .map(|cache| Some(Arc::new(cache)))
            .map_err(|error| Failure::file(folder, &error));
    }
    let Some(folder) = Cache::default_folder() else {
        return Ok(None);
    };
    let cache = Cache::open(&folder, DEFAULT_LIMIT).inspect_err(|error| {
        // A warning is for what the user can change; a home that is read-only is not.
        let level = if error.to_string().contains("chmod") {
            log::Level::Warn
        } else {
            log::Level::Info
        };
        log::log!(level, "no cache: {error}");
    });
    Ok(cache.ok().map(Arc::new))
}

/// Returns the cache and what the stages were read from.
pub(crate) fn cached(cache: Option<&Arc<Cache>>, sources: &[SourceHash]) -> Option<Cached> {
    Some(Cached {
        cache: Arc::clone(cache?),
        sources: sources.to_vec(),
    })
}

/// Returns one line about the use of the cache.
pub(crate) fn describe(statistics: &Statistics) -> String {
    let part = |what: &str, found: u64, made: u64, saved| {
        let saved = match found {
            0 => String::new(),
            _ => format!(" (saved {})", show_time(saved)),
        };
        format!("{what} {found} found{saved}, {made} made")
    };
    let s = statistics;
    format!(
        "cache: {}; {}",
        part(
            "translations",
            s.translations_found,
            s.translations_made,
            s.translation_time_saved
        ),
        part(
            "pipelines",
            s.pipelines_found,
            s.pipelines_made,
            s.pipeline_time_saved
        ),
    )
}
