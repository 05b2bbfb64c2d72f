"""Writing containers: DXBC as DXIL, assembly, passes, YAML, parts."""

from typing import Iterable, List, Tuple

from . import _native


def upgrade(dxbc: bytes) -> bytes:
    """Return a DXBC shader as a signed container with DXIL of shader model 6.0.

    Registers, signatures, the root signature, private data and the fields of
    buffers stay. Nothing is validated.

    Raises MalformedError or UnsupportedError.
    """
    return _native.upgrade_dxbc(bytes(dxbc))


def assemble(text: str) -> bytes:
    """Return the signed container of a module as ``dxil-dis --llvm`` prints it.

    Raises MalformedError or UnsupportedError.
    """
    return _native.assemble(text)


def optimize(container: bytes, passes: Iterable[str] = ()) -> bytes:
    """Return a container after passes, in their order.

    ``passes`` are names of ``dxil-opt --passes``: inline, mem2reg, fold,
    dead-code, unroll-hints, loop-hints. Without any they are the first four.
    Root signature, compiler version, subobjects and private data stay.

    Raises JobError for a name that is no pass, MalformedError or UnsupportedError.
    """
    return _native.optimize(bytes(container), ",".join(passes))


def rewrite(container: bytes) -> bytes:
    """Return a signed container whose modules are written again; other parts stay.

    Raises MalformedError or UnsupportedError.
    """
    return _native.rewrite(bytes(container))


def to_yaml(container: bytes) -> str:
    """Return a container as YAML, as LLVM's obj2yaml prints it.

    Raises MalformedError.
    """
    return _native.to_yaml(bytes(container))


def from_yaml(text: str) -> bytes:
    """Return the signed container that YAML describes, as LLVM's yaml2obj reads it.

    Raises MalformedError.
    """
    return _native.from_yaml(text)


def parts(container: bytes) -> List[Tuple[str, bytes]]:
    """Return names and contents of a container's parts, in order.

    Raises MalformedError.
    """
    return _native.parts_of(bytes(container))


def from_parts(parts: Iterable[Tuple[str, bytes]]) -> bytes:
    """Return the signed container of parts: names of four letters, and contents.

    Raises JobError for another name.
    """
    return _native.from_parts([(name, bytes(content)) for name, content in parts])
