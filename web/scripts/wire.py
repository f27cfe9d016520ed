"""Write the client's types from the server's messages and the games' views: python web/scripts/wire.py [--check]."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from kemu.analysis.review import Retry, ReviewStep
from kemu.bots.registry import BotCard
from kemu.games import game_keys, manifest
from kemu.people.tournaments import commands as tournament_commands
from kemu.server.app import ROUTES
from kemu.server.http import requests
from kemu.server.live import analysis, challenges, frames, notices, tournament
from kemu.studies import edits
from kemu.work.tasks import GraphAnswer, RescueAnswer, Threats

WEB: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(WEB.parent))

from web.scripts import client  # noqa: E402

MODULES: Final[tuple[ModuleType, ...]] = (
    *(*ROUTES, requests, frames, analysis, notices, challenges, edits),
    *(tournament, tournament_commands),
)
"""Where the messages are defined."""
UNIONS: Final = {
    "ClientMessage": frames.ClientMessage,
    "Frame": frames.Frame,
    "AnalysisMessage": analysis.AnalysisMessage,
    "AnalysisAnswer": analysis.AnalysisAnswer,
    "AnyEdit": edits.AnyEdit,
    "StudyFrame": frames.StudyFrame,
    "AnyAsk": tournament_commands.AnyAsk,
    "TournamentMessage": tournament.TournamentMessage,
    "TournamentMessageAnswer": tournament.TournamentMessageAnswer,
}
"""Unions that get a name in TypeScript as well."""
VALUES: Final = (ReviewStep, Retry, BotCard, GraphAnswer, RescueAnswer, Threats)
"""Types of the library that are sent as they are."""
UNTAGGED: Final = (
    *(frames.PositionFrame, edits.Edit, edits.ChapterEdit, edits.NodeEdit),
    *(tournament.TournamentRead, tournament.TournamentState, tournament_commands.Ask),
)
"""Types that others are made from and that are never sent."""
LEFT_OUT: Final = ("discriminator", "prefixItems", "title", "default", "minItems", "maxItems")
"""Bounds of arrays would become unions of tuples."""


def typescript() -> dict[Path, str]:
    """The text of each file of types."""
    schemas = {"src/wire/types.ts": _wire(), **dict(_views())}
    command = [client.node(), WEB / "scripts" / "types.mjs"]
    client.install()
    answer = subprocess.run(command, input=json.dumps(schemas), cwd=WEB, capture_output=True, text=True, check=True)
    return {WEB / name: text for name, text in json.loads(answer.stdout).items()}


def _wire() -> dict[str, Any]:
    """The schema of all messages; its root only lists them."""
    structs = [*(kind for module in MODULES for kind in _structs(module)), *VALUES]
    schemas, definitions = _schema([*structs, *UNIONS.values()])
    definitions |= zip(UNIONS, schemas[len(structs) :], strict=True)
    properties = {name: {"$ref": f"#/definitions/{name}"} for name in sorted(definitions)}
    root = {"title": "Messages", "type": "object", "properties": properties, "required": list(properties)}
    return {**root, "definitions": definitions}


def _structs(module: ModuleType) -> Iterator[type[msgspec.Struct]]:
    for kind in vars(module).values():
        own = isinstance(kind, type) and kind.__module__ == module.__name__
        if own and issubclass(kind, msgspec.Struct) and kind not in UNTAGGED:
            yield kind


def _views() -> Iterator[tuple[str, dict[str, Any]]]:
    """The schema of each game's view, if the client has a board for that game."""
    for key in game_keys():
        path = manifest(key).view
        if path is not None and (WEB / "src" / "boards" / key).is_dir():
            module, name = path.split(":")
            [schema], definitions = _schema([getattr(importlib.import_module(module), name)])
            yield f"src/boards/{key}/view.ts", {"title": name, **schema, "definitions": definitions}


def _schema(kinds: list[Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """JSON Schemas of some types and the definitions they refer to, both as the generator reads them."""
    schemas, definitions = msgspec.json.schema_components(
        kinds, schema_hook=lambda _: {}, ref_template="#/definitions/{name}"
    )
    return [_draft7(schema) for schema in schemas], {name: _draft7(schema) for name, schema in definitions.items()}


def _draft7(schema: Any) -> Any:
    """A schema of draft 2020-12 as one of draft 7, which the generator knows, without what TypeScript cannot say."""
    if isinstance(schema, list):
        return [_draft7(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    converted = {name: _draft7(inner) for name, inner in schema.items() if name not in LEFT_OUT}
    if "properties" in schema:
        # The names in here are the fields', not the schema's.
        converted["properties"] = {field: _draft7(inner) for field, inner in schema["properties"].items()}
    if "description" in converted:
        converted["description"] = cleandoc(converted["description"])
    if "prefixItems" in schema:
        return {**converted, "items": _draft7(schema["prefixItems"])}
    if schema.get("type") == "object" and "properties" not in schema:
        return {"additionalProperties": True, **converted}
    return converted


def main() -> None:
    """Write the types, or with --check only say whether they are up to date."""
    for path, text in typescript().items():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.relative_to(WEB.parent)} is not up to date: run python web/scripts/wire.py")


if __name__ == "__main__":
    main()
