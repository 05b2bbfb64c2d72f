//! Bindings that would give two resources one place.

use std::ops::Range;

use dxil_frontend::dxil::{Resource, ResourceClass, Shader};
use dxil_frontend::tables::HashMap;
use dxil_translate::{BindingMap, Counter, DescriptorSlot, Location, ResourceKey};

/// How a resource uses a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// By itself.
    Alone,
    /// As one of many resources: a heap, a table, the first index of a table.
    Shared,
}

/// What the resources of a shader occupy.
#[derive(Default)]
struct Places {
    slots: HashMap<DescriptorSlot, (String, Use)>,
    words: Vec<(Range<u32>, String, Use)>,
}

/// Returns a message about two resources of the shader that the map gives the same descriptor or
/// the same words of the push constants. Heaps and tables are there to be shared.
pub(super) fn find(shader: &Shader, map: &BindingMap) -> Option<String> {
    let mut places = Places::default();
    use ResourceClass::{Cbv, Sampler, Srv, Uav};
    let found = [Cbv, Srv, Sampler, Uav].into_iter().find_map(|class| {
        let mut resources = shader.resources.of(class).iter();
        resources.find_map(|resource| {
            let id = resource.id;
            let location = map.get(ResourceKey { class, id }).copied();
            let location = location.unwrap_or_else(|| BindingMap::default_location(resource));
            places.add(&name_of(class, resource), resource, &location)
        })
    });
    found.or_else(|| places.overlapping_words())
}

fn name_of(class: ResourceClass, resource: &Resource) -> String {
    let register = format!("{}{}", class.letter(), resource.lower_bound);
    match resource.space {
        0 => register,
        space => format!("{register},space{space}"),
    }
}

impl Places {
    fn add(&mut self, name: &str, resource: &Resource, location: &Location) -> Option<String> {
        let counter_of = |counter: &Option<Counter>| match counter {
            Some(Counter::Buffer(slot)) if resource.detail.has_counter => Some(*slot),
            _ => None,
        };
        match location {
            Location::Descriptor { slot, counter, .. } => {
                self.slot(*slot, name.to_owned(), Use::Alone).or_else(|| {
                    let counter = counter_of(counter)?;
                    self.slot(counter, format!("the counter of {name}"), Use::Alone)
                })
            }
            Location::Heap {
                slot,
                counter,
                table_word,
                ..
            } => {
                self.table_word(*table_word, name);
                self.slot(*slot, format!("the heap of {name}"), Use::Shared)
                    .or_else(|| {
                        let counter = counter_of(counter)?;
                        self.slot(counter, format!("the counters of {name}"), Use::Shared)
                    })
            }
            Location::AddressTable {
                slot, table_word, ..
            } => {
                self.table_word(*table_word, name);
                self.slot(*slot, format!("the table of {name}"), Use::Shared)
            }
            Location::PushConstants { first_word, words } => {
                self.words(*first_word, *words, name, Use::Alone);
                None
            }
            Location::DeviceAddress { first_word } => {
                self.words(*first_word, 2, name, Use::Alone);
                None
            }
        }
    }

    fn slot(&mut self, slot: DescriptorSlot, name: String, how: Use) -> Option<String> {
        let DescriptorSlot { set, binding } = slot;
        match self.slots.get(&slot) {
            Some((_, Use::Shared)) if how == Use::Shared => None,
            Some((other, _)) => Some(format!(
                "{other} and {name} are both at set {set}, binding {binding}"
            )),
            None => {
                self.slots.insert(slot, (name, how));
                None
            }
        }
    }

    fn table_word(&mut self, word: Option<u32>, name: &str) {
        if let Some(word) = word {
            self.words(word, 1, &format!("the table of {name}"), Use::Shared);
        }
    }

    fn words(&mut self, first: u32, count: u32, name: &str, how: Use) {
        if count > 0 {
            let words = first..first.saturating_add(count);
            self.words.push((words, name.to_owned(), how));
        }
    }

    fn overlapping_words(mut self) -> Option<String> {
        self.words
            .sort_by_key(|(words, ..)| (words.start, words.end));
        let mut last: Option<(Range<u32>, String, Use)> = None;
        for (words, name, how) in self.words {
            if let Some((before, other, other_how)) = &last
                && words.start < before.end
                && (how, *other_how) != (Use::Shared, Use::Shared)
            {
                let word = words.start;
                return Some(format!(
                    "{other} and {name} are both in word {word} of the push constants"
                ));
            }
            if last
                .as_ref()
                .is_none_or(|(before, ..)| before.end <= words.end)
            {
                last = Some((words, name, how));
            }
        }
        None
    }
}
