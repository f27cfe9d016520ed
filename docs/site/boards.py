"""The fence `board`: a picture of a position, drawn by the board of its game.

    ```board game="mu-torere" arms="6"
    {"points": "BBBWWW.", "turn": 0}
    ```

The head of the fence names the game and its options. The text is a position document, or empty for the first position;
with `actions="N" seed="S"` so many random actions are taken from there.
"""

import json
import random
import re
from typing import Any, Final

from markdown import Markdown

from kemu.games import game, picture

_STYLE: Final = re.compile(r' style="[^"]*"')


def board(source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **more: Any) -> str:
    """The HTML of a picture; raises KemuError if the rules refuse the options or the position."""
    key, number, seed = options.pop("game"), options.pop("actions", 0), options.pop("seed", 0)
    rules, dice = game(key, **options), random.Random(seed)
    state = rules.decode(json.loads(source)) if source.strip() else rules.initial()
    for _ in range(number):
        state = rules.apply(state, dice.choice(rules.actions(state)))
    # The style is for notebooks; the server allows none inside a page.
    return f'<div class="{css_class} {key}">{_STYLE.sub("", str(picture(rules, state)))}</div>'


def options_of_board(
    language: str, inputs: dict[str, str], options: dict[str, Any], attrs: dict[str, Any], md: Markdown
) -> bool:
    """Read the head of a fence: values are JSON where they can be, else texts."""
    for name, value in inputs.items():
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return "game" in options
