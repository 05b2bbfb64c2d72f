//! The WGSL of every checked-in shader in a browser's WebGPU: a headless Chromium compiles it, and
//! makes the pipelines of compute shaders.
//!
//! Without a browser, the test says so and checks nothing: `tools/setup-vulkan.sh browser` brings
//! one. `browser_refusals.txt` lists the shaders whose WGSL is for wgpu alone, since WebGPU lacks
//! what they need.

#![allow(
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and shows what it has seen"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use dxil_checkout::{root, shaders};
use dxil_frontend::container::Container;
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_hwtests::browser::{self, Site};
use dxil_runtime::language::{self, Language, PortableModule};
use dxil_runtime::program::{CompileOptions, Program, ShaderCode};
use dxil_translate::VulkanVersion;

/// Returns the stage and the WGSL of a shader; none if there is no such text.
fn wgsl(path: &Path) -> Option<(ShaderKind, String)> {
    let bytes = std::fs::read(path).unwrap();
    let shader = read_shader(&bytes).ok()?;
    let root = Container::parse(&bytes).ok()?.root_signature().ok()?;
    let profile = language::profile(VulkanVersion::V1_3, Language::Wgsl);
    let options = CompileOptions::default();
    let program = Program::compile(&shader, root.as_ref(), &profile, &|_| None, &options).ok()?;
    let stage = program.stages.first()?;
    let ShaderCode::SpirV(words) = &stage.code else {
        return None;
    };
    let module = PortableModule::read(words).ok()?;
    let text = module
        .write(Language::Wgsl, stage.kind, &stage.entry)
        .ok()?;
    Some((stage.kind, text))
}

#[test]
fn a_browser_compiles_the_wgsl_of_every_shader() {
    let Some(command) = browser::find() else {
        eprintln!("not checked: there is no Chromium (tools/setup-vulkan.sh browser brings one)");
        return;
    };
    let mut texts = Vec::new();
    let mut count = 0;
    for path in shaders() {
        let Some((kind, text)) = wgsl(&path) else {
            continue;
        };
        let name = path.strip_prefix(root()).unwrap().with_extension("");
        let kind = match kind {
            ShaderKind::Compute => "compute",
            _ => "raster",
        };
        texts.push(format!("{}\0{kind}\0{text}\0", name.display()));
        count += 1;
    }
    let mut site = Site::default();
    let page = include_bytes!("browser.html").to_vec();
    site.files.insert("/".to_owned(), page);
    site.files
        .insert("/shaders".to_owned(), texts.concat().into_bytes());
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let answers = site
        .visit(&command, &profile, Duration::from_secs(500))
        .unwrap();
    let mut said = BTreeMap::new();
    for answer in answers {
        let answer = String::from_utf8(answer).unwrap();
        let (name, message) = answer.split_once('\0').unwrap();
        said.insert(name.to_owned(), message.to_owned());
    }
    assert_eq!(said.len(), count, "{said:?}");
    let listed = include_str!("browser_refusals.txt");
    let mut problems = Vec::new();
    let mut expected: BTreeMap<&str, &str> = listed
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once(": ").unwrap())
        .collect();
    for (name, message) in &said {
        match (expected.remove(name.as_str()), message.is_empty()) {
            (None, true) => {}
            (Some(reason), false) if message.contains(reason) => {}
            (Some(reason), _) => {
                problems.push(format!("{name}: listed with {reason:?}: {message}"))
            }
            (None, false) => problems.push(format!("{name}: {message}")),
        }
    }
    problems.extend(
        expected
            .keys()
            .map(|name| format!("{name}: listed, and has no WGSL")),
    );
    println!("{count} shaders, {} listed", listed.lines().count());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
