//! Reads the containers of `tests/data/container` and checks what their sources say.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use dxil_frontend::container::psv::PsvStage;
use dxil_frontend::container::*;
use dxil_frontend::dxil::{InputPrimitive, OutputTopology, ShaderKind};
use dxil_frontend::{ErrorKind, FourCc, oracle};

fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/container")
}

fn load(name: &str) -> Vec<u8> {
    std::fs::read(data_dir().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn all() -> Vec<(String, Vec<u8>)> {
    let files: Vec<_> = dxil_checkout::files(&data_dir(), "dxil")
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    assert!(files.len() > 15, "test data is missing");
    files
}

#[test]
fn digests_of_signed_containers_are_valid() {
    for (name, bytes) in all() {
        let container = Container::parse(&bytes).unwrap();
        let expected = match name.as_str() {
            "unsigned_vd_cs.dxil" => DigestStatus::Unsigned,
            "sm610_cs.dxil" | "sm610_lib.dxil" => DigestStatus::Preview,
            _ => DigestStatus::Valid,
        };
        assert_eq!(container.digest(), expected, "{name}");
    }
}

#[test]
fn a_changed_byte_is_a_digest_mismatch() {
    let mut bytes = load("skin_vs.dxil");
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(
        Container::parse(&bytes).unwrap().digest(),
        DigestStatus::Mismatch
    );
}

#[test]
fn programs_begin_with_the_bitcode_magic_at_their_offset() {
    for (name, bytes) in all() {
        let container = Container::parse(&bytes).unwrap();
        if container.part(FourCc::DXIL).is_none() {
            assert_eq!(name, "only_rootsig.dxil");
            continue;
        }
        let program = container.program().unwrap();
        let start = usize::try_from(program.bitcode_offset).unwrap();
        assert_eq!(bytes[start..start + 4], [b'B', b'C', 0xc0, 0xde], "{name}");
        assert_eq!(program.bitcode[..4], [b'B', b'C', 0xc0, 0xde], "{name}");
        let header = program.header.unwrap();
        assert_eq!(header.major, 6, "{name}");
        assert_eq!(header.dxil_version, (1, header.minor), "{name}");
        if let Some(psv) = container.psv().unwrap() {
            assert_eq!(psv.info.kind, Some(header.kind), "{name}");
            assert_eq!(psv.version, 4, "{name}");
            assert_eq!(psv.entry_name, Some("main"), "{name}");
        } else {
            assert_eq!(header.kind, ShaderKind::Library, "{name}");
        }
    }
}

#[test]
fn debug_and_reflection_programs_are_found() {
    let bytes = load("longvec_cs.dxil");
    let container = Container::parse(&bytes).unwrap();
    let debug = container.debug_program().unwrap().unwrap();
    let plain = container.program().unwrap();
    assert!(debug.bitcode.len() > plain.bitcode.len());
    assert!(container.reflection_program().unwrap().is_some());
}

#[test]
fn geometry_psv_has_its_primitives_and_topology() {
    let bytes = load("wire_gs.dxil");
    let psv = Container::parse(&bytes).unwrap().psv().unwrap().unwrap();
    assert_eq!(
        psv.info.stage,
        PsvStage::Geometry {
            input: InputPrimitive::Triangle,
            topology: OutputTopology::TriangleStrip,
            stream_mask: 1,
            output_position: true,
            max_vertices: Some(4),
        }
    );
}

#[test]
fn a_missing_part_is_named() {
    let bytes = load("only_rootsig.dxil");
    let error = Container::parse(&bytes).unwrap().program().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::MissingPart { part: FourCc::DXIL });
}

#[test]
fn dxbc_is_refused_by_name() {
    let bytes = write_container(
        &[(FourCc::RDEF, &[0; 4]), (FourCc::SHEX, &[0; 8])],
        Signing::Digest,
    )
    .unwrap();
    let container = Container::parse(&bytes).unwrap();
    assert_eq!(container.digest(), DigestStatus::Valid);
    let error = container.program().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Dxbc { part: FourCc::RDEF });
    assert_eq!(container.parts().len(), 2);
}

#[test]
fn errors_name_part_and_offset() {
    let mut bytes = load("skin_vs.dxil");
    let psv = Container::parse(&bytes)
        .unwrap()
        .require(FourCc::PSV0)
        .unwrap();
    let offset = psv.offset;
    let at = usize::try_from(offset).unwrap();
    bytes[at..at + 4].copy_from_slice(&0x7000_0000u32.to_le_bytes());
    let error = Container::parse(&bytes).unwrap().psv().unwrap_err();
    assert_eq!(error.location().part, Some(FourCc::PSV0));
    assert_eq!(error.location().offset, Some(offset + 4));
    assert!(
        error.to_string().starts_with("part PSV0, byte 0x"),
        "{error}"
    );
}

#[test]
fn bare_and_wrapped_bitcode_are_detected() {
    let container = load("stripped_cs.dxil");
    let program = open_program(&container).unwrap();
    let bare = open_program(program.bitcode).unwrap();
    assert_eq!(bare.bitcode, program.bitcode);
    assert_eq!((bare.bitcode_offset, bare.header), (0, None));
    let mut wrapped = Vec::new();
    let size = u32::try_from(program.bitcode.len()).unwrap();
    for word in [0x0b17_c0de, 0, 20, size, 0] {
        wrapped.extend_from_slice(&u32::to_le_bytes(word));
    }
    wrapped.extend_from_slice(program.bitcode);
    wrapped.extend_from_slice(&[0; 3]);
    let unwrapped = open_program(&wrapped).unwrap();
    assert_eq!(unwrapped.bitcode, program.bitcode);
    assert_eq!(unwrapped.bitcode_offset, 20);
    assert!(open_program(b"something").is_err());
}

#[test]
fn every_part_of_every_file_reads() {
    for (name, bytes) in all() {
        if let Err(error) = oracle::container(&bytes) {
            panic!("{name}: {error}");
        }
    }
}
