"""The capabilities of each engine: it has those that are listed here, in the form that their protocols give."""

from inspect import signature
from typing import Any

import pytest

import kemu
from kemu.bots import generic
from kemu.bots.engines import capability, engine_player, games_with
from kemu.engines import capabilities
from kemu.engines.capabilities import (
    Calibrated,
    CardReader,
    EnginePlayer,
    Forecaster,
    Noticing,
    Prover,
    PuzzleMaker,
    Rescuer,
    Reviewing,
    Solver,
    Sparring,
    ThreatFinder,
    Trainable,
    Warmable,
)

ALL = {Noticing, Sparring, Reviewing, PuzzleMaker}
OWN: dict[str, set[Any]] = {
    "moeraki-kemu": ALL | {Prover, ThreatFinder, Rescuer, Forecaster, Calibrated, Trainable, Warmable},
    "mu-torere": ALL | {Prover, ThreatFinder, Solver},
    "mauw": ALL | {CardReader, Calibrated, Trainable},
}
OPTIONAL: list[Any] = [
    each for each in vars(capabilities).values() if getattr(each, "_is_runtime_protocol", False) is True
]


def members(protocol: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(protocol).items() if not name.startswith("_")}


@pytest.mark.parametrize("key", kemu.game_keys())
def test_an_engine_has_the_capabilities_that_are_listed(key: str) -> None:
    assert {each for each in OPTIONAL if capability(kemu.game(key), each) is not None} == OWN[key]


@pytest.mark.parametrize("protocol", [EnginePlayer, *OPTIONAL])
def test_every_function_takes_what_its_protocol_says(protocol: Any) -> None:
    players = [engine_player(kemu.game(key)) for key in kemu.game_keys()]
    for player in [generic, *players]:
        if protocol is EnginePlayer or isinstance(player, protocol):
            for name, member in members(protocol).items():
                wanted = list(signature(member).parameters)[1:]
                assert list(signature(getattr(player, name)).parameters)[: len(wanted)] == wanted


def test_a_game_without_a_capability_is_not_listed_with_it() -> None:
    assert games_with(Solver) == ["mu-torere"]
    assert capability(kemu.game("mauw"), Solver) is None
