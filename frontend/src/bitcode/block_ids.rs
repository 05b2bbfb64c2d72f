//! Ids of LLVM's blocks ("LLVM Bitcode File Format", `LLVMBitCodes.h` of 3.7).

pub(super) const MODULE_BLOCK: u32 = 8;
pub(super) const PARAMATTR_BLOCK: u32 = 9;
pub(super) const PARAMATTR_GROUP_BLOCK: u32 = 10;
pub(super) const CONSTANTS_BLOCK: u32 = 11;
pub(super) const FUNCTION_BLOCK: u32 = 12;
pub(super) const VALUE_SYMTAB_BLOCK: u32 = 14;
pub(super) const METADATA_BLOCK: u32 = 15;
pub(super) const METADATA_ATTACHMENT_BLOCK: u32 = 16;
pub(super) const TYPE_BLOCK: u32 = 17;
pub(super) const USELIST_BLOCK: u32 = 18;
