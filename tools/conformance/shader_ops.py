#!/usr/bin/env python3
"""DXC's execution tests whose shaders are in `ShaderOpArith.xml`.

    tools/conformance/shader_ops.py CHECKOUT [--backend cpu]

CHECKOUT is DirectXShaderCompiler (its folder tools/clang/unittests/HLSLExec). Each entry of the
file is a case, with the stages, thread groups and shader models that the test program of that
folder asks for; expectations are its rules, computed here (`shader_ops_*.py`). Entries that
tables or the tests of long vectors fill in are cases of the other suites.
"""

import re
import sys

import shader_ops_draw
import shader_ops_lanes
import shader_ops_memory
from common import Failure, Unsupported, options, parse, report, tags
from shaders import LOCAL, Shaders, read_xml

TABLES = [
    "UnaryFPOp",
    "BinaryFPOp",
    "UnaryIntOp",
    "UnaryUintOp",
    "BinaryIntOp",
    "BinaryUintOp",
    "TertiaryFPOp",
    "TertiaryIntOp",
    "TertiaryUintOp",
    "DotOp",
    "Dot2AddHalfOp",
    "Msad4",
    "Dot4AddI8PackedOp",
    "Dot4AddU8PackedOp",
    "WaveIntrinsicsOp",
    "PackUnpackOp",
]
# Each of these files adds its rules to those of the first.
RULES = (shader_ops_draw, shader_ops_lanes, shader_ops_memory)
TESTS, PARTS = RULES[0].TESTS, RULES[0].PARTS


class Entry:
    """An entry of the file: compiles its shaders and runs them."""

    def __init__(self, shaders, element, program):
        self.name = element.get("Name")
        self.shaders = shaders
        self.program = program
        self.texts = {shader.get("Name"): shader for shader in element.iter("Shader")}

    def compile(self, name, more=(), target=None, text=None):
        """A container of a shader of the entry; `target` and `text` in place of its own."""
        shader = self.texts[name]
        source = shader.get("Text")
        body = self.texts[source[1:]].text if source else shader.text
        words = shader.get("Arguments") or ""
        own = [] if words.startswith("@") else [re.sub("^/", "-", word) for word in words.split()]
        entry = shader.get("EntryPoint") or "main"
        return self.shaders.compile(
            text or body, target or shader.get("Target"), [*own, *more], entry
        )

    def compile_all(self, names, more=(), **how):
        """Containers of several shaders."""
        return [self.compile(name, more, **how) for name in names]

    def run(self, containers, words, outputs):
        """Bytes of the outputs."""
        return self.shaders.run(containers, words, outputs)


def check(entry):
    """Runs the tests of an entry and adds up what they checked."""
    if entry.name in TABLES:
        raise Unsupported("its rows are in arith_table.py and waves.py")
    if entry.name.startswith("LongVectorOp"):
        raise Unsupported("long_vectors.py")
    if entry.name not in TESTS:
        raise Failure("no rule for this entry here")
    return f"{TESTS[entry.name](entry)} checks"


def main():
    args = parse(options(__doc__, backend="cpu"))
    shaders = Shaders(args)
    folder = args.checkout / LOCAL
    program = (folder / "ExecutionTest.cpp").read_text(errors="replace")
    cases = []
    for element in read_xml(folder / "ShaderOpArith.xml").iter("ShaderOp"):
        entry = Entry(shaders, element, program)
        cases.append((entry.name, lambda entry=entry: check(entry)))
        for part, rule in PARTS.get(entry.name, {}).items():
            cases.append(
                (f"{entry.name}.{part}", lambda entry=entry, rule=rule: f"{rule(entry)} checks")
            )
    sys.exit(report("shader-ops", cases, args, tags(args)))


if __name__ == "__main__":
    main()
