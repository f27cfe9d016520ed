"""The output of `kemu replay`."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.game import SPECTATOR, AnyGame, Outcome
from kemu.core.record import Record, replay
from kemu.games import text
from kemu.terminal.records import load
from kemu.terminal.screen import Screen, open_screen
from kemu.terminal.words import outcome_sentence, seat_name, with_log


def replay_file(file: Path, as_json: bool, at: int | None) -> None:
    """Print a record as text or JSON lines: all of it, or the position after `at` actions; raises KemuError."""
    record, chosen = load(file)
    states = list(replay(chosen, record.actions))
    last = len(states) - 1
    if at is not None and not 0 <= at <= last:
        raise OptionError(f"--at is from 0 to {last} in this record, not {at}.")
    numbers = range(last + 1) if at is None else (at,)
    if as_json:
        for number in numbers:
            text = record.actions[number - 1] if number else None
            result = record.result if number == last else None
            sys.stdout.write(json.dumps(_step(chosen, number, text, states[number], result)) + "\n")
    else:
        _show(chosen, record, states, numbers, open_screen())


def _show(chosen: AnyGame, record: Record, states: Sequence[Any], numbers: Sequence[int], screen: Screen) -> None:
    """The actions in their order, with the board at both ends."""
    shown = text(chosen.key)
    for number in numbers:
        if number:
            actor = chosen.turn(states[number - 1])
            screen.say(f"{number}. {seat_name(shown, chosen, actor)}: {record.actions[number - 1]}")
        if number in (numbers[0], numbers[-1]):
            screen.show(shown, chosen, with_log(chosen.view(states[number], SPECTATOR), record.actions[:number]))
    outcome = record.result or chosen.outcome(states[-1])
    if outcome and numbers[-1] == len(states) - 1:
        screen.say(outcome_sentence(outcome, lambda seat: seat_name(shown, chosen, seat)))


def _step(chosen: AnyGame, number: int, text: str | None, state: Any, result: Outcome | None) -> Document:
    outcome = result or chosen.outcome(state)
    return {
        "at": number,
        "action": text,
        "position": chosen.encode(state),
        "turn": None if outcome else chosen.turn(state),
        "outcome": outcome and outcome.encode(),
    }
