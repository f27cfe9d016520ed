"""No frame, answer or log line of a running MAUW match holds what its receiver may not know.

Everything that each seat and a spectator is sent is recorded; afterwards, when the record is known, each frame is
compared with what the same viewer would have been sent in a twin: a match that differs only in cards hidden from them.
"""

import json
import logging
import random
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.core.game import SPECTATOR, Seat
from kemu.core.record import Record, replay
from kemu.games.mauw.rules import Mauw
from kemu.server.run import JsonFormatter
from tests.games.mauw.twins import looks_like, twin, twin_before
from tests.server.live_server import Client, LiveServer, Socket
from tests.server.study_routes import DRAWN, KEYED, PREFIXES, UNKEYED, ask, drawn_puzzles, is_shipped
from tests.server.test_matches import be_away
from tests.server.truth import read_truth

SHARED = {"type", "version", "now", "turn", "outcome", "re", "offers", "clock"}
EVENT_FIELDS = SHARED | {"events", "view", "actions", "match"}
"""Fields of an event frame; those in SHARED are the same for everybody, and `match` but for `mine`."""

OTHERS = {
    "presence": {"type", "seats", "watching"},
    "done": {"type", "re", "version"},
    "resumed": {"type", "version", "now", "clock"},
}
"""Fields of other messages; none of them knows of cards."""


class Witness:
    """Checks what one viewer was sent against the states at that time."""

    def __init__(self, rules: Mauw, record: Record, seat: Seat, seed: int) -> None:
        self._rules = rules
        self._seat = seat
        self._shuffle = random.Random(seed).shuffle
        self._states = list(replay(rules, record.actions))
        self._actions = [rules.parse(text) for text in record.actions]

    def check_frame(self, frame: Any, before: int) -> int:
        """An event frame that begins after so many plies; gives how many there are after it."""
        assert frame.keys() <= EVENT_FIELDS
        ply = before
        for event in frame["events"]:
            if event["event"] == "acted":
                assert event.keys() == {"event", "seat", "line"}
                self._check_line(event["line"], ply)
                ply += 1
        self.check_standing(frame, ply)
        return ply

    def check_standing(self, frame: Any, ply: int) -> None:
        """View and choices are those of a twin."""
        state = self._states[ply]
        other = twin(state, self._seat, self._shuffle)
        assert frame["view"] == self._rules.view(other, self._seat)
        on_turn = self._rules.turn(state) == self._seat and not frame.get("outcome")
        assert ("actions" in frame) == on_turn
        if on_turn:
            assert frame["actions"] == [self._rules.format(action) for action in self._rules.actions(other)]

    def check_log(self, log: Any, ply: int) -> None:
        """The lines of a full frame are those of twins."""
        assert len(log) == ply
        for number, (_, line) in enumerate(log):
            self._check_line(line, number)

    def check_study(self, steps: Any) -> None:
        """Every step of a running match that is looked at again is that of a twin."""
        for ply, step in enumerate(steps):
            state = self._states[ply]
            other = twin(state, self._seat, self._shuffle)
            assert step["view"] == self._rules.view(other, self._seat)
            on_turn = self._rules.turn(state) == self._seat
            choices = self._rules.actions(other) if on_turn else ()
            assert step["actions"] == [self._rules.format(action) for action in choices]
            if ply:
                self._check_line(step["line"], ply - 1)

    def check_listed(self, text: str, match: str) -> str:
        """An answer over HTTP without what lists show of this match, which is what a spectator saw at some time."""
        answer = json.loads(text)
        if not isinstance(answer, list):
            return text
        rows = [row for row in answer if row["id"] == match]
        views = [self._rules.view(twin(state, self._seat, self._shuffle), self._seat) for state in self._states]
        assert all(row.pop("view", views[0]) in views for row in rows)
        return json.dumps(rows)

    def _check_line(self, line: str, ply: int) -> None:
        state, action = self._states[ply], self._actions[ply]
        other = twin_before(self._rules, state, action, self._seat, self._shuffle)
        alike = looks_like(self._rules, state, action, other, self._seat)
        assert line == self._rules.seen(other, alike, self._seat)


