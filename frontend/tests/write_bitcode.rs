//! Modules that are written again are the modules that were read, and as DXC wrote them.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dxil_checkout::files_of;
use dxil_frontend::bitcode::records::{Item, read};
use dxil_frontend::bitcode::{decode_module, write_module};
use dxil_frontend::container::{Container, ProgramBitcode, Signing};
use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::Module;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::validate::{Options, Rule, validate_container};
use dxil_frontend::{FourCc, parts};

/// Blocks (`LLVMBitCodes.h` of 3.7).
const VALUE_SYMTAB_BLOCK: u32 = 14;
const METADATA_BLOCK: u32 = 15;
const USE_LIST_BLOCK: u32 = 18;
/// Record that names a kind of metadata.
const KIND: u32 = 6;

/// Returns all containers of the checkout.
fn containers() -> Vec<PathBuf> {
    let folders = [
        "frontend/tests",
        "hwtests",
        "translate",
        "runtime",
        "bench/kernels",
        "bench/shapes",
    ];
    files_of(&folders, "dxil")
}

/// Calls `each` with the bitcode of every program part that decodes.
fn for_each_program(mut each: impl FnMut(&Path, FourCc, &[u8], &Module)) {
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(container) = Container::parse(&bytes) else {
            continue;
        };
        for part in container.parts() {
            if ![FourCc::DXIL, FourCc::ILDB, FourCc::STAT].contains(&part.name) {
                continue;
            }
            let Ok(program) = ProgramBitcode::parse(*part) else {
                continue;
            };
            if let Ok(module) = decode_module(program.bitcode, program.bitcode_offset) {
                each(&path, part.name, program.bitcode, &module);
            }
        }
    }
}

/// Returns everything that the IR has of a module, as text.
fn everything(module: &Module) -> String {
    let mut module = module.clone();
    module.encoded_bytes = 0;
    format!("{module:#?}")
}

/// Returns the first lines in which two texts differ.
fn first_difference(a: &str, b: &str) -> String {
    let pairs = a.lines().zip(b.lines()).enumerate();
    let different = pairs.filter(|(_, (a, b))| a != b).take(3);
    different.fold(String::new(), |mut text, (line, (a, b))| {
        let _ = write!(text, "\n  line {line}: {a}\n     now: {b}");
        text
    })
}

#[test]
fn what_is_written_reads_as_the_same_module() {
    let mut differences = String::new();
    let mut compared = 0;
    for_each_program(|path, name, _, module| {
        let written = write_module(module).unwrap();
        let again = decode_module(&written, 0).unwrap_or_else(|error| {
            panic!("{} {name}: {error}", path.display());
        });
        let (old, new) = (everything(module), everything(&again));
        // Its compare-exchange is of before LLVM 3.7, so its values have other numbers then.
        if old != new && !path.ends_with("producers/mesa_exchange.dxil") {
            let difference = first_difference(&old, &new);
            let _ = writeln!(differences, "{} {name}:{difference}", path.display());
        }
        let (old, new) = (module_text(module, &Plain), module_text(&again, &Plain));
        assert_eq!(old, new, "{}", path.display());
        compared += 1;
    });
    assert!(differences.is_empty(), "{differences}");
    assert!(compared > 1500, "{compared}");
}

/// Sorts names and drops the blocks that are not written.
fn normalized(items: Vec<Item>, keeps_kinds: bool) -> Vec<Item> {
    let mut normal = Vec::new();
    for item in items {
        match item {
            Item::Block(USE_LIST_BLOCK, _) => {}
            Item::Block(METADATA_BLOCK, content)
                if !keeps_kinds && matches!(content.first(), Some(Item::Record(KIND, _))) => {}
            Item::Block(VALUE_SYMTAB_BLOCK, mut names) => {
                names.sort_by_key(|name| match name {
                    Item::Record(code, numbers) => (*code, numbers.clone()),
                    Item::Block(..) => (u32::MAX, Vec::new()),
                });
                normal.push(Item::Block(VALUE_SYMTAB_BLOCK, names));
            }
            Item::Block(id, content) => {
                normal.push(Item::Block(id, normalized(content, keeps_kinds)));
            }
            record @ Item::Record(..) => normal.push(record),
        }
    }
    normal
}

/// Containers whose modules another compiler wrote: their records have another form.
const OTHERS: [&str; 4] = [
    "producers/gogpu_bits.dxil",
    "producers/mesa_exchange.dxil",
    "producers/mesa_unbounded.dxil",
    "producers/mesa_view_id_vs.dxil",
];

#[test]
fn records_are_those_that_dxc_writes() {
    let mut differences = String::new();
    let (mut compared, mut bytes, mut dxcs) = (0, 0, 0);
    for_each_program(|path, name, bitcode, module| {
        if OTHERS.iter().any(|other| path.ends_with(other)) {
            return;
        }
        let written = write_module(module).unwrap();
        let keeps_kinds = !module.metadata.kinds.is_empty();
        let old = normalized(read(bitcode).unwrap(), keeps_kinds);
        let new = normalized(read(&written).unwrap(), keeps_kinds);
        if old != new {
            let (old, new) = (format!("{old:#?}"), format!("{new:#?}"));
            let difference = first_difference(&old, &new);
            let _ = writeln!(differences, "{} {name}:{difference}", path.display());
        }
        // Abbreviations are as good as LLVM's.
        if keeps_kinds {
            bytes += written.len();
            dxcs += bitcode.len();
        }
        compared += 1;
    });
    assert!(differences.is_empty(), "{differences}");
    assert!(compared > 1500, "{compared}");
    assert!(bytes <= dxcs, "{bytes} bytes, DXC's are {dxcs}");
}

#[test]
fn verdicts_stay_the_same() {
    let mut compared = 0;
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(container) = Container::parse(&bytes) else {
            continue;
        };
        // Positions in the file change.
        let verdict = |bytes: &[u8]| -> Vec<String> {
            let container = Container::parse(bytes).unwrap();
            let judged = validate_container(&container, &Options::default());
            let found = judged.violations.iter();
            // Digest and hash are written anew, so they are right then.
            let of_bytes = [Rule::ContainerDigest, Rule::ContainerShaderHash];
            let found = found.filter(|it| !of_bytes.contains(&it.rule));
            found
                .map(|it| format!("{:?} {:?} {}", it.rule, it.severity, it.detail))
                .collect()
        };
        let Ok(builder) = parts::rewrite(&container, |_, _| Ok(())) else {
            // What does not decode has no module to write.
            assert!(Shader::read(&container).is_err(), "{}", path.display());
            continue;
        };
        let written = builder.build(Signing::Digest).unwrap();
        assert_eq!(verdict(&bytes), verdict(&written), "{}", path.display());
        compared += 1;
    }
    assert!(compared > 1000, "{compared}");
}
