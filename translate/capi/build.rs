//! Names the shared object: programs that were linked against the library whose ABI this is look
//! for it under that name.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libdxil-spirv-c-shared.so.2");
    }
}
