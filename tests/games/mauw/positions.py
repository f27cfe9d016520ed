"""Positions of MAUW in a few characters, for tests.

A hand is "7 2 s m". A zone is four columns such as "##7 # . #m=s": a # for each Mauw, then what lies on top,
and a point for an empty place. What is not named goes where it does no harm.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State, deck, write_counts

NOTHING_LIES = ". . . ."


def position(
    players: int = 2,
    hands: Sequence[str] = (),
    zones: Sequence[str] = (),
    pile: str | None = None,
    discards: str | None = None,
    **fields: Any,
) -> tuple[Mauw, State]:
    """The game and a state of it; cards that are not named lie in the pile, or on the discards if that is named."""
    game = Mauw(players)
    laid = [zone.split() for zone in (*zones, *[NOTHING_LIES] * (players - len(zones)))]
    tops = [column.strip("#.") for zone in laid for column in zone]
    rest = Counter[str](write_counts(deck(players)))
    rest -= Counter(top.partition("=")[0] for top in tops if top)
    rest -= Counter(_played(fields.get("step")))
    named = [hand.split() for hand in hands]
    rest -= Counter(card for cards in (*named, (pile or "").split(), (discards or "").split()) for card in cards)
    while len(named) < players:
        named.append(_some(rest, 4))
    gain = fields.get("step", {}).get("name") == "put"
    _some(rest, sum(column.count("#") for zone in laid for column in zone) + gain)
    document = {
        "hands": named,
        "zones": [[_column(column) for column in zone] for zone in laid],
        "pile": Counter((pile or "").split()) if pile is not None else rest,
        "discards": Counter((discards or "").split()) if discards is not None or pile is None else rest,
        "turn": 0,
        "turns": 0,
        **fields,
    }
    return game, game.decode(document)


def go(game: Mauw, state: State, texts: str) -> State:
    """The state after some actions."""
    for text in texts.split():
        state = game.apply(state, game.parse(text))
    return state


def choices(game: Mauw, state: State) -> list[str]:
    """The texts of the legal actions."""
    return [game.format(action) for action in game.actions(state)]


def zone(game: Mauw, state: State, seat: int) -> str:
    """A zone as `position` takes it."""
    columns = game.encode(state)["zones"][seat]
    return " ".join("#" * column["mauw"] + (column["top"] or "") or "." for column in columns)


def stack(counts: dict[str, int]) -> str:
    """Pile or discards of a document as `position` takes them."""
    return " ".join(card for card, number in counts.items() for _ in range(number))


def _played(step: Any) -> list[str]:
    """The cards of a step that are between a hand and a column."""
    if step is None or step["name"] == "press":
        return []
    cards = [step.get("play", "").partition(">")[0], step.get("answer", ""), step.get("top") or ""]
    return [card.partition("=")[0] for card in cards if card]


def _some(rest: Counter[str], number: int) -> list[str]:
    """Take so many cards, always of those there are most of."""
    taken = []
    for _ in range(number):
        card = max(rest, key=lambda each: (rest[each], each))
        rest[card] -= 1
        taken.append(card)
    return taken


def _column(text: str) -> dict[str, object]:
    return {"mauw": text.count("#"), "top": text.strip("#.") or None}
