# The types of `kemu.game` by the literal key; only type checkers read this file.
from typing import Any, Literal, overload

from kemu.core.game import AnyGame
from kemu.games.mauw.rules import Mauw
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.mu_torere.rules import MuTorere

@overload
def game(
    key: Literal["moeraki-kemu"],
    /,
    *,
    variant: Literal["beginner", "basic", "master"] = ...,
    starter: int = ...,
    moved_from: str | None = ...,
    eye: bool = ...,
    swap: bool = ...,
    stay: bool = ...,
) -> MoerakiKemu: ...
@overload
def game(
    key: Literal["mu-torere"],
    /,
    *,
    flank: Literal["always", "opening", "never"] = ...,
    arms: int = ...,
    repetition: bool = ...,
) -> MuTorere: ...
@overload
def game(key: Literal["mauw"], /, *, players: int = ...) -> Mauw: ...
@overload
def game(key: str, /, **options: Any) -> AnyGame: ...
