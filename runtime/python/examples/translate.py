"""Translates shaders to SPIR-V or another language, and lists what they bind.

    python translate.py [--target spirv|wgsl|webgpu|msl|glsl|hlsl] --out FOLDER SHADER...

Each shader NAME.dxil becomes NAME.spv, NAME.wgsl, ... Ends with 1 if a shader is refused.
"""

import argparse
import pathlib
import sys

import dxil_jit

SUFFIXES = {"spirv": "spv", "webgpu": "wgsl", "msl": "metal"}

parser = argparse.ArgumentParser()
parser.add_argument("--target", default="spirv")
parser.add_argument("--out", type=pathlib.Path, required=True)
parser.add_argument("shaders", type=pathlib.Path, nargs="+", metavar="SHADER")
arguments = parser.parse_args()
arguments.out.mkdir(parents=True, exist_ok=True)

failed = False
for path in arguments.shaders:
    try:
        shader = dxil_jit.Shader.from_file(path)
        code = shader.translate(arguments.target)
    except dxil_jit.Error as error:
        print(f"{path}: {type(error).__name__} {error.code}: {error}", file=sys.stderr)
        failed = True
        continue
    suffix = SUFFIXES.get(arguments.target, arguments.target)
    written = arguments.out / f"{path.stem}.{suffix}"
    written.write_bytes(code if isinstance(code, bytes) else code.encode())
    print(f"{path.name}: {shader.shader_model}, {len(code)} to {written.name}")
    for resource in shader.resources:
        print(f"  {resource.register}: {resource.kind} {resource.name}")
sys.exit(failed)
