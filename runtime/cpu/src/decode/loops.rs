//! Loops of one block: a value that the next iteration sees as a phi is computed in the phi's
//! register, which spares the move.
//!
//! The phi must not be read after the instruction that computes the value, since it is lost there.
//! Lanes that have left the loop keep what they have, because instructions write only the lanes
//! that execute them.

use dxil_frontend::tables::HashMap;

use super::code::{Block, Edge, FunctionCode, Inst, RegisterSlot, Terminator};
use super::lane_ops::RegisterKind;

const NOWHERE: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

/// Who reads and writes a register.
#[derive(Debug, Clone, Copy)]
struct Use {
    /// The block whose instructions read it, and the last one that does.
    block: u32,
    last: u32,
    /// The block whose terminator or edges read it.
    end: u32,
    /// Number of instructions and moves that write it, and one of them.
    writes: u32,
    written_at: u32,
}

const UNUSED: Use = Use {
    block: NOWHERE,
    last: 0,
    end: NOWHERE,
    writes: 0,
    written_at: 0,
};

fn add(known: &mut u32, block: u32) {
    *known = match *known {
        NOWHERE => block,
        same if same == block => block,
        _ => SEVERAL,
    };
}

struct Uses {
    narrow: Vec<Use>,
    wide: Vec<Use>,
}

impl Uses {
    fn of(&mut self, slot: RegisterSlot) -> Option<&mut Use> {
        if slot.is_none() {
            return None;
        }
        match slot.kind() {
            RegisterKind::W => self.narrow.get_mut(slot.index()),
            RegisterKind::D => self.wide.get_mut(slot.index()),
        }
    }

    fn read(&mut self, slot: RegisterSlot, block: u32, at: u32) {
        if let Some(known) = self.of(slot) {
            add(&mut known.block, block);
            known.last = known.last.max(at);
        }
    }

    fn read_at_end(&mut self, slot: RegisterSlot, block: u32) {
        if let Some(known) = self.of(slot) {
            add(&mut known.end, block);
        }
    }

    fn write(&mut self, slot: RegisterSlot, at: u32) {
        if let Some(known) = self.of(slot) {
            known.writes += 1;
            known.written_at = at;
        }
    }

    fn new(code: &FunctionCode) -> Uses {
        let mut uses = Uses {
            narrow: vec![UNUSED; code.narrow_slots as usize],
            wide: vec![UNUSED; code.wide_slots as usize],
        };
        for (number, block) in (0..).zip(&code.blocks) {
            for at in block.first..block.end {
                match code.insts.get(at as usize) {
                    Some(Inst::Lane { dst, args, .. }) => {
                        args.iter().for_each(|slot| uses.read(*slot, number, at));
                        uses.write(*dst, at);
                    }
                    Some(Inst::Complex(index)) => {
                        let Some(complex) = code.complex.get(*index as usize) else {
                            continue;
                        };
                        complex
                            .src
                            .iter()
                            .for_each(|slot| uses.read(*slot, number, at));
                        complex.dst.iter().for_each(|slot| uses.write(*slot, at));
                    }
                    None => {}
                }
            }
            match &block.terminator {
                Terminator::Return(values) => {
                    values
                        .iter()
                        .for_each(|slot| uses.read_at_end(*slot, number));
                }
                Terminator::Branch { condition, .. } => uses.read_at_end(*condition, number),
                Terminator::Switch { value, .. } => uses.read_at_end(*value, number),
                Terminator::Jump(_) | Terminator::Unreachable => {}
            }
            for edge in edges_of(block) {
                let Some(edge) = code.edges.get(edge as usize) else {
                    continue;
                };
                for at in edge.first..edge.end {
                    if let Some(Inst::Lane { dst, args, .. }) = code.insts.get(at as usize) {
                        args.iter().for_each(|slot| uses.read_at_end(*slot, number));
                        uses.write(*dst, at);
                    }
                }
            }
        }
        uses
    }
}

