"""The table of DXIL operations."""

import json
from typing import List, NamedTuple, Optional

from . import _native
from ._screen import cut


class Operand(NamedTuple):
    """An operand after the opcode."""

    name: str
    role: str
    """``Value``, ``Const``, ``Texture``, ...: what the operation takes it for."""
    parameter: str = ""
    """Type of a constant, or length of a list."""


class Constraint(NamedTuple):
    """Overloads and stages from a shader model on."""

    shader_model: str
    overloads: List[str]
    stages: List[str]
    """Names of stages, or ``all``."""


class Operation(NamedTuple):
    """An operation of DXIL."""

    number: int
    """The opcode."""
    name: str
    description: str
    function: str
    """The middle of the function's name, ``dx.op.FUNCTION.OVERLOAD``."""
    operands: List[Operand]
    memory: str
    constraints: List[Constraint]
    """By shader model, in ascending order."""
    flags: List[str]
    hlsl: Optional[str]
    """HLSL's intrinsic, method or system value, or the first of several."""

    def __repr__(self) -> str:
        operands = ", ".join(operand.name for operand in self.operands)
        return cut(f"<Operation {self.number} {self.name}({operands}): {self.description}>")


def operations() -> List[Operation]:
    """Return the operations of DXIL's core table, by opcode.

    >>> next(row for row in operations() if row.number == 13).hlsl
    'sin'
    """
    return [
        Operation(
            number=row["number"],
            name=row["name"],
            description=row["description"],
            function=row["class"],
            operands=[Operand(**operand) for operand in row["operands"]],
            memory=row["memory"],
            constraints=[Constraint(**constraint) for constraint in row["constraints"]],
            flags=row["flags"],
            hlsl=row.get("hlsl"),
        )
        for row in sorted(json.loads(_native.operations()), key=lambda row: row["number"])
    ]
