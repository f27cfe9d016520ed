"""`kemu bench`: runs the scripts of a checkout that measure speed and strength."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kemu.core.errors import OptionError


def run_benchmarks(folder: Path, names: Sequence[str]) -> None:
    """Run the scripts of these names, or all, one after the other; raises OptionError if one is missing or fails."""
    scripts = {
        path.stem: path for path in sorted(folder.glob("*.py")) if "__main__" in path.read_text(encoding="utf-8")
    }
    if not scripts:
        raise OptionError(f"There are no benchmarks in {folder}; run this in a checkout or name their --folder.")
    for name in names:
        if name not in scripts:
            raise OptionError(f"There is no benchmark '{name}'; the benchmarks are {', '.join(scripts)}.")
    for name in names or scripts:
        sys.stdout.write(f"== {name}\n")
        sys.stdout.flush()
        done = subprocess.run([sys.executable, str(scripts[name])], check=False)
        if done.returncode:
            raise OptionError(f"The benchmark '{name}' failed; openspiel needs the extra bench, kemu[bench].")
