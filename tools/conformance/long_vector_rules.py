"""What HLSL says about the operations of DXC's tests of long vectors.

`expect` has a rule for each operation: the vector that must come out, its type, and how near a
device must come to it (the tolerances of the suite: one ulp for arithmetic, an absolute one for
trigonometry, none where the result is exact).
"""

import math
from dataclasses import dataclass, field

from values import bits_of, of_bits, rounded, size


@dataclass(frozen=True)
class Type:
    """A type of the suite: its name in HLSL, its code in buffers, the code that results have."""

    hlsl: str
    code: str
    sixteen: bool = False
    half: bool = False

    @property
    def float(self):
        """Whether values are floats."""
        return self.code in "efd"

    @property
    def element(self):
        """The name of an element in a structured buffer whose layout is given by hand."""
        return {
            "f": "float",
            "e": "half",
            "d": "double",
            "i": "int",
            "I": "uint",
            "h": "int16_t",
            "H": "uint16_t",
            "q": "int64_t",
            "Q": "uint64_t",
        }[self.code]


TYPES = {
    "HLSLBool_t": Type("bool", "i"),
    "int16_t": Type("int16_t", "h", True),
    "int32_t": Type("int", "i"),
    "int64_t": Type("int64_t", "q"),
    "uint16_t": Type("uint16_t", "H", True),
    "uint32_t": Type("uint32_t", "I"),
    "uint64_t": Type("uint64_t", "Q"),
    "HLSLHalf_t": Type("half", "e", True),
    "float": Type("float", "f"),
    "double": Type("double", "d"),
    # Minimum precision takes 32 bits in a buffer; a device may compute with 16.
    "HLSLMin16Float_t": Type("min16float", "f", half=True),
    "HLSLMin16Int_t": Type("min16int", "i"),
    "HLSLMin16Uint_t": Type("min16uint", "I"),
}
BOOL, INT, UINT, FLOAT = (TYPES[name] for name in ("HLSLBool_t", "int32_t", "uint32_t", "float"))


@dataclass(frozen=True)
class Vector:
    """The vector that an operation gets: its type and length, and the lanes of a wave."""

    type: Type
    length: int
    wave: int


@dataclass
class Wanted:
    """The expected output."""

    type: Type
    values: list = field(default_factory=list)
    kind: str = "epsilon"
    tolerance: float = 0.0

    @property
    def compared(self):
        """The code in whose numbers results are compared."""
        return "e" if self.type.half else self.type.code


