"""Push messages: encrypted for one browser, signed, one for each subject until it is seen, to public addresses only."""

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec.structs import replace

from kemu.core.errors import OptionError, ParseError
from kemu.people.notices import Notice
from kemu.server.outbound.push import push_message
from kemu.server.outbound.requests import CheckedConnection, check_address, is_public
from kemu.server.outbound.web_push import Signer, check_keys, decode, encode, encrypt, new_signing_key
from kemu.storage.push import MOST_SUBSCRIPTIONS, Subscription
from tests.server.live_server import Client, LiveServer, generous, run_server
from tests.server.push_service import CURVE, PushBrowser, PushService, decrypt, run_push_service
from tests.server.test_fair_play import account

TURN = Notice(kind="your-turn", about="m1", game="mu-torere", names=("Tama",))


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with run_push_service() as running:
        yield running


@pytest.fixture(scope="module")
def pushing() -> Iterator[LiveServer]:
    """A server whose push services may be on this computer."""
    settings = replace(generous("memory"), private_services=True, contact="mailto:operator@example.org")
    with run_server(settings) as running:
        yield running


def subscribed(player: Client, service: PushService, *answers: int, language: str = "en") -> PushBrowser:
    browser = service.browser(*answers)
    player.post("/api/push/subscription", {**browser.subscription, "language": language}, 204)
    return browser


def tell(server: LiveServer, player: Client, notice: Notice) -> None:
    server.call(lambda: server.parts.notices.tell(player.me["id"], notice))


def subscriptions(server: LiveServer, player: Client) -> list[Subscription]:
    return server.run(server.parts.runtime.store.push.subscriptions(player.me["id"]))


