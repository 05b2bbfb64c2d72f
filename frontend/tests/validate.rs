//! The validator over all checked-in containers: what a compiler wrote breaks no rule, and what is
//! written by hand breaks the rules that `data/validate/by_hand.txt` lists.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use dxil_checkout::{files_of, root};
use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, DigestStatus, Signing, sign, write_container};
use dxil_frontend::oracle::Random;
use dxil_frontend::validate::{Check, Options, Rule, Severity, ValidationReport, validate};

/// Containers of compilers that break rules all the same: of a preview shader model, of offline
/// libraries, which no validator sees, and a hull shader without output control points, which D3D11
/// had.
const EXCEPTIONS: [(&str, &[&str]); 6] = [
    (
        "frontend/tests/data/container/sm610_cs.dxil",
        &["META.VERSIONSUPPORTED", "SM.NAME"],
    ),
    (
        "frontend/tests/data/container/sm610_lib.dxil",
        &["META.VERSIONSUPPORTED", "SM.NAME"],
    ),
    (
        "hwtests/shaders/linking/chosen_objects.dxil",
        &[
            "DECL.RESOURCEINFNSIG",
            "INSTR.RESOURCEUSER",
            "META.FLAGSUSAGE",
            "SM.NAME",
        ],
    ),
    (
        "hwtests/shaders/linking/object_functions.dxil",
        &["DECL.RESOURCEINFNSIG", "SM.NAME"],
    ),
    (
        "hwtests/shaders/linking/objects.dxil",
        &[
            "DECL.RESOURCEINFNSIG",
            "INSTR.RESOURCEUSER",
            "META.FLAGSUSAGE",
            "SM.NAME",
        ],
    ),
    (
        "hwtests/shaders/tess/points_hs.dxil",
        &["SM.OUTPUTCONTROLPOINTCOUNTRANGE"],
    ),
];

fn containers(extension: &str) -> Vec<PathBuf> {
    let folders: &[&str] = match extension {
        "dxil" => &[
            "frontend/tests/data",
            "hwtests/shaders",
            "translate/filetests",
            "bench/kernels",
        ],
        _ => &["hwtests/shaders", "bench/kernels"],
    };
    files_of(folders, extension)
}

fn rules_of(report: &ValidationReport) -> Vec<&'static str> {
    let rules: BTreeSet<&str> = report.violations.iter().map(|v| v.rule.name()).collect();
    rules.into_iter().collect()
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap();
    path.to_string_lossy().replace('\\', "/")
}

#[test]
fn what_a_compiler_wrote_breaks_no_rule() {
    let mut alarms = String::new();
    let mut judged = 0;
    for path in containers("dxil") {
        if path.with_extension("ll").exists() {
            continue;
        }
        let name = relative(&path);
        let report = validate(&std::fs::read(&path).unwrap(), &Options::default());
        let exception = EXCEPTIONS.iter().find(|(file, _)| *file == name);
        match exception {
            Some((_, rules)) => assert_eq!(rules_of(&report), *rules, "{name}"),
            None => {
                for violation in &report.violations {
                    let _ = writeln!(alarms, "{name}: {violation}");
                }
            }
        }
        judged += 1;
    }
    assert!(judged > 700, "{judged} containers");
    assert!(alarms.is_empty(), "{alarms}");
}

#[test]
fn what_is_written_by_hand_breaks_the_rules_that_are_listed() {
    let mut text = String::new();
    for path in containers("dxil") {
        if !path.with_extension("ll").exists() {
            continue;
        }
        let report = validate(&std::fs::read(&path).unwrap(), &Options::default());
        let rules = rules_of(&report);
        if !rules.is_empty() {
            let _ = writeln!(text, "{}: {}", relative(&path), rules.join(" "));
        }
    }
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/validate/by_hand.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(list.parent().unwrap()).unwrap();
        std::fs::write(&list, &text).unwrap();
    }
    let listed = std::fs::read_to_string(&list).unwrap();
    assert_eq!(text, listed, "BLESS=1 rewrites the list");
}

#[test]
fn a_container_of_dxbc_has_no_dxil() {
    let path = root().join("hwtests/shaders/arith/float_basic.dxbc");
    let report = validate(&std::fs::read(path).unwrap(), &Options::default());
    assert_eq!(rules_of(&report), ["CONTAINER.PARTMISSING"]);
}

#[test]
fn signing_gives_the_digest_that_is_stored() {
    let mut signed = 0;
    for ending in ["dxil", "dxbc"] {
        for path in containers(ending) {
            let bytes = std::fs::read(&path).unwrap();
            let container = Container::parse(&bytes).unwrap();
            let status = container.digest();
            let written = sign(&bytes).unwrap();
            if status == DigestStatus::Valid {
                assert_eq!(written, container.bytes(), "{}", path.display());
                signed += 1;
            }
            let again = Container::parse(&written).unwrap();
            assert_eq!(again.digest(), DigestStatus::Valid, "{}", path.display());
        }
    }
    assert!(signed > 200, "{signed} signed containers");
}

