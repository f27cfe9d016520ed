"""What all tests share: Hypothesis tries the same examples on every run, and there is a real PostgreSQL."""

import pytest
from hypothesis import settings

from tests.postgres import new_database

settings.register_profile("kemu", derandomize=True, deadline=None, database=None)
settings.load_profile("kemu")


@pytest.fixture
def postgres(testrun_uid: str) -> str:
    """The URL of an empty database in a real PostgreSQL."""
    return new_database(testrun_uid)
