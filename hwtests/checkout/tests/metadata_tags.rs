//! Every tag of DXIL's metadata (DXC's `DxilMetadataHelper.h`; DXIL document, "Metadata") is read,
//! or stands here with the reason why not. What the reader knows is looked up in its source: the
//! arms of the matches over tags.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs::read_to_string;

use dxil_checkout::root;

/// A list of tags and values.
struct List {
    /// Where the reader matches over the tags: file below `frontend/src/dxil`, and a line before
    /// the match.
    places: &'static [(&'static str, &'static str)],
    /// The tags from 0 on, as DXC names them, without prefix and suffix.
    names: &'static [&'static str],
    /// Tags that are not read, and why.
    unread: &'static [(&'static str, &'static str)],
}

const LISTS: [List; 6] = [
    List {
        places: &[
            ("entry_points.rs", "fn decode_property("),
            ("nodes.rs", "fn decode_property("),
        ],
        names: &[
            "ShaderFlags",
            "GSState",
            "DSState",
            "HSState",
            "NumThreads",
            "AutoBindingSpace",
            "RayPayloadSize",
            "RayAttribSize",
            "ShaderKind",
            "MSState",
            "ASState",
            "WaveSize",
            "EntryRootSig",
            "NodeLaunchType",
            "NodeIsProgramEntry",
            "NodeId",
            "NodeLocalRootArgumentsTableIndex",
            "ShareInputOf",
            "NodeDispatchGrid",
            "NodeMaxRecursionDepth",
            "NodeInputs",
            "NodeOutputs",
            "NodeMaxDispatchGrid",
            "RangedWaveSize",
        ],
        unread: &[],
    },
    List {
        places: &[("resources.rs", "\"properties of a resource\"")],
        names: &[
            "TypedBufferElementType",
            "StructuredBufferElementStride",
            "SamplerFeedbackKind",
            "Atomic64Use",
            "ReorderCoherent",
        ],
        unread: &[],
    },
    List {
        places: &[("signature.rs", "\"properties of a signature element\"")],
        names: &[
            "OutputStream",
            "GlobalSymbol",
            "DynIndexCompMask",
            "UsageCompMask",
        ],
        unread: &[(
            "GlobalSymbol",
            "a variable of the source, which DXC writes into libraries for its own linker",
        )],
    },
    List {
        places: &[("type_annotations.rs", "\"annotation of a field\"")],
        names: &[
            "SNorm",
            "UNorm",
            "Matrix",
            "CBufferOffset",
            "SemanticString",
            "InterpolationMode",
            "FieldName",
            "CompType",
            "Precise",
            "CBUsed",
            "ResourceProperties",
            "BitFields",
            "FieldBitWidth",
            "VectorSize",
        ],
        unread: &[(
            "ResourceProperties",
            "of resources in structures: they repeat what the handle says",
        )],
    },
    List {
        places: &[("nodes.rs", "\"input or output of a node\"")],
        names: &[
            "NodeOutputID",
            "NodeIOFlags",
            "NodeRecordType",
            "NodeMaxRecords",
            "NodeMaxRecordsSharedWith",
            "NodeOutputArraySize",
            "NodeAllowSparseNodes",
        ],
        unread: &[],
    },
    List {
        places: &[("nodes.rs", "\"type of a record\"")],
        names: &[
            "NodeRecordSize",
            "NodeRecordSVDispatchGrid",
            "NodeRecordAlignment",
        ],
        unread: &[],
    },
];

/// Returns the tags that the first match after a line has arms for.
fn tags(file: &str, anchor: &str) -> Vec<u64> {
    let text = read_to_string(root().join("frontend/src/dxil").join(file)).unwrap();
    let constants = constants(&text);
    let code = &text[text.find(anchor).unwrap()..];
    let mut lines = code
        .lines()
        .skip_while(|line| !line.trim().starts_with("match "));
    let head = lines.next().unwrap();
    let indent = head.len() - head.trim_start().len();
    let arm = " ".repeat(indent + 4);
    let mut found = Vec::new();
    for line in lines.take_while(|line| line.len() - line.trim_start().len() > indent) {
        let Some(pattern) = line
            .strip_prefix(&arm)
            .filter(|line| !line.starts_with(' '))
        else {
            continue;
        };
        let Some((pattern, _)) = pattern.split_once(" =>") else {
            continue;
        };
        // A range is one of nodes, whose arms stand in the other place.
        if pattern == "_" || pattern.contains("..") {
            continue;
        }
        for tag in pattern.split(" | ") {
            found.push(tag.parse().unwrap_or_else(|_| constants[tag]));
        }
    }
    found
}

/// Returns the constants of the modules of a file, by `module::NAME`.
fn constants(text: &str) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let mut module = "";
    for line in text.lines() {
        if let Some((_, name)) = line.split_once("mod ") {
            module = name.trim_end_matches(" {");
        }
        let constant = line.split_once("const ").and_then(|(_, rest)| {
            let of = |ty| rest.split_once(ty);
            of(": u64 = ").or_else(|| of(": u32 = "))
        });
        if let Some((name, value)) = constant
            && let Ok(value) = value.trim_end_matches(';').parse()
        {
            found.insert(format!("{module}::{name}"), value);
        }
    }
    found
}

#[test]
fn every_tag_of_metadata_is_read_or_has_a_reason_why_not() {
    for list in &LISTS {
        let mut read: Vec<u64> = list
            .places
            .iter()
            .flat_map(|(file, anchor)| tags(file, anchor))
            .collect();
        read.sort_unstable();
        let unread = |name: &&str| list.unread.iter().any(|(unread, _)| unread == name);
        let numbers = (0..).zip(list.names).filter(|(_, name)| !unread(name));
        let expected: Vec<u64> = numbers.map(|(number, _)| number).collect();
        assert_eq!(read, expected, "{:?}", list.places);
        for (name, reason) in list.unread {
            assert!(list.names.contains(name) && !reason.is_empty(), "{name}");
        }
    }
}
