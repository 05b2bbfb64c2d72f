#!/usr/bin/env python3
"""Compares what the debugger shows with what shaders themselves write out.

Makes random compute shaders, compiles each with and without code that logs every assignment, runs the
logging one on a Vulkan device, traces a thread of the other one with `dxil-run --trace`, and compares
the values after each assignment, line by line. DXC must be on the path or in DXC.

    tools/compare-debugger.py [--shaders 50] [--seed 1] [--run target/debug/dxil-run]
"""
import argparse
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

LOG = 8192  # words of each thread's log: line and value
THREADS = 32


class Maker:
    """Writes a shader: a line for each statement."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.count = 0

    def put(self, depth, text):
        self.lines.append("    " * depth + text)

    def expression(self, kind, names, depth=2):
        r = self.random
        known = [name for name, of in names if of == kind]
        if depth == 0 or r.random() < 0.25:
            if known and r.random() < 0.8:
                return r.choice(known)
            return {
                "uint": str(r.randrange(1, 50)),
                "int": str(r.randrange(-20, 20)),
                "float": f"{r.randrange(-40, 40) / 4}f",
                "bool": r.choice(["true", "false"]),
            }[kind]
        a, b = (self.expression(kind, names, depth - 1) for _ in "ab")
        if kind == "bool":
            of = r.choice(["uint", "int", "float"])
            a, b = (self.expression(of, names, depth - 1) for _ in "ab")
            return f"({a} {r.choice(['<', '>', '==', '!='])} {b})"
        if kind == "float":
            # Exact: sums and products of quarters, kept small.
            return r.choice([f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"floor({a})"])
        operators = ["+", "-", "*", "&", "|", "^"]
        if kind == "uint" and r.random() < 0.2:
            return f"({a} >> {r.randrange(1, 9)}u)"
        return f"({a} {r.choice(operators)} {b})"

    def assign(self, depth, names, outer):
        kind = self.random.choice(["uint", "int", "float"])
        old = [name for name, of in outer if of == kind]
        if old and self.random.random() < 0.5:
            name = self.random.choice(old)
            self.put(depth, f"{name} = {self.expression(kind, names)}; L({name})")
            return
        name = f"v{self.count}"
        self.count += 1
        self.put(depth, f"{kind} {name} = {self.expression(kind, names)}; L({name})")
        names.append((name, kind))
        outer.append((name, kind))

    def block(self, depth, names, length, functions):
        own = list(names)
        mutable = [name for name in names if name[0].startswith("v")]
        for _ in range(length):
            what = self.random.random()
            if depth < 4 and what < 0.18:
                self.put(depth, f"if ({self.expression('bool', own)})")
                self.put(depth, "{")
                self.block(depth + 1, own, 2, functions)
                self.put(depth, "}")
                if self.random.random() < 0.5:
                    self.put(depth, "else")
                    self.put(depth, "{")
                    self.block(depth + 1, own, 2, functions)
                    self.put(depth, "}")
            elif depth < 3 and what < 0.3:
                index = f"i{self.count}"
                self.count += 1
                # Lanes take different numbers of rounds.
                rounds = f"(id & 3u) + {self.random.randrange(1, 3)}u"
                self.put(depth, "[loop]")
                self.put(depth, f"for (uint {index} = 0; {index} < {rounds}; ++{index})")
                self.put(depth, "{")
                self.block(depth + 1, own + [(index, "uint")], 3, functions)
                self.put(depth, "}")
            elif functions and what < 0.42:
                function, kind = self.random.choice(functions)
                name = f"v{self.count}"
                self.count += 1
                arguments = ", ".join(self.expression("uint", own, 1) for _ in "ab")
                self.put(depth, f"{kind} {name} = {function}({arguments}); L({name})")
                own.append((name, kind))
                mutable.append((name, kind))
            else:
                self.assign(depth, own, mutable)

    def shader(self):
        self.put(0, "RWStructuredBuffer<uint> Log : register(u0);")
        self.put(0, "static uint at;")
        self.put(0, "static uint all;")
        self.put(0, "#ifdef TRACE")
        self.put(0, "#define L(x) Log[at] = __LINE__; Log[at + 1] = asuint(x); at += 2;")
        self.put(0, "#else")
        # Values that nothing reads are not computed.
        self.put(0, "#define L(x) all = all * 3u + asuint(x);")
        self.put(0, "#endif")
        functions = []
        for number in range(self.random.randrange(1, 4)):
            name = f"f{number}"
            kind = self.random.choice(["uint", "int"])
            self.put(0, f"{kind} {name}(uint a, uint id)")
            self.put(0, "{")
            self.block(1, [("a", "uint"), ("id", "uint")], 3, functions)
            result = f"v{self.count}"
            self.count += 1
            self.put(1, f"{kind} {result} = ({kind})(a * {number + 3}u + id); L({result})")
            self.put(1, f"return {result};")
            self.put(0, "}")
            functions.append((name, kind))
        self.put(0, f"[numthreads({THREADS}, 1, 1)]")
        self.put(0, "void main(uint id : SV_GroupIndex)")
        self.put(0, "{")
        self.put(1, f"at = id * {LOG}u;")
        self.put(1, "all = 0;")
        self.put(1, "uint v_first = id * 3u; L(v_first)")
        self.block(1, [("id", "uint"), ("v_first", "uint")], 9, functions)
        # Without a result there would be no code.
        self.put(1, f"Log[{THREADS * LOG}u + id] = at;")
        self.put(1, f"Log[{THREADS * (LOG + 1)}u + id] = all;")
        self.put(0, "}")
        return "\n".join(self.lines) + "\n"


ASSIGNMENT = re.compile(r"(\w+) = .*; L\((\w+)\)")


def bits_of(kind, text):
    if kind == "float":
        return struct.unpack("<I", struct.pack("<f", float(text)))[0]
    return int(text) & 0xFFFFFFFF


def compare(run, folder, number, seed, thread):
    source = Maker(seed).shader()
    path = os.path.join(folder, f"s{number}.hlsl")
    with open(path, "w", encoding="ascii") as file:
        file.write(source)
    dxc = os.environ.get("DXC", "dxc")
    plain, logging = (os.path.join(folder, f"s{number}{end}.dxil") for end in ("", "_log"))
    base = [dxc, "-T", "cs_6_0", "-E", "main", path]
    subprocess.run(base + ["-Zi", "-Qembed_debug", "-Od", "-Fo", plain], check=True, capture_output=True)
    subprocess.run(base + ["-DTRACE", "-O3", "-Fo", logging], check=True, capture_output=True)
    size = f"u0=zeros:{THREADS * (LOG + 2) * 4}"
    result = os.path.join(folder, f"s{number}.bin")
    subprocess.run(
        [run, logging, "--dispatch", "1", "--quiet", "--rows", "0", "--bind", size, "--out", f"u0={result}",
         "--timeout", "300"],
        check=True, capture_output=True)
    with open(result, "rb") as file:
        words = struct.unpack(f"<{THREADS * (LOG + 2)}I", file.read())
    ends = words[THREADS * LOG:THREADS * (LOG + 1)]
    if any(end > (number + 1) * LOG for number, end in enumerate(ends)):
        return None  # A log is full, and runs into the next one.
    logged = words[thread * LOG:ends[thread]]
    expected = {}
    for line, value in zip(logged[::2], logged[1::2]):
        expected.setdefault(line, []).append(value)
    trace = subprocess.run(
        [run, plain, "--dispatch", "1", "--bind", size, f"--trace=0,0,0:{thread}", "--json"],
        check=True, capture_output=True, text=True).stdout
    kinds = {name: kind for kind, name in re.findall(r"^ *(uint|int|float) (v\w+) =", source, re.M)}
    seen = {}
    for row in trace.splitlines():
        row = json.loads(row)
        found = ASSIGNMENT.search(row["text"])
        if found:
            shown = row["values"].get(found[1])
            bits = None if shown is None else bits_of(kinds.get(found[1], "uint"), shown)
            seen.setdefault(row["line"], []).append(bits)
    return seen, expected


def is_within(part, whole):
    """Returns whether a sequence is in another one, in its order."""
    rest = iter(whole)
    return all(any(value == other for other in rest) for value in part)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shaders", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run", default="target/debug/dxil-run")
    parser.add_argument("--keep", help="a folder for the shaders")
    options = parser.parse_args()
    stops = wrong = unseen = compared = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for number in range(options.shaders):
            seed = options.seed * 1000 + number
            thread = random.Random(seed).randrange(THREADS)
            done = compare(options.run, folder, number, seed, thread)
            if done is None:
                continue
            compared += 1
            seen, expected = done
            for line in sorted(set(seen) | set(expected)):
                logged = expected.get(line, [])
                shown = [value for value in seen.get(line, []) if value is not None]
                stops += len(shown)
                unseen += len(logged) - len(shown)
                # Where debug information jumps, a line is seen without its value, or again with it.
                once = [value for at, value in enumerate(shown) if at == 0 or shown[at - 1] != value]
                if not is_within(shown, logged) and not is_within(once, logged):
                    print(f"shader {number}, thread {thread}, line {line}: shown {shown}, logged {logged}")
                    wrong += 1
    print(f"{compared} shaders, {stops} values equal but for {wrong} lines; {unseen} were not shown")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
