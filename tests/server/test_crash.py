"""The short form of bench/server_crash.py: nothing that was acknowledged is lost when the server is killed."""

from pathlib import Path

import server_crash


def test_killing_the_only_process_loses_nothing_and_players_come_back_by_themselves(tmp_path: Path) -> None:
    result = server_crash.crash_sqlite(tmp_path, matches=6, kills=2, seconds=1)
    assert result["acknowledged"] > 100
    assert result["sockets resumed"] >= 6
    assert (result["lost"], result["unreadable"], result["servers behind"]) == (0, 0, 0)


def test_killing_one_of_two_processes_loses_nothing(tmp_path: Path) -> None:
    result = server_crash.crash_postgres(tmp_path, matches=6, kills=2, seconds=1, whole=False)
    assert result["acknowledged"] > 100
    assert (result["lost"], result["unreadable"], result["servers behind"]) == (0, 0, 0)


def test_killing_postgresql_loses_nothing(tmp_path: Path) -> None:
    result = server_crash.crash_postgres(tmp_path, matches=6, kills=1, seconds=1, whole=True)
    assert result["acknowledged"] > 50
    assert (result["lost"], result["unreadable"], result["servers behind"]) == (0, 0, 0)
