//! Runs the shaders of `filetests/`: translation, validation, and the checks in their comments.
//!
//! A test is an HLSL file with its compiled container beside it. Its comments say what to do:
//!
//! ```text
//! // dxc: -T cs_6_0 -E main            how the container was made (tools/compile-shaders.sh)
//! //! targets = vulkan1.3              instead of vulkan1.1 and vulkan1.3
//! //! without = FLOAT16 INT16          features to take away
//! //! options = bounds_checks          options to switch on
//! //! bind = b0 push 4 8               range 0 of the class lives in push-constant words 4..12
//! //! bind = u1 address 2              ... behind the device address in words 2 and 3
//! //! bind = t0 heap 3 1 100 5         ... in the heap at set 3, binding 1, from 100 + word 5 on (or `-`)
//! //! bind = t0 table 3 1 100 5 2 1   ... there in a table of addresses with 2 per descriptor, of which 1 counts
//! //! bind = b0 local push 0 8         ... where "local" makes the words those of the shader record
//! //! bind = local_tables 5 4          shifts of the handles of tables there: resources, samplers
//! //! bind = u0 texels 0 7 Rgba8Unorm  ... at set 0, binding 7, with that texel format
//! //! signature = dual_source          ... and other settings of `SignatureOptions`, see `signature` below
//! //! entry = closest                  the entry point, where there are several
//! // check: OpFAdd $f %a %b            a line with these words, after the last one that matched
//! // not:   OpUDiv                     no line has these words
//! // count: 2 OpSelect                 that many lines have these words
//! // error: shaderFloat64              translation fails with a message that has this text
//! ```
//!
//! What HLSL cannot say is DXIL as text, `NAME.ll`, with `;` before its comments.
//!
//! Ids are renumbered in order of appearance; `$x` stands for any id, the same one in a file.
//! Checks hold for every target.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dxil_frontend::dxil::ResourceClass;
use dxil_translate::{
    BindingMap, Counter, DescriptorSlot, ElementPlace, Features, FeedbackTexel, LocalTables,
    Location, Options, RangeTable, ResourceKey, SignatureKind, SignatureOptions, SourceDebugInfo,
    StreamOutputEntry, Style, Target, TexelFormat, ViewId, VulkanVersion, translate_bytes,
};
use dxil_validator::{Environment, Rules, validate_all};
use rspirv::binary::Disassemble;
use rustc_hash::FxHashMap;

