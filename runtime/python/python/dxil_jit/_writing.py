"""Writing containers: DXBC as DXIL, assembly, passes, linking, YAML, parts."""

from typing import Iterable, List, NamedTuple, Optional, Tuple, Union

from . import _arguments, _native


class CompilerVersion(NamedTuple):
    """The version of a compiler (VERS)."""

    major: int
    minor: int
    commit_count: int = 0
    commit: str = ""
    custom: str = ""
    """Any text."""


def upgrade(dxbc: bytes) -> bytes:
    """Return a DXBC shader as a signed container with DXIL of shader model 6.0.

    Registers, signatures, the root signature, private data and the fields of
    buffers stay. Nothing is validated.

    Raises MalformedError or UnsupportedError.
    """
    return _native.upgrade_dxbc(_arguments.data("dxbc", dxbc))


def assemble(text: str) -> bytes:
    """Return the signed container of a module as ``dxil-dis --llvm`` prints it.

    Raises MalformedError or UnsupportedError.
    """
    return _native.assemble(_arguments.text("text", text))


def optimize(container: bytes, passes: Union[str, Iterable[str]] = ()) -> bytes:
    """Return a container after passes, in their order.

    ``passes`` are names of ``dxil-opt --passes``: inline, mem2reg, fold,
    dead-code, unroll-hints, loop-hints. Without any they are the first four.
    Root signature, compiler version, subobjects and private data stay.

    Raises JobError for a name that is no pass, MalformedError or UnsupportedError.
    """
    names = _arguments.texts("passes", passes)
    return _native.optimize(_arguments.data("container", container), ",".join(names))


def rewrite(container: bytes) -> bytes:
    """Return a signed container whose modules are written again; other parts stay.

    Raises MalformedError or UnsupportedError.
    """
    return _native.rewrite(_arguments.data("container", container))


def link(container: bytes, libraries: Iterable[bytes]) -> bytes:
    """Return a signed container with the functions that libraries define and the shader calls.

    All parts are made anew. A library keeps its subobjects; those of ``libraries``
    are left out.

    Raises MalformedError or UnsupportedError.
    """
    given = enumerate(_arguments.items("libraries", libraries))
    others = [_arguments.data(f"libraries[{index}]", library) for index, library in given]
    return _native.link(_arguments.data("container", container), others)


def make_parts(
    container: bytes,
    debug_info: Optional[str] = None,
    reflection: Optional[bool] = None,
    version: Optional[CompilerVersion] = None,
) -> bytes:
    """Return a signed container with all parts made anew from the module.

    Takes bare bitcode, too. ``debug_info`` is "keep" (what the program has), "name"
    (ILDN) or "module" (ILDB and ILDN), ``reflection`` says whether there is a module
    for it (STAT), and ``version`` is written to VERS, which the validator takes in
    libraries only; None is as before. Root
    signature, sources, private data and subobjects stay.

    Raises JobError for another word, MalformedError or UnsupportedError.
    """
    numbers = None
    if version is not None:
        major, minor, commit_count, commit, custom = version
        numbers = (major, minor, commit_count, commit, custom)
    content = _arguments.data("container", container)
    return _native.make_parts(content, debug_info, reflection, numbers)


def to_yaml(container: bytes) -> str:
    """Return a container as YAML, as LLVM's obj2yaml prints it.

    Raises MalformedError.
    """
    return _native.to_yaml(_arguments.data("container", container))


def from_yaml(text: str) -> bytes:
    """Return the signed container that YAML describes, as LLVM's yaml2obj reads it.

    Raises MalformedError.
    """
    return _native.from_yaml(_arguments.text("text", text))


def parts(container: bytes) -> List[Tuple[str, bytes]]:
    """Return names and contents of a container's parts, in order.

    Raises MalformedError.
    """
    return _native.parts_of(_arguments.data("container", container))


def from_parts(parts: Iterable[Tuple[str, bytes]]) -> bytes:
    """Return the signed container of parts: names of four letters, and contents.

    Raises JobError for another name.
    """
    checked = []
    for index, part in enumerate(_arguments.items("parts", parts)):
        if not (isinstance(part, (tuple, list)) and len(part) == 2):
            raise _arguments.problem(f"parts[{index}]", "a name and bytes", part)
        name = _arguments.text(f"parts[{index}][0]", part[0])
        checked.append((name, _arguments.data(f"parts[{index}][1]", part[1])))
    return _native.from_parts(checked)
