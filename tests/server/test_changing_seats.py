"""Players come, go, change seats and devices at random; every message holds what its receiver may know at that moment.

A state machine of Hypothesis drives a real server over real sockets. Each message of each viewer is compared with what
tests/server/truth.py works out from the stored entries.
"""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from websockets.exceptions import ConnectionClosed

from kemu.core.game import SPECTATOR, Seat
from kemu.core.record import Record
from kemu.play.table import Table
from kemu.server.http.routes import matches
from kemu.server.http.routes.games import replay_steps
from kemu.server.live import match, render
from kemu.server.live.match import MatchActor
from kemu.server.live.render import EntryFrames
from kemu.server.live.render import Viewer as Seen
from kemu.server.settings import Settings
from tests.server.live_server import Client, LiveServer, Socket, run_server
from tests.server.test_matches import be_away
from tests.server.truth import Truth, read_truth

pytestmark = pytest.mark.no_cover  # what it drives is measured where each message is tested

PASSWORD = "a long password"
PEOPLE = 5
PERSON = st.integers(0, PEOPLE - 1)
ANY_SEAT = st.integers(SPECTATOR, 3)
NUMBER = st.integers(0, 999)
HIDDEN = ("view", "hand", "hands", "log", "actions", "text")
"""Names that no answer about a match has; those are for sockets and studies."""


class Person(NamedTuple):
    """A player with an account, at a first device."""

    id: str
    name: str
    client: Client


class Viewer:
    """A socket of a player, with the seat that it looks through."""

    def __init__(self, person: Person, socket: Socket, seat: Seat, *, text: bool, token: str | None) -> None:
        self.person = person
        self.socket = socket
        self.seat = seat
        self.token = token
        self._text = text
        self._checked = 0

    def settle(self) -> None:
        """Receive all that was sent before now."""
        self.socket.do(do="ping")

    def check(self, truth: Truth) -> None:
        """Check all that was received since the last time."""
        for text in self.socket.received[self._checked :]:
            self.seat = truth.check_message(json.loads(text), self.person.id, self.seat, text=self._text)
        self._checked = len(self.socket.received)


