"""Devices, and dispatches on NumPy arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arguments, _native
from ._errors import DeviceError, JobError
from ._shader import Resource, Shader, _write_fields

_REGISTER = re.compile(r"([tubs])(\d+)(?:,\s*space(\d+))?\Z")
_CLASSES = {"t": "srv", "u": "uav", "b": "cbv", "s": "sampler"}

# The format of a texel by the dtype of its components, without the number of bits.
_ENCODINGS = {"f": "FLOAT", "i": "SINT", "u": "UINT"}


@dataclass(frozen=True)
class DeviceInfo:
    """What a device is called.

    Attributes:
        backend: ``"vulkan"`` or ``"cpu"``.
        index: Number in the backend's list.
        name: Name of the device.
        driver: Driver with its version.
        api: Version of the API.
        kind: ``"discrete"``, ``"integrated"``, ``"virtual"``, ``"cpu"`` or ``"other"``.
    """

    backend: str
    index: int
    name: str
    driver: str
    api: str
    kind: str


class Results(Dict[str, np.ndarray]):
    """The arrays of a run's UAVs after it, by the keys under which they were bound.

    Attributes:
        counters: Hidden counters of UAVs after the run, by register.
        device_us: Times of the timed runs on the device, in microseconds.
    """

    counters: Dict[str, int]
    device_us: Tuple[float, ...]


class _Bound:
    """A binding, and how its result becomes an array."""

    def __init__(
        self,
        key: str,
        register: str,
        kind: str,
        data: bytes = b"",
        texture: Optional[Tuple[int, int, int, int, int]] = None,
        format: Optional[str] = None,
        dtype: Optional[np.dtype] = None,
        shape: Tuple[int, ...] = (),
    ) -> None:
        self.key = key
        self.dtype = dtype
        self.shape = shape
        self.register = register
        self.native = (register, kind, data, texture, format)

    def array(self, data: bytes) -> np.ndarray:
        dtype = self.dtype if self.dtype is not None else np.dtype("u1")
        # A copy: arrays over bytes cannot be written.
        return np.frombuffer(data, dtype=dtype).reshape(self.shape).copy()


class Device:
    """A device that runs compute shaders. Any number of threads may use it at once."""

    def __init__(
        self,
        backend: str = "auto",
        index: int = 0,
        *,
        timeout: float = 60.0,
        threads: Optional[int] = None,
    ) -> None:
        """Opens a device.

        Args:
            backend: ``"vulkan"``, ``"cpu"`` (needs no driver), or ``"auto"``: Vulkan, or the CPU on
                machines without a Vulkan device.
            index: Number in the backend's list.
            timeout: Time limit of a run in seconds.
            threads: CPU only: number of threads; default: all processors.

        Raises:
            DeviceError: There is no such device.
            JobError: An argument is no value of its parameter.
        """
        index = _arguments.integer("index", index)
        timeout = _arguments.number("timeout", timeout)
        if threads is not None:
            threads = _arguments.integer("threads", threads, 1)
        backend = _arguments.text("backend", backend)
        if backend == "auto":
            try:
                self._native = _native.Device("vulkan", index, timeout, threads)
            except DeviceError as error:
                if error.code not in ("no-loader", "no-device"):
                    raise
                self._native = _native.Device("cpu", 0, timeout, threads)
        else:
            self._native = _native.Device(backend, index, timeout, threads)
        self.info = DeviceInfo(*self._native.describe())

    @staticmethod
    def list(backend: str = "vulkan") -> List[DeviceInfo]:
        """Returns the devices of a backend.

        Raises:
            DeviceError: There is no Vulkan loader.
        """
        return [DeviceInfo(*row) for row in _native.list_devices(backend)]

    def run(
        self,
        shader: Shader,
        groups: Union[int, Sequence[int]],
        bindings: Mapping[str, Any],
        *,
        entry: Optional[str] = None,
        repeat: int = 0,
    ) -> Results:
        """Dispatches a compute shader and waits for it.

        Python's global lock is released meanwhile.

        Args:
            shader: The shader.
            groups: Thread groups in x, or in x, y and z.
            bindings: What the shader's resources hold, by their names or registers (``"src"``,
                ``"t0"``, ``"u1,space2"``; elements of arrays have their own registers):

                * arrays: the elements of buffers and the texels of textures. Nothing is converted;
                  the dtype must be that of the shader (``shader.reflect()["src"].dtype``), or bytes
                  (``numpy.uint8``);
                * a number *n* for a buffer: *n* elements of zero;
                * a dict of fields for a constant buffer; other fields are zero;
                * ``"point"``, ``"linear"`` or ``"anisotropic"`` for a sampler, with options that
                  ``+`` joins (``"linear+wrap+maxlod=3"``):

                  * addresses: ``wrap``, ``mirror``, ``clamp``, ``border`` or ``mirroronce`` for all
                    axes, ``u=wrap``, ``v=`` and ``w=`` for one; ``border=white`` (``black``,
                    ``transparent`` or ``1/0/0/1``) sets the color too;
                  * filters of their own: ``min=point``, ``mag=``, ``mip=`` (or ``linear``);
                  * ``minimum`` or ``maximum`` of the texels instead of their weighted sum;
                  * comparisons: ``less``, ``lessequal``, ``equal``, ``notequal``, ``greater``,
                    ``greaterequal``, ``always``, ``never``;
                  * numbers: ``bias=0.5``, ``minlod=1``, ``maxlod=3``, ``anisotropy=8``;

                * ``None``: a null descriptor.

                Textures have the shapes (height, width), (depth, height, width) or, for arrays,
                (layers, height, width), with one more axis for the components of a texel.
                Of ``uint8`` and ``uint16`` arrays, a shader that declares floats sees 0 to 1.
            entry: The entry point; default: the only one.
            repeat: Number of further runs that are timed (``device_us`` of the results).

        Returns:
            The UAVs after the run, by the keys of ``bindings``.

        Raises:
            JobError: Something is bound that does not fit the shader, or not at all.
            UnsupportedError: The shader cannot be translated, or the device lacks something.
            DeviceError: The device failed or took too long.
        """
        if not isinstance(shader, Shader):
            raise _arguments.problem("shader", "a Shader", shader)
        sizes = _arguments.numbers("groups", groups, 3)
        x, y, z = sizes + (1,) * (3 - len(sizes))
        if not isinstance(bindings, Mapping):
            raise _arguments.problem("bindings", "a dict of names or registers", bindings)
        for key in bindings:
            if not isinstance(key, str):
                raise _arguments.problem("bindings", "names or registers as keys", key)
        if entry is not None:
            entry = _arguments.text("entry", entry)
        repeat = _arguments.integer("repeat", repeat)
        bound = [self._bind(shader, key, value) for key, value in bindings.items()]
        seen: Dict[str, str] = {}
        for binding in bound:
            other = seen.setdefault(binding.register, binding.key)
            if other != binding.key:
                raise JobError(
                    f"{other!r} and {binding.key!r} are the same register", "bad-argument"
                )
        outputs, counters, times = self._native.run(
            shader._native, (x, y, z), [binding.native for binding in bound], entry, repeat
        )
        by_register = {binding.register: binding for binding in bound}
        results = Results()
        for register, data in outputs:
            binding = by_register[register]
            results[binding.key] = binding.array(data)
        results.counters = dict(counters)
        results.device_us = tuple(times)
        return results

    def _bind(self, shader: Shader, key: str, value: Any) -> _Bound:
        resource, register = _find(shader, key)
        if value is None:
            return _Bound(key, register, "null")
        if resource.class_ == "sampler":
            if not isinstance(value, str):
                raise JobError(f"{key} is a sampler: give 'linear' or the like", "bad-contents")
            return _Bound(key, register, "sampler", format=value)
        if resource.class_ == "cbv":
            return _Bound(key, register, "constants", _constants(resource, key, value))
        if resource.kind.startswith("Texture") and resource.kind != "TextureBuffer":
            return _texture(resource, key, register, value)
        if resource.kind in ("StructuredBuffer", "ByteAddressBuffer", "Buffer"):
            return _buffer(resource, key, register, value)
        raise JobError(f"{key} is a {resource.kind}, which cannot be bound here", "bad-contents")

    def __repr__(self) -> str:
        return f"<dxil_jit.Device {self.info.backend} {self.info.name!r}>"


def _find(shader: Shader, key: str) -> Tuple[Resource, str]:
    """The resource that a key means, and the register."""
    reflection = shader.reflect()
    for resource in reflection.resources:
        if key and key == resource.name:
            return resource, resource.register
    match = _REGISTER.match(key)
    if match:
        class_, index, space = match[1], int(match[2]), int(match[3] or 0)
        for resource in reflection.resources:
            end = None if resource.count is None else resource.index + resource.count
            if (
                resource.class_ == _CLASSES[class_]
                and resource.space == space
                and resource.index <= index
                and (end is None or index < end)
            ):
                return resource, f"{class_}{index}" + (f",space{space}" if space else "")
    known = ", ".join(f"{r.register} {r.name}".strip() for r in reflection.resources)
    raise JobError(f"the shader declares no {key!r}; it declares: {known}", "unknown-resource")


def _array(key: str, value: Any) -> np.ndarray:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return np.frombuffer(value, dtype=np.uint8)
    if not isinstance(value, np.ndarray):
        raise JobError(
            f"{key}: give a NumPy array or bytes, not {type(value).__name__}", "bad-contents"
        )
    if value.dtype.hasobject or value.dtype.byteorder == ">":
        raise JobError(f"{key}: dtype {value.dtype} has no little-endian bytes", "bad-contents")
    return np.ascontiguousarray(value)


def _constants(resource: Resource, key: str, value: Any) -> bytes:
    size = resource.size or 0
    if isinstance(value, dict):
        if resource.layout is None:
            raise JobError(
                f"{key}: the container has no names of fields; give all bytes", "bad-contents"
            )
        out = bytearray(-(-size // 16) * 16)
        _write_fields(resource.layout.fields, value, 0, out, key)
        return bytes(out)
    data = _array(key, value).tobytes()
    if len(data) < size:
        fields = resource.layout.fields if resource.layout else ()
        behind = next((f for f in fields if f.offset + f.bytes > len(data)), None)
        hint = f"; {behind.name} is at {behind.offset}" if behind else ""
        raise JobError(f"{key} has {size} bytes, {len(data)} are given{hint}", "bad-contents")
    return data


def _leaves(dtype: np.dtype) -> List[Tuple[int, np.dtype]]:
    """Offsets and types of the scalars of a dtype."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        count = int(np.prod(shape))
        inner = _leaves(base)
        return [(i * base.itemsize + at, leaf) for i in range(count) for at, leaf in inner]
    if dtype.fields is not None:
        return [
            (field[1] + at, leaf)
            for field in dtype.fields.values()
            for at, leaf in _leaves(field[0])
        ]
    return [(0, dtype)]


