//! Generated shaders that are checked in with what DXC made of them: all forms must agree. The
//! reduced ones among them once did not.

use dxil_differential::compare::{Configuration, Devices, Forms, compare};
use dxil_differential::generate;
use dxil_runtime::{Backend, Checks, OpenOptions, device};

#[test]
fn all_forms_of_the_checked_in_shaders_agree() {
    let native = device::open(&OpenOptions::new(Backend::Vulkan)).expect("a Vulkan device");
    let mut options = OpenOptions::new(Backend::Cpu);
    options.wave_size = Some(native.profile().subgroup_sizes.1);
    options.checks = Checks::standard();
    let devices = Devices {
        native: Some(native),
        portable: None,
        cpu: Some(device::open(&options).expect("the CPU executor")),
    };
    let shaders = dxil_checkout::files_of(&["hwtests/differential/corpus"], "hlsl");
    assert!(shaders.len() >= 6, "{} shaders", shaders.len());
    for path in shaders {
        let name = path.display();
        let forms = Forms::recorded(&path).unwrap_or_else(|error| unreachable!("{error}"));
        let report = compare(&devices, &forms);
        assert!(report.is_clean(), "{name}: {report:#?}");
        assert_eq!(
            report.ran,
            [
                Configuration::Optimized,
                Configuration::Unoptimized,
                Configuration::Dxc,
                Configuration::Cpu,
                Configuration::CpuUnoptimized,
            ],
            "{name}: {report:#?}"
        );
    }
}

#[test]
fn a_seed_has_one_shader_and_each_seed_its_own() {
    let text = |seed| generate::shader(seed).text;
    assert_eq!(text(7), text(7));
    let mut texts: Vec<String> = (0..200).map(text).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 200);
}

#[test]
fn generated_shaders_are_balanced_and_say_how_they_are_compiled() {
    for seed in 0..200 {
        let text = generate::shader(seed).text;
        let mut lines = text.lines();
        assert!(
            lines
                .next()
                .is_some_and(|line| line.starts_with("// dxc: -T cs_6_"))
        );
        assert!(
            lines
                .next()
                .is_some_and(|line| line.starts_with("// groups: "))
        );
        for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
            let count = |wanted| text.chars().filter(|c| *c == wanted).count();
            assert_eq!(count(open), count(close), "seed {seed}: {open}");
        }
    }
}
