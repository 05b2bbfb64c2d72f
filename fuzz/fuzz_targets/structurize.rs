//! Any bytes as a control-flow graph: its structured form keeps SPIR-V's rules and does the same.

#![no_main]

use dxil_translate::oracle::graphs::{Random, random_graph};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let graph = random_graph(&mut Random::scripted(bytes), 40);
    if let Err(report) = dxil_translate::oracle::structurize(&graph, 4) {
        panic!("{report}");
    }
});