def test_the_example_of_the_standard_is_read_as_the_standard_says() -> None:
    number = int.from_bytes(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    key = ec.derive_private_key(number, CURVE)
    read = decrypt(decode(body), key, decode("BTBZMqHH6r4Tts7J_aSIgg"))
    assert read == b"When I grow up, I want to be a watermelon"


@pytest.mark.parametrize("length", [0, 1, 3993])
def test_what_is_encrypted_is_read_by_the_browser_alone(length: int) -> None:
    browser, other = PushBrowser("https://push.example/1", ()), PushBrowser("https://push.example/2", ())
    keys = browser.subscription["keys"]
    body = encrypt(b"k" * length, **keys)
    assert browser.read(body) == b"k" * length
    assert body != encrypt(b"k" * length, **keys)
    assert len(body) <= 4096
    with pytest.raises(InvalidTag):
        other.read(body)
    with pytest.raises(ValueError, match="at most"):
        encrypt(b"k" * 3994, **keys)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [("", ""), ("not base64url!", "BTBZMqHH6r4Tts7J_aSIgg"), (encode(b"\x04" + b"\x01" * 64), encode(b"a" * 16))],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(ParseError):
        check_keys(p256dh, auth)
    with pytest.raises(ParseError, match="16 bytes"):
        check_keys(PushBrowser("", ()).subscription["keys"]["p256dh"], encode(b"a" * 15))


def test_a_notice_is_pushed_to_every_browser_of_its_player_in_its_language(
    pushing: LiveServer, service: PushService
) -> None:
    hine, tama = pushing.guest("Hine"), pushing.guest("Tama")
    english, german = subscribed(hine, service), subscribed(hine, service, language="de")
    other = subscribed(tama, service)
    tell(pushing, hine, TURN)
    pushed = english.next()
    assert pushed.message == {
        "title": "Kemu", "body": "Your turn against Tama in Mū tōrere.", "page": "/match/m1", "tag": "m1",
    }  # fmt: skip
    assert pushed.claims["sub"] == "mailto:operator@example.org"
    assert (pushed.headers["ttl"], pushed.headers["urgency"]) == ("259200", "high")
    assert german.next().message["body"] == "Du bist am Zug gegen Tama (Mū tōrere)."
    tell(pushing, tama, Notice(kind="finished", about="m2", game="mauw", names=("Hine",), result="won"))
    assert other.next().message["body"] == "You beat Hine in MAUW."
    assert service.keys == {hine.get("/api/push")["key"]}


def test_one_message_comes_for_a_match_until_it_is_seen(pushing: LiveServer, service: PushService) -> None:
    hine = pushing.guest("Hine")
    browser = subscribed(hine, service)
    for notice in (TURN, TURN, Notice(kind="challenge", about="c1", names=("Tama",))):
        tell(pushing, hine, notice)
    assert {browser.next().message["tag"] for _ in range(2)} == {"m1", "c1"}
    hine.post("/api/notices/seen", {"about": "m1"}, 204)
    tell(pushing, hine, TURN)
    assert browser.next().message["tag"] == "m1"
    assert browser.pushed.empty()


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(pushing: LiveServer, service: PushService, status: int) -> None:
    hine = pushing.guest("Hine")
    gone, there = subscribed(hine, service, status), subscribed(hine, service)
    tell(pushing, hine, TURN)
    there.next()
    assert gone.refused.get(timeout=60) == status
    tell(pushing, hine, Notice(kind="challenge", about="c1", names=("Tama",)))
    there.next()
    while [row.endpoint for row in subscriptions(pushing, hine)] != [there.endpoint]:
        pass  # it is forgotten once the answer has been read


def test_a_busy_service_is_asked_again_and_one_that_refuses_is_not(pushing: LiveServer, service: PushService) -> None:
    hine = pushing.guest("Hine")
    busy, refusing = subscribed(hine, service, 429, 429), subscribed(hine, service, 400)
    tell(pushing, hine, TURN)
    assert busy.next().message["tag"] == "m1"
    assert refusing.refused.get(timeout=60) == 400
    assert len(subscriptions(pushing, hine)) == 2
    assert refusing.pushed.empty()


def test_a_subscription_belongs_to_whoever_made_it_last_and_ends_when_they_say(
    pushing: LiveServer, service: PushService
) -> None:
    hine, tama = pushing.guest("Hine"), pushing.guest("Tama")
    browser = subscribed(hine, service)
    tama.post("/api/push/subscription", browser.subscription, 204)
    assert subscriptions(pushing, hine) == []
    hine.ask("DELETE", "/api/push/subscription", {"endpoint": browser.endpoint}, 204)
    assert len(subscriptions(pushing, tama)) == 1
    tama.ask("DELETE", "/api/push/subscription", {"endpoint": browser.endpoint}, 204)
    assert subscriptions(pushing, tama) == []


def test_of_too_many_subscriptions_the_oldest_end(pushing: LiveServer, service: PushService) -> None:
    hine = pushing.guest("Hine")
    made = [subscribed(hine, service) for _ in range(MOST_SUBSCRIPTIONS + 2)]
    kept = {row.endpoint for row in subscriptions(pushing, hine)}
    assert len(kept) == MOST_SUBSCRIPTIONS
    assert made[-1].endpoint in kept


REFUSED = [
    *("http://push.example.org/1", "ftp://push.example.org/1", "push.example.org", "https://", "https://localhost/1"),
    *(
        "https://127.0.0.1/1",
        "https://10.1.2.3/1",
        "https://169.254.169.254/latest",
        "https://[::1]/1",
        "https://[fd00::1]/",
    ),
    *("https://[::ffff:10.0.0.1]/", "https://[64:ff9b::a00:1]/", "https://[2002:a00:1::]/", "https://push/1"),
    *("https://user:word@push.example.org/", "https://push.example.org:8443/", "https://push.example.org:x/"),
    *("https://push.exämple.org/", "https://push.example.org/a b", "https://push.example.org/" + "a" * 2000),
]


@pytest.mark.parametrize("endpoint", REFUSED)
def test_an_endpoint_that_is_not_on_the_public_internet_is_refused(server: LiveServer, endpoint: str) -> None:
    body = {**PushBrowser(endpoint, ()).subscription}
    refusal = server.guest("Hine").post("/api/push/subscription", body, 400)
    assert refusal["code"] in ("bad-option", "parse-error")


def test_a_name_that_leads_home_is_not_asked() -> None:
    with pytest.raises(OptionError):
        check_address("https://localhost/", anywhere=False)
    with pytest.raises(OSError, match="private"):
        CheckedConnection(urlsplit("https://localhost/"), anywhere=False).connect()


@pytest.mark.parametrize(
    ("number", "public"),
    [("8.8.8.8", True), ("2606:4700::1111", True), ("192.168.1.1", False), ("0.0.0.0", False), ("224.0.0.1", False)],
)
def test_private_numbers_are_told_from_public_ones(number: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(number)) is public


def test_no_token_can_subscribe(pushing: LiveServer, service: PushService) -> None:
    hine = account(pushing, "Hine of the tokens")
    token = hine.post("/api/tokens", {"label": "bot", "scope": "play"}, 201)["token"]
    bot = pushing.client({"Authorization": f"Bearer {token}"})
    refusal = bot.post("/api/push/subscription", service.browser().subscription, 403)
    assert refusal["code"] == "token-scope"


def test_the_message_depends_on_the_notice_alone() -> None:
    message = push_message(replace(TURN, names=("Guest 1234", "3", "Ana")), "fr")
    assert message.body == "C’est à vous de jouer contre Invité 1234, Niveau 3 et Ana (Mū tōrere)."
    rated = Notice(kind="finished", about="m", game="mauw", names=("Ana",), result="lost", rating=1488, change=-12)
    assert push_message(rated, "de").body == (
        "Du hast gegen Ana verloren (MAUW). Deine Wertungszahl ist jetzt 1488 (−12)."
    )
    over = Notice(kind="tournament", about="t", names=("Uira",), step="over")
    assert push_message(over, "en").body == "Uira is over. See the standings."
    assert push_message(replace(TURN, game="gone"), "xx").body == "Your turn against Tama in ."


def test_a_server_without_a_contact_claims_none() -> None:
    header = Signer(new_signing_key(), "").authorization("https://push.example.org/1", 1)
    claims = decode(header.split(".")[1])
    assert b'"sub"' not in claims
    assert b'"aud":"https://push.example.org"' in claims
