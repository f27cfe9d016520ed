"""Matches between bots: pairings, openings, seats, and the games themselves.

A pair of games has the same opening and the same cards, with the seats exchanged. From most random openings the same
seat wins whoever sits there, so such a pair says nothing. An opening is contested if the engine in use finds it
even and does not always win its own short games from there with the same seat.
"""

import random
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, count, islice, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from kemu.bots.engines import require_player
from kemu.bots.named import named_bot
from kemu.core.bot import Bot
from kemu.core.errors import OptionError, ParseError
from kemu.core.game import AnyGame, AnyView, Outcome, options
from kemu.core.record import Record
from kemu.engines.analysis import Budget
from kemu.engines.capabilities import Analyst, SearchBot
from kemu.games import game, series
from kemu.play.dealer import Dealer
from kemu.play.local import LocalMatch, bots_as_players, start, start_from

SeededMaker: TypeAlias = Callable[[AnyGame, int], Bot]
"""Makes a bot from game and seed."""

EVEN_VALUE: Final = 0.25
"""The greatest value of an even opening for either side; in Moeraki-Kemu that of a score of about 300."""

EVEN_BUDGET: Final = Budget(nodes=60_000)
SHORT_NODES: Final = (1_500, 2_500, 4_000)
"""Nodes for each action of short games, drawn at random so that the games differ."""

SHORT_GAMES: Final = 6
MOST_OPENINGS: Final = 200
"""The openings tried for a pair; if none of them is contested, the last one is taken."""


@dataclass(frozen=True)
class Setting:
    """Everything that decides which games are played; a file of results is taken up only by the same setting."""

    game: str
    options: dict[str, Any]
    entrants: tuple[str, ...]
    openings: int  # groups of games for each pair of entrants
    opening: int = 0  # random actions at the start of each game, the same for a whole group
    seed: int = 0
    neighbours: bool = False  # only entrants named one after the other meet


@dataclass(frozen=True)
class Job:
    """One game to play."""

    number: int
    group: int
    pair: tuple[str, str]
    seats: tuple[str, ...]
    options: dict[str, Any]


@dataclass(frozen=True)
class Played:
    """One game that was played; shares of the victory by seat."""

    number: int
    group: int
    pair: tuple[str, str]
    seats: tuple[str, ...]
    shares: tuple[float, ...]
    reason: str
    actions: tuple[str, ...]
    values: tuple[float | None, ...] = ()  # by action, of the search that chose it
    nodes: tuple[int | None, ...] = ()


def jobs(setting: Setting) -> Iterator[Job]:
    """Yield all games: each pair of a round robin or of neighbours, from each opening, in every seat and starter.

    At a table of more than two, one of the pair meets several of the other; then the other way round.
    """
    _check(setting, game(setting.game, **setting.options))
    yield from _pair_jobs(setting)


def _pair_jobs(setting: Setting) -> Iterator[Job]:
    """Yield all games between entrants, whose names are not looked up."""
    chosen = game(setting.game, **setting.options)
    pairs = list(pairwise(setting.entrants) if setting.neighbours else combinations(setting.entrants, 2))
    numbers = count()
    for group, pair in enumerate(pairs * setting.openings):
        for started in series(setting.game).starters(chosen):
            for seats in _seatings(pair, chosen.seats):
                yield Job(next(numbers), group, pair, seats, options(started))


def dataset_jobs(setting: Setting) -> Iterator[Job]:
    """Yield the games of an arena, or of one entrant against itself: one for each opening, each starter in turn.

    Names are not looked up, since those in a file of somebody else's results could run anything.
    """
    if len(setting.entrants) != 1:
        yield from _pair_jobs(setting)
        return
    chosen, name = game(setting.game, **setting.options), setting.entrants[0]
    starters = series(setting.game).starters(chosen)
    for number in range(setting.openings):
        started = options(starters[number % len(starters)])
        yield Job(number, number, (name, name), (name,) * chosen.seats, started)


