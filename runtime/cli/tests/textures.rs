//! Textures of files with all their levels, in and out, and levels that the command line asks for.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BACKENDS: [&str; 3] = ["cpu", "vulkan", "wgpu"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a shader of the checkout.
fn run(shader: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil-run"));
    command.arg(root().join(shader)).args(arguments);
    command.args(["--dispatch", "1", "--quiet"]);
    command.current_dir(root()).output().unwrap()
}

fn good(output: &Output) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

/// Returns the words of a file.
fn words(file: &Path) -> Vec<u32> {
    let bytes = std::fs::read(file).unwrap();
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

fn out(place: &str, file: &Path) -> String {
    format!("{place}={}", file.display())
}

const LOADS: &str = "hwtests/shaders/textures/load_mips.dxil";

/// What the shader of `LOADS` writes for those levels of 4x4, 2x2 and 1x1 texels. Loads outside of
/// the texture give 0 (D3D11.3 functional specification, 7.18.2.1 "out of bounds").
fn loaded(levels: [&[u32]; 3]) -> Vec<u32> {
    let mut expected = levels.concat();
    // Threads 21 to 23 load column 4 and on; 24 and 25 column -1; 26 and on level 3 and on.
    expected.extend([9, 9, 9, 10, 10, 11, 11, 11, 11, 11, 11]);
    expected
}

/// `levels.ktx2` was written by ktx-parse 1.1 (npm).
#[test]
fn a_ktx_file_gives_all_its_levels() {
    let folder = tempfile::tempdir().unwrap();
    let first: Vec<u32> = (0..16).collect();
    let expected = loaded([&first, &[100, 101, 102, 103], &[200]]);
    for backend in BACKENDS {
        let result = folder.path().join("out.bin");
        let output = out("u0", &result);
        let bind = "t0=runtime/cli/tests/data/textures/levels.ktx2";
        let options = ["--backend", backend, "--bind", bind, "--out", &output];
        good(&run(LOADS, &options));
        assert_eq!(words(&result)[..32], expected, "{backend}");
    }
}

/// `colours.dds` and `red.dds` (BC3 without a type) were written by Pillow 13.
#[test]
fn dds_files_give_their_formats() {
    let folder = tempfile::tempdir().unwrap();
    let pixel = |file: &str, x: u32, y: u32, backend: &str| {
        let picture = folder.path().join("out.png");
        let output = out("u0", &picture);
        let bind = format!("t0=runtime/cli/tests/data/textures/{file}");
        let mut options = vec!["--backend", backend, "--bind", &bind, "--out", &output];
        options.extend(["--size", "u0=8x8", "--format", "u0=R8G8B8A8_UNORM"]);
        options.extend(["--bind", "s0=point"]);
        good(&run("runtime/tests/data/tex.dxil", &options));
        image::open(&picture)
            .unwrap()
            .into_rgba8()
            .get_pixel(x, y)
            .0
    };
    for backend in BACKENDS {
        // The shader swaps red and blue. 8x4 texels: those of the picture are 32 x, 64 y, 128.
        assert_eq!(pixel("colours.dds", 5, 6, backend), [128, 192, 160, 255]);
        assert_eq!(
            pixel("red.dds", 3, 3, backend),
            [0, 0, 255, 255],
            "{backend}"
        );
    }
}

#[test]
fn levels_are_means_of_the_level_before() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("in.png");
    let grey = |x: u32, y: u32| (x * 10 + y * 40) as u8;
    let values = image::GrayImage::from_fn(4, 4, |x, y| image::Luma([grey(x, y)]));
    values.save(&picture).unwrap();
    let value = |x, y| u32::from(grey(x, y));
    let first: Vec<u32> = (0..16).map(|i| value(i % 4, i / 4)).collect();
    // Blocks of 2x2: 0, 10, 40, 50, and so on; then the mean of the four means.
    let expected = loaded([&first, &[25, 45, 105, 125], &[75]]);
    for backend in BACKENDS {
        let result = folder.path().join("out.bin");
        let (bind, output) = (out("t0", &picture), out("u0", &result));
        let mut options = vec!["--backend", backend, "--bind", &bind, "--out", &output];
        options.extend(["--mips", "t0=all"]);
        good(&run(LOADS, &options));
        assert_eq!(words(&result)[..32], expected, "{backend}");
    }
    let bind = out("t0", &picture);
    let more = run(
        LOADS,
        &["--backend", "cpu", "--bind", &bind, "--mips", "t0=4"],
    );
    let errors = String::from_utf8_lossy(&more.stderr).into_owned();
    assert_eq!(more.status.code(), Some(2), "{errors}");
    assert!(errors.contains("has at most 3"), "{errors}");
    let buffer = run(LOADS, &["--backend", "cpu", "--mips", "u0=2"]);
    let errors = String::from_utf8_lossy(&buffer.stderr).into_owned();
    assert!(errors.contains("has no levels"), "{errors}");
}

