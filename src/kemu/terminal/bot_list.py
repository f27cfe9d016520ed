"""The bots of a game as a text: for whom each is, how strong, how it thinks and what it misses."""

from collections.abc import Iterator

from kemu.bots.cards import MOSTLY, NEARLY_ALWAYS, BotCard, bot_cards
from kemu.bots.ladder import level_title
from kemu.bots.registry import bot_elo, bots, default_bot, is_solved
from kemu.core.game import AnyGame


def list_bots(game: AnyGame) -> Iterator[str]:
    """The lines of the text, from the weakest bot to the strongest."""
    cards = {card.bot: card for card in bot_cards(game)}
    for name in bots(game):
        against = f"Elo {bot_elo(name, game) or 0:+.0f} against {level_title(default_bot(game))}"
        yield f"{name:7} {against if name not in cards else f'{cards[name].audience}; {against}'}"
        if name in cards:
            yield from (f"{'':7}   {line}" for line in _about(cards[name], is_solved(game)))


def _about(card: BotCard, solved: bool) -> Iterator[str]:
    yield f"thinks: {_thinking(card, solved)}"
    often = [_words(motif) for motif, chance in card.notices.items() if chance < MOSTLY]
    sometimes = [_words(motif) for motif, chance in card.notices.items() if MOSTLY <= chance < NEARLY_ALWAYS]
    if often:
        yield f"often misses: {', '.join(often)}"
    if sometimes:
        yield f"sometimes misses: {', '.join(sometimes)}"
    shares = ", ".join(f"{share:.0%} against level {other}" for other, share in card.scores.items())
    yield f"scores: {shares}"


def _thinking(card: BotCard, solved: bool) -> str:
    if solved:
        found = "knows every position" if card.depth is None else f"looks {card.depth} moves ahead"
    elif card.ms is not None:
        found = f"searches for {card.ms / 1000:g} s"
    else:
        found = "at a glance" if card.nodes is None else f"searches {card.nodes:,} positions"
    return f"{found}, {card.quick:.0%} of its choices at a glance" if 0 < card.quick < 1 else found


def _words(motif: str) -> str:
    return motif.replace("-", " ")
