"""What all tests share: the same examples of Hypothesis on every run, a real PostgreSQL, a game of another package."""

import gc
import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from kemu.core.manifest import load
from kemu.games import game_keys, register, unregister
from tests.outside_package import FOLDER, OutsideGame, with_folder
from tests.postgres import Cluster
from tests.unmeasured import unmeasured

settings.register_profile("kemu", derandomize=True, deadline=None, database=None)
settings.load_profile("kemu")

os.environ["KEMU_COMPILE_ENGINES"] = "false"  # servers that tests start compile what their bots need


@pytest.fixture(scope="session")
def shared_cluster(testrun_uid: str) -> Iterator[Cluster]:
    """The PostgreSQL that all workers of a run share."""
    with Cluster(testrun_uid) as cluster:
        yield cluster


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are processors: tests with a browser or a server wait for it much of their time."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests that are not measured behind all others, and of each kind the slow ones first.

    What one of them calls first (a function with a cache, a module imported late) would not be counted when a measured
    test calls it after that, and threads that run while measuring pauses are not measured any more. A slow test that
    began last would run while the other workers have nothing left to do.
    """
    items.sort(key=lambda item: (_is_unmeasured(item), item.get_closest_marker("slow") is None))


def _is_unmeasured(item: pytest.Item) -> bool:
    return item.get_closest_marker("no_cover") is not None


def pytest_collection_finish() -> None:
    """Leave out of every search for garbage what was imported with the tests: hundreds of thousands of objects."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Start the processes of a test that is not measured without coverage, too."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - unmeasured().keys() if _is_unmeasured(item) else ():
            patch.delenv(name)
        return (yield)


@pytest.fixture
def postgres(shared_cluster: Cluster) -> str:
    """The URL of an empty database in a real PostgreSQL."""
    return shared_cluster.new_database()


@pytest.fixture
def outside_game(monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideGame]:
    """The game of tests/outside, registered in this process and installed in all that are started from it."""
    assert "nim" not in game_keys()  # this reads the entry points, before the folder is on the path
    monkeypatch.syspath_prepend(FOLDER)
    manifest = load("kemu_nim.manifest:MANIFEST")
    register(manifest)
    environment = with_folder(FOLDER)
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    yield OutsideGame(manifest.key, environment)
    unregister(manifest.key)
