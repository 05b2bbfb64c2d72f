"""The rules of DXIL's validator, and digests."""

import json
from typing import List, NamedTuple, Optional, Tuple

from . import _native


class Violation(NamedTuple):
    """A rule that a shader breaks, and where. What is not known is None."""

    rule: str
    """Name of the rule, as ``INSTR.INBOUNDSACCESS``."""
    severity: str
    """``error``: D3D12 refuses the shader; ``warning``: it does not."""
    detail: str
    message: str
    """Severity, position, rule and detail in one line."""
    function: Optional[str]
    part: Optional[str]
    offset: Optional[int]
    """Byte of the input."""
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]


class Report(NamedTuple):
    """The result of a validation."""

    violations: List[Violation]
    """At most 10,000, those of the container first."""
    omitted: int
    """Number of violations beyond that."""

    @property
    def is_valid(self) -> bool:
        """No violation is an error."""
        return self.omitted == 0 and all(v.severity != "error" for v in self.violations)


def validate(
    shader: bytes,
    validator_minor: Optional[int] = None,
    uniformity: bool = False,
    preview: bool = False,
) -> Report:
    """Check a container, or bare bitcode, against the rules of DXIL's validator.

    ``validator_minor`` is the minor number of the version (1.x) whose rules apply;
    None: the version that the module asks for. ``uniformity`` also warns of gradients
    and barriers in divergent control flow, and ``preview`` takes the preview shader
    model 6.10 for a released one. Bytes that are no shader break a rule, too.
    """
    rows, omitted = _native.validate(bytes(shader), validator_minor, uniformity, preview)
    return Report([Violation(**row) for row in json.loads(rows)], omitted)


def sign(container: bytes) -> bytes:
    """Return a container, of DXIL or DXBC, with the digest of its content.

    D3D12 trusts the digest, so validate first.

    Raises MalformedError.
    """
    return _native.sign(bytes(container))


def digest(container: bytes) -> Tuple[bytes, str]:
    """Return the digest of a container's content, and what the stored one is.

    That is "valid", "unsigned" (zero), "mismatch", or a marker: "preview" of preview
    compilers, "bypass" for runtimes that skip the check.

    Raises MalformedError.
    """
    return _native.digest(bytes(container))
