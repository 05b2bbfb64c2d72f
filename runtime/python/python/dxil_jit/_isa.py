"""Machine code of GPUs that need not be there."""

import json
import sys
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from . import _arguments, _native
from ._screen import screen
from ._shader import Shader

_Code = Union[Shader, bytes, bytearray, memoryview]


class Executable(NamedTuple):
    """A piece of machine code: a stage, or several that the driver merged."""

    name: str
    stages: List[str]
    """By the prefixes of their profiles: ``cs``, ``vs``, ``ps``."""
    subgroup_size: int
    statistics: Dict[str, Union[int, float, bool]]
    """What the driver counts, by its names."""
    texts: Dict[str, str]
    """Assembly and earlier forms by the driver's names, if they were asked for."""

    def __repr__(self) -> str:
        rows = [f"{self.name} ({', '.join(self.stages)}), subgroups of {self.subgroup_size}"]
        rows += [f"  {name}: {value}" for name, value in self.statistics.items()]
        rows += [f"  {name}: {len(text.splitlines())} lines" for name, text in self.texts.items()]
        return screen(rows)


class MachineCode(NamedTuple):
    """What the compiler of a GPU made."""

    gpu: str
    device: str
    driver: str
    """The driver with its version."""
    executables: List[Executable]
    error: Optional[str]
    """Why there is no machine code: a driver is missing, refuses the shader or crashes."""

    def __repr__(self) -> str:
        rows = [f"MachineCode for {self.gpu}: {self.device}, {self.driver}"]
        if self.error is not None:
            rows.append(f"error: {self.error}")
        for executable in self.executables:
            rows += repr(executable).splitlines()
        return screen(rows)


class Gpu(NamedTuple):
    """A GPU that machine code can be made for."""

    name: str
    aliases: List[str]
    about: str
    available: bool
    """Whether a driver for it is there; ``tools/setup-vulkan.sh compilers`` brings them."""


def gpus() -> List[Gpu]:
    """Return the GPUs for :func:`isa`."""
    return [Gpu(*row) for row in _native.machine_code_gpus()]


def isa(
    shaders: Union[_Code, Sequence[_Code]],
    gpus: Union[str, Sequence[str]],
    *,
    entry: Optional[str] = None,
    root_signature: Optional[bytes] = None,
    texts: bool = False,
    source_lines: bool = False,
    timeout: float = 60.0,
) -> List[MachineCode]:
    """Compile a shader, or the stages of a pipeline, for GPUs that need not be there.

    Each driver runs in its own process: a crash is the ``error`` of its answer.

    Args:
        shaders: A shader, SPIR-V as bytes, or several of one kind: the stages of a pipeline.
        gpus: Names (:func:`gpus`), separated by commas or as a list; ``device`` is one of this
            machine whose driver shows machine code.
        entry: Entry point; default: the only one.
        root_signature: A root signature, as the content of an RTS0 part; default: the shaders'.
        texts: Return assembly, and the forms before it.
        source_lines: Keep the lines of the source in the texts, where a driver can.
        timeout: Longest time for one GPU in seconds.

    Returns:
        One answer for each GPU, in their order.
    """
    if isinstance(shaders, (Shader, bytes, bytearray, memoryview)):
        shaders = [shaders]
    names = _arguments.texts("gpus", gpus)
    codes = [
        shader._native.container()
        if isinstance(shader, Shader)
        else _arguments.data(f"shaders[{index}]", shader, " or a Shader")
        for index, shader in enumerate(_arguments.items("shaders", shaders))
    ]
    if root_signature is not None:
        root_signature = _arguments.data("root_signature", root_signature)
    # The worker finds this package where this process does.
    script = (
        f"import sys; sys.path[:] = {sys.path!r}; "
        "from dxil_jit import _native; _native.serve_machine_code()"
    )
    answers = _native.machine_code(
        codes,
        names,
        entry,
        root_signature,
        texts,
        source_lines,
        _arguments.number("timeout", timeout),
        (sys.executable, ["-c", script]),
    )
    return [_answer(answer) for answer in json.loads(answers)]


def _answer(answer: Dict[str, Any]) -> MachineCode:
    [result] = answer["results"]
    return MachineCode(
        gpu=answer["gpu"],
        device=answer["device"],
        driver=answer["driver"],
        executables=[
            Executable(
                name=executable["name"],
                stages=executable["stages"],
                subgroup_size=executable["subgroup_size"],
                statistics={row["name"]: row["value"] for row in executable["statistics"]},
                texts={text["name"]: text["text"] for text in executable["texts"]},
            )
            for executable in result.get("executables", [])
        ],
        error=result.get("error"),
    )
