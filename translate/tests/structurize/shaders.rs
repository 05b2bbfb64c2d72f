//! Compiled shaders: the rules hold, code does not grow, and source needs no selectors.

use dxil_checkout::files_of;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::FuncView;
use dxil_translate::cfg::{Cfg, unrotate_loops};
use dxil_translate::structurize;

#[test]
fn compiled_shaders_keep_their_size_and_need_no_dispatcher() {
    let folders = ["hwtests/shaders", "bench/shapes", "translate/filetests"];
    let files = files_of(&folders, "dxil");
    let mut functions = 0;
    let mut total = structurize::Statistics::default();
    for path in &files {
        let Ok(shader) = read_shader(&std::fs::read(path).unwrap()) else {
            continue;
        };
        for function in shader.module.bodies.iter() {
            let view = FuncView {
                module: &shader.module,
                function,
            };
            let mut cfg = Cfg::build(view).unwrap();
            unrotate_loops(&mut cfg, view);
            let form = structurize::run(cfg.clone()).unwrap();
            if let Err(error) = structurize::verify(&form, &cfg) {
                panic!("{}: {error}\n{}", path.display(), form.text());
            }
            let s = form.statistics;
            let limit = 2 * s.blocks_in + s.selections + 2 * s.loops;
            assert!(
                s.blocks_out <= limit && s.dispatchers == 0,
                "{}: more than {limit} blocks: {s:?}",
                path.display()
            );
            if s.selectors > 0 {
                println!("{}: {s:?}", path.display());
            }
            functions += 1;
            total.add(s);
        }
    }
    println!("{functions} functions: {total:?}");
    assert!(functions > 50, "only {functions} functions");
    assert!(total.blocks_out <= 2 * total.blocks_in, "{total:?}");
}
