//! The table of languages says how many of the checked-in shaders reach each of them.
//!
//! Every checked-in compute, vertex and pixel shader is translated in the portable style and
//! written in each language that naga knows; WGSL is also read again and validated by the writer.
//! Every other program must be refused as unsupported, with a reason. `BLESS=1` rewrites the table;
//! `--nocapture` shows every refusal.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and shows what it has seen"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dxil_checkout::{assert_coverage_table, shaders};
use dxil_frontend::container::{Container, RootSignature};
use dxil_frontend::dxil::{ResourceClass, Shader, ShaderKind, read_shader};
use dxil_runtime::language::{self, Language, MetalSlot, MetalSlots, PortableModule};
use dxil_runtime::program::{CompileOptions, Layout, Program, ShaderCode, SlotSource};
use dxil_runtime::{Error, Register, Result};
use dxil_translate::{Category, VulkanVersion};

/// The least part of the shaders that each language must take.
const MIN_PERCENT: usize = 80;

const STAGES: [ShaderKind; 3] = [ShaderKind::Compute, ShaderKind::Vertex, ShaderKind::Pixel];

/// Returns the stage of a shader, and its text in each language or the reason why there is none.
fn write_all(path: &Path) -> Option<(ShaderKind, [Result<String>; 4])> {
    let bytes = std::fs::read(path).unwrap();
    // Containers without a shader (a root signature alone) are the frontend's own tests' matter.
    let shader = read_shader(&bytes).ok()?;
    let kind = shader.shader_model.kind;
    if !STAGES.contains(&kind) || traces_rays(&shader) {
        return None;
    }
    let root = Container::parse(&bytes).unwrap().root_signature().unwrap();
    let texts = Language::ALL.map(|language| {
        let text = write(path, &shader, root.as_ref(), language);
        if let Err(error) = &text {
            assert_is_refusal(path, error);
        }
        text
    });
    Some((kind, texts))
}

/// Returns whether a shader has ray queries, which naga's SPIR-V front end lacks.
fn traces_rays(shader: &Shader) -> bool {
    let mut names = shader.module.functions.values().map(|decl| &*decl.name);
    names.any(|name| name.starts_with("dx.op.allocateRayQuery"))
}

fn write(
    path: &Path,
    shader: &Shader,
    root: Option<&RootSignature>,
    language: Language,
) -> Result<String> {
    let profile = language::profile(VulkanVersion::V1_3, language).with_elements(16);
    let options = CompileOptions::default();
    let program = Program::compile(shader, root, &profile, &|_| None, &options)?;
    let stage = program.stages.first().expect("one stage");
    let ShaderCode::SpirV(words) = &stage.code else {
        panic!("code that is not SPIR-V");
    };
    let module = PortableModule::read(words)?;
    let text = module.write(language, stage.kind, &stage.entry)?;
    match language {
        Language::Msl => assert_places(path, &text, &module.metal_slots()?),
        Language::Hlsl => {
            let text = module.write_hlsl_with_registers(&program.layout)?;
            assert_registers(path, &text, &program.layout);
        }
        Language::Wgsl | Language::Glsl => {}
    }
    Ok(text)
}

/// Asserts that no register of a text in HLSL has the number and space of one in the layout, but
/// `t` where the shader declares `u`, or the other way round.
fn assert_registers(path: &Path, text: &str, layout: &Layout) {
    let slots = layout.sets.iter().flat_map(|set| &set.slots);
    let declared: Vec<(Register, u32)> = slots
        .filter_map(|slot| match slot.source {
            SlotSource::Registers(first) => Some((first, slot.count)),
            _ => None,
        })
        .collect();
    let is_declared = |class, space, number: u32| {
        declared.iter().any(|(first, count)| {
            (first.class, first.space) == (class, space)
                && number
                    .checked_sub(first.index)
                    .is_some_and(|at| at < *count)
        })
    };
    // The writer cannot express such spaces, and writes bindings.
    if declared.iter().any(|(register, _)| register.space > 255) {
        return;
    }
    for written in text.split("register(").skip(1) {
        let (written, _) = written.split_once(')').unwrap();
        let (register, space) = written.split_once(", space").unwrap_or((written, "0"));
        let (class, number) = register.split_at(1);
        let [number, space]: [u32; 2] = [number, space].map(|number| number.parse().unwrap());
        let (class, other) = match class {
            "t" => (ResourceClass::Srv, ResourceClass::Uav),
            "u" => (ResourceClass::Uav, ResourceClass::Srv),
            _ => continue,
        };
        assert!(
            is_declared(class, space, number) || !is_declared(other, space, number),
            "{}: {written} is not among {declared:?}",
            path.display()
        );
    }
}

