//! Every record of LLVM 3.7's bitcode, and what the reader does with it: it reads it, refuses it by
//! a typed error, or skips it for a reason that stands here. The codes are those of LLVM 3.7
//! ("LLVM Bitcode File Format", and `LLVMBitCodes.h` of that release).
//!
//! The test puts a record of each code into each kind of block of compiled shaders and looks at
//! what becomes of the module.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use dxil_frontend::Category;
use dxil_frontend::bitcode::decode_module;
use dxil_frontend::bitcode::records::{self, Item};
use dxil_frontend::container::open_program;
use dxil_frontend::ir::Module;

/// What the reader does with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reaction {
    /// It reads it: numbers that make no sense are an error, or they change the module.
    Read,
    /// It says that it is not supported, whatever its numbers are.
    Refused,
    /// The module is the same with it.
    Skipped,
}
use Reaction::{Read, Refused, Skipped};

/// A kind of block: its id, its name, and what is done with its records.
struct Kind {
    id: u32,
    name: &'static str,
    records: &'static [(RangeInclusive<u32>, Reaction, &'static str)],
}

/// Highest code that is tried.
const LAST: u32 = 60;

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    Kind { id: 0, name: "BLOCKINFO", records: &[
        (0..=0, Skipped, "no record"),
        (1..=1, Read, "SETBID"),
        (2..=3, Skipped, "BLOCKNAME, SETRECORDNAME: names for tools that dump bitstreams"),
        (4..=LAST, Skipped, "no records"),
    ] },
    Kind { id: 8, name: "MODULE", records: &[
        (0..=0, Skipped, "no record; LLVM's reader skips what it does not know, too"),
        (1..=3, Read, "VERSION, TRIPLE, DATALAYOUT"),
        (4..=4, Skipped, "ASM: text for an assembler, which no GPU has"),
        (5..=6, Skipped, "SECTIONNAME, DEPLIB: for linkers of object files"),
        (7..=8, Read, "GLOBALVAR, FUNCTION"),
        (9..=9, Refused, "ALIAS"),
        (10..=13, Skipped, "PURGEVALS, GCNAME, COMDAT, VSTOFFSET: for linkers and runtimes of processors"),
        (14..=LAST, Skipped, "no records of LLVM 3.7; LLVM's reader skips them, too"),
    ] },
    Kind { id: 9, name: "PARAMATTR", records: &[
        (0..=1, Refused, "no record; ENTRY_OLD, of before LLVM 3.3"),
        (2..=2, Read, "ENTRY"),
        (3..=LAST, Refused, "no records"),
    ] },
    Kind { id: 10, name: "PARAMATTR_GROUP", records: &[
        (0..=2, Skipped, "no records"),
        (3..=3, Read, "ENTRY"),
        (4..=LAST, Skipped, "no records; LLVM's reader skips them, too"),
    ] },
    Kind { id: 11, name: "CONSTANTS", records: &[
        (0..=0, Refused, "no record"),
        (1..=4, Read, "SETTYPE, NULL, UNDEF, INTEGER"),
        (5..=5, Refused, "WIDE_INTEGER: more than 64 bits"),
        (6..=13, Read, "FLOAT, AGGREGATE, STRING, CSTRING, CE_BINOP, CE_CAST, CE_GEP, CE_SELECT"),
        (14..=16, Refused, "CE_EXTRACTELT, CE_INSERTELT, CE_SHUFFLEVEC: constant expressions of vectors"),
        (17..=17, Read, "CE_CMP"),
        (18..=19, Refused, "INLINEASM_OLD, CE_SHUFVEC_EX"),
        (20..=20, Read, "CE_INBOUNDS_GEP"),
        (21..=21, Refused, "BLOCKADDRESS"),
        (22..=22, Read, "DATA"),
        (23..=23, Refused, "INLINEASM"),
        (24..=LAST, Refused, "no records"),
    ] },
    Kind { id: 12, name: "FUNCTION", records: &[
        (0..=0, Refused, "no record"),
        (1..=12, Read, "DECLAREBLOCKS, BINOP, CAST, GEP_OLD, SELECT, EXTRACTELT, INSERTELT, SHUFFLEVEC, CMP, RET, BR, SWITCH"),
        (13..=13, Refused, "INVOKE: exceptions"),
        (14..=14, Refused, "no record"),
        (15..=16, Read, "UNREACHABLE, PHI"),
        (17..=18, Refused, "no records"),
        (19..=20, Read, "ALLOCA, LOAD"),
        (21..=22, Refused, "no records"),
        (23..=23, Refused, "VAARG"),
        (24..=24, Read, "STORE_OLD"),
        (25..=25, Refused, "no record"),
        (26..=30, Read, "EXTRACTVAL, INSERTVAL, CMP2, VSELECT, INBOUNDS_GEP_OLD"),
        (31..=32, Refused, "INDIRECTBR; no record"),
        (33..=38, Read, "DEBUG_LOC_AGAIN, CALL, DEBUG_LOC, FENCE, CMPXCHG_OLD, ATOMICRMW"),
        (39..=42, Refused, "RESUME, LANDINGPAD_OLD: exceptions; LOADATOMIC, STOREATOMIC_OLD"),
        (43..=44, Read, "GEP, STORE"),
        (45..=45, Refused, "STOREATOMIC"),
        (46..=46, Read, "CMPXCHG"),
        (47..=47, Refused, "LANDINGPAD"),
        (48..=LAST, Refused, "no records of LLVM 3.7"),
    ] },
    Kind { id: 14, name: "VALUE_SYMTAB", records: &[
        (0..=0, Skipped, "no record"),
        (1..=2, Read, "ENTRY, BBENTRY"),
        (3..=LAST, Skipped, "no records; LLVM's reader skips them, too"),
    ] },
    Kind { id: 15, name: "METADATA", records: &[
        (0..=0, Refused, "no record"),
        (1..=7, Read, "STRING, VALUE, NODE, NAME, DISTINCT_NODE, KIND, LOCATION"),
        (8..=9, Refused, "OLD_NODE, OLD_FN_NODE, of before LLVM 3.6"),
        (10..=10, Read, "NAMED_NODE"),
        (11..=11, Refused, "ATTACHMENT, which belongs to another block"),
        (12..=32, Read, "debug information, which `dxil::debug` decodes"),
        (33..=LAST, Refused, "no records of LLVM 3.7"),
    ] },
    Kind { id: 16, name: "METADATA_ATTACHMENT", records: &[
        (0..=10, Skipped, "no records; LLVM's reader skips them, too"),
        (11..=11, Read, "ATTACHMENT"),
        (12..=LAST, Skipped, "no records; LLVM's reader skips them, too"),
    ] },
    Kind { id: 17, name: "TYPE_NEW", records: &[
        (0..=0, Refused, "no record"),
        (1..=8, Read, "NUMENTRY, VOID, FLOAT, DOUBLE, LABEL, OPAQUE, INTEGER, POINTER"),
        (9..=9, Refused, "FUNCTION_OLD"),
        (10..=12, Read, "HALF, ARRAY, VECTOR"),
        (13..=15, Read, "X86_FP80, FP128, PPC_FP128: types without values"),
        (16..=18, Read, "METADATA, X86_MMX, STRUCT_ANON"),
        (19..=19, Skipped, "STRUCT_NAME, which names the structure that follows: here none does"),
        (20..=21, Read, "STRUCT_NAMED, FUNCTION"),
        (22..=LAST, Refused, "no records of LLVM 3.7"),
    ] },
];

