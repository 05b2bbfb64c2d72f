#!/usr/bin/env python3
"""Asks DXC about containers before and after this project wrote them again.

Takes every container in the folders once. DXIL goes through `dxil-edit --rewrite` and
`dxil-edit --make-parts`, DXBC through `dxbc2dxil`. Lists what DXC's validator accepted before and
refuses now, and where DXC's listing of a rewritten module differs. `--run` also executes the shaders
of DXBC, each stage by itself on the CPU, before and after their conversion, with the same inputs, and
compares all results.

    tools/conformance/rewrite.py [--tools target/debug] [--keep DIR] [--run] FOLDER...

The exit status is 1 if something accepted is refused now, or runs differently. Needs what
`tools/get-dxc.sh` brings, and a C++ compiler.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def parts(data):
    """Names of the parts of a container; none for bytes that are no container."""
    if len(data) < 32 or data[:4] != b"DXBC":
        return []
    count = int.from_bytes(data[28:32], "little")
    starts = [int.from_bytes(data[32 + 4 * i : 36 + 4 * i], "little") for i in range(min(count, 99))]
    return [data[start : start + 4] for start in starts]


def containers(folders):
    """Distinct containers with a program: two lists of paths, of DXIL and of DXBC."""
    seen, dxil, dxbc = set(), [], []
    for folder in folders:
        for place, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    if file.read(4) != b"DXBC":
                        continue
                    data = b"DXBC" + file.read()
                digest = hashlib.sha256(data).digest()
                if digest in seen:
                    continue
                seen.add(digest)
                names_in = parts(data)
                if b"DXIL" in names_in:
                    dxil.append(path)
                elif b"SHDR" in names_in or b"SHEX" in names_in:
                    dxbc.append(path)
    return dxil, dxbc


class Dxc:
    """DXC, in processes that may crash."""

    def __init__(self, folder):
        self.dxc = subprocess.run(
            [os.path.join(ROOT, "tools/get-dxc.sh")], check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()
        self.program = os.path.join(folder, "dxc_check")
        source = os.path.join(HERE, "dxc_check.cpp")
        command = ["c++", "-O1", "-w", "-std=c++17", "-I" + self.dxc, source, "-o", self.program]
        subprocess.run(command + ["-ldl"], check=True)

    def verdicts(self, paths):
        """`(verdict, hash of the listing, message)` of each file."""
        lines = subprocess.run(
            [self.program, self.dxc],
            input="".join(path + "\n" for path in paths),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
            text=True,
            errors="replace",
        ).stdout.split("\n")
        found = [tuple(line.split("\t", 2)) for line in lines[: len(paths)]]
        assert len(found) == len(paths) and all(len(row) == 3 for row in found)
        return dict(zip(paths, found))


class Made:
    """What one command made of the files."""

    def __init__(self, title, command, paths, folder):
        self.title, self.errors, self.pairs = title, collections.Counter(), []
        self.failed = []
        os.makedirs(folder, exist_ok=True)
        for number, path in enumerate(paths):
            output = os.path.join(folder, f"{number:05}.dxil")
            done = subprocess.run(command(path, output), capture_output=True, text=True)
            if done.returncode == 0:
                self.pairs.append((path, output))
            else:
                why = done.stderr.strip().rsplit(": ", 1)[-1][:90] or f"status {done.returncode}"
                self.errors[why] += 1
                self.failed.append((path, done.stderr.strip()[:200]))

    def report(self, dxc, before, listings):
        """Prints counts and findings; returns the files that were accepted and are refused now."""
        after = dxc.verdicts([output for _, output in self.pairs])
        counts = collections.Counter(after[output][0] for _, output in self.pairs)
        print(f"{self.title}: {len(self.pairs)} written, {len(self.failed)} not: {dict(counts)}")
        for why, count in self.errors.most_common(8):
            print(f"    not written: {count} times: {why}")
        lost = [path for path, _ in self.failed if before[path][0] == "valid"]
        for path in lost[:20]:
            print(f"    accepted before, not written: {path}")
        worse = [
            (path, output)
            for path, output in self.pairs
            if before[path][0] == "valid" and after[output][0] != "valid"
        ]
        for path, output in worse[:40]:
            print(f"    accepted before, {after[output][0]} now: {path}: {after[output][2][:160]}")
        if listings:
            pairs = [(path, output) for path, output in self.pairs if before[path][1] != "-"]
            other = [path for path, output in pairs if before[path][1] != after[output][1]]
            print(f"    {len(pairs) - len(other)} of {len(pairs)} have the same listing of DXC")
            for path in other[:20]:
                print(f"    other listing: {path}")
        print(f"    {len(worse) + len(lost)} accepted before and not now", flush=True)
        return len(worse) + len(lost)


# How the CPU backend runs each stage by itself, by the number in the program's version.
STAGES = {
    0: ("pixel", ["--pixels", "8x8"]),
    1: ("vertex", ["--draw", "6"]),
    2: ("geometry", ["--draw", "6"]),
    3: ("hull", ["--draw", "6"]),
    4: ("domain", ["--draw", "6"]),
    5: ("compute", ["--dispatch", "2,2,1"]),
}


def stage_of(path):
    """Number of the stage of a container of DXBC."""
    with open(path, "rb") as file:
        data = file.read()
    at = max(data.find(b"SHEX"), data.find(b"SHDR"))
    return int.from_bytes(data[at + 10 : at + 12], "little")


# What structured and raw buffers get: small floats and small integers in turn, or, where the floats'
# bits make loops too long, integers alone.
INPUTS = (
    [struct.pack("<fI", i % 61 * 0.25, i % 7) for i in range(1 << 13)],
    [struct.pack("<II", i % 5, i % 7) for i in range(1 << 13)],
)
# The message of a buffer that is no whole number of elements: register, and bytes of an element.
PARTIAL = re.compile(r"error: (t[0-9]+[^ :]*).*?elements of ([0-9]+) bytes", re.DOTALL)


def run_once(command):
    """Exit status and output; no status for a run that takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def run_with(tool, old, new, how, words, folder):
    """Runs both with the same buffers; as `run_once`."""
    status, listing, why = run_once([tool("dxil-run"), old, *how, "--json"])
    if status != 0:
        return status, listing, why
    sizes = {
        resource["place"]: 1 << 16
        for resource in json.loads(listing)["inputs"]
        if resource["kind"] in ("StructuredBuffer", "ByteAddressBuffer")
    }
    data = b"".join(words)
    for _ in range(len(sizes) + 1):
        binds = []
        for place, size in sizes.items():
            name = os.path.join(folder, f"input{size}.bin")
            with open(name, "wb") as file:
                file.write(data[:size])
            binds += ["--bind", f"{place}={name}"]
        status, listing, why = run_once([tool("dxil-run"), old, *how, *binds, "--compare", new])
        partial = PARTIAL.search(why)
        if status != 2 or not partial or partial[1] not in sizes:
            break
        sizes[partial[1]] -= sizes[partial[1]] % int(partial[2])
    return status, listing, why


