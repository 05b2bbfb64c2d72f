"""Representations of at most one screen."""

from typing import List

_ROWS = 24
_COLUMNS = 100


def screen(rows: List[str]) -> str:
    """Lines that fit on a screen; the last one says how many are left out."""
    left = len(rows) - _ROWS
    if left > 0:
        rows = rows[: _ROWS - 1] + [f"... and {left + 1} more lines"]
    return "\n".join(cut(row) for row in rows)


def cut(row: str) -> str:
    """A line of at most a screen's width."""
    return row if len(row) <= _COLUMNS else row[: _COLUMNS - 3] + "..."
