//! What the reader keeps of a file and nobody uses: every field of the IR, of the shader and of the
//! container's parts is named by the translator and by the CPU executor (parts: by anybody), or
//! stands in a table here with the reason.
//!
//! A name counts as used if it occurs, so that the test finds what is forgotten altogether, not a
//! use that is wrong. `frontend/tests/record_codes.rs` does the same for records of bitcode,
//! `metadata_tags.rs` for tags of metadata.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::read_to_string;

use dxil_checkout::{files, root};

/// Who does not use a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unused {
    /// Neither the translator nor the CPU executor.
    ByBoth,
    /// The CPU executor.
    ByExecutor,
}
use Unused::{ByBoth, ByExecutor};

/// Fields of the IR and of the shader.
#[rustfmt::skip]
const SHADER: &[(Unused, &[&str], &str)] = &[
    (ByBoth, &["triple"], "DXIL has one; listings show it"),
    (ByBoth, &["attribute_groups", "attribute_sets"], "asked through `Module::function_attribute`"),
    (ByBoth, &["unnamed_addr"], "for the writer and the assembly text"),
    (ByExecutor, &["call_sites", "convention"], "for the writer and the assembly text; all calls are alike"),
    (ByBoth, &["name_start", "name_len"], "places of names, behind `Metadata`'s methods"),
    (ByBoth, &["dxil_version", "validator_version"], "the validator asks; the shader model decides what code means"),
    (ByBoth, &["view_id_state"], "the runtime links stages by PSV0; the validator compares"),
    (ByBoth, &["type_annotations", "vector_size", "bit_width", "bit_fields", "row_major", "snorm", "unorm", "qualifier"],
        "names and layouts of the source, for reflection and listings: code has offsets of its own"),
    (ByBoth, &["sample_count"], "Vulkan's images have their number of samples"),
    (ByBoth, &["atomic64", "reorder_coherent"], "follows from the operations; the validator compares"),
    (ByBoth, &["srvs", "cbvs"], "asked through `Resources::of` and `find`"),
    (ByBoth, &["dynamic_index_mask"], "follows from the code; the validator compares"),
    (ByBoth, &["record_size", "record_alignment", "shares_max_records_with", "local_root_arguments_table_index",
        "shares_input_of", "max_recursion_depth"], "the runtime's work graphs use them"),
    (ByBoth, &["attribute_bytes", "auto_binding_space", "root_signature"], "the runtime and the validator use them"),
    (ByBoth, &["other_properties", "unknown_number"], "tags that DXIL does not define; the validator reports them"),
    (ByBoth, &["max_tessellation_factor"], "a bound that the hull shader promises; devices clamp to theirs"),
    (ByExecutor, &["linkage", "strings", "distinct", "function_attachments", "attachments", "block_names"],
        "names and debug information, read through `DebugInfo`"),
    (ByExecutor, &["encoded_bytes"], "bounds the words of a module, which it does not write"),
    (ByExecutor, &["fast_math"], "permissions that it does not take"),
    (ByExecutor, &["volatile", "ordering"], "waves of a group run in turns on one thread"),
    (ByExecutor, &["inbounds"], "every address is checked"),
    (ByExecutor, &["edge_pool", "ret", "params", "vararg"], "asked through methods"),
    (ByExecutor, &["rasterizer_ordered"], "pixels run in order"),
    (ByExecutor, &["cbuffer_size"], "views have their sizes"),
    (ByExecutor, &["semantic", "semantic_indices", "start_row", "start_column", "usage_mask",
        "active_streams"], "the host of a draw links stages; it captures all that a stage writes"),
    (ByExecutor, &["max_records", "array_size", "allows_sparse", "is_program_entry", "dispatch_grid", "max_dispatch_grid"],
        "the host that runs work graphs uses them"),
    (ByExecutor, &["hints", "contradictions", "precise"], "for the optimizers of drivers, and warnings"),
];

/// Fields of the container's parts that nothing outside of the reader names.
#[rustfmt::skip]
const PARTS: &[(&[&str], &str)] = &[
    (&["custom_toolchain_id", "custom_toolchain_data"], "kept for other tools; DXC writes none"),
    (&["content_bytes"], "sizes and places, which the reader checks"),
    (&["element_counts"], "the lists of elements have lengths, which the reader compares"),
    (&["return_type"], "DXBC's declarations say it; the listing of RDEF has kinds only"),
];

