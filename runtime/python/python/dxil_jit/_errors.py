"""The exceptions of this package."""

from __future__ import annotations

from typing import Tuple, Type


class Error(Exception):
    """What this package raises; also an internal error of the translator.

    Attributes:
        code: A stable name of the kind of error, like ``"truncated"`` or ``"no-device"``.
    """

    code: str

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> Tuple[Type[Error], Tuple[str, str]]:
        return type(self), (str(self), self.code)


class MalformedError(Error):
    """The bytes are no shader, or break a rule of the format."""


class UnsupportedError(Error):
    """The shader is valid, and the translator, the target or the device does not support it."""


class JobError(Error):
    """What is bound, dispatched or asked for does not fit the shader."""


class DeviceError(Error):
    """There is no such device, or it failed or took too long."""
