"""A worker process that answers one line for each line that it is sent."""

import asyncio
import contextlib
import re
import sys
from asyncio import StreamReader
from asyncio.subprocess import PIPE, Process
from typing import Final

MOST_LINE_BYTES: Final = 4 * 1024 * 1024
"""The longest line that a worker may answer."""

KEPT_ERROR_BYTES: Final = 16 * 1024
"""How much of the end of a worker's standard error is kept."""

_PLACE: Final = re.compile(r'^\s*File "(?:.*[/\\])?([^/\\"]+)", line (\d+), in (\S+)', re.MULTILINE)
_ERROR: Final = re.compile(r"^([A-Za-z_][\w.]*)(?::.*)?$", re.MULTILINE)


class WorkerProcess:
    """One process and the end of its standard error."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._errors = b""
        self._reader = asyncio.get_running_loop().create_task(self._read_errors())

    async def exchange(self, line: bytes) -> bytes:
        """The answer to a line; raises ValueError if there is none, OSError if the process has ended."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None, "a worker has pipes"
        assert stdout is not None, "a worker has pipes"
        stdin.write(line + b"\n")
        await stdin.drain()
        answer = await stdout.readline()
        if not answer:
            raise ValueError("the worker ended")
        return answer

    async def end(self, error: Exception) -> str:
        """End the process after an error; gives the reason for the log."""
        hung, stdout = isinstance(error, TimeoutError), self.process.stdout
        assert stdout is not None, "a worker has pipes"
        if not stdout.at_eof():  # it may hang, or have answered a line that is too long
            self.kill()
        code = await self.ended()
        return "took too long" if hung else describe_failure(self._errors.decode(errors="replace"), code)

    async def ended(self) -> int:
        """The exit code of the process when it has ended."""
        code = await self.process.wait()
        await self._reader
        return code

    def kill(self) -> None:
        """End the process at once."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def _read_errors(self) -> None:
        errors: StreamReader | None = self.process.stderr
        assert errors is not None, "a worker has pipes"
        while chunk := await errors.read(KEPT_ERROR_BYTES):
            self._errors = (self._errors + chunk)[-KEPT_ERROR_BYTES:]


async def start_worker(module: str) -> WorkerProcess:
    """Start a process that runs a module."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module), stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=MOST_LINE_BYTES
    )
    return WorkerProcess(process)


def describe_failure(errors: str, code: int) -> str:
    """Why a worker ended, from its standard error: the kind of the error and its place.

    Texts of errors and lines of code are left out, because they may hold cards or names.
    """
    ended = f"signal {-code}" if code < 0 else f"exit code {code}"
    places = _PLACE.findall(errors)
    kinds = _ERROR.findall(errors.strip().rpartition("\n")[2])
    if not places or not kinds:
        return ended
    file, line, function = places[-1]
    return f"{kinds[0]} in {function}, {file}, line {line} ({ended})"
