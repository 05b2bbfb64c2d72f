//! Selections, loops and switches of structured tokens as blocks and regions (D3D11.3 functional
//! specification, 22.7).

use super::flow::{Exit, FlowBlock, RegionKind};
use super::flow_builder::{EdgeRole, FlowBuilder, Frame, FrameKind, OpenEdge};
use super::rotation::Rotation;
use crate::dxbc::opcode::Opcode;
use crate::dxbc::tokens::{File, Operand};
use crate::error::{Error, Result};

impl FlowBuilder {
    pub(super) fn begin_if(&mut self, at: u32) -> Result<()> {
        self.begin_selection(at, true)
    }

    /// Starts an `if` around a loop, which is skipped if an instruction's condition for leaving it
    /// holds.
    pub(super) fn begin_guard(&mut self, exit: u32) -> Result<()> {
        self.begin_selection(exit, false)
    }

    /// Starts a selection whose first arm is entered if an instruction's condition holds, or fails.
    fn begin_selection(&mut self, at: u32, is_entered_if: bool) -> Result<()> {
        let construct = self.open(FrameKind::If { other: None })?;
        let Some((holds, fails)) = self.branch(at) else {
            return Ok(());
        };
        let (entered, skipped) = if is_entered_if {
            (holds, fails)
        } else {
            (fails, holds)
        };
        let then = self.arm(construct);
        self.connect(entered, then);
        if let Some(Frame {
            kind: FrameKind::If { other },
            ..
        }) = self.frames.last_mut()
        {
            *other = Some(skipped);
        }
        Ok(())
    }

    pub(super) fn begin_else(&mut self) -> Result<()> {
        let edge = self.leave();
        self.close_region(self.sequence);
        let Some(Frame {
            kind: FrameKind::If { other },
            construct,
            exits,
            ..
        }) = self.frames.last_mut()
        else {
            return Err(Error::malformed("else without if"));
        };
        exits.extend(edge);
        let Some(other) = other.take() else {
            return Err(Error::malformed("a second else"));
        };
        let construct = *construct;
        let block = self.arm(construct);
        self.connect(other, block);
        Ok(())
    }

    pub(super) fn end_if(&mut self) -> Result<()> {
        let frame = self.pop(|kind| matches!(kind, FrameKind::If { .. }), "endif")?;
        let mut exits = frame.exits;
        if let FrameKind::If { other } = frame.kind {
            // The end of the branch comes first, which keeps predecessors in order.
            exits.extend(self.leave());
            exits.extend(other);
        }
        self.close(exits, frame.construct);
        Ok(())
    }

    /// Starts a loop. `rotation` says what comes at its end.
    pub(super) fn begin_loop(&mut self, rotation: Option<Rotation>) -> Result<()> {
        let construct = self.open(FrameKind::Loop { entry: 0, rotation })?;
        let edge = self.leave();
        let entry = self.arm(construct);
        if let Some(edge) = edge {
            self.connect(edge, entry);
        }
        self.set_sequence_kind(RegionKind::LoopBody { entry });
        if let Some(Frame {
            kind: FrameKind::Loop { entry: known, .. },
            ..
        }) = self.frames.last_mut()
        {
            *known = entry;
        }
        Ok(())
    }

    /// Leaves the innermost loop, which is the innermost construct, if an instruction's condition
    /// holds.
    pub(super) fn leave_if(&mut self, exit: u32) {
        let Some((holds, fails)) = self.branch(exit) else {
            return;
        };
        let Some(Frame {
            kind: FrameKind::Loop { entry, .. },
            exits,
            ..
        }) = self.frames.last_mut()
        else {
            return;
        };
        exits.push(holds);
        let entry = *entry;
        self.connect(fails, entry);
    }

    pub(super) fn end_loop(&mut self) -> Result<()> {
        let frame = self.pop(|kind| matches!(kind, FrameKind::Loop { .. }), "endloop")?;
        if let (Some(edge), FrameKind::Loop { entry, .. }) = (self.leave(), frame.kind) {
            self.connect(edge, entry);
        }
        self.close(frame.exits, frame.construct);
        Ok(())
    }

