//! Bitstreams that decode and that LLVM 3.7's reader, as DXC has it, refuses or warns about: the
//! validator reports them. DXC 1.7's validator refused each of these modules but two, of which it
//! ignores a part: a second BLOCKINFO, and the first of two names of a value.
//!
//! `DXIL_JIT_LAYOUTS=FOLDER` writes them, so that another validator can judge them.

#![allow(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use dxil_frontend::bitcode::bit_writer::BitWriter;
use dxil_frontend::bitcode::records::{Item, read, write};
use dxil_frontend::container::fourcc::FourCc;
use dxil_frontend::container::{Container, Signing, write_container};
use dxil_frontend::dxil::read_shader;
use dxil_frontend::validate::{Options, Rule, Severity, validate};

const SHADER: &str = "frontend/tests/data/modules/mixed_cs.dxil";

// Blocks and records of LLVM 3.7 (`LLVMBitCodes.h`).
const BLOCKINFO: u32 = 0;
const MODULE: u32 = 8;
const PARAMATTR: u32 = 9;
const FUNCTION_BLOCK: u32 = 12;
const SYMBOLS: u32 = 14;
const METADATA: u32 = 15;
const TYPES: u32 = 17;
const USE_LISTS: u32 = 18;
const FUNCTION: u32 = 8;
const DATA_LAYOUT: u32 = 3;
const MD_STRING: u32 = 1;
const MD_VALUE: u32 = 2;
const MD_NAME: u32 = 4;
const MD_KIND: u32 = 6;
const MD_NAMED_NODE: u32 = 10;

fn shader() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::read(root.join(SHADER)).unwrap()
}

/// Returns the shader with other bitcode, and without the digest of the old one.
fn with_bitcode(bitcode: &[u8]) -> Vec<u8> {
    let bytes = shader();
    let container = Container::parse(&bytes).unwrap();
    let program = container.program().unwrap().header.unwrap();
    let program = program.with_bitcode(bitcode).unwrap();
    let parts = container.parts().iter();
    let parts: Vec<_> = parts
        .filter(|part| part.name != FourCc::HASH)
        .map(|part| match part.name {
            FourCc::DXIL => (part.name, program.as_slice()),
            name => (name, part.data),
        })
        .collect();
    write_container(&parts, Signing::None).unwrap()
}

fn items() -> Vec<Item> {
    let bytes = shader();
    let container = Container::parse(&bytes).unwrap();
    read(container.program().unwrap().bitcode).unwrap()
}

/// Returns the content of the module.
fn module(items: &mut [Item]) -> &mut Vec<Item> {
    match &mut items[0] {
        Item::Block(MODULE, items) => items,
        other => panic!("{other:?}"),
    }
}

/// Returns the content of the first block of a kind.
fn block(items: &mut [Item], wanted: u32) -> &mut Vec<Item> {
    let mut blocks = module(items).iter_mut();
    let found = blocks.find_map(|item| match item {
        Item::Block(id, items) if *id == wanted => Some(items),
        _ => None,
    });
    found.unwrap()
}

/// Returns the place of the first record of a kind.
fn place(items: &[Item], wanted: u32) -> usize {
    let is_it = |item: &Item| matches!(item, Item::Record(code, _) if *code == wanted);
    items.iter().position(is_it).unwrap()
}

/// Returns the numbers of the first record of a kind.
fn record(items: &mut [Item], wanted: u32) -> &mut Vec<u64> {
    let at = place(items, wanted);
    match &mut items[at] {
        Item::Record(_, numbers) => numbers,
        Item::Block(..) => unreachable!("it is a record"),
    }
}

/// Returns the errors of a container: rules with what they say.
fn errors(bytes: &[u8]) -> Vec<(Rule, Box<str>)> {
    let report = validate(bytes, &Options::default());
    let errors = report.violations.into_iter();
    let errors = errors.filter(|violation| violation.rule.info().severity == Severity::Error);
    errors
        .map(|violation| (violation.rule, violation.detail))
        .collect()
}

