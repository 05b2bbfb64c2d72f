//! Files that no compiler writes: what they cost, and that they are refused where nothing valid can
//! come of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_frontend::Category;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_translate::cfg::Cfg;
use dxil_translate::structurize::{self, STEPS_PER_PART};
use dxil_translate::{Features, Options, Quirks, Style, translate, translate_bytes};
use dxil_validator::{Environment, Rules, validate};

#[test]
fn a_constant_that_others_are_made_of_is_computed_once() {
    // Thirty sums, each of the previous one and itself.
    let bytes = include_bytes!("data/constants_used_twice.bin");
    let shader = read_shader(bytes).unwrap();
    for style in [Style::Native, Style::Portable] {
        let mut options = Options::default();
        options.target.style = style;
        let words = translate(&shader, &options).unwrap().words;
        assert!(words.len() < 512, "{} words", words.len());
        validate(&words, Rules::strict(Environment::Vulkan1_3)).unwrap();
    }
    let text = module_text(&shader.module, &Plain);
    assert!(text.len() < 64 << 10, "{} bytes of text", text.len());
}

#[test]
fn an_operation_that_is_declared_with_another_result_is_malformed() {
    let bytes = include_bytes!("data/declared_with_16_bits.bin");
    let error = translate_bytes(bytes, &Options::default()).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    let text = error.to_string();
    assert!(
        text.contains("dx.op.flattenedThreadIdInGroup.i32 is declared with another result"),
        "{text}"
    );
}

/// Returns the parts of the entry point's graph, and the steps that structuring it takes.
fn steps(bytes: &[u8], style: Style) -> (u64, u64) {
    let shader = read_shader(bytes).unwrap();
    let entry = shader.entry_points[0].function.unwrap();
    let view = shader.view(entry).unwrap();
    let graph = Cfg::build(view).unwrap();
    let size = structurize::size(&graph) as u64;
    let (_, steps) = structurize::run_counted(graph, style.control_flow()).unwrap();
    (size, steps)
}

/// Returns the number of words that a shader becomes.
fn words(bytes: &[u8], style: Style) -> usize {
    let mut options = Options::default();
    options.target.style = style;
    let words = translate_bytes(bytes, &options).unwrap().words;
    validate(&words, Rules::strict(Environment::Vulkan1_3)).unwrap();
    words.len()
}

#[test]
fn control_flow_of_thousands_of_blocks_costs_steps_in_proportion_to_its_size() {
    for bytes in [
        include_bytes!("data/gotos_5000.bin").as_slice(),
        include_bytes!("data/gotos_10000.bin"),
        include_bytes!("data/breaks_20000.bin"),
    ] {
        for style in [Style::Native, Style::Portable] {
            let (size, steps) = steps(bytes, style);
            // Once to nest it, once to flatten it.
            let limit = 2 * STEPS_PER_PART * size + (1 << 15);
            assert!(steps <= limit, "{style:?}: {steps} steps for {size} parts");
        }
    }
}

#[test]
fn twice_the_gotos_become_twice_the_words() {
    let [some, more] = [
        include_bytes!("data/gotos_5000.bin").as_slice(),
        include_bytes!("data/gotos_10000.bin"),
    ];
    for style in [Style::Native, Style::Portable] {
        let [fewer_steps, more_steps] = [some, more].map(|bytes| steps(bytes, style).1);
        assert!(
            more_steps <= 2 * fewer_steps,
            "{style:?}: {fewer_steps} and {more_steps} steps"
        );
        let [fewer_words, more_words] = [some, more].map(|bytes| words(bytes, style));
        assert!(
            more_words <= 2 * fewer_words,
            "{style:?}: {fewer_words} and {more_words} words"
        );
    }
}

#[test]
fn values_that_many_exits_share_are_merged_once() {
    // A loop of 8 and of 24 unrolled steps with four exits each, most of which write the same
    // variables.
    let few = include_bytes!("../../hwtests/shaders/flow/unrolled_exits_8.dxil");
    let many = include_bytes!("../../hwtests/shaders/flow/unrolled_exits_24.dxil");
    for style in [Style::Native, Style::Portable] {
        let [few, many] = [words(few, style), words(many, style)];
        assert!(10 * many <= 33 * few, "{style:?}: {few} and {many} words");
    }
}

