"""A push service for tests, and browsers that subscribe there; it checks what a real one would (RFC 8291, 8292)."""

import hmac
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from kemu.server.outbound.web_push import decode, encode
from tests.patience import PATIENCE_SECONDS

CURVE = ec.SECP256R1()


class Pushed(NamedTuple):
    """A message that was taken: what the browser reads, the headers, and the claims of the signature."""

    message: Any
    headers: dict[str, str]
    claims: dict[str, Any]


class PushBrowser:
    """A browser that is subscribed at a push service."""

    def __init__(self, endpoint: str, answers: tuple[int, ...]) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(CURVE)
        self.auth = os.urandom(16)
        self.answers = list(answers)
        self.pushed: Queue[Pushed] = Queue()
        self.refused: Queue[int] = Queue()

    @property
    def subscription(self) -> dict[str, Any]:
        """What the browser gives to the page."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "keys": {"p256dh": encode(point), "auth": encode(self.auth)}}

    def next(self) -> Pushed:
        """Wait for the next message."""
        return self.pushed.get(timeout=PATIENCE_SECONDS)

    def read(self, body: bytes) -> bytes:
        """Decrypt a body."""
        return decrypt(body, self.key, self.auth)


def decrypt(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """Return the message in a body of one record."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size
    own = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
    material = _expand(_mac(auth, shared), b"WebPush: info\x00" + own + sender)
    extracted = _mac(salt, material)
    content = _expand(extracted, b"Content-Encoding: aes128gcm\x00")[:16]
    nonce = _expand(extracted, b"Content-Encoding: nonce\x00")[:12]
    padded = AESGCM(content).decrypt(nonce, record, None)
    message, mark, padding = padded.rpartition(b"\x02")
    assert mark
    assert not padding.strip(b"\x00")
    return message


def _mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, sha256).digest()


def _expand(key: bytes, info: bytes) -> bytes:
    return _mac(key, info + b"\x01")


class PushService:
    """A push service at a port of this computer."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.browsers: dict[str, PushBrowser] = {}
        self.keys: set[str] = set()

    def browser(self, *answers: int) -> PushBrowser:
        """Subscribe a new browser; its first messages get these answers, all others are taken."""
        path = f"/push/{len(self.browsers)}-{encode(os.urandom(6))}"
        self.browsers[path] = PushBrowser(self.origin + path, answers)
        return self.browsers[path]

    def receive(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Take or refuse a message; return the status."""
        browser = self.browsers.get(path)
        if browser is None:
            return 404
        claims = self._claims(headers["authorization"])
        if browser.answers:
            status = browser.answers.pop(0)
            browser.refused.put(status)
            return status
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        assert len(headers["topic"]) <= 32
        assert headers["urgency"] in ("very-low", "low", "normal", "high")
        assert len(body) <= 4096
        browser.pushed.put(Pushed(json.loads(browser.read(body)), headers, claims))
        return 201

    def _claims(self, authorization: str) -> dict[str, Any]:
        """Check the signature of a server and return what it claims."""
        kind, _, rest = authorization.partition(" ")
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert kind == "vapid"
        head, claimed, signature = fields["t"].split(".")
        assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(fields["k"]))
        raw = decode(signature)
        written = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key.verify(written, f"{head}.{claimed}".encode(), ec.ECDSA(hashes.SHA256()))
        self.keys.add(fields["k"])
        claims: dict[str, Any] = json.loads(decode(claimed))
        assert claims["aud"] == self.origin
        assert time.time() < claims["exp"] <= time.time() + 24 * 60 * 60
        return claims


@contextmanager
def run_push_service() -> Iterator[PushService]:
    """Run a push service."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status = service.receive(self.path, headers, body)
            except Exception:  # what a real service would refuse
                status = 400
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        service = PushService(listening.server_address[1])
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield service
        finally:
            listening.shutdown()
            thread.join()
