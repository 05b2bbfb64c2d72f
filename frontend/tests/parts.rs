//! The parts that are written from a module are those that DXC wrote, byte for byte, for every
//! checked-in container of DXC.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::PathBuf;

use dxil_checkout::files_of;
use dxil_frontend::container::Container;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::validate::function_needs;
use dxil_frontend::{FourCc, parts};

/// Containers whose parts another compiler wrote.
const OTHERS: [&str; 4] = [
    "producers/gogpu_bits.dxil",
    "producers/mesa_exchange.dxil",
    "producers/mesa_unbounded.dxil",
    "producers/mesa_view_id_vs.dxil",
];

fn containers() -> Vec<PathBuf> {
    let folders = [
        "frontend/tests/data",
        "hwtests/pipelines",
        "runtime/tests/data",
        "hwtests/shaders",
        "translate/filetests",
        "bench/kernels",
    ];
    let mut found = files_of(&folders, "dxil");
    found.retain(|path| !OTHERS.iter().any(|other| path.ends_with(other)));
    found
}

#[test]
fn parts_are_those_that_dxc_writes() {
    let mut differences = String::new();
    let mut compared = [0; 5];
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let Ok(shader) = Shader::read(&container) else {
            continue;
        };
        if shader.shader_model.kind == ShaderKind::Library {
            continue;
        }
        let names = [
            FourCc::ISG1,
            FourCc::OSG1,
            FourCc::PSG1,
            FourCc::SFI0,
            FourCc::PSV0,
        ];
        for (name, count) in names.into_iter().zip(&mut compared) {
            let Some(part) = container.part(name) else {
                continue;
            };
            // The newest form first.
            let forms = match name {
                FourCc::SFI0 => vec![parts::features(&shader).to_vec()],
                FourCc::PSV0 => {
                    let writer = parts::PsvWriter::new(&shader).unwrap();
                    let tables = writer.tables().unwrap();
                    let forms = [Some(writer), writer.with_last_stream_only()];
                    let forms = forms.into_iter().flatten();
                    forms.map(|form| form.write(&tables).unwrap()).collect()
                }
                name => parts::signature_forms(&shader, name).unwrap(),
            };
            *count += 1;
            let written = &forms[0];
            if !forms.iter().any(|form| form == part.data) {
                let at = written.iter().zip(part.data).position(|(a, b)| a != b);
                let _ = writeln!(
                    differences,
                    "{} {name}: {} bytes, DXC's has {}; first difference at {at:?}; validator {:?}",
                    path.display(),
                    written.len(),
                    part.data.len(),
                    shader.validator_version,
                );
            }
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(compared.iter().all(|count| *count > 10), "{compared:?}");
}

/// RDAT of libraries. Their subobjects are those of the part, since the module has none.
#[test]
fn runtime_data_is_that_which_dxc_writes() {
    let mut differences = String::new();
    let mut compared = 0;
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let (Ok(shader), Ok(Some(rdat))) = (Shader::read(&container), container.rdat()) else {
            continue;
        };
        // 0.0 asks for no validation, so each compiler does as it likes.
        let is_free = shader.validator_version == Some((0, 0));
        if is_free || path.with_extension("ll").exists() {
            continue;
        }
        let stored = container.require(FourCc::RDAT).unwrap().data;
        let writer = parts::RdatWriter::new(&shader).unwrap();
        let subobjects = parts::subobjects_of(&rdat).unwrap();
        let written = writer.write(&function_needs(&shader), &subobjects).unwrap();
        compared += 1;
        if written != stored {
            let at = written.iter().zip(stored).position(|(a, b)| a != b);
            let _ = writeln!(
                differences,
                "{}: {} bytes, DXC's has {}; first difference at {at:?}; validator {:?}",
                path.display(),
                written.len(),
                stored.len(),
                shader.validator_version,
            );
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(compared > 50, "{compared}");
}
