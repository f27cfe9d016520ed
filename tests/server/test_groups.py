"""Classes and clubs on the server: what teachers, members, pupils and strangers may do and know."""

import pytest
from websockets.exceptions import ConnectionClosed

from kemu.analysis.puzzles.puzzle import shipped_puzzles
from tests.server.live_server import Client, LiveServer
from tests.server.test_fair_play import account
from tests.server.tournament_play import entered, new_tournament


def school(server: LiveServer, name: str) -> tuple[Client, str, Client]:
    """A teacher with a class and one pupil who has signed in."""
    teacher = account(server, f"Teacher {name}")
    group = teacher.post("/api/groups", {"name": f"Year {name}", "kind": "class"}, 201)["id"]
    (slip,) = teacher.post(f"/api/groups/{group}/pupils", {"count": 1}, 201)
    pupil = server.client()
    pupil.me = pupil.post("/api/session", {"name": slip["name"], "password": slip["password"]}, 200)
    assert pupil.me["id"] == slip["id"]
    return teacher, group, pupil


def test_a_group_is_joined_by_its_code_and_known_to_its_members_alone(server: LiveServer) -> None:
    teacher, member, stranger = (account(server, f"{who} of a club") for who in ("Teacher", "Member", "Stranger"))
    club = teacher.post("/api/groups", {"name": "A club", "kind": "club"}, 201)
    path, code = f"/api/groups/{club['id']}", club["invitation"]
    assert (club["role"], [each["name"] for each in club["members"]]) == ("teacher", ["Teacher of a club"])
    joined = member.post("/api/groups/join", {"code": f" {code[:4].lower()}-{code[4:]} "}, 200)
    assert (joined["role"], joined["invitation"]) == ("member", None)
    assert [each["name"] for each in member.get("/api/groups")] == ["A club"]
    for who in (stranger, server.guest()):
        for method, where, body in (
            ("GET", path, None),
            ("GET", f"{path}/homework", None),
            ("GET", f"{path}/homework/x", None),
            ("GET", f"{path}/standings/mauw", None),
            ("PATCH", path, {"renew": True}),
            ("DELETE", path, None),
            ("DELETE", f"{path}/members/{member.me['id']}", None),
            ("PUT", f"{path}/members/{member.me['id']}", {"role": "teacher"}),
            ("POST", f"{path}/pupils", {"count": 1}),
            ("POST", f"{path}/pupils/{member.me['id']}/password", None),
        ):
            assert who.ask(method, where, body, 404)["code"] == "unknown-group", where
    for_teachers: list[tuple[str, str, object]] = [
        ("PATCH", path, {"renew": True}),
        ("DELETE", path, None),
        ("PUT", f"{path}/members/{member.me['id']}", {"role": "teacher"}),
        ("DELETE", f"{path}/members/{teacher.me['id']}", None),
        ("POST", f"{path}/homework", {"title": "x", "tasks": [{"kind": "lessons", "game": "mauw", "ids": ["a"]}]}),
        ("GET", f"{path}/homework/x", None),
    ]
    for method, where, what in for_teachers:
        assert member.ask(method, where, what, 403)["code"] == "not-teacher", where
    assert teacher.ask("PATCH", path, {"renew": True, "name": "The club"}, 200)["invitation"] != code
    assert stranger.post("/api/groups/join", {"code": code}, 404)["code"] == "unknown-group"
    assert teacher.post(f"{path}/pupils", {"count": 1}, 409)["code"] == "group-limit"
    assert teacher.ask("DELETE", f"{path}/members/{teacher.me['id']}", status=409)["code"] == "last-teacher"
    assert teacher.ask("PUT", f"{path}/members/{member.me['id']}", {"role": "teacher"}, 200)["role"] == "teacher"
    teacher.ask("DELETE", f"{path}/members/{teacher.me['id']}", status=204)
    assert teacher.get("/api/groups") == []
    assert server.guest().post("/api/groups", {"name": "Mine", "kind": "club"}, 401)["code"] == "not-signed-in"


