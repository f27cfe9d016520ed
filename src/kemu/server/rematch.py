"""The match that follows a match: same players, the right starter, the series one game further."""

from kemu.core.game import options
from kemu.games import series as series_rules
from kemu.play.dealer import Dealer
from kemu.play.table import Table
from kemu.play.terms import Player, Standing, Terms


def next_match(table: Table, at: int) -> tuple[Table, list[Player]]:
    """The table that follows, empty, and who will sit where."""
    outcome, players = table.match.outcome, [player for player in table.players if player is not None]
    assert table.next is not None, "a rematch has been agreed on"
    assert outcome is not None, "rematches follow finished matches"
    game, came_from = series_rules(table.terms.game).following(table.game, table.match.state, outcome)
    series = table.series
    if series.decided:
        series = Standing(series.to, wins=(0,) * len(players))
    terms = Terms(
        id=table.next,
        game=game.key,
        options=options(game),
        host=table.terms.host,
        created=at,
        clock=table.terms.clock,
        public=table.terms.public,
        rated=table.terms.rated,
        series=Standing(series.to, series.game, tuple(series.wins[seat] for seat in came_from)),
        previous=table.terms.id,
    )
    return Table(terms, game, Dealer()), [players[seat] for seat in came_from]
