"""Checks a written proof that the side to move wins, with nothing but the reference rules.

A proof is `{"game", "options", "position", "tree"}`. A node of the tree stands where the winner lays a stone:
`{"lay": "f6", "then": {"e5": node, …}, "else": node}`; `then` has the answers that need a reply of their own and
`else` is the reply to all others. A stone that wins at once needs neither.
"""

from collections.abc import Iterator

from kemu.core.document import Document, quote, read_object, read_text
from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.games.moeraki.actions import KEEP
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu


class BrokenProof(KemuError):
    """A proof does not show what it claims."""

    code = "broken-proof"


def verify(document: object) -> int:
    """How many stones of the winner it took to check a proof; BrokenProof names the line that fails."""
    proof = read_object(document, "A proof", ("game", "options", "position", "tree"))
    if proof["game"] != MoerakiKemu.key:
        raise BrokenProof(f"This verifier knows {MoerakiKemu.key}, not {quote(proof['game'])}.")
    game = MoerakiKemu(**proof["options"])
    state = game.decode(proof["position"])
    if game.outcome(state) or state.step is not None or not state.ball:
        raise BrokenProof("A proof begins where a stone is to be laid.")
    return _check(game, state, proof["tree"], state.turn, ())


def _check(game: MoerakiKemu, state: State, value: object, winner: Seat, path: tuple[str, ...]) -> int:
    node = read_object(value, f"The node after {_told(path)}", ("lay",), ("then", "else"))
    stone = read_text(node["lay"], "'lay'")
    action = game.parse(stone)
    if action not in game.actions(state):
        raise BrokenProof(f"After {_told(path)} the stone {stone} cannot be laid.")
    checked = 1
    for following in _asked(game, game.apply(state, action), winner):
        checked += _check_answers(game, following, node, winner, (*path, stone))
    return checked


def _check_answers(game: MoerakiKemu, state: State, node: Document, winner: Seat, path: tuple[str, ...]) -> int:
    """Goes through every answer of the loser, unless the stone just laid has won."""
    if _won(game, state, winner, path):
        return 0
    checked = 0
    for answer in game.actions(state):
        text = game.format(answer)
        reply = node.get("then", {}).get(text, node.get("else"))
        for following in _asked(game, game.apply(state, answer), winner):
            if not _won(game, following, winner, (*path, text)):
                if reply is None:
                    raise BrokenProof(f"After {_told((*path, text))} the proof has no reply.")
                checked += _check(game, following, reply, winner, (*path, text))
    return checked


def _won(game: MoerakiKemu, state: State, winner: Seat, path: tuple[str, ...]) -> bool:
    outcome = game.outcome(state)
    if outcome is not None and outcome.winners != (winner,):
        raise BrokenProof(f"After {_told(path)} the game is over and seat {winner} has not won.")
    return outcome is not None


def _asked(game: MoerakiKemu, state: State, winner: Seat) -> Iterator[State]:
    """The states once nobody is asked for a Tane any more: the winner keeps his, the loser does anything."""
    if state.step is None:
        yield state
        return
    choices = (KEEP,) if state.turn == winner else game.actions(state)
    for choice in choices:
        yield from _asked(game, game.apply(state, choice), winner)


def _told(path: tuple[str, ...]) -> str:
    return " ".join(path) or "no stone"
