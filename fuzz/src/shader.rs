//! Everything that is done with a container, for options that its bytes choose.

use dxil_frontend::dxil::{ShaderKind, read_shader, read_shader_with_debug_info};
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::oracle::{self, Random};
use dxil_frontend::validate::{self, validate};
use dxil_translate::oracle::options::any_options;
use dxil_translate::{Category, Options, translate};

/// The outcome for a container.
#[derive(Debug)]
pub enum Outcome {
    /// The reader or the translator refused it.
    Refused(Category),
    /// It became a module.
    Module {
        /// Kind of the shader.
        kind: ShaderKind,
        /// Its words.
        words: Vec<u32>,
        /// The options that it was translated for.
        options: Box<Options>,
    },
}

/// Reads, validates, lists and translates a container.
///
/// # Panics
///
/// A rule is broken: an error is an internal one, or the translator calls malformed what the
/// validator accepts.
pub fn run(bytes: &[u8]) -> Outcome {
    let _ = oracle::container(bytes);
    let mut options = validate::Options::default();
    options.uniformity = true;
    let is_valid = validate(bytes, &options).is_valid();
    let refused = |category: Category, code: &str, error: &dyn std::fmt::Display| {
        assert_ne!(category, Category::Internal, "{error}");
        // A limit of the reader is not a rule of DXIL, and what the caller asks for is not part of
        // the container.
        const NO_RULES: [&str; 6] = [
            "limit",
            "not-an-entry-point",
            "missing-part",
            "no-entry-point",
            "several-entry-points",
            "unbound-resource",
        ];
        assert!(
            category != Category::Malformed || NO_RULES.contains(&code) || !is_valid,
            "the validator accepts what is called malformed: {error}"
        );
        Outcome::Refused(category)
    };
    let mut random = Random::new(hash(bytes));
    // With debug information the program may be another one, which the validator does not look at.
    if random.below(4) == 0
        && let Ok(shader) = read_shader_with_debug_info(bytes)
    {
        let mut options = any_options(&mut random);
        let first = shader.entry_points.first();
        options.entry = first.map(|entry| entry.name.to_string());
        let error = translate(&shader, &options).err();
        let category = error.as_ref().map(|error| error.category());
        assert_ne!(category, Some(Category::Internal), "{error:?}");
    }
    let shader = match read_shader(bytes) {
        Ok(shader) => shader,
        Err(error) => return refused(error.category(), error.code(), &error),
    };
    if random.below(8) == 0 {
        module_text(&shader.module, &Plain);
    }
    let mut options = any_options(&mut random);
    let chosen = random.below(shader.entry_points.len());
    let chosen = shader.entry_points.get(chosen);
    options.entry = chosen.map(|entry| entry.name.to_string());
    match translate(&shader, &options) {
        Ok(translation) => Outcome::Module {
            kind: translation.interface.stage,
            words: translation.words,
            options: Box::new(options),
        },
        Err(error) => refused(error.category(), error.code(), &error),
    }
}

/// Returns the FNV-1a hash.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