class ChangingSeats(RuleBasedStateMachine):
    """One match, its rematches, and whoever looks at them."""

    def __init__(self, server: LiveServer, people: list[Person]) -> None:
        super().__init__()
        self.server = server
        self.people = people
        self.viewers: list[Viewer] = []
        self.tokens: list[tuple[Person, str, Client]] = []
        self.match = ""
        self.acts = 0
        server.parts.registry.rules._dealer._source = random.Random(1)  # the same cards for the same steps

    @property
    def path(self) -> str:
        return f"/api/matches/{self.match}"

    @initialize(
        seats=st.lists(st.sampled_from(["me", "me", "open", "open", "bot"]), min_size=2, max_size=3), fill=NUMBER
    )
    def create(self, seats: list[str], fill: int) -> None:
        """A match of three or four seats, often with all of them taken and a socket at each."""
        kinds = [{"kind": kind} | ({"bot": "random"} if kind == "bot" else {}) for kind in ("me", *seats)]
        body = {"players": len(kinds)}
        self.match = self.people[0].client.new_match(*kinds, game="mauw", options=body, public=True)["id"]
        for number in range(PEOPLE):
            if fill >> number & 1:
                self.join(number, None)
            self.open(number, SPECTATOR, bool(fill & 1), fill & 2, number)

    def settle(self) -> Truth:
        """Receive and check everything that was sent so far."""
        for viewer in self.viewers:
            viewer.settle()
        truth = read_truth(self.server, self.match)
        for viewer in self.viewers:
            viewer.check(truth)
        return truth

    # Seats.

    @rule(person=PERSON, seat=st.none() | st.integers(0, 3))
    def join(self, person: int, seat: Seat | None) -> None:
        """Take a seat, or be refused."""
        accept(self.people[person].client.request("POST", f"{self.path}/join", {} if seat is None else {"seat": seat}))
        self.settle()

    @rule(person=PERSON)
    def leave(self, person: int) -> None:
        """Leave all seats, or be refused."""
        accept(self.people[person].client.request("POST", f"{self.path}/leave", {}))
        self.settle()

    @rule(seat=st.integers(0, 3))
    def seat_bot(self, seat: Seat) -> None:
        """Put a bot on a seat, or be refused."""
        accept(self.people[0].client.request("PUT", f"{self.path}/seats/{seat}", {"bot": "random"}))
        self.settle()

    @rule(number=NUMBER)
    def replace(self, number: int) -> None:
        """A bot takes the seat of whoever is on turn and away."""
        moment = self.settle().now
        turn = moment.turn
        if turn is not None and self.viewers:
            be_away(self.server, self.match, turn)
            self.viewers[number % len(self.viewers)].socket.do(do="claim", what="bot")
            self.settle()

    # Sockets and sessions.

    @rule(person=PERSON, seat=ANY_SEAT, text=st.booleans(), way=st.integers(0, 3), token=NUMBER)
    def open(self, person: int, seat: Seat, text: bool, way: int, token: int) -> None:
        """Open a socket: by default, for a seat, or after the newest version; sometimes with a token."""
        one = self.people[person]
        client, used = one.client, None
        own = [(name, program) for owner, name, program in self.tokens if owner.id == one.id]
        if own and token % 2:
            used, client = own[token % len(own)]
        truth = read_truth(self.server, self.match)
        query, expected = f"?text={int(text)}", SPECTATOR
        if way & 1:
            query += f"&seat={seat}"
            expected = seat
        if way & 2:
            query += f"&after={truth.version}"
        socket = client.open(self.match, query)
        try:
            first = socket.receive()
        except ConnectionClosed:
            return
        if first["type"] == "refused":
            assert way & 1
            assert not truth.may_look(one.id, seat, truth.version)
            return
        if first["type"] == "resumed" and not way & 1:
            mine = [each for each, holder in enumerate(truth.now.holders) if holder == one.id]
            expected = mine[0] if mine else SPECTATOR
        self.viewers.append(Viewer(one, socket, expected, text=text, token=used))
        self.settle()

    @precondition(lambda self: len(self.viewers) > 6)
    @rule(number=NUMBER)
    def close(self, number: int) -> None:
        """Close a socket."""
        self.viewers.pop(number % len(self.viewers)).socket.close()

    @rule(number=NUMBER, seat=ANY_SEAT)
    def look(self, number: int, seat: Seat) -> None:
        """Look through another seat, or be refused."""
        if self.viewers:
            viewer = self.viewers[number % len(self.viewers)]
            answer = viewer.socket.do(do="look", seat=seat)
            truth = self.settle()
            allowed = truth.may_look(viewer.person.id, seat, truth.version)
            assert answer["type"] == ("full" if allowed else "refused")

    @rule(number=NUMBER)
    def full(self, number: int) -> None:
        """Ask for everything."""
        if self.viewers:
            self.viewers[number % len(self.viewers)].socket.do(do="full")
            self.settle()

    @rule(person=PERSON)
    def make_token(self, person: int) -> None:
        """Make a token for a program of the same player."""
        one = self.people[person]
        made = one.client.post("/api/tokens", {"label": "bot"}, 201)
        program = self.server.client({"authorization": f"Bearer {made['token']}"})
        self.tokens.append((one, made["id"], program))

    @precondition(lambda self: self.tokens)
    @rule(number=NUMBER)
    def revoke_token(self, number: int) -> None:
        """Revoke a token: its sockets end, and whatever was sent before is right."""
        owner, token, _ = self.tokens.pop(number % len(self.tokens))
        one = next(each for each in self.people if each.id == owner.id)
        one.client.ask("DELETE", f"/api/tokens/{token}", status=204)
        self._end([viewer for viewer in self.viewers if viewer.token == token])

    @rule(person=PERSON)
    def sign_in_elsewhere(self, person: int) -> None:
        """Sign in at another device, and sign out at the old one: its sockets end."""
        one, device = self.people[person], self.server.client()
        if device.request("POST", "/api/session", {"name": one.name, "password": PASSWORD}).is_success:
            one.client.ask("DELETE", "/api/session", status=204)
            self._end([viewer for viewer in self.viewers if viewer.person.id == one.id and viewer.token is None])
            self.people[person] = one._replace(client=device)

    def _end(self, ended: list[Viewer]) -> None:
        """Whatever was sent to sockets that end was right."""
        self.viewers = [viewer for viewer in self.viewers if viewer not in ended]
        truth = self.settle()
        for viewer in ended:
            with suppress(ConnectionClosed):
                viewer.settle()
            viewer.check(truth)
            viewer.socket.close()

    # Play.

    @rule(number=NUMBER, times=st.integers(1, 6))
    def act(self, number: int, times: int) -> None:
        """Whoever has a choice takes one, several times."""
        for each in range(times):
            on_turn = [viewer for viewer in self.viewers if (viewer.socket.latest or {}).get("actions")]
            if not on_turn:
                return
            socket = on_turn[number % len(on_turn)].socket
            actions = socket.latest["actions"]
            socket.act(actions[(number + 7 * each) % len(actions)], socket.latest["version"])
            self.acts += 1
            self.settle()

    @rule(number=NUMBER, what=st.sampled_from(["takeback", "draw"]))
    def offer(self, number: int, what: str) -> None:
        """Everybody offers or agrees."""
        for viewer in self.viewers[: number % 7]:
            viewer.socket.do(do="offer", what=what)
        self.settle()

    @precondition(lambda self: self.acts > 12)
    @rule(number=NUMBER)
    def resign(self, number: int) -> None:
        """Somebody gives up, all want to play again, and the sockets follow."""
        for viewer in self.viewers:
            viewer.socket.do(do="resign")
        truth = self.settle()
        if truth.now.over:
            self._check_record(truth)
            for viewer in self.viewers:
                viewer.socket.do(do="offer", what="rematch")
            self.settle()
            following = self.people[0].client.get(self.path)["next"]
            if following is not None:
                self.match, self.acts = following, 0
                for viewer in self.viewers:
                    viewer.socket.do(do="follow", match=following)
                self.settle()

    def _check_record(self, truth: Truth) -> None:
        record = Record.decode(self.people[0].client.get(f"{self.path}/record"))
        assert list(record.actions) == [truth.rules.format(action) for *_, action in truth.now.past]

    # Requests.

    @rule(person=PERSON, seat=ANY_SEAT, text=st.booleans())
    def replay(self, person: int, seat: Seat, text: bool) -> None:
        """Look at the match again, through a seat and as a spectator."""
        one = self.people[person]
        for each in (SPECTATOR, seat):
            answer = one.client.request("GET", f"{self.path}/replay?seat={each}&text={text}")
            truth = self.settle()
            if truth.now.over:
                assert answer.is_success == (each == SPECTATOR or 0 <= each < len(truth.now.holders))
            elif truth.may_look(one.id, each, truth.version):
                truth.check_study(answer.json()["steps"], each, text=text)
            else:
                assert answer.json()["code"] in ("not-yours", "bad-option")

    @rule(person=PERSON, what=st.sampled_from(["hint", "threats"]))
    def ask(self, person: int, what: str) -> None:
        """Ask for help: only on one's own turn against bots, and for one's own choices."""
        one = self.people[person]
        before = read_truth(self.server, self.match)
        answer = one.client.request("POST" if what == "hint" else "GET", f"{self.path}/{what}")
        turn = before.now.turn
        if turn is None or before.now.holders[turn] != one.id:
            assert answer.json()["code"] == "no-hints"
        elif answer.is_success and what == "hint":
            assert answer.json().keys() == {"action", "reason"}
            assert answer.json()["action"] in map(before.rules.format, before.rules.actions(before.now.state))
        elif answer.is_success:
            assert answer.json() == {"wins": [], "stops": [], "threats": []}
        self.settle()

    @rule(person=PERSON)
    def list(self, person: int) -> None:
        """What HTTP says of a match has nothing but what a spectator sees, and no record before its end."""
        one = self.people[person]
        answers = [one.client.request("GET", path).json() for path in (self.path, f"/api/players/{one.id}")]
        for show in ("mine", "live", "lobby", "finished"):
            for row in one.client.request("GET", f"/api/matches?show={show}&limit=3").json():
                if "view" in row:
                    read_truth(self.server, row["id"]).check_listed(row.pop("view"))
                answers.append(row)
        assert not [answer for answer in answers if any(f'"{name}"' in json.dumps(answer) for name in HIDDEN)]
        record = one.client.request("GET", f"{self.path}/record")
        assert record.is_success == self.settle().now.over

    def teardown(self) -> None:
        """Close everything."""
        for viewer in self.viewers:
            viewer.socket.close()
        for owner, token, _ in self.tokens:
            one = next(each for each in self.people if each.id == owner.id)
            one.client.ask("DELETE", f"/api/tokens/{token}", status=204)


