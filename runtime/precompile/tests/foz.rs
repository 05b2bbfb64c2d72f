//! Fossilize archives, read by the format's own description ("StreamArchive database format" in
//! fossilize_db.cpp) with a reader of the test's own.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use common::{checkout, precompile, summary, text};
use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, ContainerBuilder, Signing};
use serde_json::Value;

/// Entries of an archive by tag and hash.
type Entries = BTreeMap<(u32, u64), Vec<u8>>;

fn read(bytes: &[u8]) -> Entries {
    let (start, mut rest) = bytes.split_at(16);
    assert_eq!(&start[..12], b"\x81FOSSILIZEDB");
    assert_eq!(&start[12..], [0, 0, 0, 6]);
    let mut entries = BTreeMap::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_at(40);
        let name = std::str::from_utf8(name).unwrap();
        let tag = u32::from_str_radix(&name[..24], 16).unwrap();
        let hash = u64::from_str_radix(&name[24..], 16).unwrap();
        let (words, after) = after.split_at(16);
        let word = |n: usize| u32::from_le_bytes(words[n * 4..][..4].try_into().unwrap());
        let (stored, flags, crc, size) = (word(0), word(1), word(2), word(3));
        let (payload, after) = after.split_at(stored as usize);
        assert_eq!(crc, crc32(payload));
        assert_eq!(flags, 2, "deflate");
        let mut out = Vec::new();
        flate2::read::ZlibDecoder::new(payload)
            .read_to_end(&mut out)
            .unwrap();
        assert_eq!(out.len(), size as usize);
        assert_eq!(entries.insert((tag, hash), out), None, "an entry twice");
        rest = after;
    }
    entries
}

/// The checksum of ISO 3309, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            let carry = crc & 1;
            (crc >> 1) ^ (0xedb8_8320 * carry)
        })
    })
}

/// Returns the only resource of an entry.
fn resource(entry: &[u8], key: &str, hash: u64) -> Value {
    let json = entry.split(|byte| *byte == 0).next().unwrap();
    let document: Value = serde_json::from_slice(json).unwrap();
    assert_eq!(document["version"], 6);
    document[key][format!("{hash:016x}")].clone()
}

fn hash(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().unwrap(), 16).unwrap()
}

/// Returns the words of a module's entry.
fn words(entry: &[u8], hash: u64) -> Vec<u32> {
    let module = resource(entry, "shaderModules", hash);
    let at = entry.iter().position(|byte| *byte == 0).unwrap() + 1;
    let code = &entry[at..];
    assert_eq!(module["varintSize"], code.len());
    let mut words = Vec::new();
    let (mut word, mut shift) = (0u32, 0);
    for byte in code {
        word |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            words.push(word);
            (word, shift) = (0, 0);
        }
    }
    assert_eq!(module["codeSize"], words.len() * 4);
    words
}

/// Makes an archive with a cache in a folder. Returns the report and the entries.
fn archive(folder: &Path, arguments: &[&str]) -> (Value, Entries) {
    let (archive, cache) = (folder.join("x.foz"), folder.join("cache"));
    let outputs = ["--out", text(&cache), "--foz", text(&archive)];
    let (exit, report) = summary(&[arguments, &outputs].concat());
    assert_eq!(exit, 0, "{report:#}");
    (report, read(&fs::read(&archive).unwrap()))
}

#[test]
fn an_archive_has_each_pipeline_with_all_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let source = checkout("hwtests/pipelines");
    let (report, entries) = archive(folder.path(), &[text(&source)]);
    let count = |tag: u32| entries.keys().filter(|(own, _)| *own == tag).count();
    for (tag, name) in [
        (2, "set_layouts"),
        (3, "pipeline_layouts"),
        (4, "modules"),
        (6, "graphics"),
        (7, "compute"),
        (9, "ray_tracing"),
    ] {
        assert_eq!(
            count(tag),
            report["archive"][name].as_u64().unwrap() as usize,
            "{name}"
        );
        assert!(count(tag) > 0, "{name}");
    }
    assert_eq!(count(0), 1, "the application");
    let layout = |value: &Value| {
        let hash = hash(&value["layout"]);
        let layout = resource(&entries[&(3, hash)], "pipelineLayouts", hash);
        for set in layout["setLayouts"].as_array().unwrap() {
            let set = self::hash(set);
            let set = resource(&entries[&(2, set)], "setLayouts", set);
            assert!(set["bindings"].is_array());
        }
    };
    let stage = |stage: &Value| {
        let hash = hash(&stage["module"]);
        let words = words(&entries[&(4, hash)], hash);
        assert_eq!(words[0], 0x0723_0203, "a SPIR-V module");
    };
    for ((tag, hash), entry) in &entries {
        match tag {
            7 => {
                let pipeline = resource(entry, "computePipelines", *hash);
                layout(&pipeline);
                // VK_SHADER_STAGE_COMPUTE_BIT.
                assert_eq!(pipeline["stage"]["stage"], 0x20);
                stage(&pipeline["stage"]);
            }
            6 => {
                let pipeline = resource(entry, "graphicsPipelines", *hash);
                layout(&pipeline);
                pipeline["stages"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .for_each(stage);
                // VkPipelineRenderingCreateInfo, and one target.
                assert_eq!(pipeline["pNext"][0]["sType"], 1_000_044_002);
                let formats = &pipeline["pNext"][0]["colorAttachmentFormats"];
                let blends = pipeline["colorBlendState"]["attachments"]
                    .as_array()
                    .unwrap();
                assert_eq!(formats.as_array().unwrap().len(), blends.len());
            }
            9 => {
                let pipeline = resource(entry, "raytracingPipelines", *hash);
                layout(&pipeline);
                let stages = pipeline["stages"].as_array().unwrap();
                stages.iter().for_each(stage);
                let groups = pipeline["groups"].as_array().unwrap();
                // VK_SHADER_UNUSED_KHR, or a stage.
                for group in groups {
                    for shader in ["generalShader", "closestHitShader", "anyHitShader"] {
                        let index = group[shader].as_u64().unwrap();
                        assert!(index == 0xffff_ffff || (index as usize) < stages.len());
                    }
                }
            }
            _ => {}
        }
    }
    // The words are those of the cache: the same library again gives the same entries, in any
    // order.
    let (_, again) = archive(folder.path(), &[text(&source)]);
    assert_eq!(entries, again);
}

