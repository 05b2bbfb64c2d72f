//! Linking libraries. What linked shaders compute is tested on devices
//! (`hwtests/tests/suite/linking.rs`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::link::{link, unresolved};
use dxil_frontend::oracle::Random;
use dxil_frontend::{Category, ErrorKind};

fn library(name: &str) -> Shader {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("..").join(name).with_extension("dxil");
    read_shader(&std::fs::read(path).unwrap()).unwrap()
}

fn caller() -> Shader {
    library("hwtests/shaders/linking/caller")
}

fn callee() -> Shader {
    library("hwtests/shaders/linking/callee")
}

fn data(name: &str) -> Shader {
    library(&format!("frontend/tests/data/link/{name}"))
}

fn error(libraries: &[&Shader]) -> dxil_frontend::Error {
    link(&caller(), libraries).unwrap_err()
}

#[test]
fn what_is_not_defined_is_named() {
    let names = unresolved(&caller());
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with('?')));
    let error = error(&[&data("twice")]);
    let ErrorKind::Unresolved(names) = error.kind() else {
        unreachable!("{error}");
    };
    assert!(names.contains("advance") && names.contains("started"));
    assert!(!names.contains("counted"), "{names}");
    assert_eq!(error.category(), Category::Malformed);
    assert_eq!(unresolved(&callee()), Vec::<String>::new());
}

#[test]
fn two_definitions_are_an_error_only_of_what_is_called() {
    let error = error(&[&callee(), &data("twice")]);
    let ErrorKind::DefinedTwice(name) = error.kind() else {
        unreachable!("{error}");
    };
    assert!(name.contains("counted"), "{name}");
    // Its own definition is what a library calls.
    link(&callee(), &[&data("twice")]).unwrap();
}

#[test]
fn declaration_and_definition_have_the_same_types() {
    let mut callee = callee();
    callee.module.functions = callee
        .module
        .functions
        .into_iter()
        .map(|(_, mut decl)| {
            if decl.name.contains("advance") {
                decl.linkage = dxil_frontend::ir::Linkage::Internal;
            }
            decl
        })
        .collect();
    let error = error(&[&callee, &data("other_structure")]);
    let ErrorKind::Conflict { name, .. } = error.kind() else {
        unreachable!("{error}");
    };
    assert!(name.contains("advance"), "{name}");
}

#[test]
fn a_resource_of_one_name_is_one_resource() {
    for (name, variable, expected) in [
        ("other_resource", "Shared", "resources of different types"),
        ("other_register", "Source", "different registers"),
    ] {
        let mut callee = callee();
        callee.module.functions = callee
            .module
            .functions
            .into_iter()
            .map(|(_, mut decl)| {
                if decl.name.contains("counted") {
                    decl.linkage = dxil_frontend::ir::Linkage::Internal;
                }
                decl
            })
            .collect();
        let error = error(&[&callee, &data(name)]);
        let ErrorKind::Conflict { name, problem } = error.kind() else {
            unreachable!("{error}");
        };
        assert!(name.contains(variable), "{name}");
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn resources_of_all_libraries_are_listed_once_and_have_registers() {
    let linked = link(&caller(), &[&callee()]).unwrap();
    let names = |list: &[dxil_frontend::dxil::Resource]| -> Vec<(String, u32, u32)> {
        let rows = list.iter();
        rows.map(|r| (r.name.to_string(), r.lower_bound, r.space))
            .collect()
    };
    assert_eq!(
        names(&linked.resources.srvs),
        [("Source".into(), 0, 0), ("Counts".into(), 1, 0)]
    );
    assert_eq!(names(&linked.resources.uavs), [("Result".into(), 0, 0)]);
    // The source leaves its register open.
    assert_eq!(caller().resources.cbvs[0].lower_bound, u32::MAX);
    assert_eq!(names(&linked.resources.cbvs), [("Shared".into(), 0, 0)]);
    for (index, resource) in linked.resources.srvs.iter().enumerate() {
        assert_eq!(resource.id as usize, index);
    }
}

#[test]
fn what_nobody_calls_is_left_out() {
    let alone = link(&callee(), &[&data("twice")]).unwrap();
    assert_eq!(alone.module.bodies.len(), callee().module.bodies.len());
    let linked = link(&caller(), &[&callee(), &data("other_structure")]).map(|_| ());
    assert!(linked.is_err(), "both define advance");
    let linked = link(&caller(), &[&callee()]).unwrap();
    // The entry point, four functions and the initializer of a static variable.
    assert_eq!(linked.module.bodies.len(), 6);
    assert_eq!(unresolved(&linked), Vec::<String>::new());
}

#[test]
fn only_libraries_are_linked_with() {
    let compute = library("hwtests/shaders/flow/collatz");
    let error = error(&[&compute]);
    assert!(
        error.to_string().contains("cs shader is no library"),
        "{error}"
    );
}

#[test]
fn a_linked_shader_is_a_well_formed_module() {
    let linked = link(&caller(), &[&callee()]).unwrap();
    let plain = dxil_frontend::ir::print::Plain;
    let text = dxil_frontend::ir::print::module_text(&linked.module, &plain);
    assert!(
        text.contains("@\"\\01?advance@@YAXUParticle@@I@Z\""),
        "{text}"
    );
}

#[test]
fn libraries_with_changed_bits_never_make_it_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/linking");
    let bytes = ["caller", "callee", "objects", "object_functions"]
        .map(|name| std::fs::read(root.join(name).with_extension("dxil")).unwrap());
    let whole = bytes.clone().map(|bytes| read_shader(&bytes).unwrap());
    let mut random = Random::new(1);
    let (mut read, mut linked) = (0, 0);
    for round in 0..4000 {
        let at = round % 4;
        let mut changed = bytes[at].clone();
        // The bitcode is the last part.
        let first = changed.len() / 2;
        for _ in 0..1 + random.below(3) {
            let bit = first * 8 + random.below((changed.len() - first) * 8);
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        let Ok(shader) = read_shader(&changed) else {
            continue;
        };
        read += 1;
        let result = match at % 2 {
            0 => link(&shader, &[&whole[at + 1]]),
            _ => link(&whole[at - 1], &[&shader]),
        };
        match result {
            Ok(shader) => {
                linked += 1;
                assert_eq!(unresolved(&shader), Vec::<String>::new());
            }
            Err(error) => assert_ne!(error.category(), Category::Internal, "{error}"),
        }
    }
    assert!(read > 100 && linked > 100, "{read} read, {linked} linked");
}
