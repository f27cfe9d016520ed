"""The names of players: which ones can be shown, and when two are the same."""

import hashlib
import unicodedata
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from kemu.core.errors import ParseError
from kemu.storage.errors import NameTaken
from kemu.storage.players import PlayerRow, Players

MOST_CHARACTERS: Final = 30
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MOST_CHARACTERS)]
MOST_LOGIN_CHARACTERS: Final = 80
"""The longest that the column of logins holds; some characters become three without their case."""

_UNSEEN: Final = frozenset({"C", "Z", "M"})
"""Categories that alone make no visible name: control and format characters, separators, marks."""

_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Characters that count as letters or signs and show nothing."""


def clean_name(name: str) -> str:
    """Return a name fit to be shown: in one normal form, with single spaces, of visible characters.

    Raises ParseError for control and format characters, which can turn the direction of the text around them, for line
    breaks, and for characters that stand for several others, of which a short name becomes a long one.
    """
    plain = unicodedata.normalize("NFC", name)
    if any(_refused(character) for character in plain):
        raise ParseError("A name has visible characters and spaces only.")
    normal = unicodedata.normalize("NFKC", plain)
    if len(normal) > len(plain):
        raise ParseError("A name has no characters that stand for several others.")
    shown = " ".join(normal.split())
    visible = any(unicodedata.category(character)[0] not in _UNSEEN for character in shown)
    if not visible or len(shown) > MOST_CHARACTERS or len(shown.casefold()) > MOST_LOGIN_CHARACTERS:
        raise ParseError("A name has 1 to 30 visible characters.")
    return shown


def _refused(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp") or character in _BLANK


async def find_account(players: Players, name: str) -> PlayerRow | None:
    """Return the account of this name, without regard to case and to how its characters are written."""
    # Accounts of earlier versions may have a name that NFKC changes; most names are the same in both forms.
    for spelled in dict.fromkeys(" ".join(unicodedata.normalize(form, name).split()) for form in ("NFC", "NFKC")):
        found = None if "\0" in spelled else await players.account(spelled)
        if found is not None:
            return found
    return None


def spelling(name: str) -> str:
    """Return one text for all ways to write a name with which `find_account` finds the same account."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


async def check_free(players: Players, name: str, player: str) -> None:
    """Raise NameTaken if an account of another player has this name."""
    account = await find_account(players, name)
    if account is not None and account.id != player:
        raise NameTaken("Another account has this name.")


def guest(player: str) -> PlayerRow:
    """Return a guest before they chose a name; the same one has the same number."""
    number = int(hashlib.sha256(player.encode()).hexdigest(), 16) % 9000 + 1000
    return PlayerRow(player, f"Guest {number}")
