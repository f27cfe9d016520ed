"""A griffe extension: the comment behind a field is its description, as in `slip: float = 0.0  # chance of a slip`."""

import ast
from typing import Any

from griffe import Attribute, Docstring, Extension, ObjectNode


class FieldComments(Extension):
    """Gives attributes without a docstring the comment of their line, or else the comment lines above them."""

    def on_attribute_instance(self, *, node: ast.AST | ObjectNode, attr: Attribute, **more: Any) -> None:
        """Read the comments around an attribute."""
        if attr.docstring is not None or not attr.lineno or isinstance(attr.filepath, list):
            return
        lines = attr.filepath.read_text(encoding="utf-8").splitlines()
        _, mark, comment = lines[(attr.endlineno or attr.lineno) - 1].partition("  # ")
        above = [] if mark else _comment_above(lines, attr.lineno - 1)
        if text := comment or " ".join(above):
            attr.docstring = Docstring(f"{text[0].upper()}{text[1:].rstrip('.')}.", parent=attr)


def _comment_above(lines: list[str], end: int) -> list[str]:
    start = end
    while start and lines[start - 1].lstrip().startswith("# "):
        start -= 1
    return [line.strip().removeprefix("# ") for line in lines[start:end]]
