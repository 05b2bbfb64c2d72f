//! Types of phis: what registers that join hold, decided for each live range by its uses.
//!
//! A phi is made before its operands and most of its uses are converted, and gets the type that
//! code mostly wants of the register. Compilers reuse registers for unrelated values, so that this
//! is often wrong for a single live range. Here all is known: phis that pass on each other's values
//! form a web, and each web gets the type that needs the fewest casts.
//!
//! The forms of a phi (`i32`, `float`, `i1`) are casts right after it. Where another form becomes
//! the phi, the two change places: the form is defined by the phi, and what was the phi by a cast
//! of it. No use has to be rewritten.

use super::body::BodyBuilder;
use super::context::{FunctionConverter, ReadType};
use super::ssa::Def;
use crate::ir::{CastOp, ValueId};
use crate::tables::HashMap;

/// Types of phis, in the order of [`Web::costs`].
const TYPES: [ReadType; 3] = [ReadType::Int, ReadType::Float, ReadType::Bool];

/// A phi and its forms.
#[derive(Debug)]
struct Phi {
    value: ValueId,
    /// As `i32`, `float` and `i1`, where code asks for it so.
    forms: [Option<ValueId>; 3],
    is_float: bool,
}

/// Phis that pass on each other's values.
#[derive(Debug, Clone, Default)]
struct Web {
    phis: Vec<u32>,
    /// Casts that each type would need.
    costs: [u32; 3],
    /// Whether an operand is neither true nor false.
    has_numbers: bool,
}

impl FunctionConverter<'_, '_> {
    /// Gives each web of phis the type that needs the fewest casts.
    pub(super) fn choose_phi_types(&mut self) {
        let phis: Vec<Phi> = self.phis_with_forms();
        if phis.is_empty() {
            return;
        }
        let mut form_of = HashMap::default();
        for (number, phi) in (0_u32..).zip(&phis) {
            for form in phi.forms.iter().flatten() {
                form_of.insert(*form, number);
            }
        }
        let used = self.used_values(&form_of);
        for web in self.webs(&phis, &form_of, &used) {
            let allowed = if web.has_numbers { 2 } else { 3 };
            let costs = web.costs.iter().take(allowed);
            let Some(cheapest) = costs.clone().min() else {
                continue;
            };
            // The type that most phis would keep, if it is as cheap as any.
            let float_phis = web.phis.iter().filter_map(|&phi| phis.get(phi as usize));
            let float_phis = float_phis.filter(|phi| phi.is_float).count();
            let present = usize::from(2 * float_phis > web.phis.len());
            let wanted = if web.costs.get(present) == Some(cheapest) {
                present
            } else {
                let found = costs.clone().position(|cost| cost == cheapest);
                found.unwrap_or(present)
            };
            self.retype(&web, &phis, wanted);
        }
        self.body.place_exchanged_phis();
    }

    /// Returns the phis that were not replaced.
    fn phis_with_forms(&self) -> Vec<Phi> {
        let live = self.body.live_phis();
        live.map(|value| {
            let is_float = self.body.type_of(value) == Some(self.f32());
            let form = |value, wanted| self.known_cast(value, wanted);
            let (int, float) = if is_float {
                (form(value, ReadType::Int), Some(value))
            } else {
                (Some(value), form(value, ReadType::Float))
            };
            Phi {
                value,
                forms: [int, float, int.and_then(|int| form(int, ReadType::Bool))],
                is_float,
            }
        })
        .collect()
    }

    /// Returns for each of the body's values whether an instruction uses it, other than phis and
    /// the casts between the forms of a phi.
    fn used_values(&self, form_of: &HashMap<ValueId, u32>) -> Vec<bool> {
        let mut used = vec![false; self.body.value_count()];
        self.body.for_each_use(|user, operand| {
            let is_form = user.is_some_and(|user| {
                let form = form_of.get(&user);
                form.is_some() && form == form_of.get(&operand)
            });
            if !is_form
                && let Some(used) = BodyBuilder::local(operand).and_then(|at| used.get_mut(at))
            {
                *used = true;
            }
        });
        used
    }

