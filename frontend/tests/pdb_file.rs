//! Shader PDB files: DXC's own, and broken ones.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_frontend::container::{Container, container_in_pdb, is_pdb};
use dxil_frontend::dxil::debug::DebugInfo;
use dxil_frontend::dxil::read_shader_with_debug_info;
use dxil_frontend::oracle::{self, Random};

const PDB: &[u8] = include_bytes!("data/pdb/tinted.pdb");

#[test]
fn the_shader_with_its_source_is_found() {
    assert!(is_pdb(PDB));
    let container = container_in_pdb(PDB).unwrap();
    oracle::container(&container).unwrap();
    let shader = read_shader_with_debug_info(&container).unwrap();
    assert!(DebugInfo::of(&shader.module).is_some());
    let sources = shader.sources.unwrap();
    let text = include_str!("data/pdb/tinted.hlsl");
    assert_eq!(sources.files[0].text.replace("\r\n", "\n"), text);
    assert!(!is_pdb(Container::parse(&container).unwrap().bytes()));
}

#[test]
fn broken_files_are_errors() {
    for length in (0..PDB.len()).step_by(97) {
        let _ = container_in_pdb(&PDB[..length]);
    }
    assert!(container_in_pdb(&PDB[..40]).is_err());
    let mut random = Random::new(5);
    for _ in 0..2_000 {
        let mut bytes = PDB.to_vec();
        for _ in 0..=random.below(3) {
            // The header and the directory are what can be wrong.
            let at = random.below(3000.min(bytes.len()));
            bytes[at] ^= 1 << random.below(8);
        }
        if let Ok(container) = container_in_pdb(&bytes) {
            assert!(container.len() <= bytes.len());
        }
    }
}