def quotient(a, b):
    """Division of integers that cuts towards zero, as HLSL has it."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def defined(function, *values):
    """A function of reals, or NaN where it has no value."""
    try:
        return function(*values)
    except ValueError:
        return math.nan


def highest(value, code):
    """`firstbithigh`: of a negative number the highest bit that is zero; all ones without any."""
    if value < 0:
        value = ~value
    return value.bit_length() - 1 & 0xFFFFFFFF


def reversed_bits(value, code):
    """The bits from the other end."""
    width = 8 * size(code)
    return int(format(bits_of(value, code), f"0{width}b")[::-1], 2)


def logarithm(function):
    """A logarithm: of zero minus infinity."""
    return lambda a: -math.inf if a == 0 else defined(function, a)


TRIGONOMETRY = {
    "Acos": math.acos,
    "Asin": math.asin,
    "Atan": math.atan,
    "Cos": math.cos,
    "Cosh": math.cosh,
    "Sin": math.sin,
    "Sinh": math.sinh,
    "Tan": math.tan,
    "Tanh": math.tanh,
}
FLOAT_UNARY = {
    "Ceil": math.ceil,
    "Floor": math.floor,
    "Trunc": math.trunc,
    "Round": round,
    "Exp": math.exp,
    "Exp2": lambda a: 2.0**a,
    "Frac": lambda a: a - math.floor(a),
    "Rcp": lambda a: 1 / a,
    "Log": logarithm(math.log),
    "Log2": logarithm(math.log2),
    "Log10": logarithm(math.log10),
    "Sqrt": lambda a: defined(math.sqrt, a),
    "Rsqrt": lambda a: 1 / defined(math.sqrt, a),
}
COMPARISONS = {
    "LessThan": lambda a, b: a < b,
    "LessEqual": lambda a, b: a <= b,
    "GreaterThan": lambda a, b: a > b,
    "GreaterEqual": lambda a, b: a >= b,
    "Equal": lambda a, b: a == b,
    "NotEqual": lambda a, b: a != b,
    "IsFinite": math.isfinite,
    "IsInf": math.isinf,
    "IsNan": math.isnan,
}
CASTS = {
    "Bool": "HLSLBool_t",
    "Int16": "int16_t",
    "Int32": "int32_t",
    "Int64": "int64_t",
    "Uint16": "uint16_t",
    "Uint32": "uint32_t",
    "Uint64": "uint64_t",
    "Float16": "HLSLHalf_t",
    "Float32": "float",
    "Float64": "double",
}
VIEWS = {
    "AsFloat16": "HLSLHalf_t",
    "AsInt16": "int16_t",
    "AsUint16": "uint16_t",
    "AsFloat": "float",
    "AsInt": "int32_t",
    "AsUint": "uint32_t",
}


def arithmetic(vector):
    """Operations of numbers of one type whose result has that type."""
    code, wave = vector.type.code, vector.wave
    width = 8 * (2 if vector.type.hlsl.startswith("min16") else size(code))
    real = vector.type.float
    return {
        "Mad": lambda a, b, c: a * b + c,
        "Fma": lambda a, b, c: a * b + c,
        "Add": lambda a, b: a + b,
        "Subtract": lambda a, b: a - b,
        "Multiply": lambda a, b: a * b,
        "Divide": lambda a, b: a / b if real else quotient(a, b),
        "Modulus": lambda a, b: math.fmod(a, b) if real else a - b * quotient(a, b),
        "Min": min,
        "Max": max,
        "Ldexp": lambda a, b: a * 2.0**b,
        "And": lambda a, b: a & b,
        "Or": lambda a, b: a | b,
        "Xor": lambda a, b: a ^ b,
        "LeftShift": lambda a, b: a << (b & (width - 1)),
        "RightShift": lambda a, b: a >> (b & (width - 1)),
        "Saturate": lambda a: min(max(a, 0), 1),
        "ReverseBits": lambda a: reversed_bits(a, code),
        "Initialize": lambda a: a,
        "Abs": abs,
        "Logical_And": lambda a, b: int(bool(a) and bool(b)),
        "Logical_Or": lambda a, b: int(bool(a) or bool(b)),
        # Lane n of a quad has its input plus 2 n.
        "DerivativeDdx": lambda a: rounded(a + 2, code) - a,
        "DerivativeDdy": lambda a: rounded(a + 4, code) - a,
        "DerivativeDdxFine": lambda a: rounded(a + 6, code) - rounded(a + 4, code),
        "DerivativeDdyFine": lambda a: rounded(a + 6, code) - rounded(a + 2, code),
        # All lanes have the same input but for what the shader changes by lane.
        "WaveActiveSum": lambda a: a * wave,
        "WaveActiveMin": lambda a: min(rounded(a + lane, code) for lane in range(wave)),
        "WaveActiveMax": lambda a: max(rounded(a + lane, code) for lane in range(wave)),
        "WaveActiveProduct": lambda a: a ** (wave - 1) * (wave - 1),
        "WaveActiveBitAnd": lambda a: a & ~1,
        "WaveActiveBitOr": lambda a: a | 1,
        "WaveActiveBitXor": lambda a: a | 1,
        "WavePrefixSum": lambda a: a * (wave // 2),
        "WavePrefixProduct": lambda a: a * a,
        "WaveMultiPrefixSum": lambda a: a * 2,
        "WaveMultiPrefixProduct": lambda a: a * a,
        "WaveMultiPrefixBitAnd": lambda a: a & 6,
        "WaveMultiPrefixBitOr": lambda a: a & ~2,
    }


def trigonometric_tolerance(name, type_):
    """The suite's tolerance: half precision has its own."""
    if not (type_.half or type_.code == "e"):
        return "epsilon", 0.0008
    return ("ulp", 2.0) if name in ("Cosh", "Tan", "Sinh") else ("epsilon", 0.003)


def dot(type_, first, second):
    """A dot product and its tolerance: half an ulp for each product and each sum, at the largest
    magnitude on the way."""
    products = [a * b for a, b in zip(first, second)]
    code = "e" if type_.half else type_.code
    largest = rounded(sum(map(abs, products)), code)
    ulp = of_bits(bits_of(largest, code) + 1, code) - largest if type_.float else 0
    return Wanted(type_, [rounded(sum(products), type_.code)], "epsilon", ulp * len(products))


