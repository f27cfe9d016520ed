"""Studies over HTTP and over their sockets: links, files, two people at once, a server that is killed between edits."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed

from kemu.server.live import study as live_study
from kemu.server.live.frames import encode
from kemu.server.live.study import StudyActor
from kemu.server.settings import Settings
from kemu.storage.journal import Append
from kemu.studies.edits import CommentNode, UnknownStudy
from tests.server.live_server import Client, LiveServer, Socket, generous, run_server

TEXT = """[Study "Openings"]

[Chapter "The star"]
[Game "mu-torere"]

1. 1-0 {A first step.} (1. 4-0) 2. 8-1
"""
CHAPTER = {"name": "One", "game": "mu-torere", "root": {"children": []}}


def new_study(client: Client, text: str = TEXT) -> Any:
    return client.post("/api/studies", {"text": text}, 201)


def opened(client: Client, study: Any, key: str = "", after: int | None = None) -> Socket:
    version = study["version"] if after is None else after
    socket = client.open_path(f"/api/studies/{study['id']}/socket?after={version}&key={key}")
    socket.until(type="opened")
    return socket


def edit(op: str, study: Any, *path: str, **fields: object) -> dict[str, object]:
    return {"op": op, "chapter": study["chapters"][0]["id"], "path": list(path), **fields}


def links(client: Client, study: Any, *, read: bool = False, write: bool = False) -> Any:
    return client.ask("PUT", f"/api/studies/{study['id']}/links", {"read": read, "write": write})


def test_a_study_is_made_listed_read_and_deleted(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    study = hine.post("/api/studies", {"name": "Endings"}, 201)
    assert (study["name"], study["version"], study["access"], study["mine"]) == ("Endings", 0, "write", True)
    assert study["links"] == {"read": None, "write": None}
    assert [(each["id"], each["shared"]) for each in hine.get("/api/studies")] == [(study["id"], False)]
    assert tama.get("/api/studies") == []
    assert hine.get(f"/api/studies/{study['id']}") == study
    assert tama.get(f"/api/studies/{study['id']}", 404)["code"] == "unknown-study"
    assert tama.ask("DELETE", f"/api/studies/{study['id']}", status=404)["code"] == "unknown-study"
    hine.ask("DELETE", f"/api/studies/{study['id']}")
    assert hine.get("/api/studies") == []
    assert hine.get(f"/api/studies/{study['id']}", 404)["code"] == "unknown-study"


def test_files_of_both_forms_are_read_and_written(server: LiveServer) -> None:
    hine = server.guest("Hine")
    study = new_study(hine)
    path = f"/api/studies/{study['id']}"
    assert hine.request("GET", f"{path}/file?form=text").text == TEXT
    plain = hine.request("GET", f"{path}/file")
    assert "attachment" in plain.headers["content-disposition"]
    again = new_study(hine, plain.text)
    assert hine.request("GET", f"/api/studies/{again['id']}/file?form=text").text == TEXT
    added = hine.post(f"{path}/chapters", {"text": plain.text}, 201)["chapters"]
    assert [chapter["id"] for chapter in hine.get(path)["chapters"]] == [study["chapters"][0]["id"], *added]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({}, 400, "A study needs a name or a text."),
        ({"text": "1. e4"}, 400, "Line 1, column 1: A chapter begins"),
        ({"text": TEXT + " 3. 1-0"}, 409, "Line 7, column 5: "),
        ({"text": '{"a":' * 100_000}, 400, "This JSON is nested too deeply."),
        ({"name": " "}, 400, "A name begins"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(
    server: LiveServer, body: dict[str, str], status: int, message: str
) -> None:
    assert server.guest().post("/api/studies", body, status)["message"].startswith(message)


def test_two_people_edit_one_study_at_once_and_have_the_same(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    study = new_study(hine)
    key = links(hine, study, write=True)["write"]
    study = hine.get(f"/api/studies/{study['id']}")
    first, second = opened(hine, study), opened(tama, study, key)
    first.until(type="here", count=2)
    for socket, fields in (
        (first, edit("add", study, "1-0", "8-1", "0-8")),
        (second, edit("remove", study, "4-0")),
        (first, edit("comment", study, "1-0", text="Hine")),
        (second, edit("comment", study, "1-0", text="Tama")),
        (second, edit("promote", study, "1-0")),
        (first, edit("add", study, "4-0", "5-4")),  # after what may be removed by then
    ):
        socket.send(edit=fields)
    last = second.do(edit={"op": "rename", "name": "Ours"})
    seen: list[list[Any]] = [[], []]
    for edits, socket in zip(seen, (first, second), strict=True):
        socket.send(id="end", edit={"op": "rename", "name": "The end"})
        while not edits or edits[-1]["edit"] != {"op": "rename", "name": "The end"}:
            edits.append(socket.until(type="edit"))
    assert last["type"] == "edit"
    versions = [frame["version"] for frame in seen[0]]
    assert versions == list(range(study["version"] + 1, study["version"] + 1 + len(versions)))
    final = hine.get(f"/api/studies/{study['id']}")
    assert tama.get(f"/api/studies/{study['id']}?key={key}")["chapters"] == final["chapters"]
    (main, *_) = final["chapters"][0]["root"]["children"]
    assert (main["action"], main["comment"]) in (("1-0", "Hine"), ("1-0", "Tama"))
    assert main["children"][0]["children"][0]["action"] == "0-8"


def test_what_repeats_changes_nothing_and_what_is_illegal_is_refused(server: LiveServer) -> None:
    hine = server.guest("Hine")
    study = new_study(hine)
    socket = opened(hine, study)
    assert socket.do(edit=edit("add", study, "1-0"))["type"] == "done"
    assert socket.do(edit=edit("add", study, "2-0"))["code"] == "illegal-action"
    assert socket.do(edit=edit("comment", study, "3-0", text=""))["code"] == "unknown-node"
    assert socket.do(edit={"op": "explode"})["code"] == "parse-error"
    assert hine.get(f"/api/studies/{study['id']}") == study
    body = {"edit": edit("comment", study, text="x" * 5000)}
    assert hine.post(f"/api/studies/{study['id']}/edits", body, 409)["code"] == "study-limit"


def test_a_link_to_read_lets_nobody_write_and_a_revoked_one_ends_sockets(server: LiveServer) -> None:
    hine, tama = server.guest("Hine"), server.guest("Tama")
    study = new_study(hine)
    key = links(hine, study, read=True)["read"]
    path = f"/api/studies/{study['id']}"
    shown = tama.get(f"{path}?key={key}")
    assert (shown["access"], shown["mine"], shown["links"]) == ("read", False, None)
    assert links(hine, study, read=True)["read"] == key
    socket = opened(tama, shown, key)
    assert socket.do(edit=edit("comment", study, text="!"))["code"] == "unknown-study"
    assert tama.post(f"{path}/edits?key={key}", {"edit": edit("comment", study, text="!")}, 404)
    assert tama.ask("PUT", f"{path}/links?key={key}", {"read": True, "write": True}, 404)
    assert links(hine, study)["read"] is None
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404
    assert tama.get(f"{path}?key={key}", 404)["code"] == "unknown-study"
    assert links(hine, study, read=True)["read"] != key


def test_a_deleted_study_ends_its_sockets(server: LiveServer) -> None:
    hine = server.guest("Hine")
    study = new_study(hine)
    socket = opened(hine, study)
    hine.ask("DELETE", f"/api/studies/{study['id']}")
    with pytest.raises(ConnectionClosed) as closed:
        socket.read_to_end()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_a_socket_that_comes_back_is_sent_what_it_missed(server: LiveServer) -> None:
    hine = server.guest("Hine")
    study = new_study(hine)
    first = opened(hine, study)
    first.do(edit=edit("comment", study, text="one"))
    first.close()
    second = opened(hine, study)
    assert second.until(type="edit")["edit"]["text"] == "one"
    third = hine.open_path(f"/api/studies/{study['id']}/socket?after=99")
    assert third.until(type="reload")["version"] == 1


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_study, "STUDY_BYTES", 4000)
    settings = replace(generous(f"sqlite:///{tmp_path}/kemu.sqlite"), studies_per_player=1, studies_per_minute=3)
    with run_server(settings) as server:
        hine = server.guest("Hine")
        study = new_study(hine)
        socket = opened(hine, study)
        socket.do(edit=edit("comment", study, text="x" * 3900))
        assert socket.do(edit=edit("comment", study, text="x"))["code"] == "study-limit"
        assert hine.post("/api/studies", {"name": "Second"}, 429)["message"].startswith("You have 1 studies")
        server.guest().post("/api/studies", {"name": "Third"}, 201)
        assert "your address" in server.guest().post("/api/studies", {"name": "Fourth"}, 429)["message"]


async def save_nothing(actor: StudyActor) -> None:
    """As if the process had been killed: nothing is saved but what the journal has."""


def test_nothing_is_lost_when_the_server_is_killed_between_edits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = generous(f"sqlite:///{tmp_path}/kemu.sqlite")
    with monkeypatch.context() as killed, run_server(settings) as server:
        killed.setattr(StudyActor, "save", save_nothing)
        hine = server.guest("Hine")
        cookies = hine.http.cookies
        study = new_study(hine)
        first, second = opened(hine, study), opened(hine, study)
        first.do(edit=edit("comment", study, text="saved"))
        second.do(edit=edit("add", study, "4-0", "5-4"))
    with run_server(settings) as server:
        again = server.client()
        again.http.cookies = cookies
        found = again.get(f"/api/studies/{study['id']}")
        assert found["version"] == 2
        assert found["chapters"][0]["root"]["comment"] == "saved"
        resumed = opened(again, study, after=1)
        assert resumed.until(type="edit")["edit"]["path"] == ["4-0", "5-4"]
        assert resumed.do(edit=edit("comment", study, text="and on"))["version"] == 3


@pytest.fixture
def servers(postgres: str) -> Iterator[tuple[LiveServer, LiveServer]]:
    """Two servers on one database."""
    settings = Settings(
        postgres, requests_per_second=10_000, messages_per_second=10_000, address_messages_per_second=100_000
    )
    with ExitStack() as stack:
        yield stack.enter_context(run_server(settings)), stack.enter_context(run_server(settings))


def test_people_at_different_processes_edit_one_study(servers: tuple[LiveServer, LiveServer]) -> None:
    here, there = servers
    hine, tama = here.guest("Hine"), there.guest("Tama")
    study = new_study(hine)
    key = links(hine, study, read=True, write=True)["write"]
    study = tama.get(f"/api/studies/{study['id']}?key={key}")
    first, second = opened(hine, study), opened(tama, study, key)
    for number in range(4):
        for socket, name in ((first, "Hine"), (second, "Tama")):
            socket.send(id=f"{name}{number}", edit=edit("comment", study, text=f"{name} {number}"))
    seen: list[list[str]] = [[], []]
    for texts, socket in zip(seen, (first, second), strict=True):
        while len(texts) < 8:
            texts.append(socket.until(type="edit")["edit"]["text"])
    assert seen[0] == seen[1]
    comment = hine.get(f"/api/studies/{study['id']}")["chapters"][0]["root"]["comment"]
    assert comment == seen[0][-1]
    links(hine, study, read=True)
    with pytest.raises(ConnectionClosed):
        second.read_to_end()


def test_an_edit_announced_while_others_are_read_is_read_too(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hine = server.guest("Hine")
    study = new_study(hine)
    socket = opened(hine, study)
    actor = server.run(server.parts.studies.find(study["id"]))
    store = server.parts.runtime.store
    read = store.journal.entries

    async def read_early(match: str, after: int = 0) -> list[bytes]:
        """Another process saves an edit just after this one has read."""
        found = await read(match, after)
        if not found:
            comment = encode(CommentNode(study["chapters"][0]["id"], [], "from elsewhere"))
            await store.journal.write([Append(match, after + 1, comment)])
            actor.announced(after + 1, read_now=False)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(store.journal, "entries", read_early)
        server.call(actor.refresh)
        assert socket.until(type="edit")["edit"]["text"] == "from elsewhere"


def test_paths_to_the_same_position_are_found(server: LiveServer) -> None:
    chapter = new_study(server.guest(), TEXT)["chapters"][0]
    del chapter["id"]
    found = server.guest().post("/api/study/positions", {"chapter": chapter}, 200)
    assert found == {"groups": [[["1-0"], ["4-0"]]]}


def test_what_waits_when_a_link_is_revoked_or_a_study_deleted_is_not_done(server: LiveServer) -> None:
    """Edits wait for the one before, and a study that is deleted must not be written to any more."""
    hine, tama = server.guest("Hine"), server.guest("Tama")
    study = new_study(hine)
    key = links(hine, study, write=True)["write"]
    actor = server.run(server.parts.studies.find(study["id"]))
    comment = CommentNode(study["chapters"][0]["id"], [], "late")
    links(hine, study)
    with pytest.raises(UnknownStudy):
        server.run(actor.edit(comment, tama.me["id"], key))
    hine.ask("DELETE", f"/api/studies/{study['id']}")
    with pytest.raises(UnknownStudy):
        server.run(actor.edit(comment))
    assert actor.document.chapters[comment.chapter].nodes[0].comment == ""


def test_edits_are_kept_by_number_and_by_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_study, "KEPT_BYTES", 7000)
    settings = generous(f"sqlite:///{tmp_path}/kemu.sqlite")
    with run_server(settings) as server:
        hine = server.guest("Hine")
        cookies = hine.http.cookies
        study = new_study(hine)
        socket = opened(hine, study)
        for number in range(10):
            socket.do(edit=edit("comment", study, text=f"{number}" * 1000))
        check_kept(hine, study)
    with run_server(settings) as server:
        check_kept(again(server, cookies), study)


def check_kept(client: Client, study: Any) -> None:
    """Of ten edits, a client is sent those that fit, and else told to load the study."""
    assert opened(client, study, after=9).until(type="edit")["version"] == 10
    assert opened(client, study, after=5).until(type="edit")["version"] == 6
    assert opened(client, study, after=2).until(type="reload")["version"] == 10
    assert client.get(f"/api/studies/{study['id']}")["chapters"][0]["root"]["comment"] == "9" * 1000


def again(server: LiveServer, cookies: Any) -> Client:
    """The same person at a server that was started again."""
    client = server.client()
    client.http.cookies = cookies
    return client


def test_an_edit_whose_answer_was_lost_is_not_done_again(tmp_path: Path) -> None:
    """A node that somebody has added again meanwhile stays, also after the study was loaded anew."""
    settings = generous(f"sqlite:///{tmp_path}/kemu.sqlite")
    done = {"type": "done", "re": "once", "version": 1}
    with run_server(settings) as server:
        hine = server.guest("Hine")
        cookies = hine.http.cookies
        study = new_study(hine)
        socket, remove = opened(hine, study), edit("remove", study, "4-0")
        assert socket.do(id="once", edit=remove)["version"] == 1
        assert socket.do(edit=edit("add", study, "4-0"))["version"] == 2
        assert socket.do(id="once", edit=remove) == done
    with run_server(settings) as server:
        hine = again(server, cookies)
        assert opened(hine, study, after=2).do(id="once", edit=remove) == done
        found = hine.get(f"/api/studies/{study['id']}")
        assert found["version"] == 2
        assert [node["action"] for node in found["chapters"][0]["root"]["children"]] == ["1-0", "4-0"]


def test_a_file_that_is_larger_than_a_study_is_refused(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_study, "STUDY_BYTES", 4000)
    hine = server.guest("Hine")
    new_study(hine)
    assert hine.post("/api/studies", {"text": TEXT + "{" + "x" * 3900 + "}"}, 409)["code"] == "study-limit"


def test_an_address_edits_no_more_often_than_the_settings_say(tmp_path: Path) -> None:
    """An edit at the end of a long line takes milliseconds of the process that serves live play."""
    settings = replace(generous(f"sqlite:///{tmp_path}/kemu.sqlite"), edits_per_second=0)
    with run_server(settings) as server:
        hine = server.guest("Hine")
        study = new_study(hine)
        fields = edit("comment", study, text="1")
        assert opened(hine, study).do(edit=fields)["code"] == "too-many"
        assert hine.post(f"/api/studies/{study['id']}/edits", {"edit": fields}, 429)["code"] == "too-many"
        assert hine.post(f"/api/studies/{study['id']}/chapters", {"text": TEXT}, 429)["code"] == "too-many"
