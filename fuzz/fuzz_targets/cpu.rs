//! The CPU executor on what is accepted: it returns within its limits, and the bytes that it leaves
//! do not depend on threads or checks.

#![no_main]

dxil_fuzz::fuzz!("cpu");
