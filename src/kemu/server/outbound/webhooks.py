"""Webhooks: an open challenge is told to the addresses that the operator has set, such as a channel of a chat."""

import logging
from typing import Any, Final

import msgspec

from kemu.core.errors import OptionError
from kemu.people.sentences import LANGUAGES, display_name, texts
from kemu.server.outbound.push import game_title
from kemu.server.outbound.requests import post
from kemu.server.runtime import Runtime

MOST_WAITING: Final = 100
"""How many posts of a process may be under way; a challenge that is made then is not told."""

log = logging.getLogger(__name__)


def challenge_post(name: str, game: str, address: str) -> dict[str, Any]:
    """Return what is posted about a challenge of somebody to anyone.

    The sentence stands in the fields that chats read: `content` (Discord), `text` (Matrix, Slack, Mattermost),
    `message` and `title` (ntfy). Discord is told to call nobody whom a name seems to mention.
    """
    language = LANGUAGES[0]
    title = game_title(game)
    said = texts(language)["notice.open-challenge"].format(names=display_name(name, language), game=title)
    sentence = f"{said} {address}".strip()
    return {
        "content": sentence, "text": sentence, "message": sentence, "title": "Kemu", "click": address,
        "username": "Kemu", "allowed_mentions": {"parse": []}, "game": game, "player": name, "address": address,
    }  # fmt: skip


class Webhooks:
    """Posts to the addresses of the operator."""

    def __init__(self, runtime: Runtime) -> None:
        self._settings = runtime.settings
        self._tasks = runtime.tasks
        self._addresses = runtime.settings.webhooks.split()
        self._waiting = 0

    def challenge_made(self, name: str, game: str) -> None:
        """Tell the operator's addresses that somebody challenges anyone to a game."""
        host = self._settings.hosts.split()
        address = f"https://{host[0]}/challenges" if host else ""
        body = msgspec.json.encode(challenge_post(name, game, address))
        for webhook in self._addresses:
            if self._waiting < MOST_WAITING:
                self._waiting += 1
                self._tasks.start(self._post(webhook, body))

    async def _post(self, webhook: str, body: bytes) -> None:
        try:
            # The operator's own addresses may well be in the own network.
            answer = await post(webhook, body, {"Content-Type": "application/json"}, anywhere=True)
            if answer.status >= 300:
                log.warning("webhook refused", extra={"reason": str(answer.status)})
        except (OptionError, OSError) as error:
            log.warning("webhook failed", extra={"reason": type(error).__name__})
        finally:
            self._waiting -= 1
