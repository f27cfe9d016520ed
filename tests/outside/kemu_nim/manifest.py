"""What Kemu knows of Nim before it imports the rules."""

from kemu import Manifest

MANIFEST = Manifest(
    key="nim",
    title="Nim",
    summary="a game for two: take the last stick",
    how_to_play="Take one, two or three sticks in turn: type 1, 2 or 3. The player who takes the last stick wins.",
    rules="kemu_nim.rules:Nim",
    text="kemu_nim.text",
    view="kemu_nim.rules:View",
)