def _check(setting: Setting, chosen: AnyGame) -> None:
    """Raise OptionError unless there are two entrants or more, each is named once, and all are bots of the game."""
    if len(setting.entrants) < 2:
        raise OptionError("An arena needs at least two entrants.")
    for name in setting.entrants:
        if setting.entrants.count(name) > 1:
            raise OptionError(
                f"'{name}' is named twice; an entrant of a level can have another budget, such as 8@nodes=500."
            )
        named_bot(name, chosen)


def _seatings(pair: tuple[str, str], seats: int) -> Iterator[tuple[str, ...]]:
    ways = (pair, pair[::-1]) if seats > 2 else (pair,)
    for one, others in ways:
        for place in range(seats):
            yield (*[others] * place, one, *[others] * (seats - 1 - place))


def play(setting: Setting, job: Job) -> Played:
    """Play one game; the same job always gives the same game, as far as its bots are repeatable."""
    chosen = game(setting.game, **job.options)
    match = bot_match(chosen, seed_from(setting.seed, job.group, "cards"))
    seeds = (seed_from(setting.seed, job.number, seat) for seat in count())
    players = [named_bot(name, chosen, seed) for name, seed in zip(job.seats, seeds, strict=False)]
    open_randomly(match, random.Random(seed_from(setting.seed, job.group, "opening")), setting.opening)
    searches: dict[int, Search] = {}
    outcome = play_out(match, players, searches)
    shares, actions = outcome.shares(chosen.seats), match.table.record().actions
    found = [searches.get(ply, (None, None)) for ply in range(len(actions))] if searches else []
    values, nodes = tuple(value for value, _ in found), tuple(count for _, count in found)
    return Played(job.number, job.group, job.pair, job.seats, shares, outcome.reason, actions, values, nodes)


def seed_from(*parts: object) -> int:
    """Return a seed that depends on all parts."""
    return random.Random("/".join(map(str, parts))).getrandbits(48)


def bot_match(chosen: AnyGame, seed: int, opening: Record | None = None) -> LocalMatch:
    """Return a match of bots with the cards of a seed, at its start or at the end of an opening."""
    players, dealer = bots_as_players(["bot"] * chosen.seats), Dealer(seed)
    return LocalMatch(start_from(chosen, players, opening) if opening else start(chosen, players, dealer), dealer)


Search: TypeAlias = tuple[float | None, int | None]
"""The value that a search gave an action, and its nodes."""


def play_out(match: LocalMatch, players: Sequence[Bot], searches: dict[int, Search] | None = None) -> Outcome:
    """Let bots play a match to its end, one for each seat; `searches` gets what they found, by number of the action."""
    while (seat := match.table.turn) is not None:
        ply = match.table.plies
        match.act_by(players[seat])
        found = getattr(players[seat], "last_search", None)
        if searches is not None and found is not None:
            searches[ply] = found
    outcome = match.table.outcome
    assert outcome, "nobody is to act, so it has ended"
    return outcome


def open_randomly(match: LocalMatch, dice: random.Random, plies: int) -> None:
    """Take some random actions that do not end the game."""
    for _ in range(plies):
        state, chosen = match.table.state, match.table.game
        calm = [action for action in chosen.actions(state) if chosen.outcome(chosen.apply(state, action)) is None]
        if not calm:
            return
        match.act(dice.choice(calm))


Players = Callable[[Callable[[Job], Played], Iterable[Job]], Iterable[Played]]
"""Calls a function for jobs, perhaps in other processes, and gives each game as it is finished."""


def results(setting: Setting, file: Path | None, players: Players = map) -> Generator[Played, None, None]:
    """Yield every game of a setting as it is finished; those that the file holds already are not played again.

    The file has the setting in its first line, then a line for each game. Raises ParseError if it is another's.
    """
    done: Sequence[Played] = []
    if file and file.exists() and file.stat().st_size:
        found, done = read_results(file)
        if _line(found) != _line(setting):
            raise ParseError(f"{file} holds results of another setting; name another file.")
    yield from done
    if file:  # written anew, so that a line that a crash cut off is gone
        beside = file.with_name(f".{file.name}")
        beside.write_bytes(b"".join([_line(setting), *map(_line, done)]))
        beside.replace(file)
    known = {played.number for played in done}
    for played in players(partial(play, setting), (job for job in jobs(setting) if job.number not in known)):
        if file:
            with file.open("ab") as kept:
                kept.write(_line(played))
        yield played


