//! `tools/run.sh` on a simulated machine: it finds installed drivers, and does not use the package
//! manager if no driver is needed.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dxil_checkout::root;

/// A home folder, and stubs for the programs that the script calls.
struct Machine {
    folder: PathBuf,
}

impl Machine {
    fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{test}"));
        let _ = fs::remove_dir_all(&folder);
        let machine = Machine { folder };
        // A stub for the program that the script builds: it prints the drivers that it was started
        // with.
        machine.program(
            "target/quick/dxil-run",
            "echo \"drivers: ${VK_DRIVER_FILES:-found by the loader}; arguments: $*\"",
        );
        machine.program("bin/cargo", "echo \"$*\" > \"$MACHINE/build\"");
        for manager in ["apt-get", "apt", "dpkg", "sudo", "dnf", "pacman"] {
            machine.program(
                &format!("bin/{manager}"),
                &format!("echo \"{manager} $*\" >> \"$MACHINE/changes\"; exit 1"),
            );
        }
        // A loader, independent of this machine.
        machine.file("lib/libvulkan.so.1", "");
        machine
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, path: &str, script: &str) {
        let path = self.file(path, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.folder.join("bin").display());
        Command::new("bash")
            .arg(root().join("tools/run.sh"))
            .args(arguments)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.folder.join("home"))
            .env("MACHINE", &self.folder)
            .env("LD_LIBRARY_PATH", self.folder.join("lib"))
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    }

    #[track_caller]
    fn starts(&self, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        let output = self.run(arguments, variables);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        let changes = fs::read_to_string(self.folder.join("changes")).unwrap_or_default();
        assert_eq!(changes, "", "{stderr}");
        assert!(!self.folder.join("home/.cache").exists(), "{stderr}");
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn what_needs_no_driver_asks_for_none() {
    let machine = Machine::new("no-driver");
    for arguments in [
        &["cs.dxil", "--emit", "wgsl"][..],
        &["cs.dxil", "--dispatch", "1"],
        &["lib.dxil", "--rays", "8,8"],
        &["vs.dxil", "ps.dxil", "--draw", "3"],
        &["--help"],
        &["--graph", "--help"],
        &["--list-devices"],
    ] {
        let said = machine.starts(arguments, &[]);
        assert!(
            said.contains(&format!("arguments: {}", arguments.join(" "))),
            "{said}"
        );
    }
}

#[test]
fn drivers_of_the_user_are_used() {
    let machine = Machine::new("home");
    machine.file("home/.local/share/vulkan/icd.d/own.json", "{}");
    let said = machine.starts(&["lib.dxil", "--graph"], &[]);
    assert!(said.starts_with("drivers: found by the loader"), "{said}");
}

#[test]
fn drivers_in_the_folders_of_the_environment_are_used() {
    for variable in [
        "XDG_DATA_DIRS",
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "XDG_CONFIG_DIRS",
    ] {
        let machine = Machine::new(variable);
        machine.file("other/vulkan/icd.d/own.json", "{}");
        let other = machine.folder.join("other");
        let said = machine.starts(
            &["lib.dxil", "--graph"],
            &[(variable, other.to_str().unwrap())],
        );
        assert!(said.starts_with("drivers: found by the loader"), "{said}");
    }
}

#[test]
fn a_chosen_driver_is_kept() {
    let machine = Machine::new("chosen");
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        machine.starts(&["lib.dxil", "--graph"], &[(variable, "/some/driver.json")]);
    }
    let chosen = [("VK_DRIVER_FILES", "/some/driver.json")];
    let said = machine.starts(&["lib.dxil", "--graph"], &chosen);
    assert!(said.starts_with("drivers: /some/driver.json;"), "{said}");
}

#[test]
fn only_what_the_arguments_need_is_built() {
    let machine = Machine::new("features");
    for (arguments, features) in [
        (&["cs.dxil", "--dispatch", "1"][..], "vulkan"),
        (&["cs.dxil", "--emit", "spvasm"], "vulkan"),
        (&["wgsl.dxil", "--emit", "wgsl"], "vulkan,languages"),
        (&["cs.dxil", "--emit=hlsl"], "vulkan,languages"),
        (
            &["cs.dxil", "--dispatch", "1", "--backend", "wgpu"],
            "vulkan,wgpu",
        ),
        (
            &["cs.dxil", "--dispatch", "1", "--backend=wgpu"],
            "vulkan,wgpu",
        ),
        (
            &["cs.dxil", "--dispatch", "1", "--compare", "wgpu:0"],
            "vulkan,wgpu",
        ),
    ] {
        machine.starts(arguments, &[]);
        let build = fs::read_to_string(machine.folder.join("build")).unwrap();
        let expected = format!("--no-default-features --features {features}\n");
        assert!(build.ends_with(&expected), "{arguments:?}: {build}");
    }
}
