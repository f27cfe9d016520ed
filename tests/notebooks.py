"""Runs the cells of notebooks; `python -m tests.notebooks` writes what they show into the notebooks."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent.parent / "examples"
NOTEBOOKS: Final = sorted(FOLDER.glob("*.ipynb"))


def run(document: dict[str, Any], name: str) -> list[list[dict[str, Any]]]:
    """The outputs of each code cell of a notebook, as its format has them: what is printed, and the last value."""
    names: dict[str, Any] = {}
    sources = ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]
    return [_outputs(source, number, names, name) for number, source in enumerate(sources, 1)]


def _outputs(source: str, number: int, names: dict[str, Any], name: str) -> list[dict[str, Any]]:
    *before, last = ast.parse(source).body
    ends_with_value = isinstance(last, ast.Expr)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(before if ends_with_value else [*before, last], []), name, "exec"), names)
        value = eval(compile(ast.Expression(last.value), name, "eval"), names) if isinstance(last, ast.Expr) else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_svg_"):
            data = {"image/svg+xml": lines(value._repr_svg_()), **data}
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return outputs


def lines(text: str) -> list[str]:
    """A text as the format has it."""
    return text.splitlines(keepends=True)


def write(notebook: Path) -> None:
    """Run a notebook and keep what its cells show in it."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(code, run(document, notebook.name), strict=True), 1):
        cell |= {"execution_count": number, "outputs": outputs}
    notebook.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in NOTEBOOKS:
        write(each)