#[test]
fn places_have_function_block_and_bytes() {
    let path = root().join("hwtests/shaders/flow/pointer_phis.dxil");
    let report = validate(&std::fs::read(path).unwrap(), &Options::default());
    for violation in &report.violations {
        assert!(violation.location.offset.is_some(), "{violation}");
        assert!(violation.location.block.is_some(), "{violation}");
        assert_eq!(violation.function.as_deref(), Some("main"), "{violation}");
    }
    assert!(!report.violations.is_empty());
}

#[test]
fn an_older_version_has_fewer_rules() {
    let path = root().join("translate/filetests/ray_queries/two_state_without_micromaps.dxil");
    let bytes = std::fs::read(path).unwrap();
    let of = |minor| {
        let mut options = Options::default();
        options.validator_minor = Some(minor);
        rules_of(&validate(&bytes, &options))
    };
    let rule = Rule::DeclAllowOpacityMicromapsExpectedGivenForceOMM2State;
    assert_eq!(rule.info().since, 9);
    assert!(of(9).contains(&rule.name()));
    assert!(!of(8).contains(&rule.name()));
}

/// A changed container may break any rule; the test asks for a report.
#[test]
fn changed_containers_have_a_report() {
    let files: Vec<PathBuf> = containers("dxil");
    let mut random = Random::new(7);
    let mut valid = 0;
    for _ in 0..600 {
        let path = files.get(random.below(files.len())).unwrap();
        let mut bytes = std::fs::read(path).unwrap();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        // A right digest, so that all there is to say is of the content.
        let bytes = sign(&bytes).unwrap_or(bytes);
        let report = validate(&bytes, &Options::default());
        valid += usize::from(report.is_valid());
        let text: usize = report.violations.iter().map(|v| v.to_string().len()).sum();
        assert!(text < 1 << 24, "{}: {text} bytes of text", path.display());
    }
    assert!((1..580).contains(&valid), "{valid} are valid");
}

#[test]
fn the_table_of_rules_is_well_formed() {
    let mut names = BTreeSet::new();
    let source = root().join("frontend/src/validate");
    for &rule in Rule::ALL {
        let info = rule.info();
        assert!(names.insert(info.name), "{rule} occurs twice");
        assert_eq!(Rule::from_name(&info.name.to_lowercase()), Some(rule));
        assert!(
            !info.message.is_empty() && !info.message.ends_with('.'),
            "{rule}"
        );
        if let Check::In(file) = info.check {
            // The file names the rule in its code.
            let path = match file {
                "module" => source.join("mod.rs"),
                file => source.join(file).with_extension("rs"),
            };
            let text = std::fs::read_to_string(&path).unwrap();
            let code = format!("Rule::{rule:?}");
            assert!(text.contains(&code), "{file} does not check {rule}");
        }
    }
    assert!(Rule::ALL.len() > 300);
    assert_eq!(Rule::ContainerShaderHash.info().severity, Severity::Warning);
}

/// Returns a container with one part replaced, unsigned.
fn with_part(container: &Container<'_>, name: FourCc, data: &[u8]) -> Vec<u8> {
    let parts: Vec<(FourCc, &[u8])> = container
        .parts()
        .iter()
        .map(|part| (part.name, if part.name == name { data } else { part.data }))
        .collect();
    write_container(&parts, Signing::None).unwrap()
}

/// Returns the bytes of a part of which some bit can be changed without breaking a rule.
fn unguarded(file: &str, name: FourCc) -> Vec<usize> {
    let bytes = std::fs::read(root().join(file)).unwrap();
    let container = Container::parse(&bytes).unwrap();
    let data = container.require(name).unwrap().data;
    let unchanged = with_part(&container, name, data);
    assert!(
        validate(&unchanged, &Options::default()).is_valid(),
        "{file}"
    );
    (0..data.len())
        .filter(|&at| {
            [0x01, 0x80].into_iter().any(|bit| {
                let mut data = data.to_vec();
                data[at] ^= bit;
                let edited = with_part(&container, name, &data);
                validate(&edited, &Options::default()).is_valid()
            })
        })
        .collect()
}

