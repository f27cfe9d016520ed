"""How commands are completed for those who wait for them: in time, and with errors that may be shown."""

import asyncio
import logging
from asyncio import Future
from typing import Final

from kemu.core.errors import KemuError
from kemu.storage.errors import StoreUnavailable

STORE_SECONDS: Final = 3.0
"""How long a request waits for the store."""

log = logging.getLogger(__name__)


class Fault(KemuError):
    """Something went wrong that should not."""

    code = "internal"


async def within_time(done: "Future[None]") -> None:
    """Wait until a command or a reading is completed; raises what it failed with, and StoreUnavailable in time."""
    if done.done():  # mostly a reading is; a timer would cost more than all else
        done.result()
        return
    late = StoreUnavailable("The database does not answer; try again in a moment.")
    timer = asyncio.get_running_loop().call_later(STORE_SECONDS, resolve, done, late)
    try:
        await done
    finally:
        timer.cancel()


def resolve(done: "Future[None]", error: Exception | None) -> None:
    """Complete the future of a command with the answer of the runner."""
    if done.done():  # nobody waits any more
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(presentable(error))


def presentable(error: Exception) -> KemuError:
    """The error as the sender of a command may see it: faults are logged, and their text stays here."""
    if isinstance(error, KemuError):
        return error
    log.error("command failed", exc_info=error)
    return Fault("A fault of ours; nothing was changed.")
