"""The manifest of MAUW."""

from typing import Final

from kemu.core.manifest import Manifest

_HOW_TO_PLAY: Final = """\
Each player has four places, A to D, and four cards; every card played is replaced at once.
Warriors are 1 to 8, spirits (s) are 0, Maui (m) is a joker. A card face down is a Mauw: 9, and it doubles.
A column is worth what lies on top, doubled by each Mauw under it. In turn, play one card:
  a warrior on an own empty place or on own bare Mauw, such as 7>1B for column B of player 1;
  a warrior on an own one that makes 9 with it: both are discarded, and you gain a Mauw;
  a warrior on an own one of the same value: one is turned to a Mauw under the other;
  a warrior on an enemy's warrior, the same two ways; the owner may defend with the same card;
  a spirit or warrior on an enemy's bare Mauw, to block them; a spirit takes off a spirit of your own zone.
A joker is named: m=7>1B. A gain is put down with +A. Attacks are answered with !7 or !m, or with - to give in.
Three columns with three Mauw end the game, and so does a hand that cannot be refilled. Most points win.\
"""

MANIFEST: Final = Manifest(
    key="mauw",
    title="MAUW",
    summary="a card game for two to six by Vincent Joassin: warrior cats and their nine lives",
    how_to_play=_HOW_TO_PLAY,
    rules="kemu.games.mauw.rules:Mauw",
    text="kemu.games.mauw.text",
    screen="kemu.games.mauw.text",
    view="kemu.games.mauw.rules:View",
    picture="kemu.games.mauw.picture",
    encoding="kemu.games.mauw.encoding:MauwEncoding",
    batch="kemu.engines.mauw.batch:mauw_lanes",
    player="kemu.engines.mauw.player",
    hidden=True,
    order=3,
)
