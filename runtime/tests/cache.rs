//! The cache on disk under threads, processes, `kill -9`, damage and a full folder.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking; the writing process says when it has begun"
)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::cache::{Cache, Cached, DEFAULT_LIMIT, SourceHash};
use dxil_runtime::device::{self, Backend, OpenOptions};
use dxil_runtime::job::{Job, Register};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_translate::{Options, Translation, translate};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn shader(name: &str) -> (SourceHash, Shader) {
    let bytes = std::fs::read(data(name)).unwrap();
    (SourceHash::of(&bytes), read_shader(&bytes).unwrap())
}

/// Options number `n`: each gives another key.
fn options(n: u32) -> Options {
    Options {
        entry: Some("main".into()),
        bounds_checks: n % 2 == 1,
        required_subgroup_size: n / 2,
        ..Options::default()
    }
}

fn fingerprint(translation: &Translation) -> String {
    format!("{translation:?}")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for sub in std::fs::read_dir(folder.join("entries")).unwrap() {
        for file in std::fs::read_dir(sub.unwrap().path()).unwrap() {
            all.push(file.unwrap().path());
        }
    }
    all.sort();
    all
}

const FOLDER: &str = "DXIL_JIT_TEST_CACHE";
const ROUNDS: &str = "DXIL_JIT_TEST_ROUNDS";
const LIMIT: &str = "DXIL_JIT_TEST_LIMIT";

/// Not a test of its own: what the writing processes of the tests below run.
#[test]
#[ignore = "the other tests start it in processes of their own"]
fn writer() {
    let number = |name| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    let cache = Cache::open(&folder, number(LIMIT)).unwrap();
    let (source, shader) = shader("fields.dxil");
    println!("\nbegun");
    for round in 0..number(ROUNDS) {
        let options = options(round as u32 % 40);
        let kept = cache.translate(source, &shader, &options).unwrap();
        let anew = translate(&shader, &options).unwrap();
        assert_eq!(fingerprint(&kept), fingerprint(&anew), "round {round}");
    }
}

fn start_writer(folder: &Path, rounds: u64, limit: u64) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writer", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(ROUNDS, rounds.to_string())
        .env(LIMIT, limit.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "begun"));
    child
}

#[test]
fn a_killed_writer_leaves_only_whole_entries() {
    let folder = tempfile::tempdir().unwrap();
    let (source, shader) = shader("fields.dxil");
    let mut most = 0;
    for attempt in 0..25 {
        // It goes on writing: the limit holds some ten entries, and there are forty.
        let mut child = start_writer(folder.path(), u64::MAX, 60_000);
        std::thread::sleep(Duration::from_micros(300 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();

        let before = files(folder.path());
        most = most.max(before.len());
        let cache = Cache::open(folder.path(), DEFAULT_LIMIT).unwrap();
        let mut found = 0;
        for n in 0..40 {
            let translation = cache.translate(source, &shader, &options(n)).unwrap();
            let anew = translate(&shader, &options(n)).unwrap();
            assert_eq!(fingerprint(&translation), fingerprint(&anew));
            found = cache.statistics().translations_found;
        }
        assert_eq!(
            found,
            before.len() as u64,
            "each file that was there was whole"
        );
        // The next writer begins with some of them.
        for file in files(folder.path()).into_iter().step_by(2) {
            std::fs::remove_file(file).unwrap();
        }
    }
    assert!(most > 0, "the writers got to write something");
}

#[test]
fn processes_share_a_small_folder_without_wrong_results() {
    let folder = tempfile::tempdir().unwrap();
    let limit = 40_000;
    let writers: Vec<Child> = (0..4)
        .map(|_| start_writer(folder.path(), 400, limit))
        .collect();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success());
    }
    let sizes = files(folder.path())
        .iter()
        .map(|file| file.metadata().unwrap().len())
        .sum::<u64>();
    // Each process looks again after what it alone wrote passes the limit.
    assert!(sizes > 0 && sizes <= 4 * limit, "{sizes} bytes");
}

#[test]
fn a_reused_translation_equals_a_new_one_and_another_input_is_another_entry() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Cache::open(folder.path(), DEFAULT_LIMIT).unwrap();
    let (source, shader) = shader("fields.dxil");
    let (other_source, other) = self::shader("tex.dxil");
    let first = open();
    for n in 0..10 {
        first.translate(source, &shader, &options(n)).unwrap();
    }
    first
        .translate(other_source, &other, &Options::default())
        .unwrap();
    assert_eq!(first.statistics().translations_made, 11);
    assert_eq!(files(folder.path()).len(), 11);

    let second = open();
    for n in 0..10 {
        let kept = second.translate(source, &shader, &options(n)).unwrap();
        let anew = translate(&shader, &options(n)).unwrap();
        assert_eq!(fingerprint(&kept), fingerprint(&anew));
    }
    let statistics = second.statistics();
    assert_eq!(statistics.translations_found, 10);
    assert_eq!(statistics.translations_made, 0);
}

