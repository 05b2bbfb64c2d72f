//! The oracles of the fuzz targets, with changed seeds: whatever is read answers, and its messages
//! are harmless.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use dxil_frontend::oracle::{self as frontend, Random, changed};
use dxil_runtime::cache::{Cache, SourceHash};
use dxil_runtime::oracle;

/// Calls an oracle with each seed and with changed ones; how many of those were taken.
fn rounds(seeds: &[Vec<u8>], count: u64, oracle: impl Fn(&[u8]) -> bool) -> usize {
    for seed in seeds {
        assert!(
            oracle(seed),
            "a seed is refused: {}",
            String::from_utf8_lossy(seed)
        );
    }
    let mut random = Random::new(1);
    let mut taken = 0;
    for round in 0..count {
        let seed = &seeds[usize::try_from(round).unwrap() % seeds.len()];
        taken += usize::from(oracle(&changed(&mut random, seed)));
    }
    taken
}

fn files(folder: &str, extension: &str) -> Vec<Vec<u8>> {
    let paths = dxil_checkout::files_of(&[folder], extension);
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[test]
fn changed_texts_of_root_signatures_are_answered() {
    let seeds = [
        "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), CBV(b0, space = 1), RootConstants(num32BitConstants=3, b2)",
        "DescriptorTable(SRV(t0, numDescriptors = unbounded, offset = 8), UAV(u1, numDescriptors = 2, flags = 0))",
        "StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP, maxLOD = 2.5f)",
    ];
    let seeds = seeds.map(|seed| seed.as_bytes().to_vec());
    let taken = rounds(&seeds, 20_000, oracle::root_signature_text);
    assert!(taken > 200, "only {taken} were taken");
}

#[test]
fn changed_root_signatures_are_answered() {
    let seeds = [
        "CBV(b0), SRV(t0)",
        "DescriptorTable(SRV(t0), UAV(u0, numDescriptors = 4)), StaticSampler(s0)",
    ];
    let seeds = seeds.map(|text| {
        let signature = dxil_runtime::root_signature::parse_text(text).unwrap();
        signature.to_bytes().unwrap()
    });
    let taken = rounds(&seeds, 20_000, |bytes| {
        frontend::root_signature(bytes).is_ok()
    });
    assert!(taken > 200, "only {taken} were taken");
}

#[test]
fn changed_pipeline_files_are_answered() {
    let taken = rounds(
        &files("hwtests/pipelines", "yaml"),
        2_000,
        dxil_jit::oracle::yaml,
    );
    assert!(taken > 20, "only {taken} were taken");
}

#[test]
fn changed_numpy_files_are_answered() {
    let record = "[('pos', '<f4', (3,)), ('', '|V4'), ('in', [('id', '<u8')], (2,)), ]";
    let seeds = [
        dxil_jit::npy::write("'<f4'", &[2, 3], &[0; 24]),
        dxil_jit::npy::write(record, &[1], &[0; 32]),
    ];
    let taken = rounds(&seeds, 20_000, dxil_jit::oracle::numpy);
    // Nearly each character of a header has one meaning only, so that less than one change in a
    // hundred leaves a file that can be read.
    assert!(taken > 150, "only {taken} were taken");
}

#[test]
fn changed_wavefront_files_are_answered() {
    let seed = "mtllib none.mtl\no a\nv 0 0 0 1 0 0\nv 1 0 0 0.5 0.25 1\nv 0 1 0 0 1 0\nv 1 1 0 0 0 1\nvt 0 1\nvn 0 0 1\n\
                g b\nusemtl c\nf 1/1/1 2/1/1 3/1/1\nf 1//1 2//1 4//1 -1//-1\nf 1 2 3 4\nl 1 2\np 1\n";
    let taken = rounds(&[seed.as_bytes().to_vec()], 20_000, dxil_jit::oracle::obj);
    assert!(taken > 200, "only {taken} were taken");
}

#[test]
fn changed_pdb_files_are_answered() {
    let seeds = files("frontend/tests/data/pdb", "pdb");
    let taken = rounds(&seeds, 1_000, |bytes| frontend::pdb(bytes).is_ok());
    assert!(taken > 10, "only {taken} were taken");
}

#[test]
fn changed_libraries_are_linked_or_refused() {
    let libraries = files("hwtests/shaders/linking", "dxil");
    let mut seeds = Vec::new();
    for (one, two) in libraries.iter().zip(libraries.iter().skip(1)) {
        let mut seed = u32::try_from(one.len()).unwrap().to_le_bytes().to_vec();
        seed.extend(one);
        seed.extend(two);
        seeds.push(seed);
    }
    // Not every pair fits; what is asked is that each is answered.
    rounds(&seeds, 300, |bytes| {
        let _ = frontend::linking(bytes);
        true
    });
}

#[test]
fn changed_nodes_become_graphs_or_errors() {
    rounds(&files("hwtests/shaders/nodes", "dxil"), 300, |bytes| {
        oracle::work_graph(bytes);
        true
    });
}

#[test]
fn changed_entries_of_the_cache_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), 1 << 20).unwrap();
    let bytes = &files("runtime/tests/data", "dxil")[0];
    let shader = dxil_frontend::dxil::read_shader(bytes).unwrap();
    let mut options = dxil_translate::Options::default();
    options.entry = shader
        .entry_points
        .first()
        .map(|entry| entry.name.to_string());
    options.target.features = dxil_translate::Features::all();
    cache
        .translate(SourceHash::of(bytes), &shader, &options)
        .unwrap();
    let shards = std::fs::read_dir(folder.path().join("entries")).unwrap();
    let shard = shards.map(|entry| entry.unwrap().path()).next().unwrap();
    let entry = std::fs::read_dir(&shard)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    // The key is the name.
    let name = format!(
        "{}{}",
        shard.file_name().unwrap().to_str().unwrap(),
        entry.file_name().unwrap().to_str().unwrap()
    );
    let digits = name.as_bytes().chunks(2);
    let mut seed: Vec<u8> = digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    seed.extend(std::fs::read(&entry).unwrap());
    rounds(&[seed], 3_000, |bytes| {
        oracle::cache_entry(bytes);
        true
    });
}
