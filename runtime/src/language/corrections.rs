//! The corrections around naga 30.0.1: one table.
//!
//! The translator's pass `spirv/legalize_naga` rewrites everything that valid SPIR-V can express.
//! This table has the rest: corrections of the IR that naga's SPIR-V front end makes, or of the
//! text of a writer. Each row of [`TABLE`] says what is corrected, why SPIR-V cannot express it,
//! and what makes the row unnecessary: a patch in `docs/upstream/`, or nothing that is known.
//!
//! Text is corrected only where naga's IR cannot express the difference and a refusal would concern
//! more than one in a hundred of the checked-in shaders, and only in modules whose IR has what the
//! row is about. A correction of text is anchored to whole tokens ([`tokens`]). Rarer differences
//! are refused until a release has the patch.
//!
//! [`tokens`]: super::tokens

use naga::Module;
use naga::valid::ModuleInfo;

use super::casts::FloatCasts;
use super::languages::Language;
use super::legalize::Changed;
use super::pairings::{self, Paired};
use super::text_context::TextContext;
use super::{
    binding_arrays, cast_bodies, casts, distances, hlsl_arrays, image_atomics, legalize,
    legalize_text, metal_arrays, non_finite, sample_masks, uniformity, unsupported,
};

/// A correction.
pub(super) struct Correction {
    /// The correction in a few words.
    pub what: &'static str,
    /// The reason why the translator cannot avoid it in SPIR-V.
    pub reason: &'static str,
    /// The end of the correction.
    pub ends: Ends,
    /// The correction itself.
    pub apply: Apply,
}

/// The change that makes a correction unnecessary.
pub(super) enum Ends {
    /// A release of naga with this patch of `docs/upstream/`.
    Patch(&'static str),
    /// A feature that naga does not have.
    Feature(&'static str),
    /// Nothing: the language lacks the feature.
    Never,
}

impl std::fmt::Display for Correction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "naga: {}, since {} ", self.what, self.reason)?;
        match self.ends {
            Ends::Patch(number) => write!(f, "(until a release with patch {number})"),
            Ends::Feature(what) => write!(f, "(until it has {what})"),
            Ends::Never => write!(f, "(for good)"),
        }
    }
}

