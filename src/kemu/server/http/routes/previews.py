"""Pages with a preview: what a chat shows of a link to a match, a puzzle or a study before anybody opens it."""

from html import escape
from typing import Final

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from kemu.analysis.puzzles.puzzle import UnknownPuzzle, shipped_puzzle
from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR
from kemu.games import manifest, picture, text
from kemu.play.table import Table
from kemu.server.http.requests import READ, AnyRequest, FromCaller
from kemu.server.http.static import page

GOALS: Final = {
    "win": "{name} to move and win",
    "draw": "{name} to move and draw",
    "save": "{name} to move: only one move does not lose",
    "best": "{name} to move: find the best move",
}
SVG: Final = "image/svg+xml"
SIGN: Final = "/icon-512.png"
"""For those who show no SVG."""


def tags(title: str, sentence: str, request: AnyRequest, *pictures: str) -> str:
    """Return the title and the tags of the Open Graph protocol for a page; the sign of Kemu is the last picture."""
    origin = str(request.base_url).rstrip("/")
    named = [
        ("og:site_name", "Kemu"),
        ("og:type", "website"),
        ("og:title", title),
        ("og:description", sentence),
        ("og:url", origin + request.url.path),
        *(("og:image", origin + each) for each in (*pictures, SIGN)),
    ]
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in named]
    return "\n    ".join([f"<title>{escape(title)} – Kemu</title>", *lines])


def match_words(table: Table) -> tuple[str, str]:
    """Return who plays what, and how a match stands, in the words of a spectator."""
    names = [player.name if player else "an open place" for player in table.players]
    title = f"{manifest(table.game.key).title}: {' – '.join(names)}"
    if table.outcome is None:
        return title, "This match is being played on Kemu." if all(table.players) else "Join this match on Kemu."
    winners = [names[seat] for seat in table.outcome.winners]
    return title, f"{' and '.join(winners)} won. Replay the game move by move." if winners else "The game was a draw."


def puzzle_words(game: str, puzzle: str) -> tuple[str, str]:
    """Return the name of a puzzle and its task. Raises UnknownGame and UnknownPuzzle."""
    found = shipped_puzzle(game, puzzle)
    seat = text(game).seat_name(found.game, found.seat)
    return f"{manifest(game).title}: puzzle", GOALS[found.found.goal].format(name=seat) + "."


@get(["/match/{match:str}", "/replay/{match:str}", "/embed/{match:str}"], include_in_schema=False, opt=READ)
async def match_page(caller: FromCaller, request: AnyRequest, match: FromPath[str]) -> Response[bytes]:
    """Return the page of a match with its preview; one that does not exist has a page without."""
    try:
        table = await (await caller.services.registry.find(match)).current()
    except KemuError:
        return page()
    return page(tags(*match_words(table), request, f"/preview/match/{match}"))


@get("/puzzles/{game:str}/{puzzle:str}", include_in_schema=False)
async def puzzle_page(request: AnyRequest, game: FromPath[str], puzzle: FromPath[str]) -> Response[bytes]:
    """Return the page of a puzzle with its preview; `next`, `daily` and unknown ones have a page without."""
    try:
        pictures = [] if manifest(game).hidden else [f"/preview/puzzle/{game}/{puzzle}"]
        return page(tags(*puzzle_words(game, puzzle), request, *pictures))
    except KemuError:
        return page()


@get("/studies/{study:str}", include_in_schema=False, opt=READ)
async def study_page(
    caller: FromCaller, request: AnyRequest, study: FromPath[str], key: FromQuery[str] = ""
) -> Response[bytes]:
    """Return the page of a study, with its name as a preview if the link lets its reader see it."""
    try:
        actor = await caller.services.studies.open_for(study, caller.visitor.id, key)
    except KemuError:
        return page()
    return page(tags(actor.document.name, "A study on Kemu.", request))


@get(["/match", "/replay", "/embed", "/puzzles", "/puzzles/{game:str}", "/studies"], include_in_schema=False)
async def plain_page() -> Response[bytes]:
    """Return the page of the client at the addresses above those with a preview."""
    return page()


@get("/preview/match/{match:str}", include_in_schema=False, media_type=SVG, opt=READ)
async def match_picture(caller: FromCaller, match: FromPath[str]) -> str:
    """Return the position of a match as a spectator sees it, as SVG."""
    table = await (await caller.services.registry.find(match)).current()
    return str(picture(table.game, table.state, SPECTATOR))


@get("/preview/puzzle/{game:str}/{puzzle:str}", include_in_schema=False, media_type=SVG, sync_to_thread=True)
def puzzle_picture(game: FromPath[str], puzzle: FromPath[str]) -> str:
    """Return the position of a puzzle of a game without secrets, as SVG."""
    found = shipped_puzzle(game, puzzle)
    if manifest(game).hidden:
        raise UnknownPuzzle("There is no picture of what only one seat sees.")
    return str(picture(found.game, found.game.decode(dict(found.found.position)), found.seat))
