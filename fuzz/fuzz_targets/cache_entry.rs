//! An entry of the cache after its key: reading it returns.

#![no_main]

dxil_fuzz::fuzz!("cache_entry");