/// The form to which a correction applies, and the correction.
pub(super) enum Apply {
    /// To the IR of the front end, before validation. An error is the reason of a refusal.
    Parsed(fn(&mut Module) -> Result<(), &'static str>),
    /// To the IR of the front end: functions whose bodies only texts can express.
    Replaced(fn(&mut Module) -> FloatCasts),
    /// To the IR after validation.
    Validated(fn(&mut Module, &ModuleInfo)),
    /// To the IR of a language whose textures and samplers are combined; `None` if they are paired.
    Paired(Language, fn(&Module) -> Option<Paired>),
    /// To the IR that the writers of some languages get; `None` if it stays. An error is the
    /// reason of a refusal.
    ForWriters(&'static [Language], Rewrite),
    /// Refuses a module that a writer would write wrongly, with this reason.
    Refused(
        &'static [Language],
        fn(&Module, &FloatCasts) -> bool,
        &'static str,
    ),
    /// Adds lines in front of the text, after the directives that begin it.
    Head(Language, fn(&Module) -> Option<String>),
    /// To the text that a writer wrote. An error is the reason of a refusal.
    Text(
        Language,
        fn(&TextContext<'_>, String) -> Result<String, &'static str>,
    ),
}

/// Returns the module for a writer, if it is another one.
type Rewrite = fn(&Module, &ModuleInfo) -> Result<Option<Changed>, &'static str>;

use Apply::{Head, Parsed, Refused, Text, Validated};
use Ends::{Feature, Never, Patch};
use Language::{Glsl, Hlsl, Msl, Wgsl};

/// All corrections, in the order in which they apply.
pub(super) const TABLE: &[Correction] = &[
    Correction {
        what: "one texture per sampler",
        reason: "GLSL combines textures and samplers, other languages keep the separate objects",
        ends: Never,
        apply: Apply::Paired(Glsl, pairings::one_sampler_each),
    },
    Correction {
        what: "sample masks are scalars",
        reason: "SPIR-V requires the array; naga's validator requires a scalar",
        ends: Patch("0011"),
        apply: Parsed(sample_masks::make_scalar),
    },
    Correction {
        what: "cases whose every path leaves do not fall through",
        reason: "the front end looks at the last statement of a case only",
        ends: Patch("0005"),
        apply: Parsed(legalize::clear_fall_through),
    },
    Correction {
        what: "ballots have a predicate",
        reason: "the front end drops the predicate `true`, and WGSL requires one",
        ends: Patch("0006"),
        apply: Parsed(legalize::add_ballot_predicates),
    },
    Correction {
        what: "layers of arrayed images are queries of their own",
        reason: "SPIR-V has one query for size and layers, naga's IR has two",
        ends: Patch("0014"),
        apply: Parsed(legalize::query_layers),
    },
    Correction {
        what: "arrays of buffers and textures are arrays of bindings",
        reason: "the front end has none of buffers, and fetches from none of textures",
        ends: Feature("binding arrays of all kinds in the SPIR-V front end"),
        apply: Parsed(binding_arrays::restore),
    },
    Correction {
        what: "stores of two components are atomics on images",
        reason: "the front end has no OpImageTexelPointer; the IR has such atomics",
        ends: Patch("0013"),
        apply: Parsed(image_atomics::restore),
    },
    Correction {
        what: "infinities and NaN are computed from their bits",
        reason: "the validator refuses them as constants, and WGSL has no constant of them",
        ends: Never,
        apply: Parsed(non_finite::from_bits),
    },
    Correction {
        what: "derivatives may be anywhere",
        reason: "the validator refuses them in flow that may diverge, D3D12 does not",
        ends: Never,
        apply: Parsed(legalize::allow_derivatives),
    },
    Correction {
        what: "functions that cast doubles to words return 0",
        reason: "naga's IR lacks these casts; a row for each language writes the body",
        ends: Feature("casts between scalars and vectors in the IR"),
        apply: Apply::Replaced(casts::stand_in),
    },
    Correction {
        what: "no casts of doubles to words",
        reason: "these languages have no text for the casts that the IR lacks",
        ends: Feature("casts between scalars and vectors in the IR"),
        apply: Refused(
            &[Wgsl, Msl],
            |_, casts| casts.have_doubles(),
            "a cast between a double and two words",
        ),
    },
    Correction {
        what: "casts of 64-bit integers convert",
        reason: "HLSL's writer drops bit casts of 64-bit operands",
        ends: Patch("0015"),
        apply: Validated(legalize::convert_wide_integers),
    },
    Correction {
        what: "memory barriers wait",
        reason: "WGSL and MSL have no memory barriers, HLSL and GLSL do",
        ends: Never,
        apply: Apply::ForWriters(&[Wgsl, Msl], legalize::with_waiting_barriers),
    },
    Correction {
        what: "barriers are in flow that is proven uniform",
        reason: "WGSL refuses others (15.2 \"Uniformity\"), D3D12 trusts the author",
        ends: Never,
        apply: Apply::ForWriters(&[Wgsl], uniformity::proven),
    },
    Correction {
        what: "no proof of uniformity of derivatives and subgroup operations",
        reason: "WGSL refuses them in flow that may diverge, D3D12 does not",
        ends: Never,
        apply: Head(Wgsl, legalize_text::allow_divergence),
    },
    Correction {
        what: "`enable subgroups` in front",
        reason: "the writer does not write the directive, and the front end refuses it",
        ends: Patch("0012"),
        apply: Head(Wgsl, legalize_text::enable_subgroups),
    },
    Correction {
        what: "no 1D textures with layers",
        reason: "WGSL has no such type (6.5 \"Texture and Sampler Types\"); the writer invents one",
        ends: Never,
        apply: Refused(
            &[Wgsl],
            |module, _| unsupported::has_1d_arrays(module),
            "a 1D texture with layers (Texture1DArray)",
        ),
    },
    Correction {
        what: "no function of more than 65,536 expressions",
        reason: "the text is read again, and the front end takes time for the square of their number",
        ends: Patch("0019"),
        apply: Refused(
            &[Wgsl],
            |module, _| unsupported::has_too_many_expressions(module),
            "a function of more than 65,536 expressions",
        ),
    },
    Correction {
        what: "no atomics on arrayed images",
        reason: "the writer drops the layer",
        ends: Patch("0001"),
        apply: Refused(
            &[Glsl],
            |module, _| image_atomics::has_layers(module),
            "an atomic on a texture with layers",
        ),
    },
    Correction {
        what: "no inputs per vertex",
        reason: "the writer panics",
        ends: Patch("0007"),
        apply: Refused(
            &[Glsl],
            |module, _| unsupported::has_inputs_per_vertex(module),
            "an input per vertex",
        ),
    },
    Correction {
        what: "no sample masks",
        reason: "the writer uses the arrays of GLSL as scalars",
        ends: Patch("0010"),
        apply: Refused(
            &[Glsl],
            |module, _| unsupported::has_sample_mask(module),
            "a sample mask",
        ),
    },
    Correction {
        what: "extension of subgroup built-ins",
        reason: "the writer requests it for subgroup operations only",
        ends: Patch("0008"),
        apply: Head(Glsl, legalize_text::require_subgroups),
    },
    Correction {
        what: "size of `gl_CullDistance`",
        reason: "the writer does not declare it",
        ends: Patch("0009"),
        apply: Head(Glsl, legalize_text::declare_cull_distances),
    },
    Correction {
        what: "casts between doubles and words have the bodies of GLSL",
        reason: "naga's IR lacks casts between doubles and pairs of words, which many shaders have",
        ends: Feature("64-bit integers in the GLSL writer"),
        apply: Text(Glsl, cast_bodies::write_glsl),
    },
    Correction {
        what: "no arrays of multisampled textures",
        reason: "the writer misspells the type",
        ends: Patch("0002"),
        apply: Refused(
            &[Hlsl],
            |module, _| unsupported::has_multisampled_arrays(module),
            "an array of multisampled textures",
        ),
    },
    Correction {
        what: "no queries of arrays of 1D textures",
        reason: "the writer passes one argument too many",
        ends: Patch("0003"),
        apply: Refused(
            &[Hlsl],
            |module, _| unsupported::queries_1d_arrays(module),
            "a query of an array of 1D textures",
        ),
    },
    Correction {
        what: "64-bit literals have a suffix of 64 bits",
        reason: "the writer's helper functions have such literals too, which no IR has",
        ends: Patch("0004"),
        apply: Text(Hlsl, legalize_text::long_literals),
    },
    Correction {
        what: "offsets of samples have the components of their texture",
        reason: "the writer casts all to two, and 1D and 3D textures have offsets in many shaders",
        ends: Patch("0020"),
        apply: Text(Hlsl, legalize_text::sample_offsets),
    },
    Correction {
        what: "clip and cull distances are vectors",
        reason: "the writer declares one element of the array",
        ends: Patch("0016"),
        apply: Apply::ForWriters(&[Hlsl], distances::as_vectors),
    },
    Correction {
        what: "arrays of textures and samplers are those of HLSL",
        reason: "the writer has no arrays without an end, and no sampler outside of its heap",
        ends: Patch("0017"),
        apply: Text(Hlsl, hlsl_arrays::write),
    },
    Correction {
        what: "samplers have registers",
        reason: "the writer has no mode without a sampler heap, and no IR has registers",
        ends: Patch("0017"),
        apply: Text(Hlsl, legalize_text::samplers),
    },
    Correction {
        what: "elements of arrays are entries of descriptor tables, and null buffers have no elements",
        reason: "the writer has structs of one handle, and counts elements from the last one",
        ends: Feature("the layout of argument buffers in the MSL writer's options"),
        apply: Text(Msl, metal_arrays::as_entries),
    },
    Correction {
        what: "casts between floats and their bits have the bodies of HLSL",
        reason: "the writer drops bit casts of 64 bits, and converts halves, and many shaders have them",
        ends: Patch("0015"),
        apply: Text(Hlsl, cast_bodies::write_hlsl),
    },
];

/// Returns the module for a language that pairs textures with samplers, if it is another one.
pub(super) fn paired(module: &Module, language: Language) -> Option<Paired> {
    TABLE.iter().find_map(|correction| match correction.apply {
        Apply::Paired(of, apply) if of == language => apply(module),
        _ => None,
    })
}

/// Applies the corrections of IR that the front end made, and returns the functions whose bodies
/// only texts can express.
///
/// # Errors
///
/// The reason why a module has no correct form.
pub(super) fn correct_parsed(module: &mut Module) -> Result<FloatCasts, &'static str> {
    let mut casts = FloatCasts::default();
    for correction in TABLE {
        match correction.apply {
            Parsed(apply) => apply(module)?,
            Apply::Replaced(apply) => casts = apply(module),
            _ => {}
        }
    }
    Ok(casts)
}

/// Applies the corrections of validated IR.
pub(super) fn correct_validated(module: &mut Module, info: &ModuleInfo) {
    for correction in TABLE {
        if let Validated(apply) = correction.apply {
            apply(module, info);
        }
    }
}

/// Returns the module for a language's writer, if it is another one than what was read.
///
/// # Errors
///
/// The reason why the language or its writer cannot have the module.
pub(super) fn for_writer(
    module: &Module,
    info: &ModuleInfo,
    casts: &FloatCasts,
    language: Language,
) -> Result<Option<Changed>, &'static str> {
    let mut changed: Option<Changed> = None;
    for correction in TABLE {
        let (module, info) = match &changed {
            Some((module, info)) => (module, info),
            None => (module, info),
        };
        match correction.apply {
            Apply::ForWriters(languages, apply) if languages.contains(&language) => {
                if let Some(new) = apply(module, info)? {
                    log::debug!("{correction}");
                    changed = Some(new);
                }
            }
            Refused(languages, is_refused, reason)
                if languages.contains(&language) && is_refused(module, casts) =>
            {
                log::debug!("{correction}");
                return Err(reason);
            }
            _ => {}
        }
    }
    Ok(changed)
}

/// Applies the corrections of a language's text.
///
/// # Errors
///
/// The reason why the language cannot express the module.
pub(super) fn correct_text(
    written: &TextContext<'_>,
    language: Language,
    text: String,
) -> Result<String, &'static str> {
    let mut text = text;
    for correction in TABLE {
        match correction.apply {
            Text(of, apply) if of == language => {
                let before = log::log_enabled!(log::Level::Debug).then(|| text.clone());
                text = apply(written, text)?;
                if before.is_some_and(|before| before != text) {
                    log::debug!("{correction}");
                }
            }
            Head(of, apply) if of == language => {
                if let Some(head) = apply(written.module) {
                    text.insert_str(legalize_text::end_of_directives(&text), &head);
                    log::debug!("{correction}");
                }
            }
            _ => {}
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;

    /// The release of naga that the table is about.
    const NAGA: &str = "30.0.1";

    fn checkout(path: &str) -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "..", path].iter().collect()
    }

