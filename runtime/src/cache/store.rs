//! Entries on disk: one file each, found by the hash of what it was made from.
//!
//! ```text
//! FOLDER/CACHEDIR.TAG            what backup programs look for
//! FOLDER/entries/ab/cdef...      header (magic, length, checksum) and payload
//! FOLDER/parts/...               files that are being written
//! FOLDER/limit                   bytes that the entries may take, where that was chosen
//! ```
//!
//! There is no index and no lock, so there is nothing that a dead process can leave in a bad state:
//! an entry is written beside the others and renamed into place, which is atomic. A reader checks
//! length and checksum; what does not fit is dropped and made again. The checksum covers the key
//! too, so a file that lies in the wrong place is not an entry.
//!
//! A checksum tells damage and no intent. What is read here goes to a driver, so that the folder
//! has to be one that nobody else writes to: it is made with mode 0700, and refused where another
//! user owns it or may write to it ([`trust`](super::trust)). Only regular files up to
//! [`MAX_ENTRY`] bytes are entries, and links are not followed.
//!
//! The bound on the size is soft: each process adds up what it wrote since it last looked at the
//! folder, and looks again (and evicts what was not used for the longest time) when the sum passes
//! the bound. A folder that was filled on purpose says itself how large it may be
//! ([`Store::set_limit`]): programs that open it with a lower bound must not evict from it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use parking_lot::Mutex;

use super::remote::Remote;
use super::trust::{self, OpenFolder};

/// Changes when the form of an entry does.
const MAGIC: &[u8; 8] = b"dxiljit1";
const HEADER: usize = 8 + 8 + 32;
/// Maximum number of bytes of an entry's file; larger ones are not kept. The largest modules are a
/// tenth of that.
pub const MAX_ENTRY: u64 = 256 << 20;
/// Parts of writers that died are removed when they are that old.
const ABANDONED: Duration = Duration::from_secs(3600);
/// <https://bford.info/cachedir/>
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# Translated shaders and pipelines of dxil-jit. May be deleted at any time.\n";

/// The source of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// Returns the key that a hasher ends with.
    pub fn of(hasher: &blake3::Hasher) -> Self {
        Key(*hasher.finalize().as_bytes())
    }

    /// Returns the name of the entry's folder, two digits, and that of its file.
    fn name(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    #[cfg(feature = "oracle")]
    pub(super) fn from_bytes(bytes: [u8; 32]) -> Self {
        Key(bytes)
    }
}

/// A folder of entries. Any number of threads and processes may use it at once.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    limit: u64,
    /// Bytes of all entries, as far as this process knows; `None` until it has looked.
    used: Mutex<Option<u64>>,
    /// The store that the folder stands in front of.
    remote: Option<Arc<dyn Remote>>,
}

/// The file with the limit of a folder.
const LIMIT: &str = "limit";

impl Store {
    /// Opens a folder and makes it if need be. `limit` is in bytes.
    ///
    /// # Errors
    ///
    /// Fails where the folder cannot be made, and with [`io::ErrorKind::PermissionDenied`] where
    /// others may write to it.
    pub fn open(folder: &Path, limit: u64) -> io::Result<Self> {
        // The folder itself may be named by a link. Nothing in it may be one.
        let folder = &fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        trust::private_folder(folder)?;
        trust::private_folder(&folder.join("entries"))?;
        trust::private_folder(&folder.join("parts"))?;
        // A new file is one that nothing is there for, not even a link.
        match File::create_new(folder.join("CACHEDIR.TAG")) {
            Ok(mut tag) => tag.write_all(TAG.as_bytes())?,
            // It is there, or the folder is one to read from.
            Err(error) => log::debug!("cache: CACHEDIR.TAG: {error}"),
        }
        Ok(Store {
            folder: folder.to_owned(),
            limit: limit.max(chosen_limit(folder).unwrap_or(0)),
            used: Mutex::new(None),
            remote: None,
        })
    }

    /// Puts the folder in front of a store that machines share.
    #[must_use]
    pub fn with_remote(mut self, remote: Arc<dyn Remote>) -> Self {
        self.remote = Some(remote);
        self
    }

    /// Writes into a folder how many bytes its entries may take. It holds for programs that open
    /// the folder with a lower limit, too.
    ///
    /// # Errors
    ///
    /// The folder cannot be opened as by [`Store::open`], or the file cannot be written.
    pub fn set_limit(folder: &Path, limit: u64) -> io::Result<()> {
        let store = Store::open(folder, limit)?;
        let mut part = tempfile::NamedTempFile::new_in(store.folder.join("parts"))?;
        writeln!(part, "{limit}")?;
        part.persist(store.folder.join(LIMIT))
            .map_err(|error| error.error)?;
        Ok(())
    }

