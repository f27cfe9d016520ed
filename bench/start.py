"""How long `kemu --help` takes, beside `python -c "import json"`, alternating in one run."""

import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 30
COMMANDS = {
    "import json": [sys.executable, "-c", "import json"],
    "kemu --help": [str(Path(sys.executable).with_name("kemu")), "--help"],
}


def seconds(words: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, words in COMMANDS.items():
            times[name].append(seconds(words))
    medians = {name: sorted(found)[ROUNDS // 2] for name, found in times.items()}
    for name, median in medians.items():
        print(f"{name:12} median {median * 1000:6.1f} ms, best {min(times[name]) * 1000:6.1f} ms")
    ratio = medians["kemu --help"] / medians["import json"]
    best = min(times["kemu --help"]) / min(times["import json"])
    print(f"ratio of medians {ratio:.2f}, of the best {best:.2f} (at most 4)")


if __name__ == "__main__":
    main()