fn edges_of(block: &Block) -> Vec<u32> {
    match &block.terminator {
        Terminator::Jump(edge) => vec![*edge],
        Terminator::Branch {
            if_true, if_false, ..
        } => vec![*if_true, *if_false],
        Terminator::Switch { cases, default, .. } => {
            let mut edges: Vec<u32> = cases.iter().map(|(_, edge)| *edge).collect();
            edges.push(*default);
            edges.sort_unstable();
            edges.dedup();
            edges
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// Gives values the registers of the phis that they become, where that changes nothing.
pub(super) fn merge_phis(code: &mut FunctionCode) {
    let own_edge = |(number, block): (u32, &Block)| {
        let edges = edges_of(block).into_iter();
        let mut edges = edges.filter(|edge| {
            let edge = code.edges.get(*edge as usize);
            edge.is_some_and(|edge| edge.target == number && edge.first < edge.end)
        });
        edges.next().map(|edge| (number, edge))
    };
    let loops: Vec<(u32, u32)> = (0..).zip(&code.blocks).filter_map(own_edge).collect();
    if loops.is_empty() {
        return;
    }
    let mut uses = Uses::new(code);
    for (number, edge) in loops {
        merge_of_loop(code, &mut uses, number, edge);
    }
}

fn merge_of_loop(code: &mut FunctionCode, uses: &mut Uses, number: u32, edge: u32) {
    let Edge { first, end, .. } = code.edges[edge as usize];
    let block = code.blocks[number as usize].clone();
    let mut renamed: HashMap<RegisterSlot, RegisterSlot> = HashMap::default();
    for at in first..end {
        let Inst::Lane { dst: phi, args, .. } = code.insts[at as usize] else {
            continue;
        };
        let value = args[0];
        let (of_value, of_phi) = (uses.of(value).copied(), uses.of(phi).copied());
        let Some((of_value, of_phi)) = of_value.zip(of_phi) else {
            continue;
        };
        let is_computed_here = of_value.writes == 1
            && (block.first..block.end).contains(&of_value.written_at)
            && matches!(code.insts[of_value.written_at as usize], Inst::Lane { .. });
        let is_read_here = |read: u32| read == NOWHERE || read == number;
        if is_computed_here
            && is_read_here(of_value.block)
            && of_value.end == number
            && is_read_here(of_phi.block)
            && of_phi.last <= of_value.written_at
            && of_phi.end == NOWHERE
            && !renamed.contains_key(&value)
        {
            renamed.insert(value, phi);
        }
    }
    let rename = |slot: &mut RegisterSlot| {
        if let Some(phi) = renamed.get(slot) {
            *slot = *phi;
        }
    };
    if renamed.is_empty() {
        return;
    }
    let mut insts: Vec<u32> = (block.first..block.end).collect();
    for edge in edges_of(&block) {
        let edge = code.edges[edge as usize];
        insts.extend(edge.first..edge.end);
    }
    for at in insts {
        match &mut code.insts[at as usize] {
            Inst::Lane { dst, args, .. } => {
                rename(dst);
                args.iter_mut().for_each(rename);
            }
            Inst::Complex(index) => {
                let complex = &mut code.complex[*index as usize];
                complex.src.iter_mut().for_each(rename);
            }
        }
    }
    match &mut code.blocks[number as usize].terminator {
        Terminator::Return(values) => values.iter_mut().for_each(rename),
        Terminator::Branch { condition, .. } => rename(condition),
        Terminator::Switch { value, .. } => rename(value),
        Terminator::Jump(_) | Terminator::Unreachable => {}
    }
    // What is left of the edge: moves that do more than to copy a register to itself.
    let mut kept = first;
    for at in first..end {
        let inst = code.insts[at as usize];
        let is_needed = !matches!(inst, Inst::Lane { dst, args, .. } if dst == args[0]);
        if is_needed {
            code.insts[kept as usize] = inst;
            code.origins[kept as usize] = code.origins[at as usize];
            kept += 1;
        }
    }
    code.edges[edge as usize].end = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::lane_ops::LaneOp;
    use dxil_frontend::ir::InstId;

    fn word(index: u32) -> RegisterSlot {
        RegisterSlot::new(RegisterKind::W, index)
    }

    fn lane(op: LaneOp, dst: u32, args: &[u32]) -> Inst {
        let mut slots = [RegisterSlot::NONE; 3];
        for (slot, arg) in slots.iter_mut().zip(args) {
            *slot = word(*arg);
        }
        Inst::Lane {
            op,
            dst: word(dst),
            args: slots,
        }
    }

    /// A loop of one block with these instructions; on its way back `moves` take place.
    fn looped(insts: &[Inst], moves: &[(u32, u32)]) -> FunctionCode {
        let mut code = FunctionCode {
            insts: insts.to_vec(),
            narrow_slots: 8,
            ..FunctionCode::default()
        };
        let first = insts.len() as u32;
        let moves = moves.iter();
        code.insts
            .extend(moves.map(|&(to, from)| lane(LaneOp::MovW, to, &[from])));
        let end = code.insts.len() as u32;
        code.origins = vec![InstId::from_u32(0); code.insts.len()];
        let edge = |target, first, end| Edge { target, first, end };
        code.edges = vec![edge(0, first, end), edge(1, end, end)];
        let block = |first, end, terminator| Block {
            first,
            end,
            terminator,
            meets: None,
        };
        let again = Terminator::Branch {
            condition: word(7),
            if_true: 0,
            if_false: 1,
        };
        let result = Terminator::Return([word(2)].into());
        code.blocks = vec![block(0, first, again), block(end, end, result)];
        code
    }

    fn shape(code: &FunctionCode) -> String {
        let own = &code.edges[0];
        let insts = (0..code.blocks[0].end).chain(own.first..own.end);
        let text = insts.map(|at| match code.insts[at as usize] {
            Inst::Lane { dst, args, .. } => format!("{dst:?}={:?},{:?}", args[0], args[1]),
            Inst::Complex(_) => "complex".to_owned(),
        });
        text.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_value_is_computed_where_the_next_iteration_reads_it() {
        let sum = lane(LaneOp::Add32, 3, &[0, 1]);
        let test = lane(LaneOp::ULt32, 7, &[3, 1]);
        let mut code = looped(&[sum, test], &[(0, 3)]);
        merge_phis(&mut code);
        assert_eq!(shape(&code), "W0=W0,W1 W7=W0,W1");
    }

    #[test]
    fn a_phi_that_is_read_later_keeps_its_register() {
        let sum = lane(LaneOp::Add32, 3, &[0, 1]);
        for (case, late) in [
            ("in the block", lane(LaneOp::ULt32, 7, &[0, 1])),
            ("behind the loop", lane(LaneOp::ULt32, 7, &[3, 1])),
        ] {
            let mut code = looped(&[sum, late], &[(0, 3)]);
            if case == "behind the loop" {
                code.blocks[1].terminator = Terminator::Return([word(0)].into());
            }
            let before = shape(&code);
            merge_phis(&mut code);
            assert_eq!(shape(&code), before, "{case}");
        }
    }

    #[test]
    fn a_phi_that_another_move_reads_keeps_its_register() {
        // r0 takes the new value, r2 the old one of r0.
        let sum = lane(LaneOp::Add32, 3, &[2, 1]);
        let mut code = looped(&[sum], &[(2, 0), (0, 3)]);
        code.blocks[1].terminator = Terminator::Return([].into());
        let before = shape(&code);
        merge_phis(&mut code);
        assert_eq!(
            shape(&code),
            before,
            "r0 is read by the move behind the sum"
        );
    }

    #[test]
    fn a_value_that_is_read_behind_the_loop_stays() {
        let sum = lane(LaneOp::Add32, 2, &[0, 1]);
        let mut code = looped(&[sum], &[(0, 2)]);
        let before = shape(&code);
        merge_phis(&mut code);
        assert_eq!(shape(&code), before);
    }
}
