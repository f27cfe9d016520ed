"""Tools of a checkout: perft, golden, bench."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import click

from kemu.cli.commands import Argument, Exit, Option
from kemu.cli.options import Key, Options, chosen_game, chosen_state
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.games import game


def perft(
    key: Key,
    depth: Annotated[int, Argument(min=0, max=100, help="How many actions deep.")],
    option: Options = None,
    position: Annotated[str | None, Option(help="Count from this position document (JSON).")] = None,
    split: Annotated[bool, Option("--split", help="Count for each first action.")] = False,
) -> None:
    """Count the action sequences of a game to a depth."""
    from kemu.core import perft as counting

    chosen = chosen_game(key, option)
    state = chosen_state(chosen, position)
    if split and depth:
        for text, count in counting.split(chosen, state, depth).items():
            click.echo(f"{text:8} {count}")
    click.echo(counting.perft(chosen, state, depth))


def golden(
    folder: Annotated[Path, Argument(help="Where the playthroughs are.")] = Path("tests/golden"),
    write: Annotated[bool, Option("--write", help="Write them anew instead of comparing.")] = False,
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
            click.echo(f"{'written' if write else 'changed'}: {file}")
            if write:
                file.write_text(now, encoding="utf-8", newline="\n")
    click.echo(f"{len(files)} playthroughs, {changed} {'written' if write else 'changed'}")
    if changed and not write:
        raise Exit(1)


def bench(
    names: Annotated[list[str] | None, Argument(metavar="NAME", help="Which; all if none is named.")] = None,
    folder: Annotated[Path, Option(help="Where the benchmarks are.")] = Path("bench"),
) -> None:
    """Run the benchmarks of a checkout; their figures are in docs/performance.md and docs/strength.md."""
    scripts = {
        path.stem: path for path in sorted(folder.glob("*.py")) if "__main__" in path.read_text(encoding="utf-8")
    }
    if not scripts:
        raise OptionError(f"There are no benchmarks in {folder}; run this in a checkout or name their --folder.")
    for name in names or ():
        if name not in scripts:
            raise OptionError(f"There is no benchmark '{name}'; the benchmarks are {', '.join(scripts)}.")
    for name in names or scripts:
        click.echo(f"== {name}")
        sys.stdout.flush()
        program = [sys.executable, "-m", f"{folder.resolve().name}.{name}"]
        done = subprocess.run(program, cwd=folder.resolve().parent, check=False)
        if done.returncode:
            raise OptionError(f"The benchmark '{name}' failed; openspiel_match needs the extra bench, kemu[bench].")
