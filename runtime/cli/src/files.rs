//! Reads files up to a limit, and writes them completely or not at all.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of bytes of an input file. An unbounded file (`/dev/zero`) must not fill the
/// memory.
pub const MAX_INPUT: u64 = 256 << 20;

/// Whether only regular files are read.
static REFUSES_PIPES: AtomicBool = AtomicBool::new(false);

/// From now on, [`read`] takes regular files only: a file that is read again may have become a
/// pipe, which nobody writes to.
pub fn refuse_pipes() {
    REFUSES_PIPES.store(true, Ordering::Relaxed);
}

/// Opens a file that nobody has named, but a walk or a watch has found: a regular one. Nothing is
/// waited for.
///
/// # Errors
///
/// Fails where the file cannot be opened, and with [`io::ErrorKind::InvalidInput`] for anything but
/// a regular file.
pub fn open_found(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a FIFO would wait for a writer.
        let flags = rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "this is no regular file",
        ))
    }
}

/// Returns the bytes of a file that a walk has found: [`open_found`].
///
/// # Errors
///
/// Fails as [`open_found`] and [`read`] do.
pub fn read_found(path: &Path) -> io::Result<Vec<u8>> {
    read_file(open_found(path)?, MAX_INPUT)
}

/// Returns the bytes of a file, a pipe or a device that ends; `-` is standard input.
///
/// # Errors
///
/// Fails where the file cannot be read, and with [`io::ErrorKind::FileTooLarge`] where it is longer
/// than [`MAX_INPUT`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, MAX_INPUT)
}

/// Returns the text of a file.
///
/// # Errors
///
/// Fails as [`read`] does, and with [`io::ErrorKind::InvalidData`] where it is not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is no text in UTF-8"))
}

fn read_up_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if path == Path::new("-") {
        return read_from(io::stdin().lock(), 0, limit);
    }
    let file = if REFUSES_PIPES.load(Ordering::Relaxed) {
        open_found(path)?
    } else {
        fs::File::open(path)?
    };
    read_file(file, limit)
}

fn read_file(file: fs::File, limit: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large(limit));
    }
    read_from(file, length, limit)
}

fn read_from(from: impl Read, length: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(0))?;
    // One byte more than the limit, to tell a file of exactly that size from a longer one. The
    // length of a pipe or a device is zero, so the metadata is not enough.
    from.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

fn too_large(limit: u64) -> io::Error {
    let limit = format!("it is longer than the {limit} bytes that an input may have");
    io::Error::new(io::ErrorKind::FileTooLarge, limit)
}

/// Finds out whether [`write()`] would be able to write a file, without touching it: whether its
/// folder takes a new file, or the file that is there may be written.
///
/// # Errors
///
/// The error that writing would have.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(there) if there.permissions().readonly() => {
            Err(io::Error::from(io::ErrorKind::PermissionDenied))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let parent = path.parent().filter(|parent| *parent != Path::new(""));
            // It is removed at once.
            let file = tempfile::tempfile_in(parent.unwrap_or(Path::new(".")));
            file.map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Writes a file through a temporary one beside it, which is renamed at the end: if that fails, the
/// old file is unchanged, and no reader sees a partial file. A link is followed, and its target is
/// replaced. Anything but a regular file (a pipe, `/dev/stdout`) is written to directly.
///
/// # Errors
///
/// Fails where the folder or the file cannot be written to.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let there = match fs::metadata(path) {
        // A pipe or a device cannot be replaced by a rename.
        Ok(there) if !there.is_file() => return fs::write(path, bytes),
        Ok(there) => Some(there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let path = match there {
        Some(_) => fs::canonicalize(path)?,
        // A link to a file that does not exist: the file is created.
        None if fs::symlink_metadata(path).is_ok() => return fs::write(path, bytes),
        None => path.to_owned(),
    };
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dxil-jit-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode of any new file: the process's mask removes bits from it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let part = builder.tempfile_in(parent.unwrap_or(Path::new(".")));
    let mut part = match (part, &there) {
        (Ok(part), _) => part,
        // The file may be writable and its folder not. Then there is no temporary file, and no
        // rename.
        (Err(error), Some(_)) if error.kind() == io::ErrorKind::PermissionDenied => {
            return fs::write(path, bytes);
        }
        (Err(error), _) => return Err(error),
    };
    part.write_all(bytes)?;
    if let Some(there) = there {
        // A rename would replace a read-only file, which its owner wants to keep.
        if there.permissions().readonly() {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        part.as_file().set_permissions(there.permissions())?;
    }
    part.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["out.bin"]);
        assert!(write(&folder.path().join("no/out.bin"), b"x").is_err());
        assert_eq!(names(folder.path()), ["out.bin"]);
        check_writable(&path).unwrap();
        check_writable(&folder.path().join("new.bin")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["out.bin"]);
        for (wrong, kind) in [
            (folder.path().to_owned(), io::ErrorKind::IsADirectory),
            (folder.path().join("no/out.bin"), io::ErrorKind::NotFound),
            (path.join("out.bin"), io::ErrorKind::NotADirectory),
        ] {
            assert_eq!(check_writable(&wrong).unwrap_err().kind(), kind);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&path, b"one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_was_found_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe.dxil");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let error = read_found(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(read_found(folder.path()).is_err());
        let file = folder.path().join("file");
        fs::write(&file, b"x").unwrap();
        assert_eq!(read_found(&file).unwrap(), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_an_unbounded_one_is_not_read() {
        write(Path::new("/dev/null"), b"x").unwrap();
        let error = read_up_to(Path::new("/dev/zero"), 1 << 16).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        fs::write(&path, [0; 100]).unwrap();
        assert!(read_up_to(&path, 99).is_err());
        assert_eq!(read_up_to(&path, 100).unwrap().len(), 100);
    }
}
