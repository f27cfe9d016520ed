"""The manifest of Moeraki-Kemu."""

from typing import Final

from kemu.core.manifest import Manifest

_HOW_TO_PLAY: Final = """\
The starter puts the ball into one of the nine hollows in the middle: @f6. The
other player lays the first stone; then you lay in turns, one stone of your
colour into any empty hollow: i11. You win early with
  Tahuna  your stones in the four hollows around one area,
  Awa     your stones on a whole diagonal, or from the sideline to the ball,
  Ara     your stones in the four hollows of an outer row.
Basic and master's game: an area whose hollows are all filled gets a tile of
the tribe with more stones there, worth a point; at the rim 2:1 is worth half.
When the board is full, more points win (Marae); equal points are for the
player who placed the ball. In the beginner's game a full board is a draw.
Master's game: once in a game, where a full tile of yours is due, you may put
your Tane there instead and let it look along a diagonal: Tf7sw. The tiles it
sees are taken off and none can lie there any more, except where the lines of
sight of both Tane cross. Type - to keep your tiles and your Tane.\
"""

MANIFEST: Final = Manifest(
    key="moeraki-kemu",
    title="Moeraki-Kemu",
    summary="a tactics game for two by Stefan Kiehl, on 57 hollows",
    how_to_play=_HOW_TO_PLAY,
    rules="kemu.games.moeraki.rules:MoerakiKemu",
    text="kemu.games.moeraki.text",
    screen="kemu.games.moeraki.text",
    view="kemu.games.moeraki.position:View",
    picture="kemu.games.moeraki.picture",
    symmetry="kemu.games.moeraki.symmetry",
    encoding="kemu.games.moeraki.encoding:MoerakiEncoding",
    batch="kemu.engines.moeraki.batch:moeraki_lanes",
    series="kemu.games.moeraki.series",
    player="kemu.engines.moeraki.player",
    verifier="kemu.engines.moeraki.certify.verify",
    # Of who places the ball: python -m bench.first_advantage moeraki-kemu 6 --games 200 -o variant=master, and so on.
    first_advantages=(
        ((("swap", True),), 0.0),  # the other one chooses
        ((("variant", "master"),), -78.0),
        ((("variant", "basic"),), -131.0),
        ((("variant", "beginner"),), -67.0),
    ),
    order=1,
)
