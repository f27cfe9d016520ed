"""Bots that are programs of any language: Kemu writes a request on a line of JSON, and the program answers on a line.

The requests are those of `kemu analyse`, with the texts of the legal actions as `legal`; so `kemu analyse` is such a
program itself. docs/agents.md describes both.
"""

import atexit
import json
import os
import shlex
import subprocess
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from kemu.core.document import Document
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import AnyGame, AnyView, options

LONGEST_S: Final = 60.0
"""A program that does not answer within this time is ended."""

A = TypeVar("A")


class BotFailed(KemuError, code="bot-failed"):
    """Raised when a program that plays as a bot ends, is silent, or answers what is no legal action."""


class CommandBot:
    """A program as a bot; each request says everything, so that all bots of a command share one program."""

    def __init__(self, command: str, game: AnyGame, seed: int | None = None) -> None:
        if not shlex.split(command):
            raise OptionError("A bot command names a program.")
        self.name: Final = command
        self._game, self._seed = game, seed

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """Return the action that the program answers; raises BotFailed."""
        texts = {self._game.format(action): action for action in actions}
        answer = program(self.name, os.getpid()).ask(self._request(view, log, list(texts)))
        text = answer.get("action")
        if not isinstance(text, str) or text not in texts:
            answered = json.dumps(text)
            raise BotFailed(f"The bot command '{self.name}' answered the action {answered}, which is not legal.")
        return texts[text]

    def _request(self, view: AnyView, log: Sequence[str], legal: Sequence[str]) -> Document:
        chosen: Document = {"game": self._game.key, "options": options(self._game), "view": view}
        seat = {"seat": view["seat"]} if "seat" in view else {}
        if "position" in view:
            seat = {"seat": self._game.turn(self._game.decode(view["position"]))}
        return chosen | seat | {"actions": list(log), "legal": list(legal), "seed": self._seed or 0}


@lru_cache(maxsize=16)
def program(command: str, process: int) -> "Program":
    """Return the running program of a command in this process."""
    return Program(command)


class Program:
    """A program that answers each line of JSON with another."""

    def __init__(self, command: str) -> None:
        self._command, self._asked, self._lock = command, 0, threading.Lock()
        try:
            self._running = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
        except OSError as error:
            raise BotFailed(f"The bot command '{command}' cannot be run: {error.strerror}.") from None
        atexit.register(self.close)

    def ask(self, request: Document) -> Document:
        """Return the answer to a request; raises BotFailed."""
        with self._lock:
            self._asked += 1
            timer = threading.Timer(LONGEST_S, self._running.kill)
            timer.start()
            try:
                return self._exchanged({"id": self._asked, **request})
            finally:
                timer.cancel()

    def close(self) -> None:
        """End the program."""
        self._running.kill()
        self._running.wait()
        for stream in (self._running.stdin, self._running.stdout):
            assert stream is not None
            stream.close()

    def _exchanged(self, request: Document) -> Document:
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        try:
            self._running.stdin.write(json.dumps(request) + "\n")
            self._running.stdin.flush()
            line = self._running.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise BotFailed(f"The bot command '{self._command}' ended without an answer, code {self._running.wait()}.")
        try:
            answer: Any = json.loads(line)
        except json.JSONDecodeError:
            raise BotFailed(f"The bot command '{self._command}' answered a line that is no JSON.") from None
        if not isinstance(answer, dict) or answer.get("id") != request["id"]:
            raise BotFailed(f"The bot command '{self._command}' answered without the id {request['id']}.")
        if "error" in answer:
            raise BotFailed(f"The bot command '{self._command}' refused: {json.dumps(answer['error'])}.")
        return answer
