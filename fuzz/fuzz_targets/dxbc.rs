//! DXBC containers whose instructions are changed: the translator returns, and what it accepts
//! becomes SPIR-V that loads.

#![no_main]

use dxil_frontend::dxbc::mutate::mutate;
use dxil_frontend::oracle::Random;

dxil_fuzz::fuzz!("dxbc");

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random::new(u64::from(seed));
    // Every fourth mutant is damaged as bytes, as other targets do it.
    let mutant = data
        .get(..size)
        .filter(|_| random.below(4) != 0)
        .and_then(|bytes| mutate(bytes, &mut random))
        .filter(|mutant| mutant.len() <= max_size);
    match mutant {
        Some(mutant) => {
            data[..mutant.len()].copy_from_slice(&mutant);
            mutant.len()
        }
        None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});