/// Checks that the validator names this fault, and keeps the container for other validators.
fn refused(name: &str, bitcode: &[u8], says: &str) {
    let bytes = with_bitcode(bitcode);
    if let Some(folder) = std::env::var_os("DXIL_JIT_LAYOUTS") {
        std::fs::write(Path::new(&folder).join(format!("{name}.dxil")), &bytes).unwrap();
    }
    let errors = errors(&bytes);
    let is_named = errors
        .iter()
        .any(|(rule, detail)| *rule == Rule::BitcodeValid && detail.contains(says));
    assert!(is_named, "{name}: {errors:?}");
}

type Edit = fn(&mut Vec<Item>);

const EDITS: &[(&str, &str, Edit)] = &[
    ("unknown-block", "a block 30 is not known here", |items| {
        module(items).push(Item::Block(30, Vec::new()));
    }),
    ("block-in-types", "a block 30 is not known here", |items| {
        block(items, TYPES).push(Item::Block(30, Vec::new()));
    }),
    (
        "block-in-metadata",
        "a block 30 is not known here",
        |items| {
            block(items, METADATA).push(Item::Block(30, Vec::new()));
        },
    ),
    (
        "block-in-function",
        "a block 30 is not known here",
        |items| {
            block(items, FUNCTION_BLOCK).insert(0, Item::Block(30, Vec::new()));
        },
    ),
    ("block-in-front", "does not begin with a module", |items| {
        items.insert(0, Item::Block(30, Vec::new()));
    }),
    (
        "block-after-module",
        "something follows the module",
        |items| {
            items.push(Item::Block(30, Vec::new()));
        },
    ),
    (
        "two-attribute-blocks",
        "two blocks of attribute sets",
        |items| {
            let sets = block(items, PARAMATTR).clone();
            module(items).push(Item::Block(PARAMATTR, sets));
        },
    ),
    ("short-use-list", "order of uses", |items| {
        let list = Item::Record(1, vec![1, 0]);
        module(items).push(Item::Block(USE_LISTS, vec![list]));
    }),
    ("short-function-record", "function", |items| {
        record(module(items), FUNCTION).truncate(7);
    }),
    ("alignment", "an alignment is too large", |items| {
        record(module(items), FUNCTION)[5] = 31;
    }),
    ("section", "there is no section 1", |items| {
        record(module(items), FUNCTION)[6] = 1;
    }),
    ("comdat", "there is no COMDAT 1", |items| {
        record(module(items), FUNCTION)[12] = 1;
    }),
    ("data-layout", "the data layout", |items| {
        let layout = record(module(items), DATA_LAYOUT);
        *layout = b"e-m:e-p:32:31".map(u64::from).to_vec();
    }),
    (
        "names-before-values",
        "a value that does not exist yet",
        |items| {
            let names = block(items, SYMBOLS).clone();
            module(items).retain(|item| !matches!(item, Item::Block(SYMBOLS, _)));
            let at = place(module(items), FUNCTION);
            module(items).insert(at, Item::Block(SYMBOLS, names));
        },
    ),
    (
        "two-values-of-a-name",
        "two values have one name",
        |items| {
            let names = block(items, SYMBOLS);
            let first = record(names, 1).clone();
            match &mut names[1] {
                Item::Record(_, second) => second.splice(1.., first[1..].iter().copied()),
                Item::Block(..) => unreachable!("names are records"),
            };
        },
    ),
    ("two-names-of-a-value", "a value has two names", |items| {
        let names = block(items, SYMBOLS);
        let mut second = record(names, 1).clone();
        second.push(u64::from(b'x'));
        names.push(Item::Record(1, second));
    }),
    ("kind-twice", "has two names", |items| {
        let mut blocks = module(items).iter_mut();
        let kinds = blocks.find_map(|item| match item {
            Item::Block(METADATA, items) if matches!(items[0], Item::Record(MD_KIND, _)) => {
                Some(items)
            }
            _ => None,
        });
        let kinds = kinds.unwrap();
        let first = kinds[0].clone();
        kinds.push(first);
    }),
    (
        "name-without-list",
        "not followed by its METADATA_NAMED_NODE",
        |items| {
            let metadata = block(items, METADATA);
            let name = place(metadata, MD_NAME);
            // A string between both, which nothing uses.
            metadata.insert(name + 1, Item::Record(MD_STRING, vec![u64::from(b'x')]));
        },
    ),
    ("long-value", "a metadata record 2 has 3 fields", |items| {
        record(block(items, METADATA), MD_VALUE).push(0);
    }),
    (
        "list-of-values",
        "lists something other than nodes",
        |items| {
            let metadata = block(items, METADATA);
            let values = metadata
                .iter()
                .take_while(|item| !matches!(item, Item::Record(MD_VALUE, _)));
            let number = values.count() as u64;
            record(metadata, MD_NAMED_NODE).push(number);
        },
    ),
    ("identification", "is not one string", |items| {
        let metadata = block(items, METADATA);
        let nodes = metadata
            .iter()
            .take_while(|item| !matches!(item, Item::Record(MD_NAME, _)));
        let number = nodes.count() as u64;
        let at = number as usize;
        // An empty node, and a list with the name that it must not be in.
        metadata.insert(at, Item::Record(3, Vec::new()));
        let ident = b"llvm.ident".map(u64::from).to_vec();
        metadata.push(Item::Record(MD_NAME, ident));
        metadata.push(Item::Record(MD_NAMED_NODE, vec![number]));
    }),
];

