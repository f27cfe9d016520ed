"""Reads certificates and gives them to the verifiers: those in Python, and the one in C where it was built."""

import gzip
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Final, NamedTuple

from kemu.certificates import verify, verify_mu_torere

FOLDER: Final = Path(__file__).parent
HEAD_LINES: Final = {"moeraki-kemu": (2, 8), "mu-torere": (2, 5)}
"""Which lines of the head say what is claimed."""


class CertificateRefused(ValueError):
    """A verifier does not accept a certificate, or there is none to be read."""


class CheckedClaim(NamedTuple):
    """A certificate that a verifier has accepted."""

    claim: dict[str, str]  # the lines of its head that say what is proved, by their keys
    nodes: int


def shipped(game: str) -> list[Path]:
    """The certificates about a game that come with Kemu."""
    return sorted((FOLDER / "data").glob(f"{game}-*.txt.gz"))


def read_certificate(path: Path) -> str:
    """The text of a certificate, compressed or not; raises OSError, or CertificateRefused if it is no text."""
    data = path.read_bytes()
    try:
        return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("ascii")
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as error:
        raise CertificateRefused(f"no text: {error}") from None


def game_of(text: str) -> str:
    """The key of the game that a certificate is about, empty if it names none."""
    lines = text.splitlines()
    return lines[1].partition(" ")[2].strip() if len(lines) > 1 else ""


def check(text: str) -> CheckedClaim:
    """What a certificate proves, by the verifier in Python; raises CertificateRefused."""
    lines = text.splitlines()
    game = game_of(text)
    if game not in HEAD_LINES:
        raise CertificateRefused(f"no verifier knows the game '{game}'")
    try:
        nodes = len(verify_mu_torere.verify(lines)) if game == "mu-torere" else verify.Proof(lines).nodes
    except (ValueError, LookupError, RecursionError) as error:
        raise CertificateRefused(str(error)) from None
    first, last = HEAD_LINES[game]
    return CheckedClaim(
        {key: rest.strip() for key, _, rest in (line.partition(" ") for line in lines[first:last])}, nodes
    )


def build_c(folder: Path) -> Path:
    """The verifier in C, compiled into a folder; raises CertificateRefused if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise CertificateRefused("there is no C compiler 'cc' to build the second verifier with")
    program = folder / "verify"
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(FOLDER / "verify.c")]
    subprocess.run(command, check=True)
    return program


def check_in_c(text: str, program: Path) -> int:
    """The nodes of a certificate that the verifier in C accepts; raises CertificateRefused."""
    done = subprocess.run([program], input=text, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise CertificateRefused(done.stderr.strip().removeprefix("refused: ") or f"ended with {done.returncode}")
    return int(done.stdout.split()[-1])
