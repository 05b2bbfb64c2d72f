//! Parts that D3D12's runtime does not need (ILDB, STAT, ILDN, VERS), beside those that DXC wrote.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use dxil_checkout::files_of;
use dxil_frontend::FourCc;
use dxil_frontend::build::{DebugParts, Extras, Remake, container_of, remake};
use dxil_frontend::container::{Container, DebugName, FeatureFlags, ProgramBitcode, Signing};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader_with_debug_info};
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate::{Options, validate};
use dxil_frontend::{bitcode, parts};

fn containers() -> Vec<PathBuf> {
    let folders = [
        "frontend/tests/data",
        "hwtests/shaders",
        "runtime/tests/data",
    ];
    files_of(&folders, "dxil")
}

/// Names of PDB files and versions of compilers are those of DXC, byte for byte.
#[test]
fn names_and_versions_are_those_that_dxc_writes() {
    let (mut names, mut versions) = (0, 0);
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let hash = container.shader_hash().unwrap();
        if let (Some(part), Some(hash)) = (container.part(FourCc::ILDN), hash) {
            let name = parts::pdb_name(&hash.digest);
            let own = DebugName {
                flags: 0,
                name: &name,
            };
            // `-Fd` gives a name of the caller's choice.
            if container.debug_name().unwrap().unwrap().name == name {
                assert_eq!(own.write().unwrap(), part.data, "{}", path.display());
                names += 1;
            }
        }
        if let Some(version) = container.compiler_version().unwrap() {
            let part = container.part(FourCc::VERS).unwrap();
            assert_eq!(version.write().unwrap(), part.data, "{}", path.display());
            versions += 1;
        }
    }
    assert!(names > 10 && versions >= 20, "{names} {versions}");
}

/// Returns the lines of a module's text without numbers: metadata and attributes are numbered
/// otherwise. Types that nothing uses stay here.
fn lines(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let is_type = |line: &str| line.starts_with('%') && line.contains(" = type ");
    let kept = |line: &&str| !line.is_empty() && !line.starts_with(';') && !is_type(line);
    for line in text.lines().filter(kept) {
        let mut plain = String::new();
        // Of the counts of instructions, and which fields are used, only DXC's STAT tells. Masks of
        // elements have 8 bits in older versions of DXC.
        if line.starts_with("!dx.counters") || line.contains("!\"insts\", i32") {
            continue;
        }
        let line = match line.strip_prefix('!') {
            Some(_) => line.replace(" i8 ", " i32 "),
            None => line.to_owned(),
        };
        let used = [", i32 13, i32 ", ", i32 9, i1 true"];
        let end = used.iter().filter_map(|used| line.find(used)).min();
        let line = match end {
            Some(end) if line.contains("= !{i32 6, ") => format!("{}}}", &line[..end]),
            _ => line,
        };
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            plain.push(c);
            while matches!(c, '!' | '#' | '%') && chars.peek().is_some_and(char::is_ascii_digit) {
                chars.next();
            }
        }
        found.insert(plain);
    }
    found
}

fn text_of(part: FourCc, container: &Container<'_>) -> String {
    let program = ProgramBitcode::parse(container.part(part).unwrap()).unwrap();
    let module = bitcode::decode_module(program.bitcode, program.bitcode_offset).unwrap();
    module_text(&module, &Plain)
}

