//! Compiled kernels and their instances.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use wasmtime::{Config, Engine, Memory, Module, OptLevel, Store, TypedFunc};

use super::layout::{FUEL, MASKS, MemoryLayout, NARROW_CHUNK, PREVIOUS, PRIVATE_WORDS, WIDE_CHUNK};
use super::module;
use super::plan::Plan;
use crate::decode::Kernel;
use crate::execute::{Narrow, WIDTH, Wide};

/// A kernel that is compiled.
pub(crate) struct NativeKernel {
    module: Module,
    pub(crate) plans: Vec<Plan>,
    /// Constants of the shader, which every instance has.
    constants: Vec<u32>,
    layout: MemoryLayout,
}

/// Returns the code of a kernel, compiled if need be; none if it has to stay interpreted.
pub(crate) fn compiled(kernel: &Kernel) -> Option<&NativeKernel> {
    let code = kernel.native.0.get_or_init(|| {
        let native = NativeKernel::new(kernel)?;
        Some(Arc::new(native))
    });
    code.as_ref()?.downcast_ref()
}

/// Returns the code of a kernel if it is compiled.
pub(crate) fn known(kernel: &Kernel) -> Option<&NativeKernel> {
    kernel.native.0.get()?.as_ref()?.downcast_ref()
}

/// Returns whether it is known if a kernel has code.
pub(crate) fn is_decided(kernel: &Kernel) -> bool {
    kernel.native.0.get().is_some()
}

impl Kernel {
    /// Returns whether the kernel has native code, which is made if need be. Others are
    /// interpreted: those with checks, watched ones, ray tracing pipelines, and those beyond limits
    /// of size.
    pub fn has_native_code(&self) -> bool {
        compiled(self).is_some()
    }
}

/// Returns the compiler; none where this machine has none.
fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    let engine = ENGINE.get_or_init(|| {
        let mut config = Config::new();
        config
            .cranelift_opt_level(OptLevel::Speed)
            .wasm_simd(true)
            .wasm_multi_memory(false)
            .memory_init_cow(false)
            .generate_address_map(false);
        Engine::new(&config).ok()
    });
    engine.as_ref()
}

impl NativeKernel {
    /// Compiles a kernel; none if it has to stay interpreted.
    pub(crate) fn new(kernel: &Kernel) -> Option<NativeKernel> {
        // Registers are shared as bytes: those of WebAssembly are little-endian.
        if cfg!(target_endian = "big") || !kernel.checks.is_empty() {
            return None;
        }
        let (bytes, plans, layout) = module::write(kernel)?;
        let module = Module::from_binary(engine()?, &bytes);
        debug_assert!(module.is_ok(), "{:?}", module.as_ref().err());
        Some(NativeKernel {
            module: module.ok()?,
            plans,
            constants: kernel.constants.clone(),
            layout,
        })
    }

    /// Returns the bytes of memory of an instance.
    pub(crate) fn bytes(&self) -> u64 {
        self.layout.bytes as u64
    }
}

/// A call of code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) function: u32,
    pub(crate) point: u32,
    /// First chunks of the registers of the frame.
    pub(crate) narrow: usize,
    pub(crate) wide: usize,
    pub(crate) fuel: u32,
    /// The block where the lanes wait for others.
    pub(crate) meets: Option<u32>,
    /// Whether all lanes of the wave run.
    pub(crate) is_full: bool,
}

/// The end of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exit {
    /// Its kind and a number (`function::EXIT_BITS`).
    pub(crate) code: u32,
    /// The block before the one that it ends in, if it has left the first one.
    pub(crate) previous: Option<u32>,
    /// Steps that are left.
    pub(crate) fuel: u32,
}

type Function = TypedFunc<(i32, i32, i32, i32, i32, i32, i32), i32>;

/// The registers and the memory of a wave.
#[derive(Clone, Copy)]
pub(crate) struct WaveView<'a> {
    pub(crate) narrow: &'a [Narrow],
    pub(crate) wide: &'a [Wide],
    pub(crate) private: &'a [Cell<u32>],
    /// Memory of the group.
    pub(crate) groupshared: &'a [Cell<u32>],
}

fn cells(bytes: &mut [u8]) -> &[Cell<u32>] {
    let words: &mut [u32] = bytemuck::cast_slice_mut(bytes);
    Cell::from_mut(words).as_slice_of_cells()
}

/// An instance: the registers of the waves of a group.
pub(crate) struct Instance {
    store: Store<()>,
    memory: Memory,
    functions: Vec<Function>,
    layout: MemoryLayout,
}

