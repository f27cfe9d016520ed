"""What is proved of games: verify, and the part of solve that is about certificates."""

import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

WithC = Annotated[bool, typer.Option("--with-c", help="Build the verifier in C too, and ask both.")]


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Certificates, compressed or not.")],
    with_c: WithC = False,
) -> None:
    """Check certificates with verifiers that share no code with the rest of Kemu."""
    from kemu.certificates.checking import CertificateRefused, read_certificate

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


def print_theorems(game: Any, as_json: bool) -> None:
    """Prints what the certificates that come with Kemu prove of a game, each checked now; raises UnknownGame."""
    from kemu.certificates.checking import check, read_certificate, shipped
    from kemu.core.errors import UnknownGame

    if not shipped(game.key):
        raise UnknownGame(f"{game.key} is not solved, and nothing is proved of it.")
    for path in shipped(game.key):
        accepted = check(read_certificate(path))
        if as_json:
            sys.stdout.write(json.dumps({"file": path.name, "claim": accepted.claim, "nodes": accepted.nodes}) + "\n")
        else:
            sys.stdout.write(f"{_described(accepted.claim)}\n    {path.name}, {accepted.nodes} nodes checked\n")


def prove_again(game: Any, folder: Path | None) -> None:
    """Proves from nothing what the certificates of a game say, checks it, and writes it into a folder if it has one."""
    from kemu.bots.registry import theorems
    from kemu.certificates.checking import check

    for name, text in theorems(game).prove_again():
        accepted = check(text)
        sys.stdout.write(f"{name}: {_described(accepted.claim)}; {accepted.nodes} nodes\n")
        sys.stdout.flush()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{game.key}-{name}.txt").write_text(text, encoding="ascii")


def prove_goal(game: Any, goal: str | None, cluster: str | None, store: str, folder: Path | None) -> None:
    """Works on a statement that is not proved yet until each of its leaves has a result; the engine's own if None."""
    from kemu.bots.registry import theorems
    from kemu.certificates.checking import check
    from kemu.cluster.leaves import LeafStore
    from kemu.cluster.run import Report, finish_leaves, run_to_end, time_left
    from kemu.cluster.workers import chosen_workers

    provable = theorems(game)
    goal = goal or provable.next_goal

    def report(now: Report) -> None:
        found, failed, left, _ = now.progress
        rate = f"{now.leaves_per_minute:.1f} a minute, {time_left(now.minutes_left)}"
        sys.stderr.write(f"proved {found}, not proved {failed}, open {left}; {rate}\n")

    leaves = [f"{goal} {leaf}" for leaf in provable.leaves(goal)]
    results = run_to_end(
        finish_leaves(
            LeafStore(store),
            f"{game.key} {goal}",
            leaves,
            partial(chosen_workers(cluster=cluster), provable.prove_leaf),
            report,
        )
    )
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
    from kemu.certificates.checking import CertificateRefused, build_c, check, check_in_c

    accepted = check(text)
    if folder is not None:
        program = folder / "verify"
        if check_in_c(text, program if program.exists() else build_c(folder)) != accepted.nodes:
            raise CertificateRefused("the verifiers count different nodes")
    return accepted.claim, accepted.nodes


def _described(claim: dict[str, str]) -> str:
    """A claim as its head says it, without what is empty."""
    return ", ".join(f"{name} {value}" for name, value in claim.items() if value)
