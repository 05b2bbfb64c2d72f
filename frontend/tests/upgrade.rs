//! DXBC as DXIL: every DXBC file of the checkout, what is kept, and what DXIL does not have.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dxil_checkout::files_of;
use dxil_frontend::container::psv::DependencyTable;
use dxil_frontend::container::{Container, ContainerBuilder, DigestStatus, Signing};
use dxil_frontend::dxil::ops::{Op, SignatureOp, SystemValueOp, decode, op_arguments};
use dxil_frontend::dxil::{SemanticKind, Shader, ShaderKind, SignatureElement, read_shader};
use dxil_frontend::reflection::Reflection;
use dxil_frontend::upgrade::to_dxil;
use dxil_frontend::validate::{Options, validate};
use dxil_frontend::{Category, FourCc, dxbc};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the paths of all DXBC files.
fn all_dxbc() -> Vec<PathBuf> {
    files_of(&["hwtests", "bench/kernels"], "dxbc")
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(root().join(name)).unwrap()
}

fn upgraded(bytes: &[u8]) -> dxil_frontend::Result<Vec<u8>> {
    to_dxil(&Container::parse(bytes)?)?.build(Signing::Digest)
}

#[test]
fn all_files_of_all_stages_become_valid_dxil_with_the_same_interface() {
    let mut stages: BTreeMap<&str, usize> = BTreeMap::new();
    for path in all_dxbc() {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.display();
        let old = dxbc::read_shader(&Container::parse(&bytes).unwrap()).unwrap();
        let newer = upgraded(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let report = validate(&newer, &Options::default());
        assert!(
            report.violations.is_empty(),
            "{name}: {}",
            report.violations[0]
        );
        let container = Container::parse(&newer).unwrap();
        assert_eq!(container.digest(), DigestStatus::Valid, "{name}");
        let new = Shader::read(&container).unwrap();
        let model = new.shader_model;
        assert_eq!((model.major, model.minor), (6, 0), "{name}");
        assert_eq!(model.kind, old.shader_model.kind, "{name}");
        *stages.entry(model.kind.prefix()).or_default() += 1;
        let place = |shader: &Shader| -> Vec<_> {
            let resources = shader.resources.iter();
            resources
                .map(|it| (it.class, it.space, it.lower_bound, it.count, it.kind))
                .collect()
        };
        assert_eq!(place(&new), place(&old), "{name}");
        let [old, new] = [&old, &new].map(|shader| &shader.entry_points[0]);
        assert_eq!(new.num_threads, old.num_threads, "{name}");
        for (new, old) in [
            (&new.inputs, &old.inputs),
            (&new.outputs, &old.outputs),
            (&new.patch_constants, &old.patch_constants),
        ] {
            let what = |it: &SignatureElement| {
                let indices = it.semantic_indices.to_vec();
                (it.name.clone(), indices, it.columns, it.stream)
            };
            let [new, old] = [new, old].map(|it| it.iter().map(what).collect::<Vec<_>>());
            assert_eq!(new, old, "{name}");
        }
    }
    let known: Vec<&str> = stages.keys().copied().collect();
    assert_eq!(known, ["cs", "ds", "gs", "hs", "ps", "vs"]);
    assert!(stages.values().sum::<usize>() >= 190, "{stages:?}");
}

#[test]
fn no_call_needs_a_later_shader_model() {
    for path in all_dxbc() {
        let bytes = std::fs::read(&path).unwrap();
        let shader = read_shader(&upgraded(&bytes).unwrap()).unwrap();
        for function in &shader.module.bodies {
            let view = shader.view(function.id).unwrap();
            for data in function.insts.values() {
                if let Some(args) = op_arguments(view, &shader.callees, &data.inst) {
                    let op = decode(view, args).unwrap();
                    let since = op.opcode().properties().shader_model;
                    assert!(since <= (6, 0), "{}: {op:?}", path.display());
                }
            }
        }
    }
}

#[test]
fn resources_have_the_names_of_rdef() {
    // The source has `StructuredBuffer<..> src`, `RWStructuredBuffer<..> dst`.
    let old = file("hwtests/shaders/buffers/typed_float.dxbc");
    let container = Container::parse(&old).unwrap();
    let rdef = container.part(FourCc::RDEF).unwrap();
    let rdef = dxil_frontend::container::ResourceDefinitions::parse(rdef).unwrap();
    let new = read_shader(&upgraded(&old).unwrap()).unwrap();
    assert!(!rdef.bindings.is_empty());
    for binding in &rdef.bindings {
        let found = new.resources.iter().find(|it| {
            (it.class.letter(), it.space, it.lower_bound)
                == (binding.letter(), binding.space, binding.register)
        });
        assert_eq!(&*found.unwrap().name, binding.name);
    }
}

#[test]
fn root_signature_and_private_data_stay() {
    let old = file("hwtests/shaders/arith/float_basic.dxbc");
    let donor = file("hwtests/shaders/robust/root_descriptors.dxil");
    let donor = Container::parse(&donor).unwrap();
    let signature = donor.require(FourCc::RTS0).unwrap().data;
    let container = Container::parse(&old).unwrap();
    let mut builder = ContainerBuilder::of(&container);
    builder.set(FourCc::RTS0, signature);
    builder.set(FourCc::PRIV, &b"ours"[..]);
    let old = builder.build(Signing::Digest).unwrap();
    let new = upgraded(&old).unwrap();
    let new = Container::parse(&new).unwrap();
    assert_eq!(new.require(FourCc::RTS0).unwrap().data, signature);
    assert_eq!(new.require(FourCc::PRIV).unwrap().data, b"ours");
}

#[test]
fn system_values_have_dxils_names() {
    // Its source has `SV_POSITION`, which DXC's validator compares letter by letter.
    let mut old = file("hwtests/shaders/draw/clip_vs.dxbc");
    let at = old.windows(11).position(|name| name == b"SV_Position");
    old[at.unwrap()..][..11].copy_from_slice(b"SV_POSITION");
    let container = Container::parse(&old).unwrap();
    let new = to_dxil(&container).unwrap().build(Signing::Digest).unwrap();
    let outputs = &read_shader(&new).unwrap().entry_points[0].outputs;
    assert!(outputs.iter().any(|it| &*it.name == "SV_Position"));
    assert!(validate(&new, &Options::default()).violations.is_empty());
}

#[test]
fn the_index_of_a_sample_is_an_operation_and_has_no_register() {
    // DXIL document, "HLSL signatures and semantics": SV_SampleIndex is a shadow element.
    let new = read_shader(&upgraded(&file("hwtests/shaders/draw/sample_ps.dxbc")).unwrap());
    let new = new.unwrap();
    let entry = &new.entry_points[0];
    let mut inputs = entry.inputs.iter();
    let element = inputs.find(|it| it.semantic == SemanticKind::SampleIndex);
    assert_eq!(element.unwrap().start_row, None);
    let view = new.view(entry.function.unwrap()).unwrap();
    let calls = view.function.insts.values().filter(|data| {
        let args = op_arguments(view, &new.callees, &data.inst);
        let op = args.map(|args| decode(view, args).unwrap());
        matches!(op, Some(Op::SystemValue(SystemValueOp::SampleIndex(_))))
    });
    assert_eq!(calls.count(), 1);
}

/// Semantic, index and column.
type Component = (String, u32, u32);

/// Components by stream and place.
type Places = BTreeMap<(u32, usize), Component>;

/// Returns the place of each component of a signature: semantic, index and column by scalar.
fn components(elements: &[SignatureElement]) -> Places {
    let mut found = BTreeMap::new();
    for element in elements {
        let Some(start) = element.start_row else {
            continue;
        };
        for (row, index) in (start..).zip(&element.semantic_indices) {
            for column in 0..element.columns {
                let scalar = row as usize * 4 + (element.start_column + column) as usize;
                let name = element.name.to_ascii_lowercase();
                found.insert((element.stream, scalar), (name, *index, column));
            }
        }
    }
    found
}

/// Returns what PSV0 says: input and output components that depend on each other.
fn dependencies(bytes: &[u8]) -> BTreeSet<(Component, Component)> {
    let container = Container::parse(bytes).unwrap();
    let entry = Shader::read(&container).unwrap().entry_points.remove(0);
    let psv = container.psv().unwrap().unwrap();
    let tables = psv.dependencies;
    let inputs = components(&entry.inputs);
    let outputs = components(&entry.outputs);
    let patch_constants = components(&entry.patch_constants);
    let mut found = BTreeSet::new();
    let mut add = |stream, table: Option<DependencyTable<'_>>, from: &Places, to: &Places| {
        let Some(table) = table else {
            return;
        };
        for input in 0..table.input_components() {
            for output in table.outputs_of(input).unwrap().iter() {
                // Components that no element has depend on nothing.
                let from = from.get(&(0, input)).unwrap();
                let to = to.get(&(stream, output)).unwrap();
                found.insert((from.clone(), to.clone()));
            }
        }
    };
    for (stream, table) in (0u32..).zip(tables.inputs_to_outputs) {
        add(stream, table, &inputs, &outputs);
    }
    add(
        0,
        tables.inputs_to_patch_constants,
        &inputs,
        &patch_constants,
    );
    add(
        0,
        tables.patch_constants_to_outputs,
        &patch_constants,
        &outputs,
    );
    found
}