/// Shaders that have all kinds of blocks between them.
const SHADERS: [&str; 2] = ["modules/geometry.dxil", "modules/od_lib.dxil"];

/// Finds the blocks of a kind. A block of metadata that begins with a KIND is none: LLVM writes the
/// names of kinds into a block of their own, which is read where something is attached.
fn blocks<'a>(items: &'a mut [Item], id: u32, found: &mut Vec<&'a mut Vec<Item>>) {
    for item in items {
        if let Item::Block(of, inner) = item {
            if *of == id {
                if id != 15 || !matches!(inner.first(), Some(Item::Record(6, _))) {
                    found.push(inner);
                }
            } else {
                blocks(inner, id, found);
            }
        }
    }
}

/// Returns the modules with a record at the end of the first and of the last block of a kind;
/// before the return, where that ends the code.
fn with_record(items: &[Item], id: u32, record: &Item) -> Vec<Vec<u8>> {
    let mut all = items.to_vec();
    let mut count = Vec::new();
    blocks(&mut all, id, &mut count);
    let ends = BTreeSet::from([0, count.len().saturating_sub(1)]);
    ends.into_iter()
        .filter(|&which| which < count.len())
        .map(|which| {
            let mut items = items.to_vec();
            let mut found = Vec::new();
            blocks(&mut items, id, &mut found);
            let is_return = |item: &Item| matches!(item, Item::Record(10, _));
            let at = match id {
                12 => found[which].iter().rposition(is_return),
                _ => None,
            };
            let at = at.unwrap_or(found[which].len());
            found[which].insert(at, record.clone());
            records::write(&items)
        })
        .collect()
}

