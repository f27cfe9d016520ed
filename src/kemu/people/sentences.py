"""Notices in words, in the languages of the page, which shows the same sentences."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from kemu.people.notices import Notice

LANGUAGES: Final = ("en", "fr", "de")
"""The languages in which players are written to; the first one is for everybody else."""

_GUEST: Final = re.compile(r"Guest (\d{4})")
_LEVEL: Final = re.compile(r"\d+")


def sentence(notice: Notice, language: str, game: str) -> str:
    """Return a notice as a sentence; `game` is the title of its game."""
    text = texts(language)
    names = join([display_name(name, language) for name in notice.names], language)
    key = f"notice.{notice.kind}"
    about = f"{key}.{notice.result or notice.step}"
    key = about if about in text else key
    said = text[key].format(names=names, game=game)
    if notice.rating is None or notice.change is None:
        return said
    change = f"{notice.change:+d}".replace("-", "\u2212")
    return text["notice.rating"].format(sentence=said, rating=notice.rating, change=change)


def display_name(name: str, language: str) -> str:
    """Return the name of a player: those of guests without one, and of bots of the ladder, are translated."""
    text = texts(language)
    if found := _GUEST.fullmatch(name):
        return text["notice.guest"].format(number=found[1])
    return text["notice.level"].format(level=name) if _LEVEL.fullmatch(name) else name


def join(parts: Sequence[str], language: str) -> str:
    """Return a list of names as it stands in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return texts(language)["notice.and"].format(one=", ".join(parts[:-1]), other=parts[-1])


@cache
def texts(language: str) -> Mapping[str, str]:
    """Return the texts in a language; in English for one that there is not."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    found = files("kemu.people").joinpath("language", f"{known}.json").read_text(encoding="utf-8")
    catalogue: dict[str, str] = json.loads(found)
    return {key: _typeset(text) for key, text in catalogue.items()} if known == "fr" else catalogue


def _typeset(text: str) -> str:
    """Put the spaces of French at which no line ends before its signs."""
    return re.sub(" (?=[;!?])", "\u202f", re.sub(" (?=[:»])", "\u00a0", text)).replace("« ", "«\u00a0")