impl Instance {
    /// Returns an instance; none if there is no memory for it.
    pub(crate) fn new(native: &NativeKernel) -> Option<Instance> {
        let mut store = Store::new(native.module.engine(), ());
        let instance = wasmtime::Instance::new(&mut store, &native.module, &[]).ok()?;
        let memory = instance.get_memory(&mut store, "memory")?;
        let functions = (0..native.plans.len()).map(|number| {
            instance
                .get_typed_func(&mut store, &module::name(number))
                .ok()
        });
        let functions = functions.collect::<Option<Vec<Function>>>()?;
        let constants = memory
            .data_mut(&mut store)
            .get_mut(native.layout.constants..)?;
        for (place, word) in constants.chunks_exact_mut(4).zip(&native.constants) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        Some(Instance {
            store,
            memory,
            functions,
            layout: native.layout,
        })
    }

    /// Says which lanes run: all ones for each.
    pub(crate) fn set_masks(&mut self, words: &[[u32; WIDTH]]) {
        let data = self.memory.data_mut(&mut self.store);
        let at = MASKS as usize;
        let bytes: &[u8] = bytemuck::cast_slice(words);
        data[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Returns the registers and the memory of a wave.
    pub(crate) fn view(&mut self, wave: usize, private_words: usize) -> WaveView<'_> {
        let first = self.layout.wave(wave);
        let (narrow, wide) = (self.layout.narrow_bytes, self.layout.wide_bytes);
        let groupshared_bytes = self.layout.groupshared_words * 4;
        let data = self.memory.data_mut(&mut self.store);
        let (waves, groupshared) = data.split_at_mut(self.layout.groupshared);
        let (narrow, rest) = waves[first..].split_at_mut(narrow);
        let (wide, private) = rest.split_at_mut(wide);
        let narrow: &mut [[u32; WIDTH]] = bytemuck::cast_slice_mut(narrow);
        let wide: &mut [[u64; WIDTH]] = bytemuck::cast_slice_mut(wide);
        WaveView {
            narrow: Cell::from_mut(narrow).as_slice_of_cells(),
            wide: Cell::from_mut(wide).as_slice_of_cells(),
            private: cells(&mut private[..private_words * 4]),
            groupshared: cells(&mut groupshared[..groupshared_bytes]),
        }
    }

    /// Says how many words of private memory each lane has.
    pub(crate) fn set_private_words(&mut self, words: u32) {
        let data = self.memory.data_mut(&mut self.store);
        let at = PRIVATE_WORDS as usize;
        data[at..at + 4].copy_from_slice(&words.to_le_bytes());
    }

    /// Returns the registers of a wave.
    #[cfg(test)]
    pub(crate) fn registers(&mut self, wave: usize) -> (&[Narrow], &[Wide]) {
        let first = self.layout.wave(wave);
        let (narrow, wide) = (self.layout.narrow_bytes, self.layout.wide_bytes);
        let data = self.memory.data_mut(&mut self.store);
        let (narrow, wide) = data[first..first + narrow + wide].split_at_mut(narrow);
        let narrow: &mut [[u32; WIDTH]] = bytemuck::cast_slice_mut(narrow);
        let wide: &mut [[u64; WIDTH]] = bytemuck::cast_slice_mut(wide);
        (
            Cell::from_mut(narrow).as_slice_of_cells(),
            Cell::from_mut(wide).as_slice_of_cells(),
        )
    }

    /// Runs code of a wave; none if it trapped, which code that is written here does not.
    pub(crate) fn call(&mut self, wave: usize, call: &Call) -> Option<Exit> {
        let first = self.layout.wave(wave);
        let narrow = first + call.narrow * NARROW_CHUNK;
        let wide = first + self.layout.narrow_bytes + call.wide * WIDE_CHUNK;
        let private = first + self.layout.narrow_bytes + self.layout.wide_bytes;
        let arguments = (
            call.point as i32,
            narrow as i32,
            wide as i32,
            call.fuel as i32,
            call.meets.map_or(-1, |block| block as i32),
            i32::from(call.is_full),
            private as i32,
        );
        let function = &self.functions[call.function as usize];
        let code = function.call(&mut self.store, arguments).ok()?;
        let data = self.memory.data(&self.store);
        let word = |at: u32| {
            let bytes = data.get(at as usize..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        let previous = word(PREVIOUS);
        Some(Exit {
            code: code as u32,
            previous: (previous != u32::MAX).then_some(previous),
            fuel: word(FUEL),
        })
    }
}
