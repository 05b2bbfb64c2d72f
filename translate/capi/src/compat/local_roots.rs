// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Local root signatures: the layout of the arguments in shader records.
//!
//! A record holds the parameters in their order: constants word by word, root descriptors as
//! addresses and tables as descriptor handles, both eight bytes aligned to eight.

use std::ffi::c_uint;

use dxil_frontend::dxil::{Resource, ResourceClass};

/// The parameters of a local root signature, in their order.
#[derive(Debug, Default)]
pub(super) struct LocalRoots {
    parameters: Vec<Parameter>,
    /// The table that has been begun.
    open: Option<Vec<Range>>,
    /// Words of the record so far.
    words: u32,
}

#[derive(Debug)]
struct Parameter {
    first_word: u32,
    what: What,
}

#[derive(Debug)]
enum What {
    Constants {
        space: c_uint,
        register: c_uint,
        words: c_uint,
    },
    Descriptor {
        class: c_uint,
        space: c_uint,
        register: c_uint,
    },
    Table(Vec<Range>),
}

/// A descriptor range.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) class: c_uint,
    pub(super) space: c_uint,
    pub(super) register: c_uint,
    pub(super) count: c_uint,
    /// First descriptor in the table.
    pub(super) offset: c_uint,
}

/// The location of a resource of a local root signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalPlace {
    /// Root constants.
    Constants { first_word: u32, words: u32 },
    /// An address of two words.
    Address { first_word: u32 },
    /// In a heap, `offset` descriptors after the one whose handle is at this word.
    Table { word: u32, offset: u32 },
}

impl LocalRoots {
    fn add(&mut self, words: u32, alignment: u32, what: What) {
        let first_word = self.words.next_multiple_of(alignment);
        self.words = first_word.saturating_add(words);
        self.parameters.push(Parameter { first_word, what });
    }

    pub(super) fn add_constants(&mut self, space: c_uint, register: c_uint, words: c_uint) {
        let what = What::Constants {
            space,
            register,
            words,
        };
        self.add(words.min(u32::MAX / 8), 1, what);
    }

    pub(super) fn add_descriptor(&mut self, class: c_uint, space: c_uint, register: c_uint) {
        let what = What::Descriptor {
            class,
            space,
            register,
        };
        self.add(2, 2, what);
    }

    /// Adds a range to the table that has been begun, or a table with one range.
    pub(super) fn add_range(&mut self, range: Range) {
        match &mut self.open {
            Some(table) => table.push(range),
            None => self.add(2, 2, What::Table(vec![range])),
        }
    }

    /// Begins a table, unless one has been begun.
    pub(super) fn begin_table(&mut self) -> bool {
        let begins = self.open.is_none();
        if begins {
            self.open = Some(Vec::new());
        }
        begins
    }

    /// Ends a table that has been begun and is not empty.
    pub(super) fn end_table(&mut self) -> bool {
        match self.open.take() {
            Some(table) if !table.is_empty() => {
                self.add(2, 2, What::Table(table));
                true
            }
            open => {
                self.open = open;
                false
            }
        }
    }

    /// Returns the location of a resource, if the local root signature has it.
    pub(super) fn place(&self, resource: &Resource) -> Option<LocalPlace> {
        let own_class = class_number(resource.class);
        let own = (resource.space, resource.lower_bound);
        self.parameters.iter().find_map(|parameter| {
            let first_word = parameter.first_word;
            match &parameter.what {
                What::Constants {
                    space,
                    register,
                    words,
                } => (resource.class == ResourceClass::Cbv && own == (*space, *register))
                    .then_some(LocalPlace::Constants {
                        first_word,
                        words: *words,
                    }),
                What::Descriptor {
                    class,
                    space,
                    register,
                } => (*class == own_class && own == (*space, *register))
                    .then_some(LocalPlace::Address { first_word }),
                What::Table(ranges) => {
                    let holds = |range: &&Range| {
                        let at = own.1.checked_sub(range.register);
                        let inside = |at| range.count == c_uint::MAX || at < range.count;
                        range.class == own_class && range.space == own.0 && at.is_some_and(inside)
                    };
                    ranges.iter().find(holds).map(|range| LocalPlace::Table {
                        word: first_word,
                        offset: range.offset.wrapping_add(own.1 - range.register),
                    })
                }
            }
        })
    }
}

/// Returns the ABI's number of a resource class.
fn class_number(class: ResourceClass) -> c_uint {
    match class {
        ResourceClass::Srv => 0,
        ResourceClass::Uav => 1,
        ResourceClass::Cbv => 2,
        ResourceClass::Sampler => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_handles_lie_on_eights() {
        let mut roots = LocalRoots::default();
        roots.add_constants(1, 0, 3);
        roots.add_descriptor(0, 0, 5);
        assert!(roots.begin_table());
        assert!(!roots.begin_table());
        assert!(!roots.end_table());
        let range = Range {
            class: 1,
            space: 2,
            register: 10,
            count: 4,
            offset: 7,
        };
        roots.add_range(range);
        assert!(roots.end_table());
        assert!(!roots.end_table());
        roots.add_range(Range { class: 3, ..range });
        let firsts: Vec<u32> = roots.parameters.iter().map(|p| p.first_word).collect();
        assert_eq!(firsts, [0, 4, 6, 8]);
        assert_eq!(roots.words, 10);
    }
}