/// Asserts that each argument of an entry point in MSL has exactly one place, that no two have the
/// same (Metal Shading Language, 5.2.1), and that these are the places that the host is told.
fn assert_places(path: &Path, text: &str, slots: &MetalSlots) {
    let mut lines = text.lines();
    // Attributes of the function may come before.
    let begins = |line: &&str| {
        let mut words = line.split_whitespace().take(2);
        !line.starts_with(' ') && words.any(|word| ["kernel", "vertex", "fragment"].contains(&word))
    };
    let point = lines.find(begins);
    let at = path.display();
    let first = point.unwrap_or_else(|| panic!("{at}: no entry point: {text}"));
    let (mut places, mut arrays, mut in_groups) = (BTreeSet::new(), BTreeSet::new(), 0);
    let arguments = lines.take_while(|line| !line.starts_with(')'));
    for argument in arguments.filter(|_| first.ends_with('(')) {
        let argument = argument.trim().trim_start_matches(", ");
        if argument.starts_with("threadgroup ") {
            // Without an attribute they are numbered in their order.
            in_groups += 1;
            continue;
        }
        let (declared, attribute) = argument
            .split_once(" [[")
            .unwrap_or_else(|| panic!("{at}: no attribute: {argument}"));
        let attribute = attribute.strip_suffix("]]").unwrap();
        let resource = ["texture", "depth", "sampler", "constant ", "device "]
            .iter()
            .any(|word| declared.trim_start_matches("metal::").starts_with(word));
        let table = ["buffer(", "texture(", "sampler("]
            .iter()
            .find(|table| attribute.starts_with(**table));
        assert_eq!(resource, table.is_some(), "{at}: {argument}");
        if declared.contains("NagaArgumentBufferWrapper<") {
            assert!(is_array(declared), "{at}: {argument}");
            arrays.insert(attribute.to_owned());
        }
        if table.is_some() {
            assert!(places.insert(attribute.to_owned()), "{at}: {argument}");
            let (_, number) = attribute.split_once('(').unwrap();
            let number: u8 = number.trim_end_matches(')').parse().unwrap();
            assert!(
                number < 31 || !attribute.starts_with("buffer"),
                "{argument}"
            );
        }
    }
    let buffers = [
        slots.root_constants,
        slots.sizes.as_ref().map(|sizes| sizes.buffer),
    ];
    let told: BTreeSet<String> = slots
        .resources
        .values()
        .map(|slot| match slot {
            MetalSlot::Buffer(number) => format!("buffer({number})"),
            MetalSlot::Texture(number) => format!("texture({number})"),
            MetalSlot::Sampler(number) => format!("sampler({number})"),
            MetalSlot::ArgumentBuffer(number) => format!("buffer({number})"),
        })
        .chain(
            buffers
                .into_iter()
                .flatten()
                .map(|number| format!("buffer({number})")),
        )
        .collect();
    assert_eq!(places, told, "{at}: {text}");
    let told = slots.resources.values().filter_map(|slot| match slot {
        MetalSlot::ArgumentBuffer(number) => Some(format!("buffer({number})")),
        _ => None,
    });
    assert_eq!(arrays, told.collect(), "{at}: {text}");
    if !arrays.is_empty() {
        assert_entries(&at.to_string(), text);
    }
    assert_eq!(in_groups, slots.threadgroup.len(), "{at}: {text}");
}

/// Returns whether an argument is a pointer to descriptors: to textures and samplers in `constant`
/// memory, to pointers to buffers in `device` memory (Metal Shading Language, 2.13 "Argument
/// Buffers").
fn is_array(declared: &str) -> bool {
    let textures = "constant NagaArgumentBufferWrapper<metal::";
    let buffers = "device NagaArgumentBufferWrapper<device ";
    let of_buffers = declared.starts_with(buffers) && declared.contains("*>* ");
    of_buffers || declared.starts_with(textures) && declared.contains(">* ")
}