/// The file's fields are where the "Programming Guide for DDS" has them.
#[test]
fn a_texture_is_written_with_its_levels() {
    let folder = tempfile::tempdir().unwrap();
    let (dds, ktx) = (folder.path().join("a.dds"), folder.path().join("a.ktx2"));
    let bind = "t0=runtime/cli/tests/data/textures/levels.ktx2";
    let (first, second) = (out("t0", &dds), out("t0", &ktx));
    let options = ["--backend", "cpu", "--bind", bind, "--out", &first];
    good(&run(LOADS, &[&options[..], &["--out", &second]].concat()));
    let file = words(&dds);
    // Magic, size of the header, height, width, levels, "DX10", DXGI_FORMAT_R32_UINT, 2D, no cube,
    // layers.
    let at = |index: usize| file[index];
    assert_eq!(
        [at(0), at(1), at(3), at(4), at(7)],
        [0x2053_4444, 124, 4, 4, 3]
    );
    assert_eq!(
        [at(21), at(32), at(33), at(34), at(35)],
        [0x3031_5844, 42, 3, 0, 1]
    );
    let texels: Vec<u32> = (0..16).chain(100..104).chain([200]).collect();
    // Size and flags of the pixel format: DDPF_FOURCC alone.
    assert_eq!([at(19), at(20), at(22)], [32, 4, 0]);
    assert_eq!(file[37..], texels);
    // What another program wrote of the same texels, but for the place of the levels: those of the
    // file begin with the smallest (KTX 2.0, "Mip Level Array").
    let written = std::fs::read(&ktx).unwrap();
    let other = std::fs::read(root().join("runtime/cli/tests/data/textures/levels.ktx2")).unwrap();
    assert_eq!(written[..48], other[..48]);
    let tail: Vec<u32> = words(&ktx);
    assert_eq!(tail[tail.len() - 16..], texels[..16]);
}

#[test]
fn a_level_that_a_texture_lacks_is_a_warning() {
    let shader = "hwtests/shaders/bindings/static_samplers.dxil";
    let warned = |more: &[&str]| {
        let output = run(shader, &[&["--backend", "cpu"], more].concat());
        String::from_utf8_lossy(&output.stderr).contains("looks at level 2")
    };
    assert!(warned(&[]));
    assert!(!warned(&["--mips", "t0=3"]));
}

/// The module (`one_binding.spv`, by DXC of a shader of our own) has a texture and a sampler on set
/// 0, binding 0, and samples the middle of the texture.
#[test]
fn a_texture_and_a_sampler_on_one_binding_of_spirv_are_t0_and_s0() {
    let folder = tempfile::tempdir().unwrap();
    for (sampler, expected) in [("linear", 4.0_f32), ("point", 10.0)] {
        let result = folder.path().join("out.bin");
        let output = run(
            "runtime/tests/data/one_binding.spv",
            &[
                "--bind",
                "t0=f32:1,2,3,10",
                "--size",
                "t0=2x2",
                "--format",
                "t0=R32_FLOAT",
                "--bind",
                &format!("s0={sampler}"),
                "--size",
                "u1=1",
                "--out",
                &out("u1", &result),
            ],
        );
        good(&output);
        // The mean of all four texels, or the one that begins at the middle.
        let red = words(&result).first().copied();
        assert_eq!(red, Some(expected.to_bits()), "{sampler}");
    }
}
