"""Translate Direct3D 12 shaders and run them on NumPy arrays.

>>> shader = Shader.from_file("cs.dxil")                      # doctest: +SKIP
>>> spirv = shader.translate()                                # doctest: +SKIP
>>> Device("cpu").run(shader, 4, {"t0": array, "u0": 64})     # doctest: +SKIP
"""

from ._device import Device, DeviceInfo, Results
from ._errors import DeviceError, Error, JobError, MalformedError, UnsupportedError
from ._isa import Executable, Gpu, MachineCode, gpus, isa
from ._native import __version__
from ._operations import Constraint, Operand, Operation, operations
from ._shader import EntryPoint, Field, Layout, Reflection, Resource, Shader
from ._validation import Report, Violation, digest, sign, validate
from ._writing import (
    CompilerVersion,
    assemble,
    from_parts,
    from_yaml,
    link,
    make_parts,
    optimize,
    parts,
    rewrite,
    to_yaml,
    upgrade,
)

__all__ = [
    "CompilerVersion",
    "Constraint",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "EntryPoint",
    "Error",
    "Executable",
    "Field",
    "Gpu",
    "JobError",
    "Layout",
    "MachineCode",
    "MalformedError",
    "Operand",
    "Operation",
    "Reflection",
    "Report",
    "Resource",
    "Results",
    "Shader",
    "UnsupportedError",
    "Violation",
    "__version__",
    "assemble",
    "digest",
    "from_parts",
    "from_yaml",
    "gpus",
    "isa",
    "link",
    "make_parts",
    "operations",
    "optimize",
    "parts",
    "rewrite",
    "sign",
    "to_yaml",
    "upgrade",
    "validate",
]
