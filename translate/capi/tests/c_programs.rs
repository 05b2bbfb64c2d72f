//! Programs in C that include the headers and link the libraries, shared and static.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod toolchain;

use std::path::Path;
use std::process::Command;

use dxil_validator::{Environment, Rules, validate};
use toolchain::*;

#[test]
fn the_headers_layout_is_the_abis() {
    run(&compile("tests/c/layout.c", Library::Static), &[]);
}

fn use_the_abi(library: Library) {
    let program = compile("tests/c/compat.c", library);
    let out = program.with_extension("spv");
    let shader = Path::new(HERE).join("tests/shaders/bindings.dxil");
    assert_eq!(run(&program, &[&shader, &out]), "fine\n");
    validate(&words_of(&out), Rules::strict(Environment::Vulkan1_1)).unwrap();
}

/// Returns a module in a file.
fn words_of(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).unwrap();
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

#[test]
fn a_layer_can_use_the_shared_library() {
    use_the_abi(Library::Shared);
}

#[test]
fn a_layer_can_use_the_static_library() {
    use_the_abi(Library::Static);
}

#[test]
fn a_layer_can_translate_dxbc() {
    for library in [Library::Shared, Library::Static] {
        let program = compile("tests/c/dxbc.c", library);
        let out = program.with_extension("spv");
        assert_eq!(run(&program, &[&dxbc_shader(), &out]), "fine\n");
        validate(&words_of(&out), Rules::strict(Environment::Vulkan1_1)).unwrap();
    }
}

#[test]
fn threads_have_handles_and_logs_of_their_own() {
    let shader = Path::new(HERE).join("examples/squares.dxil");
    let program = compile("tests/c/threads.c", Library::Shared);
    assert_eq!(run(&program, &[&shader]), "fine\n");
}

#[test]
fn what_is_made_in_a_context_is_gone_after_it() {
    let shader = Path::new(HERE).join("examples/squares.dxil");
    let program = compile("tests/c/arena.c", Library::Shared);
    assert_eq!(run(&program, &[&shader]), "fine\n");
}

#[test]
fn one_call_translates() {
    let shader = Path::new(HERE).join("tests/shaders/bindings.dxil");
    for library in [Library::Shared, Library::Static] {
        assert_eq!(
            run(&compile("tests/c/native.c", library), &[&shader]),
            "fine\n"
        );
    }
}

#[test]
fn containers_are_validated_and_signed() {
    let shader = Path::new(HERE).join("examples/squares.dxil");
    let divergent =
        Path::new(HERE).join("../../frontend/tests/data/validate/divergent_barrier_cs.dxil");
    for library in [Library::Shared, Library::Static] {
        let program = compile("tests/c/validation.c", library);
        let shaders = [&*shader, &dxbc_shader(), &divergent];
        assert_eq!(run(&program, &shaders), "fine\n");
    }
}

#[test]
fn containers_are_written() {
    let shader = std::fs::read(Path::new(HERE).join("examples/squares.dxil")).unwrap();
    let shader = dxil_frontend::dxil::read_shader(&shader).unwrap();
    let plain = dxil_frontend::ir::print::Plain;
    let text = Path::new(env!("CARGO_TARGET_TMPDIR")).join("squares.ll");
    let written = dxil_frontend::ir::print::module_text(&shader.module, &plain);
    std::fs::write(&text, written).unwrap();
    let [caller, callee] = ["caller", "callee"]
        .map(|name| Path::new(HERE).join(format!("../../hwtests/shaders/linking/{name}.dxil")));
    for library in [Library::Shared, Library::Static] {
        let program = compile("tests/c/writing.c", library);
        let files = [&*dxbc_shader(), &text, &caller, &callee];
        assert_eq!(run(&program, &files), "fine\n");
    }
}

#[test]
fn the_reflection_has_signatures_waves_and_capabilities() {
    let shader = |name: &str| Path::new(HERE).join(format!("../../hwtests/shaders/{name}.dxil"));
    let program = compile("tests/c/reflection.c", Library::Shared);
    let shaders = ["tess/few_hs", "tess/few_ds", "newer/wavesize_range"].map(shader);
    let arguments: Vec<&Path> = shaders.iter().map(|path| &**path).collect();
    assert_eq!(run(&program, &arguments), "fine\n");
}

