"""Shaders, and what is known of their resources."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Tuple,
    Union,
    overload,
)

import numpy as np

from . import _arguments, _native
from ._errors import JobError
from ._screen import cut, screen


@dataclass(frozen=True, repr=False)
class Field:
    """A field of a buffer's layout.

    Attributes:
        name: Name in the source; ``f0``, ``f1`` ... where the names are stripped.
        type: The type as HLSL writes it, like ``float3``.
        offset: Offset in bytes from the start of the structure that the field is in.
        bytes: Size in bytes, without padding behind it.
        array: Lengths of an array, the outermost first; empty for what is no array.
        stride: Bytes from one array element to the next; 0 without an array.
        fields: The fields of a structure; empty for numbers.
    """

    name: str
    type: str
    offset: int
    bytes: int
    array: Tuple[int, ...]
    stride: int
    fields: Tuple["Field", ...]
    component: Optional[str] = None
    rows: int = 1
    columns: int = 1
    row_major: bool = False
    vector_stride: int = 0

    def __repr__(self) -> str:
        array = "".join(f"[{length}]" for length in self.array)
        name = f"{self.type} {self.name}{array}"
        return cut(f"<Field {name}: {self.bytes} bytes at {self.offset}>")

    @staticmethod
    def _of(value: Dict[str, Any]) -> "Field":
        value = dict(value)
        value["array"] = tuple(value["array"])
        value["fields"] = tuple(Field._of(field) for field in value.get("fields", ()))
        return Field(**value)

    @property
    def _vectors(self) -> Tuple[int, int]:
        """Vectors of the type as they lie in memory, and components of each."""
        if self.rows == 1 or self.row_major:
            return self.rows, self.columns
        return self.columns, self.rows

    def _dtype(self) -> Optional[np.dtype]:
        """The dtype of the field; ``None`` if NumPy has no dtype with these strides."""
        if self.component is None:
            size = self.stride if self.array else self.bytes
            element = _struct_dtype(self.fields, size)
            shape = self.array
        else:
            element = np.dtype(self.component)
            vectors, length = self._vectors
            if vectors > 1 and self.vector_stride != length * element.itemsize:
                return None
            inner = (vectors, length) if vectors > 1 else (length,) if length > 1 else ()
            if self.array and self.stride != element.itemsize * vectors * length:
                return None
            shape = self.array + inner
        if element is None:
            return None
        return np.dtype((element, shape)) if shape else element

    def _write(self, value: Any, at: int, out: bytearray) -> None:
        """Writes a value at the field's place in a buffer that starts at ``at``."""
        start = at + self.offset
        if self.array:
            shape = self.array
            elements = _nested(value, len(shape), self.name)
            count = int(np.prod(shape))
            if len(elements) != count:
                raise JobError(
                    f"{self.name} is an array of {count} elements, {len(elements)} are given",
                    "bad-contents",
                )
            for index, element in enumerate(elements):
                self._write_element(element, start + index * self.stride, out)
        else:
            self._write_element(value, start, out)

    def _write_element(self, value: Any, at: int, out: bytearray) -> None:
        if self.component is None:
            _write_fields(self.fields, value, at, out, self.name)
            return
        dtype = np.dtype(self.component)
        numbers = np.asarray(value)
        if numbers.dtype.kind not in "fiub" or numbers.size != self.rows * self.columns:
            raise JobError(
                f"{self.name} is {self.type}: give {self.rows * self.columns} number(s), "
                f"not {value!r}",
                "bad-contents",
            )
        if numbers.dtype.kind == "f" and dtype.kind != "f":
            raise JobError(
                f"{self.name} is {self.type}, and {value!r} is no integer", "bad-contents"
            )
        numbers = numbers.reshape(self.rows, self.columns)
        if self.rows > 1 and not self.row_major:
            numbers = numbers.T
        for index, vector in enumerate(numbers):
            data = np.ascontiguousarray(vector).astype(dtype).tobytes()
            first = at + index * self.vector_stride
            out[first : first + len(data)] = data