/// DXIL document, CONTAINER.PARTMATCHES: parts must match the module.
#[test]
fn every_bit_of_signatures_and_features_is_the_modules() {
    for (file, names) in [
        ("skin_vs", &[FourCc::ISG1, FourCc::OSG1, FourCc::SFI0][..]),
        ("patch_hs", &[FourCc::ISG1, FourCc::OSG1, FourCc::PSG1]),
        ("patch_ds", &[FourCc::ISG1, FourCc::OSG1, FourCc::PSG1]),
        ("wire_gs", &[FourCc::ISG1, FourCc::OSG1]),
        ("meshlet_ms", &[FourCc::OSG1, FourCc::PSG1]),
        ("view_ps", &[FourCc::ISG1, FourCc::OSG1]),
    ] {
        for &name in names {
            let file = format!("frontend/tests/data/container/{file}.dxil");
            assert_eq!(unguarded(&file, name), [0; 0], "{file} {name}");
        }
    }
}

/// HLSL proposal 0012: PSV0 is exactly what is expected for the module, but for the layout of its
/// tables of strings and of indices, to which the first eight bytes of an element point.
#[test]
fn every_bit_of_psv0_but_the_layout_of_its_tables_is_the_modules() {
    for file in [
        "skin_vs",
        "patch_hs",
        "patch_ds",
        "wire_gs",
        "meshlet_ms",
        "meshlet_as",
        "view_ps",
        "rootsig_1_1_cs",
    ] {
        let file = format!("frontend/tests/data/container/{file}.dxil");
        let bytes = std::fs::read(root().join(&file)).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let data = container.require(FourCc::PSV0).unwrap().data;
        let psv = container.psv().unwrap().unwrap();
        let dependencies = psv.dependency_bytes();
        let count = psv.inputs.len() + psv.outputs.len() + psv.patch_constants.len();
        let elements = data.len() - dependencies - 16 * count;
        let is_place = |at: usize| {
            (elements..data.len() - dependencies).contains(&at) && (at - elements) % 16 < 8
        };
        let unguarded = unguarded(&file, FourCc::PSV0);
        let others: Vec<&usize> = unguarded.iter().filter(|at| !is_place(**at)).collect();
        assert!(others.is_empty(), "{file}: {others:?}");
    }
}

/// `D3D12_ROOT_SIGNATURE_FLAGS` and its like: numbers that D3D12 does not define. The bytes are
/// those of the first table, its range, and the static sampler of the seed.
#[test]
fn numbers_that_d3d12_does_not_define_are_no_root_signature() {
    use dxil_frontend::container::RootSignature;
    use dxil_frontend::container::root_signature::{
        DescriptorFlags, DescriptorRangeType, Filter, RootParameterKind, RootSignatureFlags,
        ShaderVisibility, TextureAddressMode,
    };
    let file = root().join("frontend/tests/data/container/rootsig_1_1_cs.dxil");
    let bytes = std::fs::read(file).unwrap();
    let container = Container::parse(&bytes).unwrap();
    let good = container.root_signature().unwrap().unwrap();
    let is_valid = |signature: &RootSignature| {
        let edited = with_part(&container, FourCc::RTS0, &signature.to_bytes().unwrap());
        validate(&edited, &Options::default()).is_valid()
    };
    assert!(is_valid(&good));
    let mut edits: Vec<(&str, RootSignature)> = Vec::new();
    let mut edit = |what, change: &dyn Fn(&mut RootSignature)| {
        let mut signature = good.clone();
        change(&mut signature);
        assert_ne!(signature, good, "{what}");
        edits.push((what, signature));
    };
    edit("flags", &|s| {
        s.flags |= RootSignatureFlags::from_bits_retain(1 << 20)
    });
    edit("visibility", &|s| {
        s.parameters[0].visibility = ShaderVisibility::from_number(133);
    });
    let range = |s: &mut RootSignature, change: &dyn Fn(&mut _)| {
        for parameter in &mut s.parameters {
            if let RootParameterKind::Table(ranges) = &mut parameter.kind {
                return change(&mut ranges[0]);
            }
        }
    };
    edit("range type", &|s| {
        range(s, &|range| range.ty = DescriptorRangeType::from_number(128));
    });
    edit("range flags", &|s| {
        range(s, &|range| {
            range.flags |= DescriptorFlags::from_bits_retain(1 << 7)
        });
    });
    edit("no descriptors", &|s| {
        range(s, &|range| range.count = Some(0))
    });
    edit("reserved space", &|s| {
        range(s, &|range| range.space = 0xffff_fff0)
    });
    if !good.static_samplers.is_empty() {
        edit("filter", &|s| s.static_samplers[0].filter = Filter(2));
        edit("address mode", &|s| {
            s.static_samplers[0].address_u = TextureAddressMode::from_number(6);
        });
        edit("bias", &|s| s.static_samplers[0].mip_lod_bias = f32::NAN);
        edit("anisotropy", &|s| s.static_samplers[0].max_anisotropy = 17);
    }
    for (what, signature) in &edits {
        assert!(!is_valid(signature), "{what}");
    }
    assert!(edits.len() >= 6);
}