def accept(answer: httpx.Response) -> None:
    """Whatever is asked is done or refused."""
    assert answer.is_success or answer.json()["code"], answer.text


SETTINGS = settings(
    max_examples=15,
    stateful_step_count=20,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # whatever is found has a full list of steps; shrinking it would take minutes
)


@pytest.fixture(scope="module")
def live() -> Iterator[LiveServer]:
    """A server of its own, so that no other test waits for the dealer."""
    unlimited = Settings(
        "memory",
        bots="tests.server.broken_bots",
        requests_per_second=10**6,
        messages_per_second=10**5,
        address_messages_per_second=10**6,
        matches_per_guest=10**5,
        sockets_per_player=1000,
    )
    with run_server(unlimited) as live:
        yield live


@pytest.fixture(scope="module")
def people(live: LiveServer) -> list[Person]:
    """Some accounts."""
    made = []
    for number in range(PEOPLE):
        client = live.guest()
        client.post("/api/account", {"name": f"P{number}", "password": PASSWORD}, 201)
        made.append(Person(client.me["id"], f"P{number}", client))
    return made


def drive(live: LiveServer, people: list[Person]) -> None:
    """Run the state machine; raises what it finds."""
    machine: Any = partial(ChangingSeats, live, people)
    run_state_machine_as_test(machine, settings=SETTINGS)