/// What a test's comments say.
#[derive(Default)]
struct Spec {
    targets: Vec<VulkanVersion>,
    without: Features,
    options: Vec<String>,
    bindings: BindingMap,
    signature: SignatureOptions,
    entry: Option<String>,
    checks: Vec<Vec<String>>,
    nots: Vec<Vec<String>>,
    counts: Vec<(usize, Vec<String>)>,
    error: Option<String>,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn parse(source: &str) -> Spec {
    let mut spec = Spec {
        targets: vec![VulkanVersion::V1_1, VulkanVersion::V1_3],
        ..Spec::default()
    };
    for line in source.lines() {
        let line = line.trim();
        let Some(comment) = line.strip_prefix("//").or_else(|| line.strip_prefix(';')) else {
            continue;
        };
        let comment = comment.trim();
        if let Some(setting) = comment.strip_prefix('!') {
            let (name, value) = setting.split_once('=').expect("`//! name = value`");
            match name.trim() {
                "targets" => {
                    spec.targets = value
                        .split_whitespace()
                        .map(|target| match target {
                            "vulkan1.1" => VulkanVersion::V1_1,
                            "vulkan1.2" => VulkanVersion::V1_2,
                            "vulkan1.3" => VulkanVersion::V1_3,
                            "vulkan1.4" => VulkanVersion::V1_4,
                            other => panic!("unknown target {other}"),
                        })
                        .collect();
                }
                "without" => {
                    for name in value.split_whitespace() {
                        spec.without |= Features::from_name(name)
                            .unwrap_or_else(|| panic!("unknown feature {name}"));
                    }
                }
                "options" => spec.options = words(value),
                "entry" => spec.entry = Some(value.trim().to_owned()),
                "bind" => bind(&words(value), &mut spec.bindings),
                "signature" => signature(&words(value), &mut spec.signature),
                other => panic!("unknown setting {other}"),
            }
        } else if let Some(text) = comment.strip_prefix("check:") {
            spec.checks.push(words(text));
        } else if let Some(text) = comment.strip_prefix("not:") {
            spec.nots.push(words(text));
        } else if let Some(text) = comment.strip_prefix("count:") {
            let mut all = words(text);
            let count = all.remove(0).parse().expect("`count: N words`");
            spec.counts.push((count, all));
        } else if let Some(text) = comment.strip_prefix("error:") {
            spec.error = Some(text.trim().to_owned());
        }
    }
    spec
}

/// Takes the words of a `bind` setting.
fn bind(words: &[String], map: &mut BindingMap) {
    if words[0] == "root_constants" {
        map.root_constants = Some(DescriptorSlot {
            set: words[1].parse().unwrap(),
            binding: words[2].parse().unwrap(),
        });
        return;
    }
    if words[0] == "local_tables" {
        map.local_tables = LocalTables {
            resource_shift: words[1].parse().unwrap(),
            sampler_shift: words[2].parse().unwrap(),
        };
        return;
    }
    let (letter, id) = words[0].split_at(1);
    let class = match letter {
        "t" => ResourceClass::Srv,
        "u" => ResourceClass::Uav,
        "b" => ResourceClass::Cbv,
        "s" => ResourceClass::Sampler,
        other => panic!("unknown class {other}"),
    };
    let key = ResourceKey {
        class,
        id: id.parse().unwrap(),
    };
    if words[1] == "local" {
        map.make_local(key);
        let mut rest = words.to_vec();
        rest.remove(1);
        return bind(&rest, map);
    }
    let number = |n: usize| words[n].parse::<u32>().unwrap();
    let slot = || DescriptorSlot {
        set: number(2),
        binding: number(3),
    };
    // Four numbers after a name: slot, stride and offset of a table beside a heap.
    let addition = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        Some([1, 2, 3, 4].map(|n| number(at + n)))
    };
    let location = match words[1].as_str() {
        "push" => Location::PushConstants {
            first_word: number(2),
            words: number(3),
        },
        "address" => Location::DeviceAddress {
            first_word: number(2),
        },
        "table" => Location::AddressTable {
            slot: slot(),
            offset: number(4),
            table_word: (words[5] != "-").then(|| number(5)),
            stride: number(6),
            first: number(7),
        },
        "heap" => Location::Heap {
            slot: slot(),
            offset: number(4),
            table_word: (words[5] != "-").then(|| number(5)),
            counter: addition("addresses").map(|[set, binding, stride, offset]| {
                Counter::Addresses {
                    slot: DescriptorSlot { set, binding },
                    stride,
                    offset,
                }
            }),
            ranges: addition("ranges").map(|[set, binding, stride, offset]| RangeTable {
                slot: DescriptorSlot { set, binding },
                stride,
                offset,
            }),
        },
        "texels" => Location::Descriptor {
            slot: slot(),
            first_index: 0,
            counter: None,
            format: Some(
                TexelFormat::ALL
                    .iter()
                    .copied()
                    .find(|format| format!("{format:?}") == words[4])
                    .expect("a texel format"),
            ),
        },
        other => panic!("unknown location {other}"),
    };
    map.insert(key, location);
}

