//! The shapes that compilers make of structured source stay what they were:
//! `filetests/structurize/*.txt`.
//!
//! A file has the graph, a line of dashes, and the structured form. `BLESS=1` writes the latter.
//! Lines with `#` say what it is about. Files named `forced_*` are shapes that SPIR-V cannot
//! express without a selector, and say why.

use dxil_checkout::files_of;
use dxil_translate::cfg::Cfg;
use dxil_translate::structurize;

#[test]
fn typical_shapes_are_kept() {
    let files = files_of(&["translate/filetests/structurize"], "txt");
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    for path in &files {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(path).unwrap();
        let (graph, wanted) = text.split_once("----\n").unwrap_or((&text, ""));
        let lines = graph.lines().filter(|line| !line.starts_with('#'));
        let cfg = Cfg::parse(&lines.collect::<Vec<_>>().join(";")).unwrap();
        let form = structurize::run(cfg.clone()).unwrap();
        structurize::verify(&form, &cfg).unwrap();
        let found = form.text();
        let statistics = form.statistics;
        let is_forced = name.starts_with("forced_");
        if is_forced {
            assert!(graph.starts_with("# "), "{name} does not say why");
            assert!(statistics.selectors > 0, "{name} needs no selector");
        }
        let extra = [
            if is_forced { 0 } else { statistics.selectors },
            statistics.dispatchers,
            statistics.repaired_phis,
            statistics.duplicated_blocks,
        ];
        if extra != [0; 4] {
            failures.push_str(&format!("{name}: {statistics:?}\n{found}\n"));
        }
        if bless {
            std::fs::write(path, format!("{}\n----\n{found}", graph.trim())).unwrap();
        } else if found != wanted {
            failures.push_str(&format!(
                "{name}: wanted\n{wanted}but found\n{found}(BLESS=1 rewrites)\n"
            ));
        }
    }
    assert!(files.len() >= 40, "only {} shapes", files.len());
    assert!(failures.is_empty(), "{failures}");
}
