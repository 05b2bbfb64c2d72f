"""Rules of the entries of `ShaderOpArith.xml` that draw, sample or look at quads."""

import math
import struct

from common import Failure
from shaders import pack, unpack

TESTS = {}
# Parts of entries that are cases of their own, since not every device has what they need.
PARTS = {}
# Two triangles over the whole target: position, texture coordinates.
QUAD = [
    -1,
    1,
    0,
    0,
    0,
    1,
    1,
    0,
    1,
    0,
    -1,
    -1,
    0,
    0,
    1,
    -1,
    -1,
    0,
    0,
    1,
    1,
    1,
    0,
    1,
    0,
    1,
    -1,
    0,
    1,
    1,
]
SIX = [1, 1, 0, 1, -1, 0, -1, -1, 0, -1, 1, 0, 1, 1, 0, -1, -1, 0]
# A texture of 4x4, whose neighbours differ by other powers of two everywhere.
TEXELS = [0.125, 0.25, 0.5, 1, 2, 4, 16, 32, 32, 64, 128, 256, 256, 512, 1024, 2048]
TARGET = ["--size", "rt0=64x64", "--format", "rt0=R32G32B32A32_FLOAT"]


def rule(function):
    """Names a function as the rule of the entry of its name."""
    TESTS[function.__name__] = function
    return function


def part(entry, name):
    """Names a function as the rule of a part of an entry."""

    def named(function):
        PARTS.setdefault(entry, {})[name] = function
        return function

    return named


def must(truth, what):
    """A check."""
    if not truth:
        raise Failure(what)


def near(seen, *allowed):
    """Whether a number is one of those, up to rounding."""
    return any(abs(seen - value) <= abs(value) * 2e-7 for value in allowed)


def quad(entry):
    """The words for a draw of the two triangles."""
    return ["--draw", "6", "--vertices", entry.shaders.npy(QUAD, "f", 6, 5)]


def zeros(count, size=16384):
    """The words that bind this many buffers of zeros."""
    return [word for at in range(count) for word in ("--bind", f"u{at}=zeros:{size}")]


def texture(entry):
    """The texture of 4x4 as a file."""
    return entry.shaders.npy(TEXELS, "f", 4, 4)


