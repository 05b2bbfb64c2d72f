"""Translate Direct3D 12 shaders and run them on NumPy arrays.

>>> shader = Shader.from_file("cs.dxil")                      # doctest: +SKIP
>>> spirv = shader.translate()                                # doctest: +SKIP
>>> Device("cpu").run(shader, 4, {"t0": array, "u0": 64})     # doctest: +SKIP
"""

from ._device import Device, DeviceInfo, Results
from ._errors import DeviceError, Error, JobError, MalformedError, UnsupportedError
from ._native import __version__
from ._shader import EntryPoint, Field, Layout, Reflection, Resource, Shader

__all__ = [
    "Device",
    "DeviceError",
    "DeviceInfo",
    "EntryPoint",
    "Error",
    "Field",
    "JobError",
    "Layout",
    "MalformedError",
    "Reflection",
    "Resource",
    "Results",
    "Shader",
    "UnsupportedError",
    "__version__",
]
