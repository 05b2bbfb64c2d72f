//! Shaders of the execution tests, run on the CPU and compared with expectations computed here.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use dxil_checkout::files_of;
use dxil_cpu::resources::{Bindings, Register, ResourceView, Storage};
use dxil_cpu::{Dispatch, Error, Invocations, Kernel, Limits, Options};
use dxil_frontend::dxil::{ResourceClass, ShaderKind, read_shader};

fn shaders() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hwtests/shaders")
}

fn kernel(name: &str, wave_size: Option<u32>) -> Kernel {
    let bytes = std::fs::read(shaders().join(name).with_extension("dxil")).unwrap();
    let shader = read_shader(&bytes).unwrap();
    let mut options = Options::default();
    options.wave_size = wave_size;
    Kernel::decode(&shader, &options).unwrap()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words(storage: &Storage) -> Vec<u32> {
    let bytes = storage.to_bytes();
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|word| u32::from_le_bytes(*word)).collect()
}

/// Returns the buffers at t0, t1 ... and u0, u1 ...
fn bindings(srvs: &[usize], uavs: &[usize], storages: &[Storage]) -> Bindings {
    let of = |class: ResourceClass, list: &[usize]| {
        let views = list.iter().enumerate().map(|(index, &storage)| {
            let register = Register {
                class,
                space: 0,
                index: index as u32,
            };
            let view = ResourceView::Buffer {
                storage,
                offset: 0,
                size: storages[storage].to_bytes().len() as u64,
                format: None,
                counter: 0,
            };
            (register, view)
        });
        views.collect::<Vec<_>>()
    };
    let mut bindings = Bindings::default();
    bindings.registers.extend(of(ResourceClass::Srv, srvs));
    bindings.registers.extend(of(ResourceClass::Uav, uavs));
    bindings
}

fn collatz(mut n: u32) -> [u32; 2] {
    let (mut steps, mut top) = (0, n);
    while n > 1 {
        n = if n.is_multiple_of(2) {
            n / 2
        } else {
            3 * n + 1
        };
        top = top.max(n);
        steps += 1;
    }
    [steps, top]
}

#[test]
fn lanes_that_leave_a_loop_at_different_times_keep_their_own_results() {
    let input: Vec<u32> = (0..128).map(|i| 27 + 7 * i).collect();
    let expected: Vec<u32> = input.iter().flat_map(|&n| collatz(n)).collect();
    for wave_size in [4, 8, 16, 32, 64, 128] {
        let kernel = kernel("flow/collatz", Some(wave_size));
        let storages = [
            Storage::buffer(&bytes(&input)),
            Storage::buffer(&[0xa5; 128 * 8]),
        ];
        let bindings = bindings(&[0], &[1], &storages);
        let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
        dispatch.run([2, 1, 1], &Limits::default()).unwrap();
        assert_eq!(words(&storages[1]), expected, "waves of {wave_size}");
    }
}

#[test]
fn waves_wait_for_each_other_at_barriers() {
    let neighbours: Vec<u32> = (0..32).map(|i| 496 + i).collect();
    for wave_size in [4, 32] {
        let kernel = kernel("groupshared/barriers", Some(wave_size));
        let storages = [Storage::buffer(&[0xa5; 32 * 4])];
        let bindings = bindings(&[], &[0], &storages);
        let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
        dispatch.run([1, 1, 1], &Limits::default()).unwrap();
        assert_eq!(words(&storages[0]), neighbours);
    }
}

#[test]
fn too_many_steps_end_with_the_place_and_a_callback_stops_at_once() {
    let kernel = kernel("flow/collatz", None);
    let storages = [
        Storage::buffer(&bytes(&[837_799; 64])),
        Storage::buffer(&[0; 64 * 8]),
    ];
    let bindings = bindings(&[0], &[1], &storages);
    let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
    let mut limits = Limits::default();
    limits.steps = 100;
    let Err(Error::Steps { steps: 100, place }) = dispatch.run([1, 1, 1], &limits) else {
        unreachable!("there are more than a hundred steps");
    };
    assert_eq!(&*place.function, "main");
    let mut limits = Limits::default();
    limits.stop = Some(&|| true);
    let stopped = dispatch.run([16384, 1, 1], &limits);
    assert!(matches!(stopped, Err(Error::Stopped { .. })));
}

#[test]
fn reads_of_null_descriptors_give_zero_and_writes_are_dropped() {
    let kernel = kernel("flow/collatz", None);
    let dispatch = Dispatch::new(&kernel, &Bindings::default(), &[]).unwrap();
    dispatch.run([1, 1, 1], &Limits::default()).unwrap();
}