@rule
def WriteFloat4(entry):
    out = entry.run(
        [entry.compile("CS")], ["--dispatch", "8,8", "--bind", "u0=zeros:1024"], ["u0"]
    )
    values = unpack(out["u0"], "f")
    must(values == [float(at // 4) for at in range(256)], "the values written")
    return 1


@rule
def DerivFine(entry):
    out = entry.run(
        entry.compile_all(["VS", "PS"]),
        [*quad(entry), "--bind", f"t0={texture(entry)}", *TARGET],
        ["rt0"],
    )
    pixel = 64 * 64 // 2 - 32
    fine_x, fine_y, coarse_x, coarse_y = unpack(out["rt0"], "f")[4 * pixel : 4 * pixel + 4]
    # Quads may start at even coordinates or at odd ones.
    left, top = near(fine_x, -1792), near(fine_y, 224)
    must(left or near(fine_x, 256), f"ddx_fine {fine_x}")
    must(top or near(fine_y, -255.875), f"ddy_fine {fine_y}")
    allowed = {
        (True, True): ((-224, -1792), (224, 1792)),
        (True, False): ((256, 32), (224, 448)),
        (False, True): ((-1792, -0.875), (-2047, -255.875)),
        (False, False): ((256, 0.125), (-255.875, -511.75)),
    }[top, left]
    must(
        near(coarse_x, *allowed[0]) and near(coarse_y, *allowed[1]),
        f"coarse {coarse_x} {coarse_y}",
    )
    return 1


def centre(size):
    """The thread that the test program looks at."""
    width, height, _ = size
    if height == 1:
        return ((width // 2) & ~15) + 12
    return (((height // 2) & ~3) + 2) * width + ((width // 2) & ~3) + 2


def dimensions(prefix, size):
    """Definitions of a group's size."""
    return [f"-D{prefix}{axis}={value}" for axis, value in zip("XYZ", size)]


@rule
def Derivatives(entry):
    def compare(data, at, what):
        fine_x, fine_y, coarse_x, coarse_y = unpack(data, "f")[4 * at : 4 * at + 4]
        must(
            near(fine_x, 128)
            and near(fine_y, 896)
            and near(coarse_x, 128, 1024)
            and near(coarse_y, 896, 1792),
            f"{what}: {fine_x} {fine_y} {coarse_x} {coarse_y}",
        )
        return 1

    checks = 0
    source = ["--bind", f"t0={texture(entry)}"]
    for size in [
        (40, 1, 1),
        (1000, 1, 1),
        (32, 32, 1),
        (16, 64, 1),
        (4, 12, 4),
        (4, 64, 1),
        (16, 16, 3),
        (32, 8, 2),
        (8, 8, 1),
    ]:
        words = [
            "--dispatch",
            ",".join(map(str, size)),
            *source,
            "--bind",
            "u0=zeros:16384",
            "--bind",
            "u3=zeros:16384",
        ]
        out = entry.run([entry.compile("CS", dimensions("DISPATCH", size))], words, ["u0"])
        checks += compare(out["u0"], centre(size), f"compute {size}")
    for size in [
        (60, 1, 1),
        (128, 1, 1),
        (8, 8, 1),
        (16, 8, 1),
        (8, 4, 2),
        (10, 10, 1),
        (4, 16, 2),
    ]:
        files = entry.compile_all(["AS", "MS", "PS"], dimensions("DISPATCH", size))
        out = entry.run(files, ["--draw", "1", *source, *zeros(4), *TARGET], ["u1", "u2"])
        for name in ("u1", "u2"):
            checks += compare(out[name], centre(size), f"{name} {size}")
    return checks


@rule
def QuadRead(entry):
    def compare(data, threads):
        rows = unpack(data, "I")
        for start in (0, 4, (threads // 2) & ~3):
            for thread in range(start, start + 4):
                own, *others = rows[4 * thread : 4 * thread + 4]
                must(
                    others == [own ^ 1, own ^ 2, own ^ 3],
                    f"quad of thread {thread}: {own} {others}",
                )
        return 1

    checks = 0
    for size, mesh in [
        ((32, 32, 1), (8, 8, 1)),
        ((64, 4, 1), (64, 2, 1)),
        ((64, 1, 1), (64, 1, 1)),
        ((16, 16, 3), (4, 4, 3)),
    ]:
        words = dimensions("DISPATCH", size) + dimensions("MESHDISPATCH", mesh)
        out = entry.run(
            [entry.compile("CS", words)],
            ["--dispatch", ",".join(map(str, size)), "--bind", "u0=zeros:16384"],
            ["u0"],
        )
        checks += compare(out["u0"], math.prod(size))
        out = entry.run(
            entry.compile_all(["AS", "MS", "PS"], words),
            ["--draw", "1", "--bind", "u1=zeros:16384", "--bind", "u2=zeros:16384"],
            ["u1", "u2"],
        )
        checks += compare(out["u1"], math.prod(mesh)) + compare(out["u2"], math.prod(mesh))
    return checks


@rule
def ComputeSample(entry):
    def compare(data, threads, what):
        rows = unpack(data, "I")
        level_x = level_y = 0
        for thread in range(threads):
            left, right, top, bottom = rows[4 * thread : 4 * thread + 4]
            must(left == right and top == bottom, f"{what}, thread {thread}: the two ways differ")
            must(thread % 4 == 2 or left >= level_x, f"{what}: level in x falls at {thread}")
            must(top >= level_y, f"{what}: level in y falls at {thread}")
            level_x, level_y = left, top
        must((level_x, level_y) == (6, 6), f"{what}: the last levels are {level_x} and {level_y}")
        return 1

    levels = b"".join(pack([float(level)] * (336 >> level) ** 2, "f") for level in range(7))
    source = [
        "--bind",
        f"t0={entry.shaders.file(levels)}",
        "--size",
        "t0=336x336",
        "--format",
        "t0=R32_FLOAT",
        "--mips",
        "t0=7",
        "--bind",
        "s0=linear+wrap+mip=point",
    ]
    checks = 0
    for name in ("CS", "CS2"):
        out = entry.run(
            [entry.compile(name)], ["--dispatch", "1", "--bind", "u0=zeros:5376", *source], ["u0"]
        )
        checks += compare(out["u0"], 336, name)
    for suffix, threads in (("", 116), ("2", 84)):
        files = entry.compile_all(["AS" + suffix, "MS" + suffix, "PS"])
        out = entry.run(
            files,
            [
                "--draw",
                "1",
                "--bind",
                "u1=zeros:2048",
                "--bind",
                "u2=zeros:2048",
                "--size",
                "rt0=84x4",
                *TARGET[2:],
                *source,
            ],
            ["u1", "u2"],
        )
        checks += compare(out["u1"], threads, "AS" + suffix) + compare(
            out["u2"], threads, "MS" + suffix
        )
    return checks


@rule
def ProgOffset(entry):
    places = [100 + 50 * at for at in range(18)]
    # An offset counts by its lowest four bits, as a signed number.
    offsets = [((value & 15) ^ 8) - 8 for value in range(-9, 9)]

    def compare(data, derivatives, what):
        rows = unpack(data, "I")
        for at in range(18 * 18):
            y, x = divmod(at, 18)
            texel = (places[y] + offsets[y]) * 1000 + places[x] + offsets[x]
            wanted = [texel, 1, 1, 1, texel, texel, texel, texel]
            for column in range(8):
                if derivatives or column not in (0, 1, 5):
                    seen = rows[8 * at + column]
                    must(
                        seen == wanted[column],
                        f"{what} {x},{y} column {column}: {seen} for {wanted[column]}",
                    )
        return 1

    image = entry.shaders.npy([float(at) for at in range(1000000)], "f", 1000, 1000)
    source = [
        "--bind",
        f"t0={image}",
        "--bind",
        "s0=point+wrap",
        "--bind",
        "s1=point+wrap+lessequal",
    ]
    target = ["--size", "rt0=18x18", *TARGET[2:]]
    checks = 0
    for name, derivatives in (("CS", False), ("CS66", True)):
        out = entry.run(
            [entry.compile(name)], ["--dispatch", "1", *zeros(1, 11552), *source], ["u0"]
        )
        checks += compare(out["u0"], derivatives, name)
    for first, second, derivatives in (("AS", "MS", False), ("AS66D", "MS66D", True)):
        out = entry.run(
            entry.compile_all([first, second, "PS"]),
            ["--draw", "1", *zeros(3, 11552), *source, *target],
            ["u0", "u1", "u2"],
        )
        checks += compare(out["u0"], True, "PS of " + second) + compare(
            out["u1"], derivatives, second
        )
        checks += compare(out["u2"], derivatives, first)
    out = entry.run(
        entry.compile_all(["VS", "PS"]), [*quad(entry), *zeros(1, 11552), *source, *target], ["u0"]
    )
    return checks + compare(out["u0"], True, "PS")


@rule
def OOB(entry):
    values = [1, 0.5, 1, *range(4, 17)]
    out = entry.run(
        entry.compile_all(["VS", "PS"]),
        [
            "--draw",
            "6",
            "--vertices",
            entry.shaders.npy(SIX, "f", 6, 3),
            "--bind",
            "b0=f32:1,0,100",
            "--bind",
            f"t0={entry.shaders.npy(values, 'f', 16)}",
            "--size",
            "rt0=320x200",
            "--format",
            "rt0=R8G8B8A8_UNORM",
        ],
        ["rt0"],
    )
    first = unpack(out["rt0"][:4], "I")[0]
    must(first == 0xFF0000FF, f"first pixel {first:x}")
    return 1


@rule
def Saturate(entry):
    tiny = struct.unpack("<f", b"\1\0\0\0")[0]
    inputs = [-math.inf, -1.5, -tiny, -0.0, 0.0, tiny, 1.5, math.inf, math.nan]
    constants = entry.shaders.file(pack(inputs, "f").ljust(256, b"\0"))
    out = entry.run(
        entry.compile_all(["VS", "PS"]),
        [
            "--draw",
            "6",
            "--vertices",
            entry.shaders.npy(SIX, "f", 6, 3),
            "--bind",
            f"b0={constants}",
            "--bind",
            "u0=zeros:1280",
            "--size",
            "rt0=64x64",
            "--format",
            "rt0=R8G8B8A8_UNORM",
        ],
        ["u0"],
    )
    for given, seen, wanted in zip(inputs, unpack(out["u0"], "f"), [0, 0, 0, 0, 0, 0, 1, 1, 0]):
        must(
            seen == wanted or wanted == 0 and abs(seen) < 2.0**-126, f"saturate({given}) is {seen}"
        )
    return len(inputs)


def triangle(entry, vertices, width):
    """A white triangle: its middle, and the background above it."""
    out = entry.run(
        entry.compile_all(["VS", "PS"]),
        [
            "--draw",
            "3",
            "--vertices",
            entry.shaders.npy(vertices, "f", 3, width),
            "--size",
            "rt0=320x200",
            "--format",
            "rt0=R8G8B8A8_UNORM",
        ],
        ["rt0"],
    )
    pixels = unpack(out["rt0"], "I")
    must(pixels[160 + 320 * 100] == 0xFFFFFFFF, f"middle {pixels[160 + 320 * 100]:x}")
    must(pixels[160] == pixels[0] != 0xFFFFFFFF, f"top {pixels[160]:x}")
    return 2


@rule
def Triangle(entry):
    return triangle(
        entry,
        [0, 0.25, 0, 1, 1, 0, 0, 1, 0.25, -0.25, 0, 1, 0, 1, 0, 1, -0.25, -0.25, 0, 1, 0, 0, 1, 1],
        8,
    )


@rule
def TriangleHalf(entry):
    return triangle(
        entry,
        [0, 0.25, 0, 1, 1, 1, 1, 1, 0.25, -0.25, 0, 1, 1, 1, 1, 1, -0.25, -0.25, 0, 1, 1, 1, 1, 1],
        8,
    )


@rule
def CBufferTestHalf(entry):
    halves = [0x3F80, 0x3F00, 0x3D80, 0x7BFF]
    out = entry.run(
        entry.compile_all(["VS", "PS"]),
        [
            "--draw",
            "6",
            "--vertices",
            entry.shaders.npy(SIX, "f", 6, 3),
            "--bind",
            f"b0={entry.shaders.file(pack(halves, 'H'))}",
            "--size",
            "rt0=320x200",
            "--format",
            "rt0=R16G16B16A16_FLOAT",
        ],
        ["rt0"],
    )
    must(unpack(out["rt0"][:8], "H") == halves, "the halves of the constant buffer")
    return len(halves)


@rule
def Barycentrics(entry):
    corners = [[0, 1, 0, 1, 0, 0, 1], [1, -1, 0, 0, 1, 0, 1], [-1, -1, 0, 0, 0, 1, 1]]
    weights = [(0.4, 0.2, 0.4), (0.5, 0.25, 0.25), (0.25, 0.5, 0.25), (0.25, 0.25, 0.5)]

    def draw(names, turn, ordered):
        turned = corners[turn:] + corners[:turn]
        # The position has three numbers in the test, and w is 1.
        vertices = [number for row in turned for number in (*row[:3], 1, *row[3:])]
        out = entry.run(
            entry.compile_all(names),
            ["--draw", "3", "--vertices", entry.shaders.npy(vertices, "f", 3, 8), *TARGET],
            ["rt0"],
        )
        pixels = unpack(out["rt0"], "f")
        for weight in weights:
            x, y = (sum(part * row[axis] for part, row in zip(weight, turned)) for axis in (0, 1))
            at = 64 * math.floor((1 - y) * 63 / 2 + 0.5) + math.floor((x + 1) * 63 / 2 + 0.5)
            wanted = (0, 0.5, 1, 1) if ordered else weight
            seen = pixels[4 * at : 4 * at + len(wanted)]
            must(
                all(abs(a - b) <= 0.02 for a, b in zip(seen, wanted)),
                f"{names[0]} {turn} {weight}: {seen}",
            )
        return len(weights)

    return draw(["VS", "PS"], 0, False) + sum(
        draw(["VSordering", "PSordering"], turn, True) for turn in range(3)
    )


@rule
def QuadAnyAll(entry):
    entry.compile("CS")
    raise Failure("no rule: the compiler at hand did not know QuadAny")


@rule
def SampleCmpLevel(entry):
    entry.compile("CS")
    raise Failure("no rule: the compiler at hand did not know SampleCmpLevel")