/// Returns everything of a module but the size of its file.
fn content(mut module: Module) -> String {
    module.encoded_bytes = 0;
    format!("{module:?}")
}

/// Numbers of a record.
const NUMBERS: [&[u64]; 6] = [
    &[],
    &[0],
    &[1, 1],
    &[0, 1, 0],
    &[0; 9],
    &[77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88],
];

#[test]
fn every_record_code_is_read_or_refused_or_skipped_for_a_reason() {
    let mut seen: BTreeMap<(u32, u32), BTreeSet<&str>> = BTreeMap::new();
    for path in shaders() {
        let bytes = std::fs::read(&path).unwrap();
        let program = open_program(&bytes).unwrap();
        let mut items = records::read(program.bitcode).unwrap();
        // Records were written without abbreviations.
        items.insert(0, Item::Block(0, vec![Item::Record(1, vec![8])]));
        let plain = content(decode_module(&records::write(&items), 0).unwrap());
        for kind in KINDS {
            for code in 0..=LAST {
                for numbers in NUMBERS {
                    let record = Item::Record(code, numbers.to_vec());
                    for bitcode in with_record(&items, kind.id, &record) {
                        let outcome = match decode_module(&bitcode, 0) {
                            Ok(module) if content(module.clone()) == plain => "same",
                            Ok(_) => "other",
                            Err(error) if error.category() == Category::Unsupported => {
                                "unsupported"
                            }
                            Err(_) => "malformed",
                        };
                        seen.entry((kind.id, code)).or_default().insert(outcome);
                    }
                }
            }
        }
    }
    let mut faults = Vec::new();
    for kind in KINDS {
        let mut next = 0;
        for (codes, reaction, what) in kind.records {
            assert!(!what.is_empty());
            assert_eq!(*codes.start(), next, "{}", kind.name);
            next = codes.end() + 1;
            for code in codes.clone() {
                let outcomes = seen.get(&(kind.id, code)).unwrap();
                let found = match outcomes.iter().copied().collect::<Vec<_>>()[..] {
                    ["same"] => Skipped,
                    ["unsupported"] => Refused,
                    _ => Read,
                };
                if found != *reaction {
                    let name = kind.name;
                    faults.push(format!(
                        "{name} {code}: {found:?} {outcomes:?}, not {reaction:?}"
                    ));
                }
            }
        }
        assert_eq!(next, LAST + 1, "{}", kind.name);
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn shaders() -> Vec<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    SHADERS.map(|name| folder.join(name)).to_vec()
}
