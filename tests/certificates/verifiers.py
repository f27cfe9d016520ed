"""Both verifiers under one name: the one in Python, and the one in C where a compiler is found."""

import shutil
import subprocess
import sys
from pathlib import Path

from kemu.engines.certificates import CertificateRefused, check, verifier

COMPILER = shutil.which("cc")


def accepts_in_python(text: str) -> bool:
    """Whether the first verifier accepts a text."""
    try:
        check(text)
    except CertificateRefused:
        return False
    return True


def accepts_in_c(text: str, program: Path) -> bool:
    """Whether the second verifier accepts a text; it must end with 0 or 1."""
    done = subprocess.run([program], input=text, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode == 0


def run_as_script(path: Path, game: str = "moeraki-kemu") -> "subprocess.CompletedProcess[str]":
    """The first verifier as a program of its own, with no other module of Kemu in reach."""
    command = [sys.executable, "-I", verifier(game).__file__, str(path)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
