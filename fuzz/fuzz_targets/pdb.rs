//! A shader PDB file: reading it returns.

#![no_main]

dxil_fuzz::fuzz!("pdb");
