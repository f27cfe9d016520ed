"""Ask the engines about positions and games: analyse, review, solve, verify, puzzle, puzzles."""

import json
import random
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from kemu.cli.commands import Argument, Exit, Option
from kemu.cli.options import Json, Key, Options, TaskDatabase, chosen_game

if TYPE_CHECKING:
    from kemu.engines.certificates import CheckedClaim

PROCESSES: Final = 2
"""Processes of this machine that work on a goal."""

WithC = Annotated[bool, Option("--with-c", help="Build the verifier in C too, and ask both.")]
Seed = Annotated[int, Option(help="Makes the result repeatable.")]


def verify(
    files: Annotated[list[Path], Argument(metavar="FILE...", help="Certificates, compressed or not.")],
    with_c: WithC = False,
) -> None:
    """Check certificates with verifiers that share no code with the rest of Kemu."""
    from kemu.engines.certificates import CertificateRefused, build_c, check, check_in_c, read_certificate

    refused, verifiers = False, "both verifiers" if with_c else "the verifier"
    with tempfile.TemporaryDirectory() as folder:
        verifier_in_c = cache(lambda: build_c(Path(folder)))
        for path in files:
            try:
                text = read_certificate(path)
                accepted = check(text)
                if with_c and check_in_c(text, verifier_in_c()) != accepted.nodes:
                    raise CertificateRefused("the verifiers count different nodes")
                click.echo(f"{path}: accepted by {verifiers}: {_described(accepted)}")
            except CertificateRefused as error:
                refused = True
                click.echo(f"{path}: refused: {error}")
    if refused:
        raise Exit(1)


def analyse() -> None:
    """Answer questions to the engines: a JSON request on each line of standard input, an answer on each line out."""
    from kemu.analysis.analyse import answer_text

    for line in sys.stdin:
        if line.strip():
            click.echo(answer_text(line))


def solve(
    key: Key,
    option: Options = None,
    as_json: Json = False,
    again: Annotated[bool, Option("--again", help="Prove from nothing what the certificates say.")] = False,
    goal: Annotated[str | None, Option(help="Prove this, for which no certificate is shipped.")] = None,
    cluster: Annotated[str | None, Option(metavar="local|ADDRESS", help="Work on a goal with Ray.")] = None,
    database: TaskDatabase = None,
    folder: Annotated[Path | None, Option(help="Write certificates into this folder.")] = None,
) -> None:
    """Solve a game: count all its states and show perfect play, or tell what is proved of it by certificates."""
    from kemu.bots.engines import capability
    from kemu.engines.capabilities import Solver
    from kemu.terminal.reports import print_census

    chosen = chosen_game(key, option)
    if goal or cluster:
        _prove_goal(chosen, goal, cluster, database or f"sqlite:///{key}.proofs", folder)
    elif again:
        _prove_again(chosen, folder)
    elif capability(chosen, Solver):
        print_census(chosen, as_json)
    else:
        _print_theorems(chosen, as_json)


def review(
    file: Annotated[Path, Argument(help="A record.")],
    nodes: Annotated[int | None, Option(min=1, help="Nodes of the search of each position.")] = None,
    as_json: Json = False,
) -> None:
    """Grade every action of a record by what it lost and by what is proved."""
    from kemu.terminal.reports import review_file

    review_file(file, as_json, nodes)


def _print_theorems(game: Any, as_json: bool) -> None:
    """Print what the certificates that come with Kemu prove of a game, each checked now; raises UnknownGame."""
    from kemu.core.errors import UnknownGame
    from kemu.engines.certificates import check, read_certificate, shipped

    if not shipped(game.key):
        raise UnknownGame(f"{game.key} is not solved, and nothing is proved of it.")
    for path in shipped(game.key):
        accepted = check(read_certificate(path))
        if as_json:
            click.echo(json.dumps({"file": path.name, "claim": accepted.claim, "nodes": accepted.nodes}))
        else:
            click.echo(f"{_claim(accepted)}\n    {path.name}, {accepted.nodes} nodes checked")


def _prove_again(game: Any, folder: Path | None) -> None:
    """Prove from nothing what the certificates of a game say, and write the proofs into a folder if one is given."""
    from kemu.bots.engines import theorems

    for name, text in theorems(game).prove_again():
        click.echo(f"{name}: {_kept(text, folder, f'{game.key}-{name}')}")


def _prove_goal(game: Any, goal: str | None, cluster: str | None, store: str, folder: Path | None) -> None:
    """Work on a statement that is not proved yet, the engine's own if None, until each of its parts has a result."""
    from kemu.bots.engines import theorems
    from kemu.work.parallel import Progress, TaskStore, chosen_workers, finish_tasks

    provable = theorems(game)
    goal = goal or provable.NEXT_GOAL

    def report(now: Progress) -> None:
        rate = f"{now.tasks_per_minute:.1f} a minute, {now.time_left}"
        click.echo(f"proved {now.found}, not proved {now.failed}, open {now.left}; {rate}", err=True)

    leaves = [f"{goal} {leaf}" for leaf in provable.goal_leaves(goal)]
    workers = partial(chosen_workers(PROCESSES, cluster), provable.prove_leaf)
    results = finish_tasks(TaskStore.at(store), ("proofs", game.key, goal), leaves, workers, report)
    if len(results) < len(leaves):
        click.echo(f"{goal}: no proof found for {len(leaves) - len(results)} of {len(leaves)} leaves")
        raise Exit(1)
    text = provable.join_leaves(goal, {leaf.removeprefix(f"{goal} "): proof for leaf, proof in results.items()})
    click.echo(_kept(text, folder, f"{game.key}-{goal.replace(' ', '-')}"))