/// From the module with debug information come the same parts that DXC made of it: the program
/// without debug information and names, and the module for reflection.
#[test]
fn a_module_is_split_as_dxc_splits_it() {
    let mut extras = Extras::default();
    extras.debug = DebugParts::Module;
    extras.reflection = true;
    let mut compared = 0;
    let mut differences = Vec::new();
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let old = Container::parse(&bytes).unwrap();
        let needed = [FourCc::ILDB, FourCc::STAT, FourCc::DXIL];
        if needed.iter().any(|part| old.part(*part).is_none()) {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let shader: Shader = read_shader_with_debug_info(&bytes).unwrap();
        let new = match container_of(&shader, &extras) {
            Ok(builder) => builder.build(Signing::Digest).unwrap(),
            // Nodes of work graphs are not described.
            Err(error) => {
                assert_eq!(error.code(), "unsupported", "{name}: {error}");
                continue;
            }
        };
        let new = Container::parse(&new).unwrap();
        compared += 1;
        for violation in validate(new.bytes(), &Options::default()).violations {
            differences.push(format!("{name}: {violation}"));
        }
        for part in needed {
            let (dxc, own) = (text_of(part, &old), text_of(part, &new));
            let (dxc, own) = (lines(&dxc), lines(&own));
            let (mut missing, mut added): (Vec<_>, Vec<_>) = (
                dxc.difference(&own).collect(),
                own.difference(&dxc).collect(),
            );
            if part == FourCc::STAT {
                // DXC's STAT also has what its compiler knows beside the module: which fields are
                // used, and arguments of templates after a structure's size.
                missing.clear();
                let is_size = |line: &str| {
                    let size = line.strip_prefix("! = !{i32 ");
                    let rest = size.map(|it| it.trim_start_matches(|c: char| c.is_ascii_digit()));
                    rest == Some(", !}")
                };
                added.retain(|line| !is_size(line));
            }
            // Libraries keep their names here; DXC leaves out the structures of theirs.
            if shader.shader_model.kind == ShaderKind::Library {
                added.clear();
                missing.retain(|line| !line.contains("%payload") && !line.contains("typeAnno"));
            }
            if !missing.is_empty() || !added.is_empty() {
                let what = format!("{name} {part}: missing {missing:#?} added {added:#?}");
                differences.push(what);
            }
        }
    }
    assert!(compared > 5, "{compared}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The parts of containers that break no rule come out as the compiler wrote them when all are made
/// anew from the module, in its order.
#[test]
fn parts_made_anew_are_those_of_the_compiler() {
    let mut compared = 0;
    let mut differences = Vec::new();
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(old) = Container::parse(&bytes) else {
            continue;
        };
        let is_valid = validate(&bytes, &Options::default()).is_valid();
        if !is_valid || old.part(FourCc::DXIL).is_none() {
            continue;
        }
        let new = match remake(&bytes, &Remake::default()) {
            Ok(builder) => builder.build(Signing::Digest).unwrap(),
            // Nodes of work graphs are not described.
            Err(error) => {
                assert_eq!(error.code(), "unsupported", "{name}: {error}");
                continue;
            }
        };
        compared += 1;
        let new = Container::parse(&new).unwrap();
        let names = |container: &Container<'_>| -> Vec<FourCc> {
            let parts = container.parts().iter();
            parts.map(|part| part.name).collect()
        };
        if names(&old) != names(&new) {
            differences.push(format!("{name}: {:?} {:?}", names(&old), names(&new)));
        }
        // These hold modules, or the hash of one.
        let modules = [
            FourCc::DXIL,
            FourCc::ILDB,
            FourCc::STAT,
            FourCc::HASH,
            FourCc::ILDN,
        ];
        for part in old
            .parts()
            .iter()
            .filter(|part| !modules.contains(&part.name))
        {
            let own = new.part(part.name);
            if own.is_none_or(|own| own.data != part.data) {
                differences.push(format!("{name}: {}", part.name));
            }
        }
        for violation in validate(new.bytes(), &Options::default()).violations {
            differences.push(format!("{name}: {violation}"));
        }
    }
    assert!(compared > 500, "{compared}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Before validator version 1.8 a library's flags say that its subobjects need tier 1.1, and no
/// code shows that. SFI0 follows from the flags, so they stay when the program is split.
#[test]
fn flags_that_subobjects_ask_for_stay() {
    let file = "tests/data/validate/pipeline_config_lib.dxil";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let mut wanted = Remake::default();
    wanted.debug = Some(DebugParts::Module);
    wanted.reflection = Some(true);
    let bytes = std::fs::read(path).unwrap();
    let new = remake(&bytes, &wanted).unwrap();
    let new = new.build(Signing::Digest).unwrap();
    let container = Container::parse(&new).unwrap();
    let features = container.features().unwrap().unwrap();
    assert!(features.contains(FeatureFlags::RAYTRACING_TIER_1_1));
    let report = validate(&new, &Options::default());
    assert!(report.is_valid(), "{:?}", report.violations);
}
