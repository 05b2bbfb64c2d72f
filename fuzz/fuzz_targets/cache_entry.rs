//! An entry of the cache behind its key: reading it returns.

#![no_main]

dxil_fuzz::fuzz!("cache_entry");