def _nested(value: Any, depth: int, name: str) -> List[Any]:
    """The elements of an array of arrays, in order."""
    if depth == 0:
        return [value]
    try:
        items = list(value)
    except TypeError:
        raise JobError(f"{name} is an array, and {value!r} is none", "bad-contents") from None
    return [element for item in items for element in _nested(item, depth - 1, name)]


def _write_fields(
    fields: Tuple[Field, ...], value: Any, at: int, out: bytearray, name: str
) -> None:
    if not isinstance(value, dict):
        raise JobError(f"{name} is a structure: give a dict of its fields", "bad-contents")
    known = {field.name: field for field in fields}
    for key, item in value.items():
        if key not in known:
            raise JobError(
                f"{name} has no field {key!r}; it has {', '.join(known)}", "bad-contents"
            )
        known[key]._write(item, at, out)


def _struct_dtype(fields: Tuple[Field, ...], size: int) -> Optional[np.dtype]:
    dtypes = [field._dtype() for field in fields]
    if any(dtype is None for dtype in dtypes):
        return None
    return np.dtype(
        {
            "names": [field.name for field in fields],
            "formats": dtypes,
            "offsets": [field.offset for field in fields],
            "itemsize": size,
        }
    )


@dataclass(frozen=True, repr=False)
class Layout:
    """How the bytes of a constant buffer, or of an element of a structured buffer, are divided.

    Attributes:
        bytes: Size in bytes of the constant buffer or of an element.
        of: ``"buffer"`` or ``"element"``.
        fields: The fields by rising offset.
    """

    bytes: int
    of: str
    fields: Tuple[Field, ...]

    def __iter__(self) -> Iterator[Field]:
        """The fields, by rising offset."""
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __repr__(self) -> str:
        rows = [f"<Layout of one {self.of}: {self.bytes} bytes"]
        rows += [f"  {field.offset:4} {field.type} {field.name}" for field in self.fields]
        return screen(rows) + ">"


@dataclass(frozen=True, repr=False)
class Resource:
    """A resource that a shader declares.

    Attributes:
        name: Name in the source; empty where nothing in the container has it.
        register: Its first register, like ``"t0"`` or ``"u1,space2"``.
        kind: HLSL's type, like ``"StructuredBuffer"`` or ``"Texture2D"``, without ``RW``.
        class_: ``"srv"``, ``"uav"``, ``"cbv"`` or ``"sampler"``.
        count: Number of registers; ``None`` is unbounded.
        component: dtype of a component of typed buffers and textures.
        stride: Bytes of an element of a structured buffer.
        size: Bytes of a constant buffer.
        layout: Fields of a constant buffer or of an element; ``None`` if they are not known.
    """

    name: str
    register: str
    kind: str
    class_: str
    index: int
    space: int
    count: Optional[int]
    component: Optional[str]
    stride: Optional[int]
    size: Optional[int]
    layout: Optional[Layout]

    def __repr__(self) -> str:
        return cut(f"<Resource {self._line()}>")

    def _line(self) -> str:
        writable = "RW" if self.class_ == "uav" else ""
        many = "[]" if self.count is None else f"[{self.count}]" if self.count != 1 else ""
        size = self.stride if self.stride is not None else self.size
        bytes_ = f", {size} bytes" if size else ""
        return f"{self.register}: {writable}{self.kind} {self.name}{many}{bytes_}"

    @staticmethod
    def _of(value: Dict[str, Any]) -> "Resource":
        value = dict(value)
        value["class_"] = value.pop("class")
        layout = value["layout"]
        if layout is not None:
            fields = tuple(Field._of(field) for field in layout["fields"])
            value["layout"] = Layout(layout["bytes"], layout["of"], fields)
        return Resource(**value)

    @property
    def dtype(self) -> Optional[np.dtype]:
        """The dtype of an element of a structured buffer, raw buffer or typed resource.

        Structures have structured dtypes with the padding of the shader, vectors are subarrays, and
        matrices are subarrays of their vectors as they lie in memory. ``None`` if there is no such
        dtype, or if the layout is not known.
        """
        if self.kind == "StructuredBuffer":
            if self.layout is None or self.layout.of != "element" or not self.layout.fields:
                return None
            fields = self.layout.fields
            if len(fields) == 1 and not fields[0].name:
                return fields[0]._dtype()
            return _struct_dtype(fields, self.layout.bytes)
        if self.kind == "ByteAddressBuffer":
            return np.dtype("<u4")
        return np.dtype(self.component) if self.component else None