/// Asserts that an entry of an argument buffer is `IRDescriptorTableEntry` of Apple's
/// metal-shaderconverter: three 64-bit words. Textures have their handle in the second one, buffers
/// their address and samplers their handle in the first one; lengths are in the third one.
fn assert_entries(at: &str, text: &str) {
    let (_, after) = text.split_once("struct NagaArgumentBufferWrapper").unwrap();
    let structs = after.split("struct NagaArgumentBufferWrapper");
    let structs: Vec<Vec<&str>> = structs
        .map(|text| {
            let (_, members) = text.split_once('{').unwrap();
            let (members, _) = members.split_once('}').unwrap();
            members.split(';').map(str::trim).collect()
        })
        .collect();
    let expected = [
        ["ulong address", "T inner", "ulong metadata", ""],
        ["device T* inner", "ulong view", "ulong metadata", ""],
        ["metal::sampler inner", "ulong view", "ulong metadata", ""],
    ];
    assert_eq!(structs, expected, "{at}");
    let of_arrays = text.match_indices("_buffer_sizes.").filter(|(start, _)| {
        let rest = text[start + "_buffer_sizes.".len()..].trim_start_matches(char::is_alphanumeric);
        rest.starts_with('[')
    });
    assert_eq!(of_arrays.count(), 0, "{at}: {text}");
}

/// Asserts that a refusal is typed: nothing is malformed, nothing is our own bug, and naga never
/// panics.
fn assert_is_refusal(path: &Path, error: &Error) {
    match error {
        Error::Translate(error) => {
            assert_eq!(
                error.category(),
                Category::Unsupported,
                "{}: {error}",
                path.display()
            );
        }
        Error::Language { who, reason } => {
            let panicked = reason.starts_with("it panicked");
            assert!(!panicked, "{}: {who}: {reason}", path.display());
        }
        Error::Unsupported(_) | Error::Limit { .. } => {}
        other => panic!("{}: {other}", path.display()),
    }
}

#[test]
fn the_table_of_languages_is_true() {
    // (stage, language) -> texts; stage -> shaders
    let mut written: BTreeMap<(ShaderKind, usize), usize> = BTreeMap::new();
    let mut all: BTreeMap<ShaderKind, usize> = BTreeMap::new();
    for path in shaders() {
        let Some((kind, texts)) = write_all(&path) else {
            continue;
        };
        *all.entry(kind).or_default() += 1;
        for (index, text) in texts.iter().enumerate() {
            match text {
                Ok(_) => *written.entry((kind, index)).or_default() += 1,
                Err(error) => println!(
                    "{}: {}: {error}",
                    path.display(),
                    Language::ALL[index].name()
                ),
            }
        }
    }
    let mut table = String::from("| Language |");
    for kind in STAGES {
        table += &format!(" {kind:?} |");
    }
    table += " All |\n|---|";
    table += &"---:|".repeat(STAGES.len() + 1);
    table += "\n";
    let total: usize = all.values().sum();
    for (index, language) in Language::ALL.into_iter().enumerate() {
        let mut sum = 0;
        table += &format!("| {} |", language.name());
        for kind in STAGES {
            let count = written.get(&(kind, index)).copied().unwrap_or(0);
            sum += count;
            table += &format!(" {count} of {} |", all.get(&kind).copied().unwrap_or(0));
        }
        table += &format!(" {} % |\n", sum * 100 / total);
        println!("{}: {sum} of {total}", language.name());
        assert!(
            sum * 100 >= total * MIN_PERCENT,
            "{} takes {sum} of {total} shaders",
            language.name()
        );
    }
    assert_coverage_table("languages", &table);
}

/// Returns the error of a shader of the checkout that has no text.
fn refusal(shader: &str, language: Language) -> String {
    let file = dxil_checkout::root().join(format!("hwtests/shaders/{shader}.dxil"));
    let shader = read_shader(&std::fs::read(file).unwrap()).unwrap();
    let profile = language::profile(VulkanVersion::V1_3, language);
    let options = CompileOptions::default();
    let error = Program::compile(&shader, None, &profile, &|_| None, &options).unwrap_err();
    language::explained(error, language).to_string()
}

