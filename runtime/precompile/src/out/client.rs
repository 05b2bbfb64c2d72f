//! Clients of the kinds of stores, and which of their errors another try may mend.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, Error, ObjectStore, RetryConfig};

use super::address::{Address, Scheme};

/// Tries of a request, of which the client makes more where it can tell that nothing was done.
pub(super) const TRIES: u32 = 6;
/// Wait before the second try; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// Longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Returns the client of a store, and the path of the cache in it. Endpoint, region and credentials
/// come from the environment (`AWS_*`, `GOOGLE_*`, `AZURE_*`), as `object_store` reads them.
///
/// # Errors
///
/// The environment lacks something, or contradicts itself.
pub(super) fn connect(address: &Address) -> object_store::Result<(Arc<dyn ObjectStore>, Path)> {
    // The client looks for the process's provider; another one may be there already.
    _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: FIRST_WAIT,
            max_backoff: LONGEST_WAIT,
            base: 2.0,
        },
        max_retries: 2,
        retry_timeout: Duration::from_secs(30),
    };
    let path = Path::parse(&address.path)?;
    let bucket = &address.bucket;
    let store: Arc<dyn ObjectStore> = match address.scheme {
        Scheme::S3 => Arc::new(
            AmazonS3Builder::from_env()
                .with_bucket_name(bucket)
                .with_retry(retry)
                .build()?,
        ),
        Scheme::Gs => Arc::new(
            GoogleCloudStorageBuilder::from_env()
                .with_bucket_name(bucket)
                .with_retry(retry)
                .build()?,
        ),
        Scheme::Az => Arc::new(
            MicrosoftAzureBuilder::from_env()
                .with_container_name(bucket)
                .with_retry(retry)
                .build()?,
        ),
        Scheme::File => Arc::new(LocalFileSystem::new()),
    };
    Ok((store, path))
}

/// Returns how long to wait before another try, if there is one that may succeed. All tries of one
/// name wait differently than those of another, so that clients do not come back together.
pub(super) fn wait_before(attempt: u32, name: &str, error: &Error) -> Option<Duration> {
    if attempt + 1 >= TRIES || !may_pass(error) {
        return None;
    }
    let longest = (FIRST_WAIT * (1 << attempt)).min(LONGEST_WAIT);
    let spread = name
        .bytes()
        .rev()
        .take(2)
        .fold(0, |sum, byte| sum * 16 + u32::from(byte) % 16);
    // From one half of it to all of it.
    Some(longest / 2 + longest * (spread % 256) / 512)
}

/// Returns whether another try may succeed.
fn may_pass(error: &Error) -> bool {
    !matches!(
        error,
        Error::NotFound { .. }
            | Error::AlreadyExists { .. }
            | Error::Precondition { .. }
            | Error::NotModified { .. }
            | Error::InvalidPath { .. }
            | Error::NotSupported { .. }
            | Error::NotImplemented { .. }
            | Error::PermissionDenied { .. }
            | Error::Unauthenticated { .. }
            | Error::UnknownConfigurationKey { .. }
    )
}

/// Returns what went wrong, in one line.
pub(super) fn explain(error: &Error) -> String {
    let what = match error {
        Error::NotFound { .. } => "there is no such bucket or container".to_owned(),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            format!("the store refuses these credentials ({})", innermost(error))
        }
        other => {
            let whole = other.to_string();
            let inner = innermost(other);
            if whole.contains(&inner) {
                whole
            } else {
                format!("{whole}: {inner}")
            }
        }
    };
    let hint = if what.contains("URL scheme is not allowed") {
        "; for an endpoint without TLS set AWS_ALLOW_HTTP=true"
    } else if what.contains("169.254.169.254") {
        "; no credentials are in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), and \
         this is no machine of that cloud"
    } else {
        ""
    };
    format!(
        "{}{hint}",
        what.split_whitespace().collect::<Vec<_>>().join(" ")
    )
}

fn innermost(error: &Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_bounded_and_wait_longer_each_time() {
        let error = || Error::Generic {
            store: "S3",
            source: "503".into(),
        };
        let mut total = Duration::ZERO;
        for attempt in 0..TRIES - 1 {
            let wait = wait_before(attempt, "ff", &error()).unwrap();
            assert!(wait <= LONGEST_WAIT);
            assert!(wait >= FIRST_WAIT * (1 << attempt) / 2, "{wait:?}");
            total += wait;
        }
        assert!(total < Duration::from_secs(30));
        assert_eq!(wait_before(TRIES - 1, "ff", &error()), None);
        assert_ne!(
            wait_before(0, "0f", &error()),
            wait_before(0, "f0", &error())
        );
        let gone = Error::NotFound {
            path: String::new(),
            source: "404".into(),
        };
        assert_eq!(wait_before(0, "ff", &gone), None);
    }
}