def test_every_message_holds_what_its_receiver_may_know_at_that_moment(live: LiveServer, people: list[Person]) -> None:
    drive(live, people)


def keep_seats(patch: pytest.MonkeyPatch) -> None:
    """A socket keeps the seat it was opened for, whoever holds it now."""
    patch.setattr(match, "valid_seat", lambda table, player, seat: seat)


def open_any_seat(patch: pytest.MonkeyPatch) -> None:
    """A socket is opened for any seat."""
    patch.setattr(MatchActor, "seat_for", lambda self, player, wanted: SPECTATOR if wanted is None else wanted)
    keep_seats(patch)


def show_choices(patch: pytest.MonkeyPatch) -> None:
    """Everybody is sent the choices of the seat on turn."""
    choices = render._actions
    patch.setattr(
        render, "_actions", lambda table, seat: choices(table, SPECTATOR if table.turn is None else table.turn)
    )


def share_frames(patch: pytest.MonkeyPatch) -> None:
    """Everybody is sent the frame that was made first."""
    content = EntryFrames._content
    patch.setattr(EntryFrames, "_content", lambda self, seat: content(self, next(iter(self._contents), seat)))


def draw_other_views(patch: pytest.MonkeyPatch) -> None:
    """The text is drawn for the seat on turn."""
    draw = render._text

    def drawn(table: Table, viewer: Seen, view: Any) -> Any:
        other = viewer if table.turn is None else viewer._replace(seat=table.turn)
        return draw(table, other, table.game.view(table.state, other.seat))

    patch.setattr(render, "_text", drawn)


def study_choices(patch: pytest.MonkeyPatch) -> None:
    """The replay of a running match shows the choices of all."""
    shown: Any = replay_steps
    patch.setattr(
        matches, "replay_steps", lambda game, at, actions, how: shown(game, at, actions, how._replace(running=False))
    )


def log_everything(patch: pytest.MonkeyPatch) -> None:
    """The log of a full frame is that of the first seat."""
    log = Table.log
    patch.setattr(Table, "log", lambda self, seat, start=0: log(self, 0, start))


@pytest.mark.parametrize(
    "leak", [keep_seats, open_any_seat, show_choices, share_frames, draw_other_views, study_choices, log_everything]
)
def test_a_planted_leak_is_found(
    live: LiveServer, people: list[Person], monkeypatch: pytest.MonkeyPatch, leak: Callable[[pytest.MonkeyPatch], None]
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        drive(live, people)
