"""Push messages: the key of the server, and which browsers get the notices of a player."""

from typing import Annotated, Literal

from litestar import delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from kemu.server.http.requests import GUEST, FromCaller

Endpoint = Annotated[str, Meta(min_length=1, max_length=2000)]
Key = Annotated[str, Meta(min_length=1, max_length=100)]


class PushKey(Struct, frozen=True):
    """The public key with which a browser subscribes to messages of this server, in base64url."""

    key: str


class SubscriptionKeys(Struct, frozen=True):
    """The keys of a browser, as it gives them itself."""

    p256dh: Key
    auth: Key


class SubscriptionRequest(Struct, frozen=True):
    """A subscription as a browser gives it, and the language of the messages."""

    endpoint: Endpoint
    keys: SubscriptionKeys
    language: Literal["en", "fr", "de"] = "en"


class EndpointRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The address of a subscription that ends."""

    endpoint: Endpoint


@get("/api/push")
async def push_key(caller: FromCaller) -> PushKey:
    """Return the key to subscribe with."""
    return PushKey(await caller.services.push.public_key())


@post("/api/push/subscription", opt=GUEST, status_code=204)
async def subscribe(caller: FromCaller, data: JSONBody[SubscriptionRequest]) -> None:
    """Have a browser of yours get your notices as push messages."""
    keys = data.keys.p256dh, data.keys.auth
    await caller.services.push.subscribe(caller.visitor.id, data.endpoint, keys, data.language)


@delete("/api/push/subscription", status_code=204)
async def unsubscribe(caller: FromCaller, data: JSONBody[EndpointRequest]) -> None:
    """Have a browser get no more push messages."""
    await caller.services.push.unsubscribe(caller.visitor.id, data.endpoint)
