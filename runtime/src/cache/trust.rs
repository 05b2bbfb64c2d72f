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
            "others may write to it (mode {mode:o}); delete it, as they may have written what is \
             in it"
        ));
    }
    let user = rustix::process::geteuid().as_raw();
    if there.uid() != user && there.uid() != 0 {
        return refused("another user owns it; delete it, or use another folder");
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

/// A folder of the cache, open, so that nothing can take its place. Links are followed nowhere
/// below the cache's folder.
#[cfg(unix)]
pub(super) struct OpenFolder(std::os::fd::OwnedFd);

#[cfg(unix)]
impl OpenFolder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// Fails where there is none, and where it is a link, belongs to somebody else or can be
    /// written to by others.
    pub(super) fn open(folder: &Path) -> io::Result<OpenFolder> {
        Self::at(rustix::fs::CWD, folder)
    }

    /// Opens a folder in this one.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub(super) fn folder(&self, name: &str) -> io::Result<OpenFolder> {
        use std::os::fd::AsFd;
        Self::at(self.0.as_fd(), name.as_ref())
    }

    fn at(parent: std::os::fd::BorrowedFd<'_>, path: &Path) -> io::Result<OpenFolder> {
        use rustix::fs::{Mode, OFlags, fstat, openat};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(parent, path, flags, Mode::empty())?;
        check_owner(&fstat(&folder)?)?;
        Ok(OpenFolder(folder))
    }

    /// Opens a regular file to read it. Nothing is waited for.
    pub(super) fn file(&self, name: &str) -> io::Result<File> {
        use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
        // A FIFO that takes an entry's place would block the open without `NONBLOCK`.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::empty())?;
        let there = fstat(&file)?;
        if FileType::from_raw_mode(there.st_mode) != FileType::RegularFile {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        check_owner(&there)?;
        Ok(file.into())
    }

    /// Removes a file, or the link that is in its place.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(
            &self.0,
            name,
            rustix::fs::AtFlags::empty(),
        )?)
    }
}

/// Refuses what others own or may write to.
#[cfg(unix)]
fn check_owner(there: &rustix::fs::Stat) -> io::Result<()> {
    use rustix::fs::Mode;
    let mode = Mode::from_raw_mode(there.st_mode);
    let user = rustix::process::geteuid().as_raw();
    let problem = if mode.intersects(Mode::WGRP | Mode::WOTH) {
        "others may write to it; delete it"
    } else if there.st_uid != user && there.st_uid != 0 {
        "another user owns it; delete it"
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
}

/// A folder of the cache.
#[cfg(not(unix))]
pub(super) struct OpenFolder(std::path::PathBuf);

#[cfg(not(unix))]
impl OpenFolder {
    /// Looks at a folder.
    pub(super) fn open(folder: &Path) -> io::Result<OpenFolder> {
        check(folder)?;
        Ok(OpenFolder(folder.to_owned()))
    }

    /// Looks at a folder in this one.
    pub(super) fn folder(&self, name: &str) -> io::Result<OpenFolder> {
        Self::open(&self.0.join(name))
    }

    /// Opens a regular file to read it.
    pub(super) fn file(&self, name: &str) -> io::Result<File> {
        let file = File::open(self.0.join(name))?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        Ok(file)
    }

    /// Removes a file.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}
