"""Mū tōrere, the Māori star game."""

from kemu.games.mu_torere.rules import MuTorere as Rules

TITLE = "Mū tōrere"
SUMMARY = "the Māori star game for two: block the other's men"
HOW_TO_PLAY = """\
Eight arms, the kewai, run round a centre, the pūtahi. Each player has four men.
In turn, move one of your men along a line to the empty point:
  from the pūtahi to an empty kewai, from a kewai to the next one,
  or from a kewai to the pūtahi - the last only if an enemy stands beside the kewai you leave.
You may not pass or jump, and nothing is captured. Who cannot move has lost.
If the same position comes up three times, the game is a draw.
Type the point you leave and the point you enter, such as 1-0; the pūtahi is 0.\
"""

__all__ = ["HOW_TO_PLAY", "SUMMARY", "TITLE", "Rules"]