/// Takes the words of a `signature` setting.
fn signature(words: &[String], options: &mut SignatureOptions) {
    let number = |n: usize| words[n].parse::<u32>().unwrap();
    match words[0].as_str() {
        "dual_source" => options.dual_source_blending = true,
        "front_face_is_data" => options.front_face_is_data = true,
        "invariant_position" => options.invariant_position = true,
        "swizzle" => options
            .output_swizzles
            .push([1, 2, 3, 4].map(|n| number(n) as u8)),
        "point_size" => options.write_point_size = true,
        "raw_ids" => options.raw_vertex_and_instance_ids = true,
        "patch_offset" => options.patch_location_offset = Some(number(1)),
        "rasterized_stream" => options.stream_output.rasterized_stream = number(1),
        // place SIGNATURE SEMANTIC INDEX LOCATION COMPONENT [per_primitive]
        "place" => options.places.push(ElementPlace {
            signature: match words[1].as_str() {
                "input" => SignatureKind::Input,
                "output" => SignatureKind::Output,
                "patch" => SignatureKind::PatchConstant,
                other => panic!("unknown signature {other}"),
            },
            semantic: words[2].clone(),
            index: number(3),
            location: number(4),
            component: number(5),
            per_primitive: words.len() > 6,
        }),
        // stream STREAM SEMANTIC INDEX FIRST_COMPONENT COMPONENTS BUFFER OFFSET STRIDE
        "stream" => options.stream_output.entries.push(StreamOutputEntry {
            stream: number(1),
            semantic: words[2].clone(),
            index: number(3),
            first_component: number(4),
            components: number(5),
            buffer: number(6),
            offset: number(7),
            stride: number(8),
        }),
        "view" => match words[1].as_str() {
            "constant" => options.views.id = ViewId::Constant(number(2)),
            "specialized" => options.views.id = ViewId::Specialized { spec_id: number(2) },
            "table" => options.views.id = ViewId::ViewIndexTable { spec_id: number(2) },
            "viewports" => options.views.viewports = Some(number(2)),
            "layers" => options.views.layers = Some(number(2)),
            other => panic!("unknown view {other}"),
        },
        other => panic!("unknown signature option {other}"),
    }
}

/// The module as lines of words, ids renumbered in order of appearance.
fn disassemble(module: &[u32]) -> Vec<Vec<String>> {
    // rspirv knows an older form of what makes hit objects of ray queries.
    let text = match rspirv::dr::load_words(module) {
        Ok(module) => module.disassemble(),
        Err(_) => dxil_validator::disassemble(module).expect("SPIRV-Tools reads what we write"),
    };
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    text.lines()
        .map(|line| {
            line.split_whitespace()
                .map(|word| match word.strip_prefix('%') {
                    Some(_) => {
                        let next = numbers.len() + 1;
                        let number = numbers.entry(word.to_owned()).or_insert(next);
                        format!("%{number}")
                    }
                    None => word.to_owned(),
                })
                .collect()
        })
        .collect()
}

/// Whether `pattern` stands somewhere in a line; binds `$` names.
fn matches(line: &[String], pattern: &[String], names: &mut FxHashMap<String, String>) -> bool {
    if pattern.len() > line.len() {
        return false;
    }
    (0..=line.len() - pattern.len()).any(|start| {
        let mut bound = names.clone();
        let all = pattern.iter().zip(&line[start..]).all(|(want, have)| {
            if want.starts_with('$') {
                have.starts_with('%') && bound.entry(want.clone()).or_insert(have.clone()) == have
            } else {
                want == have
            }
        });
        if all {
            *names = bound;
        }
        all
    })
}

fn run_checks(spec: &Spec, lines: &[Vec<String>]) -> Result<(), String> {
    let mut names = FxHashMap::default();
    let mut rest = lines;
    for check in &spec.checks {
        let found = rest
            .iter()
            .position(|line| matches(line, check, &mut names));
        match found {
            Some(at) => rest = &rest[at + 1..],
            None => return Err(format!("no line has `{}`", check.join(" "))),
        }
    }
    for not in &spec.nots {
        if let Some(line) = lines
            .iter()
            .find(|line| matches(line, not, &mut names.clone()))
        {
            return Err(format!("`{}` has `{}`", line.join(" "), not.join(" ")));
        }
    }
    for (count, pattern) in &spec.counts {
        let found = lines
            .iter()
            .filter(|line| matches(line, pattern, &mut names.clone()))
            .count();
        if found != *count {
            return Err(format!(
                "{found} lines have `{}`, not {count}",
                pattern.join(" ")
            ));
        }
    }
    Ok(())
}

