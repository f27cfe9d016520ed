"""Playthroughs: a game written out with all that each seat sees, so that a leak or a changed rule shows as a diff."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kemu.core.document import Document, read_json, read_mapping, read_object
from kemu.core.game import CHANCE, SPECTATOR, AnyGame, Seat

HEAD = ("about", "game", "options", "actions")


@dataclass(frozen=True)
class Script:
    """Head of a playthrough file: what is played; `playthrough` writes everything below it."""

    about: str
    game: str
    options: Mapping[str, Any]
    position: Document | None
    actions: tuple[str, ...]


def read_script(text: str) -> Script:
    """Return the head of a playthrough file: `word: value` lines up to the first empty one."""
    lines = (line.partition(":") for line in text.split("\n\n", 1)[0].splitlines())
    head = read_object(
        {word: value.strip() for word, _, value in lines}, "The head of a playthrough", HEAD, ("position",)
    )
    position = head.get("position")
    return Script(
        about=head["about"],
        game=head["game"],
        options=read_mapping(read_json(head["options"]), "'options'"),
        position=None if position is None else read_json(position),
        actions=tuple(head["actions"].split()),
    )


def playthrough(make: Callable[..., AnyGame], script: Script) -> str:
    """Return the whole text of a playthrough file, head included; `make` is `kemu.game`."""
    return "\n".join([*_head(script), *_body(make(script.game, **script.options), script)]) + "\n"


def _head(script: Script) -> Iterator[str]:
    yield f"about: {script.about}"
    yield f"game: {script.game}"
    yield f"options: {json.dumps(script.options)}"
    if script.position is not None:
        yield f"position: {json.dumps(script.position)}"
    yield f"actions: {' '.join(script.actions)}"


def _body(game: AnyGame, script: Script) -> Iterator[str]:
    state = game.initial() if script.position is None else game.decode(script.position)
    yield from ("", "# start", *_shown(game, state))
    for number, text in enumerate(script.actions, start=1):
        action = game.parse(text)
        after = game.apply(state, action)
        yield from ("", f"# {number}. {_turn(game.turn(state))}: {text}")
        yield from _by_viewer("log", {seat: game.seen(state, action, seat) for seat in _viewers(game)})
        state = after
        yield from _shown(game, state)


def _shown(game: AnyGame, state: Any) -> Iterator[str]:
    yield f"position {json.dumps(game.encode(state))}"
    yield from _by_viewer("view", {seat: json.dumps(game.view(state, seat)) for seat in _viewers(game)})
    outcome = game.outcome(state)
    if outcome:
        yield f"outcome {json.dumps(outcome.encode())}"
    elif game.turn(state) == CHANCE:
        odds = (f"{game.format(action)} {chance}" for action, chance in game.odds(state))
        yield f"odds {', '.join(odds)}"
    else:
        texts = (game.format(action) for action in game.actions(state))
        yield f"actions of {_turn(game.turn(state))} {' '.join(texts)}"


def _viewers(game: AnyGame) -> Sequence[Seat]:
    return (*range(game.seats), SPECTATOR)


def _by_viewer(word: str, lines: Mapping[Seat, str]) -> Iterator[str]:
    """Return one line if all see the same, else one for each seat and the spectator."""
    if len(set(lines.values())) == 1:
        yield f"{word} of all {lines[SPECTATOR]}"
        return
    for seat, line in lines.items():
        yield f"{word} of {_turn(seat)} {line}"


def _turn(seat: Seat | None) -> str:
    return {CHANCE: "chance", SPECTATOR: "spectator"}.get(seat, f"seat {seat}") if seat is not None else "nobody"
