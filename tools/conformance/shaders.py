"""Runs shaders of DXC's execution tests with `dxil-run`."""

import itertools
import re
import struct
import threading
from xml.etree import ElementTree

from common import Failure, compile_hlsl, first_line, run
from values import CODES, size

LOCAL = "tools/clang/unittests/HLSLExec"
_numbers = itertools.count()
_lock = threading.Lock()


def number():
    """A number that no other call gets, for names of files."""
    with _lock:
        return next(_numbers)


def read_xml(path):
    """The elements of a file, with names without their namespace. One of DXC's files closes an
    element with two brackets."""
    text = path.read_text(encoding="utf-8", errors="replace").replace(
        "</ShaderOp>>", "</ShaderOp>"
    )
    root = ElementTree.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.split("}")[-1]
    return root


class Row:
    """A row of a table: its parameters as texts or lists of texts."""

    def __init__(self, table, element):
        self.table = table
        self.name = f"{table}.{element.get('Name')}"
        self.parameters = {}
        for parameter in element.iter("Parameter"):
            values = [value.text or "" for value in parameter.iter("Value")]
            self.parameters[parameter.get("Name")] = values or (parameter.text or "").strip()

    def get(self, name, default=None):
        """A parameter."""
        return self.parameters.get(name, default)

    def arguments(self):
        """DXC's arguments, with `-` in front, in whatever form the table has them."""
        return [re.sub("^/", "-", word) for word in self.get("ShaderOp.Arguments", "").split()]

    def values(self, name):
        """The values of an array, by a name with or without a number behind it; None if absent."""
        found = self.get(name)
        return found if isinstance(found, list) and found else None


def rows(checkout, table_file="ShaderOpArithTable.xml"):
    """All rows of all tables of the file."""
    root = read_xml(checkout / LOCAL / table_file)
    return [Row(table.get("Id"), row) for table in root.iter("Table") for row in table.iter("Row")]


def fields(text):
    """Name, code and length of each member of the first structure of a shader."""
    body = re.search(r"struct\s+\w+\s*\{(.*?)\}", text, re.DOTALL).group(1)
    found = re.findall(r"\b([a-z]\w*?)([234]?)\s+(\w+)\s*;", body)
    return [(name, CODES[kind], int(length or 1)) for kind, length, name in found]


def pack(values, code):
    """Bytes of numbers."""
    return struct.pack(f"<{len(values)}{code}", *values)


def unpack(data, code):
    """All numbers of a type in the bytes."""
    count = len(data) // size(code)
    return list(struct.unpack_from(f"<{count}{code}", data))


class Shaders:
    """Compiles and runs shaders in the work folder of a suite."""

    def __init__(self, args):
        self.args = args

    def compile(self, text, target, more=(), entry="main"):
        """A container of the text."""
        source = self.args.work / f"{number()}.hlsl"
        source.write_text(text)
        return compile_hlsl(self.args, source, target, entry, source.with_suffix(".dxil"), more)

    def file(self, data, suffix=".bin"):
        """A file with these bytes."""
        path = self.args.work / f"{number()}{suffix}"
        path.write_bytes(data)
        return path

    def npy(self, values, code, *shape):
        """A NumPy file of this shape, which `dxil-run` takes for textures, vertices and buffers."""
        kind = {"f": "f4", "e": "f2", "d": "f8", "i": "i4", "I": "u4"}[code]
        sides = ", ".join(map(str, shape))
        text = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({sides},)}}"
        text = text.ljust((len(text) + 11 + 63) // 64 * 64 - 11) + "\n"
        head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
        return self.file(head + pack(values, code), ".npy")

    def run(self, containers, words, outputs, timeout=600):
        """Bytes of the outputs by their registers, after a dispatch or draw."""
        files = {name: self.args.work / f"{number()}.bin" for name in outputs}
        command = [
            self.args.bin / "dxil-run",
            *containers,
            *words,
            "--backend",
            self.args.backend,
            "-q",
            "--rows",
            "0",
        ]
        for name, path in files.items():
            command += ["--out", f"{name}={path}"]
        done = run(command, timeout)
        if done.returncode:
            raise Failure(f"dxil-run ends with {done.returncode}: {first_line(done.stderr)}")
        return {name: path.read_bytes() for name, path in files.items()}
