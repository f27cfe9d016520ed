"""The match that follows a match: same players, the right starter, the series one game further."""

from kemu.games import game as make_game
from kemu.play.dealer import Dealer
from kemu.play.table import Table
from kemu.play.terms import Player, Standing, Terms


def next_match(table: Table, at: int) -> tuple[Table, list[Player]]:
    """The table that follows, empty, and who will sit where."""
    assert table.next is not None, "a rematch has been agreed on"
    players = [player for player in table.players if player is not None]
    terms = table.terms
    series = table.series
    if series.decided:
        series = Standing(series.to, wins=(0,) * len(players))
    following = Terms(
        id=table.next,
        game=terms.game,
        options=terms.options,
        host=terms.host,
        created=at,
        clock=terms.clock,
        public=terms.public,
        rated=terms.rated,
        series=series,
        previous=terms.id,
    )
    return Table(following, make_game(terms.game, **terms.options), Dealer()), players
