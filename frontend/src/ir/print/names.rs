//! Names and numbers of values and blocks.

use std::fmt::Write as _;

use cranelift_entity::EntityRef;

use crate::escape::is_hidden;
use crate::ir::{BlockId, Function, Module, ValueDef, ValueId};

const UNNUMBERED: u32 = u32::MAX;

/// Writes a name with its sigil, quoted where it has characters that need it.
pub(super) fn write_name(out: &mut String, sigil: char, name: &str) {
    out.push(sigil);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '$' | '.' | '_');
    // A name that begins with a digit would read as LLVM's number of an unnamed value.
    let needs_quotes = name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || !name.chars().all(is_plain);
    if needs_quotes {
        let _ = write!(out, "\"{}\"", escaped(name));
    } else {
        out.push_str(name);
    }
}

/// Returns the text with quotes, backslashes and unprintable bytes as `\xx`.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '"' || c == '\\' || is_hidden(c) {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "\\{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// LLVM's numbers in one function: arguments first, then each block before its instructions; what
/// has a name gets none.
pub(super) struct LocalNames<'a> {
    function: &'a Function,
    /// Per own value of the function.
    values: Vec<u32>,
    blocks: Vec<u32>,
}

impl<'a> LocalNames<'a> {
    pub(super) fn new(_module: &'a Module, function: &'a Function) -> Self {
        let mut slots = LocalNames {
            function,
            values: vec![UNNUMBERED; function.values.len()],
            blocks: vec![UNNUMBERED; function.blocks.len()],
        };
        let mut next = 0;
        let mut take = |slot: Option<&mut u32>, is_named: bool| {
            if let Some(slot) = slot
                && !is_named
            {
                *slot = next;
                next += 1;
            }
        };
        let first = function.first_value as usize;
        for index in 0..function.arg_count as usize {
            let named = value_name(function, ValueId::new(first + index)).is_some();
            take(slots.values.get_mut(index), named);
        }
        for (id, block) in &function.blocks {
            take(
                slots.blocks.get_mut(id.index()),
                block_name(function, id).is_some(),
            );
            for inst in block.insts() {
                let result = function
                    .insts
                    .get(inst)
                    .and_then(|data| data.result.expand());
                if let Some(result) = result {
                    let named = value_name(function, result).is_some();
                    take(
                        slots.values.get_mut(result.index().wrapping_sub(first)),
                        named,
                    );
                }
            }
        }
        slots
    }

    /// Writes `%name` or `%number` of an argument or result.
    pub(super) fn write_value(&self, out: &mut String, id: ValueId) {
        if let Some(name) = value_name(self.function, id) {
            return write_name(out, '%', name);
        }
        let index = id.index().wrapping_sub(self.function.first_value as usize);
        match self.values.get(index) {
            Some(&number) if number != UNNUMBERED => {
                let _ = write!(out, "%{number}");
            }
            _ => {
                let _ = write!(out, "<value {}>", id.as_u32());
            }
        }
    }

    /// Returns whether the `index`-th argument has a name.
    pub(super) fn has_argument_name(&self, index: usize) -> bool {
        let first = self.function.first_value as usize;
        value_name(self.function, ValueId::new(first + index)).is_some()
    }

    /// Writes the `index`-th argument.
    pub(super) fn write_argument(&self, out: &mut String, index: usize) {
        self.write_value(
            out,
            ValueId::new(self.function.first_value as usize + index),
        );
    }

    /// Writes `%name` or `%number` of a block.
    pub(super) fn write_block(&self, out: &mut String, id: BlockId) {
        match block_name(self.function, id) {
            Some(name) => write_name(out, '%', name),
            None => {
                let number = self.block_number(id).unwrap_or(UNNUMBERED);
                let _ = write!(out, "%{number}");
            }
        }
    }

    /// Returns the block's number, if it has no name.
    pub(super) fn block_number(&self, id: BlockId) -> Option<u32> {
        (self.blocks.get(id.index()).copied()).filter(|number| *number != UNNUMBERED)
    }
}

fn value_name(function: &Function, id: ValueId) -> Option<&str> {
    // Names of constants cannot be written.
    let index = id.index().checked_sub(function.first_value as usize)?;
    if !matches!(
        function.values.get(index)?.def,
        ValueDef::Argument(_) | ValueDef::Inst(_)
    ) {
        return None;
    }
    let at = function
        .value_names
        .binary_search_by_key(&id, |(id, _)| *id)
        .ok()?;
    function.value_names.get(at).map(|(_, name)| &**name)
}

/// Returns the name of a block.
pub(super) fn block_name(function: &Function, id: BlockId) -> Option<&str> {
    let at = function
        .block_names
        .binary_search_by_key(&id, |(id, _)| *id)
        .ok()?;
    function.block_names.get(at).map(|(_, name)| &**name)
}