def test_a_pupil_meets_the_class_and_nobody_else(server: LiveServer) -> None:
    teacher, _, pupil = school(server, "meets")
    stranger, guest = account(server, "A stranger to the class"), server.guest("A guest outside")
    for host, other in ((pupil, stranger), (stranger, pupil), (pupil, guest), (guest, pupil)):
        match = host.new_match("me", "open")["id"]
        assert other.post(f"/api/matches/{match}/join", {}, 403)["code"] == "blocked"
    match = pupil.new_match("me", "open")["id"]
    assert teacher.post(f"/api/matches/{match}/join", {}, 200)["status"] == "running"
    follow = {"kind": "follow"}
    assert stranger.ask("PUT", f"/api/relations/{pupil.me['id']}", follow, 403)["code"] == "blocked"
    challenge = {"game": "mu-torere", "clocks": [{"kind": "none"}], "audience": "player", "name": pupil.me["name"]}
    assert stranger.post("/api/challenges", challenge, 403)["code"] == "blocked"
    study = pupil.post("/api/studies", {"name": "Mine"}, 201)["id"]
    links = pupil.ask("PUT", f"/api/studies/{study}/links", {"read": True, "write": True})
    assert teacher.get(f"/api/studies/{study}?key={links['write']}")["name"] == "Mine"
    assert stranger.get(f"/api/studies/{study}?key={links['write']}", 404)["code"] == "unknown-study"
    with pytest.raises(ConnectionClosed) as closed:
        stranger.open_path(f"/api/studies/{study}/socket?key={links['write']}").read_to_end()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_teachers_manage_the_account_of_a_pupil(server: LiveServer) -> None:
    teacher, group, pupil = school(server, "manages")
    for method, path, body in (
        ("PATCH", "/api/me", {"name": "Somebody else"}),
        ("PUT", "/api/account/password", {"old": "x" * 10, "password": "y" * 10}),
        ("POST", "/api/recovery-codes", {"password": "x" * 10}),
        ("POST", "/api/tokens", {"label": "bot"}),
        ("PUT", "/api/me/choices", {"hidden": False, "quiet": False}),
        ("POST", "/api/groups", {"name": "Mine", "kind": "club"}),
        ("POST", "/api/groups/join", {"code": "ABCDEFGH"}),
    ):
        assert pupil.ask(method, path, body, 403)["code"] == "managed-account", path
    assert pupil.ask("DELETE", f"/api/groups/{group}/members/{pupil.me['id']}", status=403)["code"] == "not-teacher"
    profile = teacher.get(f"/api/profile?name={pupil.me['name']}")
    assert (profile["hidden"], profile["statistics"]) == (True, None)
    slip = teacher.post(f"/api/groups/{group}/pupils/{pupil.me['id']}/password", status=200)
    assert slip["name"] == pupil.me["name"]
    assert pupil.get("/api/me")["id"] != pupil.me["id"], "the session has ended"
    again = server.client().post("/api/session", {"name": slip["name"], "password": slip["password"]}, 200)
    assert again["id"] == pupil.me["id"]
    teacher.ask("DELETE", f"/api/groups/{group}", status=204)
    assert server.client().post("/api/session", {"name": slip["name"], "password": slip["password"]}, 401)
    assert teacher.get(f"/api/groups/{group}", 404)["code"] == "unknown-group"
    assert teacher.get(f"/api/players/{pupil.me['id']}", 404)["code"] == "unknown-player"


def test_homework_shows_each_pupil_the_own_results_and_the_teacher_all(server: LiveServer) -> None:
    teacher, group, pupil = school(server, "works")
    easy = teacher.get(f"/api/groups/{group}/puzzles/mu-torere?count=2")
    puzzle = min(shipped_puzzles("mu-torere").values(), key=lambda puzzle: puzzle.found.grade)
    assert (len(easy), easy[0]) == (2, puzzle.id)
    assert pupil.get(f"/api/groups/{group}/puzzles/mu-torere", 403)["code"] == "not-teacher"
    tasks = [
        {"kind": "puzzles", "game": "mu-torere", "ids": [puzzle.id]},
        {"kind": "lessons", "game": "mu-torere", "ids": ["first", "second"]},
    ]
    path = f"/api/groups/{group}/homework"
    wrong = [{"kind": "puzzles", "game": "mu-torere", "ids": ["no-such"]}]
    assert teacher.post(path, {"title": "Wrong", "tasks": wrong}, 404)["code"] == "unknown-puzzle"
    given = teacher.post(path, {"title": "For Friday", "tasks": tasks}, 201)
    assert easy[0] not in teacher.get(f"/api/groups/{group}/puzzles/mu-torere"), "nothing is given twice"
    pupil.ask("PUT", "/api/lessons/mu-torere/first", status=204)
    assert pupil.get("/api/lessons") == [{"game": "mu-torere", "lesson": "first"}]
    (mine,) = pupil.get(path)
    assert (mine["title"], mine["parts"], mine["done"]) == ("For Friday", 3, ["first"])
    results = teacher.get(f"{path}/{given['id']}")
    assert results["results"] == [{"player": pupil.me["id"], "name": pupil.me["name"], "done": 1, "right": 1}]
    assert pupil.get(f"{path}/{given['id']}", 403)["code"] == "not-teacher"
    assert pupil.get(f"/api/groups/{group}/standings/mu-torere") == []
    teacher.ask("DELETE", f"{path}/{given['id']}", status=204)
    assert pupil.get(path) == []


def test_a_class_whose_end_has_come_is_deleted_with_its_pupils(server: LiveServer) -> None:
    teacher, group, pupil = school(server, "ends")
    teacher.ask("PATCH", f"/api/groups/{group}", {"ends": 1}, 200)
    server.run(server.parts.groups.prune())
    assert teacher.get("/api/groups") == []
    assert teacher.get(f"/api/players/{pupil.me['id']}", 404)["code"] == "unknown-player"


def test_a_tournament_of_a_class_is_for_the_class_alone(server: LiveServer) -> None:
    teacher, group, pupil = school(server, "plays")
    stranger = account(server, "A stranger to the tournament")
    own, anybody = new_tournament(teacher, group=group), new_tournament(stranger)
    entered(pupil, own)
    for who, where in ((stranger, own), (pupil, anybody)):
        command = {"do": "enter", "id": "enter"}
        assert who.post(f"/api/tournaments/{where}/commands", command, 403)["code"] == "entry-refused"
