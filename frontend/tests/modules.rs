//! Decodes real modules, and compares what they say with their source.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use dxil_checkout::files_of;
use dxil_frontend::bitcode::decode_module;
use dxil_frontend::container::rdat::{NodeIoFlags, NodeLaunch};
use dxil_frontend::container::{Container, ProgramBitcode, open_program};
use dxil_frontend::dxil::{
    BranchHint, ComponentType, DomainShape, InputPrimitive, InterpolationMode, LoopHint,
    MeshTopology, OutputTopology, ResourceKind, SemanticKind, Shader, ShaderFlags, ShaderKind,
    Stage, TessellatorOutput, TessellatorPartitioning, read_shader,
};
use dxil_frontend::ir::print::{Annotate, Plain, module_text};
use dxil_frontend::ir::{AtomicOrdering, FastMath, FuncView, Inst, InstId};
use dxil_frontend::{FourCc, oracle};

fn data(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/modules");
    std::fs::read(path.join(format!("{name}.dxil"))).unwrap()
}

fn shader(name: &str) -> Shader {
    read_shader(&data(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_checked_in_shader_decodes() {
    let files = files_of(&["frontend/tests/data/modules", "hwtests/shaders"], "dxil");
    assert!(files.len() >= 20);
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let program = open_program(&bytes).unwrap();
        oracle::bitcode(program.bitcode).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // The container says the same.
        let shader = read_shader(&bytes).unwrap();
        if let Some(header) = program.header {
            let model = shader.shader_model;
            assert_eq!(
                (header.kind, header.major, header.minor),
                (model.kind, model.major, model.minor)
            );
        }
        let container = Container::parse(&bytes).unwrap();
        if let Some(part) = container.part(FourCc::ILDB) {
            let program = ProgramBitcode::parse(part).unwrap();
            oracle::bitcode(program.bitcode).unwrap();
        }
    }
}

#[test]
fn a_compute_shader_says_its_threads_and_resources() {
    let shader = shader("mixed_cs");
    assert_eq!(shader.shader_model.kind, ShaderKind::Compute);
    assert_eq!(shader.dxil_version, (1, 0));
    let [entry] = &shader.entry_points[..] else {
        panic!("one entry point")
    };
    assert_eq!(&*entry.name, "main");
    assert_eq!(entry.num_threads, Some([64, 1, 1]));
    assert_eq!(entry.flags, ShaderFlags::ENABLE_RAW_AND_STRUCTURED_BUFFERS);
    let kinds: Vec<_> = shader.resources.iter().map(|r| (r.kind, r.id)).collect();
    assert_eq!(
        kinds,
        [
            (ResourceKind::StructuredBuffer, 0),
            (ResourceKind::Texture2D, 1),
            (ResourceKind::StructuredBuffer, 0),
            (ResourceKind::CBuffer, 0),
            (ResourceKind::Sampler, 0),
        ]
    );
    assert_eq!(shader.resources.srvs[0].detail.stride, Some(20));
    assert_eq!(
        shader.resources.srvs[1].detail.component,
        Some(ComponentType::F32)
    );
    assert_eq!(shader.resources.cbvs[0].detail.cbuffer_size, 80);
}

#[test]
fn hints_reach_their_branches() {
    let shader = shader("mixed_cs");
    let function = shader.entry_points[0].function.unwrap();
    let body = shader.module.body(function).unwrap();
    let branches: Vec<_> = body
        .insts
        .keys()
        .filter_map(|inst| shader.hints.branch(&shader.module, body, inst))
        .collect();
    assert_eq!(branches, [BranchHint::Branch]);
    let loops: Vec<_> = body
        .insts
        .keys()
        .filter_map(|inst| shader.hints.loop_hint(&shader.module, body, inst))
        .collect();
    assert_eq!(loops, [LoopHint::DontUnroll]);
}

#[test]
fn a_hull_shader_says_its_patch() {
    let shader = shader("hull");
    let entry = &shader.entry_points[0];
    let Stage::Hull {
        patch_constant_function,
        input_control_points,
        output_control_points,
        domain,
        partitioning,
        output,
        max_tessellation_factor,
    } = entry.stage
    else {
        panic!("a hull shader")
    };
    let patch = patch_constant_function.unwrap();
    assert_eq!(
        &*shader.module.functions[patch].name,
        "\u{1}?patch@@YA?AUT@@V?$InputPatch@UV@@$02@@@Z"
    );
    assert!(shader.module.body(patch).is_some());
    assert_eq!((input_control_points, output_control_points), (3, 3));
    assert_eq!(domain, DomainShape::Tri);
    assert_eq!(partitioning, TessellatorPartitioning::FractionalOdd);
    assert_eq!(output, TessellatorOutput::TriangleCw);
    assert!((max_tessellation_factor - 16.0).abs() < f32::EPSILON);
    let semantics: Vec<_> = entry.patch_constants.iter().map(|e| e.semantic).collect();
    assert_eq!(
        semantics,
        [
            SemanticKind::TessFactor,
            SemanticKind::InsideTessFactor,
            SemanticKind::Arbitrary
        ]
    );
    let factors = &entry.patch_constants[0];
    assert_eq!((factors.rows, factors.columns), (3, 1));
    assert_eq!(*factors.semantic_indices, [0, 1, 2]);
    assert_eq!(factors.start_column, 3);
}

#[test]
fn precise_arithmetic_is_not_fast() {
    let shader = shader("hull");
    let function = shader.entry_points[0].function.unwrap();
    let body = shader.module.body(function).unwrap();
    let arithmetic: Vec<_> = body
        .insts
        .values()
        .filter_map(|data| match data.inst {
            Inst::Binary { fast_math, .. } => Some(fast_math),
            _ => None,
        })
        .collect();
    assert!(!arithmetic.is_empty());
    assert!(
        arithmetic
            .iter()
            .all(|flags| !flags.contains(FastMath::FAST))
    );
}

#[test]
fn a_geometry_shader_says_its_primitives() {
    let shader = shader("geometry");
    let entry = &shader.entry_points[0];
    assert_eq!(
        entry.stage,
        Stage::Geometry {
            input: InputPrimitive::TriangleAdjacency,
            max_vertices: 6,
            active_streams: 1,
            topology: OutputTopology::TriangleStrip,
            instances: 3,
        }
    );
    let position = &entry.inputs[0];
    assert_eq!(position.semantic, SemanticKind::Position);
    assert_eq!(
        position.interpolation,
        InterpolationMode::LinearNoPerspective
    );
    let texture = &entry.inputs[1];
    assert_eq!((texture.rows, texture.columns), (2, 2));
    assert_eq!(texture.start_row, Some(1));
    // The system-generated instance id has no place in the signature's rows.
    let generated = entry.inputs.iter().find(|e| e.start_row.is_none());
    assert!(generated.is_none_or(|e| e.semantic == SemanticKind::GsInstanceId));
}

#[test]
fn a_mesh_shader_says_its_limits() {
    let shader = shader("debris_ms");
    assert_eq!(
        shader.entry_points[0].stage,
        Stage::Mesh {
            max_vertices: 8,
            max_primitives: 12,
            topology: MeshTopology::Triangle,
            payload_bytes: 128,
        }
    );
    assert_eq!(shader.entry_points[0].num_threads, Some([12, 1, 1]));
    assert!(!shader.view_id_state.is_empty());
}

#[test]
fn a_library_says_the_stage_of_each_entry() {
    let shader = shader("payload_access");
    assert_eq!(shader.shader_model.kind, ShaderKind::Library);
    let mut kinds: Vec<_> = shader
        .entry_points
        .iter()
        .filter(|entry| entry.function.is_some())
        .map(|entry| (!entry.name.is_empty(), entry.kind))
        .collect();
    kinds.sort_by_key(|(_, kind)| *kind);
    assert_eq!(
        kinds,
        [
            (true, ShaderKind::RayGeneration),
            (true, ShaderKind::AnyHit),
            (true, ShaderKind::ClosestHit),
            (true, ShaderKind::Miss),
        ]
    );
    assert!(shader.payload_annotations().next().is_some());
    assert!(
        shader
            .entry_points
            .iter()
            .any(|entry| entry.kind == ShaderKind::Miss && entry.payload_bytes.is_some())
    );
}

#[test]
fn nodes_keep_their_properties() {
    let shader = shader("thread_nodes");
    let entry = shader.entry_point("split").unwrap();
    assert_eq!(entry.kind, ShaderKind::Node);
    assert!(entry.other_properties.is_empty());
    let Stage::Node(node) = &entry.stage else {
        panic!("{:?}", entry.stage);
    };
    assert_eq!(node.launch, NodeLaunch::Thread);
    assert_eq!((&*node.id.name, node.id.index), ("split", 0));
    assert!(node.is_program_entry && node.shares_input_of.is_none());
    assert_eq!(node.max_recursion_depth, 8);
    assert_eq!(node.local_root_arguments_table_index, None);
    let input = node.input().unwrap();
    let kind = NodeIoFlags::INPUT | NodeIoFlags::READ_WRITE | NodeIoFlags::THREAD_RECORD;
    assert_eq!(input.flags, kind);
    assert_eq!((input.record_size, input.stride()), (8, 8));
    let outputs: Vec<_> = node
        .outputs
        .iter()
        .map(|output| {
            let target = output.target.as_ref().unwrap();
            (&*target.name, output.max_records, output.record_size)
        })
        .collect();
    assert_eq!(outputs, [("split", 2, 8), ("leaf", 4, 4)]);

    let shared = self::shader("share_input");
    let node = |name: &str| match &shared.entry_point(name).unwrap().stage {
        Stage::Node(node) => node.clone(),
        other => panic!("{other:?}"),
    };
    let (left, right) = (node("left"), node("right"));
    assert_eq!(left.local_root_arguments_table_index, Some(2));
    assert_eq!(left.dispatch_grid, Some([2, 1, 1]));
    assert_eq!(&*right.shares_input_of.unwrap().name, "left");
}

#[test]
fn the_denormal_mode_is_an_attribute_of_the_function() {
    let shader = shader("ftz_flat_cs");
    let function = shader.entry_points[0].function.unwrap();
    let mode = shader
        .module
        .function_attribute(function, "fp32-denorm-mode");
    assert_eq!(mode, Some("ftz"));
}

#[test]
fn structures_keep_names_and_offsets_of_their_fields() {
    // The compiler moves the names out of the program, into the part for reflection.
    let bytes = data("mixed_cs");
    let container = Container::parse(&bytes).unwrap();
    let program = container.reflection_program().unwrap().unwrap();
    let module = decode_module(program.bitcode, program.bitcode_offset).unwrap();
    let shader = Shader::decode(module).unwrap();
    let annotations = &shader.type_annotations;
    let fields = (annotations.structs.iter())
        .map(|annotation| &annotation.fields)
        .find(|fields| fields.iter().any(|field| &*field.name == "m"))
        .unwrap();
    let described: Vec<_> = fields.iter().map(|f| (&*f.name, f.offset)).collect();
    assert_eq!(
        described,
        [("m", Some(0)), ("v", Some(64)), ("n", Some(76))]
    );
    let matrix = fields[0].matrix.unwrap();
    assert_eq!(
        (matrix.rows, matrix.columns, matrix.row_major),
        (4, 4, false)
    );
    assert_eq!(fields[2].component, Some(ComponentType::U32));
}

#[test]
fn functions_of_a_library_keep_their_parameters() {
    let shader = shader("vec_calls_lib");
    let functions = &shader.type_annotations.functions;
    assert!(!functions.is_empty());
    for annotation in functions {
        let decl = &shader.module.functions[annotation.function];
        let dxil_frontend::ir::Type::Function { params, .. } = shader.module.types.get(decl.ty)
        else {
            panic!("a function")
        };
        assert_eq!(annotation.parameters.len(), params.len());
    }
}

#[test]
fn debug_information_has_positions_and_values() {
    let bytes = data("hull");
    let container = Container::parse(&bytes).unwrap();
    let program = ProgramBitcode::parse(container.part(FourCc::ILDB).unwrap()).unwrap();
    let module = decode_module(program.bitcode, program.bitcode_offset).unwrap();
    let text = module_text(&module, &Plain);
    assert!(text.contains("@llvm.dbg.value(metadata "), "{text}");
    assert!(text.contains("; line:"), "{text}");
    assert!(text.contains("!DISubprogram(record:"), "{text}");
}

#[test]
fn text_is_that_of_llvm() {
    let shader = shader("mixed_cs");
    let text = module_text(&shader.module, &Plain);
    for line in [
        "%dx.types.Handle = type { i8* }",
        "@\"\\01?gs@@3PAMA\" = external addrspace(3) global [64 x float], align 4",
        "@table = internal unnamed_addr constant [4 x float] [float 1.500000e+00, float 2.250000e+00, float 0x3FB99999A0000000, float 4.000000e+00], align 4",
        "define void @main() {",
        "  %1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)",
        "  br i1 %18, label %94, label %19",
        "; <label>:19                                      ; preds = %0",
        "  %21 = phi i32 [ %88, %87 ], [ 0, %19 ]",
        "  %30 = getelementptr inbounds [4 x float], [4 x float]* @table, i32 0, i32 %29",
        "  %32 = fcmp fast ogt float %28, %31",
        "  br i1 %32, label %33, label %78, !dx.controlflow.hints !23",
        "    i32 5, label %106",
        "declare i32 @dx.op.threadId.i32(i32, i32) #0",
        "attributes #0 = { nounwind readnone }",
        "!dx.shaderModel = !{!3}",
        "!11 = !{i32 0, %\"class.RWStructuredBuffer<S>\"* undef, !\"\", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !7}",
        "!23 = distinct !{!23, !\"dx.controlflow.hints\", i32 1}",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn calls_are_annotated_by_the_callers_hook() {
    struct Numbered;
    impl Annotate for Numbered {
        fn argument_name(&self, _: FuncView<'_>, _: InstId, index: usize) -> Option<&str> {
            (index == 1).then_some("second")
        }
        fn comment(&self, _: FuncView<'_>, inst: InstId) -> Option<String> {
            (inst.as_u32() == 0).then(|| "first".to_owned())
        }
    }
    let text = module_text(&shader("mixed_cs").module, &Numbered);
    assert!(text.contains(
        "%1 = call %dx.types.Handle @dx.op.createHandle(i32 57, second: i8 1, i32 0, i32 0, i1 false)  ; first\n"
    ));
}

fn of_producer(name: &str) -> Shader {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/producers");
    read_shader(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn a_view_id_state_may_be_an_aggregate_of_integers() {
    let shader = of_producer("mesa_view_id_vs.dxil");
    // Two inputs x and y. The outputs are (x, y, 0, 1) and, in the next row, (ax + b, ay + b): of
    // six components 0 and 4 depend on x, 1 and 5 on y. Mesa counts whole rows: 4 and 8 components.
    assert_eq!(shader.view_id_state, [4, 8, 0b01_0001, 0b10_0010, 0, 0]);
}

#[test]
fn a_range_of_0_registers_is_unbounded() {
    let shader = of_producer("mesa_unbounded.dxil");
    let counts = shader.resources.uavs.iter().map(|uav| uav.count);
    assert_eq!(counts.collect::<Vec<_>>(), [None, Some(1)]);
}

#[test]
fn a_compare_exchange_of_the_old_form_gives_the_old_value() {
    let shader = of_producer("mesa_exchange.dxil");
    let body = &shader.module.bodies[0];
    let (exchange, data) = body
        .insts
        .iter()
        .find(|(_, data)| matches!(data.inst, Inst::CmpXchg { .. }))
        .unwrap();
    // LLVM's reader puts an `extractvalue 0` after it, which has the record's value.
    let next = &body.insts[InstId::from_u32(exchange.as_u32() + 1)];
    let Inst::ExtractValue { aggregate, indices } = next.inst else {
        panic!("{next:?}");
    };
    assert_eq!(Some(aggregate), data.result.expand());
    assert_eq!(body.indices_of(indices), [0]);
}

#[test]
fn an_unknown_memory_order_is_the_strongest() {
    let shader = of_producer("gogpu_bits.dxil");
    let orders: Vec<AtomicOrdering> = shader.module.bodies[0]
        .insts
        .values()
        .filter_map(|data| match data.inst {
            Inst::AtomicRmw { ordering, .. } => Some(ordering),
            _ => None,
        })
        .collect();
    assert!(!orders.is_empty());
    assert!(orders.iter().all(|order| *order == AtomicOrdering::SeqCst));
}
