"""The verifier in C, built once for all tests of a worker."""

from pathlib import Path

import pytest

from kemu.engines.certificates import build_c
from tests.certificates.verifiers import COMPILER


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program; tests that need it are skipped where there is no C compiler, which pip cannot install."""
    if COMPILER is None:
        pytest.skip("the verifier in C ships as source, and this machine has no compiler for it")
    return build_c(tmp_path_factory.mktemp("verifier"))