@dataclass(frozen=True)
class EntryPoint:
    """A function that a pipeline can run.

    Attributes:
        name: Its name.
        stage: Prefix of its profile, like ``"cs"``; for ray tracing the stage, like ``"miss"``.
        threads: Threads of a group in x, y and z, of stages that have groups.
    """

    name: str
    stage: str
    threads: Optional[Tuple[int, int, int]]


@dataclass(frozen=True, repr=False)
class Reflection:
    """What is known of a shader.

    Attributes:
        shader_model: Like ``"cs_6_6"``.
        entry_points: What can be run.
        resources: What the shader declares.
    """

    shader_model: str
    entry_points: Tuple[EntryPoint, ...]
    resources: Tuple[Resource, ...]

    def __iter__(self) -> Iterator[Resource]:
        """The resources, in the order of the shader."""
        return iter(self.resources)

    def __len__(self) -> int:
        """The number of resources."""
        return len(self.resources)

    def __contains__(self, key: object) -> bool:
        """Whether there is a resource with this name or at this register, or this resource."""
        return bool(key) and any(key in (r, r.name, r.register) for r in self.resources)

    def __repr__(self) -> str:
        points = ", ".join(f"{point.stage} {point.name}" for point in self.entry_points)
        rows = [f"<Reflection {self.shader_model}: {points}"]
        rows += [f"  {resource._line()}" for resource in self.resources]
        return screen(rows) + ">"

    def __getitem__(self, key: str) -> Resource:
        """The resource with this name, or at this register.

        Raises:
            KeyError: There is no such resource.
        """
        for resource in self.resources:
            if key in (resource.name, resource.register) and key:
                return resource
        known = ", ".join(f"{r.register} {r.name}".strip() for r in self.resources)
        raise KeyError(f"no resource {key!r}; there are: {known}")


