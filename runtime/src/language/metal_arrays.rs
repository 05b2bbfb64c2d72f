//! Arrays of descriptors in MSL: argument buffers with the entries of Apple's
//! metal-shaderconverter, so that a host can bind the descriptor tables and heaps that it has for
//! that.
//!
//! An entry (`IRDescriptorTableEntry`) has three 64-bit words. A buffer has its address in the
//! first one and its length in the lower half of the third; a texture has its resource id in the
//! second one, a sampler in the first one.

use std::collections::BTreeMap;
use std::ops::Range;

use super::metal_slots::MetalSlot;
use super::text_context::TextContext;
use super::tokens::{Edits, Tokens};

/// Bytes of an entry.
pub const METAL_ENTRY_BYTES: u32 = 24;

/// The beginning of a member of naga's struct of sizes.
const SIZES_MEMBER: &str = "_buffer_sizes.";

/// naga's struct around an element of an array of descriptors.
const WRAPPER: &str = "NagaArgumentBufferWrapper";

/// The struct, of textures, buffers and samplers.
const ENTRIES: &str = "\
template <typename T>
struct NagaArgumentBufferWrapper {
    ulong address;
    T inner;
    ulong metadata;
};
template <typename T>
struct NagaArgumentBufferWrapper<device T*> {
    device T* inner;
    ulong view;
    ulong metadata;
};
template <>
struct NagaArgumentBufferWrapper<metal::sampler> {
    metal::sampler inner;
    ulong view;
    ulong metadata;
};
";

/// Gives the elements of arrays the form of entries, and takes lengths of buffers from them. naga
/// counts the elements of a buffer from its last one, so that a null buffer would have 2^30: they
/// are counted from the first one.
///
/// # Errors
///
/// The text has another form than naga 30 writes.
pub(super) fn as_entries(written: &TextContext<'_>, text: String) -> Result<String, &'static str> {
    let tokens = Tokens::of(&text);
    let names = names(written, &tokens);
    let mut edits = Edits::default();
    let mut at = 0;
    while at < tokens.count() {
        if tokens.are(
            at,
            &["template", "<", "typename", "T", ">", "struct", WRAPPER],
        ) {
            let end = tokens
                .next(at, ";")
                .and_then(|end| tokens.next(end + 1, ";"));
            let end = end.ok_or("a wrapper of descriptors of another form")?;
            edits.replace(tokens.range(at).start..tokens.range(end).end + 1, ENTRIES);
            at = end + 1;
        } else if let Some(length) = Length::at(&tokens, at) {
            // `1 + (_buffer_sizes.size3[unsigned(i)] - 0 - 4) / 4`, in which nothing has a length.
            let own = tokens.range(length.bytes.start).start..tokens.range(length.bytes.end).end;
            let bytes = match names.get(length.member) {
                Some(name) => {
                    let index = tokens.range(length.bytes.start + 1).start..own.end;
                    format!(
                        "uint({name}{}.metadata)",
                        text.get(index).unwrap_or_default()
                    )
                }
                None => text.get(own).unwrap_or_default().to_owned(),
            };
            let range = tokens.range(at).start..tokens.range(length.end).end;
            edits.replace(range, format!("{bytes} / {}u", length.stride));
            at = length.end + 1;
        } else if tokens.get(at).starts_with(SIZES_MEMBER) {
            return Err("a length of another form");
        } else if is_member(&tokens, at, &names) {
            // `uint size3[1];`
            let mut range = tokens.range(at).start..tokens.range(at + 5).end;
            let line = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
            if text[line..range.start].trim().is_empty() {
                range = line..range.end + 1;
            }
            edits.replace(range, "");
            at += 6;
        } else {
            at += 1;
        }
    }
    let has_sizes = written.metal.is_some_and(|slots| slots.sizes.is_some());
    let text = edits.apply(&text);
    Ok(if has_sizes {
        text
    } else {
        without_sizes(&text)
    })
}

/// Removes naga's struct of sizes, where all buffers of which the length is asked are in arrays.
fn without_sizes(text: &str) -> String {
    const SIZES: &str = "_mslBufferSizes";
    let tokens = Tokens::of(text);
    let mut edits = Edits::default();
    let mut at = 0;
    while at < tokens.count() {
        let end = if tokens.are(at, &["struct", SIZES, "{", "}", ";"]) {
            at + 4
        } else if tokens.are(at, &[",", "constant", SIZES, "&", "_buffer_sizes"]) {
            match tokens.closing(at + 5) {
                // `[[buffer(n)]]`
                Some(end) if tokens.get(at + 5) == "[" => end,
                _ => at + 4,
            }
        } else if tokens.are(at, &[",", "_buffer_sizes"]) {
            at + 1
        } else {
            at += 1;
            continue;
        };
        // Arguments of the entry point begin lines with their commas.
        let start = tokens.range(at).start;
        let line = text[..start].strip_suffix('\n').map_or(start, str::len);
        edits.replace(line..tokens.range(end).end, "");
        at = end + 1;
    }
    edits.apply(text)
}

/// Returns the names of arrays of buffers, by their member in naga's struct of sizes.
fn names<'a>(written: &TextContext<'_>, tokens: &Tokens<'a>) -> BTreeMap<String, &'a str> {
    // Each argument is `name [[buffer(n)]]`.
    let mut arguments = BTreeMap::new();
    for at in 0..tokens.count() {
        if tokens.are(at, &["*", "[", "[", "buffer", "(", "*", ")", "]", "]"]) {
            arguments.insert(tokens.get(at + 5), tokens.get(at));
        }
    }
    let slots = written.metal.iter().flat_map(|slots| &slots.resources);
    let slots: BTreeMap<_, _> = slots.collect();
    let arrays = written.module.global_variables.iter();
    arrays
        .filter_map(|(handle, variable)| {
            let at = variable.binding?;
            let slot = slots.get(&(at.group, at.binding))?;
            let MetalSlot::ArgumentBuffer(number) = slot else {
                return None;
            };
            let name = arguments.get(number.to_string().as_str())?;
            Some((format!("size{}", handle.index()), *name))
        })
        .collect()
}

/// The number of elements that naga computes of a buffer's length.
struct Length<'a> {
    /// The member of the struct of sizes.
    member: &'a str,
    /// The first and the last token of the member, with the index of an element of an array.
    bytes: Range<usize>,
    /// Bytes of an element.
    stride: &'a str,
    /// The last token.
    end: usize,
}
impl<'a> Length<'a> {
    /// Returns the length that begins at a token. The offset of the elements is 0, and their
    /// stride their size: buffers here are arrays of words and rows.
    fn at(tokens: &Tokens<'a>, at: usize) -> Option<Self> {
        let member = tokens.get(at + 3).strip_prefix(SIZES_MEMBER)?;
        if !tokens.are(at, &["1", "+", "("]) {
            return None;
        }
        let last = match tokens.get(at + 4) {
            "[" => tokens.closing(at + 4)?,
            _ => at + 3,
        };
        let stride = tokens.get(last + 4);
        let rest = ["-", "0", "-", stride, ")", "/", stride];
        tokens.are(last + 1, &rest).then_some(Length {
            member,
            bytes: at + 3..last,
            stride,
            end: last + 7,
        })
    }
}

