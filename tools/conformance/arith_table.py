#!/usr/bin/env python3
"""DXC's table of arithmetic, `ShaderOpArithTable.xml`, without its rows of wave operations.

    tools/conformance/arith_table.py CHECKOUT [--backend cpu]

CHECKOUT is DirectXShaderCompiler (its folder tools/clang/unittests/HLSLExec). Each row has a
shader, inputs and expected results; a row passes if all results are within its tolerance, by the
rules that the row names (epsilon, relative, ulp; denormals as its arguments ask for).
"""

import sys

from common import Failure, options, parse, report, tags
from shaders import Shaders, fields, pack, rows, unpack
from values import close, parse_vector, rounded, size

THREADS = 64


def check_row(shaders, row):
    """Runs one row of a table."""
    text = row.get("ShaderOp.Text")
    members = fields(text)
    arguments = row.arguments()
    if any(code in "ehH" for _, code, _ in members) and "-enable-16bit-types" not in arguments:
        arguments.append("-enable-16bit-types")
    given = [key for key in row.parameters if key.startswith("Validation.Input")]
    given = sorted(given) or sorted(key for key in row.parameters if row.values(key))
    wanted = sorted(key for key in row.parameters if key.startswith("Validation.Expected"))
    # The members of a structure are in the order of the parameters: inputs, then results.
    sources = members[: len(given)]
    results = members[len(given) :]
    inputs = [row.values(key) for key in given]
    expected = [row.values(key) for key in wanted]
    count = max(len(values) for values in inputs)
    denorm = "any"
    if "-denorm" in arguments:
        denorm = arguments[arguments.index("-denorm") + 1]
    # A table of denormals in mode `any` has two values, of which either is right, for one result.
    either = row.table.startswith("Denorm") and denorm == "any" and len(expected) > 1

    data = b""
    for index in range(count):
        for (_, code, length), values in zip(sources, inputs):
            data += pack(parse_vector(values[index % len(values)], code, length), code)
        data += b"".join(bytes(size(code) * length) for _, code, length in results)
    stride = len(data) // count
    data += bytes(max(0, THREADS * stride - len(data)))

    container = shaders.compile(text, row.get("ShaderOp.Target", "cs_6_4"), arguments)
    source = shaders.file(data)
    out = shaders.run([container], ["--dispatch", "1", "--bind", f"u0={source}"], ["u0"])["u0"]
    kind = row.get("Validation.Type", "epsilon").lower()
    tolerance = float(row.get("Validation.Tolerance", "0"))
    checked = 0
    for index in range(count):
        at = index * stride + sum(size(code) * length for _, code, length in sources)
        for position, (name, code, length) in enumerate(results):
            part = out[at : at + size(code) * length]
            at += len(part)
            choices = expected[:2] if either else expected[position : position + 1]
            if not choices or (either and position):
                continue
            right = [parse_vector(values[index % len(values)], code, length) for values in choices]
            for place, seen in enumerate(unpack(part, code)):
                checked += 1
                if not any(
                    close(seen, vector[place], code, kind, tolerance, denorm) for vector in right
                ):
                    what = [values[index % len(values)] for values in inputs]
                    allowed = " or ".join(str(vector[place]) for vector in right)
                    raise Failure(
                        f"{name} of {what}: {seen}, expected {allowed} ({kind} {tolerance})"
                    )
    if not checked:
        raise Failure("nothing was compared")
    return f"{checked} results"


def signed(value, bits):
    """The low bits of an integer, with their sign."""
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


def check_pack(shaders, row):
    """The row of packing: bytes of 32-bit and 16-bit integers, cut and clamped, and unpacked."""
    container = shaders.compile(row.get("ShaderOp.Text"), "cs_6_6", ["-enable-16bit-types"])
    numbers = [rounded(int(text, 0), "I") for text in row.values("Validation.Input")]
    groups = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
    source = shaders.file(pack(numbers, "I"))
    out = shaders.run(
        [container],
        [
            "--dispatch",
            "1",
            "--bind",
            f"u0={source}",
            "--bind",
            "u1=zeros:192",
            "--bind",
            "u2=zeros:576",
        ],
        ["u1", "u2"],
    )

    def packed(values):
        return sum((value & 255) << 8 * at for at, value in enumerate(values))

    def clamped(values, low, high):
        return packed([min(max(value, low), high) for value in values])

    for index, group in enumerate(groups):
        wide = [signed(value, 32) for value in group]
        half = [signed(value, 16) for value in group]
        words = [packed(group)] * 4 + [
            clamped(wide, 0, 255),
            clamped(wide, -128, 127),
            clamped(half, 0, 255),
            clamped(half, -128, 127),
        ]
        if unpack(out["u1"], "I")[8 * index : 8 * index + 8] != words:
            raise Failure(f"packed {group}")
        plain = b""
        for at, code in enumerate("IiHhIiHh"):
            parts = [words[at] >> 8 * place & 255 for place in range(4)]
            plain += pack([signed(part, 8) for part in parts] if code in "ih" else parts, code)
        if out["u2"][96 * index : 96 * index + 96] != plain:
            raise Failure(f"unpacked {group}")
    return f"{len(groups)} vectors"


def main():
    args = parse(options(__doc__, backend="cpu"))
    shaders = Shaders(args)
    cases = []
    for row in rows(args.checkout):
        if not row.table.startswith("Wave"):
            check = check_pack if row.table.startswith("Pack") else check_row
            cases.append((row.name, lambda row=row, check=check: check(shaders, row)))
    sys.exit(report("arith-table", cases, args, tags(args)))


if __name__ == "__main__":
    main()
