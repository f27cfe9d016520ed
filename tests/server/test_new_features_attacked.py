"""People on the server, attacked: by strangers to a class, teachers of another one, and odd input."""

from collections.abc import Coroutine
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.storage.players import PlayerRow
from tests.server.live_server import LiveServer
from tests.server.test_fair_play import account
from tests.server.test_groups import school
from tests.server.tournament_play import entered, new_tournament


def test_strangers_learn_no_name_of_a_pupil(server: LiveServer) -> None:
    teacher, _, pupil = school(server, "hides names")
    stranger, guest, name, pupil_id = (
        account(server, "Curious about names"),
        server.guest(),
        pupil.me["name"],
        pupil.me["id"],
    )
    lists = ("/api/matches?limit=100", "/api/matches?show=live&limit=100", f"/api/players/{teacher.me['id']}/matches")
    opened = pupil.new_match("me", "open", public=True)["id"]
    played = teacher.new_match("me", "open", public=True)["id"]
    ended = teacher.new_match("me", "open", public=True, clock={"kind": "game", "seconds": 600})["id"]
    for match in (played, ended):
        pupil.post(f"/api/matches/{match}/join", {}, 200)
    with_pupil = pupil.open(ended)
    with_pupil.do(do="resign")
    assert [each["match"]["id"] for each in pupil.get(f"/api/players/{teacher.me['id']}/matches")["matches"]] == [ended]
    for who in (stranger, guest):
        assert who.get(f"/api/players/{pupil_id}", 404)["code"] == "unknown-player"
        assert who.get(f"/api/profile?name={name}", 404)["code"] == "unknown-player"
        assert [each["id"] for each in who.get(f"/api/standings?players={pupil_id}%20{teacher.me['id']}")] == [
            teacher.me["id"]
        ]
        for path in lists:
            assert name not in str(who.get(path)), path
    for who in (stranger, teacher):
        assert who.get(f"/api/players?name={name}") == []
    for who in (pupil, teacher):
        assert who.get(f"/api/players/{pupil_id}")["name"] == name
        assert who.get(f"/api/profile?name={name}")["name"] == name
    assert opened in [each["id"] for each in teacher.get("/api/matches?limit=100")]


def test_a_pupil_takes_part_in_no_tournament_of_strangers(server: LiveServer) -> None:
    host = account(server, "Host of strangers")
    _, _, pupil = school(server, "stays home")
    tournament = new_tournament(host, system="swiss", rounds=2)
    assert (
        pupil.post(f"/api/tournaments/{tournament}/commands", {"do": "enter", "id": "enter"}, 403)["code"]
        == "entry-refused"
    )
    terms = host.get(f"/api/tournaments/{tournament}")["terms"]
    assert pupil.post("/api/tournaments", terms, 403)["code"] == "managed-account"


def test_pupils_who_find_no_place_leave_no_account(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher, group, pupil = school(server, "is crowded")
    made: list[str] = []
    begin = server.parts.groups._store.profiles.begin_profile

    async def noted(player: str, since: int) -> None:
        made.append(player)
        if len(made) == 1:  # the class is deleted while its pupils are made
            await server.parts.groups.delete(group)
        await begin(player, since)

    monkeypatch.setattr(server.parts.groups._store.profiles, "begin_profile", noted)
    assert teacher.post(f"/api/groups/{group}/pupils", {"count": 2}, 404)["code"] == "unknown-group"
    assert len(made) == 2
    assert [server.run(find(server, player)) for player in [*made, pupil.me["id"]]] == [None] * 3


def find(server: LiveServer, player: str) -> Coroutine[Any, Any, PlayerRow | None]:
    return server.parts.runtime.store.players.player(player)


def test_homework_holds_no_more_than_it_may_and_no_odd_text(server: LiveServer) -> None:
    teacher, group, pupil = school(server, "odd homework")
    path, ids = f"/api/groups/{group}/homework", ["first"] * 50
    lessons = {"kind": "lessons", "game": "mauw", "ids": ids}
    assert teacher.post(path, {"title": "Often", "tasks": [lessons] * 20}, 409)["code"] == "group-limit"
    for title, key in ((" ", "first"), ("\0", "first"), ("Odd", "a\0b")):
        tasks = [{"kind": "lessons", "game": "mauw", "ids": [key]}]
        assert teacher.post(path, {"title": title, "tasks": tasks}, 400)["code"] == "parse-error", (title, key)
    assert pupil.ask("PUT", "/api/lessons/mauw/a%00b", status=404)["code"] == "unknown-lesson"
    assert pupil.post("/api/notices/seen", {"about": "a\0b"}, 400)["code"] == "parse-error"


def test_the_last_teacher_cannot_leave_pupils_behind(server: LiveServer) -> None:
    teacher, group, _ = school(server, "is left")
    wrong = teacher.post("/api/account/removal", {"password": "a long password"}, 409)
    assert wrong["code"] == "last-teacher"
    teacher.ask("DELETE", f"/api/groups/{group}", status=204)
    teacher.post("/api/account/removal", {"password": "a long password"}, 204)


def test_a_tournament_of_a_class_is_known_to_the_class_alone(server: LiveServer) -> None:
    teacher, group, pupil = school(server, "competes")
    tournament = new_tournament(teacher, system="swiss", rounds=2, group=group)
    entered(pupil, tournament)
    path = f"/api/tournaments/{tournament}"
    assert [each["id"] for each in teacher.get(path)["entrants"]] == [pupil.me["id"]]
    for who in (account(server, "Nosy about a class"), server.guest()):
        assert who.get(path, 404)["code"] == "unknown-tournament"
        assert who.get(f"{path}/results?form=csv", 404)["code"] == "unknown-tournament"
        with pytest.raises(ConnectionClosed):
            who.open_path(f"{path}/socket").read_to_end()
    assert pupil.open_path(f"{path}/socket").receive()["type"] == "tournament"
