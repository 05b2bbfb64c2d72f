#!/usr/bin/env python3
"""DXC's tests of long vectors, `LongVectors.cpp` and `LongVectorOps.def`.

    tools/conformance/long_vectors.py CHECKOUT [--backend cpu] [--length 3] [--wave-size 4]

CHECKOUT is DirectXShaderCompiler (its folder tools/clang/unittests/HLSLExec). Each pair of an
operation and a type is a case. Operations, inputs and the shader are read from the checkout;
expectations are computed here by the rules of HLSL (`long_vector_rules.py`). A compiler before
shader model 6.9 takes vectors of at most 4 elements; 3 is the smallest length of the suite.
"""

import re
import shlex
import sys

from common import Failure, options, parse, report, run, tags
from long_vector_data import input_sets
from long_vector_rules import TYPES, Vector, expect
from shaders import LOCAL, Shaders, pack, read_xml, unpack
from values import close, size

TARGET = "cs_6_6"


def operations(checkout):
    """The fields of each operation by its name, as the C preprocessor gives them."""
    definition = "-DOP(G,S,A,I,O,D,N,X,Y,Z)=@@@ G ; S ; A ; I ; O ; D ; N ; X ; Y ; Z"
    done = run(["cpp", "-P", "-x", "c++", definition, checkout / LOCAL / "LongVectorOps.def"])
    if done.returncode:
        sys.exit(done.stderr)
    found = {}
    for line in done.stdout.replace("\n", " ").split("@@@")[1:]:
        words = [word.strip() for word in re.findall(r'(?:"[^"]*"|[^;"])+', line)]
        plain = [
            "".join(re.findall(r'"([^"]*)"', word)) if '"' in word else word for word in words
        ]
        found[plain[1]] = dict(
            zip(
                (
                    "group",
                    "name",
                    "arity",
                    "intrinsic",
                    "operator",
                    "defines",
                    "shader",
                    "set1",
                    "set2",
                    "set3",
                ),
                plain,
            )
        )
    return found


def pairs(checkout):
    """Operation, type and whether the test is one of waves."""
    text = (checkout / LOCAL / "LongVectors.cpp").read_text()
    found = re.findall(r"^\s+HLK_(WAVEOP_)?TEST(?:_DOUBLE)?\((\w+),\s*(\w+)\)", text, re.MULTILINE)
    return [(operation, kind, bool(wave)) for wave, operation, kind in found if operation != "Op"]


def bindings(shaders, operation, kind, inputs, text):
    """The words of `dxil-run` for the resources of an operation, and the name of its output."""
    length = shaders.args.length
    code = TYPES[kind].code
    shader = operation["shader"]
    if "OP_STORES_RESULT_ON_SPECIFIC_LANE" in operation["defines"]:
        # Such a shader reads its first input only.
        inputs = inputs[:1]
    files = [shaders.file(pack(values, code).ljust(8192, b"\0")) for values in inputs]
    if not shader.lower().startswith("longvectorop_"):
        words = []
        for at, path in enumerate(files):
            words += ["--bind", f"u{at}={path}"]
        return [*words, "--bind", "u3=zeros:8192"], "u3"
    structured = "USE_STRUCTURED_BUFFER" in operation["defines"]
    exact = shaders.file(pack(inputs[0], code))
    if "ResourceDescriptorHeap" in shader:
        name = (
            f"StructuredBuffer<{TYPES[kind].element}{length}>"
            if structured
            else "ByteAddressBuffer"
        )
        read = ("RW" if shader.endswith("UAV") else "") + name
        zeros = f"zeros:{exact.stat().st_size if structured else 8192}"
        source = exact if structured else files[0]
        return ["--heap", f"0={read}={source}", "--heap", f"1=RW{name}={zeros}"], "heap1"
    source, output = (
        re.search(rf"\b{name}Vector : register\((\w+)\)", text)[1] for name in ("Input", "Output")
    )
    bytes_ = exact.stat().st_size if structured else 8192
    return [
        "--bind",
        f"{source}={exact if structured else files[0]}",
        "--bind",
        f"{output}=zeros:{bytes_}",
    ], output


def check_pair(shaders, sources, operation, kind, is_wave):
    """Runs one operation with one type and compares the vectors."""
    args = shaders.args
    length = args.length
    type_ = TYPES[kind]
    arity = int(operation["arity"])
    inputs = []
    for at in range(arity):
        values = sources["sets"][kind].get(operation[f"set{at + 1}"])
        if values is None:
            raise Failure(f"no inputs {operation[f'set{at + 1}']} for {kind}")
        inputs.append([values[index % len(values)] for index in range(length)])
    wanted = expect(operation["name"], Vector(type_, length, args.wave_size), inputs)
    words = [
        f"-DTYPE={type_.hlsl}",
        f"-DNUM={length}",
        f"-DOPERATOR={operation['operator']}",
        f"-DFUNC={operation['intrinsic']}",
        *shlex.split(operation["defines"]),
        f"-DOUT_TYPE={wanted.type.hlsl}",
        f"-DBASIC_OP_TYPE=0x{arity}",
    ]
    # DXC 1.7's validator refuses what it writes for 16-bit integers of minimum precision.
    # The suite's compiler is newer: its language is HLSL 2021 by default.
    words += ["-Vd", "-HV", "2021"]
    if type_.sixteen or wanted.type.sixteen:
        words.append("-enable-16bit-types")
    if is_wave:
        words += [f"-DWAVE_SIZE={args.wave_size}", f"-DNUMTHREADS_XYZ={args.wave_size},1,1"]
    if operation["group"] == "Derivative":
        # With optimizations DXC 1.7 moves derivatives into the branch of the one lane that stores.
        words.append("-Od")
    text = sources["texts"][operation["shader"].lower()]
    container = shaders.compile(text, TARGET, words)
    resources, name = bindings(shaders, operation, kind, inputs, text)
    out = shaders.run([container], ["--dispatch", "1", *resources], [name], timeout=120)[name]
    code = wanted.type.code
    seen = unpack(out[: len(wanted.values) * size(code)], code)
    if wanted.type.hlsl == "bool":
        seen = [int(bool(value)) for value in seen]
    for at, (found, right) in enumerate(zip(seen, wanted.values, strict=True)):
        if not close(found, right, wanted.compared, wanted.kind, wanted.tolerance):
            raise Failure(
                f"element {at}: {found}, expected {right} ({wanted.kind} {wanted.tolerance})"
            )
    return f"{len(seen)} elements"


def main():
    parser = options(__doc__, backend="cpu")
    parser.add_argument("--length", type=int, default=3, help="elements of a vector (%(default)s)")
    parser.add_argument("--wave-size", type=int, default=4, help="(%(default)s)")
    args = parse(parser)
    shaders = Shaders(args)
    texts = {}
    for element in read_xml(args.checkout / LOCAL / "ShaderOpArith.xml").iter("ShaderOp"):
        if element.get("Name", "").startswith("LongVectorOp"):
            texts[element.get("Name").lower()] = element.find("Shader").text
    sources = {"sets": input_sets(args.checkout / LOCAL / "LongVectorTestData.h"), "texts": texts}
    known = operations(args.checkout)
    cases = []
    for operation, kind, is_wave in pairs(args.checkout):
        cases.append(
            (
                f"{operation}.{kind}",
                lambda it=known[operation], kind=kind, is_wave=is_wave: check_pair(
                    shaders, sources, it, kind, is_wave
                ),
            )
        )
    sys.exit(report("long-vectors", cases, args, tags(args)))


if __name__ == "__main__":
    main()
