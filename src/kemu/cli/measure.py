"""Games of bots among themselves: arena, dataset, train."""

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated, Final

import click

from kemu import __version__
from kemu.cli.commands import Argument, Exit, Option
from kemu.cli.options import BotCommands, Json, Key, Options, WeightFiles, all_bots, chosen_game
from kemu.core.errors import OptionError
from kemu.core.game import options
from kemu.core.parts import require

if TYPE_CHECKING:
    from kemu.work.training import TrainingRound, TrainingRun

SIZES: Final = {"rounds": 1, "batches": 100, "epochs": 8, "pairs": 400}
REPRODUCED: Final = {"rounds": 2, "batches": 20, "epochs": 6, "pairs": 100}
"""A small training from nothing, within an hour on two cores."""

INTERRUPTED: Final = 130
"""Exit code of a command ended by Ctrl-C."""


def arena(
    key: Key,
    entrants: Annotated[list[str], Argument(metavar="BOT BOT...", help="Bots: 5@nodes=2000, my_agent.py:Agent.")],
    option: Options = None,
    bot_command: BotCommands = None,
    weights: WeightFiles = None,
    openings: Annotated[int, Option(min=1, help="Openings for each pair; every seat and starter plays each.")] = 20,
    opening: Annotated[int, Option(min=0, help="Random actions at the start of each game.")] = 0,
    neighbours: Annotated[bool, Option("--neighbours", help="Only bots named one after the other meet.")] = False,
    seed: Annotated[int, Option(help="Makes openings, cards and bots repeatable.")] = 0,
    workers: Annotated[int, Option(min=0, help="Processes; 0 is one for each core.")] = 0,
    cluster: Annotated[str | None, Option(help="Play on Ray instead: an address, or local.")] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        Option(metavar="ELO ELO", help="SPRT: stop once one advantage of the first bot is sure."),
    ] = None,
    results: Annotated[Path | None, Option(help="Keep every game in this file, and go on from it.")] = None,
    as_json: Json = False,
    plot: Annotated[Path | None, Option(help="Draw the ratings into this SVG file.")] = None,
    table: Annotated[Path | None, Option(help="Write the tables into this file: .md, .tex or .csv.")] = None,
) -> None:
    """Let bots play each other and rate them."""
    from kemu.bots.arena import Setting
    from kemu.terminal.reports import run_arena
    from kemu.terminal.tables import table_writer
    from kemu.work.parallel import chosen_workers, results_alone

    chosen = options(chosen_game(key, option))
    setting = Setting(key, chosen, all_bots(entrants, bot_command, weights), openings, opening, seed, neighbours)
    if plot:
        require("plots")  # before all games are played
    as_table = table and table_writer(table)
    players = partial(results_alone, chosen_workers(workers or os.cpu_count() or 1, cluster))
    report = run_arena(setting, results, players, sprt, as_json)
    if table and as_table:
        table.write_text(as_table(report), encoding="utf-8")
    if plot:
        from kemu.work.reports import elo_plot

        plot.write_text(elo_plot(f"{key}: Elo", report["elo"]), encoding="utf-8")


def dataset(
    key: Key,
    file: Annotated[Path, Argument(help="The Parquet file to write; its card is written beside it.")],
    entrants: Annotated[
        list[str] | None, Argument(metavar="BOT...", help="One bot plays itself, several play each other.")
    ] = None,
    option: Options = None,
    bot_command: BotCommands = None,
    weights: WeightFiles = None,
    openings: Annotated[int, Option(min=1, help="Games of one bot, or openings for each pair of several.")] = 100,
    opening: Annotated[int, Option(min=0, help="Random actions at the start of each game.")] = 0,
    seed: Annotated[int, Option(help="Makes openings, cards and bots repeatable.")] = 0,
    workers: Annotated[int, Option(min=1, help="Processes.")] = 1,
    results: Annotated[Path | None, Option(help="Take the games of this file of `kemu arena` instead.")] = None,
) -> None:
    """Write games of bots as Parquet; needs the extra `dataset`."""
    from kemu.adapters.parquet import write_games
    from kemu.bots import arena
    from kemu.bots.named import named_bot
    from kemu.work.parallel import chosen_workers, results_alone

    if results is not None:
        setting, finished = arena.read_results(results)
        if setting.game != key:
            raise OptionError(f"{results} holds games of {setting.game}, not of {key}.")
        games: Iterable[arena.Played] = finished
    else:
        names = all_bots(entrants or (), bot_command, weights)
        if not names:
            raise OptionError("Name the bots that play, or a file of results.")
        setting = arena.Setting(key, options(chosen_game(key, option)), names, openings, opening, seed)
        for name in names:
            named_bot(name, chosen_game(key, option))  # raises OptionError before a file is written
        games = results_alone(chosen_workers(workers), partial(arena.play, setting), arena.dataset_jobs(setting))
    count = write_games(file, setting, games)
    click.echo(f"{count} games in {file}, described in {file.with_suffix('.md')}")