def read_results(file: Path) -> tuple[Setting, Sequence[Played]]:
    """Return the setting and the games of a file of results; raises ParseError if it is malformed.

    A last line that was cut off is left out.
    """
    first, *lines = file.read_bytes().split(b"\n")
    try:
        setting = msgspec.json.decode(first, type=Setting)
        return setting, [msgspec.json.decode(line, type=Played) for line in lines[:-1]]
    except msgspec.DecodeError:
        raise ParseError(f"{file} is not a file of results.") from None


def _line(value: Setting | Played) -> bytes:
    return msgspec.json.encode(value) + b"\n"


class Pairing(NamedTuple):
    """Pairing of bots for two games; the same pairing always gives the same games."""

    game: AnyGame
    players: tuple[SeededMaker, SeededMaker]
    opening_actions: Sequence[int]  # random actions of an opening, one of these; empty: only the cards are random
    seed: str


def play_pair(pairing: Pairing) -> float:
    """Return the share of both games that the first player wins, from 0 to 1; 0.5 is expected of equal players.

    At a table of more than two the players take every second seat.
    """
    game, (first, second) = pairing.game, pairing.players
    opening = _opening(pairing)
    won = 0.0
    for place in range(2):
        makers = [first if seat % 2 == place else second for seat in range(game.seats)]
        bots = [maker(game, seed_from(pairing.seed, place, seat)) for seat, maker in enumerate(makers)]
        outcome = play_out(bot_match(game, seed_from(pairing.seed, "cards"), opening), bots)
        won += sum(outcome.shares(game.seats)[place::2])
    return won / 2


def random_openings(game: AnyGame, lengths: Sequence[int], seed: str) -> Iterator[Record]:
    """Yield random openings without end, each with one of these numbers of actions; the same seed gives the same."""
    for number in count():
        dice = random.Random(f"{seed}/opening/{number}")
        match = bot_match(game, dice.getrandbits(48))
        open_randomly(match, dice, dice.choice(lengths))
        yield match.table.record()


def is_contested(game: AnyGame, opening: Record) -> bool:
    """Return whether neither side stands better after an opening, and short games from there end differently.

    A drawn short game is enough, since then no seat wins whoever sits there.
    """
    judge = _judge(game)
    view, log, _ = bot_match(game, 0, opening).asked()
    if abs(judge.analyse(view, log, EVEN_BUDGET, 1, 0).value) > EVEN_VALUE:
        return False

    def short_search(view: AnyView, log: Sequence[str], seed: int) -> Any:
        return judge.analyse(view, log, Budget(nodes=SHORT_NODES[seed % len(SHORT_NODES)]), 1, seed).action

    endings = set()
    for number in range(SHORT_GAMES):
        bots = [SearchBot(short_search, seed_from("short", number))] * game.seats
        endings.add(play_out(bot_match(game, number, opening), bots).winners)
        if len(endings) > 1 or () in endings:
            return True
    return False


@lru_cache(maxsize=2)  # a training tests two variants in turn
def _judge(game: AnyGame) -> Analyst:
    """Return the engine in use, which answers the same question in nodes the same however often it is asked."""
    return require_player(game).analyst(game, None, 1)


def _opening(pairing: Pairing) -> Record | None:
    """Return the first contested opening of a pairing, None if its games begin at the start."""
    if not pairing.opening_actions:
        return None
    opening = None
    for opening in islice(random_openings(pairing.game, pairing.opening_actions, pairing.seed), MOST_OPENINGS):
        if is_contested(pairing.game, opening):
            break
    return opening