#[test]
fn no_switch_has_more_cases_than_spirv_allows() {
    // 20,000 cases that fall through: a chain of switches, or an error where they are flattened.
    // Counted and not validated: the validator takes minutes for as many nested constructs.
    const OP_SWITCH: u32 = 251;
    let bytes = include_bytes!("data/falling_cases_20000.bin");
    for style in [Style::Native, Style::Portable] {
        let mut options = Options::default();
        options.target.style = style;
        let words = match translate_bytes(bytes, &options) {
            Ok(translation) => translation.words,
            Err(error) => {
                assert_eq!(error.code(), "too-complex", "{error}");
                continue;
            }
        };
        let mut at = 5;
        while let Some(&first) = words.get(at) {
            let length = first >> 16;
            let pairs = length.saturating_sub(3) / 2;
            assert!(
                first & 0xffff != OP_SWITCH || pairs <= 16_383,
                "{pairs} cases"
            );
            at += length as usize;
        }
    }
}

#[test]
fn twice_the_source_becomes_at_most_twice_the_steps_and_words() {
    // Each family of `bench/shapes` in sizes that double.
    for (family, sizes) in [
        ("breaks", [128, 256, 512]),
        ("ifs", [256, 512, 1024]),
        ("loops", [64, 128, 256]),
        ("nested", [32, 64, 128]),
        ("returns", [128, 256, 512]),
        ("straight", [1024, 2048, 4096]),
        ("switch", [256, 512, 1024]),
    ] {
        for style in [Style::Native, Style::Portable] {
            let counts = sizes.map(|size| {
                let file = format!("bench/shapes/{family}_{size:05}.dxil");
                let bytes = std::fs::read(dxil_checkout::root().join(file)).unwrap();
                (steps(&bytes, style).1, words(&bytes, style))
            });
            for pair in counts.windows(2) {
                let (steps, words) = (2 * pair[0].0, 2 * pair[0].1);
                assert!(
                    pair[1].0 <= steps && pair[1].1 <= words,
                    "{family} {style:?}: {counts:?}"
                );
            }
        }
    }
}

#[test]
fn a_thread_group_is_as_large_as_d3d_allows() {
    // 4,294,967,226 threads along x, which crash drivers.
    let bytes = include_bytes!("data/thread_group_too_large.bin");
    let error = translate_bytes(bytes, &Options::default()).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    let text = error.to_string();
    assert!(text.contains("a thread group of 4294967226"), "{text}");
}

#[test]
fn a_shading_rate_that_is_left_out_reads_as_zero_of_the_calls_type() {
    // A shading rate that `loadInput.f32` reads.
    let bytes = include_bytes!("data/shading_rate_as_float.bin");
    let mut options = Options::default();
    options.target.features = Features::all();
    options.workarounds.quirks = Quirks::NO_SHADING_RATE;
    let words = translate_bytes(bytes, &options).unwrap().words;
    validate(&words, Rules::strict(Environment::Vulkan1_3)).unwrap();
}

#[test]
fn a_range_of_0_registers_has_no_end() {
    // Mesa writes ranges without end so (docs/producers.md).
    let bytes = include_bytes!("data/no_registers.bin");
    let error = translate_bytes(bytes, &Options::default()).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported);
    let text = error.to_string();
    assert!(text.contains("runtimeDescriptorArray"), "{text}");
}

#[test]
fn an_index_may_have_one_bit() {
    let bytes = include_bytes!("data/index_of_one_bit.bin");
    for style in [Style::Native, Style::Portable] {
        assert!(words(bytes, style) > 0);
    }
}

/// Translates for a device that has all that AGS's instructions need.
fn translated_with_vendor_extensions(bytes: &[u8]) -> dxil_translate::Result<Vec<u32>> {
    let mut options = Options::default();
    options.target.features = Features::all();
    translate_bytes(bytes, &options).map(|translation| translation.words)
}

#[test]
fn an_ags_conversion_says_in_a_constant_whether_it_saturates() {
    let bytes = include_bytes!("data/ags_matrix_saturation.bin");
    let error = translated_with_vendor_extensions(bytes).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported, "{error}");
}

#[test]
fn phases_of_an_ags_atomic_come_in_order() {
    // A second first phase before the last one.
    let bytes = include_bytes!("data/ags_atomic_begun_twice.bin");
    let error = translated_with_vendor_extensions(bytes).unwrap_err();
    assert_eq!(error.category(), Category::Unsupported, "{error}");
    let text = error.to_string();
    assert!(text.contains("in that order"), "{text}");
}
