//! `dxil-edit`, `dxil-as`, `dxil-opt` and `dxbc2dxil` as a user types them: exit status, messages,
//! written files.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use dxil_frontend::FourCc;
use dxil_frontend::container::rdat::{FunctionRecord, ResourceRecord};
use dxil_frontend::container::{Container, DigestStatus, ProgramBitcode};
use dxil_frontend::dxil::read_shader;

/// A compute shader with reflection data, and a root signature that travels alone.
const SHADER: &str = "hwtests/shaders/flow/collatz.dxil";
const WITH_DEBUG: &str = "hwtests/shaders/debug/typed.dxil";

fn run(program: &str, args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(program);
    command.args(args).current_dir(root).output().unwrap()
}

fn edit(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxil-edit"), args)
}

fn assembler(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxil-as"), args)
}

fn upgrade(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxbc2dxil"), args)
}

fn optimizer(args: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_dxil-opt"), args)
}

fn listing(args: &[&str]) -> String {
    let output = run(env!("CARGO_BIN_EXE_dxil-dis"), args);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn done(output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
}

/// A folder that is removed at the end of the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.path().join(name)).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        std::fs::write(self.0.path().join(name), bytes).unwrap();
        self.path(name)
    }
}

fn original(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read(root.join(name)).unwrap()
}

fn names(bytes: &[u8]) -> Vec<String> {
    let container = Container::parse(bytes).unwrap();
    container
        .parts()
        .iter()
        .map(|part| part.name.to_string())
        .collect()
}