def play(sockets: list[Socket], rounds: int, seed: int) -> None:
    """Random actions by whoever is on turn."""
    source = random.Random(seed)
    for _ in range(rounds):
        mover = next(socket for socket in sockets if "actions" in socket.latest)
        answer = mover.act(source.choice(mover.latest["actions"]), mover.latest["version"])
        for socket in sockets:
            if socket is not mover:
                socket.until(type="event", version=answer["version"])
        if answer.get("outcome"):
            return


class Evidence(NamedTuple):
    """Everything that was sent and logged while a match was running, and the whole truth afterwards."""

    match: str
    record: Record
    frames: dict[Seat, list[str]]  # what each socket received
    studies: dict[Seat, Any]  # the match looked at again while it was running
    answers: list[str]  # other answers over HTTP
    independent: tuple[list[str], list[str]]  # answers that name no match, before the deal and while it was running
    puzzles: list[tuple[str, Any]]  # ids and views of puzzles that were given meanwhile
    lines: list[str]  # of the log
    names: list[str]  # that no log line may hold: ids, cookies


def gather(server: LiveServer, caplog: pytest.LogCaptureFixture, players: int, seed: int) -> Evidence:
    """Play a match at random and keep everything."""
    caplog.set_level(logging.DEBUG, logger="kemu")
    host = server.guest("P0")
    seats = ["me", *["open"] * (players - 1)]
    before = ask(host, UNKEYED)
    match = host.new_match(*seats, game="mauw", options={"players": players}, public=True)["id"]
    others = [server.guest(f"P{number}") for number in range(1, players)]
    for client in others:
        client.post(f"/api/matches/{match}/join", {})
    sockets = [client.open(match) for client in (host, *others)]
    watcher = server.guest("Watcher").open(match)
    for socket in (*sockets, watcher):
        socket.until(type="full")
    play(sockets, 60, seed)
    answers, independent, puzzles = answers_of(host, match), (before, ask(host, UNKEYED)), drawn_puzzles(host)
    studies = {seat: host.get(f"/api/matches/{match}/replay?seat={seat}") for seat in (0, SPECTATOR)}
    refused = others[0].request("GET", f"/api/matches/{match}/study?seat=0")
    assert json.loads(refused.text)["code"] == "not-yours"
    for socket in (*sockets, watcher):
        socket.do(do="full")
    if not sockets[0].latest.get("outcome"):
        for socket in sockets:
            socket.do(do="offer", what="draw")
    last = max(socket.latest["version"] for socket in sockets)
    while watcher.latest["version"] < last:
        watcher.until(type="event")
    record = Record.decode(host.get(f"/api/matches/{match}/record"))
    frames = {seat: socket.received for seat, socket in (*enumerate(sockets), (SPECTATOR, watcher))}
    people = (host, *others)
    names = [match, *(client.me["id"] for client in people), *(client.http.cookies["kemu"] for client in people)]
    lines = [JsonFormatter().format(entry) for entry in caplog.records if entry.name.startswith("kemu")]
    return Evidence(match, record, frames, studies, answers, independent, puzzles, lines, names)


def check(evidence: Evidence, seed: int) -> None:
    """Nothing holds what its receiver may not know."""
    rules = Mauw(**evidence.record.options)
    for seat, received in evidence.frames.items():
        check_frames(Witness(rules, evidence.record, seat, seed), received)
    for seat, study in evidence.studies.items():
        Witness(rules, evidence.record, seat, seed + 2).check_study(study["steps"])
    hidden = ("log", "hands", "hand", "view", "actions")
    spectator = Witness(rules, evidence.record, SPECTATOR, seed + 3)
    answers = [spectator.check_listed(text, evidence.match) for text in evidence.answers]
    assert not [text for text in answers if any(f'"{name}"' in text for name in hidden)]
    assert evidence.independent[0] == evidence.independent[1]
    assert all(is_shipped(*puzzle) for puzzle in evidence.puzzles)
    cards = [text for text in evidence.record.actions if len(text) > 1]
    assert not [line for line in evidence.lines if any(secret in line for secret in (*evidence.names, *cards))]


def check_frames(witness: Witness, received: list[str]) -> None:
    """Everything that one socket received."""
    ply = 0
    for text in received:
        frame = json.loads(text)
        if frame["type"] == "full":
            ply = len(frame.get("log", []))
            witness.check_log(frame.get("log", []), ply)
            witness.check_standing(frame, ply)
        elif frame["type"] == "event":
            ply = witness.check_frame(frame, ply)
        else:
            assert frame.keys() <= OTHERS[frame["type"]]


