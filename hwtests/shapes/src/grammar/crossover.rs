//! Mixes the records of two modules.

use dxil_frontend::bitcode::records::Item;
use dxil_frontend::oracle::Random;

/// Puts something of another module into this one: a block in the place of one of its kind, or
/// records among those of a block of their kind.
pub(super) fn cross(items: &mut [Item], other: &[Item], random: &mut Random) {
    let Some((id, inner)) = any_block(items, random, 0) else {
        return;
    };
    let mut alike = Vec::new();
    blocks_of(other, id, &mut alike);
    if alike.is_empty() {
        return;
    }
    let taken = alike[random.below(alike.len())];
    if inner.is_empty() || taken.is_empty() {
        inner.clone_from(taken);
        return;
    }
    let from = random.below(taken.len());
    let end = (from + 1 + random.below(12)).min(taken.len());
    let piece = taken[from..end].iter().cloned();
    let at = random.below(inner.len());
    match random.below(5) {
        0 => inner.clone_from(taken),
        1 => {
            inner.splice(at..at, piece);
        }
        2 => {
            let until = (at + end - from).min(inner.len());
            inner.splice(at..until, piece);
        }
        // The head of one and the tail of the other.
        3 => {
            inner.truncate(at);
            inner.extend_from_slice(&taken[from..]);
        }
        // The numbers of one record.
        _ => {
            let numbers = taken.iter().filter_map(|item| match item {
                Item::Record(code, numbers) => Some((*code, numbers)),
                Item::Block(..) => None,
            });
            let numbers: Vec<_> = numbers.collect();
            if let Item::Record(code, own) = &mut inner[at]
                && let Some((_, numbers)) = numbers.iter().find(|(other, _)| other == code)
            {
                own.clone_from(numbers);
            }
        }
    }
}

/// Returns a block, chosen at random among all levels.
fn any_block<'a>(
    items: &'a mut [Item],
    random: &mut Random,
    depth: u32,
) -> Option<(u32, &'a mut Vec<Item>)> {
    let blocks: Vec<usize> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| matches!(item, Item::Block(..)))
        .map(|(place, _)| place)
        .collect();
    if blocks.is_empty() {
        return None;
    }
    let place = blocks[random.below(blocks.len())];
    let Item::Block(id, inner) = &mut items[place] else {
        return None;
    };
    let has_blocks = inner.iter().any(|item| matches!(item, Item::Block(..)));
    // The module itself is seldom meant.
    let goes_on = if depth == 0 {
        random.below(12) != 0
    } else {
        random.below(2) == 0
    };
    if has_blocks && goes_on {
        return any_block(inner, random, depth + 1);
    }
    Some((*id, inner))
}

/// Finds all blocks of a kind.
fn blocks_of<'a>(items: &'a [Item], id: u32, found: &mut Vec<&'a Vec<Item>>) {
    for item in items {
        if let Item::Block(own, inner) = item {
            if *own == id {
                found.push(inner);
            }
            blocks_of(inner, id, found);
        }
    }
}
