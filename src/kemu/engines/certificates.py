"""Reads certificates and gives them to the verifiers: those in Python, and the one in C where it was built.

The manifest of a game names its verifier, a module of the standard library only, with a function `verify`: it takes the
lines of a certificate, returns how many nodes it has checked, and raises ValueError, LookupError or RecursionError. The
certificates that come with the game lie in the folder `certificates` beside it.
"""

import gzip
import shutil
import subprocess
import zlib
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple

from kemu.core.errors import KemuError
from kemu.core.manifest import load
from kemu.games import game_keys, manifest

SOURCE_IN_C: Final = Path(__file__).with_name("verify.c")
MOST_BYTES: Final = 64 << 20
"""The longest certificate that is read; what is packed is unpacked no further."""

BEFORE_CLAIM: Final = 2
"""Lines of every head before those that say what is claimed: the format and the game."""


class CertificateRefused(KemuError, code="certificate-refused"):
    """A verifier does not accept a certificate, or there is none to be read."""


class CheckedClaim(NamedTuple):
    """A certificate that a verifier has accepted."""

    claim: dict[str, str]  # the lines of its head that say what is proved, by their keys
    nodes: int


def verifier(key: str) -> Any:
    """Return the verifier of a game, None if there is no such game or it has none."""
    path = manifest(key).verifier if key in game_keys() else None
    return load(path) if path else None


def shipped(key: str) -> list[Path]:
    """Return the certificates that come with a game."""
    found = verifier(key)
    return sorted(Path(found.__file__).with_name("certificates").glob("*.txt.gz")) if found else []


def read_certificate(path: Path) -> str:
    """Return the text of a certificate, compressed or not; raises OSError, or CertificateRefused if it is no text."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("ascii")
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        raise CertificateRefused(f"no text: {error}") from None
    if len(data) > MOST_BYTES:
        raise CertificateRefused(f"longer than {MOST_BYTES >> 20} MB")
    if not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        raise CertificateRefused("no text: it holds control characters")
    return text


def game_of(text: str) -> str:
    """Return the key of the game that a certificate is about, empty if it names none."""
    lines = text.splitlines()
    return lines[1].partition(" ")[2].strip() if len(lines) > 1 else ""


def check(text: str) -> CheckedClaim:
    """Return what a certificate proves, by the verifier in Python; raises CertificateRefused."""
    lines, game = text.splitlines(), game_of(text)
    found = verifier(game)
    if found is None:
        raise CertificateRefused(f"no verifier knows the game '{game}'")
    try:
        nodes = found.verify(lines)
    except (ValueError, LookupError, RecursionError) as error:
        raise CertificateRefused(str(error)) from None
    head = takewhile(lambda line: line.split() != ["proof"], lines[BEFORE_CLAIM:])
    return CheckedClaim({key: rest.strip() for key, _, rest in (line.partition(" ") for line in head)}, nodes)


def build_c(folder: Path) -> Path:
    """Return the verifier in C, compiled into a folder; raises CertificateRefused if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise CertificateRefused("there is no C compiler 'cc' to build the second verifier with")
    program = folder / "verify"
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(SOURCE_IN_C)]
    subprocess.run(command, check=True)
    return program


def check_in_c(text: str, program: Path) -> int:
    """Return the nodes of a certificate that the verifier in C accepts; raises CertificateRefused."""
    done = subprocess.run([program], input=text, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise CertificateRefused(done.stderr.strip().removeprefix("refused: ") or f"ended with {done.returncode}")
    return int(done.stdout.split()[-1])
