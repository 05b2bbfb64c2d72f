//! Addresses of stores.

use std::fmt;
use std::str::FromStr;

use dxil_frontend::escape::message;

/// Kinds of stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Amazon S3, and what has its interface.
    S3,
    /// Google Cloud Storage.
    Gs,
    /// Azure Blob Storage.
    Az,
    /// A folder, perhaps on a file system that machines share.
    File,
}

impl Scheme {
    /// Returns the scheme's name.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::S3 => "s3",
            Scheme::Gs => "gs",
            Scheme::Az => "az",
            Scheme::File => "file",
        }
    }
}

/// A store and a path in it: `s3://BUCKET/PATH`, `gs://BUCKET/PATH`, `az://CONTAINER/PATH`,
/// `file:///PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The kind of store.
    pub scheme: Scheme,
    /// The bucket or container; empty for folders.
    pub bucket: String,
    /// The path in it, without slashes at its ends; for folders absolute.
    pub path: String,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once("://").unwrap_or((text, ""));
        let known = [Scheme::S3, Scheme::Gs, Scheme::Az, Scheme::File];
        let scheme = known
            .into_iter()
            .find(|own| own.name() == scheme)
            .ok_or_else(|| {
                format!(
                    "{}: stores are s3://, gs://, az:// and file:///",
                    message(scheme)
                )
            })?;
        // Queries, fragments and escapes mean something in a URL, and so do empty and relative
        // steps; names of buckets and folders do without them.
        if let Some(odd) = rest
            .chars()
            .find(|c| c.is_control() || "?#%\\@:".contains(*c))
        {
            return Err(format!("a store's address cannot have {odd:?}"));
        }
        let (bucket, path) = rest.split_once('/').unwrap_or((rest, ""));
        let path = path.trim_end_matches('/');
        let is_step = |step: &str| !matches!(step, "" | "." | "..");
        if !path.is_empty() && !path.split('/').all(is_step) {
            return Err("a store's path has no empty and no relative steps".into());
        }
        match (scheme, bucket) {
            (Scheme::File, "") if !path.is_empty() => Ok(Address {
                scheme,
                bucket: String::new(),
                path: format!("/{path}"),
            }),
            (Scheme::File, _) => Err("write an absolute path: file:///mnt/cache".into()),
            (_, "") => Err(format!("write a bucket: {}://BUCKET/PATH", scheme.name())),
            (_, bucket) => Ok(Address {
                scheme,
                bucket: bucket.to_owned(),
                path: path.to_owned(),
            }),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.name(), self.bucket)?;
        match (self.scheme, self.path.as_str()) {
            (Scheme::File, path) => f.write_str(path),
            (_, "") => Ok(()),
            (_, path) => write!(f, "/{path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_store_and_a_path() {
        for (text, scheme, bucket, path) in [
            ("s3://games/quake/", Scheme::S3, "games", "quake"),
            ("gs://games", Scheme::Gs, "games", ""),
            ("az://games/a/b", Scheme::Az, "games", "a/b"),
            ("file:///mnt/cache", Scheme::File, "", "/mnt/cache"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.scheme, scheme, "{text}");
            assert_eq!(address.bucket, bucket, "{text}");
            assert_eq!(address.path, path, "{text}");
            assert_eq!(address.to_string(), text.trim_end_matches('/'));
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in [
            "ftp://games/a",
            "s3://",
            "s3:///a",
            "s3://games/../a",
            "s3://games//a",
            "s3://games/a?b=c",
            "s3://user@games/a",
            "file://mnt/cache",
            "file:///",
        ] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }
}
