//! A library of nodes: putting the graph together returns.

#![no_main]

dxil_fuzz::fuzz!("work_graph");
