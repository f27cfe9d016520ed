"""Names of players: what may stand in one, and which look like each other."""

import re
import unicodedata
from typing import Annotated, Final, TypeAlias

import disarm
from msgspec import Meta

from kemu.core.errors import ParseError

MOST_CHARACTERS: Final = 30
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MOST_CHARACTERS)]
MOST_LOGIN_CHARACTERS: Final = 80
"""The longest that the column of logins holds; some characters become three without their case."""

_UNSEEN: Final = frozenset({"C", "Z", "M"})
"""Categories that alone make no visible name: control and format characters, separators, marks."""

_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\ufffc\U00016fe4\U0001d159]"
)
"""Characters with the property Default_Ignorable_Code_Point of Unicode, and others that show nothing."""

_MOST_MARKS: Final = 2
"""How many marks may follow each other; more of them reach into the lines above and below."""

DELETED: Final = "Deleted player"
"""Stands for the name of a player who is not there any more, in matches of others; nobody else can have it."""

_GUEST: Final = re.compile(r"guest\W*\d+")
"""Names that guests are given."""


def clean_name(name: str) -> str:
    """Return a name fit to be shown: in one normal form, with single spaces, of visible characters.

    Raises ParseError for control and format characters, which can turn the direction of the text around them, for line
    breaks, for heaps of marks, for characters that stand for several others, of which a short name becomes a long one,
    and for the names that guests are given.
    """
    plain = unicodedata.normalize("NFC", name)
    if any(_refused(character) for character in plain) or _IGNORABLE.search(plain) or _has_heap(plain):
        raise ParseError("A name has visible characters and spaces only.")
    normal = unicodedata.normalize("NFKC", plain)
    if len(normal) > len(plain):
        raise ParseError("A name has no characters that stand for several others.")
    shown = " ".join(normal.split())
    visible = any(unicodedata.category(character)[0] not in _UNSEEN for character in shown)
    if not visible or len(shown) > MOST_CHARACTERS or len(shown.casefold()) > MOST_LOGIN_CHARACTERS:
        raise ParseError("A name has 1 to 30 visible characters.")
    if _GUEST.fullmatch(disarm.skeleton_key(shown)) or skeleton(shown) == skeleton(DELETED):
        raise ParseError("Names of this kind are given by the server.")
    return shown


def _has_heap(text: str) -> bool:
    """Return whether more marks follow each other than a name may have."""
    marks = 0
    for character in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks > _MOST_MARKS:
            return True
    return False


def _refused(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp")


def spelling(name: str) -> str:
    """Return one text for all ways to write a name with which `find_account` finds the same account."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).casefold()


def skeleton(name: str) -> str:
    """Return one text for all names that look like this one, whatever their alphabets, by the method of UTS 39."""
    return disarm.skeleton_key(name, digit_policy="tr39") or spelling(name)
