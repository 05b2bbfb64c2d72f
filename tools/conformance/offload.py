#!/usr/bin/env python3
"""LLVM's offload-test-suite, by the command lines of its files.

    tools/conformance/offload.py CHECKOUT [--backend cpu] [--llvm /usr/lib/llvm-14/bin]

`dxil-run --pipeline` takes the place of the suite's program `offloader`. Shaders are DXIL; on
Vulkan those of files that are not for Direct3D are SPIR-V of DXC. `FileCheck` of LLVM checks
what is printed; commands that compare pictures (`imgdiff`) or look into DXC's output
(`obj2yaml`) are left out.
"""

import re
import shlex
import sys
from pathlib import Path

import lit
from common import Failure, NotCompiled, Unsupported, first_line, options, parse, report, run, tags

# What our backends have, in the words of the suite's configuration.
HAVE = {
    "DXC",
    "Half",
    "Int16",
    "Int64",
    "Double",
    "Int64GroupSharedAtomics",
    "MeshShader",
    "Int64TypedResourceAtomics",
    "VulkanInt64BufferAtomics",
    "DerivativesInCompute",
    "acceleration-structure",
    "raytracing-pipeline",
    "goldenimage",
    *(f"SM_6_{minor}" for minor in range(8)),
}
NOT_OURS = {"imgdiff", "obj2yaml"}


def features_of(text, backend):
    """The features under which a test runs: as DXIL if it may, else on Vulkan as SPIR-V."""
    interfaces = ["DirectX"] + (["Vulkan"] if backend == "vulkan" else [])
    for interface in interfaces:
        if lit.supported(text, HAVE | {interface}):
            return HAVE | {interface}
    raise Unsupported("not for this backend")


def drop_pictures(command):
    """Without options that write a picture or ask for a layer."""
    command = re.sub(r"\s--?(validation|debug)-layer\b", "", command)
    return re.sub(r"\s-r\s+\S+\s+-o\s+\S+", "", command)


def shell(args, command, limit):
    """Runs a command line with the programs of LLVM, and `not` as a function."""
    script = 'set -o pipefail; not() { ! "$@"; }; ' + command
    return run(["bash", "-c", f"PATH={shlex.quote(str(args.llvm))}:$PATH; {script}"], limit)


def check(args, file, folder):
    """Runs the commands of one test."""
    text = file.read_text(errors="replace")
    features = features_of(text, args.backend)
    fails = [part.strip() for part in lit.conditions(text, "XFAIL") if lit.truth(part, features)]
    spirv = "-spirv -fspv-target-env=vulkan1.3" if "Vulkan" in features else ""
    compiler = f"{shlex.quote(str(args.dxc))} {spirv}"
    runner = f"{shlex.quote(str(args.bin / 'dxil-run'))} --backend {args.backend} --pipeline"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for line in lit.commands(text):
            command = lit.with_conditions(line, features).strip()
            program = command.split()[0]
            if program == "split-file":
                lit.split_file(text, folder / "t")
                continue
            if program in NOT_OURS or any(f"| {other}" in command for other in NOT_OURS):
                continue
            # The suite's compiler is newer: its language is HLSL 2021 by default.
            version = "" if "-HV" in command else " -HV 2021"
            command = drop_pictures(command)
            command = re.sub(r"%dxc_target(_lib)?\b", lambda _: compiler + version, command)
            command = command.replace("%offloader", runner).replace("%s", shlex.quote(str(file)))
            command = command.replace("%t", shlex.quote(str(folder / "t")))
            done = shell(args, command, args.limit)
            if done.returncode:
                what = NotCompiled if "%dxc_target" in line else Failure
                raise what(first_line(done.stderr + done.stdout))
    except (Failure, NotCompiled) as error:
        if fails:
            return f"fails as the suite expects ({fails[0]})"
        raise type(error)(str(error)) from None
    if fails:
        raise Failure(f"passes although the suite expects a failure ({fails[0]})")
    return ""


def main():
    parser = options(__doc__, backend="cpu")
    parser.add_argument(
        "--llvm",
        type=Path,
        default=Path("/usr/lib/llvm-14/bin"),
        help="the folder of FileCheck (%(default)s)",
    )
    parser.add_argument("--limit", type=int, default=150, help="seconds a command may take")
    args = parse(parser)
    if not (args.llvm / "FileCheck").is_file():
        sys.exit(f"no FileCheck in {args.llvm}; Debian's package llvm-14-tools has it")
    root = args.checkout / "test"
    files = [
        path
        for path in sorted(root.rglob("*"))
        if path.suffix in (".test", ".yaml") and lit.commands(path.read_text(errors="replace"))
    ]
    cases = [
        (
            str(path.relative_to(root)),
            lambda path=path, at=at: check(args, path, args.work / f"case{at}"),
        )
        for at, path in enumerate(files)
    ]
    sys.exit(report("offload", cases, args, tags(args)))


if __name__ == "__main__":
    main()
