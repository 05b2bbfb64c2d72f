//! A container, for options that its bytes choose: readers, validator, listing and translator
//! return, and what the validator accepts is not malformed to the translator.

#![no_main]

dxil_fuzz::fuzz!("shader");