fn options(spec: &Spec, vulkan: VulkanVersion) -> Options {
    let mut options = Options {
        bindings: spec.bindings.clone(),
        signature: spec.signature.clone(),
        entry: spec.entry.clone(),
        target: Target {
            vulkan,
            features: Features::all() - spec.without,
            ..Target::default()
        },
        ..Options::default()
    };
    for option in &spec.options {
        match option.as_str() {
            "bounds_checks" => options.bounds_checks = true,
            "fast_half_packing" => options.fast_half_packing = true,
            "portable" => options.target.style = Style::Portable,
            "heaps" => {
                let slot = |binding| DescriptorSlot { set: 7, binding };
                options.bindings.resource_heap = Some(slot(0));
                options.bindings.sampler_heap = Some(slot(1));
                options.bindings.resource_heap_counters = Some(Counter::Buffer(slot(2)));
            }
            "debug_info" => options.debug_info = true,
            "source_lines" => options.source = SourceDebugInfo::Lines,
            "source_full" => options.source = SourceDebugInfo::Full,
            "entry_main" => options.entry_name = Some("main".to_owned()),
            "feedback_neighbours" => options.feedback = FeedbackTexel::Neighbours,
            "helper_lanes_in_waves" => options.helper_lanes_in_waves = true,
            "native_min_precision" => options.native_min_precision = true,
            other => panic!("unknown option {other}"),
        }
    }
    options
}

fn environment(vulkan: VulkanVersion) -> Environment {
    match vulkan {
        VulkanVersion::V1_1 => Environment::Vulkan1_1,
        VulkanVersion::V1_2 => Environment::Vulkan1_2,
        VulkanVersion::V1_3 => Environment::Vulkan1_3,
        VulkanVersion::V1_4 => Environment::Vulkan1_4,
    }
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "hlsl" || e == "ll") {
            into.push(path);
        }
    }
}

#[test]
fn every_filetest_holds_and_every_module_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    // `FILETEST=waves/` runs a part of them and prints the modules.
    let only = std::env::var("FILETEST").ok();
    let mut report = String::new();
    let mut modules = Vec::new();
    for path in &paths {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let spec = parse(&std::fs::read_to_string(path).unwrap());
        let bytes = std::fs::read(path.with_extension("dxil")).unwrap();
        for &vulkan in &spec.targets {
            let options = options(&spec, vulkan);
            let rules = Rules {
                scalar_block_layout: options
                    .target
                    .features
                    .contains(Features::SCALAR_BLOCK_LAYOUT),
                ..Rules::strict(environment(vulkan))
            };
            let result = translate_bytes(&bytes, &options);
            let label = format!("{name} for {vulkan:?}");
            match (result, &spec.error) {
                (Ok(_), Some(error)) => {
                    writeln!(report, "{label}: no error, not `{error}`").unwrap();
                }
                (Err(error), Some(text)) if error.to_string().contains(text.as_str()) => {}
                (Err(error), _) => writeln!(report, "{label}: {error}").unwrap(),
                (Ok(translation), None) => {
                    let lines = disassemble(&translation.words);
                    if only.is_some() {
                        for line in &lines {
                            println!("{}", line.join(" "));
                        }
                    }
                    if let Err(problem) = run_checks(&spec, &lines) {
                        writeln!(report, "{label}: {problem}").unwrap();
                    }
                    modules.push((label, translation.words, rules));
                }
            }
        }
    }
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words, rules)| {
            let environment = rules.environment.of_module(words);
            let rules = Rules {
                environment,
                ..*rules
            };
            (words.as_slice(), rules)
        })
        .collect();
    for ((label, ..), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "{label}: {failure}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(!modules.is_empty(), "no test ran");
}
