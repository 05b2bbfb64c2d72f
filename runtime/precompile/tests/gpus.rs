//! `--gpus`: a library on GPUs that need not be there. RADV without a kernel interface comes with
//! the driver of the other tests.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use common::{checkout, summary, text};

#[test]
fn a_library_is_compiled_for_gpus_and_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library");
    std::fs::create_dir(&library).unwrap();
    let shaders = [
        "runtime/tests/data/saxpy.dxil",
        "hwtests/pipelines/quadrants_vs.dxil",
        "hwtests/pipelines/quadrants_ps.dxil",
        "hwtests/pipelines/quadrants.yaml",
    ];
    for shader in shaders {
        let name = shader.rsplit('/').next().unwrap();
        std::fs::copy(checkout(shader), library.join(name)).unwrap();
    }
    std::fs::write(library.join("bad.dxil"), "DXBC").unwrap();
    let cache = folder.path().join("cache");
    let gpus = ["navi31@radv-null", "navi21@radv-null"];
    let list = gpus.join(",");
    let arguments = [text(&library), "--out", text(&cache), "--gpus", &list];
    let (exit, report) = summary(&arguments);
    assert_eq!(exit, 3, "one file is malformed: {report:#}");
    for gpu in gpus {
        let counts = &report["gpus"][gpu];
        // The compute pipeline and the draw, whose stages are an executable each.
        assert_eq!(counts["compiled"], 2, "{report:#}");
        assert_eq!(counts["failed"], 0);
        assert_eq!(counts["executables"], 3);
        let instructions = &counts["statistics"]["instructions"];
        let (sum, most) = (&instructions["sum"], &instructions["maximum"]);
        assert!(most.as_f64().unwrap() > 0.0, "{report:#}");
        assert!(sum.as_f64() > most.as_f64(), "{report:#}");
    }
}
