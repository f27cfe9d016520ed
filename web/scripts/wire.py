"""Write the wire types of the client from the server's messages: python web/scripts/wire.py [--check]."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Final, get_args

import msgspec

from kemu.play.commands import Command
from kemu.server import answers, wire

TARGET: Final = Path(__file__).parents[1] / "src" / "wire" / "types.ts"
HEAD: Final = """// Written by web/scripts/wire.py from src/kemu/server/{answers,wire}.py; do not edit.
"""
PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
UNIONS: Final = {"Frame": wire.Frame, "Wish": wire.Wish}


def structs() -> list[type[msgspec.Struct]]:
    """All messages, whether they travel over HTTP or a socket."""
    names = {**vars(answers), **vars(wire)}.values()
    found = [kind for kind in names if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return [kind for kind in found if kind is not msgspec.Struct and kind is not Command]


def typescript() -> str:
    """The whole file."""
    _, components = msgspec.json.schema_components(
        [*structs(), *UNIONS.values()], schema_hook=lambda kind: {}, ref_template="{name}"
    )
    parts = [HEAD, *(_declaration(name, schema) for name, schema in sorted(components.items()))]
    parts += [f"export type {name} = {_names(union)};\n" for name, union in UNIONS.items()]
    return "\n".join(parts)


def _names(union: UnionType) -> str:
    return " | ".join(sorted(kind.__name__ for kind in get_args(union)))


def _declaration(name: str, schema: dict[str, Any]) -> str:
    note = f"/** {schema['description']} */\n" if "description" in schema else ""
    if schema.get("type") != "object":
        return f"{note}export type {name} = {_type(schema)};\n"
    return f"{note}export interface {name} {{\n{''.join(_fields(schema))}}}\n"


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    required = schema.get("required", [])
    for field, inner in schema.get("properties", {}).items():
        yield f"  {field}{'' if field in required else '?'}: {_type(inner)};\n"


def _type(schema: dict[str, Any]) -> str:
    """One schema as a type expression."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(inner) for inner in schema["anyOf"]))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(inner) for inner in schema['prefixItems'])}]"
        case "array":
            inner = _type(schema.get("items", {}))
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case "object":
            return "Record<string, unknown>"
        case str(plain):
            return PLAIN[plain]
    return "unknown"


def main() -> None:
    """Write the types, or only say whether they are what the server speaks."""
    text = typescript()
    if "--check" not in sys.argv:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit("web/src/wire/types.ts is not what the server speaks: run python web/scripts/wire.py")


if __name__ == "__main__":
    main()
