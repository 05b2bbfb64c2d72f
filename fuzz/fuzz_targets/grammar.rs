//! A container, as `shader` has it; `mutants` makes others of it by the grammar of bitstreams.

#![no_main]

dxil_fuzz::fuzz!("grammar");