    /// Returns the limit that was chosen for a folder, if there is one.
    ///
    /// # Errors
    ///
    /// Others may write to the folder.
    pub fn limit_of(folder: &Path) -> io::Result<Option<u64>> {
        match fs::canonicalize(folder) {
            Ok(folder) => {
                trust::private_folder(&folder)?;
                Ok(chosen_limit(&folder))
            }
            // A folder that is not there yet.
            Err(_) => Ok(None),
        }
    }

    /// Returns the folder of the entries, one file each.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, key: &Key) -> PathBuf {
        let name = key.name();
        let (first, rest) = name.split_at(2);
        self.folder.join("entries").join(first).join(rest)
    }

    /// Returns the payload of an entry, if there is a sound one. A damaged one is removed, and the
    /// log says so.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let Some(payload) = self.get_local(key) else {
            return self.get_remote(key);
        };
        if let Some(remote) = &self.remote {
            // Made before the store was there, or by a process that died before it was written.
            let name = key.name();
            if !remote.has(&name) {
                remote.put(&name, entry(key, &payload));
            }
        }
        Some(payload)
    }

    /// Returns the payload of an entry of the shared store, and keeps it in the folder.
    fn get_remote(&self, key: &Key) -> Option<Vec<u8>> {
        let remote = self.remote.as_ref()?;
        let name = key.name();
        match payload_of(key, remote.get(&name)?) {
            Ok(payload) => {
                if let Err(error) = self.put_local(key, &payload) {
                    log::debug!("cache: {}: {error}", self.folder.display());
                }
                Some(payload)
            }
            Err(problem) => {
                log::warn!("cache: the shared entry {name} is damaged ({problem})");
                remote.discard(&name);
                None
            }
        }
    }

    fn get_local(&self, key: &Key) -> Option<Vec<u8>> {
        let name = key.name();
        let (first, rest) = name.split_at(2);
        // No entry is the usual case, and no reason to look further.
        let entries = OpenFolder::open(&self.folder.join("entries"));
        let shard = match entries.and_then(|entries| entries.folder(first)) {
            Ok(shard) => shard,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                // What others have put there is not read, and not removed either: a link leads
                // somewhere else. Keeping the new entry will fail and say so.
                let folder = self.folder.join("entries").join(first);
                log::debug!("cache: {}: {error}", folder.display());
                return None;
            }
        };
        let file = match shard.file(rest) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            opened => opened,
        };
        let payload = match &file {
            Ok(file) => self.read(key, file),
            Err(error) => Err(error.to_string()),
        };
        match payload {
            Ok(payload) => {
                // Its age is the time since it was last used. A folder that cannot be written to
                // still serves.
                _ = file.map(|file| file.set_modified(SystemTime::now()));
                Some(payload)
            }
            Err(problem) => {
                // Only the process that removes it logs, so that one damaged entry is one line.
                if shard.remove(rest).is_ok() {
                    let path = self.path(key);
                    log::warn!("cache: {} is damaged ({problem}); removed", path.display());
                }
                None
            }
        }
    }

    fn read(&self, key: &Key, file: &File) -> Result<Vec<u8>, String> {
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        // A file's length is checked before it decides how much memory is allocated.
        let maximum = self.limit.min(MAX_ENTRY);
        if length > maximum {
            return Err(format!("{length} bytes long, of at most {maximum}"));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        // The length is bounded first: a file that grows while it is read has another length than
        // its header says, and fails the check.
        match file.take(length).read_to_end(&mut bytes) {
            Ok(_) => payload_of(key, bytes),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Writes an entry and replaces an existing one.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn put(&self, key: &Key, payload: &[u8]) -> io::Result<()> {
        // The folder first: of a process that dies in between, the next one writes the rest.
        let kept = self.put_local(key, payload);
        if let Some(remote) = &self.remote
            && (HEADER + payload.len()) as u64 <= MAX_ENTRY
        {
            remote.put(&key.name(), entry(key, payload));
        }
        kept
    }

    fn put_local(&self, key: &Key, payload: &[u8]) -> io::Result<()> {
        let size = (HEADER + payload.len()) as u64;
        // An entry that is larger than the whole limit would evict everything and then itself.
        if size > self.limit.min(MAX_ENTRY) {
            return Ok(());
        }
        let path = self.path(key);
        if let Some(parent) = path.parent() {
            trust::private_folder(parent)?;
        }
        // In the cache's own folder: a rename is atomic only within one file system.
        let mut part = tempfile::NamedTempFile::new_in(self.folder.join("parts"))?;
        part.write_all(&header(key, payload))?;
        part.write_all(payload)?;
        part.persist(&path).map_err(|error| error.error)?;

        let mut used = self.used.lock();
        let total = match *used {
            Some(used) => used + size,
            None => self.trim()?,
        };
        *used = Some(if total > self.limit {
            self.trim()?
        } else {
            total
        });
        Ok(())
    }

    /// Looks at all entries and removes the longest unused ones while they are more than the limit;
    /// then some more, so that the next entry does not bring it here again. Returns the bytes left.
    fn trim(&self) -> io::Result<u64> {
        let now = SystemTime::now();
        for part in fs::read_dir(self.folder.join("parts"))?.flatten() {
            let age = part.metadata().and_then(|data| data.modified());
            if age.is_ok_and(|time| now.duration_since(time).is_ok_and(|age| age > ABANDONED)) {
                _ = fs::remove_file(part.path());
            }
        }
        // Only sizes at first: a library has a million entries, and their paths would be most of
        // the memory of the whole run.
        let mut total = 0;
        self.visit_entries(|_, size, _| total += size)?;
        if total > self.limit {
            let mut entries = Vec::new();
            self.visit_entries(|used, size, file| entries.push((used, size, file.path())))?;
            entries.sort();
            // A quarter is freed at once, since looking at all entries costs more than writing one.
            let goal = self.limit / 4 * 3;
            for (_, size, path) in entries {
                if total <= goal {
                    break;
                }
                if fs::remove_file(path).is_ok() {
                    total = total.saturating_sub(size);
                }
            }
        }
        Ok(total)
    }

    /// Calls `visit` with the last use and the bytes of each entry.
    fn visit_entries(
        &self,
        mut visit: impl FnMut(SystemTime, u64, &fs::DirEntry),
    ) -> io::Result<()> {
        for folder in fs::read_dir(self.folder.join("entries"))?.flatten() {
            // A link leads somewhere else, and nothing may be removed there.
            if !folder.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            // Another process may remove what this one is looking at.
            let Ok(files) = fs::read_dir(folder.path()) else {
                continue;
            };
            for file in files.flatten() {
                if let Ok(data) = file.metadata() {
                    let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                    visit(used, data.len(), &file);
                }
            }
        }
        Ok(())
    }
}

/// Returns the limit that a folder has for itself.
fn chosen_limit(folder: &Path) -> Option<u64> {
    let mut text = String::new();
    let file = OpenFolder::open(folder).ok()?.file(LIMIT).ok()?;
    // A number has up to 20 digits.
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Returns the bytes of an entry before its payload.
fn header(key: &Key, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    bytes.extend_from_slice(checksum(key, payload).as_bytes());
    bytes
}

/// Returns the bytes of an entry.
fn entry(key: &Key, payload: &[u8]) -> Vec<u8> {
    let mut bytes = header(key, payload);
    bytes.extend_from_slice(payload);
    bytes
}

fn checksum(key: &Key, payload: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&key.0);
    hasher.update(payload);
    hasher.finalize()
}

pub(super) fn payload_of(key: &Key, mut bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let Some((header, payload)) = bytes.split_at_checked(HEADER) else {
        return Err(format!("{} bytes long", bytes.len()));
    };
    let (magic, rest) = header.split_at(8);
    let (length, sum) = rest.split_at(8);
    if magic != MAGIC {
        return Err("another form".into());
    }
    if length != (payload.len() as u64).to_le_bytes() {
        return Err("another length than it says".into());
    }
    if checksum(key, payload).as_bytes() != sum {
        return Err("its checksum differs".into());
    }
    bytes.drain(..HEADER);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u32) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&n.to_le_bytes());
        Key::of(&hasher)
    }

    fn store(limit: u64) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), limit).unwrap();
        (folder, store)
    }

    #[test]
    fn what_was_put_is_found_by_a_store_that_is_opened_later() {
        let (folder, first) = store(1 << 20);
        first.put(&key(1), b"one").unwrap();
        first.put(&key(2), b"").unwrap();
        let second = Store::open(folder.path(), 1 << 20).unwrap();
        assert_eq!(second.get(&key(1)).as_deref(), Some(&b"one"[..]));
        assert_eq!(second.get(&key(2)).as_deref(), Some(&b""[..]));
        assert_eq!(second.get(&key(3)), None);
    }

    #[test]
    fn a_limit_that_was_chosen_holds_for_programs_with_a_lower_one() {
        let (folder, small) = store(200);
        Store::set_limit(folder.path(), 1 << 20).unwrap();
        for n in 0..20 {
            small.put(&key(n), &[0; 40]).unwrap();
        }
        assert!((0..20).any(|n| small.get(&key(n)).is_none()), "evicted");
        let other = Store::open(folder.path(), 200).unwrap();
        for n in 0..20 {
            other.put(&key(n), &[0; 40]).unwrap();
        }
        assert!((0..20).all(|n| other.get(&key(n)).is_some()));
        // What is no number is no limit.
        fs::write(folder.path().join(LIMIT), "all of it").unwrap();
        assert_eq!(Store::open(folder.path(), 200).unwrap().limit, 200);
    }

    /// A shared store in memory.
    #[derive(Debug, Default)]
    struct Shared(Mutex<std::collections::BTreeMap<String, Vec<u8>>>);

    impl Remote for Shared {
        fn get(&self, name: &str) -> Option<Vec<u8>> {
            self.0.lock().get(name).cloned()
        }

        fn has(&self, name: &str) -> bool {
            self.0.lock().contains_key(name)
        }

        fn put(&self, name: &str, bytes: Vec<u8>) {
            self.0.lock().entry(name.to_owned()).or_insert(bytes);
        }

        fn discard(&self, name: &str) {
            self.0.lock().remove(name);
        }
    }

    #[test]
    fn a_shared_store_serves_what_the_folder_lacks_and_no_damaged_entry() {
        let shared = Arc::new(Shared::default());
        let open = || {
            let (folder, store) = store(1 << 20);
            (folder, store.with_remote(shared.clone()))
        };
        let (_first_folder, first) = open();
        first.put(&key(1), b"one").unwrap();
        let (second_folder, second) = open();
        assert_eq!(second.get(&key(1)).as_deref(), Some(&b"one"[..]));
        assert_eq!(second.get(&key(2)), None);
        // It is in the folder now.
        let alone = Store::open(second_folder.path(), 1 << 20).unwrap();
        assert_eq!(alone.get(&key(1)).as_deref(), Some(&b"one"[..]));
        let name = key(1).name();
        let good = shared.get(&name).unwrap();
        for bad in [&good[..good.len() - 1], &[], &[0; 60]] {
            shared.0.lock().insert(name.clone(), bad.to_vec());
            let (_folder, third) = open();
            assert_eq!(third.get(&key(1)), None);
            assert_eq!(shared.get(&name), None, "discarded");
        }
        // What the folder has and the shared store lacks is written to it.
        let (_folder, third) = open();
        third.put(&key(4), b"four").unwrap();
        assert!(shared.0.lock().remove(&key(4).name()).is_some());
        assert_eq!(third.get(&key(4)).as_deref(), Some(&b"four"[..]));
        assert!(shared.has(&key(4).name()));
        // An entry of another name is none of this one.
        shared.0.lock().insert(key(3).name(), good);
        let (_folder, third) = open();
        assert_eq!(third.get(&key(3)), None);
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_noticed_and_removed() {
        let (_folder, store) = store(1 << 20);
        let path = store.path(&key(7));
        store.put(&key(7), b"some payload").unwrap();
        let good = fs::read(&path).unwrap();
        for length in 0..good.len() {
            fs::write(&path, &good[..length]).unwrap();
            assert_eq!(store.get(&key(7)), None, "{length} bytes");
            assert!(!path.exists(), "{length} bytes");
        }
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bad).unwrap();
            assert_eq!(store.get(&key(7)), None, "bit {bit}");
            assert!(!path.exists(), "bit {bit}");
        }
        let longer: Vec<u8> = good.iter().copied().chain([0]).collect();
        fs::write(&path, longer).unwrap();
        assert_eq!(store.get(&key(7)), None);
        store.put(&key(7), b"some payload").unwrap();
        assert!(store.get(&key(7)).is_some());
    }

    #[test]
    fn a_file_beyond_the_limit_is_no_entry() {
        let (_folder, store) = store(1 << 20);
        store.put(&key(1), b"one").unwrap();
        let path = store.path(&key(1));
        // A file of holes: it is never read.
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        assert_eq!(store.get(&key(1)), None);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_pipes_and_folders_are_no_entries() {
        use std::os::unix::fs::symlink;
        let (folder, store) = store(1 << 20);
        store.put(&key(1), b"one").unwrap();
        let path = store.path(&key(1));
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&path, &elsewhere).unwrap();
        for odd in ["link", "endless", "nowhere", "pipe"] {
            match odd {
                "link" => symlink(&elsewhere, &path).unwrap(),
                "endless" => symlink("/dev/zero", &path).unwrap(),
                "nowhere" => symlink("/nowhere", &path).unwrap(),
                // Opening a pipe without a writer would wait for one.
                _ => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status();
                    assert!(made.unwrap().success());
                }
            }
            assert_eq!(store.get(&key(1)), None, "{odd}");
            assert!(fs::symlink_metadata(&path).is_err(), "{odd} is removed");
        }
        assert!(elsewhere.exists());
        fs::create_dir(&path).unwrap();
        assert_eq!(store.get(&key(1)), None);
        // A folder of entries that is a link is not written to.
        let shard = path.parent().unwrap();
        fs::remove_dir_all(shard).unwrap();
        symlink(folder.path(), shard).unwrap();
        assert!(store.put(&key(1), b"one").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_write_to_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("a/cache");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let store = Store::open(&folder, 1 << 20).unwrap();
        store.put(&key(1), b"one").unwrap();
        for path in [&folder, &folder.join("entries"), &folder.join("parts")] {
            assert_eq!(mode(path), 0o700, "{}", path.display());
            for bad in [0o720, 0o702, 0o777] {
                set(path, bad);
                let error = Store::open(&folder, 1 << 20).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}");
                assert!(error.to_string().contains("delete it"), "{error}");
            }
            set(path, 0o755);
            assert!(Store::open(&folder, 1 << 20).is_ok(), "others may read");
        }
        assert_eq!(mode(store.path(&key(1)).parent().unwrap()), 0o700);
        assert_eq!(mode(&store.path(&key(1))), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_have_written_below_the_entries_is_not_read() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, store) = store(1 << 20);
        store.put(&key(1), b"one").unwrap();
        let file = store.path(&key(1));
        let shard = file.parent().unwrap();
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for (bad, good) in [(0o777, 0o700), (0o720, 0o755)] {
            set(shard, bad);
            assert_eq!(store.get(&key(1)), None, "a folder of mode {bad:o}");
            set(shard, good);
            assert!(store.get(&key(1)).is_some(), "a folder of mode {good:o}");
        }
        // A link to a folder with the entry: neither read nor removed.
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(shard, &elsewhere).unwrap();
        symlink(&elsewhere, shard).unwrap();
        assert_eq!(store.get(&key(1)), None);
        assert!(elsewhere.join(file.file_name().unwrap()).exists());
        fs::remove_file(shard).unwrap();
        fs::rename(&elsewhere, shard).unwrap();
        // A file that others may write to is removed.
        set(&file, 0o666);
        assert_eq!(store.get(&key(1)), None);
        assert!(!file.exists());
    }

    #[test]
    fn an_entry_under_another_key_is_damaged() {
        let (_folder, store) = store(1 << 20);
        store.put(&key(1), b"one").unwrap();
        let wrong = store.path(&key(2));
        fs::create_dir_all(wrong.parent().unwrap()).unwrap();
        fs::copy(store.path(&key(1)), &wrong).unwrap();
        assert_eq!(store.get(&key(2)), None);
        assert!(store.get(&key(1)).is_some());
    }

    #[test]
    fn the_longest_unused_entries_go_first() {
        let size = (HEADER + 1000) as u64;
        let (_folder, store) = store(8 * size);
        let begin = SystemTime::now() - Duration::from_secs(1000);
        for n in 0..8 {
            store.put(&key(n), &[n as u8; 1000]).unwrap();
            let file = File::open(store.path(&key(n))).unwrap();
            file.set_modified(begin + Duration::from_secs(n.into()))
                .unwrap();
        }
        // Reading makes the oldest one the youngest.
        assert!(store.get(&key(0)).is_some());
        store.put(&key(8), &[8; 1000]).unwrap();
        let there: Vec<u32> = (0..9).filter(|n| store.path(&key(*n)).exists()).collect();
        assert_eq!(there, [0, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn an_entry_above_the_limit_is_not_kept() {
        let (_folder, store) = store(100);
        store.put(&key(1), &[0; 100]).unwrap();
        assert!(!store.path(&key(1)).exists());
    }

    #[test]
    fn parts_of_dead_writers_are_removed_when_they_are_old() {
        let (folder, store) = store(1 << 20);
        let old = folder.path().join("parts/old");
        let young = folder.path().join("parts/young");
        fs::write(&young, b"x").unwrap();
        let file = File::create(&old).unwrap();
        file.set_modified(SystemTime::now() - 2 * ABANDONED)
            .unwrap();
        store.put(&key(1), b"one").unwrap();
        assert!(!old.exists());
        assert!(young.exists());
    }
}
