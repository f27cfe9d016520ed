"""Checks a written proof that the side to move wins, with nothing but the reference rules.

A proof is `{"game", "options", "position", "tree"}`. A node of the tree stands where the winner lays a stone:
`{"do": "f6", "then": {"e5": node, …}, "else": node}`; `then` has the answers that need a reply of their own and
`else` is the reply to all others. A stone that wins at once needs neither.

Asked for his Tane the winner keeps it, unless the node says where he places it, `before` the stone or `after` it. An
answer may name what the loser does with his, as in "e5 Tf7sw" or "Tf7sw e5"; one that does not stands for all uses.
"""

from kemu.core.document import Document, quote, read_object, read_text
from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.games.moeraki.actions import KEEP
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu


class BrokenProof(KemuError, code="broken-proof"):
    """A proof does not show what it claims."""


def verify(document: object) -> int:
    """Return how many stones of the winner it took to check a proof; BrokenProof names the line that fails."""
    proof = read_object(document, "A proof", ("game", "options", "position", "tree"))
    if proof["game"] != MoerakiKemu.key:
        raise BrokenProof(f"This verifier knows {MoerakiKemu.key}, not {quote(proof['game'])}.")
    game = MoerakiKemu(**proof["options"])
    state = game.decode(proof["position"])
    if game.outcome(state) or state.step is not None or not state.ball:
        raise BrokenProof("A proof begins where a stone is to be laid.")
    return _check(game, state, proof["tree"], state.turn, ())


def _check(game: MoerakiKemu, state: State, value: object, winner: Seat, path: tuple[str, ...]) -> int:
    """Follow the winner through a node."""
    node = read_object(value, f"The node after {_described(path)}", (), ("before", "do", "after", "then", "else"))
    state, path = _placed(game, state, node.get("before"), winner, path)
    if _won(game, state, winner, path):
        return 0
    stone = read_text(node.get("do"), "'do'")
    laid, path = _applied(game, state, stone, path), (*path, stone)
    laid, path = _placed(game, laid, node.get("after"), winner, path)
    return 1 + _check_answers(game, laid, node, winner, path, ())


def _check_answers(
    game: MoerakiKemu, state: State, node: Document, winner: Seat, path: tuple[str, ...], answer: tuple[str, ...]
) -> int:
    """Go through all that the loser can do before it is the winner's turn again, unless the game is won."""
    if _won(game, state, winner, (*path, *answer)):
        return 0
    if state.turn == winner:
        return _check(game, state, _reply(node, path, answer), winner, (*path, *answer))
    checked = 0
    for action in game.actions(state):
        texts = answer if action == KEEP else (*answer, game.format(action))
        checked += _check_answers(game, game.apply(state, action), node, winner, path, texts)
    return checked


def _reply(node: Document, path: tuple[str, ...], answer: tuple[str, ...]) -> object:
    """Return the node for an answer: with its use of the Tane, for any use of it, or for all answers."""
    stone = next(text for text in answer if not text.startswith("T"))
    replies = node["then"] if isinstance(node.get("then"), dict) else {}
    reply = replies.get(" ".join(answer), replies.get(stone, node.get("else")))
    if reply is None:
        raise BrokenProof(f"After {_described((*path, *answer))} the proof has no reply.")
    return reply


def _placed(
    game: MoerakiKemu, state: State, tane: object, winner: Seat, path: tuple[str, ...]
) -> tuple[State, tuple[str, ...]]:
    """Return the state once the winner, if he is asked for his Tane, has placed or kept it, and how it came to be."""
    if state.step is None or state.turn != winner:
        return state, path
    if tane is None:
        return game.apply(state, KEEP), path
    text = read_text(tane, "A Tane")
    return _applied(game, state, text, path), (*path, text)


def _applied(game: MoerakiKemu, state: State, text: str, path: tuple[str, ...]) -> State:
    action = game.parse(text)
    if action not in game.actions(state):
        raise BrokenProof(f"After {_described(path)} the winner cannot play {text}.")
    return game.apply(state, action)


def _won(game: MoerakiKemu, state: State, winner: Seat, path: tuple[str, ...]) -> bool:
    outcome = game.outcome(state)
    if outcome is not None and outcome.winners != (winner,):
        raise BrokenProof(f"After {_described(path)} the game is over and seat {winner} has not won.")
    return outcome is not None


def _described(path: tuple[str, ...]) -> str:
    return " ".join(path) or "no stone"
