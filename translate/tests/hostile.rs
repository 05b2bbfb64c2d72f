//! Files that no compiler writes: what they cost, and that they are refused where nothing valid can
//! come of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_frontend::Category;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_translate::cfg::Cfg;
use dxil_translate::structurize::{self, STEPS_PER_PART};
use dxil_translate::{Options, Style, translate, translate_bytes};
use dxil_validator::{Environment, Rules, validate};

#[test]
fn a_constant_that_others_are_made_of_is_computed_once() {
    // Thirty sums, each of the one before and itself.
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

/// Parts of the entry point's graph, and the steps that structuring it takes.
fn steps(bytes: &[u8], style: Style) -> (u64, u64) {
    let shader = read_shader(bytes).unwrap();
    let entry = shader.entry_points[0].function.unwrap();
    let view = shader.view(entry).unwrap();
    let graph = Cfg::build(view).unwrap();
    let size = structurize::size(&graph) as u64;
    let (_, steps) = structurize::run_counted(graph, style).unwrap();
    (size, steps)
}

/// The number of words that a shader becomes.
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

/// DXBC containers with `size` of something.
mod dxbc {
    use dxil_frontend::dxbc::{Components, File, Opcode, Operand, Program};
    use dxil_frontend::dxil::ShaderKind;

    const NONZERO: u32 = 1 << 18;

    fn temp(register: u32) -> Operand {
        Operand::register(File::Temp, &[register])
    }

    fn number(value: u32) -> Operand {
        Operand::immediate([value; 4]).with(Components::One)
    }

    /// A program that runs `code` between loading `r0` and storing it.
    fn container(code: impl FnOnce(&mut dyn FnMut(Opcode, u32, &[Operand]))) -> Vec<u8> {
        let mut program = Program::new(ShaderKind::Compute, (5, 0));
        let u0 = Operand::register(File::UnorderedAccessView, &[0]);
        let all = Components::Mask(0xf);
        let mut declare = |opcode, operands: &[Operand], words: &[u32]| {
            program.push(opcode, 0, operands, words).unwrap();
        };
        declare(Opcode::DclUavRaw, &[u0.with(Components::None)], &[]);
        declare(Opcode::DclTemps, &[], &[4]);
        declare(Opcode::DclThreadGroup, &[], &[1, 1, 1]);
        let mut push = |opcode, controls, operands: &[Operand]| {
            program.push(opcode, controls, operands, &[]).unwrap();
        };
        push(Opcode::LdRaw, 0, &[temp(0).with(all), number(0), u0]);
        code(&mut push);
        push(Opcode::StoreRaw, 0, &[u0.with(all), number(0), temp(0)]);
        push(Opcode::Ret, 0, &[]);
        program.to_container().unwrap()
    }

    fn x(register: u32) -> Operand {
        temp(register).with(Components::Select(0))
    }

    fn to_x(register: u32) -> Operand {
        temp(register).with(Components::Mask(1))
    }

    pub(crate) fn straight(size: u32) -> Vec<u8> {
        container(|push| {
            for at in 0..size {
                let by = temp(0).with(Components::Swizzle([1, 2, 3, 0]));
                let opcode = if at % 2 == 0 {
                    Opcode::Iadd
                } else {
                    Opcode::Xor
                };
                push(
                    opcode,
                    0,
                    &[temp(0).with(Components::Mask(0xf)), temp(0), by],
                );
            }
        })
    }

    pub(crate) fn nested_ifs(size: u32) -> Vec<u8> {
        container(|push| {
            for at in 0..size {
                push(Opcode::Iadd, 0, &[to_x(0), x(0), number(at)]);
                push(Opcode::If, NONZERO, &[x(0)]);
            }
            push(Opcode::Mov, 0, &[to_x(0), number(7)]);
            for _ in 0..size {
                push(Opcode::Endif, 0, &[]);
            }
        })
    }

    pub(crate) fn cases(size: u32) -> Vec<u8> {
        container(|push| {
            push(Opcode::Switch, 0, &[x(0)]);
            for at in 0..size {
                push(Opcode::Case, 0, &[number(at)]);
                push(Opcode::Iadd, 0, &[to_x(0), x(0), number(at * 3)]);
                push(Opcode::Break, 0, &[]);
            }
            push(Opcode::Endswitch, 0, &[]);
        })
    }

    pub(crate) fn loops(size: u32) -> Vec<u8> {
        container(|push| {
            for _ in 0..size {
                push(Opcode::Loop, 0, &[]);
                push(Opcode::Iadd, 0, &[to_x(0), x(0), number(1)]);
                push(Opcode::Breakc, NONZERO, &[x(0)]);
                push(Opcode::Endloop, 0, &[]);
            }
        })
    }
}

#[test]
fn twice_the_dxbc_becomes_about_twice_the_steps_and_words() {
    type Family = fn(u32) -> Vec<u8>;
    let families: [(&str, Family, u32); 4] = [
        ("straight", dxbc::straight, 10_000),
        // Below 500 levels each takes fewer words, so that smaller sizes do not compare.
        ("nested ifs", dxbc::nested_ifs, 1_000),
        ("cases", dxbc::cases, 4_096),
        ("loops", dxbc::loops, 1_000),
    ];
    for (family, container, size) in families {
        let counts = [size / 2, size].map(|size| {
            let bytes = container(size);
            let shader = read_shader(&bytes).unwrap();
            let instructions: usize = shader.module.bodies.iter().map(|b| b.insts.len()).sum();
            let options = Options::default();
            let words = translate(&shader, &options).unwrap().words.len();
            let steps = usize::try_from(steps(&bytes, Style::Native).1).unwrap();
            [instructions, steps, words]
        });
        let [half, whole] = counts;
        let mut pairs = half.into_iter().zip(whole);
        // A tenth more than twice.
        assert!(
            pairs.all(|(half, whole)| 10 * whole <= 22 * half),
            "{family}: {counts:?}"
        );
    }
}
