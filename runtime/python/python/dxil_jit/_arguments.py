"""Checks of arguments: the message names the parameter and says what to give."""

from __future__ import annotations

import operator
from typing import Any, Iterable, List, Sequence, Tuple

from ._errors import JobError


def problem(name: str, wanted: str, value: Any) -> JobError:
    """The error for an argument that is not what its parameter takes."""
    return JobError(f"{name}: give {wanted}, not {shown(value)}", "bad-argument")


def shown(value: Any) -> str:
    """A value for a message: its type, and what it is if that is short."""
    text = repr(value)
    kind = type(value).__name__
    return f"{kind} {text}" if len(text) <= 40 and "\n" not in text else kind


def data(name: str, value: Any, hint: str = "") -> bytes:
    """The bytes of a container or the like. A number is none: ``bytes(5)`` is five zeros."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise problem(name, f"bytes{hint}", value)


def text(name: str, value: Any) -> str:
    """A text."""
    if isinstance(value, str):
        return value
    raise problem(name, "a text", value)


def integer(name: str, value: Any, least: int = 0) -> int:
    """A whole number. Numbers of NumPy are some; booleans and floats are none."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise problem(name, "a whole number", value) from None
    if not least <= number < 1 << 32:
        raise problem(name, f"a number from {least} to 4294967295", value)
    return number


def number(name: str, value: Any) -> float:
    """A number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise problem(name, "a number", value) from None


def numbers(name: str, value: Any, most: int) -> Tuple[int, ...]:
    """A whole number, or a sequence of up to ``most``."""
    wanted = f"a whole number or 1 to {most} of them"
    if isinstance(value, (str, bytes)):
        raise problem(name, wanted, value)
    try:
        items = list(value)
    except TypeError:
        if isinstance(value, float):
            raise problem(name, wanted, value) from None
        return (integer(name, value),)
    if not 1 <= len(items) <= most:
        raise problem(name, wanted, value)
    return tuple(integer(f"{name}[{index}]", item) for index, item in enumerate(items))


def texts(name: str, value: Any) -> List[str]:
    """A sequence of texts, or one with commas."""
    if isinstance(value, str):
        return [item for item in value.split(",") if item]
    return [text(f"{name}[{index}]", item) for index, item in enumerate(items(name, value))]


def items(name: str, value: Any) -> Sequence[Any]:
    """The items of a sequence."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return list(value)
    raise problem(name, "a sequence", value)
