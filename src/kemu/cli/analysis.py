"""Ask the engines about positions and games: analyse, review, solve, verify."""

import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from kemu.cli.options import Json, Key, Options, TaskDatabase, chosen_game

PROCESSES: Final = 2
"""Processes of this machine that work on a goal."""

WithC = Annotated[bool, typer.Option("--with-c", help="Build the verifier in C too, and ask both.")]


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates, compressed or not.")],
    with_c: WithC = False,
) -> None:
    """Check certificates with verifiers that share no code with the rest of Kemu."""
    from kemu.engines.certificates import CertificateRefused, read_certificate

    refused = False
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            try:
                claim, nodes = _checked(read_certificate(path), Path(folder) if with_c else None)
                said = (
                    f"accepted by {'both verifiers' if with_c else 'the verifier'}: {_described(claim)}; {nodes} nodes"
                )
            except CertificateRefused as error:
                refused, said = True, f"refused: {error}"
            sys.stdout.write(f"{path}: {said}\n")
    if refused:
        raise typer.Exit(1)


def analyse() -> None:
    """Answer questions to the engines: a JSON request on each line of standard input, an answer on each line out."""
    from kemu.analysis.analyse import answer_text

    for line in sys.stdin:
        if line.strip():
            sys.stdout.write(answer_text(line) + "\n")
            sys.stdout.flush()


def solve(
    key: Key,
    option: Options = None,
    as_json: Json = False,
    again: Annotated[bool, typer.Option("--again", help="Prove from nothing what the certificates say.")] = False,
    goal: Annotated[str | None, typer.Option(help="Prove this, for which no certificate is shipped.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="local|ADDRESS", help="Work on a goal with Ray.")] = None,
    database: TaskDatabase = None,
    folder: Annotated[Path | None, typer.Option(help="Write certificates into this folder.")] = None,
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
    file: Annotated[Path, typer.Argument(help="A record.")],
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes of the search of each position.")] = None,
    as_json: Json = False,
) -> None:
    """Grade every action of a record by what it lost and by what is proved."""
    from kemu.analysis.review import review_steps
    from kemu.engines.analysis import Budget
    from kemu.terminal.reports import review_file

    budget = Budget(nodes=nodes) if nodes else None
    review_file(file, as_json, lambda record: review_steps(record, budget))


def _print_theorems(game: Any, as_json: bool) -> None:
    """Prints what the certificates that come with Kemu prove of a game, each checked now; raises UnknownGame."""
    from kemu.core.errors import UnknownGame
    from kemu.engines.certificates import check, read_certificate, shipped

    if not shipped(game.key):
        raise UnknownGame(f"{game.key} is not solved, and nothing is proved of it.")
    for path in shipped(game.key):
        accepted = check(read_certificate(path))
        if as_json:
            sys.stdout.write(json.dumps({"file": path.name, "claim": accepted.claim, "nodes": accepted.nodes}) + "\n")
        else:
            sys.stdout.write(f"{_described(accepted.claim)}\n    {path.name}, {accepted.nodes} nodes checked\n")


def _prove_again(game: Any, folder: Path | None) -> None:
    """Proves from nothing what the certificates of a game say, checks it, and writes it into a folder if it has one."""
    from kemu.bots.engines import theorems
    from kemu.engines.certificates import check

    for name, text in theorems(game).prove_again():
        accepted = check(text)
        sys.stdout.write(f"{name}: {_described(accepted.claim)}; {accepted.nodes} nodes\n")
        sys.stdout.flush()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{game.key}-{name}.txt").write_text(text, encoding="ascii")


def _prove_goal(game: Any, goal: str | None, cluster: str | None, store: str, folder: Path | None) -> None:
    """Works on a statement that is not proved yet until each of its parts has a result; the engine's own if None."""
    from kemu.bots.engines import theorems
    from kemu.engines.certificates import check
    from kemu.work.parallel import chosen_workers
    from kemu.work.task_store import Progress, TaskStore, finish_tasks

    provable = theorems(game)
    goal = goal or provable.next_goal

    def report(now: Progress) -> None:
        rate = f"{now.tasks_per_minute:.1f} a minute, {now.time_left}"
        sys.stderr.write(f"proved {now.found}, not proved {now.failed}, open {now.left}; {rate}\n")

    leaves = [f"{goal} {leaf}" for leaf in provable.leaves(goal)]
    workers = partial(chosen_workers(PROCESSES, cluster), provable.prove_leaf)
    results = finish_tasks(TaskStore.at(store), ("proofs", game.key, goal), leaves, workers, report)
    if len(results) < len(leaves):
        sys.stdout.write(f"{goal}: no proof found for {len(leaves) - len(results)} of {len(leaves)} leaves\n")
        raise typer.Exit(1)
    text = provable.join(goal, {leaf.removeprefix(f"{goal} "): proof for leaf, proof in results.items()})
    accepted = check(text)
    sys.stdout.write(f"{_described(accepted.claim)}; {accepted.nodes} nodes\n")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{game.key}-{goal.replace(' ', '-')}.txt").write_text(text, encoding="ascii")


def _checked(text: str, folder: Path | None) -> tuple[dict[str, str], int]:
    """What a text proves and its nodes; with a folder to build it in, by the verifier in C as well."""
    from kemu.engines.certificates import CertificateRefused, build_c, check, check_in_c

    accepted = check(text)
    if folder is not None:
        program = folder / "verify"
        if check_in_c(text, program if program.exists() else build_c(folder)) != accepted.nodes:
            raise CertificateRefused("the verifiers count different nodes")
    return accepted.claim, accepted.nodes


def _described(claim: dict[str, str]) -> str:
    """A claim as its head says it, without what is empty."""
    return ", ".join(f"{name} {value}" for name, value in claim.items() if value)