#[test]
fn parts_are_listed_with_offset_and_size() {
    let output = edit(&[SHADER, "--list"]);
    done(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    let bytes = original(SHADER);
    let container = Container::parse(&bytes).unwrap();
    for part in container.parts() {
        let line = text
            .lines()
            .find(|line| line.starts_with(&part.name.to_string()));
        let fields: Vec<&str> = line.unwrap().split_whitespace().collect();
        assert_eq!(fields[1], format!("{:#x}", part.offset));
        assert_eq!(fields[2], part.data.len().to_string());
    }
}

#[test]
fn parts_are_stripped_removed_replaced_and_sorted() {
    let folder = Folder::new();
    let out = folder.path("out.dxil");
    done(&edit(&[
        SHADER,
        "--strip",
        "reflection,debug",
        "--remove",
        "HASH",
        "-o",
        &out,
    ]));
    let before = names(&original(SHADER));
    let after = names(&folder.read("out.dxil"));
    let kept = before
        .iter()
        .filter(|name| !["STAT", "HASH"].contains(&name.as_str()));
    assert_eq!(after, kept.cloned().collect::<Vec<_>>());
    assert!(after.len() < before.len());

    let notes = folder.write("notes", b"hello");
    let priv_part = format!("PRIV={notes}");
    done(&edit(&[
        SHADER,
        "--replace",
        &priv_part,
        "--order",
        "DXIL,PSV0",
        "-o",
        &out,
    ]));
    let written = folder.read("out.dxil");
    assert_eq!(names(&written)[..2], ["DXIL", "PSV0"]);
    let container = Container::parse(&written).unwrap();
    assert_eq!(container.part(FourCc::PRIV).unwrap().data, b"hello");
    assert!(container.parts().iter().all(|part| part.offset % 4 == 0));

    let extracted = folder.path("priv");
    done(&edit(&[&out, "--extract", &format!("PRIV={extracted}")]));
    assert_eq!(folder.read("priv"), b"hello");
}

#[test]
fn a_part_that_is_not_there_is_an_error() {
    let folder = Folder::new();
    let output = edit(&[SHADER, "--remove", "PRIV", "-o", &folder.path("out.dxil")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("PRIV"), "{}", stderr(&output));
    assert_eq!(edit(&[SHADER]).status.code(), Some(2));
    assert_eq!(
        edit(&[SHADER, "--list", "--remove", "TOOLONG"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn the_digest_follows_the_content_where_there_was_one() {
    let folder = Folder::new();
    let status = |args: &[&str]| {
        let out = folder.path("out.dxil");
        done(&edit(&[args, &["-o", &out]].concat()));
        Container::parse(&folder.read("out.dxil")).unwrap().digest()
    };
    assert_eq!(
        status(&[SHADER, "--strip", "reflection", "--digest"]),
        DigestStatus::Valid
    );
    let signed = folder.write("signed.dxil", &folder.read("out.dxil"));
    assert_eq!(status(&[&signed, "--strip", "hashes"]), DigestStatus::Valid);
    assert_eq!(status(&[&signed, "--no-digest"]), DigestStatus::Unsigned);
}

#[test]
fn a_root_signature_goes_from_one_container_to_another() {
    let folder = Folder::new();
    let bound = original("runtime/tests/data/root_text.dxil");
    let source = folder.write("bound.dxil", &bound);
    let alone = folder.path("rs.dxil");
    done(&edit(&[&source, "--extract-root-signature", &alone]));
    assert_eq!(names(&folder.read("rs.dxil")), ["RTS0"]);
    let out = folder.path("out.dxil");
    done(&edit(&[SHADER, "--root-signature", &alone, "-o", &out]));
    let written = folder.read("out.dxil");
    let (new, old) = (
        Container::parse(&written).unwrap(),
        Container::parse(&bound).unwrap(),
    );
    assert_eq!(
        new.part(FourCc::RTS0).unwrap().data,
        old.part(FourCc::RTS0).unwrap().data
    );
    // A file that is no root signature is refused.
    let notes = folder.write("notes", b"no root signature");
    let output = edit(&[SHADER, "--root-signature", &notes, "-o", &out]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn a_shader_gets_the_debug_information_of_its_pdb() {
    let folder = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/tests/data/pdb");
    let data = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let (shader, pdb) = (data("tripled.dxil"), data("tripled.pdb"));
    // A PDB is edited like the container in it.
    let output = edit(&[&pdb, "--list"]);
    done(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("ILDB ") && text.contains("SRCI "), "{text}");
    // The name that the shader has for its PDB.
    let named = folder.path().join("b90604cefc4bb7770e2fff88558fa805.pdb");
    fs::copy(&pdb, &named).unwrap();
    let out = folder.path().join("with.dxil");
    let out = out.to_str().unwrap();
    for place in [pdb.as_str(), folder.path().to_str().unwrap()] {
        done(&edit(&[&shader, "--debug-from", place, "-o", out]));
        assert!(names(&fs::read(out).unwrap()).contains(&"ILDB".to_owned()));
        // `i * 3` in the second line of the source.
        let text = listing(&[out, "-g"]);
        assert!(text.contains(", 3  ; line 2:72\n"), "{place}: {text}");
    }
    // In a folder the hash decides where no file has that name: others are no reason to give up.
    let renamed = folder.path().join("renamed");
    fs::create_dir(&renamed).unwrap();
    fs::rename(&named, renamed.join("game_17.pdb")).unwrap();
    fs::copy(data("tinted.pdb"), renamed.join("a.pdb")).unwrap();
    fs::copy(data("tripled_slim.pdb"), renamed.join("b.pdb")).unwrap();
    fs::write(renamed.join("c.pdb"), "no PDB").unwrap();
    let before = fs::read(out).unwrap();
    let place = renamed.to_str().unwrap();
    done(&edit(&[&shader, "--debug-from", place, "-o", out]));
    assert_eq!(fs::read(out).unwrap(), before);
    fs::remove_file(renamed.join("game_17.pdb")).unwrap();
    for (place, message) in [
        (data("tinted.pdb"), "hash"),
        (data("tripled_slim.pdb"), "ILDB"),
        (
            place.to_owned(),
            "has no PDB with the shader's hash, and no file b90604",
        ),
    ] {
        let output = edit(&[&shader, "--debug-from", &place, "-o", out]);
        assert_eq!(output.status.code(), Some(3));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn modules_that_are_written_again_list_as_before() {
    let folder = Folder::new();
    let out = folder.path("out.dxil");
    for shader in [SHADER, WITH_DEBUG] {
        done(&edit(&[shader, "--rewrite", "-o", &out]));
        assert_eq!(names(&folder.read("out.dxil")), names(&original(shader)));
        let code = |file: &str| {
            let text = listing(&["--llvm", "--part", "DXIL", file]);
            // Comments have offsets in the file.
            let lines = text.lines().filter(|line| !line.starts_with(';'));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(code(&out), code(shader));
    }
}

#[test]
fn bitcode_gets_a_container_with_the_parts_that_dxc_writes() {
    let folder = Folder::new();
    let bytes = original(SHADER);
    let container = Container::parse(&bytes).unwrap();
    let program = ProgramBitcode::parse(container.part(FourCc::DXIL).unwrap()).unwrap();
    let bare = folder.write("bare.bc", program.bitcode);
    let out = folder.path("out.dxil");
    done(&edit(&[&bare, "-o", &out]));
    let written = folder.read("out.dxil");
    let wrapped = Container::parse(&written).unwrap();
    for part in wrapped
        .parts()
        .iter()
        .filter(|part| part.name != FourCc::DXIL)
    {
        let dxcs = container.part(part.name).unwrap().data;
        // DXC's hash is that of its own bitcode.
        assert!(
            part.name == FourCc::HASH || part.data == dxcs,
            "{}",
            part.name
        );
    }
    let output = run(env!("CARGO_BIN_EXE_dxil-val"), &[&out]);
    done(&output);
}

/// The parts of a linked library, RDAT among them, are those of the linked module: the validator
/// generates each, and DXC's accepts them, too (asked by hand). The names are those of the shaders'
/// sources.
#[test]
fn a_linked_library_has_runtime_data() {
    let folder = Folder::new();
    let out = folder.path("out.dxil");
    let shader = |name: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hwtests/shaders/linking");
        format!("{root}/{name}.dxil")
    };
    for (caller, callee) in [("caller", "callee"), ("matrices", "matrix_functions")] {
        done(&edit(&[
            &shader(caller),
            "--link",
            &shader(callee),
            "--digest",
            "-o",
            &out,
        ]));
        let written = folder.read("out.dxil");
        let container = Container::parse(&written).unwrap();
        let rdat = container.rdat().unwrap().unwrap();
        let functions = rdat.iter::<FunctionRecord>().map(Result::unwrap);
        let functions: Vec<&str> = functions
            .map(|function| rdat.string(function.unmangled_name).unwrap())
            .collect();
        assert!(functions.contains(&"main"), "{functions:?}");
        let names = rdat.iter::<ResourceRecord>().map(Result::unwrap);
        let mut names = names.map(|resource| rdat.string(resource.name).unwrap());
        assert!(names.any(|name| name == "Result"));
        done(&run(env!("CARGO_BIN_EXE_dxil-val"), &[&out]));
    }
}

#[test]
fn the_preview_is_validated_and_signed_for_those_who_ask() {
    let folder = Folder::new();
    let out = folder.path("out.dxil");
    let preview = "frontend/tests/data/ops/matrices_cs.dxil";
    let validator = env!("CARGO_BIN_EXE_dxil-val");
    let signer = env!("CARGO_BIN_EXE_dxil-sign");
    let refused = run(validator, &[preview]);
    assert_eq!(refused.status.code(), Some(1));
    done(&run(validator, &["--preview", preview]));
    let refused = run(signer, &[preview, "-o", &out]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("SM.NAME"), "{}", stderr(&refused));
    done(&run(signer, &["--preview", preview, "-o", &out]));
    let signed = folder.read("out.dxil");
    assert_eq!(
        Container::parse(&signed).unwrap().digest(),
        DigestStatus::Valid
    );
}

/// From the module with debug information come the parts that DXC made of it.
#[test]
fn all_parts_are_made_anew() {
    let folder = Folder::new();
    let out = folder.path("out.dxil");
    let checked = |expected: &[&str]| {
        assert_eq!(names(&folder.read("out.dxil")), expected);
        done(&run(env!("CARGO_BIN_EXE_dxil-val"), &[&out]));
    };
    // What no module tells stays as it is, and the others come out as DXC wrote them.
    done(&edit(&[SHADER, "--make-parts", "-o", &out]));
    let (old, new) = (original(SHADER), folder.read("out.dxil"));
    let (old, new) = (
        Container::parse(&old).unwrap(),
        Container::parse(&new).unwrap(),
    );
    for part in old.parts() {
        let own = new.part(part.name).unwrap();
        // The program names no source file that nothing refers to.
        if ![FourCc::DXIL, FourCc::HASH].contains(&part.name) {
            assert_eq!(own.data, part.data, "{}", part.name);
        }
    }
    checked(
        &names(&original(SHADER))
            .iter()
            .map(|it| &**it)
            .collect::<Vec<_>>(),
    );
    done(&edit(&[WITH_DEBUG, "--make-parts", "-o", &out]));
    let kept = names(&original(WITH_DEBUG));
    checked(&kept.iter().map(|it| &**it).collect::<Vec<_>>());

    done(&edit(&[
        WITH_DEBUG,
        "--make-parts",
        "--debug-info",
        "name",
        "--reflection",
        "no",
        "--compiler-version",
        "1.8,4960,4d5ac1e,my own, really",
        "-o",
        &out,
    ]));
    let written = folder.read("out.dxil");
    let container = Container::parse(&written).unwrap();
    let version = container.compiler_version().unwrap().unwrap();
    assert_eq!(
        (version.major, version.minor, version.commit_count),
        (1, 8, 4960)
    );
    assert_eq!(
        (version.commit, version.custom),
        ("4d5ac1e", "my own, really")
    );
    let parts = names(&written);
    assert!(parts.contains(&"ILDN".to_owned()));
    assert!(!parts.contains(&"ILDB".to_owned()) && !parts.contains(&"STAT".to_owned()));
    // The name is that of the new hash.
    let hash = container.shader_hash().unwrap().unwrap();
    let digits: String = hash
        .digest
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        container.debug_name().unwrap().unwrap().name,
        format!("{digits}.pdb")
    );

    // Of bitcode, too.
    let bitcode = folder.path("shader.bc");
    done(&edit(&[
        WITH_DEBUG,
        "--extract",
        &format!("ILDB={bitcode}"),
        "--list",
    ]));
    let ildb = folder.read("shader.bc");
    let whole = original(WITH_DEBUG);
    let whole = Container::parse(&whole).unwrap();
    let debug = ProgramBitcode::parse(whole.part(FourCc::ILDB).unwrap()).unwrap();
    let bitcode = folder.write("shader.bc", &ildb[ildb.len() - debug.bitcode.len()..]);
    done(&edit(&[
        &bitcode,
        "--make-parts",
        "--debug-info",
        "module",
        "--reflection",
        "yes",
        "-o",
        &out,
    ]));
    let parts = names(&folder.read("out.dxil"));
    for part in ["ILDB", "ILDN", "STAT", "PSV0", "HASH", "DXIL"] {
        assert!(parts.contains(&part.to_owned()), "{parts:?}");
    }
    done(&run(env!("CARGO_BIN_EXE_dxil-val"), &[&out]));

    for (arguments, message) in [
        (&["--debug-info", "name"][..], "--make-parts"),
        (&["--make-parts", "--rewrite"], "cannot be used with"),
        (&["--make-parts", "--reflection", "maybe"], "use yes or no"),
        (
            &["--make-parts", "--compiler-version", "new"],
            "such as 1.8",
        ),
        (
            &["--make-parts", "--compiler-version", "1.8,x"],
            "number of commits",
        ),
    ] {
        let output = edit(&[&[SHADER, "-o", &out], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    let dxbc = "hwtests/pipelines/square.dxbc";
    let output = edit(&[dxbc, "--make-parts", "-o", &out]);
    assert!(stderr(&output).contains("DXIL"), "{}", stderr(&output));
    assert!(!output.status.success());
}

#[test]
fn what_dxil_dis_prints_assembles_to_the_same_code() {
    let folder = Folder::new();
    let out = folder.path("out.dxil");
    let text = listing(&["--llvm", SHADER]);
    let file = folder.write("shader.ll", text.as_bytes());
    done(&assembler(&[&file, "-o", &out]));
    let again = listing(&["--llvm", "--part", "DXIL", &out]);
    let code = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with(';'));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        code(&again),
        code(&listing(&["--llvm", "--part", "DXIL", SHADER]))
    );
    done(&run(env!("CARGO_BIN_EXE_dxil-val"), &[&out]));
    let (old, new) = (
        read_shader(&original(SHADER)).unwrap(),
        read_shader(&folder.read("out.dxil")).unwrap(),
    );
    assert_eq!(old.entry_points, new.entry_points);

    done(&assembler(&[
        &file,
        "--parts-of",
        SHADER,
        "--digest",
        "-o",
        &out,
    ]));
    let written = folder.read("out.dxil");
    let container = Container::parse(&written).unwrap();
    assert_eq!(container.digest(), DigestStatus::Valid);
    assert!(container.part(FourCc::STAT).is_none());
}

#[test]
fn yaml_that_dxil_dis_prints_becomes_the_container() {
    let folder = Folder::new();
    let (text, out) = (folder.path("shader.yaml"), folder.path("out.dxil"));
    done(&run(
        env!("CARGO_BIN_EXE_dxil-dis"),
        &["--yaml", SHADER, "-o", &text],
    ));
    done(&assembler(&[&text, "--digest", "-o", &out]));
    let (old, new) = (original(SHADER), folder.read("out.dxil"));
    let (old, new) = (
        Container::parse(&old).unwrap(),
        Container::parse(&new).unwrap(),
    );
    assert_eq!(new.digest(), DigestStatus::Valid);
    assert_eq!(names(old.bytes()), names(new.bytes()));
    for part in [FourCc::DXIL, FourCc::HASH] {
        assert_eq!(old.part(part).unwrap().data, new.part(part).unwrap().data);
    }
    // By its first characters, too, and not with options of assembly.
    let other = folder.write("text", &folder.read("shader.yaml"));
    done(&assembler(&[&other, "-o", &out]));
    let output = assembler(&[&text, "--bitcode", "-o", &out]);
    assert_eq!(output.status.code(), Some(2));
    let wrong = folder.write("wrong.yml", b"Header: 1\n");
    let output = assembler(&[&wrong, "-o", &out]);
    assert_eq!(output.status.code(), Some(3));
    let message = stderr(&output);
    assert!(message.contains("wrong.yml: line 1: "), "{message}");
}

#[test]
fn errors_of_assembly_name_file_and_line() {
    let folder = Folder::new();
    let file = folder.write("wrong.ll", b"define void @main() {\n  ret i32 1\n}\n");
    let output = assembler(&[&file, "-o", &folder.path("out.dxil")]);
    assert_eq!(output.status.code(), Some(3));
    let message = stderr(&output);
    assert!(message.contains("wrong.ll: line 2: "), "{message}");
}

#[test]
fn dxbc_becomes_signed_dxil_that_gives_the_same_results() {
    let folder = Folder::new();
    let new = folder.path("new.dxil");
    let old = "bench/kernels/saxpy.dxbc";
    done(&upgrade(&[old, "-o", &new]));
    let bytes = folder.read("new.dxil");
    assert_eq!(
        Container::parse(&bytes).unwrap().digest(),
        DigestStatus::Valid
    );
    done(&run(env!("CARGO_BIN_EXE_dxil-val"), &[&new]));
    // `result = a * x + y` for the first `count` elements.
    let numbers = folder.path("out.npy");
    let save = format!("u0={numbers}");
    let mut args = vec![&*new, "--dispatch", "1", "--backend", "cpu", "--out", &save];
    for bind in [
        "b0=f32:2,u32:3,u32:0,u32:0",
        "t0=f32:1,2,3,4",
        "t1=f32:10,20,30,40",
        "u0=f32:0,0,0,5",
    ] {
        args.extend(["--bind", bind]);
    }
    done(&run(env!("CARGO_BIN_EXE_dxil-run"), &args));
    let result = folder.read("out.npy");
    let tail = &result[result.len() - 16..];
    let floats = tail
        .chunks_exact(4)
        .map(|word| f32::from_le_bytes(word.try_into().unwrap()));
    assert_eq!(floats.collect::<Vec<_>>(), [12.0, 24.0, 36.0, 5.0]);

    done(&upgrade(&[old, "--no-digest", "-o", &new]));
    let bytes = folder.read("new.dxil");
    let digest = Container::parse(&bytes).unwrap().digest();
    assert_eq!(digest, DigestStatus::Unsigned);
}

#[test]
fn only_dxbc_is_converted() {
    let folder = Folder::new();
    let new = folder.path("new.dxil");
    let output = upgrade(&[SHADER, "-o", &new]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).starts_with(&format!("dxbc2dxil: {SHADER}: ")));
    assert!(!Path::new(&new).exists());
}

#[test]
fn an_unoptimised_shader_gets_smaller_and_stays_valid() {
    let folder = Folder::new();
    let new = folder.path("new.dxil");
    let old = "hwtests/shaders/unoptimised/collatz.dxil";
    let output = optimizer(&[old, "--stats", "-o", &new]);
    done(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    let numbers: Vec<usize> = text
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(numbers.len(), 2, "{text}");
    assert!(numbers[0] < numbers[1], "{text}");
    done(&run(env!("CARGO_BIN_EXE_dxil-val"), &[&new]));
    // Variables are gone, the loop is not.
    let shown = listing(&["--llvm", &new]);
    assert!(!shown.contains(" alloca "), "{shown}");
    assert!(shown.contains(" phi "), "{shown}");
    let signature = |bytes: &[u8]| {
        let container = Container::parse(bytes).unwrap();
        container.part(FourCc::RTS0).map(|part| part.data.to_vec())
    };
    assert_eq!(
        signature(&original(old)),
        signature(&folder.read("new.dxil"))
    );
}

#[test]
fn passes_are_chosen_by_name() {
    let folder = Folder::new();
    let new = folder.path("new.dxil");
    done(&optimizer(&[SHADER, "--passes", "loop-hints", "-o", &new]));
    let shown = listing(&["--llvm", &new]);
    assert!(shown.contains("llvm.loop.unroll.disable"), "{shown}");
    let output = optimizer(&[SHADER, "--passes", "everything", "-o", &new]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let output = optimizer(&["bench/kernels/saxpy.dxbc", "-o", &new]);
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("dxbc2dxil"));
}
