//! Walks the blocks of functions in naga's IR.

use naga::{Block, Function, Module, Statement};

/// Calls `visit` for a block and all blocks in it, the inner ones first.
pub(super) fn for_each_block(block: &mut Block, visit: &mut impl FnMut(&mut Block)) {
    for statement in block.iter_mut() {
        match statement {
            Statement::Block(inner) => for_each_block(inner, visit),
            Statement::If { accept, reject, .. } => {
                for_each_block(accept, visit);
                for_each_block(reject, visit);
            }
            Statement::Switch { cases, .. } => {
                for case in cases {
                    for_each_block(&mut case.body, visit);
                }
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                for_each_block(body, visit);
                for_each_block(continuing, visit);
            }
            _ => {}
        }
    }
    visit(block);
}

/// Returns the functions of a module and those of its entry points.
pub(super) fn functions_mut(module: &mut Module) -> impl Iterator<Item = &mut Function> {
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    let points = module.entry_points.iter_mut();
    functions.chain(points.map(|point| &mut point.function))
}

/// Returns the functions of a module and those of its entry points.
pub(super) fn functions(module: &Module) -> impl Iterator<Item = &Function> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let points = module.entry_points.iter();
    functions.chain(points.map(|point| &point.function))
}
