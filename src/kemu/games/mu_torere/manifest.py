"""The manifest of Mū tōrere."""

from typing import Final

from kemu.core.manifest import Manifest

_HOW_TO_PLAY: Final = """\
Eight arms, the kewai, run round a centre, the pūtahi. Each player has four men.
In turn, move one of your men along a line to the empty point:
  from the pūtahi to an empty kewai, from a kewai to the next one,
  or from a kewai to the pūtahi - the last only if an enemy stands beside the kewai you leave.
You may not pass or jump, and nothing is captured. Who cannot move has lost.
If the same position comes up three times, the game is a draw.
Type the point you leave and the point you enter, such as 1-0; the pūtahi is 0.\
"""

MANIFEST: Final = Manifest(
    key="mu-torere",
    title="Mū tōrere",
    summary="the Māori star game for two: block the other's men",
    how_to_play=_HOW_TO_PLAY,
    rules="kemu.games.mu_torere.rules:MuTorere",
    text="kemu.games.mu_torere.text",
    screen="kemu.games.mu_torere.text",
    view="kemu.games.mu_torere.rules:View",
    picture="kemu.games.mu_torere.picture",
    symmetry="kemu.games.mu_torere.rules",
    encoding="kemu.games.mu_torere.encoding:MuTorereEncoding",
    batch="kemu.engines.mu_torere.batch:mu_torere_lanes",
    player="kemu.engines.mu_torere.player",
    verifier="kemu.engines.mu_torere.verify",
    order=2,
    unrated_options=(("flank", "never"),),
)