#[test]
fn the_table_of_an_unbounded_range_has_a_limit() {
    // Texture2D<float> T[] : register(t0, space1)
    let kernel = kernel("bindings/unbounded", None);
    let bind = |index: u32| {
        let mut bindings = Bindings::default();
        let register = Register::srv(index).in_space(1);
        bindings.registers.push((register, ResourceView::Null));
        Dispatch::new(&kernel, &bindings, &[]).map(|_| ())
    };
    assert_eq!(bind(1000), Ok(()));
    for index in [1 << 21, u32::MAX - 1, u32::MAX] {
        let error = bind(index).unwrap_err().to_string();
        assert_eq!(error, "more than 2^21 descriptors", "t{index}");
    }
}

#[test]
fn vectors_of_too_many_scalars_are_refused() {
    let path = "../../translate/filetests/vectors/too_many.dxil";
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let shader = read_shader(&bytes).unwrap();
    let error = Kernel::decode(&shader, &Options::default()).unwrap_err();
    let text = error.to_string();
    let refusal = "not supported on the CPU: vectors of more than 131,072 scalars";
    assert!(text.ends_with(refusal), "{text}");
}

/// Inputs of zeros, every other invocation as a helper lane.
struct Zeros(u64);

impl Invocations for Zeros {
    fn inputs(&mut self, _number: u64, words: &mut [u32]) {
        assert!(words.iter().all(|word| *word == 0));
    }

    fn is_helper(&mut self, number: u64) -> bool {
        number % 2 == 1
    }

    fn outputs(&mut self, _number: u64, _words: &[u32]) {
        self.0 += 1;
    }
}

/// Runs a shader in the way of its stage. Nodes, which are run with records, are left out.
fn run_stage(kernel: &Kernel, dispatch: &Dispatch<'_>, limits: &Limits<'_>) -> Result<(), Error> {
    let mut zeros = Zeros(0);
    match kernel.stage() {
        Some(ShaderKind::Node) => {
            let refused = dispatch.run([1, 1, 1], limits);
            assert!(matches!(refused, Err(Error::BadInput(_))), "{refused:?}");
            Ok(())
        }
        Some(ShaderKind::Mesh) => dispatch.run_mesh([2, 1, 1], &[], limits).map(drop),
        Some(ShaderKind::Amplification) => {
            let (dispatches, _) = dispatch.run_amplification([2, 1, 1], limits)?;
            assert_eq!(dispatches.len(), 2);
            Ok(())
        }
        Some(ShaderKind::Compute) | None => dispatch.run([1, 1, 1], limits).map(drop),
        Some(kind) => {
            dispatch.run_invocations(8, &mut zeros, limits)?;
            if kind == ShaderKind::Hull {
                dispatch.run_patch_constants(8, &mut zeros, limits)?;
            }
            assert!(zeros.0 > 0 || kind == ShaderKind::Pixel, "no outputs");
            Ok(())
        }
    }
}

/// Every shader of the tree is executed without anything bound, or refused by a typed error.
#[test]
fn every_shader_ends_or_is_refused() {
    let mut executed = 0;
    let mut refused = Vec::new();
    for path in files_of(&["hwtests/shaders"], "dxil") {
        let Ok(shader) = read_shader(&std::fs::read(&path).unwrap()) else {
            continue;
        };
        match Kernel::decode(&shader, &Options::default()) {
            Ok(kernel) => {
                let dispatch = Dispatch::new(&kernel, &Bindings::default(), &[]).unwrap();
                let mut limits = Limits::default();
                limits.steps = 20_000;
                let result = run_stage(&kernel, &dispatch, &limits);
                assert!(
                    matches!(result, Ok(_) | Err(Error::Steps { .. })),
                    "{}: {result:?}",
                    path.display()
                );
                executed += 1;
            }
            Err(error) => refused.push(format!("{}: {error}", path.display())),
        }
    }
    refused.sort();
    for line in &refused {
        eprintln!("{line}");
    }
    assert!(executed >= 350, "{executed} shaders are executed");
}

/// The DXIL document, "Shader restrictions": there is no support for recursion.
#[test]
fn functions_that_call_themselves_are_refused() {
    for name in [
        "recursion_mutual",
        "recursion_of_entry",
        "recursion_through_helper",
    ] {
        let folder = shaders().join("../../translate/filetests/functions");
        let path = folder.join(name).with_extension("dxil");
        let shader = read_shader(&std::fs::read(&path).unwrap()).unwrap();
        match Kernel::decode(&shader, &Options::default()) {
            Err(Error::Malformed { what, .. }) => assert!(what.contains("recursion"), "{what}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}
