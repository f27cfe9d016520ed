"""Builds the documentation into the package: python docs/site/build.py. Any warning is an error."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def build(*arguments: str) -> int:
    """Run MkDocs on the folder of the project; the exit code is 0 if the site is built without a warning."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])  # the pages show what this checkout does
    # Material announces its successor at every start.
    environment = {**os.environ, "PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(build(*sys.argv[1:]))
