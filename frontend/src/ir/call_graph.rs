//! Which functions call which: neither DXIL nor SPIR-V has recursion (DXIL document, "Shader
//! restrictions"; SPIR-V specification, 2.16.1 "Universal Validation Rules").

use std::collections::BTreeMap;

use super::FuncId;

/// The calls between functions of a module.
#[derive(Debug, Clone, Default)]
pub struct CallGraph {
    callees: BTreeMap<FuncId, Vec<FuncId>>,
}

impl CallGraph {
    /// Adds a call.
    pub fn add(&mut self, caller: FuncId, callee: FuncId) {
        self.callees.entry(caller).or_default().push(callee);
    }

    /// Returns the first call by which a function calls itself, directly or through others: caller
    /// and callee.
    pub fn first_recursion(&self) -> Option<(FuncId, FuncId)> {
        let of = |id| self.callees.get(&id).map_or(&[][..], |list| list);
        recursive_calls(self.callees.keys().copied(), of).next()
    }
}

/// Returns the calls of functions that have not returned yet: caller and callee. A function calls
/// itself, directly or through others, if and only if there is one. Each call is visited once.
pub fn recursive_calls<'a>(
    functions: impl IntoIterator<Item = FuncId>,
    callees_of: impl Fn(FuncId) -> &'a [FuncId],
) -> impl Iterator<Item = (FuncId, FuncId)> {
    let mut functions = functions.into_iter();
    // Whether a function that was entered has not been left yet.
    let mut states: BTreeMap<FuncId, bool> = BTreeMap::new();
    let mut stack: Vec<(FuncId, &[FuncId])> = Vec::new();
    std::iter::from_fn(move || {
        loop {
            let Some((function, rest)) = stack.last_mut() else {
                let root = functions.next()?;
                let callees = callees_of(root);
                if !callees.is_empty() && !states.contains_key(&root) {
                    states.insert(root, true);
                    stack.push((root, callees));
                }
                continue;
            };
            let function = *function;
            let Some((&callee, others)) = rest.split_last() else {
                states.insert(function, false);
                stack.pop();
                continue;
            };
            *rest = others;
            match states.get(&callee) {
                Some(true) => return Some((function, callee)),
                Some(false) => {}
                None => {
                    states.insert(callee, true);
                    stack.push((callee, callees_of(callee)));
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(calls: &[(u32, u32)]) -> Option<(u32, u32)> {
        let mut graph = CallGraph::default();
        for &(caller, callee) in calls {
            graph.add(FuncId::from_u32(caller), FuncId::from_u32(callee));
        }
        let first = graph.first_recursion();
        first.map(|(caller, callee)| (caller.as_u32(), callee.as_u32()))
    }

    #[test]
    fn a_cycle_of_calls_is_recursion_and_a_shared_callee_is_not() {
        assert_eq!(first(&[]), None);
        assert_eq!(first(&[(0, 1), (0, 2), (1, 3), (2, 3)]), None);
        assert_eq!(first(&[(0, 1), (1, 1)]), Some((1, 1)));
        assert_eq!(first(&[(0, 1), (1, 2), (2, 0)]), Some((2, 0)));
        assert_eq!(first(&[(4, 5), (5, 6), (6, 5)]), Some((6, 5)));
    }
}
