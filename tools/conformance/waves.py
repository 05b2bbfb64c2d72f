#!/usr/bin/env python3
"""DXC's rows of wave operations in `ShaderOpArithTable.xml`: active, prefix and multi-prefix.

    tools/conformance/waves.py CHECKOUT [--backend cpu]

Each lane reports its wave (the index of its first thread) and its lane. A result must be that of
the operation over the lanes which take part: those of the same wave and side of the branch, for
prefixes the lower ones, for multi-prefixes those with the same key. All inputs run with four
masks.
"""

import functools
import operator
import re
import sys

from common import Failure, options, parse, report, tags
from shaders import Shaders, pack, rows, unpack
from values import rounded

THREADS = 96
MASKS = [
    lambda index: 0,
    lambda index: 1,
    lambda index: index & 1,
    lambda index: int(index % 5 < 2),
]
FOLDS = {
    "Sum": (operator.add, 0),
    "Product": (operator.mul, 1),
    "BitAnd": (operator.and_, -1),
    "BitOr": (operator.or_, 0),
    "BitXor": (operator.xor, 0),
}


def result(operation, values):
    """The operation over a list of inputs; over none of them the neutral element."""
    if operation in FOLDS:
        function, neutral = FOLDS[operation]
        return functools.reduce(function, values, neutral)
    if operation == "CountBits":
        return sum(bool(value) for value in values)
    whole = {
        "Max": max,
        "Min": min,
        "AllEqual": lambda all_: int(len(set(all_)) == 1),
        "AnyTrue": lambda all_: int(any(all_)),
        "AllTrue": lambda all_: int(all(all_)),
    }
    return whole[operation](values)


def operation_of(name):
    """Kind and operation of a row's name, such as `WaveMultiPrefixUBitAnd`."""
    for kind in ("MultiPrefix", "Prefix", "Active"):
        if name.startswith("Wave" + kind):
            word = name[len("Wave" + kind) :]
            if word[0] == "U":
                word = word[1:]
            return kind, word
    raise Failure(f"the rule of {name} is not known here")


def check_lanes(kind, operation, code, lanes):
    """Compares the results of one dispatch. A lane: wave, lane, mask, key, input, output."""
    waves = {}
    for lane in lanes:
        wave, _, mask, key = lane[:4]
        waves.setdefault((wave, mask, key), []).append(lane)
    for group, members in waves.items():
        if len({lane[1] for lane in members}) != len(members):
            raise Failure(f"two threads of wave {group[0]} have one lane")
        for lane in members:
            taken = [other[4] for other in members if kind == "Active" or other[1] < lane[1]]
            right = rounded(result(operation, taken), code)
            if lane[5] != right:
                raise Failure(f"lane {lane[1]} of the wave of {group[0]}: {lane[5]} for {right}")
    return len({lane[0] for lane in lanes})


def check_row(shaders, row):
    """Runs a row with each set of inputs and each mask."""
    kind, operation = operation_of(row.name.split(".")[1])
    code = "I" if "Uint" in row.table else "i"
    # Some shaders count lanes whose input is above a limit.
    limit = re.search(r"CountBits\(\w+\.\w+ > (\d+)", row.get("ShaderOp.Text"))
    multi = kind == "MultiPrefix"
    container = shaders.compile(row.get("ShaderOp.Text"), row.get("ShaderOp.Target", "cs_6_0"))
    if multi:
        sets = [row.values("Validation.Values")]
    else:
        count = int(row.get("Validation.NumInputSet"))
        sets = [row.values(f"Validation.InputSet{at + 1}") for at in range(count)]
    keys = [int(key) for key in row.values("Validation.Keys")] if multi else [0]
    runs = waves = 0
    for values in sets:
        for mask in MASKS:
            data, inputs = b"", []
            for index in range(THREADS):
                value = rounded(int(values[index % len(values)], 0), code)
                key = keys[index % len(keys)]
                inputs.append((mask(index), key, value))
                if multi:
                    data += pack([key, 0, 0, mask(index)], "I") + pack([value, 0], code)
                else:
                    data += pack([0, 0, mask(index)], "I") + pack([value, 0], code)
            source = shaders.file(data)
            out = shaders.run([container], ["--dispatch", "1", "--bind", f"u0={source}"], ["u0"])[
                "u0"
            ]
            width = len(data) // THREADS
            lanes = []
            for index, (side, key, value) in enumerate(inputs):
                part = out[index * width : (index + 1) * width]
                wave, lane = unpack(part, "I")[1:3] if multi else unpack(part, "I")[:2]
                value = value > int(limit[1]) if limit else value
                lanes.append((wave, lane, side, key, value, unpack(part, code)[-1]))
            waves = max(waves, check_lanes(kind, operation, code, lanes))
            runs += 1
    return f"{runs} dispatches, {waves} waves"


def main():
    args = parse(options(__doc__, backend="cpu"))
    shaders = Shaders(args)
    cases = [
        (row.name, lambda row=row: check_row(shaders, row))
        for row in rows(args.checkout)
        if row.table.startswith("Wave")
    ]
    sys.exit(report("waves", cases, args, tags(args)))


if __name__ == "__main__":
    main()
