"""The environment of processes in which coverage does not record which lines are run."""

import os
from collections.abc import Mapping


def unmeasured(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """An environment without the variables by which coverage measures the processes that tests start.

    A measured process takes half as long again. Servers of the browser tests run nothing that tests/server does not.
    """
    return {name: value for name, value in environment.items() if not name.startswith("COVERAGE_")}