def _check_dtype(key: str, array: np.ndarray, wanted: Optional[np.dtype]) -> None:
    """Refuses arrays whose scalars do not lie as the shader's do. Bytes fit everything."""
    if wanted is None or array.dtype in (np.dtype("u1"), np.dtype("V1")):
        return
    expected = dict(_leaves(wanted))
    size = wanted.itemsize
    for start in range(0, size, array.dtype.itemsize):
        for at, leaf in _leaves(array.dtype):
            found = expected.get(start + at)
            # Signs are the shader's concern; a float is no integer.
            if (
                found is None
                or found.itemsize != leaf.itemsize
                or (found.kind == "f") != (leaf.kind == "f")
            ):
                raise JobError(
                    f"{key}: the array has dtype {array.dtype}, the shader has {wanted}",
                    "bad-contents",
                )


def _buffer(resource: Resource, key: str, register: str, value: Any) -> _Bound:
    dtype = resource.dtype
    stride = resource.stride or (dtype.itemsize if dtype is not None else 4)
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        base = dtype if dtype is not None else np.dtype(f"V{stride}")
        array = np.zeros(int(value), dtype=base)
    else:
        array = _array(key, value)
        _check_dtype(key, array, dtype)
    if array.nbytes % stride:
        raise JobError(
            f"{key}: {array.nbytes} bytes are no whole number of elements of {stride} bytes",
            "bad-contents",
        )
    kind, format = "buffer", None
    if resource.kind == "Buffer":
        components = array.shape[1] if array.ndim == 2 else 1
        kind, format = "typed", _format(resource, key, array.dtype, components)
    # A subarray dtype becomes axes of the array.
    return _Bound(key, register, kind, array.tobytes(), None, format, array.dtype, array.shape)


