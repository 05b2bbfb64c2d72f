#!/usr/bin/env python3
"""Assembles DXIL text whose operations are newer than the assembling DXC.

    tools/assemble.py DXC IN.ll OUT.dxil

DXC crashes on operations that it does not know. It takes calls of functions that are no operations, though; so
the classes that the file names in comments (`; newer: barrierByMemoryHandle ...`) are assembled as functions
`dy.op.*`, and the names are put right in the bitcode, where they are arrays of characters of 6, 7 or 8 bits. A shader
model that it does not know (`; assembled as: 6 6`) is hidden in metadata of another name in the same way, and the program header gets it.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

CHAR6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"


def bits_of(text, width):
    """The characters, least significant bit first."""
    out = []
    for char in text:
        code = CHAR6.index(char) if width == 6 else ord(char)
        out += [code >> bit & 1 for bit in range(width)]
    return bytes(out)


def hide_shader_model(text):
    """The text with a shader model that DXC knows, the real one as `dy.shaderModel`; and the real one's version."""
    known = re.search(r"^; assembled as: (\d+) (\d+)$", text, re.M)
    if not known:
        return text, None
    own = re.search(r"^!dx\.shaderModel = !\{(!\d+)\}$", text, re.M)
    kind = re.search(rf"^{own[1]} = !\{{(!\"\w+\"), i32 (\d+), i32 (\d+)\}}", text, re.M)
    major, minor = known.groups()
    text = text.replace(own[0], f"!dx.shaderModel = !{{!9999}}\n!dy.shaderModel = !{{{own[1]}}}")
    return f"{text}\n!9999 = !{{{kind[1]}, i32 {major}, i32 {minor}}}\n", (int(kind[2]), int(kind[3]))


def set_version(container, version):
    """Writes the shader model into the program header of the DXIL part."""
    (count,) = struct.unpack_from("<I", container, 28)
    for start in struct.unpack_from(f"<{count}I", container, 32):
        if container[start : start + 4] == b"DXIL":
            (word,) = struct.unpack_from("<I", container, start + 8)
            struct.pack_into("<I", container, start + 8, word & ~0xFF | version[0] << 4 | version[1])


def rename(stream, old, new):
    """Puts another name of the same length into the bits; says how often."""
    found = 0
    for width in (6, 7, 8):
        before, after = bits_of(old, width), bits_of(new, width)
        at = stream.find(before)
        while at >= 0:
            stream[at : at + len(after)] = after
            found += 1
            at = stream.find(before, at + 1)
    return found


def main():
    dxc, source, target = sys.argv[1:]
    with open(source) as file:
        text = file.read()
    classes = [name for line in re.findall(r"^; newer: (.*)$", text, re.M) for name in line.split()]
    text, version = hide_shader_model(text)
    if not classes and not version:
        sys.exit(subprocess.run([dxc, "-Fo", target, source]).returncode)
    names = set()
    for name in classes:
        names |= set(re.findall(rf"@dx\.op\.({re.escape(name)}(?:\.[\w.]+)?)\(", text))
    for name in names:
        text = text.replace(f"@dx.op.{name}(", f"@dy.op.{name}(")
    with tempfile.NamedTemporaryFile("w", suffix=".ll", delete=False) as file:
        file.write(text)
    try:
        code = subprocess.run([dxc, "-Fo", target, file.name]).returncode
    finally:
        os.unlink(file.name)
    if code:
        sys.exit(code)
    with open(target, "rb") as file:
        raw = file.read()
    stream = bytearray(byte >> bit & 1 for byte in raw for bit in range(8))
    for name in names:
        if not rename(stream, f"dy.op.{name}", f"dx.op.{name}"):
            sys.exit(f"{source}: the name of {name} is not in the bitcode")
    if version:
        rename(stream, "dx.shaderModel", "dz.shaderModel")
        if not rename(stream, "dy.shaderModel", "dx.shaderModel"):
            sys.exit(f"{source}: its shader model is not in the bitcode")
    container = bytearray(sum(stream[at + bit] << bit for bit in range(8)) for at in range(0, len(stream), 8))
    if version:
        set_version(container, version)
    with open(target, "wb") as file:
        file.write(container)


main()
