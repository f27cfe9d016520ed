"""What all tests share: Hypothesis tries the same examples on every run, and there is a real PostgreSQL."""

import pytest
from hypothesis import settings

from tests.postgres import data_folder, new_database

settings.register_profile("kemu", derandomize=True, deadline=None, database=None)
settings.load_profile("kemu")


@pytest.fixture
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> str:
    """The URL of an empty database in a real PostgreSQL."""
    return new_database(data_folder(tmp_path_factory, worker_id))