#[test]
fn naga_is_named_where_the_language_has_what_it_lacks() {
    use Language::{Glsl, Hlsl, Msl};
    // GLSL 4.60 and HLSL have tessellation, HLSL and Metal mesh shaders. Ray
    // queries: `RayQuery` of HLSL, `intersection_query` of Metal, GL_EXT_ray_query. Comparisons at
    // a level: `SampleCmpLevel` of HLSL, `level` of Metal's `sample_compare`; GLSL has none for
    // arrays of cubes. Derivatives of compute shaders: HLSL from shader model 6.6, and
    // GL_KHR_compute_shader_derivatives.
    let cases: [(_, _, &[Language]); 7] = [
        ("tess/winding_hs", "hull and domain stages", &[Hlsl, Glsl]),
        (
            "mesh/tiles_ms",
            "mesh and amplification stages",
            &[Hlsl, Msl],
        ),
        ("rays/nearest", "ray queries", &[Hlsl, Msl, Glsl]),
        (
            "newer/cmp_level_status",
            "comparisons at a level",
            &[Hlsl, Msl],
        ),
        (
            "textures/comparisons_in_groups",
            "derivatives of compute shaders",
            &[Hlsl, Glsl],
        ),
        // `globallycoherent`, `coherent`, `memory_coherence_device`.
        (
            "newer/samples_written",
            "coherent textures",
            &[Hlsl, Msl, Glsl],
        ),
        (
            "raster/evaluate_ps",
            "interpolation functions",
            &[Hlsl, Msl, Glsl],
        ),
    ];
    for (shader, lacks, with) in cases {
        for language in Language::ALL {
            let said = refusal(shader, language);
            let is_in_it = with.contains(&language);
            assert_eq!(said.contains(lacks), is_in_it, "{shader}: {said}");
            let is_as_it_was = said.contains("the target lacks") || said.contains("not supported");
            assert_eq!(is_as_it_was, !is_in_it, "{shader}: {said}");
        }
    }
}

#[test]
fn shaders_that_may_name_further_elements_need_their_number() {
    use Language::{Glsl, Hlsl, Msl, Wgsl};
    // HLSL and Metal have heaps and arrays of textures, and Metal also of buffers.
    let cases: [(_, &[Language]); 4] = [
        ("bindings/heap_buffers", &[Msl]),
        ("bindings/any_of_many", &[Hlsl, Msl]),
        // Masks, minima, products, remainders and choices bound the indices.
        ("bindings/few_of_many", &[Wgsl, Msl, Glsl, Hlsl]),
        ("bindings/unbounded", &[Wgsl, Msl, Glsl, Hlsl]),
    ];
    for (name, with) in cases {
        for language in Language::ALL {
            let file = dxil_checkout::root().join(format!("hwtests/shaders/{name}.dxil"));
            let shader = read_shader(&std::fs::read(&file).unwrap()).unwrap();
            let options = CompileOptions::default();
            let profile = language::profile(VulkanVersion::V1_3, language);
            let compile = |profile| Program::compile(&shader, None, profile, &|_| None, &options);
            match compile(&profile) {
                Ok(_) => assert!(with.contains(&language), "{name} in {language:?}"),
                Err(error) => {
                    assert!(!with.contains(&language), "{name} in {language:?}: {error}");
                    let said = error.to_string();
                    assert!(
                        said.contains("16 elements"),
                        "{name} in {language:?}: {said}"
                    );
                    let told = language::explained(error, language).to_string();
                    let is_nagas = matches!(language, Hlsl | Glsl);
                    assert_eq!(told.contains("(--elements)"), is_nagas, "{told}");
                }
            }
            compile(&profile.with_elements(32)).unwrap();
        }
    }
}

#[test]
fn geometry_stages_are_refused_with_the_languages_that_have_them() {
    let file = dxil_checkout::root().join("hwtests/shaders/streams/faces_gs.dxil");
    let shader = read_shader(&std::fs::read(&file).unwrap()).unwrap();
    for language in Language::ALL {
        let error = write(&file, &shader, None, language).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("HLSL and GLSL have"), "{said}");
    }
}
