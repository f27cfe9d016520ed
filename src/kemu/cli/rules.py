"""The games as data: games, bots, perft, golden, schema."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from kemu.cli.options import Json, Key, Options, chosen_game, complete_key
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.games import game, games


def list_games(as_json: Json = False) -> None:
    """List the games and their options."""
    import json

    from kemu.core.game import options
    from kemu.games import manifest

    made = {key: (manifest(key), options(game(key))) for key in games()}
    if as_json:
        entries = [{"key": key, "title": found.title, "options": chosen} for key, (found, chosen) in made.items()]
        typer.echo(json.dumps(entries, ensure_ascii=False))
        return
    for key, (found, chosen) in made.items():
        typer.echo(f"{key:13} {found.title}: {found.summary}")
        for name, value in chosen.items():
            typer.echo(f"{'':13}   {name}={json.dumps(value)}")


def list_bots(key: Key, option: Options = None, as_json: Json = False) -> None:
    """List the bots of a game: for whom each is, how strong, how it thinks and what it misses."""
    import json
    from dataclasses import asdict

    from kemu.bots.cards import bot_cards
    from kemu.terminal import bot_list

    chosen = chosen_game(key, option)
    if as_json:
        typer.echo(json.dumps([asdict(card) for card in bot_cards(chosen)]))
        return
    for line in bot_list.list_bots(chosen):
        typer.echo(line)


def perft(
    key: Key,
    depth: Annotated[int, typer.Argument(min=0, max=100, help="How many actions deep.")],
    option: Options = None,
    position: Annotated[str | None, typer.Option(help="Count from this position document (JSON).")] = None,
    split: Annotated[bool, typer.Option("--split", help="Count for each first action.")] = False,
) -> None:
    """Count the ways a game can go on."""
    from kemu.core import perft as counting
    from kemu.core.document import read_json

    chosen = chosen_game(key, option)
    state = chosen.initial() if position is None else chosen.decode(read_json(position))
    if split and depth:
        for text, count in counting.split(chosen, state, depth).items():
            typer.echo(f"{text:8} {count}")
    typer.echo(counting.perft(chosen, state, depth))


def golden(
    folder: Annotated[Path, typer.Argument(help="Where the playthroughs are.")] = Path("tests/golden"),
    write: Annotated[bool, typer.Option("--write", help="Write them anew instead of comparing.")] = False,
) -> None:
    """Compare the golden playthroughs with what the rules do now."""
    from kemu.core.playthrough import playthrough, read_script

    files = sorted(folder.glob("*/*.txt"))
    if not files:
        raise ParseError(f"There is no playthrough in {folder}.")
    changed = 0
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
            now = playthrough(game, read_script(text))
        except (KemuError, UnicodeDecodeError) as error:
            raise ParseError(f"{file}: {error}") from None
        if now != text:
            changed += 1
            typer.echo(f"{'written' if write else 'changed'}: {file}")
            if write:
                file.write_text(now, encoding="utf-8", newline="\n")
    typer.echo(f"{len(files)} playthroughs, {changed} {'written' if write else 'changed'}")
    if changed and not write:
        raise typer.Exit(1)


class FileFormat(StrEnum):
    """A file format with a schema."""

    RECORD = "record"
    STUDY = "study"


def schema(of: Annotated[FileFormat, typer.Argument(help="Of which files.")] = FileFormat.RECORD) -> None:
    """Print the JSON Schema of records or studies."""
    import json

    from kemu.core import record
    from kemu.study import documents

    typer.echo(json.dumps(record.SCHEMA if of is FileFormat.RECORD else documents.SCHEMA, indent=2))


def picture(
    source: Annotated[
        str, typer.Argument(metavar="GAME|FILE", autocompletion=complete_key, help="A game or a record.")
    ],
    option: Options = None,
    position: Annotated[str | None, typer.Option(help="Draw this position document (JSON).")] = None,
    actions: Annotated[str, typer.Option(metavar="TEXTS", help="First take these actions, chance included.")] = "",
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="Of a record: after N actions.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="What this seat sees; a spectator without it.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write it here.")] = None,
) -> None:
    """Print a position, or one of a record, as an SVG picture."""
    from kemu.games import picture as draw

    if source in games() or not Path(source).is_file():
        if at is not None:
            raise OptionError("--at is for a record; give a file.")
        chosen, state = _position(source, option, position, actions)
    else:
        if option or position or actions:
            raise OptionError("A record has its own options and actions; leave yours out.")
        chosen, state = _recorded(Path(source), at)
    if seat is not None and seat >= chosen.seats:
        raise OptionError(f"The seats are 0 to {chosen.seats - 1}, not {seat}.")
    drawn = str(draw(chosen, state, seat))
    if out is None:
        typer.echo(drawn)
        return
    try:
        out.write_text(drawn + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"{out} cannot be written: {error.strerror}.") from None


def _position(key: str, option: list[str] | None, position: str | None, actions: str) -> tuple[Any, Any]:
    """A game and a state of it, from options, a position document and the texts of actions."""
    from kemu.core.document import read_json
    from kemu.core.record import replay

    chosen = chosen_game(key, option)
    first = None if position is None else chosen.decode(read_json(position))
    *_, state = replay(chosen, actions.split(), first)
    return chosen, state


def _recorded(file: Path, at: int | None) -> tuple[Any, Any]:
    """The game of a record and its state after so many actions, else the last one."""
    from kemu.core.record import replay
    from kemu.terminal.records import load

    record, chosen = load(file)
    states = list(replay(chosen, record.actions))
    if at is not None and not 0 <= at < len(states):
        raise OptionError(f"--at is from 0 to {len(states) - 1} in this record, not {at}.")
    return chosen, states[-1 if at is None else at]