def _format(resource: Resource, key: str, dtype: np.dtype, components: int) -> str:
    """The format of texels of a dtype, as DXGI names it."""
    bits = dtype.itemsize * 8
    if dtype.kind not in _ENCODINGS or not 1 <= components <= 4:
        raise JobError(f"{key}: texels cannot have dtype {dtype} x {components}", "bad-contents")
    encoding = _ENCODINGS[dtype.kind]
    wants_float = resource.component is not None and np.dtype(resource.component).kind == "f"
    if wants_float and dtype.kind in "iu" and bits <= 16:
        encoding = "UNORM" if dtype.kind == "u" else "SNORM"
    elif wants_float != (dtype.kind == "f"):
        raise JobError(
            f"{key}: the array has dtype {dtype}, the shader has {resource.component}",
            "bad-contents",
        )
    return "".join(f"{letter}{bits}" for letter in "RGBA"[:components]) + f"_{encoding}"


def _texture(resource: Resource, key: str, register: str, value: Any) -> _Bound:
    array = _array(key, value)
    kind = resource.kind
    is_array = kind.endswith("Array") or kind.startswith("TextureCube")
    dimensions = 1 if kind.startswith("Texture1D") else 3 if kind.startswith("Texture3D") else 2
    axes = dimensions + (1 if is_array else 0)
    if kind.startswith("Texture2DMS") or array.ndim not in (axes, axes + 1):
        raise JobError(
            f"{key} is a {kind}: give an array of {axes} or {axes + 1} axes, not {array.ndim}",
            "bad-contents",
        )
    components = array.shape[axes] if array.ndim > axes else 1
    format = _format(resource, key, array.dtype, components)
    sizes = list(array.shape[:axes])
    layers = sizes.pop(0) if is_array else 1
    width, height, depth = (sizes[::-1] + [1, 1])[:3]
    texture = (dimensions, width, height, depth, layers)
    return _Bound(
        key, register, "texture", array.tobytes(), texture, format, array.dtype, array.shape
    )
