"""Numbers as DXC's execution tables write them, and the rules by which they are compared.

A scalar type of HLSL is a code of Python's module `struct`. Values are Python's numbers, exact for
all types of at most 64 bits.
"""

import math
import re
import struct

CODES = {
    "float": "f",
    "half": "e",
    "float16_t": "e",
    "double": "d",
    "int": "i",
    "int32_t": "i",
    "uint": "I",
    "uint32_t": "I",
    "dword": "I",
    "int16_t": "h",
    "uint16_t": "H",
    "int64_t": "q",
    "uint64_t": "Q",
}
# The unsigned type of the same size, and the smallest normal number.
BITS = {"f": "I", "e": "H", "d": "Q"}
SMALLEST = {"f": 2.0**-126, "e": 2.0**-14, "d": 2.0**-1022}


def size(code):
    """Bytes of a scalar."""
    return struct.calcsize("<" + code)


def of_bits(bits, code):
    """The number with these bits."""
    return struct.unpack("<" + code, struct.pack("<" + BITS.get(code, code), bits))[0]


def bits_of(value, code):
    """The bits of a number, as an unsigned integer."""
    unsigned = BITS.get(code, code.upper())
    return struct.unpack("<" + unsigned, struct.pack("<" + code, value))[0]


def rounded(value, code):
    """A number as the type has it: floats to nearest even (infinite past the largest), integers by
    their low bits."""
    if code in BITS:
        if code == "d" or math.isnan(value) or math.isinf(value):
            return float(value)
        try:
            return struct.unpack("<" + code, struct.pack("<" + code, value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    width = 8 * size(code)
    low = int(value) & ((1 << width) - 1)
    return low - (1 << width) if code.islower() and low >> (width - 1) else low


def parse(text, code):
    """A number of the tables: `NaN`, `-Inf`, `denorm` (the smallest), bits, or decimals."""
    word = text.strip().lower()
    if code not in BITS:
        return rounded(int(word, 0), code)
    if word.startswith("0x"):
        return of_bits(int(word, 16), code)
    if word.lstrip("-") == "denorm":
        return math.copysign(of_bits(1, code), -1.0 if word.startswith("-") else 1.0)
    if word.lstrip("-") not in ("inf", "nan"):
        word = word.rstrip("fh")
    return rounded(float(word), code)


def parse_vector(text, code, length):
    """The components of a vector; a single number stands for all of them."""
    parts = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    if len(parts) < length:
        parts = parts[:1] * length
    return [parse(part, code) for part in parts[:length]]


def flushed(value, code):
    """A denormal becomes a zero of its sign."""
    small = value != 0 and abs(value) < SMALLEST[code]
    return math.copysign(0.0, value) if small else value


def place(value, code):
    """The position of a float among all floats of its type: neighbours differ by one."""
    bits = bits_of(value, code)
    sign = 1 << (8 * size(code) - 1)
    return -(bits - sign) if bits & sign else bits


def close(seen, expected, code, kind, tolerance, denorm="any"):
    """Whether `seen` is what a table expects.

    `kind` is epsilon (absolute), relative (as a negative power of two) or ulp. `denorm` says how
    denormals are expected: `ftz` flushed, `preserve` kept, `any` either.
    """
    if code not in BITS:
        return abs(seen - expected) <= tolerance
    if math.isnan(expected) or math.isnan(seen):
        return math.isnan(expected) and math.isnan(seen)
    allowed = {
        "any": [expected, flushed(expected, code)],
        "ftz": [flushed(expected, code)],
        "preserve": [expected],
    }[denorm]
    for value in allowed:
        if seen == value:
            return True
        if math.isinf(value) or math.isinf(seen):
            continue
        if kind == "epsilon" and abs(seen - value) <= tolerance:
            return True
        if kind == "relative" and abs(seen - value) <= abs(value) * 2.0**-tolerance:
            return True
        if kind == "ulp" and abs(place(seen, code) - place(value, code)) <= tolerance:
            return True
    return False
