"""How the kernel of MAUW writes a state and its actions: one small array, and small numbers.

Hands and stacks are counts of the ten cards. A place is 4 × owner + column. 32 × place + face plays a face on a
place; the other actions follow below.
"""

from typing import Final

from kemu.engines.mauw.tables import CARDS
from kemu.games.mauw.cards import LEFT_OUT
from kemu.games.mauw.state import LETTERS

MOST_PLAYERS: Final = max(LEFT_OUT)
PLACES: Final = len(LETTERS)

# The numbers of a state.
HELD: Final = 0  # 10 × seat + card: how many the seat holds
SIZES: Final = HELD + MOST_PLAYERS * CARDS  # the cards in each hand
KINDS: Final = SIZES + MOST_PLAYERS  # the bits of the cards in each hand
COLUMNS: Final = KINDS + MOST_PLAYERS  # 4 × seat + column: the number of a column, see tables.py
PILE: Final = COLUMNS + MOST_PLAYERS * PLACES
PILED: Final = PILE + CARDS  # cards in the pile
DISCARDS: Final = PILED + 1
DISCARDED: Final = DISCARDS + CARDS
PLAYERS: Final = DISCARDED + 1
TURN: Final = PLAYERS + 1
TURNS: Final = TURN + 1
STEP: Final = TURNS + 1
FACE: Final = STEP + 1
PLACE: Final = FACE + 1  # 4 × owner + column of what is aimed at
ATTACKS: Final = PLACE + 1
ANSWERED: Final = ATTACKS + 1
STATE_SIZE: Final = ANSWERED + 1

# Steps, named as in the reference rules.
STEPS: Final = (
    *("turn", "deal", "draw", "defend", "parry", "press", "take", "put", "refill"),
    *("three-columns", "no-cards", "limit"),
)
AT_TURN: Final = 0
DEAL: Final = 1
DRAW: Final = 2
DEFEND: Final = 3
PARRY: Final = 4
PRESS: Final = 5
TAKE: Final = 6
AT_PUT: Final = 7
REFILL: Final = 8
THREE_COLUMNS: Final = 9
NO_CARDS: Final = 10
LIMIT: Final = 11
OVER: Final = THREE_COLUMNS  # and all above

# Actions.
FACES: Final = 32
PUT: Final = FACES * MOST_PLAYERS * PLACES  # + column
ANSWER: Final = PUT + PLACES  # + card
GIVE_IN: Final = ANSWER + CARDS
DISCARD: Final = GIVE_IN + 1
GIVE: Final = DISCARD + 1  # + card: the dealer gives a card, as a draw or as a Mauw
ACTION_COUNT: Final = GIVE + CARDS

CHANCE: Final = -1
NOBODY: Final = -2
