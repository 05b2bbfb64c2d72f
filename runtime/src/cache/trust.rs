//! Checks that nobody but the user (or root) can write to a cache's folder.
//!
//! On Unix: a folder has to be this user's (or root's, for one that an administrator filled), and
//! nobody else may write to it. Elsewhere the user's own folders are private by the system's rules,
//! and nothing is asked.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Makes a folder with mode 0700, or looks at the one that is there.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // Whatever is there is checked below, also if it is not a folder. Links are not followed here,
    // so a dangling link counts as something that is there.
    if fs::symlink_metadata(folder).is_err() {
        builder.create(folder)?;
    }
    check(folder)
}

/// Refuses paths that are not folders, and folders that others may write to.
#[cfg(unix)]
fn check(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let refused = |why: &str| {
        let message = format!("{}: {why}", folder.display());
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    };
    let there = fs::symlink_metadata(folder)?;
    if !there.is_dir() {
        return refused("not a folder (or a link to one)");
    }
    let mode = there.mode() & 0o777;
    // Group and others. Reading is harmless: entries are not secret.
    if mode & 0o022 != 0 {
        return refused(&format!(
            "others may write to it (mode {mode:o}); chmod 700 it, or use another folder"
        ));
    }
    let user = rustix::process::geteuid().as_raw();
    if there.uid() != user && there.uid() != 0 {
        return refused("another user owns it");
    }
    Ok(())
}

#[cfg(not(unix))]
fn check(folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder)?.is_dir() {
        Ok(())
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

/// Opens a regular file to read it. Links are not followed, and nothing is waited for.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // A FIFO that takes an entry's place would block the open without `NONBLOCK`.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    Ok(file)
}
