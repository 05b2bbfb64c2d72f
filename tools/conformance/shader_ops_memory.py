"""Rules of the entries of `ShaderOpArith.xml` about memory: atomics, raw buffers, heaps."""

import re
import struct

from common import Failure, Unsupported
from shader_ops_draw import QUAD, TARGET, TESTS, must, part, quad, rule
from shaders import pack, unpack


def split(value, shift, bits):
    """A number in both halves of a word."""
    return ((value & ((1 << shift) - 1)) | (value << shift)) & ((1 << bits) - 1)


class Atomics:
    """What the atomics of all threads leave, with numbers 0 to `threads` - 1 in both halves."""

    def __init__(self, threads, bits, what):
        self.threads, self.bits, self.what = threads, bits, what
        self.checks = 0

    def word(self, data, at):
        """A word of the results' width."""
        return int.from_bytes(data[at : at + self.bits // 8], "little")

    def compare(self, results, signed, exchanged, stride, base, signed_base, exchange_base):
        """Compares the results of one resource: unsigned and signed words, and exchanges."""
        shift, last, mask = self.bits // 2, self.threads - 1, (1 << self.bits) - 1
        total = self.threads * last // 2
        reach = split((1 << last.bit_length()) - 1, shift, self.bits)
        bits = 0
        for thread in range(self.threads):
            bits ^= 1 << thread % (self.bits - 1)
        wanted = {
            "add": total & mask if self.bits < 64 else split(total, shift, self.bits),
            "min": split(1, shift, self.bits),
            "max": mask,
            "and": ~reach & mask,
            "or": reach,
            "xor": bits,
        }
        for at, (name, right) in enumerate(wanted.items()):
            self.same(name, self.word(results, base + at * stride), right)
        self.same("signed min", self.word(signed, signed_base), split(-last, shift, self.bits))
        self.same(
            "signed max", self.word(signed, signed_base + stride), split(last, shift, self.bits)
        )
        for at in range(64):
            value = self.word(exchanged, exchange_base + at * stride)
            low, high = value & ((1 << shift) - 1), value >> shift
            must(low == at and high // 3 % 64 == at, f"{self.what}: exchange {at} left {value:x}")
        self.checks += 1

    def same(self, name, seen, wanted):
        """A check."""
        must(seen == wanted, f"{self.what}: {name} left {seen:x}, expected {wanted:x}")
        self.checks += 1

    def raw(self, out):
        """Structured and raw buffers."""
        self.compare(out["u0"], out["u0"], out["u1"], 72, 32, 72 + 48, 32)
        self.compare(out["u2"], out["u2"], out["u3"], 8, 0, 48, 0)

    def shared(self, out):
        """Groupshared memory."""
        self.compare(out["u4"], out["u4"], out["u5"], 8, 0, 48, 0)

    def typed(self, out):
        """A typed buffer and a texture."""
        for first in (6, 9) if self.bits == 32 else (12, 15):
            names = [f"u{first + at}" for at in range(3)]
            self.compare(*(out[name] for name in names), 8, 0, 8, 0)


# The start values: of minima and maxima those that every thread replaces, of `and` all ones.
START = [0, 0, 99999999, 99999999, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0, 0, 42, 42, 42, 42]


def structured_start():
    """The start values in the structure of the entry: 72 bytes, of which few words count."""
    data = bytearray(576)
    for row, value in ((1, 99999999), (3, 0xFFFFFFFF)):
        for word in (8, 9, 12, 13):
            struct.pack_into("<I", data, row * 72 + 4 * word, value)
    return bytes(data)


def resources(entry, names):
    """The words that bind resources of the atomics' entries with their start values."""
    shaders = entry.shaders
    numbers = "u32:" + ",".join(map(str, START))
    signed = [value - (1 << 32) if value >> 31 else value for value in START]
    how = {
        "u0": lambda: shaders.file(structured_start()),
        "u1": lambda: "zeros:9216",
        "u2": lambda: shaders.file(pack(START, "I").ljust(256, b"\0")),
        "u3": lambda: "zeros:1024",
        "u4": lambda: "zeros:256",
        "u5": lambda: "zeros:1024",
        "u8": lambda: "zeros:1024",
        "u9": lambda: shaders.npy(START, "I", 16),
        "u10": lambda: shaders.npy(signed, "i", 16),
        "u11": lambda: shaders.npy([0] * 128, "i", 128),
        "u14": lambda: "zeros:1024",
        "u15": lambda: shaders.npy(START, "I", 8, 2),
        "u16": lambda: shaders.npy(START, "I", 8, 2),
        "u17": lambda: shaders.npy([0] * 256, "I", 128, 2),
    }
    return [
        word for name in names for word in ("--bind", f"{name}={how.get(name, lambda: numbers)()}")
    ]


def atomics(entry, suffix, names, bits, kinds, words=(), graphics=True):
    """Runs compute, mesh and vertex shaders with this suffix and checks the kinds of resources."""
    checks = 0
    stages = [(["CS"], ["--dispatch", "1"], 1024)]
    if graphics:
        stages += [
            (["AS", "MS", "PS"], ["--draw", "1", *TARGET], 4096 + 256),
            (["VS", "PS"], [*quad(entry), *TARGET], 4096 + 6),
        ]
    for shaders, start, threads in stages:
        used = (
            names if shaders[0] != "VS" else [name for name in names if name not in ("u4", "u5")]
        )
        files = entry.compile_all([name + suffix for name in shaders])
        out = entry.run(files, [*start, *resources(entry, used), *words], used)
        what = " ".join(shaders) + suffix
        for kind in kinds:
            if kind == "shared" and shaders[0] == "VS":
                continue
            # Pixel shaders have no groupshared memory: the mesh shaders' 256 threads count.
            own = 256 if kind == "shared" and shaders[0] == "AS" else threads
            work = Atomics(own, bits, f"{what} {kind}")
            getattr(work, kind)(out)
            checks += work.checks
    return checks


def names(first, last):
    """Registers from one to another."""
    return [f"u{at}" for at in range(first, last + 1)]


@rule
def AtomicsRoot(entry):
    checks = atomics(entry, "", names(0, 3), 64, ["raw"])
    out = entry.run(
        [entry.compile("CSSH64")], ["--dispatch", "1", *resources(entry, names(4, 5))], names(4, 5)
    )
    work = Atomics(1024, 64, "CSSH64")
    work.shared(out)
    return checks + work.checks


@part("AtomicsRoot", "shared memory of mesh shaders")
def atomics_of_mesh_shaders(entry):
    files = entry.compile_all(["ASSH64", "MSSH64", "PS"])
    out = entry.run(files, ["--draw", "1", *resources(entry, names(0, 5)), *TARGET], names(4, 5))
    work = Atomics(256, 64, "ASSH64 MSSH64")
    work.shared(out)
    return work.checks


@rule
def AtomicsHeap(entry):
    return atomics(entry, "", names(0, 11), 32, ["raw", "typed", "shared"])


@part("AtomicsHeap", "raw with 64 bits")
def wide_atomics(entry):
    return atomics(entry, "64", names(0, 3), 64, ["raw"])


@part("AtomicsHeap", "typed with 64 bits")
def wide_typed_atomics(entry):
    formats = [word for name in names(12, 17) for word in ("--format", f"{name}=R32G32_UINT")]
    return atomics(entry, "TY64", names(12, 17), 64, ["typed"], formats)


@rule
def FloatAtomics(entry):
    def compare(values, what):
        must(0.120 <= values[0] < 0.125, f"{what}: NaN left {values[0]}")
        for at in range(1, 64):
            must(int(values[at]) // 3 % 63 + 1 == at, f"{what} {at}: {values[at]}")
        return 1

    checks = 0
    zero = entry.shaders.npy([0.0] * 64, "f", 64)
    source = [
        "--bind",
        "u0=zeros:2816",
        "--bind",
        "u1=zeros:256",
        "--bind",
        "u2=zeros:256",
        "--bind",
        f"u3={zero}",
    ]
    shared = ["--bind", "u4=zeros:256"]
    for stages, words, used in (
        (["CS"], ["--dispatch", "1", *shared], names(0, 4)),
        (["AS", "MS", "PS"], ["--draw", "1", *TARGET, *shared], names(0, 4)),
        (["VS", "PS"], [*quad(entry), *TARGET], names(0, 3)),
    ):
        out = entry.run(entry.compile_all(stages), [*words, *source], used)
        for name in used:
            values = unpack(out[name], "f")
            # A structure has eleven words, of which the eighth counts.
            checks += compare(values[7::11] if name == "u0" else values, f"{stages[0]} {name}")
    return checks


def number_file(entry, value, *shape):
    """A texture whose first texel has this value."""
    count = 1
    for length in shape:
        count *= length
    return entry.shaders.npy([float(value)] + [0.0] * (count - 1), "f", *shape)


def dynamic_resources(entry, fallback):
    """The words that bind the resources of the entry in heaps, or as arrays of registers."""
    border = [
        "point+border+border=30/0/0/0",
        "point+border+border=31/0/0/0",
        "point+border+border=32/0/0/0+equal",
        "point+border+border=33/0/0/0+equal",
    ]
    square = [number_file(entry, value, 4, 4) for value in (14, 15)]
    line = [number_file(entry, value, 4) for value in (24, 25)]
    if fallback:
        contents = {
            "t0": "f32:10",
            "t1": "f32:11",
            "t2": "f32:12",
            "t3": "f32:13",
            "t4": square[0],
            "t5": square[1],
            "u6": "f32:20",
            "u7": "f32:21",
            "u8": "f32:22",
            "u9": "f32:23",
            "u10": line[0],
            "u11": line[1],
        }
        contents.update({f"s{at}": value for at, value in enumerate(border)})
        return [word for name, what in contents.items() for word in ("--bind", f"{name}={what}")]
    constants = "u32:" + ",".join(map(str, [*range(12), *[0] * 52]))
    heap = [
        "ByteAddressBuffer=f32:10",
        "ByteAddressBuffer=f32:11",
        "StructuredBuffer<float>=f32:12",
        "StructuredBuffer<float>=f32:13",
        f"Texture2D<float>={square[0]}",
        f"Texture2D<float>={square[1]}",
        "RWByteAddressBuffer=f32:20",
        "RWByteAddressBuffer=f32:21",
        "RWStructuredBuffer<float>=f32:22",
        "RWStructuredBuffer<float>=f32:23",
        f"RWTexture1D<float>={line[0]}",
        f"RWTexture1D<float>={line[1]}",
        f"ConstantBuffer={constants}",
        *["RWStructuredBuffer<float>=zeros:64"] * 3,
    ]
    words = [word for at, what in enumerate(heap) for word in ("--heap", f"{at}={what}")]
    return words + [
        word for at, what in enumerate(border) for word in ("--sampler-heap", f"{at}={what}")
    ]


@rule
def DynamicResourcesDynamicIndexing(entry):
    uniform = [10, 10, 12, 12, 14, 14, 20, 20, 22, 22, 24, 24, 30, 30, 32, 32]
    varying = [10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 30, 31, 32, 33]
    checks = 0
    corners = [number for at in range(0, len(QUAD), 5) for number in QUAD[at : at + 3]]
    draw = [
        "--draw",
        "6",
        "--vertices",
        entry.shaders.npy(corners, "f", 6, 3),
        "--size",
        "rt0=2x2",
        *TARGET[2:],
    ]
    for fallback in (False, True):
        model = "6_0" if fallback else "6_6"
        outputs = names(13, 15) if fallback else ["heap13", "heap14", "heap15"]
        words = dynamic_resources(entry, fallback)
        for wanted, nonuniform in ((uniform, False), (varying, True)):
            more = ["-DFALLBACK=1"] * fallback + ["-DNON_UNIFORM=1"] * nonuniform
            for stages, start, used in (
                (["CS66"], ["--dispatch", "1"], outputs[:1]),
                (["VS66", "PS66"], draw, outputs[1:]),
            ):
                files = [
                    entry.compile(stage, more, f"{stage[:2].lower()}_{model}") for stage in stages
                ]
                zero = [
                    word for name in used for word in ("--bind", f"{name}=zeros:64")
                ] * fallback
                out = entry.run(files, [*start, *words, *zero], used)
                for name in used:
                    seen = unpack(out[name], "f")[:16]
                    must(
                        seen == [float(value) for value in wanted],
                        f"{stages} {model} {name}: {seen}",
                    )
                    checks += 1
    return checks


def string_of(program, name):
    """The value of a string constant of the test program."""
    start = program.index(f"static const char {name}[]")
    body = program[start : program.index(";\n\n", start)]
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', body)
    return "".join(text.encode("latin-1").decode("unicode_escape") for text in parts)


def raw_buffers(kind, bits):
    """The rule of an entry of loads and stores of raw buffers, whose text the program writes."""
    whole = [1, 2, -1, 256, -10517, 980, 465, 13, -89]
    real = [3e-10, 1.5, -1.99988, 256, -105.17, 980, 465.1652, -156.94, -0.008543, 1333.5]
    cases = {
        32: [("int32_t", "i", [*whole, 2**31 - 1]), ("float", "f", real)],
        64: [
            ("int64_t", "q", [*whole[:4], -105171532, *whole[5:], 2**63 - 1]),
            ("double", "d", real),
        ],
        16: [("int16_t", "h", [*whole, 2**15 - 1]), ("half", "e", real)],
    }[bits]
    model = "6_3" if bits == 64 else "6_2"

    def check(entry):
        template = "ComputeShaderTemplate" if kind == "Compute" else "GraphicsPixelShaderTemplate"
        parts = (
            string_of(entry.program, "RawBufferTestShaderDeclarations"),
            string_of(entry.program, "RawBufferTestShaderBody"),
        )
        text = string_of(entry.program, "RawBufferTest" + template) % parts
        checks = 0
        for type_, code, values in cases:
            more = [f"-DCOMPONENT_TYPE={type_}", f"-DCOMPONENT_SIZE={bits // 8}"]
            more += ["-enable-16bit-types"] * (bits == 16)
            data = pack(values, code)
            source, target = entry.shaders.file(data), entry.shaders.file(
                data + bytes(2 * len(data))
            )
            words = [
                word
                for at in range(4)
                for word in ("--bind", f"t{at}={source}", "--bind", f"u{at}={target}")
            ]
            used = names(0, 3)
            if kind == "Compute":
                files = [entry.compile("CS", more, "cs_" + model, text)]
                out = entry.run(files, ["--dispatch", "1", *words], used)
            else:
                files = [entry.compile("VS"), entry.compile("PS", more, "ps_" + model, text)]
                corners = [number for at in range(0, len(QUAD), 5) for number in QUAD[at : at + 3]]
                out = entry.run(
                    files,
                    [
                        "--draw",
                        "6",
                        "--vertices",
                        entry.shaders.npy(corners, "f", 6, 3),
                        "--size",
                        "rt0=16x16",
                        "--format",
                        "rt0=R32G32B32A32_UINT",
                        *words,
                    ],
                    [*used, "rt0"],
                )
                must(unpack(out["rt0"], "I") == [1, 2, 3, 4] * 256, "the target")
            for name in used:
                must(out[name] == data * 3, f"{type_} {name}: {out[name].hex()}")
                checks += 1
        return checks

    return check


for _bits in (32, 64, 16):
    for _kind in ("Compute", "Graphics"):
        TESTS[f"{_kind}RawBufferLdSt{_bits}Bit"] = raw_buffers(_kind, _bits)


def wave_size(lanes):
    """The rule of one size: the shader must see as many lanes as it asks for."""
    text = """RWStructuredBuffer<uint> data : register(u0);
[WaveSize(SIZE)] [numthreads(256, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  if (id.x == 0) data[0] = WaveGetLaneCount();
}"""

    @part("WaveSizeTest", f"{lanes} lanes")
    def check(entry):
        file = entry.shaders.compile(text, "cs_6_6", [f"-DSIZE={lanes}"])
        out = entry.run([file], ["--dispatch", "1", "--bind", "u0=zeros:512"], ["u0"])
        must(unpack(out["u0"], "I")[0] == lanes, f"{unpack(out['u0'], 'I')[0]} lanes")
        return 1

    return check


for _lanes in (4, 8, 16, 32, 64, 128):
    wave_size(_lanes)


@rule
def WaveSizeTest(entry):
    raise Unsupported("the test program writes a text for each size: they are cases of their own")


def newer(name):
    """The rule of an entry of shader model 6.10: it has to be compiled first."""

    def check(entry):
        for shader in entry.texts:
            entry.compile(shader)
        raise Failure("no rule here")

    TESTS[name] = check


for _name in (
    "GroupSharedLimitTest",
    "GroupSharedLimitASTest",
    "GroupSharedLimitMSTest",
    "GroupWaveIndexTest",
):
    newer(_name)