@pytest.mark.no_cover
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (6, 3)])
def test_everything_sent_could_have_been_sent_in_a_match_with_other_hidden_cards(
    server: LiveServer, caplog: pytest.LogCaptureFixture, players: int, seed: int
) -> None:
    check(gather(server, caplog, players, seed), seed)


@pytest.mark.no_cover
def test_a_planted_leak_of_any_kind_is_found(server: LiveServer, caplog: pytest.LogCaptureFixture) -> None:
    evidence = gather(server, caplog, 2, 4)
    check(evidence, 4)
    assert [name for name, leak in planted(evidence).items() if passes(leak)] == []


def passes(evidence: Evidence) -> bool:
    """Whether the check finds nothing."""
    try:
        check(evidence, 4)
    except AssertionError:
        return False
    return True


def planted(evidence: Evidence) -> dict[str, Evidence]:
    """The same evidence with one thing too many, by what it is."""
    rules = Mauw(**evidence.record.options)
    states = list(replay(rules, evidence.record.actions))
    received = evidence.frames[1]
    number = next(n for n, text in enumerate(received) if '"event"' in text and json.loads(text)["turn"] == 0)
    frame = json.loads(received[number])
    full = next(n for n, text in enumerate(received) if json.loads(text)["type"] == "full")
    start = json.loads(received[full])
    state = states[len(start["log"])]
    drawn = next(n for n, (_, line) in enumerate(start["log"]) if line != evidence.record.actions[n])
    leaked = [list(entry) for entry in start["log"]]
    leaked[drawn][1] = evidence.record.actions[drawn]
    steps = evidence.studies[0]["steps"]
    turn = next(n for n, step in enumerate(steps) if step["turn"] == 1)
    choices = [rules.format(action) for action in rules.actions(states[turn])]
    looked = [*steps[:turn], steps[turn] | {"actions": choices}, *steps[turn + 1 :]]

    def frames(place: int, **changes: Any) -> Evidence:
        text = json.dumps(json.loads(received[place]) | changes)
        return evidence._replace(frames=evidence.frames | {1: [*received[:place], text, *received[place + 1 :]]})

    return {
        "the view of another seat": frames(full, view=rules.view(state, 0)),
        "a hand beside the view": frames(number, hand=rules.view(state, 0)),
        "a hand inside the view": frames(number, view=frame["view"] | {"secret": rules.view(state, 0)}),
        "a card drawn by another": frames(full, log=leaked),
        "the choices of another": frames(number, actions=choices),
        "a hand with the presence": evidence._replace(frames={1: [*received, '{"type":"presence","hand":[]}']}),
        "the choices of another in a study": evidence._replace(studies={0: evidence.studies[0] | {"steps": looked}}),
        "a view in an answer": evidence._replace(answers=[*evidence.answers, '{"id":"x","view":{}}']),
        "the view of a seat in a list": evidence._replace(
            answers=[*evidence.answers, json.dumps([{"id": evidence.match, "view": rules.view(state, 0)}])]
        ),
        "an answer that depends on the match": evidence._replace(independent=(["a"], ["b"])),
        "the view of a seat as a puzzle": evidence._replace(puzzles=[(evidence.puzzles[0][0], rules.view(state, 0))]),
        "a private match in the log": evidence._replace(lines=[*evidence.lines, f"opened {evidence.match}"]),
    }


def answers_of(client: Client, match: str) -> list[str]:
    """All that HTTP says of a running match, but for the study of it through one's own eyes."""
    paths = [f"/api/matches/{match}{rest}" for rest in ("", "/record")]
    lists = [f"/api/matches?show={show}" for show in ("mine", "live", "lobby", "finished")]
    keyed = [text.partition(" ")[2] for text in ask(client, KEYED, match)]
    return [client.request("GET", path).text for path in paths + lists] + keyed


def test_every_route_of_study_is_asked_in_a_running_match(server: LiveServer) -> None:
    paths = server.client().get("/schema/openapi.json")["paths"]
    known = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    asked = {(method, path.partition("?")[0]) for method, path in (*KEYED, *UNKEYED, *DRAWN)}
    assert asked <= known
    assert [each for each in known - asked if each[1].startswith(PREFIXES)] == []