#[test]
fn half_packing_is_one_instruction_where_that_is_asked_for() {
    let shader = Path::new(HERE).join("../../hwtests/shaders/arith/half_packing.dxil");
    let program = compile("tests/c/half_packing.c", Library::Shared);
    assert_eq!(run(&program, &[&shader]), "fine\n");
}

#[test]
fn heaps_are_those_of_vulkan_where_that_is_asked_for() {
    let shader = Path::new(HERE).join("../filetests/handles/descriptor_heap.dxil");
    let program = compile("tests/c/descriptor_heap.c", Library::Shared);
    let out = program.with_extension("spv");
    assert_eq!(run(&program, &[&shader, &out]), "fine\n");
    validate(&words_of(&out), Rules::strict(Environment::Vulkan1_3)).unwrap();
}

#[test]
fn long_vectors_stay_whole_where_the_device_has_them() {
    let shader = Path::new(HERE).join("../../hwtests/shaders/vectors/arith.dxil");
    let program = compile("tests/c/long_vector.c", Library::Shared);
    let out = program.with_extension("spv");
    assert_eq!(run(&program, &[&shader, &out]), "fine\n");
    validate(&words_of(&out), Rules::strict(Environment::Vulkan1_3)).unwrap();
}

#[test]
fn indices_beyond_a_heap_mean_the_descriptor_behind_it() {
    let shader = Path::new(HERE).join("../../hwtests/shaders/bindings/heap_buffers.dxil");
    let program = compile("tests/c/heap.c", Library::Shared);
    assert_eq!(run(&program, &[&shader]), "fine\n");
}

#[test]
fn what_shaders_do_wrong_is_reported() {
    let own = |name: &str| Path::new(HERE).join(format!("tests/shaders/{name}.dxil"));
    let heap = Path::new(HERE).join("../../hwtests/shaders/bindings/heap_buffers.dxil");
    let program = compile("tests/c/watched.c", Library::Shared);
    let modules = program.with_file_name("modules");
    std::fs::create_dir_all(&modules).unwrap();
    let arguments = [&own("watched"), &own("races"), &heap, &modules];
    assert_eq!(run(&program, &arguments.map(|path| &**path)), "fine\n");
    let mut count = 0;
    for module in std::fs::read_dir(&modules).unwrap() {
        validate(
            &words_of(&module.unwrap().path()),
            Rules::strict(Environment::Vulkan1_1),
        )
        .unwrap();
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn the_example_dispatches_on_a_device() {
    let shader = Path::new(HERE).join("examples/squares.dxil");
    let program = compile("examples/dispatch.c", Library::Shared);
    assert_eq!(run(&program, &[&shader]), "64 squares, the last is 3976\n");
}

#[test]
fn the_example_translates_files() {
    let program = compile("examples/translate.c", Library::Shared);
    let squares = Path::new(HERE).join("examples/squares.dxil");
    let not_a_shader = Path::new(HERE).join("examples/squares.hlsl");
    let said = run(&program, &[&squares, &dxbc_shader(), &not_a_shader]);
    let words = said.strip_prefix("2 of 3 shaders, ").unwrap();
    assert!(words.ends_with(" words\n"), "{said}");
}

#[test]
fn the_shared_library_exports_the_abi_and_nothing_else() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(built("libdxil_jit.so"))
        .output()
        .expect("nm runs");
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let header = header("dxil_spirv_c.h");
    let declared = header
        .lines()
        .filter(|line| line.starts_with("DXIL_SPV_PUBLIC_API"))
        .filter_map(|line| {
            let name = line.split('(').next()?.split([' ', '*']).next_back()?;
            Some(name.to_owned())
        });
    let declared: Vec<String> = declared.collect();
    assert_eq!(declared.len(), 64);
    for name in &declared {
        assert!(names.contains(&name.as_str()), "{name} is not exported");
    }
    for name in names {
        assert!(
            name.starts_with("dxil_jit_") || declared.iter().any(|other| other == name),
            "{name} is exported"
        );
    }
}