/// DXIL document, CONTAINER.PARTMATCHES, for libraries: every bit of RDAT but those of names that
/// are not UTF-8 any more is the module's. The library has no subobjects, whose content only RDAT
/// has.
#[test]
fn every_bit_of_rdat_is_the_modules() {
    let unguarded = unguarded(
        "hwtests/shaders/bindings/library_handles.dxil",
        FourCc::RDAT,
    );
    assert_eq!(unguarded, [0; 0]);
}

/// With leave to use it, the preview is a shader model like others.
#[test]
fn a_preview_is_valid_where_it_is_allowed() {
    let mut options = Options::default();
    options.preview = true;
    for file in [
        "frontend/tests/data/container/sm610_cs.dxil",
        "frontend/tests/data/container/sm610_lib.dxil",
        "frontend/tests/data/ops/matrices_cs.dxil",
    ] {
        let report = validate(&std::fs::read(root().join(file)).unwrap(), &options);
        let violations: Vec<String> = report.violations.iter().map(|it| it.to_string()).collect();
        assert_eq!(violations, [""; 0], "{file}");
    }
}

/// A shader of the preview that calls one operation.
fn text_with(stage: &str, properties: &str, code: &str) -> String {
    format!(
        r#"
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {{
  {code}
  ret void
}}

declare i32 @dx.op.getGroupWaveIndex(i32) #0
declare i32 @dx.op.getGroupWaveCount(i32) #0
declare i32 @dx.op.rayQuery_StateScalar.i32(i32, i32) #1

attributes #0 = {{ nounwind readnone }}
attributes #1 = {{ nounwind readonly }}

!dx.version = !{{!0}}
!dx.valver = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}

!0 = !{{i32 1, i32 10}}
!1 = !{{!"{stage}", i32 6, i32 10}}
!2 = !{{void ()* @main, !"main", null, null, {properties}}}
!3 = !{{i32 0, i64 0, i32 4, !4}}
!4 = !{{i32 8, i32 1, i32 1}}
"#
    )
}

fn rules_of_text(text: &str) -> BTreeSet<&'static str> {
    let module = dxil_frontend::asm::assemble(text).unwrap();
    let bitcode = dxil_frontend::bitcode::write_module(&module).unwrap();
    let mut options = Options::default();
    options.preview = true;
    let report = validate(&bitcode, &options);
    report
        .violations
        .iter()
        .map(|it| it.rule.info().name)
        .collect()
}

/// Rules that DXC's tests of the preview expect (`LitDXILValidation`, commit 9a3e225da): numbers of
/// waves need a group, memory of matrices has no small integers, and queries must be some.
#[test]
fn rules_of_the_preview_are_those_of_dxcs_tests() {
    let index = "%1 = call i32 @dx.op.getGroupWaveIndex(i32 -2147483647)";
    let count = "%1 = call i32 @dx.op.getGroupWaveCount(i32 -2147483646)";
    for call in [index, count] {
        let rules = rules_of_text(&text_with("cs", "!3", call));
        assert!(!rules.contains("SM.INCOMPATIBLEREQUIRESGROUP"), "{rules:?}");
        let rules = rules_of_text(&text_with("vs", "null", call));
        assert!(rules.contains("SM.INCOMPATIBLEREQUIRESGROUP"), "{rules:?}");
    }
    for number in ["-2147483644", "-2147483643"] {
        let call =
            format!("%1 = call i32 @dx.op.rayQuery_StateScalar.i32(i32 {number}, i32 undef)");
        let rules = rules_of_text(&text_with("cs", "!3", &call));
        assert!(rules.contains("INSTR.NOREADINGUNINITIALIZED"), "{rules:?}");
    }
    let file = root().join("frontend/tests/data/ops/matrices_cs.ll");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!rules_of_text(&text).contains("INSTR.OLOAD"));
    for (ty, short, is_allowed) in [("<4 x float>", "v4f32", true), ("<4 x i8>", "v4i8", false)] {
        let of_vectors = |line: &str| {
            if !line.contains("linAlgMatrixLoadFromMemory") {
                return line.to_owned();
            }
            line.replace(".f32(", &format!(".{short}("))
                .replace("[16 x float]", &format!("[4 x {ty}]"))
                .replace("float addrspace(3)*", &format!("{ty} addrspace(3)*"))
                .replace("@tile,", "@tiles,")
        };
        let mut vectors: Vec<String> = text.lines().map(of_vectors).collect();
        let tile = vectors
            .iter()
            .position(|line| line.starts_with("@tile "))
            .unwrap();
        let tiles = format!("@tiles = internal addrspace(3) global [4 x {ty}] undef, align 16");
        vectors.insert(tile, tiles);
        let vectors = vectors.join("\n");
        let breaks = rules_of_text(&vectors).contains("INSTR.OLOAD");
        assert_eq!(breaks, !is_allowed, "{ty}");
    }
}
