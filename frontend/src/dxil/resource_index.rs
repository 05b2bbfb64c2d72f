//! Finds resources in time that hardly grows with their number.
//!
//! Operations name registers and variables one by one, so a search of all resources for each of
//! them would take time in proportion to operations times resources.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::resources::{Resource, ResourceClass, Resources};
use crate::ir::ValueId;
use crate::tables::HashMap;

/// Shorter lists are searched from the start: nearly all shaders have no longer ones.
const SHORT: usize = 16;

/// Finds resources by register (`createHandleFromBinding`) and by variable (`createHandleForLib`).
#[derive(Debug)]
pub struct ResourceIndex<'a> {
    resources: &'a Resources,
    /// By class; made at the first search of a list that is not short.
    segments: [OnceLock<Vec<Segment>>; 4],
    /// Made at the first search.
    variables: OnceLock<HashMap<ValueId, (ResourceClass, usize)>>,
}

/// Registers of a space that belong to one resource.
#[derive(Debug)]
struct Segment {
    space: u32,
    first: u32,
    last: u32,
    /// Position in the list of the class.
    position: usize,
}

impl<'a> ResourceIndex<'a> {
    /// Returns an index over these resources; this takes no time.
    pub fn new(resources: &'a Resources) -> Self {
        ResourceIndex {
            resources,
            segments: Default::default(),
            variables: OnceLock::new(),
        }
    }

    /// Returns the first resource that a variable represents.
    pub fn of_variable(&self, variable: ValueId) -> Option<&'a Resource> {
        let variables = self.variables.get_or_init(|| {
            let mut variables = HashMap::default();
            for (place, resource) in self.resources.places() {
                if let Some(variable) = resource.variable {
                    variables.entry(variable).or_insert(place);
                }
            }
            variables
        });
        let &(class, position) = variables.get(&variable)?;
        self.resources.of(class).get(position)
    }

    /// Returns the resource that holds a register, the first one of the class where several do.
    pub fn at_register(
        &self,
        class: ResourceClass,
        space: u32,
        register: u32,
    ) -> Option<&'a Resource> {
        let list = self.resources.of(class);
        if list.len() <= SHORT {
            return list.iter().find(|resource| {
                registers(resource).is_some_and(|(first, last)| {
                    resource.space == space && (first..=last).contains(&register)
                })
            });
        }
        let segments = self.segments.get(class as usize)?;
        let segments = segments.get_or_init(|| segments_of(list));
        let behind = segments.partition_point(|s| (s.space, s.first) <= (space, register));
        let segment = segments.get(behind.checked_sub(1)?)?;
        let is_inside = segment.space == space && register <= segment.last;
        list.get(segment.position).filter(|_| is_inside)
    }
}

/// Returns the segments of a list in order, none over another.
fn segments_of(list: &[Resource]) -> Vec<Segment> {
    // First and last register of what is taken. Ranges that meet become one, so that each is
    // removed at most once.
    let mut taken: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut segments = Vec::with_capacity(list.len());
    for (position, resource) in list.iter().enumerate() {
        let Some((first, last)) = registers(resource) else {
            continue;
        };
        let space = resource.space;
        let mut add = |first, last| {
            segments.push(Segment {
                space,
                first,
                last,
                position,
            });
        };
        // The ranges that meet this one, from the last to the first; what lies between is free.
        let (mut low, mut high, mut free_to) = (first, last, Some(last));
        while let Some((&(_, start), &end)) = taken
            .range((space, 0)..=(space, last))
            .next_back()
            .filter(|(_, end)| **end >= first)
        {
            taken.remove(&(space, start));
            if let Some(to) = free_to
                && end < to
            {
                add(end + 1, to);
            }
            free_to = start.checked_sub(1).filter(|to| *to >= first);
            (low, high) = (low.min(start), high.max(end));
        }
        if let Some(to) = free_to {
            add(first, to);
        }
        taken.insert((space, low), high);
    }
    segments.sort_unstable_by_key(|segment| (segment.space, segment.first));
    segments
}

/// Returns the first and the last register of a range; `None` if it has none.
fn registers(resource: &Resource) -> Option<(u32, u32)> {
    let first = resource.lower_bound;
    let last = match resource.count {
        Some(count) => first.saturating_add(count.checked_sub(1)?),
        None => u32::MAX,
    };
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dxil::{ResourceDetail, ResourceKind};
    use crate::oracle::Random;

    fn uav(space: u32, lower_bound: u32, count: Option<u32>) -> Resource {
        Resource {
            class: ResourceClass::Uav,
            id: 0,
            variable: None,
            ty: None,
            name: "".into(),
            space,
            lower_bound,
            count,
            kind: ResourceKind::RawBuffer,
            detail: ResourceDetail::default(),
        }
    }

    /// Returns the ranges that overlap, are empty or are unbounded, near both ends of a space.
    fn any_resources(random: &mut Random) -> Resources {
        let mut resources = Resources::default();
        for _ in 0..random.below(60) {
            let start = [0, u32::MAX - 8][random.below(2)];
            let mut below = |limit| u32::try_from(random.below(limit)).unwrap();
            let (space, first) = (below(2), start + below(8));
            resources
                .uavs
                .push(uav(space, first, below(12).checked_sub(1)));
        }
        resources
    }

    #[test]
    fn the_first_resource_that_holds_a_register_is_found() {
        let mut random = Random::new(1);
        let mut found = 0;
        for _ in 0..500 {
            let resources = any_resources(&mut random);
            let index = ResourceIndex::new(&resources);
            for space in 0..3 {
                for register in (0..24).chain(u32::MAX - 10..=u32::MAX) {
                    let holds = |resource: &&Resource| {
                        let inside = register.checked_sub(resource.lower_bound);
                        let count = resource.count;
                        resource.space == space
                            && inside.is_some_and(|at| count.is_none_or(|count| at < count))
                    };
                    let expected = resources.uavs.iter().find(holds);
                    let actual = index.at_register(ResourceClass::Uav, space, register);
                    let addresses = [expected, actual].map(|one| one.map(std::ptr::from_ref));
                    assert_eq!(
                        addresses[0], addresses[1],
                        "{space} {register}: {resources:?}"
                    );
                    found += usize::from(actual.is_some());
                }
            }
        }
        assert!(found > 1000, "{found} registers");
    }
}
