"""Puts the built browser client into the wheel and the editable install; Node for it comes from pip."""

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuild(BuildHookInterface[Any]):
    """Builds the client if it is missing or old."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from web.scripts.client import build

        build()
        build_data["artifacts"].append("src/kemu/web/**")
