//! The cache on disk under threads, processes, `kill -9`, damage and a full folder.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking; the writing process says when it has begun"
)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
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

/// Returns options number `n`: each gives another key.
fn options(n: u32) -> Options {
    let mut options = Options::default();
    options.entry = Some("main".into());
    options.bounds_checks = n % 2 == 1;
    options.required_subgroup_size = n / 2;
    options
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
    let mut maximum = 0;
    for attempt in 0..25 {
        // It goes on writing: the limit holds some ten entries, and there are forty.
        let mut child = start_writer(folder.path(), u64::MAX, 60_000);
        std::thread::sleep(Duration::from_micros(300 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();

        let before = files(folder.path());
        maximum = maximum.max(before.len());
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
    assert!(maximum > 0, "the writers got to write something");
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
                    let mut options = CompileOptions::default();
                    // Half of the work is the same in all threads, half is each one's own.
                    options.debug_info = round % 2 == 0;
                    options.cache = (round < 4).then(|| Cached {
                        cache: Arc::clone(cache),
                        sources: vec![source],
                    });
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