#[test]
fn what_dxc_refuses_in_a_bitstream_is_reported() {
    for (name, says, edit) in EDITS {
        let mut items = items();
        edit(&mut items);
        refused(name, &write(&items), says);
    }
}

/// What a writer does that LLVM never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Oddity {
    None,
    /// Defines an abbreviation between a METADATA_NAME and its list.
    DefinitionAfterName,
    /// Writes two BLOCKINFO blocks.
    TwoBlockInfos,
    /// Writes BLOCKINFO in a function.
    BlockInfoInFunction,
    /// Packs metadata strings in an array of fixed fields of this width.
    Strings(u64),
    /// Packs the first character of metadata strings in a separate field.
    SplitStrings,
}

const WIDTH: u32 = 4;
const DEFINE: u64 = 2;

fn define(out: &mut BitWriter, code: u32, fields: &[(u64, Option<u64>)]) {
    out.id(DEFINE);
    out.vbr(1 + fields.len() as u64, 5);
    out.fixed(1, 1);
    out.vbr(u64::from(code), 8);
    for (encoding, data) in fields {
        out.fixed(0, 1);
        out.fixed(*encoding, 3);
        if let Some(data) = data {
            out.vbr(*data, 5);
        }
    }
}

fn block_info(out: &mut BitWriter) {
    out.enter(BLOCKINFO, WIDTH);
    out.record(1, [u64::from(SYMBOLS)]);
    define(out, 1, &[(2, Some(8)), (3, None), (1, Some(8))]);
    out.leave();
}

fn write_oddly(items: &[Item], block: u32, oddity: Oddity, out: &mut BitWriter) {
    const FIXED: u64 = 1;
    const ARRAY: u64 = 3;
    let is_metadata = block == METADATA;
    match oddity {
        Oddity::Strings(width) if is_metadata => {
            define(out, MD_STRING, &[(ARRAY, None), (FIXED, Some(width))]);
        }
        Oddity::SplitStrings if is_metadata => {
            let fields = [(FIXED, Some(8)), (ARRAY, None), (FIXED, Some(8))];
            define(out, MD_STRING, &fields);
        }
        Oddity::TwoBlockInfos if block == MODULE => {
            block_info(out);
            block_info(out);
        }
        Oddity::BlockInfoInFunction if block == FUNCTION_BLOCK => block_info(out),
        _ => {}
    }
    for item in items {
        match (item, oddity) {
            (Item::Block(id, items), _) => {
                out.enter(*id, WIDTH);
                write_oddly(items, *id, oddity, out);
                out.leave();
            }
            (Item::Record(MD_STRING, text), Oddity::Strings(width)) if is_metadata => {
                out.id(4);
                out.vbr(text.len() as u64, 6);
                for letter in text {
                    out.fixed(*letter, width as u32);
                }
            }
            (Item::Record(MD_STRING, text), Oddity::SplitStrings)
                if is_metadata && !text.is_empty() =>
            {
                out.id(4);
                out.fixed(text[0], 8);
                out.vbr(text.len() as u64 - 1, 6);
                for letter in &text[1..] {
                    out.fixed(*letter, 8);
                }
            }
            (Item::Record(code, numbers), _) => {
                out.record(*code, numbers);
                if is_metadata && *code == MD_NAME && oddity == Oddity::DefinitionAfterName {
                    define(out, MD_NAMED_NODE, &[(ARRAY, None), (FIXED, Some(8))]);
                }
            }
        }
    }
}

