"""Web Push: a message encrypted for one browser (RFC 8291) and signed by this server (VAPID, RFC 8292); pure."""

import base64
import hashlib
import hmac
import json
import os
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kemu.core.errors import ParseError

MOST_BYTES: Final = 3993
"""The longest message: a push service takes bodies of 4096 bytes."""

TOKEN_SECONDS: Final = 12 * 60 * 60
"""How long a signature is valid; a push service refuses those of more than a day."""

_RECORD_BYTES: Final = 4096
_POINT_BYTES: Final = 65
_AUTH_BYTES: Final = 16
_LAST_RECORD: Final = b"\x02"

_CURVE: Final = ec.SECP256R1()


def encode(data: bytes) -> str:
    """Return bytes in base64url without padding, as all of Web Push writes them."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return the bytes of a text in base64url, with or without padding. Raises ParseError."""
    try:
        return base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise ParseError("A key of a subscription is not base64url.") from None


def check_keys(p256dh: str, auth: str) -> None:
    """Raise ParseError unless these are keys of a browser: a point of the curve and sixteen bytes."""
    _browser_key(decode(p256dh))
    if len(decode(auth)) != _AUTH_BYTES:
        raise ParseError(f"The secret of a subscription has {_AUTH_BYTES} bytes.")


def new_signing_key() -> str:
    """Return a new private key to sign with, as text to be kept."""
    number = ec.generate_private_key(_CURVE).private_numbers().private_value
    return encode(number.to_bytes(32, "big"))


class Signer:
    """Signs messages for push services with the key of the server."""

    def __init__(self, private_key: str, contact: str) -> None:
        self._key = ec.derive_private_key(int.from_bytes(decode(private_key), "big"), _CURVE)
        self._contact = contact
        self.public_key: Final = encode(_point(self._key.public_key()))

    def authorization(self, endpoint: str, now_seconds: int) -> str:
        """Return the header that says to the service of an endpoint who sends, for a limited time."""
        address = urlsplit(endpoint)
        claims: dict[str, object] = {
            "aud": f"{address.scheme}://{address.netloc}",
            "exp": now_seconds + TOKEN_SECONDS,
        }
        if self._contact:
            claims["sub"] = self._contact
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        signed = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
        r, s = utils.decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """Return the body that only the browser with these keys can read. Raises ParseError for wrong keys."""
    if len(message) > MOST_BYTES:
        raise ValueError(f"A push message has at most {MOST_BYTES} bytes.")
    browser, secret = decode(p256dh), decode(auth)
    once = ec.generate_private_key(_CURVE)
    sender = _point(once.public_key())
    shared = once.exchange(ec.ECDH(), _browser_key(browser))
    material = _derive(secret, shared, b"WebPush: info\0" + browser + sender, 32)
    salt = os.urandom(16)
    key = _derive(salt, material, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, material, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([_POINT_BYTES]) + sender
    return head + AESGCM(key).encrypt(nonce, message + _LAST_RECORD, None)


def _derive(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    """Return HKDF with SHA-256 (RFC 5869) for at most one block."""
    extracted = hmac.digest(salt, material, hashlib.sha256)
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)[:length]


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _browser_key(point: bytes) -> ec.EllipticCurvePublicKey:
    try:
        if len(point) != _POINT_BYTES:
            raise ValueError
        return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
    except ValueError:
        raise ParseError("The key of a subscription is not a point of the curve P-256.") from None
