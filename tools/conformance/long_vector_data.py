"""The inputs of DXC's tests of long vectors, read from `LongVectorTestData.h`.

The numbers there are constant expressions of C++: literals, limits of types, casts, products and
quotients.
"""

import ast
import re
import struct

from long_vector_rules import TYPES
from values import rounded

LIMITS = {
    "infinity": lambda code, bits: float("inf"),
    "signaling_NaN": lambda code, bits: float("nan"),
    "quiet_NaN": lambda code, bits: float("nan"),
    "denorm_min": lambda code, bits: 2.0**-149,
}


def limit(type_name, name):
    """A member of `std::numeric_limits`."""
    if type_name == "float":
        if name in LIMITS:
            return LIMITS[name](None, None)
        largest = struct.unpack("<f", struct.pack("<I", 0x7F7FFFFF))[0]
        return {"min": 2.0**-126, "max": largest}[name]
    signed = not type_name.startswith("u")
    bits = int(re.search(r"\d+", type_name).group())
    low = -(1 << (bits - 1)) if signed else 0
    return low if name == "min" else low + (1 << bits) - 1


def evaluate(node):
    """The value of an expression of Python's grammar with numbers, limits, `-`, `*` and `/`."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -evaluate(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        left, right = evaluate(node.left), evaluate(node.right)
        return left * right if isinstance(node.op, ast.Mult) else left / right
    if isinstance(node, ast.Call) and node.func.id == "limit":
        return limit(*(argument.value for argument in node.args))
    raise ValueError(f"an expression that is not known here: {ast.dump(node)}")


def numbers(text):
    """The values of a list of expressions."""
    text = re.sub(r"std::numeric_limits<(\w+)>::(\w+)\(\)", r'limit("\1","\2")', text)
    text = re.sub(r"static_cast<\w+>", "", text)
    text = re.sub(
        r"\b(0x[0-9a-fA-F]+|\d[\d.]*(?:e-?\d+)?)(?:f|ull|ll|u)?\b",
        r"\1",
        text,
        flags=re.IGNORECASE,
    )
    # A hexadecimal number may end in `f`, which the line above keeps as a digit.
    text = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", text))
    tree = ast.parse(f"({' '.join(text.split())},)", mode="eval").body
    return [evaluate(node) for node in tree.elts]


def input_sets(path):
    """Lists of numbers by type and name of the set."""
    text = re.sub(r"//[^\n]*", "", path.read_text())
    found = {}
    for kind, body in re.findall(
        r"BEGIN_INPUT_SETS\((\w+)\)\n(.*?)END_INPUT_SETS", text, re.DOTALL
    ):
        sets = re.findall(r"INPUT_SET\(InputSet::(\w+),(.*?)\);", body, re.DOTALL)
        found[kind] = {
            name: [rounded(value, TYPES[kind].code) for value in numbers(values)]
            for name, values in sets
        }
    return found
