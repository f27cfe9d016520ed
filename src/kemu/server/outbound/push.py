"""Push messages: notices that are worth an alert, sent to the browsers of their player."""

import asyncio
import hashlib
import logging
import time
from typing import Final, Literal

import msgspec
from msgspec import Struct

from kemu.core.errors import OptionError
from kemu.games import game_keys, manifest
from kemu.people.notices import Kind, Notice, page
from kemu.people.sentences import sentence
from kemu.server.outbound.requests import check_address, post
from kemu.server.outbound.web_push import Signer, check_keys, encode, encrypt, new_signing_key
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable
from kemu.storage.push import Subscription

KEY: Final = "web-push"
"""The name of the key with which messages are signed."""

GONE: Final = frozenset({404, 410})
"""A push service says with these that a browser takes no more messages."""

BUSY: Final = frozenset({429, 500, 502, 503, 504})
"""A push service may take the same message later."""

ATTEMPTS: Final = 3
WAIT_SECONDS: Final = 5
MOST_WAIT_SECONDS: Final = 300

AT_ONCE: Final = 8
"""How many messages a process sends at the same time."""

MOST_WAITING: Final = 1000
"""How many messages of a process may wait; those that come then are dropped, the notices stay in the page."""

KEPT_SECONDS: Final = {"your-turn": 3 * 24 * 60 * 60, "running-out": 12 * 60 * 60}
"""How long a push service keeps a message for a browser that is away, by kind."""

USUALLY_KEPT_SECONDS: Final = 24 * 60 * 60

log = logging.getLogger(__name__)


class PushMessage(Struct, frozen=True):
    """What a browser is sent: a title, a sentence, the page behind it, and a tag; one of the same tag replaces it."""

    title: str
    body: str
    page: str
    tag: str


def push_message(notice: Notice, language: str) -> PushMessage:
    """Return the message of a notice; it depends on nothing else, so it cannot tell what the notice does not."""
    return PushMessage("Kemu", sentence(notice, language, game_title(notice.game)), page(notice), notice.about)


def game_title(key: str) -> str:
    """Return the title of a game; nothing for one that there is not."""
    return manifest(key).title if key in game_keys() else ""


def urgency(kind: Kind) -> Literal["high", "normal"]:
    """Return how urgent a push service should take a message to be."""
    return "high" if kind in ("your-turn", "running-out", "challenge", "accepted") else "normal"


class Push:
    """Keeps the subscriptions of players and sends them messages."""

    def __init__(self, runtime: Runtime) -> None:
        self._store = runtime.store.push
        self._tasks = runtime.tasks
        self._settings = runtime.settings
        self._signer: Signer | None = None
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def public_key(self) -> str:
        """Return the key by which push services know this server; it is made once."""
        return (await self._sign()).public_key

    async def subscribe(self, player: str, endpoint: str, keys: tuple[str, str], language: str) -> None:
        """Send a browser the messages of a player. Raises OptionError, ParseError for what is no subscription."""
        check_address(endpoint, anywhere=self._settings.private_services)
        check_keys(*keys)
        await self._store.subscribe(Subscription(digest(endpoint), player, now_ms(), endpoint, *keys, language))

    async def unsubscribe(self, player: str, endpoint: str) -> None:
        """Send a browser no more messages."""
        await self._store.unsubscribe(player, digest(endpoint))

    def alerted(self, player: str, notice: Notice) -> None:
        """Send a notice to the browsers of its player."""
        self._tasks.start(self._send_to_all(player, notice))

    async def _sign(self) -> Signer:
        if self._signer is None:
            self._signer = Signer(await self._store.server_key(KEY, new_signing_key()), self._settings.contact)
        return self._signer

    async def _send_to_all(self, player: str, notice: Notice) -> None:
        try:
            for subscription in await self._store.subscriptions(player):
                if self._waiting < MOST_WAITING:
                    self._waiting += 1
                    self._tasks.start(self._send(subscription, notice))
        except StoreUnavailable as error:
            log.warning("push messages are lost", exc_info=error)

    async def _send(self, to: Subscription, notice: Notice) -> None:
        try:
            for attempt in range(1, ATTEMPTS + 1):
                async with self._places:
                    wait = await self._attempt(to, notice)
                if wait is None or attempt == ATTEMPTS:
                    return
                await asyncio.sleep(min(wait, MOST_WAIT_SECONDS))
        except (OptionError, OSError) as error:  # the service cannot be reached, or not from here
            log.info("push message lost", extra={"reason": type(error).__name__})
        except StoreUnavailable as error:
            log.warning("push messages are lost", exc_info=error)
        finally:
            self._waiting -= 1

    async def _attempt(self, to: Subscription, notice: Notice) -> int | None:
        """Send a message; return after how many seconds to try again, None if that is of no use."""
        message = msgspec.json.encode(push_message(notice, to.language))
        headers = {
            "Authorization": (await self._sign()).authorization(to.endpoint, int(time.time())),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_SECONDS.get(notice.kind, USUALLY_KEPT_SECONDS)),
            "Urgency": urgency(notice.kind),
            "Topic": digest(notice.about)[:32],  # of messages about one subject a service keeps the newest
        }
        body = encrypt(message, to.p256dh, to.auth)
        answer = await post(to.endpoint, body, headers, anywhere=self._settings.private_services)
        if answer.status in GONE:
            await self._store.unsubscribe(to.player, to.id)
        elif answer.status in BUSY:
            return WAIT_SECONDS if answer.retry_after is None else answer.retry_after
        elif answer.status >= 400:
            log.info("push message refused", extra={"reason": str(answer.status)})
        return None


def digest(text: str) -> str:
    """Return a short text that stands for a long one."""
    return encode(hashlib.sha256(text.encode()).digest())[:32]