def train(
    key: Key,
    folder: Annotated[Path, Option(help="Where all results are kept; the same command goes on from there.")],
    rounds: Annotated[int | None, Option(min=1, help="Rounds of games, fitting and test.")] = None,
    batches: Annotated[int | None, Option(min=1, help="Batches of games in each round.")] = None,
    epochs: Annotated[int | None, Option(min=1, help="How often all games are trained on.")] = None,
    pairs: Annotated[int | None, Option(min=1, help="Pairs of games of each test, at most.")] = None,
    seed: Annotated[int, Option(min=0, help="The seed of the first batch.")] = 0,
    workers: Annotated[int, Option(min=1, help="Processes of this machine.")] = 2,
    cluster: Annotated[str | None, Option(metavar="local|ADDRESS", help="Work with Ray instead.")] = None,
    reproduce: Annotated[bool, Option("--reproduce", help="A small training that begins with nothing.")] = False,
) -> None:
    """Let an engine learn from games against itself, and test what it learned against the weights in use.

    The same seed gives the same weights with any number of workers. What is not said is 1 round of 100 batches, 8
    epochs and at most 400 pairs; with --reproduce 2 rounds of 20 batches, 6 epochs and at most 100 pairs.
    """
    from kemu.bots.engines import learner
    from kemu.games import game
    from kemu.work.parallel import chosen_workers
    from kemu.work.training import TrainingPlan, TrainingRun
    from kemu.work.training import train as run_training

    said = {"rounds": rounds, "batches": batches, "epochs": epochs, "pairs": pairs}
    sizes = (REPRODUCED if reproduce else SIZES) | {name: size for name, size in said.items() if size is not None}
    plan = TrainingPlan(key, **sizes, seed=seed, untrained=reproduce)
    run = TrainingRun(plan, learner(game(key)), folder, chosen_workers(workers, cluster), _say)
    try:
        best = run_training(run, lambda done: write_results(run, done))
    except KeyboardInterrupt:
        _say("Stopped; the same command goes on from here.")
        raise Exit(INTERRUPTED) from None
    verdict = "No weights" if best is None else folder / "weights.npz"
    click.echo(f"{verdict} passed the test; see {folder / 'report.html'}")


def write_results(run: "TrainingRun", rounds: Sequence["TrainingRound"]) -> None:
    """Write card and report into the folder of a run, and the last weights that passed, if any did.

    The weights of every round lie in the folder `candidates`, whether they passed or not.
    """
    from kemu.terminal.match import write_whole
    from kemu.work.reports import VERDICTS, report_page, training_card

    card = training_card(run, rounds, _sources())
    passed = [each.weights for each in rounds if each.passed]
    if passed:
        write_whole(run.folder / "weights.npz", passed[-1])
    write_whole(run.folder / "card.json", (json.dumps(card, indent=1) + "\n").encode())
    write_whole(run.folder / "report.html", report_page(card).encode())
    write_whole(run.folder / "candidates" / f"round-{len(rounds)}.npz", rounds[-1].weights)
    test = card["rounds"][-1]
    share = f"{test['share']:.1%} ± {test['error']:.1%} of {test['pairs']} pairs"
    _say(f"round {len(rounds)}: {VERDICTS[test['decided']]}, {share}")


def _sources() -> dict[str, str]:
    """The version of Kemu, a hash of its engines, and the commit of the checkout that it is in, if it is in one."""
    from kemu.engines.code_cache import source_hash

    checkout, found = Path(__file__).parents[3], {"version": __version__, "engines": source_hash()}
    if (checkout / ".git").exists() and which("git"):
        describe = ["git", "-C", str(checkout), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]
        found["commit"] = subprocess.run(describe, capture_output=True, text=True, check=False).stdout.strip()
    return found


def _say(text: str) -> None:
    click.echo(text, err=True)