def run_both(tool, pairs, folder):
    """Executes shaders before and after with the same inputs; returns how many differ.

    `dxil-run` fills buffers by the types of their elements, which DXBC does not have and the
    converted shader takes from RDEF. So structured and raw buffers get bytes here.
    """
    counts, different = collections.Counter(), []
    for old, new in pairs:
        name, how = STAGES[stage_of(old)]
        how = [*how, "--backend", "cpu", "--timeout", "20"]
        for words in INPUTS:
            status, listing, why = run_with(tool, old, new, how, words, folder)
            if status in (0, 1):
                break
        result = {None: "too long", 0: "equal", 1: "other results"}.get(status, "not run")
        counts[f"{name} {result}"] += 1
        if status:
            message = (why.strip() or listing.strip())[-200:]
            different.append((status, old, message))
    print(f"executed before and after: {dict(sorted(counts.items()))}")
    for code, old, why in different[:40]:
        print(f"    status {code}: {old}: {why}")
    return sum(code == 1 for code, _, _ in different)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tools", default=os.path.join(ROOT, "target/debug"))
    parser.add_argument("--keep", help="keep what is written in this folder")
    parser.add_argument("--run", action="store_true", help="execute shaders of DXBC")
    parser.add_argument("folders", nargs="+")
    arguments = parser.parse_args()

    def tool(name):
        return os.path.join(arguments.tools, name)

    dxil, dxbc = containers(arguments.folders)
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        dxc = Dxc(scratch)
        before = dxc.verdicts(dxil)
        counts = collections.Counter(row[0] for row in before.values())
        print(f"DXIL: {len(dxil)} distinct containers: {dict(counts)}", flush=True)
        worse = 0
        if dxil:
            kinds = [("rewritten", "--rewrite", True), ("all parts anew", "--make-parts", False)]
            for title, option, listings in kinds:
                made = Made(
                    title,
                    lambda path, output: [tool("dxil-edit"), path, option, "-o", output],
                    dxil,
                    os.path.join(folder, option.strip("-")),
                )
                worse += made.report(dxc, before, listings)
        if dxbc:
            print(f"DXBC: {len(dxbc)} distinct containers")
            before.update((path, ("valid", "-", "")) for path in dxbc)
            made = Made(
                "converted",
                lambda path, output: [tool("dxbc2dxil"), path, "-o", output],
                dxbc,
                os.path.join(folder, "converted"),
            )
            worse += made.report(dxc, before, False)
            if arguments.run:
                worse += run_both(tool, made.pairs, folder)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
