"""Who can open a link to a server, as its pages are told."""

from ipaddress import ip_address

import pytest
from msgspec.structs import replace

from kemu.server.http.routes import operation
from tests.server.live_server import generous, run_server

LAN = "192.168.1.20"


def answer(listens: str, host: str = "localhost:8000", path: str = "/api/reach") -> object:
    """What a server that listens there answers to a page that came by a host."""
    with run_server(replace(generous("memory"), listens=listens, hosts="play.example.org")) as server:
        return server.client({"host": host}).get(path)


@pytest.mark.parametrize("listens", ["127.0.0.1:8000", "localhost:8000", "::1:8000"])
def test_a_server_on_loopback_is_reached_by_this_computer_only(listens: str) -> None:
    assert answer(listens) == {"local_only": True, "addresses": []}


def test_a_server_for_the_network_gives_its_address_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "_network_address", lambda: LAN)
    assert answer("0.0.0.0:8123") == {"local_only": False, "addresses": [f"http://{LAN}:8123"]}
    assert answer("10.0.0.7:8000", "127.0.0.1:8000") == {"local_only": False, "addresses": ["http://10.0.0.7:8000"]}
    assert answer("fd00::7:8000", "[::1]:8000") == {"local_only": False, "addresses": ["http://[fd00::7]:8000"]}


@pytest.mark.parametrize("host", ["play.example.org", f"{LAN}:8000"])
def test_addresses_of_the_network_are_told_to_pages_of_this_computer_only(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(operation, "_network_address", lambda: LAN)
    assert answer("0.0.0.0:8000", host) == {"local_only": False, "addresses": []}
    assert answer("127.0.0.1:8000", host) == {"local_only": False, "addresses": []}, "a proxy passes it on"


def test_a_server_that_was_not_told_where_it_listens_says_nothing() -> None:
    assert answer("") == {"local_only": False, "addresses": []}


def test_the_address_in_the_network_is_one_of_this_computer() -> None:
    found = operation._network_address()
    assert found is None or not ip_address(found).is_loopback


def test_without_a_network_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "_OUTSIDE", ("127.0.0.1", 9))
    assert operation._network_address() is None
    monkeypatch.setattr(operation, "_OUTSIDE", ("not an address", 9))
    assert operation._network_address() is None
    assert answer("0.0.0.0:8000") == {"local_only": False, "addresses": []}
