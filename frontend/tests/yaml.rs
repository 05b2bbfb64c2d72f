//! Containers as YAML and back.
//!
//! `tests/data/yaml` has what LLVM 23.1's `obj2yaml` prints of containers in this checkout; all but
//! one without their bitcode (`DXIL:`), which is most of the text. The numbers are FNV-1a hashes of
//! what its `yaml2obj` makes of those texts.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use dxil_frontend::container::{Container, ProgramSignature, container_in_pdb, is_pdb};
use dxil_frontend::{FourCc, yaml};

/// Text, container, hash of LLVM's bytes.
const CASES: [(&str, &str, u64); 14] = [
    (
        "only_rootsig",
        "frontend/tests/data/container/only_rootsig.dxil",
        0x8787_ae27_488e_f623,
    ),
    (
        "rootsig_1_1_cs",
        "frontend/tests/data/container/rootsig_1_1_cs.dxil",
        0x964c_c2ad_1478_33df,
    ),
    (
        "rootsig_1_0_ps",
        "frontend/tests/data/container/rootsig_1_0_ps.dxil",
        0xd84d_a6ec_3ad5_e23d,
    ),
    (
        "skin_vs",
        "frontend/tests/data/container/skin_vs.dxil",
        0x031e_a1ae_767f_f830,
    ),
    (
        "tess_hs",
        "frontend/tests/data/container/tess_hs.dxil",
        0x4c8a_3797_fc8b_1ea8,
    ),
    (
        "patch_ds",
        "frontend/tests/data/container/patch_ds.dxil",
        0x1ef1_5f8a_365d_d1f7,
    ),
    (
        "view_ps",
        "frontend/tests/data/container/view_ps.dxil",
        0x7698_c984_0430_b7a2,
    ),
    (
        "geometry",
        "frontend/tests/data/modules/geometry.dxil",
        0x7cee_21f4_b616_0cc6,
    ),
    (
        "views_ms",
        "hwtests/shaders/mesh/views_ms.dxil",
        0xde48_f2a9_e571_baa2,
    ),
    (
        "registers",
        "hwtests/shaders/arith/registers.dxil",
        0x337f_3ffe_382f_de14,
    ),
    (
        "sm610_lib",
        "frontend/tests/data/container/sm610_lib.dxil",
        0xc2af_6a66_659a_eb43,
    ),
    (
        "small_pdb_cs",
        "frontend/tests/data/container/small_pdb_cs.dxil",
        0xdd30_8ee7_67f9_0407,
    ),
    (
        "bfs_step",
        "bench/kernels/bfs_step.dxbc",
        0x450e_e7f7_8846_9b2e,
    ),
    (
        "nested_arrays",
        "translate/filetests/memory/nested_arrays.dxil",
        0x46ed_ea40_3d23_4e80,
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn container(file: &str) -> Vec<u8> {
    let bytes = fs::read(root().join(file)).unwrap();
    if is_pdb(&bytes) {
        container_in_pdb(&bytes).unwrap()
    } else {
        bytes
    }
}

fn text_of_llvm(name: &str) -> String {
    let file = format!("frontend/tests/data/yaml/{name}.yaml");
    fs::read_to_string(root().join(file)).unwrap()
}

fn ours(bytes: &[u8]) -> String {
    yaml::from_container(&Container::parse(bytes).unwrap()).unwrap()
}

/// Leaves out the list of bitcode: its key, and the lines up to its bracket.
fn without_bitcode(text: &str) -> String {
    let mut kept = String::new();
    let mut skips = false;
    for line in text.split_inclusive('\n') {
        skips |= line.trim_start().starts_with("DXIL: ");
        if !skips {
            kept.push_str(line);
        }
        skips &= !line.ends_with("]\n");
    }
    kept
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[test]
fn texts_are_those_of_llvm() {
    let tripled = ("tripled", "frontend/tests/data/pdb/tripled.pdb", 0);
    for (name, file, _) in CASES.into_iter().chain([tripled]) {
        let llvm = text_of_llvm(name);
        let text = ours(&container(file));
        let text = if llvm.contains(" DXIL: ") {
            text
        } else {
            without_bitcode(&text)
        };
        assert_eq!(text, llvm, "{name}");
    }
}

#[test]
fn bytes_are_those_of_llvm() {
    for (name, _, hash) in CASES {
        let bytes = yaml::to_container(&text_of_llvm(name)).unwrap();
        assert_eq!(fnv(&bytes), hash, "{name}");
    }
}

/// What the schema has comes back byte for byte; only tables of names have LLVM's order.
#[test]
fn parts_of_the_schema_come_back() {
    for (name, file, _) in CASES {
        let bytes = container(file);
        let again = yaml::to_container(&ours(&bytes)).unwrap();
        let (old, new) = (
            Container::parse(&bytes).unwrap(),
            Container::parse(&again).unwrap(),
        );
        assert_eq!(old.stored_digest(), new.stored_digest());
        for (old, new) in old.parts().iter().zip(new.parts()) {
            assert_eq!((old.name, old.offset), (new.name, new.offset));
            match old.name {
                FourCc::DXIL
                | FourCc::ILDB
                | FourCc::ILDN
                | FourCc::SFI0
                | FourCc::HASH
                | FourCc::VERS => assert_eq!(old.data, new.data, "{name} {}", old.name),
                FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 => {
                    let parameters = |part| ProgramSignature::parse(part).unwrap().parameters;
                    assert_eq!(parameters(*old), parameters(*new), "{name} {}", old.name);
                }
                _ => assert_eq!(old.data.len(), new.data.len()),
            }
        }
    }
}

/// LLVM refuses here what it wrote: it packs sources into another number of bytes than DXC does.
#[test]
fn packed_sources_come_back() {
    let bytes = container("frontend/tests/data/pdb/tripled.pdb");
    let again = yaml::to_container(&ours(&bytes)).unwrap();
    let sources = |bytes: &[u8]| {
        let container = Container::parse(bytes).unwrap();
        let info = container.source_info().unwrap().unwrap();
        let names: Vec<_> = info.names.iter().map(|it| it.name.to_owned()).collect();
        let contents = info.contents.unwrap();
        let texts: Vec<_> = contents.texts().map(|it| it.unwrap().to_owned()).collect();
        (names, texts, format!("{:?}", info.arguments))
    };
    assert_eq!(sources(&again), sources(&bytes));
    assert_eq!(sources(&again).0, ["shader.hlsl"]);
}

/// What a text leaves out is computed.
#[test]
fn offsets_and_sizes_may_be_left_out() {
    let text = "\
--- !dxcontainer
Header:
  Hash: [ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0x0F ]
  Version: { Major: 1, Minor: 0 }
  PartCount: 2
Parts:
  - Name: PRIV
    Size: 4
    PrivateData: [ 1, 2 ]
  - Name: DXIL
    Size: 28
    Program:
      MajorVersion: 6
      MinorVersion: 5
      ShaderKind: 5
      DXILMajorVersion: 1
      DXILMinorVersion: 5
      DXIL: [ 0x42, 0x43, 0xC0, 0xDE ]
...
";
    let bytes = yaml::to_container(text).unwrap();
    let container = Container::parse(&bytes).unwrap();
    assert_eq!(container.stored_digest()[15], 15);
    assert_eq!(container.private_data(), Some([1, 2, 0, 0].as_slice()));
    let program = container.program().unwrap();
    assert_eq!(program.bitcode, [0x42, 0x43, 0xc0, 0xde]);
    let header = program.header.unwrap();
    assert_eq!((header.major, header.minor), (6, 5));
    // In bytes, as LLVM counts where the text has no number.
    assert_eq!(header.size_in_words, 28);
}

#[test]
fn what_contradicts_itself_is_refused() {
    let text = text_of_llvm("small_pdb_cs");
    let cases = [
        ("PartCount:       ", "PartCount: 3 #", "PartCount"),
        ("FileSize:        ", "FileSize: 40 #", "FileSize"),
        ("Size:            8", "Size: 9", "offset"),
        ("Size:            20", "Size: 16", "HASH"),
        ("Name:            SFI0", "Name: SFI", "SFI"),
        ("Name:            SFI0", "Nome: SFI0", "Name is missing"),
        ("Size:            8", "Size: eight", "line 13: a number"),
        (
            "      IncludesSource:",
            "      Other: 1\n      IncludesSource:",
            "Other",
        ),
        ("ShaderKind: ", "ShaderKind: 70000 #", "16 bits"),
        (
            "IncludesSource:  false",
            "IncludesSource: maybe",
            "true or false",
        ),
        (
            "--- !dxcontainer\n",
            "--- !dxcontainer\nHeader: 1\n",
            "mapping",
        ),
    ];
    assert!(yaml::to_container(&text).is_ok());
    for (from, to, message) in cases {
        assert!(text.contains(from), "{from}");
        let error = yaml::to_container(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.to_string().contains(message), "{to}: {error}");
    }
    let large = "Header: { Hash: [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], \
                 Version: { Major: 1, Minor: 0 }, PartCount: 1 }\n\
                 Parts: [ { Name: PRIV, Size: 0xF0000000 } ]";
    let error = yaml::to_container(large).unwrap_err();
    assert_eq!(error.code(), "limit");
}

/// Numbers that the schema has no name for stand for themselves.
#[test]
fn unnamed_numbers_come_back() {
    let text = text_of_llvm("skin_vs").replace("CompType:        UInt32", "CompType: 77");
    let bytes = yaml::to_container(&text).unwrap();
    let again = without_bitcode(&ours(&bytes));
    assert_eq!(
        again.matches("CompType:        77\n").count(),
        text.matches("CompType: 77").count()
    );
}