class Shader:
    """A shader in a DXContainer, a PDB file or bare LLVM bitcode."""

    def __init__(
        self,
        data: Union[bytes, bytearray, memoryview],
        *,
        class_instances: Optional[Mapping[Union[int, str], str]] = None,
        preview: bool = False,
    ) -> None:
        """Reads a shader.

        Args:
            data: The container, PDB file or bitcode.
            class_instances: What the interfaces of a DXBC shader stand for (D3D11's class linkage).
                A key is the number of a slot or an interface variable, like ``"lights[2]"``; a value
                is an instance that the shader declares, or a class with the place of its data, like
                ``"Spot,cb=1,offset=4,texture=0,sampler=0"``.
            preview: Whether operations of the preview shader model 6.10, which still change, may be
                translated and run.

        Raises:
            MalformedError: The bytes are no shader, or a class cannot be bound to its slot.
            UnsupportedError: The shader cannot be read.
            JobError: A class instance is none, or the shader has no interfaces.
        """
        given = class_instances or {}
        if not isinstance(given, Mapping):
            raise _arguments.problem("class_instances", "a dict", given)
        instances = [f"{slot}={value}" for slot, value in given.items()]
        content = _arguments.data("data", data, " (Shader.from_file reads a file)")
        self._native = _native.Shader(content, instances, bool(preview))
        self._reflection: Optional[Reflection] = None

    @classmethod
    def from_file(
        cls,
        path: Union[str, "os.PathLike[str]"],
        *,
        class_instances: Optional[Mapping[Union[int, str], str]] = None,
        preview: bool = False,
    ) -> "Shader":
        """Reads a shader from a file. The arguments are those of the constructor.

        Raises:
            OSError: The file cannot be read.
            Error: As the constructor.
        """
        with open(path, "rb") as file:
            return cls(file.read(), class_instances=class_instances, preview=preview)

    @overload
    def translate(
        self,
        target: Literal["spirv"] = "spirv",
        *,
        entry: Optional[str] = None,
        vulkan: str = "1.3",
        elements: Optional[int] = None,
    ) -> bytes: ...

    @overload
    def translate(
        self,
        target: Literal["wgsl", "webgpu", "msl", "glsl", "hlsl"],
        *,
        entry: Optional[str] = None,
        vulkan: str = "1.3",
        elements: Optional[int] = None,
    ) -> str: ...

    @overload
    def translate(
        self,
        target: str,
        *,
        entry: Optional[str] = None,
        vulkan: str = "1.3",
        elements: Optional[int] = None,
    ) -> Union[bytes, str]: ...

    def translate(
        self,
        target: str = "spirv",
        *,
        entry: Optional[str] = None,
        vulkan: str = "1.3",
        elements: Optional[int] = None,
    ) -> Union[bytes, str]:
        """Translates the shader for a device that has all features.

        Args:
            target: ``"spirv"``, ``"wgsl"``, ``"webgpu"``, ``"msl"``, ``"glsl"`` or ``"hlsl"``.
                ``"webgpu"`` is WGSL for a device of WebGPU without optional features and with the
                limits that every device has; what it lacks is refused.
            entry: The entry point; default: the only one.
            vulkan: Version of Vulkan: ``"1.1"`` to ``"1.4"``.
            elements: Descriptors that heaps and arrays without an end have, where the language has
                a binding for each. By default a shader that may name more than 16 is refused.

        Returns:
            The SPIR-V module as little-endian bytes, or the text of another language.

        Raises:
            UnsupportedError: The shader cannot be translated or written in this language.
            JobError: There is no such target.
        """
        if elements is not None:
            elements = _arguments.integer("elements", elements)
        if entry is not None:
            entry = _arguments.text("entry", entry)
        target = _arguments.text("target", target)
        return self._native.translate(target, entry, _arguments.text("vulkan", vulkan), elements)

    def reflect(self) -> Reflection:
        """Returns entry points, resources, and the layouts of buffers."""
        if self._reflection is None:
            value = json.loads(self._native.reflect())
            points = tuple(
                EntryPoint(p["name"], p["stage"], tuple(p["threads"]) if p["threads"] else None)
                for p in value["entry_points"]
            )
            resources = tuple(Resource._of(resource) for resource in value["resources"])
            self._reflection = Reflection(value["shader_model"], points, resources)
        return self._reflection

    @property
    def shader_model(self) -> str:
        """The shader model, like ``"cs_6_6"``."""
        return self.reflect().shader_model

    @property
    def entry_points(self) -> Tuple[EntryPoint, ...]:
        """What can be run."""
        return self.reflect().entry_points

    @property
    def resources(self) -> Tuple[Resource, ...]:
        """What the shader declares; ``reflect()[name]`` finds one."""
        return self.reflect().resources

    def disassemble(self) -> str:
        """Returns the code: DXIL as LLVM text with the names of operands, DXBC as instructions."""
        return self._native.disassemble()

    def __repr__(self) -> str:
        reflection = self.reflect()
        names = ", ".join(point.name for point in reflection.entry_points)
        return cut(f"<dxil_jit.Shader {reflection.shader_model} {names}") + ">"