    #[test]
    fn every_patch_ends_a_correction_and_is_in_the_index() {
        let mut named = BTreeSet::new();
        for correction in TABLE {
            assert!(!correction.what.is_empty() && !correction.reason.is_empty());
            match correction.ends {
                Patch(number) => {
                    named.insert(number.to_owned());
                }
                Feature(what) => assert!(!what.is_empty(), "{}", correction.what),
                Never => {}
            }
        }
        let folder = std::fs::read_dir(checkout("docs/upstream")).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let patches = names.filter(|name| name.ends_with(".patch"));
        let numbers: BTreeSet<String> = patches.map(|name| name[..4].to_owned()).collect();
        let index = std::fs::read_to_string(checkout("docs/upstream/README.md")).unwrap();
        for number in numbers {
            let row = format!("| `{number}` |");
            let mut rows = index.lines();
            let row = rows.find(|line| line.starts_with(&row)).unwrap();
            // SPIR-V can express the correction, or it is in the table.
            let is_rule = row.contains("legalize_naga/");
            assert_eq!(named.remove(&number), !is_rule, "{row}");
        }
        assert!(named.is_empty(), "patches that do not exist: {named:?}");
    }

    #[test]
    fn the_table_is_about_the_naga_that_is_built() {
        let lock = std::fs::read_to_string(checkout("Cargo.lock")).unwrap();
        let built = format!("name = \"naga\"\nversion = \"{NAGA}\"\n");
        assert!(
            lock.contains(&built),
            "check each correction and patch against the new naga, then change NAGA"
        );
    }
}