#[test]
fn threads_translate_and_make_pipelines_on_one_device_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Arc::new(Cache::open(folder.path(), DEFAULT_LIMIT).unwrap());
    let mut open = OpenOptions::new(Backend::Vulkan);
    open.cache = Some(Arc::clone(&cache));
    let device = device::open(&open).unwrap();
    let (source, shader) = shader("saxpy.dxil");
    std::thread::scope(|scope| {
        for thread in 0..8u32 {
            let (device, cache, shader) = (&device, &cache, &shader);
            scope.spawn(move || {
                for round in 0..6u32 {
                    let options = CompileOptions {
                        // Half of the work is the same in all threads, half is each one's own.
                        debug_info: round % 2 == 0,
                        cache: (round < 4).then(|| Cached {
                            cache: Arc::clone(cache),
                            sources: vec![source],
                        }),
                        ..CompileOptions::default()
                    };
                    let program =
                        Program::compile(shader, None, device.profile(), &|_| None, &options)
                            .unwrap();
                    let pipeline = device.prepare(&program).unwrap();
                    let x = (thread * 100 + round) as f32;
                    let floats = |values: [f32; 256]| {
                        let bytes = values.iter().flat_map(|value| value.to_le_bytes());
                        bytes.collect::<Vec<u8>>()
                    };
                    let register = |name: &str| name.parse::<Register>().unwrap();
                    let mut job = Job::dispatch([4, 1, 1]);
                    let mut constants = 2.0f32.to_le_bytes().to_vec();
                    constants.extend_from_slice(&200u32.to_le_bytes());
                    constants.resize(16, 0);
                    job.bind_constants(register("b0"), constants);
                    job.bind_buffer(register("t0"), floats([x; 256]));
                    let y = job.bind_buffer(register("u0"), floats([1.0; 256]));
                    let outcome = pipeline.run(&job).unwrap();
                    let mut expected = [2.0 * x + 1.0; 256];
                    expected[200..].fill(1.0);
                    assert_eq!(outcome.bytes(y).unwrap(), floats(expected));
                }
            });
        }
    });
    let statistics = cache.statistics();
    let translations = statistics.translations_found + statistics.translations_made;
    assert_eq!(translations, 8 * 4);
    assert_eq!(
        statistics.pipelines_found + statistics.pipelines_made,
        8 * 6
    );
    assert!(statistics.pipelines_found > 0, "{statistics:?}");
}

fn run(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dxil-run"))
        .arg(data("fields.dxil"))
        .args(["--dispatch", "1", "--time", "1", "--timeout", "30"])
        .args(more)
        .env("XDG_CACHE_HOME", folder)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

#[track_caller]
fn stdout(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Lines that do not hold times.
fn results(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with('u') || line.starts_with("  "))
        .collect()
}

#[test]
fn a_second_run_finds_what_the_first_one_kept_and_damage_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let first = stdout(&run(folder.path(), &[]));
    assert!(first.contains("translations 0 found, 1 made"), "{first}");
    assert!(first.contains("pipelines 0 found, 1 made"), "{first}");
    let second = stdout(&run(folder.path(), &[]));
    assert!(second.contains("translations 1 found (saved"), "{second}");
    assert!(second.contains("pipelines 1 found (saved"), "{second}");
    assert_eq!(results(&first), results(&second));

    let entries = files(&folder.path().join("dxil-jit"));
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        let bytes = std::fs::read(entry).unwrap();
        std::fs::write(entry, &bytes[..bytes.len() - 3]).unwrap();
    }
    let third = run(folder.path(), &[]);
    let stderr = String::from_utf8_lossy(&third.stderr).into_owned();
    for entry in &entries {
        let name = entry.display().to_string();
        assert_eq!(stderr.matches(&name).count(), 1, "{stderr}");
    }
    let third = stdout(&third);
    assert!(third.contains("translations 0 found, 1 made"), "{third}");
    assert_eq!(results(&first), results(&third));

    let fourth = run(folder.path(), &[]);
    assert_eq!(String::from_utf8_lossy(&fourth.stderr), "");
    assert!(stdout(&fourth).contains("translations 1 found"));
}

#[test]
fn wgpu_keeps_translations_and_pipelines_too() {
    for way in [
        &["--backend", "wgpu"][..],
        &["--backend", "wgpu", "--portable"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let first = stdout(&run(folder.path(), way));
        assert!(first.contains("translations 0 found, 1 made"), "{first}");
        assert!(first.contains("pipelines 0 found, 1 made"), "{first}");
        let second = stdout(&run(folder.path(), way));
        assert!(second.contains("translations 1 found (saved"), "{second}");
        assert!(second.contains("pipelines 1 found (saved"), "{second}");
        assert_eq!(results(&first), results(&second));
    }
}

#[test]
fn the_cache_lies_where_the_command_line_says_or_nowhere() {
    let home = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let text = stdout(&run(home.path(), &["--no-cache"]));
    assert!(!text.contains("cache:"), "{text}");
    let place = other.path().join("a/b");
    stdout(&run(home.path(), &["--cache", place.to_str().unwrap()]));
    assert_eq!(files(&place).len(), 2);
    assert!(!home.path().join("dxil-jit").exists());

    // A file where the folder should be: an error if asked for by name, else no cache.
    let file = home.path().join("dxil-jit");
    std::fs::write(&file, b"").unwrap();
    let output = run(home.path(), &["--cache", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!stdout(&run(home.path(), &[])).contains("cache:"));
}

#[test]
fn what_cannot_be_kept_is_said_once_and_the_work_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let first = stdout(&run(folder.path(), &[]));
    // Files where the entries' folders should be keep even root from writing there.
    let entries = files(&folder.path().join("dxil-jit"));
    assert_eq!(entries.len(), 2);
    for entry in &entries {
        let parent = entry.parent().unwrap();
        _ = std::fs::remove_dir_all(parent);
        std::fs::write(parent, b"").unwrap();
    }
    let output = run(folder.path(), &[]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(error.matches("warn: cache: ").count(), 1, "{error}");
    assert_eq!(results(&first), results(&stdout(&output)));
    // A file in the place of the cache's own folder: no cache, and no word where nobody asked for
    // one.
    let parts = folder.path().join("dxil-jit/parts");
    std::fs::remove_dir_all(&parts).unwrap();
    std::fs::write(&parts, b"").unwrap();
    let output = run(folder.path(), &[]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(results(&first), results(&stdout(&output)));
}