def masks_of_match(vector):
    """`WaveMatch` where three lanes differ from all others: four words for each lane."""
    odd = {0, min(vector.length // 2, vector.wave // 2), min(vector.length - 1, vector.wave - 1)}
    others = sum(1 << lane for lane in range(vector.wave) if lane not in odd)
    words = []
    for lane in range(vector.wave):
        mask = 1 << lane if lane in odd else others
        words += [mask >> 32 * at & 0xFFFFFFFF for at in range(4)]
    return words


def special(name, vector, inputs):
    """Operations that are not made element by element; None for the others."""
    type_, first = vector.type, inputs[0]
    if name == "Dot":
        return dot(type_, *inputs)
    if name.startswith(("Any_", "All_")):
        return Wanted(BOOL, [int((any if name.startswith("Any") else all)(map(bool, first)))])
    if name == "WaveMatch":
        return Wanted(UINT, masks_of_match(vector))
    if name == "WaveActiveAllEqual":
        return Wanted(BOOL, [1] * (vector.length - 1) + [0])
    if name == "WaveMultiPrefixBitXor":
        half = vector.length // 2
        values = [*first[:half], *[0] * (vector.length - 1 - half), first[-1]]
        return Wanted(type_, values)
    if name in ("ShuffleVector", "WaveReadLaneAt", "WaveReadLaneFirst"):
        return Wanted(type_, [first[0]] * vector.length)
    if name.startswith("QuadRead"):
        return Wanted(type_, [first[2]] * vector.length)
    if name == "AsUint_SplitDouble":
        bits = [bits_of(value, "d") for value in first]
        return Wanted(UINT, [word & 0xFFFFFFFF for word in bits] + [word >> 32 for word in bits])
    if name == "Frexp":
        parts = [math.frexp(value) for value in first]
        return Wanted(FLOAT, [abs(part[0]) for part in parts] + [float(part[1]) for part in parts])
    if name == "ModF":
        parts = [math.modf(value) if math.isfinite(value) else (0.0, value) for value in first]
        return Wanted(type_, [part[0] for part in parts] + [part[1] for part in parts], "ulp", 1.0)
    if name.startswith("ArrayOperator"):
        ends = [
            0,
            vector.length - 1,
            1,
            vector.length - 2,
            vector.length // 2,
            vector.length // 2 + 1,
        ]
        taken = set(ends[: min(vector.length, len(ends))])
        return Wanted(type_, [value if at in taken else 0 for at, value in enumerate(first)])
    return None


def expect(name, vector, inputs):
    """The expected output of the operation for lists of inputs."""
    whole = special(name, vector, inputs)
    if whole is not None:
        return whole
    type_ = vector.type
    code = type_.code
    rows = list(zip(*inputs))
    if name in COMPARISONS:
        return Wanted(BOOL, [int(COMPARISONS[name](*row)) for row in rows])
    if name == "Select":
        return Wanted(type_, [row[1] if row[0] else row[2] for row in rows])
    if name.startswith("LoadAndStore"):
        return Wanted(type_, list(inputs[0]))
    if name.startswith("CastTo"):
        out = TYPES[CASTS[name.removeprefix("CastTo").split("_")[0]]]
        bool_ = out is BOOL
        return Wanted(out, [int(bool(a)) if bool_ else rounded(a, out.code) for (a,) in rows])
    if name in VIEWS:
        out = TYPES[VIEWS[name]]
        return Wanted(
            out,
            [
                (
                    of_bits(bits_of(a, code), out.code)
                    if out.float
                    else rounded(bits_of(a, code), out.code)
                )
                for (a,) in rows
            ],
        )
    if name == "AsDouble":
        return Wanted(TYPES["double"], [of_bits(high << 32 | low, "d") for low, high in rows])
    if name == "Sign":
        return Wanted(INT, [(a > 0) - (a < 0) for (a,) in rows])
    if name in ("CountBits", "FirstBitHigh", "FirstBitLow"):
        count = {
            "CountBits": lambda a: bits_of(a, code).bit_count(),
            "FirstBitHigh": lambda a: highest(a, code),
            "FirstBitLow": lambda a: (a & -a).bit_length() - 1 & 0xFFFFFFFF,
        }[name]
        return Wanted(UINT, [count(a) for (a,) in rows])
    if name in TRIGONOMETRY:
        kind, tolerance = trigonometric_tolerance(name, type_)
        return Wanted(
            type_,
            [rounded(defined(TRIGONOMETRY[name], a), code) for (a,) in rows],
            kind,
            tolerance,
        )
    function = FLOAT_UNARY.get(name) or arithmetic(vector)[name]
    values = [rounded(function(*row), code) for row in rows]
    if type_ is BOOL:
        values = [int(bool(value)) for value in values]
    return Wanted(type_, values, "ulp" if type_.float else "epsilon", 1.0 if type_.float else 0.0)