/// Returns the fields of the public types of files, each with one type that has it.
fn fields(names: &[&str]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for name in names {
        let path = root().join("frontend/src").join(name);
        let paths = if path.is_dir() {
            files(&path, "rs")
        } else {
            vec![path]
        };
        for path in paths {
            let text = read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            let mut owner: Option<(&str, bool)> = None;
            for line in text.lines() {
                let declared = line
                    .trim_start()
                    .strip_prefix("pub struct ")
                    .map(|rest| (rest, false));
                let declared = declared.or_else(|| {
                    line.trim_start()
                        .strip_prefix("pub enum ")
                        .map(|rest| (rest, true))
                });
                if let Some((rest, is_enum)) = declared {
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                    owner = Some((&rest[..end.unwrap_or(rest.len())], is_enum));
                }
                if line.starts_with('}') {
                    owner = None;
                }
                let Some((owner, is_enum)) = owner else {
                    continue;
                };
                let field = if is_enum {
                    line.strip_prefix("        ")
                } else {
                    line.strip_prefix("    pub ")
                };
                let field = field.and_then(|line| line.split_once(": "));
                if let Some((field, ty)) = field
                    && ty.ends_with(',')
                    && field
                        .chars()
                        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
                {
                    found.insert(field.to_owned(), owner.to_owned());
                }
            }
        }
    }
    found
}

/// Returns all words of the sources in folders.
fn words(folders: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in folders
        .iter()
        .flat_map(|folder| files(&root().join(folder), "rs"))
    {
        let text = read_to_string(&path).unwrap();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        found.extend(text.split(|c| !is_part(c)).map(str::to_owned));
    }
    found
}

#[test]
fn what_the_reader_keeps_of_a_shader_is_used_or_has_a_reason_why_not() {
    let fields = fields(&[
        "ir/module.rs",
        "ir/inst.rs",
        "ir/function.rs",
        "ir/value.rs",
        "ir/types.rs",
        "dxil/resources.rs",
        "dxil/signature.rs",
        "dxil/entry_points.rs",
        "dxil/nodes.rs",
        "dxil/shader.rs",
        "dxil/type_annotations.rs",
    ]);
    assert!(fields.len() > 100, "{}", fields.len());
    let (translator, executor) = (words(&["translate/src"]), words(&["runtime/cpu/src"]));
    let mut listed = BTreeMap::new();
    for &(by, names, reason) in SHADER {
        assert!(!reason.is_empty());
        listed.extend(names.iter().map(|&name| (name, by)));
    }
    let mut faults = Vec::new();
    for (field, owner) in &fields {
        let unused = match (translator.contains(field), executor.contains(field)) {
            (true, true) => None,
            (true, false) => Some(ByExecutor),
            (false, _) => Some(ByBoth),
        };
        let reason = listed.remove(field.as_str());
        if unused != reason {
            faults.push(format!(
                "{owner}.{field}: unused {unused:?}, listed {reason:?}"
            ));
        }
    }
    let gone: Vec<_> = listed.keys().collect();
    assert!(
        faults.is_empty() && gone.is_empty(),
        "{faults:#?} no fields: {gone:?}"
    );
}

#[test]
fn what_the_reader_keeps_of_parts_is_used_or_has_a_reason_why_not() {
    let fields = fields(&["container"]);
    assert!(fields.len() > 100, "{}", fields.len());
    let used = words(&[
        "translate/src",
        "translate/capi/src",
        "runtime/src",
        "runtime/cpu/src",
        "runtime/cli/src",
        "runtime/inspect/src",
        "frontend/src/validate",
        "frontend/src/reflection",
        "frontend/src/link",
        "frontend/src/parts",
    ]);
    let unused: BTreeSet<&str> = fields
        .keys()
        .filter(|field| !used.contains(*field))
        .map(String::as_str)
        .collect();
    let listed = PARTS.iter().flat_map(|&(names, _)| names).copied();
    assert_eq!(unused, listed.collect::<BTreeSet<_>>());
}
