"""People on the server, attacked: by strangers to a class, teachers of another one, and odd input."""

from tests.server.live_server import LiveServer
from tests.server.test_fair_play import account
from tests.server.test_groups import school


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
