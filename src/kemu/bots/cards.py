"""What a bot of the ladder tells of itself: what it notices, how it thinks and how strong it is."""

from dataclasses import dataclass

from kemu.bots.ladder import AUDIENCES
from kemu.bots.ratings import expected_score
from kemu.bots.registry import bot_elo, engine_player
from kemu.core.game import AnyGame
from kemu.engines.player import EnginePlayer, Level, chance_to_notice

NEARLY_ALWAYS, MOSTLY = 0.9, 0.5
"""From these chances on something is seen, or missed only sometimes; what is noticed less is missed often."""


@dataclass(frozen=True)
class BotCard:
    """One level of the ladder in one variant of a game."""

    bot: str  # its number as a text
    audience: str  # for whom it is, in a word or two
    elo: int  # above the bot that a newcomer meets
    quick: float  # the share of its actions that it chooses without a search
    nodes: int | None  # of a search; None: it reads a solution, never searches, or searches by time
    ms: int | None  # of a search by time
    depth: int | None  # the plies of the solution that it looks ahead; None: all of them, or there is no solution
    notices: dict[str, float]  # by what there is to see, the chance that it does
    scores: dict[str, float]  # against the next levels, by name, its share to expect


def bot_cards(game: AnyGame) -> list[BotCard]:
    """The cards of all levels, from the weakest to the strongest."""
    player = engine_player(game)
    return [_card(game, player, number) for number in range(1, len(player.levels(game)) + 1)] if player else []


def _card(game: AnyGame, player: EnginePlayer, number: int) -> BotCard:
    levels = player.levels(game)
    level, searches = levels[number - 1], player.solution is None
    beside = {
        str(other): round(expected_score(level.elo - levels[other - 1].elo, game.seats), 2)
        for other in (number - 1, number + 1)
        if 1 <= other <= len(levels)
    }
    return BotCard(
        bot=str(number),
        audience=AUDIENCES[number - 1],
        elo=round(bot_elo(str(number), game) or 0),
        quick=level.slip,
        nodes=level.budget.nodes if searches and level.slip < 1 else None,
        ms=level.budget.ms if searches else None,
        depth=level.depth,
        notices={motif: round(_chance(level, hard), 2) for motif, hard in player.motifs(game).items()},
        scores=beside,
    )


def _chance(level: Level, difficulty: float) -> float:
    """Of noticing something: always by a search, and by a quick choice as its attention goes."""
    return 1 - level.slip * (1 - chance_to_notice(level.attention, difficulty))
