"""Requests of the server to others: to public addresses only, without redirects, in a thread and within a time.

The address of a push service comes from a browser. A name is looked up once and the socket opened to one of the
addresses that were checked, so that a name which changes its mind leads nowhere.
"""

import asyncio
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from kemu.core.errors import OptionError

TIMEOUT_SECONDS: Final = 10.0

MOST_ADDRESS: Final = 2000
"""Characters of the longest address."""

MOST_ANSWER_BYTES: Final = 4096
"""How much is read of an answer, of which only the status counts."""


class Answer(NamedTuple):
    """The status of an answer, and after how many seconds to try again if it says so."""

    status: int
    retry_after: int | None


def check_address(address: str, *, anywhere: bool) -> SplitResult:
    """Return the parts of an address that may be asked. Raises OptionError.

    That is HTTPS to a name, or to a number that is not private; with `anywhere` HTTP and private numbers too.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise OptionError("This is not an address of the web.") from None
    if (
        len(address) > MOST_ADDRESS
        or not host
        or not address.isascii()
        or any(c <= " " or c == "\x7f" for c in address)
    ):
        raise OptionError("This is not an address of the web.")
    if parts.scheme != "https" and not (anywhere and parts.scheme == "http"):
        raise OptionError("The address must begin with https://.")
    if parts.username or parts.password or (port not in (None, 443) and not anywhere):
        raise OptionError("The address must have neither a password nor a port of its own.")
    if not anywhere and ("." not in host.strip(".") and ":" not in host):
        raise OptionError("The address must be one of the public internet.")
    if not anywhere:
        _check_number(host)
    return parts


def _check_number(host: str) -> None:
    """Raise OptionError if this is the number of a host that is not on the public internet."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return
    if not is_public(number):
        raise OptionError("The address must be one of the public internet.")


def is_public(number: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether a host is on the public internet, also behind a mapping of the old numbers into the new ones."""
    if isinstance(number, ipaddress.IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour or (number.teredo[1] if number.teredo else None)
        if inner is not None:
            return False
        if number in _TRANSLATED:
            return False
    return number.is_global and not number.is_multicast


_TRANSLATED: Final = ipaddress.ip_network("64:ff9b::/96")
"""Numbers that gateways translate into old ones."""


async def post(address: str, body: bytes, headers: Mapping[str, str], *, anywhere: bool = False) -> Answer:
    """Post something. Raises OptionError for an address that may not be asked, OSError if nobody answers."""
    parts = check_address(address, anywhere=anywhere)
    return await asyncio.to_thread(_post, parts, body, headers, anywhere)


def _post(parts: SplitResult, body: bytes, headers: Mapping[str, str], anywhere: bool) -> Answer:
    connection = CheckedConnection(parts, anywhere)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, dict(headers))
        response = connection.getresponse()
        response.read(MOST_ANSWER_BYTES)
        after = response.headers.get("retry-after", "")
        return Answer(response.status, int(after) if after.isdecimal() and len(after) < 6 else None)
    except http.client.HTTPException as error:
        raise OSError(f"no answer in HTTP: {type(error).__name__}") from None
    finally:
        connection.close()


class CheckedConnection(http.client.HTTPConnection):
    """A connection to an address that was checked."""

    def __init__(self, parts: SplitResult, anywhere: bool) -> None:
        self._tls = parts.scheme == "https"
        host = parts.hostname or ""
        super().__init__(host, parts.port or (443 if self._tls else 80), timeout=TIMEOUT_SECONDS)
        self._anywhere = anywhere

    def connect(self) -> None:
        """Look the name up, and connect to the first of its addresses. Raises OSError if any of them is private."""
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        numbers = [ipaddress.ip_address(str(address[0]).partition("%")[0]) for *_, address in found]
        if not self._anywhere and not all(is_public(number) for number in numbers):
            raise OSError("The name leads to a private address.")
        opened = socket.create_connection((str(numbers[0]), self.port), TIMEOUT_SECONDS)
        if self._tls:
            opened = ssl.create_default_context().wrap_socket(opened, server_hostname=self.host)
        self.sock = opened