    /// Finds the webs, and what each type would cost them.
    fn webs(&self, phis: &[Phi], form_of: &HashMap<ValueId, u32>, used: &[bool]) -> Vec<Web> {
        let is_used = |value: ValueId| {
            let used = BodyBuilder::local(value).and_then(|at| used.get(at));
            used.copied().unwrap_or(true)
        };
        let count = u32::try_from(phis.len()).unwrap_or(u32::MAX);
        let mut parents: Vec<u32> = (0..count).collect();
        for (number, phi) in (0_u32..).zip(phis) {
            for value in self.body.incoming_of(phi.value) {
                if let Some(&other) = form_of.get(&value) {
                    unite(&mut parents, number, other);
                }
            }
        }
        let mut webs = vec![Web::default(); phis.len()];
        for (number, phi) in (0_u32..).zip(phis) {
            let root = root(&mut parents, number);
            let Some(web) = webs.get_mut(root as usize) else {
                continue;
            };
            web.phis.push(number);
            // Each form that code uses is a cast, but for the phi's own.
            for (cost, own) in web.costs.iter_mut().zip(phi.forms) {
                let others = phi
                    .forms
                    .iter()
                    .flatten()
                    .filter(|&&form| Some(form) != own);
                *cost += others.map(|&form| u32::from(is_used(form))).sum::<u32>();
            }
            for value in self.body.incoming_of(phi.value) {
                if !form_of.contains_key(&value) {
                    self.count_operand(web, value, &is_used);
                }
            }
        }
        webs.retain(|web| !web.phis.is_empty());
        webs
    }

    /// Counts the casts that an operand from outside of a web needs.
    fn count_operand(&self, web: &mut Web, value: ValueId, is_used: &impl Fn(ValueId) -> bool) {
        if let Some(bits) = self.body.constant_bits(value) {
            web.has_numbers |= bits.is_some_and(|bits| bits != 0 && bits != u64::from(u32::MAX));
            return;
        }
        let is_float = self.body.type_of(value) == Some(self.f32());
        let from = self.body.cast_operand(value).filter(|&from| {
            // What the converter cast itself; other casts are computations.
            TYPES
                .iter()
                .any(|&wanted| self.known_cast(value, wanted) == Some(from))
        });
        let from_type = from.and_then(|from| self.body.type_of(from));
        let is_mask = from_type == Some(self.i1());
        web.has_numbers |= !is_mask;
        for (cost, wanted) in web.costs.iter_mut().zip(TYPES) {
            let has_type = match wanted {
                ReadType::Int => !is_float,
                ReadType::Float => is_float,
                ReadType::Bool | ReadType::Half => false,
            };
            let is_origin = match wanted {
                ReadType::Bool => is_mask,
                _ => from_type == Some(self.scalar(wanted == ReadType::Float)),
            };
            // A cast that only phis use goes away with them.
            let is_free = is_origin || has_type && (from.is_none() || is_used(value));
            *cost += u32::from(!is_free);
        }
    }

    /// Gives the phis of a web a type, by its place in [`TYPES`].
    fn retype(&mut self, web: &Web, phis: &[Phi], wanted: usize) {
        let members = || web.phis.iter().filter_map(|&phi| phis.get(phi as usize));
        // All phis first: they are operands of each other.
        let mut changed = Vec::new();
        for phi in members() {
            let mut value = phi.value;
            if phi.is_float && wanted != 1 {
                let int = self.as_int(Def::Float(value));
                self.body.exchange_phi(value, int, CastOp::Bitcast);
                value = int;
            } else if !phi.is_float && wanted == 1 {
                let float = self.as_float(Def::Int(value));
                self.body.exchange_phi(value, float, CastOp::Bitcast);
                value = float;
            }
            if wanted == 2 {
                let test = self.as_bool(Def::Int(value));
                self.body.exchange_phi(value, test, CastOp::SExt);
                self.set_cast(test, ReadType::Int, value);
                value = test;
            }
            if value != phi.value {
                changed.push((phi.value, value));
            }
        }
        for (old, new) in changed {
            let mut incoming = self.body.take_incoming(old);
            for (value, _) in &mut incoming {
                *value = self.in_form(*value, wanted);
            }
            self.body.set_incoming(new, incoming);
        }
    }

    /// Returns an operand of a phi in another type.
    fn in_form(&mut self, value: ValueId, wanted: usize) -> ValueId {
        let ty = match wanted {
            0 => self.i32(),
            1 => self.f32(),
            _ => self.i1(),
        };
        if self.body.type_of(value) == Some(ty) {
            return value;
        }
        if let Some(bits) = self.body.constant_bits(value) {
            let bits = if wanted == 2 {
                bits.map(|bits| bits & 1)
            } else {
                bits
            };
            return self.body.constant(ty, wanted == 1, bits);
        }
        let def = self.def(value, self.body.type_of(value) == Some(self.f32()));
        match wanted {
            0 => self.as_int(def),
            1 => self.as_float(def),
            _ => self.as_bool(def),
        }
    }
}

/// Returns the root of a phi's web.
fn root(parents: &mut [u32], mut phi: u32) -> u32 {
    while let Some(&parent) = parents.get(phi as usize)
        && parent != phi
    {
        let above = parents.get(parent as usize).copied().unwrap_or(parent);
        if let Some(parent) = parents.get_mut(phi as usize) {
            *parent = above;
        }
        phi = above;
    }
    phi
}

/// Joins the webs of two phis. The smaller number becomes the root.
fn unite(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    if let Some(parent) = parents.get_mut(a.max(b) as usize) {
        *parent = a.min(b);
    }
}
