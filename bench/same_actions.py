"""Whether the engines still choose the same actions: 200 fixed positions, asked through `kemu analyse`.

python -m bench.same_actions --write FILE     asks the installed Kemu and writes requests and answers as JSON lines
python -m bench.same_actions --compare FILE   asks the requests of FILE again and compares the answers

Only the public contract (`kemu.game`) and the public command are used, so that one copy of this file serves any two
commits: write with one of them on PYTHONPATH, compare with the other. The time spent (`ms`) is not compared.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import kemu

Json = dict[str, Any]

MOERAKI = 90
MU_TORERE = 60
MAUW = 50
VARIANTS = ("beginner", "basic", "master")
LEVELS = (2, 4, 6, 8)
BY_LEVEL = 15
"""Every so many-th request asks for the action of a level instead of an analysis."""


def random_play(game: Any, length: int, source: random.Random) -> tuple[Any, list[Any]]:
    """A state after so many actions of seats, in which a seat is to act, and the actions that led to it."""
    while True:
        state, actions, left = game.initial(), [], length
        while (turn := game.turn(state)) is not None and (left or turn == kemu.CHANCE):
            if turn == kemu.CHANCE:
                choices, weights = zip(*game.odds(state), strict=True)
                action = source.choices(choices, [float(weight) for weight in weights])[0]
            else:
                action, left = source.choice(game.actions(state)), left - 1
            actions.append(action)
            state = game.apply(state, action)
        if turn is not None:
            return state, actions


def texts_seen(game: Any, actions: list[Any], seat: int) -> list[str]:
    """The log of one seat."""
    state, log = game.initial(), []
    for action in actions:
        log.append(game.seen(state, action, seat))
        state = game.apply(state, action)
    return log


def moeraki(number: int) -> Json:
    """A position document after the ball and 1 to 40 stones, or the actions where the swap can be chosen."""
    source = random.Random(f"moeraki {number}")
    options: Json = {"variant": VARIANTS[number % 3]}
    if number % 10 == 9:
        options["swap"] = True
    if number % 15 == 8:
        options.update(variant="master", eye=True)
    game: Any = kemu.game("moeraki-kemu", **options)
    state, actions = random_play(game, 1 + (number * 13) % 41, source)
    request = {"game": "moeraki-kemu", "options": options, "budget": {"nodes": source.choice((3_000, 20_000))}}
    if options.get("swap"):
        return {**request, "actions": [game.format(action) for action in actions]}
    return {**request, "position": game.encode(state), "lines": 1 + number % 3}


def mu_torere(number: int) -> Json:
    """The actions of a game with some of the options."""
    source = random.Random(f"mu-torere {number}")
    options = {"flank": ("always", "opening")[number % 2], "arms": (8, 8, 10)[number % 3]}
    game: Any = kemu.game("mu-torere", **options)
    _, actions = random_play(game, number % 20, source)
    texts = [game.format(action) for action in actions]
    return {"game": "mu-torere", "options": options, "actions": texts, "lines": 3, "budget": {"nodes": 1000}}


def mauw(number: int) -> Json:
    """The log of the seat to act, or all actions, for two to four players."""
    source = random.Random(f"mauw {number}")
    options = {"players": 2 + number % 3}
    game: Any = kemu.game("mauw", **options)
    state, actions = random_play(game, number % 25, source)
    seat = game.turn(state)
    texts = texts_seen(game, actions, seat) if number % 2 else [game.format(action) for action in actions]
    request = {"game": "mauw", "options": options, "seat": seat, "actions": texts}
    return {**request, "lines": 2, "budget": {"nodes": 400}}


def requests() -> list[Json]:
    """The 200 requests."""
    found = [moeraki(number) for number in range(MOERAKI)]
    found += [mu_torere(number) for number in range(MU_TORERE)]
    found += [mauw(number) for number in range(MAUW)]
    for number, request in enumerate(found):
        request.update(id=number, seed=number % 7)
        if number % BY_LEVEL == 0:
            request.update(level=LEVELS[number // BY_LEVEL % len(LEVELS)])
    return found


def answers(asked: list[Json]) -> list[Json]:
    """What one process of `kemu analyse` answers."""
    lines = "".join(json.dumps(request) + "\n" for request in asked)
    command = [sys.executable, "-m", "kemu", "analyse"]
    given = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in given.splitlines()]


def without_time(answer: Json) -> Json:
    """An answer without the milliseconds, which differ from run to run."""
    return {name: value for name, value in answer.items() if name != "ms"}


def write(file: Path) -> None:
    """Asks everything and keeps it."""
    asked = requests()
    pairs = zip(asked, answers(asked), strict=True)
    with file.open("w", encoding="utf-8") as out:
        for request, answer in pairs:
            out.write(json.dumps({"request": request, "answer": without_time(answer)}) + "\n")
    print(f"{len(asked)} answers written to {file}")


def compare(file: Path) -> int:
    """Asks the requests of a file again, prints what differs and gives the number of answers that do."""
    kept = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    now = [without_time(answer) for answer in answers([each["request"] for each in kept])]
    different = 0
    for each, answer in zip(kept, now, strict=True):
        if answer != each["answer"]:
            different += 1
            print(f"different: {json.dumps(each['request'])}\n  before {each['answer']}\n  now    {answer}")
    failed = sum("error" in answer for answer in now)
    for field in ("action", "value", "nodes", "lines"):
        same = sum(each["answer"].get(field) == answer.get(field) for each, answer in zip(kept, now, strict=True))
        print(f"{field:6} the same in {same} of {len(kept)}")
    print(f"refused {failed}; {'all the same' if not different else f'{different} answers differ'}")
    return different


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen = words.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--write", type=Path, metavar="FILE")
    chosen.add_argument("--compare", type=Path, metavar="FILE")
    arguments = words.parse_args()
    if arguments.write:
        write(arguments.write)
    elif compare(arguments.compare):
        sys.exit(1)


if __name__ == "__main__":
    main()
