"""What the suites share: options, running programs, expected failures, the report."""

import argparse
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "dxil-jit"


class Failure(Exception):
    """A case that does not behave as its suite expects; the text says what is seen."""


class NotCompiled(Exception):
    """The compiler at hand does not take the source of a case."""


class Unsupported(Exception):
    """A case that its suite does not have for what runs here."""


def options(description, **defaults):
    """The options that all suites take. `backend` is among them if a default for it is given."""
    parser = argparse.ArgumentParser(description=description.strip().splitlines()[0])
    parser.add_argument("checkout", type=Path, help="the folder with the suite's sources")
    parser.add_argument(
        "--bin",
        type=Path,
        default=ROOT / "target/debug",
        help="our commands and C library (%(default)s)",
    )
    parser.add_argument("--dxc", type=Path, default=CACHE / "dxc/dxc", help="(%(default)s)")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose names contain it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="(%(default)s)")
    parser.add_argument("--work", type=Path, help="where to put files; by default a temporary one")
    parser.add_argument("--list", action="store_true", help="print each case that passes, too")
    if "backend" in defaults:
        parser.add_argument("--backend", default=defaults["backend"], choices=["cpu", "vulkan"])
        parser.add_argument(
            "--device",
            default="lavapipe-25.0",
            help="a word that the lists of expected failures know the device by (%(default)s)",
        )
    return parser


def tags(args):
    """The words for the backend and, on Vulkan, the device."""
    return (args.backend, args.device) if args.backend == "vulkan" else (args.backend,)


def parse(parser):
    """The options of the command line; `work` is a folder that exists."""
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    args.checkout = args.checkout.resolve()
    args.dxc = args.dxc.resolve()
    if args.work is None:
        args.kept = tempfile.TemporaryDirectory(prefix="conformance-")
        args.work = Path(args.kept.name)
    args.work.mkdir(parents=True, exist_ok=True)
    if not args.dxc.is_file():
        sys.exit(f"no compiler at {args.dxc}; tools/get-dxc.sh FOLDER makes one")
    return args


def run(command, timeout=600, **more):
    """Runs a program and returns what `subprocess.run` does, with text. A limit of time fails."""
    try:
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
            **more,
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {timeout} s") from None


def first_line(text):
    """The first line that says something, for reports."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror\b", line, re.IGNORECASE)]
    return (errors or lines or ["no message"])[0].strip()[:300]


def compile_hlsl(args, source, target, entry, output, more=()):
    """Compiles a file of HLSL to `output`."""
    words = [args.dxc, "-T", target, "-E", entry, *more, "-Fo", output, source]
    done = run(words)
    if done.returncode:
        raise NotCompiled(first_line(done.stderr))
    return output


def expected_failures(suite, tags):
    """Pairs of a pattern and a reason from `expected/SUITE.toml`, of the entries that hold here.

    `tags` are words for this run, such as the backend. An entry with `on` holds if one of its words
    is among them. `name` is a pattern or a list of them.
    """
    path = HERE / "expected" / f"{suite}.toml"
    if not path.is_file():
        return []
    with open(path, "rb") as file:
        entries = tomllib.load(file).get("case", [])
    found = []
    for entry in entries:
        if "on" not in entry or set(entry["on"]) & set(tags):
            names = entry["name"] if isinstance(entry["name"], list) else [entry["name"]]
            found += [(name, entry["reason"]) for name in names]
    return found


def matches(name, pattern):
    """Whether a name is that of the entry: shell patterns, in which `[` has no meaning."""
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def outcome(case):
    """Runs one case: a word for the outcome and what is seen."""
    try:
        return "pass", case() or ""
    except NotCompiled as error:
        return "not compiled", str(error)
    except Unsupported as error:
        return "unsupported", str(error)
    except Failure as error:
        return "fail", str(error)


def report(suite, cases, args, tags=()):
    """Runs the cases, pairs of a name and a function, and prints counts and failures.

    Returns the exit status: 0 if just those cases do not pass that the data expect.
    """
    cases = [(name, case) for name, case in cases if re.search(args.only, name)]
    expected = expected_failures(suite, tags)
    counts, wrong, met = {}, 0, 0
    with concurrent.futures.ThreadPoolExecutor(max(args.jobs, 1)) as pool:
        for (name, _), (word, seen) in zip(cases, pool.map(outcome, (case for _, case in cases))):
            counts[word] = counts.get(word, 0) + 1
            reason = next((why for pattern, why in expected if matches(name, pattern)), None)
            if word == "pass" and reason is not None:
                wrong += 1
                print(f"UNEXPECTED pass: {name} (expected: {reason})", flush=True)
            elif word == "pass":
                if args.list:
                    print(f"pass: {name} {seen}".rstrip(), flush=True)
            elif word == "unsupported":
                if args.list:
                    print(f"unsupported: {name}: {seen}", flush=True)
            elif reason is not None:
                met += 1
                print(f"expected {word}: {name}: {reason}", flush=True)
            else:
                wrong += 1
                print(f"UNEXPECTED {word}: {name}: {seen}", flush=True)
    text = ", ".join(
        f"{counts[word]} {word}" for word in sorted(counts, key=lambda w: w != "pass")
    )
    where = f" ({', '.join(tags)})" if tags else ""
    print(
        f"{suite}{where}: {len(cases)} cases: {text or 'none'}; "
        f"{met} expected, {wrong} not as expected"
    )
    return 1 if wrong or not cases else 0
