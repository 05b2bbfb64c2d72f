//! LLVM 3.7 bitcode.