/// Returns whether the member for the lengths of an array stands here.
fn is_member(tokens: &Tokens<'_>, at: usize, names: &BTreeMap<String, &str>) -> bool {
    tokens.are(at, &["uint", "*", "[", "*", "]", ";"]) && names.contains_key(tokens.get(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::casts::FloatCasts;
    use crate::language::hlsl_registers::HlslRegisters;
    use crate::language::metal_slots::{MetalSizes, MetalSlots};

    /// Corrects a text of a module with an array of buffers at binding 1, and a buffer at 0.
    fn corrected(text: &str, has_sizes: bool) -> Result<String, &'static str> {
        let wgsl = "enable wgpu_binding_array;
            struct Words { words: array<u32> }
            @group(0) @binding(0) var<storage> alone: Words;
            @group(0) @binding(1) var<storage> many: binding_array<Words, 4>;
            @compute @workgroup_size(1) fn main() {}";
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        let slots = MetalSlots {
            resources: [
                ((0, 0), MetalSlot::Buffer(0)),
                ((0, 1), MetalSlot::ArgumentBuffer(1)),
            ]
            .into(),
            sizes: has_sizes.then(|| MetalSizes {
                buffer: 2,
                of: vec![(0, 0)],
            }),
            ..MetalSlots::default()
        };
        let written = TextContext {
            module: &module,
            casts: &FloatCasts::default(),
            metal: Some(&slots),
            registers: &HlslRegisters::default(),
        };
        as_entries(&written, text.to_owned())
    }

    #[test]
    fn lengths_of_buffers_in_arrays_are_in_their_entries() {
        // `IRDescriptorTableEntry` has the length of a buffer in the lower half of its third word.
        let text = "struct _mslBufferSizes {\n    uint size0;\n    uint size1[4];\n};\n\
            a = 1 + (_buffer_sizes.size1[unsigned(f(_e1))] - 0 - 4) / 4;\n\
            b = 1 + (_buffer_sizes.size0 - 0 - 16) / 16;\n\
            , device X* many_1 [[buffer(1)]]\n";
        assert_eq!(
            corrected(text, true).unwrap(),
            "struct _mslBufferSizes {\n    uint size0;\n};\n\
            a = uint(many_1[unsigned(f(_e1))].metadata) / 4u;\n\
            b = _buffer_sizes.size0 / 16u;\n\
            , device X* many_1 [[buffer(1)]]\n"
        );
        for other in [
            "_buffer_sizes.size0",
            "1 + (_buffer_sizes.size0 - 4 - 8) / 4",
        ] {
            assert!(corrected(other, true).is_err());
        }
    }

    #[test]
    fn a_struct_of_sizes_without_members_is_no_argument() {
        let text = "struct _mslBufferSizes {\n    uint size1[4];\n};\n\
            void f(device X* many, constant _mslBufferSizes& _buffer_sizes) {}\n\
            f(many, _buffer_sizes);\n\
            kernel void main_(device X* many [[buffer(1)]]\n\
            , constant _mslBufferSizes& _buffer_sizes [[buffer(0)]]\n) {}\n";
        assert_eq!(
            corrected(text, false).unwrap(),
            "\nvoid f(device X* many) {}\nf(many);\n\
            kernel void main_(device X* many [[buffer(1)]]\n) {}\n"
        );
    }

    #[test]
    fn entries_have_24_bytes_with_the_handle_where_the_converter_has_it() {
        let structs: Vec<&str> = ENTRIES.split("};").collect();
        let handles = [
            ("T inner;", 1),
            ("device T* inner;", 0),
            ("metal::sampler inner;", 0),
        ];
        for (text, (handle, place)) in structs.iter().zip(handles) {
            let (_, members) = text.split_once('{').unwrap();
            let members: Vec<&str> = members.lines().map(str::trim).collect();
            let members = &members[1..4];
            assert_eq!(members[place], handle);
            assert_eq!(members[2], "ulong metadata;");
            assert_eq!(members.len() * 8, METAL_ENTRY_BYTES as usize);
        }
    }
}