def test_sockets_of_study_know_no_match(server: LiveServer) -> None:
    hine = server.guest("Hine")
    match = hine.new_match("me", {"kind": "me", "name": "Ben"}, game="mauw", options={"players": 2})["id"]
    with pytest.raises(ConnectionClosed):
        hine.open_path(f"/api/studies/{match}/socket?after=0").read_to_end()
    board = hine.open_path("/api/analysis/socket")
    for task in ("analyse", "refute"):
        assert board.do(do=task, game="mauw", match=match)["code"] == "parse-error"
        assert board.do(do=task, game=match)["code"] == "unknown-game"


def test_a_refused_action_tells_others_nothing_and_its_sender_only_of_the_own_hand(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    match = hine.new_match("me", "open", game="mauw", options={"players": 2})["id"]
    tama.post(f"/api/matches/{match}/join", {})
    first, second = hine.open(match), tama.open(match)
    version = first.until(type="full")["version"]
    second.until(type="full")
    refusals = {second.act(f"{card}>2A", version)["message"] for card in "12345678sm"}
    assert refusals == {"It is another seat's turn."}
    before = len(second.received)
    assert {first.act(f"{card}>9Z", version)["type"] for card in "12345678sm"} == {"refused"}
    second.do(do="ping")
    assert len(second.received) == before + 1


class Eye(NamedTuple):
    """A socket of a client, at a match of MAUW."""

    client: Client
    socket: Socket
    text: bool


def watch(client: Client, match: str, *, text: bool = True, query: str = "") -> Eye:
    """A socket that has received its first message."""
    eye = Eye(client, client.open(match, f"?text={int(text)}{query}"), text)
    eye.socket.receive()
    return eye


def check_eyes(server: LiveServer, match: str, *eyes: Eye, seat: Seat = SPECTATOR) -> list[Seat]:
    """All that the sockets received is theirs to know; gives the seat that each looks through now.

    `seat` is the seat that a socket is known to look through before its first full frame.
    """
    for eye in eyes:
        eye.socket.do(do="ping")
    truth, seats = read_truth(server, match), []
    for eye in eyes:
        now = seat
        for text in eye.socket.received:
            now = truth.check_message(json.loads(text), eye.client.me["id"], now, text=eye.text)
        seats.append(now)
    return seats


def three(server: LiveServer, *seats: str) -> tuple[Client, Client, Client, str]:
    """Three people, the first of whom has made a match for three."""
    people = [server.guest(name) for name in ("Hine", "Tama", "Ana")]
    match = people[0].new_match(*(seats or ("me", "open", "open")), game="mauw", options={"players": 3})["id"]
    return *people, match


def join(client: Client, match: str, seat: Seat) -> None:
    client.post(f"/api/matches/{match}/join", {"seat": seat})


def test_an_old_socket_does_not_show_the_seat_that_somebody_else_took(server: LiveServer) -> None:
    hine, tama, ana, match = three(server)
    join(tama, match, 1)
    old = watch(tama, match)
    tama.post(f"/api/matches/{match}/leave", {})
    join(tama, match, 2)
    join(ana, match, 1)
    eyes = [old, watch(tama, match), watch(ana, match), watch(hine, match, query="&seat=0")]
    assert check_eyes(server, match, *eyes) == [2, 2, 1, 0]
    mover = eyes[-1].socket
    mover.act(mover.latest["actions"][0], mover.latest["version"])
    assert old.socket.do(do="look", seat=1)["code"] == "not-yours"
    assert tama.get(f"/api/matches/{match}/study?seat=1", 403)["code"] == "not-yours"
    assert check_eyes(server, match, *eyes) == [2, 2, 1, 0]


def test_who_left_and_did_not_come_back_only_watches(server: LiveServer) -> None:
    _, tama, ana, match = three(server)
    join(tama, match, 1)
    eye = watch(tama, match)
    tama.post(f"/api/matches/{match}/leave", {})
    for seat, client in ((1, ana), (2, server.guest("Ben"))):
        join(client, match, seat)
    back = watch(tama, match, query="&after=6")
    assert check_eyes(server, match, eye, back) == [SPECTATOR, SPECTATOR]
    assert eye.socket.latest["view"]["hand"] is None


def test_who_was_replaced_by_a_bot_sees_its_hand_no_more(server: LiveServer) -> None:
    hine, tama, ana, match = three(server)
    for seat, client in ((1, tama), (2, ana)):
        join(client, match, seat)
    eyes = [watch(client, match) for client in (hine, tama, ana)]
    turn = eyes[0].socket.latest["turn"]
    other = eyes[(turn + 1) % 3].socket
    be_away(server, match, turn)
    other.do(do="claim", what="bot")
    other.until(type="event")  # the action of the bot
    path = f"/api/matches/{match}/study?seat={turn}"
    assert eyes[turn].client.get(path, 403)["code"] == "not-yours"
    back = watch(eyes[turn].client, match, query=f"&after={other.latest['version']}")
    seats = check_eyes(server, match, *eyes, back)
    assert [seats[turn], seats[3]] == [SPECTATOR, SPECTATOR]


def test_a_rematch_is_seen_through_the_seats_of_the_new_match(server: LiveServer) -> None:
    hine, tama, ana, match = three(server)
    for seat, client in ((1, tama), (2, ana)):
        join(client, match, seat)
    guest = server.guest("Watcher")
    eyes = [watch(client, match) for client in (hine, tama, ana, guest)]
    for what in ("draw", "rematch"):
        for eye in eyes[:3]:
            eye.socket.do(do="offer", what=what)
    check_eyes(server, match, *eyes)
    following = hine.get(f"/api/matches/{match}")["next"]
    for eye in eyes:
        eye.socket.received.clear()
        eye.socket.do(do="follow", match=following)
    seats = check_eyes(server, following, *eyes)
    assert sorted(seats[:3]) == [0, 1, 2]
    assert seats[3] == SPECTATOR
    assert hine.get(f"/api/matches/{following}/study?seat={seats[1]}", 403)["code"] == "not-yours"


def test_people_at_one_screen_see_the_seat_they_look_through_and_no_other_at_once(server: LiveServer) -> None:
    hine, tama, _, match = three(server, "me", "me", "open")
    join(tama, match, 2)
    eyes = [watch(hine, match), watch(hine, match, text=False, query="&seat=1"), watch(tama, match)]
    play([eye.socket for eye in eyes], 12, 5)
    eyes[0].socket.do(do="look", seat=1)
    assert eyes[0].socket.do(do="look", seat=2)["code"] == "not-yours"
    assert check_eyes(server, match, *eyes) == [1, 1, 2]


def test_a_spectator_who_takes_a_seat_sees_that_seat_from_then_on(server: LiveServer) -> None:
    hine, tama, ana, match = three(server)
    eyes = [watch(client, match, text=text) for client in (tama, ana) for text in (True, False)]
    watcher = watch(tama, match, query="&seat=-2")
    join(tama, match, 2)
    join(ana, match, 1)
    back = watch(ana, match, query="&seat=1&after=3")
    seats = check_eyes(server, match, *eyes, watcher)
    assert seats == [2, 2, 1, 1, 2]
    assert check_eyes(server, match, back, seat=1) == [1]
    assert hine.get(f"/api/matches/{match}/record", 409)["code"] == "match-running"


def test_a_socket_ends_with_its_token(server: LiveServer) -> None:
    hine, tama, ana, match = three(server)
    tama.post("/api/account", {"name": "Tama of the token", "password": "a long password"}, 201)
    made = tama.post("/api/tokens", {"label": "bot"}, 201)
    program = server.client({"authorization": f"Bearer {made['token']}"})
    program.me = tama.me
    for seat, client in ((1, program), (2, ana)):
        join(client, match, seat)
    eye, own = watch(program, match), watch(tama, match)
    tama.ask("DELETE", f"/api/tokens/{made['id']}", status=204)
    with pytest.raises(ConnectionClosed):
        eye.socket.do(do="full")
    mover = watch(hine, match).socket
    mover.act(mover.latest["actions"][0], mover.latest["version"])
    assert check_eyes(server, match, own) == [1]
    assert program.request("GET", f"/api/matches/{match}/study?seat=1").status_code == 401
