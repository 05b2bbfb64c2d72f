//! A library of nodes: putting the graph together returns.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    dxil_runtime::oracle::work_graph(bytes);
});