/// Shaders whose DXBC reads more than the source asks for: it keeps rows in an indexable array, or
/// selects one by comparisons.
const READ_MORE: [&str; 4] = ["clip_vs", "packed_ps", "vertex_vs", "quad_ds"];

#[test]
fn outputs_depend_on_the_inputs_that_dxc_finds_in_the_same_source() {
    let mut compared = 0;
    for path in all_dxbc() {
        let twin = path.with_extension("dxil");
        let (Ok(old), Ok(dxc)) = (std::fs::read(&path), std::fs::read(&twin)) else {
            continue;
        };
        // DXC 1.7 writes only the table of a geometry shader's last stream.
        let kind = read_shader(&dxc).unwrap().shader_model.kind;
        if !matches!(
            kind,
            ShaderKind::Vertex | ShaderKind::Pixel | ShaderKind::Domain | ShaderKind::Hull
        ) {
            continue;
        }
        let (ours, theirs) = (dependencies(&upgraded(&old).unwrap()), dependencies(&dxc));
        let name = path.file_stem().unwrap().to_str().unwrap();
        // The source takes a component of `m[1]`; DXC counts both rows.
        let is_of_row = |from: &Component| name == "packed_ps" && *from.0 == *"m" && from.1 == 0;
        let mut missing = theirs.difference(&ours);
        let missing = missing.find(|(from, _)| !is_of_row(from));
        assert_eq!(missing, None, "{name}");
        if !READ_MORE.contains(&name) {
            assert_eq!(ours.difference(&theirs).next(), None, "{name}");
        }
        compared += theirs.len();
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn what_has_no_dxbc_is_refused() {
    let dxil = file("hwtests/shaders/arith/float_basic.dxil");
    let error = upgraded(&dxil).unwrap_err();
    assert_eq!(error.category(), Category::Malformed, "{error}");
}

/// Returns a hull shader without its control-point phase, if it has one: the words from
/// `hs_control_point_phase` up to the next phase.
fn without_control_points(bytes: &[u8]) -> Vec<u8> {
    const CONTROL_POINTS: u32 = 114;
    const OTHERS: [u32; 2] = [115, 116];
    let container = Container::parse(bytes).unwrap();
    let parts = [FourCc::SHEX, FourCc::SHDR].into_iter();
    let part = parts
        .filter_map(|name| container.part(name))
        .next()
        .unwrap();
    let words: Vec<u32> = part
        .data
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    let (mut kept, mut at, mut skips) = (words[..2].to_vec(), 2, false);
    while at < words.len() {
        let opcode = words[at] & 0x7ff;
        let length = match opcode {
            // Custom data has its length in the second word.
            53 => words[at + 1],
            _ => words[at] >> 24 & 0x7f,
        };
        skips = opcode == CONTROL_POINTS || skips && !OTHERS.contains(&opcode);
        let next = at + length as usize;
        if !skips {
            kept.extend_from_slice(&words[at..next]);
        }
        at = next;
    }
    kept[1] = u32::try_from(kept.len()).unwrap();
    let data: Vec<u8> = kept.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut builder = ContainerBuilder::of(&container);
    builder.set(part.name, data);
    builder.build(Signing::Digest).unwrap()
}

/// DXIL document, "Hull shader representation": the entry point is the control-point phase, also
/// where D3D11 has none.
#[test]
fn a_hull_shader_without_code_for_control_points_copies_them() {
    let mut copied = 0;
    for path in all_dxbc() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with("_hs") {
            continue;
        }
        let old = without_control_points(&std::fs::read(&path).unwrap());
        // An output that no input corresponds to cannot be copied.
        let new = match upgraded(&old) {
            Ok(new) => new,
            Err(error) => {
                assert!(
                    error.to_string().contains("no input to pass"),
                    "{name}: {error}"
                );
                continue;
            }
        };
        let report = validate(&new, &Options::default());
        assert!(
            report.violations.is_empty(),
            "{name}: {:?}",
            report.violations
        );
        let new = read_shader(&new).unwrap();
        let entry = &new.entry_points[0];
        let view = new.view(entry.function.unwrap()).unwrap();
        let op_of = |data: &dxil_frontend::ir::InstData| {
            let args = op_arguments(view, &new.callees, &data.inst)?;
            Some(decode(view, args).unwrap())
        };
        let mut stored = BTreeSet::new();
        for data in view.function.insts.values() {
            let Some(Op::Signature(SignatureOp::StoreOutput(store))) = op_of(data) else {
                continue;
            };
            let dxil_frontend::ir::ValueDef::Inst(load) = view.value(store.value).unwrap().def
            else {
                panic!("{name}: a constant is stored");
            };
            let Some(Op::Signature(SignatureOp::LoadInput(load))) =
                op_of(&view.function.insts[load])
            else {
                panic!("{name}: something else than an input is stored");
            };
            let to = &entry.outputs[store.element as usize];
            let from = &entry.inputs[load.element as usize];
            assert_eq!((from.rows, from.columns), (to.rows, to.columns), "{name}");
            assert_eq!(load.column, store.column, "{name}");
            assert_eq!(
                view.constant_int(load.row),
                view.constant_int(store.row),
                "{name}"
            );
            assert!(load.vertex.is_some(), "{name}");
            stored.insert((store.element, view.constant_int(store.row), store.column));
        }
        let components: u32 = entry.outputs.iter().map(|it| it.rows * it.columns).sum();
        assert_eq!(stored.len(), components as usize, "{name}");
        copied += 1;
    }
    assert!(copied > 2);
}

/// The fields that D3DReflect gives of the old container are those that the new module has.
#[test]
fn buffers_keep_the_fields_of_rdef() {
    let mut fields = 0;
    for path in all_dxbc() {
        let old = std::fs::read(&path).unwrap();
        let name = path.display();
        let new = upgraded(&old).unwrap();
        let reflect = |bytes: &[u8]| Reflection::read(&read_shader(bytes).unwrap(), bytes);
        let (old, new) = (reflect(&old), reflect(&new));
        for (old, new) in old.resources.iter().zip(&new.resources) {
            let Some(layout) = &old.layout else {
                continue;
            };
            assert_eq!(old.name, new.name, "{name}");
            let found = new.layout.as_ref();
            let found = found.unwrap_or_else(|| panic!("{name}: {} has no fields", new.name));
            assert_eq!(found.size, layout.size, "{name}: {}", new.name);
            let (now, mut before) = (found.scalars(1000), layout.scalars(1000));
            // `ConstantBuffer<T> name` is a variable of the buffer's own name in RDEF alone.
            for scalar in &mut before {
                let own = scalar.path.strip_prefix(&*new.name);
                if let Some(rest) = own.and_then(|rest| rest.strip_prefix('.')) {
                    scalar.path = rest.to_owned();
                }
            }
            assert_eq!(now, before, "{name}: {}", new.name);
            fields += before.len();
        }
    }
    assert!(fields > 500, "{fields}");
}

/// Before validator version 1.7 parts follow each other without gaps, whatever their size.
#[test]
fn parts_of_earlier_validators_are_not_aligned() {
    let new = upgraded(&file("hwtests/shaders/tess/quad_hs.dxbc")).unwrap();
    let container = Container::parse(&new).unwrap();
    assert_eq!(
        Shader::read(&container).unwrap().validator_version,
        Some((1, 6))
    );
    let parts = container.parts();
    assert!(parts.iter().any(|part| part.offset % 4 != 0));
    for pair in parts.windows(2) {
        let end = pair[0].offset + pair[0].data.len() as u64;
        assert_eq!(pair[1].offset, end + 8, "{}", pair[1].name);
    }
    let again = ContainerBuilder::of(&container)
        .build(Signing::Digest)
        .unwrap();
    assert!(again == new);
}