    /// Converts `break`, `continue` and their conditional forms.
    pub(super) fn jump(&mut self, at: u32, opcode: Opcode) -> Result<()> {
        use Opcode as O;
        let is_break = matches!(opcode, O::Break | O::Breakc);
        let is_conditional = matches!(opcode, O::Breakc | O::Continuec);
        if self.current.is_none() {
            return Ok(());
        }
        let target = self.frames.last().and_then(|frame| {
            if is_break {
                frame.innermost_break
            } else {
                frame.innermost_loop
            }
        });
        let frame = target.and_then(|target| self.frames.get(target));
        let continues_at = match frame.map(|frame| &frame.kind) {
            Some(FrameKind::Loop { entry, .. }) => Some(*entry),
            Some(FrameKind::Switch { .. }) => None,
            _ => {
                return Err(Error::malformed(format!(
                    "{} outside of a loop or switch",
                    opcode.mnemonic()
                )));
            }
        };
        let (edge, on) = if is_conditional {
            match self.branch(at) {
                Some((taken, on)) => (Some(taken), Some(on)),
                None => (None, None),
            }
        } else {
            (self.leave(), None)
        };
        match (edge, continues_at.filter(|_| !is_break)) {
            (Some(edge), Some(entry)) => self.connect(edge, entry),
            (Some(edge), None) => {
                if let Some(frame) = target.and_then(|target| self.frames.get_mut(target)) {
                    frame.exits.push(edge);
                }
            }
            (None, _) => {}
        }
        if let Some(on) = on {
            self.go_on(on);
        }
        Ok(())
    }

    pub(super) fn begin_switch(&mut self, at: u32) -> Result<()> {
        let Some(head) = self.current else {
            return Ok(());
        };
        self.open(FrameKind::Switch {
            head,
            has_default: false,
            fresh: None,
        })?;
        self.set_exit(
            head,
            Exit::Switch {
                instruction: at,
                cases: Vec::new(),
                default: u32::MAX,
            },
        );
        self.current = None;
        Ok(())
    }

    /// Converts `case`, with its value, or `default`, which has none.
    pub(super) fn label(&mut self, opcode: Opcode, value: Option<&Operand>) -> Result<()> {
        let Some(Frame {
            kind: FrameKind::Switch { head, fresh, .. },
            construct,
            ..
        }) = self.frames.last()
        else {
            return Err(Error::malformed("a case label outside of a switch"));
        };
        let (head, fresh, construct) = (*head, *fresh, *construct);
        // D3D11.3 functional specification, 22.7.12: labels in a row share a block.
        let is_fresh = fresh.is_some_and(|block| {
            let data = self.flow.blocks.get(block as usize);
            self.current == fresh && data.is_some_and(|data| data.steps.is_empty())
        });
        let block = match fresh.filter(|_| is_fresh) {
            Some(block) => block,
            None => {
                let falls = self.leave();
                self.close_region(self.sequence);
                let block = self.arm(construct);
                if let Some(edge) = falls {
                    self.connect(edge, block);
                    // D3D11.3 functional specification, 22.7.18: D3D10 allowed a case with code to
                    // fall through to the next one.
                    self.set_sequence_kind(RegionKind::JoinedArm { entry: block });
                }
                block
            }
        };
        let value = match opcode {
            Opcode::Case => match value.filter(|operand| operand.file == File::Immediate32) {
                // D3D11.3 functional specification, 22.7.12: the label is an immediate.
                Some(operand) => Some(operand.words[0]),
                None => return Err(Error::malformed("a case label that is no constant")),
            },
            _ => None,
        };
        if let Some(Frame {
            kind: FrameKind::Switch {
                has_default, fresh, ..
            },
            ..
        }) = self.frames.last_mut()
        {
            *fresh = Some(block);
            if value.is_none() {
                // D3D11.3 functional specification, 22.7.13: a switch has one default.
                if *has_default {
                    return Err(Error::malformed("a switch has two defaults"));
                }
                *has_default = true;
            }
        }
        if let Some(FlowBlock {
            exit: Exit::Switch { cases, default, .. },
            ..
        }) = self.flow.blocks.get_mut(head as usize)
        {
            match value {
                Some(value) => cases.push((value, block)),
                None => *default = block,
            }
        }
        Ok(())
    }

    pub(super) fn end_switch(&mut self) -> Result<()> {
        let frame = self.pop(|kind| matches!(kind, FrameKind::Switch { .. }), "endswitch")?;
        let FrameKind::Switch {
            head,
            has_default,
            fresh,
        } = frame.kind
        else {
            return Ok(());
        };
        let mut exits = frame.exits;
        exits.extend(self.leave());
        if fresh.is_none() {
            // No label at all: the sequence is still the one around the switch.
            self.sequence = self.add_region(RegionKind::Arm, frame.construct);
        }
        // Values without a label go after the switch.
        if !has_default {
            exits.push(OpenEdge {
                block: head,
                role: EdgeRole::Default,
            });
        }
        self.close(exits, frame.construct);
        Ok(())
    }
}