def _kept(text: str, folder: Path | None, name: str) -> str:
    """Check a certificate, write it into a folder if one is given, and return what it proves."""
    from kemu.engines.certificates import check

    accepted = check(text)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.txt").write_text(text, encoding="ascii")
    return _described(accepted)


def _described(accepted: "CheckedClaim") -> str:
    return f"{_claim(accepted)}; {accepted.nodes} nodes"


def _claim(accepted: "CheckedClaim") -> str:
    """Return a claim as the head of its certificate says it, without what is empty."""
    return ", ".join(f"{name} {value}" for name, value in accepted.claim.items() if value)


def make_puzzles(
    key: Key,
    file: Annotated[Path, Argument(help="The file to write, compressed if its name ends with .gz.")],
    count: Annotated[int, Option(min=1, help="How many puzzles.")] = 100,
    seed: Seed = 0,
    workers: Annotated[int, Option(min=1, help="Processes of this machine.")] = 2,
    cluster: Annotated[str | None, Option(metavar="local|ADDRESS", help="Work with Ray instead.")] = None,
    database: TaskDatabase = None,
) -> None:
    """Make puzzles out of games between bots; the same seed gives the same puzzles with any number of workers.

    Results are kept in the database, by default an SQLite file beside FILE, so that the same command goes on where an
    earlier one was stopped.
    """
    from kemu.analysis.puzzles.puzzle import Collection, work_on_batch, write_puzzles
    from kemu.engines.code_cache import source_hash
    from kemu.work.parallel import Progress, TaskStore, chosen_workers, finish_tasks

    made = Collection(key, count, seed)
    store = TaskStore.at(database or f"sqlite:///{file}.batches")
    find = partial(chosen_workers(workers, cluster), partial(work_on_batch, key, seed))

    def report(now: Progress) -> None:
        click.echo(f"{len(made.puzzles)} of {count} puzzles; {now.left} batches of this round left", err=True)

    # Batches of other sources are left alone: their puzzles may differ.
    work = ("puzzles", key, seed, source_hash())
    while batches := made.next_batches():
        made.add(finish_tasks(store, work, batches, find, report))
        write_puzzles(file, made.puzzles)
    click.echo(f"{len(made.puzzles)} puzzles in {file}")


def check_puzzles(
    key: Key,
    file: Annotated[Path | None, Argument(help="A file of puzzles; those that come with Kemu if none.")] = None,
    count: Annotated[int | None, Option(min=1, help="Number drawn at random instead of all.")] = None,
    seed: Seed = 0,
) -> None:
    """Prove every claim of puzzles again and give the proofs to the verifiers."""
    from kemu.analysis.puzzles.puzzle import check_puzzle, read_puzzles, shipped_puzzles
    from kemu.engines.capabilities import UnsoundPuzzle

    puzzles = list(shipped_puzzles(key).values() if file is None else read_puzzles(key, file))
    if count is not None:
        puzzles = random.Random(seed).sample(puzzles, min(count, len(puzzles)))
    unsound = 0
    for puzzle in puzzles:
        try:
            check_puzzle(puzzle)
        except UnsoundPuzzle as error:
            unsound += 1
            click.echo(f"{puzzle.id}: {error}")
    click.echo(f"{len(puzzles) - unsound} of {len(puzzles)} puzzles are sound")
    if unsound:
        raise Exit(1)


def score_puzzles(
    key: Key,
    bot: Annotated[str, Argument(metavar="BOT", help="Who solves them, such as 5 or my_agent.py:Agent.")],
    count: Annotated[int, Option(min=1, help="Number drawn at random.")] = 100,
    seed: Seed = 0,
) -> None:
    """Let a bot solve puzzles, and print the share whose first move it finds."""
    from kemu.analysis.puzzles.puzzle import shipped_puzzles
    from kemu.analysis.puzzles.scores import solves
    from kemu.bots.named import named_bot
    from kemu.bots.ratings import score_interval

    every = list(shipped_puzzles(key).values())
    drawn = random.Random(seed).sample(every, min(count, len(every)))
    share, low, high = score_interval([solves(each, named_bot(bot, each.game, seed)) for each in drawn])
    click.echo(f"{bot}: {share:.1%} ({low:.1%} to {high:.1%}) of {len(drawn)} puzzles of {key}")


def puzzle(
    key: Key,
    which: Annotated[str, Argument(metavar="WHICH", help="The id of a puzzle, or next or daily.")] = "next",
    theme: Annotated[str | None, Option(help="Only puzzles of this theme.")] = None,
) -> None:
    """Solve puzzles in the terminal; mistakes come again."""
    from kemu.terminal.puzzles import solve_puzzles
    from kemu.terminal.screen import PlainScreen

    solve_puzzles(key, which, theme, PlainScreen())
