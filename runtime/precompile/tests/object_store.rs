//! Caches in stores of objects: an S3 server in another process, many workers, workers that are
//! killed, damaged objects, a store that fails.
//!
//! The server is moto's; `tools/test-object-store.sh` brings it. Where it is not, the tests that
//! need it say so and do nothing.

#![cfg(feature = "object-store")]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;
mod s3;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{checkout, summary, text};
use s3::{Faults, Server};
use serde_json::Value;

/// Bytes of an entry that say how long its translation took, and those before them that depend on
/// it: magic, length, checksum, time.
const DIFFERENT: usize = 8 + 8 + 32 + 8;

/// Folders of shaders that all have a translation.
fn library() -> Vec<PathBuf> {
    let folders = ["arith", "atomics", "buffers", "flow", "waves"];
    folders
        .map(|folder| checkout("hwtests/shaders").join(folder))
        .to_vec()
}

/// The command on that library with a cache in a store at a port.
fn worker(port: u16, bucket: &str, local: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-precompile"));
    let out = format!("s3://{bucket}/game");
    command
        .args(library())
        .args(["--out", &out, "--local", text(local)])
        .arg("--json")
        .args(more)
        .env("AWS_ENDPOINT", format!("http://127.0.0.1:{port}"))
        .env("AWS_ALLOW_HTTP", "true")
        .env("AWS_ACCESS_KEY_ID", "tester")
        .env("AWS_SECRET_ACCESS_KEY", "secret")
        .env("AWS_REGION", "us-east-1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for a worker. Returns its exit code and summary.
#[track_caller]
fn ended(child: Child) -> (i32, Value) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_slice(&output.stdout);
    assert!(value.is_ok(), "{value:?}: {said}");
    (output.status.code().unwrap(), value.unwrap())
}

#[track_caller]
fn run(port: u16, bucket: &str, local: &Path, more: &[&str]) -> Value {
    let (exit, summary) = ended(worker(port, bucket, local, more).spawn().unwrap());
    assert_eq!(exit, 0, "{summary:#}");
    summary
}

fn number(summary: &Value, pointer: &str) -> u64 {
    let value = summary.pointer(pointer).and_then(Value::as_u64);
    value.unwrap_or_else(|| panic!("{pointer}: {summary:#}"))
}

fn made(summary: &Value) -> u64 {
    number(summary, "/translations/made")
}

/// The entries of a cache's folder by name, without what differs between runs.
fn entries(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut entries = BTreeMap::new();
    for shard in fs::read_dir(folder.join("entries")).unwrap() {
        let shard = shard.unwrap();
        for file in fs::read_dir(shard.path()).unwrap() {
            let file = file.unwrap();
            let name = [shard.file_name(), file.file_name()].map(|n| n.into_string().unwrap());
            let bytes = fs::read(file.path()).unwrap();
            entries.insert(name.concat(), bytes[DIFFERENT..].to_vec());
        }
    }
    entries
}

/// What the library translates to, without a store.
fn expected(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let library = library();
    let mut arguments: Vec<&str> = library.iter().map(|folder| text(folder)).collect();
    arguments.extend(["--out", text(folder)]);
    let (exit, _) = summary(&arguments);
    assert_eq!(exit, 0);
    let entries = entries(folder);
    assert!(entries.len() > 100, "{} entries", entries.len());
    entries
}

/// A server with a bucket, and what the library translates to without it.
struct Games {
    server: Server,
    folder: tempfile::TempDir,
    expected: BTreeMap<String, Vec<u8>>,
}

impl Games {
    fn start() -> Option<Self> {
        let server = Server::start()?;
        server.make_bucket("games");
        let folder = tempfile::tempdir().unwrap();
        let expected = expected(&folder.path().join("expected"));
        Some(Games {
            server,
            folder,
            expected,
        })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts so many workers, each with a part of the library and a folder.
    fn workers(&self, port: u16, count: u64) -> Vec<Child> {
        let start = |index| {
            let shard = format!("{index}/{count}");
            let local = self.at(&format!("local{index}"));
            let mut command = worker(port, "games", &local, &["--shard", &shard]);
            command.spawn().unwrap()
        };
        (0..count).map(start).collect()
    }
}

/// Several workers with a part each, and a machine without anything that comes later: nothing is
/// translated again, and everything is as it would be without a store.
fn workers_share_a_store(count: u64) {
    let Some(games) = Games::start() else {
        return;
    };
    let Games {
        server, expected, ..
    } = &games;
    let workers = games.workers(server.port, count);
    let mut written = 0;
    for child in workers {
        let (exit, part) = ended(child);
        assert_eq!(exit, 0, "{part:#}");
        written += number(&part, "/store/written");
    }
    // Put-if-absent: each entry once.
    assert_eq!(written, expected.len() as u64);
    assert_eq!(server.objects("games").len(), expected.len() + 1);
    let second = run(server.port, "games", &games.at("later"), &[]);
    assert_eq!(made(&second), 0);
    assert_eq!(number(&second, "/store/read"), expected.len() as u64);
    assert_eq!(number(&second, "/store/written"), 0);
    assert_eq!(entries(&games.at("later")), *expected);
    // The folder in front of it answers the next run.
    let third = run(server.port, "games", &games.at("later"), &[]);
    assert_eq!(made(&third), 0);
    assert_eq!(number(&third, "/store/read"), 0);
    assert_eq!(number(&third, "/store/written"), 0);
}

#[test]
fn two_workers_share_a_store() {
    workers_share_a_store(2);
}

#[test]
fn eight_workers_share_a_store() {
    workers_share_a_store(8);
}

#[test]
fn workers_that_are_killed_lose_nothing() {
    let Some(games) = Games::start() else {
        return;
    };
    let Games {
        server, expected, ..
    } = &games;
    // Each part is begun several times, and killed at some point of the work.
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..5 {
        for mut child in games.workers(server.port, 8) {
            std::thread::sleep(Duration::from_millis(random.u64(..60)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    // Some go on with the folder that they left, some on machines without.
    for index in 0..8 {
        let local = games.at(&format!(
            "local{}",
            if index % 2 == 0 { index } else { 90 + index }
        ));
        run(
            server.port,
            "games",
            &local,
            &["--shard", &format!("{index}/8")],
        );
    }
    let later = run(server.port, "games", &games.at("later"), &[]);
    assert_eq!(made(&later), 0);
    assert_eq!(number(&later, "/store/damaged"), 0);
    assert_eq!(entries(&games.at("later")), *expected);
}

#[test]
fn damaged_truncated_and_foreign_objects_are_replaced_and_never_served() {
    let Some(games) = Games::start() else {
        return;
    };
    let Games {
        server, expected, ..
    } = &games;
    run(server.port, "games", &games.at("first"), &[]);
    let objects: Vec<String> = server.objects("games");
    let objects: Vec<&String> = objects
        .iter()
        .filter(|key| key.contains("/entries/"))
        .collect();
    assert_eq!(objects.len(), expected.len());
    let other = server.get("games", objects[0]);
    let mut bad = 0;
    for (index, key) in objects.iter().enumerate() {
        let good = server.get("games", key);
        let wrong = match index % 6 {
            0 => good[..good.len() / 2].to_vec(),
            1 => {
                let mut flipped = good.clone();
                flipped[good.len() / 2] ^= 4;
                flipped
            }
            2 => Vec::new(),
            3 => b"<html>a proxy's page</html>".to_vec(),
            // A sound entry of another name.
            4 => other.clone(),
            _ => continue,
        };
        server.put("games", key, &wrong);
        bad += 1;
    }
    let second = run(server.port, "games", &games.at("second"), &[]);
    assert_eq!(made(&second), bad);
    assert_eq!(number(&second, "/store/damaged"), bad);
    assert_eq!(number(&second, "/store/written"), bad);
    assert_eq!(entries(&games.at("second")), *expected);
    let third = run(server.port, "games", &games.at("third"), &[]);
    assert_eq!(made(&third), 0);
    assert_eq!(number(&third, "/store/damaged"), 0);
    assert_eq!(entries(&games.at("third")), *expected);
}

#[test]
fn a_store_that_fails_one_request_in_ten_loses_nothing() {
    let Some(games) = Games::start() else {
        return;
    };
    let Games {
        server, expected, ..
    } = &games;
    let faults = Faults::start(server.port);
    for child in games.workers(faults.port, 2) {
        let (exit, part) = ended(child);
        assert_eq!(exit, 0, "{part:#}");
        assert_eq!(number(&part, "/store/not_written"), 0);
    }
    assert_eq!(server.objects("games").len(), expected.len() + 1);
    let later = run(faults.port, "games", &games.at("later"), &[]);
    assert_eq!(made(&later), 0);
    assert_eq!(number(&later, "/store/not_read"), 0);
    assert_eq!(entries(&games.at("later")), *expected);
    assert!(faults.failed() > 10, "{} requests failed", faults.failed());
}

#[test]
fn a_store_that_cannot_be_used_is_an_error_that_says_why() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("local");
    let said = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(9), "a file that cannot be used");
        String::from_utf8(output.stderr).unwrap()
    };
    let message = said(&mut worker(server.port, "nowhere", &local, &[]));
    assert!(message.contains("no such bucket"), "{message}");
    server.make_bucket("games");
    server.put("games", "game/format", b"somebody else's");
    let message = said(&mut worker(server.port, "games", &local, &[]));
    assert!(message.contains("something else"), "{message}");
    let mut plain = worker(server.port, "games", &local, &[]);
    let message = said(plain.env_remove("AWS_ALLOW_HTTP"));
    assert!(message.contains("AWS_ALLOW_HTTP=true"), "{message}");
    // Nobody listens there.
    let port = s3::free_port();
    let message = said(&mut worker(port, "games", &local, &[]));
    assert!(message.contains("s3://games/game: "), "{message}");
}

#[test]
fn a_folder_with_an_address_is_a_store_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let expected = expected(&at("expected"));
    let out = format!("file://{}", text(&at("shared")));
    let library = library();
    let run = |local: &str| {
        let local = at(local);
        let mut arguments: Vec<&str> = library.iter().map(|folder| text(folder)).collect();
        arguments.extend(["--out", &out, "--local", text(&local)]);
        let (exit, summary) = summary(&arguments);
        assert_eq!(exit, 0, "{summary:#}");
        summary
    };
    let first = run("one");
    assert_eq!(number(&first, "/store/written"), expected.len() as u64);
    // Another machine finds everything.
    assert_eq!(made(&run("two")), 0);
    assert_eq!(entries(&at("two")), expected);
    // What was lost there comes back from a folder that has it, without a translation.
    let lost = expected.keys().next().unwrap();
    let (first, rest) = lost.split_at(2);
    let object = at("shared").join("entries").join(first).join(rest);
    fs::remove_file(&object).unwrap();
    let again = run("two");
    assert_eq!(made(&again), 0);
    assert_eq!(number(&again, "/store/written"), 1);
    assert!(object.exists());
}
