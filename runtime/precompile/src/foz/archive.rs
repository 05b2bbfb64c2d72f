//! Fossilize's stream archives, format version 6, as `fossilize_db.cpp` of ValveSoftware/Fossilize
//! documents them ("StreamArchive database format"): a magic number, then entries with a tag, a
//! hash, sizes, a checksum and a payload.

use dxil_frontend::tables::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Magic number, three unused bytes and the version.
const START: &[u8; 16] = b"\x81FOSSILIZEDB\0\0\0\x06";

/// The version of the format, which payloads name too.
pub(super) const VERSION: u32 = 6;

/// Flag of a payload that is compressed.
const DEFLATE: u32 = 2;

/// Kind of an entry (`ResourceTag`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Tag {
    /// What the application said of itself.
    ApplicationInfo = 0,
    /// A descriptor set layout.
    SetLayout = 2,
    /// A pipeline layout.
    PipelineLayout = 3,
    /// A SPIR-V module.
    Module = 4,
    /// A graphics pipeline.
    Graphics = 6,
    /// A compute pipeline.
    Compute = 7,
    /// A ray tracing pipeline.
    RayTracing = 9,
}

/// An archive that is being written. It appears under its name when it is finished.
pub(super) struct Archive {
    file: BufWriter<File>,
    part: tempfile::TempPath,
    path: PathBuf,
    seen: HashSet<(Tag, u64)>,
}

impl Archive {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        let part = tempfile::Builder::new()
            .prefix(".dxil-precompile-")
            .tempfile_in(parent.unwrap_or(Path::new(".")))?;
        let (file, part) = part.into_parts();
        let mut file = BufWriter::new(file);
        file.write_all(START)?;
        Ok(Archive {
            file,
            part,
            path: path.to_owned(),
            seen: HashSet::default(),
        })
    }

    /// Returns whether there is an entry.
    pub(super) fn has(&self, tag: Tag, hash: u64) -> bool {
        self.seen.contains(&(tag, hash))
    }

    /// Returns the number of entries of a kind.
    pub(super) fn count(&self, tag: Tag) -> u64 {
        #[expect(clippy::disallowed_methods, reason = "a number")]
        let entries = self.seen.iter().filter(|(own, _)| *own == tag);
        entries.count() as u64
    }

    /// Adds an entry unless it is there.
    pub(super) fn add(&mut self, tag: Tag, hash: u64, payload: &[u8]) -> io::Result<()> {
        if !self.seen.insert((tag, hash)) {
            return Ok(());
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(payload)?;
        let stored = encoder.finish()?;
        let length = |bytes: &[u8]| {
            u32::try_from(bytes.len()).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))
        };
        write!(self.file, "{:024x}{hash:016x}", tag as u32)?;
        for word in [
            length(&stored)?,
            DEFLATE,
            crc32fast::hash(&stored),
            length(payload)?,
        ] {
            self.file.write_all(&word.to_le_bytes())?;
        }
        self.file.write_all(&stored)
    }

    /// Completes the archive, which replaces a file of its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        drop(self.file);
        self.part.persist(&self.path).map_err(|error| error.error)
    }
}