#[test]
fn a_root_signature_beside_a_shader_decides_as_one_inside_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let original = checkout("hwtests/shaders/bindings/root_signature.dxil");
    let bytes = fs::read(&original).unwrap();
    let mut builder = ContainerBuilder::of(&Container::parse(&bytes).unwrap());
    fs::write(at("root.rts"), builder.part(FourCc::RTS0).unwrap()).unwrap();
    assert!(builder.remove(FourCc::RTS0));
    fs::write(at("bare.dxil"), builder.build(Signing::Digest).unwrap()).unwrap();
    fs::write(at("game.txt"), "bare.dxil root.rts\n").unwrap();
    let archive = |arguments: &[&str]| archive(folder.path(), arguments).1;
    let inside = archive(&[text(&original)]);
    let layouts = |entries: &Entries| {
        let kept = entries.iter().filter(|((tag, _), _)| [2, 3].contains(tag));
        kept.map(|(key, entry)| (*key, entry.clone()))
            .collect::<Entries>()
    };
    let (bare, root, list) = (at("bare.dxil"), at("root.rts"), at("game.txt"));
    assert_ne!(layouts(&archive(&[text(&bare)])), layouts(&inside));
    let beside = [text(&bare), "--root-signature", text(&root)];
    assert_eq!(archive(&beside), inside);
    assert_eq!(archive(&[text(&list)]), inside);
    // And through a database.
    let database = at("game.sodb");
    let made = precompile(&[&beside[..], &["--make", text(&database)]].concat());
    assert!(made.status.success());
    assert_eq!(archive(&[text(&database)]), inside);
}

#[test]
fn lone_stages_become_pipelines_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library");
    fs::create_dir(&library).unwrap();
    // With the stages that a pipeline of each has to have (VkGraphicsPipelineCreateInfo): vertex 1,
    // tessellation 2 and 4, geometry 8, fragment 16, mesh 128.
    let shaders = [
        ("raster/clip_vs.dxil", 1),
        ("raster/clip_ps.dxil", 1 | 16),
        ("tess/lines_hs.dxil", 1 | 2 | 4),
        ("raster/indices_gs.dxil", 1 | 8),
        ("mesh/lines_ms.dxil", 128),
    ];
    for (shader, _) in shaders {
        let name = shader.rsplit('/').next().unwrap();
        let from = checkout("hwtests/shaders").join(shader);
        fs::copy(from, library.join(name)).unwrap();
    }
    let (report, _) = archive(folder.path(), &[text(&library)]);
    assert_eq!(report["archive"]["modules"], 5);
    assert_eq!(report["archive"]["graphics"], 0);
    let (report, entries) = archive(folder.path(), &[text(&library), "--complete"]);
    assert_eq!(report["archive"]["graphics"], 5, "{report:#}");
    let pipelines = entries.iter().filter(|((tag, _), _)| *tag == 6);
    let mut found: Vec<u64> = pipelines
        .map(|((_, hash), entry)| {
            let pipeline = resource(entry, "graphicsPipelines", *hash);
            let stages = pipeline["stages"].as_array().unwrap();
            stages.iter().map(|s| s["stage"].as_u64().unwrap()).sum()
        })
        .collect();
    found.sort_unstable();
    let mut expected = shaders.map(|(_, stages)| stages);
    expected.sort_unstable();
    assert_eq!(found, expected);
    // Without pipelines, there is nothing to complete.
    let cache = folder.path().join("cache");
    let output = precompile(&[text(&library), "--out", text(&cache), "--complete"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_fossilize_does_not_play_is_in_an_archive_as_a_module() {
    let folder = tempfile::tempdir().unwrap();
    let source = checkout("runtime/tests/data/heap_rays.dxil");
    let (report, _) = archive(folder.path(), &[text(&source)]);
    assert_eq!(report["total"]["skipped"], 1);
    assert_eq!(report["archive"]["modules"], 1);
    assert_eq!(report["archive"]["compute"], 0);
    let reasons = report["skipped_by_reason"].as_object().unwrap();
    assert!(reasons.keys().all(|reason| reason.contains("Fossilize")));
}
