//! Runs the shaders of `filetests/`: translation, validation, and the checks in their comments.
//!
//! A test is an HLSL file with its compiled container beside it. Its comments say what to do:
//!
//! ```text
//! // dxc: -T cs_6_0 -E main            how the container was made (tools/compile-shaders.sh)
//! //! targets = vulkan1.3              instead of vulkan1.1 and vulkan1.3
//! //! without = FLOAT16 INT16          features to take away
//! //! options = bounds_checks          options to switch on
//! //! bind = b0 push 4 8               range 0 of the class lives in push-constant words 4..12
//! //! bind = u1 address 2              ... behind the device address in words 2 and 3
//! //! bind = t0 heap 3 1 100 5         ... in the heap at set 3, binding 1, from 100 + word 5 on (or `-`)
//! //! bind = t0 table 3 1 100 5 2 1   ... there in a table of addresses with 2 per descriptor, of which 1 counts
//! //! bind = b0 local push 0 8         ... where "local" makes the words those of the shader record
//! //! bind = local_tables 5 4          shifts of the handles of tables there: resources, samplers
//! //! bind = u0 texels 0 7 Rgba8Unorm  ... at set 0, binding 7, with that texel format
//! //! signature = dual_source          ... and other settings of `SignatureOptions`, see `signature` below
//! //! entry = closest                  the entry point, where there are several
//! // check: OpFAdd $f %a %b            a line with these words, after the last one that matched
//! // not:   OpUDiv                     no line has these words
//! // count: 2 OpSelect                 that many lines have these words
//! // error: shaderFloat64              translation fails with a message that has this text
//! ```
//!
//! DXIL that HLSL cannot express is a text, `NAME.ll`, with `;` before its comments.
//!
//! Each file is a test by itself: `cargo test -p dxil-translate --test filetests -- waves/` runs
//! those of one folder.
//!
//! A test may keep its whole module: where `NAME.spvasm` lies beside it, the module for the last
//! target must be that text, so that a change shows what it does to code. `BLESS=1` writes such
//! files again; an empty file starts one.
//!
//! Ids are renumbered in order of appearance; `$x` stands for any id, the same one in a file.
//! Checks hold for every target.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod check;
mod spec;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dxil_checkout::files;
use dxil_translate::{Features, VulkanVersion, translate_bytes};
use dxil_validator::{Environment, Rules, validate};
use libtest_mimic::{Arguments, Failed, Trial};

use check::{disassemble, run_checks};
use spec::{options, parse};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let name_of = |path: &Path| {
        let name = path.strip_prefix(&root).unwrap().with_extension("");
        name.display().to_string().replace('\\', "/")
    };
    let mut trials: Vec<Trial> = paths
        .into_iter()
        .map(|path| Trial::test(name_of(&path), move || run(&path)))
        .collect();
    let texts = root.clone();
    trials.push(Trial::test("every_text_has_a_test", move || {
        texts_have_tests(&texts)
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Translates a file for each of its targets and looks at what comes out.
fn run(path: &Path) -> Result<(), Failed> {
    let spec = parse(&std::fs::read_to_string(path)?);
    let bytes = std::fs::read(path.with_extension("dxil"))?;
    let mut last = None;
    for &vulkan in &spec.targets {
        let options = options(&spec, vulkan);
        let rules = Rules {
            scalar_block_layout: options
                .target
                .features
                .contains(Features::SCALAR_BLOCK_LAYOUT),
            ..Rules::strict(environment(vulkan))
        };
        let failed =
            |problem: &dyn std::fmt::Display| Failed::from(format!("{vulkan:?}: {problem}"));
        match (translate_bytes(&bytes, &options), &spec.error) {
            (Ok(_), Some(error)) => return Err(failed(&format!("no error, not `{error}`"))),
            (Err(error), Some(text)) if error.to_string().contains(text.as_str()) => {}
            (Err(error), _) => return Err(failed(&error)),
            (Ok(translation), None) => {
                let lines = disassemble(&translation.words);
                run_checks(&spec, &lines).map_err(|problem| failed(&problem))?;
                let environment = rules.environment.of_module(&translation.words);
                let rules = Rules {
                    environment,
                    ..rules
                };
                validate(&translation.words, rules).map_err(|failure| failed(&failure))?;
                last = Some((vulkan, lines));
            }
        }
    }
    match last {
        Some((vulkan, lines)) => compare_text(path, vulkan, &lines),
        None => Ok(()),
    }
}

/// Compares the module with the text beside the test, if there is one, or writes the text again.
fn compare_text(path: &Path, vulkan: VulkanVersion, lines: &[Vec<String>]) -> Result<(), Failed> {
    let file = path.with_extension("spvasm");
    let Ok(kept) = std::fs::read_to_string(&file) else {
        return Ok(());
    };
    let mut text = format!("; {vulkan:?}\n");
    // What stands before the first instruction says who wrote the module, and how many ids it has.
    for line in lines
        .iter()
        .filter(|line| line.first().is_none_or(|word| word != ";"))
    {
        text += &line.join(" ");
        text.push('\n');
    }
    if kept == text {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, text)?;
        return Ok(());
    }
    let (kept, made): (Vec<_>, Vec<_>) = (kept.lines().collect(), text.lines().collect());
    let same = kept.iter().zip(&made).take_while(|(a, b)| a == b).count();
    let line = |lines: &[&str]| lines.get(same).copied().unwrap_or("(end)").to_owned();
    Err(Failed::from(format!(
        "{}, line {}: the module has\n  {}\nand the text\n  {}\n(BLESS=1 writes the text again)",
        file.display(),
        same + 1,
        line(&made),
        line(&kept),
    )))
}

/// Checks that each text has a test.
fn texts_have_tests(root: &Path) -> Result<(), Failed> {
    let texts = files(root, "spvasm");
    let stale = |text: &&PathBuf| {
        !["hlsl", "ll"]
            .iter()
            .any(|source| text.with_extension(source).exists())
    };
    match texts.iter().find(stale) {
        Some(text) => Err(Failed::from(format!("{} has no test", text.display()))),
        None if texts.len() < MIN_TEXTS => Err(Failed::from(format!(
            "{} texts of whole modules, fewer than {MIN_TEXTS}",
            texts.len()
        ))),
        None => Ok(()),
    }
}

/// Minimum number of tests that keep their whole modules.
const MIN_TEXTS: usize = 60;

fn environment(vulkan: VulkanVersion) -> Environment {
    match vulkan {
        VulkanVersion::V1_1 => Environment::Vulkan1_1,
        VulkanVersion::V1_2 => Environment::Vulkan1_2,
        VulkanVersion::V1_3 => Environment::Vulkan1_3,
        VulkanVersion::V1_4 => Environment::Vulkan1_4,
    }
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for extension in ["hlsl", "ll"] {
        into.extend(files(folder, extension));
    }
}