fn odd(oddity: Oddity) -> Vec<u8> {
    let mut out = BitWriter::with_magic();
    for item in items() {
        match item {
            Item::Block(id, items) => {
                out.enter(id, WIDTH);
                write_oddly(&items, id, oddity, &mut out);
                out.leave();
            }
            Item::Record(..) => panic!("a record outside of blocks"),
        }
    }
    out.finish()
}

#[test]
fn abbreviations_that_dxc_reads_otherwise_are_reported() {
    let cases = [
        (
            Oddity::DefinitionAfterName,
            "definition-after-name",
            "is not followed by its",
        ),
        (
            Oddity::TwoBlockInfos,
            "two-block-infos",
            "BLOCKINFO is not once",
        ),
        (
            Oddity::BlockInfoInFunction,
            "block-info-in-function",
            "BLOCKINFO is not once",
        ),
        (
            Oddity::Strings(7),
            "strings-of-7-bits",
            "DXC reads metadata strings",
        ),
        (
            Oddity::SplitStrings,
            "split-strings",
            "DXC reads metadata strings",
        ),
    ];
    for (oddity, name, says) in cases {
        let bitcode = odd(oddity);
        refused(name, &bitcode, says);
        // The module is the same: how a record is written does not change it.
        read_shader(&with_bitcode(&bitcode)).unwrap();
    }
    for oddity in [Oddity::None, Oddity::Strings(8)] {
        assert_eq!(errors(&with_bitcode(&odd(oddity))), []);
    }
}

/// Parts follow each other without gaps, and nothing follows the last one.
#[test]
fn gaps_between_parts_are_reported() {
    let bytes = shader();
    assert_eq!(errors(&bytes), []);
    let of = |bytes: &[u8]| {
        let errors = errors(bytes).into_iter();
        errors.map(|(rule, _)| rule).collect::<Vec<_>>()
    };
    let size = |bytes: &mut Vec<u8>| {
        let size = bytes.len() as u32;
        bytes[4..20].fill(0);
        bytes[24..28].copy_from_slice(&size.to_le_bytes());
    };
    let mut longer = bytes.clone();
    longer.extend([0; 4]);
    size(&mut longer);
    assert_eq!(of(&longer), [Rule::ContainerContentInvalid]);
    // Four bytes between the table and the first part.
    let count = u32::from_le_bytes(bytes[28..32].try_into().unwrap()) as usize;
    let end = 32 + 4 * count;
    let mut gap = bytes.clone();
    gap.splice(end..end, [0; 4]);
    for entry in gap[32..end].as_chunks_mut::<4>().0 {
        *entry = (u32::from_le_bytes(*entry) + 4).to_le_bytes();
    }
    size(&mut gap);
    assert_eq!(of(&gap), [Rule::ContainerContentInvalid]);
}

/// What a word is filled up with belongs to the part in front, as DXC has it.
#[test]
fn written_containers_have_no_gaps() {
    let parts = [(FourCc(*b"AAAA"), &[1, 2, 3][..]), (FourCc::PRIV, &[1][..])];
    let bytes = write_container(&parts, Signing::None).unwrap();
    let container = Container::parse(&bytes).unwrap();
    let sizes: Vec<_> = container.parts().iter().map(|part| part.data).collect();
    assert_eq!(sizes, [&[1, 2, 3, 0][..], &[1][..]]);
}
