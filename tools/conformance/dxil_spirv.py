#!/usr/bin/env python3
"""dxil-spirv's own suite, through its own command line linked to our C library.

    tools/conformance/dxil_spirv.py CHECKOUT [--bin target/debug] [--with OPTIONS]

CHECKOUT is dxil-spirv without submodules. Its `dxil_spirv.cpp` is compiled against the small
headers in `cli/` and linked to libdxil_jit.so of the folder `--bin`. The rules by which a file's
name chooses options are those of the checkout's `test_shaders.py`: the script asks it for the
commands of each shader and runs them here. A module is valid if $DXIL_JIT_SPIRV_VAL takes it for
Vulkan 1.3 with scalar block layout, where the suite asks for that.
"""

import importlib.util
import os
import re
import shlex
import sys
import types
from pathlib import Path

from common import Failure, HERE, NotCompiled, first_line, options, parse, report, run

LIBRARY = "libdxil_jit.so"


def build_cli(args):
    """The command line, linked to our library, which it finds by its folder and its soname."""
    library = args.bin / LIBRARY
    if not library.is_file():
        sys.exit(f"no {library}; cargo rustc -p dxil-capi --lib --crate-type cdylib builds it")
    link = args.work / "libdxil-spirv-c-shared.so.2"
    link.unlink(missing_ok=True)
    link.symlink_to(library)
    here = args.checkout
    sources = ["dxil_spirv.cpp", "third_party/cli_parser/cli_parser.cpp", "debug/logging.cpp"]
    program = args.work / "dxil-spirv"
    done = run(
        [
            "g++",
            "-std=c++17",
            "-O1",
            "-o",
            program,
            f"-I{HERE / 'cli'}",
            f"-I{here}",
            f"-I{here / 'debug'}",
            f"-I{here / 'util'}",
            f"-I{here / 'third_party/cli_parser'}",
            *(here / name for name in sources),
            link,
            "-ldl",
            f"-Wl,-rpath,{args.work}",
        ]
    )
    if done.returncode:
        sys.exit(f"the command line does not build:\n{done.stderr}")
    return program


def rules(checkout):
    """The suite's script as a module whose commands are recorded, not run."""
    spec = importlib.util.spec_from_file_location("test_shaders", checkout / "test_shaders.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    commands = []
    module.subprocess = types.SimpleNamespace(check_call=commands.append)
    module.create_temporary = lambda suffix="": "OUT"
    paths = module.Paths("DXC", "CLI")
    chosen = types.SimpleNamespace(bench=False)

    def of(shader):
        commands.clear()
        is_code = shader.suffix in (".dxil", ".dxbc")
        module.cross_compile_dxil(str(shader), chosen, paths, is_code)
        return [list(map(str, command)) for command in commands]

    return of


def case(args, program, number, shader, compile_words, cli_words):
    """A function that compiles and translates one shader."""

    def check():
        code, out = args.work / f"{number}.dxil", args.work / f"{number}.txt"
        if compile_words:
            # The suite's compiler is newer: its language is HLSL 2021 by default.
            words = [str(args.dxc), "-HV", "2021", *compile_words[1:]]
            words[words.index("-Fo") + 1] = str(code)
            done = run(words)
            if done.returncode:
                raise NotCompiled(first_line(done.stderr))
        words = [str(program), *(word for word in cli_words[1:] if word != "--glsl")]
        words[words.index("--output") + 1] = str(out)
        words[words.index("--output") + 2] = str(code if compile_words else shader)
        words += shlex.split(args.more)
        out.unlink(missing_ok=True)
        done = run(words)
        if done.returncode or not out.is_file():
            raise Failure(first_line(done.stderr + done.stdout) + f" [{shlex.join(words)}]")
        if not any(int(n) for n in re.findall(r"^(\d+) words", out.read_text(), re.MULTILINE)):
            raise Failure("no module was written")
        code.unlink(missing_ok=True)
        return "validated" if "--validate" in cli_words else "translated"

    return check


def main():
    parser = options(__doc__)
    parser.add_argument(
        "--with",
        dest="more",
        default="",
        metavar="OPTIONS",
        help="options of the command line that every shader gets, in one word",
    )
    args = parse(parser)
    if "DXIL_JIT_SPIRV_VAL" not in os.environ:
        sys.exit(
            "DXIL_JIT_SPIRV_VAL is not set; tools/setup-vulkan.sh prints the file that does it"
        )
    program = build_cli(args)
    of = rules(args.checkout)
    cases = []
    folder = args.checkout / "shaders"
    for shader in sorted(path for path in folder.rglob("*") if path.is_file()):
        if shader.suffix in (".inc", ".h"):
            continue
        commands = of(shader)
        cases.append(
            (
                str(shader.relative_to(folder)),
                case(
                    args,
                    program,
                    len(cases),
                    shader,
                    commands[0] if len(commands) > 1 else None,
                    commands[-1],
                ),
            )
        )
    sys.exit(report("dxil-spirv", cases, args))


if __name__ == "__main__":
    main()
